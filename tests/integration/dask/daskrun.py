# SPDX-License-Identifier: BSD-3-Clause
"""Runs scripts that use Dask under roast-run, and compares the report with the workers' own numbers."""

import collections
import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from leftovers import Part, Tidy, guard
from report import Report

PYTHON = os.environ.get("ROAST_DASK_PYTHON", "/usr/bin/python3")
HERE = os.path.dirname(os.path.abspath(__file__))


def dask_version():
    command = "import distributed; print(distributed.__version__)"
    text = subprocess.run([PYTHON, "-c", command], capture_output=True, text=True, check=True, env=environment()).stdout
    return tuple(int(part) for part in text.strip().split("+")[0].split(".")[:2])


def environment(**more):
    """Without the variables of tests that make Dask's own processes slow or noisy."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "G_DEBUG"))}
    return kept | {"PYTHONWARNINGS": "ignore", "PYTHONPATH": os.path.join(HERE, "scripts"), "PYTHONDONTWRITEBYTECODE": "1"} | more


def shift_clock(seconds):
    """Variables that set the clock of a process ahead."""
    result = subprocess.run(["faketime", "-f", "+%gs" % seconds, "env"], capture_output=True, text=True, check=True)
    return dict(line.split("=", 1) for line in result.stdout.splitlines() if line.startswith(("FAKETIME", "LD_PRELOAD=")))


CONTEXTS = {"gather-dep": "fetch", "get-data": "serve", "memory-monitor": "memory"}


def translate(context, activity):
    """Dask's words in those of the schema."""
    if context == "p2p":
        where, _, activity = activity.partition("/")
        return "shuffle-tasks" if where == "foreground" else "shuffle", activity
    if context == "execute" and activity.startswith("p2p-"):
        activity = activity[len("p2p-"):]
    return CONTEXTS.get(context, context), activity


def read_truth(directory):
    """Several of Dask's keys may be one activity: its value is their sum."""
    truth = collections.defaultdict(float)
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
            context, activity = translate(context, "/".join(rest))
            truth[(content["address"], context, span, prefix, activity, unit)] += value
    return truth


def read_around(directory, prefix):
    """(thread CPU, wall) in s that workers measured around Dask's own measurement of the tasks of a prefix."""
    cpu = wall = 0.0
    for path in glob.glob(os.path.join(directory, "*.truth")):
        with open(path) as file:
            times = json.load(file)["around"].get(prefix, (0.0, 0.0))
        cpu, wall = cpu + times[0], wall + times[1]
    return cpu, wall


class DaskTest(Tidy):
    longMessage = True
    maxDiff = 4000
    version = None

    @classmethod
    def setUpClass(cls):
        DaskTest.version = DaskTest.version or dask_version()

    def setUp(self):
        super().setUp()
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
                                text=True, timeout=240, cwd=self.directory, **more)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        self.result = result
        return Report(path, "dask")

    def assert_exact(self, report, contexts=None):
        """Each number is the worker's own, to the last bit, and none is missing."""
        truth = read_truth(self.directory)
        self.assertTrue(truth)
        # What roast measures in addition is in no count of the worker's own.
        found = {key: value for key, value in report.activities().items() if key[1] not in ("actors", "run-queue", "cancelled")}
        for key in [key for key in found if key[4] == "rescheduled"]:  # Dask counts these attempts as cancelled
            cancelled = (*key[:4], "cancelled", key[5])
            found[cancelled] = found.pop(key) + found.get(cancelled, 0.0)
        if contexts is not None:
            truth = {key: value for key, value in truth.items() if key[1] in contexts}
            found = {key: value for key, value in found.items() if key[1] in contexts}
        self.assertEqual(found, truth)


def main():
    guard(run_tests)


def run_tests():
    program = unittest.main(verbosity=2, exit=False, testLoader=Part())
    sys.exit(0 if program.result.wasSuccessful() and program.result.testsRun > 0 else 1)
