#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-top: on a terminal of its own beside a run that goes on, and without one."""

import contextlib
import fcntl
import json
import lzma
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unicodedata
import unittest

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
DEADLINE = 240
START = 1795256886000000
# Until the file "end" is there.
PROGRAM = "import os, time\nwhile not os.path.exists('end'): time.sleep(0.05)\nraise SystemExit(3)"
DASK_PYTHON = os.environ.get("ROAST_DASK_PYTHON", "/usr/bin/python3")
# One worker of two is stopped until the file "end" is there.
STOPPED = """
import os, signal, time
from dask.distributed import Client, LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        client.gather(client.map(time.sleep, [0.01] * 10, pure=False))
        pid = cluster.workers[0].pid
        os.kill(pid, signal.SIGSTOP)
        while not os.path.exists("end"):
            time.sleep(0.1)
        os.kill(pid, signal.SIGCONT)
"""
VIEWS = ("now", "workers", "tasks", "longest", "hosts", "processes", "events")


class Terminal:
    """Shows what a program writes: lines by the sequences that roast-top uses."""

    def __init__(self, command, width=100, height=30, **options):
        self.lines, self.raw = {}, b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(options["cwd"])
            os.execvpe(command[0], command, options["env"])
        self.resize(width, height)

    def resize(self, width, height):
        self.width = width
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def send(self, text):
        os.write(self.fd, text.encode())

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        self.raw += data
        # Each line is whole, since it ends by erasing the rest.
        for number, line in re.findall(r"\x1b\[(\d+);1H([^\n]*?)\x1b\[K", self.raw.decode(errors="replace")):
            self.lines[int(number)] = re.sub(r"\x1b\[[0-9;]*m", "", line)
        self.raw = self.raw[-200000:]
        return bool(data)

    def text(self):
        return "\n".join(self.lines[number] for number in sorted(self.lines))

    def expect(self, pattern):
        end = time.monotonic() + DEADLINE
        while not (match := re.search(pattern, self.text())):
            if time.monotonic() > end or not self.read(0.1):
                raise AssertionError(f"no {pattern} in {self.text()!r}, {self.raw[-300:]!r}")
        return match

    def wait(self):
        end = time.monotonic() + DEADLINE
        while self.read(1):
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


