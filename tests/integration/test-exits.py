#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How programs end, bare and under roast-run: who waits for them, reads their output or looks at their terminal sees no difference."""

import collections
import fcntl
import json
import os
import resource
import select
import signal
import sys
import termios
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from leftovers import guard, kill_all
from running import InDirectory

# command: what runs; closed: standard streams that are closed; send: a signal to the started process when it has written “ready”; ignored: signals
# that are ignored from the start; terminal: on one, or with pipes; waited: all its processes are waited for, so that the parent gets their times;
# hangs_up: the terminal does so when it has written “ready”.
Case = collections.namedtuple("Case", "name command closed send ignored terminal input waited setup hangs_up",
                              defaults=((), None, (), False, b"", True, None, False))


def sh(script):
    return ["sh", "-c", script]


def python(script):
    return [sys.executable, "-c", script]


def limit(what, soft, hard=None):
    return lambda: resource.setrlimit(what, (soft, resource.getrlimit(what)[1] if hard is None else hard))


BURN = "import time\nwhile time.process_time() < 0.05: pass\n"
LIST = "for fd in 0 1 2 3 4 5 6 7 8 9; do [ -e /proc/self/fd/$fd ] && echo $fd; done"

# Prints each of the signals once it came, and a second time if it came twice.
HANDLE = """import os, signal, threading, time
came = []
def tell():
    while set(came) < set({0}): time.sleep(0.02)
    time.sleep(0.5)  # for a second one there is nothing to wait for
    os.write(1, repr(sorted(came)).encode())
    os._exit(3)
for n in {0}: signal.signal(n, lambda n, _: came.append(n))
threading.Thread(target=tell).start()
os.write(1, b'ready\\n')"""
WAIT = "\nwhile True: time.sleep(0.05)"
GROUP = sorted(set(range(1, 32)) - {signal.SIGKILL.value, signal.SIGSTOP.value, signal.SIGCHLD.value} | {34, 35, 50, 64})

