/*
 * What this project promises about untrusted bytes, and what each fuzz target
 * asserts through these functions. For any input:
 *
 * 1. It gives a value or an error: OK with all outputs written, or one of the
 *    statuses that the header names, with a message, and no output written.
 * 2. Nothing is read outside it: the input lies in a heap block of exactly its
 *    size, and so does what a reader maps, where the address sanitizer sees the
 *    first byte too far. Nor is any of it written.
 * 3. Memory is bounded: at any time the heap holds at most
 *    FUZZ_HEAP_FIXED + FUZZ_HEAP_FACTOR times the size of the input, and for a
 *    model FUZZ_HEAP_EXPANSION more, since its functions may be called from
 *    many places, its scopes repeat names, many fills have one shape, and
 *    values are computed, up to limits of their own. When all is destroyed it
 *    holds nothing. What is written for the caller, who chooses to and knows
 *    the size, does not count.
 * 4. Time is bounded: the driver of the fuzzer ends an input after the
 *    seconds of its option -timeout.
 * 5. What the bytes stand for is one thing: written twice, alone or in a
 *    batch, to host memory, it is the same.
 *
 * A broken promise ends the process, which makes the fuzzer keep the input.
 */
#ifndef CLCONST_TESTS_FUZZ_INVARIANTS_H
#define CLCONST_TESTS_FUZZ_INVARIANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clconst/clconst.h>

enum {
    FUZZ_HEAP_FIXED = 1 << 16,
    FUZZ_HEAP_FACTOR = 512,
    FUZZ_HEAP_EXPANSION = 256 << 20,
};

/* Above this, a plan is not written. */
enum { FUZZ_WRITE_MAX = 1 << 16 };

/* Ends the process unless the condition holds. */
#define fuzz_require(condition)                                                \
    ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))
_Noreturn void fuzz_fail(const char *file, int line, const char *condition);

/* The bytes of an input that are still to be taken. */
typedef struct fuzz_input {
    const uint8_t *bytes;
    size_t size;
} fuzz_input;

/* The next byte, which steers the target; 0 behind the end. */
uint8_t fuzz_take(fuzz_input *input);

/* The next bytes, as many as the byte before them says, or the rest. */
fuzz_input fuzz_take_piece(fuzz_input *input);

/* Bytes under test: a copy in a heap block of exactly their size. */
typedef struct fuzz_subject {
    fuzz_input original;
    uint8_t *bytes;
    size_t size;
    size_t heap_limit;
} fuzz_subject;

/* Starts to count the heap. expansion: what the promise allows beside the
 * multiple of the size. */
fuzz_subject fuzz_subject_create(fuzz_input original, size_t expansion);

/* Requires that the bytes are as they were and the heap is as it was, and was
 * never larger than promised. */
void fuzz_subject_destroy(fuzz_subject *subject);

/* Memory of the target's own, which the promise does not count; freed with
 * fuzz_free. At least one byte, so that it is never NULL. */
void *fuzz_alloc(size_t size);
void fuzz_free(void *memory);

/* An error that no call has written yet. */
clconst_error fuzz_error(void);

/*
 * Requires that a call returned OK and left the error alone, or that it
 * failed with a status of the mask, of bits 1 << status, and said so. True
 * when it succeeded.
 */
bool fuzz_succeeded(clconst_status status,
                    const clconst_error *error,
                    unsigned allowed);

/* The statuses by which bytes of ONNX fail, as a mask. */
enum {
    FUZZ_BYTES_FAIL = 1 << CLCONST_MALFORMED | 1 << CLCONST_INVALID_MODEL |
                      1 << CLCONST_UNSUPPORTED | 1 << CLCONST_TOO_LARGE
};

/* Requires of an operator that its value is what its dtype and dims say, and
 * reads all of it. */
void fuzz_check_op(const clconst_op *op);

/*
 * Requires of a plan that its size is that of its dtype and shape, and that
 * its bytes, when they are few, are the same whenever they are written. They
 * are returned, for fuzz_free, or NULL.
 */
uint8_t *fuzz_write_plan(const clconst_plan *plan);

/* Requires of a batch of plans that it writes what each writes alone. */
void fuzz_check_batch(const clconst_plan *const *plans, size_t count);

#endif
