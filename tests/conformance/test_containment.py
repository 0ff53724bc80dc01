"""What the program opens, as strace sees it: nothing outside of the model's
folder, whatever a model's locations say.

A run is compared with one of a model without external data, whose files are
the system's own.
"""

import os
import pathlib
import re
import shutil
import socket
import stat
import subprocess
import tempfile
import unittest

import models
import support
from test_external import DATA, external

# A call that opened a file or a folder; strace -y shows what that is, after
# all links.
OPENED = re.compile(r"^\d+ +(?:open|openat|openat2|creat|open_by_handle_at)\("
                    r".*= \d+<(.*)>$", re.MULTILINE)
# Any call that takes a path, as strace's own class has it.
CALLS = "trace=%file"


class Traced(unittest.TestCase):
    def setUp(self):
        if shutil.which("strace") is None:
            raise unittest.SkipTest("strace is not installed")
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.outer = pathlib.Path(holder.name).resolve()
        self.folder = self.outer / "models"
        (self.folder / "sub").mkdir(parents=True)
        (self.outer / "secret").write_bytes(DATA)
        (self.outer / "secrets").mkdir()
        (self.outer / "secrets" / "x").write_bytes(DATA)
        for name in ("data.bin", "sub/x"):
            (self.folder / name).write_bytes(DATA)
        (self.folder / "link").symlink_to("../secret")
        (self.folder / "absolute").symlink_to(self.outer / "secret")
        (self.folder / "up").symlink_to("..")
        (self.folder / "proc").symlink_to("/proc/self/cwd")
        os.link(self.outer / "secret", self.folder / "hard")
        os.mkfifo(self.folder / "fifo")
        server = socket.socket(socket.AF_UNIX)
        self.addCleanup(server.close)
        server.bind(str(self.folder / "socket"))
        self.has_device = os.geteuid() == 0
        if self.has_device:
            # /dev/zero by another name; Linux, devices.txt.
            os.mknod(self.folder / "device", stat.S_IFCHR | 0o600,
                     os.makedev(1, 5))

    def trace(self, location, *options):
        """(the files that were opened, why the constant is refused)"""
        path = self.folder / "model.onnx"
        tensor = (models.tensor(2, [8], DATA[:8]) if location is None else
                  external({"location": location, "length": "8"}))
        path.write_bytes(models.model(models.graph(
            [models.constant("y", tensor)])))
        log = self.outer / "log"
        command = ["strace", "-f", "-qq", "-y", "-s", "4096", "-e", CALLS,
                   "-o", str(log), support.arguments.clconst, "list",
                   "--json", *options, str(path)]
        done = subprocess.run(command, capture_output=True, timeout=100,
                              env=support.environment())
        text = log.read_text(errors="surrogateescape")
        if "ptrace" in done.stderr.decode() and "openat" not in text:
            raise unittest.SkipTest(done.stderr.decode().strip())
        self.assertIn(str(path), text)
        reason = re.search(rb'"reason": *"((?:[^"\\]|\\.)*)"', done.stdout)
        return (set(OPENED.findall(text)),
                reason.group(1).decode() if reason else None)

    def own(self, location, *options):
        """What is opened beyond the system's files, and the reason."""
        system, _ = self.trace(None)
        opened, reason = self.trace(location, *options)
        return {pathlib.Path(p) for p in opened - system}, reason


class Containment(Traced):
    def test_a_file_in_the_folder_is_opened(self):
        """Also shows that the trace sees what is opened."""
        for location, file in (("data.bin", "data.bin"), ("sub/x", "sub/x")):
            opened, reason = self.own(location)
            self.assertEqual(opened, {self.folder, self.folder / file})
            self.assertIsNone(reason)

    def test_what_follow_links_opens_is_seen(self):
        opened, reason = self.own("link", "--follow-links")
        self.assertEqual(opened, {self.folder, self.outer / "secret"})
        self.assertIsNone(reason)

    def test_r90_r91_nothing_outside_is_opened(self):
        locations = [
            "../secret", "sub/../../secret", "..", "/etc/hosts",
            str(self.outer / "secret"), "C:\\x", "C:secret", "\\\\srv\\s",
            b"data.bin\0/../secret", b"../secret\0", "", "link", "absolute",
            "up/secret", "up/secrets/x", "up", "proc/environ", "hard",
            "fifo", "socket", "sub", ".", "sub/", "data.bin/x", "missing",
            "./up/./secret", "x" * 5000, "sub/" * 2000 + "x"]
        if self.has_device:
            locations.append("device")
        else:
            print("\nSKIP: a device file needs root", flush=True)
        for location in locations:
            with self.subTest(location=location):
                opened, reason = self.own(location)
                self.assertIsNotNone(reason)
                for path in opened:
                    self.assertTrue(path.is_relative_to(self.folder), path)

    def test_r91_special_files_are_refused_with_links_too(self):
        for location in ["fifo", "socket"] + (
                ["device"] if self.has_device else []):
            with self.subTest(location=location):
                _, reason = self.own(location, "--follow-links")
                self.assertRegex(reason, "regular file|cannot be opened")


if __name__ == "__main__":
    support.main()
