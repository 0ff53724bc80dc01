"""ONNX files, written field by field from the numbers in onnx.proto; no
package of ONNX is needed, and models that it would refuse can be made."""

import struct

FLOAT, UINT8, INT8, INT32, INT64, STRING, BOOL = 1, 2, 3, 6, 7, 8, 9
BFLOAT16, INT4 = 16, 22


def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def integer(field, number):
    return varint(field << 3) + varint(number)


def block(field, content):
    if isinstance(content, str):
        content = content.encode()
    return varint(field << 3 | 2) + varint(len(content)) + content


def blocks(field, contents):
    return b"".join(block(field, content) for content in contents)


def tensor(dtype, dims, raw=None, *, name=None, strings=(), int64s=(),
           rest=b""):
    """TensorProto."""
    out = b"".join(integer(1, dim) for dim in dims) + integer(2, dtype)
    out += blocks(6, strings)
    if int64s:
        out += block(7, b"".join(map(varint, int64s)))
    if name is not None:
        out += block(8, name)
    if raw is not None:
        out += block(9, raw)
    return out + rest


def int64s(*numbers):
    return struct.pack(f"<{len(numbers)}q", *numbers)


def attribute(name, kind, content):
    """AttributeProto: kind is its type's number."""
    return block(1, name) + content + integer(20, kind)


def value(content):
    return attribute("value", 4, block(5, content))


def node(op_type, inputs, outputs, *attributes, domain=""):
    """NodeProto."""
    return (blocks(1, inputs) + blocks(2, outputs) + block(4, op_type) +
            blocks(5, attributes) + block(7, domain))


def value_info(name, dtype, dims=None):
    """ValueInfoProto of a tensor; dims are numbers, names or None."""
    kind = integer(1, dtype)
    if dims is not None:
        shape = b""
        for dim in dims:
            if dim is None:
                shape += block(1, b"")
            elif isinstance(dim, int):
                shape += block(1, integer(1, dim))
            else:
                shape += block(1, block(2, dim))
        kind += block(2, shape)
    return block(1, name) + block(2, block(1, kind))


def graph(nodes=(), initializers=(), inputs=(), outputs=()):
    """GraphProto."""
    return (blocks(1, nodes) + block(2, "graph") + blocks(5, initializers) +
            blocks(11, inputs) + blocks(12, outputs))


def model(content, opset=21, ir_version=10):
    """ModelProto of a graph."""
    return (integer(1, ir_version) + block(7, content) +
            block(8, block(1, "") + integer(2, opset)))


def fields(content):
    """The (field, value) pairs of a message: ints, or bytes."""
    at = 0

    def number():
        nonlocal at
        out = shift = 0
        while True:
            byte = content[at]
            at += 1
            out |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return out

    while at < len(content):
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
        elif key & 7 == 2:
            size = number()
            at += size
            yield key >> 3, content[at - size:at]
        else:
            raise ValueError(f"wire type {key & 7}")
