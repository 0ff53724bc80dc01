"""What the conformance tests share: the program under test, its JSON, and
skips that print their reason.

Each test file is a unittest program: FILE --clconst PROGRAM --shared FOLDER
--device DEVICE. A file whose tests are all skipped exits with 77.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import unittest

arguments = None


def clconst(*words, status=0):
    """Runs the program and returns what it printed as JSON."""
    command = [arguments.clconst, words[0], "--json", *map(str, words[1:])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != status:
        raise AssertionError(
            f"{' '.join(command)}: exit status {done.returncode}, expected "
            f"{status}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def shared(*parts):
    """A folder of the shared test data; skips the test where it is missing."""
    folder = pathlib.Path(arguments.shared, *parts)
    if not folder.is_dir():
        raise unittest.SkipTest(f"{folder} is missing")
    return folder


class Result(unittest.TextTestResult):
    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f"SKIP: {test.id()}: {reason}", flush=True)


def main():
    global arguments
    parser = argparse.ArgumentParser()
    parser.add_argument("--clconst", required=True)
    parser.add_argument("--shared", required=True)
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    suite = unittest.defaultTestLoader.loadTestsFromModule(
        sys.modules["__main__"])
    runner = unittest.TextTestRunner(
        stream=sys.stdout, verbosity=1, resultclass=Result)
    result = runner.run(suite)
    if not result.wasSuccessful():
        sys.exit(1)
    if result.testsRun == len(result.skipped):
        sys.exit(77)
