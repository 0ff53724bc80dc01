"""Random cases of If, Loop and Scan, with what they come to, which NumPy
computes as the specification says it.

It knows neither the library nor the reference evaluator.
"""

import collections
import functools

import numpy
import onnx
import schemas
from move_cases import data_of
from onnx import helper

# nodes of the main graph; constants by name; the names of its outputs and what
# they come to. is_disputed: the reference evaluator is known to differ. stacked:
# the outputs that turns add up to, to which it gives other dims, with the same
# elements.
Case = collections.namedtuple(
    "Case", "nodes constants outputs wanted is_disputed stacked")

TURNS_MAX = 3

# The first opset in which the dims of branches may differ, and the first in
# which a loop may carry nothing.
BRANCHES_DIFFER_SINCE = CARRIES_NOTHING_SINCE = 11

BOOL, INT64 = numpy.dtype(bool), numpy.dtype(numpy.int64)


@functools.cache
def allows(op_type, opset, dtype):
    """Whether the version of the operator lists the dtype."""
    schema = onnx.defs.get_schema(op_type, opset)
    parameter = schema.inputs[0].type_str
    return dtype in schemas.dtypes(schema, parameter)


class Graph:
    """A graph that is written and can be run: each step has its node, and the
    function that makes arrays of the outputs of the arrays by name."""

    def __init__(self, writer, inputs=()):
        self.writer = writer
        self.inputs = list(inputs)
        self.nodes = []
        self.steps = []
        self.outputs = []

    def add(self, op_type, inputs, function, dtypes, **attributes):
        """Adds a node with outputs of these dtypes; returns their names."""
        outputs = [self.writer.name(dtype) for dtype in dtypes]
        self.nodes.append(helper.make_node(op_type, inputs, outputs,
                                           f"n_{outputs[0]}", **attributes))
        self.steps.append((outputs, function))
        return outputs

    def apply(self, op_type, inputs, function, dtype=None, **attributes):
        """A node of one output, which is made of the arrays of the inputs; of
        the dtype of the first, unless it is told."""
        if dtype is None:
            dtype = self.writer.dtypes[inputs[0]]
        return self.add(op_type, inputs, lambda values: [
            function(*(values[name] for name in inputs))], [dtype],
            **attributes)[0]

    def identity(self, name):
        return self.apply("Identity", [name], lambda array: array)

    def gather(self, table, index):
        return self.apply("Gather", [table, index],
                          lambda array, at: numpy.asarray(array[at]))

    def concat(self, a, b):
        return self.apply("Concat", [a, b],
                          lambda *arrays: numpy.concatenate(arrays), axis=0)

    def run(self, values):
        """The arrays of the outputs."""
        values = dict(values)
        for outputs, function in self.steps:
            values.update(zip(outputs, function(values)))
        return [values[name] for name in self.outputs]

    def proto(self):
        inputs, outputs = ([helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(self.writer.dtypes[name]),
            None) for name in names] for names in (self.inputs, self.outputs))
        return helper.make_graph(self.nodes, "g", inputs, outputs)


class Writer:
    """What a case is made of: random numbers, names of its own, constants of
    the main graph, and whether the reference follows the specification."""

    def __init__(self, random, dtype, opset, prefix):
        self.random = random
        self.dtype = dtype
        self.opset = opset
        self.prefix = prefix
        self.dtypes = {}
        self.constants = {}
        self.is_disputed = False

    def name(self, dtype=None):
        """Of a value of the case's dtype, unless another is told."""
        name = f"{self.prefix}_{len(self.dtypes)}"
        self.dtypes[name] = self.dtype if dtype is None else dtype
        return name

    def body_inputs(self, count):
        """Of a loop that carries so many values."""
        return [self.name(INT64), self.name(BOOL),
                *(self.name() for _ in range(count))]

    def constant(self, array):
        array = numpy.asarray(array)
        name = self.name(array.dtype)
        self.constants[name] = array
        return name

    def data(self, dims):
        return self.constant(data_of(self.random, self.dtype, dims))

    def scalar(self, value, dtype):
        """A tensor of one element, of rank 0 or 1."""
        return self.constant(numpy.full(self.random.choice(([], [1])), value,
                                        dtype))

    def dims(self):
        return [self.random.choice((0, 1, 2, 2, 3))
                for _ in range(self.random.randint(0, 2))]

    def has(self, op_type):
        return allows(op_type, self.opset, self.dtype)


def choose(graph, condition, names):
    """An If that gives one of two values, each behind a node."""
    branches = []
    for name in names:
        branches.append(Graph(graph.writer))
        branches[-1].outputs = [branches[-1].identity(name)]
    return add_if(graph, condition, branches)[0]


def add_if(graph, condition, branches):
    """branches: that of a condition that holds, and the other."""
    return graph.add(
        "If", [condition],
        lambda values: branches[0 if values[condition].item() else 1].run(
            values),
        [graph.writer.dtypes[name] for name in branches[0].outputs],
        then_branch=branches[0].proto(), else_branch=branches[1].proto())


