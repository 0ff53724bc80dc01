"""Writes a model of two constants for the examples: FILE MODEL."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from onnxfile import INT8, graph, model, tensor  # noqa: E402

pathlib.Path(sys.argv[1]).write_bytes(model(graph(initializers=[
    tensor(INT8, [2], b"\7\7", name="sevens"),
    tensor(INT8, [3], b"\t\t\t", name="nines"),
])))
