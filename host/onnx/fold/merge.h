/*
 * Merging: what two facts have in common, of which one holds.
 */
#ifndef CLCONST_ONNX_FOLD_MERGE_H
#define CLCONST_ONNX_FOLD_MERGE_H

#include "onnx/fold/fact.h"

/*
 * A new fact of what holds for both. Where they differ, why, which is a root,
 * is the cause; an entry of a that has it already stays as it is. *is_changed
 * becomes true when the new fact says less than a does.
 */
clconst_status clconst__merge(clconst__causes *causes,
                              const clconst__fact *a,
                              const clconst__fact *b,
                              clconst__cause why,
                              clconst__fact **merged,
                              bool *is_changed,
                              clconst_error *error);

#endif
