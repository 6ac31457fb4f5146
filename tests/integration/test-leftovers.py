#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests that fail, are ended or are killed leave no process behind: shown on tests with a planted failure."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

# A process that leaves its session and its parent, one that ignores requests to end, and a run of roast.
PLANTED = """
import os, subprocess, sys, time, unittest
sys.path.insert(0, %r)
import leftovers

class Planted(leftovers.Tidy):
    def start_all(self):
        mark = os.environ["MARK"]
        subprocess.run(["sh", "-c", "setsid sleep 1000 " + mark + " & true"])
        self.stubborn = subprocess.Popen(["sh", "-c", "trap '' TERM INT HUP; while :; do sleep 1; done", mark])
        self.run = subprocess.Popen(["roast-run", "-q", "--", "sleep", "1000", mark[2:]], stdout=subprocess.DEVNULL)
        # Until there are the three that are marked, and the program of the run.
        while sum(mark[2:] in leftovers.name_of(pid) for pid, _ in leftovers.descendants(os.getpid())) < 4:
            time.sleep(0.02)

    def test_a_fails(self):
        self.start_all()
        self.fail("planted")

    def test_b_finds_nothing(self):
        self.assertEqual(leftovers.descendants(os.getpid()), [])

    def test_c_passes_and_leaves(self):
        leftovers.PATIENCE = 0.1
        self.start_all()

    def test_d_hangs(self):
        self.start_all()
        print("\\nready", flush=True)
        time.sleep(1000)

leftovers.guard(lambda: unittest.main(verbosity=2))
""" % HERE


def marked(mark):
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % name) as file:
                if mark in file.read():
                    found.append(int(name))
        except OSError:
            pass
    return found


class Leftovers(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.script = os.path.join(temporary.name, "planted.py")
        with open(self.script, "w") as file:
            file.write(PLANTED)
        # sleep adds its arguments up.
        self.mark = "0." + str(os.getpid()).zfill(8) + str(time.monotonic_ns())[-6:]
        self.environment = dict(os.environ, MARK=self.mark)

    def start(self, *tests):
        return subprocess.Popen([sys.executable, self.script, *tests], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, start_new_session=True)

    def assert_gone(self):
        end = time.monotonic() + 240
        while marked(self.mark[2:]) and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(marked(self.mark[2:]), [])

    def test_failure(self):
        process = self.start("Planted.test_a_fails", "Planted.test_b_finds_nothing", "Planted.test_c_passes_and_leaves")
        output, _ = process.communicate(timeout=240)
        self.assertEqual(process.returncode, 1, output)
        self.assertIn("planted", output)
        self.assertRegex(output, r"test_b_finds_nothing .*\.\.\. ok")
        self.assertIn("the test left behind: ", output)
        self.assertIn("FAILED (failures=2)", output)
        self.assert_gone()

    def end_by(self, end):
        process = self.start("Planted.test_d_hangs")
        for line in process.stdout:
            if line == "ready\n":
                break
        self.assertGreaterEqual(len(marked(self.mark[2:])), 3)
        end(process)
        process.stdout.close()
        process.wait(timeout=240)
        self.assert_gone()

    def test_request_to_end(self):
        self.end_by(lambda process: process.terminate())

    def test_killed_as_after_a_timeout(self):
        self.end_by(lambda process: os.killpg(process.pid, signal.SIGKILL))


if __name__ == "__main__":
    unittest.main(verbosity=2)
