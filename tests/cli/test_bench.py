"""The form of what `bench` and `check` report: FILE PROGRAM DEVICE. No number
that was measured is compared with anything."""

import json
import math
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM = None
DEVICE = None

# Every dtype of onnx.proto but string.
DTYPES = set(
    "float uint8 int8 uint16 int16 int32 int64 bool float16 double uint32 "
    "uint64 complex64 complex128 bfloat16 float8e4m3fn float8e4m3fnuz "
    "float8e5m2 float8e5m2fnuz uint4 int4 float4e2m1 float8e8m0 uint2 int2 "
    "float6e2m3 float6e3m2".split())

NUMBER = (int, float)
ROW = {
    "path": str, "dtype": str, "bytes": int, "offset": int, "fresh": bool,
    "gbps": NUMBER, "microseconds": NUMBER, "microseconds_min": NUMBER,
    "microseconds_max": NUMBER, "rounds": int,
}
NULLABLE = ("limit_gbps", "ratio_to_limit", "least_ratio_to_limit",
            "ratio_to_driver")


SIZES = [16, 256, 4 << 10, 64 << 10, 1 << 20, 16 << 20, 256 << 20, 1 << 30]
WIDTHS = {"float": 32, "uint2": 2, "uint4": 4, "float6e2m3": 6, "uint8": 8,
          "float16": 16, "double": 64, "complex128": 128}
PATHS = ("auto", "kernel", "driver", "native")


def run(*words, **options):
    return subprocess.run([PROGRAM, *words, "--device", DEVICE],
                          capture_output=True, text=True, timeout=280,
                          **options)


