"""This project's tables against the installed onnx: dtypes, the versions of
both operators, and the messages and fields of onnx.proto. What a newer onnx
has and this project lacks is a failure that names it.
"""

import pathlib
import subprocess
import tempfile
import unittest

import binding
import dense
import generator
import ml_dtypes
import numpy
import onnx
import support
import wire
from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import FieldDescriptor
from onnx import helper

PROTO = pathlib.Path(__file__).parents[2] / "host" / "onnx" / "onnx.proto"

# What onnx.proto has and this library has no use for.
LEFT_OUT = {
    "AttributeProto": {"doc_string"},
    "FunctionProto": {"attribute", "doc_string", "metadata_props",
                      "value_info"},
    "GraphProto": {"doc_string", "metadata_props", "name",
                   "quantization_annotation"},
    "ModelProto": {"configuration", "doc_string", "domain", "metadata_props",
                   "model_version", "producer_name", "producer_version",
                   "training_info"},
    "NodeProto": {"device_configurations", "doc_string", "metadata_props"},
    "SparseTensorProto": set(),
    "TensorProto": {"doc_string", "metadata_props"},
    "TensorShapeProto.Dimension": {"denotation"},
    "TypeProto": {"denotation", "map_type", "opaque_type", "optional_type",
                  "sequence_type", "sparse_tensor_type"},
    "ValueInfoProto": {"doc_string", "metadata_props"},
}


def bits_of(dtype):
    """The width of an element as ml_dtypes or NumPy tells it."""
    if dtype == onnx.TensorProto.STRING:
        return 0
    numpy_type = helper.tensor_dtype_to_np_dtype(dtype)
    for info in (ml_dtypes.finfo, ml_dtypes.iinfo):
        try:
            return info(numpy_type).bits * (
                2 if numpy.issubdtype(numpy_type, numpy.complexfloating)
                else 1)
        except ValueError:
            pass
    return 8 * numpy_type.itemsize


class Dtypes(unittest.TestCase):
    def test_each_number_has_its_name_and_bits(self):
        library = support.library()
        names = {number: name.lower() for name, number
                 in onnx.TensorProto.DataType.items() if name != "UNDEFINED"}
        for number in range(-1, 256):
            with self.subTest(number=number, onnx=names.get(number)):
                name = library.dtype_name(number)
                self.assertEqual(name and name.decode(), names.get(number))
                self.assertEqual(
                    library.dtype_bits(number),
                    bits_of(number) if number in names else 0)

    def test_the_tests_know_them_all(self):
        self.assertEqual(
            {number: name for number, (name, _, _) in dense.DTYPES.items()},
            {number: name for name, number
             in onnx.TensorProto.DataType.items() if name != "UNDEFINED"})
        for number, (_, _, field) in dense.DTYPES.items():
            self.assertEqual(helper.tensor_dtype_to_field(number), field)


def tensor_attribute(form, dtype):
    """An attribute that carries one zero of this dtype."""
    if dtype == dense.STRING:
        values = wire.field(6, wire.BYTES, b"")
    else:
        values = wire.field(9, wire.BYTES,
                            dense.pack([0], dense.width(dtype)))
    shape = wire.field(1, wire.VARINT, 1)
    tensor = shape + wire.field(2, wire.VARINT, dtype) + values
    if form == "sparse_value":
        index = (shape + wire.field(2, wire.VARINT, dense.NUMBERS["INT64"]) +
                 wire.field(9, wire.BYTES, bytes(8)))
        tensor = (wire.field(1, wire.BYTES, tensor) +
                  wire.field(2, wire.BYTES, index) +
                  wire.field(3, wire.VARINT, 1))
    return generator.attribute(
        form, wire.field(generator.FORMS[form][1], wire.BYTES, tensor))


def list_attribute(form):
    width = dense.width(generator.LIST_DTYPES[form])
    return generator.attribute(
        form, generator.list_payload(form, [0 if width else b""]))


