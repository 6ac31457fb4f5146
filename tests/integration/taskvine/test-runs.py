#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Real runs: what is reported live is what the manager itself counted, what its log tells, and what is reported from the log later."""

import collections
import os
import re
import signal
import subprocess
import sys
import time

from vinerun import HERE, ROOT, SECONDS, Log, VineTest, environment, inside, main  # isort: skip (it finds the other modules)
from closeness import assert_near  # isort: skip
from running import count_rows  # isort: skip

# Tables in which a report of a run that is followed and one of its log are the same. Samples of workers are taken at other moments.
SAME = ("tasks", "transfers", "libraries", "executor_times", "cluster_samples", "per_phase", "wasted", "per_direction",
        "per_category", "executor_time")
LIVE = ("hosts", "running_since")  # columns that only who is there can fill
METRICS = ("tasks_submitted_total", "tasks_done_total", "tasks_failed_total", "task_time_mean_seconds", "task_time_max_seconds",
           "attempts_total", "attempts_lost_total",
           "attempts_exhausted_total", "attempts_retried_total", "wasted_core_seconds", "queue_time_mean_seconds", "transfer_in_bytes",
           "transfer_out_bytes", "transfer_cached_bytes", "workers_peak", "worker_core_seconds", "core_efficiency_ratio",
           "executor_busy_ratio", "worker_balance_ratio")


def outcome(row):
    """As the manager calls it: what a report says of a task that was returned."""
    return (row["error"] if row["status"] != "done" and row.get("error") != "exit code" else "SUCCESS", row.get("exit_code"))


# The last that a script does is to write what its manager said.
UNTIL_DONE = "until [ -s stats.json ]; do sleep 0.1; done; sleep 1"


def rounded(value):
    """Sums are the same to the last bit only if they are made in the same order."""
    return float("%.12g" % value) if isinstance(value, float) else value


# A manager that lives for too short a time to be seen, with one worker.
UNSEEN = """
import os, signal, time
os.makedirs("vine-run-info/unseen/vine-logs")
with open("vine-run-info/unseen/vine-logs/transactions", "w") as file:
    for record in "MANAGER %d START 0" % os.getpid(), "WORKER worker-1 CONNECTION 127.0.0.1:9":
        print(int(time.time() * 1e6), os.getpid(), record, file=file)
os.kill(os.getpid(), signal.SIGKILL)
"""


