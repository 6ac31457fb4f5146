# SPDX-License-Identifier: BSD-3-Clause
"""Calls of coffea's executors that are not all the chunks of one Runner in the script: what they process is exact, too."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from coffearun import PYTHON, SCRIPTS, CoffeaTest, Files


def tearDownModule():
    Files.remove()


class TestCalls(CoffeaTest):
    script = os.path.join(SCRIPTS, "calls.py")

    def measure(self, mode, **more):
        run = self.run_measured(argument=mode, **more)
        self.assertEqual(run.status, 0, run.stderr)
        return run, json.loads(run.stdout[-1])

    def check_metric(self, run, name, value):
        metric = run.metrics[name]
        self.assertEqual((metric["value"], metric["completeness"]), (value, "complete"), metric["note"])

    def test_runner_in_process(self):
        run, result = self.measure("nested")
        self.check_metric(run, "events_total", result["events"])

    def test_gaps(self):
        run, result = self.measure("gaps")
        self.check_metric(run, "needed_bytes_total", result["needed"])
        ratio = run.metrics["bytes_read_total"]["value"] / result["needed"]
        self.assertAlmostEqual(run.metrics["read_amplification_ratio"]["value"], ratio)
        self.assertAlmostEqual(run.rows("per_file")[0]["amplification"], ratio)

    def test_trees(self):
        run, result = self.measure("trees")
        self.check_metric(run, "events_total", result["events"])
        self.assertEqual({os.path.basename(row["file"]) for row in run.rows("files")}, {"trees.root:Small", "trees.root:Large"})
        self.assertEqual([row["branches"] for row in run.rows("per_file")], [1, 1])

    def test_runner_in_task(self):
        """The task is executed again after its call returned: one of both counts."""
        run, result = self.measure("task")
        self.assertTrue(os.path.exists(os.path.join(run.directory, "killed")))
        metric = run.metrics["events_total"]
        self.assertEqual(metric["value"], result["events"])
        self.assertGreater(run.metrics["chunks_wasted_total"]["value"], 0)

    def test_failed_fileset(self):
        """A second analysis by the same class repairs nothing; the fileset has the metadata that JSON can hold."""
        run, _ = self.measure("metadata", arguments=["-e", "failed:failed.json"])
        with open(os.path.join(run.directory, "failed.json")) as file:
            filesets = json.load(file)
        self.assertEqual(set(filesets), {"data", "ttbar"})
        self.assertEqual(filesets["data"]["metadata"], {"lumi": 2.5, "cuts": [1, 2]})
        self.assertEqual(list(filesets["ttbar"]["metadata"]), ["roast"])
        for fileset in filesets.values():
            (file,) = fileset["files"].values()
            self.assertEqual(file["object_path"], "Events")
            self.assertGreater(file["steps"][0][0], 0)


if __name__ == "__main__":
    if not PYTHON:
        print("no Python with coffea: set the meson option coffea_python, for example to one that scripts/make-coffea-venv makes")
        sys.exit(77)
    unittest.main(verbosity=2)
