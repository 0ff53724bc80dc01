"""Random nodes of the operators of which only dims are told."""

import collections

import numpy
from onnx import TensorProto

# inputs: a Tensor, an array that is a constant, or None for one left out.
# wanted: the dims of the output by the specification, where inference may give
# others.
Node = collections.namedtuple("Node",
                              "op_type inputs attributes outputs wanted",
                              defaults=({}, 1, None))
Tensor = collections.namedtuple("Tensor", "dims dtype",
                                defaults=(TensorProto.FLOAT,))

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
INT32, UINT8, BOOL = TensorProto.INT32, TensorProto.UINT8, TensorProto.BOOL

LENGTHS = (0, 1, 1, 2, 2, 3, 3, 4, 7)


def lengths(random, rank):
    return [random.choice(LENGTHS) for _ in range(rank)]


def dims_of(random, low=0, high=4):
    return lengths(random, random.randint(low, high))


def stretched(random, dims):
    dims = dims[random.randint(0, len(dims)):] if random.random() < 0.3 \
        else dims
    return [1 if random.random() < 0.3 else dim for dim in dims]


def maybe(random, name, value):
    return {name: value} if random.random() < 0.6 else {}


def like(op_type, dtype=FLOAT, low=0, **attributes):
    return lambda random, opset: Node(
        op_type, [Tensor(dims_of(random, low), dtype)], attributes)


def pair(op_type, dtype=FLOAT, **attributes):
    def make(random, opset):
        dims = dims_of(random)
        return Node(op_type, [Tensor(stretched(random, dims), dtype)
                              for _ in range(2)], attributes)
    return make


def several(op_type):
    def make(random, opset):
        dims = dims_of(random)
        count = random.randint(1, 4)
        if opset < 8:  # which brought broadcasting
            return Node(op_type, [Tensor(dims)] * count)
        return Node(op_type, [Tensor(stretched(random, dims))
                              for _ in range(count)])
    return make


def prelu(random, opset):
    dims = dims_of(random, 1)
    return Node("PRelu", [Tensor(dims), Tensor(stretched(random, dims))])


def clip(random, opset):
    bounds = [Tensor([]), Tensor([])] if opset >= 11 else []
    return Node("Clip", [Tensor(dims_of(random)), *bounds])


def reduction(op_type, axes_since):
    def make(random, opset):
        dims = dims_of(random)
        axes = random.sample(range(len(dims)), random.randint(0, len(dims)))
        axes = [axis - len(dims) if random.random() < 0.3 else axis
                for axis in axes]
        attributes = maybe(random, "keepdims", random.randint(0, 1))
        inputs = [Tensor(dims)]
        if opset >= axes_since:
            attributes |= maybe(random, "noop_with_empty_axes",
                                random.randint(0, 1))
            if random.random() < 0.8:
                inputs.append(numpy.array(axes, numpy.int64))
        elif axes:
            attributes |= maybe(random, "axes", axes)
        return Node(op_type, inputs, attributes)
    return make


def extremum(op_type):
    def make(random, opset):
        dims = dims_of(random, 1)
        return Node(op_type, [Tensor(dims)],
                    maybe(random, "axis", random.randrange(len(dims))) |
                    maybe(random, "keepdims", random.randint(0, 1)))
    return make


def cumulative(op_type):
    def make(random, opset):
        dims = dims_of(random, 1)
        return Node(op_type, [Tensor(dims), numpy.array(0)])
    return make


# -- matrices --

def matmul(op_type, dtype=FLOAT):
    def make(random, opset):
        batch = dims_of(random, 0, 2)
        rows, depth, columns = lengths(random, 3)
        a = [*stretched(random, batch), rows, depth]
        b = [*stretched(random, batch), depth, columns]
        a = [depth] if random.random() < 0.15 else a
        b = [depth] if random.random() < 0.15 else b
        if op_type == "QLinearMatMul":
            scale, zero = Tensor([]), Tensor([], UINT8)
            return Node(op_type, [Tensor(a, UINT8), scale, zero,
                                  Tensor(b, UINT8), scale, zero, scale, zero])
        return Node(op_type, [Tensor(a, dtype), Tensor(b, dtype)])
    return make


