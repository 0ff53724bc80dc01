"""The structs of clconst.h and clconst_model.h, laid out as the headers say.
It knows no function of the library.
"""

import ctypes
import pathlib
import re
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_int,
                    c_int32, c_int64, c_size_t, c_uint, c_uint64, c_void_p,
                    sizeof)

HEADERS = "".join(
    (pathlib.Path(__file__).parents[2] / "include" / "clconst" / name)
    .read_text() for name in ("clconst.h", "clconst_model.h"))

# clconst_note_code: name -> number.
NOTE_CODES = {name: int(number) for name, number in re.findall(
    r"CLCONST_NOTE_(\w+) = (\d+)", HEADERS)}

NoteFunction = CFUNCTYPE(None, c_void_p, c_int, c_char_p)
WriteFunction = CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t)
MapFunction = CFUNCTYPE(c_int, c_void_p, c_char_p, c_uint64, c_size_t,
                        POINTER(c_void_p))
UnmapFunction = CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)


def layout(struct, /, **types):
    """The fields of a struct in the order of the header; a member without a
    type here is a failure."""
    found = re.search(rf"typedef struct {struct} {{(.*?)}} {struct};",
                      HEADERS, re.DOTALL)
    text = re.sub(r"/\*.*?\*/", "", found[1], flags=re.DOTALL)
    fields = []
    for member in text.split(";")[:-1]:
        match = re.search(r"\(\*(\w+)\)|(\w+)(\[\d+\])?$", member.strip())
        fields.append(match[1] or match[2])
    return [(field, types[field]) for field in fields]


class CError(Structure):
    _fields_ = layout(
        "clconst_error",
        status=c_int32, native_code=c_int32, message=c_char * 512)


class CString(Structure):
    _fields_ = layout(
        "clconst_string",
        data=c_void_p, size=c_size_t)

    def get(self):
        return ctypes.string_at(self.data, self.size) if self.size else b""


class CShape(Structure):
    _fields_ = layout(
        "clconst_shape",
        dims=POINTER(c_int64), rank=c_size_t)

    @classmethod
    def of(cls, dims):
        return cls((c_int64 * len(dims))(*dims), len(dims))

    def get(self):
        return tuple(self.dims[i] for i in range(self.rank))


class CView(Structure):
    _fields_ = layout(
        "clconst_view",
        dtype=c_int, shape=CShape, data=c_void_p, size=c_size_t)


class Sized(Structure):
    """A struct that begins with struct_size."""

    def __init__(self, **members):
        super().__init__(struct_size=sizeof(self), **members)


class COutput(Sized):
    _fields_ = layout(
        "clconst_output",
        struct_size=c_size_t, dtype=c_int, shape=CShape, size=c_size_t)


class CEngineOptions(Sized):
    _fields_ = layout(
        "clconst_engine_options",
        struct_size=c_size_t, device=c_char_p, require_device=c_int,
        fill_path=c_int, cache_dir=c_char_p, thread_count=c_uint,
        parallel_for=c_void_p, parallel_for_context=c_void_p,
        note=NoteFunction, note_context=c_void_p)


class CCounters(Sized):
    _fields_ = layout(
        "clconst_engine_counters",
        struct_size=c_size_t, command_count=c_uint64, byte_size=c_uint64,
        programs_built=c_uint64, programs_loaded=c_uint64)


class CReader(Structure):
    _fields_ = layout(
        "clconst_reader",
        context=c_void_p, map=MapFunction, unmap=UnmapFunction)


class CDecodeOptions(Sized):
    _fields_ = layout(
        "clconst_decode_options",
        struct_size=c_size_t, opset=c_int64, strictness=c_int,
        note=NoteFunction, note_context=c_void_p, reader=CReader)


class CModelOptions(Sized):
    _fields_ = layout(
        "clconst_model_options",
        struct_size=c_size_t, strictness=c_int, note=NoteFunction,
        note_context=c_void_p, reader=CReader, follow_links=c_int,
        copy=c_int)


class CModelInfo(Sized):
    _fields_ = layout(
        "clconst_model_info",
        struct_size=c_size_t, ir_version=c_int64, opset=c_int64,
        constant_count=c_size_t, input_count=c_size_t, output_count=c_size_t,
        foreign_node_count=c_size_t)


class CConstant(Sized):
    _fields_ = layout(
        "clconst_constant",
        struct_size=c_size_t, name=CString, scope=CString, op_type=c_char_p,
        storage=c_char_p, dtype=c_int)


class CInputValue(Structure):
    _fields_ = layout(
        "clconst_input_value",
        name=c_char_p, value=CView)


class CSymbolValue(Structure):
    _fields_ = layout(
        "clconst_symbol_value",
        name=c_char_p, value=c_int64)


class CInputShape(Structure):
    _fields_ = layout(
        "clconst_input_shape",
        name=c_char_p, shape=CShape)


class CBindings(Sized):
    _fields_ = layout(
        "clconst_bindings",
        struct_size=c_size_t, values=POINTER(CInputValue),
        value_count=c_size_t, symbols=POINTER(CSymbolValue),
        symbol_count=c_size_t, shapes=POINTER(CInputShape),
        shape_count=c_size_t)


class CDim(Structure):
    _fields_ = layout(
        "clconst_dim",
        value=c_int64, symbol=CString)


class CResolved(Sized):
    _fields_ = layout(
        "clconst_resolved",
        struct_size=c_size_t, state=c_int, plan=c_void_p, reason=c_char_p,
        has_rank=c_int, dims=POINTER(CDim), rank=c_size_t,
        status=c_int, native_code=c_int32)
