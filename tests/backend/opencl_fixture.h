/*
 * An OpenCL engine on a context of the test's own, and buffers whose bytes are
 * known before a call.
 */
#ifndef CLCONST_TESTS_OPENCL_FIXTURE_H
#define CLCONST_TESTS_OPENCL_FIXTURE_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <clconst/clconst_opencl.h>
#include <stdbool.h>

#include "backend/engines.h"

/* The byte that buffers hold before a call; no case writes it. */
#define FIXTURE_GUARD 0x3c

typedef struct fixture {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in-order */
    clconst_engine *engine;
} fixture;

/* Fails unless the call returns CL_SUCCESS. */
#define ck_assert_cl(call) ck_assert_int_eq((call), CL_SUCCESS)

void fixture_open(fixture *f, clconst_fill_path fill_path);
void fixture_close(fixture *f);

/* As fixture_open. False, with a printed reason and nothing open, where the
 * path is that of native kernels and the device has none. */
bool fixture_try_open(fixture *f, clconst_fill_path fill_path);

/* A context of the device under test. */
cl_context fixture_create_context(cl_device_id device);

/* The device that clconst chooses. */
cl_device_id fixture_find_device(void);

/* Whether the device under test is of the platform; the tests name platforms
 * that cannot do what they need. */
bool fixture_is_platform(const fixture *f, const char *name);

/* Whether the device has native kernels; prints the reason of a skip if not. */
bool fixture_has_native_kernels(const fixture *f);

/* A queue for out-of-order execution; NULL, with a printed reason, where the
 * device has none. */
cl_command_queue fixture_create_out_of_order_queue(const fixture *f);

/* A buffer of guard bytes. */
cl_mem fixture_create_buffer(const fixture *f, cl_mem_flags flags, size_t size);

/* Sets all bytes of the buffer to the guard. */
void fixture_reset_buffer(const fixture *f, cl_mem buffer, size_t size);

/* Writes the bytes, and waits until they are there, also for other queues: a
 * blocking write need only have read its source when it returns (OpenCL 1.2,
 * 5.2.2), and Intel's runtime for CPUs carries it out later. */
void fixture_write_buffer(const fixture *f,
                          cl_mem buffer,
                          size_t offset,
                          const void *src,
                          size_t size);

/* Copies the buffer's bytes from 0 on. */
void fixture_read_buffer(const fixture *f,
                         cl_mem buffer,
                         void *dst,
                         size_t size);

/* Compares the buffer: size expected bytes at offset, guards around them. */
void fixture_assert_buffer(const fixture *f,
                           cl_mem buffer,
                           size_t buffer_size,
                           size_t offset,
                           const void *expected,
                           size_t size,
                           const char *row);

uint64_t fixture_command_count(const fixture *f);
uint64_t fixture_programs_built(const fixture *f);

#endif
