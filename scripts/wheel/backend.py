# SPDX-License-Identifier: BSD-3-Clause
"""Builds roast for pip (PEP 517), as pyproject.toml says: “pip install .” uses the libraries of this machine.

The checkout may be read-only: everything is built in a temporary directory. A missing compiler, tool or header is reported before
anything is compiled, with the packages to install.
"""

import io
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile

import pack

# What is needed: a tool, or a library by its pkg-config name and a header; then its packages in Debian, Fedora and conda-forge.
TOOLS = {
    "pkg-config": ("pkg-config", "pkgconf-pkg-config", "pkg-config"),
    "glib-mkenums": ("libglib2.0-dev", "glib2-devel", "glib"),
    "glib-compile-resources": ("libglib2.0-dev", "glib2-devel", "glib"),
}
COMPILER = ("gcc libc6-dev", "gcc", "c-compiler")
LIBRARIES = {
    "gio-unix-2.0": ("gio/gio.h", "libglib2.0-dev", "glib2-devel", "glib"),
    "json-glib-1.0": ("json-glib/json-glib.h", "libjson-glib-dev", "json-glib-devel", "json-glib"),
    "sqlite3": ("sqlite3.h", "libsqlite3-dev", "sqlite-devel", "sqlite"),
    "libzstd": ("zstd.h", "libzstd-dev", "libzstd-devel", "zstd"),
}


def call(*command, text=None):
    """The status, standard output and messages of a command, which may be missing."""
    try:
        result = subprocess.run(command, input=text, capture_output=True, text=True)
    except OSError as error:
        return 127, "", str(error)
    return result.returncode, result.stdout, result.stderr


def fail(problems, packages):
    lines = ["", "roast cannot be built on this machine:", *(f"  - {problem}" for problem in problems)]
    if packages:
        debian, fedora, conda = (" ".join(dict.fromkeys(" ".join(names).split())) for names in zip(*packages))
        lines += ["Install what is missing, then try again:",
                  f"  Debian, Ubuntu:  apt-get install {debian}",
                  f"  Fedora, EL:      dnf install {fedora}",
                  f"  conda-forge:     conda install -c conda-forge {conda}",
                  "On a machine where you cannot install packages, use the wheel instead, which needs none: docs/wheel.md"]
    sys.exit("\n".join([*lines, ""]))


def check_machine():
    """Ends with a message if something is missing. Returns the directories with libraries of which the loader knows nothing."""
    problems, packages = [], []
    compiler = shlex.split(os.environ.get("CC", "")) or [next(filter(shutil.which, ("cc", "gcc", "clang")), "cc")]
    if not shutil.which(compiler[0]):
        problems.append("there is no C compiler" + (f" {compiler[0]}" if "CC" in os.environ else ""))
        packages.append(COMPILER)
    pkg_config = os.environ.get("PKG_CONFIG", "pkg-config")
    for tool, names in TOOLS.items():
        if not shutil.which(pkg_config if tool == "pkg-config" else tool):
            problems.append(f"there is no {tool}")
            packages.append(names)
    found = [name for name in LIBRARIES if call(pkg_config, "--exists", name)[0] == 0]
    for name, (_, *names) in LIBRARIES.items():
        if name not in found:
            problems.append(f"there is no {name}.pc" + (f", or {pkg_config} does not find it" if shutil.which(pkg_config) else ""))
            packages.append(names)
    if not problems:
        # A library may be there without its headers, and a compiler without those of C.
        flags = shlex.split(call(pkg_config, "--cflags", "--libs", *found)[1])
        text = "".join(f"#include <{header}>\n" for header in ("stdlib.h", *(header for header, *_ in LIBRARIES.values())))
        with tempfile.TemporaryDirectory() as directory:
            status, _, messages = call(*compiler, "-x", "c", "-", "-o", f"{directory}/program", *flags, text=text + "int main (void) { return 0; }\n")
        if status != 0:
            reason = next((line for line in messages.splitlines() if "error" in line), messages.strip())
            problems.append(f"a program with the libraries does not compile: {reason}")
            packages = [COMPILER, *(names for _, *names in LIBRARIES.values())]
    if problems:
        fail(problems, packages)
    directories = {call(pkg_config, "--variable=libdir", name)[1].strip() for name in found}
    return sorted(directory for directory in directories if directory and not directory.startswith(("/usr/lib", "/lib")))


def get_tag():
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    # Of conda, or of a prefix of the user: programs find these libraries there when they run.
    rpaths = [f"-Wl,-rpath,{directory}" for directory in check_machine()]
    if rpaths:
        os.environ["LDFLAGS"] = " ".join([os.environ.get("LDFLAGS", ""), *rpaths]).strip()
    with tempfile.TemporaryDirectory() as place:
        work = pathlib.Path(place)
        wheel = pack.Wheel(pack.build(work), work / "tree")
        wheel.put_programs(pack.PROGRAMS)
        wheel.put_data()
        wheel.put_development()
        wheel.put_python()
        wheel.put_licences()
        wheel.put_metadata(get_tag())
        return wheel.write(wheel_directory, get_tag()).name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    wheel = pack.Wheel(None, metadata_directory)
    wheel.put_metadata(get_tag())
    return wheel.info.name


def list_source():
    """The files of the source tree: those that git knows, or all that no build made."""
    status, output, _ = call("git", "-C", str(pack.SOURCE), "ls-files", "-z")
    if status == 0 and (pack.SOURCE / ".git").exists():
        names = map(pathlib.Path, filter(None, output.split("\0")))
    else:
        environments = {path.parent for path in pack.SOURCE.glob("*/pyvenv.cfg")}
        paths = (path for path in sorted(pack.SOURCE.rglob("*")) if not environments & {*path.parents})
        names = (path.relative_to(pack.SOURCE) for path in paths)
    for name in names:
        made = name.parts[0].startswith("build") or name.suffix == ".pyc" or name.parts[0] == ".git"
        if not made and not (pack.SOURCE / name).is_dir() and (pack.SOURCE / name).exists():
            yield name


def build_sdist(sdist_directory, config_settings=None):
    name = f"{pack.NAME}-{pack.VERSION}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for path in list_source():
            archive.add(pack.SOURCE / path, f"{name}/{path}")
        content = pack.metadata(pack.Wheel.LICENCE).encode()
        info = tarfile.TarInfo(f"{name}/PKG-INFO")
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    return f"{name}.tar.gz"
