/*
 * Templates: the constants of functions that depend on the call, and that give
 * way to their instances.
 */
#ifndef CLCONST_ONNX_TEMPLATES_H
#define CLCONST_ONNX_TEMPLATES_H

#include "onnx/functions.h"
#include "onnx/model.h"

/* items are indexes of constants, in order. latest has, for each of the
 * model's constants, its last instance. */
typedef struct clconst__templates {
    size_t *items;
    size_t count;
    size_t *latest;
} clconst__templates;

/* The templates of all functions. templates is zeroed; free it in any case. */
clconst_status clconst__templates_find(const clconst_model *model,
                                       clconst__functions *functions,
                                       clconst__templates *templates,
                                       clconst_error *error);

/* Removes the templates of functions that are called. The instances are the
 * constants from first_instance on; latest is used up. */
void clconst__templates_drop(clconst_model *model,
                             const clconst__functions *functions,
                             size_t first_instance,
                             clconst__templates *templates);

void clconst__templates_free(clconst__templates *templates);

#endif
