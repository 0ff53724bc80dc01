"""Protobuf's wire format: fields written by hand, and messages written anew
in other encodings of the same content. protobuf.dev, "Encoding".
"""

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5

# google.protobuf.descriptor.FieldDescriptor.type -> wire type.
WIRES = {1: FIXED64, 2: FIXED32, 3: VARINT, 4: VARINT, 5: VARINT,
         6: FIXED64, 7: FIXED32, 8: VARINT, 9: BYTES, 11: BYTES, 12: BYTES,
         13: VARINT, 14: VARINT, 15: FIXED32, 16: FIXED64, 17: VARINT,
         18: VARINT}
MESSAGE = 11

# A field number that no ONNX message has.
UNKNOWN_NUMBER = 1999


def varint(value):
    """Negative numbers become 10 bytes, as protobuf demands."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, wire, payload):
    """One field. payload: an int for VARINT, else bytes."""
    tag = varint(number << 3 | wire)
    if wire == VARINT:
        return tag + varint(payload)
    if wire == BYTES:
        return tag + varint(len(payload)) + payload
    return tag + payload


def packed(number, values):
    """A repeated varint field in one packed occurrence."""
    return field(number, BYTES, b"".join(map(varint, values)))


def _take_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """(number, wire, payload) of each field of a message, in order."""
    at = 0
    while at < len(data):
        tag, at = _take_varint(data, at)
        wire = tag & 7
        if wire == VARINT:
            payload, at = _take_varint(data, at)
        else:
            if wire == BYTES:
                size, at = _take_varint(data, at)
            else:
                size = 8 if wire == FIXED64 else 4
            payload, at = data[at:at + size], at + size
        yield tag >> 3, wire, payload


def split(wire, payload):
    """The values of a packed occurrence."""
    if wire == VARINT:
        at = 0
        while at < len(payload):
            value, at = _take_varint(payload, at)
            yield value
    else:
        width = 8 if wire == FIXED64 else 4
        for at in range(0, len(payload), width):
            yield payload[at:at + width]


def _join(wire, values):
    return b"".join(map(varint, values) if wire == VARINT else values)


def _repeated_scalar(number, wire, values, rng):
    """The same values packed, one by one, or in chunks of both kinds."""
    style = rng.choice(("packed", "single", "chunks"))
    if style == "packed":
        return [field(number, BYTES, _join(wire, values))]
    if style == "single":
        return [field(number, wire, value) for value in values]
    out = []
    at = 0
    while at < len(values):
        size = rng.randint(0, 5)
        if rng.random() < 0.5:
            out.append(field(number, BYTES, _join(wire, values[at:at + size])))
        else:
            out += [field(number, wire, v) for v in values[at:at + size]]
        at += size
    return out


def _noise(rng):
    """A field that a reader skips."""
    wire = rng.choice((VARINT, FIXED64, BYTES, FIXED32))
    payload = {VARINT: rng.getrandbits(40), FIXED64: bytes(8),
               BYTES: b"\xff" * rng.randint(0, 3), FIXED32: b"\xff" * 4}[wire]
    return field(UNKNOWN_NUMBER, wire, payload)


def restyle(data, descriptor, rng):
    """The same message in another encoding: repeated scalars packed or not,
    fields in any order, unknown fields between them."""
    groups = {}
    unknown = []
    for number, wire, payload in fields(data):
        known = descriptor.fields_by_number.get(number)
        if known is None:
            unknown.append([field(number, wire, payload)])
            continue
        natural = WIRES[known.type]
        values = groups.setdefault(number, (known, natural, []))[2]
        if wire == BYTES and natural != BYTES:
            values.extend(split(natural, payload))
        elif known.type == MESSAGE:
            values.append(restyle(payload, known.message_type, rng))
        else:
            values.append(payload)
    pieces = unknown
    for number, (known, natural, values) in groups.items():
        if known.is_repeated and natural != BYTES:
            pieces.append(_repeated_scalar(number, natural, values, rng))
        else:
            pieces.append([field(number, natural, v) for v in values])
    rng.shuffle(pieces)
    if rng.random() < 0.2:
        pieces.insert(rng.randint(0, len(pieces)), [_noise(rng)])
    return b"".join(b"".join(piece) for piece in pieces)