def gemm(random, opset):
    rows, depth, columns = lengths(random, 3)
    transposed = random.randint(0, 1), random.randint(0, 1)
    a = [depth, rows] if transposed[0] else [rows, depth]
    b = [columns, depth] if transposed[1] else [depth, columns]
    c = [Tensor([columns])] if opset < 11 or random.random() < 0.5 else []
    return Node("Gemm", [Tensor(a), Tensor(b), *c],
                {"transA": transposed[0], "transB": transposed[1]})


def det(random, opset):
    side = random.choice(LENGTHS)
    return Node("Det", [Tensor([*dims_of(random, 0, 2), side, side])])


# -- windows --

def window(random, kernel, opset, dilates=True):
    """Attributes of a window over axes that are long enough for it."""
    attributes = maybe(random, "strides",
                       [random.randint(1, 3) for _ in kernel])
    if dilates:
        attributes |= maybe(random, "dilations",
                            [random.randint(1, 2) for _ in kernel])
    auto_pad = random.choice(("NOTSET", "NOTSET", "VALID", "SAME_UPPER",
                              "SAME_LOWER"))
    if auto_pad != "NOTSET":
        attributes["auto_pad"] = auto_pad
        if auto_pad != "VALID":
            attributes.pop("dilations", None)
    else:
        pads = [random.randint(0, size - 1) for size in kernel]
        ends = [random.randint(0, size - 1) for size in kernel]
        attributes |= maybe(random, "pads", pads + ends)
    return attributes


def is_same(attributes):
    return attributes.get("auto_pad", "").startswith("SAME")


def spatial(random, rank):
    return [random.randint(7, 12) for _ in range(rank)]


