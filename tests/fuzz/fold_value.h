/*
 * Numbers, tensors and attributes of nodes, chosen by the bytes of a fuzzer.
 */
#ifndef CLCONST_TESTS_FUZZ_FOLD_VALUE_H
#define CLCONST_TESTS_FUZZ_FOLD_VALUE_H

#include "fuzz/invariants.h"
#include "harness/proto.h"

/* Small, or one of the numbers where something ends. */
int64_t fold_take_number(fuzz_input *input);

/* A TensorProto of few elements. */
void fold_put_tensor(fuzz_input *input, proto_buffer *tensor);

/* One that some operator reads, as a field of a node. */
void fold_put_attribute(fuzz_input *input, proto_buffer *node);

#endif
