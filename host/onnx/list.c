#include "onnx/list.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/checked.h"
#include "onnx.pb.h"

/* What the entries of a list become, and where. */
typedef struct list_writer {
    const clconst__context *context;
    const char *list_name;
    clconst_dtype dtype;
    uint8_t *dst;
    size_t index; /* of the next entry; of the next byte for fixed widths */
    size_t end;
    bool is_unsigned;
    bool is_noted;
    int64_t min;
    int64_t max;
} list_writer;

static clconst_status
count_varint(void *context, uint64_t entry, clconst_error *error)
{
    (void)entry;
    (void)error;
    clconst__list *list = context;
    list->count++;
    return CLCONST_OK;
}

clconst_status clconst__take_list(const clconst__occurrence *occurrence,
                                  void *target,
                                  clconst_error *error)
{
    clconst__list *list = target;
    clconst__span bytes = occurrence->bytes;
    if (occurrence->field->wire == PB_WT_STRING) {
        list->count++;
        return CLCONST_OK;
    }
    if (bytes.size == 0) {
        return CLCONST_OK;
    }
    if (list->chunk_count++ == 0) {
        list->chunk = bytes;
    }
    if (occurrence->field->wire == PB_WT_VARINT) {
        return clconst__visit_varints(occurrence, count_varint, list, error);
    }
    size_t width = occurrence->field->wire == PB_WT_32BIT ? 4 : 8;
    if (bytes.size % width != 0) {
        return clconst__fail(error,
                             CLCONST_MALFORMED,
                             "%s.%s has %zu packed bytes; they must be a "
                             "multiple of %zu",
                             occurrence->message,
                             occurrence->field->name,
                             bytes.size,
                             width);
    }
    list->count += bytes.size / width;
    return CLCONST_OK;
}

/*
 * The list was counted in a pass before. A mapped file that another process
 * changes in between must not make the second pass write behind the block.
 */
static clconst_status
check_room(const list_writer *writer, size_t count, clconst_error *error)
{
    if (!clconst__range_fits(writer->index, count, writer->end)) {
        return clconst__fail(error,
                             CLCONST_MALFORMED,
                             "%s changed while it was read",
                             writer->list_name);
    }
    return CLCONST_OK;
}

static clconst_status copy_bytes(const clconst__occurrence *occurrence,
                                 void *target,
                                 clconst_error *error)
{
    list_writer *writer = target;
    clconst_status status = check_room(writer, occurrence->bytes.size, error);
    if (status == CLCONST_OK && occurrence->bytes.size > 0) {
        memcpy(writer->dst + writer->index,
               occurrence->bytes.data,
               occurrence->bytes.size);
    }
    writer->index += occurrence->bytes.size;
    return status;
}

static clconst_status copy_string(const clconst__occurrence *occurrence,
                                  void *target,
                                  clconst_error *error)
{
    list_writer *writer = target;
    clconst_status status = check_room(writer, 1, error);
    if (status == CLCONST_OK) {
        clconst_string string = clconst__span_string(occurrence->bytes);
        memcpy(writer->dst + writer->index * sizeof(string),
               &string,
               sizeof(string));
        writer->index++;
    }
    return status;
}

static bool entry_fits(const list_writer *writer, uint64_t entry)
{
    if (writer->is_unsigned) {
        return entry <= (uint64_t)writer->max;
    }
    return (int64_t)entry >= writer->min && (int64_t)entry <= writer->max;
}

static clconst_status
report_entry(list_writer *writer, uint64_t entry, clconst_error *error)
{
    if (writer->is_noted) {
        return CLCONST_OK;
    }
    writer->is_noted = true;
    char value[24];
    if (writer->is_unsigned) {
        snprintf(value, sizeof(value), "%" PRIu64, entry);
    } else {
        snprintf(value, sizeof(value), "%" PRId64, (int64_t)entry);
    }
    return clconst__fault(writer->context,
                          error,
                          "%s entry %zu is %s; entries of %s must be %" PRId64
                          " to %" PRId64,
                          writer->list_name,
                          writer->index,
                          value,
                          clconst_dtype_name(writer->dtype),
                          writer->min,
                          writer->max);
}

/* One code of 6 bits behind those before it. The bytes were zero. */
static void write_six_bits(uint8_t *dst, size_t index, uint64_t entry)
{
    size_t bit = index * 6;
    unsigned shifted = (unsigned)(entry & 0x3f) << bit % 8;
    dst[bit / 8] |= (uint8_t)shifted;
    if (shifted > 0xff) {
        dst[bit / 8 + 1] |= (uint8_t)(shifted >> 8);
    }
}

