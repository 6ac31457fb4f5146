# SPDX-License-Identifier: BSD-3-Clause
"""Executors with types of results, in the release tier all pairs, and each of both with savemetrics, compression, merging and more: exact,
and as without roast."""

import ast
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from closeness import RELEASE
from coffearun import BRANCHES, DATASETS, EVENTS, PYTHON, SCRIPTS, CoffeaTest, Files, total

EXECUTORS = ["iterative", "fork", "bare", "custom", "processes", "spawn", "threads", "dask"]  # forks before there are threads
RESULTS = 8 if RELEASE else 4  # of each executor
ITEMS = sum(EVENTS + 137 * DATASETS.index(name) for name in ("data", "ttbar"))


def tearDownModule():
    Files.remove()


class TestPairs(CoffeaTest):
    script = os.path.join(SCRIPTS, "pairs.py")

    def test_pairs(self):
        bare = self.run_bare(argument="iterative")
        self.assertEqual(bare[1], 0, bare[3])
        run = self.run_measured(argument=",".join(EXECUTORS + ([] if RELEASE else ["half"])))
        self.assertEqual(run.status, 0, run.stderr)
        expected, found = ([line.split("\t") for line in lines] for lines in (bare[2], run.stdout))
        by_type = {line[1]: line for line in expected}
        self.assertEqual([line[1:4] for line in found], [by_type[line[1]][1:4] for line in found])
        self.assertEqual({line[1] for line in found}, set(by_type))
        calls = sorted((row for row in run.rows("processing") if row["kind"] == "processing"), key=lambda row: row["started"])
        self.assertEqual((len(calls), len(found)), (len(EXECUTORS) * RESULTS,) * 2)
        metrics = [ast.literal_eval(line[4]) for line in expected]
        by_call = {}
        for row in run.chunks():
            by_call.setdefault(row["call"], []).append(row)
        for line, call in zip(found, calls):
            with self.subTest(executor=line[0], result=line[1]):
                self.check_call(run, call, by_call[call["call"]], ast.literal_eval(line[4]))
        bytes_read = {total(by_call[call["call"]], "bytes_read") for call in calls}
        self.assertLessEqual({one["bytesread"] for one in metrics if one}, bytes_read)
        self.assertEqual({row["branch"] for row in run.rows("chunk_branches")}, BRANCHES)

    def check_call(self, run, call, chunks, metrics):
        self.assertIs(call["confirmed"], True)
        self.assertEqual(total(chunks, "events"), ITEMS)
        self.assertEqual(len(chunks), call["items"])
        confirmed = [row["chunk"] for row in run.rows("chunk_results") if row["call"] == call["call"]]
        self.assertEqual(sorted(confirmed), sorted(row["chunk"] for row in chunks))
        self.assertNotIn(None, [row.get("reader") for row in chunks])
        if metrics is not None:
            self.assertEqual([total(chunks, "bytes_read"), total(chunks, "events"), len(chunks)],
                             [metrics[name] for name in ("bytesread", "entries", "chunks")])


if __name__ == "__main__":
    if not PYTHON:
        print("no Python with coffea: set the meson option coffea_python, for example to one that scripts/make-coffea-venv makes")
        sys.exit(77)
    unittest.main(verbosity=2)
