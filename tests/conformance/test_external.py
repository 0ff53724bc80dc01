"""External data: files beside a model, the decisions about them (the table is
in test_decisions.py), and the reported cases.
"""

import gc
import os
import pathlib
import signal
import struct
import tempfile
import unittest

import binding
import generator
import models
import support
import wire
from binding import DEFAULT, LENIENT, STRICT, Dense
from verdicts import MODES
from wire import BYTES, VARINT

FLOAT, UINT8, INT64, STRING, BOOL, UINT4 = 1, 2, 7, 8, 9, 21

DATA = bytes(range(64))


def entry(key, value):
    if isinstance(value, str):
        value = value.encode()
    return wire.field(1, BYTES, key.encode()) + wire.field(2, BYTES, value)


def external(entries, dtype=UINT8, dims=(8,), name="", more=b""):
    """A TensorProto whose data are elsewhere."""
    pairs = entries.items() if isinstance(entries, dict) else entries
    return (b"".join(wire.field(1, VARINT, d) for d in dims) +
            wire.field(2, VARINT, dtype) +
            (wire.field(8, BYTES, name.encode()) if name else b"") +
            b"".join(wire.field(13, BYTES, entry(k, v)) for k, v in pairs) +
            wire.field(14, VARINT, 1) + more)


class ExternalTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.outer = pathlib.Path(holder.name)
        self.folder = self.outer / "models"
        self.folder.mkdir()
        (self.folder / "data.bin").write_bytes(DATA)
        (self.outer / "secret").write_bytes(DATA)

    def open(self, tensor, mode=DEFAULT, path=None, **options):
        """The Dense of `y`, or why there is none."""
        data = models.model(models.graph([models.constant("y", tensor)]))
        path = path or self.folder / "model.onnx"
        path.write_bytes(data)
        return self.read(path, mode, **options)

    def read(self, path, mode=DEFAULT, **options):
        try:
            found, _ = models.find(
                support.library().open(path, mode, **options))
            resolved = found["", "y"].resolved
            if resolved.plan is None:
                return resolved.reason
            return support.run(resolved.plan)
        except binding.Error as error:
            return f"{error.status}: {error.message}"

    def assert_read(self, tensor, data, dtype=UINT8, dims=(8,)):
        for mode in MODES:
            self.assertEqual(self.open(tensor, mode),
                             Dense(dtype, dims, data))

    def assert_refused(self, tensor, message=""):
        for mode in MODES:
            found = self.open(tensor, mode)
            self.assertIsInstance(found, str)
            self.assertRegex(found, message or ".")

    def refuse_locations(self, rules):
        for location, rule in rules.items():
            with self.subTest(location=location):
                self.assert_refused(external({"location": location,
                                              "length": "8"}), rule)


