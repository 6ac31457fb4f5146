#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-run changes nothing for who started it: it ends as the program ended, when the program ended, and leaves nothing behind."""

import contextlib
import fcntl
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from leftovers import descendants, guard, name_of
from running import InDirectory, alive, kill, roast_run, wait_until


class TestEnd(InDirectory):
    def test_signals(self):
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGABRT, signal.SIGKILL, signal.SIGSEGV, signal.SIGPIPE, signal.SIGTERM,
                       signal.SIGUSR1, signal.SIGXFSZ, signal.SIGRTMIN + 3):
            script = f"import os, signal; signal.signal({number}, signal.SIG_DFL); os.kill(os.getpid(), {number})"
            script = script if number != signal.SIGKILL else "import os; os.kill(os.getpid(), 9)"
            result = roast_run("-q", "--", sys.executable, "-c", script)
            self.assertEqual(result.returncode, -number, result.stderr)

    def cores(self, *command):
        """Status, whether it left a core file, and the number of core files."""
        directory = self.path("cores-" + command[0])
        os.mkdir(directory)
        process = subprocess.Popen(command, cwd=directory, stdin=subprocess.DEVNULL, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)))
        _, status = os.waitpid(process.pid, 0)
        process.returncode = 0
        return os.WTERMSIG(status), os.WCOREDUMP(status), len(os.listdir(directory))

    @unittest.skipIf(resource.getrlimit(resource.RLIMIT_CORE)[1] != resource.RLIM_INFINITY, "core files are not allowed")
    def test_no_core_file_of_its_own(self):
        crash = ["sh", "-c", "kill -SEGV $$"]
        bare = self.cores(*crash)
        ours = self.cores("roast-run", "-q", "--", *crash)
        self.assertEqual((ours[0], ours[1], ours[2]), (signal.SIGSEGV, False, bare[2]))

    def test_signal_before_the_program(self):
        """While nothing is launched, a signal ends roast-run, as it would end the program."""
        os.mkfifo(self.path("program"), 0o755)
        process = self.start("-q", "--", "sh", self.path("program"))
        wait_until(lambda: descendants(process.pid))
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(240), -signal.SIGTERM)

    def test_processor_time_is_inherited(self):
        """The parent's getrusage () includes the CPU time of the program and the supervisor."""
        script = "import os, time\nwhile time.process_time() < 0.05: pass\nprint(time.process_time())"
        for _ in range(10):
            out = self.path("time")
            process = os.posix_spawnp("roast-run", ["roast-run", "-q", "--", sys.executable, "-c", script], os.environ,
                                      file_actions=[(os.POSIX_SPAWN_OPEN, 1, out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)])
            _, status, usage = os.wait4(process, 0)
            self.assertEqual(status, 0)
            self.assertEqual(descendants(os.getpid()), [], "a process of roast-run was left")
            self.assertGreaterEqual(usage.ru_utime + usage.ru_stime, float(self.read("time")))

    def test_what_the_program_leaves_behind(self):
        result = roast_run("--", "sh", "-c", f"sleep 100 >/dev/null 2>&1 & echo $! > {self.path('pid')}")
        pid = int(self.read("pid"))
        self.addCleanup(kill, pid)
        self.assertTrue(alive(pid))
        text = " ".join(result.stderr.split())
        self.assertIn(f"1 process that the program left behind still ran when the measurement ended: sleep ({pid})", text)


class TestReport(InDirectory):
    """What goes wrong while the report is written does not change the status."""

    def test_reader_of_the_report_has_gone(self):
        for arguments, stream in ((["-e", "json:-"], "stdout"), ([], "stderr")):
            read, write = os.pipe()
            os.close(read)
            streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, stream: write}
            result = subprocess.run(["roast-run", *arguments, "--", "sh", "-c", "exit 9"], stdin=subprocess.DEVNULL, text=True,
                                    timeout=240, **streams)
            os.close(write)
            self.assertEqual(result.returncode, 9)
            if stream == "stdout":
                self.assertIn("cannot write standard output: Broken pipe", result.stderr)

    def test_limit_of_file_size(self):
        result = subprocess.run(["sh", "-c", f"ulimit -f 1; exec roast-run -e json:{self.path('r.json')} -- sh -c 'exit 9'"],
                                capture_output=True, text=True, timeout=240)
        self.assertEqual(result.returncode, 9)
        self.assertIn("File too large", result.stderr)
        self.assertEqual(os.listdir(self.directory), [])

    def test_fifo_without_a_reader(self):
        os.mkfifo(self.path("fifo"))
        result = roast_run("-e", "json:" + self.path("fifo"), "--", "sh", "-c", "echo ran; exit 9")
        self.assertEqual((result.returncode, result.stdout), (9, "ran\n"))
        self.assertIn("No process reads this pipe", result.stderr)

    def test_fifo_whose_reader_comes_later(self):
        os.mkfifo(self.path("fifo"))
        process = self.start("-e", "json:" + self.path("fifo"), "--", "sh", "-c",
                             f"echo x > {self.path('started')}; until [ -e {self.path('end')} ]; do sleep 0.05; done; exit 9")
        self.wait_for_file("started")
        with os.fdopen(os.open(self.path("fifo"), os.O_RDONLY | os.O_NONBLOCK)) as fifo:
            os.set_blocking(fifo.fileno(), True)
            open(self.path("end"), "w").close()
            # Without a writer it has ended, to a reader: roast-run opens it when the report is ready.
            text = []
            wait_until(lambda: text.append(fifo.read()) or text[-1])
        self.assertEqual(json.loads(text[-1])["metrics"]["exit_status"]["value"], 9)
        self.assertEqual(process.wait(240), 9)


