"""Attributes of functions: Constants whose value each call decides. IR.md of
onnx, "Functions"; the facts about what its tools enforce are in the last
paragraphs of section 7.3.
"""

import struct
import unittest

import binding
import generator
import models
import onnx
import onnx.reference
import oracles
import support
import wire
from binding import Dense
from wire import BYTES, VARINT

FLOAT, INT64, STRING = 1, 7, 8

# Form -> an encoded value, and what it comes to.
VALUES = {
    "value": (wire.field(5, BYTES, models.int64s([3, 4])),
              Dense(INT64, (2,), struct.pack("<2q", 3, 4))),
    "value_int": (wire.field(3, VARINT, 5),
                  Dense(INT64, (), struct.pack("<q", 5))),
    "value_ints": (wire.field(8, VARINT, 6) + wire.field(8, VARINT, 7),
                   Dense(INT64, (2,), struct.pack("<2q", 6, 7))),
    "value_float": (wire.field(2, wire.FIXED32, struct.pack("<f", 0.5)),
                    Dense(FLOAT, (), struct.pack("<f", 0.5))),
    "value_floats": (wire.field(7, wire.FIXED32, struct.pack("<f", 2)),
                     Dense(FLOAT, (1,), struct.pack("<f", 2))),
    "value_string": (wire.field(4, BYTES, b"a"), Dense(STRING, (), [b"a"])),
    "value_strings": (wire.field(9, BYTES, b"b") + wire.field(9, BYTES, b""),
                      Dense(STRING, (2,), [b"b", b""])),
}


def integer(value):
    return Dense(INT64, (), struct.pack("<q", value))


def argument(name, form, payload=None):
    """An attribute of a call, or a parameter's default."""
    payload = VALUES[form][0] if payload is None else payload
    return (wire.field(1, BYTES, name.encode()) + payload +
            wire.field(20, VARINT, generator.FORMS[form][0]))


def int_argument(name, value):
    return argument(name, "value_int", wire.field(3, VARINT, value))


def passed_on(name, of):
    """An attribute of a call in a function, which passes its own on."""
    return (wire.field(1, BYTES, name.encode()) +
            wire.field(20, VARINT, 2) + wire.field(21, BYTES, of.encode()))


def constant_by(form="value_int", of="k", output="y"):
    return generator.node("Constant", [], [output],
                          [models.reference(form, of)])


def function(name, nodes, parameters=(), defaults=(), opset=21, output="y"):
    return models.function("own", name, nodes, {"": opset, "own": 1},
                           outputs=[output], parameters=parameters,
                           defaults=defaults)


def call(name, attributes=(), output="z"):
    return models.call("own", name, [], [output], attributes)


def model(nodes, functions):
    """A model whose nodes all make an output of its own."""
    outputs = [models.value_info(payload.decode(), INT64, [])
               for node in nodes
               for number, _, payload in wire.fields(node) if number == 2]
    return models.model(models.graph(nodes, [], [], outputs),
                        {"": 21, "own": 1}, functions=functions)


class FunctionTest(unittest.TestCase):
    def entries(self, data, name="y"):
        """(state, what it comes to or the reason) of each entry that is
        called so."""
        opened = support.library().parse(data)
        resolution = opened.resolve()
        found = []
        for index, constant in enumerate(opened.constants()):
            if constant.name == name:
                resolved = resolution.constant(index)
                found.append((resolved.state, resolved.reason or
                              support.run(resolved.plan)))
        return found

    def assert_values(self, data, *values, name="y"):
        entries = self.entries(data, name)
        self.assertEqual([state for state, _ in entries],
                         ["resolved"] * len(values), entries)
        self.assertCountEqual([value.data for _, value in entries],
                              [value.data for value in values])
        self.assertCountEqual(
            [(value.dtype, value.dims) for _, value in entries],
            [(value.dtype, value.dims) for value in values])

    def assert_invalid(self, data, message=""):
        for state, reason in self.entries(data):
            self.assertEqual(state, "invalid", reason)
            self.assertRegex(reason, message or ".")


