"""Dims of what is not computed: each operator in each version against
onnx.shape_inference, with all dims of the inputs known and with some of them
symbols.
"""

import unittest

import folding
import numpy
import onnx
import schemas
import support
from dims_cases import GENERATORS, Node, Tensor
from onnx import TensorProto, helper, numpy_helper, shape_inference

COUNT = 25


def build(node, opset, inputs):
    """A model of the node, with these dims of the inputs."""
    names = ["" if value is None else f"i{at}"
             for at, value in enumerate(node.inputs)]
    while names and not names[-1]:
        names.pop()
    outputs = [f"o{i}" for i in range(node.outputs)]
    return folding.make(
        [helper.make_node(node.op_type, names, outputs, "n",
                          **node.attributes)], outputs, opset,
        [numpy_helper.from_array(value, f"i{at}")
         for at, value in enumerate(node.inputs)
         if isinstance(value, numpy.ndarray)],
        [helper.make_tensor_value_info(f"i{at}", value.dtype, value.dims)
         for at, value in enumerate(inputs) if isinstance(value, Tensor)])


def with_symbols(random, node):
    """The inputs with some dims replaced: by the same symbol where they are
    of one length, so that what must be equal stays equal."""
    hidden = {length for length in range(60) if random.random() < 0.5}
    return [Tensor([f"d{dim}" if dim in hidden else dim
                    for dim in value.dims], value.dtype)
            if isinstance(value, Tensor) else value for value in node.inputs]


def infer(model):
    """For each output its dtype and its dims, which may be None; or the
    error."""
    del model.graph.output[:]
    try:
        inferred = shape_inference.infer_shapes(
            model, check_type=True, strict_mode=True, data_prop=True)
    except Exception as error:  # of inference, whatever it is
        return error
    found = {}
    for value in inferred.graph.value_info:
        tensor = value.type.tensor_type
        dims = None
        if tensor.HasField("shape"):
            dims = [dim.dim_value if dim.HasField("dim_value") else
                    dim.dim_param if dim.HasField("dim_param") else None
                    for dim in tensor.shape.dim]
        found[value.name] = tensor.elem_type, dims
    return found


def agree(dims, others):
    """Whether no number of one is another in the other."""
    return all(dim == other for dim, other in zip(dims or (), others)
               if isinstance(dim, int) and isinstance(other, int))


