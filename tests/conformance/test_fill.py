"""`clconst fill` against packing done bit by bit here: every dtype, odd
counts, rank 0 and empty shapes. The widths are those of onnx.proto."""

import hashlib
import math
import pathlib
import tempfile
import unittest

import support

WIDTHS = {
    "float": 32, "uint8": 8, "int8": 8, "uint16": 16, "int16": 16,
    "int32": 32, "int64": 64, "bool": 8, "float16": 16, "double": 64,
    "uint32": 32, "uint64": 64, "complex64": 64, "complex128": 128,
    "bfloat16": 16, "float8e4m3fn": 8, "float8e4m3fnuz": 8,
    "float8e5m2": 8, "float8e5m2fnuz": 8, "uint4": 4, "int4": 4,
    "float4e2m1": 4, "float8e8m0": 8, "uint2": 2, "int2": 2,
    "float6e2m3": 6, "float6e3m2": 6,
}

SHAPES = ([], [0], [1], [2], [3], [5], [0, 7], [7, 0], [7, 3], [1, 1, 1],
          [17], [1023], [5, 41, 11], [70_001])


def packed(code, width, count):
    """count elements of width bits, first element in the lowest bits."""
    whole = math.lcm(width, 8) // width
    group = sum(code << (width * i) for i in range(whole))
    size = whole * width // 8
    repeated = group.to_bytes(size, "little") * (count // whole)
    rest = count % whole
    tail = sum(code << (width * i) for i in range(rest))
    return repeated + tail.to_bytes((rest * width + 7) // 8, "little")


def code_of(dtype, width):
    if dtype == "bool":
        return 1
    # Bits without a period that would hide a shift.
    return 0xE1D2C3B4A5968778695A4B3C2D1E0F91 & ((1 << width) - 1)


def value_of(dtype, code, width):
    if dtype == "bool":
        return "true"
    digits = (width + 3) // 4
    return f"0x{code:0{digits}x}"


class Fill(unittest.TestCase):
    def fill(self, *words):
        return support.clconst(
            "fill", "--device", support.arguments.device, *words)

    def test_each_dtype_has_its_packed_bytes(self):
        for dtype, width in WIDTHS.items():
            code = code_of(dtype, width)
            for shape in SHAPES:
                with self.subTest(dtype=dtype, shape=shape):
                    words = ["--dtype", dtype,
                             f"--value={value_of(dtype, code, width)}",
                             f"--shape={','.join(map(str, shape))}"]
                    [output] = self.fill(*words)["outputs"]
                    expected = packed(code, width, math.prod(shape))
                    self.assertEqual(output["dtype"], dtype)
                    self.assertEqual(output["shape"], shape)
                    self.assertEqual(output["bytes"], len(expected))
                    self.assertEqual(output["sha256"],
                                     hashlib.sha256(expected).hexdigest())

    def test_files_hold_the_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "six.bin")
            self.fill("--dtype", "float6e3m2", "--value", "-28",
                      "--shape", "7", "-o", path)
            # -28 is sign 1, exponent 7, mantissa 3: all six bits set.
            self.assertEqual(path.read_bytes(), packed(0x3F, 6, 7))


if __name__ == "__main__":
    support.main()
