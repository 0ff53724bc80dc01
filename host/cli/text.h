/*
 * Text from models, devices and command lines, which may hold any bytes, made
 * safe for JSON and for terminals.
 */
#ifndef CLCONST_CLI_TEXT_H
#define CLCONST_CLI_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include <clconst/clconst.h>

/* Invalid UTF-8 becomes U+FFFD. NULL when memory is short. */
json_t *cli_text_json(const char *bytes, size_t size);

/* The same up to the NUL; JSON's null for NULL. */
json_t *cli_text_json_string(const char *text);

/* The precision of a printf conversion that cuts long text: a size of 2^31 or
 * more would be none. */
static inline int cli_text_precision(size_t size)
{
    return size < 200 ? (int)size : 200;
}

/*
 * Prints one line's worth: control characters, line breaks and characters that
 * turn the direction of writing become \xNN or \uNNNN, invalid UTF-8 becomes
 * U+FFFD.
 */
void cli_text_print(FILE *stream, const char *bytes, size_t size);

/*
 * Closes a stream of open_memstream, which may be NULL. False when memory was
 * short and text, which is then to be freed, is not whole.
 */
bool cli_text_close(FILE *stream, char *const *text);

/* Characters of valid UTF-8, for aligning columns. */
size_t cli_text_width(const char *bytes, size_t size);

#endif
