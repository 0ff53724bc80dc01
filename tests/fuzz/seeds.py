"""Writes the seed corpora anew: corpus/TARGET/NAME, beside this file. It needs
the environment of the conformance tests, whose writers it uses:

    PYTHONPATH=tests/conformance VENV/bin/python tests/fuzz/seeds.py

The bytes in front of each message steer the target; fuzz_TARGET.c says how.
"""

import pathlib
import random
import struct

import generator
import models
import wire
from wire import BYTES, VARINT

FLOAT, UINT8, INT32, INT64, STRING, BOOL, FLOAT16 = 1, 2, 6, 7, 8, 9, 10
UINT4, FLOAT6E2M3 = 21, 27

CORPUS = pathlib.Path(__file__).parent / "corpus"


def external(location, **entries):
    """A TensorProto of eight bytes elsewhere. The targets' reader has the
    locations of an even size."""
    pairs = {"location": location, **entries}
    return (wire.field(1, VARINT, 8) + wire.field(2, VARINT, UINT8) +
            b"".join(wire.field(13, BYTES,
                                wire.field(1, BYTES, key.encode()) +
                                wire.field(2, BYTES, value.encode()))
                     for key, value in pairs.items()) +
            wire.field(14, VARINT, 1) + wire.field(8, BYTES, b"t"))


def sparse(values, indices, dims):
    return (wire.field(1, BYTES, values) + wire.field(2, BYTES, indices) +
            b"".join(wire.field(3, VARINT, d) for d in dims))


def typed(dtype, dims, number, payload):
    return (b"".join(wire.field(1, VARINT, d) for d in dims) +
            wire.field(2, VARINT, dtype) + wire.field(number, BYTES, payload))


TENSORS = {
    "raw_float": models.tensor(FLOAT, [2], struct.pack("<2f", 1, -2), "t"),
    "raw_bool": models.tensor(BOOL, [3], b"\0\1\1"),
    "raw_uint4": models.tensor(UINT4, [3], b"\x21\x03"),
    "raw_float6": models.tensor(FLOAT6E2M3, [5], b"\x41\x20\x0c\x05"),
    "strings": models.tensor(STRING, [3], [b"", b"ab", b"\xff\0"]),
    "scalar": models.tensor(INT64, [], bytes(8)),
    "empty": models.tensor(FLOAT, [0, 1 << 40], b""),
    "packed_int32": typed(INT32, [3], 5, b"".join(
        wire.varint(v) for v in (1, -2, 300))),
    "packed_half": typed(FLOAT16, [2], 5, wire.varint(15360) * 2),
    "packed_uint64": typed(13, [2], 11, wire.varint(1 << 63) * 2),
    "floats": typed(FLOAT, [2], 4, struct.pack("<2f", 1, 2)),
    "doubles": typed(11, [1], 10, struct.pack("<d", 1)),
    "complex": typed(14, [1], 4, struct.pack("<2f", 1, 2)),
    "external": external("d/wt.bin", offset="8", length="8"),
}


def nodes():
    for form, payload in (
            ("value_float", struct.pack("<f", 1)),
            ("value_floats", struct.pack("<2f", 1, 2)),
            ("value_int", 5), ("value_ints", b"\1\2\3"),
            ("value_string", b"text"),
            ("value", TENSORS["raw_float"]),
            ("value", external("xy.bin", checksum="0"))):
        yield form, generator.node(
            "Constant", [], ["y"], [models.attribute(form, payload)])
    yield "sparse_value", generator.node("Constant", [], ["y"], [
        models.attribute("sparse_value", sparse(
            TENSORS["raw_float"], models.int64s([1, 4]), [6]))])
    yield "sparse_coordinates", generator.node("Constant", [], ["y"], [
        models.attribute("sparse_value", sparse(
            TENSORS["strings"],
            models.int64s([0, 1, 1, 0, 2, 1], dims=[3, 2]), [3, 2]))])
    yield "fill", models.fill("s", "y")
    yield "fill_value", models.fill("s", "y", models.tensor(
        UINT4, [1], b"\x07"))


