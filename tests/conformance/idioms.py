"""Models with the idioms of exporters, as torch.onnx, paddle2onnx and tf2onnx
write them: name -> (ModelProto, numbers of symbols, values of inputs)."""

import numpy
from onnx import AttributeProto

import fold


def all_nodes(graph):
    """The nodes of a graph and of the bodies in it."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                yield from all_nodes(attribute.g)


def idiom(text, values=None, **symbols):
    return fold.parse(text), symbols, values or {}


MODELS = {
    # torch.zeros_like(x)
    "zeros_like": idiom("""
g (float[N, 3, H] x) => (float[N, 3, H] y) {
  s = Shape(x)
  z = ConstantOfShape(s)
  y = Add(x, z)
}
""", N=2, H=5),
    # torch.ones_like(x[:, 0]).to(int)
    "ones_like": idiom("""
g (float[N, C] x) => (int64[N] y) {
  zero = Constant <value = int64 {0}> ()
  part = Gather <axis = 1> (x, zero)
  s = Shape(part)
  y = ConstantOfShape <value = int64[1] {1}> (s)
}
""", N=4, C=2),
    # torch.full((x.size(0), 7), 0.5)
    "full": idiom("""
g (float[N, C] x) => (float[N, 7] y) {
  s = Shape(x)
  zero = Constant <value = int64 {0}> ()
  n = Gather <axis = 0> (s, zero)
  axis = Constant <value_ints = [0]> ()
  u = Unsqueeze(n, axis)
  seven = Constant <value_ints = [7]> ()
  dims = Concat <axis = 0> (u, seven)
  y = ConstantOfShape <value = float[1] {0.5}> (dims)
}
""", N=3, C=1),
    # x.expand(batch, -1, -1): -1 is replaced with the help of a fill
    "expand": idiom("""
g (float[N, 1, H] x) => (float[N, 4, H] y) {
  want = Constant <value_ints = [-1, 4, -1]> ()
  length = Shape(want)
  ones = ConstantOfShape <value = int64[1] {1}> (length)
  minus = Constant <value = int64 {-1}> ()
  negated = Mul(ones, minus)
  is_open = Equal(want, negated)
  size = Where(is_open, ones, want)
  y = Expand(x, size)
}
""", N=2, H=3),
    # x.new_zeros(x.size(0) * heads, x.size(1) // heads)
    "new_zeros": idiom("""
g (float[N, D] x) => (float[a, b] y) {
  s = Shape(x)
  zero = Constant <value = int64 {0}> ()
  one = Constant <value = int64 {1}> ()
  heads = Constant <value = int64 {4}> ()
  axis = Constant <value_ints = [0]> ()
  n = Gather(s, zero)
  d = Gather(s, one)
  nh = Mul(n, heads)
  dh = Div(d, heads)
  u = Unsqueeze(nh, axis)
  v = Unsqueeze(dh, axis)
  dims = Concat <axis = 0> (u, v)
  y = ConstantOfShape(dims)
}
""", N=3, D=16),
    # A causal mask: torch.triu(torch.full((t, t), -inf), 1)
    "mask": idiom("""
g (float[N, T, D] x) => (float[T, T] y) {
  s = Shape <start = 1, end = 2> (x)
  dims = Concat <axis = 0> (s, s)
  full = ConstantOfShape <value = float[1] {-3.4e38}> (dims)
  one = Constant <value = int64 {1}> ()
  y = Trilu <upper = 1> (full, one)
}
""", N=1, T=6, D=2),
    # position_ids = arange(past, past + t).expand(n, t), and zeros of it
    "position_ids": idiom("""
g (int64[N, T] ids, float[N, 2, P, 4] past) => (int64[N, T] y) {
  s = Shape(ids)
  zero = Constant <value = int64 {0}> ()
  one = Constant <value = int64 {1}> ()
  t = Gather(s, one)
  p = Shape <start = 2, end = 3> (past)
  first = Squeeze(p)
  last = Add(first, t)
  range = Range(first, last, one)
  axis = Constant <value_ints = [0]> ()
  row = Unsqueeze(range, axis)
  all = Expand(row, s)
  dims = Shape(all)
  z = ConstantOfShape <value = int64[1] {0}> (dims)
  y = Add(all, z)
}
""", N=2, T=3, P=5),
    # h0 = c0 = zeros(1, x.size(1), 8)
    "lstm": idiom("""
g (float[T, N, 4] x, float[1, 32, 4] w, float[1, 32, 8] r)
    => (float[T, 1, N, 8] y, float[1, N, 8] hn, float[1, N, 8] cn, float[a] z) {
  s = Shape(x)
  one = Constant <value = int64 {1}> ()
  n = Gather(s, one)
  axis = Constant <value_ints = [0]> ()
  u = Unsqueeze(n, axis)
  lead = Constant <value_ints = [1]> ()
  hidden = Constant <value_ints = [8]> ()
  dims = Concat <axis = 0> (lead, u, hidden)
  h0 = ConstantOfShape(dims)
  c0 = ConstantOfShape(dims)
  y, hn, cn = LSTM <hidden_size = 8> (x, w, r, "", "", h0, c0)
  ys = Shape(y)
  total = ReduceProd <keepdims = 1> (ys)
  z = ConstantOfShape(total)
}
""", T=3, N=2),
    # F.pad with sizes of another tensor, as torch writes it
    "pad": idiom("""
