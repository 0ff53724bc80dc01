#include "fuzz/invariants.h"

#include <sanitizer/allocator_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void fuzz_fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    abort();
}

uint8_t fuzz_take(fuzz_input *input)
{
    if (input->size == 0) {
        return 0;
    }
    input->size--;
    return *input->bytes++;
}

fuzz_input fuzz_take_piece(fuzz_input *input)
{
    size_t size = fuzz_take(input);
    fuzz_input piece = {input->bytes, size < input->size ? size : input->size};
    input->bytes += piece.size;
    input->size -= piece.size;
    return piece;
}

/* ---------------------------------------------------------------- the heap */

/* What the sanitizer's hooks count of one thread's blocks, while they count. */
typedef struct heap_count {
    bool is_on;
    size_t live_size;
    size_t live_blocks;
    size_t peak_size;
} heap_count;
static _Thread_local heap_count heap;

static void count_malloc(const volatile void *block, size_t size)
{
    if (!heap.is_on || block == NULL) {
        return;
    }
    heap.live_blocks++;
    heap.live_size += size;
    if (heap.live_size > heap.peak_size) {
        heap.peak_size = heap.live_size;
    }
}

static void count_free(const volatile void *block)
{
    if (!heap.is_on || block == NULL) {
        return;
    }
    heap.live_blocks--;
    heap.live_size -= __sanitizer_get_allocated_size(block);
}

static void install_hooks(void)
{
    static bool is_installed;
    if (!is_installed) {
        fuzz_require(__sanitizer_install_malloc_and_free_hooks(
                         count_malloc, count_free) != 0);
        is_installed = true;
    }
}

void *fuzz_alloc(size_t size)
{
    bool was_on = heap.is_on;
    heap.is_on = false;
    void *block = malloc(size > 0 ? size : 1);
    heap.is_on = was_on;
    fuzz_require(block != NULL);
    return block;
}

void fuzz_free(void *memory)
{
    bool was_on = heap.is_on;
    heap.is_on = false;
    free(memory);
    heap.is_on = was_on;
}

/* ------------------------------------------------------------- the subject */

fuzz_subject fuzz_subject_create(fuzz_input original, size_t expansion)
{
    install_hooks();
    fuzz_subject subject = {original, NULL, original.size, 0};
    /* Not fuzz_alloc: one byte for none would hide a read of it. */
    subject.bytes = malloc(original.size);
    fuzz_require(subject.bytes != NULL);
    if (original.size > 0) {
        memcpy(subject.bytes, original.bytes, original.size);
    }
    subject.heap_limit =
        FUZZ_HEAP_FIXED + FUZZ_HEAP_FACTOR * original.size + expansion;
    heap = (heap_count){.is_on = true};
    return subject;
}

void fuzz_subject_destroy(fuzz_subject *subject)
{
    heap.is_on = false;
    fuzz_require(heap.live_blocks == 0);
    fuzz_require(heap.peak_size <= subject->heap_limit);
    fuzz_require(
        subject->size == 0 ||
        memcmp(subject->bytes, subject->original.bytes, subject->size) == 0);
    free(subject->bytes);
}

/* ------------------------------------------------------------------ errors */

clconst_error fuzz_error(void)
{
    clconst_error error = {-1, -1, ""};
    return error;
}

bool fuzz_succeeded(clconst_status status,
                    const clconst_error *error,
                    unsigned allowed)
{
    if (status == CLCONST_OK) {
        fuzz_require(error->status == -1);
        return true;
    }
    fuzz_require((allowed >> status & 1) != 0);
    fuzz_require(error->status == (int32_t)status);
    fuzz_require(error->message[0] != '\0');
    fuzz_require(memchr(error->message, 0, sizeof(error->message)) != NULL);
    /* Only these have a native code, and they always have one. */
    bool has_code =
        status == CLCONST_IO_ERROR || status == CLCONST_DEVICE_ERROR;
    fuzz_require((error->native_code != 0) == has_code);
    return false;
}

/* ------------------------------------------------------------------ values */