class Functions(FunctionTest):
    def test_each_form_is_bound_by_the_call(self):
        for form, (_, expected) in VALUES.items():
            with self.subTest(form):
                data = model([call("F", [argument("k", form)])],
                             [function("F", [constant_by(form)], ["k"])])
                self.assert_values(data, expected)
                proto = onnx.ModelProto.FromString(data)
                [array] = onnx.reference.ReferenceEvaluator(proto).run(
                    None, {})
                self.assertEqual(oracles.of_array(array, expected.dtype),
                                 expected)

    def test_each_call_has_its_own(self):
        data = model([call("F", [int_argument("k", v)], f"z{v}")
                      for v in (5, 9, -1)],
                     [function("F", [constant_by()], ["k"])])
        self.assert_values(data, integer(5), integer(9), integer(-1))

    def test_other_constants_are_listed_once(self):
        data = model(
            [call("F", [int_argument("k", v)], f"z{v}") for v in (5, 9)],
            [function("F", [models.constant("c", models.int64s([1])),
                            constant_by()], ["k"])])
        self.assertEqual(len(self.entries(data, "c")), 1)
        self.assertEqual(len(self.entries(data, "y")), 2)

    def test_a_default_is_overridden_by_the_call(self):
        body = function("F", [constant_by()],
                        defaults=[int_argument("k", 3)])
        self.assert_values(model([call("F")], [body]), integer(3))
        self.assert_values(
            model([call("F", [int_argument("k", 4)])], [body]), integer(4))

    def test_without_a_value_nothing_remains(self):
        body = function("F", [constant_by()], ["k"])
        self.assert_invalid(model([call("F")], [body]))

    def test_one_of_several_references_is_bound(self):
        body = function("F", [generator.node("Constant", [], ["y"], [
            models.reference("value_int", "i"),
            models.reference("value_float", "f"),
            models.reference("value_string", "s")])], ["i", "f", "s"])
        self.assert_values(
            model([call("F", [argument("f", "value_float")])], [body]),
            VALUES["value_float"][1])
        self.assert_invalid(
            model([call("F", [argument("f", "value_float"),
                              int_argument("i", 1)])], [body]))

    def test_the_type_must_be_that_of_the_form(self):
        body = function("F", [constant_by("value_ints")], ["k"])
        for form in ("value_floats", "value_int", "value"):
            self.assert_invalid(
                model([call("F", [argument("k", form)])], [body]))

    def test_a_reference_beside_a_value_is_refused(self):
        node = generator.node("Constant", [], ["y"], [
            models.reference("value_int", "k") + wire.field(3, VARINT, 1)])
        self.assert_invalid(model(
            [call("F", [int_argument("k", 1)])],
            [function("F", [node], ["k"])]))

    def test_an_attribute_is_passed_on(self):
        inner = function("Inner", [constant_by(of="i")], ["i"])
        outer = function("Outer", [models.call(
            "own", "Inner", [], ["w"], [passed_on("i", "o")])], ["o"],
            output="w")
        data = model([call("Outer", [int_argument("o", v)], f"z{v}")
                      for v in (7, 8)], [inner, outer])
        self.assert_values(data, integer(7), integer(8))

    def test_bodies_in_a_function_see_its_attributes(self):
        branch = models.graph([constant_by()], [], [],
                              [models.value_info("y", INT64, [])])
        node = models.call("", "If", ["c"], ["r"], [
            models.body("then_branch", branch),
            models.body("else_branch", models.graph(
                [models.constant("e", models.int64s([1]))], [], [],
                [models.value_info("e", INT64, [1])]))])
        condition = models.constant("c", models.tensor(9, [], b"\1"))
        self.assert_values(
            model([call("F", [int_argument("k", 6)])],
                  [function("F", [condition, node], ["k"], output="r")]),
            integer(6))

    def test_a_fill_takes_its_value_and_its_shape_from_the_call(self):
        nodes = [constant_by("value_ints", "dims", "s"),
                 generator.node("ConstantOfShape", ["s"], ["y"], [
                     models.reference("value", "element")])]
        body = function("F", nodes, ["dims", "element"])
        element = models.tensor(FLOAT, [1], b"abcd")
        data = model([call("F", [
            argument("dims", "value_ints"),
            argument("element", "value", wire.field(5, BYTES, element))])],
            [body])
        self.assert_values(data, Dense(FLOAT, (6, 7), b"abcd" * 42))
        without = model([call("F", [argument("dims", "value_ints")])],
                        [body])
        self.assert_values(without, Dense(FLOAT, (6, 7), bytes(168)))

    def test_a_version_of_the_function_decides(self):
        """value_int came with 12, and the function imports its own."""
        body = function("F", [constant_by()], ["k"], opset=11)
        self.assert_invalid(
            model([call("F", [int_argument("k", 1)])], [body]))

    def test_overloads_are_told_apart(self):
        bodies = []
        for overload, value in (("", 1), ("a", 2)):
            bodies.append(function(
                "F", [constant_by()], defaults=[int_argument("k", value)]) +
                wire.field(13, BYTES, overload.encode()))
        nodes = [call("F"), call("F", output="w") +
                 wire.field(8, BYTES, b"a")]
        self.assert_values(model(nodes, bodies), integer(1), integer(2))


class Limits(FunctionTest):
    """GHSA-7w46-vvrh-m8q5: functions that call themselves overflowed the
    stack of onnx."""

    def assert_ends(self, data):
        """It is refused, or all that is listed is no more than allowed."""
        try:
            opened = support.library().parse(data)
            opened.resolve()
        except binding.Error as error:
            self.assertIn(error.status, ("INVALID_MODEL", "TOO_LARGE"))
        else:
            self.assertLessEqual(opened.info().constant_count, 65536 + 100)

    def test_a_function_that_calls_itself(self):
        body = function("F", [constant_by(), models.call(
            "own", "F", [], ["w"], [passed_on("k", "k")])], ["k"])
        self.assert_ends(model([call("F", [int_argument("k", 1)])], [body]))

    def test_functions_that_call_each_other(self):
        bodies = [function(name, [constant_by(), models.call(
            "own", other, [], ["w"], [passed_on("k", "k")])], ["k"])
            for name, other in (("F", "G"), ("G", "F"))]
        self.assert_ends(model([call("F", [int_argument("k", 1)])], bodies))

    def test_calls_that_double_at_each_level(self):
        bodies = [function("F0", [constant_by()], ["k"])]
        for level in range(1, 30):
            bodies.append(function(f"F{level}", [models.call(
                "own", f"F{level - 1}", [], [f"w{side}"],
                [passed_on("k", "k")]) for side in (0, 1)], ["k"],
                output="w0"))
        self.assert_ends(model([call("F29", [int_argument("k", 1)])],
                               bodies))

    def test_a_long_chain_of_calls(self):
        bodies = [function("F0", [constant_by()], ["k"])]
        for level in range(1, 20_000):
            bodies.append(function(f"F{level}", [models.call(
                "own", f"F{level - 1}", [], ["w"], [passed_on("k", "k")])],
                ["k"], output="w"))
        self.assert_ends(model(
            [call("F19999", [int_argument("k", 1)])], bodies))


if __name__ == "__main__":
    support.main()
