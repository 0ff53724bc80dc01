/* Which calls with a shape in device memory are refused. */
#include <string.h>

#include "backend/opencl_fixture.h"
#include "backend/suites.h"

enum { SIZE = 64 };

/* The buffers that a row may name. */
typedef enum which {
    NONE,
    SHAPE,
    OUTPUT,
    RESULT,
    PARENT,
    FRONT, /* the first half of PARENT */
    BACK,  /* the second half */
    READ_ONLY,
    WRITE_ONLY,
    WHICH_COUNT,
} which;

typedef struct call {
    which shape;
    size_t shape_offset;
    size_t rank;
    which output;
    size_t offset;
    size_t capacity;
    which result;
    size_t result_offset;
    const char *message; /* NULL: the call is good */
} call;

/* ALIGNMENT stands for the device's, in offsets into the parent. */
#define ALIGNMENT ((size_t)1 << 20)

static const call calls[] = {
    {SHAPE, 48, 2, OUTPUT, 0, SIZE, RESULT, 48, NULL},
    {SHAPE,
     49,
     2,
     OUTPUT,
     0,
     SIZE,
     RESULT,
     48,
     "range is 16 bytes at offset 49; it must lie in the shape's 64 bytes"},
    {SHAPE,
     48,
     2,
     OUTPUT,
     1,
     SIZE,
     RESULT,
     48,
     "range is 64 bytes at offset 1; it must lie in the buffer's 64 bytes"},
    {SHAPE,
     48,
     2,
     OUTPUT,
     0,
     SIZE,
     RESULT,
     49,
     "range is 16 bytes at offset 49; it must lie in the result's 64 bytes"},
    {NONE, 0, 0, OUTPUT, 0, SIZE, RESULT, 0, NULL},
    {NONE,
     0,
     2,
     OUTPUT,
     0,
     SIZE,
     RESULT,
     0,
     "shape is NULL; 16 bytes need one"},
    {SHAPE, 0, 2, NONE, 0, 0, RESULT, 0, NULL},
    {SHAPE, 0, 2, NONE, 0, 1, RESULT, 0, "buffer is NULL; 1 bytes need one"},
    {SHAPE, 0, 2, OUTPUT, 0, 1, NONE, 0, "result is NULL; 16 bytes need one"},
    /* One buffer may serve for all, side by side. */
    {OUTPUT, 0, 2, OUTPUT, 32, 16, OUTPUT, 16, NULL},
    {OUTPUT,
     1,
     2,
     OUTPUT,
     32,
     16,
     OUTPUT,
     16,
     "result and shape overlap; they must not"},
    {OUTPUT,
     0,
     2,
     OUTPUT,
     15,
     16,
     OUTPUT,
     31,
     "shape and buffer overlap; they must not"},
    {OUTPUT,
     0,
     2,
     OUTPUT,
     31,
     16,
     OUTPUT,
     16,
     "buffer and result overlap; they must not"},
    {OUTPUT, 20, 0, OUTPUT, 16, 16, OUTPUT, 0, NULL},
    /* Parts and their parent share bytes. */
    {FRONT, 0, 2, BACK, 0, 16, RESULT, 0, NULL},
    {FRONT, 0, 2, PARENT, 16, 16, RESULT, 0, NULL},
    {FRONT,
     0,
     2,
     PARENT,
     15,
     16,
     RESULT,
     0,
     "shape and buffer overlap; they must not"},
    {BACK, 0, 2, PARENT, 0, 16, RESULT, 0, NULL},
    {BACK,
     0,
     2,
     PARENT,
     ALIGNMENT + 15,
     16,
     RESULT,
     0,
     "shape and buffer overlap; they must not"},
    {SHAPE, 0, 2, PARENT, ALIGNMENT, 16, BACK, 16, NULL},
    {SHAPE,
     0,
     2,
     PARENT,
     ALIGNMENT + 1,
     16,
     BACK,
     16,
     "buffer and result overlap; they must not"},
    {READ_ONLY, 0, 2, OUTPUT, 0, SIZE, RESULT, 0, NULL},
    {SHAPE, 0, 2, WRITE_ONLY, 0, SIZE, RESULT, 0, NULL},
    {WRITE_ONLY,
     0,
     2,
     OUTPUT,
     0,
     SIZE,
     RESULT,
     0,
     "shape is CL_MEM_WRITE_ONLY; kernels must be let in"},
    {SHAPE,
     0,
     2,
     READ_ONLY,
     0,
     SIZE,
     RESULT,
     0,
     "buffer is CL_MEM_READ_ONLY; kernels must be let in"},
    {SHAPE,
     0,
     2,
     OUTPUT,
     0,
     SIZE,
     READ_ONLY,
     0,
     "result is CL_MEM_READ_ONLY; kernels must be let in"},
    {SHAPE,
     0,
     2,
     OUTPUT,
     0,
     SIZE,
     WRITE_ONLY,
     0,
     "result is CL_MEM_WRITE_ONLY; kernels must be let in"},
};

