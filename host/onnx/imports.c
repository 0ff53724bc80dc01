#include "onnx/imports.h"

#include <inttypes.h>

#include "onnx.pb.h"
#include "onnx/node.h"

typedef struct import_parts {
    clconst__span domain;
} import_parts;

static const clconst__field fields[] = {
    CLCONST__FIELD(OperatorSetIdProto,
                   import_parts,
                   domain,
                   PB_WT_STRING,
                   clconst__take_span),
};

static const clconst__message import_message =
    CLCONST__MESSAGE(OperatorSetIdProto, fields);

clconst_status clconst__imports_read(const clconst__spans *imports,
                                     int64_t *opset,
                                     clconst_error *error)
{
    int64_t found = 0;
    for (size_t i = 0; i < imports->count; i++) {
        onnx_OperatorSetIdProto proto = onnx_OperatorSetIdProto_init_zero;
        import_parts parts = {{NULL, 0}};
        clconst_status status = clconst__message_read(
            &import_message, imports->items[i], &proto, &parts, error);
        if (status != CLCONST_OK) {
            return status;
        }
        if (!clconst__is_default_domain(parts.domain)) {
            continue;
        }
        if (proto.version < 1) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "opset is %" PRId64 "; it must be >= 1",
                                 proto.version);
        }
        if (found != 0 && found != proto.version) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "opset is %" PRId64 " and %" PRId64
                                 "; the default domain has one version",
                                 found,
                                 proto.version);
        }
        found = proto.version;
    }
    *opset = found;
    return CLCONST_OK;
}
