"""Writes a model of 10,000 constants and 3 GiB, most of it in a file of
external data without blocks: FILE FOLDER."""

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "cli"))
# pylint: disable=wrong-import-position
import models
from onnxfile import FLOAT, INT64, graph, model, tensor

CONSTANT_COUNT = 10_000
TOTAL_SIZE = 3 << 30
# What one constant alone takes, larger than any piece of a copy.
LARGEST_SIZE = 512 << 20
FILL_COUNT = 1_000
SCALAR_COUNT = 999
PAGE = 4096


def external_sizes():
    """Sizes of the other external tensors, which add up."""
    count = CONSTANT_COUNT - FILL_COUNT - SCALAR_COUNT - 2
    numbers = random.Random(7)
    weights = [numbers.random() + 0.02 for _ in range(count)]
    left = TOTAL_SIZE - LARGEST_SIZE
    scale = (left - count * PAGE) / sum(weights)
    sizes = [PAGE + int(weight * scale) for weight in weights]
    sizes[0] += left - sum(sizes)
    return [LARGEST_SIZE, *sizes]


def write(folder):
    """Each tensor begins at a page, and with its number."""
    initializers = [tensor(INT64, [1], name="dims", int64s=[16384])]
    initializers += [tensor(FLOAT, [], b"\0\0\x80\x3f", name=f"s{i}")
                     for i in range(SCALAR_COUNT)]
    with open(folder / "data.bin", "wb") as data:
        offset = 0
        for i, size in enumerate(external_sizes()):
            initializers.append(
                models.external_tensor(f"t{i}", [size], offset))
            data.seek(offset)
            data.write(i.to_bytes(8, "little"))
            offset += -(-size // PAGE) * PAGE
        data.truncate(offset)
    nodes = [models.fill("dims", f"f{i}", tensor(FLOAT, [1], models.ONE))
             for i in range(FILL_COUNT)]
    (folder / "large.onnx").write_bytes(
        model(graph(nodes, initializers=initializers)))


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
