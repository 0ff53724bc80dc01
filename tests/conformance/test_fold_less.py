"""Nodes of which less is told, or what is wrong. What the library tells of a
result when it knows less must agree with what it tells when it knows more: that
holds whatever the right answer is, so that no oracle is asked. What breaks a
rule of ONNX is refused, or is nothing that the result depends on.
"""

import copy
import unittest

import fold
import fold_models
import folding
import onnx
import support
import test_fold_dims
from onnx import AttributeProto, helper

ROUNDS = 2

# Inputs that a schema requires, but that decide nothing that is told: exporters
# leave some of them out.
NOT_READ = {
    ("Gemm", 2), ("GroupNormalization", 1), ("GroupNormalization", 2),
    ("InstanceNormalization", 1), ("InstanceNormalization", 2), ("Resize", 1),
    ("Resize", 2), ("ReverseSequence", 1), ("RotaryEmbedding", 1),
    ("RotaryEmbedding", 2), ("SwiGLU", 1), ("TensorScatter", 1),
    ("Upsample", 1)}

# Inference takes the dims of the first input: there is no broadcasting yet.
NOT_BROADCAST = {("Max", 7), ("Mean", 7), ("Min", 7), ("Sum", 7)}

# MaxUnpool: inference does not follow the channels of the input. The others: it
# takes an empty list of axes for one that is given.
INFERENCE_DIFFERS = {"MaxUnpool", "Squeeze", "Transpose"}


def value_infos(graph):
    """name -> dtype and dims of what a graph is given."""
    found = {}
    for tensor in graph.initializer:
        found[tensor.name] = tensor.data_type, list(tensor.dims)
    for value in graph.input:
        tensor = value.type.tensor_type
        found[value.name] = tensor.elem_type, [
            dim.dim_value if dim.HasField("dim_value") else dim.dim_param
            for dim in tensor.shape.dim]
    return found


def without(model, name):
    """A copy in which nothing gives this value."""
    changed = copy.deepcopy(model)
    for values in (changed.graph.initializer, changed.graph.input):
        for at, value in enumerate(values):
            if value.name == name:
                del values[at]
                break
    return changed


def as_input(model, name, dtype, dims):
    changed = without(model, name)
    changed.graph.input.append(helper.make_tensor_value_info(
        name, dtype, dims))
    return changed


def as_opaque(model, name):
    """The value comes of an operator that nobody knows."""
    changed = without(model, name)
    changed.graph.node.insert(0, helper.make_node(
        "Opaque", [], [name], domain="own"))
    return changed


def reductions(model, names):
    """Models that tell less of these values."""
    infos = value_infos(model.graph)
    for forget in (
            lambda model, name: as_input(model, name, *infos[name]),
            lambda model, name: as_input(
                model, name, infos[name][0],
                [f"{name}_{axis}" for axis in range(len(infos[name][1]))]),
            lambda model, name: as_input(model, name, infos[name][0], None),
            as_opaque):
        changed = model
        for name in names:
            changed = forget(changed, name)
        yield changed


def with_other_dims(model):
    """Models with a dim more, a dim less or longer dims of one value."""
    for name, (dtype, dims) in value_infos(model.graph).items():
        if all(isinstance(dim, int) for dim in dims):
            for other in ([*dims, 2], dims[:-1], [dim + 1 for dim in dims]):
                yield as_input(model, name, dtype, other)


def of_another_type(attribute):
    if attribute.type == AttributeProto.STRING:
        return helper.make_attribute(attribute.name, 1)
    return helper.make_attribute(attribute.name, "text")


def required_inputs(model):
    """Places of inputs that the schema of the only node requires."""
    node = model.graph.node[0]
    schema = onnx.defs.get_schema(node.op_type, model.opset_import[0].version)
    option = onnx.defs.OpSchema.FormalParameterOption.Single
    return [at for at, name in enumerate(node.input) if name and
            schema.inputs[min(at, len(schema.inputs) - 1)].option == option]


def is_padded_to_same(node):
    """Inference does not always follow what the specification says of that:
    test_fold_dims compares."""
    return any(attribute.name == "auto_pad" and
               attribute.s.startswith(b"SAME") for attribute in node.attribute)


def with_attribute(model, node, at, attribute):
    changed = copy.deepcopy(model)
    changed.graph.node[node].attribute[at].CopyFrom(attribute)
    return changed


