#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A process of roast-run is killed at any moment: the program is unharmed, and its run file has everything that is older than two seconds."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kills
from leftovers import guard

STEADY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "steady.py")


class TestKills(kills.Kills):
    options = ("-i", "0.25")

    def command(self, account):
        return [sys.executable, STEADY, account, str(self.seconds)]

    def count(self, account):
        chunks = sum(kind == "chunk" for _, kind, _ in account)
        return {"chunks_total": chunks, "events_total": 1000 * chunks}

    def check_order(self, report, truth):
        chunks = [row["file"] for row in report.rows("chunks")]
        # The last one may have been sent, and not be in the account yet.
        done = [what for _, kind, what in truth if kind == "chunk"]
        self.assertEqual(chunks[:len(done)], done[:len(chunks)])

    def check_data(self, run, report, truth):
        chunks = {row["file"] for row in report.rows("chunks")}
        missing = [what for _, kind, what in truth if kind == "chunk" and what not in chunks]
        self.assertEqual(missing, [])
        processes = {str(row.get("pid")) for row in report.rows("processes")}
        missing = [what for _, kind, what in truth if kind == "process" and what not in processes]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    guard(lambda: unittest.main(verbosity=2))
