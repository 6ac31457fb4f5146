#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-compare on real runs: exit statuses, what it takes as runs, sums, and bad input."""

import json
import lzma
import os
import re
import signal
import subprocess
import tempfile
import time
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

    def report(self, *arguments, **more):
        self.compare("-e", "json:c.json", *arguments, **more)
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

    def test_input(self):
        """Each run reads a file from its start; nothing of a pipe, which only one run could read."""
        with open(self.path("input"), "w") as file:
            file.write("one\n")
        commands = ["roast-compare", "--runs=2", "--", "sed", "s/^/new /", "--against", "sed", "s/^/old /"]
        with open(self.path("input")) as file:
            result = subprocess.run(commands, cwd=self.directory, stdin=file, capture_output=True, text=True, timeout=240)
        self.assertEqual((result.stdout.count("new one\n"), result.stdout.count("old one\n")), (2, 2), result.stdout)
        result = subprocess.run(commands, cwd=self.directory, input="one\n", capture_output=True, text=True, timeout=240)
        self.assertNotIn(" one\n", result.stdout)
        self.assertIn("the commands get no input, because a pipe cannot be read more than once", result.stderr)

    def test_failing_commands(self):
        said = self.compare("--runs=2", "--", "false", "--against", "true", status=(1, 2)).stderr
        self.assertIn("2 of 2 runs of “false” failed, so the times of these runs may not be comparable", said)
        self.assertNotIn("“true”", said)
        # That it is faster says nothing.
        self.compare("--runs=5", "--", "false", "--against", "sleep", "0.7", status=2)
        said = self.compare("--runs=2", "--", "./missing", "--against", "true", status=125).stderr
        self.assertIn("the command was not measured", said)
        for n in "0", "-2":
            said = self.compare(f"--runs={n}", "--", "true", "--against", "true", status=125).stderr
            self.assertIn(f"--runs={n} must be from 1 to 1000", said)

    def test_interrupted(self):
        """A signal ends the run under way, and leaves no files except those of --keep."""
        for number, keep in (signal.SIGINT, []), (signal.SIGTERM, []), (signal.SIGINT, ["--keep=kept"]):
            with self.subTest(number, keep=keep), tempfile.TemporaryDirectory() as temporary:
                script = "touch started; exec sleep 1000"
                process = subprocess.Popen(["roast-compare", "--runs=3", *keep, "--", "sh", "-c", script, "--against", "true"],
                                           cwd=self.directory, env=dict(os.environ, TMPDIR=temporary), stdin=subprocess.DEVNULL,
                                           stderr=subprocess.PIPE, text=True, start_new_session=True)
                while not os.path.exists(self.path("started")):
                    time.sleep(0.05)
                os.remove(self.path("started"))
                if number == signal.SIGINT:
                    os.killpg(process.pid, number)
                else:
                    process.send_signal(number)
                said = process.communicate(timeout=240)[1]
                self.assertEqual(process.returncode, -number, said)
                self.assertIn("interrupted before all runs were measured", said)
                self.assertEqual([name for name in os.listdir(temporary) if name.startswith("roast-compare")], [])
        self.assertEqual(os.listdir(self.path("kept")), ["new-001.roast"])

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
        self.assertIn("tag branch: a instead of a; b", said)
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

    def test_settings(self):
        """What a run was started with is recorded, but no variable that may be secret."""
        for name, variables in (("new", {"OMP_NUM_THREADS": "4", "OMP_TOKEN": "hidden"}), ("old", {})):
            environment = {key: value for key, value in os.environ.items() if not key.startswith("OMP_")} | variables
            subprocess.run(["roast-run", "-q", f"--save={self.directory}/{name}.roast", "--", "nice", "true"], env=environment, check=True,
                           timeout=240, preexec_fn=(lambda: os.nice(3)) if name == "new" else None)
        report = self.report("new.roast", "--against", "old.roast", status=(0, 1, 2))
        differs = {row["property"]: (row["new"], row["reference"]) for row in self.rows(report, "compared_properties")}
        self.assertEqual(differs["environment OMP_NUM_THREADS"], ("4", "not set"))
        self.assertEqual(int(differs["nice value"][0]), int(differs["nice value"][1]) + 3)
        self.assertNotIn("hidden", str(report))

    def test_kept_runs(self):
        """Other kept runs of the command show how much the time of one run varies. Of a second run they leave it out."""
        environment = dict(os.environ, ROAST_RUNS=self.path("runs"))
        for _ in range(5):
            subprocess.run(["roast-run", "-q", "--", "sleep", "0.1"], env=environment, check=True, timeout=240)
        subprocess.run(["roast-run", "-q", "--", "sleep", "0.2"], env=environment, check=True, timeout=240)
        report = self.report("last", "--against", "last~1", env=environment, status=(0, 1, 2))
        kept = [row for row in self.rows(report, "compared_values") if row["kind"] == "kept"]
        self.assertEqual([row["source"] for row in kept], ["reference"] * 4)
        self.assertIn("4 kept runs of the same command", json.dumps(report, ensure_ascii=False))
        report = self.report("last~1", "--against", "last~2", env=environment, status=(0, 1, 2))
        kept = [row for row in self.rows(report, "compared_values") if row["kind"] == "kept"]
        self.assertEqual([row["source"] for row in kept], ["new"] * 3)

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
        self.unpack("dask-newest-retried")
        self.unpack("dask-newest-healthy")
        self.compare("dask-newest-retried.roast", "--against", "dask-newest-healthy.roast", "-e", "html:c.html", status=2)
        with open(self.path("c.html")) as file:
            page = file.read()
        for chart in "compared_reference", "compared_new", "waterfall":
            self.assertIn(f'<figure id="chart-{chart}">', page)
        self.assertIn("verdicts.csv", os.listdir(self.path("c")))

    def test_bad_input(self):
        self.measure(0.1, "a.roast")
        with open(self.path("text.roast"), "w") as file:
            file.write("not a run")
        os.mkdir(self.path("empty"))
        for arguments, message in ((["a.roast"], "no runs to compare are given"), (["--against", "a.roast"], "no runs to compare are given"),
                                   (["a.roast", "--against", "nosuch.roast"], "nosuch.roast"),
                                   (["a.roast", "--against", "text.roast"], "text.roast"),
                                   (["empty", "--against", "a.roast"], "has no files"), (["--runs=0x", "a", "--against", "b"], "--runs"),
                                   (["--rns=3", "--", "a", "--against", "b"], "--runs"),
                                   (["--keep=x", "a.roast", "--against", "a.roast"], "--keep can be used only with --runs"),
                                   (["-e", "nosuch", "a.roast", "--against", "a.roast"], "nosuch"),
                                   (["--runs=1", "--", "/no/such/program", "--against", "true"], "was not measured")):
            self.assertIn(message, self.compare(*arguments, status=125).stderr, arguments)


if __name__ == "__main__":
    guard(lambda: unittest.main(verbosity=2))
