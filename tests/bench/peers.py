"""The same fills through the library, NumPy, ONNX Runtime, PyOpenCL and the
driver, in one run and in another order each round, as one Markdown table. Each
makes the same bytes of float32, of one value or zero, warm in an array or a
buffer that lies beforehand full of another value, or fresh in memory that the
case takes. After each measured time all bytes are compared with the value. A
memset by all processors, of another value, shows what fresh memory takes.

Needs numpy, onnx, onnxruntime and pyopencl. Run it on a machine that does
nothing else:

  python3 tests/bench/peers.py --build BUILD_FOLDER
"""

import collections
import ctypes
import statistics
import sys

import numpy
import onnx
import onnxruntime
import pyopencl
import pyopencl.array
from onnx import TensorProto, helper

import library
import session
import stores
from session import LARGE, open_queue, pointer

VALUE = numpy.float32(library.VALUE)
ZERO = numpy.float32(0)
STORED = numpy.full(4, stores.BYTE, numpy.uint8).view(numpy.float32)[0]
POISON = numpy.float32(-7)

# prepare returns what run takes, and run what view and release take. view is
# all that was written, as an array on the host.
Case = collections.namedtuple(
    "Case", "name memory value prepare run view release")


class WrongBytes(Exception):
    pass


def check(case, array):
    """By bits, in pieces, so that no second array of the size is made."""
    step = 1 << 20
    word = case.value.view(numpy.uint32)
    words = array.reshape(-1).view(numpy.uint32)
    for begin in range(0, len(words), step):
        wrong = numpy.flatnonzero(words[begin:begin + step] != word)
        if len(wrong):
            raise WrongBytes(f"{case.name}: element {begin + wrong[0]} is not "
                             f"{case.value}")


def nothing(*_):
    pass


def host_pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


