"""Ways to break one rule of a valid node, each with the statuses that DEFAULT,
STRICT and LENIENT must then answer. Row numbers are those of the decisions in
test_decisions.py.
"""

import collections
import math

import dense
import generator
import wire
from verdicts import FAULT, REFUSED, TOO_LARGE
from wire import BYTES, FIXED32, FIXED64, VARINT

# make(rng, case) -> the node's bytes, or None when the case has nothing to
# break in this way.
Break = collections.namedtuple("Break", "name statuses make")

BREAKS = []

DIMS, DATA_TYPE, SEGMENT, INT32_DATA, RAW_DATA = 1, 2, 3, 5, 9
UINT64_DATA, EXTERNAL_DATA, DATA_LOCATION = 11, 13, 14
EXTERNAL = wire.field(DATA_LOCATION, VARINT, 1)


def breaks(name, statuses):
    def add(make):
        BREAKS.append(Break(name, statuses, make))
        return make
    return add


def breaks_tensor(name, statuses):
    """make(rng, case) returns the bytes of another TensorProto."""
    def add(make):
        def make_node(rng, case):
            data = case.tensor and make(rng, case)
            return None if data is None else with_attributes(
                case, [value_attribute(data)])
        BREAKS.append(Break(name, statuses, make_node))
        return make
    return add


def value_attribute(tensor):
    return generator.attribute("value", wire.field(5, BYTES, tensor))


def with_attributes(case, attributes, inputs=None, outputs=("y",)):
    """The case's node with other attributes, inputs and outputs."""
    if inputs is None:
        inputs = [] if case.shape is None else ["s"]
    return generator.node(case.op_type, inputs, outputs, attributes)


def attributes(case):
    return [payload for number, _, payload in wire.fields(case.node)
            if number == 5]


def parts(case):
    return list(wire.fields(case.tensor.data))


def joined(fields):
    return b"".join(wire.field(*field) for field in fields)


def has_data(case):
    """The tensor has bits, not strings, and at least one element."""
    return case.tensor.expected.data and case.dtype != dense.STRING


def replaced(case, number, change):
    """The tensor with change made to the payload of one field."""
    return joined((n, w, change(p) if n == number else p)
                  for n, w, p in parts(case))


def with_dims(case, dims):
    return joined([(DIMS, VARINT, d) for d in dims] +
                  [part for part in parts(case) if part[0] != DIMS])


def needed(dtype, encoding, dims):
    """Bytes or entries that so many elements take."""
    count = math.prod(dims)
    bits = dense.width(dtype)
    is_whole = encoding == "raw" or bits in (2, 4)
    return (bits * count + 7) // 8 if is_whole else count


# ------------------------------------------------------------------- tensors

@breaks_tensor("a negative dim", REFUSED)
def _(rng, case):
    return with_dims(case, [*case.tensor.expected.dims, -1])


@breaks_tensor("a dim more than there is data for", REFUSED)
def _(rng, case):
    dims = list(case.tensor.expected.dims)
    if not dims:
        return None
    index = rng.randrange(len(dims))
    before = needed(case.dtype, case.encoding, dims)
    dims[index] += 1
    if needed(case.dtype, case.encoding, dims) == before:
        return None
    return with_dims(case, dims)


@breaks_tensor("more elements than 64 bits count", TOO_LARGE)
def _(rng, case):
    return with_dims(case, rng.choice(
        ([2**32, 2**32], [2**62, 4], [2**31, 2**31, 4], [2**63 - 1, 3])))


@breaks_tensor("a rank of 1025", TOO_LARGE)
def _(rng, case):
    return with_dims(case, [1] * 1025)


@breaks_tensor("a data_type that is none", REFUSED)
def _(rng, case):
    number = rng.choice((0, max(dense.DTYPES) + 1, 99, 255, -1))
    return replaced(case, DATA_TYPE, lambda _: number)


@breaks_tensor("no data_type", REFUSED)
def _(rng, case):
    return joined(part for part in parts(case) if part[0] != DATA_TYPE)


@breaks_tensor("raw_data too short", REFUSED)
def _(rng, case):
    if case.encoding != "raw" or not has_data(case):
        return None
    return replaced(case, RAW_DATA, lambda data: data[:-1])


@breaks_tensor("raw_data too long (8.14)", FAULT)
def _(rng, case):
    if case.encoding != "raw" or not has_data(case):
        return None
    return replaced(case, RAW_DATA,
                    lambda data: data + bytes(rng.randint(1, 9)))


@breaks_tensor("raw_data although there are no elements (8.14)", FAULT)
def _(rng, case):
    if case.dtype == dense.STRING or case.tensor.expected.data:
        return None
    fields = [part for part in parts(case) if part[0] != RAW_DATA]
    return joined(fields) + wire.field(RAW_DATA, BYTES, b"\0")


def typed_number(case):
    name = dense.DTYPES[case.dtype][2]
    return {"float_data": 4, "int32_data": 5, "string_data": 6,
            "int64_data": 7, "double_data": 10, "uint64_data": 11}[name]


def entry_of(number):
    """One more entry of a typed field."""
    kind = {4: FIXED32, 10: FIXED64, 6: BYTES}.get(number, VARINT)
    payload = {FIXED32: bytes(4), FIXED64: bytes(8), BYTES: b"", VARINT: 0}
    return wire.field(number, kind, payload[kind])