g (float[N, C, H, W] x, float[A, B] like) => (float[a, b, c, d] y) {
  s = Shape(x)
  t = Shape(like)
  two = Constant <value_ints = [2]> ()
  four = Constant <value_ints = [4]> ()
  axis = Constant <value_ints = [0]> ()
  hw = Slice(s, two, four, axis)
  need = Sub(t, hw)
  start = Constant <value = int64[6] {0, 0, 0, 0, 0, 0}> ()
  pads = Concat <axis = 0> (start, need)
  padded = Pad(x, pads)
  dims = Shape(padded)
  y = ConstantOfShape <value = float[1] {2}> (dims)
}
""", N=1, C=2, H=3, W=4, A=5, B=9),
    # zeros after convolution, pooling, a flattening and a product
    "convolution": idiom("""
g (float[N, 3, 16, 16] x, float[8, 3, 3, 3] k, float[K, 10] m)
    => (float[N, 10] y, float[a, b, c, d] v) {
  c = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (x, k)
  r = Relu(c)
  p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (r)
  ps = Shape(p)
  v = ConstantOfShape(ps)
  f = Flatten(p)
  q = MatMul(f, m)
  s = Shape(q)
  z = ConstantOfShape(s)
  y = Add(q, z)
}
""", N=2, K=128),
    # a residual of zeros behind attention and layer normalization
    "transformer": idiom("""
g (float[N, T, 12] x, float[12, 12] w, float[12] scale, float[12] bias)
    => (float[N, T, 12] y) {
  q = MatMul(x, w)
  shape = Constant <value_ints = [0, 0, 3, 4]> ()
  heads = Reshape(q, shape)
  turned = Transpose <perm = [0, 2, 1, 3]> (heads)
  other = Transpose <perm = [0, 2, 3, 1]> (heads)
  scores = MatMul(turned, other)
  soft = Softmax(scores)
  ss = Shape(soft)
  bias_mask = ConstantOfShape <value = float[1] {0}> (ss)
  masked = Add(soft, bias_mask)
  mixed = MatMul(masked, turned)
  back = Transpose <perm = [0, 2, 1, 3]> (mixed)
  flat_shape = Constant <value_ints = [0, 0, -1]> ()
  flat = Reshape(back, flat_shape)
  norm = LayerNormalization(flat, scale, bias)
  ns = Shape(norm)
  z = ConstantOfShape(ns)
  y = Add(norm, z)
}
""", N=2, T=5),
    # if x.size(0) == 1: zeros(1, 2) elif x.size(0) == 2: .. else: ..
    "branches": idiom("""
g (float[N, 3] x) => (float[a, b] y) {
  s = Shape(x)
  zero = Constant <value = int64 {0}> ()
  one = Constant <value = int64 {1}> ()
  two = Constant <value = int64 {2}> ()
  n = Gather(s, zero)
  is_one = Equal(n, one)
  y = If (is_one) <
    then_branch = t () => (float[a, b] u) {
      d = Constant <value_ints = [1, 2]> ()
      u = ConstantOfShape(d)
    },
    else_branch = e () => (float[a, b] v) {
      is_two = Equal(n, two)
      v = If (is_two) <
        then_branch = tt () => (float[a, b] p) {
          p = ConstantOfShape(s)
        },
        else_branch = te () => (float[a, b] q) {
          ss = Concat <axis = 0> (s, s)
          f = ConstantOfShape(ss)
          q = Identity(x)
        }>
    }>
}
""", N=2),
    # for _ in range(x.size(0)): state = state + zeros_like(state)
    "loop": idiom("""
g (float[N, 3] x, float[N, 4] first) => (float[N, 4] y) {
  s = Shape(x)
  zero = Constant <value = int64 {0}> ()
  n = Gather(s, zero)
  yes = Constant <value = bool {1}> ()
  y = Loop (n, yes, first) <
    body = b (int64 i, bool going, float[N, 4] h) => (bool on, float[N, 4] z) {
      on = Identity(going)
      hs = Shape(h)
      f = ConstantOfShape <value = float[1] {1}> (hs)
      z = Add(h, f)
      outer = ConstantOfShape(s)
    }>
}
""", N=3),
    # A function of a PyTorch module, with an attribute that sizes its zeros.
    "functions": idiom("""
g (float[N, 6] x) => (float[N, k] y) {
  a = own.pad_zeros <width = [2]> (x)
  y = own.pad_zeros <width = [5]> (a)
}
<domain: "own", opset_import: ["": 21]>
pad_zeros <width> (t) => (r) {
  s = Shape <start = 0, end = 1> (t)
  w = Constant <value_ints : ints = @width> ()
  dims = Concat <axis = 0> (s, w)
  z = ConstantOfShape(dims)
  r = Concat <axis = 1> (t, z)
}
""", N=4),
    # zeros of a length that an input gives
    "lengths": idiom("""
g (int64[B] lengths, float[B, D] x) => (float[a, D] y) {
  most = ReduceMax <keepdims = 1> (lengths)
  d = Shape <start = 1> (x)
  dims = Concat <axis = 0> (most, d)
  y = ConstantOfShape(dims)
}
""", {"lengths": numpy.array([3, 9, 4])}, B=3, D=2),
}
