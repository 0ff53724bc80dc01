"""The operators that move elements, of tensors of which something is unknown:
what is told of their results must hold whatever the unknown is, and all must be
told once it is bound.
"""

import unittest

import folding
import move_cases
import numpy
import schemas
import support
from onnx import TensorProto, helper, numpy_helper

COUNT = 40

WOVEN = ("bool", "int32", "int64")

# Their results have other dims for other data.
NEED_DATA = {"NonZero"}

# Inputs whose values are dims, though they are no integers.
DIMS = {("OneHot", 1)}


class Weaver:
    """A graph of cases whose inputs are unknown in part. A number that is
    unknown is the dim of an input."""

    def __init__(self, random):
        self.random = random
        self.nodes = []
        self.inputs = {}
        self.constants = []
        self.outputs = []

    def name(self):
        return f"v{len(self.nodes)}_{len(self.inputs)}_{len(self.constants)}"

    def constant(self, array):
        name = self.name()
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def apply(self, op_type, *inputs, **attributes):
        name = self.name()
        self.nodes.append(helper.make_node(op_type, list(inputs), [name],
                                           **attributes))
        return name

    def input(self, dtype, dims):
        """An input whose dims are unknown but for some; equal ones may have
        the same symbol."""
        name = f"x{len(self.inputs)}"
        told = []
        for axis, dim in enumerate(dims):
            chance = self.random.random()
            told.append((int(dim), None if chance < 0.3 else
                         f"s{dim}" if chance < 0.6 else f"{name}_{axis}"))
        self.inputs[name] = (helper.np_dtype_to_tensor_dtype(dtype), told)
        return name

    def unknown_number(self, number):
        """A tensor [1] of int64."""
        name = f"x{len(self.inputs)}"
        symbol = f"s{abs(number)}" if self.random.random() < 0.5 else name
        self.inputs[name] = (TensorProto.FLOAT, [(abs(number), symbol)])
        shape = self.apply("Shape", name)
        return self.apply("Neg", shape) if number < 0 else shape

    def woven(self, array, chance):
        """A tensor of these numbers, of which some are unknown."""
        array = numpy.asarray(array)
        parts = []
        for number in array.reshape(-1).astype(numpy.int64).tolist():
            if self.random.random() < chance and abs(number) < 100:
                parts.append(self.unknown_number(number))
            else:
                parts.append(self.constant(numpy.array([number])))
        if not parts:
            return self.constant(array)
        joined = self.apply("Concat", *parts, axis=0)
        shaped = self.apply(
            "Reshape", joined,
            self.constant(numpy.array(array.shape, numpy.int64)))
        if array.dtype == numpy.int64:
            return shaped
        return self.apply("Cast", shaped,
                          to=helper.np_dtype_to_tensor_dtype(array.dtype))

    def add(self, case, inputs):
        """The outputs' names of a case with inputs of these names."""
        outputs = [f"o{len(self.outputs)}_{at}"
                   for at in range(len(case.wanted))]
        self.outputs += outputs
        attributes = {
            name: helper.np_dtype_to_tensor_dtype(value)
            if isinstance(value, numpy.dtype) else value
            for name, value in case.attributes.items() if value != []}
        self.nodes.append(helper.make_node(case.op_type, inputs, outputs,
                                           **attributes))
        return outputs

    def model(self, outputs, opset, is_bound):
        inputs = [
            helper.make_tensor_value_info(name, dtype, [
                dim if is_bound or symbol is None else symbol
                for dim, symbol in told])
            for name, (dtype, told) in self.inputs.items()]
        return folding.make(self.nodes, outputs, opset, self.constants,
                            inputs)

    def symbols(self):
        return {symbol: dim for _, told in self.inputs.values()
                for dim, symbol in told if symbol}


