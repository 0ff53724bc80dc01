"""Random valid nodes against ONNX's own tools. Each passes the checker. Each
node's bytes are known by its making (generator.py); the tools are asked about
the same serialized node, and the library must agree with all of them. Then
whole models, and the TensorProtos that the library writes.

A failure prints the seed and the number of the case; --seed and --count make
the run again.
"""

import collections
import math
import unittest

import binding
import dense
import generator
import model_generator
import models
import onnx
import onnx.reference
import oracles
import support
from binding import Dense

NATIVE = {dense.NUMBERS[name] for name in (
    "FLOAT", "DOUBLE", "FLOAT16", "INT8", "INT16", "INT32", "INT64", "UINT8",
    "UINT16", "UINT32", "UINT64", "BOOL")}


def has_signalling_nan(value):
    """Such a NaN of 32 bits becomes a quiet one on its way through a wider
    float."""
    return value.dtype in (dense.NUMBERS["FLOAT"],
                           dense.NUMBERS["COMPLEX64"]) and any(
        code & 0x7FC00000 == 0x7F800000 and code & 0x003FFFFF
        for code in dense.unpack(value.data, 32, len(value.data) // 4))


def has_indices(case):
    """False for a sparse_value of no elements that has no indices."""
    if case.form != "sparse_value":
        return True
    node = onnx.NodeProto.FromString(case.node)
    return node.attribute[0].sparse_tensor.HasField("indices")


# A tool, the cases that it is asked about, and what it decides.
Reference = collections.namedtuple("Reference", "ask is_asked decides")

REFERENCES = {
    "numpy_helper": Reference(
        lambda case: oracles.tensor_by_numpy_helper(case.tensor.data),
        lambda case: case.tensor is not None,
        "the tensor of `value`: every dtype and every encoding"),
    "evaluator": Reference(
        oracles.by_evaluator,
        lambda case: case.form != "sparse_value",
        "both operators whole, at every opset; it cannot run sparse_value"),
    "onnxruntime": Reference(
        oracles.by_onnxruntime,
        lambda case: oracles.onnxruntime is not None and (
            case.dtype in NATIVE or case.dtype == dense.STRING and
            case.form != "sparse_value"),
        "both operators whole, sparse_value included, for the dtypes that "
        "NumPy has. Others do not come out of its Python interface"),
    "expansion": Reference(
        lambda case: case.expected,
        lambda case: True,
        "everything, and alone sparse_value of 2, 4, 6 and 128 bits, of "
        "strings, and of what NumPy lacks"),
}

# Where a tool fails or differs although the case is valid, and why the case
# decides against it: (tool, which cases, explanation).
DIFFERENCES = (
    ("numpy_helper", lambda case: not case.is_text,
     "it makes text of strings, which fails for what is no UTF-8 and loses "
     "NULs at the end (facts 8.13)"),
    ("evaluator", lambda case: not case.is_text,
     "it makes text of strings, as numpy_helper (facts 8.13)"),
    ("evaluator",
     lambda case: case.encoding == "attribute" and
     has_signalling_nan(case.expected),
     "it reads value_float and value_floats through Python's float, which "
     "makes signalling NaNs quiet"),
    ("onnxruntime", lambda case: not case.is_text,
     "its Python interface makes text of strings (facts 8.13)"),
    ("onnxruntime",
     lambda case: case.dtype == dense.NUMBERS["FLOAT16"] and
     case.encoding == "extended",
     "it refuses entries of float16 with the sign extended (facts 8.18)"),
    ("onnxruntime",
     lambda case: case.op_type == "ConstantOfShape" and
     case.form == "value" and len(case.tensor.expected.dims) != 1,
     "it wants the one element of `value` to have rank 1 (facts 8.2)"),
    ("onnxruntime", lambda case: not has_indices(case),
     "it wants indices although there are no values (facts 8.21)"),
)


def explanation(name, case):
    return next((why for tool, fits, why in DIFFERENCES
                 if tool == name and fits(case)), None)


def answer(reference, case):
    """What a tool says, or the exception that it raised."""
    try:
        return reference.ask(case)
    except Exception as error:  # Any failure of a tool is an answer.
        return error


class Nodes(unittest.TestCase):
    def make(self, case, mode):
        return support.run(support.library().decode(
            case.node, case.opset, mode).plan(case.shape))

    def check(self, case):
        onnx.checker.check_model(oracles.model_of(case, onnx.IR_VERSION))
        for name, reference in REFERENCES.items():
            if not reference.is_asked(case):
                continue
            told = answer(reference, case)
            tensor_only = name == "numpy_helper"
            known = case.tensor.expected if tensor_only else case.expected
            self.counts[name] += 1
            if told != known:
                why = explanation(name, case)
                self.assertIsNotNone(
                    why, f"{name} says {told!r}, the expansion {known}")
                self.explained[name, why] += 1
        self.assertEqual(self.make(case, binding.DEFAULT), case.expected)

    def check_notes(self, case):
        """STRICT refuses what DEFAULT notes, and only that."""
        op = support.library().decode(case.node, case.opset)
        # Of sparse float8e8m0: it has no zero (facts 8.23).
        codes = [code for code in op.notes.codes()
                 if code != binding.NOTE_CHOICE or op.kind() != "sparse"]
        self.assertEqual(codes,
                         [] if case.is_listed else [binding.NOTE_DTYPE])
        if case.is_listed:
            self.make(case, binding.STRICT)
            return
        with self.assertRaises(binding.Error) as caught:
            self.make(case, binding.STRICT)
        self.assertEqual(caught.exception.status, "INVALID_MODEL")

    def test_all_references_agree(self):
        support.engine()
        self.counts = collections.Counter()
        self.explained = collections.Counter()
        random, count = support.generator()
        for number, case in enumerate(
                generator.cases(random, count)):
            with self.subTest(seed=support.arguments.seed, number=number,
                              **{field: getattr(case, field) for field in (
                                  "op_type", "form", "opset", "dtype",
                                  "encoding")}):
                self.check(case)
                self.check_notes(case)
        for name, asked in self.counts.items():
            print(f"{name} was asked {asked} times")
        for (name, why), times in self.explained.items():
            print(f"{name} differed {times} times: {why}")


class Written(unittest.TestCase):
    """TensorProtos that the library writes, as onnx reads them."""

    def test_all_dtypes(self):
        random, count = support.generator()
        for number in range(count // 3):
            dtype = random.choice(sorted(dense.DTYPES))
            dims = generator.dims(random)
            value = Dense(dtype, tuple(dims), dense.data_of(
                [generator.code(random, dtype)
                 for _ in range(math.prod(dims))], dtype))
            name = random.choice((None, "", "w", "\u03b1"))
            with self.subTest(seed=support.arguments.seed, number=number,
                              value=value):
                data = support.library().tensor_proto(value, name)
                proto = onnx.TensorProto.FromString(data)
                onnx.checker.check_tensor(proto)
                self.assertEqual(proto.name, name or "")
                fields = {field.name for field, _ in proto.ListFields()}
                self.assertLessEqual(fields, {
                    "dims", "data_type", "name",
                    "string_data" if dtype == dense.STRING else "raw_data"})
                if dtype == dense.STRING:
                    self.assertEqual(list(proto.string_data), value.data)
                    self.assertEqual(tuple(proto.dims), value.dims)
                else:
                    self.assertEqual(
                        oracles.tensor_by_numpy_helper(data), value)


class Models(unittest.TestCase):
    """Whole models: what is listed, what each constant and each output comes
    to. The evaluator decides about the outputs too, where functions have the
    model's opset: with another it runs what the checker refuses. It cannot run
    sparse_value."""

    def check_outputs(self, case):
        proto = onnx.ModelProto.FromString(case.data)
        feeds = {name: oracles.to_array(value)
                 for name, value in case.values.items()}
        evaluator = onnx.reference.ReferenceEvaluator(proto)
        arrays = evaluator.run(list(case.outputs), feeds)
        for array, (name, expected) in zip(arrays, case.outputs.items()):
            if not has_signalling_nan(expected):
                self.assertEqual(oracles.of_array(array, expected.dtype),
                                 expected, name)

    def check(self, case):
        found, outputs = models.read(case.data, case.values)
        self.assertEqual(set(found), set(case.constants))
        for key, expected in case.constants.items():
            resolved = found[key].resolved
            if key in case.not_taken:
                self.assertEqual(resolved.state, "not taken")
                continue
            self.assertEqual(resolved.state, "resolved", resolved.reason)
            self.assertEqual(resolved.dims, expected.dims)
            self.assertEqual(support.run(resolved.plan), expected, key)
        self.assertEqual(set(outputs), set(case.outputs))
        for name, expected in case.outputs.items():
            self.assertEqual(support.run(outputs[name].plan), expected, name)

    def test_all_constants_are_found(self):
        support.engine()
        random, count = support.generator()
        asked = 0
        for number, case in enumerate(model_generator.model_cases(
                random, count // 10)):
            with self.subTest(seed=support.arguments.seed, number=number):
                self.check(case)
                if case.has_own_opsets:
                    continue
                onnx.checker.check_model(case.data)
                if case.is_text and not case.is_sparse:
                    self.check_outputs(case)
                    asked += 1
        print(f"evaluator was asked {asked} times")


if __name__ == "__main__":
    support.main()
