/*
 * Values: how the names of a graph become values of the model.
 */
#ifndef CLCONST_ONNX_VALUE_H
#define CLCONST_ONNX_VALUE_H

#include "onnx/model.h"

/*
 * Lets the value's name stand for it in its graph, whose values begin with
 * first_value. An initializer of an input's name is the input's default; any
 * other second definition in the same graph makes the name a duplicate.
 * *defined is what the name stands for; CLCONST__NONE when it is empty.
 */
clconst_status clconst__value_define(clconst_model *model,
                                     clconst__names *names,
                                     size_t first_value,
                                     const clconst__value *value,
                                     size_t *defined,
                                     clconst_error *error);

/* The value of a visible name; one of CLCONST__NOWHERE when there is none. */
clconst_status clconst__value_find(clconst_model *model,
                                   const clconst__names *names,
                                   clconst__span name,
                                   size_t *value,
                                   clconst_error *error);

#endif
