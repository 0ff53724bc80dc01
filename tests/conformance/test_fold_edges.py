"""Nodes at the edges of what operators take: values by Operators.md of onnx,
and what is refused, with a part of the reason.
"""

import unittest

import folding
import numpy
import support
from folding import Case

INF, NAN = float("inf"), float("nan")


def ints(*values):
    return numpy.array(values, numpy.int64)


def int_(value):
    return numpy.array(value, numpy.int64)


def floats(*values):
    return numpy.array(values, numpy.float32)


def zeros(*dims):
    return numpy.zeros(dims, numpy.float32)


# opset, operator, inputs, attributes, and the value of the first output.
VALUES = [
    (15, "Pow", [int_(-1), int_(-3)], {}, int_(-1)),
    (15, "Pow", [int_(-1), int_(-4)], {}, int_(1)),
    (15, "Pow", [int_(1), int_(-5)], {}, int_(1)),
    (15, "Pow", [int_(0), int_(0)], {}, int_(1)),
    (15, "Pow", [int_(-2), int_(63)], {}, int_(-2 ** 63)),
    (15, "Pow", [ints(1, -1), int_(2 ** 62)], {}, ints(1, 1)),
    (13, "OneHot", [floats(1.0, -1.0), floats(3), ints(5, 7)], {},
     numpy.array([[5, 7, 5], [5, 5, 7]])),
    (13, "OneHot", [floats(INF, 2.5, -INF), int_(3), ints(5, 7)], {},
     numpy.array([[5, 5, 5], [5, 5, 7], [5, 5, 5]])),
    (13, "OneHot", [numpy.array([2 ** 63, 1], numpy.uint64), int_(2),
                    ints(0, 1)], {}, numpy.array([[0, 0], [0, 1]])),
    (6, "Add", [ints(1, 2), ints(3, 4)], {}, ints(4, 6)),
    (13, "Split", [ints(1, 2, 3), ints(0, 3)], {}, ints()),
    (18, "Split", [ints(1, 2, 3)], {"num_outputs": 2}, ints(1, 2)),
    (13, "Flatten", [numpy.array(7)], {"axis": 0}, numpy.array([[7]])),
    (13, "Slice", [ints(1, 2, 3), ints(-1), ints(-2 ** 63), ints(0), ints(-1)],
     {}, ints(3, 2, 1)),
]

