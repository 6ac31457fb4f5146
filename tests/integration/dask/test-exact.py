#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every worker, task and second of an unedited script: compared with the workers' own numbers, to the last bit. With ROAST_DASK_RUNS=N
each way to run it is run N times."""

import os
import re

from daskrun import DaskTest, main, read_around  # isort: skip (it finds the other modules)
from closeness import before_release  # isort: skip

RUNS = int(os.environ.get("ROAST_DASK_RUNS", "1"))


class Exact(DaskTest):
    def run_analysis(self, how, n, contexts=None):
        report = self.roast_run(self.script("analysis.py", how, n, self.directory))
        n_work = (8 * n if n < 10 else 2 * n) * (2 if how == "scale" and n == 1 else 1) + (8 if how == "scale" else 0)
        tasks = [row for row in report.rows("tasks") if row["category"] == "work"]
        self.assertEqual(len({(row["task"], row["attempt"]) for row in tasks}), len(tasks))
        self.assertGreaterEqual(len(tasks), n_work)
        failed = [row for row in report.rows("tasks") if row["status"] == "failed"]
        self.assertEqual({row["error"] for row in failed}, {"ValueError"})
        for row in report.rows("workers"):
            self.assertIn("left", row)
            self.assertEqual(row.get("tail_lost", 0), 0, row)
            self.assertGreater(row["pid"], 0)
            self.assertEqual(row["pid_namespace"], os.stat("/proc/self/ns/pid").st_ino)
        self.assertEqual(report.events("worker-lost"), [])
        self.assertEqual(len(report.rows("sources")), 1)
        if self.has_fine:
            self.assert_exact(report, contexts)
            if how != "scale":
                self.assert_known_time(report)
        else:
            self.assertEqual(report.activities(), {})
            self.assertIn("not available: Dask 2022.12 has no spans", report.rows("sources")[0]["capabilities"])
            self.assertIn("Dask 2022.12 does not measure", report.rows("sources")[0]["activities_missing"])
        return report

    def assert_known_time(self, report):
        """Dask measures a task from before its function to after the size of its result is known. That is more than the function measures
        of itself, and less than what is measured around it. Wall times are of two clocks, of which the system adjusts one."""
        cpu, wait = map(float, re.search(r"cpu (\S+) wait (\S+)", self.result.stdout).groups())
        most_cpu, most_wall = read_around(self.directory, "work")
        found = report.total("thread-cpu", category="work")
        wall = found + report.total("thread-noncpu", category="work")
        self.assertGreaterEqual(found, cpu)
        self.assertLessEqual(found, most_cpu)
        self.assertGreaterEqual(wall, (cpu + wait) * 0.999)
        self.assertLessEqual(wall, most_wall * 1.001)

    def each_run(self, how, n, **more):
        for i in range(RUNS):
            with self.subTest(run=i):
                self.setUp()
                self.run_analysis(how, n, **more)

    def test_one_process(self):
        self.each_run("processes", 1)

    def test_three_processes(self):
        self.each_run("processes", 3)

    @before_release
    def test_threads(self):
        self.each_run("threads", 4)

    def test_twelve_workers(self):
        self.each_run("threads", 12)

    @before_release
    def test_sixty_workers(self):
        self.each_run("threads", 60)

    def test_scaled_down_in_the_middle(self):
        self.each_run("scale", 3)

    def test_script_that_does_not_close_its_cluster(self):
        self.each_run("at-once", 2)

    def test_separate_processes(self):
        # Workers end after the scheduler asked them for the last time: data that they send to each other in between are missing.
        self.each_run("separate", 2, contexts=("execute", "shuffle", "shuffle-tasks"))


if __name__ == "__main__":
    main()
