"""What `run` and `load` report and write, against Python's own hash, and
NumPy files of each version as inputs: FILE PROGRAM."""

import base64
import hashlib
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

import models
import onnxfile

PROGRAM = None


def run(folder, *words):
    return subprocess.run([PROGRAM, *map(str, words)], cwd=folder, timeout=60,
                          capture_output=True, text=True)


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        for name, content in models.MODELS.items():
            (self.folder / f"{name}.onnx").write_bytes(content)

    def json(self, *words, status=0):
        done = run(self.folder, words[0], "--json", *words[1:])
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)

    def tensor(self, path):
        """dtype, dims, raw_data, strings and name of a TensorProto file."""
        dims, strings, rest = [], [], {}
        for field, value in onnxfile.fields((self.folder / path).read_bytes()):
            if field == 1:
                dims.append(value)
            elif field == 6:
                strings.append(value)
            else:
                rest[field] = value
        return rest[2], dims, rest.get(9), strings, rest.get(8)


class Outputs(Case):
    def test_hashes_and_strings(self):
        report = self.json("run", "outputs.onnx", "--device", "cpu")
        strings = [b"", b"a", b"\xff\0"]
        packed = b"".join(struct.pack("<Q", len(s)) + s for s in strings)
        self.assertEqual(report["outputs"], [
            {"name": "words", "dtype": "string", "shape": [3], "bytes": 3,
             "sha256": hashlib.sha256(packed).hexdigest(),
             "strings": [base64.b64encode(s).decode() for s in strings]},
            # The last four bits are cleared.
            {"name": "nibbles", "dtype": "int4", "shape": [3], "bytes": 2,
             "sha256": hashlib.sha256(b"\x21\x03").hexdigest()},
            {"name": "empty", "dtype": "uint8", "shape": [0, 4], "bytes": 0,
             "sha256": hashlib.sha256(b"").hexdigest()},
        ])

    def test_files(self):
        self.json("run", "outputs.onnx", "--device", "cpu", "-o", "out")
        self.assertEqual(self.tensor("out/0000.pb"),
                         (onnxfile.STRING, [3], None, [b"", b"a", b"\xff\0"],
                          b"words"))
        self.assertEqual(self.tensor("out/0001.pb"),
                         (onnxfile.INT4, [3], b"\x21\x03", [], b"nibbles"))
        dtype, dims, raw, strings, name = self.tensor("out/0002.pb")
        self.assertEqual((dtype, dims, raw or b"", strings, name),
                         (onnxfile.UINT8, [0, 4], b"", [], b"empty"))


class Load(Case):
    def load(self, *words):
        return self.json("load", "mixed.onnx", "--device", "cpu",
                         "-i", "n=2,3", "-o", "out", *words)

    def listed(self):
        """The list, without the branch that a known condition rules out."""
        listed = self.json("list", "mixed.onnx", "-i", "n=2,3")["constants"]
        taken = [c for c in listed if c["taken"]]
        self.assertEqual(len(taken), len(listed) - 1)
        return taken

    def test_files_and_index_follow_the_list(self):
        listed = self.listed()
        self.load()
        index = json.loads((self.folder / "out" / "index.json").read_text())
        self.assertEqual(
            [(e["number"], e["name"], e["scope"]) for e in index],
            [(c["number"], c["name"], c["scope"]) for c in listed])
        self.assertEqual([e["file"] for e in index],
                         [f"{c['number']:04}.pb" for c in listed])
        for entry, constant in zip(index, listed):
            dtype, dims, _, _, name = self.tensor(f"out/{entry['file']}")
            self.assertEqual(dims, constant["shape"])
            self.assertEqual(name.decode(), constant["name"])
        files = {e["name"]: self.tensor(f"out/{e['file']}")[2:4]
                 for e in index}
        one = struct.pack("<f", 1)
        self.assertEqual(files["weights"], (one * 6, []))
        self.assertEqual(files["dims"], (struct.pack("<2q", 2, 5), []))
        self.assertEqual(files["words"], (None, [b"ab", b"\0c"]))
        self.assertEqual(files["ints"], (struct.pack("<2q", 3, -1), []))
        self.assertEqual(files["zeros"], (b"\0" * 40, []))
        self.assertEqual(files["twos"], (struct.pack("<i", -2) * 10, []))
        self.assertEqual(files["late"], (b"\0" * 24, []))
        self.assertEqual(files["nibbles"], (b"\x21\x03", []))

    def test_sums(self):
        listed = self.listed()
        report = self.load("--verify")
        self.assertEqual(report["tensors"], len(listed))
        self.assertEqual(report["host_tensors"], 1)
        self.assertEqual(report["bytes"], sum(c["bytes"] for c in listed))
        self.assertGreaterEqual(report["device_bytes"], report["bytes"] - 4)
        self.assertTrue(report["verified"])
        self.assertEqual((report["unresolved"], report["notes"]), ([], []))
        self.assertGreater(report["seconds"], 0)
        self.assertGreater(report["gigabytes_per_second"], 0)
        self.assertEqual(report["engine"], "cpu")


