"""libclconst through ctypes: the functions of clconst.h and clconst_model.h
that the conformance tests need, as Python objects.

An object keeps alive what it borrows. A failure is an Error.
"""

import collections
import ctypes
import errno
from ctypes import (POINTER, byref, c_char, c_char_p, c_int, c_size_t, c_uint,
                    c_void_p, cast, sizeof)

from structs import (NOTE_CODES, CBindings, CConstant, CCounters,
                     CDecodeOptions, CEngineOptions, CError, CInputShape,
                     CInputValue,
                     CModelInfo, CModelOptions, COutput, CReader, CResolved,
                     CShape, CString, CSymbolValue, CView, MapFunction, NoteFunction,
                     UnmapFunction, WriteFunction)

DEFAULT, STRICT, LENIENT = 0, 1, 2

NOTE_DTYPE = NOTE_CODES["DTYPE"]
NOTE_VERSION = NOTE_CODES["VERSION"]
NOTE_LENIENT = NOTE_CODES["LENIENT"]
NOTE_CHOICE = NOTE_CODES["CHOICE"]

STATES = {1: "resolved", 2: "unresolved", 3: "invalid", 4: "not taken"}
OP_KINDS = {1: "fill", 2: "dense", 3: "sparse"}
PLAN_KINDS = {1: "fill", 2: "copy", 3: "scatter", 4: "strings"}

STRING = 8

# A dense tensor: data is packed bytes as in raw_data, of strings a list of
# bytes.
Dense = collections.namedtuple("Dense", "dtype dims data")

# A constant as a model writes it.
Constant = collections.namedtuple(
    "Constant", "name scope op_type storage dtype")

# What became of a constant: plan is None unless resolved. dims are numbers,
# symbol names and None; None instead of them when the rank is unknown.
Resolved = collections.namedtuple("Resolved", "state plan reason dims")


class Error(Exception):
    def __init__(self, status, native_code, message):
        super().__init__(f"{status}: {message}")
        self.status = status
        self.native_code = native_code
        self.message = message


def make_view(dense):
    """The view of a Dense, and what must live as long as it."""
    if dense.dtype == STRING:
        buffers = [ctypes.create_string_buffer(s, len(s)) if s else None
                   for s in dense.data]
        data = (CString * len(buffers))(
            *(CString(cast(b, c_void_p), len(s))
              for b, s in zip(buffers, dense.data)))
        size = sizeof(data)
    else:
        buffers = None
        data = ctypes.create_string_buffer(dense.data, len(dense.data))
        size = len(dense.data)
    view = CView(dense.dtype, CShape.of(dense.dims), cast(data, c_void_p),
                 size)
    return view, (data, buffers)


def read_view(view):
    """The Dense of a view in host memory."""
    if view.dtype == STRING:
        count = view.size // sizeof(CString)
        strings = cast(view.data, POINTER(CString))
        data = [strings[i].get() for i in range(count)]
    else:
        data = ctypes.string_at(view.data, view.size) if view.size else b""
    return Dense(view.dtype, view.shape.get(), data)


class Notes(list):
    """The (code, text) pairs that a call noted."""

    def __init__(self):
        super().__init__()
        self.function = NoteFunction(
            lambda context, code, text: self.append((code, text.decode())))

    def codes(self):
        return [code for code, _ in self]


class Reader:
    """Storage for external data: locations and their bytes."""

    def __init__(self, files):
        self.files = files
        self.mapped = {}
        self.asked = []
        self.struct = CReader(map=MapFunction(self._map),
                              unmap=UnmapFunction(self._unmap))

    def _map(self, context, location, offset, size, out):
        self.asked.append((location.decode(), offset, size))
        data = self.files.get(location.decode())
        if data is None:
            return errno.ENOENT
        if offset + size > len(data):
            return errno.ENODATA
        if size > 0:
            buffer = ctypes.create_string_buffer(data[offset:offset + size],
                                                 size)
            self.mapped[ctypes.addressof(buffer)] = buffer
            out[0] = ctypes.addressof(buffer)
        return 0

    def _unmap(self, context, address, size):
        if size > 0 and len(self.mapped.pop(address)) != size:
            raise AssertionError("another size than mapped")