def bench(*words, **options):
    """The report."""
    done = run("bench", "--json", *words, **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def filled(dtype, size):
    """Bytes of the whole elements that size bytes hold: what fills them ends at
    a byte."""
    step = max(WIDTHS[dtype], 8) if WIDTHS[dtype] != 6 else 24
    return size * 8 // step * step // 8


class Chart:
    """The lines of a chart, in the units of its axes' labels."""
    SVG = "{http://www.w3.org/2000/svg}"
    UNITS = {"": 0, "Ki": 10, "Mi": 20, "Gi": 30}

    def __init__(self, text):
        self.root = xml.etree.ElementTree.fromstring(text)
        columns = {self.bytes_of(mark.text): float(mark.get("x"))
                   for mark in self.marks("middle")}
        # The labels stand a little below their lines.
        rows = {float(mark.text): float(mark.get("y")) - 4
                for mark in self.marks("end")}
        self.columns = Scale(columns)
        self.rows = Scale(rows)
        self.names = [mark.text for mark in self.root.iter(self.SVG + "text")]
        self.lines = {}
        points = None
        for element in self.root:
            if element.tag == self.SVG + "polyline":
                points = [tuple(map(float, point.split(",")))
                          for point in element.get("points").split()]
            elif element.tag == self.SVG + "text" and points:
                self.lines[element.text] = points
                points = None

    def marks(self, anchor):
        return [mark for mark in self.root.iter(self.SVG + "text")
                if mark.get("text-anchor") == anchor]

    def bytes_of(self, label):
        number, _, unit = label.partition(" ")
        return int(number) << self.UNITS[unit]


class Scale:
    """A logarithmic axis by two of its marks."""

    def __init__(self, marks):
        self.marks = marks
        (low, at_low), (high, at_high) = min(marks.items()), max(marks.items())
        self.step = (at_high - at_low) / math.log(high / low)
        self.begin = at_low - self.step * math.log(low)

    def place(self, value):
        return self.begin + self.step * math.log(value)


class Rows(unittest.TestCase):
    """What is true of the rows of any run."""

    def assert_rows(self, report):
        self.assertIs(type(report["device"]), str)
        for row in report["rows"]:
            for key, kind in ROW.items():
                self.assertIsInstance(row[key], kind, (row["path"], key))
            for key in NULLABLE:
                self.assertIsInstance(row[key], (*NUMBER, type(None)))
            # Refused, or an answer.
            if row["limit_gbps"] is not None:
                self.assertEqual(row["ratio_to_limit"] is None,
                                 row["remark"] is not None)
        keys = [(row["path"], row["dtype"], row["bytes"], row["offset"],
                 row["fresh"], row["limit_gbps"] is None)
                for row in report["rows"]]
        self.assertEqual(len(keys), len(set(keys)))

    def assert_chart(self, chart, report):
        """Each line has its points where the axes say."""
        drawn = [row for row in report["rows"]
                 if row["dtype"] == "float" and row["offset"] == 0
                 and not row["fresh"]]
        expected = {
            path: [(row["bytes"], row["gbps"]) for row in drawn
                   if row["path"] == path and row["remark"] is None]
            for path in ("cpu", *PATHS, "fillbuffer")}
        expected["limit"] = [(row["bytes"], row["limit_gbps"])
                             for row in drawn if row["path"] == "cpu"]
        expected = {path: points for path, points in expected.items() if points}
        self.assertEqual(set(chart.lines), set(expected))
        for path, points in expected.items():
            for drawn, (size, rate) in zip(chart.lines[path], points,
                                           strict=True):
                self.assertAlmostEqual(drawn[0], chart.columns.place(size), 0)
                self.assertAlmostEqual(drawn[1], chart.rows.place(rate), 0)


class Quick(Rows):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            svg = pathlib.Path(folder, "chart.svg")
            cls.report = bench("--quick", "--svg", str(svg))
            cls.chart = Chart(svg.read_text())
        cls.rows = cls.report["rows"]

    def test_rows_have_their_keys_and_are_of_their_own(self):
        self.assert_rows(self.report)

    def test_the_cpu_engine_is_measured_at_each_size(self):
        sizes = [row["bytes"] for row in self.rows
                 if row["path"] == "cpu" and row["dtype"] == "float"]
        self.assertEqual(sizes, SIZES[:-1])

    def test_each_width_is_measured_at_the_last_size(self):
        sizes = {row["dtype"]: row["bytes"] for row in self.rows
                 if row["path"] == "cpu" and row["bytes"] > 128 << 20}
        self.assertEqual(sizes, {dtype: filled(dtype, 256 << 20)
                                 for dtype in WIDTHS})

    def test_zeros_in_fresh_memory_have_no_limit(self):
        limits = {row["path"]: row["limit_gbps"] is None for row in self.rows
                  if row["path"].startswith("cpu run")}
        self.assertEqual(limits, {"cpu run": False, "cpu run of zeros": True})

    def test_the_chart_shows_the_rows(self):
        self.assert_chart(self.chart, self.report)

    def test_the_axis_goes_from_16_bytes_to_1_gib(self):
        self.assertEqual((min(self.chart.columns.marks),
                          max(self.chart.columns.marks)), (16, 1 << 30))


class Paths(Rows):
    """All that the full run does at one size, where it takes no time."""
    SIZE = 4099

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            svg = pathlib.Path(folder, "chart.svg")
            cls.report = bench("--size", f"{cls.SIZE},16,256,16", "--svg",
                               str(svg))
            cls.chart = Chart(svg.read_text())

    def test_rows_have_their_keys_and_are_of_their_own(self):
        self.assert_rows(self.report)

    def test_each_path_fills_each_width_at_each_offset(self):
        paths = ["cpu"]
        if DEVICE != "cpu":
            paths += [path + more for path in PATHS for more in ("", " x8")]
        expected = {(path, dtype, offset, filled(dtype, self.SIZE))
                    for path in paths for dtype in WIDTHS for offset in (0, 1)}
        if DEVICE != "cpu":
            # No driver has a pattern of 6 bits.
            expected |= {("fillbuffer", dtype, 0, filled(dtype, self.SIZE))
                         for dtype in set(WIDTHS) - {"float6e2m3"}}
        actual = {(row["path"], row["dtype"], row["offset"], row["bytes"])
                  for row in self.report["rows"] if row["bytes"] > 256}
        self.assertEqual(actual, expected)

    def test_smaller_sizes_are_filled_with_floats(self):
        smaller = [row for row in self.report["rows"] if row["bytes"] <= 256]
        self.assertEqual({row["dtype"] for row in smaller}, {"float"})
        self.assertEqual([row["bytes"] for row in smaller
                          if row["path"] == "cpu"], [16, 256])

    def test_the_chart_shows_the_rows(self):
        self.assert_chart(self.chart, self.report)


def limit_memory():
    """No room for 256 MiB and a copy."""
    resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))


