# SPDX-License-Identifier: BSD-3-Clause
"""Everything public is documented: check-docs.py GIR SOURCE-DIRECTORY...

Walks the introspection data and, since these do not distinguish a written annotation from a guessed one, the documentation
blocks of the sources. Prints what is missing, one line each.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

CORE = "{http://www.gtk.org/introspection/core/1.0}"
C = "{http://www.gtk.org/introspection/c/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"

CALLABLE = ("function", "method", "constructor", "function-macro", "virtual-method")
TYPES = ("class", "interface", "record", "union", "enumeration", "bitfield", "alias", "callback")
# G_DECLARE_FINAL_TYPE makes a class structure without public fields.
GENERATED = re.compile(r"Roast\w+Class$")


def kind(element):
    return element.tag.rpartition("}")[2]


class Checker:
    def __init__(self, blocks):
        self.blocks = blocks
        self.missing = []
        self.seen = 0

    def miss(self, name, what):
        self.missing.append(f"{name}: {what}")

    def documented(self, element, name, version=True):
        self.seen += 1
        text = element.findtext(CORE + "doc")
        if text is None or not text.strip():
            self.miss(name, "has no description")
        if version and element.get("version") is None:
            self.miss(name, "has no Since: line")
        return text or ""

    def parameters(self, element, name):
        for parameter in element.iterfind(f"{CORE}parameters/*"):
            self.seen += 1
            text = parameter.findtext(CORE + "doc")
            parameter_name = parameter.get("name")
            if parameter_name == "...":
                continue
            if text is None or not text.strip():
                self.miss(name, f"parameter @{parameter_name} is not described")

    def returns(self, element, name, description):
        value = element.find(CORE + "return-value")
        type_name = value.find(CORE + "type") if value is not None else None
        if value is None or (type_name is not None and type_name.get("name") == "none"):
            return
        self.seen += 1
        text = value.findtext(CORE + "doc")
        if (text is None or not text.strip()) and kind(element) != "virtual-method":
            self.miss(name, "does not say what it returns")
        self.transfer(element, name, value)
        # A function that fails says with what.
        if element.get("throws") == "1":
            text = f"{description} {text or ''} {self.blocks.get(name, '')}"
            if not re.search(r"ROAST_\w+_ERROR|Roast\w*Error|\[error@|G_IO_ERROR|GIOError|never fails", text):
                self.miss(name, "does not say with what error it fails")

    # The owner of a returned object, text or container must be written, not guessed.
    def transfer(self, element, name, value):
        block = self.blocks.get(name)
        returned = value.find(CORE + "array")
        c_type = (returned if returned is not None else value.find(CORE + "type")).get(C + "type", "")
        if "*" not in c_type or block is None:
            return
        annotation = re.search(r"^ \* Returns:(.*(?:\n \*  .*)*)", block, re.M)
        if annotation is None or "(transfer " not in annotation.group(1):
            self.miss(name, "does not say who owns what it returns: (transfer none|container|full)")

    def callable(self, element, owner):
        name = element.get(C + "identifier") or element.get(C + "type") or f"{owner}::{element.get('name')}"
        if kind(element) == "function-macro":
            name = element.get(C + "identifier")
        text = self.documented(element, name)
        self.parameters(element, name)
        if kind(element) != "function-macro":
            self.returns(element, name, text)

    def type(self, element):
        name = element.get(C + "type") or element.get(GLIB + "type-name")
        if GENERATED.match(name):
            return
        self.documented(element, name)
        for child in element:
            what = kind(child)
            if what in CALLABLE:
                self.callable(child, name)
            elif what == "member":
                self.documented(child, child.get(C + "identifier"), version=False)
            elif what == "field":
                if child.get("private") != "1" and child.get("name") not in ("parent_instance", "parent_class"):
                    self.field(child, name)
            elif what == "property":
                self.documented(child, f"{name}:{child.get('name')}")
            elif what == "signal":
                self.documented(child, f"{name}::{child.get('name')}")
                self.parameters(child, f"{name}::{child.get('name')}")

    def field(self, field, owner):
        name = field.get("name")
        if field.get("readable") == "0" or name == "_reserved":
            return
        # The data have no description for a field that is a function (the slot of an interface).
        if field.find(CORE + "callback") is not None:
            self.seen += 1
            if not re.search(rf"^ \* @{name}: \S", self.blocks.get(owner, ""), re.M):
                self.miss(f"{owner}.{name}", "has no description")
            return
        self.documented(field, f"{owner}.{name}", version=False)

    def namespace(self, namespace):
        for element in namespace:
            what = kind(element)
            if what in TYPES:
                self.type(element)
            elif what in CALLABLE:
                self.callable(element, "")
            elif what == "constant":
                self.documented(element, element.get(C + "type") or element.get(C + "identifier"))


# The documentation blocks of the sources by the name that they are about.
def read_blocks(directories):
    blocks = {}
    for directory in directories:
        for path in sorted(pathlib.Path(directory).rglob("*.[ch]")):
            for block in re.finditer(r"/\*\*\n(.*?)\*/", path.read_text(encoding="utf-8"), re.S):
                first = re.match(r" \* ([\w:-]+):", block.group(1))
                if first:
                    blocks[first.group(1)] = block.group(1)
    return blocks


def check(gir, directories):
    checker = Checker(read_blocks(directories))
    checker.namespace(ET.parse(gir).getroot().find(CORE + "namespace"))
    return checker


def main():
    checker = check(sys.argv[1], sys.argv[2:])
    for line in checker.missing:
        print(line)
    if checker.seen < 500 or len(checker.blocks) < 300:
        print(f"only {checker.seen} things and {len(checker.blocks)} blocks were found: is {sys.argv[1]} the data of the whole library?")
        return 1
    if checker.missing:
        print(f"{len(checker.missing)} things are not documented: add what is missing to the blocks in core/ and include/roast/")
        return 1
    print(f"all of {checker.seen} things are documented")
    return 0


if __name__ == "__main__":
    sys.exit(main())
