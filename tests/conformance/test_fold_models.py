"""Shapes of whole models: onnx's own expanded node tests, and models with the
idioms of exporters. What is resolved is compared with what the reference
evaluator makes of each fill when it runs the model.
"""

import collections
import copy
import itertools
import re
import unittest
import unittest.mock

import fold
import idioms
import numpy
import onnx
import onnx.reference
import onnx.shape_inference
import support
from onnx import helper
from onnx.reference.ops import op_constant_of_shape

FILL = "ConstantOfShape"
EVALUATED = op_constant_of_shape.ConstantOfShape

# The expanded model whose shapes are the value of an input.
SIZED = "test_affine_grid_3d_align_corners_expanded"

# The others, by a part of the name.
FAMILIES = ("layer_normalization", "linear_attention", "test_attention",
            "causal_conv")


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


def without_repeats(items):
    return [item for item, _ in itertools.groupby(items)]


def evaluate_fills(model, arrays):
    """name -> what each fill that the evaluator runs comes to, in bodies and
    functions as well, in the order of calls; once for turns that make the
    same."""
    made = collections.defaultdict(list)
    run = EVALUATED._run

    def record(self, *given, **attributes):
        results = run(self, *given, **attributes)
        made[self.onnx_node.output[0]].append(fold.dense(results[0]))
        return results

    with unittest.mock.patch.object(EVALUATED, "_run", record):
        onnx.reference.ReferenceEvaluator(model).run(None, arrays)
    return {name: without_repeats(made[name]) for name in made}


def resolved_fills(folded):
    """The same of the library; a fill in a branch that is not taken is in
    neither."""
    made = collections.defaultdict(list)
    for place, resolved in folded.fills().items():
        if resolved.plan is not None:
            made[place.rpartition(":")[2]].append(fold.content(resolved.plan))
    return {name: without_repeats(made[name]) for name in made}


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

        cls.sized = cls.models.pop(SIZED)

    def count(self, change):
        """Compares with the evaluator; returns the number of fills that are
        resolved."""
        self.assertEqual(sorted(
            resolved.state for resolved
            in change(self.sized).fills().values()),
            ["not taken", "unresolved"])
        count = 0
        for name, model in self.models.items():
            fills = resolved_fills(change(model))
            self.assertEqual(fills, evaluate_fills(
                model, input_arrays(model)), name)
            count += len(fills)
        return count

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
        size = {"size": numpy.array([2, 3, 4, 5, 6])}
        folded = fold.Folded(self.sized, size)
        self.assertEqual(
            sorted((resolved.state, resolved.dims)
                   for resolved in folded.fills().values()),
            [("not taken", None), ("resolved", (4, 5, 6))])
        self.assertEqual(resolved_fills(folded), evaluate_fills(
            self.sized, input_arrays(self.sized) | size))

    def test_affine_grid_with_its_size_by_the_program(self):
        folder = support.shared("onnx-data", "expanded", SIZED)
        listed = support.clconst("list", folder / "model.onnx", "-i",
                                 "size=2,3,4,5,6")["constants"]
        self.assertEqual(
            [(constant["shape"], constant["taken"]) for constant in listed
             if constant["op_type"] == FILL],
            [([4, 5, 6], True), (None, False)])

    def test_with_nothing_but_value_info(self):
        states = collections.Counter()
        for name, model in self.models.items():
            inferred = onnx.shape_inference.infer_shapes(model)
            changed, shapes = without_ranks(inferred)
            folded = fold.Folded(changed)
            for fill in folded.fills().values():
                family = next(family for family in FAMILIES if family in name)
                states[family, fill.state] += 1
                if fill.state == "unresolved":
                    needed = re.search('needs the shape of "(.*)"$',
                                       fill.reason)
                    self.assertIn(needed and needed.group(1), shapes,
                                  (name, fill.reason))
                else:
                    self.assertEqual(resolved_fills(folded), evaluate_fills(
                        model, input_arrays(model)), name)
        self.assertEqual(states, {
            ("layer_normalization", "resolved"): 16,
            ("test_attention", "unresolved"): 11,
            ("causal_conv", "unresolved"): 4,
            ("linear_attention", "unresolved"): 3})


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
        self.assertGreater(len(expected), 0)
        self.assertEqual(resolved_fills(folded), expected)

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
