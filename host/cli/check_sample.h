/*
 * A sample: one fill whose bytes are known without the library. It expands
 * elements bit by bit, as slowly as the specification reads.
 */
#ifndef CLCONST_CLI_CHECK_SAMPLE_H
#define CLCONST_CLI_CHECK_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/outcome.h"

/* element is packed from the lowest bit up; element_count says how many. */
typedef struct cli_sample {
    clconst_dtype dtype;
    unsigned bits;
    uint8_t element[16];
    size_t element_count;
    clconst_plan *plan;
} cli_sample;

/* The element is zero, or one in which no two bytes are equal. */
cli_outcome cli_sample_create(clconst_dtype dtype,
                              size_t element_count,
                              bool is_zero,
                              cli_sample *sample,
                              clconst_error *error);

/* As many whole elements as size bytes hold, and no unused bits. */
cli_outcome cli_sample_create_of_size(clconst_dtype dtype,
                                      size_t size,
                                      bool is_zero,
                                      cli_sample *sample,
                                      clconst_error *error);

/* Bytes of the tensor. */
size_t cli_sample_size(const cli_sample *sample);

/* Byte number index of the tensor. */
uint8_t cli_sample_byte(const cli_sample *sample, size_t index);

/* Whether bytes, cli_sample_size of them, are the tensor's. */
bool cli_sample_fits(const cli_sample *sample, const uint8_t *bytes);

void cli_sample_release(cli_sample *sample);

#endif