class Runs(VineTest):
    def last_attempts(self, report, source):
        rows = collections.defaultdict(list)
        for row in report.rows("tasks"):
            if row["source"] == source:
                rows[row["task"]].append(row)
        return {task: max(some, key=lambda row: row["attempt"]) for task, some in rows.items()}

    def assert_same(self, one, other, tables=SAME, metrics=METRICS, ends=()):
        """What was measured while a manager ran, and what its logs say afterwards. The logs have addresses only instead of names of hosts.
        Columns in ends: only who is there sees a manager die."""
        for name in tables:
            first, second = ([sorted((key, rounded(value)) for key, value in row.items() if key not in LIVE) for row in report.rows(name)]
                             for report in (one, other))
            self.assertEqual(sorted(first), sorted(second), name)
        first, second = ([sorted(item for item in row.items() if item[0] not in ("host", "name", *ends)) for row in report.rows("workers")]
                         for report in (one, other))
        self.assertEqual(first, second)
        self.assertEqual({key: rounded(value) for key, value in one.activities().items()},
                         {key: rounded(value) for key, value in other.activities().items()})
        for name in metrics:
            first, second = (report.metrics[name].get("value") for report in (one, other))
            self.assertEqual(rounded(first), rounded(second), name)

    def assert_true(self, report, manager, logs, source="taskvine-1", execute=True):
        """What the manager counted, and an independent count of its log."""
        stats, log = manager["stats"], Log(os.path.join(logs, "transactions"))
        rows = [row for row in report.rows("tasks") if row["source"] == source]
        last = self.last_attempts(report, source)
        libraries = [row for row in report.rows("libraries") if row["source"] == source]
        workers = [row for row in report.rows("workers") if row["source"] == source]

        given = [row for row in rows if "dispatched" in row]
        self.assertEqual(len(given) + len(libraries), log.dispatched)
        self.assertEqual(log.dispatched, stats["tasks_dispatched"])
        self.assertEqual(len(last), stats["tasks_submitted"])
        self.assertEqual(len(workers), log.joined)
        self.assertEqual(len(workers), stats["workers_joined"])
        self.assertEqual({task: outcome(row) for task, row in last.items() if "returned" in row},
                         {task: (result, code) if code >= 0 else (result, None) for task, (result, code) in log.tasks.items()})
        took = sum(row["ended"] - row["started"] for row in rows if "started" in row) / 1e6
        self.assertAlmostEqual(took, log.execute, delta=1e-3 + 1e-6 * len(rows))
        if execute:
            assert_near(self, took, stats["time_workers_execute"] / 1e6, 0.01 * took + 0.01)
        self.assertAlmostEqual(sum(row["delivered"] - row["dispatched"] for row in given if "retrieved" in row) / 1e6, log.input,
                               delta=1e-6 * len(rows) + 1e-9)
        self.assertAlmostEqual(sum(row["retrieved"] - row["fetched"] for row in rows if "fetched" in row) / 1e6, log.output,
                               delta=1e-6 * len(rows) + 1e-9)
        for task in manager["tasks"]:
            row = last[str(task["id"])]
            self.assertEqual(row["category"], re.sub("^<(?:built-in_)?function_(.*?)(_at_0x.*)?>$", r"\1", task["category"]))
            self.assertEqual(row.get("exit_code", -1), task["exit_code"] if task["exit_code"] >= 0 else -1)
            if task["time_when_submitted"] and row["attempt"] == 1:
                assert_near(self, row["submitted"], task["time_when_submitted"], 20000)
            if task["time_workers_execute_last"] and "started" in row:
                assert_near(self, row["ended"] - row["started"], task["time_workers_execute_last"], 20000)
        return rows

    def run_true(self, *arguments, said, execute=True):
        report = self.roast_run(self.script(*arguments))
        self.assertRegex(self.result.stdout, said)
        logs = self.logs()[0]
        rows = self.assert_true(report, self.managers()[0], logs, execute=execute)
        with open(os.path.join(logs, "transactions")) as log:
            self.assertNotIn("(null)", log.read(), "something asked the manager for its status, which can crash it")
        self.assertEqual(report.events("disagreement"), [])
        self.assertEqual(report.events("unusable-lines"), [])
        self.assert_same(report, self.attach(os.path.dirname(logs)))
        return report, rows

    def test_plain(self):
        report, rows = self.run_true("plain", said="^done 40$")
        self.assertEqual({row["status"] for row in rows}, {"done"})
        self.assertEqual([row["role"] for row in report.rows("per_category")], ["analysis", "framework"])
        self.assertIn("resource monitor was off", report.metrics["processor_cpu_time_seconds"]["reason"])
        self.assertEqual(report.metrics["exit_status"]["value"], 0)

    def test_churn(self):
        """Attached late, by the pid and by the directory, and from the log: the same numbers."""
        process = self.start("churn")
        self.wait_for(lambda: os.path.exists(os.path.join(self.directory, "vine-run-info")) and self.logs())
        time.sleep(5)
        report = self.attach(process.pid)
        self.assertEqual(process.wait(SECONDS), 0)
        logs = self.logs()[0]
        rows = self.assert_true(report, self.managers()[0], logs)
        # A task may fail on one worker, because its input went with another one, and be tried again.
        results = collections.Counter(row["status"] for row in self.last_attempts(report, "taskvine-1").values())
        self.assertEqual((results["failed"], results["exhausted"]), (13 + 3 + 3, 3))
        self.assertIn("lost", {row["status"] for row in rows})
        self.assertIn("fit and plot", {row["category"] for row in rows})
        self.assertIn("FAILURE", {row["leave_reason"] for row in report.rows("workers")})
        self.assert_same(report, self.attach(logs))

    def test_retried_with_more(self):
        report, rows = self.run_true("growing", said="^done 13$", execute=False)
        exhausted = [row for row in rows if row["status"] == "exhausted"]
        self.assertGreaterEqual(len(exhausted), 1)
        self.assertEqual({row["error"] for row in exhausted}, {"allocation too small"})
        self.assertGreater(report.metrics["wasted_core_seconds"]["value"], 1)

    def test_recovered(self):
        """Copies of tasks whose files were lost are no tasks of the program, but work that was done twice."""
        report = self.roast_run(self.script("recovered"))
        [manager] = self.managers()
        self.assertEqual(manager["stats"]["tasks_submitted"], 4 + 3 + 3)
        self.assert_true(report, manager, self.logs()[0])
        self.assertEqual(report.metrics["tasks_submitted_total"]["value"], 4 + 3)
        self.assertEqual(report.metrics["tasks_done_total"]["value"], 4 + 3)
        self.assertEqual(len({row["repeats"] for row in report.rows("tasks") if "repeats" in row}), 3)
        self.assertIn("3 tasks that had been done ran again", " ".join(finding["text"] for finding in report.data["findings"]))

    def test_functions(self):
        report, rows = self.run_true("python", said="^done 31$")
        self.assertEqual(collections.Counter(row["category"] for row in rows), {"python": 11, "calls": 20})
        self.assertEqual([row["status"] for row in rows].count("failed"), 1)
        self.assertTrue(all("ready" in row and row["result"] == "LIBRARY_EXIT" for row in report.rows("libraries")))
        self.assertGreaterEqual(len(report.rows("libraries")), 1)

    def test_daskvine(self):
        report, rows = self.run_true("daskvine", said="^done 11$")
        self.assertFalse([row for row in rows if "0x" in row["category"]])
        self.assertIn("square", {row["category"] for row in rows})

    def test_spans_of_the_application(self):
        report, rows = self.run_true("application", said="^done 24$")
        spans = {row["span"]: row for row in report.rows("spans")}
        names = [row["name"] for row in spans.values() if row["kind"] == "native"]
        self.assertEqual(names, ["preprocess", "process dataset ttbar", "accumulate 2 of 3 histograms", "end"])
        self.assertEqual(collections.Counter(spans[row["span"]]["name"] for row in rows), dict.fromkeys(names[:3], 8))
        for row in rows:
            self.assertLessEqual(spans[row["span"]]["started"], row["submitted"])
            self.assertGreaterEqual(spans[row["span"]]["ended"], row["returned"])

    def test_found(self):
        """Without --backend: the same as with it, and the processes."""
        named = self.roast_run(self.script("plain"))
        time.sleep(1.1)
        found = self.roast_run(self.script("plain"), backend="auto")
        for name in ("sources", "workers", "tasks", "categories"):
            self.assertEqual(len(found.rows(name)), len(named.rows(name)), name)
        self.assertEqual(found.data["run"]["backends"], ["local", "taskvine"])
        self.assertEqual(found.data["run"]["backends-found"], ["taskvine"])
        none = self.roast_run(["true"], backend="auto")
        self.assertEqual((none.data["run"]["backends"], none.events("no-manager")), (["local"], []))

    def test_several_managers(self):
        report = self.roast_run(self.script("two"))
        self.assertRegex(self.result.stdout, "^done 44$")
        self.assertEqual(len(report.rows("sources")), 4)
        by_directory = {row["address"].removeprefix(ROOT or ""): row["source"] for row in report.rows("sources")}
        for manager in self.managers():
            self.assert_true(report, manager, manager["run_info"], by_directory[manager["run_info"]])

    def test_elsewhere(self):
        """In a child, in another directory, with its logs in a third one."""
        report = self.roast_run(self.script("elsewhere"))
        manager = self.managers()[0]
        self.assertTrue(manager["run_info"].startswith(os.path.join(self.directory, "elsewhere/records/of/this")), manager["run_info"])
        self.assert_true(report, manager, manager["run_info"])

    def test_short_life(self):
        report = self.roast_run(self.script("short"))
        self.assertEqual(len(report.rows("sources")), 1)
        self.assertEqual(report.rows("tasks"), [])
        self.assertEqual(report.events("interrupted"), [])

    def test_one_after_the_other(self):
        """What ran before in the same directory is not of this program, nor what somebody else runs there meanwhile."""
        first = self.roast_run(self.script("short"))
        self.assertEqual(len(first.rows("sources")), 1)
        time.sleep(1.1)
        self.assertEqual(len(self.roast_run(self.script("plain")).rows("tasks")), 40)
        report = self.roast_run(["true"])
        self.assertEqual(report.rows("sources"), [])
        self.assertEqual(len(report.events("no-manager")), 1)
        time.sleep(1.1)
        os.remove(os.path.join(self.directory, "stats.json"))
        other = self.start("plain")
        report = self.roast_run(["sh", "-c", UNTIL_DONE])
        self.assertEqual(other.wait(SECONDS), 0)
        self.assertEqual(report.rows("tasks"), [])
        self.assertIn("not counted", report.events("found-in-directory")[0])

    def test_daemon(self):
        """A manager whose parents are gone."""
        command = ["sh", "-c", '"$@" </dev/null >/dev/null 2>&1 & ' + UNTIL_DONE, "sh", "setsid", *self.script("plain")]
        report = self.roast_run(command)
        self.assertEqual([row["status"] for row in report.rows("tasks")], ["done"] * 40)

    def test_no_manager(self):
        report = self.roast_run(["true"])
        self.assertIn("no TaskVine manager was seen", report.events("no-manager")[0])

    def test_manager_in_c(self):
        binary = os.path.join(self.directory, "manager")
        source = os.path.join(HERE, "scripts", "manager.c")
        with open(source) as file:
            build = next(line for line in file if "gcc " in line)
        command = build[build.index("gcc "):].rstrip().rstrip("*/").strip().replace("manager.c", source).replace("-o manager", "-o " + binary)
        subprocess.run(inside(self.directory, ["/bin/sh", "-c", command]), check=True, cwd=self.directory)
        report = self.roast_run(inside(self.directory, [binary]))
        log = Log(os.path.join(self.logs()[0], "transactions"))
        self.assertEqual(len(report.rows("tasks")), log.ready)
        self.assertGreater(log.ready, 10)
        self.assertEqual({row["status"] for row in report.rows("tasks")}, {"done"})

    def test_manager_killed(self):
        """What it told until then is there, to the last line; roast-run ends by the same signal."""
        path = self.new_report()
        process = subprocess.Popen(["roast-run", "--backend=taskvine", "-e", "json:" + path, "--", *self.script("hang", 30)],
                                   cwd=self.directory, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.wait_for(lambda: os.path.exists(os.path.join(self.directory, "vine-run-info")) and self.logs()
                      and len(Log(os.path.join(self.logs()[0], "transactions")).tasks) == 5)
        with open(os.path.join(self.logs()[0], "transactions")) as file:
            pid = next(int(line.split()[1]) for line in file if not line.startswith("#"))
        os.kill(pid, signal.SIGKILL)
        self.assertEqual(process.wait(SECONDS), -signal.SIGKILL)
        report = self.read(path)
        self.assertEqual([row["status"] for row in report.rows("tasks")], ["done"] * 5)
        self.assertIn("does not record the end of the manager", report.events("interrupted")[0])
        self.assert_same(report, self.attach(self.logs()[0]), metrics=(), ends=("left", "leave_reason"))
        self.assertEqual({row["leave_reason"] for row in report.rows("workers")}, {"manager died"})

    def test_killed_unseen(self):
        """A manager that was killed before it was seen: the log in the directory names its process."""
        report = self.roast_run([sys.executable, "-c", UNSEEN], status=-signal.SIGKILL)
        self.assertEqual([row["leave_reason"] for row in report.rows("workers")], ["manager died"])

    def test_detached(self):
        """The measurement ends before the manager: what is under way is said to be."""
        end = os.path.join(self.directory, "end")
        process = self.start("hang", end)
        self.wait_for(lambda: os.path.exists(os.path.join(self.directory, "vine-run-info")) and self.logs()
                      and len(Log(os.path.join(self.logs()[0], "transactions")).tasks) == 5)
        path, run = self.new_report(), os.path.join(self.directory, "run.roast")
        roast = subprocess.Popen(["roast-run", "--backend=taskvine", "--attach=%d" % process.pid, "--save=" + run, "-e", "json:" + path],
                                 stdin=subprocess.DEVNULL)
        self.wait_for(lambda: count_rows(run, "tasks") >= 5)
        roast.send_signal(signal.SIGINT)
        self.assertEqual(roast.wait(SECONDS), 0)
        self.assertIsNone(process.poll())
        report = self.read(path)
        self.assertEqual([row["status"] for row in report.rows("tasks")], ["done"] * 5)
        self.assertEqual({row["leave_reason"] for row in report.rows("workers")}, {"still connected"})
        open(end, "w").close()
        self.assertEqual(process.wait(SECONDS), 0)

    def has_finding(self, run, path):
        """Whether the report of a run that goes on names the task that has not ended."""
        subprocess.run(["roast-report", "-e", "json:" + path, run], check=True, timeout=SECONDS, stderr=subprocess.DEVNULL)
        return any(row["rule"] == "under-way" for row in self.read(path).rows("findings"))

    def test_under_way(self):
        """A task that runs for long is in the run file while it runs, and has its own times in the end."""
        go, run, before, path = (os.path.join(self.directory, name) for name in ("go", "run.roast", "before.json", "report.json"))
        with subprocess.Popen(["roast-run", "-q", "--backend=taskvine", "--save=" + run, "-e", "json:" + path, "--",
                               *self.script("stuck", go)], cwd=self.directory, env=environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL) as process:
            try:
                self.wait_for(lambda: count_rows(run, "tasks WHERE running_since IS NOT NULL") == 1)
                self.wait_for(lambda: self.has_finding(run, before))
            finally:
                with open(go, "w"):
                    pass
            self.assertEqual(process.wait(SECONDS), 0)
        told = next(row for row in self.read(before).rows("tasks") if "running_since" in row)
        self.assertNotIn("status", told)
        report = self.read(path)
        self.assertEqual((report.metrics["tasks_done_total"]["value"], report.metrics["attempts_total"]["value"]), (7, 7))
        ended = next(row for row in report.rows("tasks") if row["task"] == told["task"])
        self.assertEqual(ended["status"], "done")
        self.assertLess(abs(ended["running_since"] - ended["started"]), 5e6)
        self.assertEqual({name: ended[name] for name in told}, told)
        self.assertFalse([event for event in report.rows("events") if "has a different value" in event["message"]])

    def test_output_is_the_scripts_own(self):
        plain = subprocess.run(self.script("plain"), capture_output=True, text=True, cwd=self.directory, timeout=SECONDS,
                               env=environment())
        time.sleep(1.1)
        self.roast_run(self.script("plain"))
        self.assertEqual((plain.returncode, plain.stdout, plain.stderr), (0, self.result.stdout, self.result.stderr))


if __name__ == "__main__":
    main()
