# SPDX-License-Identifier: BSD-3-Clause
"""roast.coffea with a real analysis: records of chunks beside what uproot says, and roastcoffea's notebook. It runs in a Python that has
coffea and Dask."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

os.environ.setdefault("ROAST_COFFEA_PYTHON", sys.executable)
os.environ.setdefault("MPLBACKEND", "Agg")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python"))
import awkward
import uproot
from coffea import processor
from coffea.nanoevents import NanoAODSchema
from coffearun import SCRIPTS, Files, events_of
from roast.coffea import MetricsCollector, plot_bytes_accessed_per_chunk, plot_throughput_timeline, track_metrics, track_time

PACKAGE = str(pathlib.Path(__file__).resolve().parents[3] / "python")
NanoAODSchema.warn_missing_crossrefs = False
CHUNK = 400


def setUpModule():
    Files.make()


def tearDownModule():
    Files.remove()


def get_path(name):
    return os.path.join(Files.directory, f"{name}.root")


class Jets(processor.ProcessorABC):
    @track_metrics
    def process(self, events):
        with track_time(self, "jets"):
            jets = events.Jet[events.Jet.pt > 30]
        return {"events": len(events), "sum": float(awkward.sum(jets.pt))}

    def postprocess(self, accumulator):
        return accumulator


class TestRecords(unittest.TestCase):
    def run_jets(self, chunksize):
        """Two files of two datasets."""
        fileset = {name: {"files": {get_path(f"{name}-1"): "Events"}} for name in ("data", "ttbar")}
        instance = Jets()
        with MetricsCollector(None, processor_instance=instance) as collector:
            executor = processor.IterativeExecutor(status=False)
            runner = processor.Runner(executor=executor, savemetrics=True, schema=NanoAODSchema, chunksize=chunksize)
            output, report = runner(fileset, processor_instance=instance, treename="Events")
            collector.extract_metrics_from_output(output)
            collector.set_coffea_report(report)
        return collector, output

    def check_file(self, record, tree):
        """What is of the whole file."""
        branches = [tree["Jet_pt"], tree["nJet"]]
        accessed = sum(branch.compressed_bytes for branch in branches)
        self.assertEqual(record["accessed_branches"], ["Jet_pt", "nJet"])
        self.assertEqual(record["accessed_bytes"], accessed)
        self.assertEqual(record["accessed_uncompressed_bytes"], sum(branch.uncompressed_bytes for branch in branches))
        self.assertAlmostEqual(record["branches_read_percent"], 100 * 2 / len(tree.keys()))
        self.assertAlmostEqual(record["bytes_read_percent"], 100 * accessed / tree.compressed_bytes)
        self.assertEqual(record["file_metadata"], {
            "filename": record["file"], "compression_ratio": tree.compressed_bytes / tree.uncompressed_bytes,
            "total_branches": len(tree.keys()), "total_tree_bytes": tree.compressed_bytes})

    def test_chunks(self):
        """Sizes of branches are those in the file; a chunk needs the bytes that uproot asks for, and they are known without reading."""
        collector, output = self.run_jets(CHUNK)
        records = collector.chunk_metrics
        self.assertEqual(output["events"], sum(record["num_events"] for record in records))
        self.assertGreater(len(records), 6)
        trees = {get_path(f"{name}-1"): uproot.open(get_path(f"{name}-1"))["Events"] for name in ("data", "ttbar")}
        for record in records:
            self.check_file(record, trees[record["file"]])
            self.assertEqual(record["needed_bytes"], record["bytes_read"])
            self.assertLess(record["needed_bytes"], record["accessed_bytes"])
            self.assertNotIn("needed_uncompressed_bytes", record)
            self.assertGreater(record["timing"]["jets"], 0)
        # coffea's own sum has the opening of files besides.
        self.assertGreater(collector.coffea_report["bytesread"], sum(record["bytes_read"] for record in records))
        metrics = collector.get_metrics()
        self.assertEqual(set(metrics["file_read_metrics"]), set(trees))
        self.assertEqual(sorted(metrics["compression_ratios"]), sorted(tree.compressed_bytes / tree.uncompressed_bytes for tree in trees.values()))
        self.assertEqual(metrics["total_branches_read"], 2)
        self.assertEqual(metrics["total_events"], output["events"])
        _, ax = plot_bytes_accessed_per_chunk(records)
        self.assertEqual([bar.get_height() for bar in ax.patches], [record["bytes_read"] / 1e6 for record in records])
        fig, _ = plot_throughput_timeline(metrics["chunk_info"])
        self.assertEqual(len(fig.axes), 1)

    def test_whole_files(self):
        """A chunk that is a file needs all baskets."""
        collector, _ = self.run_jets(1_000_000)
        self.assertEqual(len(collector.chunk_metrics), 2)
        for record in collector.chunk_metrics:
            self.assertEqual(record["needed_bytes"], record["accessed_bytes"])
            self.assertEqual(record["needed_uncompressed_bytes"], record["accessed_uncompressed_bytes"])


class TestNotebook(unittest.TestCase):
    def find(self, pattern):
        found = re.search(pattern, self.stdout, re.MULTILINE)
        self.assertIsNotNone(found, f"{pattern} is not in:\n{self.stdout}")
        return found.group(1)

    def test_fine_metrics(self):
        """roastcoffea's notebook runs to its end with other imports, on a cluster of Dask, and shows what was measured."""
        environment = {**os.environ, "PYTHONPATH": PACKAGE, "COLUMNS": "120", "PYTHONWARNINGS": "ignore"}
        script = os.path.join(SCRIPTS, "fine-metrics.py")
        result = subprocess.run([sys.executable, script, get_path("ttbar-0")], capture_output=True, text=True, timeout=240, env=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.stdout = result.stdout
        events = uproot.open(get_path("ttbar-0"))["Events"].num_entries
        self.assertLess(events, events_of("ttbar"))
        self.assertEqual(self.find(r"^Events: (\d+), jets"), str(events))
        self.assertEqual(self.find(r"Total Events\W+([\d,]+)").replace(",", ""), str(events))
        self.assertEqual(self.find(r"Peak Workers\W+(\d+)"), "2")
        # The processor's CPU time is that of Dask's tasks of its name.
        cpu = float(self.find(r"\('execute', 'JetAnalysisProcessor', 'thread-cpu', 'seconds'\): ([\d.e-]+)"))
        self.assertGreater(cpu, 0)
        self.assertEqual(self.find(r"^Processor CPU Time: ([\d.]+) seconds"), f"{cpu:.2f}")
        self.assertEqual(self.find(r"Task: JetAnalysisProcessor\n +CPU time: ([\d.]+)s"), f"{cpu:.3f}")
        bars = int(self.find(r"^Successfully created CPU/Non-CPU plot of (\d+) bars"))
        tasks = len(re.findall(r"^ +\('execute', '(?!N/A)[^']+', 'thread-cpu'", self.stdout, re.MULTILINE))
        self.assertEqual(bars, 2 * tasks)
        self.find(r"^(Could not create bytes read plot: No per-task disk-read metrics)")  # as the notebook's own output has it
        for label in "Standard Analysis", "CPU-Heavy Analysis":
            for column in range(3):  # elapsed, CPU, other: each was measured
                self.assertGreater(float(self.find(rf"^{label}" + r" +[\d.e-]+" * column + r" +([\d.e-]+)")), 0)
        self.find("^(Cluster closed)")


if __name__ == "__main__":
    unittest.main()
