/*
 * Windows: what convolutions and pools slide along the spatial axes of a tensor
 * of dims (batch, channels, spatial axes), and how many places it has.
 */
#ifndef CLCONST_ONNX_FOLD_WINDOW_H
#define CLCONST_ONNX_FOLD_WINDOW_H

#include "onnx/fold/folding.h"

typedef enum clconst__auto_pad {
    CLCONST__PAD_NOTSET,
    CLCONST__PAD_VALID,
    CLCONST__PAD_SAME /* of either side */
} clconst__auto_pad;

/*
 * Entries for each of axis_count axes, in scratch. kernel has dims of 1 or
 * more where they are known; pads are the sums of both ends.
 */
typedef struct clconst__window {
    size_t axis_count;
    clconst__auto_pad auto_pad;
    bool is_ceil;
    bool skips_padding;
    clconst__cell *kernel;
    int64_t *strides;
    int64_t *dilations;
    int64_t *pads;
    int64_t *pads_begin;
} clconst__window;

/*
 * Reads the node's attributes. weight_dims, the spatial ones, give the kernel
 * when the attribute kernel_shape does not; NULL when they cannot.
 */
clconst_status clconst__window_read(clconst__folding *folding,
                                    size_t axis_count,
                                    const clconst__cell *weight_dims,
                                    clconst__window *window,
                                    clconst_error *error);

/* The dim that a dim becomes: the places of the window along an axis. */
clconst_status clconst__window_count(clconst__folding *folding,
                                     const clconst__window *window,
                                     size_t axis,
                                     clconst__cell dim,
                                     clconst__cell *count,
                                     clconst_error *error);

/* The dim whose places of the window a dim counts, and extra more. */
clconst_status clconst__window_cover(clconst__folding *folding,
                                     const clconst__window *window,
                                     size_t axis,
                                     clconst__cell dim,
                                     int64_t extra,
                                     clconst__cell *covered,
                                     clconst_error *error);

/*
 * A list attribute of count entries, none below minimum; items, scratch, has
 * fallback everywhere when the node lacks it.
 */
clconst_status clconst__folding_ints_of(clconst__folding *folding,
                                        const char *name,
                                        size_t count,
                                        int64_t minimum,
                                        int64_t fallback,
                                        int64_t **items,
                                        clconst_error *error);

#endif
