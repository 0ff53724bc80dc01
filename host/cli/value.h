/*
 * One element as the command line writes it, in the bits of its dtype.
 */
#ifndef CLCONST_CLI_VALUE_H
#define CLCONST_CLI_VALUE_H

#include "cli/outcome.h"

/* The widest element, complex128, in bytes. */
enum { CLI_ELEMENT_SIZE_MAX = 16 };

/* A dtype by its ONNX or NumPy name. WRONG_USAGE for any other name. */
cli_outcome
cli_dtype_parse(const char *name, clconst_dtype *dtype, clconst_error *error);

/*
 * Writes the element little-endian to the first bytes of element, which has
 * CLI_ELEMENT_SIZE_MAX; the rest becomes 0. text NULL means zero.
 *
 * UNMET for a number that the dtype does not have, WRONG_USAGE for a text that
 * is no value. Strings have no values: UNMET.
 */
cli_outcome cli_value_parse(const char *text,
                            clconst_dtype dtype,
                            uint8_t *element,
                            clconst_error *error);

#endif
