#include "onnx/message.h"

#include <assert.h>

#include "base/alloc.h"

typedef struct message_reading {
    const clconst__message *message;
    pb_istream_t stream;
    clconst_status status;
    clconst_error *error;
} message_reading;

typedef struct binding {
    message_reading *reading;
    const clconst__field *field;
    void *target;
} binding;

/*
 * True when the bytes are of the table's encoding, in one or many values. A
 * repeated scalar without packing is known by its tag, the byte before it:
 * numbers below 16 take one byte.
 */
static bool has_right_wire(const clconst__field *field,
                           uint32_t number,
                           clconst__span bytes,
                           bool is_delimited)
{
    if (is_delimited || field->wire == PB_WT_STRING) {
        return is_delimited;
    }
    assert(number < 16);
    return bytes.data[-1] == (number << 3 | (uint32_t)field->wire);
}

static bool
take_field(pb_istream_t *stream, const pb_field_t *nanopb_field, void **arg)
{
    const binding *bound = *arg;
    message_reading *reading = bound->reading;
    const uint8_t *position = reading->stream.state;
    clconst__span bytes = {position, stream->bytes_left};
    /*
     * A length-delimited field comes as a stream that begins at the message's
     * own position; a scalar as a stream over a small copy, with the message's
     * position behind the original.
     */
    bool is_delimited = stream->state == position;
    if (!is_delimited) {
        bytes.data -= bytes.size;
    }
    if (!has_right_wire(bound->field, nanopb_field->tag, bytes, is_delimited)) {
        reading->status = clconst__fail(reading->error,
                                        CLCONST_MALFORMED,
                                        "%s.%s has the wrong wire type",
                                        reading->message->name,
                                        bound->field->name);
        return false;
    }
    clconst__occurrence occurrence = {
        reading->message->name, bound->field, bytes};
    reading->status =
        bound->field->take(&occurrence, bound->target, reading->error);
    return reading->status == CLCONST_OK &&
           pb_read(stream, NULL, stream->bytes_left);
}

clconst_status clconst__message_read(const clconst__message *message,
                                     clconst__span bytes,
                                     void *proto,
                                     void *target,
                                     clconst_error *error)
{
    assert(message->field_count <= CLCONST__FIELDS_MAX);
    message_reading reading = {message,
                               pb_istream_from_buffer(bytes.data, bytes.size),
                               CLCONST_OK,
                               error};
    binding bindings[CLCONST__FIELDS_MAX];
    for (size_t i = 0; i < message->field_count; i++) {
        const clconst__field *field = &message->fields[i];
        bindings[i].reading = &reading;
        bindings[i].field = field;
        bindings[i].target = (char *)target + field->target_offset;
        pb_callback_t callback = {{take_field}, &bindings[i]};
        memcpy((char *)proto + field->callback_offset,
               &callback,
               sizeof(callback));
    }
    if (pb_decode(&reading.stream, message->descriptor, proto)) {
        return CLCONST_OK;
    }
    if (reading.status != CLCONST_OK) {
        return reading.status;
    }
    /* No bytes at all are a message, so there is a position here. */
    const uint8_t *position = reading.stream.state;
    return clconst__fail(error,
                         CLCONST_MALFORMED,
                         "%s is no protobuf near its byte %zu: %s",
                         message->name,
                         (size_t)(position - bytes.data),
                         PB_GET_ERROR(&reading.stream));
}

clconst_status clconst__take_span(const clconst__occurrence *occurrence,
                                  void *target,
                                  clconst_error *error)
{
    clconst__span *span = target;
    if (span->data != NULL) {
        return clconst__fail(error,
                             CLCONST_MALFORMED,
                             "%s.%s is there twice; it must not be repeated",
                             occurrence->message,
                             occurrence->field->name);
    }
    *span = occurrence->bytes;
    return CLCONST_OK;
}

clconst_status clconst__spans_append(clconst__spans *spans,
                                     clconst__span span,
                                     clconst_error *error)
{
    clconst_status status = clconst__grow(&spans->items,
                                          &spans->capacity,
                                          spans->count + 1,
                                          sizeof(*spans->items),
                                          error);
    if (status == CLCONST_OK) {
        spans->items[spans->count++] = span;
    }
    return status;
}

clconst_status clconst__take_spans(const clconst__occurrence *occurrence,
                                   void *target,
                                   clconst_error *error)
{
    return clconst__spans_append(target, occurrence->bytes, error);
}

void clconst__spans_free(clconst__spans *spans)
{
    clconst__free(spans->items);
}

clconst_status clconst__visit_varints(const clconst__occurrence *occurrence,
                                      clconst__varint_visitor visit,
                                      void *context,
                                      clconst_error *error)
{
    pb_istream_t stream =
        pb_istream_from_buffer(occurrence->bytes.data, occurrence->bytes.size);
    clconst_status status = CLCONST_OK;
    while (stream.bytes_left > 0 && status == CLCONST_OK) {
        uint64_t entry;
        if (!pb_decode_varint(&stream, &entry)) {
            return clconst__fail(error,
                                 CLCONST_MALFORMED,
                                 "%s.%s is no protobuf: %s",
                                 occurrence->message,
                                 occurrence->field->name,
                                 PB_GET_ERROR(&stream));
        }
        status = visit(context, entry, error);
    }
    return status;
}
