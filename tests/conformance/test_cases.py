"""Inputs that broke other implementations, by the numbers of the collection
of public reports: ConstantOfShape, Constant, TensorProto decoding, fills by drivers
and OpenCL engines. Each number has a test here or in PLACES, or ELSEWHERE names
the tests that show it, or REASONS says why it has none.
"""

import importlib
import pathlib
import re
import struct
import unittest

import binding
import dense
import generator
import models
import support
import wire
from binding import Dense
from verdicts import verdict
from wire import BYTES, VARINT

FLOAT, INT32, INT64, BOOL, UINT64, DOUBLE = 1, 6, 7, 9, 13, 11
FLOAT16, BFLOAT16 = 10, 16

# The rows that no test can show.
REASONS = {
    "R178": "the driver itself ends the process; what it tells before, its "
            "memory and largest allocation, is compared with the request "
            "(R171)",
}

# The rows that other tests show: what in tests/, by file and name. A program
# without named tests says in its text which rows it is for.
OF_BOUNDARIES = "backend/test_large.c", "fills_are_right_at_each_boundary"
OF_DTYPES = "backend/run.c", "run_fills_each_dtype_as_the_oracle_does"
OF_WIDTHS = "backend/run.c", "run_fills_each_width_above_the_crossover"
OF_LIMITS = "faults/limits.c", "requests_are_compared_with_what_the_device_has"
OF_RANGES = "faults/quirks.c", "drivers_never_see_bad_or_empty_ranges"
OF_VERSIONS = "faults/limits.c", "a_device_needs_version_1_2"
OF_CHOICES = "faults/choices.c", "auto_asks_for_what_was_measured"
OF_CONTEXTS = "faults/quirks.c", "each_context_has_programs_of_its_own"
OF_DRIVERS = "faults/keys.c", "another_driver_gets_a_program_of_its_own"
OF_COMMANDS = "backend/opencl_commands.c", "commands_do_not_grow_with_the_batch"
OF_CALLS = "faults/calls.c", "operations_survive_each_failing_call"
OF_EMPTY_SVM = "backend/opencl_svm.c", "svm_of_an_empty_output_is_an_event"
OF_REFUSED_FILLS = "faults/quirks.c", "a_driver_without_a_fill_is_asked_once"
OF_DRIVER_PIECES = (
    "faults/quirks.c", "fills_by_the_driver_have_pieces_below_2_to_the_31")
OF_SECOND_TENSORS = "faults/limits.c", "what_fits_once_may_not_fit_twice"
OF_SIZES = "backend/run.c", "run_refuses_more_than_the_largest_allocation"
OF_ENDS = "faults/test_exit.c", None

