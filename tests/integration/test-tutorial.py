#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""docs/tutorial.md and the other tutorials, followed to the letter with the installed roast."""

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
        result = installed.run("/usr/bin/python3", SCRIPT, timeout=240)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("Jobs failed", result.stdout + result.stderr)


    def test_others(self):
        """An aggregator, an exporter, and a backend that reads finished logs."""
        installed = Installed()
        self.addCleanup(installed.close)
        for page in ("tutorial-aggregator", "tutorial-exporter", "tutorial-logs"):
            with self.subTest(page):
                result = installed.run("/usr/bin/python3", SCRIPT, f"--page={page}", timeout=240)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class TestPlugins(unittest.TestCase):
    """The files and commands of docs/plugins.md work as they are printed."""

    def setUp(self):
        self.installed = Installed()
        self.addCleanup(self.installed.close)
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        self.text = (SCRIPT.parent.parent / "docs" / "plugins.md").read_text()

    def test_key_file(self):
        blocks = [textwrap.dedent(block) for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", self.text, re.MULTILINE)]
        key_file = next(block for block in blocks if "[Roast Plugin]" in block)
        (self.directory / "mine.roast-plugin").write_text(key_file)
        self.installed.environment["ROAST_PLUGIN_PATH"] = str(self.directory)
        result = self.installed.run("roast-inspect", "mine")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"(?s)mine.*backend:mine.*rate")

    def test_additions(self):
        """A column in a table of roast, a table and a metric."""
        for name, block in re.findall(r"`([\w.-]+)`:\n\n```\w+\n(.*?)^```$", self.text, re.DOTALL | re.MULTILINE):
            (self.directory / name).write_text(block)
        commands = re.search(r"^```sh\n(.*?)^```$", self.text, re.DOTALL | re.MULTILINE)[1]
        result = self.installed.run("sh", "-exc", commands, cwd=self.directory)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for words in ("no problems", "Power of racks", "Racks\n", "rack", "node-7"):
            self.assertIn(words, result.stdout)
        self.assertRegex((self.directory / "tables" / "workers.csv").read_text(), r"source,worker,.*,rack\n.*node-7.*,A\n")
        self.assertRegex((self.directory / "tables" / "racks.csv").read_text(), r"source,time,rack,power\n.*,A,1200\n")
        self.assertIn("racks_power_watts,1200,W,complete", (self.directory / "tables" / "metrics.csv").read_text())


if __name__ == "__main__":
    unittest.main(verbosity=2)
