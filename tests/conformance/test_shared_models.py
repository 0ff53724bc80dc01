"""The models of ONNX's own repository: its node tests, its light models, and
models whose functions are expanded, counted independently with onnx."""

import collections
import unittest

import onnx
import support

# Counts of ConstantOfShape nodes, from facts about the files: each was counted
# in the files' text form.
LIGHT_NODES = {
    "bvlc_alexnet": 16,
    "densenet121": 836,
    "inception_v1": 93,
    "inception_v2": 407,
    "resnet50": 239,
    "shufflenet": 243,
    "squeezenet": 39,
    "vgg19": 36,
    "zfnet512": 16,
}
VGG19_BYTES = 574_668_448

OPERATORS = ("Constant", "ConstantOfShape")


def bodies(graph):
    """The graph itself, then all graphs in attributes at any depth."""
    yield graph, False
    for node in graph.node:
        for attribute in node.attribute:
            for body in [attribute.g, *attribute.graphs]:
                if body.ByteSize() > 0:
                    for inner, _ in bodies(body):
                        yield inner, True


def count_nodes(model):
    """(operator, is in a subgraph) -> number of nodes."""
    counts = collections.Counter()
    for body, is_inner in bodies(model.graph):
        for node in body.node:
            if node.op_type in OPERATORS and node.domain in ("", "ai.onnx"):
                counts[node.op_type, is_inner] += 1
    return counts


def count_listed(listed):
    counts = collections.Counter()
    for constant in listed["constants"]:
        if constant["op_type"] in OPERATORS:
            counts[constant["op_type"], constant["scope"] != ""] += 1
    return counts


class NodeTests(unittest.TestCase):
    def test_each_folder_passes(self):
        folder = support.shared("onnx-data", "node")
        result = support.clconst(
            "test", "--device", support.arguments.device, folder)
        self.assertEqual(
            (result["passed"], result["failed"], result["skipped"]),
            (31, 0, 0), result["cases"])


class LightModels(unittest.TestCase):
    def test_listed_nodes_and_loaded_bytes(self):
        folder = support.shared("onnx-data", "light")
        for name, count in LIGHT_NODES.items():
            with self.subTest(name):
                path = folder / f"light_{name}.onnx"
                listed = support.clconst("list", path)["constants"]
                nodes = [constant for constant in listed
                         if constant["op_type"] == "ConstantOfShape"]
                self.assertEqual(len(nodes), count)
                self.assertTrue(all(c["resolved"] for c in listed))
                loaded = support.clconst(
                    "load", "--verify", "--device", support.arguments.device,
                    path)
                self.assertTrue(loaded["verified"])
                self.assertEqual(loaded["unresolved"], [])
                self.assertEqual(loaded["tensors"], len(listed))
                self.assertEqual(loaded["bytes"],
                                 sum(c["bytes"] for c in listed))
                self.assertEqual(sum(c["bytes"] for c in nodes),
                                 sum_of_fills(onnx.load(path)))
                if name == "vgg19":
                    self.assertEqual(sum(c["bytes"] for c in nodes),
                                     VGG19_BYTES)


    def test_many_fills_take_few_commands(self):
        """On a device; the CPU engine counts plans."""
        if support.arguments.device == "cpu":
            self.skipTest("the CPU engine has no commands")
        loaded = support.clconst(
            "load", "--device", support.arguments.device,
            support.shared("onnx-data", "light") / "light_densenet121.onnx")
        places = {(row["arena"], row["offset"]) for row in loaded["table"]}
        self.assertEqual(len(places), loaded["tensors"])
        self.assertGreater(loaded["tensors"], LIGHT_NODES["densenet121"])
        self.assertLessEqual(loaded["commands"], 10)


def sum_of_fills(model):
    """Bytes of all ConstantOfShape outputs, from the shape initializers."""
    shapes = {initializer.name: onnx.numpy_helper.to_array(initializer)
              for initializer in model.graph.initializer}
    return sum(4 * int(shapes[node.input[0]].prod())
               for node in model.graph.node
               if node.op_type == "ConstantOfShape")


class ExpandedModels(unittest.TestCase):
    def test_each_node_is_listed(self):
        folder = support.shared("onnx-data", "expanded")
        totals = collections.Counter()
        paths = sorted(folder.glob("*/model.onnx"))
        self.assertEqual(len(paths), 116)
        for path in paths:
            with self.subTest(path.parent.name):
                listed = support.clconst("list", path)
                counts = count_listed(listed)
                self.assertEqual(counts, count_nodes(onnx.load(path)))
                totals += counts
                for constant in listed["constants"]:
                    self.assertTrue(constant["resolved"] or constant["reason"])
        self.assertEqual(
            {key: totals[key] for key in sorted(totals)},
            {("Constant", False): 469, ("Constant", True): 18,
             ("ConstantOfShape", False): 35, ("ConstantOfShape", True): 1})


if __name__ == "__main__":
    support.main()
