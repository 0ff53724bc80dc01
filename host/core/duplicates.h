/*
 * Plans that write the same bytes, found without comparing each with each.
 */
#ifndef CLCONST_CORE_DUPLICATES_H
#define CLCONST_CORE_DUPLICATES_H

#include "core/plan.h"

/*
 * first[i] becomes the index of the first plan with the content of plan i: the
 * same size, and the same pattern, bytes or pairs. A fill and a copy are never
 * the same. Plans of strings have no content and are not among them. Takes the
 * time to read the bytes of equal size a few times.
 */
clconst_status clconst__duplicates_find(const clconst_plan *const *plans,
                                        size_t count,
                                        size_t *first,
                                        clconst_error *error);

#endif