ELSEWHERE = {
    "R35": [OF_COMMANDS],
    "R103": [OF_BOUNDARIES, OF_DRIVER_PIECES],
    "R104": [("backend/opencl_bytes.c",
              "enqueue_fills_each_dtype_at_each_offset")],
    "R105": [OF_DTYPES, OF_RANGES],
    "R106": [OF_REFUSED_FILLS],
    "R107": [OF_VERSIONS],
    "R109": [OF_EMPTY_SVM],
    "R110": [OF_EMPTY_SVM],
    "R111": [("backend/run.c", "run_makes_empty_tensors_without_memory")],
    "R112": [OF_VERSIONS, OF_RANGES],
    "R113": [OF_REFUSED_FILLS],
    "R114": [OF_DTYPES],
    "R115": [("faults/quirks.c", "fills_leave_no_reference_behind")],
    # On one device; what moves bytes between devices is the driver.
    "R117": [("backend/opencl_bytes.c", "enqueue_fills_sub_buffers")],
    "R118": [("cli/test_layer.py", "test_r118_a_driver_that_writes_zeros"),
             OF_WIDTHS],
    "R119": [OF_WIDTHS],
    "R121": [("backend/opencl_svm.c", "svm_fills_each_dtype_at_each_address"),
             ("backend/opencl_svm.c",
              "svm_fill_by_the_driver_needs_alignment")],
    "R123": [OF_DTYPES],
    "R125": [("backend/test_large_opencl.c",
              "parts_of_large_buffers_are_filled"),
             OF_DRIVER_PIECES],
    "R129": [OF_BOUNDARIES],
    "R131": [OF_SIZES, OF_LIMITS],
    "R132": [OF_BOUNDARIES],
    "R135": [OF_BOUNDARIES],
    "R136": [OF_BOUNDARIES],
    "R137": [OF_COMMANDS],
    "R139": [OF_CHOICES],
    "R140": [OF_CHOICES],
    "R142": [OF_DRIVERS],
    "R145": [("backend/opencl_cache.c", "damaged_entries_are_built_again")],
    "R146": [OF_DRIVERS],
    "R149": [("faults/keys.c",
              "another_source_or_version_gets_a_program_of_its_own")],
    "R151": [("backend/opencl_cache.c",
              "programs_are_built_once_and_then_loaded")],
    "R153": [("backend/opencl_cache.c", "each_byte_of_an_entry_counts")],
    "R156": [("faults/quirks.c", "binaries_are_for_a_folder_alone")],
    # "run a fill from a folder" with clCreateKernel failing.
    "R157": [OF_CALLS],
    "R158": [("faults/threads.c", "threads_share_an_engine_and_its_kernels")],
    "R160": [("faults/threads.c", "threads_build_each_program_once")],
    # It is the one that skips where the simulator is the platform.
    "R162": [("backend/opencl_engine.c", "threads_share_one_engine")],
    "R163": [("faults/events.c",
              "buffer_queue_and_engine_may_go_before_the_event")],
    "R164": [OF_CONTEXTS],
    "R165": [OF_ENDS],
    "R166": [OF_ENDS],
    "R167": [OF_ENDS, ("backend/test_unload.c", None)],
    # Each operation some hundred times.
    "R168": [OF_CALLS, OF_CONTEXTS],
    "R169": [("faults/threads.c", "threads_have_contexts_of_their_own")],
    "R170": [OF_CONTEXTS],
    "R171": [OF_SIZES, OF_LIMITS],
    "R172": [OF_SIZES, OF_LIMITS],
    "R174": [OF_LIMITS],
    "R176": [OF_LIMITS, OF_SECOND_TENSORS],
    "R177": [OF_SECOND_TENSORS,
             ("faults/quirks.c",
              "memory_that_is_missing_late_is_out_of_memory")],
    "R179": [("cli/test_verify.c", "verify_names_the_first_byte_that_differs")],
}

PLACES = ("test_cases", "test_tensor_cases", "test_external", "test_sparse")


def fill_node(value=None):
    return models.fill("s", "y", value)


def fill_plan(shape, value=None, opset=21):
    return support.library().decode(fill_node(value), opset).plan(shape)


class Rows(unittest.TestCase):
    def test_each_number_has_a_test_or_a_reason(self):
        path = support.shared("cases") / "public-reports.md"
        numbers = re.findall(r"^\| (R\d+) \|", path.read_text(), re.MULTILINE)
        self.assertGreater(len(numbers), 120)
        self.assertLessEqual({*ELSEWHERE, *REASONS}, set(numbers))
        tests = "\n".join(
            name for place in PLACES
            for holder in vars(importlib.import_module(place)).values()
            if isinstance(holder, type) for name in dir(holder))
        for number in numbers:
            with self.subTest(number):
                has_test = re.search(
                    rf"^test_{number.lower()}_", tests, re.MULTILINE)
                self.assertEqual(
                    bool(has_test) + (number in ELSEWHERE) +
                    (number in REASONS), 1)

    def test_what_is_shown_elsewhere_is_there(self):
        tests = pathlib.Path(__file__).parents[1]
        for number, places in ELSEWHERE.items():
            for path, name in places:
                with self.subTest(number, path=path):
                    says = (rf"\b{number}\b" if name is None else
                            rf"(START_TEST\(|def ){name}\(?\W")
                    self.assertRegex((tests / path).read_text(), says)


