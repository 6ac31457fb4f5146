#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast.coffea answers what roastcoffea 0.1.2 answers, and keeps measurements safely."""

import contextlib
import datetime
import io
import json
import math
import os
import pathlib
import re
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from golden import CASES, load_case
from roast.coffea import (
    MetricsAggregator,
    format_chunk_metrics_table,
    format_fine_metrics_table,
    get_parser,
    load_measurement,
    print_summary,
    save_measurement,
)

TESTS = pathlib.Path(__file__).resolve().parent.parent
TOLERANCE = 1e-9  # sums in another order


def write_key(key):
    return json.dumps(list(key)) if isinstance(key, tuple) else str(key)


class TestAggregator(unittest.TestCase):
    maxDiff = None

    def compare(self, found, expected, path):
        if isinstance(expected, dict):
            found = {write_key(key): value for key, value in found.items()}
            self.assertEqual(sorted(found), sorted(expected), path)
            for key, value in expected.items():
                self.compare(found[key], value, f"{path}/{key}")
        elif isinstance(expected, list):
            self.assertEqual(len(found), len(expected), path)
            for index, value in enumerate(expected):
                self.compare(found[index], value, f"{path}/{index}")
        elif isinstance(expected, float) and found is not None:
            self.assertTrue(math.isclose(found, expected, rel_tol=TOLERANCE, abs_tol=1e-12), f"{path}: {found} {expected}")
        else:
            self.assertEqual(found, expected, path)

    def test_golden(self):
        self.assertEqual(len(CASES), 10)
        for name in CASES:
            with self.subTest(name):
                arguments, expected = load_case(name)
                found = MetricsAggregator("dask").aggregate(**arguments)
                raw = {key: found.pop(key) for key in list(found) if key.startswith("raw_") or key == "tracking_data"}
                self.compare(found, expected, name)
                for key, value in raw.items():
                    self.assertIs(value, arguments.get(key[4:] if key.startswith("raw_") else key))

    def test_incomplete_records(self):
        """A record without a field does not spoil the others."""
        chunks = [{"duration": 2.0, "num_events": 10}, {"num_events": 20}, {"duration": None, "num_events": None}, {}]
        metrics = MetricsAggregator().aggregate(None, None, 0.0, 1.0, chunk_metrics=chunks, section_metrics=[{"duration": 1.0}])
        self.assertEqual(metrics["chunk_duration_mean"], 2.0)
        self.assertEqual(metrics["total_events_from_chunks"], 30)
        self.assertEqual(metrics["num_chunks"], 4)
        self.assertEqual(metrics["per_dataset"]["unknown"]["num_chunks"], 4)
        self.assertEqual(metrics["sections"]["unknown"]["count"], 1)
        self.assertNotIn("chunk_duration_mean", MetricsAggregator().aggregate(None, None, 0.0, 1.0, chunk_metrics=[{}]))

    def test_first_record(self):
        """The numbers of a file are those of its first record, whichever record describes the file."""
        chunks = [
            {"file": "a", "accessed_bytes": 10, "bytes_read_percent": 50.0, "branches_read_percent": 20.0},
            {"file": "a", "accessed_bytes": 5, "bytes_read_percent": 25.0, "file_metadata": {"filename": "a", "total_branches": 3}},
        ]
        metrics = MetricsAggregator().aggregate(None, None, 0.0, 1.0, chunk_metrics=chunks)
        expected = {"total_branches": 3, "branches_read_percent": 20.0, "total_tree_bytes": 0, "bytes_read": 10, "bytes_read_percent": 50.0}
        self.assertEqual(metrics["file_read_metrics"], {"a": expected})

    def test_custom_metrics(self):
        """What is no dataset does not spoil the others."""
        metrics = MetricsAggregator().aggregate({}, None, 0.0, 1.0, custom_metrics={"a": {"entries": 5, "duration": 2.0}, "note": "text"})
        self.assertEqual((metrics["total_events"], metrics["total_cpu_time"]), (5, 2.0))

    def test_backends(self):
        self.assertTrue(get_parser("dask"))
        with self.assertRaisesRegex(ValueError, "taskvine"):
            MetricsAggregator("taskvine")


