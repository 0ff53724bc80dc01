/*
 * The known word that a mistyped one most resembles.
 */
#ifndef CLCONST_CLI_GUESS_H
#define CLCONST_CLI_GUESS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/outcome.h"

/* Longer words are not compared. */
enum { CLI_GUESS_SIZE_MAX = 63 };

typedef struct cli_guess {
    const char *word;
    size_t size;
    size_t distance;                   /* of best; the largest one to accept */
    char best[CLI_GUESS_SIZE_MAX + 1]; /* empty: none is near */
} cli_guess;

/* Of a word of size characters, which is borrowed. */
cli_guess cli_guess_begin(const char *word, size_t size);

/* Takes the candidate when it is nearer than those before. */
void cli_guess_try(cli_guess *guess, const char *candidate, size_t size);

/* Adds "; did you mean PREFIXBEST?" to the message when something is near.
 * False when nothing is. */
bool cli_guess_tell(const cli_guess *guess,
                    const char *prefix,
                    clconst_error *error);

#endif
