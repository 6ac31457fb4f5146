#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a wheel of what meson installed and of the package roast for Python.

There are two kinds: backend.py makes that of “pip install .”, which uses this machine's libraries, and scripts/build-wheel, by
main () below, the one with every library but glibc. Both have the same layout, below the prefix of the user's Python:

    bin/roast-run …                    the programs themselves, without a script before them: they start as fast as installed ones
    libexec/roast/*.so.0               the library, and bundled ones, in a directory of their own
    libexec/roast/roast-1/             plugins and the supervisor
    libexec/roast/pkgconfig, include/  for authors of plugins; only where this machine's libraries are used
    share/                             schemas, man pages, completions
    lib/pythonX.Y/site-packages/roast  the package roast, pure Python

Installers put a wheel's `scripts` into bin and its `data` into the prefix for every scheme (venv, --user, conda, --target): so
the way from bin to libexec/roast is always the same, and an RPATH relative to the program suffices. A directory in site-packages
would need the version of Python in that path, or a program that searches for it.

With bundled libraries, DT_RPATH instead of DT_RUNPATH: it comes before LD_LIBRARY_PATH, in which experiments' software often has another GLib.
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
# The prefix is that of the user's Python, which is unknown in the build: see core/base/roast-place.c.
PREFIX = "/roast"
LIBDIR = "libexec/roast"
# The package is not called roast, because that is another project on PyPI.
NAME = "roast_metrics"
VERSION = re.search(r"^  version: '([^']*)'", (SOURCE / "meson.build").read_text(encoding="utf-8"), re.MULTILINE).group(1)
PROGRAMS = ("roast-run", "roast-report", "roast-compare", "roast-top", "roast-inspect", "roast-attach")
# Of glibc, which every machine has: newer ones run programs that are linked with an older one.
GLIBC = re.compile(r"(ld-linux-x86-64|ld-linux-aarch64|libc|libm|libdl|librt|libpthread|libresolv|libutil)\.so\.\d+")
NEWEST_GLIBC = (2, 31)
AUTHOR_PROGRAMS = ("roast-new-plugin", "roast-schema")
PYTHON = re.compile(rb"#!/usr/bin/(env )?python3\n")
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


def metadata(licence):
    return "\n".join([
        "Metadata-Version: 2.1",
        f"Name: {NAME.replace('_', '-')}",
        f"Version: {VERSION}",
        "Summary: Measures distributed computations: Dask, TaskVine, coffea and programs on this machine",
        f"License: {licence}",
        "Requires-Python: >=3.9",
        "Classifier: Operating System :: POSIX :: Linux",
        "Classifier: Topic :: System :: Distributed Computing",
        "Description-Content-Type: text/markdown",
        "",
        (SOURCE / "README.md").read_text(encoding="utf-8"),
    ])


def run(log, *command):
    """Shows the end of the command's output if it fails."""
    with open(log, "w") as output:
        status = subprocess.run([str(argument) for argument in command], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT).returncode
    if status != 0:
        lines = pathlib.Path(log).read_text(errors="replace").splitlines()[-50:]
        sys.exit("\n".join([*lines, f"{' '.join(map(str, command[:2]))} failed with status {status}"]))


def build(work, *options):
    """Builds roast from this source tree in the directory WORK. Returns the directory that has what is below the prefix."""
    print("setting up the build", flush=True)
    run(work / "log", "meson", "setup", work / "build", SOURCE, "--unity=on", "-Dunity_size=16", f"--prefix={PREFIX}",
        f"--libdir={LIBDIR}", f"--libexecdir={LIBDIR}", "--wrap-mode=nodownload", "-Doptimization=2", "-Ddebug=false",
        "-Dintrospection=disabled", "-Dvapi=disabled", "-Dpython=disabled", "-Dtests=false", *options)
    print("compiling", flush=True)
    run(work / "log", "meson", "compile", "-C", work / "build")
    run(work / "log", "meson", "install", "-C", work / "build", "--no-rebuild", "--quiet", "--destdir", work / "root")
    return work / f"root{PREFIX}"


class Wheel:
    """A wheel that uses the libraries of the machine on which it is made."""

    LICENCE = "BSD-3-Clause"

    def __init__(self, root, tree):
        self.root = root
        self.tree = pathlib.Path(tree)
        self.name = f"{NAME}-{VERSION}"
        self.data = self.tree / f"{self.name}.data" / "data"
        self.scripts = self.tree / f"{self.name}.data" / "scripts"
        self.info = self.tree / f"{self.name}.dist-info"
        self.libraries = self.data / LIBDIR

    def put(self, source, target):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        target.chmod(0o755 if os.access(source, os.X_OK) and ".so" not in target.name else 0o644)

    def put_programs(self, programs):
        for program in programs:
            target = self.scripts / program
            if not (self.root / "bin" / program).exists():
                continue  # roast-attach, built without Dask
            self.put(self.root / "bin" / program, target)
            # Installers put the user's Python here.
            content = target.read_bytes()
            if PYTHON.match(content):
                target.write_bytes(PYTHON.sub(b"#!python\n", content, count=1))

    def put_data(self):
        """Plugins, the supervisor, schemas, man pages and completions: not what only developers of plugins need."""
        for path in sorted(self.root.rglob("*")):
            place = path.relative_to(self.root)
            if not path.is_file():
                continue
            if place.parts[:3] == ("libexec", "roast", "roast-1") or any(
                place.match(f"share/roast-1/{name}") for name in ("*.roast-schema", "*.json", "formats/*.py")
            ):
                self.put(path, self.data / place)
            elif "completions" in place.parts or place.parts[1:3] in (("fish", "vendor_completions.d"), ("zsh", "site-functions")):
                if path.name.lstrip("_").partition(".")[0] in (*PROGRAMS, "roast-run"):
                    self.put(path, self.data / place)
            elif place.match("share/man/man1/*.1") and path.name[:-2] in PROGRAMS:
                self.put(path, self.data / place)
        self.put(self.root / LIBDIR / "libroast-1.so.0", self.libraries / "libroast-1.so.0")
        self.put(self.root / LIBDIR / "libroast-client-1.so.0", self.libraries / "libroast-client-1.so.0")

    def put_development(self):
        """What roast-new-plugin and the builds of plugins and applications need."""
        self.put_programs(AUTHOR_PROGRAMS)
        for directory in ("include", "share/roast-1/templates"):
            for path in sorted((self.root / directory).rglob("*")):
                if path.is_file():
                    self.put(path, self.data / path.relative_to(self.root))
        # A wheel cannot have links. What is linked with these names the library with the version.
        for name in ("libroast-1.so", "libroast-client-1.so"):
            self.put(self.root / LIBDIR / name, self.libraries / name)
        for path in sorted((self.root / LIBDIR / "pkgconfig").glob("*.pc")):
            target = self.libraries / "pkgconfig" / path.name
            self.put(path, target)
            text = re.sub(f"(?m)(=| ){PREFIX}(?=/)", r"\1${prefix}", target.read_text())
            target.write_text(re.sub(f"(?m)^prefix={PREFIX}$", "prefix=${pcfiledir}/../../..", text))

    def put_python(self):
        """The directory python/roast as it is; not the override of gi, which needs the library's introspection."""
        for path in sorted((SOURCE / "python" / "roast").rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".build":
                self.put(path, self.tree / path.relative_to(SOURCE / "python"))

    def put_licences(self):
        self.put(SOURCE / "LICENSE", self.info / "licenses" / "LICENSE")

    def put_metadata(self, tag):
        self.info.mkdir(parents=True, exist_ok=True)
        (self.info / "METADATA").write_text(metadata(self.LICENCE), encoding="utf-8")
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


class BundledWheel(Wheel):
    """A wheel with every library but glibc."""

    LICENCE = "BSD-3-Clause; libraries inside: see licenses/LICENCES-OF-LIBRARIES"

    def __init__(self, root, tree, parts, dygraphs):
        super().__init__(root, tree)
        self.parts = pathlib.Path(parts).resolve()
        self.dygraphs = pathlib.Path(dygraphs)
        self.bundled = {}  # source package: (version, copyright, libraries)

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
        super().put_licences()
        licences = self.info / "licenses"
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


def main():
    parser = argparse.ArgumentParser(description="Builds roast and packs the wheel with all libraries.")
    parser.add_argument("--parts", required=True, help="what scripts/wheel/build-parts built")
    parser.add_argument("--dygraphs", required=True, type=pathlib.Path, help="the directory into which Debian's package libjs-dygraphs was unpacked")
    parser.add_argument("directory", help="where the wheel is written")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as place:
        work = pathlib.Path(place)
        root = build(work, "-Dplots_cairo=disabled", "-Ddask=enabled", "-Dman=enabled", "-Dstatic_supervisor=enabled",
                     "-Ddygraphs=enabled", f"-Ddygraphs_js={arguments.dygraphs}/usr/share/javascript/dygraphs/dygraph.min.js")
        wheel = BundledWheel(root, work / "tree", arguments.parts, arguments.dygraphs / "usr/share/doc/libjs-dygraphs")
        wheel.put_programs(PROGRAMS)
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


if __name__ == "__main__":
    main()
