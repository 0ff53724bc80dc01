"""Inputs that broke other implementations: the forms of Constant and the
decoding of TensorProto. test_cases.py has the table.
"""

import ctypes
import os
import pathlib
import struct
import tempfile
import unittest

import binding
import dense
import generator
import models
import support
import wire
from binding import Dense
from verdicts import verdict
from wire import BYTES, VARINT

FLOAT, UINT8, INT8, UINT16, INT16, INT32, INT64 = 1, 2, 3, 4, 5, 6, 7
STRING, BOOL, FLOAT16, UINT32, UINT64, BFLOAT16 = 8, 9, 10, 12, 13, 16
UINT4, INT4 = 21, 22

UNPACKED = [number for number, (_, bits, field) in dense.DTYPES.items()
            if field == "int32_data" and bits not in (2, 4)]

# Elements 1, 2, 3 of each dtype, by their codes, as raw_data.
GOLDEN = {
    2: "010203", 3: "010203", 4: "010002000300", 5: "010002000300",
    6: "010000000200000003000000", 1: "010000000200000003000000",
    7: "010000000000000002000000000000000300000000000000", 9: "010001",
    10: "010002000300", 11: "010000000000000002000000000000000300000000000000",
    12: "010000000200000003000000",
    13: "010000000000000002000000000000000300000000000000",
    14: "010000000000000002000000000000000300000000000000",
    15: "0100000000000000000000000000000002000000000000000000000000000000"
        "03000000000000000000000000000000",
    16: "010002000300", 17: "010203", 18: "010203", 19: "010203",
    20: "010203", 21: "2103", 22: "2103", 23: "2103", 24: "010203",
    25: "39", 26: "39", 27: "813000", 28: "813000",
}


def constant(form, payload):
    return generator.node("Constant", [], ["y"],
                          [models.attribute(form, payload)])


def make(node, opset=28):
    return support.run(support.library().decode(node, opset).plan())


def make_tensor(tensor):
    return support.run(support.library().decode_tensor(tensor).plan())


def typed(dtype, dims, number, entries):
    return (b"".join(wire.field(1, VARINT, d) for d in dims) +
            wire.field(2, VARINT, dtype) + wire.packed(number, entries))


class Refusals(unittest.TestCase):
    def assert_refused(self, tensor, message, status="INVALID_MODEL"):
        found, text = verdict(models.constant("y", tensor), 28,
                              binding.DEFAULT)
        self.assertEqual(found, status, text)
        self.assertRegex(text, message)


