# SPDX-License-Identifier: BSD-3-Clause
"""Commands of a Debian 13, which has TaskVine, on another system: ROAST_TASKVINE_ROOT is a directory in which it is installed.

Programs run in that root, and roast-run outside of it. `enter ()` starts the test once more, with mounts of its own that are gone with its
last process: processes, devices, temporary files, the source and the build have the same names in the root. Process ids and the network
are shared."""

import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.realpath(os.environ["ROAST_TASKVINE_ROOT"]) if os.environ.get("ROAST_TASKVINE_ROOT") else None
SOURCE = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
MOUNT = 'while [ "$1" != -- ]; do mkdir -p "$0$1"; mount --rbind "$1" "$0$1"; shift; done; shift; exec "$@"'
CHANGE = 'cd "$0" && exec "$@"'


def enter():
    if not ROOT or os.environ.get("ROAST_TASKVINE_MOUNTED") == ROOT:
        return
    places = {"/proc", "/dev", "/sys", os.path.realpath(tempfile.gettempdir()), SOURCE}
    if "G_TEST_BUILDDIR" in os.environ:
        places.add(os.path.dirname(os.environ["G_TEST_BUILDDIR"]))
    if os.path.isdir(os.environ.get("XDG_RUNTIME_DIR", "")):
        places.add(os.environ["XDG_RUNTIME_DIR"])
    # Those that are inside of another one are seen with it.
    places = [place for place in places if not any(place.startswith(other + "/") for other in places)]
    os.environ["ROAST_TASKVINE_MOUNTED"] = ROOT
    os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", "sh", "-euc", MOUNT, ROOT, *places, "--",
                          sys.executable, *sys.argv])


def inside(directory, command):
    """The command, where TaskVine is, in a directory."""
    return ["chroot", ROOT, "/bin/sh", "-c", CHANGE, directory, *command] if ROOT else command


def make_commands(directory, path, **commands):
    """Programs in a directory, each of which runs one in the root, in the directory of its caller. What they run is found in that path."""
    change = CHANGE.replace("exec", f"PATH={path} exec")
    for name, program in commands.items():
        command = os.path.join(directory, name)
        with open(command, "w") as file:
            file.write(f"#!/bin/sh\nexec {shutil.which('chroot')} {ROOT} /bin/sh -c '{change}' \"$PWD\" {program} \"$@\"\n")
        os.chmod(command, 0o755)


def has_taskvine():
    return subprocess.run(inside("/tmp", ["/usr/bin/python3", "-c", "import ndcctools.taskvine"]), capture_output=True).returncode == 0
