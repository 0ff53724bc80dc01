"""Random cases of the operators that move elements, with what they come to,
which NumPy computes as the specification says it.

It knows neither the library nor the reference evaluator.
"""

import collections
import itertools
import math
import random

import ml_dtypes
import numpy
import schemas

# wanted is a list of arrays, one for each output, or None when the node is to
# be refused. is_disputed: the reference evaluator is known to differ.
Move = collections.namedtuple(
    "Move", "op_type inputs attributes wanted is_disputed",
    defaults=(False,))

LENGTHS = (1, 2, 3, 4)


class SmallRandom(random.Random):
    """Random numbers, of which data of int64 are small."""


# Bits of the NumPy types that have fewer than their container.
NARROW = {"int2": 2, "uint2": 2, "int4": 4, "uint4": 4, "float4_e2m1fn": 4,
          "float6_e2m3fn": 6, "float6_e3m2fn": 6}

COMPUTED = ("bool", "uint2", "uint4", "uint8", "uint16", "uint32", "uint64",
            "int2", "int4", "int8", "int16", "int32", "int64", "float16",
            "bfloat16", "float32", "float64")


def dims_of(random, low=0, high=4):
    dims = [random.choice(LENGTHS) for _ in range(random.randint(low, high))]
    if dims and random.random() < 0.1:
        dims[random.randrange(len(dims))] = 0
    return dims


def is_real(dtype):
    return dtype.kind == "f" or dtype == ml_dtypes.bfloat16


def data_of(random, dtype, dims):
    """An array of any bits, but for NaNs, of which arithmetic changes bits. Of
    int64 that are to be dims, of small numbers."""
    count = math.prod(dims)
    if dtype == numpy.int64 and isinstance(random, SmallRandom):
        return numpy.array([random.randint(-2, 4) for _ in range(count)],
                           dtype).reshape(dims)
    if dtype == bool:
        return numpy.array([random.random() < 0.5 for _ in range(count)],
                           bool).reshape(dims)
    if dtype == object:
        return numpy.array([random.choice(("", "a", "bc"))
                            for _ in range(count)], object).reshape(dims)
    if dtype.name in NARROW:
        bits = [random.randrange(1 << NARROW[dtype.name])
                for _ in range(count)]
        if dtype.name.startswith("int"):
            half = 1 << NARROW[dtype.name] - 1
            return numpy.array([b - half for b in bits], numpy.int8).astype(
                dtype).reshape(dims)
        return numpy.array(bits, numpy.uint8).view(dtype).reshape(dims)
    array = numpy.frombuffer(random.randbytes(count * dtype.itemsize),
                             dtype).reshape(dims)
    if is_real(dtype):
        with numpy.errstate(invalid="ignore"):
            is_nan = numpy.isnan(array.astype(numpy.float64))
        array = numpy.where(is_nan, dtype.type(1.5), array)
    elif dtype.kind == "c":
        array = numpy.nan_to_num(array)
    return numpy.asarray(array)


def integers(values, random=None):
    """A tensor of int64, or with random of int32 as well."""
    dtype = numpy.int64
    if random is not None and random.random() < 0.5:
        dtype = numpy.int32
    return numpy.array(values, dtype)


def index_of(random, length):
    return random.randint(-length, length - 1)


def axis_of(random, rank, opset=28, since=0):
    """An axis, negative ones only from an opset on."""
    return random.randint(-rank if opset >= since else 0, rank - 1)


def maybe(random, attributes, probability=0.7):
    """Attributes that may be left out, as they have their default value."""
    return attributes if random.random() < probability else {}


def gather(random, dtype, opset, schema):
    data = data_of(random, dtype, dims_of(random, 1))
    axis = axis_of(random, data.ndim)
    length = data.shape[axis]
    shape = dims_of(random, 0, 2) if length else [0, 2]
    indices = integers([index_of(random, length) if length else 0
                        for _ in range(math.prod(shape))], random)
    indices = indices.reshape(shape)
    attributes = {"axis": axis} if axis or random.random() < 0.5 else {}
    return Move("Gather", [data, indices], attributes,
                [numpy.take(data, indices, axis)])


