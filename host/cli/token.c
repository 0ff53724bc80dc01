#include "cli/token.h"

#include <string.h>

#include "cli/decimal.h"

static const struct {
    const char *word;
    cli_token_kind kind;
    bool may_have_sign;
} words[] = {
    {"inf", CLI_TOKEN_INF, true},
    {"nan", CLI_TOKEN_NAN, true},
    {"true", CLI_TOKEN_TRUE, false},
    {"false", CLI_TOKEN_FALSE, false},
};

static cli_token_kind kind_of(const char *digits, size_t size, bool has_sign)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (size == strlen(words[i].word) &&
            memcmp(digits, words[i].word, size) == 0 &&
            (words[i].may_have_sign || !has_sign)) {
            return words[i].kind;
        }
    }
    if (size == 0) {
        return CLI_TOKEN_NONE;
    }
    if (!has_sign && size > 2 && digits[0] == '0' && digits[1] == 'x' &&
        strspn(digits + 2, "0123456789abcdefABCDEF") == size - 2) {
        return CLI_TOKEN_HEX;
    }
    if (strspn(digits, "0123456789") == size) {
        return CLI_TOKEN_INTEGER;
    }
    return cli_decimal_size(digits) == size ? CLI_TOKEN_DECIMAL
                                            : CLI_TOKEN_NONE;
}

cli_token cli_token_read(const char *text, size_t size)
{
    bool has_sign = size > 0 && (text[0] == '-' || text[0] == '+');
    cli_token read = {
        .is_negative = size > 0 && text[0] == '-',
        .text = text,
        .size = size,
        .digits = text + (has_sign ? 1 : 0),
    };
    read.kind = kind_of(read.digits, size - (has_sign ? 1 : 0), has_sign);
    return read;
}
