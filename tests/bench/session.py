"""What all groups of measurements share: the options, and the library."""

import argparse
import ctypes
import pathlib

import library

MEBIBYTE = 1 << 20
LARGE = 256 * MEBIBYTE

arguments = None
lib = None


def make_parser(description):
    parser = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path,
                        help="build folder, with the program and its tests")
    parser.add_argument("--rounds", type=int, default=9,
                        help="measurements of each case, 9 by default")
    return parser


def open_library(given):
    """Takes the options that were given."""
    global arguments, lib
    arguments = given
    arguments.build = arguments.build.resolve()
    lib = library.Library(str(library_path()))


def library_path():
    return arguments.build / "host" / "libclconst.so"


def program():
    return arguments.build / "host" / "cli" / "clconst"


def open_queue():
    import pyopencl
    device = next(device for platform in pyopencl.get_platforms()
                  for device in platform.get_devices())
    context = pyopencl.Context([device])
    return context, device, pyopencl.CommandQueue(context)


def pointer(made):
    return ctypes.c_void_p(made.int_ptr)
