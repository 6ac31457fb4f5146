#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-run without --backend: it measures Dask where the program uses it, and nothing more where it does not."""

import os
import re
import subprocess
import tempfile

from daskrun import PYTHON, DaskTest, environment, main


def count(report):
    """How many rows each table of Dask has, where that does not depend on time: how many naps end before the rest is cancelled does."""
    tables = ("sources", "workers", "categories")
    metrics = ("tasks_submitted_total", "tasks_failed_total", "attempts_failed_total", "attempts_retried_total")
    tasks = sorted((row["category"], row["status"], row["attempt"]) for row in report.rows("tasks") if row["category"] != "nap")
    return {name: len(report.rows(name)) for name in tables} | {name: report.metrics[name]["value"] for name in metrics} | {"tasks": tasks}


class Auto(DaskTest):
    def new_directory(self):
        return tempfile.mkdtemp(dir=self.directory)

    def test_same_as_named(self):
        for what in ("life", "outcomes"):
            with self.subTest(what):
                named = self.roast_run(self.script("tasks.py", what, self.new_directory()))
                found = self.roast_run(self.script("tasks.py", what, self.new_directory()), backend="auto")
                self.assertEqual(count(found), count(named))
                self.assertGreater(len(found.rows("tasks")), 0)
                self.assertEqual(found.data["run"]["backends"], ["local", "dask"])
                self.assertEqual(found.data["run"]["backends-found"], ["dask"])
                self.assertEqual(named.data["run"]["backends"], ["dask"])
                self.assertNotIn("backends-found", named.data["run"])

    def test_default(self):
        result = subprocess.run(["roast-run", "--save=run.roast", "--", *self.script("tasks.py", "life")], cwd=self.directory,
                                env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240)
        self.assertRegex(result.stderr, ", uses dask\n")
        self.assertRegex(result.stderr, "tasks: 30 submitted, 30 done, 0 failed")
        listed = subprocess.run(["roast-report", "show", "run.roast"], cwd=self.directory, capture_output=True, text=True, check=True)
        self.assertRegex(listed.stdout, "backends +local,dask\n")

    def test_not_used(self):
        """The same as the local backend alone, but for the environment."""
        report = self.roast_run([PYTHON, "-c", "import json; print(json.dumps(1))"], backend="auto")
        self.assertEqual((report.data["run"]["backends"], report.rows("sources")), (["local"], []))
        self.assertNotIn("backends-found", report.data["run"])
        self.assertEqual([row["message"] for row in report.rows("events") if row["severity"] != "info"], [])

    def test_environment(self):
        """All that the program sees more than with the local backend has a name that docs/security.md has."""
        variables = {}
        for backend in ("local", "auto"):
            self.roast_run(["env", "-0"], backend=backend)
            variables[backend] = {entry.partition("=")[0] for entry in self.result.stdout.split("\0") if entry}
        more = variables["auto"] - variables["local"]
        self.assertEqual({name for name in more if not re.match("ROAST_DASK_", name)},
                         {f"DASK_DISTRIBUTED__{kind}__PRELOAD{suffix}" for kind in ("SCHEDULER", "CLIENT") for suffix in ("", "_ARGV")} |
                         {"DASK_LOGGING"})
        self.assertEqual(variables["local"] - variables["auto"], set())

    def test_local_alone(self):
        report = self.roast_run(self.script("tasks.py", "life"), backend="local")
        self.assertEqual((report.data["run"]["backends"], report.rows("tasks")), (["local"], []))

    def test_perf(self):
        """Perf events cost Dask time at each switch of threads: a script that names it runs without them."""
        script = os.path.join(self.directory, "names.py")
        with open(script, "w") as file:
            file.write("# uses a DaskExecutor\n")
        named = self.roast_run([PYTHON, script], backend="auto")
        self.assertNotIn("tree-perf-cpu", named.data["run"])
        with open(script, "w") as file:
            file.write("pass\n")
        plain, local = (self.roast_run([PYTHON, script], backend=backend) for backend in ("auto", "local"))
        self.assertEqual("tree-perf-cpu" in plain.data["run"], "tree-perf-cpu" in local.data["run"])


if __name__ == "__main__":
    main()
