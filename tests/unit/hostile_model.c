#include "unit/hostile_model.h"

#include <sys/resource.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"

/* Sanitizers need memory of their own. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED
#endif

#ifdef IS_SANITIZED
enum { IS_LIMITED = 0 };
#else
enum { IS_LIMITED = 1 };
#endif

/* The size of the process's data. */
static size_t data_size(void)
{
    unsigned long pages[6] = {0};
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(file);
    int count = fscanf(file,
                       "%lu %lu %lu %lu %lu %lu",
                       &pages[0],
                       &pages[1],
                       &pages[2],
                       &pages[3],
                       &pages[4],
                       &pages[5]);
    fclose(file);
    ck_assert_int_eq(count, 6);
    return pages[5] * 4096;
}

/* From here on the process gets what is promised for an input, and no more. The
 * heap may keep a megabyte of its own. */
static void limit_memory(size_t input_size)
{
    size_t size =
        data_size() + (1 << 16) + 512 * input_size + (256 << 20) + (1 << 20);
    struct rlimit limit = {size, size};
    if (IS_LIMITED) {
        ck_assert_int_eq(setrlimit(RLIMIT_DATA, &limit), 0);
    }
}

void hostile_prepend(uint8_t *block, size_t *start, proto_buffer *bytes)
{
    if (bytes->size > *start) {
        ck_abort_msg("the block is full");
    }
    *start -= bytes->size;
    if (bytes->size > 0) {
        memcpy(block + *start, bytes->bytes, bytes->size);
    }
    proto_free(bytes);
}

void hostile_check_output(proto_buffer *graph,
                          proto_buffer *functions,
                          const char *reason)
{
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer, "1:8 8:{2:18} 8:{1:'own' 2:1}");
    proto_append_bytes(&buffer, 7, graph->bytes, graph->size);
    proto_free(graph);
    if (functions != NULL) {
        uint8_t *bytes = realloc(buffer.bytes, buffer.size + functions->size);
        ck_assert_ptr_nonnull(bytes);
        memcpy(bytes + buffer.size, functions->bytes, functions->size);
        buffer.bytes = bytes;
        buffer.size += functions->size;
        proto_free(functions);
    }
    limit_memory(buffer.size);
    clconst_model *model;
    clconst_resolution *resolution;
    ck_assert_ok(
        clconst_model_parse(buffer.bytes, buffer.size, NULL, &model, error));
    ck_assert_ok(clconst_resolution_create(model, NULL, &resolution, error));
    clconst_resolved resolved = CLCONST_RESOLVED_INIT;
    ck_assert_ok(
        clconst_resolution_get_output(resolution, 0, &resolved, error));
    if (reason == NULL) {
        ck_assert_msg(resolved.reason == NULL, "%s", resolved.reason);
    } else {
        ck_assert_ptr_nonnull(resolved.reason);
        ck_assert_msg(strncmp(resolved.reason, reason, strlen(reason)) == 0,
                      "%s",
                      resolved.reason);
    }
    clconst_resolution_destroy(resolution);
    clconst_model_destroy(model);
    proto_free(&buffer);
}
