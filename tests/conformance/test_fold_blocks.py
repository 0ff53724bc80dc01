"""Values through If, Loop, Scan and functions: outputs against the reference
evaluator, and what is known of the constants in bodies. Operators.md of onnx,
"If", "Loop" and "Scan"; IR.md, "Graphs" and "Functions".
"""

import unittest

import fold
import numpy
import support

BRANCHES = """
g (bool c, int64[2] a, int64[3] b) => (int64[k] y) {
  y = If (c) <
    then_branch = t () => (int64[k] u) {
      s = Shape(a)
      f = ConstantOfShape(s)
      u = Identity(a)
    },
    else_branch = e () => (int64[k] v) {
      s = Shape(b)
      f = ConstantOfShape(s)
      v = Identity(b)
    }>
}
"""

NESTED = """
g (bool c, bool d) => (int64 y) {
  y = If (c) <
    then_branch = t () => (int64 u) {
      u = If (d) <
        then_branch = tt () => (int64 p) {
          p = Constant <value_int = 1> ()
        },
        else_branch = te () => (int64 q) {
          q = Constant <value_int = 2> ()
        }>
    },
    else_branch = e () => (int64 v) {
      v = Constant <value_int = 3> ()
    }>
}
"""

# The body sums the turns' numbers, and adds up what it has.
COUNTED = """
g (int64 n, bool c, int64 start) => (int64 last, int64[m] all) {
  last, all = Loop (n, c, start) <
    body = b (int64 i, bool going, int64 x) => (bool on, int64 z, int64 w) {
      one = Constant <value_int = 1> ()
      on = Identity(going)
      z = Identity(i)
      w = Identity(x)
    }>
}
"""

# The condition, of a bool that is carried, ends the loop in the third turn.
ENDED = """
g (bool c, bool a, bool b, bool d) => (bool x, bool y, bool z, bool[m] all) {
  x, y, z, all = Loop ("", c, a, b, d) <
    body = body (int64 i, bool going, bool p, bool q, bool r)
        => (bool on, bool p1, bool q1, bool r1, bool w) {
      on = Identity(p)
      p1 = Identity(q)
      q1 = Identity(r)
      r1 = Identity(p)
      w = Identity(going)
    }>
}
"""

# What is carried keeps its shape, so that of each turn is known.
KEPT = """
g (int64 n, float[2, N] h) => (float[2, N] last) {
  c = Constant <value_ints = [1]> ()
  last = Loop (n, "", h) <
    body = b (int64 i, bool going, float[] x) => (bool on, float[] z) {
      on = Identity(going)
      s = Shape(x)
      z = ConstantOfShape(s)
      t = Shape(c)
      f = ConstantOfShape(t)
    }>
}
"""

# The carried value gets a dim more in each turn.
GROWN = """
g (int64 n, int64[1] h) => (int64[k] last) {
  last = Loop (n, "", h) <
    body = b (int64 i, bool going, int64[k] x) => (bool on, int64[j] z) {
      on = Identity(going)
      z = ConstantOfShape(x)
    }>
}
"""

SCANNED = """
g (float[2] h, float[T, 2, 5] x) => (float[2] last, float[T, 2] all) {
  last, all = Scan <num_scan_inputs = 1,
    body = b (float[2] s, float[2, 5] e) => (float[2] n, float[2] w) {
      n = Identity(s)
      t = Shape(e)
      f = ConstantOfShape(t)
      w = Identity(s)
    }> (h, x)
}
"""

CALLED = """
g (float[2, 3] x, float[4] y) => (float[a, b] p, float[c] q) {
  p = own.zeros_like (x)
  q = own.twice (y)
}
<domain: "own", opset_import: ["": 21, "own": 1]>
zeros_like (t) => (z) {
  s = Shape(t)
  z = ConstantOfShape(s)
}
<domain: "own", opset_import: ["": 21, "own": 1]>
twice (t) => (z) {
  u = own.zeros_like(t)
  z = own.zeros_like(u)
}
"""

ATTRIBUTES = """
g () => (int64[k] y, int64[m] z) {
  y = own.make <dims = [4, 5]> ()
  z = own.pass <d = [6]> ()
}
<domain: "own", opset_import: ["": 21]>
make <dims> () => (s) {
  c = Constant <value_ints : ints = @dims> ()
  z = ConstantOfShape(c)
  s = Shape(z)
}
<domain: "own", opset_import: ["": 21, "own": 1]>
pass <d> () => (s) {
  s = own.make <dims : ints = @d> ()
}
"""

LEFT_OUT_INSIDE = """
g () => (int64[3] y, int64[3] z) {
  a = Constant <value_ints = [1, 5, 9]> ()
  most = Constant <value = int64 {6}> ()
  y = own.clip (a, "", most)
  z = own.clip (a, "", "")
}
<domain: "own", opset_import: ["": 21]>
clip (x, least, most) => (r) { r = Clip(x, least, most) }
"""

LEFT_OUT = """
g (float[2] x) => (int64[k] y) {
  y = own.shape_of ("", x)
}
<domain: "own", opset_import: ["": 21]>
shape_of (a, b) => (s) {
  s = Shape(b)
}
"""