class Paths(ExternalTest):
    def test_8_25_locations_stay_in_the_folder(self):
        (self.folder / "q").mkdir()
        self.refuse_locations({
            "../secret": "component \\.\\.", "a/../../secret": "\\.\\.",
            "q/../data.bin": "component \\.\\.", "q/..": "component",
            "..": "component", ".": "regular file", "": "empty",
            "/etc/hosts": "absolute",
            str(self.folder / "data.bin"): "absolute",
            "q\\data.bin": "backslash", "\\\\server\\share": "backslash",
            "C:\\x": "backslash", "C:x": "drive letter",
            b"data.bin\0": "NUL", b"data.bin\0x": "NUL"})

    def test_8_25_other_names_are_taken(self):
        (self.folder / "a..b").write_bytes(DATA)
        (self.folder / "sub").mkdir()
        (self.folder / "sub" / "..x").write_bytes(DATA)
        for location in ("./data.bin", "a..b", "sub/..x", "./sub/./..x"):
            with self.subTest(location=location):
                self.assert_read(external({"location": location,
                                           "length": "8"}), DATA[:8])

    def test_8_25_the_base_is_the_folder_of_the_path_as_given(self):
        """Also when the model itself is a link."""
        tensor = external({"location": "data.bin"}, dims=(64,))
        self.open(tensor, path=self.outer / "real.onnx")
        link = self.folder / "link.onnx"
        link.symlink_to(self.outer / "real.onnx")
        self.assertEqual(self.read(link), Dense(UINT8, (64,), DATA))
        self.assertIsInstance(self.read(self.outer / "real.onnx"), str)

    def test_8_25_a_path_without_a_folder(self):
        tensor = external({"location": "data.bin"}, dims=(64,))
        self.open(tensor)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        self.assertEqual(self.read(pathlib.Path("model.onnx")),
                         Dense(UINT8, (64,), DATA))

    def test_r90_paths_out_of_the_folder(self):
        self.refuse_locations({
            "../x": "component", "a/../../x": "component",
            "/etc/hosts": "absolute", "C:\\x": "backslash",
            "\\\\srv\\s": "backslash", b"a\0b": "NUL", "": "empty"})

    def test_r91_links_and_special_files(self):
        (self.folder / "link").symlink_to(self.outer / "secret")
        (self.folder / "inner").symlink_to("data.bin")
        (self.folder / "up").symlink_to("..")
        os.link(self.folder / "data.bin", self.folder / "hard")
        os.mkfifo(self.folder / "fifo")
        (self.folder / "folder").mkdir()
        self.refuse_locations({
            "link": "symbolic link", "inner": "symbolic link",
            "up/secret": "symbolic link", "hard": "2 names",
            "data.bin": "2 names", "fifo": "regular file",
            "folder": "regular file", "missing": "cannot be opened",
            "data.bin/x": "cannot be opened"})
        os.unlink(self.folder / "hard")
        self.assert_read(external({"location": "data.bin",
                                   "length": "8"}), DATA[:8])

    def test_r92_a_file_that_is_swapped_meanwhile(self):
        """Another process puts a file and a link out in turns in the same
        place; what is read is the file, or nothing."""
        outside = bytes(64)
        (self.outer / "outside").write_bytes(outside)
        path = self.folder / "swapped" / "data.bin"
        path.parent.mkdir()
        path.write_bytes(DATA)
        child = os.fork()
        if child == 0:
            spare = self.folder / "spare"
            while True:
                spare.symlink_to(self.outer / "outside")
                spare.replace(path)
                spare.write_bytes(DATA)
                spare.replace(path)
        try:
            self.open(external({"location": "swapped/data.bin"}, dims=(64,)))
            found = [self.read(self.folder / "model.onnx")
                     for _ in range(2000)]
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        read = [f for f in found if not isinstance(f, str)]
        for dense in read:
            # The writer makes the file before it puts it in its place.
            self.assertEqual(dense.data, DATA)
        # Both happened, so that there was a race to win.
        self.assertTrue(0 < len(read) < len(found), len(read))

    def test_r93_a_folder_that_is_a_link(self):
        tensor = external({"location": "data.bin"}, dims=(64,))
        self.open(tensor)
        link = self.outer / "cache"
        link.symlink_to(self.folder)
        self.assertEqual(self.read(link / "model.onnx"),
                         Dense(UINT8, (64,), DATA))


