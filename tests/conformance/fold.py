"""Models as text, what the library makes of them, and what the reference
evaluator of onnx does."""

import onnx.parser
import onnx.reference
import numpy
import support
from binding import Dense

HEADER = '<ir_version: 10, opset_import: ["": 21, "own": 1]>\n'


def parse(text):
    """A ModelProto of a graph, and functions, in onnx's text format."""
    return onnx.parser.parse_model(HEADER + text)


def dense(array):
    array = numpy.asarray(array)
    return Dense(onnx.helper.np_dtype_to_tensor_dtype(array.dtype),
                 array.shape, array.tobytes())


def content(plan):
    """What a plan makes."""
    dtype, dims, size = plan.output()
    buffer = bytearray(max(size, 1))
    support.library().write(plan, buffer)
    return Dense(dtype, dims, bytes(buffer[:size]))


class Folded:
    """A model as the library resolves it."""

    def __init__(self, model, values=None, **bindings):
        content = model if isinstance(model, bytes) \
            else model.SerializeToString()
        self.model = support.library().parse(content)
        self.resolution = self.model.resolve(
            {name: dense(value) for name, value in (values or {}).items()},
            **bindings)
        self.constants = {
            (constant.scope, constant.name): self.resolution.constant(index)
            for index, constant in enumerate(self.model.constants())}
        self.outputs = {
            name: self.resolution.output(index)
            for index, name in enumerate(self.model.outputs())}

    def fills(self):
        """(state, dims) of each ConstantOfShape by name, with its scope."""
        return {(f"{constant.scope}:" if constant.scope else "") +
                constant.name: self.constants[constant.scope, constant.name]
                for constant in self.model.constants()
                if constant.op_type == "ConstantOfShape"}

    def value(self, name):
        """The bytes of an output that is resolved."""
        resolved = self.outputs[name]
        if resolved.plan is None:
            raise AssertionError(f"{name}: {resolved.reason}")
        return content(resolved.plan)


def reference(model, values):
    """name -> Dense of the model's outputs, by the reference evaluator."""
    evaluator = onnx.reference.ReferenceEvaluator(model)
    arrays = evaluator.run(None, values)
    return {output.name: dense(array.reshape(-1) if is_stacked(output, array)
                               else array)
            for output, array in zip(model.graph.output, arrays)}


def is_stacked(output, array):
    """Whether scalars of turns were stacked: the evaluator of onnx 1.23 gives
    them a dim more than the output's declaration and Operators.md do."""
    shape = output.type.tensor_type.shape
    return array.ndim == 2 and len(shape.dim) == 1
