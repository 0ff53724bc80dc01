/*
 * fold_faults MODEL..: models in files, whose outputs and constants are looked
 * for without memory. It runs in one process, since there are many.
 */
#include <stdio.h>
#include <stdlib.h>

#include <clconst/clconst_model.h>

#include "faults/failing.h"
#include "harness/harness.h"

static char **paths;

typedef struct file {
    unsigned char *bytes;
    size_t size;
} file;

static file read_file(const char *path)
{
    FILE *stream = fopen(path, "rb");
    ck_assert_msg(stream != NULL, "%s", path);
    ck_assert_int_eq(fseek(stream, 0, SEEK_END), 0);
    long size = ftell(stream);
    ck_assert_int_gt(size, 0);
    file read = {malloc((size_t)size), (size_t)size};
    ck_assert_ptr_nonnull(read.bytes);
    rewind(stream);
    ck_assert_uint_eq(fread(read.bytes, 1, read.size, stream), read.size);
    fclose(stream);
    return read;
}

static clconst_status resolve(const void *context, clconst_error *error)
{
    const file *content = context;
    clconst_model *model = NULL;
    clconst_resolution *resolution = NULL;
    clconst_status status =
        clconst_model_parse(content->bytes, content->size, NULL, &model, error);
    if (status == CLCONST_OK) {
        status = clconst_resolution_create(model, NULL, &resolution, error);
    }
    clconst_resolution_destroy(resolution);
    clconst_model_destroy(model);
    return status;
}

START_TEST(models_are_folded_or_out_of_memory)
{
    file content = read_file(paths[_i]);
    fail_each_allocation(resolve, &content, paths[_i]);
    free(content.bytes);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("fold faults");
    TCase *tcase = tcase_create("fold faults");
    paths = argv + 1;
    tcase_add_loop_test(tcase, models_are_folded_or_out_of_memory, 0, argc - 1);
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
