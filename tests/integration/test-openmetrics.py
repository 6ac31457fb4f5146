#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The exporter openmetrics: read by the parser of Prometheus' own Python client, its values are those of the JSON report."""

import json
import lzma
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from prometheus_client.openmetrics.parser import text_string_to_metric_families

GOLDENS = pathlib.Path(__file__).resolve().parent.parent / "data" / "goldens"
SAMPLE = re.compile(r'(\w+)\{run="([^"]*)"(.*)\} (\S+)(?: (\S+))?')


class OpenMetrics(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def call(self, *command, status=0):
        result = subprocess.run(command, capture_output=True, text=True, timeout=240, cwd=self.directory, check=False,
                                env=os.environ | {"ROAST_RUNS": str(self.directory / "runs")})
        self.assertEqual(result.returncode, status, result.stderr)

    def export(self, run):
        """The text with times and without, and the JSON report."""
        self.call("roast-report", "-e", "openmetrics:times", "-e", "openmetrics:plain,timestamps=false,workers=true", "-e", "json:json", run)
        return (self.directory / "times").read_text(), (self.directory / "plain").read_text(), json.loads((self.directory / "json").read_text())

    def check(self, times, plain, report):
        families = {family.name: family for family in text_string_to_metric_families(plain)}
        samples = [sample for family in families.values() for sample in family.samples]
        self.assertLessEqual(len([sample for sample in samples if "worker" not in sample.labels]), 300)
        values = {sample.name: sample.value for sample in samples
                  if set(sample.labels) == {"run"} and sample.name != "roast_run_info"}
        incomplete = {sample.labels["metric"]: sample.labels["completeness"] for sample in families["roast_incomplete"].samples}
        compared = 0
        for name, metric in report["metrics"].items():
            if "roast_" + name not in values:
                continue
            compared += 1
            self.assertAlmostEqual(values["roast_" + name], metric["value"], delta=1e-9 * abs(metric["value"]), msg=name)
            self.assertEqual(incomplete.get("roast_" + name, "complete"), metric["completeness"], name)
        available = [name for name, metric in report["metrics"].items() if isinstance(metric.get("value"), (int, float))]
        self.assertGreaterEqual(compared, 0.9 * len(available) - 12)  # without those of old definitions
        self.assertEqual(compared, len(values))
        core = sum(sample.value for sample in families["roast_core_seconds"].samples) if "roast_core_seconds" in families else 0
        table = report["report_tables"].get("core_time", {"data": {"core_seconds": [], "window": []}})["data"]
        self.assertAlmostEqual(core, sum(seconds for seconds, window in zip(table["core_seconds"], table["window"]) if window == "run"), places=6)
        # With times: the same samples, and series whose times only grow. (The client's parser compares times of one second wrongly.)
        self.assertTrue(times.endswith("# EOF\n"))
        last = {}
        for name, _, labels, value, time in (SAMPLE.fullmatch(line).groups() for line in times.splitlines() if not line.startswith("#")):
            float(value)
            self.assertGreater(float(time), last.get((name, labels), 0), name + labels)
            last[name, labels] = float(time)
        self.assertLessEqual(len(last), 304)
        return families, last

    def test_recordings(self):
        for name in "dask-newest-retried", "taskvine-run-coffea", "coffea-iterative", "local-healthy", "local-supervisor-killed":
            with self.subTest(name):
                run = self.directory / f"{name}.roast"
                run.write_bytes(lzma.decompress((GOLDENS / f"{name}.roast.xz").read_bytes()))
                families, last = self.check(*self.export(run))
                self.assertEqual("roast_per_worker_tasks" in families, name.startswith(("dask", "taskvine")))
                self.assertEqual(any(series == "roast_running_attempts" for series, _ in last), name.startswith(("dask", "taskvine")))

    def test_hostile_names(self):
        """Texts of a program are labels, whatever is in them."""
        argument = 'a"b\\c\nd} 1\n# EOF\r\u00e4'
        self.call("roast-run", "-q", "--save=run", "-e", "json:/dev/null", "--", "true", argument)
        families, _ = self.check(*self.export("run"))
        self.assertEqual(families["roast_run"].samples[0].labels["command"], "true " + argument.replace("\r", " "))


if __name__ == "__main__":
    unittest.main()