def convolution(op_type):
    def make(random, opset):
        rank = random.randint(1, 3)
        group = random.choice((1, 1, 2, 3))
        kernel = [random.randint(1, 4) for _ in range(rank)]
        channels, filters = (group * random.randint(1, 3) for _ in range(2))
        x = [random.choice(LENGTHS), channels, *spatial(random, rank)]
        w = [filters, channels // group, *kernel]
        attributes = window(random, kernel, opset) | {"group": group} | \
            maybe(random, "kernel_shape", kernel)
        if op_type == "Conv":
            return Node(op_type, [Tensor(x), Tensor(w), Tensor([filters])],
                        attributes)
        if op_type == "ConvInteger":
            return Node(op_type, [Tensor(x, UINT8), Tensor(w, UINT8)],
                        attributes)
        scale, zero = Tensor([]), Tensor([], UINT8)
        return Node(op_type, [Tensor(x, UINT8), scale, zero, Tensor(w, UINT8),
                              scale, zero, scale, zero], attributes)
    return make


def deform_conv(random, opset):
    kernel = [random.randint(1, 3) for _ in range(2)]
    x = [2, 3, *spatial(random, 2)]
    return Node("DeformConv", [Tensor(x), Tensor([4, 3, *kernel]),
                               Tensor([2, 2 * kernel[0] * kernel[1], 8, 8])],
                {"kernel_shape": kernel} | maybe(random, "strides", [2, 1]))


def conv_transpose(random, opset):
    rank = random.randint(1, 3)
    group = random.choice((1, 1, 2))
    kernel = [random.randint(1, 4) for _ in range(rank)]
    channels, filters = (group * random.randint(1, 3) for _ in range(2))
    attributes = window(random, kernel, opset) | {"group": group}
    same = is_same(attributes)
    if not same and random.random() < 0.4:
        attributes["output_padding"] = [random.randint(0, 1) for _ in kernel]
    if not same and random.random() < 0.2:
        attributes["output_shape"] = [random.randint(12, 20) for _ in kernel]
    dims = spatial(random, rank)
    strides = attributes.get("strides", [1] * rank)
    wanted = [2, filters, *(dim * stride for dim, stride
                            in zip(dims, strides))] if same else None
    return Node("ConvTranspose", [
        Tensor([2, channels, *dims]),
        Tensor([channels, filters // group, *kernel])], attributes, 1, wanted)


def pool(op_type, dilates_since, ceil_since=10):
    def make(random, opset):
        rank = random.randint(1, 3)
        kernel = [random.randint(1, 4) for _ in range(rank)]
        attributes = window(random, kernel, opset, opset >= dilates_since)
        attributes["kernel_shape"] = kernel
        if opset >= ceil_since:
            attributes |= maybe(random, "ceil_mode", random.randint(0, 1))
        dims = spatial(random, rank)
        strides = attributes.get("strides", [1] * rank)
        wanted = [2, 3, *(-(-dim // stride) for dim, stride
                          in zip(dims, strides))] \
            if is_same(attributes) else None
        outputs = random.randint(1, 2) \
            if op_type == "MaxPool" and opset >= 8 else 1
        return Node(op_type, [Tensor([2, 3, *dims])], attributes, outputs,
                    wanted)
    return make


def max_unpool(random, opset):
    rank = random.randint(1, 2)
    kernel = [random.randint(1, 3) for _ in range(rank)]
    dims = [2, 3, *spatial(random, rank)]
    inputs = [Tensor(dims), Tensor(dims, INT64)]
    if random.random() < 0.4:
        inputs.append(numpy.array([2, 3, *spatial(random, rank)]))
    return Node("MaxUnpool", inputs, {"kernel_shape": kernel} | maybe(
        random, "strides", [random.randint(1, 3) for _ in kernel]))


def global_pool(op_type):
    return lambda random, opset: Node(
        op_type, [Tensor(dims_of(random, 3, 5))])


def roi_align(random, opset):
    return Node("RoiAlign", [Tensor([2, 3, 8, 8]), Tensor([5, 4]),
                             Tensor([5], INT64)],
                maybe(random, "output_height", 3) |
                maybe(random, "output_width", 4))


def max_roi_pool(random, opset):
    return Node("MaxRoiPool", [Tensor([2, 3, 8, 8]), Tensor([6, 5])],
                {"pooled_shape": [2, 3]})


# -- normalizations and the like --

def softmax(op_type):
    def make(random, opset):
        dims = dims_of(random, 1 if opset >= 13 else 2)
        return Node(op_type, [Tensor(dims)], maybe(
            random, "axis", random.randrange(len(dims))))
    return make


def dropout(random, opset):
    return Node("Dropout", [Tensor(dims_of(random))], {},
                random.randint(1, 2))


def batch_normalization(random, opset):
    dims = dims_of(random, 2, 4)
    train = random.random() < 0.3 and opset >= 14
    return Node("BatchNormalization", [
        Tensor(dims), *[Tensor([dims[1]]) for _ in range(4)]],
        {"training_mode": 1} if train else {}, 3 if train else 1)


def channel_normalization(op_type, **attributes):
    def make(random, opset):
        dims = [2, 4, *dims_of(random, 1, 3)]
        size = 2 if op_type == "GroupNormalization" and opset < 21 else 4
        return Node(op_type, [Tensor(dims), Tensor([size]), Tensor([size])],
                    attributes)
    return make


def layer_normalization(op_type, outputs):
    def make(random, opset):
        dims = dims_of(random, 1)
        axis = random.randrange(len(dims))
        return Node(op_type, [Tensor(dims), Tensor(dims[axis:])],
                    {"axis": axis - len(dims)}, random.randint(1, outputs))
    return make


def swi_glu(random, opset):
    dims = dims_of(random)
    return Node("SwiGLU", [Tensor(dims), Tensor(dims)])


def causal_conv(random, opset):
    return Node("CausalConvWithState", [
        Tensor([2, 3, 7]), Tensor([3, 1, random.randint(1, 4)])], {}, 2)


# -- selections --

def top_k(random, opset):
    dims = dims_of(random, 1)
    axis = random.randrange(len(dims))
    if opset < 10:  # where K is 1 or more
        dims[axis] = max(dims[axis], 1)
    k = random.randint(min(1, dims[axis]), dims[axis])
    if opset < 10:
        return Node("TopK", [Tensor(dims)], {"axis": axis, "k": k}, 2)
    return Node("TopK", [Tensor(dims), numpy.array([k])], {"axis": axis}, 2)


def compress(random, opset):
    dims = dims_of(random, 1)
    return Node("Compress", [Tensor(dims), Tensor([3], BOOL)],
                maybe(random, "axis", random.randrange(len(dims))))


def unique(random, opset):
    dims = dims_of(random, 1)
    return Node("Unique", [Tensor(dims)],
                maybe(random, "axis", random.randrange(len(dims))), 4)


def one_hot(random, opset):
    dims = dims_of(random, 1)
    depth = numpy.array(random.randint(1, 9), random.choice(
        (numpy.int64, numpy.int32, numpy.float32)))
    return Node("OneHot", [Tensor(dims, INT64), depth, Tensor([2])],
                maybe(random, "axis", random.randint(
                    -len(dims) - 1, len(dims))))


def non_max_suppression(random, opset):
    return Node("NonMaxSuppression", [Tensor([2, 6, 4]), Tensor([2, 3, 6])])


def grid_sample(random, opset):
    rank = 2 if opset < 20 else random.randint(2, 3)
    return Node("GridSample", [
        Tensor([2, 3, *spatial(random, rank)]),
        Tensor([2, *spatial(random, rank), rank])])


def affine_grid(random, opset):
    rank = random.randint(2, 3)
    return Node("AffineGrid", [
        Tensor([2, rank, rank + 1]),
        numpy.array([2, 3, *spatial(random, rank)])])


def resize(random, opset):
    dims = dims_of(random, 1)
    axes = list(range(len(dims)))
    attributes = {"mode": "nearest"}
    if opset >= 18 and random.random() < 0.5:
        random.shuffle(axes)
        axes = axes[:random.randint(1, len(axes))]
        attributes["axes"] = axes
    scales = numpy.array([random.choice((1, 0.5, 2, 1.7, 0.3, 3.2))
                          for _ in axes], numpy.float32)
    if opset < 11:
        return Node("Resize", [Tensor(dims), scales], attributes)
    roi = Tensor([2 * len(dims)]) if opset < 13 else None
    if random.random() < 0.5:
        return Node("Resize", [Tensor(dims), roi, scales], attributes)
    # A dim of 0 has no ratio to keep.
    if opset >= 18 and 0 not in dims:
        attributes |= maybe(random, "keep_aspect_ratio_policy", random.choice(
            ("stretch", "not_larger", "not_smaller")))
    empty = numpy.zeros(0, numpy.float32) if opset < 13 else None
    sizes = numpy.array([random.randint(1, 20) for _ in axes])
    return Node("Resize", [Tensor(dims), roi, empty, sizes], attributes)


def upsample(random, opset):
    dims = dims_of(random, 1)
    scales = [random.choice((1.0, 2.0, 1.7, 3.2)) for _ in dims]
    if opset < 9:
        return Node("Upsample", [Tensor(dims)], {"scales": scales})
    return Node("Upsample", [Tensor(dims), numpy.array(
        scales, numpy.float32)])


# -- sequences of time, and sums over named axes --

def recurrent(op_type, gates):
    def make(random, opset):
        length, batch, size, hidden = lengths(random, 4)
        direction = random.choice(("forward", "reverse", "bidirectional"))
        directions = 2 if direction == "bidirectional" else 1
        layout = random.randint(0, 1) if opset >= 14 else 0
        x = [batch, length, size] if layout else [length, batch, size]
        attributes = {"direction": direction, "hidden_size": hidden}
        if opset >= 14:
            attributes["layout"] = layout
        return Node(op_type, [
            Tensor(x), Tensor([directions, gates * hidden, size]),
            Tensor([directions, gates * hidden, hidden])], attributes,
            random.randint(1, 3 if op_type == "LSTM" else 2))
    return make


EQUATIONS = ("ij,jk->ik", "ij->ji", "ii->i", "ij,ij->", "bij,bjk->bik",
             "...ij,...jk->...ik", "ij,jk", "i,j->ij", "...i->...", "ij,kj",
             "aB", "bA,Ac",
             " a B , B c -> a c ", "i...->...i", "abc,abd->dc", "ii")


def einsum(random, opset):
    equation = random.choice(EQUATIONS)
    sizes = {letter: random.choice(LENGTHS) for letter in equation}
    batch = dims_of(random, 0, 2)
    inputs = []
    for term in equation.split("->", maxsplit=1)[0].split(","):
        dims = []
        for letter in term.strip().replace("...", ".").replace(" ", ""):
            dims += batch if letter == "." else [sizes[letter]]
        inputs.append(Tensor(dims))
    return Node("Einsum", inputs, {"equation": equation})


def attention(random, opset):
    batch, length, size, more, width = lengths(random, 5)
    heads = random.randint(1, 7)
    groups = random.choice((1, 2))
    if random.random() < 0.5:
        return Node("Attention", [
            Tensor([batch, heads * groups, length, size]),
            Tensor([batch, heads, more, size]),
            Tensor([batch, heads, more, width])])
    return Node("Attention", [
        Tensor([batch, length, heads * groups * size]),
        Tensor([batch, more, heads * size]),
        Tensor([batch, more, heads * width])],
        {"q_num_heads": heads * groups, "kv_num_heads": heads})


def rotary_embedding(random, opset):
    return Node("RotaryEmbedding", [
        Tensor([2, 3, 5, 8]), Tensor([50, 4]), Tensor([50, 4]),
        Tensor([2, 5], INT64)])


# -- generation --

def random_like(op_type):
    return lambda random, opset: Node(
        op_type, [Tensor(dims_of(random))],
        maybe(random, "dtype", TensorProto.DOUBLE))


def random_of(op_type):
    return lambda random, opset: Node(
        op_type, [], {"shape": dims_of(random, 1)} |
        maybe(random, "dtype", TensorProto.DOUBLE))


def multinomial(random, opset):
    return Node("Multinomial", [Tensor(lengths(random, 2))],
                maybe(random, "sample_size", 5) |
                maybe(random, "dtype", INT64))


def eye_like(random, opset):
    return Node("EyeLike", [Tensor(lengths(random, 2))],
                maybe(random, "dtype", INT64))


def quantize(random, opset):
    zero = [Tensor([], TensorProto.INT8)] if random.random() < 0.5 else []
    return Node("QuantizeLinear", [Tensor(dims_of(random)), Tensor([]), *zero])


def dequantize(random, opset):
    return Node("DequantizeLinear", [Tensor(dims_of(random), UINT8),
                                     Tensor([])])


def dynamic_quantize(random, opset):
    return Node("DynamicQuantizeLinear", [Tensor(dims_of(random))], {}, 3)


def reverse_sequence(random, opset):
    dims = dims_of(random, 2)
    return Node("ReverseSequence", [Tensor(dims), Tensor([dims[1]], INT64)])


def tensor_scatter(random, opset):
    return Node("TensorScatter", [Tensor([2, 3, 8, 4]), Tensor([2, 3, 2, 4]),
                                  Tensor([2], INT64)])


UNARY = """Abs Acos Acosh Asin Asinh Atan Atanh Ceil Celu Cos Cosh Elu Erf Exp
Floor Gelu HardSigmoid HardSwish LeakyRelu Log Mish Neg Reciprocal Relu Round
Selu Shrink Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Swish Tan Tanh
ThresholdedRelu IsInf IsNaN""".split()

# op_type -> (random, opset) -> a Node.
GENERATORS = {
    **{name: like(name) for name in UNARY},
    "Not": like("Not", BOOL),
    "BitwiseNot": like("BitwiseNot", INT32),
    # Inference refuses its own default of the axes.
    "MeanVarianceNormalization": like("MeanVarianceNormalization", low=3,
                                      axes=[0, 2]),
    "LRN": like("LRN", low=3, size=3),
    "LpNormalization": like("LpNormalization", low=1),
    **{name: pair(name) for name in (
        "Add", "Sub", "Mul", "Div", "Pow", "Less", "LessOrEqual", "Greater",
        "GreaterOrEqual")},
    **{name: pair(name, BOOL) for name in ("And", "Or", "Xor")},
    **{name: pair(name, INT32) for name in (
        "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Equal")},
    "BitShift": pair("BitShift", UINT8, direction="LEFT"),
    "Mod": pair("Mod", INT32),
    **{name: several(name) for name in ("Min", "Max", "Sum", "Mean")},
    "PRelu": prelu,
    "Clip": clip,
    "ReduceSum": reduction("ReduceSum", 13),
    **{f"Reduce{name}": reduction(f"Reduce{name}", 18) for name in (
        "L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod",
        "SumSquare")},
    "ArgMax": extremum("ArgMax"),
    "ArgMin": extremum("ArgMin"),
    "CumSum": cumulative("CumSum"),
    "CumProd": cumulative("CumProd"),
    "MatMul": matmul("MatMul"),
    "MatMulInteger": matmul("MatMulInteger", UINT8),
    "QLinearMatMul": matmul("QLinearMatMul"),
    "Gemm": gemm,
    "Det": det,
    "Conv": convolution("Conv"),
    "ConvInteger": convolution("ConvInteger"),
    "QLinearConv": convolution("QLinearConv"),
    "DeformConv": deform_conv,
    "ConvTranspose": conv_transpose,
    "MaxPool": pool("MaxPool", 10),
    "AveragePool": pool("AveragePool", 19),
    "LpPool": pool("LpPool", 18, 18),
    "MaxUnpool": max_unpool,
    **{name: global_pool(name) for name in (
        "GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool")},
    "RoiAlign": roi_align,
    "MaxRoiPool": max_roi_pool,
    **{name: softmax(name) for name in ("Softmax", "LogSoftmax", "Hardmax")},
    "Dropout": dropout,
    "BatchNormalization": batch_normalization,
    "InstanceNormalization": channel_normalization("InstanceNormalization"),
    "GroupNormalization": channel_normalization("GroupNormalization",
                                                num_groups=2),
    "LayerNormalization": layer_normalization("LayerNormalization", 3),
    "RMSNormalization": layer_normalization("RMSNormalization", 1),
    "TopK": top_k,
    "Compress": compress,
    "Unique": unique,
    "OneHot": one_hot,
    "NonMaxSuppression": non_max_suppression,
    "GridSample": grid_sample,
    "AffineGrid": affine_grid,
    "Resize": resize,
    "Upsample": upsample,
    "LSTM": recurrent("LSTM", 4),
    "GRU": recurrent("GRU", 3),
    "RNN": recurrent("RNN", 1),
    "Einsum": einsum,
    "Attention": attention,
    "RotaryEmbedding": rotary_embedding,
    **{name: random_like(name) for name in (
        "Bernoulli", "RandomNormalLike", "RandomUniformLike")},
    **{name: random_of(name) for name in ("RandomNormal", "RandomUniform")},
    "Multinomial": multinomial,
    "EyeLike": eye_like,
    "QuantizeLinear": quantize,
    "DequantizeLinear": dequantize,
    "DynamicQuantizeLinear": dynamic_quantize,
    "ReverseSequence": reverse_sequence,
    "TensorScatter": tensor_scatter,
    "SwiGLU": swi_glu,
    "CausalConvWithState": causal_conv,
    "BitCast": like("BitCast", to=INT32),
}
