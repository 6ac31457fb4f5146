# SPDX-License-Identifier: BSD-3-Clause
"""coffea's chunks on Dask: exact with workers that inherit nothing, and when a worker is killed."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from closeness import before_release
from coffearun import DATASETS, LAST, PYTHON, CoffeaTest, Files, events_of, read_metrics, total
from leftovers import Part
from running import wait_until

OPTIONS = {"executor": "dask", "savemetrics": 1}


def tearDownModule():
    Files.remove()


class TestDask(CoffeaTest):
    def start_cluster(self):
        """A scheduler and two workers whose environment has nothing of the run."""
        environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        where = self.path("scheduler.json")
        for command in (["scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", where],
                        ["worker", "--scheduler-file", where, "--nworkers", "2", "--nthreads", "1", "--no-dashboard"]):
            process = subprocess.Popen([PYTHON, "-m", "distributed.cli.dask_" + command[0], *command[1:]], env=environment,
                                       cwd=self.directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.addCleanup(process.wait)
            self.addCleanup(process.terminate)
            wait_until(lambda: os.path.exists(where))
        return where

    def check_confirmed(self, run):
        confirmed = set(run.confirmed())
        counted = [row for row in run.chunks() if row["chunk"] in confirmed]
        self.assertEqual(len(counted), run.call()["items"])
        self.assertEqual(total(counted, "events"), sum(map(events_of, DATASETS)))
        return counted

    def test_local_cluster(self):
        run = self.run_measured(arguments=["--backend=dask"], **OPTIONS)
        self.check_same(run, self.run_bare(savemetrics=1))
        self.check_whole(run, read_metrics(run.stdout)["bytesread"])
        self.assertEqual({row["task"].rpartition("-")[0] for row in run.chunks()}, {"Analysis"})
        self.assertEqual(len({row["task"] for row in run.chunks()}), len(run.chunks()))
        # Nobody named the processor.
        categories = run.tables["categories"]["data"]
        roles = dict(zip(categories["category"], categories["role"]))
        self.assertEqual((roles["Analysis"], roles["automatic_retries"]), ("analysis", "framework"))

    def test_empty_environment(self):
        """Nothing is installed on the workers, and they cannot reach the run's socket: rows are events of Dask."""
        options = {**OPTIONS, "cluster": self.start_cluster()}
        run = self.run_measured(treereduction=2, **options)
        self.check_same(run, self.run_bare(savemetrics=1))
        self.check_whole(run, read_metrics(run.stdout)["bytesread"])
        self.assertEqual({row["chunk"][0] for row in run.chunks()}, {"d"})
        self.assertEqual(len(run.files()), 3 * len(DATASETS))

    def test_killed_worker(self):
        run = self.run_measured(kill=f"{LAST}:0", **OPTIONS)
        self.assertEqual(run.status, 0, run.stderr)
        self.assertTrue(os.path.exists(os.path.join(run.directory, "killed")))
        self.check_confirmed(run)
        # The attempt that was under way has no row. On a busy machine, the scheduler's last data may be missing as well.
        for name in ("chunks_wasted_total", "chunks_wasted_bytes_total"):
            metric = run.metrics[name]
            self.assertRegex(metric["note"], "a lower bound: .* lost with a worker")
            has_ended_early = "the scheduler did not send its last data" in metric["note"]
            self.assertEqual(metric["completeness"], "estimated" if has_ended_early else "partial")

    @before_release
    def test_data_frames(self):
        """The result cannot say which attempts are in it: Dask's tasks do."""
        options = {"executor": "dask", "dataframes": 1, "result": "frame"}
        bare = self.run_bare(**options)
        if bare[1] != 0:
            self.skipTest("this coffea makes no data frames with this Dask: " + bare[3].splitlines()[-1])
        run = self.run_measured(kill=f"{LAST}:0", **options)
        self.assertEqual(*self.check_same(run, bare))
        self.assertTrue(os.path.exists(os.path.join(run.directory, "killed")))
        self.assertTrue(run.call()["confirmed"])
        self.check_confirmed(run)

    @before_release
    def test_retries(self):
        run = self.run_measured(fail="once", retries=2, **OPTIONS)
        if run.status != 0:
            self.skipTest("this coffea retries otherwise")
        self.check_confirmed(run)
        self.assertEqual([row["error"] for row in run.chunks() if "error" in row], ["OSError"])


if __name__ == "__main__":
    if not PYTHON:
        print("no Python with coffea: set the meson option coffea_python, for example to one that scripts/make-coffea-venv makes")
        sys.exit(77)
    unittest.main(verbosity=2, testLoader=Part())
