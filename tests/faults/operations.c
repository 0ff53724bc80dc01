#include "faults/targets.h"

#include <stdlib.h>
#include <string.h>

#include "faults/folders.h"

/* A folder with the operation's programs, and one that is emptied each time. */
static char full_folder[FOLDERS_PATH_SIZE];
static char empty_folder[FOLDERS_PATH_SIZE];

void operations_open(world *w, const operation *o)
{
    folders_make(full_folder, "full");
    folders_make(empty_folder, "empty");
    if (o->uses_folder && o->is_first) {
        operation_begin(w, o);
        ck_assert_ok(o->call(w, o, error));
        o->check(w, o);
        operation_end(w, o);
    }
    if (!o->is_first) {
        ck_assert_ok(world_create_engine(w, o->path, NULL, error));
    }
}

void operations_close(world *w)
{
    world_destroy_engine(w);
    folders_remove(full_folder);
    folders_remove(empty_folder);
}

void operation_begin(world *w, const operation *o)
{
    if (o->guard != NULL) {
        world_reset_buffer(w);
    }
    if (o->is_first) {
        ck_assert_ok(world_create_engine(
            w, o->path, o->uses_folder ? full_folder : NULL, error));
    }
    if (o->begin != NULL) {
        o->begin(w, o);
    }
}

void operation_end(world *w, const operation *o)
{
    if (o->is_first) {
        world_destroy_engine(w);
    }
}

static void see(void *context, const clconst_device *device)
{
    /* The CPU engine's comes last. */
    *(bool *)context = strcmp(device->id, "cpu") == 0;
}

static clconst_status list(world *w, const operation *o, clconst_error *error)
{
    (void)w;
    (void)o;
    bool is_last_cpu = false;
    clconst_status status = clconst_device_list(see, &is_last_cpu, error);
    ck_assert_int_eq(is_last_cpu, status == CLCONST_OK);
    return status;
}

static void check_nothing(world *w, const operation *o)
{
    (void)w;
    (void)o;
}

static clconst_status
create_by_list(world *w, const operation *o, clconst_error *error)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "opencl";
    options.fill_path = o->path;
    return clconst_engine_create(&options, &w->made_engine, error);
}

static clconst_status
create_by_context(world *w, const operation *o, clconst_error *error)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.fill_path = o->path;
    return clconst_engine_create_opencl(
        w->context, w->device, &options, &w->made_engine, error);
}

static void check_engine(world *w, const operation *o)
{
    clconst_tensor *tensor;
    ck_assert_ok(
        clconst_run(w->made_engine, w->plans[WORLD_COPY], &tensor, error));
    world_assert_tensor(w, WORLD_COPY, tensor, o->name);
    clconst_tensor_destroy(tensor);
    clconst_engine_destroy(w->made_engine);
    w->made_engine = NULL;
}

static clconst_status
prepare(world *w, const operation *o, clconst_error *error)
{
    (void)o;
    return clconst_engine_prepare(w->engine, error);
}

static void check_programs(world *w, const operation *o)
{
    clconst_tensor *tensor;
    ck_assert_ok(
        clconst_run(w->engine, w->plans[WORLD_SCATTER], &tensor, error));
    world_assert_tensor(w, WORLD_SCATTER, tensor, o->name);
    clconst_tensor_destroy(tensor);
}

static clconst_status run(world *w, const operation *o, clconst_error *error)
{
    return clconst_run(w->engine, w->plans[o->output], &w->tensor, error);
}

static void check_tensor(world *w, const operation *o)
{
    world_assert_tensor(w, o->output, w->tensor, o->name);
    clconst_tensor_destroy(w->tensor);
    w->tensor = NULL;
}

static clconst_status
run_batch(world *w, const operation *o, clconst_error *error)
{
    clconst_batch_run_options options = CLCONST_BATCH_RUN_OPTIONS_INIT;
    options.in_flight_size = WORLD_IN_FLIGHT_SIZE;
    return clconst_batch_run(
        w->engine, world_get_batch(w, o->output), &options, &w->tensor, error);
}

