/*
 * Without OpenCL, its headers or a device: the CPU engine writes the same
 * bytes into the program's own memory.
 */
#include <stdio.h>

#include <clconst/clconst.h>

int main(void)
{
    /* Three int4 elements of -1 and one byte of memory more than they need. */
    const unsigned char minus_one = 0xf;
    const clconst_view value = {CLCONST_INT4, {NULL, 0}, &minus_one, 1};
    const int64_t dim = 3;
    const clconst_shape shape = {&dim, 1};
    unsigned char bytes[3] = {0xaa, 0xaa, 0xaa};
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_engine *engine = NULL;
    clconst_op *op = NULL;
    clconst_plan *plan = NULL;
    clconst_error error = {0};
    options.device = "cpu";
    clconst_status status = clconst_engine_create(&options, &engine, &error);
    if (status == CLCONST_OK) {
        status = clconst_op_create_constant_of_shape(&value, &op, &error);
    }
    if (status == CLCONST_OK) {
        status = clconst_plan_create(op, &shape, &plan, &error);
    }
    if (status == CLCONST_OK) {
        clconst_plan_get_output(plan, &output);
        status = clconst_write(engine, plan, bytes, output.size, &error);
    }
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
    clconst_engine_destroy(engine);
    if (status != CLCONST_OK) {
        fprintf(stderr, "%s: %s\n", clconst_status_name(status), error.message);
        return 1;
    }
    printf("%zu bytes: %02x %02x %02x\n", output.size, bytes[0], bytes[1],
           bytes[2]);
    return 0;
}
