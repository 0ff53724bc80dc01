"""Measures the library beside NumPy, ONNX Runtime, PyOpenCL and the driver,
and prints a Markdown table of targets.

Needs numpy, onnx, onnxruntime and pyopencl. What is compared is measured in
one run, in another order each round; a ratio is one of medians, and the range
is that of the two cases' quartiles. Run it on a machine that does nothing else:

  python3 tests/bench/compare.py --build BUILD_FOLDER [GROUP..]
"""

import argparse
import ctypes
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

import library

MEBIBYTE = 1 << 20
LARGE = 256 * MEBIBYTE

rows = []
arguments = None
lib = None


def add(measure, target, measured, reached, remark=""):
    rows.append((measure, target, measured + remark,
                 {True: "yes", False: "no", None: "-"}[reached]))
    print("| " + " | ".join(rows[-1]) + " |", flush=True)


def ratio(seconds, slow, fast):
    """Of two cases' medians, and its range over their quartiles."""
    middle = statistics.median(seconds[slow]) / statistics.median(seconds[fast])
    slow_quartiles = statistics.quantiles(seconds[slow], n=4)
    fast_quartiles = statistics.quantiles(seconds[fast], n=4)
    return middle, (f"{middle:.2f} ({slow_quartiles[0] / fast_quartiles[2]:.2f}"
                    f" to {slow_quartiles[2] / fast_quartiles[0]:.2f}; "
                    f"{1e3 * statistics.median(seconds[slow]):.3g} against "
                    f"{1e3 * statistics.median(seconds[fast]):.3g} ms)")


def tensor_case(engine, plan):
    return (None, lambda: lib.run(engine, plan),
            lambda tensor: lib.destroy("tensor", tensor))


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
    engine = lib.engine("cpu")
    seconds = library.measure({
        "run": tensor_case(engine, lib.plan(LARGE)),
        "zero": tensor_case(engine, lib.plan(LARGE, is_zero=True)),
        "numpy": (None, lambda: numpy.full(LARGE // 4, 1.5, numpy.float32),
                  None),
        "onnxruntime": onnxruntime_case(),
    }, arguments.rounds)
    value, text = ratio(seconds, "numpy", "run")
    add("CPU engine, fresh 256 MiB: numpy.full over it", ">= 1.8", text,
        value >= 1.8)
    value, text = ratio(seconds, "onnxruntime", "run")
    add("CPU engine, fresh 256 MiB: ONNX Runtime over it", ">= 2", text,
        value >= 2)
    value, text = ratio(seconds, "zero", "run")
    add("CPU engine, fresh 256 MiB: zero over non-zero", "< 0.01", text,
        value < 0.01, f", exactly {value:.5f}")


def open_queue():
    import pyopencl
    platforms = pyopencl.get_platforms()
    device = platforms[0].get_devices()[0]
    context = pyopencl.Context([device])
    return context, device, pyopencl.CommandQueue(context)


def pointer(made):
    return ctypes.c_void_p(made.int_ptr)


def measure_pyopencl():
    import numpy
    import pyopencl.array
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
                              arguments.rounds)
    fill_buffer()
    assert (array.get().view(numpy.uint8) == library.PATTERN).all()
    value, text = ratio(seconds, "array", "clconst")
    add("PyOpenCL's Array.fill, warm 256 MiB, over clconst_enqueue", ">= 40",
        text, value >= 40)


