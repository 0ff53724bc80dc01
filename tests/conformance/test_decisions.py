"""The points where the specification, its checker and its users disagree, as
this project decides them: a test for each, named by its number. ROWS names
them all.
"""

import importlib
import sys
import unittest

import binding
import dense
import generator
import models
import support
import wire
from binding import DEFAULT, LENIENT, Dense
from verdicts import (FAULT, MODES, NOVELTY, REFUSED, TAKEN, TOO_LARGE,
                      VerdictTest, verdict)
from wire import BYTES, VARINT

FLOAT, BOOL, STRING = 1, 9, 8
INT32, INT64, UINT32 = 6, 7, 12
UINT4, INT4, UINT2, FLOAT6E2M3, BFLOAT16 = 21, 22, 25, 27, 16

ONE = bytes.fromhex("0000803f")

# Number -> the class that has its test, in this file or in the one named.
ROWS = {
    "8.1": "test_sparse.Sparse", "8.2": "Nodes", "8.3": "Nodes",
    "8.4": "Shapes", "8.5": "Shapes", "8.6": "Shapes", "8.7": "Shapes",
    "8.8": "Nodes", "8.9": "Nodes", "8.10": "Nodes", "8.11": "Nodes",
    "8.12": "Nodes", "8.13": "Nodes", "8.14": "Tensors", "8.15": "Tensors",
    "8.16": "Tensors", "8.17": "Tensors", "8.18": "Tensors",
    "8.19": "test_sparse.Sparse", "8.20": "test_sparse.Sparse",
    "8.21": "test_sparse.Sparse", "8.22": "test_sparse.Sparse",
    "8.23": "test_sparse.Sparse", "8.24": "test_sparse.Sparse",
    "8.25": "test_external.Paths", "8.26": "test_external.Ranges",
    "8.27": "test_external.Entries", "8.28": "test_external.Entries",
    "8.29": "test_external.Entries", "8.30": "Tensors",
    "8.31": "test_models.Models", "8.32": "test_models.Models",
    "8.33": "Nodes", "8.34": "test_models.Models", "8.35": "Shapes",
    "8.36": "test_models.Models", "8.37": "test_models.Models",
    "8.38": "Nodes", "8.39": "test_external.Ranges",
    "8.40": "test_models.Models", "8.41": "test_models.Models",
    "8.42": "test_models.Models",
}


def make(node, opset=21, shape=None, mode=DEFAULT):
    op = support.library().decode(node, opset, mode)
    return support.run(op.plan(shape))


def constant_of(tensor):
    return models.constant("y", tensor)


def fill_of(tensor=None):
    return models.fill("s", "y", tensor)


def form(name, payload):
    return generator.node("Constant", [], ["y"],
                          [models.attribute(name, payload)])


def typed(dtype, dims, number, payload):
    """A TensorProto whose values are in a typed field."""
    return (b"".join(wire.field(1, VARINT, d) for d in dims) +
            wire.field(2, VARINT, dtype) +
            (wire.packed(number, payload) if isinstance(payload, list)
             else wire.field(number, BYTES, payload)))


class Rows(unittest.TestCase):
    def test_each_row_has_a_test(self):
        self.assertEqual(list(ROWS), [f"8.{n}" for n in range(1, 43)])
        for number, place in ROWS.items():
            module, _, name = place.rpartition(".")
            holder = (importlib.import_module(module) if module
                      else sys.modules[__name__])
            tests = dir(getattr(holder, name))
            start = f"test_{number.replace('.', '_')}_"
            self.assertTrue(any(t.startswith(start) for t in tests), number)


class Decisions(VerdictTest):
    def assert_made(self, node, dtype, dims, data, **options):
        self.assertEqual(make(node, **options),
                         Dense(dtype, tuple(dims), data))