class ConstantCases(Refusals):
    def test_r54_value_ints_equals_a_tensor(self):
        node = generator.node("Constant", [], ["y"], [generator.attribute(
            "value_ints", generator.list_payload("value_ints", [10, 20]))])
        expected = Dense(INT64, (2,), struct.pack("<2q", 10, 20))
        self.assertEqual(make(node), expected)
        self.assertEqual(
            make(models.constant("y", models.int64s([10, 20]))), expected)

    def test_r55_numbers_without_a_tensor(self):
        for form, codes, dtype, dims, data in (
                ("value_int", [7], INT64, (), struct.pack("<q", 7)),
                ("value_ints", [7, 8], INT64, (2,), struct.pack("<2q", 7, 8)),
                ("value_float", [0x40600000], FLOAT, (),
                 struct.pack("<f", 3.5)),
                ("value_floats", [0x40600000] * 2, FLOAT, (2,),
                 struct.pack("<2f", 3.5, 3.5))):
            node = generator.node("Constant", [], ["y"], [
                generator.attribute(
                    form, generator.list_payload(form, codes))])
            self.assertEqual(make(node), Dense(dtype, dims, data))

    def test_examples_of_the_specification(self):
        """Those of Constant 12."""
        for form, codes, dims, data in (
                ("value_float", [0x40600000], (), struct.pack("<f", 3.5)),
                ("value_floats", [0x3F800000, 0x40200000, 0xC0500000,
                                  0x40980000], (4,),
                 struct.pack("<4f", 1, 2.5, -3.25, 4.75)),
                ("value_int", [42], (), struct.pack("<q", 42)),
                ("value_ints", [-1, 0, 1, 2, 3], (5,),
                 struct.pack("<5q", -1, 0, 1, 2, 3)),
                ("value_string", [b"hello"], (), [b"hello"]),
                ("value_strings", [b"a", b"bc", b"def"], (3,),
                 [b"a", b"bc", b"def"])):
            node = generator.node("Constant", [], ["y"], [
                generator.attribute(
                    form, generator.list_payload(form, codes))])
            self.assertEqual(make(node, opset=12), Dense(
                generator.LIST_DTYPES[form], dims, data))

    def test_r59_a_list_of_tensors(self):
        tensors = (wire.field(1, BYTES, b"value") +
                   wire.field(10, BYTES, models.int64s([1])) +
                   wire.field(20, VARINT, 9))
        status, message = verdict(
            generator.node("Constant", [], ["y"], [tensors]), 21,
            binding.LENIENT)
        self.assertEqual(status, "INVALID_MODEL")
        self.assertRegex(message, "value.*TENSORS.*TENSOR")

    def test_r61_a_model_of_one_constant(self):
        data = models.model(models.graph(
            [models.constant("y", models.int64s([5]))], [], [],
            [models.value_info("y", INT64, [1])]))
        found, outputs = models.read(data)
        self.assertEqual(list(found), [("", "y")])
        self.assertEqual(support.run(outputs["y"].plan),
                         Dense(INT64, (1,), struct.pack("<q", 5)))

    def test_r63_float16_has_two_bytes(self):
        data = os.urandom(4000)
        self.assertEqual(
            make(models.constant("y", models.tensor(
                FLOAT16, [1000, 2], data))),
            Dense(FLOAT16, (1000, 2), data))

    def test_r66_bool_has_a_byte_each(self):
        data = bytes([1, 0, 1, 1, 0, 0, 1, 0, 1])
        self.assertEqual(
            make(models.constant("y", models.tensor(BOOL, [9], data))),
            Dense(BOOL, (9,), data))
        self.assert_refused(models.tensor(BOOL, [9], b"\1\1"), "raw_data")

    def test_r68_integers_of_64_bits(self):
        node = generator.node("Constant", [], ["y"], [generator.attribute(
            "value_ints", generator.list_payload(
                "value_ints", [2**40, -2**63, 2**53 + 1]))])
        self.assertEqual(make(node).data,
                         struct.pack("<3q", 2**40, -2**63, 2**53 + 1))
        self.assertEqual(
            make_tensor(typed(UINT64, [1], 11, [1 << 63])).data,
            struct.pack("<Q", 1 << 63))

    def test_r29_a_large_constant_is_not_copied(self):
        size = 400 << 20
        head = large_model(size)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "large.onnx")
            path.write_bytes(head)
            os.truncate(path, len(head) + size)
            before = support.resident_size()
            model = support.library().open(path)
            found, _ = models.find(model)
            resolved = found["", "y"].resolved
            self.assertEqual(resolved.state, "resolved", resolved.reason)
            self.assertEqual(resolved.plan.output(), (UINT8, (size,), size))
            self.assertLess(support.resident_size() - before, 8 << 20)


def header(number, size):
    """The tag and length of a field whose payload comes last."""
    return wire.varint(number << 3 | BYTES) + wire.varint(size)


def large_model(size):
    """A model up to the last field, raw_data, of its only Constant."""
    inner = (wire.field(1, VARINT, size) + wire.field(2, VARINT, UINT8) +
             header(9, size))
    total = len(inner) + size
    for front, number in (
            (wire.field(1, BYTES, b"value") + wire.field(20, VARINT, 4), 5),
            (wire.field(2, BYTES, b"y") + wire.field(4, BYTES, b"Constant"),
             5),
            (b"", 1),
            (wire.field(1, VARINT, 10) +
             wire.field(8, BYTES, models.imports({"": 21})[0]), 7)):
        inner = front + header(number, total) + inner
        total = len(inner) + size
    return inner


