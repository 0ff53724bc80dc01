"""What the conformance tests share: the program and the library under test,
the seed of random cases, and skips that print their reason.

Each test file is a unittest program: FILE --clconst PROGRAM --library LIBRARY
--shared FOLDER --device DEVICE. A file whose tests are all skipped exits with
77.
"""

import argparse
import functools
import json
import os
import pathlib
import random
import subprocess
import sys
import unittest

import binding

arguments = None


def environment():
    """Of other programs: what is preloaded is meant for Python only."""
    return {name: value for name, value in os.environ.items()
            if name != "LD_PRELOAD"}


def clconst(*words, status=0):
    """Runs the program and returns what it printed as JSON."""
    if arguments.clconst is None:
        raise unittest.SkipTest("the program is not built")
    command = [arguments.clconst, words[0], "--json", *map(str, words[1:])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300,
                          env=environment())
    if done.returncode != status:
        raise AssertionError(
            f"{' '.join(command)}: exit status {done.returncode}, expected "
            f"{status}: {done.stderr.strip()}")
    return json.loads(done.stdout)


@functools.cache
def library():
    """The library; skips the test where it is not built."""
    if arguments.library is None:
        raise unittest.SkipTest("the shared library is not given")
    return binding.Library(arguments.library)


@functools.cache
def engine(device=None):
    """An engine on the device of the command line, or another; skips the test
    where there is none."""
    try:
        return library().engine(device or arguments.device)
    except binding.Error as error:
        if error.status != "NO_DEVICE":
            raise
        raise unittest.SkipTest(error.message) from None


def run(plan):
    """The plan's tensor from the engine under test. Strings stay on the
    host, so that other engines must refuse them."""
    if plan.kind() != "strings" or arguments.device == "cpu":
        return engine().run(plan)
    try:
        engine().run(plan)
    except binding.Error as error:
        if error.status == "UNSUPPORTED":
            return engine("cpu").run(plan)
        raise
    raise AssertionError("strings ran on a device")


def resident_size():
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def shared(*parts):
    """A folder of the shared test data; skips the test where it is missing."""
    folder = pathlib.Path(arguments.shared, *parts)
    if not folder.is_dir():
        raise unittest.SkipTest(f"{folder} is missing")
    return folder


def generator():
    """The random numbers of this run, and how many cases to make of them."""
    print(f"seed {arguments.seed}, {arguments.count} cases", flush=True)
    return random.Random(arguments.seed), arguments.count


class Result(unittest.TextTestResult):
    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        # On a line of its own, behind the runner's dots.
        print(f"\nSKIP: {test.id()}: {reason}", flush=True)


def main():
    global arguments
    parser = argparse.ArgumentParser()
    parser.add_argument("--clconst")
    parser.add_argument("--library")
    parser.add_argument("--shared", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("tests", nargs="*")
    arguments = parser.parse_args()
    loader = unittest.defaultTestLoader
    module = sys.modules["__main__"]
    if arguments.tests:
        suite = loader.loadTestsFromNames(arguments.tests, module)
    else:
        suite = loader.loadTestsFromModule(module)
    runner = unittest.TextTestRunner(
        stream=sys.stdout, verbosity=1, resultclass=Result)
    result = runner.run(suite)
    if not result.wasSuccessful():
        sys.exit(1)
    if result.testsRun == len(result.skipped):
        sys.exit(77)