class Nodes(Decisions):
    def test_8_2_one_element_of_any_rank(self):
        for dims in ([], [1], [1, 1], [1] * 1024):
            node = fill_of(models.tensor(FLOAT, dims, ONE))
            self.assert_verdicts(node, TAKEN)
            self.assert_made(node, FLOAT, [2], ONE * 2, shape=[2])

    def test_8_3_exactly_one_element(self):
        for dims in ([0], [2], [1, 0], [2, 1]):
            count = 2 if 0 not in dims else 0
            self.assert_verdicts(
                fill_of(models.tensor(FLOAT, dims, ONE * count)), REFUSED)

    def test_8_8_rank_is_at_most_1024(self):
        self.assert_verdicts(
            constant_of(models.tensor(FLOAT, [1] * 1024, ONE)), TAKEN)
        self.assert_verdicts(
            constant_of(models.tensor(FLOAT, [1] * 1025, ONE)),
            TOO_LARGE)
        op = support.library().decode(fill_of(), 21)
        self.assertEqual(op.plan([1] * 1024).output()[2], 4)
        with self.assertRaisesRegex(binding.Error, "TOO_LARGE"):
            op.plan([1] * 1025)

    def test_8_9_dtypes_outside_of_the_list(self):
        value = models.tensor(BFLOAT16, [1], b"\x80\x3f")
        self.assert_verdicts(fill_of(value), NOVELTY, opset=9)
        self.assert_verdicts(fill_of(value), TAKEN, opset=20)
        self.assert_verdicts(constant_of(value), NOVELTY, opset=12)
        self.assert_verdicts(constant_of(value), TAKEN, opset=13)
        op = support.library().decode(fill_of(value), 9)
        self.assertEqual(op.notes, [(
            binding.NOTE_DTYPE,
            "dtype bfloat16 is not in the list of ConstantOfShape 9")])

    def test_8_9_strings_have_no_fill(self):
        """Strings never come to a device, so they stay out."""
        value = models.tensor(STRING, [1], [b"a"])
        self.assert_verdicts(fill_of(value), REFUSED)

    def test_8_10_exactly_one_value(self):
        int_value = models.attribute("value_int", 1)
        float_value = models.attribute("value_float", ONE)
        for attributes in ([], [int_value, float_value]):
            self.assert_verdicts(
                generator.node("Constant", [], ["y"], attributes), REFUSED)

    def test_8_11_absent_fields_are_zeros(self):
        for name, dtype, data in (("value_int", INT64, bytes(8)),
                                  ("value_float", FLOAT, bytes(4)),
                                  ("value_string", STRING, [b""])):
            node = generator.node("Constant", [], ["y"],
                                  [generator.attribute(name, b"")])
            self.assert_verdicts(node, TAKEN)
            self.assert_made(node, dtype, [], data)

    def test_8_12_empty_lists_have_shape_0(self):
        for name, dtype, data in (("value_ints", INT64, b""),
                                  ("value_floats", FLOAT, b""),
                                  ("value_strings", STRING, [])):
            node = generator.node("Constant", [], ["y"],
                                  [generator.attribute(name, b"")])
            self.assert_verdicts(node, TAKEN)
            self.assert_made(node, dtype, [0], data)

    def test_8_13_strings_keep_their_bytes(self):
        for data in (b"\xff\xfe", b"a\0b\0", b"\0", b""):
            self.assert_verdicts(form("value_string", data), TAKEN)
            self.assert_made(form("value_string", data), STRING, [], [data])
            self.assert_made(constant_of(models.tensor(
                STRING, [2], [data, b"x"])), STRING, [2], [data, b"x"])

    def test_8_33_no_reference_outside_of_a_function(self):
        for name in generator.FORMS:
            self.assert_verdicts(
                generator.node("Constant", [], ["y"],
                               [models.reference(name, "p")]), REFUSED)

    def test_8_38_inputs_and_repeated_attributes(self):
        value = models.attribute("value_int", 1)
        for inputs in (["x"], [""]):
            self.assert_verdicts(
                generator.node("Constant", inputs, ["y"], [value]), REFUSED)
        self.assert_verdicts(
            generator.node("Constant", [], ["y"], [value, value]), REFUSED)

    def test_8_38_two_underscores_hide_an_attribute(self):
        hidden = (wire.field(1, BYTES, b"__mine") + wire.field(3, VARINT, 7) +
                  wire.field(20, VARINT, 2))
        node = generator.node("Constant", [], ["y"], [
            hidden, models.attribute("value_int", 1), hidden])
        self.assert_verdicts(node, TAKEN)
        self.assert_made(node, INT64, [], (1).to_bytes(8, "little"))


