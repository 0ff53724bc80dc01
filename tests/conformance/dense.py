"""Element codes and their dense form, bit by bit: the tests' own naive
expansion, which no tool decides for. The widths are those of onnx.proto.
"""

import math

# TensorProto.DataType by number: name, bits, and the field that holds typed
# values.
DTYPES = {
    1: ("FLOAT", 32, "float_data"),
    2: ("UINT8", 8, "int32_data"),
    3: ("INT8", 8, "int32_data"),
    4: ("UINT16", 16, "int32_data"),
    5: ("INT16", 16, "int32_data"),
    6: ("INT32", 32, "int32_data"),
    7: ("INT64", 64, "int64_data"),
    8: ("STRING", 0, "string_data"),
    9: ("BOOL", 8, "int32_data"),
    10: ("FLOAT16", 16, "int32_data"),
    11: ("DOUBLE", 64, "double_data"),
    12: ("UINT32", 32, "uint64_data"),
    13: ("UINT64", 64, "uint64_data"),
    14: ("COMPLEX64", 64, "float_data"),
    15: ("COMPLEX128", 128, "double_data"),
    16: ("BFLOAT16", 16, "int32_data"),
    17: ("FLOAT8E4M3FN", 8, "int32_data"),
    18: ("FLOAT8E4M3FNUZ", 8, "int32_data"),
    19: ("FLOAT8E5M2", 8, "int32_data"),
    20: ("FLOAT8E5M2FNUZ", 8, "int32_data"),
    21: ("UINT4", 4, "int32_data"),
    22: ("INT4", 4, "int32_data"),
    23: ("FLOAT4E2M1", 4, "int32_data"),
    24: ("FLOAT8E8M0", 8, "int32_data"),
    25: ("UINT2", 2, "int32_data"),
    26: ("INT2", 2, "int32_data"),
    27: ("FLOAT6E2M3", 6, "int32_data"),
    28: ("FLOAT6E3M2", 6, "int32_data"),
}
NUMBERS = {name: number for number, (name, _, _) in DTYPES.items()}
STRING = NUMBERS["STRING"]
BOOL = NUMBERS["BOOL"]


def width(dtype):
    return DTYPES[dtype][1]


def pack(codes, bits):
    """Codes of so many bits, the first in the lowest."""
    if bits % 8 == 0:
        size = bits // 8
        return b"".join(code.to_bytes(size, "little") for code in codes)
    whole = 0
    for index, code in enumerate(codes):
        whole |= code << (bits * index)
    return whole.to_bytes((bits * len(codes) + 7) // 8, "little")


def unpack(data, bits, count):
    """The codes of dense bytes; padding is ignored."""
    if bits % 8 == 0:
        size = bits // 8
        return [int.from_bytes(data[i * size:(i + 1) * size], "little")
                for i in range(count)]
    whole = int.from_bytes(data, "little")
    mask = (1 << bits) - 1
    return [whole >> (bits * i) & mask for i in range(count)]


def data_of(codes, dtype):
    """What a tensor of these elements holds: of strings, the strings."""
    return list(codes) if dtype == STRING else pack(codes, width(dtype))


def zero(dtype):
    return b"" if dtype == STRING else 0


def scattered(codes, indices, shape, dtype):
    """The elements of a sparse tensor: codes at linear indices."""
    elements = [zero(dtype)] * math.prod(shape)
    for code, index in zip(codes, indices):
        elements[index] = code
    return elements