def positions_along(random, dims, axis):
    """Indices of an axis of a tensor, no farther than it along the others, as
    the operators take them and as NumPy does."""
    shape = [random.randint(0, dim) if random.random() < 0.2 else dim
             for dim in dims]
    shape[axis] = random.randint(0, 4) if dims[axis] else 0
    indices = integers([index_of(random, dims[axis])
                        for _ in range(math.prod(shape))], random)
    indices = indices.reshape(shape)
    where = list(numpy.indices(shape))
    where[axis] = indices % max(dims[axis], 1)
    return indices, tuple(where)


def gather_elements(random, dtype, opset, schema):
    data = data_of(random, dtype, dims_of(random, 1))
    axis = axis_of(random, data.ndim)
    indices, where = positions_along(random, data.shape, axis)
    return Move("GatherElements", [data, indices], {"axis": axis},
                [data[where]])


def tuples_of(random, dims, front, size):
    """Tuples of indices of the first axes of a tensor."""
    return integers([[index_of(random, dim) for dim in dims[:size]]
                     for _ in range(math.prod(front))]).reshape(
                         [*front, size])


def gather_nd(random, dtype, opset, schema):
    batch = dims_of(random, 0, 2) if opset >= 12 else []
    dims = [random.choice(LENGTHS) for _ in range(random.randint(1, 3))]
    size = random.randint(1, len(dims))
    front = dims_of(random, 0, 2)
    data = data_of(random, dtype, batch + dims)
    indices = tuples_of(random, dims, batch + front, size)
    wanted = numpy.empty(batch + front + dims[size:], dtype)
    for at in itertools.product(*map(range, batch + front)):
        wanted[at] = data[at[:len(batch)] + tuple(indices[at])]
    attributes = {"batch_dims": len(batch)} if batch else {}
    return Move("GatherND", [data, indices], attributes, [wanted])


def axes_case(op_type, data, axes, opset, wanted):
    # Of an attribute the reference takes one axis after the other.
    is_disputed = opset < 13 and bool(axes) and (
        min(axes) < 0 or axes != sorted(axes))
    if opset < 13:
        attributes = {} if axes is None else {"axes": axes}
        return Move(op_type, [data], attributes, [wanted], is_disputed)
    inputs = [data] if axes is None else [data, integers(axes)]
    return Move(op_type, inputs, {}, [wanted], is_disputed)


def unsqueeze(random, dtype, opset, schema):
    data = data_of(random, dtype, dims_of(random))
    count = random.randint(0 if opset >= 13 else 1, 3)
    rank = data.ndim + count
    axes = random.sample(range(rank), count)
    shape = iter(data.shape)
    wanted = data.reshape([1 if axis in axes else next(shape)
                           for axis in range(rank)])
    if opset >= 11:
        axes = [axis - rank if random.random() < 0.3 else axis
                for axis in axes]
    return axes_case("Unsqueeze", data, axes, opset, wanted)


def squeeze(random, dtype, opset, schema):
    dims = [1 if random.random() < 0.5 else dim for dim in dims_of(random)]
    data = data_of(random, dtype, dims)
    ones = [axis for axis, dim in enumerate(dims) if dim == 1]
    axes = None
    if random.random() < 0.7:
        axes = random.sample(ones, random.randint(0, len(ones)))
    gone = ones if axes is None or opset < 13 and not axes else axes
    wanted = data.reshape([dim for axis, dim in enumerate(dims)
                           if axis not in gone])
    if opset >= 11 and axes:
        axes = [axis - len(dims) if random.random() < 0.3 else axis
                for axis in axes]
    return axes_case("Squeeze", data, axes, opset, wanted)


def concat(random, dtype, opset, schema):
    dims = dims_of(random, 1)
    axis = axis_of(random, len(dims), opset, 11)
    inputs = []
    for _ in range(random.randint(1, 4)):
        dims[axis] = random.randint(0, 3)
        inputs.append(data_of(random, dtype, dims))
    return Move("Concat", inputs, {"axis": axis},
                [numpy.concatenate(inputs, axis)])


