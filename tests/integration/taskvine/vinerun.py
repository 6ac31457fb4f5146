# SPDX-License-Identifier: BSD-3-Clause
"""Runs real managers and workers of TaskVine, with and without roast-run, and reads what they wrote themselves.

TaskVine is in Debian 13. On Debian 12, ROAST_TASKVINE_ROOT is a directory with a Debian 13 in which it is installed (in_root.py)."""

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from in_root import ROOT, enter, has_taskvine, inside  # noqa: E402

enter()
from leftovers import Part, Tidy, guard  # noqa: E402
from report import Report  # noqa: E402
from running import without_note  # noqa: E402

PYTHON = "/usr/bin/python3"
SECONDS = 240  # until a scenario hangs


def is_packaged():
    release = platform.freedesktop_os_release()
    return release.get("ID") != "debian" or int(release.get("VERSION_ID", "99")) >= 13


def environment(**more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "G_DEBUG"))}
    return kept | {"CATALOG_HOST": "127.0.0.1", "PYTHONDONTWRITEBYTECODE": "1"} | more


class Log:
    """An independent count of a transactions log: as little code as can be, and none of roast's."""

    def __init__(self, path):
        self.tasks, self.libraries, self.joined, self.left = {}, set(), 0, 0
        self.dispatched = self.ready = 0
        self.execute = self.input = self.output = 0.0
        with open(path) as file:
            for line in file:
                words = line.split()
                if line.startswith("#") or len(words) < 5 or not line.endswith("\n"):
                    continue
                self.take(words, line)

    def take(self, words, line):
        subject, name, state = words[2:5]
        if subject == "WORKER" and name != "(null)":
            self.joined += state == "CONNECTION"
            self.left += state == "DISCONNECTION"
        elif subject == "LIBRARY":
            self.libraries.add(name)
        elif subject == "TASK":
            self.ready += state == "READY"
            self.dispatched += state == "RUNNING"
            if state == "RETRIEVED" and words[5] != "LIBRARY_EXIT":
                found = {key: float(value) for key, value in re.findall(r'"(\w+)":\[(-?[\d.e+-]+),', line[line.rindex("{"):])}
                self.execute += found.get("time_worker_end", 0) - found.get("time_worker_start", 0)
                self.input += found.get("time_input_mgr", 0)
                self.output += found["time_output_mgr"] if 0 <= found.get("time_output_mgr", -1) < 1e9 else 0
            if state == "DONE":
                self.tasks[name] = (words[5], int(words[6]))


class VineTest(Tidy):
    longMessage = True
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        if has_taskvine():
            return
        if ROOT:
            raise AssertionError("there is no TaskVine in %s (ROAST_TASKVINE_ROOT)" % ROOT)
        if is_packaged():
            raise AssertionError("there is no TaskVine: scripts/install-dependencies test installs it")
        raise unittest.SkipTest("Debian 12 has no TaskVine: set ROAST_TASKVINE_ROOT to the directory of a Debian 13")

    def setUp(self):
        super().setUp()
        temporary = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(temporary.cleanup)
        self.directory = temporary.name
        self.n = 0

    def script(self, *arguments):
        command = [PYTHON, os.path.join(HERE, "scripts", "churn.py"), "--out", os.path.join(self.directory, "stats.json"), *map(str, arguments)]
        return inside(self.directory, command)

    def new_report(self):
        self.n += 1
        return os.path.join(self.directory, "report-%d.json" % self.n)

    def read(self, path):
        return Report(path, "taskvine")

    def roast_run(self, command, *options, status=0, backend="taskvine"):
        path = self.new_report()
        self.result = subprocess.run(["roast-run", "--backend=" + backend, "-e", "json:" + path, *options, "--", *command], capture_output=True,
                                     text=True, timeout=SECONDS, cwd=self.directory, env=environment(), stdin=subprocess.DEVNULL)
        self.assertEqual(self.result.returncode, status, self.result.stdout + self.result.stderr)
        self.result.stderr = without_note(self.result.stderr)
        return self.read(path)

    def attach(self, address, *options, backend="taskvine", status=0):
        path = self.new_report()
        self.result = subprocess.run(["roast-run", "--backend=" + backend, "--attach=" + str(address), "-e", "json:" + path, *options],
                                     capture_output=True, text=True, timeout=SECONDS, cwd=self.directory, stdin=subprocess.DEVNULL)
        self.assertEqual(self.result.returncode, status, self.result.stdout + self.result.stderr)
        return self.read(path) if status == 0 else None

    def start(self, *arguments):
        """A run without roast, from the side of which it is looked at."""
        process = subprocess.Popen(self.script(*arguments), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=self.directory,
                                   env=environment(), stdin=subprocess.DEVNULL)

        def end():
            if process.poll() is None:
                process.terminate()
            process.communicate(timeout=240)

        self.addCleanup(end)
        return process

    def wait_for(self, condition, seconds=240):
        end = time.monotonic() + seconds

        def holds():
            try:
                return condition()
            except FileNotFoundError:  # a directory is there before its logs
                return False

        while not holds():
            self.assertLess(time.monotonic(), end, "nothing came")
            time.sleep(0.05)

    def managers(self):
        """What managers said of themselves."""
        with open(os.path.join(self.directory, "stats.json")) as file:
            return json.load(file)["managers"]

    def logs(self, where="vine-run-info"):
        """Directories of logs, in the order of their making."""
        base = os.path.join(self.directory, where)
        names = sorted(name for name in os.listdir(base) if name not in ("most-recent", "vine-cache"))
        return [os.path.join(base, name, "vine-logs") for name in names]


def main():
    guard(run_tests)


def run_tests():
    result = unittest.main(verbosity=2, exit=False, testLoader=Part()).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(0 if result.testsRun > len(result.skipped) else 77)  # skipped, to meson
