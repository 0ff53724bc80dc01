/*
 * Ends without destroying anything, as programs do that call exit. Nothing of
 * the library runs after main, so that the driver may be gone by then (R165,
 * R166, R167).
 */
#include "backend/engines.h"

/* Reachable, for checkers of leaks. */
static clconst_engine *engine;
static clconst_tensor *tensor;
static clconst_plan *plan;

int main(void)
{
    static const int64_t dim = 1000;
    static const uint8_t byte = 7;
    static const clconst_view value = {CLCONST_UINT8, {NULL, 0}, &byte, 1};
    static const clconst_shape shape = {&dim, 1};
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    clconst_op *op = NULL;
    engines_require();
    options.device = "opencl";
    options.fill_path = CLCONST_PATH_KERNEL;
    bool is_right =
        clconst_engine_create(&options, &engine, NULL) == CLCONST_OK &&
        clconst_op_create_constant_of_shape(&value, &op, NULL) == CLCONST_OK &&
        clconst_plan_create(op, &shape, &plan, NULL) == CLCONST_OK &&
        clconst_run(engine, plan, &tensor, NULL) == CLCONST_OK;
    clconst_op_destroy(op);
    return is_right ? 0 : 1;
}
