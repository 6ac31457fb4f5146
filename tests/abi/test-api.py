#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The public API is as tests/abi/api.txt has it, and its headers compile: test-api.py BUILD-DIRECTORY GIR LIBRARY..."""

import concurrent.futures
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import apidump

BUILD, *DUMPED = sys.argv[1:]
HERE = pathlib.Path(__file__).parent
KEPT = HERE / "api.txt"

COMPILERS = (("cc", "c", "gnu99"), ("cc", "c", "c17"), ("c++", "c++", "c++11"), ("c++", "c++", "c++17"))
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]


class TestDump(unittest.TestCase):
    def test_up_to_date(self):
        now = apidump.dump(*DUMPED)
        self.assertGreater(len(now), 500)
        change = "\n".join(difflib.unified_diff(KEPT.read_text().splitlines(), now, "tests/abi/api.txt", "this build", n=0, lineterm=""))
        if change:
            self.fail(f"the public API has changed. If that is meant, run scripts/update-api BUILD and say so in NEWS:\n{change}")


def glib_flags():
    flags = subprocess.run(["pkg-config", "--cflags", "gio-2.0"], check=True, capture_output=True, text=True).stdout.split()
    # What GLib's own headers do is not ours.
    return ["-isystem" + flag[2:] if flag.startswith("-I") else flag for flag in flags]


class TestHeaders(unittest.TestCase):
    """The installed headers need nothing but what is installed, in C and in C++, together and each alone."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--tags", "devel"], check=True,
                       env={**os.environ, "DESTDIR": temporary.name}, stdout=subprocess.DEVNULL)
        self.include = next(pathlib.Path(temporary.name).rglob("roast.h")).parent.parent
        self.glib = glib_flags()

    def compile(self, compiler, language, standard, text, flags=()):
        command = [compiler, "-x", language, f"-std={standard}", *WARNINGS, f"-I{self.include}", *flags, "-"]
        result = subprocess.run(command, input=text + "\nint main (void) { return 0; }\n", capture_output=True, text=True)
        return "" if result.returncode == 0 else f"{text} as {standard}: {result.stderr or 'failed'}"

    def test_together(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                self.assertEqual(self.compile(*compiler, (HERE / "use.c").read_text(), self.glib), "")

    def test_client_without_glib(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                self.assertEqual(self.compile(*compiler, "#include <roast-client/roast-client.h>"), "")

    def test_alone(self):
        headers = sorted(header.name for header in (self.include / "roast").glob("*.h") if header.name != "roast.h")
        self.assertGreater(len(headers), 30)
        texts = [f"#define __ROAST_INSIDE__\n#include <roast/{header}>" for header in headers]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            complaints = pool.map(lambda text: self.compile("cc", "c", "gnu11", text, self.glib), texts)
        self.assertEqual("\n".join(filter(None, complaints)), "")

    def test_through_roast_h(self):
        self.assertIn("Only <roast/roast.h> can be included", self.compile("cc", "c", "gnu11", "#include <roast/roast-session.h>", self.glib))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
