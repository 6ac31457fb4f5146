#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A plugin that crashes, exits, loops, leaks or overwrites memory in any of its slots: the program's status, and a message that names
plugin and slot."""

import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from leftovers import guard
from running import InDirectory

HERE = os.path.dirname(os.path.abspath(__file__))
BEFORE = ("init", "configure", "prepare_launch", "start_tracking")
AFTER = ("launched", "exited", "stop_tracking", "aggregate", "export_report")
WAYS = {
    "crash": "was killed by signal 11 (Segmentation fault)",
    "exit": "exited with status 42 before its end",
    "leak": "was killed by signal",
    "overwrite": "was killed by signal",
    "loop": "did not finish in time (option --deadline) and was killed",
}

PYTHON = """
    import ctypes, os, signal
    from gi.repository import GObject, Roast

    def reach(slot):
        where, way = os.environ["FATAL"].split(":")
        if where != slot:
            return
        if way == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if way == "exit":
            os._exit(42)
        if way == "overwrite":
            ctypes.memset(1, 1, 4096)
        while way == "loop":
            pass

    class Mine(GObject.Object, Roast.MetricsBackend):
        __gtype_name__ = "FatalPython"

        def do_configure(self, options):
            reach("configure")

        def do_prepare_launch(self, context):
            reach("prepare_launch")

        def do_start_tracking(self, recording, interval, task):
            reach("start_tracking")
            task.return_boolean(True)

        def do_launched(self, pid):
            reach("launched")

        def do_exited(self, status):
            reach("exited")

        def do_stop_tracking(self, task):
            reach("stop_tracking")
            task.return_boolean(True)
"""


class TestFatalPlugins(InDirectory):
    def run_with_fatal(self, slot, way, path, arguments):
        marker = self.path("ran")
        if os.path.exists(marker):
            os.unlink(marker)
        environment = dict(os.environ, FATAL=f"{slot}:{way}", ROAST_PLUGIN_PATH=path + ":" + os.environ["ROAST_PLUGIN_PATH"])
        return subprocess.run(["roast-run", "--deadline=1", *arguments, "--", "sh", "-c", f"sleep 0.1; echo > {marker}; exit 7"],
                              capture_output=True, text=True, env=environment, cwd=self.directory, stdin=subprocess.DEVNULL, timeout=60)

    def check(self, plugin, slot, way, path, arguments):
        marker = self.path("ran")
        result = self.run_with_fatal(slot, way, path, arguments)
        started = slot not in BEFORE
        self.assertEqual(os.path.exists(marker), started, result.stderr)
        self.assertEqual(result.returncode, 7 if started else 125, result.stderr)
        line = result.stderr.splitlines()[-1]
        self.assertIn("roast-run: the process that measures " + WAYS[way], line)
        self.assertIn(f" in {slot}() of plugin {plugin}: ", line)

    def test_c(self):
        built = os.environ["ROAST_TEST_FIXTURES"]
        for slot in BEFORE + AFTER:
            for way in WAYS:
                # Before the launch there is no deadline: the second request to end is obeyed.
                if way != "loop" or slot in AFTER:
                    with self.subTest(slot=slot, way=way):
                        self.check("fatal", slot, way, os.path.join(built, "fatal"), ["-b", "fatal", "-e", "fatal:" + self.path("out")])

    def test_report_of_saved_run(self):
        """roast-report makes the report, without the plugin that ended the session."""
        built = os.environ["ROAST_TEST_FIXTURES"]
        for slot in ("stop_tracking", "aggregate", "export_report"):
            for way in ("crash", "exit", "loop"):
                with self.subTest(slot=slot, way=way):
                    path, table = self.path(f"{slot}-{way}.roast"), self.path(f"{slot}, {way}.txt")
                    result = self.run_with_fatal(slot, way, os.path.join(built, "fatal"), [
                        "-b", "local", "-b", "fatal", "-e", "fatal:" + self.path("out"), "-e", "table:" + table.replace(",", "\\,"), "-e", "json:-",
                        "--save=" + path])
                    self.assertEqual(result.returncode, 7, result.stderr)
                    self.assertIn(f"in {slot}() of plugin fatal: the report is made from what it saved", result.stderr)
                    with open(table) as file:
                        self.assertIn("Elapsed time", file.read())
                    report = json.loads(result.stdout)
                    self.assertIn("elapsed_time_seconds", report["metrics"])
                    self.assertTrue(os.path.exists(path))

    @unittest.skipIf(os.environ.get("ROAST_TEST_PYTHON") != "1", "built without plugins in Python")
    def test_python(self):
        with open(self.path("mine.py"), "w") as file:
            file.write("\n".join(line[4:] for line in PYTHON.splitlines()))
        with open(self.path("mine.roast-plugin"), "w") as file:
            file.write("[Roast Plugin]\nModule=mine\nName=mine\nLoader=python\nApi=1.0\nProvides=backend:mine\nCapabilities=launch\n"
                       "Description=Ends\nVersion=1\nLicense=BSD-3-Clause\n")
        for slot in ("configure", "prepare_launch", "start_tracking", "launched", "exited", "stop_tracking"):
            for way in ("crash", "exit", "overwrite", "loop"):
                if way != "loop" or slot in AFTER:
                    with self.subTest(slot=slot, way=way):
                        self.check("mine", slot, way, self.directory, ["-b", "mine"])


if __name__ == "__main__":
    guard(lambda: unittest.main(verbosity=2))
