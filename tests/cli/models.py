"""Writes the models and test folders of the golden cases: FILE FOLDER."""

import pathlib
import struct
import sys

from onnxfile import (BFLOAT16, BOOL, FLOAT, INT4, INT32, INT64, STRING, UINT8,
                      attribute, block, blocks, graph, int64s, integer, model, node,
                      tensor, value, value_info)

ONE = struct.pack("<f", 1)
MINUS_TWO = struct.pack("<i", -2)


def fill(shape, output, content=None):
    attributes = [] if content is None else [value(content)]
    return node("ConstantOfShape", [shape], [output], *attributes)


def constant(output, content):
    return node("Constant", [], [output], value(content))


def branch(name, content):
    return graph([constant(name, content)],
                 outputs=[value_info(name, FLOAT)])


def mixed():
    """A constant of each kind; `late` needs the input n."""
    then = branch("inner", tensor(FLOAT, [1], ONE))
    other = branch("inner", tensor(FLOAT, [2], ONE * 2))
    condition = node("If", ["flag"], ["chosen"],
                     attribute("then_branch", 5, block(6, then)),
                     attribute("else_branch", 5, block(6, other)))
    return model(graph(
        nodes=[
            constant("words", tensor(STRING, [2], strings=["ab", "\x00c"])),
            node("Constant", [], ["ints"],
                 attribute("value_ints", 7, integer(8, 3) + integer(8, -1))),
            fill("dims", "zeros"),
            fill("dims", "twos", tensor(INT32, [1], MINUS_TWO)),
            fill("n", "late"),
            constant("brain", tensor(BFLOAT16, [3], b"\x80\x3f" * 3)),
            constant("nibbles", tensor(INT4, [3], b"\x21\xf3")),
            condition,
        ],
        initializers=[
            tensor(FLOAT, [2, 3], ONE * 6, name="weights"),
            tensor(INT64, [2], name="dims", int64s=[2, 5]),
            tensor(UINT8, [0, 4], b"", name="empty"),
            tensor(BOOL, [], b"\1", name="flag"),
        ],
        inputs=[value_info("n", INT64, [2])],
        outputs=[value_info("late", FLOAT, ["rows", "columns"])]))


def odd_names():
    """Names that must harm neither JSON nor a terminal nor a file system."""
    names = [b"../../etc/x", b"a\x1b[31mred", b"line\nbreak", b"\xff\xfe",
             "gr\u00fc\u00df \u4e2d".encode(), b"quote\"back\\slash",
             "turn\u202eed".encode(), b"c1\xc2\x9b", b"nul\0end",
             b"\xed\xa0\x80", b"tab\t"]
    return model(graph(initializers=[
        tensor(UINT8, [1], bytes([i]), name=name)
        for i, name in enumerate(names)]))


def from_input(op_output="y", dims=(None,)):
    return model(graph([fill("n", op_output)],
                       inputs=[value_info("n", INT64, list(dims))],
                       outputs=[value_info(op_output, FLOAT)]))


def foreign():
    """An operator that is not computed, of two constants."""
    return model(graph(
        [constant("a", tensor(FLOAT, [1], ONE)),
         node("BitShift", ["a", "b"], ["sum"])],
        initializers=[tensor(FLOAT, [1], ONE, name="b")],
        inputs=[value_info("unused", FLOAT, [1])],
        outputs=[value_info("sum", FLOAT, [1])]))


def outputs():
    """Three outputs: strings, sub-byte elements, an empty tensor."""
    return model(graph(
        [constant("words", tensor(STRING, [3], strings=["", "a", b"\xff\0"])),
         constant("nibbles", tensor(INT4, [3], b"\x21\xf3"))],
        initializers=[tensor(UINT8, [0, 4], b"", name="empty")],
        outputs=[value_info("words", STRING), value_info("nibbles", INT4),
                 value_info("empty", UINT8)]))


def invalid():
    """The middle one has a byte too few."""
    return model(graph(initializers=[
        tensor(FLOAT, [1], ONE, name="good"),
        tensor(FLOAT, [2], ONE + ONE[:3], name="short"),
        tensor(FLOAT, [1], ONE, name="last")]))


def surplus():
    """A byte too many, which real writers leave behind."""
    return model(graph(initializers=[
        tensor(FLOAT, [1], ONE + b"\0", name="long")]))


def early_dtype():
    """bfloat16, which Constant has since opset 13, at opset 12."""
    return model(graph([constant("x", tensor(BFLOAT16, [1], b"\x80\x3f"))]),
                 opset=12, ir_version=7)


def huge():
    """Two fills of 2^62 bytes."""
    return model(graph(
        [fill("n", "y", tensor(UINT8, [1], b"\1"))],
        initializers=[tensor(INT64, [1], int64s(1 << 62), name="n")],
        outputs=[value_info("y", UINT8)]))


