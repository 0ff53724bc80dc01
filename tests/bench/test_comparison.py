"""That the groups of compare.py measure what they say: test_comparison.py --build
BUILD_FOLDER. No time is compared with anything."""

import contextlib
import io
import pathlib
import sys
import types
import unittest

import compare
import library
import session
import stores


class Stores(unittest.TestCase):
    def test_all_bytes_are_stored_and_no_other(self):
        for size in (1, 4096, (5 << 20) + 3):
            block, stored = stores.Stores(size).run()
            self.assertEqual(len(stored), size)
            self.assertEqual(bytes(stored), bytes([stores.BYTE]) * size)
            stored.release()
            self.assertEqual(block[:].count(stores.BYTE), size)
            block.close()


def rows(measure, *arguments):
    """Of a group of compare.py, as cells."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        measure(*arguments)
    return [[cell.strip() for cell in line.split("|")[1:-1]]
            for line in printed.getvalue().splitlines()]


class Groups(unittest.TestCase):
    def test_commands_of_batches_are_counted(self):
        [[_, target, measured, reached]] = rows(compare.measure_commands)
        self.assertEqual((target, reached), ("equal", "yes"))
        self.assertRegex(measured, r"^(\d+) and \1$")

    def test_loads_are_measured_beside_stores_and_the_driver(self):
        # A small one of the same kind.
        measured = rows(compare.measure_load, "light_squeezenet")
        self.assertEqual([row[1] for row in measured], ["<= 1.25", "<= 1.25"])
        for row, other in zip(measured, ("bare stores", "clEnqueueFillBuffer")):
            self.assertRegex(row[0], rf"^light_squeezenet, \d+ tensors, \d+ "
                             rf"bytes: the load's fill over {other} ")


class Measure(unittest.TestCase):
    def test_seconds_that_finish_tells_count(self):
        seconds = library.measure({
            "told": (None, lambda: 5, lambda made: made),
            "taken": (lambda: 1, lambda given: given, lambda made: None),
        }, 3)
        self.assertEqual(seconds["told"], [5, 5, 5])
        self.assertEqual(len(seconds["taken"]), 3)
        self.assertLess(max(seconds["taken"]), 5)


if __name__ == "__main__":
    build = pathlib.Path(sys.argv.pop()).resolve()
    assert sys.argv.pop() == "--build"
    session.arguments = types.SimpleNamespace(build=build, rounds=2)
    session.lib = library.Library(str(session.library_path()))
    unittest.main()