def measure_fresh_device():
    import numpy
    import pyopencl
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
    }, arguments.rounds)
    value, text = ratio(seconds, "driver", "run")
    add("default buffer and clEnqueueFillBuffer of 4 bytes, fresh 256 MiB, "
        "over clconst_run", ">= 3", text, value >= 3)


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
    context, device, queue = open_queue()
    largest = min(device.max_mem_alloc_size // MEBIBYTE, 4096)
    sizes = [size * MEBIBYTE for size in
             (512, round(math.sqrt(512 * largest)), largest)]
    device_engine = ctypes.c_void_p()
    lib.call("engine_create_opencl", pointer(context), pointer(device), None,
             ctypes.byref(device_engine))
    engine = lib.engine("cpu")
    host = numpy.full(max(sizes), 1, numpy.uint8)
    buffer = pyopencl.Buffer(
        context, pyopencl.mem_flags.READ_WRITE, max(sizes))
    plans = {size: lib.plan(size) for size in sizes}

    def write(size):
        lib.call("write", engine, plans[size],
                 ctypes.c_void_p(host.ctypes.data), ctypes.c_size_t(size))

    def enqueue(size):
        lib.call("enqueue", device_engine, plans[size], pointer(queue),
                 pointer(buffer), ctypes.c_size_t(0), ctypes.c_uint(0), None,
                 None)
        queue.finish()
    cases = {}
    for size in sizes:
        cases["CPU engine", size] = (None, lambda size=size: write(size), None)
        cases["device", size] = (None, lambda size=size: enqueue(size), None)
    seconds = library.measure(cases, arguments.rounds)
    for name in ("CPU engine", "device"):
        value = slope({size: seconds[name, size] for size in sizes})
        rates = ", ".join(
            f"{size / statistics.median(seconds[name, size]) / 1e9:.1f}"
            for size in sizes)
        add(f"{name}, warm 512 to {largest} MiB: log-log slope of time over bytes",
            "0.95 to 1.05", f"{value:.3f} ({rates} GB/s)",
            abs(value - 1) <= 0.05)


def memory(key):
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) << 10
    raise KeyError(key)


def measure_memory():
    import numpy
    engine = lib.engine("cpu")
    size = 1024 * MEBIBYTE
    host = numpy.full(size, 1, numpy.uint8)
    for name, run in (
            ("clconst_write", lambda: lib.call(
                "write", engine, plan, ctypes.c_void_p(host.ctypes.data),
                ctypes.c_size_t(size))),
            ("clconst_run", lambda: lib.run(engine, plan))):
        plan = lib.plan(size)
        pathlib.Path("/proc/self/clear_refs").write_text("5")
        before = memory("VmRSS")
        made = run()
        growth = memory("VmHWM") - before - (size if made else 0)
        add(f"CPU engine, {name} of 1 GiB: growth of peak RSS beyond the "
            "output", "< 2 MiB", f"{growth >> 10} KiB", growth < 2 * MEBIBYTE)


def find_model():
    import onnx
    return pathlib.Path(onnx.__file__).parent.joinpath(
        "backend", "test", "data", "light", "light_vgg19.onnx")


def measure_load():
    engine = lib.engine("opencl")
    model = lib.make("model_open", str(find_model()).encode(), None)
    info = library.ModelInfo(ctypes.sizeof(library.ModelInfo))
    lib.functions.clconst_model_get_info(model, ctypes.byref(info))
    resolution = lib.make("resolution_create", model, None)
    plans = []
    for index in range(info.constant_count):
        resolved = library.Resolved(ctypes.sizeof(library.Resolved))
        lib.call("resolution_get_constant", resolution,
                 ctypes.c_size_t(index), ctypes.byref(resolved))
        if resolved.plan:
            plans.append(resolved.plan)
    batch = lib.batch(plans)
    size = lib.arena_size(batch)

    def run_batch():
        tensor = ctypes.c_void_p()
        lib.call("batch_run", engine, batch, ctypes.byref(tensor))
        return tensor
    lib.call("engine_prepare", engine)
    seconds = library.measure({
        "load": (None, run_batch, lambda tensor: lib.destroy("tensor", tensor)),
        "raw": tensor_case(engine, lib.plan(size)),
        "zero": tensor_case(engine, lib.plan(size, is_zero=True)),
    }, arguments.rounds)
    value, text = ratio(seconds, "load", "raw")
    add(f"light_vgg19, {len(plans)} tensors, {size} bytes: the load's fill "
        "over one fill of as many bytes", "<= 1.25", text, value <= 1.25)


def count_commands(engine, count):
    batch = lib.batch([lib.plan(1024)] * count)
    before = lib.counters(engine).command_count
    tensor = ctypes.c_void_p()
    lib.call("batch_run", engine, batch, ctypes.byref(tensor))
    commands = lib.counters(engine).command_count - before
    lib.destroy("tensor", tensor)
    return commands


def measure_commands():
    engine = lib.engine("opencl")
    counts = [count_commands(engine, count) for count in (10, 10000)]
    add("commands of a batch of 10 and of 10,000 tensors", "equal",
        f"{counts[0]} and {counts[1]}", counts[0] == counts[1])


