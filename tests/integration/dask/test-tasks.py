#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How many tasks there were, how they ended, and when: against what the script itself counted and timed."""

import collections
import json
import math
import os
import subprocess

from daskrun import DaskTest, main  # isort: skip (it finds the other modules)
from closeness import RELEASE, assert_below  # isort: skip
from report import Report  # isort: skip
from running import count_rows, wait_until  # isort: skip

ORDER = ("submitted", "ready", "dispatched", "delivered", "started", "ended", "noticed")
# Times of the scheduler, and of the worker. The difference of their clocks is what Dask measures, the worse the busier the machine is.
CLOCKS = (ORDER,) if RELEASE else (("submitted", "ready", "dispatched", "noticed"), ("delivered", "started", "ended"))


class Tasks(DaskTest):
    def run_tasks(self, what, *arguments, options=(), **more):
        report = self.roast_run(self.script("tasks.py", what, *arguments), *options, **more)
        lines = self.result.stdout.splitlines()
        return report, json.loads(lines[-1]) if lines else None

    def assert_counts(self, report, partial=False, **expected):
        found = {name: report.metrics[name + "_total"] for name in expected}
        self.assertEqual({name: metric["value"] for name, metric in found.items()}, expected, self.result.stderr)
        if not partial:
            self.assertEqual({metric["completeness"] for metric in found.values()}, {"complete"})

    def count(self, report, *columns):
        return collections.Counter(tuple(row.get(column) for column in columns) for row in report.rows("tasks"))

    def test_life(self):
        report, truth = self.run_tasks("life")
        rows = report.rows("tasks")
        self.assert_counts(report, tasks_submitted=30, tasks_done=30, tasks_failed=0, tasks_never_ran=0, tasks_unfinished=0, attempts=30)
        self.assertEqual(collections.Counter(row["task"] for row in rows), collections.Counter(truth["keys"]))
        for row, (started, ended) in zip(sorted(rows, key=lambda row: truth["keys"].index(row["task"])), truth["times"]):
            # On a busy machine a worker that just joined has its first tasks before it has the probe.
            missing = [name for name in ORDER if name not in row]
            self.assertIn(missing, ([],) if RELEASE else ([], ["delivered"]), row)
            for names in CLOCKS:
                times = [row[name] for name in names if name in row]
                self.assertEqual(times, sorted(times), row)
            # A task is measured from before its function to after it.
            self.assertLessEqual(truth["began"], row["submitted"] / 1e6)
            self.assertGreaterEqual((row["ended"] - row["started"]) / 1e6, ended - started - 2e-6)
            if RELEASE:
                self.assertLessEqual(row["started"] / 1e6, started + 1e-6)
                self.assertGreaterEqual(row["ended"] / 1e6, ended - 1e-6)
            self.assertLessEqual(row["noticed"] / 1e6, truth["ended"])
            # So it has no CPU time of them.
            self.assertGreaterEqual(row.get("cpu", 0 if RELEASE else 0.05), 0.05)
        cpu = math.fsum(row.get("cpu", 0) for row in rows)
        if all("cpu" in row for row in rows):
            self.assertGreaterEqual(cpu, truth["cpu"])
        # By 1 %, and what Dask does in the thread beside the function.
        assert_below(self, cpu, 1.01 * truth["cpu"] + 30 * 0.001)
        # The second ones wait for the first.
        by_key = {row["task"]: row for row in rows}
        for i in range(10):
            for other in truth["keys"][i : i + 2]:
                self.assertGreaterEqual(by_key[truth["keys"][20 + i]]["ready"], by_key[other]["noticed"] - 1)
        self.assertEqual([by_key[key]["n_inputs"] for key in truth["keys"]], 20 * [0] + 10 * [2])
        phases = {(row["category"], row["phase"]): row for row in report.rows("per_phase")}
        self.assertGreater(phases["after", "blocked"]["total"], 0.05)

    def test_stored(self):
        """Storing its result does not hide what the worker measured of a task."""
        report, _ = self.run_tasks("stored")
        rows = [row for row in report.rows("tasks") if row["category"] == "make_bulky"]
        self.assertEqual(len(rows), 10)
        for row in rows:
            self.assertGreaterEqual(row.get("cpu", 0), 0.05, row)
            self.assertIn("delivered", row)

    def test_windows(self):
        """The working time begins and ends with tasks of the analysis. Rates, cores and efficiency exist for it and for the run."""
        # One sample a second: that after the last task is the account at the end.
        report, truth = self.run_tasks("windows", options=["--backend=local"])
        rows = {row["kind"]: row for row in report.rows("windows")}
        self.assertEqual(len(report.rows("windows")), 2)
        run, work = ([rows[kind][name] / 1e6 for name in ("started", "ended")] for kind in ("run", "work"))
        self.assertEqual(rows["work"]["why"], "the first start and the last end of a task of the analysis")
        if RELEASE:  # the work begins and ends with times of workers
            for before, after in zip((truth["submitted"], work[0], truth["first"], truth["last"], work[1]),
                                     (work[0], truth["first"], truth["last"], work[1], truth["gathered"])):
                self.assertLessEqual(before, after + 1e-6, (run, work, truth))
        self.assertLess(work[0], work[1])
        self.assertLessEqual(run[0], truth["began"] + 1e-6)
        self.assertLessEqual(truth["ended"], run[1])
        value = {name: metric["value"] for name, metric in report.metrics.items()}
        self.assertAlmostEqual(value["work_time_seconds"], work[1] - work[0], delta=1e-5)
        for window, seconds in (("_work", value["work_time_seconds"]), ("", value["elapsed_time_seconds"])):
            self.assertAlmostEqual(value["event_rate%s_per_second" % (window or "_elapsed")] * seconds / truth["events"], 1, delta=1e-6)
            self.assertAlmostEqual(value["data_rate%s_bytes_per_second" % window] * seconds / truth["bytes"], 1, delta=1e-6)
            cores = value["cores_used%s_average" % window]
            cpu = value["work_cpu_time_seconds" if window else "process_cpu_time_seconds"]
            self.assertIsNotNone(cores, report.metrics["cores_used%s_average" % window])
            # CPU time after the end of the program, of processes that it left behind, is not within its elapsed time.
            self.assertLessEqual(cores * seconds / cpu, 1 + 1e-6)
            if report.metrics["cores_used%s_average" % window]["completeness"] == "complete":
                self.assertAlmostEqual(cores * seconds / cpu, 1, delta=1e-6)
            self.assertAlmostEqual(value["cpu_efficiency%s_ratio" % window] * value["cores_available"] / cores, 1, delta=1e-6)
        self.assertGreater(value["work_cpu_time_seconds"], 0)
        self.assertLess(value["work_cpu_time_seconds"], value["process_cpu_time_seconds"])
        samples = report.tables["cluster_samples"]["data"]
        last, cpu = max((time, cpu) for time, cpu in zip(samples["time"], samples["cpu"]) if cpu is not None)
        self.assertAlmostEqual(cpu, value["process_cpu_time_seconds"], delta=1e-6)
        self.assertGreaterEqual(last, truth["ended"] * 1e6)

    def test_outcomes(self):
        report, truth = self.run_tasks("outcomes", self.directory)
        totals = collections.Counter()
        for row in report.rows("task_totals"):
            totals[row["category"], row["status"]] = row["tasks"]  # cumulative
        self.assertEqual(totals["fail", "failed"], 1)
        self.assertEqual(totals["use", "never_ran"], 1)
        self.assertEqual(totals["flaky", "done"], 3)
        self.assertEqual(totals["flaky", "failed"], 0)
        self.assertEqual(totals["doomed", "cancelled"], 5)
        done, dropped = totals["nap", "done"], totals["nap", "cancelled"]
        # The script may see the last ones later than the scheduler. It drops all others: one that runs, and those that wait.
        self.assertGreaterEqual(done, truth["ran"])
        assert_below(self, done - truth["ran"], 3)
        self.assertEqual(totals["nap", "never_ran"], 0)
        self.assertEqual(dropped, 1000 - done)
        sent = self.count(report, "category", "status")["nap", "cancelled"]
        self.assertIn(sent, (1, 2) if RELEASE else (0, 1, 2))
        self.assert_counts(report, tasks_submitted=1011, tasks_done=3 + done, tasks_failed=2, tasks_retried=3, attempts_failed=5,
                           tasks_unfinished=0, attempts_retried=3, tasks_cancelled=5 + dropped, tasks_never_ran=1,
                           attempts=3 + 3 + 2 + done + sent)
        errors = {(row["category"], row["error"], row["message"], row["attempts"]) for row in report.rows("failures") if "message" in row}
        self.assertEqual(errors, {("fail", "FileNotFoundError", "[Errno 2] No such file", 1), ("flaky", "OSError", "[3011] No such file", 3),
                                  ("odd", "ValueError", "(3) is not", 1)})
        self.assertEqual(report.metrics["task_time_mean_seconds"]["completeness"], "complete")
        # Nothing reports how long attempts that were cancelled ran.
        self.assertEqual(report.metrics["task_time_max_seconds"]["completeness"], "partial" if sent else "complete")

    def test_killed(self):
        report, truth = self.run_tasks("killed")
        self.assertEqual(truth["error"], "KilledWorker")
        self.assert_counts(report, tasks_submitted=6, tasks_done=4, tasks_failed=1, tasks_killed_worker=1, tasks_never_ran=1,
                           attempts_failed=1)
        # A result that the first worker had may be computed again on the second one when that is killed.
        lost = [row for row in report.rows("tasks") if row["status"] == "lost"]
        self.assertEqual(report.metrics["attempts_lost_total"]["value"], len(lost))
        # Results that were on these workers may be computed again.
        self.assertGreaterEqual(report.metrics["attempts_total"]["value"], 6)
        rows = sorted((row for row in report.rows("tasks") if row["category"] == "kill"), key=lambda row: row["attempt"])
        self.assertEqual([(row["attempt"], row["status"]) for row in rows], [(1, "lost"), (2, "killed_worker")])
        self.assertEqual(rows[1]["error"], "KilledWorker")
        self.assertIn("workers", rows[1]["message"])
        workers = {row["worker"] for row in report.rows("workers")}
        self.assertEqual({row["worker"] for row in rows} - workers, set())

    def test_unmet(self):
        report, _ = self.run_tasks("unmet")
        self.assert_counts(report, tasks_submitted=3, tasks_done=1, tasks_never_ran=2)
        samples = report.rows("cluster_samples")
        self.assertEqual([max(row.get(name, 0) for row in samples) for name in ("tasks_queued", "tasks_waiting")], [2, 0])
        said = [row["message"] for row in report.rows("events") if row["kind"] == "no-worker"]
        self.assertEqual(said, ["tasks ask for 2 of the resource “GPU”, which no worker has"])
        self.assertIn(said[0], " ".join(row["text"] for row in report.rows("findings")))

    def test_graphs(self):
        """The arguments of tasks are in the graphs, whose size only grows by what describes them."""
        if not self.has_fine:
            self.skipTest("this Dask sends no graph in one piece")
        report, truth = self.run_tasks("graphs")
        self.assert_counts(report, tasks_done=truth["graphs"])
        rows = report.rows("graphs")
        self.assertEqual(sum(row["graphs"] for row in rows), truth["graphs"])
        size = sum(row["bytes"] for row in rows)
        self.assertGreaterEqual(size, truth["bytes"])
        self.assertLess(size, truth["bytes"] + 5000 * truth["graphs"])

    def test_under_way(self):
        """A task that runs for long is in the run file while it runs, and has its own times in the end."""
        run, go, report = (os.path.join(self.directory, name) for name in ("run.roast", "go", "report.json"))
        before = os.path.join(self.directory, "before.json")
        with subprocess.Popen(["roast-run", "-q", "--save=" + run, "-e", "json:" + report, "--backend=dask", "--",
                               *self.script("tasks.py", "stuck", go)], stdin=subprocess.DEVNULL) as process:
            try:
                wait_until(lambda: count_rows(run, "tasks WHERE running_since IS NOT NULL") > 0)
                subprocess.run(["roast-report", "-e", "json:" + before, run], check=True, timeout=240, stderr=subprocess.DEVNULL)
            finally:
                with open(go, "w"):
                    pass
            self.assertEqual(process.wait(240), 0)
        row = next(row for row in Report(before, "dask").rows("tasks") if "running_since" in row)
        self.assertNotIn("status", row)
        report = Report(report, "dask")
        for name in ("tasks_submitted_total", "tasks_done_total", "attempts_total"):
            self.assertEqual((report.metrics[name]["value"], report.metrics[name]["completeness"]), (7, "complete"), name)
        ended = next(found for found in report.rows("tasks") if found["task"] == row["task"])
        self.assertEqual(ended["status"], "done")
        # By the heartbeats of its worker.
        self.assertLess(abs(ended["running_since"] - ended["started"]), 5e6)
        self.assertEqual({name: ended[name] for name in row}, row)
        self.assertFalse([event for event in report.rows("events") if "has a different value" in event["message"]])

    def test_recomputed(self):
        report, _ = self.run_tasks("recomputed", self.directory)
        self.assert_counts(report, tasks_submitted=2, tasks_done=2, tasks_failed=0, tasks_retried=1, attempts=4, attempts_retried=2)
        self.assertEqual(self.count(report, "category", "attempt", "status"),
                         {("flaky", 1, "failed"): 1, ("flaky", 2, "done"): 1, ("flaky", 3, "done"): 1, ("use", 1, "done"): 1})

    def test_abrupt(self):
        """Each row leaves the scheduler in the loop turn in which it hears of the task."""
        for _ in range(3):
            report, _ = self.run_tasks("abrupt")
            self.assert_counts(report, partial=True, tasks_submitted=40, tasks_done=40, attempts=40)
            self.assertEqual(self.count(report, "category", "status"), {("nap", "done"): 40})
            self.assertEqual(report.metrics["tasks_done_total"]["completeness"], "partial")
            self.assertIn("did not send its last data", report.metrics["tasks_done_total"]["note"])

    def test_spans(self):
        if not self.has_fine:
            self.skipTest("this Dask has no spans")
        report, _ = self.run_tasks("spans")
        names = {row["span"]: row["name"] for row in report.rows("spans")}
        found = collections.Counter((row["category"], names[row["span"]]) for row in report.rows("tasks"))
        self.assertEqual(found, {("nap", "one"): 3, ("burn", "two"): 2, ("use", "default"): 1})


main()
