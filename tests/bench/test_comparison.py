"""That the comparison with others fills what it says and sees when it does not:
test_comparison.py --build BUILD_FOLDER. No time is compared with anything."""

import contextlib
import io
import sys
import unittest

import numpy

import compare
import library
import peers
import session
import stores

SIZE = (5 << 20) + 60  # more than what is compared at once


class Cases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = peers.Peers(SIZE).cases()

    def test_each_peer_is_there(self):
        names = {case.name for case in self.cases}
        self.assertLessEqual(
            {"numpy.full", "numpy fill", "onnxruntime ConstantOfShape",
             "pyopencl Array.fill", "pyopencl.array.zeros"}, names)
        self.assertEqual(len(names), len(self.cases))

    def test_each_fills_all_bytes(self):
        for case in self.cases:
            with self.subTest(case.name):
                made = case.run(case.prepare())
                array = case.view(made)
                self.assertEqual(array.nbytes, SIZE)
                self.assertEqual(set(array.tolist()), {float(case.value)})
                case.release(made)

    def test_warm_memory_holds_something_else_before(self):
        for case in self.cases:
            if case.memory.startswith("warm"):
                with self.subTest(case.name):
                    made = case.run(case.prepare())
                    case.release(made)
                    case.prepare()
                    self.assertEqual(set(case.view(made).tolist()), {-7.0})

    def test_each_changed_element_is_seen(self):
        for case in self.cases:
            with self.subTest(case.name):
                _, run, finish = peers.timed(case._replace(
                    view=lambda made, case=case: self.spoil(case, made)))
                with self.assertRaises(peers.WrongBytes):
                    finish(run(case.prepare()))

    @staticmethod
    def spoil(case, made):
        array = case.view(made).copy()
        array.view(numpy.uint8)[-1] ^= 0x80
        return array

    def test_the_comparison_is_of_all_elements(self):
        case = self.cases[0]
        array = numpy.full(SIZE // 4, case.value, numpy.float32)
        peers.check(case, array)
        for index in (0, 1, (1 << 20) - 1, 1 << 20, SIZE // 4 - 1):
            array.view(numpy.uint8)[4 * index] ^= 1
            with self.assertRaisesRegex(peers.WrongBytes,
                                        f": element {index} "):
                peers.check(case, array)
            array[index] = case.value

    def test_one_table_has_all(self):
        printed = io.StringIO()
        peers.print_table(SIZE, *peers.measure(SIZE), printed)
        lines = printed.getvalue().splitlines()
        self.assertEqual(
            [[cell.strip() for cell in line.split("|")][1:4]
             for line in lines[2:]],
            [[case.name, case.memory, f"{case.value:g}"]
             for case in self.cases])
        for line in lines[2:]:
            for cell in line.split("|")[4:9]:
                self.assertGreater(float(cell), 0)


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
    options, rest = session.make_parser(__doc__).parse_known_args()
    options.rounds = 2
    session.open_library(options)
    unittest.main(argv=sys.argv[:1] + rest)
