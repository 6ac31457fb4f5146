#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The public API: what others can depend on stays, and all of it is documented. test-api.py GIR LIBRARY [--update]"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import apidump

GIR, LIBRARY = sys.argv[1:3]
HERE = pathlib.Path(__file__).parent
KEPT = HERE / "api.txt"


def current():
    return apidump.dump_gir(GIR) + apidump.dump_symbols(LIBRARY)


class TestApi(unittest.TestCase):
    def test_kept(self):
        kept, now = set(KEPT.read_text().splitlines()), set(current())
        removed, added = sorted(kept - now), sorted(now - kept)
        if removed:
            self.fail("this breaks programs and plugins that use it; bring it back, or leave it as it was:\n  "
                      + "\n  ".join(removed) + ("\nnew is:\n  " + "\n  ".join(added) if added else ""))
        if added:
            self.fail("this is new: run scripts/update-api to accept it, and say so in NEWS:\n  " + "\n  ".join(added))

    def test_documented(self):
        """Each public thing says what it is, since when, and what its arguments are."""
        missing = []
        for node in apidump.namespace(GIR):
            missing += self.look(node, "")
        self.assertEqual(missing, [])

    def look(self, node, owner):
        tag, name = node.tag.rpartition("}")[2], node.get("name")
        if tag not in ("class", "interface", "record", "enumeration", "bitfield", "function", "method", "constructor", "property",
                       "signal", "virtual-method", "member", "constant", "callback"):
            return
        if node.get("introspectable") == "0" or name is None or node.get(apidump.GLIB + "is-gtype-struct-for"):
            return
        full = f"{owner}.{name}" if owner else name
        # Slots are documented where they are called, types by their class.
        if tag == "virtual-method" or (tag == "record" and name.endswith("Class")) or "VERSION" in full:
            return
        if node.find(apidump.CORE + "doc") is None:
            yield f"{full}: no documentation"
        if tag not in ("member",) and node.get("version") is None:
            yield f"{full}: no Since"
        parameters = node.find(apidump.CORE + "parameters")
        for parameter in [] if parameters is None else parameters.findall(apidump.CORE + "parameter"):
            if parameter.find(apidump.CORE + "doc") is None:
                yield f"{full}: its parameter {parameter.get('name')} is not documented"
        returned = node.find(apidump.CORE + "return-value")
        if returned is not None and tag in ("function", "method") and returned.find(apidump.CORE + "type") is not None:
            if returned.find(apidump.CORE + "type").get("name") != "none" and returned.find(apidump.CORE + "doc") is None:
                yield f"{full}: what it returns is not documented"
        for child in node:
            yield from self.look(child, full) or ()

    def test_headers(self):
        """They need nothing but what is installed, in C and in C++."""
        flags = subprocess.run(["pkg-config", "--cflags", "gio-2.0"], check=True, capture_output=True, text=True).stdout.split()
        includes = [f"-I{path}" for path in sys.argv[3:]]
        for compiler, suffix, standard in (("cc", "c", "c99"), ("c++", "cpp", "c++17")):
            with tempfile.TemporaryDirectory() as directory:
                source = pathlib.Path(directory) / f"use.{suffix}"
                source.write_text("#include <roast/roast.h>\nint main (void) { return roast_registry_new () == 0; }\n")
                result = subprocess.run([compiler, f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *includes,
                                         *flags, str(source)], capture_output=True, text=True)
                self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    if "--update" in sys.argv:
        KEPT.write_text("\n".join(current()) + "\n")
    else:
        unittest.main(argv=sys.argv[:1], verbosity=2)
