"""Whole models: the decisions about them (the table is in test_decisions.py),
and what each must resolve to.
"""

import unittest

import binding
import generator
import models
import support
import wire
from binding import DEFAULT, LENIENT, STRICT
from verdicts import FAULT, MALFORMED, MODES, NOVELTY, REFUSED, TAKEN
from wire import BYTES

FLOAT, INT64, BFLOAT16 = 1, 7, 16

ONE = bytes.fromhex("0000803f")
VALUE = models.tensor(FLOAT, [1], ONE)
NEWEST_IR = 14


def status(data, mode, values=None):
    """Of the model as a whole, or of its constant `y`."""
    try:
        found, _ = models.read(data, values, mode)
    except binding.Error as error:
        return error.status
    resolved = found["", "y"].resolved
    return {"resolved": "OK", "invalid": "INVALID_MODEL",
            "unresolved": "UNRESOLVED"}[resolved.state]


def statuses(data):
    return [status(data, mode) for mode in MODES]


class Models(unittest.TestCase):
    def run_constant(self, data, values=None, key=("", "y"), mode=DEFAULT):
        found, _ = models.read(data, values, mode)
        resolved = found[key].resolved
        self.assertEqual(resolved.state, "resolved", resolved.reason)
        return support.run(resolved.plan)

    def test_8_31_ai_onnx_is_the_default_domain(self):
        for domain in ("", "ai.onnx"):
            for imported in ("", "ai.onnx"):
                node = generator.node("Constant", [], ["y"], [
                    models.attribute("value", VALUE)]) + wire.field(
                        7, BYTES, domain.encode())
                data = models.model(models.graph([node]), {imported: 21})
                with self.subTest(domain=domain, imported=imported):
                    self.assertEqual(statuses(data), TAKEN)

    def test_8_31_other_domains_are_not_listed(self):
        for domain in ("com.example", "ai.onnx.ml", "ai.onnx2", "AI.ONNX"):
            node = models.call(domain, "Constant", [], ["y"])
            found, _ = models.read(models.model(models.graph([node])))
            self.assertEqual(found, {})

    def test_8_32_versions_from_the_future(self):
        graph = models.graph([models.constant("y", VALUE)])
        for opset, ir_version in ((generator.OPSET_NEWEST + 1, 10),
                                  (21, NEWEST_IR + 1), (2**40, 10),
                                  (21, 2**40)):
            data = models.model(graph, {"": opset}, ir_version)
            with self.subTest(opset=opset, ir_version=ir_version):
                self.assertEqual(statuses(data), NOVELTY)
                model = support.library().parse(data)
                self.assertEqual(model.notes.codes(),
                                 [binding.NOTE_VERSION])
                self.assertEqual(model.info().opset, opset)
                self.assertEqual(model.info().ir_version, ir_version)
        self.assertEqual(statuses(models.model(
            graph, {"": generator.OPSET_NEWEST}, NEWEST_IR)), TAKEN)

    def test_8_32_the_newest_ir_version_is_known(self):
        import onnx
        self.assertEqual(onnx.IR_VERSION, NEWEST_IR)

    def test_8_34_an_initializer_is_an_inputs_default(self):
        for ir_version in (3, 4, 10):
            data = models.model(
                models.graph([models.fill("s", "y", VALUE)],
                             [models.int64s([2], "s")],
                             [models.value_info("s", INT64, [1])],
                             [models.value_info("y", FLOAT, None)]),
                ir_version=ir_version)
            self.assertEqual(self.run_constant(data).data, ONE * 2)
            bound = {"s": models.int64_shape([3])}
            self.assertEqual(self.run_constant(data, bound).data, ONE * 3)

    def test_8_36_no_fill_below_opset_9(self):
        graph = models.graph([models.fill("s", "y", VALUE)],
                             [models.int64s([2], "s")])
        for opset in (1, 8):
            data = models.model(graph, {"": opset})
            self.assertEqual(statuses(data), FAULT)
            self.assertEqual(
                self.run_constant(data, mode=LENIENT).data, ONE * 2)
        self.assertEqual(statuses(models.model(graph, {"": 9})), TAKEN)

    def test_8_37_a_function_has_its_own_opset(self):
        """bfloat16 came to ConstantOfShape with 20."""
        fill = models.fill("s", "y",
                           models.tensor(BFLOAT16, [1], b"\x80\x3f"))
        shape = models.constant("s", models.int64s([1]))
        for own, main, expected in ((19, 25, "INVALID_MODEL"),
                                    (20, 19, "OK")):
            function = models.function("own", "F", [shape, fill], {"": own},
                                       outputs=["y"])
            data = models.model(
                models.graph([models.call("own", "F", [], ["z"])]),
                {"": main, "own": 1}, functions=[function])
            found, _ = models.read(data, mode=STRICT)
            state = found["own.F", "y"].resolved.state
            self.assertEqual(state, "resolved" if expected == "OK"
                             else "invalid")

    def test_8_40_the_default_domain_is_imported(self):
        graph = models.graph([models.constant("y", VALUE)])
        for opsets in ({}, {"com.example": 1}):
            self.assertEqual(statuses(models.model(graph, opsets)), REFUSED)
        # Before IR version 3 there were no imports, and opset 1.
        data = models.model(graph, {}, ir_version=2)
        self.assertEqual(statuses(data), TAKEN)
        self.assertEqual(support.library().parse(data).info().opset, 1)

    def test_8_41_training_graphs_are_not_listed(self):
        training = wire.field(20, BYTES, b"".join(
            wire.field(number, BYTES, models.graph(
                [models.constant("t", VALUE)],
                [models.int64s([1], "u")])) for number in (1, 2)))
        found, _ = models.read(models.model(
            models.graph([models.constant("y", VALUE)])) + training)
        self.assertEqual(list(found), [("", "y")])

    def test_8_42_singular_messages_and_bytes_come_once(self):
        tensor = wire.field(5, BYTES, VALUE)
        named = generator.attribute("value", tensor * 2)
        nodes = {
            "attribute.t": generator.node("Constant", [], ["y"], [named]),
            "tensor.raw_data": models.constant(
                "y", VALUE + wire.field(9, BYTES, ONE)),
            "attribute.s": generator.node("Constant", [], ["y"], [
                generator.attribute("value_string",
                                    wire.field(4, BYTES, b"a") * 2)]),
        }
        for name, node in nodes.items():
            with self.subTest(name):
                self.assertEqual(
                    [status(models.model(models.graph([node])), mode)
                     for mode in MODES], MALFORMED)
        graph = models.graph([models.constant("y", VALUE)])
        twice = models.model(graph) + wire.field(7, BYTES, graph)
        with self.subTest("model.graph"):
            self.assertEqual([status(twice, mode) for mode in MODES],
                             MALFORMED)
        info = models.value_info("s", INT64, [1])
        twice = models.model(models.graph(
            [models.constant("y", VALUE)], [],
            [info + info[info.index(b"\x12"):]]))
        with self.subTest("value_info.type"):
            self.assertEqual([status(twice, mode) for mode in MODES],
                             MALFORMED)


if __name__ == "__main__":
    support.main()
