# SPDX-License-Identifier: BSD-3-Clause
"""File systems of a test's own, which nothing else sees: tmpfs, and ext4 in a file."""

import contextlib
import os
import subprocess
import sys

VARIABLE = "ROAST_TEST_NAMESPACE"
UNSHARE = ["unshare", "--mount", "--propagation=private"]


def enter():
    """Runs this program again, in a mount namespace of its own. Returns where there is none, or in there."""
    if VARIABLE in os.environ:
        return
    for command in (UNSHARE, [*UNSHARE, "--map-root-user"]):
        with contextlib.suppress(FileNotFoundError):
            if subprocess.run([*command, "true"], capture_output=True).returncode == 0:
                os.environ[VARIABLE] = "root" if command == UNSHARE else "user"
                os.execvp(command[0], [*command, sys.executable, *sys.argv])


def skip_reason(root=False):
    """Why there are no mounts; None if there are. As root, also those of devices."""
    kind = os.environ.get(VARIABLE)
    if kind is None:
        return "this user cannot make a mount namespace (unshare --mount): run the test as root"
    return "devices can be mounted by root only" if root and kind != "root" else None


def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True, capture_output=True)


def unmount(path):
    """Also if a process that was killed has not left it yet."""
    subprocess.run(["umount", "--lazy", str(path)], check=True)


@contextlib.contextmanager
def tmpfs(path, size):
    path.mkdir()
    mount("-t", "tmpfs", "-o", f"size={size}", "none", str(path))
    try:
        yield path
    finally:
        unmount(path)


@contextlib.contextmanager
def ext4(path, megabytes):
    """(the mount point, the device's name as in /sys/fs/ext4). After an error it is read-only."""
    image = path.with_suffix(".image")
    with open(image, "wb") as file:
        file.truncate(megabytes << 20)
    path.mkdir()
    subprocess.run(["mkfs.ext4", "-q", str(image)], check=True, capture_output=True)
    mount("-t", "ext4", "-o", "loop,errors=remount-ro", str(image), str(path))
    try:
        with open("/proc/self/mounts") as file:
            device = next(line.split()[0] for line in file if line.split()[1] == str(path))
        yield path, os.path.basename(device)
    finally:
        unmount(path)


def fill(directory):
    """A command of the shell that leaves no room."""
    return f"dd if=/dev/zero of={directory}/fill bs=4096 2>/dev/null"
