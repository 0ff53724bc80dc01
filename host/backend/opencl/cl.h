/*
 * OpenCL as this backend uses it: version 1.2 and nothing above. Entry points
 * of later versions are not even declared, but in pointers.c, since a loader
 * may offer them for a device that has none (with Oclgrind such a call never
 * returns).
 */
#ifndef CLCONST_BACKEND_OPENCL_CL_H
#define CLCONST_BACKEND_OPENCL_CL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <clconst/clconst_opencl.h>

#endif
