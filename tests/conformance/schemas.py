"""The versions of operators, and the dtypes of each, as the installed onnx
lists them."""

import functools

import numpy
import onnx
from onnx import TensorProto, helper


def name_of(dtype):
    """A dtype's name, which NumPy has none for of strings."""
    return "string" if dtype == object else dtype.name


@functools.cache
def versions(op_type):
    """The opsets from 7 on at which the operator's schema changes, and the
    schema of each, but for deprecated ones."""
    opsets = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.name == op_type and schema.domain == "" and \
                not schema.deprecated:
            opset = max(schema.since_version, 7)
            known = opsets.get(opset)
            if known is None or known.since_version < schema.since_version:
                opsets[opset] = schema
    return sorted(opsets.items())


def dtypes(schema, parameter=None):
    """The NumPy types of the tensors that a type parameter of a schema lists;
    without a name, its first one."""
    allowed = next(constraint.allowed_type_strs
                   for constraint in schema.type_constraints
                   if parameter in (None, constraint.type_param_str))
    names = [text[len("tensor("):-1] for text in allowed
             if text.startswith("tensor(")]
    return [numpy.dtype(helper.tensor_dtype_to_np_dtype(
        getattr(TensorProto, name.upper()))) for name in names]
