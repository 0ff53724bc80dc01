"""The operators that move elements, of constants: each in each version and
dtype, bit for bit with what NumPy makes of the specification, and with ONNX's
reference evaluator where that follows it.
"""

import unittest

import folding
import move_cases
import numpy
import onnx
import onnx.reference
import support
from onnx import TensorProto, helper, numpy_helper

COUNT = 50


def number_of(dtype):
    return helper.np_dtype_to_tensor_dtype(dtype)


def attribute_of(name, value):
    if isinstance(value, numpy.dtype):
        value = number_of(value)
    if value == []:
        return helper.make_attribute(name, value,
                                     attr_type=onnx.AttributeProto.INTS)
    return helper.make_attribute(name, value)


def node(case, index):
    made = folding.node(case._replace(attributes={}), index,
                        output_names(case, index))
    made.attribute.extend(attribute_of(name, value)
                          for name, value in case.attributes.items())
    return made


def output_names(case, index):
    return [f"o{index}_{at}" for at in range(len(case.wanted or "1"))]


def nodes_of(cases):
    return [node(case, i) for i, case in enumerate(cases)]


def outputs_of(cases):
    return [name for i, case in enumerate(cases)
            for name in output_names(case, i)]


def model(cases, opset):
    return folding.make(
        nodes_of(cases), outputs_of(cases), opset,
        [tensor for i, case in enumerate(cases)
         for tensor in folding.initializers(case, i)])


def inputs_of(case):
    """Without those that are left out at the end."""
    inputs = list(case.inputs)
    while inputs and inputs[-1] is None:
        inputs.pop()
    return inputs


def reference(cases, opset):
    """What the reference evaluator finds for each case, None where it
    fails."""
    nodes = nodes_of(cases)
    for operator in nodes:
        if operator.op_type == "Scatter":  # its name before opset 11
            operator.op_type, opset = "ScatterElements", 11
    evaluator = onnx.reference.ReferenceEvaluator(
        folding.make(nodes, outputs_of(cases), opset))
    found = []
    with numpy.errstate(all="ignore"):
        for case, operator in zip(cases, evaluator.rt_nodes_):
            try:
                found.append(operator.run(*inputs_of(case)))
            except Exception:  # of the reference, whatever it is
                found.append(None)
    return found


def value_of(resolved):
    """The dtype, dims and bytes of a resolved output."""
    dtype, dims, size = resolved.plan.output()
    buffer = bytearray(max(size, 1))
    support.library().write(resolved.plan, buffer)
    return dtype, tuple(dims), bytes(buffer[:size])


def bits_of(array):
    """The same of an array. Narrow elements are packed."""
    array = numpy.asarray(array)
    if array.dtype.name in move_cases.NARROW:
        data = numpy_helper.from_array(array).raw_data
    else:
        data = array.tobytes()
    return number_of(array.dtype), array.shape, data


def dtypes(schema, parameter):
    """The NumPy types that a type parameter allows, but for strings."""
    parameter = parameter or ("V" if schema.since_version >= 14 else "T")
    allowed = next(constraint.allowed_type_strs
                   for constraint in schema.type_constraints
                   if constraint.type_param_str == parameter)
    names = [text[len("tensor("):-1] for text in allowed
             if text.startswith("tensor(") and text != "tensor(string)"]
    return [numpy.dtype(helper.tensor_dtype_to_np_dtype(
        getattr(TensorProto, name.upper()))) for name in names]


class Told:
    """A case and what is said of it, which is spelled out when it fails."""

    def __init__(self, case, text):
        self.case = case
        self.text = text

    def __str__(self):
        return f"{folding.describe(self.case)}: {self.text}"


def is_computed(op_type, dtype):
    return op_type not in ("Cast", "CastLike", "EyeLike", "Range") or \
        dtype.name in move_cases.COMPUTED


class Moves(unittest.TestCase):
    def setUp(self):
        support.library()
        self.random, _ = support.generator()
        self.disputed = self.failed = 0

    def check_reference(self, case, found):
        if case.is_disputed or case.wanted is None:
            self.disputed += 1
        elif found is None:
            self.failed += 1
        else:
            for array, wanted in zip(found, case.wanted):
                self.assertEqual(bits_of(array), bits_of(wanted),
                                 Told(case, "the reference"))

    def check(self, case, resolved):
        told = Told(case, resolved[0].reason)
        if case.wanted is None:
            self.assertEqual(resolved[0].state, "invalid", told)
            self.assertRegex(resolved[0].reason, "out of range", told)
            return
        for found, wanted in zip(resolved, case.wanted):
            self.assertEqual(found.state, "resolved", told)
            self.assertEqual(value_of(found), bits_of(wanted), told)

    def check_operator(self, op_type):
        make, parameter = move_cases.OPERATORS[op_type]
        tried = 0
        for opset, schema in folding.versions(op_type):
            if schema.deprecated:
                continue
            for dtype in dtypes(schema, parameter):
                if not is_computed(op_type, dtype):
                    continue
                cases = [make(self.random, dtype, opset, schema)
                         for _ in range(COUNT)]
                found = iter(folding.resolve(model(cases, opset)))
                for case in cases:
                    self.check(case, [next(found)
                                      for _ in output_names(case, 0)])
                known = [case for case in cases if case.wanted is not None and
                         not case.is_disputed]
                for case, arrays in zip(known, reference(known, opset)):
                    self.check_reference(case, arrays)
                self.disputed += len(cases) - len(known)
                tried += len(cases)
        self.assertGreater(tried, 0)
        for count, reason in ((self.disputed, "the reference differs"),
                              (self.failed, "the reference fails")):
            if count:
                print(f"SKIP: {op_type}: {reason} in {count} of {tried} cases",
                      flush=True)


def add_test(op_type):
    setattr(Moves, f"test_{op_type}",
            lambda self: self.check_operator(op_type))


for name in move_cases.OPERATORS:
    add_test(name)


if __name__ == "__main__":
    support.main()
