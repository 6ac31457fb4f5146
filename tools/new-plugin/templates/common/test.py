#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs roast with the plugin that was built: test.py BUILD-DIRECTORY"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv.pop(1)
ENVIRONMENT = dict(os.environ, ROAST_PLUGIN_PATH=BUILD + ":" + os.environ.get("ROAST_PLUGIN_PATH", ""))


def run(*arguments):
    return subprocess.run(arguments, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)


class Test@Type@(unittest.TestCase):
    def test_check(self):
        """roast-inspect finds no problem."""
        result = run("roast-inspect", "--check", os.path.join(BUILD, "@name@.roast-plugin"))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_run(self):
        with tempfile.TemporaryDirectory() as directory:
@test-run@


if __name__ == "__main__":
    unittest.main(verbosity=2)
