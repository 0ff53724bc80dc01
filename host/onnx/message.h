/*
 * Messages, read in place: the one place that calls nanopb's decoder. A table
 * says which fields of a message are wanted and what takes them. Sub-messages
 * are taken as spans and read later, so that nothing here recurses.
 */
#ifndef CLCONST_ONNX_MESSAGE_H
#define CLCONST_ONNX_MESSAGE_H

#include <pb_decode.h>

#include "base/error.h"
#include "onnx/span.h"

#define CLCONST__FIELDS_MAX 20

typedef struct clconst__field clconst__field;

/*
 * One occurrence of a field in a message. bytes is what follows its tag and
 * length; it lies in the input.
 */
typedef struct clconst__occurrence {
    const char *message;
    const clconst__field *field;
    clconst__span bytes;
} clconst__occurrence;

typedef clconst_status (*clconst__take)(const clconst__occurrence *occurrence,
                                        void *target,
                                        clconst_error *error);

/*
 * wire is the encoding of one value. Of a repeated scalar, whose number must
 * be below 16, several values may come in one packed occurrence. The offsets
 * are those of the field's pb_callback_t in nanopb's struct and of what take
 * gets as target in the reader's own struct.
 */
struct clconst__field {
    const char *name;
    pb_wire_type_t wire;
    size_t callback_offset;
    size_t target_offset;
    clconst__take take;
};

typedef struct clconst__message {
    const char *name;
    const pb_msgdesc_t *descriptor;
    const clconst__field *fields;
    size_t field_count;
} clconst__message;

/* A table's row for a field that has the same name in both structs, and the
 * message of a table. */
#define CLCONST__FIELD(type, own, field, encoding, taker)                      \
    {                                                                          \
        .name = #field, .wire = encoding,                                      \
        .callback_offset = offsetof(onnx_##type, field),                       \
        .target_offset = offsetof(own, field), .take = taker                   \
    }
#define CLCONST__MESSAGE(type, table)                                          \
    {                                                                          \
        .name = #type, .descriptor = onnx_##type##_fields, .fields = table,    \
        .field_count = sizeof(table) / sizeof((table)[0])                      \
    }

/*
 * Reads a message. proto is nanopb's zeroed struct and receives the singular
 * scalars, target is the reader's own struct. Fields that the table leaves out
 * are skipped. MALFORMED when the bytes are no protobuf or a field has the
 * wrong wire type, and what take returns.
 */
clconst_status clconst__message_read(const clconst__message *message,
                                     clconst__span bytes,
                                     void *proto,
                                     void *target,
                                     clconst_error *error);

/* Takes a singular field into a clconst__span. MALFORMED the second time. */
clconst_status clconst__take_span(const clconst__occurrence *occurrence,
                                  void *target,
                                  clconst_error *error);

typedef struct clconst__spans {
    clconst__span *items;
    size_t count;
    size_t capacity;
} clconst__spans;

clconst_status clconst__spans_append(clconst__spans *spans,
                                     clconst__span span,
                                     clconst_error *error);

/* Appends an occurrence to a clconst__spans. */
clconst_status clconst__take_spans(const clconst__occurrence *occurrence,
                                   void *target,
                                   clconst_error *error);

void clconst__spans_free(clconst__spans *spans);

typedef clconst_status (*clconst__varint_visitor)(void *context,
                                                  uint64_t entry,
                                                  clconst_error *error);

/* Calls visit for each varint of an occurrence, packed or not. */
clconst_status clconst__visit_varints(const clconst__occurrence *occurrence,
                                      clconst__varint_visitor visit,
                                      void *context,
                                      clconst_error *error);

#endif
