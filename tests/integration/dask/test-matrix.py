#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Scripts of many kinds: tasks, CPU time and memory against what tasks and workers measured of themselves, or named as missing."""

import collections
import glob
import json
import math
import os
import re
import subprocess

from daskrun import PYTHON, DaskTest, main  # isort: skip (it finds the other modules)
from closeness import RELEASE, SCALE, assert_below, assert_near, before_release  # isort: skip

RUNS = int(os.environ.get("ROAST_DASK_RUNS", "1"))
FLOOR = 1.0 * SCALE  # CPU-s from which on 1 % is meant; less of it is compared with what a call costs
CLOSING = 0.01  # CPU-s by which the kernel's sum for a worker and the sum of its parts may differ
PER_CALL = 0.002  # s of Dask's own work in the thread, per task


class Truth:
    """What tasks and workers wrote."""

    def __init__(self, directory):
        self.calls = self.read(directory, "calls")
        self.ends = self.read(directory, "end")

    def read(self, directory, kind):
        lines = []
        for path in glob.glob(os.path.join(directory, "*." + kind)):
            with open(path) as file:
                lines += [dict(json.loads(line), pid=int(os.path.basename(path).partition(".")[0])) for line in file]
        return lines

    def count(self):
        return collections.Counter(call["name"] for call in self.calls)

    def cpu(self, name):
        return math.fsum(call["cpu"] for call in self.calls if call["name"] == name)

    def around(self):
        """CPU time of threads in tasks, as the workers measured it around Dask's own measurement."""
        return math.fsum(cpu for end in self.ends for cpu in end["around"].values())


