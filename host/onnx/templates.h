/*
 * Templates: the constants of functions that depend on the call, and that give
 * way to their instances.
 */
#ifndef CLCONST_ONNX_TEMPLATES_H
#define CLCONST_ONNX_TEMPLATES_H

#include "onnx/functions.h"
#include "onnx/model.h"

/* items are indexes of constants, in order. */
typedef struct clconst__templates {
    size_t *items;
    size_t count;
} clconst__templates;

/* The templates of all functions. templates is zeroed; free it in any case. */
clconst_status clconst__templates_find(const clconst_model *model,
                                       clconst__functions *functions,
                                       clconst__templates *templates,
                                       clconst_error *error);

/* Moves the templates of functions that are called behind the listing. The
 * instances are the constants from first_instance on. */
clconst_status clconst__templates_unlist(clconst_model *model,
                                         size_t first_instance,
                                         clconst_error *error);

void clconst__templates_free(clconst__templates *templates);

#endif
