"""Ways to break a rule of a node or of an attribute, and ways to break the
bytes themselves. They add to BREAKS, the table of breaks.py.
"""

import generator
import wire
from breaks import (BREAKS, attributes, breaks, breaks_tensor,
                    value_attribute, with_attributes)
from verdicts import MALFORMED, NOVELTY, REFUSED
from wire import BYTES, FIXED32, FIXED64, VARINT


__all__ = ["BREAKS"]


def other_form(rng, case):
    """An attribute of a form that the case does not have."""
    form = rng.choice([f for f in generator.LIST_DTYPES if f != case.form])
    zero = b"" if "string" in form else 0
    return generator.attribute(form, generator.list_payload(form, [zero]))


@breaks("an input of Constant (8.38)", REFUSED)
def _(rng, case):
    if case.op_type != "Constant":
        return None
    return with_attributes(case, attributes(case),
                           inputs=[rng.choice(("", "x"))])


@breaks("no input, two, or one without a name of ConstantOfShape", REFUSED)
def _(rng, case):
    if case.op_type != "ConstantOfShape":
        return None
    return with_attributes(case, attributes(case), inputs=rng.choice(
        ([], [""], ["s", "s"], ["s", ""])))


@breaks("no output, or two", REFUSED)
def _(rng, case):
    return with_attributes(case, attributes(case),
                           outputs=rng.choice(([], ["y", "z"])))


@breaks("the same attribute twice (8.38)", REFUSED)
def _(rng, case):
    return case.form != "none" and with_attributes(
        case, attributes(case) * 2) or None


@breaks("an attribute that the operator has not", REFUSED)
def _(rng, case):
    strange = wire.field(1, BYTES, rng.choice(
        (b"foo", b"Value", b"value ", b"", b"_value"))) + (
        wire.field(3, VARINT, 1) + wire.field(20, VARINT, 2))
    return with_attributes(case, attributes(case) + [strange])


@breaks("Constant with two values (8.10)", REFUSED)
def _(rng, case):
    if case.op_type != "Constant" or case.opset < 12:
        return None
    return with_attributes(case, attributes(case) + [other_form(rng, case)])


@breaks("Constant without a value (8.10)", REFUSED)
def _(rng, case):
    return None if case.op_type != "Constant" else with_attributes(case, [])


@breaks("a form that the version has not", REFUSED)
def _(rng, case):
    if case.op_type == "Constant" and case.opset >= 12:
        return None
    return with_attributes(case, [other_form(rng, case)])


def with_attribute_type(case, kind):
    """The case's attribute with another type, or none."""
    fields = [field for field in wire.fields(attributes(case)[0])
              if field[0] != 20]
    data = b"".join(wire.field(*field) for field in fields)
    return with_attributes(
        case, [data + (b"" if kind is None else wire.field(20, VARINT,
                                                           kind))])


@breaks("an attribute without its type, or with another (R51)", REFUSED)
def _(rng, case):
    if case.form == "none":
        return None
    right = generator.FORMS[case.form][0]
    return with_attribute_type(case, rng.choice(
        [None, *(n for n in range(17) if n != right)]))


@breaks("an attribute without its tensor", REFUSED)
def _(rng, case):
    if case.form != "value":
        return None
    return with_attributes(case, [generator.attribute(case.form, b"")])


@breaks("an attribute with a field of another type beside its own", REFUSED)
def _(rng, case):
    if case.form == "none":
        return None
    number, kind, payload = rng.choice(
        ((2, FIXED32, bytes(4)), (3, VARINT, 0), (4, BYTES, b"")))
    if number == generator.FORMS[case.form][1]:
        return None
    return with_attributes(
        case, [attributes(case)[0] + wire.field(number, kind, payload)])


@breaks("a reference outside of a function (8.33)", REFUSED)
def _(rng, case):
    form = "value" if case.op_type == "ConstantOfShape" else (
        rng.choice(sorted(generator.bind("Constant", case.opset)[0])))
    return with_attributes(case, [generator.attribute(
        form, wire.field(21, BYTES, b"of_the_call"))])


@breaks("a dtype that the version does not list (8.9)", NOVELTY)
def _(rng, case):
    _, listed = generator.bind(case.op_type, case.opset)
    newer = sorted({9, 14, 16, 17, 21, 23, 24, 25, 27, 28} - listed)
    made = generator.tensor(rng, rng.choice(newer), [1], [1])
    return with_attributes(case, [value_attribute(made.data)])


# --------------------------------------------------------------------- bytes

@breaks("bytes that end in the middle of a field", MALFORMED)
def _(rng, case):
    last = wire.field(3, BYTES, b"name of the node")
    return case.node + last[:rng.randint(1, len(last) - 1)]


@breaks("a length past the end", MALFORMED)
def _(rng, case):
    return case.node + rng.choice(
        (b"\x1a\x01", b"\x1a\xff\xff\xff\xff\x07", b"\x1a" + b"\xff" * 9 +
         b"\x01"))


@breaks_tensor("a varint of more than ten bytes", MALFORMED)
def _(rng, case):
    return case.tensor.data + wire.varint(2 << 3) + b"\x80" * 10 + b"\x01"


@breaks("a wire type that is none", MALFORMED)
def _(rng, case):
    return case.node + wire.varint(1999 << 3 | rng.choice((6, 7)))


@breaks("a field of the node with a wrong wire type", MALFORMED)
def _(rng, case):
    number = rng.choice((1, 2, 3, 4, 5, 7))
    return case.node + rng.choice((wire.field(number, VARINT, 0),
                                   wire.field(number, FIXED32, bytes(4))))


@breaks_tensor("a field of the tensor with a wrong wire type", MALFORMED)
def _(rng, case):
    return case.tensor.data + rng.choice((
        wire.field(1, FIXED64, bytes(8)), wire.field(2, BYTES, b"\1"),
        wire.field(4, VARINT, 0), wire.field(5, FIXED32, bytes(4)),
        wire.field(6, VARINT, 0), wire.field(9, VARINT, 0),
        wire.field(10, FIXED32, bytes(4)), wire.field(11, FIXED64, bytes(8))))


@breaks_tensor("packed values that end in the middle of one", MALFORMED)
def _(rng, case):
    return case.tensor.data + rng.choice((
        wire.field(1, BYTES, b"\x80"), wire.field(4, BYTES, b"\0\0\0"),
        wire.field(5, BYTES, b"\xff"), wire.field(10, BYTES, bytes(7)),
        wire.field(7, BYTES, b"\x01\x80")))


@breaks_tensor("raw_data twice (8.42)", MALFORMED)
def _(rng, case):
    return case.tensor.data + 2 * wire.field(9, BYTES, b"")


@breaks("the tensor of an attribute twice (8.42)", MALFORMED)
def _(rng, case):
    if case.form != "value":
        return None
    twice = wire.field(5, BYTES, case.tensor.data) * 2
    return with_attributes(case, [generator.attribute("value", twice)])
