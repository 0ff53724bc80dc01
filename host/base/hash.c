#include "base/hash.h"

#include <string.h>

clconst__hash_keys clconst__hash_keys_of(const void *address)
{
    uint64_t word = (uint64_t)(uintptr_t)address;
    return (clconst__hash_keys){{word, ~word}};
}

static uint64_t rotate(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

/*
 * SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF",
 * 2012).
 */
uint64_t
clconst__hash(const clconst__hash_keys *keys, const void *bytes, size_t size)
{
    const uint8_t *next = bytes;
    uint64_t v[4] = {keys->words[0] ^ UINT64_C(0x736f6d6570736575),
                     keys->words[1] ^ UINT64_C(0x646f72616e646f6d),
                     keys->words[0] ^ UINT64_C(0x6c7967656e657261),
                     keys->words[1] ^ UINT64_C(0x7465646279746573)};
    size_t left = size;
    for (; left >= 8; left -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, sizeof(word));
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
    }
    uint64_t last = (uint64_t)size << 56;
    for (size_t i = 0; i < left; i++) {
        last |= (uint64_t)next[i] << (8 * i);
    }
    v[3] ^= last;
    sip_round(v);
    v[0] ^= last;
    v[2] ^= 0xff;
    sip_round(v);
    sip_round(v);
    sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