def value_of(graph, dims, turn=None, known=()):
    """The name of a value of these dims, behind a node. turn is the turn's
    number in a loop; known are other values of these dims."""
    writer, random = graph.writer, graph.writer.random
    ways = ["identity"] * 3 + ["known"] * bool(known) + ["if"]
    if turn is not None:
        ways += ["gather" if writer.has("Gather") else "if by turn"] * 3
    way = random.choice(ways)
    if way == "known":
        return graph.identity(random.choice(known))
    if way == "gather":
        return graph.gather(writer.data([TURNS_MAX, *dims]), turn)
    if way == "identity":
        return graph.identity(writer.data(dims))
    condition = writer.scalar(random.random() < 0.5, bool)
    if way == "if by turn":
        flags = [random.random() < 0.5 for _ in range(TURNS_MAX)]
        condition = graph.gather(writer.constant(flags), turn)
    return choose(graph, condition, [writer.data(dims), random.choice(
        [*known, writer.data(dims)])])


def run_loop(trips, condition, carried, body, sums, values):
    """What Operators.md says of Loop. trips and condition are None where the
    node has none; sums are the dims of what turns add up."""
    dtypes = [body.writer.dtypes[name]
              for name in body.outputs[1 + len(carried):]]
    added = [[] for _ in sums]
    turn, goes_on = 0, condition is None or bool(condition.item())
    while goes_on and (trips is None or turn < trips.item()):
        given = [numpy.array(turn), numpy.array(True), *carried]
        going, *outputs = body.run(values | dict(zip(body.inputs, given)))
        goes_on = condition is None or bool(going.item())
        carried = outputs[:len(carried)]
        for arrays, array in zip(added, outputs[len(carried):]):
            arrays.append(array)
        turn += 1
    return [*carried, *(
        numpy.stack(arrays) if arrays else numpy.empty([0, *dims], dtype)
        for arrays, dims, dtype in zip(added, sums, dtypes))]


def add_loop(graph, trips, condition, carried, body, sums):
    """carried are names; sums are the dims of what turns add up."""
    def function(values):
        return run_loop(values.get(trips), values.get(condition),
                        [values[name] for name in carried], body, sums, values)
    return graph.add("Loop", [trips, condition, *carried], function,
                     [graph.writer.dtypes[name] for name in body.outputs[1:]],
                     body=body.proto())


def carry(body, name, dims, turn):
    """What a turn makes of a value that it is given: of other dims as well."""
    writer = body.writer
    if dims and writer.has("Concat") and writer.random.random() < 0.3:
        more = [writer.random.randint(0, 2), *dims[1:]]
        return body.concat(name, value_of(body, more, turn))
    return value_of(body, dims, turn, [name])


def inner_loop(body, dims, turn):
    """A loop in a loop, which runs as often as the outer one has run before,
    and gives out what it carries."""
    writer = body.writer
    inner = Graph(writer, writer.body_inputs(1))
    number, going, given = inner.inputs
    made = value_of(inner, dims, number, [given])
    if dims and writer.has("Concat"):
        made = inner.concat(given, made)
    inner.outputs = [inner.identity(going), made]
    return add_loop(body, turn, writer.scalar(True, bool),
                    [value_of(body, dims, turn)], inner, [])[0]


def add_sum(body, turn, carried):
    """A value that turns add up, and its dims."""
    writer = body.writer
    way = writer.random.random()
    if way < 0.15:
        return body.identity(turn), []
    if way < 0.3 and carried:
        name, dims = writer.random.choice(carried)
        shape = body.apply("Shape", [name], lambda array: numpy.array(
            array.shape, INT64), INT64)
        return shape, [len(dims)]
    dims = writer.dims()
    return value_of(body, dims, turn), dims


def ending(body, turn, may_hold):
    """A condition that a body gives out; of the last turn that there may be it
    is one that does not hold, unless it may."""
    random = body.writer.random
    if may_hold and random.random() < 0.5:
        return body.identity(body.inputs[1])
    flags = [random.random() < 0.7 for _ in range(TURNS_MAX)]
    flags[-1] = may_hold
    return body.gather(body.writer.constant(flags), turn)


def loop(writer):
    random = writer.random
    main = Graph(writer)
    given = [(writer.data(dims), dims) for dims in (
        writer.dims() for _ in range(random.randint(
            writer.opset < CARRIES_NOTHING_SINCE, 2)))]
    body = Graph(writer, writer.body_inputs(len(given)))
    turn, going, *names = body.inputs
    made = [carry(body, name, dims, turn)
            for name, (_, dims) in zip(names, given)]
    known = [(name, dims) for name, (_, dims) in zip(names, given)]
    if random.random() < 0.2:
        dims = writer.dims()
        given.append((writer.data(dims), dims))
        body.inputs.append(writer.name())
        made.append(inner_loop(body, dims, turn))
    sums = [add_sum(body, turn, known)
            for _ in range(random.randint(not given, 2))]
    has_condition = random.random() < 0.9
    has_trips = not has_condition or random.random() < 0.8
    # A condition that the node does not have must not matter.
    end = ending(body, turn, has_trips) if has_condition else \
        body.identity(going)
    body.outputs = [end, *made, *(name for name, _ in sums)]
    trips = random.randint(1, TURNS_MAX) if random.random() < 0.85 else \
        random.choice((0, -2))
    goes = random.random() < 0.95
    outputs = add_loop(
        main, writer.scalar(trips, numpy.int64) if has_trips else "",
        writer.scalar(goes, bool) if has_condition else "",
        [name for name, _ in given], body, [dims for _, dims in sums])
    has_turn = (trips > 0 or not has_trips) and (goes or not has_condition)
    # The reference runs no turn without a condition, and cannot stack nothing.
    writer.is_disputed = not has_condition or bool(sums) and not has_turn
    return main, outputs, {
        name for name, (_, dims) in zip(outputs[len(given):], sums)
        if len(dims) != 1}


