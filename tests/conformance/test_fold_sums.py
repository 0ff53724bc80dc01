"""Arithmetic, comparisons and reductions of constants: each operator in each
version and dtype, bit for bit with ONNX's reference evaluator, which is NumPy.

Where NumPy wraps, the library refuses; Python's integers say where that is.
"""

import ctypes
import ctypes.util
import functools
import math
import unittest

import folding
import numpy
import onnx
import schemas
import support
from folding import Case

COUNT = 50

# Not computed with: only their dims are told.
UNSUPPORTED = {"float16", "bfloat16", "object"}

LENGTHS = (1, 2, 3, 5)


def shape(random, rank=None):
    rank = random.choice((0, 1, 1, 2, 2, 3, 4)) if rank is None else rank
    dims = [random.choice(LENGTHS) for _ in range(rank)]
    if rank and random.random() < 0.08:
        dims[random.randrange(rank)] = 0
    return dims


def stretched(random, dims):
    """Dims that broadcast to these."""
    dims = dims[random.randint(0, len(dims)):] if random.random() < 0.3 \
        else dims
    return [1 if random.random() < 0.3 else dim for dim in dims]


def values(random, dtype, dims, spread="small"):
    """An array. spread: `small` numbers, or also the `extreme` ones."""
    dtype = numpy.dtype(dtype)
    count = math.prod(dims)
    if dtype == bool:
        chosen = [random.random() < 0.5 for _ in range(count)]
    elif dtype.kind == "f":
        chosen = [real(random, dtype, spread) for _ in range(count)]
    else:
        chosen = [integer(random, dtype, spread) for _ in range(count)]
    return numpy.array(chosen, dtype).reshape(dims)


def integer(random, dtype, spread):
    info = numpy.iinfo(dtype)
    if spread == "extreme" and random.random() < 0.5:
        return random.choice((info.min, info.max, info.min + 1, info.max - 1,
                              info.max // 2 + 1, random.randint(
                                  info.min, info.max)))
    return random.randint(max(info.min, -9), 9)


def real(random, dtype, spread):
    if spread == "extreme" and random.random() < 0.5:
        info = numpy.finfo(dtype)
        return random.choice((
            math.inf, -math.inf, math.nan, 0.0, -0.0, float(info.max),
            float(info.min), float(info.tiny), float(info.smallest_subnormal),
            0.5, 1.5, 2.5, -0.5, -2.5, 2.0 ** 52 + 0.5, -1e30))
    if random.random() < 0.3:
        return float(random.randint(-4, 4))
    return random.uniform(-20, 20)


def spread_of(random):
    return "extreme" if random.random() < 0.3 else "small"


# -- cases: (random, op_type, dtype, opset, schema) -> a Case --

def pair(random, op_type, dtype, opset, schema):
    dims, spread = shape(random), spread_of(random)
    attributes = {}
    if op_type == "Mod" and (random.random() < 0.5 or
                             dtype.kind == "f" and opset < 28):
        attributes["fmod"] = 1
    return Case(op_type, [values(random, dtype, stretched(random, dims),
                                 spread) for _ in range(2)], attributes)


def several(random, op_type, dtype, opset, schema):
    dims, spread = shape(random), spread_of(random)
    return Case(op_type, [values(random, dtype, stretched(random, dims),
                                 spread)
                          for _ in range(random.randint(1, 4))], {})


def single(random, op_type, dtype, opset, schema):
    return Case(op_type, [values(random, dtype, shape(random),
                                 spread_of(random))], {})


def clip(random, op_type, dtype, opset, schema):
    spread = spread_of(random)
    data = values(random, dtype, shape(random), spread)
    low, high = (values(random, dtype, [], spread) for _ in range(2))
    if opset < 11:
        attributes = {}
        for name, bound in (("min", low), ("max", high)):
            if random.random() < 0.7 and numpy.isfinite(bound):
                attributes[name] = float(numpy.clip(bound, -1e30, 1e30))
        return Case(op_type, [data], attributes)
    return Case(op_type, [data, low if random.random() < 0.7 else None,
                          high if random.random() < 0.7 else None], {})


