#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""docs/tutorial.md, followed to the letter with the installed roast."""

import os
import pathlib
import re
import tempfile
import textwrap
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


class TestPlugins(unittest.TestCase):
    """What docs/plugins.md shows can be copied."""

    def test_files(self):
        installed = Installed()
        self.addCleanup(installed.close)
        text = (SCRIPT.parent.parent / "docs" / "plugins.md").read_text()
        blocks = [textwrap.dedent(block) for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE)]
        key_file = next(block for block in blocks if "[Roast Plugin]" in block)
        catalogue = next(block for block in blocks if "[mine_jobs_total]" in block)
        with tempfile.TemporaryDirectory() as directory:
            pathlib.Path(directory, "mine.roast-plugin").write_text(key_file)
            pathlib.Path(directory, "mine.roast-metrics").write_text(catalogue)
            installed.environment["ROAST_PLUGIN_PATH"] = directory
            result = installed.run("roast-inspect", "mine")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertRegex(result.stdout, r"(?s)mine.*backend:mine.*rate")
            result = installed.run("roast-inspect", "--metrics", "mine_jobs_total")
            self.assertIn("Jobs that ended", result.stdout, result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
