#include "onnx/fold/frame.h"

#include "base/alloc.h"

enum { KIND_BITS = 3 };

static uint64_t make_key(clconst__slot_kind kind, size_t index)
{
    return (uint64_t)index << KIND_BITS | (uint64_t)kind;
}

/* The finalizer of MurmurHash3: all bits of the key reach the lowest. */
static uint64_t mix(uint64_t key)
{
    key ^= key >> 33;
    key *= UINT64_C(0xff51afd7ed558ccd);
    key ^= key >> 33;
    key *= UINT64_C(0xc4ceb9fe1a85ec53);
    return key ^ key >> 33;
}

/* The slot of the key, or the empty one where it belongs. */
static clconst__slot *
find_slot(clconst__slot *slots, size_t capacity, uint64_t key)
{
    size_t i = (size_t)mix(key) & (capacity - 1);
    while (slots[i].content != NULL && slots[i].key != key) {
        i = (i + 1) & (capacity - 1);
    }
    return &slots[i];
}

clconst_status clconst__frame_create(clconst__budget *budget,
                                     clconst__frame *parent,
                                     clconst__frame *caller,
                                     size_t graph,
                                     size_t node,
                                     clconst__frame **frame,
                                     clconst_error *error)
{
    clconst__frame *made;
    clconst_status status = clconst__budget_check(budget, error);
    if (status == CLCONST_OK) {
        status = clconst__alloc(1, sizeof(*made), &made, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__budget_take(budget, sizeof(*made));
    made->budget = budget;
    made->root = parent != NULL ? parent->root : made;
    made->is_repeated =
        caller != NULL || (parent != NULL && parent->is_repeated);
    made->parent = parent;
    made->caller = caller;
    made->graph = graph;
    made->node = node;
    made->owner = parent != NULL ? parent : caller;
    if (made->owner != NULL) {
        made->next = made->owner->first;
        if (made->next != NULL) {
            made->next->previous = made;
        }
        made->owner->first = made;
    }
    *frame = made;
    return CLCONST_OK;
}

static void release(clconst__slot_kind kind, void *content)
{
    if (kind == CLCONST__SLOT_FACT) {
        clconst__fact_release(content);
    } else if (kind == CLCONST__SLOT_LOOP || kind == CLCONST__SLOT_ANY) {
        clconst__progress *progress = content;
        progress->destroy(progress);
    }
}

/* A frame without frames in it. */
static void free_leaf(clconst__frame *frame)
{
    for (size_t i = 0; i < frame->slot_capacity; i++) {
        if (frame->slots[i].content != NULL) {
            release((clconst__slot_kind)(frame->slots[i].key &
                                         ((1U << KIND_BITS) - 1U)),
                    frame->slots[i].content);
        }
    }
    if (frame->next != NULL) {
        frame->next->previous = frame->previous;
    }
    if (frame->previous != NULL) {
        frame->previous->next = frame->next;
    } else if (frame->owner != NULL) {
        frame->owner->first = frame->next;
    }
    clconst__budget_return(frame->budget,
                           sizeof(*frame) +
                               frame->slot_capacity * sizeof(*frame->slots));
    clconst__free(frame->slots);
    clconst__free(frame->arguments);
    clconst__free(frame);
}

void clconst__frame_destroy(clconst__frame *frame)
{
    clconst__frame *current = frame;
    while (current != NULL) {
        while (current->first != NULL) {
            current = current->first;
        }
        clconst__frame *owner = current->owner;
        bool is_last = current == frame;
        free_leaf(current);
        current = is_last ? NULL : owner;
    }
}

void *clconst__frame_get(const clconst__frame *frame,
                         clconst__slot_kind kind,
                         size_t index)
{
    if (frame->slot_capacity == 0) {
        return NULL;
    }
    return find_slot(frame->slots, frame->slot_capacity, make_key(kind, index))
        ->content;
}

/* Doubles the slots when three quarters are taken. */
static clconst_status make_room(clconst__frame *frame, clconst_error *error)
{
    if (frame->slot_count * 4 < frame->slot_capacity * 3) {
        return CLCONST_OK;
    }
    size_t capacity = frame->slot_capacity == 0 ? 16 : frame->slot_capacity * 2;
    clconst__slot *slots;
    clconst_status status =
        clconst__alloc(capacity, sizeof(*slots), &slots, error);
    if (status != CLCONST_OK) {
        return status;
    }
    for (size_t i = 0; i < frame->slot_capacity; i++) {
        if (frame->slots[i].content != NULL) {
            *find_slot(slots, capacity, frame->slots[i].key) = frame->slots[i];
        }
    }
    clconst__free(frame->slots);
    clconst__budget_take(frame->budget,
                         (capacity - frame->slot_capacity) * sizeof(*slots));
    frame->slots = slots;
    frame->slot_capacity = capacity;
    return CLCONST_OK;
}

clconst_status clconst__frame_set(clconst__frame *frame,
                                  clconst__slot_kind kind,
                                  size_t index,
                                  void *content,
                                  clconst_error *error)
{
    clconst_status status = make_room(frame, error);
    if (status != CLCONST_OK) {
        release(kind, content);
        return status;
    }
    uint64_t key = make_key(kind, index);
    clconst__slot *slot = find_slot(frame->slots, frame->slot_capacity, key);
    if (slot->content != NULL) {
        release(kind, slot->content);
    } else {
        frame->slot_count++;
    }
    *slot = (clconst__slot){key, content};
    if (kind == CLCONST__SLOT_FACT) {
        clconst__fact_charge(content, frame->budget);
    }
    return CLCONST_OK;
}

clconst_status clconst__frame_find_home(clconst__frame *frame,
                                        size_t graph,
                                        clconst__frame **home,
                                        clconst_error *error)
{
    *home = frame;
    if (frame->graph == graph) {
        return CLCONST_OK;
    }
    clconst__frame *known =
        clconst__frame_get(frame, CLCONST__SLOT_HOME, graph);
    if (known != NULL) {
        *home = known;
        return CLCONST_OK;
    }
    clconst__frame *found = frame;
    while (found->graph != graph && found->parent != NULL) {
        found = found->parent;
        clconst__budget_spend(frame->budget, 1);
    }
    *home = found;
    return clconst__frame_set(frame, CLCONST__SLOT_HOME, graph, found, error);
}