alarm = [0.5]  # s
CASES = [
    Case("status 0", sh("exit 0")),
    Case("status 3, after some work", python(BURN + "raise SystemExit(3)")),
    Case("status 255", sh("exit 255")),
    Case("the statuses of roast-run itself", sh("exit 125")),
    Case("works in a child", sh(f"{sys.executable} -c '{BURN}'; exit 6")),
    Case("kills itself", sh("kill -KILL $$")),
    Case("TERM from outside", sh("echo ready; exec sleep 100"), send=signal.SIGTERM),
    Case("TERM from outside, with a handler", python(
        "import os, signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(4))\nos.write(1, b'ready\\n')\ntime.sleep(100)"),
         send=signal.SIGTERM),
    Case("INT from outside", sh("echo ready; exec sleep 100"), send=signal.SIGINT),
    Case("ALRM from outside, with a handler", sh("trap 'echo alarm; exit 4' ALRM; echo ready; while :; do sleep 0.05; done"), send=signal.SIGALRM),
    Case("XCPU from outside, as from a batch system", sh("trap 'echo limit; exit 4' XCPU; echo ready; while :; do sleep 0.05; done"),
         send=signal.SIGXCPU),
    *(Case(f"signal {int(number)} from outside, with a handler", python(HANDLE.format([int(number)]) + WAIT), send=number) for number in (
        signal.SIGCONT, signal.SIGTSTP, signal.SIGTTOU, signal.SIGWINCH, signal.SIGPROF, signal.SIGPIPE, signal.SIGSEGV, signal.SIGRTMIN + 1)),
    Case("a signal that ends it from outside", sh("echo ready; exec sleep 100"), send=signal.SIGRTMIN + 5),
    Case("TSTP from outside", sh("echo ready; until [ -e acted ]; do sleep 0.05; done; sleep 0.3; exit 3"), send=signal.SIGTSTP),
    Case("each signal to its group, with a handler", python(HANDLE.format(GROUP) + f"\nfor n in {GROUP}: os.killpg(0, n)" + WAIT)),
    Case("each signal to its group, ignored", python(
        f"import os, signal, time\nfor n in {GROUP}: signal.signal(n, signal.SIG_IGN)\nfor n in {GROUP}: os.killpg(0, n)\n"
        "time.sleep(0.3)\nprint('alive')")),
    Case("an alarm that was set before", sh("exec sleep 100"), setup=lambda: signal.setitimer(signal.ITIMER_REAL, alarm[0])),
    Case("HUP from outside, ignored as by nohup", python(
        "import os, signal, time\nos.write(1, b'ready\\n')\nwhile not os.path.exists('acted'): time.sleep(0.05)\ntime.sleep(0.3)\n"
        "print(signal.getsignal(signal.SIGHUP))"), send=signal.SIGHUP, ignored=(signal.SIGHUP,)),
    Case("aborts, with a core file", sh("kill -ABRT $$"), setup=limit(resource.RLIMIT_CORE, resource.RLIM_INFINITY)),
    Case("crashes, without a core file", sh("kill -SEGV $$"), setup=limit(resource.RLIMIT_CORE, 0)),
    Case("writes to a pipe without a reader", sh("kill -PIPE $$")),
    Case("ends by a real-time signal", sh("kill -40 $$")),
    Case("exceeds its limit of CPU time", python("while True: pass"), setup=limit(resource.RLIMIT_CPU, 1, 10)),
    Case("stops itself, and a child continues it",
         sh("(until [ -e stopped ]; do sleep 0.05; done; kill -CONT $$) & kill -STOP $$; wait; echo continued; exit 5")),
    Case("stopped on a terminal, and continued", sh("kill -STOP $$; echo continued; exit 5"), terminal=True),
    Case("leaves a child with its output", sh("(sleep 0.5; echo late) & echo early; exit 7"), waited=False),
    Case("leaves a child without its output", sh("sleep 0.5 >/dev/null 2>&1 & exit 7"), waited=False),
    Case("leaves a daemon", sh("setsid sh -c 'sleep 0.5 & exit 0' >/dev/null 2>&1 </dev/null; exit 8"), waited=False),
    Case("standard input is closed", sh(LIST), closed=(0,)),
    Case("standard output is closed", sh("echo x; echo status $? >&2"), closed=(1,)),
    Case("standard error is closed", sh("echo x >&2; echo status $?; " + LIST), closed=(2,)),
    Case("all streams are closed", sh(f"({LIST}) >descriptors; exit 9"), closed=(0, 1, 2)),
    Case("reads a pipe", sh("cat; exit 2"), input=b"through\n"),
    Case("reads a terminal", sh("read line; echo got $line; tty -s; exit $?"), terminal=True, input=b"word\n"),
    Case("changes the settings of the terminal", sh("stty -echo -icanon; stty -a | tr -d '\\n'; exit 1"), terminal=True),
    Case("Ctrl-C on a terminal", sh("echo ready; exec sleep 100"), terminal=True, input=b"\x03"),
    Case("the terminal hangs up", sh("echo ready; exec sleep 100"), terminal=True, hangs_up=True),
    Case("the terminal hangs up, with a handler", sh("trap 'echo hup >said; exit 4' HUP; echo ready; while :; do sleep 0.05; done"), terminal=True,
         hangs_up=True),
    Case("its own session", sh("setsid -w sh -c 'exit 3'")),
    Case("becomes another program", sh("exec sh -c 'exec sh -c \"exit 11\"'")),
    Case("its own process group, in the foreground", python(
        "import os, signal\nsignal.signal(signal.SIGTTOU, signal.SIG_IGN)\nbefore = os.tcgetpgrp(0)\nchild = os.fork()\n"
        "if child == 0:\n    os.setpgid(0, 0)\n    os.tcsetpgrp(0, os.getpgrp())\n"
        "    print(os.tcgetpgrp(0) == os.getpid(), flush=True)\n    os._exit(3)\n"
        "_, status = os.waitpid(child, 0)\nos.tcsetpgrp(0, before)\nraise SystemExit(os.waitstatus_to_exitcode(status))"), terminal=True),
    Case("SIGCHLD is ignored", python(
        "import os, signal\nprint(signal.getsignal(signal.SIGCHLD))\nchild = os.fork()\nif child == 0: os._exit(3)\n"
        "try: print(os.waitpid(child, 0)[1])\nexcept ChildProcessError: print('nobody to wait for')\nraise SystemExit(4)"),
         ignored=(signal.SIGCHLD,), waited=False),
    Case("SIGPIPE is ignored", python("import os\nos.system('grep SigIgn /proc/self/status')"), ignored=(signal.SIGPIPE,)),
    Case("its first thread ends before the others", python(
        "import ctypes, os, threading, time\nthreading.Thread(target=lambda: (time.sleep(0.2), os._exit(12))).start()\n"
        "ctypes.CDLL(None).pthread_exit(None)")),
]

Outcome = collections.namedtuple("Outcome", "events output files settings usage core")


