/*
 * What every layer has: the drivers' functions, and the table of its own that
 * the loader asks for.
 */
#ifndef CLCONST_TESTS_LAYER_LOADER_H
#define CLCONST_TESTS_LAYER_LOADER_H

/* Entry points of every version: a layer passes them on. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "faults/layer.h"

#include <CL/cl_icd.h>

/* The drivers' functions. */
extern const cl_icd_dispatch *layer_target;

/* What the loader and tests find by its name. */
#define LAYER_EXPORTED __attribute__((visibility("default")))

/* Each layer has its own: puts its functions into the table, which holds the
 * drivers'. */
void layer_install(cl_icd_dispatch *table);

/* Answers a query with what the lie says. */
cl_int
layer_answer(const layer_lie *lie, size_t size, void *value, size_t *actual);

/* The end of a command's parameters, and of its arguments. */
#define EVENTS      cl_uint num_wait, const cl_event *wait_list, cl_event *event
#define PASS_EVENTS num_wait, wait_list, event

#endif
