/*
 * Names from a model in messages: they may hold any bytes and be of any
 * length.
 */
#ifndef CLCONST_ONNX_QUOTE_H
#define CLCONST_ONNX_QUOTE_H

#include "onnx/span.h"

typedef struct clconst__quoted {
    char text[160];
} clconst__quoted;

/*
 * The name in double quotes. Bytes other than printable ASCII become \xNN,
 * quotes and backslashes get a backslash, and a long name is cut and ends in
 * three dots.
 */
clconst__quoted clconst__quote(clconst__span name);

/* The same without the quotes around it. */
clconst__quoted clconst__escape(clconst__span name);

#endif
