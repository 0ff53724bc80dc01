"""Random valid models: constants of all kinds in the main graph, in branches
of Ifs and in functions, with the shapes of their fills from every source.
What each constant comes to is known by its making.
"""

import collections
import itertools
import math

import dense
import generator
import models
import onnx
import wire
from binding import Dense

INT64 = models.INT64

# data: the model. values: Dense of each input to bind. constants: what is
# listed, by (scope, name). not_taken: those that a known condition rules out.
# outputs: those of the main graph, by name.
# has_own_opsets: whether a function's opset is not the model's. is_text: see
# generator.Case. is_sparse: whether anything in it is.
ModelCase = collections.namedtuple(
    "ModelCase", "data values constants not_taken outputs has_own_opsets "
    "is_text is_sparse")


class Graph:
    """A graph in the making."""

    def __init__(self, maker, scope, opset, depth=0, is_taken=True):
        self.maker = maker
        self.rng = maker.rng
        self.scope = scope
        self.opset = opset
        self.depth = depth
        self.is_taken = is_taken
        self.nodes = []
        self.initializers = []
        self.sparse = []
        self.inputs = []
        self.values = {}
        self.made = {}

    def add(self, name, expected):
        self.made[name] = expected
        self.maker.constants[self.scope, name] = expected
        if not self.is_taken:
            self.maker.not_taken.add((self.scope, name))
        self.maker.is_text &= generator.is_text(expected)

    def constant(self):
        name = self.maker.name()
        case = generator.constant(self.rng, self.opset)
        self.maker.is_sparse |= case.form == "sparse_value"
        attributes = [p for n, _, p in wire.fields(case.node) if n == 5]
        self.nodes.append(generator.node("Constant", [], [name], attributes))
        self.add(name, case.expected)

    def initializer(self):
        name = self.maker.name()
        dtype = self.rng.choice(sorted(dense.DTYPES))
        shape = generator.dims(self.rng)
        made = generator.tensor(self.rng, dtype, shape, [
            generator.code(self.rng, dtype)
            for _ in range(math.prod(shape))], name)
        self.initializers.append(made.data)
        self.add(name, made.expected)

    def sparse_initializer(self):
        name = self.maker.name()
        self.maker.is_sparse = True
        dtype = self.rng.choice(sorted(dense.DTYPES))
        made = generator.sparse(self.rng, dtype, name)
        self.sparse.append(made.data)
        self.add(name, made.expected)

    def shape_source(self, shape):
        """The name of a value that holds this shape."""
        rng, name = self.rng, self.maker.name()
        expected = Dense(INT64, (len(shape),), dense.pack(shape, 64))
        sources = ["initializer", "Constant"]
        if self.opset >= 12:
            sources.append("value_ints")
        if self.scope == "":
            sources += ["input", "default"]
        if self.is_function():
            sources.remove("initializer")
        source = rng.choice(sources)
        made = generator.tensor(rng, INT64, [len(shape)], shape, name)
        if source in ("initializer", "default"):
            self.initializers.append(made.data)
        elif source == "Constant":
            self.nodes.append(models.constant(name, made.data))
        elif source == "value_ints":
            self.nodes.append(generator.node(
                "Constant", [], [name], [generator.attribute(
                    source, generator.list_payload(source, shape))]))
        if source in ("input", "default"):
            self.inputs.append(models.value_info(name, INT64, [len(shape)]))
        if source == "input":
            self.values[name] = expected
        else:
            self.add(name, expected)
        return name

    def is_function(self):
        return self.scope.startswith("own.") and self.depth == 0

    def fill(self):
        case = generator.constant_of_shape(self.rng, self.opset)
        shape = self.shape_source(case.shape)
        name = self.maker.name()
        attributes = [p for n, _, p in wire.fields(case.node) if n == 5]
        self.nodes.append(generator.node("ConstantOfShape", [shape], [name],
                                         attributes))
        self.add(name, case.expected)

    def branches(self):
        """An If whose condition is a Constant of the graph."""
        condition, output = self.maker.name(), self.maker.name()
        is_true = self.rng.random() < 0.5
        value = models.tensor(dense.BOOL, [], bytes([is_true]))
        self.nodes.append(models.constant(condition, value))
        self.add(condition, Dense(dense.BOOL, (), bytes([is_true])))
        label = self.maker.name() if self.rng.random() < 0.7 else ""
        place = label or f"If_{len(self.nodes)}"
        bodies = []
        for branch in ("then_branch", "else_branch"):
            scope = f"{self.scope}/{place}.{branch}".lstrip("/")
            is_taken = is_true == (branch == "then_branch")
            inner = Graph(self.maker, scope, self.opset, self.depth + 1,
                          self.is_taken and is_taken)
            inner.populate()
            bodies.append(models.body(branch, inner.bytes()[0]))
        self.nodes.append(generator.node(
            "If", [condition], [output], bodies, label))

    def populate(self):
        kinds = [self.constant]
        if self.opset >= 9:
            kinds.append(self.fill)
        if not self.is_function():
            kinds.append(self.initializer)
            if self.opset >= 11:
                kinds.append(self.sparse_initializer)
        if self.depth < 3:
            kinds.append(self.branches)
        self.constant()
        for _ in range(self.rng.randint(0, 3 if self.depth else 6)):
            self.rng.choice(kinds)()

    def bytes(self, with_all_outputs=False):
        """(bytes, outputs): one output, or all that are constants."""
        names = list(self.made)
        if not with_all_outputs:
            names = self.rng.sample(names, 1)
        outputs = {name: self.made[name] for name in names}
        infos = [models.value_info(name, value.dtype, value.dims)
                 for name, value in outputs.items()]
        return models.graph(self.nodes, self.initializers, self.inputs,
                            infos, self.sparse), outputs


class Maker:
    """A model in the making: its names are unique, its constants listed."""

    def __init__(self, rng):
        self.rng = rng
        self.constants = {}
        self.not_taken = set()
        self.is_text = True
        self.is_sparse = False
        self.numbers = itertools.count()
        self.has_own_opsets = False

    def name(self):
        return f"n{next(self.numbers)}"

    def function(self, index, opset):
        """(FunctionProto, node that calls it)"""
        name = f"F{index}"
        if self.rng.random() < 0.3:
            opset = self.rng.randint(1, generator.OPSET_NEWEST)
            self.has_own_opsets = True
        graph = Graph(self, f"own.{name}", opset)
        graph.populate()
        _, outputs = graph.bytes()
        return (models.function("own", name, graph.nodes, {"": opset},
                                outputs=list(outputs)),
                models.call("own", name, [], [self.name()]))

    def model(self):
        rng = self.rng
        opset = rng.randint(1, generator.OPSET_NEWEST)
        main = Graph(self, "", opset)
        main.populate()
        functions = []
        opsets = {"": opset}
        for index in range(rng.choice((0, 0, 1, 2))):
            opsets["own"] = 1
            function, call = self.function(index, opset)
            functions.append(function)
            main.nodes.append(call)
        graph, outputs = main.bytes(with_all_outputs=True)
        data = wire.restyle(
            models.model(graph, opsets, 10, functions),
            onnx.ModelProto.DESCRIPTOR, rng)
        return ModelCase(data, main.values, self.constants, self.not_taken,
                         outputs, self.has_own_opsets, self.is_text,
                         self.is_sparse)


def model_cases(rng, count):
    for _ in itertools.repeat(None, count):
        yield Maker(rng).model()