def measure_first_fill():
    """In a process that has done nothing else: one small and one large."""
    for size in (64, LARGE):
        code = ("import sys, time; sys.path.insert(0, sys.argv[1]); "
                "import library; lib = library.Library(sys.argv[2]); "
                "engine = lib.engine('opencl'); "
                f"plan = lib.plan({size}); times = []\n"
                "for i in range(3):\n"
                "    begin = time.perf_counter(); "
                "tensor = lib.run(engine, plan); "
                "times.append(time.perf_counter() - begin); "
                "lib.destroy('tensor', tensor)\n"
                "print(times[0], min(times[1:]), "
                "lib.counters(engine).programs_built)")
        results = []
        for _ in range(arguments.rounds):
            library.Idle.wait()
            done = subprocess.run(
                [sys.executable, "-c", code, str(pathlib.Path(__file__).parent),
                 str(library_path())], capture_output=True, text=True,
                check=True)
            first, later, built = done.stdout.split()
            results.append((float(first) - float(later), int(built)))
        beyond = [1e3 * result[0] for result in results]
        add(f"first fill of a process, {size} bytes, default path: time beyond "
            "a later one, programs built", "< 5 ms, 0",
            f"{statistics.median(beyond):.2f} ms ({min(beyond):.2f} to "
            f"{max(beyond):.2f}), {results[0][1]}",
            statistics.median(beyond) < 5 and results[0][1] == 0)


def measure_host_time():
    for state in ("free", "held"):
        library.Idle.wait()
        done = subprocess.run(
            [arguments.build / "tests" / "bench_host_time", state],
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


def select(bench, path, key, **wanted):
    return {(row["dtype"], row["offset"]): row[key] for row in bench
            if row["path"] == path and row["bytes"] > LARGE - 64
            and not row["fresh"] and row["dtype"] != "string"}


def add_least(bench, path, key, target, name):
    values = select(bench, path, key)
    known = {place: value for place, value in values.items()
             if value is not None}
    if not known:
        add(name, f">= {target}", f"no value in {len(values)} rows", None)
        return
    least = min(known, key=known.get)
    remark = (f", {len(values) - len(known)} without a value"
              if len(known) < len(values) else "")
    if key == "ratio_to_limit":
        shortest = select(bench, path, "least_ratio_to_limit").values()
        remark += (f"; of the shortest times: {min(shortest):.2f} to "
                   f"{max(shortest):.2f}")
    add(name, f">= {target}",
        f"least {known[least]:.2f} ({least[0]} at offset {least[1]}), median "
        f"{statistics.median(known.values()):.2f}, most "
        f"{max(known.values()):.2f}", known[least] >= target, remark)


def measure_program():
    """The rows of `clconst bench`: each width, and batches."""
    done = subprocess.run(
        [arguments.build / "host" / "cli" / "clconst", "bench", "--json",
         "--device", "opencl", "--idle", str(arguments.idle)], capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    bench = report["rows"]
    library.Idle.disturbed = report["disturbed"]
    if arguments.rows:
        arguments.rows.write_text(done.stdout)
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
    for path, target in (("batch 1000x64", 50), ("batch 1000x1Ki", 25)):
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


GROUPS = {
    "program": measure_program,
    "fresh": measure_fresh,
    "pyopencl": measure_pyopencl,
    "fresh-device": measure_fresh_device,
    "commands": measure_commands,
    "host-time": measure_host_time,
    "load": measure_load,
    "first-fill": measure_first_fill,
    "memory": measure_memory,
    "slope": measure_slope,
}


def library_path():
    return arguments.build / "host" / "libclconst.so"


def main():
    global arguments, lib
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path,
                        help="build folder, with the program and its tests")
    parser.add_argument("--rounds", type=int, default=9,
                        help="measurements of each case, 9 by default")
    parser.add_argument("--idle", type=int, default=0, metavar="SECONDS",
                        help="wait so long in each group for moments when "
                        "nothing else runs")
    parser.add_argument("--rows", type=pathlib.Path,
                        help="write the JSON of `clconst bench` there")
    parser.add_argument("groups", nargs="*", metavar="GROUP",
                        help="all by default: " + ", ".join(GROUPS))
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    unknown = set(arguments.groups) - set(GROUPS)
    if unknown:
        parser.error(f"group {sorted(unknown)[0]} is unknown")
    lib = library.Library(str(library_path()))
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
