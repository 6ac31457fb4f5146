# SPDX-License-Identifier: BSD-3-Clause
"""roast installed into a temporary directory, for tests of what is built against it."""

import os
import pathlib
import re
import subprocess
import tempfile


class Installed:
    """What `meson install` installs, and the environment in which programs find it there."""

    def __init__(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self._temporary.name)
        build = os.environ["ROAST_TEST_BUILD"]
        subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", self._temporary.name], check=True,
                       stdout=subprocess.DEVNULL)
        pkgconfig = next(self.root.rglob("roast-1.pc"))
        prefix = re.search(r"^prefix=(.*)$", pkgconfig.read_text(), re.MULTILINE).group(1)
        self.prefix = self.root / prefix.lstrip("/")
        # The files say where they would be; here they are elsewhere.
        pkgconfig.write_text(pkgconfig.read_text().replace(f"={prefix}", f"={self.prefix}"))
        self.libdir = pkgconfig.parent.parent
        self.pluginsdir = self.libdir / "roast-1" / "plugins"
        overrides = next(self.root.rglob("gi/overrides/Roast.py"), None)
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith(("ROAST_", "LD_", "MALLOC_")) and name not in ("GI_TYPELIB_PATH", "PYTHONPATH", "G_DEBUG")
        } | {
            "PATH": f"{self.prefix / 'bin'}:{os.environ['PATH']}",
            "LD_LIBRARY_PATH": str(self.libdir),
            "PKG_CONFIG_PATH": str(pkgconfig.parent),
            "GI_TYPELIB_PATH": str(self.libdir / "girepository-1.0"),
            "XDG_DATA_DIRS": f"{self.prefix / 'share'}:/usr/local/share:/usr/share",
            "XDG_DATA_HOME": str(self.root / "home"),
            "ROAST_RUNS": str(self.root / "runs"),
            "ROAST_PLUGIN_SYSTEM_PATH": str(self.pluginsdir),
            "ROAST_SUPERVISOR": str(next(self.root.rglob("roast-supervisor"))),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        if overrides is not None:
            self.environment["PYTHONPATH"] = str(overrides.parent.parent.parent)

    def run(self, *arguments, timeout=240, **options):
        return subprocess.run([str(argument) for argument in arguments], env=self.environment, capture_output=True, text=True,
                              timeout=timeout, stdin=subprocess.DEVNULL, **options)

    def build(self, source, directory, *options):
        """Sets up and builds a meson project; fails with what the compiler said."""
        for command in (["meson", "setup", "--werror", *options, directory, source], ["ninja", "-C", directory]):
            result = self.run(*command)
            if result.returncode != 0:
                raise AssertionError(result.stdout + result.stderr)

    def close(self):
        self._temporary.cleanup()
