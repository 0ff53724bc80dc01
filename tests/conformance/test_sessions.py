"""`clconst run` against ONNX Runtime's sessions: random models that are made of
the two operators, with the same inputs."""

import hashlib
import pathlib
import tempfile
import unittest

import numpy
import onnx
import oracles
import support
from onnx import TensorProto, helper, numpy_helper

# Types that ONNX Runtime's ConstantOfShape and NumPy both have
# (core/providers/cpu/generator/constant_of_shape_base.h).
TYPES = (numpy.float32, numpy.float64, numpy.float16, numpy.int8, numpy.int16,
         numpy.int32, numpy.int64, numpy.uint8, numpy.uint16, numpy.uint32,
         numpy.uint64, numpy.bool_)


def random_array(rng, dims, numpy_type):
    count = int(numpy.prod(dims, dtype=numpy.int64))
    if numpy_type is numpy.bool_:
        raw = bytes(rng.getrandbits(1) for _ in range(count))
    else:
        raw = rng.randbytes(count * numpy.dtype(numpy_type).itemsize)
    return numpy.frombuffer(raw, numpy_type).reshape(dims)


def random_dims(rng):
    return [rng.choice((0, 1, 2, 3, 5, 17)) for _ in range(rng.randint(0, 4))]


class Maker:
    """A model, the inputs that it needs, and how many nodes it has."""

    def __init__(self, rng):
        self.rng = rng
        self.nodes = []
        self.inputs = []
        self.outputs = []
        self.feeds = {}
        for index in range(rng.randint(1, 6)):
            rng.choice((self.add_constant, self.add_fill))(f"y{index}")
        graph = helper.make_graph(self.nodes, "g", self.inputs, self.outputs)
        self.model = helper.make_model(
            graph, ir_version=10, opset_imports=[helper.make_opsetid("", 21)])

    def add_output(self, name, numpy_type):
        self.outputs.append(helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(numpy.dtype(numpy_type)),
            None))

    def constant(self, name, array):
        self.nodes.append(helper.make_node(
            "Constant", [], [name], value=numpy_helper.from_array(array)))

    def add_constant(self, name):
        numpy_type = self.rng.choice(TYPES)
        self.constant(name, random_array(self.rng, random_dims(self.rng),
                                         numpy_type))
        self.add_output(name, numpy_type)

    def add_fill(self, name):
        numpy_type = self.rng.choice(TYPES)
        # ONNX Runtime's fill takes no empty shape here.
        dims = numpy.array(random_dims(self.rng) or [1], numpy.int64)
        shape = f"{name}_shape"
        if self.rng.random() < 0.5:
            self.constant(shape, dims)
        else:
            self.inputs.append(helper.make_tensor_value_info(
                shape, TensorProto.INT64, [len(dims)]))
            self.feeds[shape] = dims
        value = {}
        if self.rng.random() < 0.9:
            value["value"] = numpy_helper.from_array(
                random_array(self.rng, [1], numpy_type))
        else:
            numpy_type = numpy.float32
        self.nodes.append(helper.make_node(
            "ConstantOfShape", [shape], [name], **value))
        self.add_output(name, numpy_type)


@unittest.skipIf(oracles.onnxruntime is None, "onnxruntime has no wheel here")
class Sessions(unittest.TestCase):
    def session(self, made):
        """ONNX Runtime's outputs by name."""
        options = oracles.onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = 1
        session = oracles.onnxruntime.InferenceSession(
            made.model.SerializeToString(), options,
            providers=["CPUExecutionProvider"])
        names = [output.name for output in session.get_outputs()]
        return dict(zip(names, session.run(names, made.feeds)))

    def run_here(self, made, folder):
        path = pathlib.Path(folder, "model.onnx")
        onnx.save(made.model, path)
        words = []
        for name, dims in made.feeds.items():
            words += ["-i", f"{name}={','.join(map(str, dims))}"]
        report = support.clconst("run", path, "--device",
                                 support.arguments.device, *words)
        return {output["name"]: output for output in report["outputs"]}

    def test_random_models_have_the_sessions_outputs(self):
        rng, count = support.generator()
        # A process and a session each.
        for index in range(count // 30):
            made = Maker(rng)
            with self.subTest(index=index), \
                    tempfile.TemporaryDirectory() as folder:
                expected = self.session(made)
                found = self.run_here(made, folder)
                self.assertEqual(list(found), list(expected))
                for name, array in expected.items():
                    self.assertEqual(found[name]["shape"], list(array.shape))
                    self.assertEqual(
                        found[name]["sha256"],
                        hashlib.sha256(array.tobytes()).hexdigest(),
                        (name, array.dtype, array.shape))


if __name__ == "__main__":
    support.main()