class Dims(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        support.library()
        cls.random, _ = support.generator()

    def compare(self, told, got, wanted):
        """What inference knows, the library knows too."""
        if wanted is None:
            return
        self.assertIsNotNone(got, told)
        self.assertEqual(len(got), len(wanted), told)
        for own, dim in zip(got, wanted):
            if isinstance(dim, int):
                self.assertEqual(own, dim, told)
            elif isinstance(dim, str) and dim.startswith("d"):
                self.assertEqual(own, dim, told)

    def check(self, node, opset, inputs):
        model = build(node, opset, inputs)
        got = folding.resolve(model)
        inferred = infer(model)
        told = (f"opset {opset}: {node.op_type}({inputs}) {node.attributes}: "
                f"{[(r.dims, r.reason) for r in got]}, not {inferred!r}")
        if isinstance(inferred, Exception):
            self.refused.append(told)
            return
        if node.wanted is not None:
            self.compare(told, node.wanted, [
                dim if isinstance(dim, int) else None
                for dim in got[0].dims])
            self.assertTrue(inputs != node.inputs or
                            list(got[0].dims) == node.wanted, told)
            if not agree(inferred["o0"][1], node.wanted):
                self.differing.append(told)
                return
        for i, resolved in enumerate(got):
            self.assertNotEqual(resolved.state, "invalid", told)
            dtype, dims = inferred.get(f"o{i}", (0, None))
            if node.op_type == "Attention" and dims is not None:
                # Inference takes the heads times an unknown size for 0.
                dims = [dim or None for dim in dims]
            self.compare(told, resolved.dims, dims)

    def check_operator(self, op_type):
        self.refused, self.differing = [], []
        for opset, _ in schemas.versions(op_type):
            for _ in range(COUNT):
                node = GENERATORS[op_type](self.random, opset)
                self.check(node, opset, node.inputs)
                self.check(node, opset, with_symbols(self.random, node))
        for cases, reason in (
                (self.refused, "that inference refuses"),
                (self.differing, "in which inference does not follow the "
                                 "specification")):
            if cases:
                print(f"SKIP: {op_type}: {len(cases)} cases {reason}: "
                      f"{cases[0][:300]}", flush=True)


def add_test(op_type):
    setattr(Dims, f"test_{op_type}",
            lambda self: self.check_operator(op_type))


for name in GENERATORS:
    add_test(name)


def image(*dims):
    return Tensor([1, 4, *dims])


IMAGE, KERNEL = image(5, 5), Tensor([6, 4, 3, 3])
HUGE = 2 ** 62

# (op_type, inputs, attributes, what the reason says)
NOT_LEGAL = (
    ("MatMul", [Tensor([2, 3]), Tensor([4, 5])], {},
     "columns of A is 3 and rows of B is 4"),
    ("MatMul", [Tensor([]), Tensor([4, 5])], {}, "A has rank 0"),
    ("MatMul", [Tensor([2, 2, 3]), Tensor([3, 3, 5])], {},
     "dim 0 from the end is 2 and 3"),
    ("Gemm", [Tensor([2, 3, 4]), Tensor([4, 5])], {}, "A has rank 3"),
    ("Gemm", [Tensor([2, 3]), Tensor([3, 5])], {"transB": 1}, "rows of B is 5"),
    ("Det", [Tensor([3])], {}, "rank 1"),
    ("Det", [Tensor([2, 3])], {}, "rows is 2 and columns is 3"),
    ("Conv", [IMAGE, Tensor([6, 3, 3, 3])], {}, "X has 4 channels"),
    ("Conv", [IMAGE, Tensor([6, 4, 3])], {}, "ranks of X and W are 4 and 3"),
    ("Conv", [IMAGE, KERNEL], {"pads": [0, 0, 0]}, "pads has 3 entries"),
    ("Conv", [IMAGE, KERNEL], {"pads": [0, -1, 0, 0]},
     "entry 1 of pads is -1"),
    ("Conv", [IMAGE, KERNEL], {"strides": [1, 0]}, "entry 1 of strides is 0"),
    ("Conv", [IMAGE, KERNEL], {"dilations": [0, 1]},
     "entry 0 of dilations is 0"),
    ("Conv", [IMAGE, KERNEL], {"dilations": [9, 1]}, "the kernel must fit"),
    ("Conv", [IMAGE, KERNEL], {"dilations": [HUGE, 1]}, "overflows"),
    ("Conv", [IMAGE, KERNEL], {"pads": [HUGE, 0, HUGE, 0]}, "overflow"),
    ("Conv", [IMAGE, KERNEL], {"auto_pad": "SAME"}, "auto_pad is none of"),
    ("Conv", [IMAGE, KERNEL], {"group": 0}, "group is 0"),
    ("Conv", [IMAGE, Tensor([6, 4, 0, 3])], {}, "spatial dim 0 of the kernel"),
    ("ConvTranspose", [IMAGE, Tensor([4, 4, 1, 1])], {"pads": [9, 0, 9, 0]},
     "spatial dim 0 of the result is -13"),
    ("ConvTranspose", [IMAGE, Tensor([4, 4, 1, 1])], {"strides": [HUGE, 1]},
     "overflows"),
    ("ConvTranspose", [IMAGE, Tensor([4, HUGE, 1, 1])], {"group": 2},
     "overflows"),
    ("MaxPool", [IMAGE], {}, "kernel_shape is missing"),
    ("MaxPool", [IMAGE], {"kernel_shape": [9, 1]}, "the kernel must fit"),
    ("AveragePool", [Tensor([4, 4])], {"kernel_shape": [1]}, "rank 2"),
    ("GlobalMaxPool", [Tensor([4, 4])], {}, "rank 2"),
    ("MaxUnpool", [IMAGE, IMAGE, numpy.array([1, 4, 9])],
     {"kernel_shape": [2, 2]}, "output_shape has 3 entries"),
    ("MaxUnpool", [IMAGE, IMAGE, numpy.array([1, 4, -9, 9])],
     {"kernel_shape": [2, 2]}, "dim 2 is -9"),
    ("RoiAlign", [IMAGE, Tensor([4]), Tensor([4], TensorProto.INT64)], {},
     "rois has rank 1"),
    ("RoiAlign", [IMAGE, Tensor([4, 4]), Tensor([4], TensorProto.INT64)],
     {"output_width": -1}, "dim 3 is -1"),
    ("Softmax", [Tensor([4, 4])], {"axis": 2}, "axis is 2"),
    ("LayerNormalization", [Tensor([4, 4]), Tensor([4])], {"axis": -3},
     "axis is -3"),
    ("ArgMax", [Tensor([4, 4])], {"axis": 2}, "axis is 2"),
    ("ReduceMean", [Tensor([4, 4]), numpy.array([2])], {}, "axis is 2"),
    ("TopK", [Tensor([4]), numpy.array([5])], {}, "K is 5"),
    ("TopK", [Tensor([4]), numpy.array([-1])], {}, "K is -1"),
    ("TopK", [Tensor([4]), numpy.array([1, 1])], {}, "K has 2 elements"),
    ("TopK", [Tensor([4])], {}, "input 1 is left out"),
    ("Compress", [Tensor([4]), Tensor([4], TensorProto.BOOL)], {"axis": 1},
     "axis is 1"),
    ("GridSample", [IMAGE, Tensor([1, 3, 2])], {}, "grid has rank 3"),
    ("AffineGrid", [Tensor([1, 2, 3]), numpy.array([1, 2, 3])], {},
     "size has 3 elements"),
    ("Resize", [IMAGE], {}, "both missing"),
    ("Resize", [IMAGE, None, numpy.ones(4, numpy.float32),
                numpy.array([1, 2, 3, 4])], {}, "both given"),
    ("Resize", [IMAGE, None, numpy.ones(3, numpy.float32)], {},
     "scales has 3 elements"),
    ("Resize", [IMAGE, None, numpy.zeros(4, numpy.float32)], {},
     "scale 0 is 0"),
    ("Resize", [IMAGE, None, numpy.full(4, numpy.nan, numpy.float32)], {},
     "scale 0 is"),
    ("Resize", [IMAGE, None, numpy.full(4, 1e30, numpy.float32)], {},
     "overflows"),
    ("Resize", [IMAGE, None, None, numpy.array([1, 4, 5, -5])], {},
     "dim 3 is -5"),
    ("Resize", [IMAGE, None, None, numpy.array([5])],
     {"axes": [2], "keep_aspect_ratio_policy": "both"},
     "keep_aspect_ratio_policy is none of"),
    ("LSTM", [Tensor([4, 4]), Tensor([1, 8, 4]), Tensor([1, 8, 2])], {},
     "X has rank 2"),
    ("LSTM", [Tensor([4, 4, 4]), Tensor([1, 8, 4]), Tensor([1, 8, 2])],
     {"hidden_size": -2}, "is -2"),
    ("Einsum", [Tensor([4, 4])], {"equation": "ij,jk->ik"}, "2 terms"),
    ("Einsum", [Tensor([4, 4])], {"equation": "ijk->ik"}, "3 letters"),
    ("Einsum", [Tensor([4, 4])], {"equation": "ij->ik"}, "k in the result"),
    ("Einsum", [Tensor([4, 4])], {"equation": "i1->i"}, "character 49"),
    ("Einsum", [Tensor([4, 4])], {"equation": "ij...k->i"}, "3 letters"),
    ("Einsum", [Tensor([4, 4])], {"equation": "..j->j"}, "character 46"),
    ("Attention", [Tensor([1, 2, 3]), Tensor([1, 2, 3]), Tensor([1, 2, 3])],
     {}, "rank 3; it must be 4"),
    ("RandomNormal", [], {"shape": [2, -1]}, "dim 1 is -1"),
    ("RandomNormal", [], {}, "shape is missing"),
    ("RandomNormal", [], {"shape": [2], "dtype": 99}, "dtype is 99"),
    ("RandomNormal", [], {"shape": [1] * 1025}, "rank 1025"),
    ("Multinomial", [Tensor([2, 2])], {"sample_size": -1}, "dim 1 is -1"),
    ("QuantizeLinear", [Tensor([2]), Tensor([])], {"output_dtype": -7},
     "output_dtype is -7"),
)


class NotLegal(unittest.TestCase):
    def test_nodes_that_are_not_legal(self):
        for op_type, inputs, attributes, reason in NOT_LEGAL:
            with self.subTest(op_type, reason=reason):
                node = Node(op_type, inputs, attributes)
                resolved, = folding.resolve(build(node, 24, inputs))
                self.assertEqual(resolved.state, "invalid", resolved)
                self.assertRegex(resolved.reason, reason)

    def test_scales_of_another_dtype(self):
        inputs = [Tensor([2]), numpy.ones(1)]
        resolved, = folding.resolve(build(Node("Resize", inputs), 10, inputs))
        self.assertEqual(resolved.state, "invalid", resolved)
        self.assertIn("scales have dtype double", resolved.reason)


class Dtypes(unittest.TestCase):
    """The dtype that is told of a result is seen by a node that takes two of
    one dtype."""

    def meet(self, node, opset, output, dtype):
        model = build(node, opset, node.inputs)
        model.graph.node.append(helper.make_node(
            "Equal", [output, "probe"], ["met"]))
        model.graph.input.append(
            helper.make_tensor_value_info("probe", dtype, []))
        del model.graph.output[:]
        model.graph.output.append(
            helper.make_tensor_value_info("met", TensorProto.BOOL, None))
        resolved, = folding.resolve(model)
        return resolved

    def test_results_meet_their_dtype_only(self):
        random, _ = support.generator()
        for op_type, make in GENERATORS.items():
            opset, _ = schemas.versions(op_type)[-1]
            node = make(random, opset)
            inferred = infer(build(node, opset, node.inputs))
            if isinstance(inferred, Exception):
                continue
            for output, (dtype, _) in inferred.items():
                told = f"{node}: {output} of {dtype}"
                right = self.meet(node, opset, output, dtype)
                self.assertNotEqual(right.state, "invalid", (told, right))
                other = TensorProto.UINT16
                wrong = self.meet(node, opset, output, other)
                self.assertEqual(wrong.state, "invalid", told)
                self.assertIn("input 1 has dtype uint16", wrong.reason)


if __name__ == "__main__":
    support.main()
