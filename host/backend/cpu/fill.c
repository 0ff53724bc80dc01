#include "backend/cpu/fill.h"

#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* Three patterns' worth of words end at a word, and at a cache line: 192 is
 * the least common multiple of 48 and 64. */
enum {
    LINE_SIZE = 64,
    WORD_SIZE = 16,
    WORDS = CLCONST__PATTERN_SIZE / WORD_SIZE,
    STRIDE_WORDS = 12,
    STRIDE_SIZE = STRIDE_WORDS * WORD_SIZE,
};

typedef uint64_t word __attribute__((vector_size(WORD_SIZE), may_alias));

static inline void store_streaming(word *dst, word value)
{
#if defined(__SSE2__)
    _mm_stream_si128((__m128i *)dst, (__m128i)value);
#elif defined(__clang__)
    __builtin_nontemporal_store(value, dst);
#else
    *dst = value;
#endif
}

/* Streaming stores are ordered with later ones only by a fence. */
static inline void fence_streaming(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

static void fill_strides_normal(word *dst, size_t count, const word *words)
{
    word a = words[0];
    word b = words[1];
    word c = words[2];
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < STRIDE_WORDS; j += WORDS) {
            dst[j] = a;
            dst[j + 1] = b;
            dst[j + 2] = c;
        }
        dst += STRIDE_WORDS;
    }
}

static void fill_strides_streaming(word *dst, size_t count, const word *words)
{
    word a = words[0];
    word b = words[1];
    word c = words[2];
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < STRIDE_WORDS; j += WORDS) {
            store_streaming(dst + j, a);
            store_streaming(dst + j + 1, b);
            store_streaming(dst + j + 2, c);
        }
        dst += STRIDE_WORDS;
    }
    fence_streaming();
}

#if defined(__SSE2__)
__attribute__((target("avx"))) static void
fill_strides_avx(word *dst, size_t count, const word *words)
{
    const __m128i a = (__m128i)words[0];
    const __m128i b = (__m128i)words[1];
    const __m128i c = (__m128i)words[2];
    const __m256i pairs[WORDS] = {
        _mm256_set_m128i(b, a),
        _mm256_set_m128i(a, c),
        _mm256_set_m128i(c, b),
    };
    __m256i *wide = (__m256i *)(void *)dst;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < STRIDE_WORDS / 2; j += WORDS) {
            _mm256_store_si256(wide + j, pairs[0]);
            _mm256_store_si256(wide + j + 1, pairs[1]);
            _mm256_store_si256(wide + j + 2, pairs[2]);
        }
        wide += STRIDE_WORDS / 2;
    }
}

static void fill_strides_wide(word *dst, size_t count, const word *words)
{
    if (__builtin_cpu_supports("avx")) {
        fill_strides_avx(dst, count, words);
    } else {
        fill_strides_normal(dst, count, words);
    }
}
#else
static void fill_strides_wide(word *dst, size_t count, const word *words)
{
    fill_strides_normal(dst, count, words);
}
#endif

/* Each writes count strides of the three words. */
static void (*const fill_strides[])(word *, size_t, const word *) = {
    [CLCONST__STORES_NORMAL] = fill_strides_normal,
    [CLCONST__STORES_WIDE] = fill_strides_wide,
    [CLCONST__STORES_STREAMING] = fill_strides_streaming,
};

void clconst__cpu_fill(uint8_t *dst,
                       size_t size,
                       const clconst__pattern *pattern,
                       clconst__stores stores)
{
    size_t head = (LINE_SIZE - (uintptr_t)dst % LINE_SIZE) % LINE_SIZE;
    if (size < head + STRIDE_SIZE) {
        clconst__pattern_repeat(pattern, dst, size);
        return;
    }
    clconst__pattern rotated = *pattern;
    if (head > 0) {
        clconst__pattern_repeat(pattern, dst, head);
        clconst__pattern_rotate(&rotated, pattern, head);
        dst += head;
        size -= head;
    }
    word words[WORDS];
    memcpy(words, rotated.bytes, sizeof(words));
    size_t count = size / STRIDE_SIZE;
    fill_strides[stores]((word *)(void *)dst, count, words);
    clconst__pattern_repeat(
        &rotated, dst + count * STRIDE_SIZE, size % STRIDE_SIZE);
}
