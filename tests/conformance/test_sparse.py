"""sparse_value and sparse_initializer: the rules of SparseTensorProto one by
one, and the decisions about them (the table is in test_decisions.py).
"""

import math
import struct

import binding
import dense
import generator
import models
import support
import wire
from binding import Dense
from verdicts import (FAULT, MALFORMED, NOVELTY, REFUSED, TAKEN, TOO_LARGE,
                      VerdictTest, verdict)
from wire import BYTES, VARINT

FLOAT, UINT8, INT32, INT64, STRING = 1, 2, 6, 7, 8
COMPLEX64, COMPLEX128, BFLOAT16 = 14, 15, 16
INT4, E8M0, UINT2, FLOAT6 = 22, 24, 25, 27


def sparse_tensor(values, indices, dims):
    return (wire.field(1, BYTES, values) +
            (b"" if indices is None else wire.field(2, BYTES, indices)) +
            b"".join(wire.field(3, VARINT, d) for d in dims))


def values_of(dtype, codes, dims=None, name=""):
    return models.tensor(dtype, [len(codes)] if dims is None else dims,
                         dense.data_of(codes, dtype), name)


def node_of(values, indices, dims):
    return generator.node("Constant", [], ["y"], [models.attribute(
        "sparse_value", sparse_tensor(values, indices, dims))])


def floats(count):
    return values_of(FLOAT, [0x3F800000] * count)


class SparseTest(VerdictTest):
    def assert_made(self, node, dtype, dims, elements):
        made = support.run(support.library().decode(node, 28).plan())
        self.assertEqual(made, Dense(dtype, tuple(dims),
                                     dense.data_of(elements, dtype)))


class Sparse(SparseTest):
    def test_8_1_the_output_is_dense(self):
        for indices in (models.int64s([1, 5]),
                        models.int64s([0, 1, 1, 2], dims=[2, 2])):
            node = node_of(values_of(UINT8, [7, 9]), indices, [2, 3])
            self.assert_verdicts(node, TAKEN)
            self.assert_made(node, UINT8, [2, 3], [0, 7, 0, 0, 0, 9])
            op = support.library().decode(node, 28)
            self.assertEqual(op.kind(), "sparse")
            self.assertEqual(op.plan().kind(), "scatter")

    def test_8_19_indices_ascend_without_repetition(self):
        for linear in ([1, 1], [2, 1], [0, 5, 5], [5, 0, 1]):
            values = floats(len(linear))
            self.assert_verdicts(
                node_of(values, models.int64s(linear), [2, 3]), REFUSED)
            coordinates = [c for i in linear for c in divmod(i, 3)]
            self.assert_verdicts(
                node_of(values, models.int64s(
                    coordinates, dims=[len(linear), 2]), [2, 3]), REFUSED)

    def test_8_20_no_zero_dims_and_no_rank_0(self):
        for dims in ([0], [2, 0], [0, 2], []):
            self.assert_verdicts(node_of(floats(0), None, dims), REFUSED)
        self.assert_verdicts(
            node_of(floats(1), models.int64s([0]), []), REFUSED)

    def test_8_21_without_elements_all_is_default(self):
        for indices in (None, models.int64s([]),
                        models.int64s([], dims=[0, 2])):
            node = node_of(floats(0), indices, [2, 3])
            self.assert_verdicts(node, TAKEN)
            self.assert_made(node, FLOAT, [2, 3], [0] * 6)
        self.assert_verdicts(
            node_of(floats(0), models.int64s([], dims=[0, 3]), [2, 3]),
            REFUSED)

    def test_8_22_indices_are_int64(self):
        for dtype, width in ((INT32, 4), (UINT8, 1), (13, 8)):
            indices = models.tensor(dtype, [1], bytes(width))
            self.assert_verdicts(node_of(floats(1), indices, [3]), REFUSED)

    def test_8_23_defaults_of_every_kind(self):
        for dtype, code in ((STRING, b"a\0\xff"), (COMPLEX64, 1 << 63),
                            (COMPLEX128, 1 << 127)):
            node = node_of(values_of(dtype, [code]), models.int64s([1]), [3])
            self.assert_verdicts(node, TAKEN)
            zero = dense.zero(dtype)
            self.assert_made(node, dtype, [3], [zero, code, zero])

    def test_8_23_float8e8m0_has_no_zero(self):
        node = node_of(values_of(E8M0, [0x7F]), models.int64s([1]), [3])
        self.assert_verdicts(node, TAKEN)
        self.assert_made(node, E8M0, [3], [0, 0x7F, 0])
        self.assertEqual(
            len(support.library().decode(node, 28).notes), 1)

    def test_8_24_elements_below_a_byte(self):
        for dtype in (INT4, UINT2, FLOAT6):
            mask = (1 << dense.width(dtype)) - 1
            linear = [0, 1, 3, 4, 9, 10, 12]
            codes = [(3 * i + 1) & mask for i in range(len(linear))]
            node = node_of(values_of(dtype, codes), models.int64s(linear),
                           [13])
            self.assert_verdicts(node, TAKEN if dtype != FLOAT6 else NOVELTY)
            self.assert_made(node, dtype, [13], dense.scattered(
                codes, linear, [13], dtype))