class Documents(unittest.TestCase):
    """What the headers say to readers who cannot ask."""

    def setUp(self):
        folder = pathlib.Path(__file__).parents[2] / "include" / "clconst"
        # Comments on one line, wherever they break.
        self.text = re.sub(r"\n \* ", " ", "".join(
            p.read_text() for p in folder.glob("*.h")))

    def test_r127_names_carry_their_unit(self):
        """Bytes end in size, counts in count; places and alignments say what
        they are measured in."""
        names = set(re.findall(
            r"\b(?:size_t|uint64_t|unsigned)\s+\*?(?:const )?(\w+)\s*[;,)]",
            self.text))
        self.assertGreater(len(names), 20)
        odd = {n for n in names if not n.endswith(("size", "count"))}
        self.assertEqual(odd - {"rank", "index", "arena", "num_wait"}, {
            "offset", "shape_offset", "result_offset", "strides", "alignment",
            "programs_built", "programs_loaded"})
        for said in ("from byte offset on", "at byte shape_offset of shape",
                     "strides has one entry, in bytes,", "All in bytes. alignment",
                     "alignment, in bytes too, is that of a sub-buffer's origin",
                     "Names that end in _size count bytes"):
            self.assertIn(said, self.text)

    def test_r180_what_is_complete_and_what_is_queued(self):
        for said in ("complete on return", "flushed or finished",
                     "is still queued on a device"):
            self.assertIn(said, self.text)


class Cases(unittest.TestCase):
    def run_fill(self, shape, dtype, element, opset=21):
        value = models.tensor(dtype, [1], element)
        return support.run(fill_plan(shape, value, opset))

    def assert_filled(self, shape, dtype, element, count, **options):
        self.assertEqual(self.run_fill(shape, dtype, element, **options),
                         Dense(dtype, tuple(shape), element * count))

    def assert_fails(self, status, message, function, *arguments):
        with self.assertRaises(binding.Error) as caught:
            function(*arguments)
        self.assertEqual(caught.exception.status, status)
        self.assertRegex(caught.exception.message, message)

    def resolve(self, node, declared, values=None):
        """What becomes of a fill whose shape is this input."""
        graph = models.graph([node], [], [declared])
        found, _ = models.read(models.model(graph), values)
        return found["", "y"].resolved


