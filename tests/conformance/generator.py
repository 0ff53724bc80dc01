"""Random valid nodes of both operators, as bytes on the wire, with the bytes
that they must come to. All content is chosen as element codes, so that the
expected bytes need no tool; the tools are asked about the same bytes later.
"""

import collections
import itertools
import math

import dense
import onnx
import wire
from binding import Dense
from wire import BYTES, FIXED32, VARINT

# AttributeProto.AttributeType and the field that holds the value.
FORMS = {
    "value": (4, 5),
    "sparse_value": (11, 22),
    "value_float": (1, 2),
    "value_floats": (6, 7),
    "value_int": (2, 3),
    "value_ints": (7, 8),
    "value_string": (3, 4),
    "value_strings": (8, 9),
}

# A signalling NaN, and a quiet one with a payload.
NANS = {
    "FLOAT16": (0x7C01, 0xFE42),
    "BFLOAT16": (0x7F81, 0xFFC7),
    "FLOAT": (0x7F800001, 0xFFC12345),
    "COMPLEX64": (0x7F800001_FFC12345, 0xFFC12345_7F800001),
    "DOUBLE": (0x7FF0000000000001, 0xFFF8000012345678),
}

# A serialized TensorProto and what it comes to. encoding: `raw`, `typed`,
# `extended` for typed values with the sign extended, or `absent`.
Tensor = collections.namedtuple("Tensor", "encoding data expected")

# A node and what it comes to. tensor is the one that it holds in the form
# `value`, else None; shape is the input of ConstantOfShape; is_listed says
# whether the operator's version lists the dtype; is_text says that a tool
# may make text of the strings and bytes again.
Case = collections.namedtuple(
    "Case", "op_type form opset dtype encoding node tensor shape expected "
    "is_listed is_text")

# The versions of both operators as the installed onnx lists them:
# op_type -> since_version -> (attributes, dtypes).
SCHEMAS = collections.defaultdict(dict)
for _schema in onnx.defs.get_all_schemas_with_history():
    if (_schema.domain, _schema.name) in (("", "Constant"),
                                          ("", "ConstantOfShape")):
        _listed = next(c.allowed_type_strs for c in _schema.type_constraints
                       if c.type_param_str == _schema.outputs[0].type_str)
        SCHEMAS[_schema.name][_schema.since_version] = (
            set(_schema.attributes),
            {dense.NUMBERS[text[len("tensor("):-1].upper()]
             for text in _listed})
OPSET_NEWEST = onnx.defs.onnx_opset_version()


def bind(op_type, opset):
    """The schema that an opset binds."""
    return SCHEMAS[op_type][max(v for v in SCHEMAS[op_type] if v <= opset)]


def text(rng):
    """Bytes of a string: often no UTF-8, or with NULs."""
    return rng.choice((
        lambda: b"",
        lambda: b"hello",
        lambda: "αβγ".encode(),
        lambda: b"a\0b\0",
        lambda: b"\xff\xfe" + rng.randbytes(3),
        lambda: rng.randbytes(rng.randint(0, 40)),
        lambda: b"x" * rng.randint(100, 300)))()


def code(rng, dtype):
    """One element: its bits, of strings its bytes."""
    if dtype == dense.STRING:
        return text(rng)
    if dtype == dense.BOOL:
        return rng.randint(0, 1)
    bits = dense.width(dtype)
    top = 1 << (bits - 1)
    return rng.choice((0, top, 2 * top - 1, top - 1, 1,
                       *NANS.get(dense.DTYPES[dtype][0], ()),
                       *(rng.getrandbits(bits) for _ in range(8))))


def dims(rng, low=0, high=6):
    """Rank 0 to 4; low is the least dim."""
    return [rng.choice((low, 1, 2, 3, rng.randint(low, high)))
            if rng.random() < 0.9 else 0 if low == 0 else 1
            for _ in range(rng.randint(0, 4))]


def extended(rng, value, bits):
    """A varint entry: the zero-extension of these bits or, where the top bit
    is set, perhaps the sign-extension, as writers of both kinds do."""
    if value >> (bits - 1) and rng.random() < 0.5:
        return value - (1 << bits)
    return value


