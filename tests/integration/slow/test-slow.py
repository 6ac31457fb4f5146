#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs that are slow on purpose: the first finding names the cause. In a healthy run nothing stands out.
Of the release tier: programs that compute beside these runs are another cause."""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "dask")]
import daskrun  # noqa: E402

CASES = os.path.join(HERE, "scripts", "cases.py")


class TestSlow(daskrun.DaskTest):
    def run_case(self, case, *options, backend="dask"):
        report = self.roast_run([daskrun.PYTHON, CASES, case], "-e", "table:page", *options, backend=backend)
        with open(os.path.join(self.directory, "page")) as file:
            self.page = file.read()
        self.assertLessEqual(len(self.page.splitlines()), 40, self.page)
        return report.data["report_tables"].get("findings", {"data": {"rule": [], "severity": [], "text": []}})["data"]

    def assert_first(self, rule, findings, *words):
        self.assertTrue(findings["rule"], self.page)
        self.assertEqual(findings["rule"][0], rule, self.page)
        for word in words:
            self.assertIn(word, findings["text"][0])

    def test_straggler(self):
        self.assert_first("stragglers", self.run_case("straggler"), "straggle")

    def test_slow_server(self):
        self.assert_first("waiting", self.run_case("storage"), "fetch")

    def test_short_tasks(self):
        self.assert_first("short-tasks", self.run_case("short"), "3\u202f000 tasks")

    def test_memory_limit(self):
        self.assert_first("memory", self.run_case("memory"), "300 MiB")

    def test_failing_files(self):
        self.assert_first("failures", self.run_case("failing"), "20 tasks failed", "FileNotFoundError")

    def test_few_tasks(self):
        for beside in (), ("-b", "local"):
            with self.subTest(beside=beside):
                findings = self.run_case("few", *beside)
                self.assert_first("few-tasks", findings)
                self.assertNotIn("idle-workers", findings["rule"])

    def test_blocked_scheduler(self):
        self.assert_first("executor", self.run_case("blocked"), "blocked")

    def test_slow_start(self):
        self.assert_first("start-up", self.run_case("startup"))

    def test_oversubscribed(self):
        self.assert_first("starved", self.run_case("oversubscribed", backend="local"))

    def test_contended(self):
        """Other programs have the cores: the share of the core time is what this one could not use."""
        others = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(3 * len(os.sched_getaffinity(0)))]
        try:
            findings = self.run_case("contended", backend="local")
        finally:
            for other in others:
                other.kill()
                other.wait()
        self.assert_first("starved", findings)
        self.assertGreater(findings["share"][0], 0.1, self.page)
        self.assertLess(findings["share"][0], 1, self.page)

    def test_healthy(self):
        """Not beside other programs that compute: that is worth a finding."""
        findings = self.run_case("healthy")
        self.assertEqual([rule for rule, severity in zip(findings["rule"], findings["severity"]) if severity != "info"], [], self.page)
        self.assertIn("Nothing stands out", self.page)


if __name__ == "__main__":
    daskrun.main()
