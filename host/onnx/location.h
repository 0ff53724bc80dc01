/*
 * Locations: where external data lie, as TensorProto.external_data says. It
 * opens nothing.
 */
#ifndef CLCONST_ONNX_LOCATION_H
#define CLCONST_ONNX_LOCATION_H

#include "onnx/message.h"

/* path is relative and stays below its folder, by its text. */
typedef struct clconst__location {
    clconst__span path;
    uint64_t offset;
    uint64_t length;
    bool has_length;
    bool has_checksum;
} clconst__location;

/* From the StringStringEntryProtos of a tensor. INVALID_MODEL. */
clconst_status clconst__location_read(const clconst__spans *entries,
                                      clconst__location *location,
                                      clconst_error *error);

#endif
