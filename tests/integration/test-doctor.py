#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-inspect --doctor: on this machine, and where something is taken away."""

import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import unittest

import mounts
import refuse_call

MACHINE = platform.machine()
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
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240)

    def checks(self, status=0, **options):
        result = self.run_it("--json", **options)
        self.assertEqual((result.returncode, result.stderr), (status, ""))
        checks = {}
        for check in json.loads(result.stdout):
            checks.setdefault(check["name"], check)
            # Each says what it is good for; what is missing has its cost and a remedy.
            self.assertTrue(check["for"] or check["name"] in ("Dask", "coffea", "TaskVine"), check)
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
                             text=True, timeout=240)
        self.assertEqual(checks["perf events"]["state"] == "yes", "and perf events for the other processes" in run.stdout)
        text = self.run_it().stdout
        self.assertRegex(text, r"(?m)^yes +supervisor +started and measured a program")

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

    def fake_python(self, name, *lines):
        """A Python that answers so, whatever it is asked."""
        directory = pathlib.Path(self.directory, name)
        directory.mkdir()
        program = directory / "python3"
        program.write_text("#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in lines) + ("" if lines else "exit 1\n"))
        program.chmod(0o755)
        return str(directory)

    def test_another_python_has_it(self):
        first = self.fake_python("conda", "/conda/bin/python3 3.9.1", "", "", "")
        second = self.fake_python("other", "/other/bin/python3 3.13.0", "2025.9", "", "")
        dask = self.checks(PATH=f"{first}:{second}:{os.environ['PATH']}")["Dask"]
        self.assertEqual((dask["state"], dask["remedy"]), ("no", "PATH=/other/bin:$PATH roast-run ..."))
        self.assertEqual(dask["found"], "/conda/bin/python3 3.9.1 does not have this package, but /other/bin/python3 3.13.0 has version 2025.9")
        self.assertEqual(self.checks(PATH=f"{second}:{first}:{os.environ['PATH']}")["Dask"]["found"], "2025.9, in /other/bin/python3 3.13.0")

    def test_python_that_is_broken(self):
        first = self.fake_python("broken")
        check = self.checks(PATH=f"{first}:{os.environ['PATH']}", ROAST_PYTHON="python3")["Python"]
        self.assertEqual((check["state"], check["found"]), ("no", f"{first}/python3: this Python failed"))
        self.assertIn("PATH", check["remedy"])

    def test_python_that_hangs(self):
        """As on a network file system that does not answer; a child of it holds the pipe."""
        program = pathlib.Path(self.directory, "hangs")
        program.write_text("#!/bin/sh\nsleep 60 &\nwait\n")
        program.chmod(0o755)
        check = self.checks(ROAST_PYTHON=str(program))["Python"]
        self.assertEqual((check["state"], check["found"]), ("no", f"{program}: this Python did not answer within 10 s"))

    @unittest.skipIf(mounts.skip_reason(), mounts.skip_reason())
    def test_no_proc(self):
        hide = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        check = self.checks(status=1, before=hide)["processes"]
        self.assertEqual((check["state"], check["found"]), ("broken", "/proc is not mounted"))
        self.assertIn("mount -t proc", check["remedy"])

    def test_runs_that_are_kept(self):
        """It makes the directory for that, and leaves nothing."""
        check = self.checks(ROAST_RUNS=self.directory + "/deep/runs")["kept runs"]
        self.assertEqual(check["state"], "yes")
        self.assertRegex(check["found"], r"wrote and read a run of \d+ kB in .*/deep/runs, compressed with zstd")
        self.assertNotIn("deep", os.listdir(self.directory))

    def test_runs_that_cannot_be_kept(self):
        file = pathlib.Path(self.directory, "file")
        file.touch()
        checks = self.checks(ROAST_RUNS=str(file / "runs"))
        self.assertEqual(checks["kept runs"]["state"], "no")
        self.assertIn("Not a directory", checks["kept runs"]["found"])
        self.assertIn("ROAST_RUNS", checks["kept runs"]["remedy"])

    @unittest.skipIf(mounts.skip_reason(), mounts.skip_reason())
    def test_runs_on_a_read_only_disk(self):
        with mounts.tmpfs(pathlib.Path(self.directory, "disk"), "1m") as disk:
            mounts.mount("-o", "remount,ro", str(disk))
            check = self.checks(ROAST_RUNS=str(disk))["kept runs"]
        self.assertEqual(check["state"], "no")
        self.assertIn("cannot create the run file", check["found"])

    @unittest.skipIf(mounts.skip_reason(), mounts.skip_reason())
    def test_runs_on_a_full_disk(self):
        with mounts.tmpfs(pathlib.Path(self.directory, "disk"), "20m") as disk:
            check = self.checks(ROAST_RUNS=str(disk))["kept runs"]
        self.assertEqual((check["state"], check["found"]), ("no", f"less than 200 MB are free in {disk}"))

    def refuse(self, error, calls):
        return [sys.executable, refuse_call.__file__, error, calls]

    @unittest.skipUnless(MACHINE in refuse_call.PERF_EVENT_OPEN, "the numbers of system calls are unknown here")
    def test_perf_that_is_refused(self):
        """Each reason has its own remedy."""
        for error, found, remedy in (("EPERM", "by a container or a security module", "profile of the container"),
                                     ("ENOMEM", "perf_event_mlock_kb", "sysctl -w kernel.perf_event_mlock_kb"),
                                     ("EMFILE", "open files", "ulimit -n"),
                                     ("ENOSYS", "this kernel has no perf events", "CONFIG_PERF_EVENTS")):
            with open("/proc/sys/kernel/perf_event_paranoid") as file:
                if error == "EPERM" and int(file.read()) > 2:
                    continue
            checks = self.checks(before=self.refuse(error, refuse_call.PERF_EVENT_OPEN[MACHINE]))
            self.assertEqual(checks["perf events"]["state"], "no")
            self.assertIn(found, checks["perf events"]["found"])
            self.assertIn(remedy, checks["perf events"]["remedy"])
            self.assertEqual(checks["supervisor"]["state"], "yes")

    @unittest.skipUnless(MACHINE in refuse_call.PERF_EVENT_OPEN, "the numbers of system calls are unknown here")
    @unittest.skipIf(mounts.skip_reason(root=True), mounts.skip_reason(root=True))
    def test_paranoid(self):
        level = pathlib.Path(self.directory, "level")
        level.write_text("3\n")
        mounts.mount("--bind", str(level), "/proc/sys/kernel/perf_event_paranoid")
        try:
            check = self.checks(before=self.refuse("EACCES", refuse_call.PERF_EVENT_OPEN[MACHINE]))["perf events"]
        finally:
            mounts.unmount("/proc/sys/kernel/perf_event_paranoid")
        self.assertIn("kernel.perf_event_paranoid=3", check["found"])
        self.assertIn("kernel.perf_event_paranoid=2", check["remedy"])

    @unittest.skipUnless(MACHINE in refuse_call.ADJTIMEX, "the numbers of system calls are unknown here")
    def test_clock_that_cannot_be_read(self):
        check = self.checks(before=self.refuse("EPERM", refuse_call.ADJTIMEX[MACHINE]))["clock"]
        self.assertEqual(check["state"], "no")
        self.assertIn("cannot read the state of the clock", check["found"])

    def test_few_open_files(self):
        soft = self.checks(before=["prlimit", "--nofile=100:1024"])["open files"]
        self.assertEqual((soft["state"], soft["remedy"]), ("no", "ulimit -n 1024"))
        hard = self.checks(before=["prlimit", "--nofile=100:100"])["open files"]
        self.assertIn("ask the administrator", hard["remedy"])
        enough = self.checks(before=["prlimit", "--nofile=20000:20000"])["open files"]
        self.assertEqual(enough["state"], "yes")

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
    mounts.enter()
    unittest.main(verbosity=2)