class TestTop(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        self.environment = os.environ | {"ROAST_RUNS": str(self.directory / "runs"), "TERM": "xterm", "LC_ALL": "C.UTF-8",
                                         "HISTFILE": "/dev/null"}
        self.environment.pop("NO_COLOR", None)
        self.options = {"cwd": self.directory, "env": self.environment}

    def call(self, *command, status=0, **options):
        result = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE, **self.options | options)
        self.assertEqual(result.returncode, status, f"{command}: {result.stderr}")
        return result

    @contextlib.contextmanager
    def running(self):
        """A run that goes on, until the file end is made."""
        process = subprocess.Popen(["roast-run", "-q", "-i", "0.1", "--", "python3", "-c", PROGRAM], **self.options)
        try:
            end = time.monotonic() + DEADLINE
            # Until its file has processes.
            count = ["roast-report", "query", "-f", "csv", "SELECT count (pid) FROM processes"]
            while subprocess.run(count, capture_output=True, text=True, check=False, **self.options).stdout.split()[-1:] in ([], ["0"]):
                self.assertLess(time.monotonic(), end)
                time.sleep(0.1)
            yield process
        finally:
            (self.directory / "end").touch()
            process.wait(DEADLINE)

    def test_views(self):
        """Of the logs of TaskVine: all views, in several sizes, without a terminal and with one."""
        shutil.copytree(DATA / "taskvine" / "run-coffea", self.directory / "logs")
        self.call("roast-run", "-q", "--save=mine", "-e", "json:/dev/null", "--attach=logs")
        expected = ("Outcome", "Per worker", "Per category", "Costliest", "all workers are gone", r"\n\n", "Events|Not available")
        for number, (name, pattern) in enumerate(zip(VIEWS, expected), 1):
            text = self.call("roast-top", f"-1w{number}", "mine").stdout
            self.assertRegex(text, r"^ended after .* · " + name + "\n")
            self.assertRegex(text, pattern)
            self.assertLessEqual(max(map(len, text.splitlines())), 80)
            self.assertNotIn("\x1b", text)
        # A value right after a short option; the options of a command are not roast-run's.
        self.assertIn("“--view=9” is invalid", self.call("roast-top", "-w9", "mine", status=1).stderr)
        self.assertEqual(self.call("roast-run", "-qi0.5", "echo", "-ejson:x").stdout, "-ejson:x\n")
        self.assertRegex(self.call("roast-top", "--once", "mine").stdout, r"\n\d+ tasks done .*\ncore time of all .*: tasks")
        plain = self.call("roast-top", "--once", "mine", env=self.environment | {"LC_ALL": "C"}).stdout
        self.assertRegex(plain, r"\Aended after .* \| now\n")
        self.assertLessEqual(max(map(len, plain.splitlines())), 80)
        for width, height in ((80, 24), (200, 60), (40, 10)):
            terminal = Terminal(["roast-top", "mine"], width, height, **self.options)
            for number, name in reversed(list(enumerate(VIEWS, 1))):
                terminal.send(str(number))
                terminal.expect(rf"ended after .* · {name}" if width >= 80 else rf"\[{number} {name}\]|ended after")
            self.assertLessEqual(max(map(len, terminal.lines.values())), width)
            self.assertLessEqual(max(terminal.lines), height)
            terminal.send("q")
            self.assertEqual(terminal.wait(), 0)

    def test_without_executor(self):
        """A program without an executor has processes, not workers and tasks."""
        self.call("roast-run", "-q", "--save=mine", "-e", "json:r.json", "--", "sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done")
        text = self.call("roast-top", "--once", "mine").stdout
        self.assertRegex(text, r"\n\d+ process(es)? at a time.*\ncore time of all .*: .*(computing|idle|ready)")
        self.assertNotRegex(text, "worker|task")
        self.assertIn("This run has nothing to show here.", self.call("roast-top", "--once", "--view=tasks", "mine").stdout)
        elapsed = json.loads((self.directory / "r.json").read_text())["metrics"]["elapsed_time_seconds"]["value"]
        self.assertRegex(text, r"^ended after ")
        self.assertLess(elapsed, DEADLINE)

    def test_run(self):
        """roast-run --top: on the terminal while the program runs, unless the program writes there."""
        (self.directory / "program.py").write_text(PROGRAM)
        (self.directory / "program.sh").write_text("roast-run -q --save=run --top -- python3 program.py > out 2> err\necho status $?\nstty -a\n")
        terminal = Terminal(["sh", "program.sh"], **self.options)
        terminal.expect("running for .* · now")
        terminal.send("2")
        terminal.expect("running for .* · workers")
        (self.directory / "end").touch()
        self.assertEqual(terminal.wait(), 0)
        rest = terminal.raw.decode().rpartition("\033[?1049l")[2]
        self.assertRegex(rest, r"status 3\r\n(.|\n)* icanon (.|\n)* echo ")
        self.assertEqual((self.directory / "err").read_text(), "")
        # Its own terminal, or none at all.
        terminal = Terminal(["roast-run", "-q", "--save=second", "--top", "--", "true"], **self.options)
        self.assertEqual(terminal.wait(), 0)
        self.assertRegex(terminal.raw.decode(), "the program uses the terminal; to see the run, use “roast-top .*second'?” in another terminal")
        self.assertNotIn("\033", terminal.raw.decode())
        # In the background it would be stopped.
        (self.directory / "program.sh").write_text("set -m\nroast-run -q --save=fourth --top -- true > out 2> err &\nwait $!\necho status $?\n")
        terminal = Terminal(["sh", "program.sh"], **self.options)
        self.assertEqual(terminal.wait(), 0)
        self.assertIn("status 0", terminal.raw.decode())
        self.assertIn("--top has no terminal", (self.directory / "err").read_text())
        result = self.call("setsid", "-w", "roast-run", "-q", "--save=third", "--top", "--", "true")
        self.assertIn("--top has no terminal", result.stderr)

    def test_live(self):
        with self.running():
            terminal = Terminal(["roast-top", "--interval=0.2"], **self.options)
            # The command has newlines.
            before = float(terminal.expect(r"running for ([\d.]+) s · now · python3 .* while not").group(1))
            end = time.monotonic() + DEADLINE
            while float(terminal.expect(r"running for ([\d.]+) s").group(1)) < before + 1:
                self.assertLess(time.monotonic(), end)
                terminal.read(0.1)
            terminal.send("6")
            # The process that runs, with the kernel's numbers of it.
            pid, memory = terminal.expect(r" · processes · (?s:.*)(?m:^ +(\d+) .* ([\d.]+) MiB .*  python3$)").groups()
            resident = re.search(r"VmRSS:\s+(\d+)", pathlib.Path("/proc", pid, "status").read_text()).group(1)
            self.assertLess(abs(int(resident) / 1024 - float(memory)), 1)
            terminal.resize(60, 12)
            terminal.expect(r"(?m)^ 1 now  2 workers .*…$")
            (self.directory / "end").touch()
            terminal.expect(r"ended after .*, exit 3")
            terminal.send("q")
            self.assertEqual(terminal.wait(), 0)
            # The terminal has its own screen and cursor again.
            self.assertTrue(terminal.raw.endswith(b"\x1b[?25h\x1b[?1049l"), terminal.raw[-100:])

    def test_filter(self):
        """Only the rows of one category, in capitals or not; then all again."""
        shutil.copytree(DATA / "taskvine" / "run-coffea", self.directory / "logs")
        self.call("roast-run", "-q", "--save=mine", "-e", "json:/dev/null", "--attach=logs")
        terminal = Terminal(["roast-top", "--view=3", "mine"], 100, 30, **self.options)
        terminal.expect(r"(?m)^accumulating (?s:.*)^processing ")
        terminal.send("/PROCX\x7fess")
        terminal.expect(r"(?m)^/PROCess   only lines")
        terminal.expect(r"(?m)\A.*\n.*\n.*\nprocessing .*\npreprocessing .*\nprocessing ")
        terminal.send("\r\x1b")
        terminal.expect(r"(?m)^accumulating (?s:.*)^processing ")
        terminal.send("q")
        self.assertEqual(terminal.wait(), 0)

    def make_run(self, name, length, *rows):
        """A run of an executor, from the rows of tables; returns its file."""
        lines = [{"roast-stream": 1, "version": "0.9.0"}, {"metadata": "started", "value": f"int64 {START}"},
                 {"metadata": "ended", "value": f"int64 {START + length * 1000000}"},
                 {"meta": "command", "value": "python \u65e5" + 90 * "\u672c"},
                 {"table": "sources", "columns": ["source", "backend"]}, ["sources", "dask-1", "dask"],
                 {"table": "workers", "columns": ["source", "worker", "host", "cores", "joined"]},
                 {"table": "tasks",
                  "columns": ["source", "task", "attempt", "category", "worker", "submitted", "started", "noticed", "ended", "status"]},
                 {"table": "cluster_samples",
                  "columns": ["source", "time", "tasks_waiting", "tasks_queued", "tasks_executing", "tasks_done", "tasks_failed"]}]
        (self.directory / "stream").write_text("".join(json.dumps(line) + "\n" for line in [*lines, *rows, {"end": True}]))
        self.call("roast-report", "import", f"--save={name}", "stream")
        return name

    def test_time_left(self):
        """Since the first task, not since the start; nothing that was not done for longer than that; results that were lost."""
        def task(i):
            times = [START + (100 + i) * 1000000 for i in (i, i + 1, i + 1)]
            return ["tasks", "dask-1", f"t{i}", 1, "c", "w", START + 100000000, *times, "done"]

        worker = ["workers", "dask-1", "w", "h", 1, START]
        stuck = ["tasks", "dask-1", "stuck", 1, "s", "w", START + 100000000, START + 180000000, None, None, "running"]
        run = self.make_run("stuck.roast", 250, worker, *map(task, range(80)), stuck)
        for at, left in ((150, r"50 tasks done · 31 left · about 25\.8 s to 34\.2 s left for 30 of"),
                         (230, r"80 tasks done · 1 left · no task done for \d\d\.\d s")):
            self.assertRegex(self.call("roast-top", "--once", f"--at={at}", run).stdout, rf"\n{left}")
        # Each category; an attempt that has not begun is none.
        text = self.call("roast-top", "--once", "--view=3", "--at=150", run).stdout
        self.assertRegex(text, r"(?m)^c +50 +0 +1 +29 +1\.00 Hz  25\.8 s to 34\.2 s$")
        self.assertRegex(text, r"(?m)^s +0 +0 +0 +1 +0 Hz +none done yet$")
        self.assertRegex(text, r"Per category\n.*\nc +analysis +51 ")
        # What is at a worker while the run goes on, and what had not been given to the worker where it ran later.
        text = self.call("roast-top", "--once", "--at=150", run).stdout
        self.assertRegex(text, r"Outcome: still running; tasks: 81 submitted, 50 done, [^•]* 1 at workers, 30 waiting\n")
        samples = [["cluster_samples", "dask-1", START + time * 1000000, 0, n, 1, done, 0] for time, n, done in ((130, 50, 30), (140, 54, 40))]
        run = self.make_run("lost.roast", 250, worker, *map(task, range(80)), stuck, *samples)
        self.assertRegex(self.call("roast-top", "--once", "--at=140.5", run).stdout, r"\n40 tasks done · 55 left, 14 of them again · about ")
        self.assertRegex(self.call("roast-top", "--once", "--at=130.5", run).stdout, r"\n30 tasks done · 51 left · about ")

    def test_no_time_left(self):
        """Tasks that cannot run as things are have no time left, but a reason."""
        worker = ["workers", "dask-1", "w", "h", 1, START]
        done = [["tasks", "dask-1", f"t{i}", 1, "c", "w", START, *(START + (i + j) * 1000000 for j in (0, 1, 1)), "done"] for i in range(40)]
        waiting = ["tasks", "dask-1", "big", 1, "c", None, START, None, None, None, "waiting"]
        asks = {"table": "tasks", "columns": ["source", "task", "attempt", "category", "submitted", "status", "cores_requested"]}
        lost = {"table": "workers", "columns": ["source", "worker", "host", "cores", "joined", "left", "cause"]}
        event = {"table": "events", "columns": ["source", "time", "severity", "kind", "message"]}
        said = ["events", "dask-1", START + 5000000, "warning", "no-worker", "tasks ask for 1 of GPU"]
        big = ["tasks", "dask-1", "big", 1, "c", START, "waiting", 4]
        for name, rows, at, left in (
                ("fits", [worker, *done, asks, big], 20, "21 left.* unknown: 1 task fits no worker"),
                ("lost", [lost, ["workers", "dask-1", "w", "h", 1, START, START + 15000000, "lost"], *done, waiting], 20,
                 ".* unknown: no worker is left"),
                ("says", [worker, *done, waiting, event, said], 20, "21 left · time left unknown: tasks ask for what no worker has"),
                ("says", [], 4, "37 left · about 1[0-9].* to 5[0-9].* s left for the tasks known"),
                ("first", [worker, ["tasks", "dask-1", "t", 1, "c", "w", START, START, None, None, "running"]], 20, "1 left · no task done for 20")):
            run = self.make_run(f"{name}.roast", 50, *rows) if rows else f"{name}.roast"
            line = self.call("roast-top", "--once", f"--at={at}", run, env=self.environment | {"COLUMNS": "200"}).stdout.split("\n")[1]
            self.assertRegex(line, left)

    def test_open(self):
        """Enter opens the selected line of any view, Escape and Enter go back to it."""
        rows = [["workers", "dask-1", f"tcp://node{i}:40", f"node{i}", 1, START] for i in range(40)]
        rows += [["tasks", "dask-1", f"name-of-a-task-that-differs-at-the-end-{i}", 1, "second" if i % 2 else "first", f"tcp://node{i}:40", START,
                  START, None, None, "running"] for i in range(40)]
        rows += [{"table": "events", "columns": ["source", "time", "severity", "kind", "message"]},
                 ["events", "dask-1", START, "warning", "odd", "words " * 30]]
        rows += [{"table": "processes", "columns": ["source", "process", "pid", "command", "started"]},
                 ["processes", "local-1", 1, 4711, "python3", START]]
        run = self.make_run("open.roast", 20, *rows)
        terminal = Terminal(["roast-top", "--at=10", run], 80, 24, **self.options)
        terminal.expect("now")
        for view, keys, selected, opened in (
                ("3", "jj", r"first +0", r"Per category\n  prefix +first\n(?s:.*)  tasks +20"),
                ("4", "\x1b[B\x1b[Bj", r"10\.0 s .*", r"Tasks\n(?s:.*)  prefix +(first|second)"),
                ("5", "jjkj", r"node\d", r"(?m)^  host +node\d+$"),
                ("2", "\rjjjjj", r"tcp:.*node.*", r"(?m)^  host +node\d+$"),
                ("7", "jjj", r"dask-1 .* odd", r"(?m)^  severity +warning$")):
            terminal.send(view)
            terminal.expect(rf" · {VIEWS[int(view) - 1]} ")
            for key in re.findall(r"\x1b\[.|.", keys, re.DOTALL):
                terminal.send(key)
                time.sleep(0.1)
            end = time.monotonic() + DEADLINE
            while not re.search(rf"\x1b\[7m *{selected}", terminal.raw.decode(errors="replace").rpartition("· " + VIEWS[int(view) - 1])[2]):
                self.assertLess(time.monotonic(), end, terminal.text())
                terminal.read(0.1)
            terminal.send("\r")
            terminal.expect(" · details ")
            terminal.expect(opened)
            terminal.send("\r" if view == "3" else "\x1b")
            terminal.expect(rf" · {VIEWS[int(view) - 1]} ")
        terminal.send("q")
        self.assertEqual(terminal.wait(), 0)

    def test_hostile_names(self):
        """Names of the run neither control the terminal nor break lines, and wide characters take two columns."""
        names = ["\u65e5\u672c\u8a9e" * 9, "e\u0301" * 30, "\x1b[2J\x07\x9bm", "a\nb\tc\u202e", ""]
        rows = [["workers", "dask-1", f"w{i}{names[i % 5]}", names[i % 5], 1, START] for i in range(400)]
        rows += [["tasks", "dask-1", f"t{i}{names[i % 5]}", 1, names[i % 5], f"w{i}{names[i % 5]}", START, START, START + i, START + i, "done"]
                 for i in range(400)]
        run = self.make_run("hostile.roast", 20, *rows)
        for view in range(1, 8):
            for line in self.call("roast-top", "--once", f"--view={view}", run).stdout.splitlines():
                self.assertTrue(line.isprintable() or "\u202f" in line or "\u2026" in line, repr(line))
                width = sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
                self.assertLessEqual(width, 80, repr(line))
        self.assertRegex(self.call("roast-top", "--once", "--view=5", run).stdout, r"(?m)^(\u65e5\u672c\u8a9e)+\u2026 +80 ")
        # Each worker can be reached.
        terminal = Terminal(["roast-top", "--view=2", run], 80, 24, **self.options)
        terminal.expect("w0")
        for _ in range(50):
            terminal.send("\x1b[6~")
        terminal.expect("w399")
        terminal.send("q")
        self.assertEqual(terminal.wait(), 0)
        # A terminal that understands no control sequences gets lines.
        terminal = Terminal(["roast-top", run], **self.options | {"env": self.environment | {"TERM": "dumb"}})
        self.assertEqual(terminal.wait(), 0)
        self.assertNotIn(b"\x1b", terminal.raw)
        self.assertIn(b"ended after 20.0 s", terminal.raw)

    def test_executor_begins(self):
        """The core time of the processes is not subtracted from that of the executor, which begins later."""
        rows = [{"table": "sources", "columns": ["source", "worker_kind"]}, ["sources", "local-1", "process"],
                {"metadata": "tree-source", "value": "'local-1'"}, {"metadata": "tree-cores", "value": "2.0"},
                {"table": "cluster_samples", "columns": ["source", "time", "workers", "cores", "cpu"]},
                {"table": "worker_samples", "columns": ["source", "time", "worker", "cpu", "run_queue"]},
                ["workers", "local-1", "1", "h", 2, START], ["workers", "dask-1", "w", "h", 2, START + 10000000]]
        for i in range(20):
            rows += [["cluster_samples", "local-1", START + i * 1000000, 1, 2, i], ["worker_samples", "local-1", START + i * 1000000, "1", i, 0]]
        run = self.make_run("begins.roast", 20, *rows)
        terminal = Terminal(["roast-top", "--at=6", run], 120, 30, **self.options)
        terminal.expect(r"(?m)^core time of all 6.00 s: .*\bcomputing")
        terminal.send(">")
        terminal.expect(r"(?m)^core time of the last .*\bcomputing")
        terminal.send(">>>")
        terminal.expect(r"(?m)^core time of all .*: idle: no task ready")
        terminal.send("q")
        self.assertEqual(terminal.wait(), 0)

    def test_replay(self):
        """At each time, the tasks are done whose ends were known then, and the others are not."""
        run = self.directory / "taskvine.roast"
        run.write_bytes(lzma.decompress((DATA / "goldens" / "taskvine-run-coffea.roast.xz").read_bytes()))
        rows = json.loads(self.call("roast-report", "query", "-f", "json", str(run), "SELECT submitted, dispatched, noticed, status FROM tasks")
                          .stdout)
        started = json.loads(self.call("roast-report", "-e", "json:-", str(run)).stdout)["run"]["started"]
        self.assertTrue(all(row["status"] == "done" for row in rows))
        for at in (0.5, 5, 10, 12):
            moment = started + at * 1e6
            text = self.call("roast-top", "--once", f"--at={at}", str(run)).stdout
            submitted = sum(row["submitted"] <= moment for row in rows)
            done = sum(row["noticed"] <= moment for row in rows)
            self.assertRegex(text, r"^replay .* of 13\.1 s · now\n")
            given = sum(row["dispatched"] <= moment for row in rows)
            left = ", ".join(f"{n} {word}" for n, word in ((given - done, "at workers"), (submitted - given, "waiting")) if n)
            self.assertIn(f"tasks: {submitted} submitted, {done} done, 0 failed, 0 never ran, {left} ", " ".join(text.split()) + " ")
        # The end is the run itself; a later time too.
        whole = self.call("roast-top", "--once", str(run)).stdout
        self.assertEqual(self.call("roast-top", "--once", "--at=1000", str(run)).stdout, whole)

    def test_replay_keys(self):
        run = self.directory / "taskvine.roast"
        run.write_bytes(lzma.decompress((DATA / "goldens" / "taskvine-run-coffea.roast.xz").read_bytes()))
        terminal = Terminal(["roast-top", "--at=5", str(run)], 120, 30, **self.options)
        terminal.expect(r"^replay 5\.00 s of 13\.1 s, paused \(space plays\) · now")
        terminal.send("\x1b[C")
        terminal.expect(r"^replay 5\.1\d s of")
        terminal.send("\x1b[1;2D")
        terminal.expect(r"^replay 3\.8\d s of")
        terminal.send(">")
        terminal.expect(r"^replay 5\.1\d s of")
        terminal.send("2")
        terminal.expect(r"(?m)^B 1 busy$(?s:.*)^B$")
        terminal.send("\r")
        terminal.expect(r"Per worker")
        terminal.send("\x1b[H")
        terminal.expect(r"^replay 0 s of ")
        terminal.send("++ ")
        terminal.expect(r"^replay .* playing × 4")
        terminal.expect(r"^ended after 13\.1 s .left arrow steps back. · workers")
        terminal.send("\x1bOD")
        terminal.expect(r"^replay 12\.9 s of 13\.1 s, paused")
        terminal.send("\x1b[4~")
        terminal.expect(r"^ended after")
        terminal.send("?")
        terminal.expect(r"(?m)^PgUp, PgDn ")
        terminal.send("?5")
        terminal.expect(r"(?m)^all workers are gone")
        terminal.send("q")
        self.assertEqual(terminal.wait(), 0)

    def test_earlier(self):
        """The time left is that of the last run of the command, and stretched: here all takes twice as long as then."""
        paths = {}
        for name, command, day, seconds, done in (("then", "python a.py", 0, 1, 80), ("other", "python b.py", 1, 5, 80),
                                                  ("now", "python a.py", 2, 2, 80), ("hangs", "python a.py", 3, 5, 20)):
            start = 1795256886000000 + day * 86400 * 1000000
            end = start + 100 * seconds * 1000000
            lines = [{"roast-stream": 1, "version": "0.9.0"}, {"meta": "run-id", "value": f"{day}0000000-0000-4000-8000-000000000000"},
                     {"meta": "command", "value": command}, {"metadata": "command", "value": str(command.split())},
                     {"meta": "status", "value": "exit 0"}, {"meta": "host", "value": "h"}, {"metadata": "host", "value": "'h'"},
                     {"meta": "started", "value": str(start)},
                     {"meta": "ended", "value": str(end)}, {"metadata": "started", "value": f"int64 {start}"},
                     {"metadata": "ended", "value": f"int64 {end}"}]
            lines += [{"table": "sources", "columns": ["source", "backend"]}, ["sources", "dask-1", "dask"]]
            lines += [{"table": "workers", "columns": ["source", "worker", "cores", "joined"]}, ["workers", "dask-1", "w", 1, start]]
            columns = ["source", "task", "attempt", "category", "submitted", "started", "noticed", "ended", "status"]
            lines += [{"table": "tasks", "columns": columns}]
            times = [start + i * seconds * 1000000 for i in range(81)]
            lines += [["tasks", "dask-1", f"t{i}", 1, "c", start, times[i], times[i + 1], times[i + 1], "done"] for i in range(done)]
            lines += [["tasks", "dask-1", f"t{i}", 1, "c", start, None, None, None, "waiting"] for i in range(done, 80)]
            (self.directory / "stream").write_text("".join(json.dumps(line) + "\n" for line in [*lines, {"end": True}]))
            paths[name] = self.call("roast-report", "import", "stream").stdout.strip()
        text = self.call("roast-top", "--once", "--at=100", paths["now"]).stdout
        self.assertRegex(text, r"\n50 tasks done · 30 left · about 50\.0 s to 1 min 40 s left, as in the run of 202")
        text = self.call("roast-top", "--once", "--at=250", paths["other"]).stdout
        self.assertRegex(text, r"\n50 tasks done · 30 left(?!.*as in the run of)")
        # A run that hangs does not go on like the earlier run.
        text = self.call("roast-top", "--once", "--at=110", paths["hangs"]).stdout
        self.assertRegex(text, r"\n20 tasks done · 60 left · about .* left, as in the run of")
        text = self.call("roast-top", "--once", "--at=300", paths["hangs"]).stdout
        self.assertRegex(text, r"\n20 tasks done · 60 left · no task done for 3 min")

    def test_workers(self):
        """1,000 workers fit a screen of 80 x 24, one letter each; hosts add up the same states."""
        start, gib = 1795256886000000, 1 << 30
        lines = [{"roast-stream": 1, "version": "0.9.0"}, {"metadata": "started", "value": f"int64 {start}"},
                 {"metadata": "ended", "value": f"int64 {start + 20000000}"}]
        lines += [{"table": "sources", "columns": ["source", "backend"]}, ["sources", "dask-1", "dask"]]
        lines += [{"table": "workers", "columns": ["source", "worker", "host", "cores", "memory_limit", "joined", "left", "cause"]}]
        lines += [["workers", "dask-1", f"w{i}", "a" if i < 600 else "b", 2, gib, start, *((start + 5000000, "lost") if i < 5 else (None, None))]
                  for i in range(1000)]
        lines += [{"table": "worker_samples", "columns": ["source", "time", "worker", "memory", "active_tasks", "executing_tasks", "last_seen"]}]
        states = [(0.1, 2, 2)] * 5 + [(0.1, 1, 0)] + [(0.1, 0, 0)] * 3 + [(0.9, 2, 2)]
        lines += [["worker_samples", "dask-1", start + 1000000, f"w{i}", int(states[i % 10][0] * gib), *states[i % 10][1:],
                   start + 1000000 if i == 999 else None] for i in range(1000)]
        (self.directory / "stream").write_text("".join(json.dumps(line) + "\n" for line in [*lines, {"end": True}]))
        self.call("roast-report", "import", "--save=grid.roast", "stream")
        for at, expected in (3, {"B": 500, "W": 100, ".": 300, "M": 100}), (10, {"L": 5, "B": 495, "W": 100, ".": 300, "M": 100}):
            text = self.call("roast-top", "--once", "--view=2", f"--at={at}", "grid.roast").stdout
            legend, _, cells = text.partition("Enter lists the workers.")
            self.assertEqual({letter: cells.count(letter) for letter in set(cells) - {"\n"}}, expected)
            for letter, count in expected.items():
                self.assertRegex(legend, rf"(?m)(^|   ){re.escape(letter)} {count} ")
            self.assertLess(len(text.splitlines()), 24)
        # The scheduler has not heard from this worker; with 1,000 workers, this counts after 25 s.
        (self.directory / "stream").write_text((self.directory / "stream").read_text().replace(str(start + 20000000), str(start + 40000000)))
        self.call("roast-report", "import", "--save=silent.roast", "stream")
        for at, expected in (25, 0), (27, 1):
            text = self.call("roast-top", "--once", "--view=2", f"--at={at}", "silent.roast").stdout
            self.assertEqual("S 1 silent (no report for up to 26 s)" in text, bool(expected), text)
        colored = self.call("roast-top", "--once", "--view=2", "--at=10", "--color=always", "grid.roast").stdout
        self.assertIn("\x1b[1;31mLLLLL\x1b[m", colored)
        hosts = self.call("roast-top", "--once", "--view=5", "--at=10", "grid.roast").stdout
        self.assertRegex(hosts, r"(?m)^a +595 +1\u202f190 +295 +60 +180 +60 +5 ")
        self.assertRegex(hosts, r"(?m)^b +400 +800 +200 +40 +120 +40 +0 ")

    def test_silent(self):
        """A worker of Dask that is stopped is silent, and the other is not."""
        (self.directory / "program.py").write_text(STOPPED)
        process = subprocess.Popen(["roast-run", "-q", "--save=stopped", "--", DASK_PYTHON, "program.py"], **self.options)
        try:
            end = time.monotonic() + DEADLINE
            text = ""
            while "S 1 silent" not in text:
                self.assertLess(time.monotonic(), end, text)
                time.sleep(0.5)
                text = subprocess.run(["roast-top", "--once", "--view=2", "stopped"], capture_output=True, text=True, check=False,
                                      **self.options).stdout
            self.assertRegex(text, r"(?m)^\. 1 idle   S 1 silent \(no report for up to \d+ s\)$")
        finally:
            (self.directory / "end").touch()
            process.wait(DEADLINE)

    def expect_raw(self, terminal, *parts):
        end = time.monotonic() + DEADLINE
        while not all(part in terminal.raw for part in parts):
            self.assertLess(time.monotonic(), end, terminal.raw[-500:])
            terminal.read(0.1)
        terminal.raw, terminal.lines = b"", {}

    def test_suspended(self):
        """Ctrl-Z gives the terminal back to the shell, whose fg brings the screen again."""
        with self.running():
            terminal = Terminal(["bash", "--norc", "-i"], **self.options)
            terminal.send("roast-top\n")
            terminal.expect("running for")
            terminal.send("\x1a")
            self.expect_raw(terminal, b"\x1b[?25h\x1b[?1049l", b"Stopped")
            terminal.send("fg\n")
            terminal.expect("running for")
            terminal.send("q")
            self.expect_raw(terminal, b"\x1b[?25h\x1b[?1049l")
            terminal.send("exit\n")
            self.assertEqual(terminal.wait(), 0)

    def test_lines(self):
        """Without a terminal, to the end, and by the id of a process."""
        with self.running():
            rows = json.loads(self.call("roast-report", "query", "-f", "json", "SELECT pid FROM processes WHERE pid > 0").stdout)
            for row in rows:
                self.assertRegex(self.call("roast-top", "--once", str(row["pid"])).stdout, "^running for ")
            top = subprocess.Popen(["roast-top", "--interval=0.2", "--exit-when=done"], stdout=subprocess.PIPE, text=True, **self.options)
            self.assertRegex(top.stdout.readline(), "^running for ")
            (self.directory / "end").touch()
            rest = top.stdout.read().splitlines()
            top.stdout.close()
            self.assertEqual(top.wait(DEADLINE), 0)
            self.assertRegex(rest[-1], "^ended after .*, exit 3")
        # There is nothing more to wait for.
        self.call("roast-top", "--exit-when=failed", status=1)
        self.assertRegex(self.call("roast-top").stdout, "^ended after .*, exit 3[^\n]*\n$")

    def test_stopped(self):
        """No data arrive while the session is stopped. If the user quits first, the run is not done."""
        with self.running() as process:
            children = [int(pid) for pid in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
            terminal = Terminal(["roast-top", "--interval=0.2", "--exit-when=done"], **self.options)
            terminal.expect("running for")
            for pid in (process.pid, *children):
                os.kill(pid, signal.SIGSTOP)
            terminal.expect(r"running for [\d.]+ m?s \(no new data for \d+ s\) ")
            for pid in (process.pid, *children):
                os.kill(pid, signal.SIGCONT)
            terminal.expect(r"running for [\d.]+ m?s · ")
            terminal.send("q")
            self.assertEqual(terminal.wait(), 1)

    def test_killed(self):
        """The session is killed: another process writes on, and the screen stays up to date."""
        with self.running() as process:
            terminal = Terminal(["roast-top", "--interval=0.2"], **self.options)
            terminal.expect("running for")
            process.send_signal(signal.SIGKILL)
            process.wait(DEADLINE)
            (self.directory / "end").touch()
            terminal.expect("ended after")
            terminal.send("q")
            self.assertEqual(terminal.wait(), 0)

    def test_file_goes_away(self):
        with self.running():
            terminal = Terminal(["roast-top", "--interval=0.2"], **self.options)
            terminal.expect("running for")
            for path in (self.directory / "runs").glob("*.roast*"):
                path.rename(self.directory / path.name)
            terminal.expect(r"(?m)^.*\.roast.*: No such file or directory|there is no")
            self.assertRegex(terminal.text(), "^running for")
            terminal.send("q")
            self.assertEqual(terminal.wait(), 0)

    def test_mistakes(self):
        for arguments in (["--view=8"], ["--view=task"], ["--at=-1"], ["--at=x"], ["--interval=0"], ["--exit-when=never"], ["a", "b"],
                          ["--once", "--exit-when=done"], ["--colour=red"]):
            self.assertRegex(self.call("roast-top", *arguments, status=1).stderr, "^roast-top: .*\nTry “roast-top --help”.\n$")
        self.assertRegex(self.call("roast-top", status=1).stderr, "^roast-top: there are no runs in ")
        (self.directory / "text").write_text("no run")
        self.assertRegex(self.call("roast-top", "text", status=1).stderr, "^roast-top: .*text")
        self.assertRegex(self.call("roast-top", "--help").stdout, "^Usage: roast-top")
        self.assertRegex(self.call("roast-top", "--version").stdout, "^roast-top 0")


if __name__ == "__main__":
    unittest.main()