class Less(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        support.library()
        cls.random, _ = support.generator()

    def models(self, family):
        for _ in range(ROUNDS):
            for model in family(self.random):
                whole = folding.resolve(model)
                if all(result.state != "invalid" for result in whole):
                    yield model, whole

    def check_agree(self, told, less, more):
        """What both tell is the same."""
        if less.plan is not None and more.plan is not None:
            self.assertEqual(fold.content(less.plan), fold.content(more.plan),
                             told)
        if less.dims is None or more.dims is None:
            return
        self.assertEqual(len(less.dims), len(more.dims), told)
        for dim, right in zip(less.dims, more.dims):
            if isinstance(dim, int) and isinstance(right, int):
                self.assertEqual(dim, right, told)

    def check_less(self, told, less, more):
        """less tells nothing that more does not."""
        self.assertNotEqual(less.state, "invalid", told)
        self.assertFalse(less.plan is not None and more.plan is None, told)
        self.assertFalse(less.dims is not None and more.dims is None, told)
        for dim, right in zip(less.dims or (), more.dims or ()):
            self.assertFalse(isinstance(dim, int) and
                             not isinstance(right, int), told)

    def check_family(self, family):
        tried = 0
        for model, whole in self.models(family):
            names = list(value_infos(model.graph))
            for some in [*([name] for name in names), names]:
                for changed in reductions(model, some):
                    for less, more in zip(folding.resolve(changed), whole):
                        told = f"{changed.graph}\n{less}\nnot {more}"
                        self.check_agree(told, less, more)
                        self.check_less(told, less, more)
                    tried += 1
        self.assertGreater(tried, 0)

    def test_sums(self):
        self.check_family(fold_models.sums)

    def test_moves(self):
        self.check_family(fold_models.moves)

    def test_dims(self):
        self.check_family(fold_models.dims)

    def test_blocks(self):
        self.check_family(fold_models.blocks)

    def test_turns(self):
        self.check_family(fold_models.turns)

    def test_chains(self):
        self.check_family(fold_models.chains)

    def test_attributes_of_another_type(self):
        refused = 0
        for family in fold_models.FAMILIES:
            for model, whole in self.models(family):
                for node, entry in enumerate(model.graph.node):
                    for at, attribute in enumerate(entry.attribute):
                        changed = with_attribute(
                            model, node, at, of_another_type(attribute))
                        for less, more in zip(folding.resolve(changed),
                                              whole):
                            refused += less.state == "invalid"
                            self.check_agree(f"{changed.graph}\n{less}",
                                             less, more)
        self.assertGreater(refused, 0)

    def test_inputs_that_are_left_out(self):
        for family in (fold_models.sums, fold_models.moves, fold_models.dims):
            for model, whole in self.models(family):
                node = model.graph.node[0]
                for at in required_inputs(model):
                    changed = copy.deepcopy(model)
                    changed.graph.node[0].input[at] = ""
                    for less, more in zip(folding.resolve(changed), whole):
                        told = f"{changed.graph}\n{less}"
                        if (node.op_type, at) in NOT_READ:
                            self.check_agree(told, less, more)
                        else:
                            self.assertEqual(less.state, "invalid", told)
                            self.assertIn("left out", less.reason, told)

    def test_other_dims(self):
        """Of a node whose dims do not fit, nothing is told, or what inference
        tells."""
        refused = told = 0
        for family in (fold_models.sums, fold_models.moves, fold_models.dims):
            for model, _ in self.models(family):
                node = model.graph.node[0]
                if (node.op_type, model.opset_import[0].version) in \
                        NOT_BROADCAST or node.op_type in INFERENCE_DIFFERS \
                        or is_padded_to_same(node):
                    continue
                for changed in with_other_dims(model):
                    got = folding.resolve(changed)
                    text = f"{changed.graph}\n{got}"
                    names = [output.name for output in changed.graph.output]
                    inferred = test_fold_dims.infer(changed)
                    refused += got[0].state == "invalid"
                    if isinstance(inferred, Exception):
                        continue
                    for name, resolved in zip(names, got):
                        _, dims = inferred.get(name, (0, None))
                        if dims is None or resolved.dims is None:
                            continue
                        self.assertEqual(len(resolved.dims), len(dims), text)
                        for own, dim in zip(resolved.dims, dims):
                            if isinstance(own, int) and isinstance(dim, int):
                                self.assertEqual(own, dim, text)
                                told += 1
        self.assertGreater(refused, 0)
        self.assertGreater(told, 0)


if __name__ == "__main__":
    support.main()
