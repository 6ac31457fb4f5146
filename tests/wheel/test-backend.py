#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The build backend of “pip install .”: its messages about what is missing, its metadata and its sdist. scripts/test-readme builds with it."""

import os
import pathlib
import re
import sys
import tarfile
import tempfile
import unittest
from unittest import mock

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "scripts" / "wheel"))
import backend  # noqa: E402
import pack  # noqa: E402


class Backend(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def fake(self, **programs):
        """Only these programs are on PATH."""
        fakes = self.directory / "bin"
        fakes.mkdir()
        for name, text in programs.items():
            path = fakes / name.replace("_", "-")
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
        patch = mock.patch.dict(os.environ, {"PATH": str(fakes)})
        patch.start()
        self.addCleanup(patch.stop)
        for name in ("CC", "PKG_CONFIG"):
            os.environ.pop(name, None)

    def check(self):
        with self.assertRaises(SystemExit) as caught:
            backend.check_machine()
        return caught.exception.code


class Missing(Backend):
    def test_everything(self):
        self.fake()
        message = self.check()
        for words in ("there is no C compiler", "there is no pkg-config", "there is no glib-mkenums"):
            self.assertIn(words, message)
        self.assertIn("apt-get install gcc libc6-dev pkg-config libglib2.0-dev libjson-glib-dev", message)
        self.assertIn("docs/wheel.md", message)

    def test_library(self):
        self.fake(cc="exit 0", glib_mkenums="", glib_compile_resources="", pkg_config='test "$2" != json-glib-1.0')
        message = self.check()
        self.assertIn("there is no json-glib-1.0.pc, or pkg-config does not find it", message)
        named = re.findall(r"(?:apt-get|dnf|conda) install (?:-c conda-forge )?(.*)", message)
        self.assertEqual(named, ["libjson-glib-dev", "json-glib-devel", "json-glib"])

    def test_header(self):
        """The library is known, but the compiler does not find a header."""
        self.fake(cc="echo '<stdin>:5:10: fatal error: sqlite3.h: No such file or directory' >&2; exit 1", glib_mkenums="",
                  glib_compile_resources="", pkg_config="exit 0")
        message = self.check()
        self.assertIn("sqlite3.h: No such file", message)
        self.assertIn("libsqlite3-dev", message)

    def test_compiler(self):
        self.fake(glib_mkenums="", glib_compile_resources="", pkg_config="exit 0")
        os.environ["CC"] = "other-cc -m64"
        self.assertIn("there is no C compiler other-cc", self.check())

    def test_other_prefix(self):
        """Programs find libraries that the loader does not."""
        self.fake(cc="exit 0", glib_mkenums="", glib_compile_resources="",
                  pkg_config='case "$*" in *libdir\\ sqlite3) echo /opt/env/lib ;; *libdir*) echo /usr/lib/x86_64-linux-gnu ;; esac')
        self.assertEqual(backend.check_machine(), ["/opt/env/lib"])

    def test_packages(self):
        """docs/install.md has the packages that the messages name; Debian's are also those of scripts/install-dependencies."""
        text = (SOURCE / "docs" / "install.md").read_text(encoding="utf-8")
        rows = re.findall(r"(?m)^\| (?:Debian 11|Fedora|conda-forge).*\| `([^`]*)` \|$", text)
        named = zip(backend.COMPILER, *backend.TOOLS.values(), *(names for _, *names in backend.LIBRARIES.values()))
        self.assertEqual([set(row.split()) for row in rows], [set(" ".join(names).split()) for names in named])
        script = (SOURCE / "scripts" / "install-dependencies").read_text(encoding="utf-8")
        self.assertLessEqual(set(rows[0].split()), set(re.search(r'(?s)^build="(.*?)"', script, re.MULTILINE)[1].split()))

    def test_libraries(self):
        """Those that every build needs, as meson.build has them."""
        text = "".join(path.read_text(encoding="utf-8") for path in (SOURCE / "meson.build", *(SOURCE / "plugins").glob("*/meson.build")))
        needed = {name for name, rest in re.findall(r"dependency\('([^']*)'([^)]*)\)", text) if "required" not in rest and "version" in rest}
        # pkg-config files of GLib come together.
        self.assertEqual(needed - {"glib-2.0", "gobject-2.0", "gmodule-no-export-2.0"}, set(backend.LIBRARIES))


class Made(Backend):
    def test_metadata(self):
        name = backend.prepare_metadata_for_build_wheel(self.directory)
        self.assertEqual(name, f"roast_metrics-{pack.VERSION}.dist-info")
        text = (self.directory / name / "METADATA").read_text(encoding="utf-8")
        self.assertIn(f"\nName: roast-metrics\nVersion: {pack.VERSION}\n", text)
        self.assertIn("Tag: py3-none-linux_", (self.directory / name / "WHEEL").read_text())

    def test_sdist(self):
        name = backend.build_sdist(self.directory)
        with tarfile.open(self.directory / name) as archive:
            names = {entry.partition("/")[2] for entry in archive.getnames()}
        self.assertLessEqual({"PKG-INFO", "README.md", "meson.build", "pyproject.toml", "scripts/wheel/backend.py", "core/roast.roast-schema",
                              "python/roast/__init__.py"}, names)
        self.assertEqual({entry for entry in names if entry.startswith((".git/", "build")) or entry.endswith(".pyc")}, set())

    def test_failure(self):
        """The end of the output, and the command."""
        with self.assertRaises(SystemExit) as caught:
            pack.run(self.directory / "log", "sh", "-c", "seq 100; exit 3")
        self.assertNotIn("\n50\n", caught.exception.code)
        self.assertIn("\n100\nsh -c failed with status 3", caught.exception.code)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
