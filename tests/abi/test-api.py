#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The public API: what others can depend on stays. test-api.py GIR LIBRARY [--update | INCLUDE-DIRECTORY...]"""

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
