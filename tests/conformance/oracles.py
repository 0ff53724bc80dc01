"""ONNX's own Python tools and ONNX Runtime, asked what a node comes to."""

import functools

import dense
import numpy
import onnx
import onnx.reference
from binding import Dense
from onnx import helper, numpy_helper

# onnxruntime has no wheel for some machines; the tests say when it is missing.
try:
    import onnxruntime
except ImportError:
    onnxruntime = None


def of_array(array, dtype):
    """The Dense of a NumPy array, which must have the NumPy type of dtype."""
    array = numpy.asarray(array)
    if dtype == dense.STRING:
        strings = [s if isinstance(s, bytes) else s.encode()
                   for s in array.reshape(-1).tolist()]
        return Dense(dtype, array.shape, strings)
    expected = helper.tensor_dtype_to_np_dtype(dtype)
    if array.dtype != expected:
        raise AssertionError(f"NumPy type {array.dtype}, not {expected}")
    data = array.tobytes()
    bits = dense.width(dtype)
    if bits < 8:
        # One element per byte; the upper bits may extend the sign.
        data = dense.pack([byte & (1 << bits) - 1 for byte in data], bits)
    return Dense(dtype, array.shape, data)


def to_array(value):
    """The NumPy array of a Dense."""
    if value.dtype == dense.STRING:
        return numpy.array([s.decode() for s in value.data],
                           dtype=object).reshape(value.dims)
    numpy_type = helper.tensor_dtype_to_np_dtype(value.dtype)
    bits = dense.width(value.dtype)
    data = value.data
    if bits < 8:
        count = int(numpy.prod(value.dims, dtype=numpy.int64))
        data = bytes(dense.unpack(data, bits, count))
    return numpy.frombuffer(data, numpy_type).reshape(value.dims)


def model_of(case, ir_version):
    """A model of one node, whose shape comes in as an input. The node's output
    goes through Identity, because ONNX Runtime makes a sparse Constant dense
    for a consumer only."""
    inputs = []
    if case.shape is not None:
        inputs.append(helper.make_tensor_value_info(
            "s", onnx.TensorProto.INT64, [len(case.shape)]))
    graph = helper.make_graph(
        [onnx.NodeProto.FromString(case.node),
         helper.make_node("Identity", ["y"], ["z"])], "g", inputs,
        [helper.make_tensor_value_info("z", case.dtype, case.expected.dims)])
    return helper.make_model(
        graph, ir_version=ir_version,
        opset_imports=[helper.make_opsetid("", case.opset)])


def feeds_of(case):
    return {} if case.shape is None else {
        "s": numpy.array(case.shape, numpy.int64)}


def tensor_by_numpy_helper(data):
    """What numpy_helper makes of a serialized TensorProto."""
    proto = onnx.TensorProto.FromString(data)
    return of_array(numpy_helper.to_array(proto), proto.data_type)


def by_evaluator(case):
    evaluator = onnx.reference.ReferenceEvaluator(
        model_of(case, onnx.IR_VERSION))
    return of_array(evaluator.run(None, feeds_of(case))[0], case.dtype)


@functools.cache
def _quiet_options():
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL)
    return options


def by_onnxruntime(case):
    # An IR version that every ONNX Runtime with this opset reads.
    model = model_of(case, 10)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), _quiet_options(),
        providers=["CPUExecutionProvider"])
    return of_array(session.run(None, feeds_of(case))[0], case.dtype)
