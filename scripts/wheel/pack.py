#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Packs the wheel: what meson installed, every library it needs but glibc, and the package roast for Python.

scripts/build-wheel calls it. The layout in the user's environment, whose prefix is that of its Python:

    bin/roast-run …                    the programs themselves, without a script before them: they start as fast as installed ones
    libexec/roast/*.so.0               the library, and those it needs, in a directory of their own
    libexec/roast/roast-1/             plugins and the supervisor
    share/                             schemas, man pages, completions
    lib/pythonX.Y/site-packages/roast  the package roast, pure Python

Installers put a wheel's `scripts` into bin and its `data` into the prefix for every scheme (venv, --user, conda, --target): so
the way from bin to libexec/roast is always the same, and an RPATH relative to the program suffices. A directory in site-packages
would need the version of Python in that path, or a program that searches for it.

DT_RPATH instead of DT_RUNPATH: it comes before LD_LIBRARY_PATH, in which experiments' software often has another GLib.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = ("roast-run", "roast-report", "roast-inspect", "roast-attach")
# Of glibc, which every machine has: newer ones run programs that are linked with an older one.
GLIBC = re.compile(r"(ld-linux-x86-64|ld-linux-aarch64|libc|libm|libdl|librt|libpthread|libresolv|libutil)\.so\.\d+")
NEWEST_GLIBC = (2, 31)
SMALL_ENOUGH = 12e6
COMMON_LICENCES = pathlib.Path("/usr/share/common-licenses")
# A zip archive has no earlier date; the same sources make the same wheel.
DATE = (1980, 1, 1, 0, 0, 0)


def output(*command):
    return subprocess.run([str(argument) for argument in command], check=True, capture_output=True, text=True).stdout


def fail(message):
    sys.exit(f"pack.py: {message}")


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", path))


def newest_glibc(paths):
    """The newest version of glibc that one of the files needs."""
    versions = {(2, 17)}
    for path in paths:
        versions |= {tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_(\d+\.\d+)", output("readelf", "-V", path))}
    return max(versions)


def tidy(parts):
    """The name, version and copyright of a part that scripts/wheel/build-parts built, or of a Debian package."""
    return {path.name: ((path / "version").read_text().strip(), path / "copyright") for path in (parts / "parts").iterdir()}


class Wheel:
    def __init__(self, arguments):
        self.root = pathlib.Path(arguments.root)
        self.parts = pathlib.Path(arguments.parts).resolve()
        self.dygraphs = pathlib.Path(arguments.dygraphs)
        text = (SOURCE / "meson.build").read_text()
        self.version = re.search(r"^  version: '([^']*)'", text, re.MULTILINE).group(1)
        self.name = f"roast_metrics-{self.version}"
        self.tree = pathlib.Path(arguments.tree)
        self.data = self.tree / f"{self.name}.data" / "data"
        self.scripts = self.tree / f"{self.name}.data" / "scripts"
        self.info = self.tree / f"{self.name}.dist-info"
        self.libraries = self.data / "libexec" / "roast"
        self.bundled = {}  # source package: (version, copyright, libraries)

    def put(self, source, target):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        target.chmod(0o755 if os.access(source, os.X_OK) and not target.name.endswith(".so.0") else 0o644)

    def put_programs(self):
        for program in PROGRAMS:
            self.put(self.root / "bin" / program, self.scripts / program)

    def put_data(self):
        """Plugins, the supervisor, schemas, man pages and completions: not what only developers of plugins need."""
        for path in sorted(self.root.rglob("*")):
            place = path.relative_to(self.root)
            if not path.is_file():
                continue
            if place.parts[:3] == ("libexec", "roast", "roast-1") or any(
                place.match(f"share/roast-1/*.{suffix}") for suffix in ("roast-schema", "json")
            ):
                self.put(path, self.data / place)
            elif "completions" in place.parts or place.parts[1:3] in (("fish", "vendor_completions.d"), ("zsh", "site-functions")):
                if path.name.lstrip("_").partition(".")[0] in (*PROGRAMS, "roast-run"):
                    self.put(path, self.data / place)
            elif place.match("share/man/man1/*.1") and path.name[:-2] in PROGRAMS:
                self.put(path, self.data / place)
        self.put(self.root / "libexec" / "roast" / "libroast-1.so.0", self.libraries / "libroast-1.so.0")
        self.put(self.root / "libexec" / "roast" / "libroast-client-1.so.0", self.libraries / "libroast-client-1.so.0")

    def put_python(self):
        """The directory python/roast as it is; not the override of gi, which needs the library's introspection."""
        for path in sorted((SOURCE / "python" / "roast").rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".build":
                self.put(path, self.tree / path.relative_to(SOURCE / "python"))

    def elf_files(self):
        return [path for path in sorted(self.tree.rglob("*")) if path.is_file() and is_elf(path)]

    def find_library(self, name):
        own = self.parts / "lib" / name
        if own.exists():
            return own
        match = re.search(rf"^\s*{re.escape(name)} .*=> (\S+)$", output("/sbin/ldconfig", "-p"), re.MULTILINE)
        if match is None:
            fail(f"the library {name} is not on this machine")
        return pathlib.Path(match.group(1))

    def note_origin(self, library):
        """Which source package a library is built from, for LICENCES."""
        if self.parts in library.parents:
            source = "glib2.0" if re.match(r"lib(glib|gobject|gio|gmodule|gthread)-", library.name) else "libsoup3"
            version, copyright = tidy(self.parts)[source]
        else:
            # dpkg has the place that the library had before /lib became a link to /usr/lib.
            places = {str(library), str(library.resolve()), re.sub("^/usr", "", str(library.resolve())), re.sub("^/usr", "", str(library))}
            found = subprocess.run(["dpkg", "-S", *places], capture_output=True, text=True).stdout
            if not found:
                fail(f"no package has {library}: its licence is unknown")
            package = found.split(": ")[0].split(",")[0]
            source, version = output("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", package).split()
            copyright = pathlib.Path("/usr/share/doc") / package.partition(":")[0] / "copyright"
        self.bundled.setdefault(source, (version, copyright, set()))[2].add(library.name)

    def bundle(self):
        """Copies what any file of the wheel needs, until nothing is missing but glibc."""
        waiting = self.elf_files()
        there = {path.name for path in waiting}
        while waiting:
            for name in needed(waiting.pop()):
                if GLIBC.fullmatch(name) or name in there:
                    continue
                library = self.find_library(name)
                self.note_origin(library)
                target = self.libraries / name
                shutil.copyfile(library.resolve(), target)
                there.add(name)
                waiting.append(target)

    def finish_elf(self):
        for path in self.elf_files():
            subprocess.run(["strip", "--strip-unneeded", path], check=True)
            if "(NEEDED)" not in output("readelf", "-d", path):
                continue  # the supervisor is linked statically
            if self.scripts in path.parents:
                rpath = "$ORIGIN/../libexec/roast"
            else:
                rpath = f"$ORIGIN/{os.path.relpath(self.libraries, path.parent)}"
            subprocess.run(["patchelf", "--force-rpath", "--set-rpath", rpath, path], check=True)
            path.chmod(0o755 if self.scripts in path.parents else 0o644)

    def put_licences(self):
        licences = self.info / "licenses"
        self.put(SOURCE / "LICENSE", licences / "LICENSE")
        self.put(self.dygraphs / "copyright", licences / "dygraphs" / "copyright")
        lines = [
            "roast itself is under the licence in LICENSE. This wheel contains libraries of others, unchanged but for a search path",
            "(RPATH) and without symbols for debugging. Each is a file of its own in libexec/roast, which may be replaced by another",
            "build of it. They were built from these sources of Debian, which are at https://snapshot.debian.org/package/NAME/VERSION/:",
            "",
        ]
        texts = set()
        sources = dict(self.bundled)
        # What is linked into the supervisor.
        sources["glibc"] = (output("dpkg-query", "-W", "-f", "${source:Version}", "libc6-dev"), pathlib.Path("/usr/share/doc/libc6-dev/copyright"),
                            {"roast-supervisor (linked statically)"})
        for source, (version, copyright, libraries) in sorted(sources.items()):
            lines.append(f"{source} {version}: {', '.join(sorted(libraries))}. Licence: {source}/copyright")
            self.put(copyright, licences / source / "copyright")
            texts |= set(re.findall(r"/usr/share/common-licenses/([A-Za-z]+-[0-9.]*[0-9])", copyright.read_text(errors="replace")))
        lines.append("dygraphs, embedded in HTML pages. Licence: dygraphs/copyright")
        for text in sorted(texts):
            if (COMMON_LICENCES / text).exists():
                self.put(COMMON_LICENCES / text, licences / "texts" / text)
        lines += ["", "The texts of the licences that these files name are in texts/."]
        (licences / "LICENCES-OF-LIBRARIES").write_text("\n".join(lines) + "\n")

    def put_metadata(self, tag):
        readme = SOURCE / "README.md"
        (self.info / "METADATA").write_text("\n".join([
            "Metadata-Version: 2.1",
            "Name: roast-metrics",
            f"Version: {self.version}",
            "Summary: Measures distributed computations: Dask, TaskVine, coffea and programs on this machine",
            "License: BSD-3-Clause; libraries inside: see licenses/LICENCES-OF-LIBRARIES",
            "Requires-Python: >=3.9",
            "Classifier: Operating System :: POSIX :: Linux",
            "Classifier: Topic :: System :: Distributed Computing",
            "Description-Content-Type: text/markdown",
            "",
            readme.read_text(),
        ]))
        (self.info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: roast\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n")
        (self.info / "top_level.txt").write_text("roast\n")

    def write(self, directory, tag):
        wheel = pathlib.Path(directory) / f"{self.name}-py3-none-{tag}.whl"
        files = sorted(path for path in self.tree.rglob("*") if path.is_file())
        # The list of files comes last, as the specification recommends.
        files.sort(key=lambda path: self.info in path.parents)
        record = []
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            def add(name, content, mode):
                entry = zipfile.ZipInfo(name, DATE)
                entry.external_attr = (0o100000 | mode) << 16
                archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)

            for path in files:
                name, content = path.relative_to(self.tree).as_posix(), path.read_bytes()
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                record.append(f"{name},sha256={digest},{len(content)}")
                add(name, content, path.stat().st_mode & 0o777)
            name = f"{self.info.name}/RECORD"
            add(name, "\n".join([*record, f"{name},,"]) + "\n", 0o644)
        return wheel


def main():
    parser = argparse.ArgumentParser(description="Packs the wheel.")
    parser.add_argument("--root", required=True, help="what meson installed, below its prefix")
    parser.add_argument("--parts", required=True, help="what scripts/wheel/build-parts built")
    parser.add_argument("--dygraphs", required=True, help="the directory with the licence of dygraphs")
    parser.add_argument("directory", help="where the wheel is written")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as arguments.tree:
        wheel = Wheel(arguments)
        wheel.put_programs()
        wheel.put_data()
        wheel.put_python()
        wheel.bundle()
        wheel.finish_elf()
        newest = newest_glibc(wheel.elf_files())
        if newest > NEWEST_GLIBC:
            fail(f"a file needs glibc {newest[0]}.{newest[1]}, but the wheel is for {NEWEST_GLIBC[0]}.{NEWEST_GLIBC[1]}")
        tag = f"manylinux_{newest[0]}_{newest[1]}_{os.uname().machine}"
        wheel.put_licences()
        wheel.put_metadata(tag)
        path = wheel.write(arguments.directory, tag)
    size = path.stat().st_size
    if size > SMALL_ENOUGH:
        fail(f"{path} has {size / 1e6:.1f} MB, but at most {SMALL_ENOUGH / 1e6:.0f} MB were promised")
    print(f"{path}: {size / 1e6:.1f} MB, {len(wheel.bundled)} libraries' sources, glibc {newest[0]}.{newest[1]} or newer")


main()
