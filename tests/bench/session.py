"""What all groups of measurements share: the options, and the library."""

import ctypes

MEBIBYTE = 1 << 20
LARGE = 256 * MEBIBYTE

arguments = None
lib = None


def library_path():
    return arguments.build / "host" / "libclconst.so"


def program():
    return arguments.build / "host" / "cli" / "clconst"


def tensor_case(engine, plan):
    return (None, lambda: lib.run(engine, plan),
            lambda tensor: lib.destroy("tensor", tensor))


def open_queue():
    import pyopencl
    platforms = pyopencl.get_platforms()
    device = platforms[0].get_devices()[0]
    context = pyopencl.Context([device])
    return context, device, pyopencl.CommandQueue(context)


def pointer(made):
    return ctypes.c_void_p(made.int_ptr)
