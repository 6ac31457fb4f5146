#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-compare on real runs: exit statuses, what it takes as runs, sums, and bad input."""

import json
import lzma
import os
import re
import subprocess
import unittest

from leftovers import guard
from running import InDirectory

GOLDENS = os.path.join(os.path.dirname(__file__), "..", "data", "goldens")
BURN = "import sys, time\nend = float(sys.argv[1])\nwhile time.process_time() < end:\n    pass\n"


class Compare(InDirectory):
    def setUp(self):
        super().setUp()
        with open(self.path("burn.py"), "w") as file:
            file.write(BURN)

    def compare(self, *arguments, status=0, **more):
        result = subprocess.run(["roast-compare", *arguments], cwd=self.directory, capture_output=True, text=True, timeout=240,
                                stdin=subprocess.DEVNULL, **more)
        self.assertIn(result.returncode, (status,) if isinstance(status, int) else status, result.stdout + result.stderr)
        return result

    def report(self, *arguments, status=0):
        self.compare("-e", "json:c.json", *arguments, status=status)
        with open(self.path("c.json")) as file:
            return json.load(file)

    def rows(self, report, name):
        tables = report["report_tables"] | report["tables"]
        columns = tables[name]["data"]
        return [dict(zip(columns, cells)) for cells in zip(*columns.values())]

    def unpack(self, run):
        with lzma.open(os.path.join(GOLDENS, run + ".roast.xz")) as packed, open(self.path(run + ".roast"), "wb") as file:
            file.write(packed.read())

    def measure(self, seconds, *paths):
        for path in paths:
            subprocess.run(["roast-run", "-q", "--save=" + self.path(path), "--tag=kind=" + str(seconds), "--", "python3", "burn.py", str(seconds)],
                           cwd=self.directory, check=True, timeout=240, stdin=subprocess.DEVNULL)

    def test_trials(self):
        """CPU time does not depend on how busy the machine is: twice as much is found."""
        report = self.report("--runs=4", "--keep=kept", "--", "python3", "burn.py", "0.6", "--against", "python3", "burn.py", "0.3", status=1)
        verdicts = {row["measure"]: row for row in self.rows(report, "verdicts")}
        self.assertEqual(verdicts["process_cpu_time_seconds"]["verdict"], "worse")
        self.assertEqual((verdicts["process_cpu_time_seconds"]["n_new"], verdicts["process_cpu_time_seconds"]["n_reference"]), (4, 4))
        self.assertEqual(sorted(os.listdir(self.path("kept"))),
                         sorted(f"{side}-{n:03}.roast" for side in ("new", "reference") for n in range(1, 5)))
        # The same from the files; the other way round it is better.
        again = self.report("kept/new-001.roast", "kept/new-002.roast", "kept/new-003.roast", "kept/new-004.roast", "--against",
                            *(f"kept/reference-00{n}.roast" for n in range(1, 5)), status=1)
        self.assertEqual(again["report_tables"]["verdicts"], report["report_tables"]["verdicts"])
        self.check_sum(report)

    def check_sum(self, report):
        values = [row for row in self.rows(report, "compared_values") if row["name"] == "elapsed_time_seconds"]
        means = {side: sum(row["value"] for row in values if row["source"] == side) / sum(row["source"] == side for row in values)
                 for side in ("new", "reference")}
        total = sum(row["difference"] for row in self.rows(report, "differences"))
        self.assertAlmostEqual(total, means["new"] - means["reference"], delta=1e-6)

    def test_directories_and_tags(self):
        os.makedirs(self.path("new"))
        os.makedirs(self.path("old"))
        self.measure(0.1, "new/a.roast", "new/b.roast")
        self.measure(0.1, "old/a.roast", "old/b.roast", "old/c.roast")
        report = self.report("new", "--against", "old", status=(0, 1, 2))
        self.assertEqual([row["source"] for row in self.rows(report, "compared_runs")], ["new"] * 2 + ["reference"] * 3)
        environment = dict(os.environ, ROAST_RUNS=self.path("runs"))
        for branch in ("a", "b"):
            subprocess.run(["roast-run", "-q", f"--tag=branch={branch}", "--", "true"], env=environment, check=True, timeout=240)
        said = self.compare("branch=a", "--against", "branch=*", env=environment, status=(0, 1, 2)).stdout
        self.assertRegex(said, "Runs: 1 new, 2 reference")
        said = self.compare("branch=c", "--against", "last", env=environment, status=125).stderr
        self.assertIn("there are no kept runs with branch=c", said)

    def test_executor_and_processes(self):
        """Parts of the time are the executor's, not those of the processes that were measured beside it."""
        runs = "dask-newest-retried", "dask-newest-healthy"
        for run in runs:
            self.unpack(run)
        report = self.report(runs[0] + ".roast", "--against", runs[1] + ".roast", status=2)
        with lzma.open(os.path.join(GOLDENS, runs[1] + ".json.xz")) as file:
            parts = [row for row in self.rows(json.load(file), "core_time") if (row["window"], row["source"]) == ("run", "dask-1")
                     and row["stretch"] not in ("startup", "shutdown")]
        slots = next(row["value"] for row in self.rows(report, "compared_values") if row["name"] == "slots" and row["source"] == "reference")
        for row in self.rows(report, "differences"):
            if row["part"].startswith("idle."):
                offered = sum(part["core_seconds"] for part in parts if part["part"] == row["part"])
                self.assertAlmostEqual(row["reference"] * slots, offered, delta=1e-6)
        self.check_sum(report)

    def test_without_executor(self):
        """A program without an executor is divided by its chunks, or else by what the cores of the machine did."""
        for runs, expected in ((("coffea-iterative", "coffea-iterative"), {"before_chunks", "task", "no_chunk", "after_chunks"}),
                               (("local-short-children", "local-healthy"), {"computing", "no_core", "free"})):
            for run in set(runs):
                self.unpack(run)
            report = self.report(runs[0] + ".roast", "--against", runs[1] + ".roast", status=(1, 2))
            parts = {row["part"] for row in self.rows(report, "differences") if row["new"] or row["reference"]}
            self.assertTrue(parts <= expected and len(parts) > 1, parts)
            self.check_sum(report)

    def test_one_against_one(self):
        self.measure(0.1, "a.roast", "b.roast")
        said = self.compare("a.roast", "--against", "b.roast", status=2).stdout
        self.assertIn("cannot tell", said)
        self.assertIn("roast-compare --runs=6 -- COMMAND --against COMMAND", re.sub(r"\s+", " ", said))

    def test_scaling(self):
        """Of golden runs with one and two workers: as JSON, on a page, and as a chart."""
        runs = "dask-newest-retried", "dask-newest-healthy"
        for run in runs:
            self.unpack(run)
        names = [run + ".roast" for run in runs]
        report = self.report("--scaling", *names)
        rows = [row for row in self.rows(report, "scaling") if row["kind"] == "measured"]
        for row in rows:
            path = self.path(names[row["run"] - 1])
            command = ["roast-report", "-e", "json:one.json", path]
            subprocess.run(command, cwd=self.directory, check=True, timeout=240)
            with open(self.path("one.json")) as file:
                one = json.load(file)
            recorded = next(row for row in self.rows(one, "what_if") if row["scenario"] == "recorded")
            self.assertAlmostEqual(row["elapsed"], recorded["elapsed"])
            self.assertAlmostEqual(row["rate"] * row["elapsed"], one["metrics"]["tasks_submitted_total"]["value"])
        said = self.compare("--scaling", "-e", "table", "-e", "html:c.html", "-e", "plots:plots", *names).stdout
        self.assertIn("Speed by number of slots", said)
        with open(self.path("c.html")) as file:
            self.assertIn("Speed by number of slots", file.read())
        self.assertIn("scaling.svg", os.listdir(self.path("plots")))
        self.compare("--scaling", status=125)
        self.compare("--scaling", names[0], "--against", names[1], status=125)

    def test_html_and_csv(self):
        self.measure(0.1, "a.roast", "b.roast")
        self.compare("a.roast", "-e", "html:c.html", "--against", "b.roast", "-e", "csv:c", status=2)
        with open(self.path("c.html")) as file:
            self.assertIn("Causes of the difference in elapsed time", file.read())
        self.assertIn("verdicts.csv", os.listdir(self.path("c")))

    def test_bad_input(self):
        self.measure(0.1, "a.roast")
        with open(self.path("text.roast"), "w") as file:
            file.write("not a run")
        os.mkdir(self.path("empty"))
        for arguments, message in ((["a.roast"], "say what to compare"), (["--against", "a.roast"], "say what to compare"),
                                   (["a.roast", "--against", "nosuch.roast"], "nosuch.roast"),
                                   (["a.roast", "--against", "text.roast"], "text.roast"),
                                   (["empty", "--against", "a.roast"], "has no files"), (["--runs=0x", "a", "--against", "b"], "--runs"),
                                   (["--rns=3", "--", "a", "--against", "b"], "--runs"),
                                   (["--keep=x", "a.roast", "--against", "a.roast"], "--keep requires --runs"),
                                   (["-e", "nosuch", "a.roast", "--against", "a.roast"], "nosuch"),
                                   (["--runs=1", "--", "/no/such/program", "--against", "true"], "was not measured")):
            self.assertIn(message, self.compare(*arguments, status=125).stderr, arguments)


if __name__ == "__main__":
    guard(lambda: unittest.main(verbosity=2))
