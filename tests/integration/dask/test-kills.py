#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A process of roast-run is killed at any moment of a script with Dask: the script is unharmed, and the tasks that were done are in the
run file."""

import os

from daskrun import HERE, PYTHON, environment, main  # isort: skip (it finds the other modules)
import kills  # isort: skip


class TestKills(kills.Kills):
    options = ("-b", "dask", "-i", "0.5")
    environment = staticmethod(environment)
    seconds = 8
    workers = 2

    def command(self, account):
        return [PYTHON, os.path.join(HERE, "scripts", "steady-tasks.py"), os.path.dirname(HERE), account, "5"]

    def check_data(self, run, report, truth):
        tasks = {row["task"] for row in report.rows("tasks") if row["status"] == "done"}
        missing = [(time, what) for time, kind, what in truth if kind == "task" and what not in tasks]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    main()
