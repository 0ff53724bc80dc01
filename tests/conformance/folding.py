"""Models of nodes whose inputs are constants, one output for each node, and
what ONNX's reference evaluator and the library find in them."""

import collections

import numpy
import onnx
import onnx.reference
import support
from onnx import TensorProto, helper, numpy_helper

# A node: inputs are arrays, or None for one that is left out.
Case = collections.namedtuple("Case", "op_type inputs attributes")

NEWEST = onnx.defs.onnx_opset_version()


def name_of(case_index, input_index):
    return f"i{case_index}_{input_index}"


def node(case, index, outputs=None):
    inputs = ["" if array is None else name_of(index, at)
              for at, array in enumerate(case.inputs)]
    while inputs and not inputs[-1]:
        inputs.pop()
    return helper.make_node(case.op_type, inputs, outputs or [f"o{index}"],
                            f"n{index}", **case.attributes)


def initializers(case, index):
    return [numpy_helper.from_array(array, name_of(index, at))
            for at, array in enumerate(case.inputs) if array is not None]


def make(nodes, outputs, opset, constants=(), inputs=()):
    """A model; outputs are names, of which the dtype is not told rightly."""
    graph = helper.make_graph(
        nodes, "g", inputs,
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
         for name in outputs], constants)
    return helper.make_model(graph, ir_version=10, opset_imports=[
        helper.make_opsetid("", opset)])


def model(cases, opset):
    return make([node(case, i) for i, case in enumerate(cases)],
                [f"o{i}" for i in range(len(cases))], opset,
                [tensor for i, case in enumerate(cases)
                 for tensor in initializers(case, i)])


def reference(cases, opset):
    """For each case an array, or the exception that the evaluator raised."""
    with numpy.errstate(all="ignore"):
        try:
            evaluator = onnx.reference.ReferenceEvaluator(model(cases, opset))
            return [numpy.asarray(array) for array in evaluator.run(None, {})]
        except Exception as error:  # of the reference, whatever it is
            if len(cases) == 1:
                return [error]
    return [reference([case], opset)[0] for case in cases]


def resolve(proto):
    """What the library tells of each output of a model."""
    parsed = support.library().parse(proto.SerializeToString())
    resolution = parsed.resolve()
    return [resolution.output(i) for i in range(len(proto.graph.output))]


def value_of(resolved):
    """The array that a resolved output has."""
    dtype, dims, size = resolved.plan.output()
    buffer = bytearray(max(size, 1))
    support.library().write(resolved.plan, buffer)
    return numpy.frombuffer(
        bytes(buffer[:size]),
        helper.tensor_dtype_to_np_dtype(dtype)).reshape(dims)


def print_left_out(op_type, left_out, count):
    """Says for which dtypes, named once for each version, there were no
    cases, of which there are count for each of the others."""
    if left_out:
        print(f"SKIP: {op_type}: {len(left_out) * count} cases of "
              f"{', '.join(sorted(set(left_out)))}: values of them are not "
              f"computed", flush=True)


def describe(case):
    inputs = ", ".join("none" if array is None else
                       f"{array.dtype}{list(array.shape)} {array.tolist()}"
                       for array in case.inputs)
    return f"{case.op_type}({inputs}) {case.attributes}"
