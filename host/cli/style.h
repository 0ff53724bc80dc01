/*
 * Emphasis on terminals. Elsewhere, and where NO_COLOR asks for none, text is
 * plain (https://no-color.org).
 */
#ifndef CLCONST_CLI_STYLE_H
#define CLCONST_CLI_STYLE_H

#include <stdio.h>

typedef enum cli_style {
    CLI_STYLE_ERROR,
    CLI_STYLE_NOTE,
    CLI_STYLE_TITLE,
} cli_style;

void cli_style_print(FILE *stream, cli_style style, const char *text);

#endif
