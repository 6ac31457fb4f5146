#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A process of roast-run is killed at any moment of a workflow of TaskVine: the workflow is unharmed, and the tasks that were done are in
the run file."""

import os

from vinerun import HERE, PYTHON, VineTest, environment, inside, main  # isort: skip (it finds the other modules)
import kills  # isort: skip


class TestKills(kills.Kills):
    options = ("-b", "taskvine", "-i", "0.5")
    environment = staticmethod(environment)
    seconds = 8
    delay = 0.5
    workers = 2

    @classmethod
    def setUpClass(cls):
        VineTest.setUpClass()
        super().setUpClass()

    def command(self, account):
        script = os.path.join(HERE, "scripts", "steady-tasks.py")
        return inside(os.path.dirname(account), [PYTHON, script, os.path.dirname(HERE), account, "5"])

    def check_data(self, run, report, truth):
        tasks = {row["task"] for row in report.rows("tasks") if row["status"] == "done"}
        missing = [(time, what) for time, kind, what in truth if kind == "task" and what not in tasks]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    main()
