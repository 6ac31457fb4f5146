#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-inspect --doctor: on this machine, and where something is taken away."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


class Doctor(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        os.chmod(self.directory, 0o777)

    def run_it(self, *options, before=(), **environment):
        home = {"HOME": self.directory, "XDG_STATE_HOME": self.directory, "XDG_CONFIG_HOME": self.directory, "ROAST_RUNS": self.directory}
        return subprocess.run([*before, "roast-inspect", "--doctor", *options], env=os.environ | {"LC_ALL": "C.UTF-8"} | home | environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    def checks(self, status=0, **options):
        result = self.run_it("--json", **options)
        self.assertEqual((result.returncode, result.stderr), (status, ""))
        checks = {}
        for check in json.loads(result.stdout):
            checks.setdefault(check["name"], check)
            # What is missing has its cost and a remedy.
            self.assertEqual(check["state"] == "yes", check["cost"] is None, check)
            self.assertEqual(check["state"] == "yes", check["remedy"] is None, check)
        return checks

    def test_here(self):
        checks = self.checks()
        self.assertEqual(checks["supervisor"]["state"], "yes")
        self.assertEqual(checks["shared memory"]["state"], "yes")
        self.assertIn("local", checks["backends"]["found"].split(", "))
        # The supervisor's own sentence in a report is the peer.
        run = subprocess.run(["roast-run", "-q", "--no-save", "-b", "local,cgroup=false", "-e", "json:-", "--", "true"], capture_output=True,
                             text=True, timeout=60)
        self.assertEqual(checks["perf events"]["state"] == "yes", "and perf events for those" in run.stdout)
        text = self.run_it().stdout
        self.assertRegex(text, r"(?m)^yes +supervisor +started a program")

    def test_no_supervisor(self):
        checks = self.checks(status=1, ROAST_SUPERVISOR="/nowhere")
        self.assertEqual(checks["supervisor"]["state"], "broken")
        self.assertIn("/nowhere", checks["supervisor"]["found"])
        self.assertNotIn("perf events", checks)

    def test_no_python(self):
        checks = self.checks(ROAST_PYTHON="/no/such/python")
        self.assertEqual(checks["Python"]["state"], "no")

    def test_what_python_has(self):
        """Without importing it: that module would fail."""
        package = pathlib.Path(self.directory, "coffea")
        package.mkdir()
        (package / "__init__.py").write_text("raise SystemExit('imported')\n")
        checks = self.checks(PYTHONPATH=self.directory)
        self.assertEqual(checks["coffea"]["state"], "yes")
        self.assertIn("/python3", checks["coffea"]["found"])

    def test_runs_that_cannot_be_kept(self):
        file = pathlib.Path(self.directory, "file")
        file.touch()
        checks = self.checks(ROAST_RUNS=str(file / "runs"))
        self.assertEqual(checks["kept runs"]["state"], "no")
        self.assertIn("ROAST_RUNS", checks["kept runs"]["remedy"])

    @unittest.skipUnless(os.getuid() == 0, "only root can become another user and mount /proc")
    def test_user_with_hidden_processes(self):
        mount = 'mount -t proc -o hidepid=2 proc /proc && exec "$@"'
        checks = self.checks(before=["unshare", "--mount", "sh", "-c", mount, "sh", *NOBODY])
        self.assertEqual(checks["processes"]["state"], "no")
        self.assertIn("hidepid=0", checks["processes"]["remedy"])
        self.assertEqual(checks["control group"]["state"], "no")
        self.assertEqual(checks["supervisor"]["state"], "yes")

    def test_excludes(self):
        self.assertEqual(self.run_it("--metrics").returncode, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