class TensorCases(Refusals):
    def test_r69_raw_data_of_another_length(self):
        for size in (12, 20):
            self.assert_refused(
                models.tensor(FLOAT, [4], bytes(size)),
                f"raw_data has {size} bytes; 4 elements of float take 16")

    def test_r70_entries_are_counted_before_they_are_read(self):
        for count in (0, 1, 127, 129):
            self.assert_refused(
                typed(INT8, [128], 5, [1] * count),
                f"int32_data has {count} entries; 128 elements of int8 take "
                "128")

    def test_r72_each_source_is_counted(self):
        self.assert_refused(
            wire.field(1, VARINT, 8) + wire.field(2, VARINT, FLOAT) +
            wire.field(4, BYTES, bytes(4)), "float_data has 1 entries")
        self.assert_refused(models.tensor(FLOAT, [8], bytes(31)), "raw_data")

    def test_r73_large_dims_with_little_data_allocate_nothing(self):
        before = support.resident_size()
        for tensor in (models.tensor(FLOAT, [2**40], bytes(4)),
                       typed(INT8, [2**40], 5, [1]),
                       models.tensor(STRING, [2**40], [b"a"])):
            self.assert_refused(tensor, str(2**40))
        self.assertLess(support.resident_size() - before, 1 << 20)

    def test_r74_one_entry_for_each_element(self):
        self.assertEqual(len(UNPACKED), 15)
        for dtype in UNPACKED:
            self.assert_refused(typed(dtype, [32], 5, [1] * 4),
                                "int32_data has 4 entries; 32 elements")

    def test_r76_float16_entries_are_bits(self):
        self.assertEqual(make_tensor(typed(FLOAT16, [1], 5, [15360])).data,
                         struct.pack("<e", 1))

    def test_r80_the_low_nibble_comes_first(self):
        made = make_tensor(models.tensor(UINT4, [3], b"\x21\x03"))
        self.assertEqual(dense.unpack(made.data, 4, 3), [1, 2, 3])

    def test_r81_odd_numbers_of_nibbles(self):
        for count in (1, 5, 7):
            size = (count + 1) // 2
            made = make_tensor(models.tensor(INT4, [count], b"\xff" * size))
            self.assertEqual(made.data, b"\xff" * (size - 1) + b"\x0f")

    def test_r82_packing_has_golden_bytes(self):
        for dtype in (21, 22, 23, 25, 26, 27, 28):
            bits = dense.width(dtype)
            self.assertEqual(dense.pack([1, 2, 3], bits),
                             bytes.fromhex(GOLDEN[dtype]))

    def test_r87_raw_data_has_golden_bytes(self):
        self.assertEqual(set(GOLDEN), set(dense.DTYPES) - {STRING})
        for dtype, text in GOLDEN.items():
            golden = bytes.fromhex(text)
            made = make_tensor(models.tensor(dtype, [3], golden))
            self.assertEqual(made, Dense(dtype, (3,), golden))

    def test_r84_uint32_lies_in_uint64_data(self):
        self.assert_refused(typed(UINT32, [2], 5, [1, 2]),
                            "int32_data.*uint32.*uint64_data")
        self.assertEqual(make_tensor(typed(UINT32, [2], 11, [1, 2])).data,
                         struct.pack("<2I", 1, 2))

    def test_r85_raw_data_is_not_widened(self):
        self.assertEqual(
            make_tensor(models.tensor(INT8, [4], b"\1\2\3\4")).data,
            b"\1\2\3\4")
        self.assert_refused(models.tensor(INT8, [4], bytes(16)), "raw_data")

    def test_r86_the_input_stays_as_it_is(self):
        for tensor in (models.tensor(INT4, [3], b"\x21\xf3"),
                       typed(FLOAT16, [3], 5, [1, -1, 3])):
            library = support.library()
            op = library.decode_tensor(tensor)
            first = support.run(op.plan())
            [buffer] = [held for held in op.borrowed
                        if isinstance(held, ctypes.Array)]
            self.assertEqual(buffer.raw, tensor)
            self.assertEqual(support.run(op.plan()), first)
            self.assertEqual(make_tensor(tensor), first)

    def test_r97_rank_0_has_one_element(self):
        self.assertEqual(
            make_tensor(models.tensor(INT64, [], bytes(8))),
            Dense(INT64, (), bytes(8)))
        self.assert_refused(models.tensor(INT64, [], bytes(16)), "raw_data")

    def test_r100_dims_without_data(self):
        self.assert_refused(
            wire.field(1, VARINT, 3) + wire.field(2, VARINT, FLOAT),
            "3 elements of float")

    def test_r101_negative_dims(self):
        self.assert_refused(models.tensor(FLOAT, [-1, 4], b""),
                            "dim 0 is -1; dims must be >= 0")


if __name__ == "__main__":
    support.main()