/* Reads each byte, for the sanitizer to see. */
static void touch(const void *bytes, size_t size)
{
    const volatile uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++) {
        (void)at[i];
    }
}

static void touch_view(const clconst_view *view)
{
    if (view->dtype != CLCONST_STRING) {
        touch(view->data, view->size);
        return;
    }
    const clconst_string *strings = view->data;
    for (size_t i = 0; i < view->size / sizeof(*strings); i++) {
        touch(strings[i].data, strings[i].size);
    }
}

static size_t byte_size(clconst_dtype dtype, const clconst_shape *shape)
{
    size_t size = 0;
    clconst_error error = fuzz_error();
    fuzz_require(clconst_byte_size(dtype, shape, &size, &error) == CLCONST_OK);
    return size;
}

void fuzz_check_op(const clconst_op *op)
{
    clconst_view value;
    clconst_op_get_value(op, &value);
    fuzz_require(clconst_dtype_name(value.dtype) != NULL);
    fuzz_require(value.size == byte_size(value.dtype, &value.shape));
    touch_view(&value);
}

/* The plan's bytes in a block of exactly their size, over this byte. */
static uint8_t *write_over(const clconst_plan *plan, size_t size, uint8_t byte)
{
    uint8_t *bytes = fuzz_alloc(size);
    memset(bytes, byte, size > 0 ? size : 1);
    clconst_error error = fuzz_error();
    fuzz_require(clconst_write(NULL, plan, bytes, size, &error) == CLCONST_OK);
    fuzz_require(size > 0 || bytes[0] == byte);
    return bytes;
}

uint8_t *fuzz_write_plan(const clconst_plan *plan)
{
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_plan_get_output(plan, &output);
    fuzz_require(output.size == byte_size(output.dtype, &output.shape));
    clconst_plan_kind kind = clconst_plan_get_kind(plan);
    fuzz_require((kind == CLCONST_PLAN_STRINGS) ==
                 (output.dtype == CLCONST_STRING));
    if (kind == CLCONST_PLAN_STRINGS || output.size > FUZZ_WRITE_MAX) {
        return NULL;
    }
    uint8_t *bytes = write_over(plan, output.size, 0x00);
    uint8_t *again = write_over(plan, output.size, 0xff);
    fuzz_require(output.size == 0 || memcmp(bytes, again, output.size) == 0);
    fuzz_free(again);
    return bytes;
}

static void check_place(const clconst_batch *batch,
                        const clconst_plan *plan,
                        size_t index,
                        const uint8_t *arena)
{
    clconst_place place = CLCONST_PLACE_INIT;
    clconst_error error = fuzz_error();
    fuzz_require(clconst_batch_get_place(batch, index, &place, &error) ==
                 CLCONST_OK);
    size_t arena_size = clconst_batch_get_arena_size(batch, place.arena);
    fuzz_require(place.offset <= arena_size &&
                 place.size <= arena_size - place.offset);
    uint8_t *bytes = fuzz_write_plan(plan);
    fuzz_require(bytes != NULL);
    fuzz_require(place.size == 0 ||
                 memcmp(arena + place.offset, bytes, place.size) == 0);
    fuzz_free(bytes);
}

void fuzz_check_batch(const clconst_plan *const *plans, size_t count)
{
    clconst_batch *batch = NULL;
    clconst_error error = fuzz_error();
    fuzz_require(clconst_batch_create(plans, count, NULL, &batch, &error) ==
                 CLCONST_OK);
    fuzz_require(clconst_batch_get_arena_count(batch) <= 1);
    size_t size = clconst_batch_get_arena_size(batch, 0);
    uint8_t *arena = fuzz_alloc(size);
    if (clconst_batch_get_arena_count(batch) == 1) {
        fuzz_require(clconst_batch_write(NULL, batch, 0, arena, size, &error) ==
                     CLCONST_OK);
    }
    for (size_t i = 0; i < count; i++) {
        check_place(batch, plans[i], i, arena);
    }
    fuzz_free(arena);
    clconst_batch_destroy(batch);
}