class Unknown(unittest.TestCase):
    def setUp(self):
        support.library()
        support.generator()
        self.random = move_cases.SmallRandom(support.arguments.seed)

    def cases(self, op_type, dtype):
        make, parameter = move_cases.OPERATORS[op_type]
        for opset, schema in schemas.versions(op_type):
            if dtype not in schemas.dtypes(schema, parameter):
                continue
            cases = [make(self.random, dtype, opset, schema)
                     for _ in range(COUNT)]
            yield opset, [
                case for case in cases
                if case.wanted is not None and [] not in
                case.attributes.values()]

    def check_told(self, told, wanted, symbols):
        """What is told of dims before all is bound."""
        if told[1].dims is None:
            return
        self.assertEqual(len(told[1].dims), wanted.ndim, told)
        for dim, right in zip(told[1].dims, wanted.shape):
            if isinstance(dim, str):
                self.assertEqual(symbols[dim], right, told)
            elif dim is not None:
                self.assertEqual(dim, right, told)

    def check_operator_dims(self, op_type):
        """Unknown dims of the data, and numbers of other inputs."""
        for opset, cases in self.cases(op_type, numpy.dtype("float32")):
            weaver = Weaver(self.random)
            outputs = []
            for case in cases:
                inputs = []
                for at, array in enumerate(case.inputs):
                    if array is None:
                        inputs.append("")
                    elif array.dtype == numpy.int64 and array.ndim < 2 and \
                            self.random.random() < 0.5:
                        inputs.append(weaver.woven(array, 0.4))
                    elif array.dtype.kind in "fb" and array.ndim and \
                            (op_type, at) not in DIMS:
                        inputs.append(weaver.input(array.dtype, array.shape))
                    else:
                        inputs.append(weaver.constant(array))
                outputs += weaver.add(case, inputs)
            told = folding.resolve(weaver.model(outputs, opset, False))
            found = folding.resolve(weaver.model(outputs, opset, True))
            wanted = [array for case in cases for array in case.wanted]
            texts = [folding.describe(case) for case in cases
                     for _ in case.wanted]
            for before, after, array, text in zip(told, found, wanted, texts):
                self.check_told((text, before), array, weaver.symbols())
                if op_type not in NEED_DATA:
                    self.assertEqual(after.dims, array.shape,
                                     (text, after.reason))

    def check_operator_values(self, op_type):
        """Unknown elements of the data: each element of the result that is
        told must be right, and all must be told when all is bound."""
        for opset, cases in self.cases(op_type, numpy.dtype("int64")):
            weaver = Weaver(self.random)
            picked, wanted, texts = [], [], []
            for case in cases:
                inputs = ["" if array is None else
                          weaver.woven(array, 0.4)
                          if array.dtype.name in WOVEN else
                          weaver.constant(array) for array in case.inputs]
                for name, array in zip(weaver.add(case, inputs), case.wanted):
                    flat = weaver.apply("Reshape", name, weaver.constant(
                        numpy.array([-1], numpy.int64)))
                    for at in range(array.size):
                        picked.append(weaver.apply(
                            "Gather", flat, weaver.constant(
                                numpy.array(at))))
                        wanted.append(array.reshape(-1)[at])
                        texts.append(folding.describe(case))
            told = folding.resolve(weaver.model(picked, opset, False))
            found = folding.resolve(weaver.model(picked, opset, True))
            count = 0
            for before, after, right, text in zip(told, found, wanted, texts):
                self.assertEqual(after.state, "resolved", (text, after.reason))
                self.assertEqual(folding.value_of(after), right, text)
                if before.state == "resolved":
                    self.assertEqual(folding.value_of(before), right, text)
                    count += 1
                self.assertNotEqual(before.state, "invalid",
                                    (text, before.reason))
            self.assertGreater(count, 0)

    def test_slice_from_a_number_to_itself(self):
        """Backward, a start that is too low is 0 and an end -1: one element.
        Forward there is none, whatever the number."""
        for step, told, right in ((1, 0, 0), (-1, None, 1)):
            weaver = Weaver(self.random)
            number = weaver.unknown_number(-7)
            data = weaver.constant(numpy.float32([1, 2, 3]))
            sliced = weaver.apply("Slice", data, number, number, "",
                                  weaver.constant(numpy.array([step])))
            before, = folding.resolve(weaver.model([sliced], 13, False))
            after, = folding.resolve(weaver.model([sliced], 13, True))
            self.assertEqual(before.dims, (told,))
            self.assertEqual(after.dims, (right,))

    def test_cast_to_bool_is_another_number(self):
        """That of an integer is the same, so that it differs by 0."""
        for dtype, is_told, right in ((TensorProto.BOOL, False, 6),
                                      (TensorProto.FLOAT, False, 0),
                                      (TensorProto.INT32, True, 0),
                                      (TensorProto.INT4, True, 0)):
            weaver = Weaver(self.random)
            number = weaver.unknown_number(7)
            cast = weaver.apply("Cast", number, to=dtype)
            back = weaver.apply("Cast", cast, to=TensorProto.INT64)
            difference = weaver.apply("Sub", number, back)
            before, = folding.resolve(weaver.model([difference], 21, False))
            after, = folding.resolve(weaver.model([difference], 21, True))
            self.assertEqual(before.state == "resolved", is_told)
            self.assertEqual(folding.value_of(after), [right])

    def test_reshape_of_what_may_be_empty(self):
        """A dim that is copied may be 0, and then another be any number."""
        weaver = Weaver(self.random)
        weaver.inputs["data"] = (TensorProto.FLOAT, [(0, "n"), (4, None)])
        shape = weaver.apply(
            "Concat", weaver.constant(numpy.array([0])),
            weaver.unknown_number(7), axis=0)
        shaped = weaver.apply("Reshape", "data", shape)
        before, = folding.resolve(weaver.model([shaped], 13, False))
        after, = folding.resolve(weaver.model([shaped], 13, True))
        self.assertEqual((len(before.dims), before.dims[1]), (2, None))
        self.assertEqual(after.dims, (0, 7))


for name in move_cases.OPERATORS:
    setattr(Unknown, f"test_dims_of_{name}",
            lambda self, name=name: self.check_operator_dims(name))
    if name not in ("EyeLike", "Identity"):
        setattr(Unknown, f"test_values_of_{name}",
                lambda self, name=name: self.check_operator_values(name))


if __name__ == "__main__":
    support.main()
