"""The operators that move elements, of constants: each in each version and
dtype, bit for bit with what NumPy makes of the specification, and with ONNX's
reference evaluator where that follows it.
"""

import unittest

import folding
import move_cases
import numpy
import onnx
import onnx.reference
import schemas
import support
from onnx import TensorProto, helper, numpy_helper

COUNT = 50


def number_of(dtype):
    return helper.np_dtype_to_tensor_dtype(dtype)


def attribute_of(name, value):
    if isinstance(value, numpy.dtype):
        value = number_of(value)
    if value == []:
        return helper.make_attribute(name, value,
                                     attr_type=onnx.AttributeProto.INTS)
    return helper.make_attribute(name, value)


def node(case, index):
    made = folding.node(case._replace(attributes={}), index,
                        output_names(case, index))
    made.attribute.extend(attribute_of(name, value)
                          for name, value in case.attributes.items())
    return made


def output_names(case, index):
    return [f"o{index}_{at}" for at in range(len(case.wanted or "1"))]


def nodes_of(cases):
    return [node(case, i) for i, case in enumerate(cases)]


def outputs_of(cases):
    return [name for i, case in enumerate(cases)
            for name in output_names(case, i)]


def model(cases, opset):
    return folding.make(
        nodes_of(cases), outputs_of(cases), opset,
        [tensor for i, case in enumerate(cases)
         for tensor in folding.initializers(case, i)])


def inputs_of(case):
    """Without those that are left out at the end."""
    inputs = list(case.inputs)
    while inputs and inputs[-1] is None:
        inputs.pop()
    return inputs


def reference(cases, opset):
    """What the reference evaluator finds for each case, None where it
    fails."""
    nodes = nodes_of(cases)
    for operator in nodes:
        if operator.op_type == "Scatter":  # its name before opset 11
            operator.op_type, opset = "ScatterElements", 11
    evaluator = onnx.reference.ReferenceEvaluator(
        folding.make(nodes, outputs_of(cases), opset))
    found = []
    with numpy.errstate(all="ignore"):
        for case, operator in zip(cases, evaluator.rt_nodes_):
            try:
                found.append(operator.run(*inputs_of(case)))
            except Exception:  # of the reference, whatever it is
                found.append(None)
    return found


def value_of(resolved):
    """The dtype, dims and bytes of a resolved output."""
    dtype, dims, size = resolved.plan.output()
    buffer = bytearray(max(size, 1))
    support.library().write(resolved.plan, buffer)
    return dtype, tuple(dims), bytes(buffer[:size])


def bits_of(array):
    """The same of an array. Narrow elements are packed."""
    array = numpy.asarray(array)
    if array.dtype.name in move_cases.NARROW:
        data = numpy_helper.from_array(array).raw_data
    else:
        data = array.tobytes()
    return number_of(array.dtype), array.shape, data


class Told:
    """A case and what is said of it, which is spelled out when it fails."""

    def __init__(self, case, text):
        self.case = case
        self.text = text

    def __str__(self):
        return f"{folding.describe(self.case)}: {self.text}"


def is_computed(op_type, dtype):
    """Whether values of the dtype are. Strings have nothing but dims."""
    if op_type in ("Cast", "CastLike", "EyeLike", "Range"):
        return dtype.name in move_cases.COMPUTED
    return dtype != object or op_type in ("Shape", "Size")


