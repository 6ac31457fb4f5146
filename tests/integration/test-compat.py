#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Old names lead to metrics with the old definition: ten answers of roastcoffea 0.1.2, imported as directories."""

import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from golden import CASES, load_case
from roast.coffea import MetricsAggregator, save_measurement

TESTS = pathlib.Path(__file__).resolve().parent.parent
TOLERANCE = 1e-9
# Names of seeds and documents whose metric never was in roastcoffea's answer.
DOCUMENTED = """
    wall_time wall_time_seconds overall_rate_gbps overall_rate_mbs overall_rate_mbps event_rate_wall_khz event_rate_agg_khz event_rate_core_hz
    cpu_efficiency efficiency_ratio io_overhead io_overhead_pct bytes_read_compressed total_bytes_compressed total_bytes_read_coffea
    total_bytes_memory_read_dask bytes_read_uncompressed total_bytes_uncompressed compression_ratio processor_noncpu_time_seconds
    io_time_seconds cpu_time_seconds processor_cpu_percentage processor_noncpu_percentage overhead_noncpu_time_seconds
    disk_read_time_seconds disk_write_time_seconds
""".split()
# In these cases the report of coffea and the records of chunks are of different runs, which no measurement has. Where there are both, roast
# counts chunks, and says that they differ.
UNLIKE = {"chunks-all-failed", "chunks-bare-one", "chunks-full"}
OF_REPORT = {"total_events", "total_bytes_read", "total_cpu_time", "avg_cpu_time_per_chunk", "data_rate_gbps", "event_rate_elapsed_khz",
             "event_rate_cpu_total_khz", "event_rate_core_khz", "speedup_factor", "core_efficiency"}
# Times of chunks are whole microseconds and their memory whole bytes, and both ends are rounded: what is lost by that.
ROUNDED = dict.fromkeys(("chunk_duration_mean", "chunk_duration_min", "chunk_duration_max", "chunk_duration_std"), 1e-6) | dict.fromkeys(
    ("chunk_mem_delta_mean_mb", "chunk_mem_delta_min_mb", "chunk_mem_delta_max_mb", "chunk_mem_delta_std_mb"), 0.5 / 2**20)
NEVER = {"avg_bytes_read_percent"}


def is_number(value):
    return value is None or isinstance(value, (int, float))


class TestCompat(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        listed = subprocess.run(["roast-inspect", "--metrics", "--json"], capture_output=True, text=True, timeout=240, check=True)
        cls.metrics = {metric["name"]: metric for metric in json.loads(listed.stdout)}
        cls.names = {name: (name, 1.0) for name in cls.metrics}
        for metric in cls.metrics.values():
            for alias in metric["aliases"]:
                name, _, factor = alias.partition(":")
                cls.names[name] = (metric["name"], float(factor or 1))

    def call(self, directory, *command):
        result = subprocess.run(command, capture_output=True, text=True, timeout=240, cwd=directory,
                                env=os.environ | {"ROAST_RUNS": str(directory / "runs"), "XDG_CONFIG_HOME": str(directory / "config")})
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def measure(self, arguments):
        """The metrics of roast, of a directory with these data."""
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            save_measurement(MetricsAggregator("dask").aggregate(**arguments), arguments["t_start"], arguments["t_end"], directory,
                             measurement_name="measurement")
            self.call(directory, "roast-report", "import", "--save=run", "measurement")
            return json.loads(self.call(directory, "roast-report", "-e", "json:-", "./run"))["metrics"]

    def find(self, metrics, name):
        metric, factor = self.names[name]
        value = metrics[metric]["value"]
        self.assertTrue(value is not None or metrics[metric]["reason"], name)
        return None if value is None else value * factor

    def is_equal(self, case, name, value, expected):
        if value is None:
            # roastcoffea has 0 where nothing was measured.
            return expected is None or expected == 0 or name in NEVER or (case in UNLIKE and name in OF_REPORT)
        if expected is None:
            return False
        if math.isclose(value, expected, rel_tol=TOLERANCE, abs_tol=ROUNDED.get(name, 0)):
            return True
        return case in UNLIKE and name in OF_REPORT

    def test_names_resolve(self):
        expected = set(DOCUMENTED)
        for case in CASES:
            expected |= {name for name, value in load_case(case)[1].items() if is_number(value) and name != "tracking_data"}
        self.assertGreater(len(expected), 70)
        self.assertEqual(expected - set(self.names), set())

    def test_answers(self):
        self.assertEqual(len(CASES), 10)
        exact = 0
        for case in CASES:
            arguments, answer = load_case(case)
            metrics = self.measure(arguments)
            for name, expected in answer.items():
                if not is_number(expected) or name == "tracking_data":
                    continue
                with self.subTest(case=case, name=name):
                    value = self.find(metrics, name)
                    self.assertTrue(self.is_equal(case, name, value, expected), (value, expected))
                    exact += value is not None and math.isclose(value, expected, rel_tol=TOLERANCE)
        self.assertGreaterEqual(exact, 164)

    def test_saved_by_roastcoffea(self):
        """Directories in the layout of roastcoffea itself, whose report and records agree."""
        for fixture in ("roastcoffea", "roastcoffea-report"):
            path = TESTS / "fixtures/exchange" / fixture
            saved = json.loads((path / "metrics.json").read_text())
            with tempfile.TemporaryDirectory() as name:
                directory = pathlib.Path(name)
                self.call(directory, "roast-report", "import", "--save=run", path)
                metrics = json.loads(self.call(directory, "roast-report", "-e", "json:-", "./run"))["metrics"]
            for name in OF_REPORT | {"avg_workers", "total_cores", "avg_memory_per_worker_bytes", "peak_memory_bytes"}:
                if saved.get(name) is not None:
                    with self.subTest(fixture=fixture, name=name):
                        self.assertTrue(math.isclose(self.find(metrics, name), saved[name], rel_tol=TOLERANCE), self.find(metrics, name))

    def test_marked(self):
        """What is compatible says so, and does not stand among the numbers of a report for a person."""
        compatible = {name for name, metric in self.metrics.items() if metric["compatible"]}
        self.assertTrue({"avg_workers", "total_cores", "core_efficiency", "total_cpu_time"} <= compatible)
        self.assertEqual({self.metrics[name]["show"] for name in compatible}, {"detail"})
        shown = subprocess.run(["roast-inspect", "--metrics", "avg_workers"], capture_output=True, text=True, timeout=240, check=True).stdout
        self.assertIn("Compatible with roastcoffea: Number of workers", shown)


if __name__ == "__main__":
    unittest.main()
