#include "cli/guess.h"

#include <stdio.h>
#include <string.h>

/* Words are names of this program and its devices: letters are ASCII's, in
 * any locale. */
static int lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * Letters to insert, remove, replace or swap with a neighbour, each place once
 * (optimal string alignment).
 */
static size_t
measure(const char *a, size_t a_size, const char *b, size_t b_size)
{
    /* Rows of the table for the last two prefixes of a and this one. */
    size_t rows[3][CLI_GUESS_SIZE_MAX + 1];
    for (size_t j = 0; j <= b_size; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a_size; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_size; j++) {
            bool is_same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = least(least(above[j] + 1, row[j - 1] + 1),
                           above[j - 1] + (is_same ? 0 : 1));
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
            }
        }
    }
    return rows[a_size % 3][b_size];
}

cli_guess cli_guess_begin(const char *word, size_t size)
{
    /* One more than is accepted: a third of the word may be wrong. */
    return (cli_guess){
        .word = word,
        .size = size,
        .distance =
            size > 0 && size <= CLI_GUESS_SIZE_MAX ? (size + 2) / 3 + 1 : 0,
    };
}

void cli_guess_try(cli_guess *guess, const char *candidate, size_t size)
{
    if (size == 0 || size > CLI_GUESS_SIZE_MAX || guess->distance == 0) {
        return;
    }
    bool is_beginning = guess->size > 1 && guess->size < size &&
                        memcmp(guess->word, candidate, guess->size) == 0;
    size_t distance =
        is_beginning ? 1 : measure(guess->word, guess->size, candidate, size);
    if (distance < guess->distance) {
        guess->distance = distance;
        memcpy(guess->best, candidate, size);
        guess->best[size] = '\0';
    }
}

bool cli_guess_tell(const cli_guess *guess,
                    const char *prefix,
                    clconst_error *error)
{
    if (guess->best[0] == '\0') {
        return false;
    }
    size_t used = strlen(error->message);
    snprintf(error->message + used,
             sizeof(error->message) - used,
             "; did you mean %s%s?",
             prefix,
             guess->best);
    return true;
}
