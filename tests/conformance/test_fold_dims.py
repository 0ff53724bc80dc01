"""Dims of what is not computed: each operator in each version against
onnx.shape_inference, with all dims of the inputs known and with some of them
symbols.
"""

import unittest

import folding
import numpy
import onnx
import support
from dims_cases import GENERATORS, Tensor
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
    hidden = {length for length in range(1, 60) if random.random() < 0.5}
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
        for i, resolved in enumerate(got):
            self.assertNotEqual(resolved.state, "invalid", told)
            dtype, dims = inferred.get(f"o{i}", (0, None))
            if node.op_type == "Attention" and dims is not None:
                # Inference takes the heads times an unknown size for 0.
                dims = [dim or None for dim in dims]
            self.compare(told, resolved.dims, dims)

    def check_operator(self, op_type):
        self.refused = []
        for opset, schema in folding.versions(op_type):
            if schema.deprecated:
                continue
            for _ in range(COUNT):
                node = GENERATORS[op_type](self.random, opset)
                self.check(node, opset, node.inputs)
                self.check(node, opset, with_symbols(self.random, node))
        if self.refused:
            print(f"SKIP: {op_type}: {len(self.refused)} cases that inference "
                  f"refuses: {self.refused[0][:300]}", flush=True)


def add_test(op_type):
    setattr(Dims, f"test_{op_type}",
            lambda self: self.check_operator(op_type))


for name in GENERATORS:
    add_test(name)


if __name__ == "__main__":
    support.main()