def split(random, dtype, opset, schema):
    dims = dims_of(random, 1)
    axis = axis_of(random, len(dims), opset, 11)
    count = random.randint(1, 4)
    inputs = []
    attributes = {"axis": axis} if axis or random.random() < 0.5 else {}
    if random.random() < 0.5:
        lengths = [random.randint(0, 3) for _ in range(count)]
        if opset < 13:
            attributes["split"] = lengths
        else:
            inputs = [integers(lengths)]
        dims[axis] = sum(lengths)
    elif opset < 18:
        lengths = [random.randint(0, 3)] * count
        dims[axis] = sum(lengths)
    else:
        attributes["num_outputs"] = count
        length = random.randint(1, 3)
        lengths = [length] * (count - 1) + [random.randint(0, length)]
        dims[axis] = sum(lengths)
        lengths = [-(-dims[axis] // count)] * (count - 1)
        lengths.append(dims[axis] - sum(lengths))
        if lengths[-1] < 0:
            return split(random, dtype, opset, schema)
    data = data_of(random, dtype, dims)
    ends = list(itertools.accumulate(lengths))
    return Move("Split", [data, *inputs], attributes,
                numpy.split(data, ends[:-1], axis))


def range_of(start, end, step, length):
    """The positions that a slice takes, as the version 13 of Slice says."""
    def place(value, low, high):
        return min(max(value + length if value < 0 else value, low), high)
    if step > 0:
        return range(place(start, 0, length), place(end, 0, length), step)
    if length == 0:
        return range(0)
    return range(place(start, 0, length - 1), place(end, -1, length - 1),
                 step)


BOUNDS = (0, 1, 2, 3, 5, -1, -2, -4, -7, 2 ** 31 - 1, -2 ** 31)
WIDE_BOUNDS = BOUNDS + (2 ** 63 - 1, -2 ** 63)


def slice_(random, dtype, opset, schema):
    data = data_of(random, dtype, dims_of(random, 1))
    rank = data.ndim
    count = random.randint(0 if opset >= 10 else 1, rank)
    has_axes = random.random() < 0.6
    axes = random.sample(range(rank), count) if has_axes else range(count)
    narrow = random.random() < 0.5
    starts, ends = ([random.choice(BOUNDS if narrow else WIDE_BOUNDS)
                     for _ in range(count)] for _ in range(2))
    has_steps = opset >= 10 and random.random() < 0.6
    steps = [random.choice((1, 2, 3, -1, -2, -3)) if has_steps else 1
             for _ in range(count)]
    taken = [range(dim) for dim in data.shape]
    # NumPy takes nothing from a start that is too low, going backward.
    is_disputed = False
    for axis, start, end, step in zip(axes, starts, ends, steps):
        length = data.shape[axis]
        taken[axis] = range_of(start, end, step, length)
        python = range(*slice(start, end, step).indices(length))
        is_disputed = is_disputed or list(taken[axis]) != list(python)
    wanted = data[numpy.ix_(*taken)]
    axes = [axis - rank if opset >= 11 and random.random() < 0.3 else axis
            for axis in axes]
    if opset < 10:
        attributes = {"starts": starts, "ends": ends}
        if has_axes:
            attributes["axes"] = axes
        return Move("Slice", [data], attributes, [wanted], is_disputed)
    of = numpy.int32 if narrow else numpy.int64
    return Move("Slice", [
        data, numpy.array(starts, of), numpy.array(ends, of),
        numpy.array(axes, of) if has_axes else None,
        numpy.array(steps, of) if has_steps else None], {}, [wanted],
        is_disputed)


def factors_of(random, count):
    """Dims whose product is this."""
    if count == 0:
        dims = [0] + [random.randint(0, 4) for _ in range(random.randint(0, 3))]
        random.shuffle(dims)
        return dims
    dims = []
    while count > 1 and random.random() < 0.7:
        dims.append(random.choice([d for d in range(1, count + 1)
                                   if count % d == 0]))
        count //= dims[-1]
    dims += [count] if count != 1 or random.random() < 0.5 else []
    random.shuffle(dims)
    return dims


def reshape(random, dtype, opset, schema):
    data = data_of(random, dtype, dims_of(random))
    wanted = factors_of(random, data.size)
    attributes = {}
    if opset >= 14 and random.random() < 0.5:
        attributes["allowzero"] = random.randint(0, 1)
    shape = list(wanted)
    if not attributes.get("allowzero"):
        for axis, dim in enumerate(shape):
            if axis < data.ndim and dim == data.shape[axis] and \
                    random.random() < 0.5:
                shape[axis] = 0
            elif dim == 0 and (axis >= data.ndim or data.shape[axis] != 0):
                # 0 would take a dim that is another.
                return reshape(random, dtype, opset, schema)
    if shape and random.random() < 0.4:
        axis = random.randrange(len(shape))
        if math.prod(wanted[:axis] + wanted[axis + 1:]) and \
                not (attributes.get("allowzero") and 0 in wanted):
            shape[axis] = -1
    return Move("Reshape", [data, integers(shape)], attributes,
                [data.reshape(wanted)])


def flatten(random, dtype, opset, schema):
    data = data_of(random, dtype, dims_of(random))
    axis = random.randint(-data.ndim if opset >= 11 else 0, data.ndim)
    attributes = {"axis": axis}
    if data.ndim and random.random() < 0.3:
        axis, attributes = 1, {}
    wanted = data.reshape(math.prod(data.shape[:axis]),
                          math.prod(data.shape[axis:]))
    # The reference takes -1 for the second dim, also of what is empty.
    return Move("Flatten", [data], attributes, [wanted], data.size == 0)


def transpose(random, dtype, opset, schema):
    data = data_of(random, dtype, dims_of(random))
    axes = list(range(data.ndim))
    random.shuffle(axes)
    if random.random() < 0.3:
        return Move("Transpose", [data], {}, [data.transpose()])
    return Move("Transpose", [data], {"perm": axes}, [data.transpose(axes)])


def expand(random, dtype, opset, schema):
    dims = dims_of(random)
    data = data_of(random, dtype, [
        1 if random.random() < 0.5 else dim
        for dim in dims[random.randint(0, len(dims)):]])
    shape = dims[random.randint(0, len(dims) - data.ndim):]
    shape = [1 if len(shape) - i <= data.ndim and
             dim == data.shape[i - len(shape)] and random.random() < 0.5
             else dim for i, dim in enumerate(shape)]
    wanted = numpy.broadcast_to(
        data, numpy.broadcast_shapes(data.shape, tuple(shape)))
    return Move("Expand", [data, integers(shape)], {}, [wanted])


def tile(random, dtype, opset, schema):
    data = data_of(random, dtype, dims_of(random))
    repeats = [random.choice((0, 1, 1, 2, 3)) for _ in data.shape]
    return Move("Tile", [data, integers(repeats)], {},
                [numpy.tile(data, repeats)])


def padded_positions(mode, begin, end, length):
    """For each position along a padded axis the one it is taken from, -1 for
    none. What negative pads remove is removed first."""
    low, high = max(-begin, 0), length - max(-end, 0)
    positions = []
    for at in range(-begin, length + end):
        if mode == "constant":
            positions.append(at if low <= at < high else -1)
            continue
        size, at = high - low, at - low
        if mode == "edge":
            at = min(max(at, 0), size - 1)
        elif mode == "wrap":
            at %= size
        else:
            at %= max(2 * size - 2, 1)
            at = at if at < size else 2 * size - 2 - at
        positions.append(low + at)
    return positions


def pad(random, dtype, opset, schema):
    modes = ["constant", "constant", "reflect", "edge"]
    mode = random.choice(modes + ["wrap"] * (opset >= 19))
    dims = dims_of(random)
    if mode != "constant":
        dims = [max(dim, 1) for dim in dims]
    data = data_of(random, dtype, dims)
    rank = data.ndim
    has_axes = opset >= 18 and random.random() < 0.5
    axes = list(range(rank))
    if has_axes:
        axes = random.sample(axes, random.randint(0, rank))
    taken = [list(range(dim)) for dim in dims]
    begins, ends = [], []
    for axis in axes:
        length = dims[axis]
        low = -1 if random.random() < 0.2 else 0
        begin = random.choice((0, 1, 2, 5, low))
        begin = max(begin, -length + (mode != "constant"))
        end = random.choice((0, 1, 3, low))
        end = max(end, -length - min(begin, 0) + (mode != "constant"))
        begins.append(begin)
        ends.append(end)
        taken[axis] = padded_positions(mode, begin, end, length)
    attributes = maybe(random, {"mode": mode}) if mode == "constant" else \
        {"mode": mode}
    is_disputed = any(value < 0 for value in begins + ends)
    value = dtype.type(0)
    if opset < 11:
        attributes["pads"] = begins + ends
        if random.random() < 0.6:
            attributes["value"] = random.choice((0.5, -2.0, 3.25))
            value = dtype.type(attributes["value"])
        inputs = []
    else:
        inputs = [integers(begins + ends), None, None]
        if random.random() < 0.6:
            inputs[1] = data_of(random, dtype, [])
            value = inputs[1]
        if dtype.name == "float8_e8m0fnu" and mode == "constant" and \
                inputs[1] is None:
            # It has no zero.
            return pad(random, dtype, opset, schema)
        if has_axes:
            inputs[2] = integers([
                axis - rank if random.random() < 0.3 else axis
                for axis in axes], random)
    wanted = take_or(data, taken, value)
    return Move("Pad", [data, *inputs], attributes, [wanted], is_disputed)


def take_or(data, taken, value):
    """Elements at the positions of each axis; value where one is -1."""
    shape = [len(positions) for positions in taken]
    is_nowhere = numpy.zeros(shape, bool)
    for axis, positions in enumerate(taken):
        along = [1] * axis + [-1] + [1] * (len(taken) - axis - 1)
        is_nowhere |= (numpy.array(positions, int) < 0).reshape(along)
    wanted = numpy.empty(shape, data.dtype)
    if data.size:
        wanted[...] = data[numpy.ix_(*(numpy.array(positions, int)
                                       for positions in taken))]
    wanted[is_nowhere] = value
    return wanted


def where(random, dtype, opset, schema):
    dims = dims_of(random)
    shapes = [[1 if random.random() < 0.3 else dim
               for dim in dims[random.randint(0, len(dims)):]
               ] if random.random() < 0.5 else dims for _ in range(3)]
    condition = data_of(random, numpy.dtype(bool), shapes[0])
    x, y = (data_of(random, dtype, shape) for shape in shapes[1:])
    condition_, x_, y_ = numpy.broadcast_arrays(condition, x, y)
    wanted = numpy.array(y_)
    wanted[condition_] = x_[condition_]
    return Move("Where", [condition, x, y], {}, [wanted])


def is_nonzero(array):
    if array.dtype.kind == "V" or array.dtype == ml_dtypes.bfloat16:
        return array.astype(numpy.float32) != 0
    return array != 0


def non_zero(random, dtype, opset, schema):
    data = numpy.array(data_of(random, dtype, dims_of(random)))
    if data.ndim:
        keep = data_of(random, numpy.dtype(bool), data.shape)
        data[keep] = 0
        if is_real(dtype) and random.random() < 0.3:
            data[keep] = -data[keep]
    found = is_nonzero(data)
    where_ = numpy.nonzero(found) if data.ndim else []
    count = int(numpy.count_nonzero(found))
    wanted = numpy.array(where_, numpy.int64).reshape(data.ndim, count)
    return Move("NonZero", [data], {}, [wanted])


def trilu(random, dtype, opset, schema):
    data = data_of(random, dtype, dims_of(random, 2))
    upper = random.randint(0, 1)
    k, inputs = 0, []
    if random.random() < 0.7:
        k = random.choice((0, 1, -1, 2, -3, 2 ** 63 - 1, -2 ** 63))
        inputs = [integers(k)]
    rows, columns = data.shape[-2:]
    wanted = numpy.zeros_like(data)
    for i, j in itertools.product(range(rows), range(columns)):
        if (j - i >= k) if upper else (j - i <= k):
            wanted[..., i, j] = data[..., i, j]
    attributes = {"upper": upper} if not upper else \
        maybe(random, {"upper": 1})
    return Move("Trilu", [data, *inputs], attributes, [wanted], abs(k) > 9)


def small_data(random, dtype, dims):
    """Numbers that sums and products of a few stay within the dtype."""
    low = 0 if dtype.kind in "bu" else -2
    chosen = [random.randint(low, 1 if dtype == bool else 2)
              for _ in range(math.prod(dims))]
    return numpy.array(chosen).astype(dtype).reshape(dims)


def reduce_(reduction, a, b):
    if reduction == "none":
        return b
    if reduction in ("min", "max"):
        return min(a, b) if reduction == "min" else max(a, b)
    return a + b if reduction == "add" else a * b


def reduction_of(random, dtype, opset):
    """A reduction, and what makes the data for it. Only numbers of these
    dtypes are reduced."""
    names = ["none"]
    if dtype.name in COMPUTED and \
            dtype.name not in ("float16", "bfloat16"):
        names += ["add", "mul"] * (opset >= 16) + ["min", "max"] * (opset >= 18)
    name = random.choice(names)
    return name, data_of if name == "none" else small_data


def update(wanted, position, reduction, value):
    wanted[position] = reduce_(reduction, wanted[position], value)


def scatter_elements(random, dtype, opset, schema):
    reduction, make = reduction_of(random, dtype, opset)
    data = make(random, dtype, dims_of(random, 1))
    axis = axis_of(random, data.ndim)
    indices, where_ = positions_along(random, data.shape, axis)
    updates = make(random, dtype, indices.shape)
    wanted = numpy.array(data)
    for at in itertools.product(*map(range, indices.shape)):
        update(wanted, tuple(grid[at] for grid in where_), reduction,
               updates[at])
    attributes = {"axis": axis}
    if reduction != "none":
        attributes["reduction"] = reduction
    return Move(schema.name, [data, indices, updates], attributes, [wanted])


def scatter_nd(random, dtype, opset, schema):
    reduction, make = reduction_of(random, dtype, opset)
    dims = [random.choice(LENGTHS) for _ in range(random.randint(1, 3))]
    size = random.randint(1, len(dims))
    front = dims_of(random, 0, 2)
    data = make(random, dtype, dims)
    indices = tuples_of(random, dims, front, size)
    updates = make(random, dtype, front + dims[size:])
    wanted = numpy.array(data)
    for at in itertools.product(*map(range, front)):
        for rest in itertools.product(*map(range, dims[size:])):
            position = tuple(int(i) for i in indices[at]) + rest
            update(wanted, position, reduction, updates[at + rest])
    attributes = {"reduction": reduction} if reduction != "none" else \
        maybe(random, {"reduction": "none"} if opset >= 16 else {})
    return Move("ScatterND", [data, indices, updates], attributes, [wanted])


def range_(random, dtype, opset, schema):
    if is_real(dtype):
        start, limit = (random.choice((0, 0.5, -3, 2.25, 7)) +
                        random.randint(-3, 3) for _ in range(2))
        delta = random.choice((1, -1, 0.1, 0.3, -0.7, 2.5))
    else:
        ends = (0, 1, 5, -3, 12, -20) if random.random() < 0.9 else \
            (numpy.iinfo(dtype).max, numpy.iinfo(dtype).max - 7)
        start, limit = random.choice(ends), random.choice(ends)
        delta = random.choice((1, -1, 2, 3, -4))
    start, limit, delta = inputs = [
        numpy.array(value).astype(dtype) for value in (start, limit, delta)]
    attributes = {}
    if not is_real(dtype):
        values = list(range(int(start), int(limit), int(delta)))
        return Move("Range", inputs, attributes,
                    [numpy.array(values, dtype)], int(limit) > 2 ** 52)
    start, limit, delta = (float(value) for value in inputs)
    count = max(math.ceil((limit - start) / delta), 0)
    within = numpy.float64
    if dtype.itemsize == 2:
        attributes = random.choice(({}, {"stash_type": 1},
                                    {"stash_type": 11}))
        if attributes != {"stash_type": 11}:
            within = numpy.float32
    # Each step of NumPy's is as long as the first.
    first, second = within(start), within(start + delta)
    values = [first, second][:count]
    values += [first + within(i) * (second - first) for i in range(2, count)]
    return Move("Range", inputs, attributes,
                [numpy.array(values, within).astype(dtype)])


def identity(random, dtype, opset, schema):
    data = data_of(random, dtype, dims_of(random))
    return Move("Identity", [data], {}, [data])


def mode_of(random):
    mode = random.choice(("DCR", "CRD"))
    return mode, {"mode": mode} if mode == "CRD" else \
        maybe(random, {"mode": mode})


def depth_to_space(random, dtype, opset, schema):
    block = random.randint(1, 3)
    n, c, h, w = [random.choice((0, 1, 1, 2)) for _ in range(4)]
    data = data_of(random, dtype, [n, c * block * block, h, w])
    mode, attributes = mode_of(random) if opset >= 11 else ("DCR", {})
    if mode == "DCR":
        wanted = data.reshape(n, block, block, c, h, w)
        wanted = wanted.transpose(0, 3, 4, 1, 5, 2)
    else:
        wanted = data.reshape(n, c, block, block, h, w)
        wanted = wanted.transpose(0, 1, 4, 2, 5, 3)
    return Move("DepthToSpace", [data], {"blocksize": block, **attributes},
                [wanted.reshape(n, c, h * block, w * block)])


def space_to_depth(random, dtype, opset, schema):
    block = random.randint(1, 3)
    n, c, h, w = [random.choice((0, 1, 1, 2)) for _ in range(4)]
    data = data_of(random, dtype, [n, c, h * block, w * block])
    mode, attributes = mode_of(random) if opset >= 28 else ("DCR", {})
    wanted = data.reshape(n, c, h, block, w, block).transpose(
        (0, 3, 5, 1, 2, 4) if mode == "DCR" else (0, 1, 3, 5, 2, 4))
    return Move("SpaceToDepth", [data], {"blocksize": block, **attributes},
                [wanted.reshape(n, c * block * block, h, w)])


def one_hot(random, dtype, opset, schema):
    kinds = [numpy.dtype(name) for name in
             ("int64", "int32", "uint8", "float32", "float16")]
    kind = random.choice(kinds)
    depth = random.randint(0, 4)
    shape = dims_of(random, 0, 3)
    indices = numpy.array([
        random.randint(0 if kind == "uint8" else -depth - 1, depth + 1)
        for _ in range(math.prod(shape))])
    indices = indices.astype(kind).reshape(shape)
    values = data_of(random, dtype, [2])
    axis = random.randint(-indices.ndim - 1, indices.ndim)
    places = numpy.arange(depth).reshape(
        [-1] + [1] * (indices.ndim - axis % (indices.ndim + 1)))
    pointed = indices.astype(numpy.int64)
    if opset >= 11:
        pointed = numpy.where(pointed < 0, pointed + depth, pointed)
    hit = numpy.expand_dims(pointed, axis) == places
    wanted = numpy.empty(hit.shape, dtype)
    wanted[hit], wanted[~hit] = values[1], values[0]
    attributes = maybe(random, {"axis": -1}) if axis == -1 else {"axis": axis}
    depth = numpy.array(depth).astype(random.choice(kinds))
    # The reference computes with the values, and takes all versions as 28.
    is_disputed = dtype.kind not in "iu" or \
        opset < 11 and bool((indices < 0).any())
    return Move("OneHot", [
        indices, depth.reshape(random.choice(([], [1]))), values],
        attributes, [wanted], is_disputed)


def eye_like(random, dtype, opset, schema):
    data = data_of(random, numpy.dtype(random.choice(("float32", "int64"))),
                   dims_of(random, 2, 2))
    attributes = {}
    k = random.choice((0, 0, 1, -1, 2, -5))
    if k or random.random() < 0.5:
        attributes["k"] = k
    if data.dtype != dtype or random.random() < 0.5:
        attributes["dtype"] = dtype
    return Move("EyeLike", [data], attributes,
                [numpy.eye(*data.shape, k=k).astype(dtype)])


def range_of_dtype(dtype):
    """The least and the greatest of the numbers to cast that a dtype holds."""
    low, high = -100, 100
    if dtype.name in NARROW or dtype.kind in "iu":
        info = ml_dtypes.iinfo(dtype)
        low, high = max(low, int(info.min)), min(high, int(info.max))
    return low, high


def numbers_to_cast(random, source, target):
    """An array of small numbers, or of any that the source has, for which the
    target may have no place."""
    dims = dims_of(random, 0, 2)
    if random.random() < 0.25:
        return data_of(random, source, dims)
    count = math.prod(dims)
    lows, highs = zip(range_of_dtype(source), range_of_dtype(target))
    chosen = [random.randint(max(lows), min(highs)) for _ in range(count)]
    if is_real(source):
        chosen = [value + random.choice((0, 0.5, 0.3)) for value in chosen]
    return numpy.array(chosen).astype(source).reshape(dims)


def cast_exactly(array, target):
    """NumPy's cast, or None where the target has no place for a number."""
    source = array.dtype
    if source == target:
        return array
    if target == bool:
        return is_nonzero(array)
    if is_real(target):
        with numpy.errstate(all="ignore"):
            return array.astype(target)
    info = ml_dtypes.iinfo(target)
    for value in array.reshape(-1).tolist():
        if not math.isfinite(value) or not info.min <= int(value) <= info.max:
            return None
    # Not every pair of types of ml_dtypes has a cast of its own.
    if target.name in NARROW or source.name in NARROW:
        return array.astype(numpy.int64).astype(target)
    return array.astype(target)


def cast_case(random, dtype, schema, like):
    target = random.choice([target for target in schemas.dtypes(schema, "T2")
                            if target.name in COMPUTED])
    data = numbers_to_cast(random, dtype, target)
    wanted = cast_exactly(data, target)
    op_type = "CastLike" if like else "Cast"
    inputs = [data] + ([numpy.zeros([0], target)] if like else [])
    # The reference wraps what has no place.
    return Move(op_type, inputs, {} if like else {"to": target},
                None if wanted is None else [wanted], wanted is None)


def cast(random, dtype, opset, schema):
    return cast_case(random, dtype, schema, False)


def cast_like(random, dtype, opset, schema):
    return cast_case(random, dtype, schema, True)


SHAPE_ENDS = (*range(-6, 7), 2 ** 63 - 1, -2 ** 63)


def shape(random, dtype, opset, schema):
    data = data_of(random, dtype, dims_of(random))
    attributes = {}
    for name in ("start", "end"):
        if opset >= 15 and random.random() < 0.6:
            attributes[name] = random.choice(SHAPE_ENDS)
    rank = data.ndim
    start, end = attributes.get("start", 0), attributes.get("end", rank)
    first, last = (min(max(at + rank if at < 0 else at, 0), rank)
                   for at in (start, end))
    # The reference adds the rank again to an end that is below 0 with it.
    is_disputed = end < -rank and first < end + 2 * rank
    return Move("Shape", [data], attributes,
                [integers(data.shape[first:last])], is_disputed)


def size(random, dtype, opset, schema):
    data = data_of(random, dtype, dims_of(random))
    return Move("Size", [data], {}, [integers(data.size)])


# op_type -> the function that makes a case, and the type parameter whose dtypes
# are tried.
OPERATORS = {
    "Cast": (cast, "T1"),
    "CastLike": (cast_like, "T1"),
    "Concat": (concat, "T"),
    "DepthToSpace": (depth_to_space, "T"),
    "Expand": (expand, "T"),
    "EyeLike": (eye_like, "T2"),
    "Flatten": (flatten, "T"),
    "Gather": (gather, "T"),
    "GatherElements": (gather_elements, "T"),
    "GatherND": (gather_nd, "T"),
    "Identity": (identity, None),
    "NonZero": (non_zero, "T"),
    "OneHot": (one_hot, "T3"),
    "Pad": (pad, "T"),
    "Range": (range_, "T"),
    "Reshape": (reshape, "T"),
    "Scatter": (scatter_elements, "T"),
    "ScatterElements": (scatter_elements, "T"),
    "ScatterND": (scatter_nd, "T"),
    "Shape": (shape, "T"),
    "Size": (size, "T"),
    "Slice": (slice_, "T"),
    "SpaceToDepth": (space_to_depth, "T"),
    "Split": (split, "T"),
    "Squeeze": (squeeze, "T"),
    "Tile": (tile, "T"),
    "Transpose": (transpose, "T"),
    "Trilu": (trilu, "T"),
    "Unsqueeze": (unsqueeze, "T"),
    "Where": (where, "T"),
}
