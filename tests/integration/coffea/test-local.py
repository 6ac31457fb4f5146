# SPDX-License-Identifier: BSD-3-Clause
"""The rows of an unedited analysis on this machine are exact, and it computes what it computes without roast."""

import os
import pickle
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from closeness import before_release
from coffearun import DATASETS, EVENTS, PYTHON, CoffeaTest, Files, read_metrics, total
from leftovers import Part


def tearDownModule():
    Files.remove()


class TestSame(CoffeaTest):
    def check(self, **options):
        bare = self.run_bare(**options)
        run = self.run_measured(**options)
        one, two = self.check_same(run, bare)
        self.assertEqual(one, two)
        self.check_whole(run)
        return run

    def test_iterative(self):
        run = self.check(savemetrics=1)
        metrics = read_metrics(run.stdout)
        self.check_whole(run, metrics["bytesread"])
        self.assertEqual(metrics["entries"], total(run.chunks(), "events"))
        call = run.call()
        self.assertEqual((call["executor"], call["processor"], call["schema"], call["chunk_size"]),
                         ("IterativeExecutor", "Analysis", "NanoAODSchema", 1000))
        self.assertTrue(call["framework"].startswith("coffea "))
        self.assertTrue(call["reader"].startswith("uproot "))
        self.check_preprocessing(run)

    def check_preprocessing(self, run):
        self.assertEqual(len(run.files()), 3 * len(DATASETS))
        self.assertEqual(run.call("preprocessing")["items"], 3 * len(DATASETS))
        self.assertEqual(len(run.rows("chunk_results")), len(run.chunks()))
        for row in run.files():
            self.assertGreater(row["bytes_read"], 0)
            self.assertNotIn("events", row)
        preprocessing, processing = run.call("preprocessing"), run.call()
        self.assertLessEqual(preprocessing["ended"], processing["started"])

    @before_release
    def test_result_types(self):
        for kind in ["int", "list", "set", "hist", "array", "tuple", "accumulator"]:
            with self.subTest(result=kind):
                self.check(result=kind)

    def test_kinds_of_runners(self):
        for options in [{"chunks": "premade", "processor_compression": 0, "compression": 0}, {"chunks": "run", "savemetrics": 1, "align": 1}]:
            with self.subTest(**options):
                self.check(**options)

    @before_release
    def test_callable(self):
        bare = self.run_bare(kind="callable")
        if bare[1] != 0:
            self.skipTest("this coffea takes classes only")
        run = self.run_measured(kind="callable")
        self.check_same(run, bare)
        self.check_whole(run)
        self.assertEqual(run.call()["processor"], "analyse")

    @before_release
    def test_whole_files(self):
        run = self.check(chunksize=10 * EVENTS)
        self.assertEqual({row["bytes"] == row["bytes_own"] for row in run.rows("chunk_branches")}, {True})

    def test_twice(self):
        run = self.run_measured(runs=2)
        calls = [row for row in run.rows("processing") if row["kind"] == "processing"]
        self.assertEqual(len(calls), 2)
        for call in calls:
            self.assertEqual(total(run.chunks(call=call["call"]), "events") * 2, total(run.chunks(), "events"))

    def test_checkpoints(self):
        options = {"checkpoints": "kept"}
        bare = self.run_bare(**options)
        if bare[1] != 0:
            self.skipTest("this coffea has no checkpoints")
        run = self.run_measured(**options)
        one, two = self.check_same(run, bare)
        self.assertEqual(one, two)
        self.check_whole(run)
        self.assertEqual(self.list_checkpoints(bare[0]), self.list_checkpoints(run.directory))
        run = self.run_measured(**options)  # everything is there already
        self.check_same(run, bare)
        self.assertEqual(len(run.chunks(cached=True, events=0, bytes_read=0, requests=0)), run.call()["items"])
        self.assertEqual(run.metrics["bytes_read_total"]["completeness"], "complete")
        self.assertEqual(len(run.confirmed()), run.call()["items"])

    def list_checkpoints(self, directory):
        found = {}
        top = os.path.join(directory, "kept")
        for directory, _, names in os.walk(top):
            for file in names:
                with open(os.path.join(directory, file), "rb") as opened:
                    found[os.path.relpath(os.path.join(directory, file), top)] = opened.read()
        self.assertNotEqual(found, {})
        return found


class TestExecutors(CoffeaTest):
    def check(self, **options):
        bare = self.run_bare(savemetrics=1, **{name: options[name] for name in ("result",) if name in options})
        run = self.run_measured(savemetrics=1, **options)
        one, two = self.check_same(run, bare)
        self.assertEqual(type(pickle.loads(one)) if options.get("result") == "int" else None,
                         type(pickle.loads(two)) if options.get("result") == "int" else None)
        self.check_whole(run, read_metrics(run.stdout)["bytesread"])
        return run

    def test_loky(self):
        run = self.check(executor="futures")
        self.assertNotIn(run.call()["pid"], {row["pid"] for row in run.chunks()})

    @before_release
    def test_fork_and_spawn(self):
        self.check(executor="futures", pool="fork", merging=1)
        self.check(executor="futures", pool="spawn", compression=0)

    @before_release
    def test_threads(self):
        run = self.check(executor="futures", pool="threads", processor_compression=0)
        self.assertEqual({row["pid"] for row in run.chunks()}, {run.call()["pid"]})

    @before_release
    def test_custom(self):
        self.assertEqual(self.check(executor="custom", result="int").call()["executor"], "Backwards")


if __name__ == "__main__":
    if not PYTHON:
        print("no Python with coffea: set the meson option coffea_python, for example to one that scripts/make-coffea-venv makes")
        sys.exit(77)
    unittest.main(verbosity=2, testLoader=Part())