@breaks_tensor("an entry too many (8.14)", REFUSED)
def _(rng, case):
    if case.encoding == "raw":
        return None
    return case.tensor.data + entry_of(typed_number(case))


@breaks_tensor("an entry too few", REFUSED)
def _(rng, case):
    if case.encoding not in ("typed", "extended"):
        return None
    fields = parts(case)
    number = typed_number(case)
    index = next((i for i, part in enumerate(fields)
                  if part[0] == number and (part[2] or part[0] == 6)), None)
    if index is None:
        return None
    payload = fields[index][2]
    if number == 6:
        del fields[index]
    elif number in (4, 10):
        fields[index] = number, BYTES, payload[:-4 if number == 4 else -8]
    else:
        # The last varint: back to the one before it.
        end = len(payload) - 1
        while end > 0 and payload[end - 1] & 0x80:
            end -= 1
        fields[index] = number, BYTES, payload[:end]
    return joined(fields)


@breaks_tensor("values in two fields", REFUSED)
def _(rng, case):
    if not has_data(case):
        return None
    if case.encoding == "raw":
        return case.tensor.data + entry_of(typed_number(case))
    return case.tensor.data + wire.field(RAW_DATA, BYTES,
                                         case.tensor.expected.data)


@breaks_tensor("values in the field of another dtype", REFUSED)
def _(rng, case):
    right = typed_number(case)
    wrong = rng.choice([n for n in (4, 5, 6, 7, 10, 11) if n != right])
    fields = [part for part in parts(case) if part[0] not in (right, RAW_DATA)]
    count = max(1, math.prod(case.tensor.expected.dims))
    return joined(fields) + entry_of(wrong) * count


@breaks_tensor("strings in raw_data", REFUSED)
def _(rng, case):
    if case.dtype != dense.STRING or not case.tensor.expected.data:
        return None
    fields = [part for part in parts(case) if part[0] != 6]
    return joined(fields) + wire.field(RAW_DATA, BYTES, b"text")


@breaks_tensor("a segment (8.30)", REFUSED)
def _(rng, case):
    return case.tensor.data + wire.field(SEGMENT, BYTES, rng.choice(
        (b"", wire.field(1, VARINT, 0) + wire.field(2, VARINT, 1))))


@breaks_tensor("a data_location that is none", REFUSED)
def _(rng, case):
    return case.tensor.data + wire.field(DATA_LOCATION, VARINT, 2)


@breaks_tensor("external data beside inline data (8.29)", REFUSED)
def _(rng, case):
    if not case.tensor.expected.data:
        return None
    location = (wire.field(1, BYTES, b"location") +
                wire.field(2, BYTES, b"data.bin"))
    return (case.tensor.data + EXTERNAL +
            wire.field(EXTERNAL_DATA, BYTES, location))


@breaks_tensor("a byte of bool that is neither 0 nor 1 (8.17)", FAULT)
def _(rng, case):
    if case.dtype != dense.BOOL or case.encoding != "raw" or not (
            case.tensor.expected.data):
        return None
    index = rng.randrange(len(case.tensor.expected.data))
    return replaced(case, RAW_DATA, lambda data: (
        data[:index] + bytes([rng.choice((2, 0x80, 0xFF))]) +
        data[index + 1:]))


def with_entry(rng, case, entry):
    """The tensor with one varint entry in place of another."""
    number = typed_number(case)
    entries = []
    for n, _, payload in parts(case):
        if n == number:
            entries += wire.split(VARINT, payload)
    entries[rng.randrange(len(entries))] = entry
    return joined(part for part in parts(case) if part[0] != number) + (
        wire.packed(number, entries))


def has_entries(case, field):
    return (dense.DTYPES[case.dtype][2] == field and
            case.encoding in ("typed", "extended") and
            bool(case.tensor.expected.data))


@breaks_tensor("an entry of bool that is neither 0 nor 1 (8.17)", FAULT)
def _(rng, case):
    if case.dtype != dense.BOOL or not has_entries(case, "int32_data"):
        return None
    return with_entry(rng, case, rng.choice((2, -1, 256, 255)))


@breaks_tensor("an entry out of the range of its dtype (8.18)", FAULT)
def _(rng, case):
    bits = dense.width(case.dtype)
    if case.dtype == dense.NUMBERS["UINT32"]:
        if not has_entries(case, "uint64_data"):
            return None
        return with_entry(rng, case, rng.choice((2**32, 2**64 - 1)))
    if case.dtype == dense.BOOL or not has_entries(case, "int32_data") or (
            bits == 32):
        return None
    bits = 8 if bits in (2, 4) else bits
    return with_entry(rng, case, rng.choice(
        (1 << bits, -(1 << (bits - 1)) - 1, 2**31 - 1)))


@breaks("one-element value without its one element (8.3)", REFUSED)
def _(rng, case):
    if case.op_type != "ConstantOfShape":
        return None
    count = rng.choice((0, 2, 3))
    made = generator.tensor(rng, case.dtype, [count], [
        generator.code(rng, case.dtype) for _ in range(count)])
    return with_attributes(case, [value_attribute(made.data)])


@breaks("ConstantOfShape of strings (8.9)", REFUSED)
def _(rng, case):
    if case.op_type != "ConstantOfShape":
        return None
    made = generator.tensor(rng, dense.STRING, [1], [b"text"])
    return with_attributes(case, [value_attribute(made.data)])
