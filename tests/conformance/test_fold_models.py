"""Shapes of whole models: onnx's own expanded node tests, and models with the
idioms of exporters. What is resolved is compared with the reference evaluator,
which runs the same graph with its fills as outputs.
"""

import copy
import unittest

import fold
import idioms
import numpy
import onnx
import onnx.reference
import onnx.shape_inference
import support
from onnx import helper

FILL = "ConstantOfShape"


def input_arrays(model, dims_of=lambda dim: dim.dim_value):
    """Random values of the model's inputs, by their declared shapes."""
    random = numpy.random.default_rng(1)
    arrays = {}
    for value in model.graph.input:
        tensor = value.type.tensor_type
        shape = [dims_of(dim) for dim in tensor.shape.dim]
        dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        if dtype.kind == "f":
            arrays[value.name] = random.standard_normal(shape).astype(dtype)
        else:
            arrays[value.name] = random.integers(0, 2, shape).astype(dtype)
    return arrays


def evaluate_fills(model, arrays):
    """name -> array of each fill of the main graph."""
    cut = copy.deepcopy(model)
    names = [node.output[0] for node in cut.graph.node
             if node.op_type == FILL]
    del cut.graph.output[:]
    cut.graph.output.extend(
        helper.make_empty_tensor_value_info(name) for name in names)
    results = onnx.reference.ReferenceEvaluator(cut).run(None, arrays)
    return dict(zip(names, results))


def with_symbols(model):
    """The model with a symbol for each dim of its inputs, and the numbers."""
    changed = copy.deepcopy(model)
    numbers = {}
    for value in changed.graph.input:
        for axis, dim in enumerate(value.type.tensor_type.shape.dim):
            symbol = f"{value.name}_{axis}"
            numbers[symbol] = dim.dim_value
            dim.dim_param = symbol
    return changed, numbers


def without_ranks(model):
    """The model with inputs that have no shape, and what they were."""
    changed = copy.deepcopy(model)
    shapes = {}
    for value in changed.graph.input:
        shapes[value.name] = [dim.dim_value for dim
                              in value.type.tensor_type.shape.dim]
        value.type.tensor_type.ClearField("shape")
    return changed, shapes


class Expanded(unittest.TestCase):
    """The 36 fills of the expanded models."""

    @classmethod
    def setUpClass(cls):
        folder = support.shared("onnx-data", "expanded")
        cls.models = {path.parent.name: onnx.load(path)
                      for path in sorted(folder.glob("*/model.onnx"))}
        cls.models = {name: model for name, model in cls.models.items()
                      if any(node.op_type == FILL
                             for node in idioms.all_nodes(model.graph))}

    def check(self, name, model, folded):
        """Compares with the evaluator; returns the number of fills resolved."""
        arrays = input_arrays(model)
        if "affine_grid" in name:
            return sum(resolved.state == "resolved"
                       for resolved in folded.fills().values())
        expected = evaluate_fills(model, arrays)
        for fill, array in expected.items():
            resolved = folded.constants["", fill]
            self.assertEqual(resolved.state, "resolved",
                             (name, fill, resolved.reason))
            self.assertEqual(resolved.dims, array.shape, (name, fill))
            self.assertEqual(fold.content(resolved.plan), fold.dense(array))
        return len(expected)

    def count(self, change):
        return sum(self.check(name, model, change(model))
                   for name, model in self.models.items())

    def test_as_they_are(self):
        self.assertEqual(self.count(fold.Folded), 34)

    def test_with_symbols_that_are_bound(self):
        def change(model):
            changed, numbers = with_symbols(model)
            return fold.Folded(changed, symbols=numbers)
        self.assertEqual(self.count(change), 34)

    def test_with_shapes_that_are_bound(self):
        def change(model):
            changed, shapes = without_ranks(model)
            return fold.Folded(changed, shapes=shapes)
        self.assertEqual(self.count(change), 34)

    def test_affine_grid_with_its_size(self):
        model = self.models["test_affine_grid_3d_align_corners_expanded"]
        size = numpy.array([2, 3, 4, 5, 6])
        fills = fold.Folded(model, {"size": size}).fills()
        self.assertEqual(
            sorted((resolved.state, resolved.dims)
                   for resolved in fills.values()),
            [("not taken", None), ("resolved", (4, 5, 6))])

    def test_with_nothing_but_value_info(self):
        resolved = 0
        for name, model in self.models.items():
            inferred = onnx.shape_inference.infer_shapes(model)
            changed, shapes = without_ranks(inferred)
            for fill in fold.Folded(changed).fills().values():
                if "layer_normalization" in name:
                    self.assertEqual(fill.state, "resolved", name)
                    resolved += 1
                elif fill.state == "unresolved":
                    self.assertTrue(
                        any(f'"{value}"' in fill.reason for value in shapes),
                        (name, fill.reason))
        self.assertEqual(resolved, 16)


class Exporters(unittest.TestCase):
    """Models as exporters write them."""

    def check(self, model, symbols, values):
        arrays = input_arrays(
            model, lambda dim: symbols.get(dim.dim_param, dim.dim_value))
        arrays.update(values)
        folded = fold.Folded(model, values, symbols=symbols)
        for (scope, name), resolved in folded.constants.items():
            self.assertIn(resolved.state, ("resolved", "not taken"),
                          (scope, name, resolved.reason))
        expected = evaluate_fills(model, arrays)
        self.assertGreaterEqual(len(folded.fills()), len(expected))
        for name, array in expected.items():
            resolved = folded.constants["", name]
            self.assertEqual(fold.content(resolved.plan), fold.dense(array))

    def test_each_idiom(self):
        for name, (model, symbols, values) in idioms.MODELS.items():
            with self.subTest(name):
                self.check(model, symbols, values)

    def test_unbound_symbols_are_named(self):
        for name, (model, symbols, values) in idioms.MODELS.items():
            if not symbols:
                continue
            folded = fold.Folded(model)
            open_fills = [resolved for resolved in folded.fills().values()
                          if resolved.state == "unresolved"]
            for resolved in open_fills:
                self.assertRegex(resolved.reason, r"^shape of .* needs ", name)

    def test_constants_alone(self):
        """PaddlePaddle and TensorFlow exporters put weights into nodes."""
        arrays = {f"w{i}": numpy.arange(i, dtype=numpy.float32)
                  for i in range(300)}
        nodes = [helper.make_node("Constant", [], [name],
                                  value=onnx.numpy_helper.from_array(array))
                 for name, array in arrays.items()]
        graph = helper.make_graph(nodes, "g", [], [])
        folded = fold.Folded(helper.make_model(graph))
        for name, array in arrays.items():
            self.assertEqual(fold.content(folded.constants["", name].plan),
                             fold.dense(array))


if __name__ == "__main__":
    support.main()
