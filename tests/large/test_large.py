"""Loads a model of 3 GiB and 10,000 constants, and checks what it takes of
memory: FILE LOADER DEVICE. The rate is for tests/bench/large.py, since nothing
timed is a test."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import large_model

LOADER = DEVICE = None

# The arenas, the same again as the file in the page cache, and some room.
MEMORY_NEEDED = 2 * large_model.TOTAL_SIZE + (1 << 30)
DISK_NEEDED = 256 << 20
LIMIT = 64 << 20
FILE_LIMIT = 128 << 20


def shortage(folder):
    """Why there can be no test, or None."""
    text = pathlib.Path("/proc/meminfo").read_text()
    memory = int(re.search(r"MemAvailable:\s+(\d+) kB", text)[1]) << 10
    disk = shutil.disk_usage(folder).free
    for what, there, needed in (("memory", memory, MEMORY_NEEDED),
                                ("disk", disk, DISK_NEEDED)):
        if there < needed:
            return (f"{there >> 20} MiB of {what} are available; "
                    f"{needed >> 20} are needed")
    return None


def load(loader, device, folder):
    """What the loader tells, or None where there is no such device."""
    done = subprocess.run(
        [loader, device, folder / "large.onnx", folder / "data.bin"],
        capture_output=True, text=True, timeout=800)
    if done.returncode == 77:
        return None
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class Large(unittest.TestCase):
    def test_memory(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            large_model.write(folder)
            told = load(LOADER, DEVICE, folder)
        if told is None:
            self.skipTest(f"there is no device {DEVICE}")
        self.assertEqual(told["constants"], large_model.CONSTANT_COUNT)
        self.assertGreater(told["arena_bytes"], large_model.TOTAL_SIZE)
        more = (told["peak_bytes"] - told["arena_bytes"] -
                told["prepared_bytes"])
        print(f"{more / (1 << 20):.1f} MiB beside the arenas")
        self.assertLess(more, LIMIT)
        # Pages of the file are given back behind the copies.
        self.assertLess(told["file_bytes"], FILE_LIMIT)


if __name__ == "__main__":
    LOADER, DEVICE = sys.argv[1:3]
    del sys.argv[1:3]
    reason = shortage(tempfile.gettempdir())
    if reason is not None:
        print(f"SKIP: {reason}")
        sys.exit(77)
    unittest.main()
