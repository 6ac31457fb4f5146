#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-run keeps each run in a file, unless --no-save is given or writing fails. If the session dies, there is still a report."""

import glob
import json
import os
import re
import resource
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from leftovers import guard, read_processes
from running import KEPT, InDirectory, alive, kill, wait_until

# More rows than the largest file of test_full holds, however fast they come.
AWAIT_LOG = r"""
import glob, os, sys, time
while not glob.glob(os.path.join(sys.argv[1], "*-wal")):
    time.sleep(0.01)
"""
MANY = r"""
import json, os, socket
connection = socket.socket(socket.AF_UNIX)
connection.connect(os.environ["ROAST_SOCKET"])
lines = [{"roast": 2, "token": os.environ["ROAST_TOKEN"]}, {"table": "chunks", "columns": ["dataset", "file", "events"]}]
lines += [["chunks", "many", os.urandom(40).hex(), 1] for _ in range(20000)]
connection.sendall(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
connection.close()
os._exit(3)
"""


class TestKept(InDirectory):
    def setUp(self):
        super().setUp()
        self.state = self.path("state")
        self.runs = os.path.join(self.state, "roast", "runs")
        self.environment = {name: value for name, value in os.environ.items() if name != "ROAST_RUNS"} | {
            "XDG_STATE_HOME": self.state, "XDG_CONFIG_HOME": self.path("config")}

    def run_(self, *arguments, status=0, tool="roast-run", stderr=subprocess.PIPE, more=None, **options):
        result = subprocess.run([tool, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, text=True, timeout=240,
                                env=self.environment | (more or {}), cwd=self.directory, check=False, **options)
        if status is not None:
            self.assertEqual(result.returncode, status, result.stderr)
        return result

    def report(self, *arguments, **options):
        return self.run_(*arguments, tool="roast-report", **options)

    def files(self):
        return [os.path.basename(path) for path in glob.glob(os.path.join(self.runs, "*"))]

    def list(self):
        return json.loads(self.report("list", "--format=json").stdout)

    def test_default(self):
        stderr = self.run_("-e", "table:first", "--", "sh", "-c", "exit 3", status=3).stderr
        self.assertRegex(stderr, "^" + KEPT.pattern[1:] + "$")
        name = re.search(r"roast-report (\S+)”", stderr)[1]
        self.assertEqual(self.files(), [name + ".roast"])
        self.assertEqual(os.stat(os.path.join(self.runs, name + ".roast")).st_mode & 0o777, 0o600)
        self.report("-e", "table:again", name)
        self.assertEqual(self.read("again"), self.read("first"))
        self.assertEqual([(run["status"], run["state"]) for run in self.list()], [("exit 3", "complete")])
        lines = self.run_("--", "true").stderr.splitlines()
        self.assertIn(", took ", "\n".join(lines))
        self.assertRegex(lines[-1] + "\n", KEPT)

    def test_duration(self):
        """It is that of the program, without the start of roast and the time for what the program leaves behind."""
        self.run_("-q", "-e", "json:report", "--", "true")
        elapsed = json.loads(self.read("report"))["metrics"]["elapsed_time_seconds"]["value"]
        self.assertEqual([float(run["duration"]) for run in self.list()], [elapsed])

    def test_attached(self):
        target = subprocess.Popen(["sleep", "100"])
        self.addCleanup(target.wait)
        self.addCleanup(target.kill)
        process = self.begin("--attach=%d" % target.pid, "-e", "table:table")
        self.wait_for_samples()
        target.kill()
        self.assertEqual(process.wait(240), 0)
        self.assertRegex(process.stderr.read(), "^" + KEPT.pattern[1:] + "$")
        self.report("-e", "table:again")
        self.assertEqual(self.read("again"), self.read("table"))

    def test_quiet(self):
        self.assertEqual(self.run_("-q", "--", "true").stderr, "")
        self.assertEqual(len(self.files()), 1)

    def test_reports_are_not_disturbed(self):
        """What reads a report reads nothing else, wherever it goes."""
        def both(*arguments):
            return self.run_(*arguments, "--", "true", stderr=subprocess.STDOUT).stdout

        for text in (self.run_("-e", "json:-", "--", "true").stdout, both("-e", "json:-"), both("-e", "json"), both("-e", "json:/dev/stderr"),
                     self.run_("-e", "json", "--", "true").stderr):
            self.assertIn("metrics", json.loads(text))
        with open(self.path("file"), "w") as file:
            self.run_("-e", "json:" + self.path("file"), "--", "true", stderr=file)
        self.assertIn("metrics", json.loads(self.read("file")))
        self.assertRegex(self.run_("-e", "json:-", "--", "true").stderr, "^" + KEPT.pattern[1:] + "$")
        self.assertEqual(len(self.files()), 7)

    def test_save(self):
        """What is asked for has no limit, and is an error if it cannot be."""
        stderr = self.run_("-e", "table:t", "--save=my run.roast", "--", "true").stderr
        path = os.path.realpath(self.path("my run.roast"))
        self.assertEqual(stderr, f"roast-run: this run is kept; “roast-report '{path}'” shows this run again\n")
        self.assertEqual(self.files(), [])
        self.run_("-q", "--save", "--", "true")
        self.assertEqual(len(self.files()), 1)
        # Batch jobs often have this locale. Names of files are bytes, whatever it is.
        name = b"\xff \xc3\xa4"
        locale = {"LC_ALL": "C"}
        self.run_("-q", b"--save=" + name, b"--export=json:" + name + b".json", "--tag=site=ä", "--", "true", more=locale)
        self.report(b"--export=json:" + name + b".again", "--remark=ä", name, more=locale)
        for suffix in b"", b".json", b".again":
            self.assertTrue(os.path.exists(os.path.join(os.fsencode(self.directory), name + suffix)), suffix)
        self.run_("--save", "--", "touch", "ran", status=125, more={"XDG_STATE_HOME": path})
        self.assertFalse(os.path.exists(self.path("ran")))

    def test_removed(self):
        """A file that is removed is not kept, and another one in its place stays."""
        for after, left in (":", False), ("echo other >mine", True):
            result = self.run_("-e", "table:t", "--save=mine", "--", "sh", "-c", f"sleep 0.6; rm mine*; {after}; exit 3", status=3)
            self.assertRegex(result.stderr, "^roast-run: this run is not kept: .*/mine was removed or replaced during the run\n$")
            self.assertEqual(os.path.exists(self.path("mine")), left)
        self.assertEqual(self.read("mine"), "other\n")
        self.run_("-e", "table:t", "--", "sh", "-c", f"sleep 0.6; rm -r {self.runs}; exit 3", status=3)
        # Before anything was written, too.
        self.run_("-q", "--save=early", "--", "sh", "-c", "rm early*; echo other >early; exit 3", status=3)
        self.assertEqual(self.read("early"), "other\n")

    def test_not_saved(self):
        """The file is there while the run goes on."""
        result = self.run_("--no-save", "-e", "table:t", "--", "sh", "-c", f"ls {self.runs}")
        self.assertRegex(result.stdout, r"(?m)^\S+\.roast$")
        self.assertEqual(result.stderr, "")
        # Without a report, the file only keeps the rows of a long run out of memory.
        self.assertEqual(self.run_("-q", "--no-save", "--", "sh", "-c", f"ls {self.runs}; true").stdout, "")
        # A long run that nothing reads has a file only if its rows need much memory.
        self.assertEqual(self.run_("-q", "--no-save", "--", "sh", "-c", f"sleep 1.5; ls {self.runs}").stdout, "")
        self.run_("--no-save", "--", "/no/such/program", status=127)
        self.assertEqual(os.listdir(self.runs), [".lock"])

    def unusable(self, message, *options, **more):
        for save, n in ((), 1), (("-q",), 0), (("--no-save",), 0):
            result = self.run_(*save, *options, "-e", "json:-", "--", "sh", "-c", "exit 3", status=3, **more)
            self.assertIn("metrics", json.loads(result.stdout))
            lines = result.stderr.splitlines()
            self.assertEqual(len(lines), n, result.stderr)
            if n > 0:
                self.assertRegex(lines[0], "^roast-run: this run is not kept: " + message)

    def test_no_directory(self):
        """The run goes on without a file."""
        self.unusable("there is no home directory /no/such/home. Set ROAST_RUNS to another directory$",
                      more={"HOME": "/no/such/home", "XDG_STATE_HOME": ""})
        open(self.path("file"), "w").close()
        below = self.path("file") + "/runs"
        self.unusable(f"cannot keep runs in {below}: Not a directory. Set ROAST_RUNS", more={"ROAST_RUNS": below})
        self.unusable("cannot keep runs in /proc/runs: .*. Set ROAST_RUNS", more={"ROAST_RUNS": "/proc/runs"})
        self.assertFalse(os.path.exists("/no/such/home"))
        self.assertEqual(self.files(), [])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_read_only(self):
        os.makedirs(self.runs)
        os.chmod(self.runs, 0o500)
        self.unusable("cannot lock .*: Permission denied. Set ROAST_RUNS")

    def test_full(self):
        """As if the disk were full: nothing, or not all, fits."""
        def limit(size):
            return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        self.unusable(r".*\.roast: File too large$", preexec_fn=limit(0))
        self.assertEqual(self.files(), [])
        said = []
        for size in range(100000, 400000, 50000):
            # Rows come after the first transaction, which creates the log. The last run may have left one.
            for log in glob.glob(os.path.join(self.runs, "*-wal")):
                os.unlink(log)
            result = self.run_("-e", "json:-", "--", sys.executable, "-c", AWAIT_LOG + MANY, self.runs, status=3, preexec_fn=limit(size))
            said.append(re.fullmatch(r"roast-run: this run is (not kept|kept, but incomplete|kept).*\n", result.stderr)[1])
            events = json.loads(result.stdout)["tables"].get("events", {"data": {"message": []}})["data"]["message"]
            failed = [text for text in events if text.startswith("the run file cannot grow: ")]
            if said[-1] == "kept, but incomplete":
                self.assertEqual(len(failed), 1, events)
                self.assertIn(", took ", self.report().stdout)
        self.assertEqual(said[0], "not kept")
        self.assertIn("kept, but incomplete", said)

    def begin(self, *arguments):
        process = subprocess.Popen(["roast-run", *arguments], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.directory,
                                   env=self.environment)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for_samples(self):
        """The file is there before its first byte."""
        wait_until(lambda: self.files() and "cluster_samples" in self.report("show", status=None).stdout)

    def kill_session(self, process):
        """When there is something in the file."""
        self.wait_for_samples()
        session, = (pid for pid, (parent, _) in read_processes().items() if parent == process.pid)
        kill(session)

    def program(self):
        return "--", "sh", "-c", f"until [ -e {self.path('end')} ]; do sleep 0.05; done; exit 7"

    def test_session_is_killed(self):
        for options, kept, reported in (((), True, True), (("-q",), True, False), (("--no-save",), False, True)):
            with self.subTest(options=options):
                exports = ("-e", "json:r.json") if reported else ()
                process = self.begin("-i", "0.05", *options, *exports, *self.program())
                self.kill_session(process)
                open(self.path("end"), "w").close()
                self.assertEqual(process.wait(240), 7)
                stderr = process.stderr.read()
                self.assertIn("was killed by signal 9", stderr)
                self.assertEqual("the report is made from the data that this process saved" in stderr, reported, stderr)
                self.assertEqual(len(KEPT.findall(stderr)), int(kept), stderr)
                self.assertEqual(len([name for name in self.files() if name.endswith(".roast")]), int(kept))
                if reported:
                    self.assertIn("metrics", json.loads(self.read("r.json")))
                    os.unlink(self.path("r.json"))
                if kept:
                    self.assertEqual(self.list()[0]["state"], "interrupted")
                    self.report("remove", "last")
                self.assertEqual(self.files(), [])
                if not kept:
                    self.assertEqual([name for name in os.listdir(self.runs) if name.endswith(".roast.lock")], [])
                os.unlink(self.path("end"))

    def test_all_are_killed_in_a_run_that_is_not_kept(self):
        process = self.begin("-i", "0.05", "--no-save", "-e", "json:r.json", *self.program())
        self.wait_for_samples()
        processes = read_processes()
        session, = (pid for pid, (parent, _) in processes.items() if parent == process.pid)
        supervisors = [pid for pid, (parent, _) in processes.items() if parent == session]
        programs = [pid for pid, (parent, _) in processes.items() if parent in supervisors]
        for victim in (process.pid, session, *supervisors):
            kill(victim)
        process.wait(240)
        open(self.path("end"), "w").close()
        wait_until(lambda: not any(map(alive, programs)))
        self.assertEqual(len([name for name in os.listdir(self.runs) if name.endswith(".roast")]), 1)
        self.run_("-q", "--", "true")
        self.assertEqual([run["state"] for run in self.list()], ["complete"])
        self.assertEqual(len([name for name in os.listdir(self.runs) if name != ".lock"]), 1)

    def test_supervisor_is_killed(self):
        """The file is complete, and what was measured is not."""
        process = self.begin("-i", "0.05", "--save", *self.program())
        self.wait_for_samples()
        processes = read_processes()
        session, = (pid for pid, (parent, _) in processes.items() if parent == process.pid)
        for pid in [pid for pid, (parent, _) in processes.items() if parent == session]:
            kill(pid)
        open(self.path("end"), "w").close()
        process.wait(240)
        self.assertEqual([run["state"] for run in self.list()], ["incomplete"])

    def test_session_that_is_attached_is_killed(self):
        target = subprocess.Popen(["sleep", "60"])
        self.addCleanup(target.wait)
        self.addCleanup(target.kill)
        process = self.begin("-i", "0.05", "-e", "json:r.json", "--attach=%d" % target.pid)
        self.kill_session(process)
        self.assertEqual(process.wait(240), 125)
        stderr = process.stderr.read()
        self.assertIn("the report is made from the data that this process saved", stderr)
        self.assertEqual(len(KEPT.findall(stderr)), 1, stderr)
        self.assertIn("metrics", json.loads(self.read("r.json")))
        self.assertIsNone(target.poll())

    def test_many(self):
        """Twenty at once, of which the oldest of a hundred go."""
        os.makedirs(self.path("config/roast"))
        with open(self.path("config/roast/settings"), "w") as file:
            file.write("[Runs]\nMaxRuns=12\n")
        processes = [self.begin("--", "sh", "-c", "sleep 0.2; exit 4") for _ in range(20)]
        for process in processes:
            stderr = process.communicate(timeout=240)[1]
            self.assertEqual(process.returncode, 4)
            self.assertEqual(len(KEPT.findall(stderr)), 1, stderr)
        self.assertEqual([run["state"] for run in self.list()], ["complete"] * 12)
        self.assertEqual(len(self.files()), 12)

    def test_signal(self):
        process = self.begin("-q", "--", "sh", "-c", "kill -TERM $$")
        self.assertEqual(process.wait(240), -signal.SIGTERM)
        self.assertEqual([run["status"] for run in self.list()], ["signal 15"])


if __name__ == "__main__":
    guard(lambda: unittest.main(verbosity=2))