class Summary(Case):
    def test_it_sums_the_list(self):
        report = self.json("list", "mixed.onnx", "--sort", "bytes")
        rows = report["constants"]
        for name, key in (("operators", "op_type"), ("dtypes", "dtype"),
                          ("storage", "storage")):
            groups = {}
            for row in sorted(rows, key=lambda row: row["number"]):
                group = groups.setdefault(row[key], [0, 0])
                group[0] += 1
                group[1] += row["bytes"] or 0
            self.assertEqual(
                [(g["name"], [g["constants"], g["bytes"]])
                 for g in report["summary"][name]], list(groups.items()))
        self.assertEqual(report["summary"]["constants"], len(rows))
        self.assertEqual(report["summary"]["unresolved"], 1)
        sizes = [row["bytes"] for row in rows]
        # One is unresolved, and one in a branch that is not taken.
        self.assertEqual(sizes[:-2], sorted(sizes[:-2], reverse=True))
        self.assertEqual(sizes[-2:], [None, None])


class Places(Case):
    """Where `load` says that the tensors lie."""

    def table(self, *words):
        report = self.json("load", "repeated.onnx", "--device", "cpu",
                           "--verify", *words)
        rows = {row["name"]: row for row in report["table"]}
        self.assertEqual([r["number"] for r in report["table"]],
                         list(range(len(rows))))
        sizes = {"zeros": 40, "more_zeros": 40, "twos": 40, "dims": 16,
                 "a": 24, "a_flat": 24, "b": 24}
        self.assertEqual({n: r["size"] for n, r in rows.items()}, sizes)
        self.assertEqual(report["bytes"], sum(sizes.values()))
        self.assertEqual(report["device_bytes"], sum(report["arenas"]))
        for row in rows.values():
            self.assertLessEqual(row["offset"] + row["size"],
                                 report["arenas"][row["arena"]])
        return report, rows

    def groups(self, rows):
        places = {}
        for name, row in rows.items():
            places.setdefault((row["arena"], row["offset"]), set()).add(name)
        return sorted(map(sorted, places.values()))

    def test_each_has_its_own(self):
        report, rows = self.table()
        self.assertEqual(self.groups(rows), sorted([n] for n in rows))
        self.assertGreaterEqual(report["device_bytes"], report["bytes"])

    def test_share(self):
        report, rows = self.table("--share")
        self.assertEqual(self.groups(rows), [
            ["a", "a_flat"], ["b"], ["dims"], ["more_zeros", "zeros"],
            ["twos"]])
        # Five places, of which all but the last end at an alignment.
        self.assertLess(report["device_bytes"], 5 * 64)

    def test_files_of_shared_places(self):
        self.json("load", "repeated.onnx", "--device", "cpu", "--share",
                  "-o", "out")
        one = struct.pack("<f", 1)
        self.assertEqual(self.tensor("out/0001.pb")[1:3], ([2, 3], one * 6))
        self.assertEqual(self.tensor("out/0002.pb")[1:3], ([6], one * 6))


