"""The program on drivers that are not what they should be, which a layer below
it plays: FILE PROGRAM LAYER [CLASS].."""

import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

from onnxfile import (FLOAT, INT32, INT64, STRING, UINT8, fields, graph, int64s,
                      model, node, tensor, value)

PROGRAM = None
LAYER = None


def run(*words, folder=None, **played):
    """Runs the program with the layer, which plays what is named."""
    settings = {f"CLCONST_LAYER_{name}": str(text)
                for name, text in played.items()}
    return subprocess.run(
        [PROGRAM, *map(str, words)], cwd=folder, capture_output=True,
        text=True, timeout=120,
        env={**os.environ, "OPENCL_LAYERS": LAYER, **settings})


class Check(unittest.TestCase):
    def test_r118_a_driver_that_writes_zeros(self):
        """Fills of patterns that have neither 1 nor 4 bytes are zeros."""
        done = run("check", "--device", "opencl", ZEROES=1)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^clconst: \d+ of \d+ cases failed\n$")
        lines = done.stdout.splitlines()
        [head] = [line for line in lines if re.match("dtype +run ", line)]
        paths = head.split()[1:]
        column = paths.index("driver")
        results = {}
        for line in lines[lines.index(head) + 1:]:
            if not line:
                break
            dtype, *rest = re.split(r"  +", line)
            results[dtype] = rest
        for dtype, bits in (("uint8", 8), ("int4", 4), ("uint16", 16),
                            ("bfloat16", 16), ("double", 64),
                            ("complex64", 64), ("complex128", 128)):
            with self.subTest(dtype):
                right = "ok" if bits <= 8 else r"\d+ of \d+ FAILED"
                self.assertRegex(results[dtype][column], f"^{right}$")
                self.assertEqual(results[dtype][paths.index("kernel")], "ok")
                fault = rf"^driver, {dtype}: .* is 0x00; it must be 0x[0-9a-f]+"
                self.assertEqual(
                    bool(re.search(fault, done.stdout, re.MULTILINE)),
                    bits > 8)


RAW_DATA = 9
LIMIT = 65536
FILLED, COPIED = 30000, 40000


def copied(first):
    return bytes((first + i) % 251 for i in range(COPIED))


def many():
    """A model, and the bytes of its constants by their names."""
    contents = {}
    nodes = []
    initializers = [tensor(INT64, [1], int64s(FILLED), name="bytes"),
                    tensor(INT64, [2], int64s(50, 150), name="words")]
    contents["bytes"] = int64s(FILLED)
    contents["words"] = int64s(50, 150)
    for i in range(4):
        initializers.append(tensor(UINT8, [COPIED], copied(i), name=f"copy{i}"))
        contents[f"copy{i}"] = copied(i)
        nodes.append(node("ConstantOfShape", ["bytes"], [f"fill{i}"],
                          value(tensor(UINT8, [1], bytes([i + 1])))))
        contents[f"fill{i}"] = bytes([i + 1]) * FILLED
        nodes.append(node("ConstantOfShape", ["words"], [f"ints{i}"],
                          value(tensor(INT32, [1], struct.pack("<i", ~i)))))
        contents[f"ints{i}"] = struct.pack("<i", ~i) * 7500
    nodes.append(node("Constant", [], ["small"],
                      value(tensor(FLOAT, [1], b"abcd"))))
    contents["small"] = b"abcd"
    nodes.append(node("Constant", [], ["text"],
                      value(tensor(STRING, [1], strings=["a"]))))
    return model(graph(nodes=nodes, initializers=initializers)), contents


class Load(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        content, self.contents = many()
        (self.folder / "many.onnx").write_bytes(content)

    def load(self, *words, limit=LIMIT, status=0):
        done = run("load", "many.onnx", "--device", "opencl", "--json", *words,
                   folder=self.folder, MAX_ALLOCATION=limit)
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)

    def check_places(self, report):
        """Each tensor lies in one arena, and none in another."""
        taken = {}
        for row in report["table"]:
            self.assertEqual(row["size"], len(self.contents[row["name"]]))
            taken.setdefault(row["arena"], []).append(
                (row["offset"], row["offset"] + row["size"]))
        self.assertEqual(sorted(taken), list(range(len(report["arenas"]))))
        for arena, places in taken.items():
            places.sort()
            for place, following in zip(places, places[1:]):
                self.assertLessEqual(place[1], following[0])
            self.assertLessEqual(places[-1][1], report["arenas"][arena])

    def check_files(self):
        index = json.loads((self.folder / "out" / "index.json").read_text())
        self.assertEqual({entry["name"] for entry in index},
                         {*self.contents, "text"})
        for entry in index:
            if entry["name"] != "text":
                file = (self.folder / "out" / entry["file"]).read_bytes()
                self.assertEqual(dict(fields(file))[RAW_DATA],
                                 self.contents[entry["name"]], entry["name"])

    def test_several_arenas(self):
        report = self.load("--verify", "-o", "out")
        self.assertTrue(report["verified"])
        self.assertEqual(report["tensors"], len(self.contents) + 1)
        self.assertEqual(report["host_tensors"], 1)
        self.assertGreaterEqual(len(report["arenas"]), 6)
        for size in report["arenas"]:
            self.assertLessEqual(size, LIMIT)
        self.assertEqual(report["device_bytes"], sum(report["arenas"]))
        self.assertEqual({row["name"] for row in report["table"]},
                         set(self.contents))
        self.check_places(report)
        self.check_files()

    def test_a_tensor_above_the_limit(self):
        report = self.load(limit=COPIED - 1, status=1)
        self.assertEqual(report["error"]["status"], "TOO_LARGE")
        self.assertRegex(
            report["error"]["message"],
            rf'^constant \d+ "copy0" has {COPIED} bytes; the device\'s largest '
            rf"allocation is {COPIED - 1}$")


if __name__ == "__main__":
    PROGRAM, LAYER = sys.argv[1:3]
    del sys.argv[1:3]
    if '"opencl:' not in run("devices", "--json").stdout:
        print("SKIP: there is no OpenCL device")
        sys.exit(77)
    unittest.main()
