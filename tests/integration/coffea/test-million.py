# SPDX-License-Identifier: BSD-3-Clause
"""More than a million events, unedited, with each backend: exact, as coffea counts without roast, and the reports agree."""

import ast
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from coffearun import ALL_EVENTS, BRANCHES, DATASETS, PYTHON, CoffeaTest, Files, read_metrics, total

# These do not depend on when and where a chunk was processed.
SAME = ["events_total", "chunks_total", "bytes_read_total", "chunks_failed_total", "chunks_wasted_total", "chunks_skipped_total",
        "preprocessing_files_total", "needed_bytes_total", "branches_read_total", "read_requests_total", "uncompressed_bytes_total",
        "read_amplification_ratio", "read_compression_ratio"]
COLUMNS = ["dataset", "chunks", "failed", "events", "bytes_read", "wasted"]


def tearDownModule():
    Files.remove()


class TestMillion(CoffeaTest):
    def test_reports_agree(self):
        options = {"chunksize": 25000}
        bare = self.run_bare(savemetrics=1, **options)
        metrics = read_metrics(bare[2])
        touched = {column.partition("-")[0] for column in ast.literal_eval(bare[2][0][bare[2][0].rindex("[") :])}
        self.assertEqual(touched, BRANCHES)
        local = self.run_measured(executor="futures", **options)
        self.check_report(local, bare, metrics)
        dask = self.run_measured(arguments=["--backend=dask"], executor="dask", **options)
        self.check_report(dask, bare, metrics)
        for name in SAME:
            self.assertEqual(local.metrics[name], dask.metrics[name], name)
        self.assertEqual(*({name: run.tables["per_dataset"]["data"][name] for name in COLUMNS} for run in (local, dask)))

    def check_report(self, run, bare, metrics):
        self.assertEqual((run.status, run.stdout[-1]), (0, bare[2][-1]), run.stderr)
        self.check_whole(run, metrics["bytesread"])
        self.assertGreater(ALL_EVENTS, 1_000_000)
        for name, value in {"events_total": ALL_EVENTS, "bytes_read_total": metrics["bytesread"], "chunks_total": metrics["chunks"],
                            "preprocessing_files_total": 12, "branches_read_total": len(BRANCHES)}.items():
            self.assertEqual((run.metrics[name]["value"], run.metrics[name]["completeness"]), (value, "complete"), name)
        datasets = run.tables["per_dataset"]["data"]
        self.assertEqual(sorted(datasets["dataset"]), DATASETS)
        self.assertEqual(sum(datasets["events"]), metrics["entries"])
        self.assertEqual(len(set(run.tables["per_file"]["data"]["file"])), 12)
        self.assertEqual(total(run.chunks(), "events"), ALL_EVENTS)


if __name__ == "__main__":
    if not PYTHON:
        print("no Python with coffea: set the meson option coffea_python, for example to one that scripts/make-coffea-venv makes")
        sys.exit(77)
    unittest.main(verbosity=2)
