/*
 * Instances: the constants of functions whose value or shape depends on the
 * call, once for each call.
 */
#ifndef CLCONST_ONNX_INSTANCES_H
#define CLCONST_ONNX_INSTANCES_H

#include "onnx/index.h"

/* Of constants, and of calls. Functions that call others twice would else
 * double their number with each level. */
#define CLCONST__INSTANCES_MAX 65536

/*
 * Replaces the constants that depend on a call, in each function that the main
 * graph calls, directly or through others, by their instances, behind all other
 * constants. The indexing has visited everything. TOO_LARGE above the limit.
 */
clconst_status clconst__instances_make(clconst__indexing *indexing,
                                       clconst_error *error);

#endif
