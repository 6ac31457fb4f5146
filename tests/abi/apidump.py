# SPDX-License-Identifier: BSD-3-Clause
"""Prints the public API: apidump.py GIR LIBRARY...

One line for each thing that a program or plugin can depend on, so that a change of the API is a diff that a reviewer reads.
Documentation, positions, and what differs between versions of the scanner are left out.
"""
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

CORE = "{http://www.gtk.org/introspection/core/1.0}"
C = "{http://www.gtk.org/introspection/c/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"

CALLABLE = ("function", "method", "constructor", "function-macro")
# These change with each version.
VERSIONS = ("ROAST_MINOR_VERSION", "ROAST_MICRO_VERSION", "ROAST_VERSION_S")


def kind(element):
    return element.tag.rpartition("}")[2]


def type_of(element):
    if element.find(CORE + "varargs") is not None:
        return "..."
    array = element.find(CORE + "array")
    if array is not None:
        ends = "".join(f" {key}={array.get(key)}" for key in ("zero-terminated", "length", "fixed-size") if array.get(key))
        return f"{array.get('name') or 'array'}<{type_of(array)}{ends}>"
    found = element.find(CORE + "type")
    if found is None:
        return "function" if element.find(CORE + "callback") is not None else "?"
    inner = [child.get("name", "?") for child in found.iterfind(CORE + "type")]
    return found.get("name", "?") + (f"<{', '.join(inner)}>" if inner else "")


def value(element):
    words = []
    if element.get("direction", "in") != "in":
        words.append(element.get("direction"))
    words.append(type_of(element))
    if element.get("transfer-ownership", "none") != "none":
        words.append(f"transfer {element.get('transfer-ownership')}")
    for key in ("nullable", "optional", "caller-allocates"):
        if element.get(key) == "1":
            words.append(key)
    if element.get("scope"):
        words.append(f"scope {element.get('scope')}")
    return " ".join(words)


def signature(element):
    parameters = []
    for parameter in element.iterfind(f"{CORE}parameters/*"):
        parameters.append(f"{parameter.get('name')}: {value(parameter)}")
    returned = element.find(CORE + "return-value")
    text = f"({', '.join(parameters)}) -> {value(returned) if returned is not None else 'none'}"
    if element.get("throws") == "1":
        text += " throws"
    if element.get("introspectable") == "0":
        text += " [C only]"
    return text


def describe_callable(element, lines):
    name = element.get(C + "identifier")
    if kind(element) == "function-macro":
        parameters = [parameter.get("name") for parameter in element.iterfind(f"{CORE}parameters/*")]
        lines.append(f"macro {name} ({', '.join(parameters)})")
    else:
        lines.append(f"{kind(element)} {name} {signature(element)}")


# Slots and fields by their place, which is compiled into programs that use them.
def describe_fields(record, name, lines):
    slots = 0
    for field in record.iterfind(CORE + "field"):
        if field.get("name") == "_reserved":
            slots += int(field.find(CORE + "array").get("fixed-size"))
            continue
        callback = field.find(CORE + "callback")
        if callback is not None:
            lines.append(f"slot {name}[{slots}] {field.get('name')} {signature(callback)}")
        else:
            lines.append(f"field {name}[{slots}] {field.get('name')}: {type_of(field)}")
        slots += 1
    if record.find(CORE + "field") is not None:
        lines.append(f"size {name}: {slots} fields, reserved ones included")


def describe_type(element, lines):
    name = element.get(C + "type") or element.get(GLIB + "type-name")
    if re.fullmatch(r"Roast\w+Class", name):
        return
    what = kind(element)
    details = [what, name]
    if element.get("parent"):
        details.append(f"is {element.get('parent')}")
    details += sorted(f"implements {child.get('name')}" for child in element.iterfind(CORE + "implements"))
    details += sorted(f"requires {child.get('name')}" for child in element.iterfind(CORE + "prerequisite"))
    if element.get(GLIB + "error-domain"):
        details.append(f"domain {element.get(GLIB + 'error-domain')}")
    lines.append(" ".join(details))
    for member in element.iterfind(CORE + "member"):
        lines.append(f"value {name}.{member.get(C + 'identifier')} = {member.get('value')} ({member.get(GLIB + 'nick') or '-'})")
    for child in element:
        if kind(child) in CALLABLE:
            describe_callable(child, lines)
        elif kind(child) == "virtual-method":
            lines.append(f"virtual {name}.{child.get('name')} {signature(child)}")
        elif kind(child) == "signal":
            lines.append(f"signal {name}::{child.get('name')} {signature(child)}")
        elif kind(child) == "property":
            access = ("r" if child.get("readable", "1") == "1" else "") + ("w" if child.get("writable") == "1" else "")
            lines.append(f"property {name}:{child.get('name')}: {type_of(child)} {access}")
    if what == "record":
        describe_fields(element, name, lines)


def dump_gir(path):
    namespace = ET.parse(path).getroot().find(CORE + "namespace")
    lines = []
    for element in namespace:
        what = kind(element)
        if what in CALLABLE:
            describe_callable(element, lines)
        elif what == "constant":
            name = element.get(C + "type") or element.get(C + "identifier")
            lines.append(f"constant {name}" + ("" if name in VERSIONS else f" = {element.get('value')}"))
        elif what in ("class", "interface", "record", "enumeration", "bitfield", "alias", "callback"):
            describe_type(element, lines)
    return sorted(set(lines))


def dump_symbols(library):
    listed = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return sorted(f"symbol {line.split()[2]}" for line in listed.splitlines() if len(line.split()) == 3)


def dump(gir, *libraries):
    return dump_gir(gir) + [line for library in libraries for line in dump_symbols(library)]


if __name__ == "__main__":
    print("\n".join(dump(*sys.argv[1:])))
