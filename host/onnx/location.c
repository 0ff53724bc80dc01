#include "onnx/location.h"

#include "onnx.pb.h"
#include "onnx/quote.h"

typedef struct entry_parts {
    clconst__span key;
    clconst__span value;
} entry_parts;

#define PART(name)                                                             \
    CLCONST__FIELD(StringStringEntryProto,                                     \
                   entry_parts,                                                \
                   name,                                                       \
                   PB_WT_STRING,                                               \
                   clconst__take_span)

static const clconst__field fields[] = {PART(key), PART(value)};

static const clconst__message entry_message =
    CLCONST__MESSAGE(StringStringEntryProto, fields);

/* The keys of ExternalData.md; others are passed over. */
typedef enum entry_key {
    LOCATION,
    OFFSET,
    LENGTH,
    CHECKSUM,
    KEY_COUNT
} entry_key;

static const char *const key_names[KEY_COUNT] = {
    [LOCATION] = "location",
    [OFFSET] = "offset",
    [LENGTH] = "length",
    [CHECKSUM] = "checksum",
};

/* The values of the known keys. */
typedef struct entry_table {
    bool is_set[KEY_COUNT];
    clconst__span values[KEY_COUNT];
} entry_table;

static clconst_status
add_entry(entry_table *table, clconst__span bytes, clconst_error *error)
{
    onnx_StringStringEntryProto proto = onnx_StringStringEntryProto_init_zero;
    entry_parts parts = {0};
    clconst_status status =
        clconst__message_read(&entry_message, bytes, &proto, &parts, error);
    if (status != CLCONST_OK) {
        return status;
    }
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (!clconst__span_equals(parts.key, clconst__span_of(key_names[i]))) {
            continue;
        }
        if (table->is_set[i]) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "external_data has %s twice; keys are unique",
                                 key_names[i]);
        }
        table->is_set[i] = true;
        table->values[i] = parts.value;
    }
    return CLCONST_OK;
}

static bool has_byte(clconst__span path, char byte)
{
    return path.size > 0 && memchr(path.data, byte, path.size) != NULL;
}

static bool is_letter(uint8_t byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static bool has_parent_component(clconst__span path)
{
    size_t begin = 0;
    for (size_t i = 0; i <= path.size; i++) {
        if (i < path.size && path.data[i] != '/') {
            continue;
        }
        if (i - begin == 2 && memcmp(path.data + begin, "..", 2) == 0) {
            return true;
        }
        begin = i + 1;
    }
    return false;
}

/* What is wrong with a path that has bytes, or NULL. */
static const char *find_fault(clconst__span path)
{
    if (has_byte(path, '\0')) {
        return "has a NUL; paths have none";
    }
    if (path.data[0] == '/') {
        return "is absolute; it must be relative to the model's folder";
    }
    if (has_byte(path, '\\')) {
        return "has a backslash; folders are separated by /";
    }
    if (path.size >= 2 && path.data[1] == ':' && is_letter(path.data[0])) {
        return "has a drive letter; it must be relative to the model's folder";
    }
    if (has_parent_component(path)) {
        return "has a component ..; it must stay below the model's folder";
    }
    if (path.data[path.size - 1] == '/') {
        return "ends in /; it must name a file";
    }
    return NULL;
}

static clconst_status check_path(const entry_table *table, clconst_error *error)
{
    if (!table->is_set[LOCATION]) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "external_data has no location; it must have one");
    }
    clconst__span path = table->values[LOCATION];
    if (path.size == 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "location is empty; it must name a file");
    }
    const char *fault = find_fault(path);
    if (fault != NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "location %s %s",
                             clconst__quote(path).text,
                             fault);
    }
    return CLCONST_OK;
}

static bool parse_decimal(clconst__span text, uint64_t *number)
{
    uint64_t parsed = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' ||
            __builtin_mul_overflow(parsed, 10, &parsed) ||
            __builtin_add_overflow(parsed, text.data[i] - '0', &parsed)) {
            return false;
        }
    }
    *number = parsed;
    return text.size > 0;
}

/* A key that is absent is 0. */
static clconst_status read_number(const entry_table *table,
                                  entry_key key,
                                  uint64_t *number,
                                  clconst_error *error)
{
    *number = 0;
    if (table->is_set[key] && !parse_decimal(table->values[key], number)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s is %s; it must be a decimal number below 2^64",
                             key_names[key],
                             clconst__quote(table->values[key]).text);
    }
    return CLCONST_OK;
}

clconst_status clconst__location_read(const clconst__spans *entries,
                                      clconst__location *location,
                                      clconst_error *error)
{
    entry_table table = {0};
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < entries->count && status == CLCONST_OK; i++) {
        status = add_entry(&table, entries->items[i], error);
    }
    if (status == CLCONST_OK) {
        status = check_path(&table, error);
    }
    clconst__location found = {.path = table.values[LOCATION],
                               .has_length = table.is_set[LENGTH],
                               .has_checksum = table.is_set[CHECKSUM]};
    if (status == CLCONST_OK) {
        status = read_number(&table, OFFSET, &found.offset, error);
    }
    if (status == CLCONST_OK) {
        status = read_number(&table, LENGTH, &found.length, error);
    }
    if (status == CLCONST_OK) {
        *location = found;
    }
    return status;
}