class Object:
    """A handle, and the objects that it borrows from."""

    def __init__(self, library, kind, handle, *borrowed):
        self.library = library
        self.handle = handle
        self.borrowed = borrowed
        self.release = library.function(f"clconst_{kind}_destroy", None)

    def __del__(self):
        self.release(self.handle)


class Library:
    """Functions by name; a status that is not OK becomes an Error."""

    def __init__(self, path):
        self.dll = ctypes.CDLL(str(path))
        self.status_name = self.function("clconst_status_name", c_char_p)
        self.dtype_name = self.function("clconst_dtype_name", c_char_p)
        self.dtype_bits = self.function("clconst_dtype_bits", c_uint)

    def function(self, name, result):
        function = getattr(self.dll, name)
        function.restype = result
        return function

    def call(self, name, *arguments):
        error = CError()
        status = self.function(name, c_int)(*arguments, byref(error))
        if status != 0:
            if error.status != status:
                raise AssertionError(
                    f"{name} returned {status} with error {error.status}")
            raise Error(self.status_name(status).decode(), error.native_code,
                        error.message.decode())

    def create(self, name, kind, *arguments, borrowed=()):
        handle = c_void_p()
        self.call(name, *arguments, byref(handle))
        return KINDS[kind](self, kind, handle, *borrowed)

    def engine(self, device, **options):
        notes = Notes()
        settings = CEngineOptions(device=device.encode(),
                                  note=notes.function, **options)
        return self.create("clconst_engine_create", "engine",
                           byref(settings), borrowed=(notes,))

    def decode(self, node, opset, mode=DEFAULT, function="clconst_op_decode",
               **more):
        """The operator of a serialized NodeProto."""
        notes = Notes()
        options = CDecodeOptions(opset=opset, strictness=mode,
                                 note=notes.function, **more)
        buffer = ctypes.create_string_buffer(node, len(node))
        op = self.create(function, "op", buffer, c_size_t(len(node)),
                         byref(options), borrowed=(buffer,))
        op.notes = notes
        return op

    def decode_tensor(self, tensor, mode=DEFAULT):
        """A Constant of a serialized TensorProto."""
        return self.decode(tensor, 0, mode, "clconst_op_decode_tensor")

    def _model(self, function, mode, borrowed, arguments, more):
        notes = Notes()
        options = CModelOptions(strictness=mode, note=notes.function, **more)
        model = self.create(function, "model", *arguments, byref(options),
                            borrowed=borrowed)
        model.notes = notes
        return model

    def parse(self, model, mode=DEFAULT, **more):
        """A model from its bytes. more: other members of the options."""
        buffer = ctypes.create_string_buffer(model, len(model))
        return self._model("clconst_model_parse", mode, (buffer,),
                           (buffer, c_size_t(len(model))), more)

    def open(self, path, mode=DEFAULT, **more):
        return self._model("clconst_model_open", mode, (),
                           (c_char_p(str(path).encode()),), more)

    def write(self, plan, buffer, offset=0):
        """Writes the plan's bytes into a bytearray, from offset on."""
        size = plan.output()[2]
        room = (c_char * max(size, 1)).from_buffer(buffer, offset)
        self.call("clconst_write", None, plan.handle, room, c_size_t(size))

    def byte_size(self, dtype, dims):
        size = c_size_t()
        self.call("clconst_byte_size", dtype, byref(CShape.of(dims)),
                  byref(size))
        return size.value

    def tensor_proto(self, dense, name=None):
        """A serialized TensorProto."""
        view, keep = make_view(dense)
        chunks = []

        def take(context, data, size):
            chunks.append(ctypes.string_at(data, size) if size else b"")
            return 0
        self.call("clconst_tensor_proto_write", byref(view),
                  name and name.encode(), WriteFunction(take), None)
        del keep
        return b"".join(chunks)


class Engine(Object):
    def run(self, plan):
        """The Dense of a plan, made in the engine's memory and read back."""
        tensor = self.library.create("clconst_run", "tensor", self.handle,
                                     plan.handle)
        view = CView()
        self.library.function("clconst_tensor_get_view", None)(
            tensor.handle, byref(view))
        if view.dtype == STRING:
            return read_view(view)
        data = ctypes.create_string_buffer(view.size)
        self.library.call("clconst_tensor_read", tensor.handle, c_size_t(0),
                          data, c_size_t(view.size))
        return Dense(view.dtype, view.shape.get(), data.raw)

    def counters(self):
        counters = CCounters()
        self.library.function("clconst_engine_get_counters", None)(
            self.handle, byref(counters))
        return counters


