"""One rule at a time is broken in a random valid node; each mode must answer
with the status that breaks.py tells. What LENIENT takes is noted.
"""

import collections
import unittest

import binding
import generator
import node_breaks
import onnx
import support
import verdicts
import wire

# What LENIENT or DEFAULT notes when it takes what others refuse.
NOTES = {tuple(verdicts.FAULT): binding.NOTE_LENIENT,
         tuple(verdicts.NOVELTY): binding.NOTE_DTYPE}

TRIES = 20_000


class Broken(unittest.TestCase):
    def check(self, broken, node, case):
        for mode, expected in zip(verdicts.MODES, broken.statuses):
            status, more = verdicts.verdict(node, case.opset, mode)
            with self.subTest(broken=broken.name, mode=mode, node=node.hex(),
                              opset=case.opset, more=more):
                self.assertEqual(status, expected)
                if status == "OK":
                    self.assertIn(NOTES[tuple(broken.statuses)], more)

    def test_each_break_is_refused(self):
        """Each break is applied to as many cases as the count allows."""
        random, count = support.generator()
        each = max(5, count // len(node_breaks.BREAKS))
        applied = collections.Counter()
        cases = generator.cases(random, TRIES)
        for case in (case for case in cases if case.is_listed):
            if case.tensor is None and random.random() < 0.8:
                continue
            for broken in node_breaks.BREAKS:
                if applied[broken.name] == each:
                    continue
                node = broken.make(random, case)
                if node is None:
                    continue
                applied[broken.name] += 1
                if broken.statuses != verdicts.MALFORMED:
                    node = wire.restyle(
                        node, onnx.NodeProto.DESCRIPTOR, random)
                self.check(broken, node, case)
            if sum(applied.values()) == each * len(node_breaks.BREAKS):
                break
        for broken in node_breaks.BREAKS:
            print(f"{applied[broken.name]:4} {broken.name}")
            self.assertGreater(applied[broken.name], 0, broken.name)


if __name__ == "__main__":
    support.main()
