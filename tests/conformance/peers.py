"""What others make of ConstantOfShape and of fills, asked of each: FILE PEER..,
of onnxruntime, openvino, mnn, pyopencl. It needs onnx and the peers from PyPI,
and is run by hand for the table in README.md. A dtype counts when the elements
are right."""

import ctypes
import importlib.metadata
import pathlib
import subprocess
import sys
import tempfile

import dense
import numpy
import onnx
from onnx import TensorProto, helper

COUNT = 5

# The dtypes that ConstantOfShape has in the installed onnx.
DTYPES = sorted(
    dense.NUMBERS[text[len("tensor("):-1].upper()]
    for text in onnx.defs.get_schema("ConstantOfShape").type_constraints[1]
    .allowed_type_strs)


def model_of(dtype):
    """Five elements of 1, and their bytes, by onnx's own packing."""
    width = dense.width(dtype)
    value = helper.make_tensor(
        "value", dtype, [1], numpy.array([1]).astype(
            helper.tensor_dtype_to_np_dtype(dtype)))
    array = numpy.full(COUNT, 1).astype(helper.tensor_dtype_to_np_dtype(dtype))
    expected = array.tobytes()
    if width < 8:
        expected = dense.pack([byte & (1 << width) - 1 for byte in expected],
                              width)
    graph = helper.make_graph(
        [helper.make_node("ConstantOfShape", ["s"], ["y"], value=value)], "g",
        [helper.make_tensor_value_info("s", TensorProto.INT64, [1])],
        [helper.make_tensor_value_info("y", dtype, [COUNT])])
    opset = 21 if dtype in OPSET_21 else onnx.defs.onnx_opset_version()
    model = helper.make_model(
        graph, ir_version=10 if opset == 21 else onnx.IR_VERSION,
        opset_imports=[helper.make_opsetid("", opset)])
    return model, expected


# Those that opset 21 has, which more peers read.
OPSET_21 = set(range(1, 23)) - {TensorProto.STRING}

SHAPE = numpy.array([COUNT], numpy.int64)


def by_onnxruntime(model):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options,
        providers=["CPUExecutionProvider"])
    shape = onnxruntime.OrtValue.ortvalue_from_numpy(SHAPE)
    [value] = session.run_with_ort_values(None, {"s": shape})
    width = dense.width(model.graph.output[0].type.tensor_type.elem_type)
    return ctypes.string_at(value.data_ptr(), (COUNT * width + 7) // 8)


def by_openvino(model):
    import openvino
    core = openvino.Core()
    compiled = core.compile_model(
        core.read_model(model.SerializeToString()), "CPU")
    result = compiled([SHAPE])[0]
    return result.tobytes()


def by_mnn(model):
    """Through MNN's own format. Its shapes are int32."""
    import MNN
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "model.onnx")
        converted = pathlib.Path(folder, "model.mnn")
        onnx.save(model, source)
        subprocess.run(
            [pathlib.Path(sys.executable).parent / "mnnconvert", "-f", "ONNX",
             "--modelFile", source, "--MNNModel", converted, "--bizCode", "-"],
            cwd=folder, capture_output=True, check=True)
        net = MNN.nn.load_module_from_file(str(converted), ["s"], ["y"])
        shape = MNN.expr.const(SHAPE.astype(numpy.int32), [1],
                               MNN.expr.NCHW, MNN.expr.int)
        return net.forward([shape])[0].read().tobytes()


def tell(peer, filled, refused):
    print(f"{peer} {importlib.metadata.version(peer)}: {len(filled)} of "
          f"{len(filled) + len(refused)} dtypes: {' '.join(filled)}")


def ask(peer, run):
    filled, refused = [], []
    for dtype in DTYPES:
        model, expected = model_of(dtype)
        try:
            is_right = run(model) == expected
        except Exception:  # whatever the peer raises
            is_right = False
        (filled if is_right else refused).append(
            TensorProto.DataType.Name(dtype).lower())
    tell(peer, filled, refused)


def ask_pyopencl():
    """clEnqueueFillBuffer, as PyOpenCL calls it: which patterns and offsets."""
    import pyopencl
    context = pyopencl.create_some_context(interactive=False)
    queue = pyopencl.CommandQueue(context)
    buffer = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 4096)

    def accepts(width, offset, size):
        try:
            pyopencl.enqueue_fill_buffer(queue, buffer, b"\1" * width, offset,
                                         size)
        except pyopencl.Error:
            return False
        return True
    widths = [width for width in range(1, 257) if accepts(width, 0, width * 8)]
    odd = [width for width in widths if accepts(width, 1, width * 8)]
    print(f"pyopencl {importlib.metadata.version('pyopencl')}: patterns of "
          f"{' '.join(map(str, widths))} bytes; at offset 1 only of "
          f"{' '.join(map(str, odd))}")


def main():
    for peer in sys.argv[1:]:
        if peer == "pyopencl":
            ask_pyopencl()
        else:
            ask(peer, {"onnxruntime": by_onnxruntime,
                       "openvino": by_openvino, "mnn": by_mnn}[peer])


main()