class Op(Object):
    def kind(self):
        return OP_KINDS[self.library.function("clconst_op_get_kind", c_int)(
            self.handle)]

    def value(self):
        view = CView()
        self.library.function("clconst_op_get_value", None)(
            self.handle, byref(view))
        return read_view(view)

    def plan(self, shape=None):
        """The plan for a shape, which Constant has itself."""
        dims = None if shape is None else byref(CShape.of(shape))
        return self.library.create("clconst_plan_create", "plan",
                                   self.handle, dims, borrowed=(self,))


class Plan(Object):
    def kind(self):
        return PLAN_KINDS[self.library.function(
            "clconst_plan_get_kind", c_int)(self.handle)]

    def output(self):
        """(dtype, dims, size in bytes)"""
        output = COutput()
        self.library.function("clconst_plan_get_output", None)(
            self.handle, byref(output))
        return output.dtype, output.shape.get(), output.size


class BorrowedPlan(Plan):
    """A plan that its resolution owns."""

    def __init__(self, library, handle, resolution):
        self.library = library
        self.handle = handle
        self.borrowed = (resolution,)
        self.release = lambda handle: None


class Model(Object):
    def info(self):
        info = CModelInfo()
        self.library.function("clconst_model_get_info", None)(
            self.handle, byref(info))
        return info

    def constants(self):
        found = []
        for index in range(self.info().constant_count):
            constant = CConstant()
            self.library.call("clconst_model_get_constant", self.handle,
                              c_size_t(index), byref(constant))
            found.append(Constant(
                constant.name.get().decode("utf-8", "surrogateescape"),
                constant.scope.get().decode("utf-8", "surrogateescape"),
                constant.op_type.decode(),
                constant.storage and constant.storage.decode(),
                constant.dtype))
        return found

    def _names(self, which, count):
        names = []
        for index in range(count):
            name = CString()
            self.library.call(f"clconst_model_get_{which}", self.handle,
                              c_size_t(index), byref(name))
            names.append(name.get().decode("utf-8", "surrogateescape"))
        return names

    def inputs(self):
        return self._names("input", self.info().input_count)

    def outputs(self):
        return self._names("output", self.info().output_count)

    def resolve(self, values=None, symbols=None, shapes=None):
        """values: name -> Dense of inputs of the main graph; symbols: name ->
        number; shapes: name of an input -> dims."""
        entries = (CInputValue * len(values or {}))()
        held = []
        for entry, (name, dense) in zip(entries, (values or {}).items()):
            entry.name = name.encode()
            entry.value, keep = make_view(dense)
            held.append(keep)
        numbers = (CSymbolValue * len(symbols or {}))(
            *(CSymbolValue(name=name.encode(), value=value)
              for name, value in (symbols or {}).items()))
        dims = (CInputShape * len(shapes or {}))(
            *(CInputShape(name=name.encode(), shape=CShape.of(shape))
              for name, shape in (shapes or {}).items()))
        bindings = CBindings(values=entries, value_count=len(entries),
                             symbols=numbers, symbol_count=len(numbers),
                             shapes=dims, shape_count=len(dims))
        return self.library.create(
            "clconst_resolution_create", "resolution", self.handle,
            byref(bindings), borrowed=(self,))


class Resolution(Object):
    def _get(self, which, index):
        resolved = CResolved()
        self.library.call(f"clconst_resolution_get_{which}", self.handle,
                          c_size_t(index), byref(resolved))
        dims = None
        if resolved.has_rank:
            dims = tuple(self._dim(resolved.dims[i])
                         for i in range(resolved.rank))
        plan = None
        if resolved.plan:
            plan = BorrowedPlan(self.library, c_void_p(resolved.plan), self)
        reason = resolved.reason and resolved.reason.decode()
        return Resolved(STATES[resolved.state], plan, reason, dims)

    @staticmethod
    def _dim(dim):
        if dim.value >= 0:
            return dim.value
        return dim.symbol.get().decode() or None

    def constant(self, index):
        return self._get("constant", index)

    def output(self, index):
        return self._get("output", index)


KINDS = {"engine": Engine, "tensor": Object, "op": Op, "plan": Plan,
         "model": Model, "resolution": Resolution}
