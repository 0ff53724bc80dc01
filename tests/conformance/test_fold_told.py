"""What is told of branches, loops and calls before anything is bound, and of
those that are wrong. Operators.md of onnx, "If", "Loop" and "Scan"; IR.md,
"Graphs" and "Functions".
"""

import unittest

import fold
import support

# A fact, a graph, and what is told of its outputs without any binding: the
# state, the dims, and a part of the reason.
TOLD = [
    ("a fill behind another node lacks what the fill lacks", """
g (float[N] x) => (float[N] y) {
  s = Shape(x)
  f = ConstantOfShape(s)
  y = Identity(f)
}""", {"y": ("unresolved", ("N",), 'needs dim 0 ("N") of "x"')}),
    ("a shape that cannot be computed is no shape", """
g () => (int64[1] y) {
  a = Constant <value_ints = [4, 4]> ()
  b = Constant <value_ints = [0, 0]> ()
  d = Div(a, b)
  f = ConstantOfShape(d)
  y = Shape(f)
}""", {"y": ("invalid", (2,), "Div")}),
    ("a condition is one bool", """
g (float[2] x, bool[2] c) => (float[k] y) {
  y = If (c) <
    then_branch = t () => (float[k] u) { u = Identity(x) },
    else_branch = e () => (float[k] v) { v = Identity(x) }>
}""", {"y": ("invalid", ("k",), "one bool")}),
    ("a branch that depends on the condition's input is not the other", """
g (float[N] x) => (float[k] y, int64[1] d) {
  s = Shape(x)
  three = Constant <value_ints = [3]> ()
  five = Constant <value_ints = [5]> ()
  more = Greater(s, three)
  c = Squeeze(more)
  y = If (c) <
    then_branch = t () => (float[k] u) { u = ConstantOfShape(five) },
    else_branch = e () => (float[k] v) { v = ConstantOfShape(s) }>
  ys = Shape(y)
  d = Sub(ys, s)
}""", {"y": ("unresolved", ("k",), 'needs dim 0 ("N") of "x"'),
       "d": ("unresolved", (1,), "needs")}),
    ("what is carried is not what a turn gives out", """
g (int64 n, float[M] h) => (int64[1] d) {
  y, ys = Loop (n, "", h) <
    body = b (int64 i, bool going, float[m] x)
        => (bool on, float[m2] z, float[m] w) {
      on = Identity(going)
      z = Concat <axis = 0> (x, x)
      w = Identity(x)
    }>
  one = Constant <value_ints = [1]> ()
  two = Constant <value_ints = [2]> ()
  s = Shape(y)
  t = Shape(ys)
  tail = Slice(t, one, two)
  d = Sub(s, tail)
}""", {"d": ("unresolved", (1,), "needs")}),
    ("a loop whose body reads its result is none", """
g (int64 n, float[2] h) => (float[2] y) {
  y = Loop (n, "", h) <
    body = b (int64 i, bool going, float[2] x) => (bool on, float[2] z) {
      on = Identity(going)
      s = Shape(x)
      f = ConstantOfShape(s)
      z = Add(x, y)
    }>
}""", {"y": ("invalid", (2,), "depends on")}),
    ("a loop names the trip count that it lacks", """
g (int64 n, int64 start) => (int64 y, int64[k] z) {
  yes = Constant <value = bool {1}> ()
  y, z = Loop (n, yes, start) <
    body = b (int64 i, bool going, int64 x)
        => (bool on, int64 next, int64 w) {
      on = Identity(going)
      one = Constant <value = int64 {1}> ()
      next = Add(x, one)
      w = Identity(x)
    }>
  s = Shape(z)
}""", {"y": ("unresolved", (), "what the loop of"),
       "z": ("unresolved", ("k",), "loop")}),
    ("a body's condition does not count where the node has none, and ends turns "
     "all the same elsewhere", """
g (int64 start) => (int64 y) {
  n = Constant <value = int64 {5}> ()
  y = Loop (n, "", start) <
    body = b (int64 i, bool going, int64 x) => (bool on, int64 next) {
      on = Constant <value = bool {0}> ()
      next = Identity(i)
    }>
}""", {"y": ("unresolved", (), "loop")}),
    ("value_info counts for what calls give out", """
g (float[2] x) => (int64[2] y) <float[2, 3] v> {
  v = own.f (x)
  y = Shape(v)
}
<domain: "own", opset_import: ["": 21]>
f (a) => (b) { b = Foreign(a) }
""", {"y": ("resolved", (2,), None)}),
    ("an attribute that each call gives rules nothing out before", """
g () => (int64[k] y) {
  y = own.f <first = 1> ()
}
<domain: "own", opset_import: ["": 21]>
f <first: int = 0> () => (b) {
  c = Constant <value_ints = [0, 1]> ()
  part = Shape <start: int = @first, end = 1> (c)
  all = Shape(c)
  zero = Constant <value_ints = [0]> ()
  has = Shape(part)
  is_empty = Equal(has, zero)
  one = Squeeze(is_empty)
  b = If (one) <
    then_branch = t () => (int64[k] u) {
      d = Constant <value_ints = [7]> ()
      u = Identity(d)
    },
    else_branch = e () => (int64[k] w) { w = Identity(all) }>
}
""", {"y": ("resolved", (1,), None)}),
    ("what each turn changes by one element is unknown after many", """
g (int64 n) => (int64[k] y, int64[k] z) {
  zeros = Constant <value_ints = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                  0, 0, 0, 0, 0]> ()
  same = Constant <value_ints = [3, 4]> ()
  y, z = Loop (n, "", zeros, same) <
    body = b (int64 i, bool going, int64[k] x, int64[2] w)
        => (bool on, int64[k] next, int64[2] kept) {
      on = Identity(going)
      one = Constant <value_ints = [1]> ()
      most = Constant <value_ints = [20]> ()
      rest = Slice(x, one, most)
      last = Unsqueeze(i, zero)
      next = Concat <axis = 0> (rest, last)
      kept = Identity(w)
      zero = Constant <value_ints = [0]> ()
    }>
}""", {"y": ("unresolved", ("k",), "what the loop of"),
       "z": ("unresolved", (2,), "what the loop of")}),
    ("turns add up only what is alike", """
g () => (int64[m, k] y, int64[m, 1] z) {
  n = Constant <value = int64 {2}> ()
  y, z = Loop (n, "") <
    body = b (int64 i, bool going) => (bool on, int64[k] a, int64[1] b) {
      on = Identity(going)
      zero = Constant <value_ints = [0]> ()
      b = Unsqueeze(i, zero)
      a = ConstantOfShape <value = int64[1] {1}> (b)
    }>
}""", {"y": ("unresolved", ("m", "k"), "what the turns of a loop add up to"),
       "z": ("resolved", (2, 1), None)}),
    ("what a loop carries is given", """
g () => (int64 y, int64 z) {
  two = Constant <value = int64 {2}> ()
  y = Loop (two, "", "") <
    body = b (int64 i, bool going, int64 x) => (bool on, int64 next) {
      on = Identity(going)
      next = Identity(x)
    }>
  none = Constant <value = int64 {0}> ()
  z = Loop (none, "", "") <
    body = c (int64 i, bool going, int64 x) => (bool on, int64 next) {
      on = Identity(going)
      next = Identity(x)
    }>
}""", {"y": ("unresolved", (), "\"x\", an input of a subgraph"),
       "z": ("invalid", (), "an input of a loop is left out")}),
    ("a loop that nothing ends has no values", """
g () => (int64[2] y) {
  a = Constant <value_ints = [1, 2]> ()
  y = Loop ("", "", a) <
    body = b (int64 i, bool going, int64[2] x) => (bool on, int64[2] next) {
      on = Identity(going)
      next = Add(x, i)
    }>
}""", {"y": ("unresolved", (2,), "loop")}),
    ("a body has the inputs and outputs of its loop", """
g () => (int64 y) {
  n = Constant <value = int64 {2}> ()
  y = Loop (n, "", n) <
    body = b (int64 i, bool going) => (bool on) { on = Identity(going) }>
}""", {"y": ("invalid", (), "body")}),
    ("a branch has as many outputs as its node", """
g (bool c) => (int64 y) {
  y = If (c) <
    then_branch = t () => (int64 u, int64 w) {
      u = Constant <value = int64 {1}> ()
      w = Constant <value = int64 {2}> ()
    },
    else_branch = e () => (int64 v) { v = Constant <value = int64 {3}> () }>
}""", {"y": ("unresolved", (), "has not the outputs of its node")}),
    ("an If has a condition", """
g () => (int64 y) {
  y = If () <
    then_branch = t () => (int64 u) { u = Constant <value = int64 {1}> () },
    else_branch = e () => (int64 v) { v = Constant <value = int64 {3}> () }>
}""", {"y": ("invalid", (), "condition")}),
    ("branches that agree in part leave that part known", """
g (bool c, float[N, 3] x) => (float[r, s] y, int64[2] z) {
  y = If (c) <
    then_branch = t () => (float[r, s] u) { u = Identity(x) },
    else_branch = e () => (float[r, s] v) { v = Relu(x) }>
  a = Shape(y)
  b = Shape(x)
  z = Sub(a, b)
}""", {"y": ("unresolved", ("N", 3), "c"), "z": ("resolved", (2,), None)}),
    ("branches that differ leave nothing known", """
g (bool c, float[N, 3] x, double[4] d) => (float[r] y) {
  y = If (c) <
    then_branch = t () => (float[r] u) { u = Identity(x) },
    else_branch = e () => (float[r] v) { v = Identity(d) }>
}""", {"y": ("unresolved", ("r",), "c")}),
    ("a Scan says how many of its inputs are taken apart", """
g (float[2, 3] x) => (float[2, 3] y) {
  y = Scan <num_scan_inputs = 2, body = b (float[3] a) => (float[3] r) {
    r = Identity(a)
  }> (x)
}""", {"y": ("invalid", (2, 3), "num_scan_inputs is 2")}),
    ("a Scan has an axis for each input that is taken apart", """
g (float[2, 3] x) => (float[2, 3] y) {
  y = Scan <num_scan_inputs = 1, scan_input_axes = [0, 1],
            body = b (float[3] a) => (float[3] r) { r = Identity(a) }> (x)
}""", {"y": ("invalid", (2, 3), "scan_input_axes has 2 entries")}),
    ("a body takes no more than its function was given", """
g (float[2] x) => (int64[1] y) {
  y = own.f (x)
}
<domain: "own", opset_import: ["": 21]>
f (a, b) => (s) { s = Shape(b) }
""", {"y": ("invalid", (1,), "input 0 is left out")}),
    ("of a shape, elements that are unknown are dims that are", """
g (float[N, 3] x) => (float[a, b] y, int64[2] z) {
  s = Shape(x)
  f = ConstantOfShape(s)
  y = Relu(f)
  t = Shape(y)
  z = Sub(t, s)
}""", {"y": ("unresolved", ("N", 3), "Relu"), "z": ("resolved", (2,), None)}),
    ("a rank that is unknown for lack of a dim is not that dim", """
g (int64[m] x) => (float[a] y, int64[1] d, int64[1] e) {
  v = ConstantOfShape(x)
  y = Scan <num_scan_inputs = 1, body = b (float p) => (float q) {
    q = Constant <value_float = 1.0> ()
  }> (v)
  s = Shape(x)
  n = Size(v)
  d = Sub(n, s)
  t = Shape(y)
  e = Sub(t, s)
}""", {"y": ("unresolved", ("a",), "loop"),
       "d": ("unresolved", (1,), 'needs dim 0 ("m") of "x"'),
       "e": ("unresolved", (1,), 'needs dim 0 ("m") of "x"')}),
    ("the size of one dim is that dim", """
g (float[m] x, float[m, 0] z) => (int64[1] d, int64 e) {
  s = Shape(x)
  n = Size(x)
  d = Sub(n, s)
  e = Size(z)
}""", {"d": ("resolved", (1,), None), "e": ("resolved", (), None)}),
    ("what is made of a shape that is none is not told", """
g () => (int64[k] x, int64[k] y, int64[k] z) {
  minus = Constant <value_ints = [2, -1]> ()
  a = ConstantOfShape(minus)
  x = Shape(a)
  many = Constant <value_ints = [2000]> ()
  ones = ConstantOfShape <value = int64[1] {1}> (many)
  b = ConstantOfShape(ones)
  y = Shape(b)
  c = ConstantOfShape("")
  z = Shape(c)
}""", {"x": ("invalid", ("k",), "dim 1"),
       "y": ("unresolved", ("k",), "2000 dims"),
       "z": ("invalid", ("k",), "one, with a name")}),
    ("branches of another dtype or rank have no value in common", """
g (bool c) => (int64[2] x, int64[k] y) {
  x, y = If (c) <
    then_branch = t () => (int64[2] a, int64[2] b) {
      a = Constant <value_ints = [1, 2]> ()
      b = Constant <value_ints = [1, 2]> ()
    },
    else_branch = e () => (int32[2] d, int64[1, 2] f) {
      d = Constant <value = int32[2] {1, 2}> ()
      f = Constant <value = int64[1, 2] {1, 2}> ()
    }>
}""", {"x": ("unresolved", (2,), '"c"'),
       "y": ("unresolved", ("k",), '"c"')}),
    ("turns of other dtypes or ranks add up to nothing", """
g () => (int64[m, k] x, int64[m, k] y) {
  n = Constant <value = int64 {2}> ()
  x, y = Loop (n, "") <
    body = b (int64 i, bool going) => (bool on, int64[k] a, int64[k] d) {
      on = Identity(going)
      first = Cast <to = 9> (i)
      a, d = If (first) <
        then_branch = t () => (int64[1] p, int64[1] q) {
          p = Constant <value_ints = [1]> ()
          q = Constant <value_ints = [1]> ()
        },
        else_branch = e () => (int32[1] r, int64[1, 1] s) {
          r = Constant <value = int32[1] {1}> ()
          s = Constant <value = int64[1, 1] {1}> ()
        }>
    }>
}""", {"x": ("unresolved", ("m", "k"), "add up to"),
       "y": ("unresolved", ("m", "k"), "add up to")}),
]


class Told(unittest.TestCase):
    """What is told before anything is bound must hold whatever is."""

    def test_each_fact(self):
        for fact, text, expected in TOLD:
            with self.subTest(fact):
                folded = fold.Folded(fold.parse(text))
                for name, (state, dims, reason) in expected.items():
                    found = folded.outputs[name]
                    self.assertEqual((found.state, found.dims),
                                     (state, dims), found.reason)
                    if reason is not None:
                        self.assertIn(reason, found.reason)

    def test_no_branch_of_a_call_is_ruled_out_by_its_defaults(self):
        text = next(text for fact, text, _ in TOLD
                    if fact.startswith("an attribute that each call"))
        folded = fold.Folded(fold.parse(text))
        states = {resolved.state for resolved in folded.constants.values()}
        self.assertEqual(states, {"resolved"})


if __name__ == "__main__":
    support.main()
