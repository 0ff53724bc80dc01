"""clconst from PyOpenCL, through ctypes: the library fills a PyOpenCL buffer on
PyOpenCL's context and queue, a PyOpenCL event waits for it, and NumPy checks
it: FILE LIBRARY."""

import ctypes
import sys
from ctypes import POINTER, byref, c_char, c_int, c_int64, c_size_t, c_void_p

import numpy
import pyopencl

FLOAT = 1  # TensorProto.DataType in onnx.proto


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int32), ("native_code", ctypes.c_int32),
                ("message", c_char * 512)]


class Shape(ctypes.Structure):
    _fields_ = [("dims", POINTER(c_int64)), ("rank", c_size_t)]


class View(ctypes.Structure):
    _fields_ = [("dtype", c_int), ("shape", Shape), ("data", c_void_p),
                ("size", c_size_t)]


library = ctypes.CDLL(sys.argv[1])


def call(name, *arguments):
    error = Error()
    if getattr(library, "clconst_" + name)(*arguments, byref(error)) != 0:
        sys.exit(f"{name}: {error.message.decode()}")


def make(name, *arguments):
    made = c_void_p()
    call(name, *arguments, byref(made))
    return made


try:
    context = pyopencl.create_some_context(interactive=False)
except pyopencl.Error as error:
    print(f"SKIP: numpy_check: {error}")
    sys.exit(77)
queue = pyopencl.CommandQueue(context)
array = numpy.zeros((3, 5, 7), numpy.float32)
buffer = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, array.nbytes)

value = numpy.array([2.5], numpy.float32)
view = View(FLOAT, Shape(None, 0), value.ctypes.data, value.nbytes)
dims = (c_int64 * 3)(*array.shape)
engine = make("engine_create_opencl", c_void_p(context.int_ptr),
              c_void_p(context.devices[0].int_ptr), None)
op = make("op_create_constant_of_shape", byref(view))
plan = make("plan_create", op, byref(Shape(dims, 3)))
handle = make("enqueue", engine, plan, c_void_p(queue.int_ptr),
              c_void_p(buffer.int_ptr), c_size_t(0), 0, None)

# PyOpenCL owns the event from here on.
event = pyopencl.Event.from_int_ptr(handle.value, retain=False)
pyopencl.enqueue_copy(queue, array, buffer, wait_for=[event])
library.clconst_plan_destroy(plan)
library.clconst_op_destroy(op)
library.clconst_engine_destroy(engine)
assert (array == 2.5).all(), array
print(f"{array.size} elements are {array.flat[0]}")
