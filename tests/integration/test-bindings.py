#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The readers of examples/ in JavaScript and Lua print what roast-report finds in the same run file."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

EXAMPLES = pathlib.Path(os.environ["G_TEST_SRCDIR"]).parent / "examples" / "applications"


def run(*arguments):
    return subprocess.run([str(argument) for argument in arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240)


class Reader:
    def test_complete(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "run.roast")
            self.assertEqual(run("roast-run", "-q", f"--save={path}", "-i", "0.05", "--", "sh", "-c", "sleep 0.3; true").returncode, 0)
            query = "SELECT worker, coalesce(max(memory), 0) AS peak FROM worker_samples GROUP BY 1"
            expected = {row["worker"]: row["peak"] for row in json.loads(run("roast-report", "query", query, path, "-f", "json").stdout)}
            result = run(*self.command, path)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        first, *rest = result.stdout.splitlines()
        self.assertEqual(first, "complete")
        self.assertEqual({worker: int(peak) for worker, peak in map(str.split, rest)}, expected)
        self.assertGreater(sum(expected.values()), 0)

    def test_mistakes(self):
        result = run(*self.command, "/no/such/file")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/no/such/file", result.stderr)
        self.assertIn("usage", run(*self.command).stderr)


class JavaScript(Reader, unittest.TestCase):
    command = ["gjs", EXAMPLES / "read.js"]


class Lua(Reader, unittest.TestCase):
    command = ["lua5.3", EXAMPLES / "read.lua"]


if __name__ == "__main__":
    unittest.main(verbosity=2)
