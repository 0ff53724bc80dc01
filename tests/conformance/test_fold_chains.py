"""Chains of operators on shapes: what exporters write, at random. Each value of
a chain is compared with the reference evaluator, with the chain's dims bound to
numbers; and what is known without must be what it is with them.
"""

import unittest

import fold
import numpy
import onnx
import support
from onnx import TensorProto, helper

CHAINS = 250
LENGTH = 12
OPERATORS_MIN = 5


class Chain:
    """A model that grows by nodes; each value of it is an output. Vectors and
    scalars are of int64, of the length that the evaluator found."""

    def __init__(self, random):
        self.random = random
        self.nodes = []
        self.constants = []
        self.arrays = {}
        self.operators = set()
        self.symbols = {}
        dims = []
        for axis in range(random.randint(1, 4)):
            number = random.randint(1, 6)
            if random.random() < 0.7:
                self.symbols[f"d{axis}"] = number
            dims.append((f"d{axis}" if f"d{axis}" in self.symbols else number,
                         number))
        self.input = helper.make_tensor_value_info(
            "x", TensorProto.FLOAT, [name for name, _ in dims])
        self.x = numpy.zeros([number for _, number in dims], numpy.float32)
        self.add("Shape", ["x"])

    def name(self, rank):
        """A value of this rank, if there is one."""
        found = [name for name, array in self.arrays.items()
                 if array.ndim == rank and array.size > 0]
        return self.random.choice(found) if found else None

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants.append(onnx.numpy_helper.from_array(
            numpy.array(value, numpy.int64), name))
        return name

    def add(self, op_type, inputs, **attributes):
        """Appends a node, unless the evaluator refuses it or its value is too
        large to be a shape."""
        name = f"v{len(self.nodes)}"
        node = helper.make_node(op_type, inputs, [name], **attributes)
        model = self.model([*self.nodes, node], [name])
        array = onnx.reference.ReferenceEvaluator(model).run(
            None, {"x": self.x})[0]
        if array.dtype != numpy.int64 or array.ndim > 1 or array.size > 40:
            return
        if array.size > 0 and numpy.abs(array).max() > 1 << 40:
            return
        self.nodes.append(node)
        self.arrays[name] = array
        self.operators.add(op_type)

    def model(self, nodes=None, outputs=None):
        graph = helper.make_graph(
            nodes or self.nodes, "chain", [self.input],
            [helper.make_empty_tensor_value_info(name)
             for name in outputs or self.arrays], self.constants)
        return helper.make_model(
            graph, ir_version=10,
            opset_imports=[helper.make_opsetid("", 21)])

    def step(self):
        random = self.random
        vector, scalar = self.name(1), self.name(0)
        other = self.name(1)
        small = random.randint(1, 5)
        steps = [
            lambda: self.add("Gather", [vector, self.constant(
                random.randint(-1, 0))]),
            lambda: self.add("Gather", [vector, self.constant([0, -1])]),
            lambda: self.add("Concat", [vector, other], axis=0),
            lambda: self.add("Slice", [
                vector, self.constant([random.randint(-3, 2)]),
                self.constant([random.choice([1, 3, 1 << 62])]),
                self.constant([0]),
                self.constant([random.choice([1, 2, -1])])]),
            lambda: self.add("Mul", [vector, self.constant(small)]),
            lambda: self.add("Add", [vector, self.constant([small])]),
            lambda: self.add("Sub", [vector, self.constant(small)]),
            lambda: self.add("Div", [vector, self.constant(small)]),
            lambda: self.add("Mod", [vector, self.constant(small)]),
            lambda: self.add("Max", [vector, self.constant([small])]),
            lambda: self.add("Min", [vector, self.constant([small])]),
            lambda: self.add("Neg", [vector]),
            lambda: self.add("Abs", [vector]),
            lambda: self.add("ReduceProd", [vector], keepdims=1),
            lambda: self.add("ReduceSum", [vector], keepdims=0),
            lambda: self.add("ReduceMax", [vector], keepdims=1),
            lambda: self.add("CumSum", [vector, self.constant(0)]),
            lambda: self.add("Shape", [vector]),
            lambda: self.add("Size", [vector]),
            lambda: self.add("Identity", [vector]),
            lambda: self.add("Tile", [vector, self.constant([2])]),
            lambda: self.add("Reshape", [vector, self.constant([-1])]),
            lambda: self.add("Expand", [self.constant(small), self.constant(
                [small])]),
            lambda: self.add("Range", [self.constant(0),
                                       self.constant(small),
                                       self.constant(1)]),
            lambda: self.add("Pad", [vector, self.constant([1, 0]),
                                     self.constant(small)]),
            lambda: self.add("Transpose", [vector]),
            lambda: self.add("ScatterElements", [
                vector, self.constant([0]), self.constant([small])]),
            lambda: self.add("Cast", [vector], to=TensorProto.INT64),
            lambda: self.compare(vector, other),
        ]
        if scalar is not None:
            steps += [
                lambda: self.add("Unsqueeze", [scalar, self.constant([0])]),
                lambda: self.add("Add", [scalar, vector]),
                lambda: self.add("Mul", [scalar, self.constant([1])]),
                lambda: self.add("Clip", [scalar, self.constant(1),
                                          self.constant(5)]),
            ]
        random.choice(steps)()

    def compare(self, vector, other):
        """Where(Equal(vector, c), c, vector), as torch writes an expand."""
        chosen = self.constant(self.random.randint(-1, 4))
        index = len(self.nodes)
        mask = helper.make_node(
            self.random.choice(["Equal", "Less", "Greater"]),
            [vector, chosen], [f"m{index}"])
        self.nodes.append(mask)
        before = len(self.arrays)
        self.add("Where", [f"m{index}", chosen, vector])
        if len(self.arrays) == before:
            self.nodes.pop()
        else:
            self.operators.add(mask.op_type)


def make_chain(random):
    """A chain of enough operators."""
    while True:
        chain = Chain(random)
        for _ in range(LENGTH * 4):
            if len(chain.arrays) < LENGTH:
                chain.step()
        if len(chain.operators) >= OPERATORS_MIN:
            return chain


class Chains(unittest.TestCase):
    def test_each_value(self):
        random, _ = support.generator()
        told = 0
        for number in range(CHAINS):
            chain = make_chain(random)
            content = chain.model().SerializeToString()
            bound = fold.Folded(content, symbols=chain.symbols)
            free = fold.Folded(content)
            for name, array in chain.arrays.items():
                self.assertEqual(bound.value(name), fold.dense(array),
                                 (number, name))
                resolved = free.outputs[name]
                self.assertIn(resolved.state, ("resolved", "unresolved"),
                              (number, name, resolved.reason))
                if resolved.plan is not None:
                    told += 1
                    self.assertEqual(free.value(name), fold.dense(array),
                                     (number, name))
                for dim, size in zip(resolved.dims or (), array.shape):
                    if isinstance(dim, int):
                        self.assertEqual(dim, size, (number, name))
        # Constants, shapes and what the chains make of known dims.
        self.assertGreater(told, CHAINS)


if __name__ == "__main__":
    support.main()
