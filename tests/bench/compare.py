"""Measures the library beside NumPy, ONNX Runtime, PyOpenCL and the driver,
and prints a Markdown table of targets.

Needs numpy, onnx, onnxruntime and pyopencl. What is compared is measured in
one run, in another order each round; a ratio is one of medians, and the range
is that of the two cases' quartiles. Run it on a machine that does nothing else:

  python3 tests/bench/compare.py --build BUILD_FOLDER [GROUP..]
"""

import ctypes
import json
import math
import os
import pathlib
import statistics
import subprocess

import library
import peers
import processes
import session
import stores
from report import add, add_least, ratio
from session import MEBIBYTE, open_queue, pointer, program


def slope(times):
    """Of the logarithms, by least squares."""
    points = [(math.log(size), math.log(statistics.median(seconds)))
              for size, seconds in times.items()]
    x_mean = statistics.mean(x for x, _ in points)
    y_mean = statistics.mean(y for _, y in points)
    return (sum((x - x_mean) * (y - y_mean) for x, y in points) /
            sum((x - x_mean) ** 2 for x, _ in points))


def measure_slope():
    import numpy
    import pyopencl
    lib = session.lib
    context, device, queue = open_queue()
    largest = min(device.max_mem_alloc_size // MEBIBYTE, 4096)
    sizes = [size * MEBIBYTE for size in
             (512, round(math.sqrt(512 * largest)), largest)]
    device_engine = ctypes.c_void_p()
    lib.call("engine_create_opencl", pointer(context), pointer(device), None,
             ctypes.byref(device_engine))
    engine = lib.engine("cpu")
    plans = {size: lib.plan(size) for size in sizes}
    # Both on huge pages: small ones cost more at the begin of a fill.
    host = numpy.full(max(sizes), 1, numpy.uint8)
    tensor = lib.run(device_engine, plans[max(sizes)])
    buffer = lib.buffer_of(tensor)

    def write(size):
        lib.call("write", engine, plans[size],
                 ctypes.c_void_p(host.ctypes.data), ctypes.c_size_t(size))

    def enqueue(size):
        lib.call("enqueue", device_engine, plans[size], pointer(queue),
                 buffer, ctypes.c_size_t(0), ctypes.c_uint(0), None, None)
        queue.finish()
    cases = {}
    for size in sizes:
        cases["CPU engine", size] = (None, lambda size=size: write(size), None)
        cases["device", size] = (None, lambda size=size: enqueue(size), None)
    seconds = library.measure(cases, session.arguments.rounds)
    lib.destroy("tensor", tensor)
    for name in ("CPU engine", "device"):
        value = slope({size: seconds[name, size] for size in sizes})
        rates = ", ".join(
            f"{size / statistics.median(seconds[name, size]) / 1e9:.1f}"
            for size in sizes)
        add(f"{name}, warm 512 to {largest} MiB: log-log slope of time over "
            "bytes", "0.95 to 1.05", f"{value:.3f} ({rates} GB/s)",
            abs(value - 1) <= 0.05)


def load(name, *options):
    """What `clconst load` reports of one of ONNX's own models."""
    import onnx
    model = pathlib.Path(onnx.__file__).parent.joinpath(
        "backend", "test", "data", "light", name + ".onnx")
    done = subprocess.run(
        [program(), "load", "--json", "--device", "opencl", *options, model],
        capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def measure_load(name="light_vgg19"):
    """Beside bare stores to fresh memory, and the driver's fill of a fresh
    buffer, of as many bytes. The first load fills the caches of programs."""
    import numpy
    import pyopencl
    report = load(name, "--verify")
    size = report["device_bytes"]
    bare = stores.Stores(size)
    context, _, queue = open_queue()

    def finish_stores(made):
        _, stored = made
        step = 1 << 24
        for begin in range(0, size, step):
            assert (numpy.frombuffer(stored[begin:begin + step], numpy.uint8)
                    == stores.BYTE).all()

    def fill_buffer():
        buffer = pyopencl.Buffer(
            context, pyopencl.mem_flags.READ_WRITE, size)
        pyopencl.enqueue_fill_buffer(
            queue, buffer, numpy.float32(library.VALUE), 0, size)
        queue.finish()
        return buffer
    seconds = library.measure({
        "load": (None, lambda: load(name), lambda made: made["seconds"]),
        "stores": (None, bare.run, finish_stores),
        "driver": (None, fill_buffer, lambda buffer: buffer.release()),
    }, session.arguments.rounds)
    for other, words in (
            ("stores", "bare stores to fresh memory by all processors"),
            ("driver", "clEnqueueFillBuffer of a fresh default buffer")):
        value, text = ratio(seconds, "load", other)
        add(f"{name}, {report['tensors']} tensors, {size} bytes: the "
            f"load's fill over {words}", "<= 1.25", text, value <= 1.25)


def count_commands(engine, count):
    lib = session.lib
    batch = lib.batch([lib.plan(1024)] * count)
    before = lib.counters(engine).command_count
    tensor = ctypes.c_void_p()
    lib.call("batch_run", engine, batch, None, ctypes.byref(tensor))
    commands = lib.counters(engine).command_count - before
    lib.destroy("tensor", tensor)
    return commands


def measure_commands():
    lib = session.lib
    engine = lib.engine("opencl")
    counts = [count_commands(engine, count) for count in (10, 10000)]
    add("commands of a batch of 10 and of 10,000 tensors", "equal",
        f"{counts[0]} and {counts[1]}", counts[0] == counts[1])


def measure_host_time():
    for state in ("free", "held"):
        library.Idle.wait()
        done = subprocess.run(
            [session.arguments.build / "tests" / "bench_host_time", state],
            capture_output=True, text=True, check=True)
        times = json.loads(done.stdout)
        bare = times["bare"]
        for path in ("auto", "driver"):
            value = times[path][0] / bare[0]
            add(f"host time of clconst_enqueue of 64 bytes, path {path}, queue "
                f"{state}, over a bare clEnqueueFillBuffer", "<= 1.15",
                f"{value:.2f} ({times[path][0]} against {bare[0]} ns; 10 % to "
                f"90 %: {times[path][1]} to {times[path][2]} against "
                f"{bare[1]} to {bare[2]})", value <= 1.15)
        for way, words in (("native", "a bare clEnqueueNativeKernel"),
                           ("asked", "the same after two questions about the "
                            "queue and five about the buffer")):
            if way in times:
                add(f"host time of {words}, queue {state}, over a bare "
                    "clEnqueueFillBuffer", "",
                    f"{times[way][0] / bare[0]:.2f}", None)


def measure_program():
    """The rows of `clconst bench`: each width, and batches."""
    drawing = (["--svg", str(session.arguments.svg)] if session.arguments.svg
               else [])
    done = subprocess.run(
        [program(), "bench", "--json", "--device", "opencl", "--idle",
         str(session.arguments.idle), *drawing],
        capture_output=True, text=True, check=True)
    measured = json.loads(done.stdout)
    bench = measured["rows"]
    library.Idle.disturbed = measured["disturbed"] or 0
    if session.arguments.rows:
        session.arguments.rows.write_text(done.stdout)
    add_least(bench, "cpu", "ratio_to_limit", 0.95,
              "CPU engine, warm 256 MiB, every width, of the limit")
    for path, target in (("auto", 0.85), ("kernel x8", 0.9)):
        add_least(bench, path, "ratio_to_limit", target,
                  f"device, warm 256 MiB, every width and offset, {path}, of "
                  "the limit")
    at_zero = [row for row in bench if row["offset"] == 0]
    add_least(at_zero, "auto", "ratio_to_driver", 3,
              "device, warm 256 MiB, every width, auto, over "
              "clEnqueueFillBuffer of the element's width")
    for path, target in (("batch 1000x64", 50), ("batch 1000x64 x8", 50),
                         ("batch 1000x1Ki", 25), ("batch 1000x1Ki x8", 25)):
        row = next(row for row in bench if row["path"] == path)
        add(f"{path}, over one clEnqueueFillBuffer each", f">= {target}",
            f"{row['ratio_to_driver']:.1f} ({row['microseconds']:.1f} us, "
            f"{row['microseconds_min']:.1f} to {row['microseconds_max']:.1f})",
            row["ratio_to_driver"] >= target)
    times = {row["path"]: row["microseconds"] for row in bench}
    value = times["batch 64Mi+10000x64"] / times["one fill of 64Mi+10000x64"]
    add("64 MiB and 10,000 small tensors in one batch, over one fill",
        "<= 1.5", f"{value:.2f} ({times['batch 64Mi+10000x64']:.0f} against "
        f"{times['one fill of 64Mi+10000x64']:.0f} us)", value <= 1.5)


def measure_peers():
    """The rows about what others fill."""
    cases, seconds = peers.measure()
    for measure, target, slow, fast in (
            ("CPU engine, fresh 256 MiB: numpy.full over it", 1.8,
             "numpy.full", "clconst_run"),
            ("CPU engine, fresh 256 MiB: ONNX Runtime over it", 2,
             "onnxruntime ConstantOfShape", "clconst_run"),
            ("PyOpenCL's Array.fill, warm 256 MiB, over clconst_enqueue", 40,
             "pyopencl Array.fill", "clconst_enqueue"),
            ("default buffer and clEnqueueFillBuffer of 4 bytes, fresh 256 "
             "MiB, over clconst_run", 3,
             "clCreateBuffer and clEnqueueFillBuffer", "clconst_run, device"),
    ):
        value, text = ratio(seconds, slow, fast)
        add(measure, f">= {target}", text, value >= target)
    _, text = ratio(seconds, "numpy.full", "memset by all processors")
    add("fresh 256 MiB: numpy.full over memset by all processors, without the "
        "library", "", text, None)
    value, text = ratio(seconds, "clconst_run, zero", "clconst_run")
    add("CPU engine, fresh 256 MiB: zero over non-zero", "< 0.01", text,
        value < 0.01, f", exactly {value:.5f}")
    if session.arguments.peers:
        with session.arguments.peers.open("w") as stream:
            peers.print_table(session.LARGE, cases, seconds, stream)


GROUPS = {
    "program": measure_program,
    "peers": measure_peers,
    "commands": measure_commands,
    "host-time": measure_host_time,
    "load": measure_load,
    **processes.GROUPS,
    "slope": measure_slope,
}


def main():
    parser = session.make_parser(__doc__)
    parser.add_argument("--idle", type=int, default=0, metavar="SECONDS",
                        help="wait so long in each group for moments when "
                        "nothing else runs")
    parser.add_argument("--rows", type=pathlib.Path,
                        help="write the JSON of `clconst bench` there")
    parser.add_argument("--peers", type=pathlib.Path,
                        help="write the table of peers.py there")
    parser.add_argument("--svg", type=pathlib.Path,
                        help="have `clconst bench` draw its chart there")
    parser.add_argument("groups", nargs="*", metavar="GROUP",
                        help="all by default: " + ", ".join(GROUPS))
    arguments = parser.parse_args()
    unknown = set(arguments.groups) - set(GROUPS)
    if unknown:
        parser.error(f"group {sorted(unknown)[0]} is unknown")
    session.open_library(arguments)
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]}\n\n"
          "| measure | target | measured | reached |\n|---|---|---|---|",
          flush=True)
    for name in arguments.groups or GROUPS:
        library.Idle.seconds_left = arguments.idle
        library.Idle.disturbed = 0
        GROUPS[name]()
        if arguments.idle > 0 and library.Idle.disturbed > 0:
            print(f"| {name} | | {library.Idle.disturbed} measurements beside "
                  "other programs | |", flush=True)


if __name__ == "__main__":
    main()