def whole_models():
    constant = models.constant("c", TENSORS["raw_float"])
    yield "initializers", models.model(models.graph(
        [models.fill("s", "y")],
        [models.int64s([2, 3], "s"), models.tensor(FLOAT, [1], bytes(4), "i")],
        outputs=[models.value_info("y", FLOAT, [2, 3])]))
    yield "inputs", models.model(models.graph(
        [models.fill("x", "y"), models.fill("z", "w")], [],
        [models.value_info("x", INT64, [2]),
         models.value_info("z", INT64, ["n"])],
        [models.value_info("x", INT64, [2])]))
    yield "sparse", models.model(models.graph(
        [constant], sparse=[sparse(
            models.tensor(FLOAT, [1], bytes(4), "p"),
            models.int64s([5]), [7])]))
    inner = models.graph([constant, models.fill("s", "f")])
    yield "subgraphs", models.model(models.graph(
        [models.call("", "If", ["b"], ["r"],
                     [models.body("then_branch", inner),
                      models.body("else_branch", inner)], "if")],
        [models.int64s([4], "s")]))
    parts = [generator.node("Constant", [], ["v"],
                            [models.reference("value_int", "a")]),
             models.fill("i", "o")]
    called = models.function("own", "F", parts, {"": 13}, ["i"], ["o"], ["a"])
    outer = models.function(
        "own", "G",
        [models.call("own", "F", ["i"], ["o"],
                     [models.attribute("value_int", 3)])] * 2,
        {"": 13, "own": 1}, ["i"], ["o"])
    yield "functions", models.model(
        models.graph([models.call("own", "G", ["s"], ["y"], name="g"),
                      models.call("own", "F", ["s"], ["z"],
                                  [models.reference("value_int", "none")])],
                     [models.int64s([1], "s")]),
        {"": 13, "own": 1}, functions=[called, outer])
    yield "external", models.model(models.graph(
        [models.constant("y", external("wt.bin", offset="1"))]))
    yield "every_form", models.model(models.graph(
        [node for _, node in nodes()], list(TENSORS.values()),
        [models.value_info("t", FLOAT, [2])],
        [models.value_info("y", FLOAT, None)],
        [sparse(TENSORS["packed_int32"], models.int64s([0, 1, 3]), [2, 2])]))
    yield "shape_operators", models.model(models.graph(
        [models.call("", "Shape", ["s"], ["q"]),
         models.call("", "Concat", ["q", "s"], ["r"]),
         models.fill("r", "y")], [models.int64s([2], "s")]))


def computed_models():
    """Models whose values follow from their inputs, through each construct."""
    trips = models.int64s([3], "t", dims=[])
    yes = models.tensor(BOOL, [], b"\1", "c")
    inputs = [models.value_info("x", INT64, ["n"])]

    def values(*names):
        return [models.value_info(name, INT64, None) for name in names]

    chain = [models.call("", "Shape", ["x"], ["v0"])] + [
        models.call("", "Neg", [f"v{i}"], [f"v{i + 1}"]) for i in range(20)]
    yield "chain", models.model(models.graph(
        [*chain, models.call("", "Abs", ["v19"], ["s"]),
         models.fill("s", "y")], [], inputs, values("y", "v20")))
    taken = models.graph([models.call("", "Neg", ["x"], ["p"])],
                         outputs=values("p"))
    other = models.graph([models.fill("x", "q")], outputs=values("q"))
    yield "if", models.model(models.graph(
        [models.call("", "If", ["c"], ["y"],
                     [models.body("then_branch", taken),
                      models.body("else_branch", other)])],
        [yes], inputs, values("y")))
    add = models.call("", "Add", ["v", "v"], ["w"])
    same = models.call("", "Identity", ["k"], ["l"])
    turn = models.graph(
        [add, same], [], values("i", "k", "v"), values("l", "w", "w"))
    yield "loop", models.model(models.graph(
        [models.call("", "Loop", ["t", "c", "x"], ["y", "z"],
                     [models.body("body", turn)])],
        [trips, yes], inputs, values("y", "z")))
    step = models.graph([add, models.call("", "Neg", ["e"], ["f"])], [],
                        values("v", "e"), values("w", "f"))
    one = (wire.field(1, BYTES, b"num_scan_inputs") +
           wire.field(3, VARINT, 1) + wire.field(20, VARINT, 2))
    yield "scan", models.model(models.graph(
        [models.call("", "Scan", ["t", "x"], ["y", "z"],
                     [one, models.body("body", step)])],
        [trips], inputs, values("y", "z")))
    shape = models.function(
        "own", "F", [models.call("", "Shape", ["a"], ["s"]),
                     models.fill("s", "r")], {"": 13}, ["a"], ["r"])
    twice = models.function(
        "own", "G", [models.call("own", "F", ["a"], ["b"]),
                     models.call("own", "F", ["b"], ["r"])],
        {"": 13, "own": 1}, ["a"], ["r"])
    yield "computed_functions", models.model(
        models.graph([models.call("own", "G", ["x"], ["y"])], [], inputs,
                     values("y")), {"": 13, "own": 1},
        functions=[shape, twice])


