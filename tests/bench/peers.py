"""The library beside NumPy, ONNX Runtime, PyOpenCL and the driver."""

import ctypes

import library
import session
from report import add, ratio
from session import LARGE, open_queue, pointer, tensor_case


def onnxruntime_case():
    import numpy
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper
    node = helper.make_node(
        "ConstantOfShape", ["shape"], ["output"],
        value=helper.make_tensor("value", TensorProto.FLOAT, [1], [1.5]))
    graph = helper.make_graph(
        [node], "fill",
        [helper.make_tensor_value_info("shape", TensorProto.INT64, [1])],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, [None])])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    content = model.SerializeToString()
    options = onnxruntime.SessionOptions()
    options.enable_cpu_mem_arena = False
    inputs = {"shape": numpy.array([LARGE // 4])}

    def open_session():
        return onnxruntime.InferenceSession(
            content, options, providers=["CPUExecutionProvider"])
    return open_session, lambda session: session.run(None, inputs), None


def measure_fresh():
    import numpy
    lib = session.lib
    engine = lib.engine("cpu")
    seconds = library.measure({
        "run": tensor_case(engine, lib.plan(LARGE)),
        "zero": tensor_case(engine, lib.plan(LARGE, is_zero=True)),
        "numpy": (None, lambda: numpy.full(LARGE // 4, 1.5, numpy.float32),
                  None),
        "onnxruntime": onnxruntime_case(),
    }, session.arguments.rounds)
    value, text = ratio(seconds, "numpy", "run")
    add("CPU engine, fresh 256 MiB: numpy.full over it", ">= 1.8", text,
        value >= 1.8)
    value, text = ratio(seconds, "onnxruntime", "run")
    add("CPU engine, fresh 256 MiB: ONNX Runtime over it", ">= 2", text,
        value >= 2)
    value, text = ratio(seconds, "zero", "run")
    add("CPU engine, fresh 256 MiB: zero over non-zero", "< 0.01", text,
        value < 0.01, f", exactly {value:.5f}")


def measure_pyopencl():
    import numpy
    import pyopencl.array
    lib = session.lib
    context, device, queue = open_queue()
    engine = ctypes.c_void_p()
    lib.call("engine_create_opencl", pointer(context), pointer(device), None,
             ctypes.byref(engine))
    plan = lib.plan(LARGE)
    array = pyopencl.array.empty(queue, LARGE // 4, numpy.float32)

    def fill_array():
        array.fill(1.5)
        queue.finish()

    def fill_buffer():
        lib.call("enqueue", engine, plan, pointer(queue), pointer(array.data),
                 ctypes.c_size_t(0), ctypes.c_uint(0), None, None)
        queue.finish()
    seconds = library.measure({"array": (None, fill_array, None),
                               "clconst": (None, fill_buffer, None)},
                              session.arguments.rounds)
    fill_buffer()
    assert (array.get().view(numpy.uint8) == library.PATTERN).all()
    value, text = ratio(seconds, "array", "clconst")
    add("PyOpenCL's Array.fill, warm 256 MiB, over clconst_enqueue", ">= 40",
        text, value >= 40)


def measure_fresh_device():
    import numpy
    import pyopencl
    lib = session.lib
    context, _, queue = open_queue()
    engine = lib.engine("opencl")
    flags = pyopencl.mem_flags.READ_WRITE

    def fill_default():
        buffer = pyopencl.Buffer(context, flags, LARGE)
        pyopencl.enqueue_fill_buffer(
            queue, buffer, numpy.float32(1.5), 0, LARGE)
        queue.finish()
        return buffer
    seconds = library.measure({
        "run": tensor_case(engine, lib.plan(LARGE)),
        "driver": (None, fill_default, lambda buffer: buffer.release()),
    }, session.arguments.rounds)
    value, text = ratio(seconds, "driver", "run")
    add("default buffer and clEnqueueFillBuffer of 4 bytes, fresh 256 MiB, "
        "over clconst_run", ">= 3", text, value >= 3)


GROUPS = {
    "fresh": measure_fresh,
    "pyopencl": measure_pyopencl,
    "fresh-device": measure_fresh_device,
}