class UnknownFields(Decisions):
    def test_a_varint_of_any_length_is_passed_over(self):
        # nanopb 0.4.7 has no limit where it skips, and it changes no byte. In
        # a field that is read, more than ten bytes are MALFORMED.
        unknown = wire.varint(1999 << 3) + b"\x80" * 10 + b"\x01"
        self.assert_verdicts(fill_of() + unknown, TAKEN)


class Tensors(Decisions):
    def test_8_14_surplus(self):
        raw = constant_of(models.tensor(FLOAT, [1], ONE + b"\1\2"))
        self.assert_verdicts(raw, FAULT)
        self.assert_made(raw, FLOAT, [1], ONE, mode=LENIENT)
        self.assert_verdicts(
            constant_of(typed(FLOAT, [1], 4, ONE * 2)), REFUSED)
        self.assert_verdicts(
            constant_of(typed(INT64, [1], 7, [1, 2])), REFUSED)

    def test_8_15_a_byte_for_each_packed_entry(self):
        self.assert_verdicts(constant_of(typed(INT4, [8], 5, [0x21])),
                             REFUSED)
        node = constant_of(typed(INT4, [8], 5, [0x21, -1, 0x80, 0xF0]))
        self.assert_verdicts(node, TAKEN)
        self.assert_made(node, INT4, [8], b"\x21\xff\x80\xf0")
        self.assert_verdicts(constant_of(typed(UINT2, [16], 5, [0xE4])),
                             REFUSED)
        self.assert_made(constant_of(typed(UINT2, [5], 5, [0xE4, 2])),
                         UINT2, [5], b"\xe4\x02")

    def test_8_16_padding_is_ignored_and_written_as_zero(self):
        for dtype, dims, data, expected in (
                (UINT4, [3], b"\x21\xf3", b"\x21\x03"),
                (UINT2, [1], b"\xfe", b"\x02"),
                (FLOAT6E2M3, [1], b"\xff", b"\x3f"),
                (FLOAT6E2M3, [3], b"\xff\xff\xff", b"\xff\xff\x03")):
            node = constant_of(models.tensor(dtype, dims, data))
            self.assert_made(node, dtype, dims, expected)

    def test_8_17_bool_is_0_or_1(self):
        for tensor in (models.tensor(BOOL, [3], b"\1\0\2"),
                       typed(BOOL, [3], 5, [1, 0, 2]),
                       typed(BOOL, [3], 5, [1, 0, -1]),
                       typed(BOOL, [3], 5, [1, 0, 256])):
            self.assert_verdicts(constant_of(tensor), FAULT)
            self.assert_made(constant_of(tensor), BOOL, [3], b"\1\0\1",
                             mode=LENIENT)
        _, message = verdict(
            constant_of(models.tensor(BOOL, [3], b"\1\0\2")), 21, DEFAULT)
        self.assertRegex(message, r"\b2 is 2\b")

    def test_8_18_entries_extend_their_element(self):
        for dtype, number, entries, data in (
                (2, 5, [255, -1, -128], b"\xff\xff\x80"),
                (3, 5, [-128, 127, 255], b"\x80\x7f\xff"),
                (5, 5, [-4, 65535, 1], b"\xfc\xff\xff\xff\x01\x00"),
                (10, 5, [0x3C00, -1, 0xFC00], b"\0\x3c\xff\xff\0\xfc"),
                (UINT32, 11, [0, 2**32 - 1, 1],
                 b"\0\0\0\0\xff\xff\xff\xff\1\0\0\0")):
            node = constant_of(typed(dtype, [3], number, entries))
            self.assert_verdicts(node, TAKEN)
            self.assert_made(node, dtype, [3], data)

    def test_8_18_other_entries_are_named(self):
        for dtype, number, entry, low in (
                (2, 5, 300, b"\x2c"), (2, 5, -129, b"\x7f"),
                (5, 5, 65536, b"\0\0"), (10, 5, -32769, b"\xff\x7f"),
                (INT4, 5, 256, b"\0"), (UINT2, 5, 257, b"\1"),
                (UINT32, 11, 2**32 + 7, b"\7\0\0\0")):
            node = constant_of(typed(dtype, [1], number, [entry]))
            self.assert_verdicts(node, FAULT, opset=25)
            _, message = verdict(node, 25, DEFAULT)
            self.assertRegex(message, rf"\b0 is {entry}\b")
            used = 8 * len(low) if dense.width(dtype) >= 8 else (
                dense.width(dtype))
            masked = dense.pack([int.from_bytes(low, "little") &
                                 (1 << used) - 1], used)
            self.assert_made(node, dtype, [1], masked, opset=25, mode=LENIENT)

    def test_8_30_segments_are_refused(self):
        for segment in (b"", wire.field(2, VARINT, 1)):
            self.assert_verdicts(constant_of(
                models.tensor(FLOAT, [1], ONE) +
                wire.field(3, BYTES, segment)), REFUSED)