static clconst_status
write_entry(void *context, uint64_t entry, clconst_error *error)
{
    list_writer *writer = context;
    clconst_status status = check_room(writer, 1, error);
    unsigned bits = clconst_dtype_bits(writer->dtype);
    if (status == CLCONST_OK && bits < 64 && !entry_fits(writer, entry)) {
        status = report_entry(writer, entry, error);
        if (writer->dtype == CLCONST_BOOL) {
            entry = 1;
        }
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (bits == 6) {
        write_six_bits(writer->dst, writer->index, entry);
    } else {
        /* The host is little-endian, so the low bytes come first. */
        size_t size = bits < 8 ? 1 : bits / 8;
        memcpy(writer->dst + writer->index * size, &entry, size);
    }
    writer->index++;
    return CLCONST_OK;
}

static clconst_status copy_varints(const clconst__occurrence *occurrence,
                                   void *target,
                                   clconst_error *error)
{
    return clconst__visit_varints(occurrence, write_entry, target, error);
}

/*
 * An entry must be the zero- or sign-extension of its element, which of types
 * below 8 bits is a whole byte of them, except for 6-bit types, which have one
 * element per entry. uint32 lies in uint64_data, which has no negative
 * entries.
 */
static void set_range(list_writer *writer)
{
    unsigned bits = clconst_dtype_bits(writer->dtype);
    if (bits < 8 && bits != 6) {
        bits = 8;
    }
    if (bits >= 64) {
        return;
    }
    writer->is_unsigned = writer->dtype == CLCONST_UINT32;
    writer->min = writer->is_unsigned ? 0 : -((int64_t)1 << (bits - 1));
    writer->max = ((int64_t)1 << bits) - 1;
    if (writer->dtype == CLCONST_BOOL) {
        writer->min = 0;
        writer->max = 1;
    }
}

#define LIST_OF(type, list, encoding, taker)                                   \
    {                                                                          \
        .message = #type, .descriptor = onnx_##type##_fields,                  \
        .field = {.name = #list,                                               \
                  .wire = encoding,                                            \
                  .callback_offset = offsetof(onnx_##type, list),              \
                  .take = taker},                                              \
    }

static const struct {
    const char *message;
    const pb_msgdesc_t *descriptor;
    clconst__field field;
} lists[] = {
    [CLCONST__FLOAT_DATA] =
        LIST_OF(TensorProto, float_data, PB_WT_32BIT, copy_bytes),
    [CLCONST__INT32_DATA] =
        LIST_OF(TensorProto, int32_data, PB_WT_VARINT, copy_varints),
    [CLCONST__STRING_DATA] =
        LIST_OF(TensorProto, string_data, PB_WT_STRING, copy_string),
    [CLCONST__INT64_DATA] =
        LIST_OF(TensorProto, int64_data, PB_WT_VARINT, copy_varints),
    [CLCONST__DOUBLE_DATA] =
        LIST_OF(TensorProto, double_data, PB_WT_64BIT, copy_bytes),
    [CLCONST__UINT64_DATA] =
        LIST_OF(TensorProto, uint64_data, PB_WT_VARINT, copy_varints),
    [CLCONST__FLOATS] =
        LIST_OF(AttributeProto, floats, PB_WT_32BIT, copy_bytes),
    [CLCONST__INTS] = LIST_OF(AttributeProto, ints, PB_WT_VARINT, copy_varints),
    [CLCONST__STRINGS] =
        LIST_OF(AttributeProto, strings, PB_WT_STRING, copy_string),
};

const char *clconst__list_name(clconst__list_kind kind)
{
    return lists[kind].field.name;
}

clconst_status clconst__list_densify(clconst__list_kind kind,
                                     const clconst__list *list,
                                     clconst__span message,
                                     clconst_dtype dtype,
                                     size_t size,
                                     const clconst__context *context,
                                     const void **data,
                                     clconst__storage **storage,
                                     clconst_error *error)
{
    const clconst__field *field = &lists[kind].field;
    bool is_dense = field->wire == PB_WT_32BIT || field->wire == PB_WT_64BIT;
    if (is_dense && list->chunk_count == 1) {
        *data = list->chunk.data;
        *storage = NULL;
        return CLCONST_OK;
    }
    /* Strings point into the input; other elements leave it behind. */
    clconst__storage *parent =
        field->wire == PB_WT_STRING ? context->storage : NULL;
    clconst__storage *created;
    void *block;
    clconst_status status =
        clconst__storage_create_block(size, parent, &created, &block, error);
    if (status != CLCONST_OK) {
        return status;
    }
    list_writer writer = {.context = context,
                          .list_name = field->name,
                          .dtype = dtype,
                          .dst = block,
                          .end = is_dense ? size : list->count};
    set_range(&writer);
    union {
        onnx_TensorProto tensor;
        onnx_AttributeProto attribute;
    } proto;
    memset(&proto, 0, sizeof(proto));
    clconst__message reader = {
        lists[kind].message, lists[kind].descriptor, field, 1};
    status = clconst__message_read(&reader, message, &proto, &writer, error);
    if (status != CLCONST_OK) {
        clconst__storage_release(created);
        return status;
    }
    *data = block;
    *storage = created;
    return CLCONST_OK;
}