class Matrix(DaskTest):
    def run_kind(self, kind, command=None):
        script = self.script("matrix.py", kind, self.directory)
        report = self.roast_run(command + script[1:] if command else script)
        self.assertEqual(report.events("no-scheduler"), [])
        self.assertEqual(report.events("probe"), [])
        return report, Truth(self.directory)

    def value(self, report, name):
        metric = report.metrics[name]
        return metric["value"] if metric["value"] is not None else self.assertTrue(metric["reason"], name)

    def attempts(self, report, *statuses):
        return collections.Counter(row["category"] for row in report.rows("tasks") if row["status"] in (statuses or ("done",)))

    def assert_calls(self, report, truth, **calls):
        """As many attempts as calls, and their CPU time."""
        self.assertEqual(truth.count(), calls)
        done = self.attempts(report, "done", "failed")
        self.assertEqual({name: done[name] for name in calls}, calls)
        for name, n in calls.items():
            rows = [row for row in report.rows("tasks") if row["category"] == name and row["status"] in ("done", "failed")]
            self.assert_close(rows, truth.cpu(name), n)

    def assert_close(self, rows, truth, n):
        """Attempts that failed have no CPU time; all others do, unless the machine is so busy that they began before their worker had the
        probe."""
        known = [row["cpu"] for row in rows if "cpu" in row]
        found = math.fsum(known)
        if RELEASE:
            self.assertEqual([row for row in rows if "cpu" not in row and row["status"] != "failed"], [])
        if len(known) == n:
            self.assertGreaterEqual(found, truth - 1e-6 * n)
        assert_below(self, found, truth * 1.01 + (0 if truth >= FLOOR else n * PER_CALL) + 1e-9)

    def assert_workers(self, report, truth):
        """CPU time and peak memory of the process of each worker that had last words."""
        rows = {row["pid"]: row for row in report.rows("workers")}
        self.assertGreater(len(truth.ends), 0)
        for end in truth.ends:
            row = rows[end["pid"]]
            calls = [call for call in truth.calls if call["pid"] == end["pid"]]
            # The kernel counts pages per thread, and adds them up from time to time.
            self.assertAlmostEqual(row["memory_peak"] / end["peak"], 1, delta=0.01)
            # The last data are from between the two. Within 1 %; for less than FLOOR, what it costs to look.
            margin = max(0.01 * end["process"], CLOSING)
            self.assertGreaterEqual(row["cpu"], end["before"] - margin)
            self.assertLessEqual(row["cpu"], end["process"] + margin)
            if "computing" in row:
                self.assertIn("still computed when it sent its last data", row["missing"])
                self.assertEqual(row["memory_peak_bound"], "at_least")
                continue
            self.assertNotIn("missing", row)
            self.assertEqual(row["memory_peak_bound"], "exact")
            self.assertGreaterEqual(row["memory_peak"] * 1.01, max([call["peak"] for call in calls], default=0))
            self.assertGreaterEqual(row["cpu"], max([call["process"] for call in calls], default=0) - 0.011)
        self.assert_threads(report, truth, [row for row in rows.values() if "computing" in row])
        if report.metrics["workers_peak"]["completeness"] == "complete":
            self.assertIn(self.value(report, "workers_peak"), (1, 2))

    def assert_threads(self, report, truth, computing):
        """A thread cannot be stopped: where one still computed after the last data, CPU time is at least that, and by how much it may be
        more is known."""
        metric = report.metrics["worker_task_threads_cpu_seconds"]
        if not computing:
            self.assertNotIn("still ran", metric["note"] or "")
            return
        self.assertEqual(metric["completeness"], "partial")
        found = re.search(r"(\d+) workers? still ran tasks after sending the last data: at most ([0-9.]+) s more of CPU time", metric["note"])
        self.assertIsNotNone(found, metric)
        self.assertEqual(int(found[1]), len(computing))
        self.assertLessEqual(math.fsum(call["cpu"] for call in truth.calls), metric["value"] + float(found[2]) + 0.005)

    def assert_around(self, report, truth):
        """The tasks' CPU time against that of the workers' own measurement."""
        rows = [row for row in report.rows("tasks") if row["status"] == "done"]
        if RELEASE:
            self.assertEqual([row for row in rows if "cpu" not in row], [])
            self.assertGreaterEqual(truth.around(), FLOOR)
            self.assertAlmostEqual(math.fsum(row["cpu"] for row in rows) / truth.around(), 1, delta=0.01)

    def check(self, kind, command=None, small=False, **calls):
        report, truth = self.run_kind(kind, command)
        self.assert_calls(report, truth, **calls)
        self.assert_workers(report, truth)
        if not small:
            self.assertGreaterEqual(math.fsum(truth.cpu(name) for name in calls), FLOOR)
            self.assert_around(report, truth)
        return report, truth

    def test_futures(self):
        report, truth = self.check("futures", work=24)
        self.assertEqual(self.value(report, "tasks_submitted_total"), 24)

    def test_delayed(self):
        report, _ = self.check("delayed", work=8, add=7)
        self.assertEqual(self.value(report, "tasks_submitted_total"), 15)

    def needs(self, *modules):
        """The collections of Dask are not everywhere; where the newest Dask is, all are."""
        if subprocess.run([PYTHON, "-c", "import " + ", ".join(modules)], capture_output=True).returncode == 0:
            return True
        self.assertEqual(PYTHON, "/usr/bin/python3", "scripts/make-dask-venv installs " + ", ".join(modules))
        return False

    def test_collections(self):
        for kind, modules, n in (("array", ("numpy",), 8), ("dataframe", ("pandas", "dask.dataframe"), 4)):
            with self.subTest(kind=kind):
                if not self.needs(*modules):
                    continue
                self.setUp()
                report, truth = self.run_kind(kind)
                # Dask may fuse what comes before and after into the same task: names and numbers are its own.
                self.assertEqual(truth.count()["part"], n)
                submitted = self.value(report, "tasks_submitted_total")
                self.assertGreaterEqual(submitted, n)
                self.assertEqual((self.value(report, "tasks_done_total"), len(report.rows("tasks"))), (submitted, submitted))
                if RELEASE:
                    self.assertGreaterEqual(math.fsum(row["cpu"] for row in report.rows("tasks") if "cpu" in row), truth.cpu("part"))
                self.assert_around(report, truth)
                self.assert_workers(report, truth)

    @before_release
    def test_as_completed(self):
        self.check("as_completed", work=10)

    def test_actors(self):
        """Calls of an actor are not tasks: their CPU time is that of its worker, outside of tasks, and its core time is not idle."""
        report, truth = self.run_kind("actors")
        self.assertEqual(self.attempts(report)["Counter"], 1)
        self.assertEqual(self.value(report, "tasks_lost_total"), 0)
        found = {(row["activity"], row["unit"]): row["value"] for row in report.rows("per_activity") if row["context"] == "actors"}
        self.assertEqual(found["calls", "count"], 11)
        self.assertEqual([row for row in report.rows("workers") if "computing" in row], [])
        self.assertGreaterEqual(found["thread-cpu", "seconds"], SCALE)
        computed = math.fsum(row["core_seconds"] for row in report.rows("core_time") if (row["window"], row["part"]) == ("run", "task.cpu"))
        self.assertGreaterEqual(computed, SCALE)
        self.assert_workers(report, truth)
        self.assertGreaterEqual(self.value(report, "worker_other_threads_cpu_seconds"), SCALE * 0.99)

    def test_async(self):
        """Tasks in the event loop have no thread: their CPU time is that of the loop, and not 0."""
        report, truth = self.run_kind("async")
        self.assertEqual(self.attempts(report)["waiting"], 10)
        self.assertEqual([row for row in report.rows("tasks") if row["category"] == "waiting" and "cpu" in row], [])
        self.assert_workers(report, truth)

    @before_release
    def test_threads(self):
        report, truth = self.check("threads", small=True, in_threads=6)
        self.assertGreaterEqual(self.value(report, "worker_other_threads_cpu_seconds"), 6 * 2 * 0.15 * SCALE * 0.99)

    @before_release
    def test_subprocess(self):
        report, truth = self.check("subprocess", small=True, in_process=5)
        children = math.fsum(end["children"] for end in truth.ends)
        self.assertGreaterEqual(children, FLOOR)
        self.assertGreaterEqual(self.value(report, "worker_children_cpu_seconds") / children, 0.99)
        assert_near(self, self.value(report, "worker_children_cpu_seconds") / children, 1, 0.01)

    def test_nested(self):
        self.check("nested", nested=4, work=4)

    @before_release
    def test_secede(self):
        self.check("secede", seceding=6)

    @before_release
    def test_tls(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"], cwd=self.directory, check=True,
                       capture_output=True)
        self.check("tls", work=10)

    def test_notebook(self):
        """IPython, as a notebook runs its cells. Repeated, it runs beside a load."""
        if not self.needs("IPython"):
            return
        for i in range(RUNS):
            with self.subTest(run=i):
                self.setUp()
                load = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(4 if RUNS > 1 else 0)]
                try:
                    self.check("notebook", [PYTHON, "-m", "IPython", "--"], work=10)
                finally:
                    for process in load:
                        process.kill()
                        process.wait()

    def test_adaptive(self):
        report, truth = self.run_kind("adaptive")
        self.assertGreaterEqual(truth.count()["work"], 20)
        self.assertEqual(self.value(report, "tasks_submitted_total"), 20)
        self.assertEqual(self.value(report, "tasks_done_total"), 20)
        self.assertGreaterEqual(self.attempts(report)["work"], 20)

    def test_retries(self):
        report, _ = self.check("retries", small=True, flaky=2)
        self.assertEqual((self.attempts(report, "done")["flaky"], self.attempts(report, "failed")["flaky"]), (1, 1))
        self.assertEqual({row["error"] for row in report.rows("tasks") if row["status"] == "failed"}, {"OSError"})

    def test_cancel(self):
        report, truth = self.run_kind("cancel")
        self.assertEqual(self.value(report, "tasks_submitted_total"), 6)
        self.assertEqual(self.value(report, "tasks_done_total"), 2)
        if self.has_fine:
            # Workers measure the threads of attempts that were cancelled.
            self.assertEqual(report.metrics["processor_cpu_time_seconds"]["completeness"], "complete",
                             report.metrics["processor_cpu_time_seconds"])
            parts = [row for row in report.rows("per_activity") if row["context"] == "cancelled" and row["unit"] == "seconds"]
            self.assertAlmostEqual(sum(row["value"] for row in parts), self.value(report, "cancelled_seconds"), delta=1e-6)
        self.assert_workers(report, truth)

    @before_release
    def test_cancel_last(self):
        report, truth = self.run_kind("cancel_last")
        self.assertEqual(self.value(report, "tasks_submitted_total"), 2)
        self.assertEqual(self.value(report, "tasks_cancelled_total"), 2)
        self.assertEqual([row.get("computing") for row in report.rows("workers")], [1, 1])
        self.assert_workers(report, truth)

    def test_killed_worker(self):
        report, truth = self.run_kind("killed")
        self.assertEqual(self.value(report, "tasks_submitted_total"), 1)
        self.assertEqual(self.attempts(report)["killing"], 1)
        self.assertEqual([row["signal"] for row in report.rows("workers") if row.get("cause") == "signal"], [9])
        self.assertEqual(len(report.rows("workers")), 3)

    @before_release
    def test_memory(self):
        report, truth = self.check("memory", small=True, large=1)
        self.assertGreater(self.value(report, "worker_memory_peak_bytes"), 300_000_000)

    @before_release
    def test_abrupt_exit(self):
        """After gather, each task that the script heard of has its row."""
        report, truth = self.run_kind("abrupt")
        self.assertEqual((truth.count()["work"], self.attempts(report)["work"]), (40, 40))

    def test_local_beside_dask(self):
        """Processes are not more workers, and CPU time and memory of a worker do not count twice."""
        script = self.script("matrix.py", "futures", self.directory)
        report = self.roast_run(script, "--backend=local")
        truth = Truth(self.directory)
        self.assertEqual(self.value(report, "workers_peak"), 2)
        self.assertIn("not the program's", report.metrics["workers_peak"]["note"])
        self.assert_workers(report, truth)
        self.assertEqual(len(report.rows("per_worker")), 2)
        workers = math.fsum(row["cpu"] for row in report.rows("workers"))
        self.assertAlmostEqual(self.value(report, "worker_cpu_seconds") - self.value(report, "worker_shutdown_cpu_seconds"), workers,
                               delta=0.001)
        # All processes, the two workers among them, once.
        self.assertGreater(self.value(report, "process_cpu_time_seconds"), workers)
        assert_below(self, self.value(report, "process_cpu_time_seconds"), workers + 10)

    def test_no_scheduler(self):
        """Why there may be none, and what to do."""
        path = os.path.join(self.directory, "refresh.py")
        with open(path, "w") as file:
            file.write("import dask, distributed\ndask.config.refresh(env={})\nif __name__ == '__main__':\n"
                       " with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=':0') as c: print('done')\n")
        report = self.roast_run([PYTHON, path])
        self.assertIn("dask.config.refresh", report.events("no-scheduler")[0])
        self.assertIn("roast-run inside this program", report.events("no-scheduler")[0])


if __name__ == "__main__":
    main()
