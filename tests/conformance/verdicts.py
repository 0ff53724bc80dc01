"""What the library says to a node in each mode."""

import unittest

import binding
import support

MODES = (binding.DEFAULT, binding.STRICT, binding.LENIENT)

# A status for each mode.
TAKEN = ["OK"] * 3
REFUSED = ["INVALID_MODEL"] * 3
MALFORMED = ["MALFORMED"] * 3
TOO_LARGE = ["TOO_LARGE"] * 3
# A fault that real writers make: LENIENT takes it.
FAULT = ["INVALID_MODEL", "INVALID_MODEL", "OK"]
# What changes no bits: only STRICT refuses it.
NOVELTY = ["OK", "INVALID_MODEL", "OK"]


def verdict(node, opset, mode):
    """(status name, codes of the notes or the message)"""
    try:
        op = support.library().decode(node, opset, mode)
    except binding.Error as error:
        return error.status, error.message
    return "OK", op.notes.codes()


class VerdictTest(unittest.TestCase):
    def assert_verdicts(self, node, expected, opset=28):
        found = [verdict(node, opset, mode) for mode in MODES]
        self.assertEqual([status for status, _ in found], expected, found)
