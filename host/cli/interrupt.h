/*
 * Ctrl-C, noticed instead of obeyed at once, so that what was begun can be
 * undone. The second one ends the program.
 */
#ifndef CLCONST_CLI_INTERRUPT_H
#define CLCONST_CLI_INTERRUPT_H

#include <stdbool.h>

#include "cli/outcome.h"

/* From here on an interrupt is noticed. */
void cli_interrupt_catch(void);

bool cli_interrupt_is_pending(void);

/* CLI_STOPPED when there was an interrupt. */
cli_outcome cli_interrupt_check(clconst_error *error);

#endif