class Started:
    """One run of a case."""

    def __init__(self, case, command, directory):
        self.case, self.directory = case, directory
        self.events = []
        self.output = b""
        self.usage = None
        self.core = False
        if case.terminal:
            self.ours, theirs = os.openpty()
            # 24 rows of 80 columns; the settings do not depend on who runs the tests.
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, bytes((24, 0, 80, 0, 0, 0, 0, 0)))
            streams = (theirs, theirs, theirs)
            self.kept = theirs
        else:
            self.ours, theirs = os.pipe()
            read, write = os.pipe()
            os.write(write, case.input)
            os.close(write)
            streams = (read, theirs, theirs)
            self.kept = None
        self.pid = os.fork()
        if self.pid == 0:
            self.become(command, directory, streams)
        if not case.terminal:
            os.close(theirs)
            os.close(read)

    def become(self, command, directory, streams):
        try:
            os.setsid()
            if self.case.terminal:
                fcntl.ioctl(streams[0], termios.TIOCSCTTY, 0)
            os.chdir(directory)
            for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                signal.signal(number, signal.SIG_IGN if number in self.case.ignored else signal.SIG_DFL)
            if self.case.setup is not None:
                self.case.setup()
            for fd in range(3):
                os.dup2(streams[fd], fd)
            for fd in self.case.closed:
                os.close(fd)
            os.closerange(3, 100)
            os.execvp(command[0], command)
        finally:
            os._exit(99)

    def check_state(self):
        pid, status, usage = os.wait4(self.pid, os.WNOHANG | os.WUNTRACED)
        if pid == 0:
            return
        if os.WIFSTOPPED(status):
            self.events.append(("stopped", os.WSTOPSIG(status)))
            open(os.path.join(self.directory, "stopped"), "w").close()
            os.killpg(self.pid, signal.SIGCONT)
            return
        self.events.append(("exited", os.WEXITSTATUS(status)) if os.WIFEXITED(status) else ("killed", os.WTERMSIG(status)))
        self.core = os.WCOREDUMP(status)
        self.usage = usage.ru_utime + usage.ru_stime

    def act(self):
        """What the case does once the program is ready."""
        if self.case.send is not None:
            os.kill(self.pid, self.case.send)
            open(os.path.join(self.directory, "acted"), "w").close()
        if self.case.terminal and self.case.input:
            os.write(self.ours, self.case.input)
        if self.case.hangs_up:
            for fd in (self.kept, self.ours):
                os.close(fd)
            self.kept = self.ours = None

    def run(self):
        end = time.monotonic() + 240
        waits = self.case.send is not None or self.case.input == b"\x03" or self.case.hangs_up
        acted = False
        reads = True
        while reads or self.usage is None:
            if time.monotonic() > end:
                raise AssertionError(f"{self.case.name}: no end in time: {self.events}, {self.output}")
            if not acted and (not waits or b"ready" in self.output):
                self.act()
                acted = True
            reads = reads and self.ours is not None
            if select.select([self.ours] if reads else [], [], [], 0.02)[0]:
                try:
                    data = os.read(self.ours, 4096)
                except OSError:
                    data = b""
                self.output += data
                reads = data != b""
            elif self.kept is not None and self.usage is not None:
                reads = False  # the terminal stays open here
            if self.usage is None:
                self.check_state()
        settings = termios.tcgetattr(self.kept) if self.kept is not None else None
        for fd in (self.ours, self.kept):
            if fd is not None:
                os.close(fd)
        return settings


class TestExits(InDirectory):
    def run_case(self, case, name, prefix):
        directory = self.path(name)
        os.mkdir(directory)
        started = Started(case, [*prefix, *case.command], directory)
        try:
            settings = started.run()
        finally:
            kill_all(os.getpid())
        files = {}
        for entry in sorted(os.listdir(directory)):
            with open(os.path.join(directory, entry), "rb") as file:
                # Which process left a core file may be in its name.
                files["core" if entry.startswith("core") else entry] = b"" if entry.startswith("core") else file.read()
        return Outcome(started.events, started.output, files, settings, started.usage, started.core)

    def check(self, number, case):
        report = self.path(f"report-{number}")
        bare = self.run_case(case, f"bare-{number}", [])
        ours = self.run_case(case, f"ours-{number}", ["roast-run", "-q", "-e", f"json:{report}", "--"])
        if not os.path.exists(report) and case.setup is not None and alarm[0] < 100:
            # The alarm came before roast-run had started the program.
            alarm[0] *= 5
            return self.check(f"{number}-{alarm[0]}", case)
        self.assertNotIn(b"SyntaxError", bare.output)
        self.assertEqual(ours._replace(usage=0, core=0), bare._replace(usage=0, core=0))
        self.assertFalse(ours.core, "roast-run left a core file")
        with open(report) as file:
            metrics = json.load(file)["metrics"]
        status = metrics["exit_status"]["value"]
        kind, code = bare.events[-1]
        self.assertEqual(status, code if kind == "exited" else 128 + code)
        if case.waited:
            self.assertGreaterEqual(ours.usage, metrics["process_cpu_time_seconds"]["value"])

    def test_all(self):
        self.assertGreaterEqual(len(CASES), 25)
        chosen = os.environ.get("ROAST_TEST_EXIT", "")
        for number, case in enumerate(CASES):
            if chosen in case.name:
                with self.subTest(case.name):
                    self.check(number, case)


if __name__ == "__main__":
    guard(lambda: unittest.main(verbosity=2))
