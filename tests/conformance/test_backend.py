"""ONNX's own backend tests through its runner, with the tests of both
operators picked by name, and every byte compared besides.

The node data come from the installed onnx: its files up to 1.22, its
generators in later ones. The runner loads whichever it has.
"""

import unittest

import backend
import numpy
import onnx
import onnx.backend.test
import support

# test_constant_pad* are tests of Pad.
NAMES = ("test_constant", "test_constantofshape_float_ones",
         "test_constantofshape_int_zeros",
         "test_constantofshape_int_shape_zero")


class ExactRunner(onnx.backend.test.BackendTest):
    """ONNX's runner, which also compares the bytes."""

    compared = 0

    @classmethod
    def assert_similar_outputs(cls, ref_outputs, outputs, *args, **kwargs):
        super().assert_similar_outputs(ref_outputs, outputs, *args, **kwargs)
        for reference, output in zip(ref_outputs, outputs, strict=True):
            if (numpy.asarray(reference).tobytes() !=
                    numpy.asarray(output).tobytes()):
                raise AssertionError("the bytes differ")
            cls.compared += 1


class Result(unittest.TestResult):
    """Names of the tests that ran."""

    def __init__(self):
        super().__init__()
        self.ran = set()

    def addSuccess(self, test):
        super().addSuccess(test)
        self.ran.add(test.id().rpartition(".")[2])


class OnnxTests(unittest.TestCase):
    def test_each_named_test_passes(self):
        device = support.arguments.device
        support.engine(device)
        runner = ExactRunner(backend.BACKENDS[device], __name__)
        for name in NAMES:
            runner.include(f"^{name}_cpu$")
        result = Result()
        ExactRunner.compared = 0
        runner.test_suite.run(result)
        for test, text in result.failures + result.errors:
            print(f"{test.id()}: {text}")
        self.assertTrue(result.wasSuccessful())
        self.assertEqual(result.ran, {f"{name}_cpu" for name in NAMES})
        # Each of them has one data set with one output.
        self.assertEqual(ExactRunner.compared, len(NAMES))
        print(f"onnx {onnx.__version__}, {device}: {len(result.ran)} tests")


if __name__ == "__main__":
    support.main()
