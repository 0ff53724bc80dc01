#include "backend/opencl/native.h"

#include "backend/cpu/box.h"
#include "backend/cpu/write.h"

/* Copied into the command; the driver replaces bytes, a cl_mem at first, with
 * the address of the buffer's memory. */
typedef struct native_arguments {
    void *bytes;
    size_t offset;
    const clconst__placed *placed; /* NULL: one */
    size_t count;
    clconst__placed one;
    clconst__workers workers;
    bool is_fresh;
} native_arguments;

static void CL_CALLBACK run(void *argument)
{
    const native_arguments *arguments = argument;
    clconst__cpu_write_all(arguments->placed != NULL ? arguments->placed
                                                     : &arguments->one,
                           arguments->count,
                           (uint8_t *)arguments->bytes + arguments->offset,
                           arguments->is_fresh,
                           &arguments->workers);
}

bool clconst__native_serves(const clconst__submission *submission)
{
    const clconst__opencl *cl = submission->cl;
    bool is_wanted =
        cl->fill_path == CLCONST_PATH_NATIVE ||
        (cl->fill_path == CLCONST_PATH_AUTO && cl->tuning->prefers_native);
    /* PoCL 3.1 gives a native kernel the parent's address for a sub-buffer. And
     * OpenCL has no way to name a pointer's memory to one. */
    return is_wanted && cl->device.has_native_kernels &&
           !submission->is_read_only && !submission->is_sub_buffer &&
           submission->target.calls == NULL;
}

clconst_status clconst__native_enqueue(clconst__submission *submission,
                                       const clconst__placed *outputs,
                                       size_t count,
                                       size_t offset,
                                       clconst_error *error)
{
    native_arguments arguments = {
        .bytes = submission->target.buffer,
        .offset = offset,
        .placed = count == 1 ? NULL : outputs,
        .count = count,
        .one = outputs[0],
        .workers = submission->cl->workers,
        .is_fresh = submission->is_fresh,
    };
    return clconst__submission_native(submission,
                                      run,
                                      &arguments,
                                      sizeof(arguments),
                                      &arguments.bytes,
                                      error);
}

/* As native_arguments. */
typedef struct box_arguments {
    void *bytes;
    size_t offset;
    clconst__box box;
    clconst__pattern pattern;
    clconst__workers workers;
} box_arguments;

static void CL_CALLBACK run_box(void *argument)
{
    const box_arguments *arguments = argument;
    clconst__cpu_write_box(&arguments->box,
                           &arguments->pattern,
                           (uint8_t *)arguments->bytes + arguments->offset,
                           &arguments->workers);
}

clconst_status clconst__native_enqueue_box(clconst__submission *submission,
                                           const clconst__box *box,
                                           const clconst__pattern *pattern,
                                           size_t offset,
                                           clconst_error *error)
{
    box_arguments arguments = {
        .bytes = submission->target.buffer,
        .offset = offset,
        .box = *box,
        .pattern = *pattern,
        .workers = submission->cl->workers,
    };
    return clconst__submission_native(submission,
                                      run_box,
                                      &arguments,
                                      sizeof(arguments),
                                      &arguments.bytes,
                                      error);
}