class Ranges(ExternalTest):
    def test_8_26_exactly_the_bytes_of_dims_and_dtype(self):
        for entries, data in (
                ({"location": "data.bin"}, DATA[:8]),
                ({"location": "data.bin", "offset": "5"}, DATA[5:13]),
                ({"location": "data.bin", "offset": "56", "length": "8"},
                 DATA[56:])):
            self.assert_read(external(entries), data)
        for length in ("7", "9", "0", "64"):
            self.assert_refused(external({"location": "data.bin",
                                          "length": length}), "length")

    def test_8_39_a_fill_reads_its_value(self):
        value = external({"location": "data.bin", "offset": "3"}, dims=(1,))
        data = models.model(models.graph(
            [models.fill("s", "y", value)], [models.int64s([5], "s")]))
        path = self.folder / "fill.onnx"
        path.write_bytes(data)
        self.assertEqual(self.read(path), Dense(UINT8, (5,), b"\3" * 5))

    def test_r64_values_of_constants_and_initializers(self):
        tensor = external({"location": "data.bin", "offset": "8"}, dims=(8,),
                          name="y")
        self.assert_read(tensor, DATA[8:16])
        path = self.folder / "initializer.onnx"
        path.write_bytes(models.model(models.graph([], [tensor])))
        self.assertEqual(self.read(path), Dense(UINT8, (8,), DATA[8:16]))

    def test_elements_below_a_byte(self):
        self.assert_read(external({"location": "data.bin", "offset": "33"},
                                  UINT4, (3,)), b"\x21\x02", UINT4, (3,))

    def test_bytes_of_bool_are_judged(self):
        tensor = external({"location": "data.bin"}, BOOL, (3,))
        for mode in (DEFAULT, STRICT):
            self.assertRegex(self.open(tensor, mode), "2 is 2")
        self.assertEqual(self.open(tensor, LENIENT),
                         Dense(BOOL, (3,), b"\0\1\1"))

    def test_a_shape_is_read(self):
        (self.folder / "shape.bin").write_bytes(struct.pack("<2q", 2, 3))
        shape = external({"location": "shape.bin"}, INT64, (2,), "s")
        path = self.folder / "fill.onnx"
        path.write_bytes(models.model(models.graph(
            [models.fill("s", "y")], [shape])))
        self.assertEqual(self.read(path), Dense(FLOAT, (2, 3), bytes(24)))

    def test_both_tensors_of_a_sparse_one_are_read(self):
        (self.folder / "indices.bin").write_bytes(struct.pack("<2q", 1, 3))
        sparse = (
            wire.field(1, BYTES, external(
                {"location": "data.bin", "offset": "9"}, dims=(2,))) +
            wire.field(2, BYTES, external(
                {"location": "indices.bin"}, INT64, (2,))) +
            wire.field(3, VARINT, 4))
        path = self.folder / "sparse.onnx"
        path.write_bytes(models.model(models.graph([generator.node(
            "Constant", [], ["y"], [
                models.attribute("sparse_value", sparse)])])))
        self.assertEqual(self.read(path), Dense(UINT8, (4,), b"\0\x09\0\x0a"))

    def test_empty_tensors_have_a_location_all_the_same(self):
        self.assert_read(external({"location": "data.bin"}, dims=(0,)), b"",
                         dims=(0,))
        for location in ("../secret", "/etc/hosts"):
            self.assert_refused(external({"location": location}, dims=(0,)))

    def test_a_short_file_is_never_zeros(self):
        self.assert_refused(external({"location": "data.bin"}, dims=(65,)))
        self.assert_refused(external({"location": "data.bin",
                                      "offset": "57"}))

    def test_r95_numbers_are_decimal_and_of_64_bits(self):
        for number in ("4294967296", "-1", "1e3", "", " 8", "8 ", "+8", "0x8",
                       "8\0", "9" * 30, "18446744073709551616", "8_0"):
            for key in ("offset", "length"):
                with self.subTest(key=key, number=number):
                    self.assert_refused(external({
                        "location": "data.bin", key: number}), key)

    def test_r96_huge_offsets(self):
        for offset in (2**62, 2**63 - 1, 2**63, 65, 64):
            self.assert_refused(external({"location": "data.bin",
                                          "offset": str(offset)}))

    def test_r102_offsets_near_the_largest_number(self):
        for offset in (2**63 - 8, 2**64 - 8, 2**64 - 1):
            self.assert_refused(external({
                "location": "data.bin", "offset": str(offset),
                "length": "8"}))


class Links(ExternalTest):
    """follow_links lifts the rules about links, and no other."""

    def test_r93_links_are_followed_when_asked(self):
        blobs = self.outer / "blobs"
        blobs.mkdir()
        (blobs / "abc").write_bytes(DATA)
        os.link(blobs / "abc", blobs / "twin")
        (self.folder / "link").symlink_to("../blobs/abc")
        (self.folder / "absolute").symlink_to(blobs / "abc")
        (self.folder / "sub").symlink_to(blobs)
        os.link(blobs / "abc", self.folder / "hard")
        for location in ("link", "absolute", "sub/abc", "hard", "data.bin"):
            tensor = external({"location": location, "length": "8"})
            with self.subTest(location):
                self.assertEqual(self.open(tensor, follow_links=1),
                                 Dense(UINT8, (8,), DATA[:8]))
                if location != "data.bin":
                    self.assertIsInstance(self.open(tensor), str)

    def test_r93_other_rules_stay(self):
        os.mkfifo(self.folder / "fifo")
        (self.folder / "to_fifo").symlink_to("fifo")
        (self.folder / "to_folder").symlink_to("..")
        (self.folder / "loop").symlink_to("loop")
        (self.folder / "nowhere").symlink_to("missing")
        for location in ("../secret", "/etc/hosts", "fifo", "to_fifo",
                         "to_folder", "loop", "nowhere", "a\\b", ""):
            with self.subTest(location):
                self.assertIsInstance(self.open(external(
                    {"location": location, "length": "8"}), follow_links=1),
                    str)


