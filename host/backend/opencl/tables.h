/*
 * The tables of an arena as commands: all fills in one launch, all scatters in
 * another; and a lone scatter, which has a table of its own.
 */
#ifndef CLCONST_BACKEND_OPENCL_TABLES_H
#define CLCONST_BACKEND_OPENCL_TABLES_H

#include "backend/opencl/submission.h"
#include "core/batch.h"

/* The arena's image lies in the buffer already, the arena from offset on. */
clconst_status clconst__tables_fill(clconst__submission *submission,
                                    const clconst__arena *arena,
                                    size_t offset,
                                    clconst_error *error);

/* The same, over fills that earlier commands write. */
clconst_status clconst__tables_scatter(clconst__submission *submission,
                                       const clconst__arena *arena,
                                       size_t offset,
                                       clconst_error *error);

/* The pairs of one plan travel through a temporary buffer. TOO_LARGE when it
 * would be larger than the device allows. */
clconst_status clconst__tables_check_one(const clconst__submission *submission,
                                         const clconst_plan *plan,
                                         clconst_error *error);

/* The pairs of a plan that passes the check, over zeros from offset on that
 * earlier commands write. */
clconst_status clconst__tables_scatter_one(clconst__submission *submission,
                                           const clconst_plan *plan,
                                           size_t offset,
                                           clconst_error *error);

#endif
