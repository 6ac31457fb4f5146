# SPDX-License-Identifier: BSD-3-Clause
"""A test leaves no process behind, also if it fails or is killed.

`guard ()` starts a guardian, which starts the process that runs the tests. The guardian is the subreaper of all that the tests start. It
kills these processes when the tests have ended, when it receives a signal such as SIGTERM, and when its parent process was killed, which
meson does after a timeout. `Tidy` does the same after each test, so that what one test left does not disturb the next one.
"""

import atexit
import ctypes
import os
import shutil
import signal
import sys
import tempfile
import time
import unittest

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PATIENCE = 120  # s in which the processes of a test that passed end by themselves


# Runs of tests are not kept among those of the user.
if "ROAST_RUNS" not in os.environ:
    os.environ["ROAST_RUNS"] = tempfile.mkdtemp(prefix="roast-runs-")
    atexit.register(shutil.rmtree, os.environ["ROAST_RUNS"], ignore_errors=True)


def prctl(option, value):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl (%d)" % option)


def read_processes():
    """{process: (parent, its start in ticks)} of all that have not ended."""
    found = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % name) as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] not in "ZX":
            found[int(name)] = int(fields[1]), int(fields[19])
    return found


def descendants(root):
    """Processes below one, as (process, start): a process id alone may become that of another."""
    processes = read_processes()
    children = {}
    for pid, (parent, _) in processes.items():
        children.setdefault(parent, []).append(pid)
    found, waiting = [], [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        waiting += below
        found += [(pid, processes[pid][1]) for pid in below]
    return found


def name_of(pid):
    try:
        with open("/proc/%d/cmdline" % pid) as file:
            return file.read().replace("\0", " ")[:120].strip()
    except OSError:
        return "?"


def reap_orphans(known=()):
    """Those that lost their parent are ours now. `known` are waited for by somebody else."""
    try:
        with open("/proc/self/task/%d/children" % os.getpid()) as file:
            children = [int(pid) for pid in file.read().split()]
    except OSError:
        return
    for pid in children:
        if pid not in known:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass


def kill_all(root, keep=()):
    """What is killed may have started another one meanwhile: until there is none."""
    end = time.monotonic() + 240
    while time.monotonic() < end:
        left = [pid for pid, start in descendants(root) if (pid, start) not in keep]
        if not left:
            return
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        reap_orphans()
        time.sleep(0.01)


class Part(unittest.TestLoader):
    """With ROAST_TEST_PART=2/3, the second of three parts of the tests of each class: what takes long runs side by side."""

    def getTestCaseNames(self, cls):
        part, _, parts = os.environ.get("ROAST_TEST_PART", "1/1").partition("/")
        return super().getTestCaseNames(cls)[int(part) - 1 :: int(parts)]


class Tidy(unittest.TestCase):
    """Cleanups of setUp run last of all: whatever a test started is gone then."""

    def setUp(self):
        super().setUp()
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        keep = set(descendants(os.getpid()))
        self.addCleanup(self.leave_nothing, keep)

    def has_failed(self):
        outcome = self._outcome
        if hasattr(outcome, "errors"):  # before Python 3.11
            return any(error for _, error in outcome.errors)
        failed = outcome.result.failures + outcome.result.errors
        return any(self in (test, getattr(test, "test_case", None)) for test, _ in failed)

    def leave_nothing(self, keep):
        end = time.monotonic() + (0 if self.has_failed() else PATIENCE)
        left = [entry for entry in descendants(os.getpid()) if entry not in keep]
        pause = 0.02
        while left and time.monotonic() < end:
            time.sleep(pause)
            pause = min(1.5 * pause, 0.2)
            left = [entry for entry in descendants(os.getpid()) if entry not in keep]
        names = [name_of(pid) for pid, _ in left]
        kill_all(os.getpid(), keep)
        if names and not self.has_failed():
            self.fail("the test left behind: " + "; ".join(names))


def run_guarded(function):
    """In the guardian: the status of the function, which runs in a child."""
    os.setsid()
    prctl(PR_SET_CHILD_SUBREAPER, 1)

    def end(signum, frame):
        kill_all(os.getpid())
        os._exit(128 + signum)

    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, end)
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    child = os.fork()
    if child == 0:
        for signum in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(signum, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return function()
    while True:
        pid, status = os.wait()
        if pid == child:
            break
    kill_all(os.getpid())
    os._exit(os.waitstatus_to_exitcode(status) & 255)


def guard(function):
    """Runs a function that ends in sys.exit (): whatever it started is gone when this process has ended, or was killed."""
    starter = os.getpid()
    sys.stdout.flush()
    sys.stderr.flush()
    guardian = os.fork()
    if guardian == 0:
        if os.getppid() != starter:
            os._exit(1)
        run_guarded(function)
        return

    def hand_on(signum, frame):
        os.kill(guardian, signum)

    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, hand_on)
    _, status = os.waitpid(guardian, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 255)