class Outputs(unittest.TestCase):
    """What a model gives out, value by value."""

    def check(self, text, values):
        model = fold.parse(text)
        folded = fold.Folded(model, values)
        for name, expected in fold.reference(model, values).items():
            self.assertEqual(folded.value(name), expected, (name, values))

    def test_branches(self):
        for condition in (False, True):
            self.check(BRANCHES, {"c": numpy.array(condition),
                                  "a": numpy.array([7, 8]),
                                  "b": numpy.array([1, 2, 3])})

    def test_nested_branches(self):
        for c in (False, True):
            for d in (False, True):
                self.check(NESTED, {"c": numpy.array(c),
                                    "d": numpy.array(d)})

    def test_counted_loops(self):
        for n in (1, 2, 7):
            self.check(COUNTED, {"n": numpy.array(n),
                                 "c": numpy.array(True),
                                 "start": numpy.array(-5)})

    def test_loops_without_a_turn(self):
        for n, c in ((0, True), (3, False), (-1, True)):
            folded = fold.Folded(fold.parse(COUNTED),
                                 {"n": numpy.array(n), "c": numpy.array(c),
                                  "start": numpy.array(-5)})
            self.assertEqual(folded.value("last"),
                             fold.dense(numpy.array(-5)))
            self.assertEqual(folded.value("all"),
                             fold.dense(numpy.zeros(0, numpy.int64)))

    def test_a_scan_without_a_turn(self):
        start = numpy.float32([1, 2])
        folded = fold.Folded(
            fold.parse(SCANNED),
            {"h": start, "x": numpy.zeros((0, 2, 5), numpy.float32)})
        self.assertEqual(folded.value("last"), fold.dense(start))
        self.assertEqual(folded.value("all"),
                         fold.dense(numpy.zeros((0, 2), numpy.float32)))

    def test_loops_that_end_themselves(self):
        for bits in range(16):
            c, a, b, d = (numpy.array(bool(bits >> i & 1)) for i in range(4))
            if a and b and d:
                continue
            if not c:
                continue
            self.check(ENDED, {"c": c, "a": a, "b": b, "d": d})

    def test_calls(self):
        self.check(CALLED, {"x": numpy.ones((2, 3), numpy.float32),
                            "y": numpy.ones(4, numpy.float32)})

    def test_attributes_of_calls(self):
        self.check(ATTRIBUTES, {})

    def test_inputs_that_calls_leave_out(self):
        self.check(LEFT_OUT, {"x": numpy.ones(2, numpy.float32)})
        self.check(LEFT_OUT_INSIDE, {})


class Bodies(unittest.TestCase):
    """What is known of the constants in bodies."""

    def check(self, text, expected, values=None, **bindings):
        folded = fold.Folded(fold.parse(text), values, **bindings)
        found = {name: (resolved.state, resolved.dims)
                 for name, resolved in folded.fills().items()}
        self.assertEqual(found, expected)
        return folded

    def test_both_branches_are_there_until_the_condition_is_known(self):
        self.check(BRANCHES, {"If_0.then_branch:f": ("resolved", (2,)),
                              "If_0.else_branch:f": ("resolved", (3,))})

    def test_a_known_condition_rules_a_branch_out(self):
        folded = self.check(BRANCHES,
                            {"If_0.then_branch:f": ("resolved", (2,)),
                             "If_0.else_branch:f": ("not taken", None)},
                            {"c": numpy.array(True)})
        self.assertEqual(folded.fills()["If_0.else_branch:f"].reason,
                         "branch not taken")

    def test_what_is_in_a_branch_not_taken_is_not_taken(self):
        folded = fold.Folded(fold.parse(NESTED), {"c": numpy.array(False)})
        states = {scope: resolved.state for (scope, _), resolved
                  in folded.constants.items()}
        self.assertEqual(states, {
            "If_0.then_branch/If_0.then_branch": "not taken",
            "If_0.then_branch/If_0.else_branch": "not taken",
            "If_0.else_branch": "resolved"})

    def test_a_loop_without_a_turn_is_not_taken(self):
        folded = fold.Folded(fold.parse(COUNTED), {"n": numpy.array(0)})
        self.assertEqual([resolved.state for resolved
                          in folded.constants.values()], ["not taken"])

    def test_a_shape_that_turns_keep_is_known(self):
        self.check(KEPT, {"Loop_1.body:z": ("resolved", (2, 9)),
                          "Loop_1.body:f": ("resolved", (1,))},
                   symbols={"N": 9})
        self.check(KEPT, {"Loop_1.body:z": ("unresolved", (2, "N")),
                          "Loop_1.body:f": ("resolved", (1,))})

    def test_a_shape_that_turns_change_is_not(self):
        self.check(GROWN, {"Loop_0.body:z": ("unresolved", None)},
                   {"h": numpy.array([2])})

    def test_a_scan_takes_its_inputs_apart(self):
        folded = self.check(SCANNED, {"Scan_0.body:f": ("resolved", (2, 5))})
        self.assertEqual(folded.outputs["last"].dims, (2,))
        self.assertEqual(folded.outputs["all"].dims, ("T", 2))

    def test_each_call_has_its_own(self):
        one, two = ("resolved", (2, 3)), ("resolved", (4,))
        self.check(CALLED, {
            "zeros_like_0:own.zeros_like:z": one,
            "twice_1:own.twice/zeros_like_0:own.zeros_like:z": two,
            "twice_1:own.twice/zeros_like_1:own.zeros_like:z": two})


if __name__ == "__main__":
    support.main()
