"""clconst as a backend of onnx.backend.base: a class for each engine, which
runs a model through the built library: bytes, resolution with the inputs
bound, and one run for each output.
"""

import numpy
import onnx.backend.base
import oracles
import support
from binding import Dense
from onnx import helper


def of_input(array):
    """The Dense of an input as the runner hands it over."""
    array = numpy.asarray(array)
    dtype = helper.np_dtype_to_tensor_dtype(array.dtype)
    return Dense(dtype, array.shape, oracles.of_array(array, dtype).data)


class Prepared(onnx.backend.base.BackendRep):
    """A model that was read."""

    def __init__(self, model, engine):
        self.model = support.library().parse(model.SerializeToString())
        self.engine = engine

    def run(self, inputs, **kwargs):
        names = self.model.inputs()
        resolution = self.model.resolve(
            dict(zip(names, map(of_input, inputs), strict=True)))
        arrays = []
        for index, name in enumerate(self.model.outputs()):
            output = resolution.output(index)
            if output.plan is None:
                raise RuntimeError(f"output {name}: {output.reason}")
            arrays.append(oracles.to_array(self.engine.run(output.plan)))
        return tuple(arrays)


class Cpu(onnx.backend.base.Backend):
    """The CPU engine."""

    device = "cpu"

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        super().prepare(model, device, **kwargs)
        return Prepared(model, support.engine(cls.device))

    @classmethod
    def supports_device(cls, device):
        # Of the runner's kinds; where the engine computes is its own matter.
        return device == "CPU"


class OpenCl(Cpu):
    """The first usable OpenCL device."""

    device = "opencl"


BACKENDS = {"cpu": Cpu, "opencl": OpenCl}