class Rules(SparseTest):
    """What the checker of onnx enforces besides (facts 4)."""

    def test_values_are_there_and_of_rank_1(self):
        indices = models.int64s([0])
        self.assert_verdicts(generator.node("Constant", [], ["y"], [
            models.attribute("sparse_value",
                             wire.field(2, BYTES, indices) +
                             wire.field(3, VARINT, 2))]), REFUSED)
        for dims in ([], [1, 1]):
            self.assert_verdicts(
                node_of(values_of(FLOAT, [1], dims), indices, [2]), REFUSED)

    def test_indices_fit_the_values_and_the_dims(self):
        for indices in (
                None, models.int64s([0]), models.int64s([0, 1, 2]),
                models.int64s([0], dims=[]),
                models.int64s([0, 1, 2, 3], dims=[4, 1]),
                models.int64s([0, 1], dims=[2, 1]),
                models.int64s([0, 0, 0, 1, 0, 2], dims=[2, 3]),
                models.int64s([0, 0, 0, 1], dims=[2, 2, 1]),
                models.int64s([0, 0, 0, 1], dims=[1, 2, 2])):
            self.assert_verdicts(node_of(floats(2), indices, [2, 3]),
                                 REFUSED)

    def test_indices_are_in_range(self):
        for linear in ([-1, 2], [0, 6], [0, 2**63 - 1], [-2**63, 0]):
            self.assert_verdicts(
                node_of(floats(2), models.int64s(linear), [2, 3]), REFUSED)
        for second in ([2, 0], [0, 3], [1, -1], [1, 2**62]):
            self.assert_verdicts(
                node_of(floats(2), models.int64s([0, 0, *second],
                                                 dims=[2, 2]), [2, 3]),
                REFUSED)

    def test_explicit_zeros_are_taken(self):
        node = node_of(values_of(UINT8, [0, 1]), models.int64s([0, 1]), [2])
        self.assert_verdicts(node, TAKEN)
        self.assert_made(node, UINT8, [2], [0, 1])

    def test_dense_sizes_do_not_wrap(self):
        self.assert_verdicts(
            node_of(floats(1), models.int64s([0]), [2**32, 2**32]),
            TOO_LARGE)
        self.assert_verdicts(
            node_of(floats(1), models.int64s([0, 0], dims=[1, 2]),
                    [2**32, 2**32]), TOO_LARGE)

    def test_dtypes_are_those_of_the_version(self):
        node = node_of(values_of(BFLOAT16, [1]), models.int64s([0]), [2])
        self.assert_verdicts(node, NOVELTY, opset=12)
        self.assert_verdicts(node, TAKEN, opset=13)

    def test_no_version_before_11_has_it(self):
        node = node_of(floats(1), models.int64s([0]), [2])
        self.assert_verdicts(node, REFUSED, opset=10)
        self.assert_verdicts(node, TAKEN, opset=11)

    def test_faults_of_the_tensors_inside(self):
        self.assert_verdicts(
            node_of(models.tensor(FLOAT, [2], bytes(4)),
                    models.int64s([0, 1]), [2]), REFUSED)
        self.assert_verdicts(
            node_of(floats(2), models.tensor(INT64, [2], bytes(8)), [2]),
            REFUSED)
        self.assert_verdicts(
            node_of(floats(1) + wire.field(9, BYTES, bytes(4)),
                    models.int64s([0]), [2]), MALFORMED)
        surplus = models.tensor(FLOAT, [1], bytes(5))
        self.assert_verdicts(
            node_of(surplus, models.int64s([0]), [2]),
            FAULT)


