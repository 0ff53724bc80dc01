"""Fails unless the reference that Doxygen made has a comment for everything in
the public headers, and says of each function that can fail how: FILE
XML-FOLDER."""

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