class FillCases(Cases):
    def test_r2_an_int32_shape_is_refused(self):
        resolved = self.resolve(
            fill_node(), models.value_info("s", INT32, [2]),
            {"s": Dense(INT32, (2,), struct.pack("<2i", 4, 3))})
        self.assertEqual(resolved.state, "invalid")
        self.assertRegex(resolved.reason, "int32.*int64")

    def test_r3_a_good_call_after_a_bad_one(self):
        op = support.library().decode(fill_node(), 21)
        self.assertEqual(support.run(op.plan([2, 3])).data, bytes(24))
        self.assert_fails("INVALID_ARGUMENT", "dim 1 is -1", op.plan,
                          [2, -1, 3])
        self.assertEqual(support.run(op.plan([2, 1, 3])).data, bytes(24))

    def test_r5_the_message_names_the_dim(self):
        self.assert_fails("INVALID_ARGUMENT", "^dim 0 is -1; dims must be",
                          fill_plan, [-1, 3, 224, 224])
        resolved = self.resolve(
            fill_node(), models.value_info("s", INT64, [4]),
            {"s": models.int64_shape([-1, 3, 224, 224])})
        self.assertRegex(resolved.reason, "dim 0 is -1")

    def test_r8_the_rank_is_the_length_of_the_shape(self):
        for length in (3, 4):
            resolved = self.resolve(
                fill_node(), models.value_info("s", INT64, [length]))
            self.assertEqual(resolved.state, "unresolved")
            self.assertEqual(resolved.dims, (None,) * length)
        for dims in (["n"], None):
            resolved = self.resolve(
                fill_node(), models.value_info("s", INT64, dims))
            self.assertIsNone(resolved.dims)

    def test_r10_rank_0_is_known(self):
        resolved = self.resolve(
            fill_node(), models.value_info("s", INT64, [0]))
        self.assertEqual(resolved.dims, ())
        resolved = self.resolve(
            fill_node(), models.value_info("s", INT64, [0]),
            {"s": models.int64_shape([])})
        self.assertEqual((resolved.state, resolved.dims), ("resolved", ()))

    def test_r12_a_scalar_is_one_element(self):
        self.assert_filled([], FLOAT, b"abcd", 1)
        guarded = bytearray(b"\xee" * 12)
        support.library().write(
            fill_plan([], models.tensor(FLOAT, [1], b"abcd")), guarded, 4)
        self.assertEqual(guarded, b"\xee" * 4 + b"abcd" + b"\xee" * 4)

    def test_r13_an_empty_shape_has_rank_0(self):
        self.assertEqual(fill_plan([]).output(), (FLOAT, (), 4))

    def test_r15_zero_dims_are_no_failure(self):
        for shape in ([0, 3], [2, 0], [0]):
            self.assert_filled(shape, FLOAT, b"abcd", 0)

    def test_r17_each_element_is_filled(self):
        one = struct.pack("<f", 1)
        self.assert_filled([4, 3, 2], FLOAT, one, 24)
        guarded = bytearray(b"\xee" * (24 * 4 + 32))
        support.library().write(fill_plan(
            [4, 3, 2], models.tensor(FLOAT, [1], one)), guarded, 16)
        self.assertEqual(guarded, b"\xee" * 16 + one * 24 + b"\xee" * 16)

    def test_r18_true_is_the_byte_1(self):
        self.assert_filled([5], BOOL, b"\1", 5)

    def test_r19_bool_and_int32_in_both_encodings(self):
        for dtype, entry, element in (
                (BOOL, 1, b"\1"), (INT32, -2**31, struct.pack("<i", -2**31))):
            self.assert_filled([3], dtype, element, 3)
            typed = (wire.field(1, VARINT, 1) + wire.field(2, VARINT, dtype) +
                     wire.packed(5, [entry]))
            self.assertEqual(support.run(fill_plan([3], typed)).data,
                             element * 3)

    def test_r21_bool_is_listed_from_21_on(self):
        value = models.tensor(BOOL, [1], b"\1")
        for opset in (9, 20, 21, 23, 24, 25, 28):
            self.assertEqual(
                verdict(fill_node(value), opset, binding.STRICT), ("OK", []))

    def test_r24_bfloat16_at_opset_9(self):
        node = fill_node(models.tensor(BFLOAT16, [1], b"\x80\x3f"))
        for mode, expected in ((binding.DEFAULT, "OK"),
                               (binding.STRICT, "INVALID_MODEL"),
                               (binding.LENIENT, "OK")):
            status, more = verdict(node, 9, mode)
            self.assertEqual(status, expected)
            if status == "OK":
                self.assertEqual(more, [binding.NOTE_DTYPE])
        self.assert_filled([2], BFLOAT16, b"\x80\x3f", 2, opset=9)

    def test_r25_a_shape_from_shape_and_concat(self):
        axis = (wire.field(1, BYTES, b"axis") + wire.field(3, VARINT, 0) +
                wire.field(20, VARINT, 2))
        seven = struct.pack("<q", 7)
        bound = {"x": Dense(FLOAT, (2, 5), bytes(40))}
        for dims, values in (([2, 5], None), (["n", 5], bound)):
            graph = models.graph(
                [generator.node("Shape", ["x"], ["front"], []),
                 generator.node("Concat", ["front", "back"], ["s"], [axis]),
                 fill_node(models.tensor(INT64, [1], seven))],
                [models.int64s([3], "back")],
                [models.value_info("x", FLOAT, dims)])
            found, _ = models.read(models.model(graph), values)
            self.assertEqual(support.run(found["", "y"].resolved.plan),
                             Dense(INT64, (2, 5, 3), seven * 30))

    def test_r26_an_initializer_that_is_an_input_gives_the_shape(self):
        one = models.tensor(INT64, [1], struct.pack("<q", 1))
        graph = models.graph(
            [fill_node(one)], [models.int64s([3], "s")],
            [models.value_info("s", INT64, [1])])
        for ir_version in (3, 8):
            found, _ = models.read(models.model(graph, ir_version=ir_version))
            resolved = found["", "y"].resolved
            self.assertEqual(support.run(resolved.plan).data,
                             struct.pack("<3q", 1, 1, 1))

    def test_r27_a_large_fill_is_never_stored(self):
        graph = models.graph(
            [fill_node(models.tensor(FLOAT, [1], b"abcd"))],
            [models.int64s([1024, 1024, 64], "s")])
        data = models.model(graph)
        models.read(data)
        before = support.resident_size()
        found, _ = models.read(data)
        plan = found["", "y"].resolved.plan
        self.assertEqual(plan.output()[2], 1024 * 1024 * 64 * 4)
        self.assertEqual(plan.kind(), "fill")
        self.assertLess(support.resident_size() - before, 1 << 20)

    def test_r28_a_large_fill_is_not_folded(self):
        """Its dims serve where they are asked for; its elements are never
        made, where few would be."""
        def read(count):
            return models.read(models.model(models.graph(
                [models.fill("s", "x"),
                 generator.node("Abs", ["x"], ["z"], []),
                 generator.node("Shape", ["z"], ["t"], []),
                 models.fill("t", "y")],
                [models.int64s([count, count], "s")],
                outputs=[models.value_info("z", FLOAT, None)])))

        constants, outputs = read(3)
        self.assertEqual(support.run(outputs["z"].plan),
                         Dense(FLOAT, (3, 3), bytes(36)))
        before = support.resident_size()
        constants, outputs = read(1 << 20)
        self.assertLess(support.resident_size() - before, 1 << 20)
        self.assertEqual(constants["", "y"].resolved.dims, (1 << 20, 1 << 20))
        self.assertEqual(outputs["z"].state, "unresolved")
        self.assertRegex(outputs["z"].reason, "too large")

    def test_r30_huge_shapes_are_refused_before_allocation(self):
        self.assert_fails("TOO_LARGE", "2\\^63", fill_plan, [2**31, 2**31])
        self.assert_fails("TOO_LARGE", str(2**42), support.run,
                          fill_plan([2**40]))

    def test_r31_a_size_that_no_machine_has(self):
        self.assert_fails("TOO_LARGE", str(2**62), support.run,
                          fill_plan([2**20, 2**20, 2**20]))

    def test_r32_no_product_wraps(self):
        self.assertEqual(fill_plan([65536, 65536]).output()[2], 2**34)
        self.assert_fails("TOO_LARGE", "2\\^63", fill_plan, [2**32, 2**32])

    def test_r33_a_wrapped_zero_is_not_empty(self):
        self.assert_fails("TOO_LARGE", "2\\^63", fill_plan,
                          [4294967296, 4294967296])
        self.assert_filled([0, 2**40], FLOAT, b"abcd", 0)

    def test_r34_dims_of_the_largest_int(self):
        self.assert_fails("TOO_LARGE", "2\\^63", fill_plan,
                          [2147483647, 2147483647])

    def test_r36_a_uniform_tensor(self):
        self.assert_filled([1, 4, 8, 64], FLOAT, b"abcd", 2048)

    def test_r37_widths_around_a_vector(self):
        for shape in ([8, 16], [8, 15], [8, 1], [1, 3]):
            self.assert_filled(shape, FLOAT, b"abcd", shape[0] * shape[1])

    def test_r39_rank_0_is_not_the_dim_0(self):
        self.assert_filled([], FLOAT, b"abcd", 1)
        self.assert_filled([0], FLOAT, b"abcd", 0)

    def test_r40_zero_dims_at_the_end(self):
        self.assert_filled([4, 0], FLOAT, b"abcd", 0)
        self.assert_filled([3, 0], FLOAT, b"abcd", 0)

    def test_r42_nan_and_infinity_keep_their_bits(self):
        for dtype, code in ((FLOAT, 0x7FC00001), (FLOAT, 0x7FA00001),
                            (FLOAT, 0x7F800000), (FLOAT, 0x80000000),
                            (FLOAT16, 0x7E01), (FLOAT16, 0x7C01),
                            (DOUBLE, 0x7FF0000000000001)):
            width = dense.width(dtype) // 8
            self.assert_filled([3], dtype, code.to_bytes(width, "little"), 3)

    def test_r44_infinity_by_every_way(self):
        infinity = struct.pack("<f", float("inf"))
        self.assert_filled([2], FLOAT, infinity, 2)
        node = generator.node("Constant", [], ["y"],
                              [models.attribute("value_float", infinity)])
        self.assertEqual(support.run(
            support.library().decode(node, 21).plan()).data, infinity)
        typed = (wire.field(2, VARINT, FLOAT) +
                 wire.field(4, BYTES, infinity))
        self.assertEqual(support.run(fill_plan([2], typed)).data,
                         infinity * 2)

    def test_r46_uint64_above_the_largest_int64(self):
        self.assert_filled([2], UINT64, struct.pack("<Q", 1 << 63), 2)
        typed = (wire.field(2, VARINT, UINT64) +
                 wire.packed(11, [1 << 63]))
        self.assertEqual(support.run(fill_plan([1], typed)).data,
                         struct.pack("<Q", 1 << 63))

    def test_r48_an_unknown_dtype_has_no_size(self):
        library = support.library()
        for dtype in (0, max(dense.DTYPES) + 1, 255, -1, 2**31 - 1):
            self.assertEqual(library.dtype_bits(dtype), 0)
            self.assert_fails("INVALID_ARGUMENT", str(dtype),
                              library.byte_size, dtype, [4])
            status, _ = verdict(models.constant(
                "y", models.tensor(dtype, [1], bytes(4))), 28,
                binding.LENIENT)
            self.assertEqual(status, "INVALID_MODEL")
        for dtype, (_, bits, _) in dense.DTYPES.items():
            if dtype != dense.STRING:
                self.assertEqual(library.byte_size(dtype, [5]),
                                 (5 * bits + 7) // 8)

    def test_r50_an_offset_counts_bytes_from_the_start(self):
        buffer = bytearray(range(96))
        support.library().write(fill_plan(
            [6], models.tensor(FLOAT, [1], b"abcd")), buffer, 24)
        self.assertEqual(buffer, bytes(range(24)) + b"abcd" * 6 +
                         bytes(range(48, 96)))

    def test_r51_a_value_of_the_wrong_attribute_type(self):
        node = generator.node("ConstantOfShape", ["s"], ["y"], [
            wire.field(1, BYTES, b"value") +
            wire.field(2, wire.FIXED32, bytes(4)) +
            wire.field(20, VARINT, 1)])
        status, message = verdict(node, 21, binding.LENIENT)
        self.assertEqual(status, "INVALID_MODEL")
        self.assertRegex(message, "value.*FLOAT.*TENSOR")

    def test_r52_detector_models(self):
        self.assert_filled([0, 4], FLOAT, bytes(4), 0)
        self.assert_filled([17], FLOAT, bytes(4), 17)

    def test_r53_an_int64_zero_at_opset_12(self):
        self.assert_filled([7], INT64, bytes(8), 7, opset=12)


if __name__ == "__main__":
    support.main()