class Moves(unittest.TestCase):
    def setUp(self):
        support.library()
        self.random, _ = support.generator()
        self.disputed = self.failed = 0

    def check_reference(self, case, found):
        if case.is_disputed or case.wanted is None:
            self.disputed += 1
        elif found is None:
            self.failed += 1
        else:
            for array, wanted in zip(found, case.wanted):
                self.assertEqual(bits_of(array), bits_of(wanted),
                                 Told(case, "the reference"))

    def check(self, case, resolved):
        told = Told(case, resolved[0].reason)
        if case.wanted is None:
            self.assertEqual(resolved[0].state, "invalid", told)
            self.assertRegex(resolved[0].reason, "out of range", told)
            return
        for found, wanted in zip(resolved, case.wanted):
            self.assertEqual(found.state, "resolved", told)
            self.assertEqual(value_of(found), bits_of(wanted), told)

    def check_operator(self, op_type):
        make, parameter = move_cases.OPERATORS[op_type]
        tried, left_out = 0, []
        for opset, schema in schemas.versions(op_type):
            for dtype in schemas.dtypes(schema, parameter):
                if not is_computed(op_type, dtype):
                    left_out.append(schemas.name_of(dtype))
                    continue
                cases = [make(self.random, dtype, opset, schema)
                         for _ in range(COUNT)]
                found = iter(folding.resolve(model(cases, opset)))
                for case in cases:
                    self.check(case, [next(found)
                                      for _ in output_names(case, 0)])
                known = [case for case in cases if case.wanted is not None and
                         not case.is_disputed]
                for case, arrays in zip(known, reference(known, opset)):
                    self.check_reference(case, arrays)
                self.disputed += len(cases) - len(known)
                tried += len(cases)
        self.assertGreater(tried, 0)
        folding.print_left_out(op_type, left_out, COUNT)
        for count, reason in ((self.disputed, "the reference differs"),
                              (self.failed, "the reference fails")):
            if count:
                print(f"SKIP: {op_type}: {reason} in {count} of {tried} cases",
                      flush=True)


def add_test(op_type):
    setattr(Moves, f"test_{op_type}",
            lambda self: self.check_operator(op_type))


for name in move_cases.OPERATORS:
    add_test(name)


def floats(*dims):
    return numpy.zeros(dims, numpy.float32)


def integers(*values):
    return numpy.array(values, numpy.int64)


def scalar(value):
    return numpy.array(value, numpy.int64)


LARGE = 2 ** 62