class Memory(Rows):
    def test_sizes_that_do_not_fit_are_left_out_and_named(self):
        if DEVICE != "cpu":
            return  # The drivers' compilers want more themselves.
        report = bench(preexec_fn=limit_memory)
        self.assert_rows(report)
        measured = [row["bytes"] for row in report["rows"]
                    if row["path"] == "cpu" and row["dtype"] == "float"
                    and row["offset"] == 0]
        left_out = [int(note.split()[0]) for note in report["notes"]
                    if " bytes are left out: " in note]
        self.assertIn(1 << 20, measured)
        self.assertLessEqual(set(SIZES[-2:]), set(left_out))
        self.assertEqual(sorted({*measured, *left_out} & set(SIZES)), SIZES)
        self.assertFalse(set(measured) & set(left_out))

    def test_one_size_that_does_not_fit_is_a_failure(self):
        if DEVICE != "cpu":
            return
        done = run("bench", "--size", str(1 << 30), preexec_fn=limit_memory)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^clconst: .*\b107\d{7} bytes")


class Check(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.done = run("check", "--json")

    def setUp(self):
        self.assertEqual(self.done.returncode, 0,
                         self.done.stderr + self.done.stdout)
        self.report = json.loads(self.done.stdout)
        self.cases = self.report["cases"]

    def test_each_path_has_each_dtype_once(self):
        paths = {case["path"] for case in self.cases}
        expected = {(path, dtype) for path in paths for dtype in DTYPES}
        actual = [(case["path"], case["dtype"]) for case in self.cases]
        self.assertIn("run", paths)
        self.assertEqual(len(actual), len(expected))
        self.assertEqual(set(actual), expected)

    def test_totals_count_the_cases(self):
        self.assertEqual(self.report["failed"], 0)
        self.assertEqual(self.report["passed"], len(self.cases))
        for case in self.cases:
            self.assertGreater(case["passed"], 0)
            self.assertEqual(case["failed"], 0)
            self.assertIsNone(case["reason"])

    def test_classes_count_the_same_fills(self):
        for path in {case["path"] for case in self.cases}:
            def count(rows):
                return sum(row["passed"] for row in rows
                           if row["path"] == path)
            self.assertEqual(count(self.report["classes"]), count(self.cases))

    def test_each_path_has_its_speed(self):
        rows = self.report["speed"]
        paths = {case["path"] for case in self.cases} - {"run"}
        sizes = {row["bytes"] for row in rows}
        self.assertEqual([(row["path"], row["bytes"]) for row in rows],
                         [(path, size)
                          for path in dict.fromkeys(r["path"] for r in rows)
                          for size in sorted(sizes)])
        self.assertEqual({row["path"] for row in rows}, paths)
        for row in rows:
            self.assertGreater(row["gbps"], 0)

    def test_devices_have_a_row_of_the_path_table(self):
        if DEVICE == "cpu":
            self.assertNotIn("row", self.report)
            return
        source = (pathlib.Path(__file__).resolve().parents[2]
                  / "host/backend/opencl/tuning.h").read_text()
        members = set(re.findall(r"^    (?:\w+ )+\*?(\w+)(?:\[\w+\])?;",
                                 source, re.M))
        self.assertEqual({*self.report["row"], "platform", "type"}, members)
        self.assertIn(f"CLCONST__ACCESS_{self.report['row']['access']}",
                      source)


if __name__ == "__main__":
    DEVICE = sys.argv.pop()
    PROGRAM = sys.argv.pop()
    unittest.main()
