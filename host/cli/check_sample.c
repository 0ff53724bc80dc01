#include "cli/check_sample.h"

#include <string.h>

/* Six elements of 6 bits, as of any other width, end at a byte within this. */
#define PERIOD ((size_t)48)

/* The lowest bit is set, so that it is a bool, and no element is zero. */
static const uint8_t distinct[16] = {
    0x5b,
    0x9d,
    0x27,
    0x31,
    0xc8,
    0x04,
    0x7e,
    0x3f,
    0x61,
    0xe2,
    0x1a,
    0x95,
    0x48,
    0xb3,
    0x0c,
    0x76,
};

static void set_element(cli_sample *sample)
{
    for (unsigned i = 0; i < sample->bits; i++) {
        unsigned bit = distinct[i / 8] & 1U << i % 8;
        sample->element[i / 8] = (uint8_t)(sample->element[i / 8] | bit);
    }
    if (sample->dtype == CLCONST_BOOL) {
        sample->element[0] = 1;
    }
}

cli_outcome cli_sample_create(clconst_dtype dtype,
                              size_t element_count,
                              bool is_zero,
                              cli_sample *sample,
                              clconst_error *error)
{
    *sample = (cli_sample){
        .dtype = dtype,
        .bits = clconst_dtype_bits(dtype),
        .element_count = element_count,
    };
    if (!is_zero) {
        set_element(sample);
    }
    const clconst_view value = {
        .dtype = dtype,
        .data = sample->element,
        .size = (sample->bits + 7) / 8,
    };
    const int64_t dim = (int64_t)element_count;
    const clconst_shape shape = {&dim, 1};
    clconst_op *op;
    clconst_status status =
        clconst_op_create_constant_of_shape(&value, &op, error);
    if (status == CLCONST_OK) {
        status = clconst_plan_create(op, &shape, &sample->plan, error);
        clconst_op_destroy(op);
    }
    return cli_outcome_of(status);
}

cli_outcome cli_sample_create_of_size(clconst_dtype dtype,
                                      size_t size,
                                      bool is_zero,
                                      cli_sample *sample,
                                      clconst_error *error)
{
    size_t bits = clconst_dtype_bits(dtype);
    size_t count =
        size / PERIOD * (PERIOD * 8 / bits) + size % PERIOD * 8 / bits;
    /* Four elements of 6 bits end at a byte. */
    count -= bits == 6 ? count % 4 : 0;
    return cli_sample_create(dtype, count, is_zero, sample, error);
}

size_t cli_sample_size(const cli_sample *sample)
{
    size_t per_period = PERIOD * 8 / sample->bits;
    size_t rest = sample->element_count % per_period;
    return sample->element_count / per_period * PERIOD +
           (rest * sample->bits + 7) / 8;
}

uint8_t cli_sample_byte(const cli_sample *sample, size_t index)
{
    size_t per_period = PERIOD * 8 / sample->bits;
    size_t first = index / PERIOD * per_period;
    unsigned byte = 0;
    for (size_t i = 0; i < 8; i++) {
        size_t bit = index % PERIOD * 8 + i;
        size_t place = bit % sample->bits;
        if (first + bit / sample->bits < sample->element_count &&
            (sample->element[place / 8] >> place % 8 & 1U) != 0) {
            byte |= 1U << i;
        }
    }
    return (uint8_t)byte;
}

bool cli_sample_fits(const cli_sample *sample, const uint8_t *bytes)
{
    size_t size = cli_sample_size(sample);
    size_t head = size < PERIOD ? size : PERIOD;
    for (size_t i = 0; i < head; i++) {
        if (bytes[i] != cli_sample_byte(sample, i)) {
            return false;
        }
    }
    /* All else repeats the head, but for unused bits of the last byte. */
    return size <= PERIOD ||
           (memcmp(bytes, bytes + PERIOD, size - PERIOD - 1) == 0 &&
            bytes[size - 1] == cli_sample_byte(sample, size - 1));
}

void cli_sample_release(cli_sample *sample)
{
    clconst_plan_destroy(sample->plan);
    sample->plan = NULL;
}