static void check_arena(world *w, const operation *o)
{
    size_t size =
        clconst_batch_get_arena_size(world_get_batch(w, o->output), 0);
    uint8_t *bytes = malloc(size);
    ck_assert_ok(clconst_tensor_read(w->tensor, 0, bytes, size, error));
    world_assert_arena(w, o->output, bytes, o->name);
    free(bytes);
    clconst_tensor_destroy(w->tensor);
    w->tensor = NULL;
}

static clconst_status
enqueue(world *w, const operation *o, clconst_error *error)
{
    return clconst_enqueue(w->engine,
                           w->plans[o->output],
                           w->queue,
                           w->buffer,
                           WORLD_OFFSET,
                           1,
                           &w->past,
                           &w->event,
                           error);
}

static clconst_status
enqueue_batch(world *w, const operation *o, clconst_error *error)
{
    return clconst_batch_enqueue(w->engine,
                                 world_get_batch(w, o->output),
                                 0,
                                 w->queue,
                                 w->buffer,
                                 WORLD_OFFSET,
                                 1,
                                 &w->past,
                                 &w->event,
                                 error);
}

static void check_buffer(world *w, const operation *o)
{
    ck_assert_cl(clWaitForEvents(1, &w->event));
    ck_assert_cl(clReleaseEvent(w->event));
    w->event = NULL;
    world_assert_buffer(w, o->output, o->name);
}

static void guard_buffer(world *w, const operation *o, const char *row)
{
    world_assert_guards(w, o->output, row);
}

static void check_dynamic(world *w, const operation *o)
{
    check_buffer(w, o);
    targets_check_result(w, o);
}

/* Nobody asks for an event, and so no command has one. */
static clconst_status
enqueue_silently(world *w, const operation *o, clconst_error *error)
{
    return clconst_enqueue(w->engine,
                           w->plans[o->output],
                           w->queue,
                           w->buffer,
                           WORLD_OFFSET,
                           0,
                           NULL,
                           NULL,
                           error);
}

static void check_queue(world *w, const operation *o)
{
    ck_assert_cl(clFinish(w->queue));
    world_assert_buffer(w, o->output, o->name);
}

static void begin_with_tensor(world *w, const operation *o)
{
    ck_assert_ok(
        clconst_run(w->engine, w->plans[o->output], &w->tensor, error));
}

static clconst_status
read_tensor(world *w, const operation *o, clconst_error *error)
{
    if (w->bytes == NULL) {
        w->bytes = malloc(w->sizes[o->output]);
    }
    memset(w->bytes, FIXTURE_GUARD, w->sizes[o->output]);
    return clconst_tensor_read(
        w->tensor, 1, w->bytes + 1, w->sizes[o->output] - 2, error);
}

static void check_read(world *w, const operation *o)
{
    size_t size = w->sizes[o->output];
    ck_assert_uint_eq(w->bytes[0], FIXTURE_GUARD);
    ck_assert_uint_eq(w->bytes[size - 1], FIXTURE_GUARD);
    harness_assert_bytes(
        w->bytes + 1, w->expected[o->output] + 1, size - 2, o->name);
    free(w->bytes);
    w->bytes = NULL;
    clconst_tensor_destroy(w->tensor);
    w->tensor = NULL;
}

/* An engine with a program that no folder has yet, and a tensor of it. */
static void begin_to_destroy(world *w, const operation *o)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.fill_path = o->path;
    options.cache_dir = empty_folder;
    folders_empty(empty_folder);
    ck_assert_ok(clconst_engine_create_opencl(
        w->context, w->device, &options, &w->made_engine, error));
    ck_assert_ok(
        clconst_run(w->made_engine, w->plans[o->output], &w->tensor, error));
}

