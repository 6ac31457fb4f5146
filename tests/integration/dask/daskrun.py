# SPDX-License-Identifier: BSD-3-Clause
"""Runs scripts that use Dask under roast-run, and compares what is reported with what the workers themselves knew."""

import glob
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

PYTHON = os.environ.get("ROAST_DASK_PYTHON", "/usr/bin/python3")
HERE = os.path.dirname(os.path.abspath(__file__))


def dask_version():
    command = "import distributed; print(distributed.__version__)"
    text = subprocess.run([PYTHON, "-c", command], capture_output=True, text=True, check=True, env=environment()).stdout
    return tuple(int(part) for part in text.strip().split("+")[0].split(".")[:2])


def environment(**more):
    """Without what makes Dask's own processes slow or noisy under tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "G_DEBUG"))}
    return kept | {"PYTHONWARNINGS": "ignore", "PYTHONPATH": os.path.join(HERE, "scripts"), "PYTHONDONTWRITEBYTECODE": "1"} | more


class Report:
    def __init__(self, path):
        with open(path) as file:
            self.data = json.load(file)
        self.tables = self.data["tables"] | self.data["report_tables"]
        self.metrics = self.data["metrics"]

    def rows(self, name):
        """Rows as dictionaries, without what is missing; those of Dask where the table names sources."""
        columns = self.tables[name]["data"] if name in self.tables else {}
        rows = [dict(zip(columns, cells)) for cells in zip(*columns.values())]
        return [{key: value for key, value in row.items() if value is not None} for row in rows
                if row.get("source") is None or row["source"].startswith("dask")]

    def events(self, kind):
        return [row["message"] for row in self.rows("events") if row["kind"] == kind]

    def activities(self):
        """The last value of each key, which is what counts."""
        key = ("worker", "context", "span", "task_prefix", "activity", "unit")
        return {tuple(row.get(name) for name in key): row["value"] for row in self.rows("activities")}

    def total(self, activity, **where):
        names = ("worker", "context", "span", "prefix", "activity", "unit")
        return math.fsum(value for key, value in self.activities().items()
                         if key[4] == activity and all(key[names.index(name)] == wanted for name, wanted in where.items()))


def read_truth(directory):
    truth = {}
    for path in glob.glob(os.path.join(directory, "*.truth")):
        with open(path) as file:
            content = json.load(file)
        for key, value in content["digests"]:
            context, rest, unit = key[0], key[1:-1], key[-1]
            span = prefix = None
            if context == "execute" and len(rest) >= 2:
                span, prefix, *rest = rest
            elif context == "p2p":
                span, *rest = rest
            truth[(content["address"], context, span, prefix, "/".join(rest), unit)] = value
    return truth


class DaskTest(unittest.TestCase):
    longMessage = True
    maxDiff = 4000
    version = None

    @classmethod
    def setUpClass(cls):
        DaskTest.version = DaskTest.version or dask_version()

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(temporary.cleanup)
        self.directory = temporary.name

    @property
    def has_fine(self):
        return self.version >= (2023, 6)

    def script(self, name, *arguments):
        return [PYTHON, os.path.join(HERE, "scripts", name), *map(str, arguments)]

    def roast_run(self, command, *options, backend="dask", status=0, **more):
        path = os.path.join(self.directory, "report.json")
        more.setdefault("env", environment())
        more.setdefault("stdin", subprocess.DEVNULL)
        result = subprocess.run(["roast-run", "--backend=" + backend, "-e", "json:" + path, *options, "--", *command], capture_output=True,
                                text=True, timeout=90, cwd=self.directory, **more)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        self.result = result
        return Report(path)

    def assert_exact(self, report, contexts=None):
        """Each number is that of the worker, to the last bit, and none is missing."""
        truth = read_truth(self.directory)
        self.assertTrue(truth)
        found = report.activities()
        if contexts is not None:
            truth = {key: value for key, value in truth.items() if key[1] in contexts}
            found = {key: value for key, value in found.items() if key[1] in contexts}
        self.assertEqual(found, truth)


def main():
    program = unittest.main(verbosity=2, exit=False)
    sys.exit(0 if program.result.wasSuccessful() and program.result.testsRun > 0 else 1)
