"""What `load` shows on a terminal, and how Ctrl-C ends it: FILE PROGRAM."""

import fcntl
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import termios
import unittest

import models
import onnxfile

PROGRAM = None

# Eight tensors of 64 MiB in a file without blocks: long enough to be stopped.
COUNT, SIZE = 8, 64 << 20
NEEDED = 2 * COUNT * SIZE


def available_memory():
    text = pathlib.Path("/proc/meminfo").read_text()
    return int(re.search(r"MemAvailable:\s+(\d+) kB", text)[1]) << 10


def set_up(folder):
    (folder / "m.onnx").write_bytes(onnxfile.model(onnxfile.graph(
        initializers=[models.external_tensor(f"t{i}", [SIZE], i * SIZE)
                      for i in range(COUNT)])))
    with open(folder / "data.bin", "wb") as data:
        data.truncate(COUNT * SIZE)


def take_terminal(descriptor):
    """In the child: the terminal's Ctrl-C is for this process."""
    os.setsid()
    fcntl.ioctl(descriptor, termios.TIOCSCTTY, 0)


class Terminal:
    """A run of the program whose standard error is a terminal."""

    def __init__(self, folder, *words):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [PROGRAM, "load", "--device", "cpu", "m.onnx", *words],
            cwd=folder, stdin=slave, stdout=subprocess.PIPE, stderr=slave,
            env={**os.environ, "NO_COLOR": "1"},
            preexec_fn=lambda: take_terminal(slave))
        os.close(slave)
        self.shown = ""

    def read(self):
        """More of what is shown; false at the end."""
        try:
            piece = os.read(self.master, 4096)
        except OSError:
            piece = b""
        self.shown += piece.decode()
        return bool(piece)

    def wait_for(self, text):
        while text not in self.shown:
            assert self.read(), self.shown

    def press_ctrl_c(self):
        os.write(self.master, b"\x03")

    def end(self):
        while self.read():
            pass
        output, _ = self.process.communicate(timeout=60)
        os.close(self.master)
        return self.process.returncode, output.decode()


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        set_up(self.folder)


class Progress(Case):
    def test_a_terminal_shows_it(self):
        run = Terminal(self.folder, "--verify")
        status, output = run.end()
        self.assertEqual(status, 0, run.shown)
        self.assertIn("\rloading 0 B of 537 MB", run.shown)
        self.assertRegex(run.shown, r"\rverifying [\d.]+ MB of 537 MB, "
                                    r"[\d.e+-]+ GB/s, \d+ s left")
        # The line is gone at the end, and there is none in the report.
        self.assertRegex(run.shown, r"\r +\r$")
        self.assertNotIn("loading", output)
        self.assertRegex(output, r"verified +yes")

    def test_nothing_else_does(self):
        done = subprocess.run(
            [PROGRAM, "load", "--device", "cpu", "m.onnx"], cwd=self.folder,
            capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))


class Interrupt(Case):
    def stop(self, at, *words):
        run = Terminal(self.folder, *words)
        run.wait_for(at)
        run.press_ctrl_c()
        status, output = run.end()
        self.assertEqual(status, 130, run.shown)
        self.assertTrue(
            run.shown.endswith("clconst: stopped by an interrupt\r\n"),
            run.shown)
        return output

    def test_while_loading(self):
        self.assertEqual(self.stop("loading"), "")

    def test_in_json(self):
        output = self.stop("loading", "--json")
        self.assertIn('"status": "CANCELLED"', output)

    def test_while_verifying(self):
        self.assertEqual(self.stop("verifying", "--verify"), "")

    def test_while_writing(self):
        self.stop("writing", "-o", "out")
        self.assertFalse((self.folder / "out").exists())

    def test_what_was_there_stays(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "mine").touch()
        self.stop("writing", "-o", "out")
        self.assertEqual([p.name for p in (self.folder / "out").iterdir()],
                         ["mine"])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    if available_memory() < NEEDED:
        print(f"SKIP: {available_memory() >> 20} MiB of memory are available; "
              f"{NEEDED >> 20} are needed")
        sys.exit(77)
    unittest.main()
