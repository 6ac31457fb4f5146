# SPDX-License-Identifier: BSD-3-Clause
"""Kills one of roast-run's processes at a random moment, many times, and compares what is left with the program's own account.

ROAST_TEST_KILLS is the number of kills of each process (2, and 10 in the release tier), ROAST_TEST_SEED the seed, which is printed. How
far the run file may be behind is a time, which the release tier looks at; in the gate no number may be wrong."""

import concurrent.futures
import datetime
import os
import random
import re
import signal
import subprocess
import sys
import time

from closeness import RELEASE
from leftovers import descendants, reap_orphans
from limited import limited_group
from report import Report
from running import InDirectory, alive, kill, wait_until
from steady import STATUS

TIMES = int(os.environ.get("ROAST_TEST_KILLS", "10" if RELEASE else "2"))
SEED = int(os.environ.get("ROAST_TEST_SEED", random.randrange(10**6)))
BEHIND = 2  # s that the run file may be behind
PATIENCE = 240  # s until a test gives up
MEMORY = 64 << 20  # of a session that uses up its memory
LOADED = os.environ.get("ROAST_TEST_FIXTURES", "")


def read_account(path):
    """[(time, kind, what)], without a last line that is not whole."""
    if not os.path.exists(path):
        return []
    with open(path) as file:
        lines = [line.split() for line in file if line.endswith("\n")]
    return [(float(words[0]), words[1], words[2] if len(words) > 2 else "") for words in lines]


def name(pid):
    try:
        with open(f"/proc/{pid}/comm") as file:
            return file.read().strip()
    except OSError:
        return ""


class Run:
    """A roast-run, of which one process is killed."""

    def __init__(self, directory, victim, moment, early, command, options, environment):
        # A moment from the start of roast-run, or from that of the program.
        self.directory, self.victim, self.moment, self.early = directory, victim, moment, early
        os.mkdir(directory)
        self.trigger, self.group, self.session = self.path("trigger"), None, None
        if victim == "memory":
            options = [*options, "-b", "fatal"]
            environment |= {"FATAL": "timer:eat", "FATAL_WHEN": self.trigger,
                            "ROAST_PLUGIN_PATH": os.path.join(LOADED, "fatal") + ":" + environment["ROAST_PLUGIN_PATH"]}
        with open(self.path("stderr"), "w") as stderr:
            self.process = subprocess.Popen(["roast-run", "--save=" + self.path("run.roast"), "-e", "json:" + self.path("at-end.json"), *options,
                                             "--", *command(self.path("account"))], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                            stderr=stderr, cwd=directory, env=environment)

    def path(self, what):
        return os.path.join(self.directory, what)

    def read(self, what):
        with open(self.path(what)) as file:
            return file.read()

    def account(self):
        return read_account(self.path("account"))

    def find_session(self):
        below = [pid for pid, _ in descendants(self.process.pid) if name(pid) == "roast-run"]
        self.session = self.session or (below[0] if below else None)
        return self.session

    def find_supervisor(self):
        below = [pid for pid, _ in descendants(self.process.pid) if name(pid) == "roast-superviso"]
        return below[0] if below else None

    def wait_for(self, find):
        """A process, or None if roast-run ends before there is one."""
        found = []
        wait_until(lambda: found.append(find()) or found[-1] or self.process.poll() is not None, PATIENCE)
        return found[-1]

    def use_up_memory(self):
        """The session alone is in a control group with a limit, and a plugin in it takes memory until the kernel ends it."""
        if self.wait_for(lambda: self.account()) and alive(self.session):
            with open(os.path.join(self.group, "cgroup.procs"), "w") as file:
                file.write(str(self.session))
        with open(self.trigger, "w"):
            pass

    def strike(self):
        """Kills it, and notes when."""
        if not self.early:
            self.wait_for(self.started)
        time.sleep(self.moment)
        self.wait_for(self.find_session)
        victim = {"keeper": lambda: self.process.pid, "session": lambda: self.session, "memory": lambda: self.session,
                  "supervisor": lambda: self.wait_for(self.find_supervisor)}[self.victim]()
        if self.victim == "memory" and victim:
            self.use_up_memory()
            wait_until(lambda: not alive(victim), PATIENCE)
            self.killed_at = os.path.getmtime(self.trigger)
        else:
            self.killed_at = time.time()
            if victim and self.process.poll() is None:
                kill(victim)

    def finish(self):
        try:
            self.status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            processes = subprocess.run(["ps", "-eo", "pid,ppid,stat,wchan:24,etimes,args", "--forest"], capture_output=True, text=True)
            print(f"{self.victim} killed at {self.killed_at:.3f}, account {self.account()[-3:]}\n{processes.stdout}", file=sys.stderr)
            raise
        # The program and a session without its keeper go on.
        wait_until(lambda: not self.started() or self.account()[-1][1] == "end", PATIENCE)
        wait_until(lambda: not self.session or not alive(self.session), PATIENCE)

    def started(self):
        return bool(self.account())

    def ended_before(self):
        """Whether all was over before the kill."""
        account = self.account()
        return account[-1][1] == "end" and account[-1][0] < self.killed_at

    def lateness(self):
        """s for which the program, which does little but wait, was silent around the kill: this machine was as late."""
        times = [time for time, kind, _ in self.account() if abs(time - self.killed_at) < 2 * BEHIND and kind not in ("begin", "end")]
        return max((b - a for a, b in zip(times, times[1:])), default=0)