class TestTables(unittest.TestCase):
    def print_case(self, name):
        """{label: value} of the plain tables."""
        metrics = MetricsAggregator("dask").aggregate(**load_case(name)[0])
        with unittest.mock.patch.dict(sys.modules, {"rich": None, "rich.table": None, "rich.console": None, "rich.text": None}):
            with contextlib.redirect_stdout(io.StringIO()) as text:
                print_summary(metrics)
        return text.getvalue(), dict(re.findall(r"^ *(\S.*?)  +(\S.*)$", text.getvalue(), re.MULTILINE))

    def test_full(self):
        text, rows = self.print_case("chunks-full")
        for title in "Throughput Metrics", "Event Processing Metrics", "Resource Utilization", "Timing Breakdown", "Fine Metrics", "Chunk Metrics":
            self.assertIn(title, text)
        expected = {
            "Data Rate": "0.50 Gbps (62.7 MB/s)",
            "Total Bytes Read (Coffea)": "18.72 GB",
            "Total Events": "56,887,457",
            "Event Rate (Elapsed Time)": "177.5 kHz",
            "Event Rate (Core-Averaged)": "5.2 kHz/core",
            "Efficiency Ratio": "827.4%",
            "Total Cores": "34",
            "Core Efficiency": "24.3%",
            "Speedup Factor": "8.3x",
            "Elapsed Time": "5m 20s",
            "Total CPU Time": "44m 11s",
            "Number of Chunks": "2,000",
            "CPU %": "37.3%",
            "• Failed": "43",
            "Mean Memory Delta": "49.4 MB",
            "Mean Events/Chunk": "51003",
            "ds2": "656 chunks, 2.0s avg",
        }
        self.assertEqual({label: rows.get(label) for label in expected}, expected)

    def test_missing(self):
        text, rows = self.print_case("workflow-only")
        self.assertEqual(rows["Peak Workers"], "N/A (no worker tracking)")
        self.assertEqual(rows["Event Rate (Core-Averaged)"], "N/A (no worker data)")
        self.assertNotIn("Fine Metrics", text)
        self.assertNotIn("Chunk Metrics", self.print_case("empty-and-zero")[0])


    def test_some_metrics(self):
        """A table has the rows that it can have."""
        with unittest.mock.patch.dict(sys.modules, {"rich": None, "rich.table": None, "rich.console": None, "rich.text": None}):
            text = str(format_fine_metrics_table({"processor_cpu_time_seconds": 100.0, "disk_read_bytes": 2048}))
            self.assertEqual(text.splitlines()[2:], ["Processor CPU Time  1m 40s", "Disk Read           2.00 KB"])
            sections = {"fit": {"count": 10, "mean_duration": 0.5}, "load": {"count": 10, "mean_duration": 1.0, "mean_mem_delta_mb": 50.0}}
            text = str(format_chunk_metrics_table({"num_chunks": 10, "sections": sections}))
            self.assertEqual(text.splitlines()[-2:], ["  load          10.0s (10x), 50.0 MB avg", "  fit           5.0s (10x)"])


