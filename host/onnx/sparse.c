#include "onnx/sparse.h"

#include "base/alloc.h"
#include "onnx.pb.h"
#include "onnx/tensor.h"

typedef struct sparse_tensor {
    clconst__span values;
    clconst__dims dims;
} sparse_tensor;

#define FIELD(name, wire, take)                                                \
    CLCONST__FIELD(SparseTensorProto, sparse_tensor, name, wire, take)

static const clconst__field fields[] = {
    FIELD(values, PB_WT_STRING, clconst__take_span),
    FIELD(dims, PB_WT_VARINT, clconst__take_dims),
};

static const clconst__message sparse_message =
    CLCONST__MESSAGE(SparseTensorProto, fields);

/* The dtype and name of the values, whose data stay unread. */
static clconst_status read_values(clconst__span bytes,
                                  clconst__span *name,
                                  clconst_dtype *dtype,
                                  clconst_error *error)
{
    clconst__tensor values = {0};
    clconst_status status = clconst__tensor_read(bytes, &values, error);
    *name = values.name;
    *dtype = (clconst_dtype)values.data_type;
    clconst__tensor_free(&values);
    return status;
}

clconst_status clconst__sparse_describe(clconst__span bytes,
                                        clconst__span *name,
                                        clconst__content *content,
                                        clconst_error *error)
{
    onnx_SparseTensorProto proto = onnx_SparseTensorProto_init_zero;
    sparse_tensor sparse = {0};
    clconst_dtype dtype = CLCONST_UNDEFINED;
    *name = (clconst__span){NULL, 0};
    clconst_status status =
        clconst__message_read(&sparse_message, bytes, &proto, &sparse, error);
    if (status == CLCONST_OK) {
        status = read_values(sparse.values, name, &dtype, error);
    }
    if (status == CLCONST_OK) {
        clconst_shape shape = {sparse.dims.items, sparse.dims.count};
        size_t size;
        status = clconst__blame_model(
            clconst_byte_size(dtype, &shape, &size, error), error);
    }
    if (status != CLCONST_OK) {
        clconst__free(sparse.dims.items);
        return status;
    }
    content->storage = "sparse";
    content->dtype = dtype;
    content->has_dims = true;
    content->dims = sparse.dims;
    return clconst__fail(error,
                         CLCONST_UNSUPPORTED,
                         "tensor is sparse; only dense tensors are read");
}
