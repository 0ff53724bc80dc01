"""Evaluation is by need: nodes that neither a ConstantOfShape nor an output
depends on may be wrong, unknown or endless, in any graph. That such loops would
use up the steps of a resolution shows in what is left for others when they are
asked for.
"""

import unittest

import fold
import support

TURNS = 2 ** 62

# Each takes half of the steps that are left.
LOOPS = 40

CONSTANTS = f"""
  many = Constant <value_int = {TURNS}> ()
  zero = Constant <value_int = 0> ()
  one = Constant <value_int = 1> ()
  far = Constant <value_int = 99> ()
  yes = Constant <value = bool {{1}}> ()
"""


def loops(prefix=""):
    """Loops that count for ever."""
    return "".join(f"""
  {prefix}l{k} = Loop (many, yes, zero) <
    body = {prefix}b{k} (int64 {prefix}i{k}, bool {prefix}c{k},
                         int64 {prefix}a{k})
        => (bool {prefix}d{k}, int64 {prefix}e{k}) {{
      {prefix}d{k} = Identity({prefix}c{k})
      {prefix}e{k} = Add({prefix}a{k}, one)
    }}>
""" for k in range(LOOPS))


def wrong(prefix=""):
    """Nodes that fail, that nobody knows, or that depend on each other."""
    return f"""
  {prefix}w0 = Div(one, zero)
  {prefix}w1 = Gather(s, far)
  {prefix}w2 = Foreign(s)
  {prefix}w3 = Add({prefix}w4, one)
  {prefix}w4 = Add({prefix}w3, one)
  {prefix}w5 = Range(zero, many, one)
  {prefix}w6 = Concat(s, s)
"""


def amid(nodes, prefix=""):
    """These nodes, with others that nobody needs on both sides."""
    return f"""
{loops(f"{prefix}p")}{wrong(f"{prefix}p")}
{nodes}
{loops(f"{prefix}q")}{wrong(f"{prefix}q")}
"""


def model(nodes, outputs="int64[1] y", functions=""):
    return fold.parse(f"""
g (float[N] x) => ({outputs}) {{{CONSTANTS}
  s = Shape(x)
  {nodes}
}}
{functions}""")


class Need(unittest.TestCase):
    def check(self, proto):
        """All that is needed is there: y is twice the dim, and each fill has
        that shape."""
        folded = fold.Folded(proto, symbols={"N": 3})
        for place, found in folded.constants.items():
            self.assertIn(found.state, ("resolved", "not taken"),
                          (place, found.reason))
        for found in folded.fills().values():
            if found.state == "resolved":
                self.assertEqual(found.dims, (6,))
        self.assertEqual(folded.value("y"), fold.dense([6]))
        return folded

    def test_nodes_of_the_main_graph(self):
        folded = self.check(model(amid("""
  y = Add(s, s)
  f = ConstantOfShape(y)
  z = Add(y, s)
"""), "int64[1] y, int64[1] z"))
        self.assertEqual(len(folded.fills()), 1)
        self.assertEqual(folded.value("z"), fold.dense([9]))

    def test_nodes_of_bodies(self):
        """In a branch, and in the turns of a loop."""
        branch = amid("""
  u = Add(s, s)
  f = ConstantOfShape(u)
""", "t")
        body = amid("""
  d = Identity(c)
  h = Identity(a)
  hh = Add(h, h)
  g = ConstantOfShape(hh)
""", "b")
        folded = self.check(model(f"""
  two = Constant <value_int = 2> ()
  y = If (yes) <
    then_branch = t () => (int64[1] u) {{{branch}}},
    else_branch = e () => (int64[1] v) {{ v = Identity(s) }}>
  z = Loop (two, yes, s) <
    body = b (int64 i, bool c, int64[1] a) => (bool d, int64[1] h) {{{body}}}>
""", "int64[1] y, int64[1] z"))
        self.assertEqual(len(folded.fills()), 2)
        self.assertEqual(folded.value("z"), fold.dense([3]))

    def test_branches_that_are_not_taken(self):
        self.check(model(f"""
  y = If (yes) <
    then_branch = t () => (int64[1] u) {{ u = Add(s, s) }},
    else_branch = e () => (int64[1] v) {{
      {amid("v = ConstantOfShape(pw0)")}
    }}>
"""))

    def test_outputs_of_a_function_and_of_a_loop(self):
        """Of several, one is needed."""
        folded = self.check(model("""
  y, p = own.f (s)
  one_turn = Constant <value_int = 1> ()
  q, r, t = Loop (one_turn, yes, s, s) <
    body = b (int64 i, bool c, int64[1] a, int64[1] o)
        => (bool d, int64[1] h, int64[1] k, int64 m) {
      d = Identity(c)
      h = Add(a, s)
      k = Foreign(o)
      m = Div(one, zero)
    }>
  f = ConstantOfShape(q)
  z = Add(q, s)
""", "int64[1] y, int64[1] z", f"""
<domain: "own", opset_import: ["": 21]>
f (s) => (r, pw0) {{{CONSTANTS}
  {amid("r = Add(s, s)")}
}}"""))
        self.assertEqual(len(folded.fills()), 1)
        self.assertEqual(folded.value("z"), fold.dense([9]))

    def test_the_loops_would_use_up_the_steps(self):
        outputs = ", ".join(f"int64 l{k}" for k in range(LOOPS))
        folded = fold.Folded(
            model(loops() + "\n  y = Add(s, s)", f"{outputs}, int64[1] y"),
            symbols={"N": 3})
        self.assertEqual(folded.outputs["y"].state, "unresolved")
        self.assertIn("more work than an evaluation may do",
                      folded.outputs["y"].reason)

    def test_the_wrong_nodes_are_wrong(self):
        names = [f"w{k}" for k in range(7)]
        folded = fold.Folded(
            model(wrong() + "\n  y = Add(s, s)",
                  ", ".join(f"int64[1] {name}" for name in names)),
            symbols={"N": 3})
        self.assertEqual([folded.outputs[name].state for name in names],
                         ["invalid", "invalid", "unresolved", "invalid",
                          "invalid", "unresolved", "invalid"])


if __name__ == "__main__":
    support.main()
