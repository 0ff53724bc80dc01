#include "onnx/names.h"

#include "base/alloc.h"

/* A keyed hash, since a model may choose names that collide under a known one.
 */
static uint64_t hash_name(const clconst__hash_keys *keys, clconst__span name)
{
    return clconst__hash(keys, name.data, name.size);
}

void clconst__names_init(clconst__names *names)
{
    memset(names, 0, sizeof(*names));
    names->keys = clconst__hash_keys_of(names);
}

void clconst__names_free(clconst__names *names)
{
    clconst__free(names->entries);
    clconst__free(names->changes);
    clconst__free(names->slots);
}

/* The slot of a name, or the empty one where it would be. At least one slot is
 * empty. */
static size_t
find_slot(const clconst__names *names, clconst__span name, uint64_t hash)
{
    size_t slot = (size_t)hash & (names->slot_count - 1);
    while (names->slots[slot] != CLCONST__NONE) {
        const clconst__name_entry *entry = &names->entries[names->slots[slot]];
        if (entry->hash == hash && clconst__span_equals(entry->name, name)) {
            break;
        }
        slot = (slot + 1) & (names->slot_count - 1);
    }
    return slot;
}

size_t clconst__names_find(const clconst__names *names, clconst__span name)
{
    if (names->slot_count == 0) {
        return CLCONST__NONE;
    }
    size_t slot = find_slot(names, name, hash_name(&names->keys, name));
    size_t entry = names->slots[slot];
    return entry != CLCONST__NONE ? names->entries[entry].value : CLCONST__NONE;
}

/* Keeps at least half of the slots empty. */
static clconst_status grow_slots(clconst__names *names, clconst_error *error)
{
    if (names->entry_count < names->slot_count / 2) {
        return CLCONST_OK;
    }
    size_t count = names->slot_count > 0 ? names->slot_count * 2 : 16;
    size_t *slots;
    clconst_status status =
        clconst__alloc(count, sizeof(*slots), &slots, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__free(names->slots);
    names->slots = slots;
    names->slot_count = count;
    for (size_t i = 0; i < count; i++) {
        slots[i] = CLCONST__NONE;
    }
    for (size_t i = 0; i < names->entry_count; i++) {
        const clconst__name_entry *entry = &names->entries[i];
        slots[find_slot(names, entry->name, entry->hash)] = i;
    }
    return CLCONST_OK;
}

/* The entry of a name, which stands for nothing when it is new. */
static clconst_status add_entry(clconst__names *names,
                                clconst__span name,
                                size_t *entry,
                                clconst_error *error)
{
    clconst_status status = grow_slots(names, error);
    if (status != CLCONST_OK) {
        return status;
    }
    uint64_t hash = hash_name(&names->keys, name);
    size_t slot = find_slot(names, name, hash);
    if (names->slots[slot] == CLCONST__NONE) {
        status = clconst__grow(&names->entries,
                               &names->entry_capacity,
                               names->entry_count + 1,
                               sizeof(*names->entries),
                               error);
        if (status != CLCONST_OK) {
            return status;
        }
        names->slots[slot] = names->entry_count;
        names->entries[names->entry_count++] =
            (clconst__name_entry){name, hash, CLCONST__NONE};
    }
    *entry = names->slots[slot];
    return CLCONST_OK;
}

clconst_status clconst__names_define(clconst__names *names,
                                     clconst__span name,
                                     size_t value,
                                     clconst_error *error)
{
    size_t entry;
    clconst_status status = add_entry(names, name, &entry, error);
    if (status == CLCONST_OK) {
        status = clconst__grow(&names->changes,
                               &names->change_capacity,
                               names->change_count + 1,
                               sizeof(*names->changes),
                               error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    names->changes[names->change_count++] =
        (clconst__name_change){entry, names->entries[entry].value};
    names->entries[entry].value = value;
    return CLCONST_OK;
}

size_t clconst__names_mark(const clconst__names *names)
{
    return names->change_count;
}

void clconst__names_rewind(clconst__names *names, size_t mark)
{
    while (names->change_count > mark) {
        const clconst__name_change *change =
            &names->changes[--names->change_count];
        names->entries[change->entry].value = change->value;
    }
}