def typed_field(rng, codes, dtype):
    """(whether a sign is extended, the typed field of a tensor in packed form
    where there is one)"""
    bits = dense.width(dtype)
    name = dense.DTYPES[dtype][2]
    number = onnx.TensorProto.DESCRIPTOR.fields_by_name[name].number
    if name == "string_data":
        return False, b"".join(wire.field(number, BYTES, c) for c in codes)
    if name in ("float_data", "double_data"):
        return False, wire.field(number, BYTES, dense.pack(codes, bits))
    # Of these two dtypes the bits above the element must be zero.
    if name == "int32_data" and dtype != dense.BOOL and bits != 6:
        if bits in (2, 4):
            codes, bits = padded(rng, codes, bits), 8
        codes = [extended(rng, c, bits) for c in codes]
    return any(c < 0 for c in codes), wire.packed(number, codes)


def padded(rng, codes, bits):
    """Dense bytes whose unused bits are anything; of 6-bit types, zero."""
    data = bytearray(dense.pack(codes, bits))
    used = bits * len(codes) % 8
    if used and bits != 6 and rng.random() < 0.5:
        data[-1] |= rng.getrandbits(8 - used) << used
    return bytes(data)


def tensor(rng, dtype, shape, codes, name=""):
    """A Tensor in a random encoding."""
    fields = [wire.field(1, VARINT, d) for d in shape]
    fields.append(wire.field(2, VARINT, dtype))
    encoding = "typed"
    if dtype != dense.STRING and rng.random() < 0.5:
        encoding = "raw"
    if not codes and rng.random() < 0.3:
        encoding = "absent"
    if encoding == "raw":
        fields.append(wire.field(9, BYTES, padded(
            rng, codes, dense.width(dtype))))
    elif encoding == "typed":
        is_extended, data = typed_field(rng, codes, dtype)
        encoding = "extended" if is_extended else "typed"
        fields.append(data)
    if name:
        fields.append(wire.field(8, BYTES, name.encode()))
    if rng.random() < 0.1:
        fields.append(wire.field(12, BYTES, b"said of it"))
    return Tensor(encoding, b"".join(fields), Dense(
        dtype, tuple(shape), dense.data_of(codes, dtype)))


def attribute(form, payload):
    """An AttributeProto that holds this encoded field."""
    kind, _ = FORMS[form]
    return (wire.field(1, BYTES, form.encode()) + payload +
            wire.field(20, VARINT, kind))


def node(op_type, inputs, outputs, attributes, name=""):
    return b"".join((
        *(wire.field(1, BYTES, i.encode()) for i in inputs),
        *(wire.field(2, BYTES, o.encode()) for o in outputs),
        wire.field(3, BYTES, name.encode()) if name else b"",
        wire.field(4, BYTES, op_type.encode()),
        *(wire.field(5, BYTES, a) for a in attributes)))


def list_payload(form, codes):
    """The encoded field of the six forms without a tensor."""
    _, number = FORMS[form]
    if form in ("value_float", "value_floats"):
        data = [c.to_bytes(4, "little") for c in codes]
        return b"".join(wire.field(number, FIXED32, d) for d in data)
    kind = VARINT if form in ("value_int", "value_ints") else BYTES
    return b"".join(wire.field(number, kind, c) for c in codes)


LIST_DTYPES = {"value_float": 1, "value_floats": 1, "value_int": 7,
               "value_ints": 7, "value_string": 8, "value_strings": 8}


def pick_dtype(rng, op_type, listed):
    """Mostly one that the version lists."""
    if rng.random() < 0.85:
        return rng.choice(sorted(listed))
    others = set(dense.DTYPES) - listed
    if op_type == "ConstantOfShape":
        others.discard(dense.STRING)
    return rng.choice(sorted(others or listed))


def sparse_indices(rng, linear, shape):
    """(dims, codes) of the indices: linear, or coordinates."""
    if not linear and rng.random() < 0.3:
        return None
    if rng.random() < 0.5:
        return [len(linear)], linear
    coordinates = []
    for index in linear:
        row = []
        for size in reversed(shape):
            row.append(index % size)
            index //= size
        coordinates += reversed(row)
    return [len(linear), len(shape)], coordinates


