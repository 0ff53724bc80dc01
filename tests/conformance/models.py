"""Whole models as bytes on the wire, so that also what no writer writes can be
said, and what the library finds in them."""

import collections

import dense
import generator
import support
import wire
from binding import DEFAULT, Dense
from wire import BYTES, VARINT

INT64 = dense.NUMBERS["INT64"]

# What the library tells of one constant or output.
Found = collections.namedtuple("Found", "constant resolved")


def tensor(dtype, dims, data, name=""):
    """A TensorProto with raw_data, or with string_data."""
    strings = (b"".join(wire.field(6, BYTES, s) for s in data)
               if dtype == dense.STRING else wire.field(9, BYTES, data))
    return b"".join((
        *(wire.field(1, VARINT, d) for d in dims),
        wire.field(2, VARINT, dtype), strings,
        wire.field(8, BYTES, name.encode()) if name else b""))


def int64s(values, name="", dims=None):
    """A TensorProto of int64, of rank 1 unless dims say more."""
    data = b"".join(v.to_bytes(8, "little", signed=True) for v in values)
    return tensor(INT64, [len(values)] if dims is None else dims, data, name)


def int64_shape(values):
    """The value of an input that is a shape."""
    return Dense(INT64, (len(values),), b"".join(
        v.to_bytes(8, "little", signed=True) for v in values))


def attribute(form, payload):
    """An attribute of a tensor or of another field's payload."""
    kind, number = generator.FORMS[form]
    wires = {1: wire.FIXED32, 2: VARINT}
    return generator.attribute(
        form, wire.field(number, wires.get(kind, BYTES), payload))


def reference(form, of):
    """An attribute that refers to an attribute of the function."""
    return generator.attribute(form, wire.field(21, BYTES, of.encode()))


def body(name, graph):
    """An attribute that holds a graph."""
    return (wire.field(1, BYTES, name.encode()) +
            wire.field(6, BYTES, graph) + wire.field(20, VARINT, 5))


def call(domain, op_type, inputs, outputs, attributes=(), name=""):
    """A node of any domain."""
    node = generator.node(op_type, inputs, outputs, attributes, name)
    return node + (wire.field(7, BYTES, domain.encode()) if domain else b"")


def constant(output, tensor_bytes):
    return generator.node("Constant", [], [output],
                          [attribute("value", tensor_bytes)])


def fill(shape, output, tensor_bytes=None):
    """ConstantOfShape, of float zeros unless there is a value."""
    attributes = [attribute("value", tensor_bytes)] if tensor_bytes else []
    return generator.node("ConstantOfShape", [shape], [output], attributes)


def value_info(name, dtype, dims):
    """dims are numbers and symbol names; None for an unknown rank."""
    tensor_type = wire.field(1, VARINT, dtype)
    if dims is not None:
        tensor_type += wire.field(2, BYTES, b"".join(
            wire.field(1, BYTES, wire.field(1, VARINT, d) if
                       isinstance(d, int) else
                       wire.field(2, BYTES, d.encode())) for d in dims))
    return (wire.field(1, BYTES, name.encode()) +
            wire.field(2, BYTES, wire.field(1, BYTES, tensor_type)))


def _repeated(number, payloads):
    return b"".join(wire.field(number, BYTES, p) for p in payloads)


def graph(nodes=(), initializers=(), inputs=(), outputs=(), sparse=()):
    return (_repeated(1, nodes) + wire.field(2, BYTES, b"g") +
            _repeated(5, initializers) + _repeated(11, inputs) +
            _repeated(12, outputs) + _repeated(15, sparse))


def imports(opsets):
    return [wire.field(1, BYTES, domain.encode()) +
            wire.field(2, VARINT, version)
            for domain, version in opsets.items()]


def function(domain, name, nodes, opsets, inputs=(), outputs=(),
             parameters=(), defaults=()):
    """parameters: attributes without a default; defaults: attributes with."""
    return (wire.field(1, BYTES, name.encode()) +
            _repeated(4, (i.encode() for i in inputs)) +
            _repeated(5, (o.encode() for o in outputs)) +
            _repeated(6, (p.encode() for p in parameters)) +
            _repeated(7, nodes) + _repeated(9, imports(opsets)) +
            wire.field(10, BYTES, domain.encode()) + _repeated(11, defaults))


def model(main, opsets=None, ir_version=10, functions=()):
    return (wire.field(1, VARINT, ir_version) +
            _repeated(8, imports({"": 21} if opsets is None else opsets)) +
            wire.field(7, BYTES, main) + _repeated(25, functions))


def find(opened, values=None):
    """(constants by (scope, name), outputs by name) of an opened model."""
    resolution = opened.resolve(values)
    constants = {}
    for index, found in enumerate(opened.constants()):
        key = found.scope, found.name
        if key in constants:
            raise AssertionError(f"{key} is listed twice")
        constants[key] = Found(found, resolution.constant(index))
    outputs = {name: resolution.output(index)
               for index, name in enumerate(opened.outputs())}
    return constants, outputs


def read(data, values=None, mode=DEFAULT):
    """find of a model's bytes."""
    return find(support.library().parse(data, mode), values)