class Versions(unittest.TestCase):
    def decode(self, op_type, attributes, opset):
        """Whether STRICT takes the node."""
        inputs = ["s"] if op_type == "ConstantOfShape" else []
        node = generator.node(op_type, inputs, ["y"], attributes)
        try:
            support.library().decode(node, opset, binding.STRICT)
        except binding.Error as error:
            self.assertEqual(error.status, "INVALID_MODEL", error.message)
            return False
        return True

    def versions(self):
        for op_type, schemas in generator.SCHEMAS.items():
            for opset in range(1, generator.OPSET_NEWEST + 1):
                bound = [v for v in schemas if v <= opset]
                yield op_type, opset, (schemas[max(bound)] if bound
                                       else (set(), set()))

    def test_dtypes_of_each_version(self):
        for op_type, opset, (_, listed) in self.versions():
            for dtype in dense.DTYPES:
                with self.subTest(op_type=op_type, opset=opset,
                                  dtype=dense.DTYPES[dtype][0]):
                    self.assertEqual(
                        self.decode(op_type,
                                    [tensor_attribute("value", dtype)], opset),
                        dtype in listed)

    def test_attributes_of_each_version(self):
        for op_type, opset, (attributes, _) in self.versions():
            self.assertLessEqual(attributes, set(generator.FORMS),
                                 f"{op_type} {opset} has a new attribute")
            for form in generator.FORMS:
                with self.subTest(op_type=op_type, opset=opset, form=form):
                    attribute = (
                        list_attribute(form) if form in generator.LIST_DTYPES
                        else tensor_attribute(form, 1))
                    self.assertEqual(self.decode(op_type, [attribute], opset),
                                     form in attributes)

    def test_schemas_take_what_this_project_assumes(self):
        """Types of attributes, numbers of inputs and outputs."""
        for schema in onnx.defs.get_all_schemas_with_history():
            if schema.domain != "" or schema.name not in generator.SCHEMAS:
                continue
            with self.subTest(name=schema.name, since=schema.since_version):
                inputs = 1 if schema.name == "ConstantOfShape" else 0
                self.assertEqual((schema.min_input, schema.max_input),
                                 (inputs, inputs))
                self.assertEqual((schema.min_output, schema.max_output),
                                 (1, 1))
                self.assertFalse(schema.deprecated)
                for form, attribute in schema.attributes.items():
                    self.assertEqual(int(attribute.type),
                                     generator.FORMS[form][0], form)
                    self.assertFalse(
                        attribute.default_value.HasField("type"), form)

    def test_the_newest_opset_is_known(self):
        value = [list_attribute("value_int")]
        newest = generator.OPSET_NEWEST
        self.assertTrue(self.decode("Constant", value, newest),
                        f"onnx {onnx.__version__} has opset {newest}")
        self.assertFalse(self.decode("Constant", value, newest + 1))


def read_proto(path):
    """The FileDescriptorProto of a .proto file."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "set")
        subprocess.run(["protoc", f"--proto_path={path.parent}",
                        f"--descriptor_set_out={out}", path.name],
                       check=True, env=support.environment())
        return descriptor_pb2.FileDescriptorSet.FromString(
            out.read_bytes()).file[0]


def messages(holder, prefix=""):
    """(name, DescriptorProto) of all messages, nested ones too."""
    nested = (holder.message_type if hasattr(holder, "message_type")
              else holder.nested_type)
    for message in nested:
        yield prefix + message.name, message
        yield from messages(message, f"{prefix}{message.name}.")


def onnx_messages():
    file = descriptor_pb2.FileDescriptorProto()
    onnx.ModelProto.DESCRIPTOR.file.CopyToProto(file)
    return dict(messages(file))


class Messages(unittest.TestCase):
    def test_fields_have_onnx_numbers_and_types(self):
        theirs = onnx_messages()
        for name, message in messages(read_proto(PROTO)):
            fields = {field.name: field for field in theirs[name].field}
            for field in message.field:
                with self.subTest(message=name, field=field.name):
                    their = fields[field.name]
                    # Enumerated fields are read as numbers.
                    is_enum = their.type == FieldDescriptor.TYPE_ENUM
                    self.assertEqual(field.number, their.number)
                    self.assertEqual(field.label, their.label)
                    self.assertEqual(
                        field.type, FieldDescriptor.TYPE_INT32 if is_enum
                        else their.type)
                    if not is_enum:
                        self.assertEqual(field.type_name, their.type_name)
                    self.assertEqual(field.options.packed,
                                     their.options.packed)

    def test_each_field_is_read_or_left_out(self):
        ours = dict(messages(read_proto(PROTO)))
        theirs = onnx_messages()
        for name, message in ours.items():
            with self.subTest(message=name):
                read = {field.name for field in message.field}
                left_out = LEFT_OUT.get(name, set())
                self.assertEqual(read & left_out, set())
                self.assertEqual(
                    {field.name for field in theirs[name].field},
                    read | left_out,
                    f"onnx {onnx.__version__} has other fields")

    def test_enumerations_have_onnx_numbers(self):
        theirs = onnx_messages()
        for name, message in messages(read_proto(PROTO)):
            enums = {enum.name: enum for enum in theirs[name].enum_type}
            for enum in message.enum_type:
                with self.subTest(message=name, enum=enum.name):
                    self.assertEqual(
                        {v.name: v.number for v in enum.value},
                        {v.name: v.number for v in enums[enum.name].value})


if __name__ == "__main__":
    support.main()
