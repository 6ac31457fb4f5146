# SPDX-License-Identifier: BSD-3-Clause
"""The public API as text, one line for each thing that others can depend on: from the GIR and from the library itself."""

import subprocess
import xml.etree.ElementTree as tree

CORE = "{http://www.gtk.org/introspection/core/1.0}"
C = "{http://www.gtk.org/introspection/c/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"


def namespace(gir):
    return tree.parse(gir).getroot().find(CORE + "namespace")


def _type(node):
    """Type of a value as a binding sees it."""
    array = node.find(CORE + "array")
    if array is not None:
        return f"{array.get('name') or 'array'}<{_type(array)}>"
    if node.find(CORE + "varargs") is not None:
        return "..."
    kind = node.find(CORE + "type")
    if kind is None:
        return "callback" if node.find(CORE + "callback") is not None else "none"
    inner = ",".join(child.get("name", "?") for child in kind.findall(CORE + "type"))
    return (kind.get("name") or "none") + (f"<{inner}>" if inner else "")


def _traits(node):
    names = ("direction", "transfer-ownership", "nullable", "optional", "caller-allocates", "scope")
    values = [f"{name}={node.get(name)}" for name in names
              if node.get(name) not in (None, "0") and not (name == "transfer-ownership" and node.get(name) == "none")]
    return f" [{' '.join(values)}]" if values else ""


def _callable(node):
    parameters = node.find(CORE + "parameters")
    arguments = [] if parameters is None else [
        f"{parameter.get('name')}: {_type(parameter)}{_traits(parameter)}" for parameter in parameters.findall(CORE + "parameter")]
    returned = node.find(CORE + "return-value")
    result = f"{_type(returned)}{_traits(returned)}" if returned is not None else "none"
    throws = " throws" if node.get("throws") == "1" else ""
    return f"({', '.join(arguments)}) -> {result}{throws}"


def _members(owner, node):
    for child in node:
        tag = child.tag.rpartition("}")[2]
        name = child.get("name")
        if child.get("introspectable") == "0" and tag not in ("field",):
            continue
        if tag in ("function", "method", "constructor"):
            yield f"{tag} {owner}.{name} {_callable(child)}"
        elif tag == "virtual-method":
            yield f"slot {owner}.{name} {_callable(child)}"
        elif tag == "signal":
            yield f"signal {owner}::{name} {_callable(child)}"
        elif child.tag == GLIB + "signal":
            yield f"signal {owner}::{name} {_callable(child)}"
        elif tag == "property":
            access = "".join(letter for letter, key in (("w", "writable"), ("c", "construct-only")) if child.get(key) == "1")
            yield f"property {owner}:{name} {_type(child)}{' ' + access if access else ''}"
        elif tag == "member":
            yield f"value {owner}.{name} = {child.get('value')}"


def _fields(owner, node):
    """In their order: that is the layout."""
    for index, child in enumerate(node.findall(CORE + "field")):
        callback = child.find(CORE + "callback")
        yield f"field {owner}[{index:02}] {child.get('name')}: {_callable(callback) if callback is not None else _type(child)}"


def dump_gir(gir):
    lines = []
    for node in namespace(gir):
        tag = node.tag.rpartition("}")[2]
        name = node.get("name")
        if name is None or node.get("introspectable") == "0" and tag != "record":
            continue
        if tag in ("function", "callback"):
            lines.append(f"{tag} {name} {_callable(node)}")
        elif tag == "constant":
            # The version is one thing that is to change.
            lines.append(f"constant {name}" + ("" if "VERSION" in name else f" = {node.get('value')}"))
        elif tag in ("class", "interface", "record", "enumeration", "bitfield"):
            lines.append(f"{tag} {name}")
            lines += _members(name, node)
            if tag == "record" and node.get("disguised") != "1" and not node.get("opaque"):
                lines += _fields(name, node)
    return sorted(set(lines))


def dump_symbols(library):
    listed = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return sorted(f"symbol {line.split()[2]}" for line in listed.splitlines() if len(line.split()) == 3)
