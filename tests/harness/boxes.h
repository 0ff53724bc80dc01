/*
 * Boxes inside larger tensors: random ones, and what a fill makes of them, from
 * the definition of the strides.
 */
#ifndef CLCONST_TESTS_BOXES_H
#define CLCONST_TESTS_BOXES_H

#include <clconst/clconst.h>

#define BOXES_RANK_MAX 12

typedef struct box {
    int dtype;
    int64_t dims[BOXES_RANK_MAX];
    size_t rank;
    size_t strides[BOXES_RANK_MAX];
    size_t offset;
    size_t extent; /* boxes_measure sets it */
} box;

/* What a call says of a box that no memory can take. */
typedef struct box_refusal {
    box b;
    clconst_status status;
    const char *message;
} box_refusal;

enum { BOXES_REFUSAL_COUNT = 8 };

extern const box_refusal boxes_refusals[BOXES_REFUSAL_COUNT];

/* The fill that boxes_expand writes. */
clconst_plan *boxes_create_plan(const box *b);

/* Writes the box, which begins at dst, and nothing between its rows. */
void boxes_expand(const box *b, uint8_t *dst);

/* Bytes from the box's first one to its last one. */
void boxes_measure(box *b);

/* Strides leave a gap, none, or are ignored; rows are whole bytes. */
void boxes_randomize(box *b, uint64_t *state);

/* A name for messages. */
void boxes_describe(const box *b, size_t number, char *row, size_t size);

#endif
