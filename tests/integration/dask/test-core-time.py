#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where the offered core time went, beside what the tasks themselves measured."""

import collections
import json
import math
import os

from daskrun import DaskTest, main  # isort: skip (it finds the other modules)
from closeness import RELEASE  # isort: skip


STRETCHES = ["startup", "ramp", "steady", "tail", "shutdown"]


class CoreTime(DaskTest):
    def setUp(self):
        super().setUp()
        path = os.path.join(self.directory, "truth")
        self.report = self.roast_run(self.script("core-time.py", path))
        with open(path) as file:
            lines = [json.loads(line) for line in file]
        self.cpu = collections.defaultdict(float)
        self.wall = collections.defaultdict(float)
        for kind, cpu, wall in lines:
            self.cpu[kind] += cpu
            self.wall[kind] += wall
        self.n = len(lines)

    def test_parts(self):
        rows = [row for row in self.report.rows("core_time") if row["window"] == "run"]
        parts = collections.defaultdict(float)
        for row in rows:
            self.assertGreater(row["core_seconds"], 0)
            parts[row["part"]] += row["core_seconds"]
        self.assertAlmostEqual(math.fsum(row["share"] for row in rows), 1, delta=1e-9)
        self.assertEqual(self.n, 24 + 2 + 2 + 2)

        workers = self.report.rows("workers")
        self.assertEqual(len(workers), 2)
        offered = math.fsum(row["cores"] * (row["left"] - row["joined"]) / 1e6 for row in workers)
        self.assertAlmostEqual(math.fsum(parts.values()), offered, delta=1e-6 * offered)
        self.assertAlmostEqual(self.report.metrics["worker_core_seconds"]["value"], offered, delta=1e-6 * offered)

        if RELEASE:
            self.check_parts(parts, offered)

        tasks = math.fsum(seconds for part, seconds in parts.items() if part.startswith(("lost.", "task.", "framework.")))
        self.assertAlmostEqual(self.report.metrics["core_efficiency_ratio"]["value"], tasks / offered, delta=1e-9)
        lost = math.fsum(seconds for part, seconds in parts.items() if part.startswith("lost."))
        self.assertAlmostEqual(self.report.metrics["wasted_core_seconds"]["value"], lost, delta=1e-9)

        stretches = self.report.rows("stretches")
        self.assertEqual([row["name"] for row in stretches], [name for name in STRETCHES if name in {row["name"] for row in stretches}])
        for row, following in zip(stretches, stretches[1:]):
            self.assertEqual(row["ended"], following["started"])
        [work] = [row for row in self.report.rows("windows") if row["kind"] == "work"]
        self.assertEqual((work["started"], work["ended"]), (stretches[0]["ended"], stretches[-1]["started"]))

    def check_parts(self, parts, offered):
        """Near what the tasks measured. On a busy machine tasks begin before their worker has the probe, and parts of them are unknown."""
        # 1 % of what was offered, and of the task what its worker does around its function.
        near = 0.01 * offered + 0.005 * self.n
        in_tasks = self.wall["work"] + self.wall["delegate"]
        self.assertAlmostEqual(parts["task.cpu"], self.cpu["work"] + self.cpu["delegate"], delta=near)
        self.assertAlmostEqual(parts["lost.failed"], self.wall["fail"], delta=near)
        self.assertAlmostEqual(parts["lost.retried"], self.wall["once"], delta=near)
        self.assertAlmostEqual(parts["task.cpu"] + parts["task.other_threads"] + parts["task.wait"], in_tasks, delta=near)
        if self.report.processes():
            # Two tasks each wait for another thread that computes 1 s; a worker has threads of its own as well.
            self.assertAlmostEqual(parts["task.other_threads"], 2, delta=near)
        self.assertGreaterEqual(parts["idle.no_work"], 4 * 2)
        self.assertEqual([part for part in parts if part in ("unknown", "task.unsplit", "idle.no_fit", "idle.undetermined")], [])
        self.assertEqual([row["name"] for row in self.report.rows("stretches")], STRETCHES)


if __name__ == "__main__":
    main()