def npy(text, data, version=1):
    """A file of NumPy's format with this header."""
    start = b"\x93NUMPY" + bytes([version, 0])
    head = text.encode() + b"\n"
    return start + len(head).to_bytes(2 if version == 1 else 4,
                                      "little") + head + data


FILES = {
    "float": npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
                 bytes(8)),
    "scalar": npy("{'descr': '<i8', 'fortran_order': False, 'shape': (), }",
                  bytes(8)),
    "empty": npy("{'descr': '|b1', 'fortran_order': False, 'shape': (0, 3), }",
                 b"", 2),
    "huge": npy("{'descr': '<c16', 'fortran_order': False, "
                "'shape': (4294967296, 4294967296), }", b"", 3),
    "big_endian": npy("{'descr': '>i2', 'fortran_order': True, "
                      "'shape': (1,), }", bytes(2)),
}

LOCATIONS = {
    "file": (b"w.bin", b"8", b"8"), "folder": (b"sub/x", b"", b""),
    "parent": (b"../secret", b"", b""), "link": (b"link", b"0", b"8"),
    "up": (b"up/secret", b"", b""), "hard": (b"hard", b"", b""),
    "fifo": (b"fifo", b"", b""), "absolute": (b"/dev/zero", b"", b""),
    "drive": (b"c:w.bin", b"", b""), "nul": (b"w.bin\0x", b"", b""),
    "wrap": (b"w.bin", b"18446744073709551608", b"8"),
    "dots": (b"./sub/.//x", b"1", b""),
}

VALUES = ("1.5", "-0", "1e308", "4.9406564584124654e-324", "nan", "-inf",
          "true", "0x7fa00001", "0.1,2", "9007199254740993", "255", "-128",
          "1e-99999999999", "0000000000000000000000001.e+0")
SHAPES = ("2,3,4", "", "-1", "9223372036854775807", "1,,2")


def corpora():
    """(target, name, bytes) of each seed."""
    for name, tensor in TENSORS.items():
        yield "tensor", name, bytes([4]) + tensor
    for index, (name, node) in enumerate(nodes()):
        yield "node", f"{name}_{index}", bytes([21, 4, index]) + node
    for index, (name, model) in enumerate(
            [*whole_models(), *computed_models()]):
        yield "model", name, bytes([4, index % 3, 3]) + model
    # Each byte chooses; these are no better than others.
    for index in range(16):
        yield "fold", f"random_{index}", random.Random(index).randbytes(
            50 + 50 * index)
    for name, pieces in LOCATIONS.items():
        yield "external", name, bytes([0]) + b"".join(
            bytes([len(piece)]) + piece for piece in pieces)
    for name, content in FILES.items():
        yield "npy", name, content
    for index, value in enumerate(VALUES):
        yield "value", f"value_{index}", bytes([index * 2 % 28]) + (
            value.encode())
    for index, shape in enumerate(SHAPES):
        yield "value", f"shape_{index}", bytes([40]) + shape.encode()
    yield "value", "dtype", bytes([41]) + b"float8e4m3fn"


def main():
    for old in CORPUS.glob("*/*"):
        old.unlink()
    for target, name, data in corpora():
        path = CORPUS / target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    main()
