/*
 * Merging: what two facts have in common, of which one holds.
 */
#ifndef CLCONST_ONNX_FOLD_MERGE_H
#define CLCONST_ONNX_FOLD_MERGE_H

#include "onnx/fold/fact.h"

/*
 * A new fact of what holds for both. Where they differ, why is the cause: a
 * root that was made for what is merged, so that an entry of a that has it
 * already is one that differed before, and stays as it is. *is_changed becomes
 * true when the new fact says less than a does.
 */
clconst_status clconst__merge(clconst__causes *causes,
                              const clconst__fact *a,
                              const clconst__fact *b,
                              clconst__cause why,
                              clconst__fact **merged,
                              bool *is_changed,
                              clconst_error *error);

/*
 * A new fact of what holds for one turn of a loop, for another turn: numbers
 * that are unknown for a cause since the given one are others there.
 */
clconst_status clconst__merge_apart(clconst__causes *causes,
                                    const clconst__fact *fact,
                                    clconst__cause since,
                                    clconst__fact **apart,
                                    clconst_error *error);

/* What it costs to merge a fact with another. */
uint64_t clconst__merge_steps(const clconst__fact *a);

#endif
