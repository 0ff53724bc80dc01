"""Random damage to the bytes of valid nodes. Whatever the library still takes,
google's protobuf and numpy_helper must read as the same value: a reader in
place must not differ silently.
"""

import collections
import math
import unittest

import binding
import dense
import generator
import onnx
import oracles
import support
import wire
from binding import Dense
from onnx import numpy_helper
from test_tables import LEFT_OUT

# The single values among the forms.
SCALARS = ("value_int", "value_float", "value_string")


def flip(rng, data, at, to):
    data[at] ^= 1 << rng.randrange(8)


def put(rng, data, at, to):
    data[at] = rng.choice((0, 1, 2, 0x7F, 0x80, 0xFF, rng.randrange(256)))


def drop(rng, data, at, to):
    del data[at:at + 1]


def insert(rng, data, at, to):
    data.insert(at, rng.choice((0, 1, 0x80, 0xFF, rng.randrange(256))))


def repeat(rng, data, at, to):
    data[at:at] = data[at:to]


def cut(rng, data, at, to):
    del data[at:to]


# Bits and bytes more often: other damage breaks the framing as a rule.
DAMAGES = (flip, flip, flip, put, put, drop, insert, repeat, cut)


def damaged(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2))):
        if data:
            at, to = sorted(rng.randrange(len(data)) for _ in range(2))
            rng.choice(DAMAGES)(rng, data, at, to)
    return bytes(data)


def read_part(data, descriptor):
    """The message without what the library leaves out, which may be damaged
    where the library does not look."""
    left_out = LEFT_OUT.get(descriptor.name, set())
    out = []
    for number, kind, payload in wire.fields(data):
        known = descriptor.fields_by_number.get(number)
        if known is None or known.name in left_out:
            continue
        if known.type == wire.MESSAGE and kind == wire.BYTES:
            payload = read_part(payload, known.message_type)
        out.append(wire.field(number, kind, payload))
    return b"".join(out)


def tensor_value(tensor):
    if tensor.data_type == dense.STRING:
        return Dense(dense.STRING, tuple(tensor.dims),
                     list(tensor.string_data))
    if 0 in tensor.dims:
        # NumPy multiplies what comes before the zero (facts 8.7).
        return Dense(tensor.data_type, tuple(tensor.dims), b"")
    if not tensor.raw_data:
        # numpy_helper takes an empty one for the data.
        tensor.ClearField("raw_data")
    return oracles.of_array(numpy_helper.to_array(tensor), tensor.data_type)


def sparse_value(tensor):
    values = tensor_value(tensor.values)
    codes = values.data if values.dtype == dense.STRING else dense.unpack(
        values.data, dense.width(values.dtype), math.prod(values.dims))
    linear = []
    if tensor.HasField("indices"):
        for row in numpy_helper.to_array(tensor.indices):
            at = 0
            if row.ndim == 0:
                at = int(row)
            else:
                for index, dim in zip(row, tensor.dims):
                    at = at * dim + int(index)
            linear.append(at)
    elements = dense.scattered(codes, linear, tensor.dims, values.dtype)
    return Dense(values.dtype, tuple(tensor.dims),
                 dense.data_of(elements, values.dtype))


def attribute_value(attribute):
    """The value of an attribute as protobuf reads it, by its bits."""
    form = attribute.name
    if form == "value":
        return tensor_value(attribute.t)
    if form == "sparse_value":
        return sparse_value(attribute.sparse_tensor)
    dtype = generator.LIST_DTYPES[form]
    number = generator.FORMS[form][1]
    # The canonical bytes keep the bits of floats, which Python would widen.
    codes = [payload for n, _, payload
             in wire.fields(attribute.SerializeToString()) if n == number]
    if dtype == dense.NUMBERS["FLOAT"]:
        codes = [int.from_bytes(code, "little") for code in codes]
    if form in SCALARS:
        return Dense(dtype, (), dense.data_of(
            codes or [dense.zero(dtype)], dtype))
    return Dense(dtype, (len(codes),), dense.data_of(codes, dtype))


def node_value(node, shape):
    attributes = [a for a in node.attribute if not a.name.startswith("__")]
    if node.op_type == "Constant":
        [attribute] = attributes
        return attribute_value(attribute)
    value = (attribute_value(attributes[0]) if attributes
             else Dense(dense.NUMBERS["FLOAT"], (1,), bytes(4)))
    codes = dense.unpack(value.data, dense.width(value.dtype), 1)
    return Dense(value.dtype, tuple(shape), dense.data_of(
        codes * math.prod(shape), value.dtype))


class Mutated(unittest.TestCase):
    def check(self, data, case, mode):
        try:
            op = support.library().decode(data, case.opset, mode)
        except binding.Error as error:
            return error.status
        shape = [2, 1] if op.kind() == "fill" else None
        made = support.engine("cpu").run(op.plan(shape))
        node = onnx.NodeProto.FromString(
            read_part(data, onnx.NodeProto.DESCRIPTOR))
        self.assertEqual(made, node_value(node, shape))
        return "OK"

    def test_what_is_taken_is_read_as_protobuf_reads_it(self):
        random, count = support.generator()
        counts = collections.Counter()
        for number, case in enumerate(
                generator.cases(random, 5 * count)):
            data = damaged(random, case.node)
            mode = random.choice((binding.DEFAULT, binding.STRICT))
            with self.subTest(seed=support.arguments.seed, number=number,
                              node=data.hex(), opset=case.opset):
                counts[self.check(data, case, mode)] += 1
        print(dict(counts))
        # Bytes that break no rule, and bytes that break one.
        for status in ("OK", "INVALID_MODEL", "MALFORMED"):
            self.assertGreater(counts[status], count // 10)


if __name__ == "__main__":
    support.main()
