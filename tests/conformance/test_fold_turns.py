"""If and Loop of constants: each in each version and dtype, bit for bit with
what NumPy makes of the specification, and with ONNX's reference evaluator where
that follows it. Of Scan the dims.
"""

import unittest

import block_cases
import folding
import numpy
import onnx.reference
import schemas
import support
import test_fold_dims
from onnx import helper, numpy_helper
from test_fold_moves import bits_of, value_of

# Cases of each version and dtype that the reference evaluator is asked about.
COUNT = 50

# So many at once: it hands all values of a graph to each turn of a body.
AT_ONCE = 5


def model(cases, opset, has_constants=True):
    return folding.make(
        [node for case in cases for node in case.nodes],
        [name for case in cases for name in case.outputs], opset,
        [numpy_helper.from_array(array, name) for case in cases
         for name, array in case.constants.items() if has_constants])


class Turns(unittest.TestCase):
    def setUp(self):
        support.library()
        self.random, _ = support.generator()
        self.disputed = self.stacked = 0

    def cases(self, op_type, dtype, opset):
        """As many as COUNT of them are not disputed."""
        cases, known = [], 0
        while known < COUNT:
            case = block_cases.make(self.random, op_type, dtype, opset,
                                    f"c{len(cases)}")
            cases.append(case)
            known += not case.is_disputed
        return cases

    def check_reference(self, cases, opset):
        evaluator = onnx.reference.ReferenceEvaluator(
            model(cases, opset, has_constants=False))
        arrays = iter(evaluator.run(None, {
            name: array for case in cases
            for name, array in case.constants.items()}))
        for case in cases:
            for name, wanted in zip(case.outputs, case.wanted):
                found = next(arrays)
                if name in case.stacked:
                    self.stacked += 1
                    found = found.reshape(wanted.shape)
                self.assertEqual(bits_of(found), bits_of(wanted), case)

    def check_legal(self, op_type, dtype, opset):
        """For onnx, which finds the same dtypes."""
        cases = self.cases(op_type, dtype, opset)
        inferred = test_fold_dims.infer(model(cases, opset))
        self.assertNotIsInstance(inferred, Exception)
        for case in cases:
            for name, wanted in zip(case.outputs, case.wanted):
                self.assertEqual(
                    inferred[name][0],
                    helper.np_dtype_to_tensor_dtype(wanted.dtype))

    def check_operator(self, op_type):
        tried, left_out = 0, []
        for opset, schema in schemas.versions(op_type):
            dtypes = schemas.dtypes(schema, "V")
            self.check_legal(op_type, self.random.choice(
                [dtype for dtype in dtypes if dtype != object]), opset)
            for dtype in dtypes:
                if dtype == object:
                    left_out.append(schemas.name_of(dtype))
                    continue
                cases = self.cases(op_type, dtype, opset)
                found = iter(folding.resolve(model(cases, opset)))
                for case in cases:
                    for wanted in case.wanted:
                        resolved = next(found)
                        self.assertEqual(resolved.state, "resolved",
                                         (resolved.reason, case))
                        self.assertEqual(value_of(resolved), bits_of(wanted),
                                         case)
                known = [case for case in cases if not case.is_disputed]
                for at in range(0, len(known), AT_ONCE):
                    self.check_reference(known[at:at + AT_ONCE], opset)
                self.disputed += len(cases) - len(known)
                tried += len(cases)
        folding.print_left_out(op_type, left_out, COUNT)
        for count, reason in (
                (self.disputed, "cases: the reference differs"),
                (self.stacked, "outputs: the reference gives them other dims")):
            if count:
                print(f"SKIP: {op_type}: {count} {reason}, of {tried} cases",
                      flush=True)

    def test_dims_of_Scan(self):
        dtype = numpy.dtype(numpy.float32)
        for opset, _ in schemas.versions("Scan"):
            if opset < 9:
                print("SKIP: Scan: the version of opset 8 is not read")
                continue
            self.check_legal("Scan", dtype, opset)
            cases = self.cases("Scan", dtype, opset)
            found = iter(folding.resolve(model(cases, opset)))
            for case in cases:
                for wanted in case.wanted:
                    resolved = next(found)
                    self.assertEqual(resolved.dims, wanted.shape,
                                     (resolved, case))


def add_test(op_type):
    setattr(Turns, f"test_{op_type}",
            lambda self: self.check_operator(op_type))


for name in ("If", "Loop"):
    add_test(name)


if __name__ == "__main__":
    support.main()
