#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where the cores of a process tree went, beside what the processes themselves know."""

import collections
import json
import math
import os
import unittest

from closeness import RELEASE, assert_near
from running import InDirectory, roast_run

# Computes, lets a child compute, sleeps, and writes the CPU time of both as the kernel counted it.
PROGRAM = r"""
import json, os, resource, subprocess, sys, time

BURN = "import time\nwhile time.process_time() < 1: pass\nimport resource\nusage = resource.getrusage(resource.RUSAGE_SELF)\n"
exec(BURN)
if len(sys.argv) > 1:
    subprocess.run([sys.argv[1], "-c", BURN], check=True)
    time.sleep(1)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps([usage.ru_utime + usage.ru_stime for usage in used]))
"""


class CoreTime(InDirectory):
    def test_tree(self):
        child = self.path("other-name")
        os.symlink("/usr/bin/python3", child)
        result = roast_run("--no-save", "--backend=local", "--interval=0.1", "-e", "json:" + self.path("report.json"), "--", "python3", "-c",
                           PROGRAM, child)
        self.assertEqual(result.returncode, 0, result.stderr)
        own, others = json.loads(result.stdout)
        report = json.loads(self.read("report.json"))
        data = report["report_tables"]["core_time"]["data"]
        rows = [row for row in (dict(zip(data, cells)) for cells in zip(*data.values())) if row["window"] == "run"]
        parts = collections.defaultdict(float)
        for row in rows:
            self.assertGreater(row["core_seconds"], 0)
            parts[row["part"], row["detail"]] += row["core_seconds"]
        metrics = {name: metric["value"] for name, metric in report["metrics"].items()}
        offered = metrics["cores_available"] * metrics["elapsed_time_seconds"]
        near = 0.01 * offered + 0.02

        self.assertAlmostEqual(math.fsum(row["share"] for row in rows), 1, delta=1e-9)
        self.assertAlmostEqual(math.fsum(parts.values()), offered, delta=1e-6 * offered)
        cpu = {detail: seconds for (part, detail), seconds in parts.items() if part == "task.cpu"}
        # The kernel's account of a process has ticks of 10 ms.
        self.assertGreaterEqual(math.fsum(cpu.values()), own + others - 0.02)
        self.assertGreaterEqual(cpu["other-name"], others - 0.02)
        assert_near(self, math.fsum(cpu.values()), own + others, near)
        assert_near(self, cpu["other-name"], others, near)
        self.assertAlmostEqual(metrics["slot_cpu_ratio"], metrics["cpu_efficiency_ratio"], delta=1e-9)
        # While it slept, it used no core.
        self.assertGreater(parts["idle.no_work", None], 0)
        if RELEASE:
            self.assertGreaterEqual(parts["idle.no_work", None], metrics["cores_available"] * 1 * 0.99)
        self.assertEqual({part for part, _ in parts} - {"task.cpu", "task.wait", "idle.no_work"}, set())


if __name__ == "__main__":
    unittest.main(verbosity=2)
