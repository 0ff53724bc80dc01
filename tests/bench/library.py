"""The library through ctypes, as little of it as the comparison needs."""

import ctypes
import random
import time

VALUE = 1.5  # of every element that is filled, unless it is zero
FLOAT = 1
KERNEL = 1  # of clconst_fill_path


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int32), ("native_code", ctypes.c_int32),
                ("message", ctypes.c_char * 512)]


class Shape(ctypes.Structure):
    _fields_ = [("dims", ctypes.POINTER(ctypes.c_int64)),
                ("rank", ctypes.c_size_t)]


class View(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("shape", Shape),
                ("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class EngineOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("device", ctypes.c_char_p),
                ("require_device", ctypes.c_int), ("fill_path", ctypes.c_int),
                ("cache_dir", ctypes.c_char_p),
                ("thread_count", ctypes.c_uint),
                ("parallel_for", ctypes.c_void_p),
                ("parallel_for_context", ctypes.c_void_p),
                ("note", ctypes.c_void_p), ("note_context", ctypes.c_void_p)]


class Counters(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t),
                ("command_count", ctypes.c_uint64),
                ("byte_size", ctypes.c_uint64),
                ("programs_built", ctypes.c_uint64),
                ("programs_loaded", ctypes.c_uint64)]


class ModelInfo(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t),
                ("ir_version", ctypes.c_int64), ("opset", ctypes.c_int64),
                ("constant_count", ctypes.c_size_t),
                ("input_count", ctypes.c_size_t),
                ("output_count", ctypes.c_size_t),
                ("foreign_node_count", ctypes.c_size_t)]


class Resolved(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("state", ctypes.c_int),
                ("plan", ctypes.c_void_p), ("reason", ctypes.c_char_p),
                ("has_rank", ctypes.c_int), ("dims", ctypes.c_void_p),
                ("rank", ctypes.c_size_t)]


class Failure(Exception):
    pass


class Library:
    """Calls functions of the library by name; a failure is an exception."""

    def __init__(self, path):
        self.functions = ctypes.CDLL(path)

    def call(self, name, *arguments):
        """Of a function that returns a status and takes an error last."""
        error = Error()
        function = getattr(self.functions, "clconst_" + name)
        if function(*arguments, ctypes.byref(error)) != 0:
            raise Failure(f"{name}: {error.message.decode()}")

    def make(self, name, *arguments):
        """The object that is the last output."""
        made = ctypes.c_void_p()
        self.call(name, *arguments, ctypes.byref(made))
        return made

    def destroy(self, kind, made):
        getattr(self.functions, f"clconst_{kind}_destroy")(made)

    def engine(self, device):
        options = EngineOptions(ctypes.sizeof(EngineOptions), device.encode())
        return self.make("engine_create", ctypes.byref(options))

    def plan(self, size, value=VALUE):
        """Of size bytes of float."""
        element = ctypes.c_float(value)
        view = View(FLOAT, Shape(None, 0),
                    ctypes.cast(ctypes.byref(element), ctypes.c_void_p),
                    ctypes.sizeof(element))
        op = self.make("op_create_constant_of_shape", ctypes.byref(view))
        dim = ctypes.c_int64(size // ctypes.sizeof(element))
        shape = Shape(ctypes.pointer(dim), 1)
        plan = self.make("plan_create", op, ctypes.byref(shape))
        self.destroy("op", op)
        return plan

    def run(self, engine, plan):
        return self.make("run", engine, plan)

    def buffer_of(self, tensor):
        function = self.functions.clconst_tensor_get_buffer
        function.restype = ctypes.c_void_p
        return ctypes.c_void_p(function(tensor))

    def batch(self, plans):
        array = (ctypes.c_void_p * len(plans))(*[
            plan.value if isinstance(plan, ctypes.c_void_p) else plan
            for plan in plans])
        return self.make("batch_create", array, ctypes.c_size_t(len(plans)),
                         None)

    def arena_size(self, batch):
        function = self.functions.clconst_batch_get_arena_size
        function.restype = ctypes.c_size_t
        return function(batch, ctypes.c_size_t(0))

    def counters(self, engine):
        counters = Counters(ctypes.sizeof(Counters))
        self.functions.clconst_engine_get_counters(
            engine, ctypes.byref(counters))
        return counters


def ticks(*fields):
    """Of all processors, from proc(5): 1 to 3 are busy, 8 is stolen."""
    with open("/proc/stat") as stat:
        line = stat.readline().split()
    return sum(int(line[field]) for field in fields)


class Idle:
    """Waits, so many seconds in all, for moments when nothing else runs: no
    other program, and no other machine that shares the processors."""
    seconds_left = 0.0
    disturbed = 0
    is_disturbed = False

    @classmethod
    def wait(cls):
        cls.is_disturbed = True
        while cls.seconds_left > 0 and cls.is_disturbed:
            before = ticks(1, 2, 3)
            time.sleep(0.02)
            cls.is_disturbed = ticks(1, 2, 3) != before
            if cls.is_disturbed:
                cls.seconds_left -= 0.02
        cls.stolen = ticks(8)

    @classmethod
    def end(cls, seconds):
        """Whether a measurement, that took so long, is good."""
        if ticks(8) != cls.stolen:
            cls.is_disturbed = True
            cls.seconds_left -= seconds
            if cls.seconds_left > 0:
                return False
        cls.disturbed += cls.is_disturbed
        return True


def measure_once(prepare, run, finish):
    while True:
        given = prepare() if prepare else None
        Idle.wait()
        begin = time.perf_counter()
        made = run(given) if prepare else run()
        seconds = time.perf_counter() - begin
        is_good = Idle.end(seconds)
        told = finish(made) if finish else None
        del given, made
        if is_good:
            return seconds if told is None else told


def measure(cases, rounds):
    """Times of each case, by name: (prepare, run, finish), of which run is
    timed, in another order each round. finish may tell the seconds that count
    instead. The first round is not counted."""
    seconds = {name: [] for name in cases}
    for round_number in range(rounds + 1):
        names = list(cases)
        random.shuffle(names)
        for name in names:
            taken = measure_once(*cases[name])
            if round_number > 0:
                seconds[name].append(taken)
    return seconds
