#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A plugin built with the headers of 1.0 works with this library and with a later one; one that is too new is refused.
test-compatibility.py DIRECTORY-OF-FROZEN LIBRARY-OF-NEXT"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FROZEN, NEXT = map(pathlib.Path, sys.argv[1:3])


class TestCompatibility(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        self.plugins = self.directory / "plugins"
        self.plugins.mkdir()
        shutil.copy(FROZEN / "libfrozen.so", self.plugins)
        for name in ("frozen.roast-plugin", "frozen.roast-metrics"):
            shutil.copy(pathlib.Path(__file__).parent / name, self.plugins)
        self.environment = dict(os.environ, ROAST_PLUGIN_PATH=f"{self.plugins}:{os.environ['ROAST_PLUGIN_PATH']}")

    def use_next(self):
        """The made-up 1.1 in place of this library."""
        library = self.directory / "library"
        library.mkdir()
        shutil.copy(NEXT, library / "libroast-1.so.0")
        self.environment["LD_LIBRARY_PATH"] = f"{library}:{self.environment.get('LD_LIBRARY_PATH', '')}"

    def run_tool(self, *arguments):
        return subprocess.run([str(argument) for argument in arguments], env=self.environment, capture_output=True, text=True,
                              timeout=120)

    def check_works(self):
        result = self.run_tool("roast-inspect", "--check", self.plugins / "frozen.roast-plugin")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        result = self.run_tool("roast-run", "-b", "local", "-b", "frozen", "-e", "frozen:-", "--", "sh", "-c", "exit 3")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (3, "frozen 42\n", ""))

    def set_api(self, version):
        path = self.plugins / "frozen.roast-plugin"
        path.write_text(path.read_text().replace("Api=1.0", f"Api={version}"))

    def check_refused(self, version, words):
        self.set_api(version)
        result = self.run_tool("roast-run", "-b", "frozen", "--", "true")
        self.assertEqual(result.returncode, 125)
        self.assertIn(f"it was built for the API {version} of roast, and this is 1.", result.stderr)
        self.assertIn(words, result.stderr)
        self.assertIn(f"API {version}", self.run_tool("roast-inspect", "--broken").stdout)

    def test_with_this(self):
        self.check_works()

    def test_with_next(self):
        """Slots and functions that were added since do not matter."""
        self.use_next()
        self.check_works()

    def test_next_is_next(self):
        """What this one refuses as too new the next one takes: so it was the next one that was tried."""
        self.set_api("1.1")
        self.assertIn("Install a newer roast", self.run_tool("roast-run", "-b", "frozen", "--", "true").stderr)
        self.use_next()
        self.assertEqual(self.run_tool("roast-run", "-q", "-b", "frozen", "--", "sh", "-c", "exit 4").returncode, 4)

    def test_newer_minor(self):
        self.check_refused("1.99", "Install a newer roast")

    def test_newer_major(self):
        self.check_refused("2.0", "Install a newer roast")

    def test_older_major(self):
        self.check_refused("0.9", "Install a version of the plugin for this roast")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
