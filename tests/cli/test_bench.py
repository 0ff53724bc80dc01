"""The form of what `bench` and `check` report: FILE PROGRAM DEVICE. No number
that was measured is compared with anything."""

import json
import pathlib
import re
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


def run(*words):
    return subprocess.run([PROGRAM, *words, "--device", DEVICE],
                          capture_output=True, text=True, timeout=280)


class Bench(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.svg_path = pathlib.Path(folder, "chart.svg")
            cls.done = run("bench", "--quick", "--json", "--svg",
                           str(cls.svg_path))
            cls.svg = (cls.svg_path.read_text()
                       if cls.svg_path.exists() else None)

    def setUp(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.report = json.loads(self.done.stdout)
        self.rows = self.report["rows"]

    def test_each_row_has_its_keys(self):
        self.assertIs(type(self.report["device"]), str)
        for row in self.rows:
            for key, kind in ROW.items():
                self.assertIsInstance(row[key], kind, (row["path"], key))
            for key in NULLABLE:
                self.assertIsInstance(row[key], (*NUMBER, type(None)))

    def test_each_row_is_of_its_own(self):
        keys = [(row["path"], row["dtype"], row["bytes"], row["offset"],
                 row["fresh"], row["limit_gbps"] is None) for row in self.rows]
        self.assertEqual(len(keys), len(set(keys)))

    def test_the_cpu_engine_is_measured_at_each_size(self):
        sizes = {row["bytes"] for row in self.rows
                 if row["path"] == "cpu" and row["dtype"] == "float"}
        self.assertEqual(sizes, {64, 4 << 10, 64 << 10, 1 << 20, 16 << 20,
                                 256 << 20})

    def test_each_width_is_measured_at_the_last_size(self):
        # Four elements of 6 bits take 3 bytes.
        dtypes = {row["dtype"] for row in self.rows
                  if row["path"] == "cpu" and row["bytes"] > (256 << 20) - 3}
        self.assertEqual(dtypes, {"float", "uint2", "uint4", "float6e2m3",
                                  "uint8", "float16", "double", "complex128"})

    def test_zeros_in_fresh_memory_have_no_limit(self):
        limits = [row["limit_gbps"] is None for row in self.rows
                  if row["path"] == "cpu run"]
        self.assertEqual(sorted(limits), [False, True])

    def test_the_chart_has_a_line_for_the_limit_and_the_engine(self):
        names = {text.text for text in xml.etree.ElementTree.fromstring(
            self.svg).iter("{http://www.w3.org/2000/svg}text")}
        self.assertLessEqual({"limit", "cpu"}, names)


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