class Shapes(Decisions):
    """The shape input of ConstantOfShape, as initializer, Constant and bound
    input."""

    def resolved(self, shape, mode=DEFAULT):
        """What becomes of a fill by each source of its shape."""
        declared = models.value_info("s", shape.dtype, shape.dims)
        held = models.tensor(shape.dtype, shape.dims, shape.data, "s")
        sources = {
            "initializer": (models.graph([fill_of()], [held]), None),
            "Constant": (models.graph([
                models.constant("s", held), fill_of()]), None),
            "input": (models.graph([fill_of()], [], [declared]),
                      {"s": shape}),
        }
        for source, (graph, values) in sources.items():
            found, _ = models.read(models.model(graph), values, mode)
            yield source, found["", "y"].resolved

    def assert_invalid(self, shape, message):
        for mode in MODES:
            for source, resolved in self.resolved(shape, mode):
                with self.subTest(source=source, mode=mode):
                    self.assertEqual(resolved.state, "invalid")
                    self.assertRegex(resolved.reason, message)

    def assert_filled(self, values, size):
        for source, resolved in self.resolved(models.int64_shape(values)):
            with self.subTest(source=source):
                self.assertEqual(resolved.state, "resolved", resolved.reason)
                self.assertEqual(resolved.dims, tuple(values))
                self.assertEqual(resolved.plan.output(),
                                 (FLOAT, tuple(values), size))

    def test_8_4_rank_must_be_1(self):
        self.assert_invalid(Dense(INT64, (), bytes(8)), "rank")
        self.assert_invalid(Dense(INT64, (1, 2), bytes(16)), "rank")
        self.assert_invalid(Dense(INT64, (0, 2), b""), "rank")

    def test_8_5_negative_dims(self):
        for values, text in (([0, -1], "dim 1 is -1"),
                             ([-1, 0], "dim 0 is -1"),
                             ([2, -1, 3], "dim 1 is -1"),
                             ([-2**63], f"dim 0 is {-2**63}")):
            self.assert_invalid(models.int64_shape(values), text)

    def test_8_6_an_empty_shape_is_a_scalar(self):
        self.assert_filled([], 4)

    def test_8_7_zero_dims_in_any_order(self):
        for values in ([2**62, 4, 0], [0, 2**62, 4], [2**62, 0, 4], [0],
                       [2**63 - 1, 2**63 - 1, 0]):
            self.assert_filled(values, 0)
            data = models.tensor(FLOAT, values, b"")
            self.assert_verdicts(constant_of(data), TAKEN)

    def test_8_7_products_that_overflow(self):
        for values in ([2**62, 4], [2**32, 2**32], [2**63 - 1, 2]):
            self.assert_invalid(models.int64_shape(values), r"2\^63")
            self.assert_verdicts(
                constant_of(models.tensor(FLOAT, values, b"")),
                TOO_LARGE)

    def test_8_35_only_int64(self):
        self.assert_invalid(
            Dense(INT32, (2,), bytes.fromhex("0400000003000000")), "int32")
        self.assert_invalid(Dense(FLOAT, (0,), b""), "float")
        self.assert_invalid(Dense(UINT32, (1,), bytes(4)), "uint32")


if __name__ == "__main__":
    support.main()
