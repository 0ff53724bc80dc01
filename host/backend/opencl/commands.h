/*
 * An arena as commands: the one place that does it, for the engine's own queue
 * and for a caller's. A lone plan is an arena of one.
 */
#ifndef CLCONST_BACKEND_OPENCL_COMMANDS_H
#define CLCONST_BACKEND_OPENCL_COMMANDS_H

#include "backend/opencl/submission.h"
#include "core/batch.h"

/*
 * Before any command: what cannot be done for one plan is done for none.
 * INVALID_ARGUMENT when the buffer's flags keep out the commands that the arena
 * needs.
 */
clconst_status clconst__commands_check(const clconst__submission *submission,
                                       cl_mem_flags flags,
                                       const clconst__arena *arena,
                                       const clconst__placed *placed,
                                       size_t offset,
                                       clconst_error *error);

/*
 * Enqueues what writes the arena, whose ranges are ranges of placed, from byte
 * offset of the submission's buffer on, and finishes the submission. The plans
 * are no strings and, with the arena, must outlive the commands.
 */
clconst_status clconst__commands_enqueue(clconst__submission *submission,
                                         const clconst__arena *arena,
                                         const clconst__placed *placed,
                                         size_t offset,
                                         clconst_error *error);

#endif
