"""The library as a guest of PyOpenCL: random fills into PyOpenCL's buffers, on
its contexts and queues, in order with its commands by its events, compared with
what NumPy makes."""

import unittest
from ctypes import byref, c_size_t, c_void_p

import ml_dtypes
import numpy
import pyopencl
import support
from binding import CShape, CView
from onnx import TensorProto

SIZE = 1 << 16
POISON = 0xA5

# NumPy types by the number of their ONNX type (TensorProto.DataType).
TYPES = {
    TensorProto.FLOAT: numpy.float32, TensorProto.UINT8: numpy.uint8,
    TensorProto.INT8: numpy.int8, TensorProto.UINT16: numpy.uint16,
    TensorProto.INT16: numpy.int16, TensorProto.INT32: numpy.int32,
    TensorProto.INT64: numpy.int64, TensorProto.BOOL: numpy.bool_,
    TensorProto.FLOAT16: numpy.float16, TensorProto.DOUBLE: numpy.float64,
    TensorProto.UINT32: numpy.uint32, TensorProto.UINT64: numpy.uint64,
    TensorProto.COMPLEX64: numpy.complex64,
    TensorProto.COMPLEX128: numpy.complex128,
    TensorProto.BFLOAT16: ml_dtypes.bfloat16,
    TensorProto.FLOAT8E4M3FN: ml_dtypes.float8_e4m3fn,
    TensorProto.FLOAT8E5M2: ml_dtypes.float8_e5m2,
}


def shape_of(rng, count):
    """Dims of count elements, in a few axes."""
    dims = [count]
    while count > 1 and rng.random() < 0.6:
        divisor = rng.choice([d for d in (2, 3, 5, 7, 1) if count % d == 0])
        count //= divisor
        dims[-1:] = [divisor, count]
    return dims


class Guest:
    """An engine on one of PyOpenCL's contexts, with two kinds of queue."""

    def __init__(self, platform):
        self.context = pyopencl.Context(platform.get_devices()[:1])
        [device] = self.context.devices
        out_of_order = (pyopencl.command_queue_properties
                        .OUT_OF_ORDER_EXEC_MODE_ENABLE)
        self.queues = [pyopencl.CommandQueue(self.context)]
        if device.queue_properties & out_of_order:
            self.queues.append(pyopencl.CommandQueue(
                self.context, properties=out_of_order))
        self.buffers = [
            pyopencl.Buffer(self.context, pyopencl.mem_flags.READ_WRITE, SIZE),
            pyopencl.Buffer(self.context, pyopencl.mem_flags.READ_WRITE
                            | pyopencl.mem_flags.ALLOC_HOST_PTR, SIZE)]
        self.engine = support.library().create(
            "clconst_engine_create_opencl", "engine",
            c_void_p(self.context.int_ptr), c_void_p(device.int_ptr), None)

    def enqueue(self, plan, queue, buffer, offset, events):
        """PyOpenCL's event of a fill."""
        handles = (c_void_p * len(events))(*(e.int_ptr for e in events))
        event = c_void_p()
        support.library().call(
            "clconst_enqueue", self.engine.handle, plan.handle,
            c_void_p(queue.int_ptr), c_void_p(buffer.int_ptr),
            c_size_t(offset), len(events), handles if events else None,
            byref(event))
        return pyopencl.Event.from_int_ptr(event.value, retain=False)


def make_plan(element, dtype, dims):
    library = support.library()
    view = CView(dtype, CShape.of(()), element.ctypes.data, element.nbytes)
    op = library.create("clconst_op_create_constant_of_shape", "op",
                        byref(view))
    return op.plan(dims)


class PyOpenCL(unittest.TestCase):
    def setUp(self):
        try:
            platforms = pyopencl.get_platforms()
        except pyopencl.Error as error:
            self.skipTest(f"PyOpenCL finds no platform: {error}")
        self.guests = [Guest(platform) for platform in platforms
                       if platform.get_devices()]
        if not self.guests:
            self.skipTest("PyOpenCL finds no device")

    def fill(self, guest, rng):
        """One fill; the buffer and what it must hold."""
        dtype, numpy_type = rng.choice(list(TYPES.items()))
        width = numpy.dtype(numpy_type).itemsize
        count = rng.choice((0, 1, rng.randint(0, 40),
                            rng.randint(0, SIZE // 2 // width)))
        offset = rng.randint(0, SIZE - count * width)
        raw = (bytes([rng.getrandbits(1)]) if numpy_type is numpy.bool_
               else rng.randbytes(width))
        element = numpy.frombuffer(raw, numpy_type)
        plan = make_plan(element, dtype, shape_of(rng, count))

        queue = rng.choice(guest.queues)
        buffer = rng.choice(guest.buffers)
        before = pyopencl.enqueue_fill_buffer(
            queue, buffer, numpy.uint8(POISON), 0, SIZE)
        after = guest.enqueue(plan, queue, buffer, offset, [before])
        found = numpy.empty(SIZE, numpy.uint8)
        pyopencl.enqueue_copy(queue, found, buffer, wait_for=[after])
        expected = numpy.full(SIZE, POISON, numpy.uint8)
        expected[offset:offset + count * width] = numpy.full(
            count, element[0], numpy_type).view(numpy.uint8)
        return (dtype, count, offset), found, expected

    def test_random_fills_are_numpys(self):
        rng, count = support.generator()
        for index in range(count):
            guest = rng.choice(self.guests)
            case, found, expected = self.fill(guest, rng)
            if not numpy.array_equal(found, expected):
                self.fail(f"case {index}: dtype, count, offset {case}: "
                          f"byte {numpy.argmax(found != expected)}")

    def test_an_event_that_is_not_complete_is_waited_for(self):
        for guest in self.guests:
            for queue in guest.queues:
                gate = pyopencl.UserEvent(guest.context)
                element = numpy.array([7], numpy.int32)
                plan = make_plan(element, TensorProto.INT32, [SIZE // 4])
                event = guest.enqueue(plan, queue, guest.buffers[0], 0, [gate])
                complete = pyopencl.command_execution_status.COMPLETE
                self.assertNotEqual(event.command_execution_status, complete)
                gate.set_status(complete)
                event.wait()
                found = numpy.empty(SIZE // 4, numpy.int32)
                pyopencl.enqueue_copy(queue, found, guest.buffers[0])
                self.assertTrue((found == 7).all())

    def test_an_empty_output_needs_no_buffer(self):
        guest = self.guests[0]
        plan = make_plan(numpy.array([1], numpy.int8), TensorProto.INT8, [0])
        event = c_void_p()
        support.library().call(
            "clconst_enqueue", guest.engine.handle, plan.handle,
            c_void_p(guest.queues[0].int_ptr), None, c_size_t(0), 0, None,
            byref(event))
        pyopencl.Event.from_int_ptr(event.value, retain=False).wait()


if __name__ == "__main__":
    support.main()