class Initializers(SparseTest):
    def test_each_is_listed_by_the_name_of_its_values(self):
        data = models.model(models.graph([], [], [], [
            models.value_info("w", UINT8, [4])], [
                sparse_tensor(values_of(UINT8, [7], name="w"),
                              models.int64s([2]), [4])]))
        found, outputs = models.read(data)
        [((scope, name), entry)] = found.items()
        self.assertEqual((scope, name), ("", "w"))
        self.assertEqual(entry.constant.op_type, "sparse_initializer")
        self.assertEqual(entry.constant.storage, "sparse")
        for resolved in (entry.resolved, outputs["w"]):
            self.assertEqual(support.run(resolved.plan),
                             Dense(UINT8, (4,), b"\0\0\7\0"))

    def test_one_is_the_shape_of_a_fill(self):
        data = models.model(models.graph(
            [models.fill("s", "y")], [], [], [],
            [sparse_tensor(values_of(INT64, [2], name="s"),
                           models.int64s([0]), [2])]))
        found, _ = models.read(data)
        resolved = found["", "y"].resolved
        # The second dim is the default, zero.
        self.assertEqual((resolved.state, resolved.dims),
                         ("resolved", (2, 0)), resolved.reason)


class Large(SparseTest):
    def test_r58_memory_grows_with_the_elements(self):
        """Three non-zeros of a quarter of a giga-element."""
        dims = [1 << 14, 1 << 14]
        linear = [1, 1 << 20, (1 << 28) - 1]
        node = node_of(values_of(UINT2, [1, 2, 3]), models.int64s(linear),
                       dims)
        before = support.resident_size()
        plan = support.library().decode(node, 28).plan()
        self.assertEqual(plan.output()[2], math.prod(dims) // 4)
        self.assertLess(support.resident_size() - before, 1 << 20)
        data = support.run(plan).data
        expected = bytearray(1 << 26)
        for index, code in zip(linear, (1, 2, 3)):
            expected[index // 4] |= code << (index % 4 * 2)
        self.assertTrue(data == bytes(expected))

    def test_r67_indices_of_rank_3_are_refused(self):
        node = node_of(floats(1), models.int64s([0], dims=[1, 1, 1]), [2])
        status, message = verdict(node, 28, binding.LENIENT)
        self.assertEqual(status, "INVALID_MODEL")
        self.assertRegex(message, "indices.*rank")


class Packing(SparseTest):
    def test_indices_in_every_encoding(self):
        for indices in (
                models.int64s([0, 2]),
                wire.field(1, VARINT, 2) + wire.field(2, VARINT, INT64) +
                wire.packed(7, [0, 2]),
                wire.packed(1, [2]) + wire.field(2, VARINT, INT64) +
                wire.field(7, VARINT, 0) + wire.field(7, VARINT, 2)):
            node = node_of(values_of(UINT8, [5, 6]), indices, [3])
            self.assert_made(node, UINT8, [3], [5, 0, 6])

    def test_dims_packed(self):
        node = generator.node("Constant", [], ["y"], [models.attribute(
            "sparse_value", wire.field(1, BYTES, values_of(UINT8, [5])) +
            wire.field(2, BYTES, models.int64s([3])) +
            wire.packed(3, [2, 2]))])
        self.assert_made(node, UINT8, [2, 2], [0, 0, 0, 5])

    def test_values_keep_their_bits(self):
        codes = [0x7F800001, 0x80000000, 1]
        node = node_of(
            wire.field(1, VARINT, 3) + wire.field(2, VARINT, FLOAT) +
            wire.field(4, BYTES, struct.pack("<3I", *codes)),
            models.int64s([0, 1, 3]), [4])
        self.assert_made(node, FLOAT, [4], [*codes[:2], 0, codes[2]])


if __name__ == "__main__":
    support.main()
