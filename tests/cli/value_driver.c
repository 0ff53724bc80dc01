/*
 * Reads lines "DTYPE VALUE" and prints for each what the program makes of
 * them: the outcome, and the element's bytes as hex, lowest first.
 */
#include <stdio.h>
#include <string.h>

#include "cli/value.h"

/* Room for the longest exact decimal of a double, and more. */
enum { LINE_SIZE = 4096 };

static cli_outcome
parse(const char *name, const char *text, uint8_t *element, size_t *size)
{
    clconst_error error;
    clconst_dtype dtype;
    cli_outcome outcome = cli_dtype_parse(name, &dtype, &error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    *size = (clconst_dtype_bits(dtype) + 7) / 8;
    return cli_value_parse(text, dtype, element, &error);
}

int main(void)
{
    char line[LINE_SIZE];
    while (fgets(line, sizeof(line), stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *text = strchr(line, ' ');
        if (text == NULL) {
            return 1;
        }
        *text++ = '\0';
        uint8_t element[CLI_ELEMENT_SIZE_MAX];
        size_t size = 0;
        cli_outcome outcome = parse(line, text, element, &size);
        printf("%d ", (int)outcome);
        for (size_t i = 0; outcome == CLI_DONE && i < size; i++) {
            printf("%02x", element[i]);
        }
        printf("\n");
    }
    return 0;
}