class Peers:
    """All that the cases share: an array, a buffer, and the library's engines,
    of which the device's is on PyOpenCL's context."""

    def __init__(self, size):
        lib = session.lib
        self.size = size
        self.count = size // 4
        self.context, device, self.queue = open_queue()
        self.host = lib.engine("cpu")
        self.engine = ctypes.c_void_p()
        lib.call("engine_create_opencl", pointer(self.context),
                 pointer(device), None, ctypes.byref(self.engine))
        self.plans = {value: lib.plan(size, value)
                      for value in (VALUE, ZERO, POISON)}
        self.array = numpy.empty(self.count, numpy.float32)
        self.buffer = pyopencl.array.empty(
            self.queue, self.count, numpy.float32)
        self.copy = numpy.empty(self.count, numpy.float32)
        self.stores = stores.Stores(size)

    def write(self, value, array):
        session.lib.call("write", self.host, self.plans[value],
                         host_pointer(array), ctypes.c_size_t(self.size))

    def poison_array(self):
        self.write(POISON, self.array)

    def poison_buffer(self):
        mapped, _ = pyopencl.enqueue_map_buffer(
            self.queue, self.buffer.data, pyopencl.map_flags.WRITE, 0,
            (self.count,), numpy.float32)
        self.write(POISON, mapped)
        mapped.base.release(self.queue)
        self.queue.finish()

    def read_buffer(self, buffer):
        pyopencl.enqueue_copy(self.queue, self.copy, buffer)
        return self.copy

    def read_tensor(self, tensor):
        session.lib.call("tensor_read", tensor, ctypes.c_size_t(0),
                         host_pointer(self.copy), ctypes.c_size_t(self.size))
        return self.copy

    def warm_array(self, name, fill):
        return Case(name, "warm array", VALUE, self.poison_array,
                    lambda _: fill(), lambda _: self.array, nothing)

    def warm_buffer(self, name, fill):
        def run(_):
            fill()
            self.queue.finish()
        return Case(name, "warm buffer", VALUE, self.poison_buffer, run,
                    lambda _: self.read_buffer(self.buffer.data), nothing)

    def fresh_array(self, name, value, make):
        return Case(name, "fresh array", value, nothing,
                    lambda _: make(), lambda array: array, nothing)

    def fresh_buffer(self, name, value, make):
        def run(_):
            buffer = make()
            self.queue.finish()
            return buffer
        return Case(name, "fresh buffer", value, nothing, run,
                    self.read_buffer, lambda buffer: buffer.release())

    def tensor(self, name, memory, engine, value):
        return Case(name, memory, value, nothing,
                    lambda _: session.lib.run(engine, self.plans[value]),
                    self.read_tensor,
                    lambda tensor: session.lib.destroy("tensor", tensor))

    def bare_stores(self):
        """Without the library."""
        return Case("memset by all processors", "fresh array", STORED, nothing,
                    lambda _: self.stores.run(),
                    lambda made: numpy.frombuffer(made[1], numpy.float32),
                    nothing)

    def constant_of_shape(self, name, value):
        """The first run of a session, without an arena that keeps memory."""
        node = helper.make_node(
            "ConstantOfShape", ["shape"], ["output"],
            value=helper.make_tensor("value", TensorProto.FLOAT, [1], [value]))
        graph = helper.make_graph(
            [node], "fill",
            [helper.make_tensor_value_info("shape", TensorProto.INT64, [1])],
            [helper.make_tensor_value_info("output", TensorProto.FLOAT,
                                           [None])])
        content = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 20)],
            ir_version=9).SerializeToString()
        options = onnxruntime.SessionOptions()
        options.enable_cpu_mem_arena = False
        inputs = {"shape": numpy.array([self.count])}

        def prepare():
            return onnxruntime.InferenceSession(
                content, options, providers=["CPUExecutionProvider"])
        return Case(name, "fresh array", value, prepare,
                    lambda made: made.run(None, inputs),
                    lambda outputs: outputs[0], nothing)

    def enqueue(self):
        session.lib.call("enqueue", self.engine, self.plans[VALUE],
                         pointer(self.queue), pointer(self.buffer.data),
                         ctypes.c_size_t(0), ctypes.c_uint(0), None, None)

    def fill_by_driver(self, buffer):
        pyopencl.enqueue_fill_buffer(self.queue, buffer, VALUE, 0, self.size)

    def make_by_driver(self):
        buffer = pyopencl.Buffer(
            self.context, pyopencl.mem_flags.READ_WRITE, self.size)
        self.fill_by_driver(buffer)
        return buffer

    def cases(self):
        return [
            self.warm_array("clconst_write",
                            lambda: self.write(VALUE, self.array)),
            self.warm_array("numpy fill", lambda: self.array.fill(VALUE)),
            self.tensor("clconst_run", "fresh array", self.host, VALUE),
            self.fresh_array("numpy.full", VALUE, lambda: numpy.full(
                self.count, VALUE, numpy.float32)),
            self.constant_of_shape("onnxruntime ConstantOfShape", VALUE),
            self.bare_stores(),
            self.tensor("clconst_run, zero", "fresh array", self.host, ZERO),
            self.fresh_array("numpy.zeros", ZERO, lambda: numpy.zeros(
                self.count, numpy.float32)),
            self.constant_of_shape("onnxruntime ConstantOfShape, zero", ZERO),
            self.warm_buffer("clconst_enqueue", self.enqueue),
            self.warm_buffer("pyopencl Array.fill",
                             lambda: self.buffer.fill(VALUE)),
            self.warm_buffer("clEnqueueFillBuffer", lambda:
                             self.fill_by_driver(self.buffer.data)),
            self.tensor("clconst_run, device", "fresh buffer", self.engine,
                        VALUE),
            self.fresh_buffer("clCreateBuffer and clEnqueueFillBuffer", VALUE,
                              self.make_by_driver),
            self.tensor("clconst_run, device, zero", "fresh buffer",
                        self.engine, ZERO),
            self.fresh_buffer("pyopencl.array.zeros", ZERO,
                              lambda: pyopencl.array.zeros(
                                  self.queue, self.count,
                                  numpy.float32).data),
        ]


def timed(case):
    """As library.measure takes it."""
    def finish(made):
        check(case, case.view(made))
        case.release(made)
    return case.prepare, case.run, finish


def measure(size=LARGE):
    """The cases, and the seconds of each by name."""
    cases = Peers(size).cases()
    return cases, library.measure(
        {case.name: timed(case) for case in cases}, session.arguments.rounds)


def print_table(size, cases, seconds, stream):
    """Beside each peer's time, how often the library's of the same memory and
    value goes into it."""
    own = {(case.memory, bool(case.value)): case.name for case in cases
           if case.name.startswith("clconst_")}
    print("| fill | memory | value | ms | least | most | GB/s | clconst |\n"
          "|---|---|---|---|---|---|---|---|", file=stream)
    for case in cases:
        times = seconds[case.name]
        middle = statistics.median(times)
        share = middle / statistics.median(
            seconds[own[case.memory, bool(case.value)]])
        print(f"| {case.name} | {case.memory} | {case.value:g} | "
              f"{1e3 * middle:.3g} | {1e3 * min(times):.3g} | "
              f"{1e3 * max(times):.3g} | {size / middle / 1e9:.3g} | "
              f"{share:.3g} |", file=stream)


def main():
    parser = session.make_parser(__doc__)
    parser.add_argument("--bytes", type=int, default=LARGE,
                        help="of each fill, 256 MiB by default; a multiple of "
                        "4")
    session.open_library(parser.parse_args())
    size = session.arguments.bytes
    print_table(size, *measure(size), sys.stdout)


if __name__ == "__main__":
    main()
