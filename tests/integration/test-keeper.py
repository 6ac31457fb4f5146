#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A process of roast-run that dies at any moment harms no program, and roast-run ends as the program ended as long as its keeper lives."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import unittest
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from closeness import RELEASE
from leftovers import descendants, guard, name_of, read_processes
from running import KEPT, InDirectory, alive, kill, wait_until

TIMES = int(os.environ.get("ROAST_TEST_KILLS", "10" if RELEASE else "4"))


class TestKeeper(InDirectory):
    def setUp(self):
        super().setUp()
        # The last run is the one of this test, and not of another test that runs at the same time.
        runs = unittest.mock.patch.dict(os.environ, ROAST_RUNS=self.path("runs"))
        runs.start()
        self.addCleanup(runs.stop)

    def begin(self, *lines, arguments=()):
        """Starts a program; it has written its process, and that of the supervisor."""
        process = subprocess.Popen(
            ["roast-run", "-e", "json:" + self.path("r.json"), *arguments, "--", "bash", "-c",
             "\n".join([f"echo $$ $PPID > {self.path('pid.new')}", f"mv {self.path('pid.new')} {self.path('pid')}", *lines])],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.directory, preexec_fn=lambda: [
                signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)])
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.program, self.supervisor = map(int, self.wait_for_file("pid").split())
        self.addCleanup(kill, self.program)
        self.session = read_processes()[self.supervisor][0]
        self.assertEqual(read_processes()[self.session][0], process.pid)
        return process

    def until_end(self):
        return f"until [ -e {self.path('end')} ]; do sleep 0.05; done"

    def allow_end(self):
        open(self.path("end"), "w").close()

    def forget(self):
        for name in ("pid", "done", "end", "r.json"):
            if os.path.exists(self.path(name)):
                os.unlink(self.path(name))

    def kill_at_random(self, *victims):
        for number in range(TIMES):
            self.forget()
            seed = random.randrange(10**6)
            with self.subTest(number=number, seed=seed):
                process = self.begin("sleep 0.2; echo > done; exit 7")
                time.sleep(random.Random(seed).uniform(0, 0.25))
                for victim in victims:
                    kill(process.pid if victim == "keeper" else getattr(self, victim))
                status = process.wait(240)
                self.assertEqual(status, -signal.SIGKILL if "keeper" in victims and status != 7 else 7, process.stderr.read())
                wait_until(lambda: os.path.exists(self.path("done")))

    def test_session_is_killed(self):
        self.kill_at_random("session")

    def test_supervisor_is_killed(self):
        self.kill_at_random("supervisor")

    def test_keeper_is_killed(self):
        self.kill_at_random("keeper")

    def test_session_and_supervisor_are_killed(self):
        self.kill_at_random("session", "supervisor")

    def test_what_is_said(self):
        process = self.begin(self.until_end(), "kill -USR1 $$")
        self.wait_for_rows()
        kill(self.session)
        self.assertRegex(process.stderr.readline(), r"^roast-run: the measuring process was killed by signal 9 \(Killed\): the report is "
                         r"made from the data that this process saved\. The program continues\n$")
        self.assertTrue(alive(self.program))
        self.allow_end()
        self.assertEqual(process.wait(240), -signal.SIGUSR1)
        said, kept = process.stderr.read().splitlines(keepends=True)
        self.assertRegex(said, "^roast-report: the measurement of this run was interrupted: data reach until ")
        self.assertRegex(kept, KEPT)
        with open(self.path("r.json")) as file:
            report = json.load(file)
        self.assertIn("elapsed_time_seconds", report["metrics"])
        self.assertIn("This report was made from the run file, because the measuring process was killed by signal 9 (Killed).", report["notes"])
        self.check_status(report, 138, "signal 10")

    def test_nothing_was_recorded(self):
        """The session is killed before its first transaction, or, on a busy machine, after it: then once more."""
        nothing = "nothing was recorded before the recording ended"
        program = "read -r _ _ _ session _ < /proc/$PPID/stat; kill -KILL $session; exit 3"
        for _ in range(50):
            self.forget()
            run = subprocess.run(["roast-run", "-e", "json:" + self.path("r.json"), "--", "bash", "-c", program], capture_output=True, text=True)
            self.assertEqual(run.returncode, 3, run.stderr)
            with open(self.path("r.json")) as file:
                report = json.load(file)
            if report["run"].get("nothing-recorded") == nothing:
                break
        self.assertEqual(report["run"].get("nothing-recorded"), nothing, run.stderr)
        self.assertEqual({metric["reason"] for metric in report["metrics"].values() if metric["value"] is None}, {nothing})
        self.assertEqual([name for name, metric in report["metrics"].items() if metric["value"] is not None], ["exit_status"])
        self.check_status(report, 3, "exit 3")
        again = subprocess.run(["roast-report"], capture_output=True, text=True)
        self.assertRegex(" ".join(again.stdout.split()), rf"Not available: [^()]* \({nothing}\)$")

    def wait_for_rows(self):
        """The run file has tables."""
        wait_until(lambda: "rows of sources" in subprocess.run(["roast-report", "show"], capture_output=True, text=True).stdout)

    def check_status(self, report, status, listed):
        """How the program ended, which the keeper knows, is in this report, in the list of runs, and in later reports."""
        self.assertEqual((report["metrics"]["exit_status"]["value"], report["metrics"]["exit_status"]["completeness"]), (status, "complete"))
        shown = subprocess.run(["roast-report", "show"], capture_output=True, text=True)
        self.assertRegex(shown.stdout, r"(?m)^status +%s *$" % listed)
        again = subprocess.run(["roast-report", "-e", "json:-"], capture_output=True, text=True)
        self.assertEqual(json.loads(again.stdout)["metrics"]["exit_status"]["value"], status, again.stderr)

    def test_without_a_keeper_the_report_is_written(self):
        process = self.begin(self.until_end(), "exit 3")
        process.kill()
        process.wait()
        self.assertTrue(alive(self.program))
        self.allow_end()
        wait_until(lambda: os.path.exists(self.path("r.json")))
        with open(self.path("r.json")) as file:
            self.assertEqual(json.load(file)["metrics"]["exit_status"]["value"], 3)

    def test_signals_without_a_session(self):
        for victims in (("session",), ("session", "supervisor")):
            self.forget()
            process = self.begin("trap 'exit 5' TERM", "echo > done", "while :; do sleep 0.05; done")
            self.wait_for_file("done")
            killed = [getattr(self, victim) for victim in victims]
            for pid in killed:
                kill(pid)
            wait_until(lambda killed=killed: not any(map(alive, killed)))
            process.stderr.readline()
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(240), 5, victims)

    def test_signals_while_the_session_is_busy(self):
        process = self.begin("trap 'exit 5' TERM", "echo > done", "while :; do sleep 0.05; done")
        self.wait_for_file("done")
        os.kill(self.session, signal.SIGSTOP)
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: not alive(self.program))
        os.kill(self.session, signal.SIGCONT)
        self.assertEqual(process.wait(240), 5)
        self.assertTrue(os.path.exists(self.path("r.json")))

    def test_deadline(self):
        process = self.begin(self.until_end(), "exit 5", arguments=["--deadline=15"])
        self.wait_for_rows()
        os.kill(self.session, signal.SIGSTOP)
        self.allow_end()
        self.assertEqual(process.wait(240), 5)
        self.assertIn("did not finish in time (option --deadline) and was killed outside of", process.stderr.read())
        with open(self.path("r.json")) as file:
            self.check_status(json.load(file), 5, "exit 5")

    def test_second_request_while_the_session_hangs(self):
        process = self.begin(self.until_end(), "exit 5")
        os.kill(self.session, signal.SIGSTOP)
        self.allow_end()
        wait_until(lambda: not alive(self.program))
        process.send_signal(signal.SIGTERM)
        time.sleep(0.3)  # two that come at once are one
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(240), 5)
        self.assertIn("did not end after a second signal and was killed", process.stderr.read())

    def test_badness_for_the_kernel_is_unchanged(self):
        self.begin(self.until_end())
        with open(f"/proc/{self.program}/oom_score_adj") as theirs, open("/proc/self/oom_score_adj") as ours:
            self.assertEqual(theirs.read(), ours.read())
        self.assertIn("roast-run", name_of(self.session))
        self.assertEqual(len([pid for pid, _ in descendants(self.session) if pid == self.supervisor]), 1)
        self.allow_end()


if __name__ == "__main__":
    guard(lambda: unittest.main(verbosity=2))