class Kills(InDirectory):
    """A subclass has command (account), options, and check_data (run, report, until); and count (account), what the program counted itself."""

    options = ()
    environment = staticmethod(lambda: dict(os.environ))
    seconds = 6  # that the program takes
    delay = 0  # s between two looks of the backend at its source
    workers = 5  # runs at the same time

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        print(f"{TIMES} kills of each process, ROAST_TEST_SEED={SEED}", file=sys.stderr)

    def test_keeper(self):
        self.kill_often("keeper")

    def test_session(self):
        self.kill_often("session")

    def test_supervisor(self):
        self.kill_often("supervisor")

    def test_session_out_of_memory(self):
        if not LOADED:
            self.skipTest("the plugin that uses up memory is a fixture of the build")
        try:
            with limited_group(MEMORY):
                pass
        except OSError as error:
            self.skipTest("this machine permits no control group with a memory limit: %s" % error)
        self.kill_often("memory")

    def kill_often(self, victim):
        chance = random.Random(f"{SEED} {victim}")
        moments = [chance.uniform(0, self.seconds) for _ in range(TIMES)]
        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            runs = list(pool.map(lambda number: self.kill_once(victim, number, moments[number]), range(TIMES)))
        reap_orphans()
        for number, run in enumerate(runs):
            with self.subTest(victim=victim, number=number, moment=moments[number], seed=SEED):
                self.assertTrue(run.early or run.started())
                self.check(run)

    def kill_once(self, victim, number, moment):
        run = Run(self.path(f"{victim}-{number}"), victim, moment, number % 4 == 0, self.command, self.options, self.environment())
        self.addCleanup(run.process.kill)
        if victim != "memory":
            run.strike()
            run.finish()
            return run
        with limited_group(MEMORY, f"-{number}") as run.group:
            run.strike()
            run.finish()
        return run

    def check(self, run):
        said = run.read("stderr")
        if not run.started():
            self.assertEqual(run.status, -signal.SIGKILL if run.victim == "keeper" else 125, said)
            return
        allowed = (STATUS, -signal.SIGKILL) if run.victim == "keeper" else (STATUS,)
        self.assertIn(run.status, allowed, said)
        self.check_file(run, self.read_run(run), said)

    def read_run(self, run):
        """The report from the file alone."""
        path = run.path("again.json")
        result = subprocess.run(["roast-report", "-e", "json:" + path, run.path("run.roast")], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(result.returncode, 0, result.stderr)
        return Report(path, "")

    def check_file(self, run, report, said):
        reach = self.read_reach(run, report, said)
        self.check_counts(run, report)
        truth = run.account()
        self.check_order(report, truth)
        if not RELEASE:
            return
        # What the program has sent may still be on its way to the session.
        for until, why in ((reach - self.delay, "what the file is said to have"), (run.killed_at - BEHIND, "what is older than 2 s")):
            with self.subTest(why=why):
                self.check_data(run, report, [entry for entry in truth if entry[0] < until - run.lateness()])

    def count(self, account):
        """The metrics that the program's account has, too."""
        return {}

    def check_order(self, report, truth):
        """What is in the file was done, and nothing is missing before it."""

    def check_counts(self, run, report):
        """A number that is said to be complete is the program's own; one that is said to be at least so much is not more."""
        for metric, truth in self.count(run.account()).items():
            found = report.metrics[metric]
            with self.subTest(metric=metric, completeness=found["completeness"]):
                if found["completeness"] == "complete":
                    self.assertEqual(found["value"], truth, found)
                elif found["completeness"] == "partial":
                    self.assertLessEqual(found["value"], truth, found)

    def read_reach(self, run, report, said):
        """The time up to which the report says that it is complete; what it must say."""
        events = " ".join(report.events("run-file"))
        if run.victim in ("session", "memory"):
            return self.read_reach_of_session(run, report, said, events)
        self.assertEqual(events, "", said)
        lost = [event["time"] / 1e6 for event in report.rows("events") if event["kind"] == "supervisor"]
        # After its last line the program may still close what it has opened.
        if run.victim == "supervisor" and (lost or not run.ended_before()):
            self.assertEqual(len(lost), 1, report.rows("events"))
            return min(lost[0], run.killed_at)
        return float("inf")

    def read_reach_of_session(self, run, report, said, events):
        found = re.search(r"the recording ended early, because the process that wrote it was killed: "
                          r"the data reach until ([\d-]+ [\d:.]+) UTC", events)
        if found:
            self.assertIn("was killed by signal 9 (Killed)", said)
            self.assertEqual(Report(run.path("at-end.json"), "").events("run-file"), report.events("run-file"))
            time = datetime.datetime.fromisoformat(found[1]).replace(tzinfo=datetime.timezone.utc).timestamp()
            if RELEASE:
                self.assertGreaterEqual(time, run.killed_at - BEHIND - run.lateness(), said)
            return min(time, run.killed_at)
        if events:
            self.assertIn("the recording ended before anything was written into the run file", events)
            if RELEASE:
                self.assertLess(run.killed_at - run.account()[0][0], BEHIND + run.lateness())
            return 0
        # It had just closed the file.
        self.assertGreater(run.killed_at, run.account()[-1][0])
        return float("inf")
