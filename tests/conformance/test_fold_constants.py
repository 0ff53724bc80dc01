"""Constant and ConstantOfShape in models: each in each version and dtype, many
nodes at once, against the codes that they are made of and ONNX's reference
evaluator.
"""

import collections
import unittest

import folding
import generator
import numpy
import onnx
import onnx.reference
import oracles
import schemas
import support
from onnx import numpy_helper
from test_differential import REFERENCES, explanation

# Cases of each version and dtype that the evaluator is asked about.
COUNT = 50

MAKERS = {"Constant": generator.constant,
          "ConstantOfShape": generator.constant_of_shape}


def model(cases, opset):
    nodes, shapes = [], []
    for at, case in enumerate(cases):
        node = onnx.NodeProto.FromString(case.node)
        node.output[0] = f"o{at}"
        if case.shape is not None:
            node.input[0] = f"s{at}"
            shapes.append(numpy_helper.from_array(
                numpy.array(case.shape, numpy.int64), f"s{at}"))
        nodes.append(node)
    return folding.make(nodes, [node.output[0] for node in nodes], opset,
                        shapes)


def why_not_asked(case):
    """Why the evaluator is not asked about a case, or None."""
    evaluator = REFERENCES["evaluator"]
    if not evaluator.is_asked(case):
        return evaluator.decides
    return explanation("evaluator", case)


class Constants(unittest.TestCase):
    def setUp(self):
        support.library()
        self.random, _ = support.generator()
        self.left_out = collections.Counter()

    def cases(self, op_type, opset, dtype):
        """Those that the evaluator is asked about, and others."""
        asked, others = [], []
        while len(asked) < COUNT:
            case = MAKERS[op_type](self.random, opset, dtype)
            why = why_not_asked(case)
            (asked if why is None else others).append(case)
            self.left_out[why] += 1
        return asked, others

    def check_operator(self, op_type):
        for opset, _ in schemas.versions(op_type):
            _, listed = generator.bind(op_type, opset)
            for dtype in sorted(listed):
                asked, others = self.cases(op_type, opset, dtype)
                cases = asked + others
                for case, found in zip(cases, folding.resolve(
                        model(cases, opset))):
                    self.assertEqual(found.state, "resolved", (found, case))
                    self.assertEqual(support.run(found.plan), case.expected,
                                     case)
                evaluator = onnx.reference.ReferenceEvaluator(
                    model(asked, opset))
                for case, array in zip(asked, evaluator.run(None, {})):
                    self.assertEqual(oracles.of_array(array, dtype),
                                     case.expected, case)
        tried = self.left_out.pop(None)
        for why, count in self.left_out.items():
            print(f"SKIP: {op_type}: the evaluator is not asked about {count} "
                  f"cases, but about {tried}: {why}", flush=True)

    def test_Constant(self):
        self.check_operator("Constant")

    def test_ConstantOfShape(self):
        self.check_operator("ConstantOfShape")


if __name__ == "__main__":
    support.main()
