"""Models that the shared data lack: functions that call one another, a Loop
in a function body, and bodies many levels deep."""

import pathlib
import tempfile
import unittest

import numpy
import onnx
import support
from onnx import TensorProto, helper, numpy_helper

OPSET = helper.make_opsetid("", 21)
OWN = helper.make_opsetid("own", 1)


def constant(output, array):
    return helper.make_node("Constant", [], [output],
                            value=numpy_helper.from_array(array))


def filled(shape, output, value):
    return helper.make_node("ConstantOfShape", [shape], [output],
                            value=numpy_helper.from_array(value))


def loop_body(name):
    """A body that fills [2, 2] each time, its shape a Constant of its own."""
    return helper.make_graph(
        [constant(f"{name}_shape", numpy.array([2, 2])),
         filled(f"{name}_shape", f"{name}_out", numpy.float32([7])),
         helper.make_node("Identity", ["condition"], ["again"])],
        name,
        [helper.make_tensor_value_info("step", TensorProto.INT64, []),
         helper.make_tensor_value_info("condition", TensorProto.BOOL, [])],
        [helper.make_tensor_value_info("again", TensorProto.BOOL, []),
         helper.make_tensor_value_info(f"{name}_out", TensorProto.FLOAT,
                                       [2, 2])])


def model_with_functions():
    inner = helper.make_function(
        "own", "Inner", [], ["y"],
        [constant("shape", numpy.array([3])),
         filled("shape", "y", numpy.int32([5]))], [OPSET])
    outer = helper.make_function(
        "own", "Outer", [], ["y", "z"],
        [constant("count", numpy.array(2)),
         constant("start", numpy.array(True)),
         helper.make_node("Inner", [], ["y"], domain="own"),
         helper.make_node("Loop", ["count", "start"], ["z"], name="repeat",
                          body=loop_body("body"))], [OPSET, OWN])
    graph = helper.make_graph(
        [helper.make_node("Outer", [], ["y", "z"], domain="own"),
         constant("w", numpy.float64([1, 2]))],
        "main", [],
        [helper.make_tensor_value_info("y", TensorProto.INT32, [3])])
    return helper.make_model(graph, functions=[inner, outer],
                             opset_imports=[OPSET, OWN])


def nested_model(depth):
    """Ifs within Ifs, each branch with a constant of its own."""
    def branch(level):
        nodes = [constant(f"c{level}", numpy.int64([level]))]
        if level < depth:
            nodes.append(helper.make_node(
                "If", ["condition"], [f"r{level}"], name=f"if{level}",
                then_branch=branch(level + 1), else_branch=branch(depth)))
        return helper.make_graph(
            nodes, f"g{level}", [],
            [helper.make_tensor_value_info(f"c{level}", TensorProto.INT64,
                                           [1])])
    graph = branch(0)
    graph.initializer.append(
        numpy_helper.from_array(numpy.array(True), "condition"))
    return helper.make_model(graph, opset_imports=[OPSET])


class GeneratedModels(unittest.TestCase):
    def list(self, model):
        onnx.checker.check_model(model)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model.onnx")
            onnx.save(model, path)
            return support.clconst("list", path)["constants"]

    def test_constants_of_functions_are_listed_under_them(self):
        found = {(c["scope"], c["name"], c["op_type"], tuple(c["shape"]),
                  c["resolved"]) for c in self.list(model_with_functions())}
        self.assertEqual(found, {
            ("", "w", "Constant", (2,), True),
            ("own.Inner", "shape", "Constant", (1,), True),
            ("own.Inner", "y", "ConstantOfShape", (3,), True),
            ("own.Outer", "count", "Constant", (), True),
            ("own.Outer", "start", "Constant", (), True),
            ("own.Outer/repeat.body", "body_shape", "Constant", (2,), True),
            ("own.Outer/repeat.body", "body_out", "ConstantOfShape", (2, 2),
             True),
        })

    def test_nested_bodies_are_all_found(self):
        constants = self.list(nested_model(12))
        nodes = [c for c in constants if c["op_type"] == "Constant"]
        # One in each of 13 levels, and one in each of 12 else branches.
        self.assertEqual(len(nodes), 25)
        deepest = "/".join(f"if{level}.then_branch" for level in range(12))
        self.assertIn((deepest, "c12"),
                      {(c["scope"], c["name"]) for c in nodes})
        self.assertEqual(len({(c["scope"], c["name"]) for c in constants}),
                         26)


if __name__ == "__main__":
    support.main()