def external_tensor(name, dims, offset=0):
    """A tensor of uint8 in the file data.bin."""
    entries = (("location", "data.bin"), ("offset", str(offset)))
    return tensor(UINT8, dims, name=name, rest=integer(14, 1) + blocks(
        13, [block(1, key) + block(2, text) for key, text in entries]))


def external():
    return model(graph(initializers=[external_tensor("t", [4])]))


def many(count):
    """Constants of 0 bytes, 1 byte and so on."""
    return model(graph(initializers=[
        tensor(UINT8, [i], bytes(i), name=f"t{i}") for i in range(count)]))


def repeated():
    """Constants of which some are the same, byte by byte."""
    return model(graph(
        [fill("dims", "zeros"), fill("dims", "more_zeros"),
         fill("dims", "twos", tensor(INT32, [1], MINUS_TWO))],
        initializers=[
            tensor(INT64, [2], name="dims", int64s=[2, 5]),
            tensor(FLOAT, [2, 3], ONE * 6, name="a"),
            tensor(FLOAT, [6], ONE * 6, name="a_flat"),
            tensor(FLOAT, [6], ONE * 5 + MINUS_TWO, name="b")]))


MODELS = {
    "external": external(),
    "repeated": repeated(),
    "page": many(50),
    "long": many(52),
    "mixed": mixed(),
    "odd_names": odd_names(),
    "from_input": from_input(),
    "symbols": from_input("late", ["rank"]),
    "foreign": foreign(),
    "outputs": outputs(),
    "invalid": invalid(),
    "surplus": surplus(),
    "early_dtype": early_dtype(),
    "huge": huge(),
    "empty": model(graph()),
}


def write_test(folder, content, inputs=(), expected=(), data_set="0"):
    data = folder / f"test_data_set_{data_set}"
    data.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(content)
    for kind, tensors in (("input", inputs), ("output", expected)):
        for index, content in enumerate(tensors):
            (data / f"{kind}_{index}.pb").write_bytes(content)


def write_tests(root):
    """Folders that pass, fail in one way each, and are skipped."""
    shape = tensor(INT64, [2], int64s(1, 2))
    zeros = tensor(FLOAT, [1, 2], b"\0" * 8)
    passing = root / "passing"
    write_test(passing / "deep" / "er" / "zeros", from_input(), [shape],
               [zeros])
    write_test(passing / "b_zeros", from_input(), [shape], [zeros])
    write_test(passing / "b_zeros", from_input(),
               [tensor(INT64, [0], b"")], [tensor(FLOAT, [], b"\0" * 4)],
               data_set="10")
    # The file's unused last bits are set; they do not count.
    write_test(passing / "a_outputs", MODELS["outputs"], [], [
        tensor(STRING, [3], strings=["", "a", b"\xff\0"]),
        tensor(INT4, [3], b"\x21\xf3"),
        tensor(UINT8, [0, 4])])
    write_test(root / "skipped" / "add", foreign(),
               [tensor(FLOAT, [1], ONE)],
               [tensor(FLOAT, [1], struct.pack("<f", 2))])
    minus_zero = struct.pack("<f", -0.0)
    for name, given, expected in (
            ("bits", [shape], [tensor(FLOAT, [1, 2], minus_zero * 2)]),
            ("dtype", [shape], [tensor(INT32, [1, 2], b"\0" * 8)]),
            ("shape", [shape], [tensor(FLOAT, [2, 1], b"\0" * 8)]),
            ("rank", [shape], [tensor(FLOAT, [2], b"\0" * 8)]),
            ("no_input", [], [zeros]),
            ("bad_input", [tensor(INT64, [2], b"")], [zeros]),
            ("no_output", [shape], []),
            ("second_input", [shape, shape], [zeros]),
            ("second_output", [shape], [zeros, zeros])):
        write_test(root / "failing" / name, from_input(), given, expected)
    write_test(root / "failing" / "words", MODELS["outputs"], [], [
        tensor(STRING, [3], strings=["", "b", b"\xff\0"]),
        tensor(INT4, [3], b"\x21\xf3"),
        tensor(UINT8, [0, 4])])
    write_test(root / "failing" / "model", MODELS["mixed"][:40], [], [])
    (root / "none" / "empty").mkdir(parents=True)
    (root / "none" / "model_only").mkdir()
    (root / "none" / "model_only" / "model.onnx").write_bytes(foreign())


def main():
    root = pathlib.Path(sys.argv[1])
    for name, content in MODELS.items():
        (root / f"{name}.onnx").write_bytes(content)
    (root / "cut.onnx").write_bytes(MODELS["mixed"][:-3])
    (root / "text.onnx").write_text("no model at all\n")
    write_tests(root / "tests")


if __name__ == "__main__":
    main()
