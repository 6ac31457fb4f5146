#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""docs/tutorial.md, followed to the letter with the installed roast."""

import os
import pathlib
import unittest

from installed import Installed

SCRIPT = pathlib.Path(os.environ["G_TEST_SRCDIR"]).parent / "scripts" / "run-tutorial"


class TestTutorial(unittest.TestCase):
    def test_tutorial(self):
        installed = Installed()
        self.addCleanup(installed.close)
        home = installed.root / "home"
        home.mkdir()
        del installed.environment["XDG_DATA_HOME"]
        installed.environment |= {
            "HOME": str(home),
            "ROAST_PLUGIN_SYSTEM_PATH": f"{home}/.local/share/roast-1/plugins:{installed.pluginsdir}",
        }
        result = installed.run("/usr/bin/python3", SCRIPT, timeout=180)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("Jobs failed", result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
