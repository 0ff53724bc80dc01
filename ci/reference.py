"""Fails unless the reference that Doxygen made has a comment for everything in
the public headers, and says of each function how it fails, what its sizes count,
who owns what it keeps or gives, and which section of OpenCL or part of ONNX it
goes by: FILE XML-FOLDER."""

import pathlib
import re
import sys
import xml.etree.ElementTree

# What a header needs to be one, and the members that every such struct has.
PLAIN = re.compile(r"CLCONST_(CLCONST\w*_H|API|VERSION_\w+|X)$|CL_TARGET_\w+$")
EVERYWHERE = {"struct_size"}
# How a comment says what can go wrong: the word, a status, or a reference.
ERRORS = re.compile(r"Errors:|[A-Z]+_(ARGUMENT|MODEL|LARGE|DEVICE|ERROR)\b|"
                    r"UNSUPPORTED|MALFORMED|^The same\b", re.M)

# What the comment of a function has to say, by its parameters and its result:
# each is "NAME TYPE". "The same as" another function says for that of its
# parameters, and "The same" for the comment above as a whole.
SAME = re.compile(r"^The same\b")
ABOVE = re.compile(r"^The same (?!as )")
UNITS = re.compile(r"^(\w+_)?(size|offset|strides) ")
UNIT = re.compile(r"\b[Bb]ytes?\b")
# Tensors, views and names, bytes that are read, and commands.
OWNED = re.compile(r"^\w+ ((const )?clconst_(tensor|view|string) \**|"
                   r"const (char|void) \*|cl_mem|cl_command_queue)$")
OWNER = re.compile(r"\b(borrow|cop(y|ie)|hold|held|keep|retain|unchanged|static|"
                   r"during the call|gives up|may destroy|caller's)", re.I)
OPENCL = re.compile(r"OpenCL \d\.\d specification, sections? \d+(\.\d+)+")
ONNX = re.compile(r"ONNX operator specification|onnx\.proto")
# Functions of clconst.h and clconst_model.h whose rules are ONNX's.
FROM_ONNX = re.compile(r"clconst_(byte_size|op_create_\w+|op_decode\w*|"
                       r"tensor_proto_write|model_parse)$")


def parts(function):
    """The parameters and the result, each as "NAME TYPE"."""
    for part in function.findall("param"):
        kind = "".join(part.find("type").itertext())
        yield f"{part.findtext('declname')} {kind}"
    yield f"result {''.join(function.find('type').itertext())}"


def silences(function, words, is_opencl):
    """What the comment of a function lacks."""
    own = [] if SAME.match(words) else list(parts(function))
    if any(map(UNITS.match, own)) and not UNIT.search(words):
        yield "in what its sizes are"
    if any(map(OWNED.match, own)) and not OWNER.search(words):
        yield "who owns what it is given or gives"
    if is_opencl and not OPENCL.search(words) and not ABOVE.match(words):
        yield "which section of OpenCL it goes by"
    if FROM_ONNX.match(function.findtext("name")) and not ONNX.search(words):
        yield "which part of ONNX it goes by"


def text(element):
    """The words of an element's descriptions."""
    return " ".join(
        "".join(part.itertext())
        for part in (element.find("briefdescription"),
                     element.find("detaileddescription"))
        if part is not None).strip()


def faults(compound):
    kind = compound.get("kind")
    name = compound.findtext("compoundname")
    own = text(compound)
    if kind in ("struct", "file") and not own:
        yield f"{kind} {name} has no comment"
    for member in compound.iter("memberdef"):
        member_name = member.findtext("name")
        words = text(member)
        if (member.get("kind") == "function"
                and "clconst_status" in "".join(member.find("type").itertext())
                and words and not ERRORS.search(words)):
            yield f"{member_name} does not say how it fails"
        if member.get("kind") == "function" and words:
            for silence in silences(member, words, name == "clconst_opencl.h"):
                yield f"{member_name} does not say {silence}"
        if words:
            continue
        if member.get("kind") == "variable":
            # As a word, in the comment of the struct.
            if member_name not in EVERYWHERE and not re.search(
                    rf"\b{member_name}\b", own):
                yield f"{name} does not say what {member_name} is"
        elif member.get("kind") == "define" and (
                PLAIN.match(member_name) or member_name.endswith("_INIT")):
            continue  # a struct's comment is that of its initializer
        elif member.get("kind") == "typedef" and re.match(
                rf"(struct|enum) {member_name}$", member.findtext("type")):
            continue  # the struct or enum has the comment
        else:
            yield f"{member.get('kind')} {member_name} has no comment"


def main():
    found = []
    count = 0
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.xml")):
        root = xml.etree.ElementTree.parse(path).getroot()
        for compound in root.iter("compounddef"):
            if compound.get("kind") in ("struct", "file"):
                count += len(list(compound.iter("memberdef")))
                found += faults(compound)
    for fault in found:
        print(f"check-docs: {fault}", file=sys.stderr)
    if count == 0:
        found.append("there is no reference")
    sys.exit(1 if found else 0)


main()