class TestStopped(InDirectory):
    """Who waits for roast-run sees that the program was stopped and continued, as without roast-run."""

    def observe(self, command):
        """A parent without a terminal, while the program alone is stopped, continued, stopped, and killed."""
        pid = os.posix_spawnp(command[0], command, os.environ, setsid=True)
        self.addCleanup(kill, pid)
        program = int(self.wait_for_file("pid"))
        self.addCleanup(kill, program)
        self.wait_for_file("begun")
        seen = []
        for number in (signal.SIGSTOP, signal.SIGCONT, signal.SIGSTOP, signal.SIGKILL):
            os.kill(program, number)
            seen.append(os.waitpid(pid, os.WUNTRACED | os.WCONTINUED)[1])
            if os.WIFSTOPPED(seen[-1]):
                wait_until(lambda: self.state(program) == "T")
            elif os.WIFCONTINUED(seen[-1]) and number == signal.SIGKILL:
                seen[-1] = os.waitpid(pid, 0)[1]  # to end, roast-run has to go on
        os.unlink(self.path("pid"))
        os.unlink(self.path("begun"))
        return seen

    def state(self, pid):
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]

    def test_program_alone(self):
        script = ["sh", "-c", f"echo $$ > {self.path('pid')}; sleep 0.3; echo > {self.path('begun')}; while :; do sleep 0.05; done"]
        self.assertEqual(self.observe(["roast-run", "-q", "--", *script]), self.observe(script))

    def converse(self, command):
        """A shell on a terminal sees its job stop and go on."""
        pid, terminal = os.forkpty()
        if pid == 0:
            os.chdir(self.directory)
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], dict(os.environ, PS1="", TERM="dumb", HISTFILE=""))
        self.addCleanup(os.close, terminal)
        self.addCleanup(kill, pid)
        output = b""

        def read_until(words):
            nonlocal output
            end = time.monotonic() + 240
            while words not in output:
                self.assertLess(time.monotonic(), end, output)
                if select.select([terminal], [], [], 0.1)[0]:
                    output += os.read(terminal, 4096)
            output = output[output.index(words) + len(words):]

        os.write(terminal, b"stty -echo\n" + command.encode() + b"\n")
        read_until(b"begun")
        os.write(terminal, b"\x1a")
        read_until(b"Stopped")
        os.write(terminal, b"echo first $(jobs -s | wc -l)\nbg >/dev/null; echo second $(jobs -r | wc -l)\n")
        read_until(b"first 1")
        read_until(b"second 1")
        os.write(terminal, b"kill -STOP $(cat pid)\n")
        wait_until(lambda: self.state(int(self.read("pid"))) == "T")
        # The shell learns of it at its own time.
        os.write(terminal, b"until [ $(jobs -s | wc -l) = 1 ]; do sleep 0.05; done; echo third\n")
        read_until(b"third")
        os.write(terminal, b"kill -CONT $(cat pid); until [ $(jobs -r | wc -l) = 1 ]; do sleep 0.05; done; echo fourth; fg\n")
        read_until(b"fourth")
        job = os.getpgid(int(self.read("pid")))
        wait_until(lambda: os.tcgetpgrp(terminal) == job)
        os.write(terminal, b"\x03")
        os.write(terminal, b"echo status $?\n")
        read_until(b"status 130")
        os.write(terminal, b"exit\n")
        os.waitpid(pid, 0)

    def test_shell(self):
        # A shell that waits for a command may survive a SIGINT that comes just when the command ends.
        script = "bash -c 'echo $$ > pid; echo be''gun; exec sleep 600'"
        self.converse(script)
        self.converse("roast-run -q -- " + script)