# (opset, op_type, inputs, attributes, what the message says), each beside a
# case that is legal.
REFUSED = [
    (13, "Gather", [floats(3), integers(3)], {}, r"index 0 is 3; .* \[-3, 2\]"),
    (13, "Gather", [floats(3), integers(0, -4)], {}, "index 1 is -4"),
    (13, "Gather", [floats(0), integers(0)], {}, "axis of 0"),
    (13, "Gather", [floats(), integers(0)], {}, "axis is 0; of rank 0"),
    (13, "Gather", [floats(3), integers(0)], {"axis": 1}, "axis is 1"),
    (13, "Gather", [floats(3), floats(1)], {}, "dtype float; indices are"),
    (13, "GatherElements", [floats(3), integers(-4)], {}, "index 0 is -4"),
    (13, "GatherElements", [floats(2, 2), integers(0)], {}, "have rank 1"),
    (13, "GatherElements", [floats(2, 1), integers([0, 0])], {},
     "dim 1 of the indices is 2; it must be at most 1"),
    (13, "GatherND", [floats(2, 2), integers([0, 2])], {}, "index 1 is 2"),
    (13, "GatherND", [floats(2), integers([0, 0])], {}, r"in \[1, 1\]"),
    (13, "GatherND", [floats(2), integers([0])], {"batch_dims": 1},
     "batch_dims is 1"),
    (13, "GatherND", [floats(2, 2), integers([0], [0], [0])],
     {"batch_dims": 1}, "dim 0 is 3 and 2"),
    (13, "Unsqueeze", [floats(2), integers(0, 0)], {}, "axis 0 is there twice"),
    (13, "Unsqueeze", [floats(2), integers(2)], {}, "axis is 2"),
    (13, "Unsqueeze", [floats(2)], {}, "axes are left out"),
    (13, "Squeeze", [floats(2), integers(0)], {}, "dim 0 is 2; it must be 1"),
    (13, "Squeeze", [floats(1, 1), integers(0, -2)], {}, "there twice"),
    (11, "Squeeze", [floats(1)], {"axes": [1]}, "axis is 1"),
    (13, "Concat", [floats(2), floats(2, 1)], {"axis": 0}, "rank 2"),
    (13, "Concat", [floats(2, 1), floats(2, 2)], {"axis": 0},
     "dim 1 is 1 and 2"),
    (13, "Concat", [floats(2), integers(2)], {"axis": 0}, "dtype int64"),
    (13, "Concat", [floats(2)], {}, "axis is left out"),
    (13, "Concat", [floats()], {"axis": 0}, "axis is 0; of rank 0"),
    (13, "Split", [floats(2), integers(3)], {}, "lengths is 3; it must be 2"),
    (13, "Split", [floats(2), integers(-1)], {}, "length 0 is -1"),
    (13, "Split", [floats(2), integers(1, 1)], {}, "input 1 has 2"),
    (18, "Split", [floats(2)], {}, "both left out"),
    (18, "Split", [floats(2), integers(2)], {"num_outputs": 1}, "both there"),
    (18, "Split", [floats(2)], {"num_outputs": 2}, "num_outputs is 2"),
    (13, "Slice", [floats(2), integers(0), integers(2), None, integers(0)],
     {}, "step 0 is 0"),
    (13, "Slice", [floats(2), integers(0), integers(2), integers(1)], {},
     "axis is 1"),
    (13, "Slice", [floats(2), integers(0), integers(2, 2)], {},
     "ends have 2 elements"),
    (13, "Slice", [floats(2), integers(0, 0), integers(2, 2)], {},
     "no such axes"),
    (13, "Reshape", [floats(6), integers(4, -1)], {}, "multiple of 4"),
    (13, "Reshape", [floats(6), integers(-1, -1)], {}, "only one"),
    (13, "Reshape", [floats(6), integers(-2)], {}, "element 0 is -2"),
    (13, "Reshape", [floats(6), integers(5)], {}, "5 elements; it must have 6"),
    (13, "Reshape", [floats(6), integers(6, 0)], {}, "no such dim to take"),
    (13, "Reshape", [floats(0, 2), integers(0, -1)], {}, "be inferred"),
    (14, "Reshape", [floats(0, 2), integers(0, -1)], {"allowzero": 1},
     "shape has 0 and -1"),
    (13, "Flatten", [floats(2)], {"axis": 2}, "axis is 2"),
    (13, "Transpose", [floats(2, 2)], {"perm": [0, 0]}, "perm 1 is 0"),
    (13, "Transpose", [floats(2, 2)], {"perm": [0]}, "perm has 1 axes"),
    (13, "Transpose", [floats(2, 2)], {"perm": [0, -1]}, "perm 1 is -1"),
    (13, "Expand", [floats(2), integers(3)], {}, "is 2 and 3"),
    (13, "Expand", [floats(1), integers(-1)], {}, "element 0 is -1"),
    (13, "Tile", [floats(2), integers(-1)], {}, "repeat 0 is -1"),
    (13, "Tile", [floats(2), integers(1, 1)], {}, "repeats have 2"),
    (13, "Tile", [floats(4), integers(LARGE)], {}, "overflows"),
    (13, "Pad", [floats(2), integers(-3, 0)], {}, "dim 0 is -1"),
    (13, "Pad", [floats(2), integers(1)], {}, "pads have 1 elements"),
    (13, "Pad", [floats(2), integers(1, 1)], {"mode": "other"}, "mode must"),
    (13, "Pad", [floats(0), integers(1, 0)], {"mode": "edge"}, "nothing"),
    (13, "Pad", [floats(2), integers(-2, 1)], {"mode": "reflect"},
     "cut to nothing"),
    (13, "Pad", [floats(2), integers(LARGE, -LARGE)], {}, "pad 0 is"),
    (13, "Pad", [floats(2), integers(1, 0), floats(2)], {}, "must have one"),
    (18, "Pad", [floats(2), integers(1, 0, 1, 0), None, integers(0, -1)], {},
     "there twice"),
    (13, "Where", [floats(1), floats(1), floats(1)], {}, "must be bool"),
    (13, "Where", [floats(1) > 0, floats(1), integers(1)], {}, "dtype int64"),
    (13, "Where", [floats(2) > 0, floats(3), floats(1)], {}, "is 2 and 3"),
    (19, "QuantizeLinear", [floats(2), floats()],
     {"output_dtype": TensorProto.INT8},
     "output_dtype is an attribute since opset 21; the node has opset 19"),
    (21, "DequantizeLinear", [numpy.int8([2]), floats()],
     {"output_dtype": TensorProto.FLOAT}, "since opset 23"),
    (18, "ReduceMax", [floats(2)], {"axes": [0]},
     "axes is an attribute until opset 17; the node has opset 18"),
    (14, "Trilu", [floats(2)], {}, "rank 1"),
    (14, "Trilu", [floats(2, 2), integers(1, 2)], {}, "k has 2"),
    (13, "ScatterElements", [floats(2), integers(2), floats(1)], {},
     "index 0 is 2"),
    (13, "ScatterElements", [floats(2), integers(0), floats(2)], {},
     "dim 0 is 2 and 1"),
    (16, "ScatterElements", [floats(2), integers(0), floats(1)],
     {"reduction": "mean"}, "reduction must be"),
    (16, "ScatterElements", [
        numpy.uint8([250]), integers(0), numpy.uint8([6])],
     {"reduction": "add"}, "overflows"),
    (13, "ScatterND", [floats(2), integers([2]), floats(1)], {},
     "index 0 is 2"),
    (13, "ScatterND", [floats(2), integers([0]), floats(1, 1)], {}, "rank 2"),
    (13, "ScatterND", [floats(2, 2), integers([0]), floats(1, 3)], {},
     "dim 1 is 3 and 2"),
    (13, "Range", [scalar(0), scalar(2), scalar(0)], {}, "delta is 0"),
    (13, "Range", [scalar(0), integers(1, 2), scalar(1)], {}, "no scalar"),
    (13, "Range", [scalar(-2 ** 63), scalar(2 ** 63 - 1), scalar(1)], {},
     "2\\^63 elements"),
    (13, "Range", [numpy.float32(0), numpy.float32("inf"), numpy.float32(1)],
     {}, "2\\^63 elements"),
    (13, "DepthToSpace", [floats(1, 3, 1, 1)], {"blocksize": 2},
     "multiple of 4"),
    (13, "SpaceToDepth", [floats(1, 1, 2, 3)], {"blocksize": 2},
     "multiple of 2"),
    (13, "SpaceToDepth", [floats(1, 1, 2)], {"blocksize": 2}, "must be 4"),
    (13, "DepthToSpace", [floats(1, 4, 1, 1)], {"blocksize": 0},
     "blocksize is 0"),
    (13, "DepthToSpace", [floats(1, 4, 1, 1)],
     {"blocksize": 2, "mode": "ABC"}, "mode must"),
    (11, "OneHot", [integers(0), scalar(-1), floats(2)], {}, "depth is out"),
    (11, "OneHot", [integers(0), integers(1, 1), floats(2)], {}, "depth has 2"),
    (11, "OneHot", [integers(0), scalar(2), floats(3)], {}, "values have 3"),
    (11, "OneHot", [integers(0), scalar(2), floats(2)], {"axis": 2},
     "axis is 2"),
    (13, "EyeLike", [floats(2)], {}, "rank 1"),
    (13, "Cast", [floats(2)], {"to": 99}, "to is 99; it must name a dtype"),
    (13, "Cast", [floats(2)], {}, "to is left out"),
    (13, "Cast", [numpy.float32([2 ** 31])], {"to": TensorProto.INT32},
     "element 0 is out of range; int32"),
    (13, "Cast", [numpy.float32([numpy.nan])], {"to": TensorProto.INT64},
     "out of range"),
    (13, "Cast", [numpy.float64([-1])], {"to": TensorProto.UINT64},
     "out of range"),
    (13, "Cast", [numpy.float64([2 ** 63])], {"to": TensorProto.INT64},
     "out of range"),
    (13, "Cast", [numpy.float64([2 ** 64])], {"to": TensorProto.UINT64},
     "out of range"),
    (13, "Cast", [numpy.uint64([2 ** 63])], {"to": TensorProto.INT64},
     "out of range"),
    (13, "Cast", [numpy.int64([-1])], {"to": TensorProto.UINT64},
     "out of range"),
    (13, "Cast", [numpy.int64([128])], {"to": TensorProto.INT8},
     "out of range"),
]