class Readers(ExternalTest):
    """Storage of the caller's own."""

    def parse(self, tensor, reader):
        data = models.model(models.graph([models.constant("y", tensor)]))
        opened = support.library().parse(data, reader=reader.struct)
        found, _ = models.find(opened)
        resolved = found["", "y"].resolved
        return resolved.reason or support.run(resolved.plan)

    def test_a_reader_serves_what_is_asked(self):
        reader = binding.Reader({"a/b": DATA})
        made = self.parse(external({"location": "a/b", "offset": "4"}),
                          reader)
        self.assertEqual(made, Dense(UINT8, (8,), DATA[4:12]))
        self.assertEqual(reader.asked, [("a/b", 4, 8)])

    def test_all_is_given_back(self):
        reader = binding.Reader({"x": DATA})
        self.parse(external({"location": "x"}), reader)
        gc.collect()
        self.assertEqual(reader.mapped, {})

    def test_a_failure_is_told(self):
        reader = binding.Reader({"x": DATA})
        for entries in ({"location": "y"}, {"location": "x", "offset": "60"}):
            self.assertIsInstance(self.parse(external(entries), reader), str)

    def test_a_reader_never_sees_a_bad_location(self):
        reader = binding.Reader({"../x": DATA, "/x": DATA, "": DATA})
        for location in ("../x", "/x", "", "a/../../x"):
            self.assertIsInstance(self.parse(external(
                {"location": location}), reader), str)
        self.assertEqual(reader.asked, [])

    def test_a_reader_serves_single_nodes(self):
        reader = binding.Reader({"x": DATA})
        node = models.constant("y", external({"location": "x"}))
        op = support.library().decode(node, 21, reader=reader.struct)
        self.assertEqual(support.run(op.plan()).data, DATA[:8])
        with self.assertRaises(binding.Error) as caught:
            support.library().decode(node, 21)
        self.assertEqual(caught.exception.status, "UNSUPPORTED")


class Entries(ExternalTest):
    def test_8_27_a_checksum_is_ignored_with_a_note(self):
        tensor = external({"location": "data.bin", "checksum": "0" * 40})
        self.assert_read(tensor, DATA[:8])
        path = self.folder / "model.onnx"
        notes = support.library().open(path).notes
        self.assertEqual(len(notes), 1)
        self.assertRegex(notes[0][1], "checksum")

    def test_8_28_unknown_keys_are_ignored_and_none_comes_twice(self):
        self.assert_read(external({"location": "data.bin", "basepath": "/x",
                                   "foo": "bar", "Offset": "9"}), DATA[:8])
        for key, value in (("location", "data.bin"), ("offset", "0"),
                           ("length", "8")):
            self.assert_refused(external(
                [("location", "data.bin"), ("offset", "0"), ("length", "8"),
                 (key, value)]), key)

    def test_8_29_inline_data_beside_external_data(self):
        self.assert_refused(external(
            {"location": "data.bin"},
            more=wire.field(9, BYTES, DATA[:8])), "raw_data")

    def test_a_location_is_required(self):
        for entries in ({}, {"offset": "0"}):
            self.assert_refused(external(entries), "location")

    def test_strings_are_never_external(self):
        self.assert_refused(external({"location": "data.bin"}, STRING))

    def test_entries_without_the_mark_are_ignored(self):
        inline = models.tensor(UINT8, [2], b"ab") + wire.field(
            13, BYTES, entry("location", "/etc/passwd"))
        self.assert_read(inline, b"ab", dims=(2,))

    def test_bytes_have_no_folder(self):
        """A model from bytes has no place whose files it could name."""
        data = models.model(models.graph([models.constant(
            "y", external({"location": "data.bin"}))]))
        found, _ = models.read(data)
        self.assertNotEqual(found["", "y"].resolved.state, "resolved")

    def test_sparse_tensors_obey_the_same_rules(self):
        """A reader that checked only dense tensors let these through
        (ONNX Runtime pull request 28408)."""
        for values, indices in (
                (external({"location": "../secret"}), models.int64s(
                    list(range(8)))),
                (models.tensor(UINT8, [8], DATA[:8]),
                 external({"location": "../secret"}, INT64))):
            sparse = (wire.field(1, BYTES, values) +
                      wire.field(2, BYTES, indices) +
                      wire.field(3, VARINT, 100))
            node = generator.node("Constant", [], ["y"], [
                models.attribute("sparse_value", sparse)])
            path = self.folder / "sparse.onnx"
            path.write_bytes(models.model(models.graph([node])))
            self.assertIsInstance(self.read(path), str)


if __name__ == "__main__":
    support.main()