class TestDescriptors(InDirectory):
    """What the program closes is closed: who is at the other end sees it while the program goes on."""

    @contextlib.contextmanager
    def check(self, script, has_seen, arguments=("-q", "-e", "json:r.json"), **options):
        """The program goes on until that is seen."""
        process = subprocess.Popen(["roast-run", *arguments, "--", "sh", "-c", script + "; until [ -e end ]; do sleep 0.05; done; exit 5"],
                                   cwd=self.directory, **{"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **options})
        self.addCleanup(process.kill)
        try:
            yield
            wait_until(has_seen)
        finally:
            open(self.path("end"), "w").close()
        self.assertEqual(process.wait(240), 5)

    def make_pipe(self):
        read, write = os.pipe()
        self.addCleanup(os.close, read)
        os.set_blocking(read, False)
        return read, write

    def has_ended(self, fd):
        try:
            return os.read(fd, 100) == b""
        except BlockingIOError:
            return False

    def test_standard_output(self):
        read, write = self.make_pipe()
        with self.check("exec >&-", lambda: self.has_ended(read), stdout=write):
            os.close(write)

    def test_standard_input(self):
        read, write = os.pipe()
        self.addCleanup(os.close, write)
        poll = select.poll()
        poll.register(write, 0)
        with self.check("exec <&-", lambda: any(events & select.POLLERR for _, events in poll.poll(0)), stdin=read):
            os.close(read)

    def test_other(self):
        read, write = self.make_pipe()
        with self.check(f"exec {write}>&-", lambda: self.has_ended(read), pass_fds=[write]):
            os.close(write)

    def test_lock(self):
        fd = os.open(self.path("lock"), os.O_CREAT | os.O_RDWR)
        fcntl.flock(fd, fcntl.LOCK_EX)
        other = os.open(self.path("lock"), os.O_RDWR)
        self.addCleanup(os.close, other)

        def is_free():
            try:
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

        with self.check(f"exec {fd}>&-", is_free, pass_fds=[fd]):
            os.close(fd)

    def test_reports_to_descriptors(self):
        """They are written all the same, also by roast-report when the session was killed."""
        for killed in (False, True):
            for target in ("-", "/dev/stdout", "/dev/fd/9"):
                with self.subTest(target=target, killed=killed), open(self.path("out"), "w") as out:
                    script = "kill -9 $(cut -d' ' -f4 /proc/$PPID/stat); exit 5" if killed else "exit 5"
                    result = subprocess.run(
                        ["sh", "-c", 'exec "$0" "$@" 9>&1' + (" >/dev/null" if "9" in target else ""), "roast-run", "-q", "-e",
                         "json:" + target, "--",
                         "sh", "-c", script], stdout=out, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=240)
                    self.assertEqual(result.returncode, 5)
                    self.assertIn("metrics", json.loads(self.read("out")), result.stderr)


class TestInterrupted(InDirectory):
    """The second request to end is obeyed at once when there is no program, and nothing is left behind."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("run"), 0o700)
        self.environment = dict(os.environ, XDG_RUNTIME_DIR=self.path("run"))

    def test_during_the_report(self):
        os.mkfifo(self.path("fifo"))
        # More than a pipe holds: the report waits for its reader, which never reads.
        with os.fdopen(os.open(self.path("fifo"), os.O_RDONLY | os.O_NONBLOCK)):
            process = self.start("-t", "long=" + 100000 * "x", "-e", "json:" + self.path("fifo"), "-e", "json:" + self.path("r.json"), "--",
                                 "sh", "-c", f"trap : TERM; echo > {self.path('ran')}; kill -USR1 $$", env=self.environment)
            wait_until(lambda: "pipe_write" in self.wchan(process.pid) or self.is_full("fifo"))
            process.send_signal(signal.SIGTERM)
            time.sleep(0.3)  # the first one must not end it, and two that come at once are one: there is nothing to wait for
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(240), -signal.SIGUSR1)
            self.assertIn("interrupted", process.stderr.read())
        self.assertEqual(sorted(os.listdir(self.directory)), ["fifo", "ran", "run"])
        self.assertEqual(os.listdir(self.path("run")), [])

    def wchan(self, pid):
        try:
            with open(f"/proc/{pid}/wchan") as file:
                return file.read()
        except OSError:
            return ""

    def is_full(self, name):
        with os.fdopen(os.open(self.path(name), os.O_WRONLY | os.O_NONBLOCK), "wb", 0) as fifo:
            return not select.select([], [fifo], [], 0)[1]

    def test_attached(self):
        target = subprocess.Popen(["sleep", "100"])
        self.addCleanup(target.wait)
        self.addCleanup(target.kill)
        os.mkfifo(self.path("fifo"))
        with os.fdopen(os.open(self.path("fifo"), os.O_RDONLY | os.O_NONBLOCK)):
            process = self.start("-t", "long=" + 100000 * "x", "-e", "json:" + self.path("fifo"), f"--attach={target.pid}")
            # Then the session, which is there before it, has set up its signals.
            wait_until(lambda: [pid for pid, _ in descendants(process.pid) if "roast-supervisor" in name_of(pid)])
            process.send_signal(signal.SIGINT)
            wait_until(lambda: self.is_full("fifo"))
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(240), -signal.SIGINT)
        self.assertIsNone(target.poll())

    def test_attached_and_signal_to_the_group(self):
        """As by timeout(1). The session gets the signal before the keeper's copy, which the kernel merges with it."""
        target = subprocess.Popen(["sleep", "100"])
        self.addCleanup(target.wait)
        self.addCleanup(target.kill)
        process = self.start("-e", "json:" + self.path("r.json"), f"--attach={target.pid}")
        wait_until(lambda: [pid for pid, _ in descendants(process.pid) if "roast-supervisor" in name_of(pid)])
        with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
            session, = map(int, file.read().split())
        os.kill(session, signal.SIGSTOP)
        wait_until(lambda: self.is_pending(session, signal.SIGTERM) or os.kill(session, signal.SIGTERM))
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: not self.is_pending(process.pid, signal.SIGTERM))
        time.sleep(0.1)
        os.kill(session, signal.SIGCONT)
        self.assertEqual(process.wait(240), 0)
        self.assertTrue(os.path.exists(self.path("r.json")))

    def is_pending(self, pid, signum):
        with open(f"/proc/{pid}/status") as file:
            return any(int(line.split()[1], 16) >> signum - 1 & 1 for line in file if line.startswith(("SigPnd:", "ShdPnd:")))


class TestLeftovers(InDirectory):
    """What a killed roast-run leaves is removed by the next one; what others use is not."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("run"), 0o700)
        self.environment = dict(os.environ, XDG_RUNTIME_DIR=self.path("run"))

    def begin(self, name):
        process = self.start("-q", "-e", "json:" + self.path("r.json"), "--", "sh", "-c",
                             f"echo $$ > {self.path(name)}; until [ -e {self.path('end')} ]; do sleep 0.05; done", env=self.environment)
        self.addCleanup(kill, int(self.wait_for_file(name)))
        return process

    def listed(self):
        return [name for name in os.listdir(self.directory) if name.startswith(".r.json")], os.listdir(self.path("run"))

    def test_only_those_of_killed_runs(self):
        killed = self.begin("first")
        left = self.listed()
        self.assertEqual((len(left[0]), len(left[1])), (1, 1))
        alive_run = self.begin("second")
        self.assertEqual((len(self.listed()[0]), len(self.listed()[1])), (2, 2))
        for pid in [pid for pid, _ in [(killed.pid, 0), *descendants(killed.pid)] if name_of(pid).startswith("roast-run ")]:
            kill(pid)
            wait_until(lambda pid=pid: not alive(pid))  # it holds its locks until then
        killed.wait()
        for name in ("roast-abcdef", "roast-abcdefg", "roast-abc"):
            os.mkdir(os.path.join(self.path("run"), name))
        with open(self.path(".r.json.swp"), "w"), open(self.path(".r.json.abcdef"), "w"):
            pass

        result = roast_run("-q", "-e", "json:" + self.path("other.json"), "--", "sleep", "0.2", env=self.environment)
        self.assertEqual(result.returncode, 0)
        files, sockets = self.listed()
        self.assertEqual(len(files), 3, files)
        self.assertFalse(set(left[0]) & set(files))
        self.assertEqual(len(sockets), 4, sockets)
        self.assertFalse(set(left[1]) & set(sockets))

        open(self.path("end"), "w").close()
        self.assertEqual(alive_run.wait(240), 0)
        self.assertEqual(sorted(self.listed()[0]), [".r.json.abcdef", ".r.json.swp"])
        self.assertEqual(sorted(self.listed()[1]), ["roast-abc", "roast-abcdef", "roast-abcdefg"])
        self.assertEqual(json.loads(self.read("r.json"))["metrics"]["exit_status"]["value"], 0)


if __name__ == "__main__":
    guard(lambda: unittest.main(verbosity=2))