def power(random, op_type, dtype, opset, schema):
    dims = shape(random)
    other = dtype
    if opset >= 12:
        other = random.choice([
            d for d in schemas.dtypes(schema, "T1")
            if d.name not in UNSUPPORTED])
    base = values(random, dtype, stretched(random, dims))
    exponent = values(random, other, stretched(random, dims))
    if other.kind != "f" and random.random() < 0.8:
        exponent = numpy.minimum(abs(exponent), 5).astype(other)
    return Case(op_type, [base, exponent], {})


def reduction(random, op_type, dtype, opset, schema):
    dims = shape(random)
    if random.random() < 0.1:
        dims = [random.choice((40, 130, 300))] + dims[:1]
        random.shuffle(dims)
    rank = len(dims)
    axes = random.sample(range(rank), random.randint(0, rank))
    axes = [axis - rank if random.random() < 0.3 else axis for axis in axes]
    attributes = {}
    if random.random() < 0.7:
        attributes["keepdims"] = random.randint(0, 1)
    inputs = [values(random, dtype, dims, spread_of(random))]
    has_input = len(schema.inputs) > 1
    if has_input and random.random() < 0.3:
        attributes["noop_with_empty_axes"] = random.randint(0, 1)
    if random.random() < 0.8 and has_input:
        inputs.append(numpy.array(axes, numpy.int64))
    elif random.random() < 0.8 and not has_input and axes:
        attributes["axes"] = axes
    return Case(op_type, inputs, attributes)


def cumulative(random, op_type, dtype, opset, schema):
    dims = shape(random, random.randint(1, 4))
    axis = random.randint(-len(dims), len(dims) - 1)
    attributes = {name: random.randint(0, 1)
                  for name in ("exclusive", "reverse")
                  if random.random() < 0.6}
    return Case(op_type, [
        values(random, dtype, dims, spread_of(random)),
        numpy.array(axis, random.choice((numpy.int32, numpy.int64)))],
        attributes)


OPERATORS = {
    **dict.fromkeys(("Add", "Sub", "Mul", "Div", "Mod", "Equal", "Less",
                     "LessOrEqual", "Greater", "GreaterOrEqual", "And", "Or",
                     "Xor"), pair),
    **dict.fromkeys(("Min", "Max"), several),
    **dict.fromkeys(("Neg", "Abs", "Sign", "Sqrt", "Floor", "Ceil", "Round",
                     "Not"), single),
    "Clip": clip,
    "Pow": power,
    **dict.fromkeys(("ReduceSum", "ReduceProd", "ReduceMin", "ReduceMax"),
                    reduction),
    "CumSum": cumulative,
}

# Either zero is right where two numbers that compare equal meet.
ZEROS_EQUAL = {"Min", "Max", "Clip", "ReduceMin", "ReduceMax"}


# -- exact integers --

class Refused(Exception):
    """No integer of the dtype is the result."""


