#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-run --control and programs that do not do as they should: they write nonsense, do not read, or go away."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

NOT_READ = "the answers to --control were not read"


class Control(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.report = pathlib.Path(directory.name, "report.json")
        their_orders, self.orders = os.pipe()
        self.answers, their_answers = os.pipe()
        self.process = subprocess.Popen(
            ["roast-run", "-q", "--no-save", f"--control={their_orders},{their_answers}", f"--export=json:{self.report}", "--", "cat"],
            pass_fds=[their_orders, their_answers], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        os.close(their_orders)
        os.close(their_answers)
        self.input = os.fdopen(self.orders, "wb", buffering=0)
        self.output = os.fdopen(self.answers, "rb")
        self.addCleanup(self.input.close)
        self.addCleanup(self.output.close)
        self.addCleanup(self.process.kill)

    def end(self):
        """The program ends when its input does. The report."""
        _, complaint = self.process.communicate(timeout=240)
        self.assertEqual((self.process.returncode, complaint), (0, b""))
        return json.loads(self.report.read_text())

    def ask(self, line):
        self.input.write(line + b"\n")
        return self.output.readline().decode().rstrip("\n")

    def test_lines(self):
        self.assertEqual(self.output.readline(), b"started -\n")
        self.assertEqual(self.ask(b"open 1 - a%20b"), "opened 1")
        self.assertRegex(self.ask(b"open 1 - again"), "^error 1 a span with this number")
        self.assertRegex(self.ask(b"open 2 - %FF"), "^error 2 .*UTF-8")
        self.assertRegex(self.ask(b"open two - name"), "^error - unknown command")
        self.assertRegex(self.ask(b"open 3 one name"), "^error 3 the parent")
        self.assertRegex(self.ask(b"close 9"), "^error 9 no span")
        self.assertRegex(self.ask(b"close 1\0"), "^error 1 unknown command")
        self.assertEqual(self.ask(b"close 1"), "closed 1")
        self.end()

    def test_a_line_that_is_too_long(self):
        self.assertEqual(self.output.readline(), b"started -\n")
        self.input.write(b"x" * 100000)
        self.assertRegex(self.output.readline().decode(), "^error - the line of an order is too long")
        self.end()

    def test_answers_that_nobody_reads(self):
        """More than wait for a reader. All orders are taken from the pipe, and the program ends as ever."""
        order = b"nonsense\n" * 1000
        for _ in range(40):
            self.input.write(order)
        events = json.dumps(self.end()["tables"]["events"])
        self.assertIn(NOT_READ, events)

    def test_a_reader_that_comes_late(self):
        """It finds the answers, and at last why there are no more."""
        for _ in range(40):
            self.input.write(b"nonsense\n" * 1000)
        lines = [self.output.readline().decode() for _ in range(2)]
        while NOT_READ not in lines[-1]:
            lines.append(self.output.readline().decode())
            self.assertTrue(lines[-1])
        self.assertEqual(lines[0], "started -\n")
        self.assertTrue(all(line.startswith("error - ") for line in lines[1:]))
        self.end()

    def test_a_reader_that_went_away(self):
        self.assertEqual(self.output.readline(), b"started -\n")
        self.output.close()
        for _ in range(40):
            self.input.write(b"nonsense\n" * 1000)
        self.input.close()
        self.end()


if __name__ == "__main__":
    unittest.main(verbosity=2)