# What is just within the limits that the above are beyond.
EXACT_CASTS = [
    (numpy.float64([-2 ** 63, 0, 2 ** 63 - 1024]), numpy.int64),
    (numpy.float64([-0.9, 2 ** 64 - 2048]), numpy.uint64),
    (numpy.float64([-128.9, 127.9]), numpy.int8),
    (numpy.float64([-0.9, 255.9]), numpy.uint8),
    (numpy.float32([-2 ** 31, 2 ** 31 - 128]), numpy.int32),
    (numpy.int64([2 ** 63 - 1, -2 ** 63]), numpy.float32),
    (numpy.uint64([2 ** 64 - 1, 2 ** 63 + 2 ** 39 + 1]), numpy.float32),
    (numpy.float64([65519.99, 65520, 2 ** -25, 2 ** -25 + 2 ** -60, 1e300,
                    2 ** -14 - 2 ** -26, 1 + 2 ** -11, 1 + 3 * 2 ** -11,
                    -numpy.inf, 5e-324]), numpy.float16),
]


class Refused(unittest.TestCase):
    def test_what_is_wrong_is_told(self):
        for opset, op_type, inputs, attributes, text in REFUSED:
            case = move_cases.Move(op_type, inputs, attributes, None)
            with self.subTest(op_type=op_type, text=text):
                found, = folding.resolve(model([case], opset))
                self.assertEqual(found.state, "invalid", found.reason)
                self.assertRegex(found.reason, text)

    def test_what_would_be_huge_is_refused(self):
        for op_type, inputs in (
                ("Tile", [floats(1), integers(LARGE)]),
                ("Expand", [floats(1), integers(LARGE)]),
                ("Pad", [floats(1), integers(2 ** 60, 0)]),
                ("Range", [scalar(0), scalar(LARGE), scalar(1)])):
            case = move_cases.Move(op_type, inputs, {}, None)
            with self.subTest(op_type=op_type):
                found, = folding.resolve(model([case], 13))
                self.assertEqual(found.state, "unresolved", found.reason)
                self.assertEqual(len(found.dims), 1)

    def test_sizes_at_the_limit_of_int64(self):
        """Those of an input, of which nothing but the dims is needed."""
        for dims, size in (([2 ** 63 - 1], 2 ** 63 - 1),
                           ([2 ** 31, 2 ** 31], 2 ** 62),
                           ([2 ** 62, 4, 0], 0), ([0, 2 ** 62, 4], 0),
                           ([2 ** 62, 2], None), ([2, 2 ** 62], None),
                           ([2 ** 32, 2 ** 32], None),
                           ([2 ** 63 - 1, 2 ** 63 - 1], None)):
            proto = folding.make(
                [helper.make_node("Size", ["x"], ["y"])], ["y"], 13, (),
                [helper.make_tensor_value_info("x", TensorProto.BOOL, dims)])
            with self.subTest(dims=dims):
                found, = folding.resolve(proto)
                if size is None:
                    self.assertEqual(found.state, "invalid", found.reason)
                    self.assertRegex(found.reason, "dim overflows")
                else:
                    self.assertEqual(value_of(found), bits_of(scalar(size)))

    def test_casts_at_the_limits_are_exact(self):
        for array, dtype in EXACT_CASTS:
            case = move_cases.Move("Cast", [array],
                                   {"to": numpy.dtype(dtype)}, None)
            with self.subTest(array=array, dtype=dtype), \
                    numpy.errstate(all="ignore"):
                found, = folding.resolve(model([case], 13))
                self.assertEqual(found.state, "resolved", found.reason)
                self.assertEqual(value_of(found), bits_of(array.astype(dtype)))


if __name__ == "__main__":
    support.main()
