#include "harness/oracle.h"

#include <string.h>

unsigned oracle_bits(int dtype)
{
    /* From the list of types in onnx.proto, in the order of their numbers. */
    static const unsigned bits[] = {0,  32, 8,  8,  16, 16,  32, 64, 0, 8,
                                    16, 64, 32, 64, 64, 128, 16, 8,  8, 8,
                                    8,  4,  4,  4,  8,  2,   2,  6,  6};
    return dtype >= 0 && (size_t)dtype < sizeof(bits) / sizeof(bits[0])
               ? bits[dtype]
               : 0;
}

size_t oracle_size(int dtype, uint64_t count)
{
    return (size_t)((count * oracle_bits(dtype) + 7) / 8);
}

static unsigned get_bit(const uint8_t *bytes, uint64_t index)
{
    return ((unsigned)bytes[index / 8] >> index % 8) & 1U;
}

static void set_bit(uint8_t *bytes, uint64_t index, unsigned bit)
{
    bytes[index / 8] = (uint8_t)(bytes[index / 8] | bit << index % 8);
}

void oracle_fill(void *dst, int dtype, const void *element, uint64_t count)
{
    unsigned bits = oracle_bits(dtype);
    memset(dst, 0, oracle_size(dtype, count));
    for (uint64_t i = 0; i < count; i++) {
        for (unsigned bit = 0; bit < bits; bit++) {
            set_bit(dst, i * bits + bit, get_bit(element, bit));
        }
    }
}

void oracle_copy(void *dst, int dtype, const void *src, uint64_t count)
{
    unsigned bits = oracle_bits(dtype);
    memset(dst, 0, oracle_size(dtype, count));
    for (uint64_t i = 0; i < count * bits; i++) {
        set_bit(dst, i, get_bit(src, i));
    }
}

void oracle_place(
    void *dst, int dtype, uint64_t to, const void *src, uint64_t from)
{
    unsigned bits = oracle_bits(dtype);
    for (unsigned bit = 0; bit < bits; bit++) {
        set_bit(dst, to * bits + bit, get_bit(src, from * bits + bit));
    }
}
