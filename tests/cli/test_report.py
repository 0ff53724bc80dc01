"""What scripts rely on: the JSON of `devices` and `fill`, the hashes, and the
files, against Python's own hash and a reading of NumPy's format made here from
its specification: FILE PROGRAM."""

import ast
import hashlib
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = None

DEVICE_KEYS = {
    "id": str, "platform": str, "name": str, "type": str, "version": str,
    "global_memory": int, "max_allocation": int, "usable": bool,
}


def run(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True,
                          text=True, timeout=60)


def fill(*words):
    done = run("fill", "--json", "--device", "cpu", *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Devices(unittest.TestCase):
    def setUp(self):
        done = run("devices", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.devices = json.loads(done.stdout)["devices"]

    def test_each_row_has_its_keys(self):
        for device in self.devices:
            for key, kind in DEVICE_KEYS.items():
                self.assertIs(type(device[key]), kind, (device["id"], key))

    def test_reason_is_null_for_usable_devices_only(self):
        for device in self.devices:
            self.assertEqual(device["reason"] is None, device["usable"])

    def test_cpu_is_the_last(self):
        self.assertEqual(self.devices[-1]["id"], "cpu")
        self.assertEqual(self.devices[-1]["type"], "host")
        self.assertTrue(self.devices[-1]["usable"])

    def test_text_has_the_same_rows(self):
        lines = run("devices").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:]],
                         [device["id"] for device in self.devices])


class Fill(unittest.TestCase):
    def test_hash_is_of_the_packed_bytes(self):
        for dtype, value, shape, content in (
                ("uint8", "7", "5", b"\7" * 5),
                ("int16", "-2", "2,3", b"\xfe\xff" * 6),
                ("int4", "-1", "3", b"\xff\x0f"),
                ("uint2", "1", "5", b"\x55\x01"),
                ("float6e2m3", "1", "3", b"\x08\x82\x00"),
                ("complex64", "1,0", "2", struct.pack("<4f", 1, 0, 1, 0)),
                ("double", "0.1", "", struct.pack("<d", 0.1)),
                ("bool", "true", "0", b""),
                ("uint8", "171", "5000000", b"\xab" * 5_000_000)):
            with self.subTest(dtype=dtype, shape=shape):
                report = fill("--dtype", dtype, f"--value={value}",
                              "--shape", shape)
                self.assertEqual(report["engine"], "cpu")
                self.assertEqual(report["outputs"], [{
                    "name": "output",
                    "dtype": dtype,
                    "shape": [int(d) for d in shape.split(",") if d],
                    "bytes": len(content),
                    "sha256": hashlib.sha256(content).hexdigest(),
                }])

    def test_large_numbers_are_exact(self):
        largest = 2 ** 63 - 1
        report = fill("--dtype", "int8", "--shape", f"{largest},0")
        self.assertEqual(report["outputs"][0]["shape"], [largest, 0])

    def test_npy_files_hold_dtype_shape_and_bytes(self):
        for dtype, descr, value, element in (
                ("bool", "|b1", "true", b"\1"),
                ("int8", "|i1", "-3", b"\xfd"),
                ("uint8", "|u1", "3", b"\3"),
                ("int16", "<i2", "-3", struct.pack("<h", -3)),
                ("uint16", "<u2", "3", struct.pack("<H", 3)),
                ("int32", "<i4", "-3", struct.pack("<i", -3)),
                ("uint32", "<u4", "3", struct.pack("<I", 3)),
                ("int64", "<i8", "-3", struct.pack("<q", -3)),
                ("uint64", "<u8", "3", struct.pack("<Q", 3)),
                ("float16", "<f2", "1.5", struct.pack("<e", 1.5)),
                ("float", "<f4", "1.5", struct.pack("<f", 1.5)),
                ("double", "<f8", "1.5", struct.pack("<d", 1.5)),
                ("complex64", "<c8", "1,2", struct.pack("<2f", 1, 2)),
                ("complex128", "<c16", "1,2", struct.pack("<2d", 1, 2))):
            for shape in ((), (3,), (2, 3), (0,), (1,) * 40):
                with self.subTest(dtype=dtype, shape=shape):
                    self.check_npy(dtype, descr, value, element, shape)

    def check_npy(self, dtype, descr, value, element, shape):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "x.npy")
            report = fill("--dtype", dtype, f"--value={value}",
                          "--shape", ",".join(map(str, shape)), "-o", path)
            content = path.read_bytes()
        self.assertEqual(report["outputs"][0]["file"], str(path))
        self.assertEqual(content[:8], b"\x93NUMPY\1\0")
        [size] = struct.unpack("<H", content[8:10])
        self.assertEqual((10 + size) % 64, 0)
        self.assertEqual(content[10 + size - 1:10 + size], b"\n")
        header = ast.literal_eval(content[10:10 + size].decode("ascii"))
        self.assertEqual(header, {"descr": descr, "fortran_order": False,
                                  "shape": shape})
        count = 1
        for dim in shape:
            count *= dim
        self.assertEqual(content[10 + size:], element * count)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
