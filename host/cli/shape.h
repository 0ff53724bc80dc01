/*
 * Lists of integers as the command line writes them: D,D,..
 */
#ifndef CLCONST_CLI_SHAPE_H
#define CLCONST_CLI_SHAPE_H

#include "cli/outcome.h"

/*
 * Reads dims of any sign into a new array, freed with free; an empty text is
 * an empty list. what names an entry in messages.
 */
cli_outcome cli_shape_parse(const char *text,
                            const char *what,
                            int64_t **dims,
                            size_t *rank,
                            clconst_error *error);

/* Writes [D,D,..], cut at the end of text. */
void cli_shape_print(const clconst_shape *shape, char *text, size_t size);

#endif
