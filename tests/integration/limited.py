# SPDX-License-Identifier: BSD-3-Clause
"""A control group with a memory limit, where this machine permits one."""

import contextlib
import os
import subprocess
import sys


def find_parent():
    """(directory of our own group, name of the limit's file), of version 1 or 2."""
    with open("/proc/self/cgroup") as file:
        own = {name: path for _, names, path in (line.rstrip("\n").split(":", 2) for line in file) for name in names.split(",")}
    with open("/proc/self/mountinfo") as file:
        lines = [line.split() for line in file]
    for words in lines:
        kind, options = words[words.index("-") + 1], words[-1].split(",")
        if kind == "cgroup" and "memory" in options and "memory" in own:
            return words[4] + own["memory"], "memory.limit_in_bytes"
    for words in lines:
        if words[words.index("-") + 1] == "cgroup2" and "" in own:
            return words[4] + own[""], "memory.max"
    raise OSError("there are no control groups")


# It joins the group and touches some memory, which the kernel shall choose after that of the worker meant.
DECOY = """
with open("/proc/self/oom_score_adj", "w") as file:
    file.write("1000")
data = bytearray(200 << 20)
data[::4096] = b"x" * len(data[::4096])
print(flush=True)
input()
"""


@contextlib.contextmanager
def limited_group(limit, suffix=""):
    """Its directory. OSError if this machine does not permit it."""
    parent, name = find_parent()
    path = os.path.join(parent, "roast-test-%d%s" % (os.getpid(), suffix))
    os.mkdir(path)
    try:
        with open(os.path.join(path, name), "w") as file:
            file.write(str(limit))
        yield path
    finally:
        os.rmdir(path)


@contextlib.contextmanager
def decoy(group):
    """A process in the group. When memory runs out again before the first process that the kernel killed has given back its own, the kernel
    kills another one: this one, and none that a test needs. To protect those instead (a negative oom_score_adj) needs a capability that
    containers lack."""
    with subprocess.Popen([sys.executable, "-S", "-c", DECOY], preexec_fn=lambda: join_group(group), stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        try:
            process.stdout.readline()
            yield process
        finally:
            process.kill()


def join_group(group):
    """This process, and those that it starts."""
    with open(os.path.join(group, "cgroup.procs"), "w") as file:
        file.write(str(os.getpid()))
