/*
 * How OpenCL calls fail: the code becomes a status, and the message names the
 * call and the code.
 */
#ifndef CLCONST_BACKEND_OPENCL_STATUS_H
#define CLCONST_BACKEND_OPENCL_STATUS_H

#include "backend/opencl/cl.h"
#include "base/error.h"

/* "CL_INVALID_VALUE" and so on; "an unknown code" for any other. Static. */
const char *clconst__cl_name(cl_int code);

/* Of a failure: OUT_OF_MEMORY for CL_MEM_OBJECT_ALLOCATION_FAILURE and
 * CL_OUT_OF_HOST_MEMORY, DEVICE_ERROR for any other failure. */
clconst_status clconst__cl_status(cl_int code);

/* The failure of a call, of this text. */
clconst_status
clconst__cl_fail(cl_int code, const char *call, clconst_error *error);

/* Fails unless the code is CL_SUCCESS. Inline, since a small enqueue makes a
 * dozen calls: one that succeeds costs a comparison. */
static inline clconst_status
clconst__cl_check(cl_int code, const char *call, clconst_error *error)
{
    return code == CL_SUCCESS ? CLCONST_OK
                              : clconst__cl_fail(code, call, error);
}

/* A call that returns its code. */
#define CLCONST__CL(call, error) clconst__cl_check((call), #call, (error))

/* A call that returns an object, and its code in the variable code. */
#define CLCONST__CL_CREATE(object, call, error)                                \
    ((object) = (call), clconst__cl_check(code, #call, (error)))

#endif