def divide(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def remainder(a, b):
    return a - divide(a, b) * b


def raised(a, b):
    if b < 0 and a not in (1, -1):
        raise Refused
    return a ** abs(b)


def exact_pair(function):
    return lambda case: numpy.frompyfunc(function, 2, 1)(
        *(array.astype(object) for array in case.inputs))


def exact_single(function):
    return lambda case: numpy.frompyfunc(function, 1, 1)(
        case.inputs[0].astype(object))


def exact_mod(case):
    function = remainder if case.attributes.get("fmod") else \
        (lambda a, b: a % b)
    return exact_pair(function)(case)


EXACT = {
    "Add": exact_pair(lambda a, b: a + b),
    "Sub": exact_pair(lambda a, b: a - b),
    "Mul": exact_pair(lambda a, b: a * b),
    "Div": exact_pair(divide),
    "Mod": exact_mod,
    "Neg": exact_single(lambda a: -a),
    "Abs": exact_single(abs),
}


def exact_power(case):
    if case.inputs[1].dtype.kind == "f":
        with numpy.errstate(all="ignore"):
            return numpy.trunc(numpy.power(
                *(array.astype(numpy.float64) for array in case.inputs)))
    return exact_pair(raised)(case)


def bound_of(case):
    """What no partial sum or product of a case exceeds."""
    magnitudes = [abs(int(a)) for a in case.inputs[0].reshape(-1)]
    if case.op_type == "ReduceProd":
        return math.prod(max(a, 1) for a in magnitudes)
    return sum(magnitudes)


def is_refused(case):
    """Whether the result of integers is one that the dtype cannot hold.
    None: that depends on the order of its terms."""
    dtype = case.inputs[0].dtype
    if dtype.kind not in "iu":
        return False
    info = numpy.iinfo(dtype)
    if case.op_type in ("ReduceSum", "ReduceProd", "CumSum"):
        return None if bound_of(case) > info.max else False
    function = exact_power if case.op_type == "Pow" else \
        EXACT.get(case.op_type)
    if function is None:
        return False
    try:
        results = numpy.asarray(function(case)).reshape(-1)
    except (Refused, ZeroDivisionError):
        return True
    return any(not info.min <= result <= info.max or result != result
               for result in results)


def expected_of(case, found):
    """The array that a case must come to, where the reference fails."""
    if case.op_type == "Pow" and case.inputs[0].dtype.kind == "i":
        return numpy.asarray(exact_power(case)).astype(case.inputs[0].dtype)
    if case.op_type in ("ReduceMin", "ReduceMax") and \
            case.inputs[0].dtype == bool and case.inputs[0].size == 0:
        return None
    raise AssertionError(f"{folding.describe(case)}: {found!r}")


def is_equal(case, got, wanted):
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return False
    if got.dtype.kind != "f":
        return got.tobytes() == wanted.tobytes()
    if case.op_type in ZEROS_EQUAL:
        got, wanted = got + 0.0, wanted + 0.0
    both_nan = numpy.isnan(got) & numpy.isnan(wanted)
    unsigned = f"u{got.dtype.itemsize}"
    same = numpy.ascontiguousarray(got).view(unsigned) == \
        numpy.ascontiguousarray(wanted).view(unsigned)
    return bool(numpy.all(both_nan | same))


@functools.cache
def c_pow():
    """NumPy has a pow of its own, which depends on the processor."""
    function = ctypes.CDLL(ctypes.util.find_library("m")).pow
    function.restype = ctypes.c_double
    function.argtypes = [ctypes.c_double, ctypes.c_double]
    return numpy.frompyfunc(function, 2, 1)


def exact_reals(case, reference):
    """The power as the C library has it, to which the reference is close."""
    base, exponent = (array.astype(numpy.float64) for array in case.inputs)
    with numpy.errstate(all="ignore"):
        power = numpy.asarray(c_pow()(base, exponent),
                              numpy.float64).astype(case.inputs[0].dtype)
        tolerance = 4 * numpy.finfo(power.dtype).eps
        if not numpy.allclose(power, reference, tolerance, 0, True):
            raise AssertionError(f"{power!r} is far from {reference!r}")
    return power


class Sums(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        support.library()
        cls.random, _ = support.generator()

    def setUp(self):
        self.skipped = {}

    def check(self, case, resolved, wanted):
        told = f"{folding.describe(case)}: {resolved.state}, {resolved.reason}"
        if is_refused(case):
            self.assertEqual(resolved.state, "invalid", told)
            self.assertRegex(resolved.reason, r"element \d+ ", told)
            return
        if isinstance(wanted, Exception):
            wanted = expected_of(case, wanted)
            if wanted is None:
                self.skipped["reference fails"] = \
                    self.skipped.get("reference fails", 0) + 1
                return
        elif case.op_type == "Pow" and wanted.dtype.kind == "f":
            wanted = exact_reals(case, wanted)
        self.assertEqual(resolved.state, "resolved", told)
        got = folding.value_of(resolved)
        self.assertTrue(is_equal(case, got, wanted),
                        f"{folding.describe(case)}: {got!r}, not {wanted!r}")

    def generate(self, op_type, dtype, opset, schema):
        cases = []
        while len(cases) < COUNT:
            case = OPERATORS[op_type](self.random, op_type, dtype, opset,
                                      schema)
            if is_refused(case) is not None:
                cases.append(case)
        return cases

    def check_operator(self, op_type):
        left_out = []
        for opset, schema in schemas.versions(op_type):
            for dtype in schemas.dtypes(schema):
                if dtype.name in UNSUPPORTED:
                    left_out.append(schemas.name_of(dtype))
                    continue
                cases = self.generate(op_type, dtype, opset, schema)
                wanted = folding.reference(cases, opset)
                got = folding.resolve(folding.model(cases, opset))
                for case, resolved, array in zip(cases, got, wanted):
                    self.check(case, resolved, array)
        folding.print_left_out(op_type, left_out, COUNT)
        for reason, count in self.skipped.items():
            print(f"SKIP: {op_type}: {count} cases: {reason}", flush=True)


def add_test(op_type):
    setattr(Sums, f"test_{op_type}",
            lambda self: self.check_operator(op_type))


for name in OPERATORS:
    add_test(name)


class Refusals(unittest.TestCase):
    """What wraps in NumPy, or is no legal node, with the reason given."""

    def assert_refused(self, case, opset, reason):
        resolved, = folding.resolve(folding.model([case], opset))
        told = f"{folding.describe(case)}: {resolved}"
        self.assertEqual(resolved.state, "invalid", told)
        self.assertRegex(resolved.reason, reason, told)

    def test_the_ends_of_each_integer_dtype(self):
        for number, name in ((2, "uint8"), (4, "uint16"), (12, "uint32"),
                             (13, "uint64"), (3, "int8"), (5, "int16"),
                             (6, "int32"), (7, "int64")):
            info = numpy.iinfo(name)
            low, high = (numpy.array([1, end], name)
                         for end in (info.min, info.max))
            one, two = (numpy.array(n, name) for n in (1, 2))
            overflow = f"element 1 overflows; {name} must hold it"
            cases = [("Add", [high, one]), ("Sub", [low, one]),
                     ("Mul", [high, two])]
            if info.min < 0:
                cases += [("Neg", [low]), ("Abs", [low]),
                          ("Div", [low, numpy.array(-1, name)])]
            for op_type, inputs in cases:
                self.assert_refused(Case(op_type, inputs, {}), 20, overflow)
            zero = numpy.array([1, 0], name)
            for op_type in ("Div", "Mod"):
                self.assert_refused(Case(op_type, [one, zero], {}), 20,
                                    "element 1 is a division by 0")

    def test_sums_of_integers(self):
        for name in ("int32", "int64", "uint32", "uint64"):
            high = numpy.array([numpy.iinfo(name).max, 1, 2], name)
            for op_type in ("ReduceSum", "ReduceProd", "CumSum"):
                inputs = [high, numpy.array(0)] if op_type == "CumSum" \
                    else [high]
                self.assert_refused(Case(op_type, inputs, {}), 20,
                                    rf"element \d overflows; {name}")

    def test_powers_of_integers(self):
        for base, exponent, reason in (
                (2, 63, "element 0 overflows; int64"),
                (-3, 41, "element 0 overflows; int64"),
                (2, -1, "element 0 is a negative power of an integer"),
                (0, -1, "element 0 is a negative power of an integer"),
                (10, 400.5, "element 0 overflows; int64"),
                (-2, 0.5, "element 0 overflows; int64")):
            self.assert_refused(
                Case("Pow", [numpy.array(base), numpy.array(exponent)], {}),
                20, reason)
        self.assert_refused(
            Case("Pow", [numpy.array(2, numpy.int32), numpy.array(31)], {}),
            20, "element 0 overflows; int32")

    def test_nodes_that_are_not_legal(self):
        real, whole = numpy.ones((2, 3), numpy.float32), numpy.ones(3, int)
        for op_type, inputs, attributes, reason in (
                ("Add", [real, whole], {}, "input 1 has dtype int64"),
                ("Add", [real, real[:, :2]], {},
                 "dim 0 from the end is 3 and 2"),
                ("Add", [real], {}, "input 1 is left out"),
                ("And", [whole, whole], {}, "input 0 has dtype int64"),
                ("Not", [whole], {}, "input 0 has dtype int64"),
                ("Sqrt", [whole], {}, "input 0 has dtype int64"),
                ("Neg", [whole.astype(numpy.uint8)], {}, "dtype uint8"),
                ("Max", [real, whole], {}, "input 1 has dtype int64"),
                ("Clip", [real, real], {}, "min has 6 elements"),
                ("Clip", [real, whole[0]], {}, "input 1 has dtype int64"),
                ("Pow", [whole.astype(numpy.int8), whole], {}, "dtype int8"),
                ("ReduceSum", [real, numpy.array([2])], {}, "axis is 2"),
                ("ReduceMax", [real, numpy.array([-3])], {}, "axis is -3"),
                ("ReduceSum", [real, real[0]], {}, "input 1 has dtype float"),
                ("CumSum", [whole, numpy.array(1)], {}, "axis is 1"),
                ("CumSum", [whole, whole], {}, "axis has 3 elements"),
                ("Mod", [whole, whole], {"fmod": 1.5}, "fmod")):
            self.assert_refused(Case(op_type, inputs, attributes), 20, reason)

    def test_an_integer_that_a_real_cannot_be(self):
        """Before opset 12, bounds were of reals only."""
        self.assert_refused(Case("Clip", [numpy.ones(3, int)], {}), 7,
                            "input 0 has dtype int64")


class Laws(unittest.TestCase):
    """What stays known of numbers that are not: here the dims N and M."""

    def dims_of(self, nodes, names, dims=("N", "M", 3), **constants):
        """The dims of tensors whose shapes are these values; s is the shape
        of an input."""
        shapes = [onnx.helper.make_node("ConstantOfShape", [name], [f"{name}_"])
                  for name in names]
        model = folding.make(
            [onnx.helper.make_node("Shape", ["x"], ["s"]), *nodes, *shapes],
            [f"{name}_" for name in names], 20,
            [onnx.numpy_helper.from_array(numpy.array(value), name)
             for name, value in constants.items()],
            [onnx.helper.make_tensor_value_info("x", 1, dims)])
        return [resolved.dims for resolved in folding.resolve(model)]

    def assert_law(self, op_type, inputs, expected, dims=("N", "M", 3),
                   attributes=(), **constants):
        node = onnx.helper.make_node(op_type, inputs, ["y"],
                                     **dict(attributes))
        cast = onnx.helper.make_node("Cast", ["y"], ["z"], to=7)
        self.assertEqual(
            self.dims_of([node, cast], ["z"], dims, **constants), [expected],
            f"{op_type}({inputs}) {constants}")

    def test_neutral_numbers(self):
        same = ("N", "M", 3)
        for op_type, inputs, constant in (
                ("Add", "sc", [0, 0, 0]), ("Add", "cs", 0), ("Sub", "sc", 0),
                ("Mul", "sc", 1), ("Mul", "cs", [1, 1, 1]), ("Div", "sc", 1)):
            self.assert_law(op_type, list(inputs), same, c=constant)

    def test_others_are_not_neutral(self):
        for op_type, inputs, constant, last in (
                ("Add", "sc", 1, 4), ("Sub", "cs", 5, 2), ("Mul", "sc", 2, 6),
                ("Div", "sc", 2, 1), ("Max", "sc", 4, 4), ("Min", "sc", 2, 2),
                ("Mod", "sc", 2, 1), ("Div", "cs", 6, 2)):
            self.assert_law(op_type, list(inputs), (None, None, last),
                            c=constant)
        self.assert_law("Mul", ["s", "c"], (None, "M", 15), c=[2, 1, 5])

    def test_zero_times_anything(self):
        self.assert_law("Mul", ["s", "c"], (0, "M", 0), c=[0, 1, 0])
        self.assert_law("Mul", ["c", "s"], (0, 0, 6), c=[0, 0, 2])

    def test_a_number_and_itself(self):
        for op_type, expected in (
                ("Sub", (0, 0, 0)), ("Equal", (1, 1, 1)), ("Less", (0, 0, 0)),
                ("LessOrEqual", (1, 1, 1)), ("Greater", (0, 0, 0)),
                ("GreaterOrEqual", (1, 1, 1)), ("Max", ("N", "M", 3)),
                ("Min", ("N", "M", 3))):
            self.assert_law(op_type, ["s", "s"], expected)

    def test_numbers_that_may_differ(self):
        swap = onnx.helper.make_node("Gather", ["s", "c"], ["t"])
        for op_type in ("Equal", "Less", "Sub", "Max"):
            nodes = [swap, onnx.helper.make_node(op_type, ["s", "t"], ["y"]),
                     onnx.helper.make_node("Cast", ["y"], ["z"], to=7)]
            (first, second, _), = self.dims_of(nodes, ["z"], c=[1, 0, 2])
            self.assertEqual((first, second), (None, None), op_type)

    def test_one_input_of_any_number(self):
        for op_type in ("Max", "Min"):
            self.assert_law(op_type, ["s"], ("N", "M", 3))

    def test_reductions(self):
        for op_type, dims in (("ReduceProd", ("N", 1, 1)),
                              ("ReduceSum", (0, "N", 0))):
            self.assert_law(op_type, ["s"], ("N",), dims)
            self.assert_law(op_type, ["s"], (None,))
        for op_type in ("ReduceMax", "ReduceMin"):
            self.assert_law(op_type, ["s"], ("N",), ("N", "N", "N"))
            self.assert_law(op_type, ["s"], (None,))
        self.assert_law("CumSum", ["s", "c"], ("N", "N", None), ("N", 0, 2),
                        c=0)

    def test_a_sum_is_one_number_wherever_it_goes(self):
        nodes = [onnx.helper.make_node("Add", ["s", "c"], ["y"]),
                 onnx.helper.make_node("Sub", ["y", "y"], ["z"])]
        self.assertEqual(self.dims_of(nodes, ["z"], c=1), [(0, 0, 0)])

    def test_truth(self):
        """Equal(N, M) is unknown, but not what other conditions make of it."""
        equal = [onnx.helper.make_node("Gather", ["s", "i"], ["t"]),
                 onnx.helper.make_node("Equal", ["s", "t"], ["e"])]
        for op_type, constant, expected in (
                ("And", False, 0), ("And", True, None), ("Or", True, 1),
                ("Or", False, None), ("Xor", False, None)):
            nodes = [*equal,
                     onnx.helper.make_node(op_type, ["e", "c"], ["y"]),
                     onnx.helper.make_node("Cast", ["y"], ["z"], to=7)]
            (first, _, _), = self.dims_of(nodes, ["z"], i=[1, 0, 2],
                                          c=constant)
            self.assertEqual(first, expected, op_type)


if __name__ == "__main__":
    support.main()