class TestMeasurements(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def test_golden(self):
        """What was saved is what is loaded: values, times, keys."""
        for name in CASES:
            with self.subTest(name):
                arguments, _ = load_case(name)
                metrics = MetricsAggregator("dask").aggregate(**arguments)
                path = save_measurement(metrics, arguments["t_start"], arguments["t_end"], self.directory, name)
                self.assertEqual(path, self.directory / name)
                loaded, start, end = load_measurement(path)
                self.assertEqual((start, end), (arguments["t_start"], arguments["t_end"]))
                self.assertEqual(sorted(loaded), sorted(metrics))
                for key, value in metrics.items():
                    if isinstance(value, float) and math.isnan(value):
                        self.assertIsNone(loaded[key])
                    elif key == "per_dataset":  # roastcoffea writes None as text too
                        self.assertEqual(loaded[key], {str(dataset): entry for dataset, entry in value.items()})
                    else:
                        self.assertEqual(loaded[key], value, key)

    def test_tracking(self):
        time = datetime.datetime(2026, 1, 2, 3, 4, 5, 678)
        fields = ("memory", "memory_limit", "active_tasks", "cores", "nbytes", "occupancy", "executing", "last_seen", "cpu")
        tracking = {"worker_counts": {time: 1}}
        tracking.update({f"worker_{field}": {"tcp://a:1": [(time, 0.5)]} for field in fields})
        loaded, _, _ = load_measurement(save_measurement({"tracking_data": tracking}, 0, 1, self.directory, "a"))
        self.assertEqual(loaded["tracking_data"], tracking)

    def test_of_roastcoffea(self):
        """A directory in the layout that roastcoffea itself writes."""
        metrics, start, end = load_measurement(TESTS / "fixtures/exchange/roastcoffea")
        self.assertAlmostEqual(end - start, metrics["elapsed_time_seconds"], places=6)
        self.assertIn(("execute", "TtbarProcessor", "thread-cpu", "seconds"), metrics["raw_span_metrics"])
        self.assertIn(("root://x.example//store/wjets/1.root", 0, 10000), metrics["chunk_info"])
        self.assertEqual(len(metrics["tracking_data"]), 10)
        for series in metrics["tracking_data"]["worker_cpu"].values():
            self.assertIsInstance(series[0][0], datetime.datetime)

    def test_of_coffea_metrics(self):
        """The layout of tracking data in the documents of coffea-metrics 1.0."""
        tracking = {
            "worker_counts": [{"timestamp": "2025-11-07T10:00:00", "worker_count": 10}],
            "worker_memory": {"a": [{"timestamp": "2025-11-07T10:00:00", "memory_bytes": 123}]},
        }
        path = save_measurement({"tracking_data": tracking}, 0, 1, self.directory, "a")
        time = datetime.datetime(2025, 11, 7, 10)
        self.assertEqual(load_measurement(path)[0]["tracking_data"], {"worker_counts": {time: 10}, "worker_memory": {"a": [(time, 123)]}})

    def test_values(self):
        """What JSON has not is written all the same, and the file is JSON."""
        metrics = {"a": float("nan"), "b": [float("inf"), 1.5], "c": b"\xff\x00a", "d": {("x", 1): {2}, None: 3, 4: "ü"}, "e": object}
        path = save_measurement(metrics, 0.1, 1.7e9, self.directory, "a")
        with open(path / "metrics.json", encoding="utf-8") as file:
            found = json.load(file, parse_constant=self.fail)
        self.assertEqual(found["a"], None)
        self.assertEqual(found["b"], [None, 1.5])
        self.assertEqual(found["c"], "\\xff\0a")
        self.assertEqual(found["d"], {"('x', 1)": [2], "None": 3, "4": "ü"})
        self.assertEqual(load_measurement(path)[1:], (0.1, 1.7e9))

    def test_replace(self):
        """A failure leaves the measurement that was there. What the user put beside it stays; an old configuration does not."""
        path = save_measurement({"a": 1}, 0, 1, self.directory, "a", config={"chunks": 5})
        (path / "plot.png").write_bytes(b"plot")

        class Unwritable:
            def isoformat(self):
                raise RuntimeError("no")

        with self.assertRaises(RuntimeError):
            save_measurement({"a": 2, "b": Unwritable()}, 0, 1, self.directory, "a")
        self.assertEqual(load_measurement(path)[0], {"a": 1})
        self.assertEqual(json.loads((path / "config.json").read_text()), {"chunks": 5})
        save_measurement({"a": 3}, 0, 2, self.directory, "a")
        self.assertEqual(load_measurement(path), ({"a": 3}, 0, 2))
        self.assertEqual(sorted(os.listdir(path)), ["metadata.json", "metrics.json", "plot.png", "start_end_time.txt"])
        self.assertEqual(os.listdir(self.directory), ["a"])

    def test_names(self):
        """Two measurements in one second are two."""
        paths = {save_measurement({"a": number}, 0, 1, self.directory / "new") for number in range(5)}
        self.assertEqual(len(paths), 5)

    def test_errors(self):
        with self.assertRaises(FileNotFoundError):
            load_measurement(self.directory / "none")
        path = save_measurement({"a": 1}, 0, 1, self.directory, "a")
        for name, text, message in (
            ("metadata.json", '{"format": "other"}', "'other'"),
            ("start_end_time.txt", "1", "two numbers"),
            ("metrics.json", "{", "metrics.json: not JSON"),
            ("metrics.json", "[]", "not a JSON object"),
        ):
            with self.subTest(name):
                before = (path / name).read_text()
                (path / name).write_text(text)
                with self.assertRaisesRegex(ValueError, message):
                    load_measurement(path)
                (path / name).write_text(before)
        self.assertEqual(load_measurement(path), ({"a": 1}, 0, 1))


if __name__ == "__main__":
    unittest.main()