class Failures(Case):
    def test_files_do_not_stay_behind(self):
        """The third of three cannot be written: its name is a folder's."""
        out = self.folder / "out"
        (out / "0002.pb").mkdir(parents=True)
        done = run(self.folder, "load", "repeated.onnx", "--device", "cpu",
                   "-o", "out")
        self.assertEqual(done.returncode, 1)
        self.assertEqual([p.name for p in out.iterdir()], ["0002.pb"])


def npy(header, content, version=1):
    field = "<H" if version == 1 else "<I"
    return (b"\x93NUMPY" + bytes([version, 0]) +
            struct.pack(field, len(header)) + header.encode() + content)


TWO = struct.pack("<2q", 2, 3)
PLAIN = "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }"


class NumpyFiles(Case):
    def bind(self, content):
        (self.folder / "n.npy").write_bytes(content)
        return run(self.folder, "run", "--json", "--device", "cpu",
                   "from_input.onnx", "-i", "n=@n.npy")

    def test_accepted(self):
        for name, content in (
                ("version 1", npy(PLAIN + "   \n", TWO)),
                ("version 2", npy(PLAIN, TWO, version=2)),
                ("version 3", npy(PLAIN, TWO, version=3)),
                ("other order", npy("{'shape': (2,), 'fortran_order': False, "
                                    "'descr': '<i8'}", TWO)),
                ("no spaces", npy("{'descr':'<i8','fortran_order':False,"
                                  "'shape':(2,)}", TWO)),
                ("no comma", npy(PLAIN.replace("(2,)", "(2)"), TWO))):
            with self.subTest(name):
                done = self.bind(content)
                self.assertEqual(done.returncode, 0, done.stderr)
                [output] = json.loads(done.stdout)["outputs"]
                self.assertEqual(output["shape"], [2, 3])

    def test_refused(self):
        for name, content in (
                ("empty", b""),
                ("magic", b"\x93NUMPX" + npy(PLAIN, TWO)[6:]),
                ("version 0", npy(PLAIN, TWO, version=1).replace(
                    b"\1\0", b"\0\0", 1)),
                ("version 4", npy(PLAIN, TWO, version=4)),
                ("header past the end", npy(PLAIN, TWO)[:40]),
                ("one byte too few", npy(PLAIN, TWO[:-1])),
                ("one byte too many", npy(PLAIN, TWO + b"\0")),
                ("big-endian", npy(PLAIN.replace("<i8", ">i8"), TWO)),
                ("native", npy(PLAIN.replace("<i8", "=i8"), TWO)),
                ("object", npy(PLAIN.replace("<i8", "|O"), TWO)),
                ("longer descr", npy(PLAIN.replace("<i8", "<i88"), TWO)),
                ("records", npy(PLAIN.replace("'<i8'", "[('a', '<i8')]"),
                                TWO)),
                ("columns first", npy(PLAIN.replace("False", "True"), TWO)),
                ("negative dim", npy(PLAIN.replace("(2,)", "(-2,)"), TWO)),
                ("dim of 20 digits",
                 npy(PLAIN.replace("(2,)", "(99999999999999999999,)"), TWO)),
                ("no dim between commas",
                 npy(PLAIN.replace("(2,)", "(2,,)"), TWO)),
                ("list of dims", npy(PLAIN.replace("(2,)", "[2]"), TWO)),
                ("key twice", npy(PLAIN.replace(
                    "'shape'", "'descr': '<i8', 'shape'"), TWO)),
                ("key missing", npy("{'descr': '<i8', 'shape': (2,), }",
                                    TWO)),
                ("other key", npy(PLAIN.replace(
                    "'shape'", "'x': 1, 'shape'"), TWO)),
                ("no brace", npy(PLAIN[:-1], TWO)),
                ("no dict", npy("(2,)", TWO))):
            with self.subTest(name):
                done = self.bind(content)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertIn(
                    json.loads(done.stdout)["error"]["status"],
                    ("MALFORMED", "UNSUPPORTED", "INVALID_ARGUMENT"))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
