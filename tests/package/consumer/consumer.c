/* An outside program, in the C that C++ compilers take too. It has functions
 * whose names nanopb has as well: the library's own nanopb must not be seen. */
#include <stdio.h>

#include <clconst/clconst.h>
/* The headers of parts that are not built are not installed. */
#if !defined(CORE_ONLY) && __has_include(<clconst/clconst_model.h>)
#include <clconst/clconst_model.h>
#endif
#if !defined(CORE_ONLY) && __has_include(<clconst/clconst_opencl.h>)
#include <clconst/clconst_opencl.h>
#endif

int pb_decode(void);
int pb_encode(void);

int pb_decode(void)
{
    return 0;
}

int pb_encode(void)
{
    return 0;
}

/* The operator of a fill, or of a TensorProto where ONNX can be read. */
static clconst_status make_op(clconst_op **op, clconst_error *error)
{
#ifdef CLCONST_CLCONST_MODEL_H
    /* dims: 1, data_type: INT8, raw_data: 7 (onnx.proto). */
    static const unsigned char tensor[] = {8, 1, 16, 3, 74, 1, 7};
    return clconst_op_decode_tensor(tensor, sizeof(tensor), NULL, op, error);
#else
    static const int8_t seven = 7;
    clconst_view value = {CLCONST_INT8, {NULL, 0}, NULL, 1};
    value.data = &seven;
    return clconst_op_create_constant(&value, op, error);
#endif
}

int main(void)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    clconst_engine *engine = NULL;
    clconst_op *op = NULL;
    clconst_plan *plan = NULL;
    clconst_tensor *tensor = NULL;
    clconst_error error = {CLCONST_OK, 0, ""};
    int8_t element = 0;
    clconst_status status;
    options.device = "cpu";
    status = make_op(&op, &error);
    if (status == CLCONST_OK) {
        status = clconst_plan_create(op, NULL, &plan, &error);
    }
    if (status == CLCONST_OK) {
        status = clconst_engine_create(&options, &engine, &error);
    }
    if (status == CLCONST_OK) {
        status = clconst_run(engine, plan, &tensor, &error);
    }
    if (status == CLCONST_OK) {
        status = clconst_tensor_read(tensor, 0, &element, 1, &error);
    }
#ifdef CLCONST_CLCONST_OPENCL_H
    if (status == CLCONST_OK && clconst_tensor_get_buffer(tensor) != NULL) {
        return 1;
    }
#endif
    clconst_tensor_destroy(tensor);
    clconst_engine_destroy(engine);
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
    printf("%s %d %s\n", clconst_version(), element, error.message);
    return status == CLCONST_OK ? pb_decode() + pb_encode() : 1;
}