def branch_output(graph, dims, is_taken):
    """Of a branch that is not taken, one that fails wherever it is asked
    for."""
    writer, random = graph.writer, graph.writer.random
    if not is_taken and writer.has("Gather") and random.random() < 0.3:
        return graph.gather(writer.data([2, *dims]),
                            writer.constant(numpy.array(99)))
    if random.random() < 0.2 and writer.opset >= BRANCHES_DIFFER_SINCE:
        turns = writer.constant(numpy.array(random.randint(0, 2)))
        return inner_loop(graph, dims, turns)
    return value_of(graph, dims)


def if_(writer):
    main = Graph(writer)
    goes = writer.random.random() < 0.5
    branches = [Graph(writer), Graph(writer)]
    for _ in range(writer.random.choice((1, 1, 2))):
        dims = writer.dims()
        for graph, is_taken in zip(branches, (goes, not goes)):
            if writer.opset >= BRANCHES_DIFFER_SINCE:
                dims = writer.dims()
            graph.outputs.append(branch_output(graph, dims, is_taken))
    return main, add_if(main, writer.scalar(goes, bool), branches), set()


def run_scan(carried, sequences, turns, body, added, values):
    """What Operators.md says of Scan: sequences are arrays, each with its axis
    and its direction, and added are those of what turns add up."""
    sums = [[] for _ in added]
    for turn in range(turns):
        slices = [numpy.take(array, turns - 1 - turn if is_back else turn, axis)
                  for array, (axis, is_back) in sequences]
        outputs = body.run(values | dict(zip(body.inputs,
                                             [*carried, *slices])))
        carried = outputs[:len(carried)]
        for arrays, array in zip(sums, outputs[len(carried):]):
            arrays.append(array)
    return [*carried, *(
        numpy.stack(arrays[::-1] if is_back else arrays, axis)
        for arrays, (axis, is_back) in zip(sums, added))]


def ends_of(random, ranks):
    """An axis and a direction for each of tensors of these ranks."""
    return [(random.randint(-rank, rank - 1), random.randint(0, 1))
            for rank in ranks]


def scan(writer):
    """Of a turn or more, since nothing says what none adds up."""
    random = writer.random
    main = Graph(writer)
    turns = random.randint(1, TURNS_MAX)
    given = [writer.dims() for _ in range(random.randint(0, 2))]
    slices = [writer.dims() for _ in range(random.randint(1, 2))]
    body = Graph(writer, [writer.name() for _ in given + slices])
    known = list(zip(body.inputs, given + slices))
    sums = [writer.dims() for _ in range(random.randint(not given, 2))]
    body.outputs = [value_of(body, dims, None, [
        name for name, own in known if own == dims])
        for dims in given + sums]
    ins = ends_of(random, [len(dims) + 1 for dims in slices])
    outs = ends_of(random, [len(dims) + 1 for dims in sums])
    attributes = {"num_scan_inputs": len(slices)}
    for side, ends in (("input", ins), ("output", outs)):
        for name, values in zip(("axes", "directions"), zip(*ends)):
            if any(values) or random.random() < 0.5:
                attributes[f"scan_{side}_{name}"] = values
    carried = [writer.data(dims) for dims in given]
    sequences = []
    for dims, (axis, _) in zip(slices, ins):
        dims = list(dims)
        dims.insert(axis if axis >= 0 else len(dims) + 1 + axis, turns)
        sequences.append(writer.data(dims))

    def function(values):
        return run_scan([values[name] for name in carried],
                        [(values[name], end)
                         for name, end in zip(sequences, ins)],
                        turns, body, outs, values)
    return main, main.add("Scan", carried + sequences, function,
                          [writer.dtype] * len(body.outputs),
                          body=body.proto(), **attributes), set()


# op_type -> the function that writes the main graph; it returns that, the names
# of the outputs, and which of these the reference stacks in its own way.
OPERATORS = {"If": if_, "Loop": loop, "Scan": scan}


def make(random, op_type, dtype, opset, prefix):
    """A case, whose names begin with the prefix."""
    writer = Writer(random, dtype, opset, prefix)
    main, outputs, stacked = OPERATORS[op_type](writer)
    main.outputs = outputs
    return Case(main.nodes, writer.constants, outputs,
                main.run(writer.constants), writer.is_disputed, stacked)