static clconst_status
destroy(world *w, const operation *o, clconst_error *error)
{
    (void)o;
    (void)error;
    clconst_tensor_destroy(w->tensor);
    clconst_engine_destroy(w->made_engine);
    w->tensor = NULL;
    w->made_engine = NULL;
    return CLCONST_OK;
}

/* In order: .begin, .call, .check and .guard. */
#define LIST          NULL, list, check_nothing, NULL
#define BY_LIST       NULL, create_by_list, check_engine, NULL
#define BY_CONTEXT    NULL, create_by_context, check_engine, NULL
#define PREPARE       NULL, prepare, check_programs, NULL
#define RUN           NULL, run, check_tensor, NULL
#define RUN_BATCH     NULL, run_batch, check_arena, NULL
#define ENQUEUE       NULL, enqueue, check_buffer, guard_buffer
#define SILENT        NULL, enqueue_silently, check_queue, guard_buffer
#define ENQUEUE_BATCH NULL, enqueue_batch, check_buffer, guard_buffer
#define READ          begin_with_tensor, read_tensor, check_read, NULL
#define DESTROY       begin_to_destroy, destroy, check_nothing, NULL
#define REGION        NULL, targets_enqueue_region, check_buffer, guard_buffer
#define DYNAMIC                                                                \
    targets_make_shape, targets_enqueue_dynamic, check_dynamic, guard_buffer
#define POINTER                                                                \
    targets_make_memory, targets_enqueue_pointer, targets_check_memory,        \
        targets_guard_memory

#define KERNEL CLCONST_PATH_KERNEL
#define DRIVER CLCONST_PATH_DRIVER
#define NATIVE CLCONST_PATH_NATIVE
#define AUTO   CLCONST_PATH_AUTO

/* In order: .is_first and .uses_folder. */
#define PLAIN        false, false
#define FIRST        true, false
#define FOLDER       false, true
#define FIRST_FOLDER true, true

#define ONE(name) FAILING_SET(name)
#define LOADED    (ONE(calloc) | ONE(open) | ONE(fstat) | ONE(read))

/* What comes from the heap alone: blocks, and arrays that grow. */
#define BLOCKS                                                                 \
    {                                                                          \
        ONE(calloc), 0                                                         \
    }
#define ARRAYS                                                                 \
    {                                                                          \
        ONE(calloc) | ONE(realloc), 0                                          \
    }
/* Programs are built where they cannot be read, and need not be kept. */
#define LOAD                                                                   \
    {                                                                          \
        0, LOADED                                                              \
    }
#define BLOCKS_LOAD                                                            \
    {                                                                          \
        ONE(calloc), LOADED                                                    \
    }
#define STORE                                                                  \
    {                                                                          \
        0, ONE(calloc) | ONE(mkostemp) | ONE(write)                            \
    }
/* Without threads, or memory for their list, the caller does it all. */
#define THREADS                                                                \
    {                                                                          \
        ONE(calloc) | ONE(mmap), ONE(calloc) | ONE(pthread_create)             \
    }
#define NONE                                                                   \
    {                                                                          \
        0, 0                                                                   \
    }

/* A driver whose fill is refused is asked no more, so that each such fault
 * takes a new engine. */
