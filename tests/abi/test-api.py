#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The public API: what others can depend on stays. test-api.py GIR LIBRARY [--update [--break] | BUILD-DIRECTORY]"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import apidump

GIR, LIBRARY = sys.argv[1:3]
HERE = pathlib.Path(__file__).parent
KEPT = HERE / "api.txt"

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]


def current():
    return apidump.dump_gir(GIR) + apidump.dump_symbols(LIBRARY)


def kept():
    return KEPT.read_text().splitlines() if KEPT.exists() else []


def compare(before, now):
    """What to tell a developer; empty if nothing changed."""
    removed, added = sorted(set(before) - set(now)), sorted(set(now) - set(before))
    if removed:
        return ("that breaks programs and plugins that use it; bring it back, or leave it as it was:\n  "
                + "\n  ".join(removed) + ("\nnew is:\n  " + "\n  ".join(added) if added else ""))
    if added:
        return "this is new: run scripts/update-api to accept it, and say so in NEWS:\n  " + "\n  ".join(added)
    return ""


class TestKept(unittest.TestCase):
    def test_kept(self):
        self.assertGreater(len(current()), 500)
        self.assertEqual(compare(kept(), current()), "")


# One change of the GIR that breaks somebody each, as a pattern and what comes in its place.
BREAKS = {
    "a reserved slot less": (r'fixed-size="8"', 'fixed-size="7"'),
    "a longer array in a record": (r'fixed-size="16"', 'fixed-size="32"'),
    "another name in key files": (r'glib:nick="worker-metrics"', 'glib:nick="workers"'),
    "another number": (r'(<member name="worker_metrics"\s+value=)"4"', r'\1"64"'),
    "a macro less": (r'<function-macro name="DEFINE_BACKEND".*?</function-macro>', ""),
    "a function for C only that takes something else": (r'<parameter name="n_samples"', '<parameter name="count"'),
    "no list any more": (r'<implements name="Gio.ListModel"/>', ""),
    "another domain of errors": (r'glib:error-domain="roast-backend-error-quark"', 'glib:error-domain="x"'),
    "what takes its object": (r'(<instance-parameter name="self"\s+transfer-ownership=)"none"', r'\1"full"'),
    "what returns nothing": (r'(<return-value transfer-ownership="none") nullable="1"', r"\1"),
    "a slot less": (r'<field name="tree_ended">.*?</field>', ""),
    "a slot in another place": (r'(<field name="configure">.*?</field>)\s*(<field name="prepare_launch">.*?</field>)', r"\2\1"),
    "a signal less": (r"<glib:signal .*?</glib:signal>", ""),
}
# And one that adds: a slot in the place of one that was reserved.
SLOT = '<field name="later"><callback name="later"><return-value><type name="none"/></return-value></callback></field>'


class TestComparison(unittest.TestCase):
    """The comparison sees what matters."""

    def compare_changed(self, pattern, replacement):
        text = pathlib.Path(GIR).read_text()
        changed, n = re.subn(pattern, replacement, text, count=1, flags=re.DOTALL)
        self.assertEqual(n, 1, f"the GIR has no {pattern}")
        with tempfile.NamedTemporaryFile("w", suffix=".gir") as file:
            file.write(changed)
            file.flush()
            return compare(apidump.dump_gir(GIR), apidump.dump_gir(file.name))

    def test_breaks(self):
        for name, (pattern, replacement) in BREAKS.items():
            with self.subTest(name):
                self.assertIn("that breaks programs and plugins", self.compare_changed(pattern, replacement))

    def test_addition(self):
        found = self.compare_changed(r'<field name="_reserved"(.*?)fixed-size="8"', rf'{SLOT}<field name="_reserved"\1fixed-size="7"')
        self.assertIn("run scripts/update-api", found)
        self.assertIn("later", found)
        self.assertNotIn("breaks", found)


def glib_flags():
    flags = subprocess.run(["pkg-config", "--cflags", "gio-2.0"], check=True, capture_output=True, text=True).stdout.split()
    # What GLib's own headers do is not ours.
    return ["-isystem" + flag[2:] if flag.startswith("-I") else flag for flag in flags]


class TestHeaders(unittest.TestCase):
    """The installed headers need nothing but what is installed, in C and in C++, together and each alone."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        subprocess.run(["meson", "install", "-C", sys.argv[3], "--no-rebuild", "--quiet", "--tags", "devel"], check=True,
                       env={**os.environ, "DESTDIR": temporary.name}, stdout=subprocess.DEVNULL)
        self.include = next(pathlib.Path(temporary.name).rglob("roast.h")).parent.parent
        self.flags = [*WARNINGS, f"-I{self.include}", *glib_flags()]

    def compile(self, compiler, language, standard, text):
        command = [compiler, "-x", language, f"-std={standard}", *self.flags, "-"]
        result = subprocess.run(command, input=text + "\nint main (void) { return 0; }\n", capture_output=True, text=True)
        return "" if result.returncode == 0 else f"{text} as {standard}: {result.stderr or 'failed'}"

    def test_together(self):
        for compiler, language, standard in (("cc", "c", "gnu99"), ("cc", "c", "c17"), ("c++", "c++", "c++11"), ("c++", "c++", "c++17")):
            with self.subTest(standard):
                self.assertEqual(self.compile(compiler, language, standard, (HERE / "use.c").read_text()), "")

    def test_alone(self):
        headers = sorted(header.name for header in (self.include / "roast").glob("*.h") if header.name != "roast.h")
        self.assertGreater(len(headers), 30)
        texts = [f"#define __ROAST_INSIDE__\n#include <roast/{header}>" for header in headers]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            complaints = pool.map(lambda text: self.compile("cc", "c", "gnu11", text), texts)
        self.assertEqual("\n".join(filter(None, complaints)), "")

    def test_through_roast_h(self):
        self.assertIn("Only <roast/roast.h> can be included", self.compile("cc", "c", "gnu11", "#include <roast/roast-session.h>"))


def update():
    complaint = compare(kept(), current())
    if "that breaks" in complaint and "--break" not in sys.argv:
        sys.exit(f"scripts/update-api: {complaint}\nUntil 1.0 is released, scripts/update-api --break accepts it.")
    KEPT.write_text("\n".join(current()) + "\n")


if __name__ == "__main__":
    if "--update" in sys.argv:
        update()
    else:
        unittest.main(argv=sys.argv[:1], verbosity=2)
