"""Attributes that some versions of an operator have and others do not. Where
one decides what is told of the node, a node of a version without it is refused,
as onnx's checker does; it is never read in silence, whatever else.
"""

import copy
import unittest

import fold
import fold_models
import folding
import onnx
import schemas
import support

ROUNDS = 60

# Operators of which a version lacks an attribute that decides dims or values,
# and these attributes.
DECIDING = {
    "AveragePool": {"ceil_mode", "dilations"},
    "Clip": {"min", "max"},
    "DepthToSpace": {"mode"},
    "GRU": {"layout"},
    "GatherND": {"batch_dims"},
    "LSTM": {"layout"},
    "LpPool": {"ceil_mode", "dilations"},
    "MaxPool": {"ceil_mode", "dilations"},
    "Pad": {"pads", "value"},
    "RNN": {"layout"},
    **{f"Reduce{name}": {"axes", "noop_with_empty_axes"} for name in (
        "L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum",
        "SumSquare")},
    "Reshape": {"allowzero"},
    "Resize": {"axes", "keep_aspect_ratio_policy"},
    "ScatterElements": {"reduction"},
    "ScatterND": {"reduction"},
    "Shape": {"start", "end"},
    "Slice": {"axes", "ends", "starts"},
    "SpaceToDepth": {"mode"},
    "Split": {"num_outputs", "split"},
    "Squeeze": {"axes"},
    "TopK": {"k"},
    "Unsqueeze": {"axes"},
    "Upsample": {"scales"},
}


def told(model):
    return [(found.state, found.dims, found.plan and fold.content(found.plan))
            for found in folding.resolve(model)]


def of_opset(model, opset, names):
    """A copy of a model of one node, with these of the node's attributes."""
    changed = copy.deepcopy(model)
    changed.opset_import[0].version = opset
    node = changed.graph.node[0]
    kept = [attribute for attribute in node.attribute
            if attribute.name in names]
    del node.attribute[:]
    node.attribute.extend(kept)
    return changed


class Versions(unittest.TestCase):
    def check(self, model, name):
        """The attribute of the model's node, in versions without it."""
        node = model.graph.node[0]
        op_type = node.op_type
        lacking = [(opset, schema) for opset, schema
                   in schemas.versions(op_type)
                   if name not in schema.attributes]
        if not lacking or name in self.found.get(op_type, ()):
            return
        others = {attribute.name for attribute in node.attribute} - {name}
        own = model.opset_import[0].version
        decides = told(model) != told(of_opset(model, own, others))
        for opset, schema in lacking:
            legal = others & set(schema.attributes)
            changed = of_opset(model, opset, {name, *legal})
            if decides:
                found, *_ = folding.resolve(changed)
                self.assertEqual(found.state, "invalid", changed)
                self.assertRegex(found.reason, f"{name} is an attribute",
                                 changed)
                self.found.setdefault(op_type, set()).add(name)
            elif told(changed)[0][0] != "invalid":
                self.assertEqual(told(changed),
                                 told(of_opset(model, opset, legal)), changed)

    def test_attributes_of_other_versions(self):
        support.library()
        random, _ = support.generator()
        self.found = {}
        self.maxDiff = None
        for family in (fold_models.sums, fold_models.moves,
                       fold_models.dims) * ROUNDS:
            for model in family(random, DECIDING.__contains__):
                for attribute in model.graph.node[0].attribute:
                    self.check(model, attribute.name)
        self.assertEqual(self.found, DECIDING)


if __name__ == "__main__":
    support.main()
