"""What happens once in a process: the first fill, with and without a cache,
and the growth of its memory."""

import ctypes
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import library
import session
from report import add
from session import LARGE, MEBIBYTE, library_path


def memory(key):
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) << 10
    raise KeyError(key)


def measure_memory():
    import numpy
    lib = session.lib
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


def measure_first_fill():
    """In a process that has done nothing else: one small and one large."""
    lib = session.lib
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
        for _ in range(session.arguments.rounds):
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


# Seconds of the first fill by a kernel, of the processors' time in it, and what
# was built and loaded.
KERNEL_FILL = """
import ctypes, sys, time
sys.path.insert(0, sys.argv[1])
import library
lib = library.Library(sys.argv[2])
options = library.EngineOptions(ctypes.sizeof(library.EngineOptions), b'opencl')
options.fill_path = library.KERNEL
options.cache_dir = sys.argv[3].encode()
engine = lib.make('engine_create', ctypes.byref(options))
plan = lib.plan(1 << 16)
begin = time.perf_counter(), time.process_time()
tensor = lib.run(engine, plan)
end = time.perf_counter(), time.process_time()
lib.destroy('tensor', tensor)
counters = lib.counters(engine)
lib.destroy('engine', engine)
print(end[0] - begin[0], end[1] - begin[1], counters.programs_built,
      counters.programs_loaded)
"""


def fill_by_kernel(cache_dir):
    """In a process whose PoCL has an empty cache."""
    with tempfile.TemporaryDirectory() as pocl_cache:
        library.Idle.wait()
        done = subprocess.run(
            [sys.executable, "-c", KERNEL_FILL,
             str(pathlib.Path(__file__).parent), str(library_path()),
             cache_dir],
            env=dict(os.environ, POCL_CACHE_DIR=pocl_cache),
            capture_output=True, text=True, check=True)
    seconds, busy, built, loaded = done.stdout.split()
    return float(seconds), float(busy), int(built), int(loaded)


def measure_cold_start():
    cold = []
    warm = []
    warm_busy = []
    for _ in range(session.arguments.rounds):
        with tempfile.TemporaryDirectory() as cache_dir:
            seconds, _, built, _ = fill_by_kernel(cache_dir)
            assert built == 1
            cold.append(seconds)
            seconds, busy, _, loaded = fill_by_kernel(cache_dir)
            assert loaded == 1
            warm.append(seconds)
            warm_busy.append(busy)
    middle = 1e3 * statistics.median(warm)
    add("first kernel fill of a second process, warm cache_dir, empty PoCL "
        "cache", "<= 10 ms",
        f"{middle:.1f} ms ({1e3 * min(warm):.1f} to {1e3 * max(warm):.1f}), "
        f"{1e3 * statistics.median(warm_busy):.1f} ms of processor time",
        middle <= 10)
    value = statistics.median(cold) / statistics.median(warm)
    add("the same, against a cold one", ">= 50",
        f"{value:.0f} ({1e3 * statistics.median(cold):.0f} ms)", value >= 50)


GROUPS = {
    "first-fill": measure_first_fill,
    "cold-start": measure_cold_start,
    "memory": measure_memory,
}
