# SPDX-License-Identifier: BSD-3-Clause
"""Graphs of dask-awkward: each partition that uproot reads is a chunk, and the script knows nothing of it."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from coffearun import DATASETS, PYTHON, SCRIPTS, CoffeaTest, Files, events_of, read_metrics, total

BRANCHES = {"Jet_eta", "Jet_pt", "Muon_pt", "genWeight", "nJet", "nMuon"}  # that the graph reads


def tearDownModule():
    Files.remove()


def has_graphs():
    return PYTHON and subprocess.run([PYTHON, "-c", "import dask_awkward, dask_histogram, distributed"], capture_output=True).returncode == 0


class TestGraphs(CoffeaTest):
    script = os.path.join(SCRIPTS, "graph.py")

    def check_all(self, run, n_failed=0):
        """Each partition counts once, whatever was lost and repeated."""
        call = run.call()
        self.assertEqual((call["executor"], call["schema"]), ("dask-awkward", "NanoAODSchema"))
        confirmed = set(run.confirmed())
        self.assertEqual((call["confirmed"], len(confirmed)), (True, call["items"] - n_failed))
        chunks = [row for row in run.chunks() if row["chunk"] in confirmed]
        self.assertEqual(len(chunks), len(confirmed))
        for dataset in DATASETS:
            own = [row for row in chunks if row["dataset"] == dataset]
            self.assertEqual(total(own, "events"), events_of(dataset))
            self.assertEqual(len({row["file"] for row in own}), 3)
        self.assertEqual(len({(row["file"], row["entry_start"]) for row in chunks}), len(chunks))
        for row in chunks:
            self.assertEqual((row["events"], row["tree"]), (row["entry_stop"] - row["entry_start"], "Events"))
            self.assertLessEqual(row["open_time"], (row["ended"] - row["started"]) / 1e6 + 1e-6)
            self.assertNotIn("process_time", row)
            self.assertEqual(row["branches_read"], len(BRANCHES))
        self.assertEqual({row["branch"] for row in run.rows("chunk_branches")}, BRANCHES)
        self.assertEqual(run.metrics["events_total"]["completeness"], "complete")
        self.assertEqual(run.metrics["events_total"]["value"], sum(map(events_of, DATASETS)))
        return chunks

    def check_pickles(self, run, bare):
        """The graph's names and its pickle, too."""
        self.assertEqual(*self.check_same(run, bare))
        with open(os.path.join(bare[0], "graph.pickle"), "rb") as one, open(os.path.join(run.directory, "graph.pickle"), "rb") as two:
            self.assertEqual(one.read(), two.read())

    def test_in_process(self):
        bare = self.run_bare(report=1)
        for scheduler in ("sync", "threads"):
            with self.subTest(scheduler=scheduler):
                run = self.run_measured(scheduler=scheduler, report=1)
                self.check_pickles(run, bare)
                chunks = self.check_all(run)
                self.assertEqual(total(chunks, "bytes_read"), read_metrics(run.stdout)["bytesread"])
                branches = run.rows("branches")
                self.assertEqual(total(chunks, "needed_bytes_own"), total(branches, "bytes"))

    def test_processes(self):
        """Rows arrive, but identities do not come back."""
        run = self.run_measured(scheduler="processes")
        self.assertEqual(run.status, 0, run.stderr)
        self.assertIs(run.call()["confirmed"], False)
        self.assertNotIn(run.call()["pid"], {row["pid"] for row in run.chunks()})
        events = run.metrics["events_total"]
        self.assertEqual((events["value"], events["completeness"]), (sum(map(events_of, DATASETS)), "partial"))
        self.assertIn("at least", events["note"])

    def test_client(self):
        run = self.run_measured(scheduler="client", report=1)
        self.check_pickles(run, self.run_bare(report=1))
        chunks = self.check_all(run)
        self.assertEqual(total(chunks, "bytes_read"), read_metrics(run.stdout)["bytesread"])
        self.assertNotIn(run.call()["pid"], {row["pid"] for row in chunks})
        self.assertTrue(all("task" in row for row in chunks))

    def test_client_in_process(self):
        self.check_all(self.run_measured(scheduler="threads-client"))

    def test_killed_worker(self):
        run = self.run_measured(scheduler="client", kill=1)
        self.assertEqual(run.status, 0, run.stderr)
        self.assertTrue(os.path.exists(os.path.join(run.directory, "killed")))
        self.check_all(run)

    def test_futures(self):
        """The script takes the result of futures when it wants."""
        run = self.run_measured(scheduler="client", how="futures")
        self.assertEqual(run.status, 0, run.stderr)
        self.assertEqual(total(run.chunks(), "events"), sum(map(events_of, DATASETS)))
        self.assertEqual(run.metrics["events_total"]["completeness"], "partial")

    def test_bad_file(self):
        run = self.run_measured(scheduler="threads", bad=1, report=1)
        self.check_all(run, n_failed=1)
        failed = [row for row in run.chunks() if "error" in row]
        self.assertEqual([(row["error"], row["dataset"]) for row in failed], [("FileNotFoundError", "data")])

    def test_exception(self):
        options = {"scheduler": "threads", "fail": 1}
        bare, run = self.run_bare(**options), self.run_measured(**options)
        self.assertEqual((run.status, run.stderr.splitlines()[-2:]), (bare[1], bare[3].splitlines()[-2:]))
        self.assertEqual(run.status, 1)
        self.assertEqual((run.call()["confirmed"], run.call()["error"]), (False, "ValueError"))

    def test_some_partitions(self):
        run = self.run_measured(partitions=2)
        self.assertTrue(run.call()["confirmed"])
        self.assertEqual((run.call()["items"], len(run.chunks())), (2 * len(DATASETS), 2 * len(DATASETS)))


if __name__ == "__main__":
    if not has_graphs():
        print("no dask-awkward: it needs an older Dask than the newest coffea is tested with. Add a Python that scripts/make-coffea-venv "
              "makes to the meson option coffea_old_pythons")
        sys.exit(77)
    unittest.main(verbosity=2)