typedef struct setting {
    fixture f;
    cl_mem buffers[WHICH_COUNT];
    size_t alignment;
    clconst_op *op;
} setting;

static cl_mem create_part(cl_mem parent, size_t origin, size_t size)
{
    cl_buffer_region region = {origin, size};
    cl_int code;
    cl_mem part = clCreateSubBuffer(
        parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ck_assert_cl(code);
    return part;
}

static void open_setting(setting *s)
{
    static const cl_mem_flags flags[WHICH_COUNT] = {
        [READ_ONLY] = CL_MEM_READ_ONLY, [WRITE_ONLY] = CL_MEM_WRITE_ONLY};
    memset(s, 0, sizeof(*s));
    fixture_open(&s->f, CLCONST_PATH_AUTO);
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(s->f.engine, &info);
    s->alignment = info.alignment;
    for (size_t i = SHAPE; i < WHICH_COUNT; i++) {
        if (i != FRONT && i != BACK) {
            size_t size = i == PARENT ? 2 * s->alignment : SIZE;
            s->buffers[i] = fixture_create_buffer(&s->f, flags[i], size);
        }
    }
    s->buffers[FRONT] = create_part(s->buffers[PARENT], 0, s->alignment);
    s->buffers[BACK] =
        create_part(s->buffers[PARENT], s->alignment, s->alignment);
    ck_assert_ok(clconst_op_create_constant_of_shape(NULL, &s->op, error));
}

static void close_setting(setting *s)
{
    ck_assert_cl(clFinish(s->f.queue));
    clconst_op_destroy(s->op);
    for (size_t i = WHICH_COUNT; i-- > SHAPE;) {
        ck_assert_cl(clReleaseMemObject(s->buffers[i]));
    }
    fixture_close(&s->f);
}

static clconst_status enqueue(const setting *s,
                              const call *c,
                              const clconst_op *op,
                              cl_event *event,
                              clconst_error *error)
{
    size_t offset = c->offset < ALIGNMENT
                        ? c->offset
                        : c->offset - ALIGNMENT + s->alignment;
    return clconst_enqueue_dynamic(s->f.engine,
                                   op,
                                   s->f.queue,
                                   s->buffers[c->shape],
                                   c->shape_offset,
                                   c->rank,
                                   s->buffers[c->output],
                                   offset,
                                   c->capacity,
                                   s->buffers[c->result],
                                   c->result_offset,
                                   0,
                                   NULL,
                                   event,
                                   error);
}

START_TEST(dynamic_checks_its_buffers)
{
    setting s;
    open_setting(&s);
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        const call *c = &calls[i];
        uint64_t before = fixture_command_count(&s.f);
        cl_event event = NULL;
        if (c->message == NULL) {
            ck_assert_ok(enqueue(&s, c, s.op, &event, error));
            ck_assert_cl(clWaitForEvents(1, &event));
            ck_assert_cl(clReleaseEvent(event));
        } else {
            ck_assert_fails(enqueue(&s, c, s.op, &event, error),
                            CLCONST_INVALID_ARGUMENT,
                            c->message);
            ck_assert_ptr_null(event);
            ck_assert_uint_eq(fixture_command_count(&s.f), before);
        }
    }
    close_setting(&s);
}
END_TEST

START_TEST(dynamic_refuses_missing_objects_and_other_operators)
{
    const clconst_view value = {CLCONST_UINT8, {NULL, 0}, harness_element, 1};
    const call *good = &calls[0];
    setting s;
    open_setting(&s);
    clconst_op *constant;
    ck_assert_ok(clconst_op_create_constant(&value, &constant, error));
    ck_assert_fails(enqueue(&s, good, constant, NULL, error),
                    CLCONST_UNSUPPORTED,
                    "op is a Constant, which has a shape of its own; it must "
                    "be a ConstantOfShape");
    ck_assert_fails(enqueue(&s, good, NULL, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "engine or op is NULL; both are required");
    clconst_engine *engine = s.f.engine;
    s.f.engine = NULL;
    ck_assert_fails(enqueue(&s, good, s.op, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "engine or op is NULL; both are required");
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    ck_assert_ok(clconst_engine_create(&options, &s.f.engine, error));
    ck_assert_fails(enqueue(&s, good, s.op, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "engine is the CPU engine; queues need an OpenCL engine");
    clconst_engine_destroy(s.f.engine);
    s.f.engine = engine;
    ck_assert_uint_eq(fixture_command_count(&s.f), 0);
    clconst_op_destroy(constant);
    close_setting(&s);
}
END_TEST

Suite *opencl_dynamic_arguments_suite(void)
{
    Suite *suite = suite_create("opencl_dynamic_arguments");
    TCase *tcase = tcase_create("opencl_dynamic_arguments");
    tcase_add_test(tcase, dynamic_checks_its_buffers);
    tcase_add_test(tcase, dynamic_refuses_missing_objects_and_other_operators);
    suite_add_tcase(suite, tcase);
    return suite;
}
