/*
 * How the layer's own functions are written: each counts the call, fails it if
 * a test wants that, and otherwise passes it on.
 */
#ifndef CLCONST_TESTS_LAYER_WRAP_H
#define CLCONST_TESTS_LAYER_WRAP_H

#include "faults/layer_loader.h"

/* What is shared with tests. */
extern layer_state layer;

/* Counts a call. CL_SUCCESS, or the code with which it has to fail. */
cl_int layer_begin(layer_entry entry);

void layer_count_live(layer_kind kind, long change);

/* Counts the event that a command gave, if it gave one, and a command that
 * waits for none; passes on its code. */
cl_int
layer_count_command(cl_int code, cl_uint num_wait, const cl_event *event);

/* NULL when the true answer serves. */
const layer_lie *layer_find_lie(cl_uint key);

/* Put the functions for OpenCL 1.2, and for later versions, into the table. */
void layer_install_calls(cl_icd_dispatch *table);
void layer_install_later_calls(cl_icd_dispatch *table);

/* A call that gives a code and makes nothing. */
#define CALL(name, parameters, arguments)                                      \
    static cl_int CL_API_CALL my_##name parameters                             \
    {                                                                          \
        cl_int code = layer_begin(LAYER_##name);                               \
        return code != CL_SUCCESS ? code : layer_target->name arguments;       \
    }

/* A query that a lie may answer. */
#define QUERY(name, object_type, key_type)                                     \
    static cl_int CL_API_CALL my_##name(object_type object,                    \
                                        key_type key,                          \
                                        size_t size,                           \
                                        void *value,                           \
                                        size_t *actual)                        \
    {                                                                          \
        cl_int code = layer_begin(LAYER_##name);                               \
        const layer_lie *lie = layer_find_lie(key);                            \
        if (code != CL_SUCCESS) {                                              \
            return code;                                                       \
        }                                                                      \
        return lie != NULL                                                     \
                   ? layer_answer(lie, size, value, actual)                    \
                   : layer_target->name(object, key, size, value, actual);     \
    }

/* A call whose last parameters are a wait list and an event. */
#define ENQUEUE(name, parameters, arguments)                                   \
    static cl_int CL_API_CALL my_##name parameters                             \
    {                                                                          \
        cl_int code = layer_begin(LAYER_##name);                               \
        return code != CL_SUCCESS                                              \
                   ? code                                                      \
                   : layer_count_command(                                      \
                         layer_target->name arguments, num_wait, event);       \
    }

/* A call that makes an object; its last parameter is result. */
#define CREATE(kind, type, name, parameters, arguments)                        \
    static type CL_API_CALL my_##name parameters                               \
    {                                                                          \
        cl_int code = layer_begin(LAYER_##name);                               \
        if (code != CL_SUCCESS) {                                              \
            if (result != NULL) {                                              \
                *result = code;                                                \
            }                                                                  \
            return NULL;                                                       \
        }                                                                      \
        type object = layer_target->name arguments;                            \
        if (object != NULL) {                                                  \
            layer_count_live(LAYER_KIND_##kind, 1);                            \
        }                                                                      \
        return object;                                                         \
    }

/* A release that has to fail is carried out all the same, since nobody can
 * try it again. */
#define COUNTED(kind, type, retain, release)                                   \
    static cl_int CL_API_CALL my_##retain(type object)                         \
    {                                                                          \
        cl_int code = layer_begin(LAYER_##retain);                             \
        if (code == CL_SUCCESS) {                                              \
            layer_count_live(LAYER_KIND_##kind, 1);                            \
            code = layer_target->retain(object);                               \
        }                                                                      \
        return code;                                                           \
    }                                                                          \
    static cl_int CL_API_CALL my_##release(type object)                        \
    {                                                                          \
        cl_int code = layer_begin(LAYER_##release);                            \
        cl_int actual = layer_target->release(object);                         \
        if (actual == CL_SUCCESS) {                                            \
            layer_count_live(LAYER_KIND_##kind, -1);                           \
        }                                                                      \
        return code != CL_SUCCESS ? code : actual;                             \
    }

#endif