def sparse(rng, dtype, name=""):
    """A SparseTensorProto as a Tensor; the encoding is that of the values."""
    shape = [rng.randint(1, 6) for _ in range(rng.randint(1, 4))]
    total = math.prod(shape)
    linear = sorted(rng.sample(
        range(total), rng.choice((0, 1, min(total, 3),
                                  rng.randint(0, total)))))
    codes = [code(rng, dtype) for _ in linear]
    values = tensor(rng, dtype, [len(linear)], codes, name)
    fields = [wire.field(1, BYTES, values.data)]
    indices = sparse_indices(rng, linear, shape)
    if indices is not None:
        data = tensor(rng, dense.NUMBERS["INT64"], *indices).data
        fields.append(wire.field(2, BYTES, data))
    fields += [wire.field(3, VARINT, d) for d in shape]
    elements = dense.scattered(codes, linear, shape, dtype)
    return Tensor(values.encoding, b"".join(fields), Dense(
        dtype, tuple(shape), dense.data_of(elements, dtype)))


def is_text(value):
    """Whether text can be made of the strings, and NumPy keeps it: it drops
    NULs at the end."""
    def is_kept(data):
        try:
            return not data.decode().endswith("\0")
        except UnicodeDecodeError:
            return False
    return value.dtype != dense.STRING or all(map(is_kept, value.data))


def constant(rng, opset, dtype=None):
    """A case of any form and dtype, or of one dtype."""
    attributes, listed = bind("Constant", opset)
    form = rng.choice([form for form in sorted(attributes)
                       if dtype is None or
                       LIST_DTYPES.get(form, dtype) == dtype])
    held = None
    if form in LIST_DTYPES:
        dtype = LIST_DTYPES[form]
        shape = [rng.randint(0, 9)] if form.endswith("s") else []
        codes = [code(rng, dtype) for _ in range(math.prod(shape))]
        encoding = "attribute"
        payload = list_payload(form, codes)
        expected = Dense(dtype, tuple(shape), dense.data_of(codes, dtype))
    else:
        dtype = dtype or pick_dtype(rng, "Constant", listed)
        if form == "sparse_value":
            made = sparse(rng, dtype)
        else:
            shape = dims(rng)
            made = held = tensor(rng, dtype, shape, [
                code(rng, dtype) for _ in range(math.prod(shape))])
        payload = wire.field(FORMS[form][1], BYTES, made.data)
        encoding, expected = made.encoding, made.expected
    data = node("Constant", [], ["y"], [attribute(form, payload)])
    return Case("Constant", form, opset, dtype, encoding, data, held, None,
                expected, dtype in listed, is_text(expected))


def constant_of_shape(rng, opset, dtype=None):
    """A case of any dtype, or of one."""
    _, listed = bind("ConstantOfShape", opset)
    shape = dims(rng)
    if rng.random() < 0.1 and dtype in (None, dense.NUMBERS["FLOAT"]):
        form, dtype, value, attributes, held = "none", 1, 0, [], None
    else:
        form = "value"
        dtype = dtype or pick_dtype(rng, "ConstantOfShape", listed)
        value = code(rng, dtype)
        held = tensor(rng, dtype, [1] * rng.choice((0, 1, 1, 1, 2, 3)),
                      [value])
        attributes = [attribute(form, wire.field(5, BYTES, held.data))]
    expected = Dense(dtype, tuple(shape),
                     dense.data_of([value] * math.prod(shape), dtype))
    data = node("ConstantOfShape", ["s"], ["y"], attributes)
    return Case("ConstantOfShape", form, opset, dtype,
                held.encoding if held else "attribute", data, held, shape,
                expected, dtype in listed, True)


def cases(rng, count):
    """Cases over all opsets, each node in a random encoding."""
    for _ in itertools.repeat(None, count):
        opset = rng.randint(1, OPSET_NEWEST)
        if opset < 9 or rng.random() < 0.6:
            case = constant(rng, opset)
        else:
            case = constant_of_shape(rng, opset)
        yield case._replace(node=wire.restyle(
            case.node, onnx.NodeProto.DESCRIPTOR, rng))
