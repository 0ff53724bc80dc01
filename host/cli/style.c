#include "cli/style.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Parameters of SGR (ECMA-48, section 8.3.117). */
static const char *const parameters[] = {
    [CLI_STYLE_ERROR] = "1;31", /* bold, red */
    [CLI_STYLE_NOTE] = "1",
    [CLI_STYLE_TITLE] = "1",
};

static bool has_emphasis(FILE *stream)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return (no_color == NULL || no_color[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0 && isatty(fileno(stream)) == 1;
}

void cli_style_print(FILE *stream, cli_style style, const char *text)
{
    if (has_emphasis(stream)) {
        fprintf(stream, "\033[%sm%s\033[m", parameters[style], text);
    } else {
        fputs(text, stream);
    }
}