const operation operations[] = {
    {"list devices", LIST, AUTO, WORLD_FILL, PLAIN, ARRAYS},
    {"create by list", BY_LIST, AUTO, WORLD_FILL, PLAIN, ARRAYS},
    {"create by context", BY_CONTEXT, AUTO, WORLD_FILL, PLAIN, BLOCKS},
    {"prepare", PREPARE, KERNEL, WORLD_FILL, FIRST, NONE},
    {"run a fill by a kernel", RUN, KERNEL, WORLD_FILL, PLAIN, BLOCKS},
    {"run a fill from a folder",
     RUN,
     KERNEL,
     WORLD_FILL,
     FIRST_FOLDER,
     BLOCKS_LOAD},
    {"run a fill by the driver", RUN, DRIVER, WORLD_FILL, FIRST, BLOCKS},
    {"run a native fill", RUN, NATIVE, WORLD_FILL, PLAIN, BLOCKS},
    {"run a copy", RUN, KERNEL, WORLD_COPY, PLAIN, BLOCKS},
    {"run a scatter", RUN, KERNEL, WORLD_SCATTER, PLAIN, BLOCKS},
    {"run an empty output", RUN, AUTO, WORLD_EMPTY, PLAIN, BLOCKS},
    {"run a large fill", RUN, AUTO, WORLD_LARGE, PLAIN, THREADS},
    {"run a batch by kernels", RUN_BATCH, KERNEL, WORLD_TABLES, PLAIN, BLOCKS},
    {"run a batch by the driver",
     RUN_BATCH,
     DRIVER,
     WORLD_TABLES,
     FIRST_FOLDER,
     BLOCKS_LOAD},
    {"run a native batch", RUN_BATCH, NATIVE, WORLD_TABLES, PLAIN, BLOCKS},
    {"run a batch with an image",
     RUN_BATCH,
     KERNEL,
     WORLD_IMAGE,
     PLAIN,
     BLOCKS},
    {"run a batch in pieces", RUN_BATCH, AUTO, WORLD_PIECES, PLAIN, BLOCKS},
    {"run pieces by kernels", RUN_BATCH, KERNEL, WORLD_PIECES, PLAIN, BLOCKS},
    {"fill by a kernel", ENQUEUE, KERNEL, WORLD_FILL, PLAIN, NONE},
    {"fill by a first kernel", ENQUEUE, KERNEL, WORLD_FILL, FIRST, NONE},
    {"fill by the driver", ENQUEUE, DRIVER, WORLD_FILL, FIRST, NONE},
    {"native fill", ENQUEUE, NATIVE, WORLD_FILL, PLAIN, NONE},
    {"copy", ENQUEUE, KERNEL, WORLD_COPY, PLAIN, NONE},
    {"scatter", ENQUEUE, KERNEL, WORLD_SCATTER, PLAIN, NONE},
    {"empty output", ENQUEUE, KERNEL, WORLD_EMPTY, PLAIN, NONE},
    {"fill without event", SILENT, DRIVER, WORLD_FILL, FIRST, NONE},
    {"scatter without event", SILENT, KERNEL, WORLD_SCATTER, PLAIN, NONE},
    {"batch by kernels", ENQUEUE_BATCH, KERNEL, WORLD_TABLES, PLAIN, NONE},
    {"batch by the driver",
     ENQUEUE_BATCH,
     DRIVER,
     WORLD_TABLES,
     FIRST_FOLDER,
     LOAD},
    {"native batch", ENQUEUE_BATCH, NATIVE, WORLD_TABLES, PLAIN, NONE},
    {"batch with an image", ENQUEUE_BATCH, KERNEL, WORLD_IMAGE, PLAIN, NONE},
    {"region by a kernel", REGION, KERNEL, WORLD_BOX, PLAIN, NONE},
    {"region by the driver", REGION, DRIVER, WORLD_BOX, FIRST, NONE},
    {"native region", REGION, NATIVE, WORLD_BOX, PLAIN, NONE},
    {"shape on the device", DYNAMIC, AUTO, WORLD_FILL, PLAIN, NONE},
    {"pointer by a kernel", POINTER, KERNEL, WORLD_FILL, PLAIN, NONE},
    {"pointer by the driver", POINTER, DRIVER, WORLD_FILL, FIRST, NONE},
    {"copy to a pointer", POINTER, AUTO, WORLD_COPY, PLAIN, NONE},
    {"scatter to a pointer", POINTER, AUTO, WORLD_SCATTER, FIRST, NONE},
    {"read a tensor", READ, AUTO, WORLD_COPY, PLAIN, NONE},
    {"destroy", DESTROY, KERNEL, WORLD_FILL, FOLDER, STORE},
};

const size_t operation_count = sizeof(operations) / sizeof(operations[0]);