# What is refused of one output, or of as many as it says.
REFUSED = [
    (15, "Pow", [int_(2), int_(-1)], {}, 1, "negative power"),
    (15, "Pow", [int_(3), int_(41)], {}, 1, "overflows"),
    (15, "Pow", [int_(2), int_(2 ** 40)], {}, 1, "overflows"),
    (13, "OneHot", [ints(1), floats(INF), ints(5, 7)], {}, 1, "out of range"),
    (13, "OneHot", [ints(1), floats(NAN), ints(5, 7)], {}, 1, "out of range"),
    (13, "OneHot", [ints(1), int_(-1), ints(5, 7)], {}, 1, "out of range"),
    (13, "OneHot", [ints(1), int_(3), ints(5)], {}, 1, "values"),
    (6, "Add", [ints(1, 2), int_(3)], {"broadcast": 1}, 1, "before opset 7"),
    (11, "Range", [numpy.uint8(0), numpy.uint8(3), numpy.uint8(1)], {}, 1,
     "dtype uint8"),
    (11, "Range", [ints(0, 0), int_(3), int_(1)], {}, 1, "no scalar"),
    (12, "GatherND", [zeros(2, 2), ints(0, 1)], {"batch_dims": -1}, 1,
     "batch_dims is -1"),
    (11, "GatherND", [zeros(2, 2), numpy.zeros((1, 0), numpy.int64)], {}, 1,
     "last dim of the indices is 0"),
    (11, "GatherND", [zeros(2, 2), numpy.zeros((1, 3), numpy.int64)], {}, 1,
     "last dim of the indices is 3"),
    (11, "ScatterND", [zeros(), ints(0), zeros()], {}, 1, "data have rank 0"),
    (11, "ScatterND", [zeros(2), int_(0), zeros()], {}, 1,
     "indices have rank 0"),
    (11, "ScatterND", [zeros(2), numpy.zeros((1, 0), numpy.int64), zeros(1)],
     {}, 1, "last dim of the indices is 0"),
    (11, "ScatterND", [zeros(2), numpy.zeros((1, 2), numpy.int64), zeros(1)],
     {}, 1, "last dim of the indices is 2"),
    (13, "Split", [ints(1, 2, 3), ints(2 ** 62, 2 ** 62)], {}, 2, "overflows"),
    (13, "Split", [ints(1, 2, 3), ints(4, -1)], {}, 2, "lengths must be >= 0"),
    (13, "Split", [ints(1, 2, 3), ints(1, 1)], {}, 2, "sum of the lengths"),
    (13, "Split", [ints(1, 2, 3), ints(1, 1, 1)], {}, 2, "at most 2"),
    (13, "Split", [ints(1, 2, 3), ints(3)], {}, 2, "as many as outputs"),
    (13, "Split", [ints(1, 2, 3)], {}, 2, "cannot be split"),
    (18, "Split", [ints(1, 2, 3)], {"num_outputs": -2}, 2,
     "num_outputs is -2"),
    (18, "Split", [ints(1, 2, 3)], {"num_outputs": 3}, 2, "num_outputs is 3"),
    (18, "Split", [ints(1, 2, 3)], {}, 2, "both left out"),
    (18, "Split", [ints(1, 2), ints(1, 1)], {"num_outputs": 2}, 2,
     "both there"),
    (13, "Flatten", [zeros(2, 2)], {"axis": -3}, 1, "axis is -3"),
    (13, "Flatten", [zeros(2, 2)], {"axis": 3}, 1, "axis is 3"),
    (13, "Transpose", [zeros(2, 2)], {"perm": [0, 0]}, 1, "perm"),
    (13, "Transpose", [zeros(2, 2)], {"perm": [-1, 0]}, 1, "perm"),
    (13, "Transpose", [zeros(2, 2)], {"perm": [0, 2]}, 1, "perm"),
    (13, "DepthToSpace", [zeros(1, 4, 2, 2)], {"blocksize": 0}, 1,
     "blocksize"),
    (13, "DepthToSpace", [zeros(1, 4, 2, 2)], {"blocksize": 2 ** 31}, 1,
     "blocksize"),
    (13, "SpaceToDepth", [zeros(1, 4, 2, 2)], {"blocksize": -1}, 1,
     "blocksize"),
    (13, "Pad", [zeros(2), ints(2 ** 62 + 1, 0)], {}, 1, "pad"),
    (13, "Pad", [zeros(2), ints(0, -2 ** 62 - 1)], {}, 1, "pad"),
    (13, "Resize", [zeros(2), zeros(0), floats(INF)], {}, 1, "scale 0 is inf"),
    (13, "Resize", [zeros(2), zeros(0), floats(0)], {}, 1, "scale 0 is 0"),
    (13, "Resize", [zeros(2), zeros(0), floats(1, 1)], {}, 1, "2 elements"),
    (16, "GridSample", [zeros(2, 2), zeros(2, 2)], {}, 1, "rank"),
    (9, "EyeLike", [zeros(2)], {}, 1, "rank"),
    (14, "Trilu", [zeros(2)], {}, 1, "rank"),
    (13, "Cast", [zeros(2)], {"to": -1}, 1, "to is -1"),
    (13, "Cast", [zeros(2)], {"to": 2 ** 40}, 1, "to is 1099511627776"),
    (12, "Einsum", [zeros(2, 2)], {"equation": "i1->i"}, 1, "equation"),
    (12, "Einsum", [zeros(2, 2)], {"equation": "[j->j"}, 1, "equation"),
]


# Equations of Einsum, of which NumPy knows the dims too.
EQUATIONS = [
    ("...ij", [(2, 3, 4)]), ("...ji", [(2, 3, 4)]), ("ba", [(2, 3)]),
    ("Ba", [(2, 3)]), ("...i,...i", [(5, 2, 3), (2, 3)]),
    ("i...,...i->...", [(3, 2), (5, 2, 3)]), (" i j -> j i ", [(2, 3)]),
    ("...,...", [(2, 1), (3,)]), ("ii", [(3, 3)]), ("zA->Az", [(2, 3)]),
]


def resolve(opset, op_type, inputs, attributes, output_count):
    case = Case(op_type, inputs, attributes)
    outputs = [f"o{index}" for index in range(output_count)]
    return folding.resolve(folding.make(
        [folding.node(case, 0, outputs)], outputs, opset,
        folding.initializers(case, 0)))


class Edges(unittest.TestCase):
    def test_values(self):
        for opset, op_type, inputs, attributes, expected in VALUES:
            count = 2 if op_type == "Split" else 1
            resolved = resolve(opset, op_type, inputs, attributes, count)[0]
            told = (opset, op_type, inputs, attributes, resolved.reason)
            with self.subTest(told):
                self.assertEqual(resolved.state, "resolved", told)
                found = folding.value_of(resolved)
                self.assertEqual(found.dtype, expected.dtype, told)
                self.assertEqual(found.tolist(), expected.tolist(), told)

    def test_dims_of_equations(self):
        for equation, shapes in EQUATIONS:
            inputs = [zeros(*shape) for shape in shapes]
            resolved = resolve(12, "Einsum", inputs, {"equation": equation},
                               1)[0]
            self.assertEqual(resolved.dims,
                             numpy.einsum(equation, *inputs).shape,
                             (equation, shapes, resolved.reason))

    def test_refusals(self):
        for opset, op_type, inputs, attributes, count, reason in REFUSED:
            resolved = resolve(opset, op_type, inputs, attributes, count)[0]
            told = (opset, op_type, inputs, attributes, resolved.reason)
            with self.subTest(told):
                self.assertIn(resolved.state, ("invalid", "unresolved"), told)
                self.assertIsNone(resolved.plan, told)
                self.assertIn(reason, resolved.reason)


if __name__ == "__main__":
    support.main()
