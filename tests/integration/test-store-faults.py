#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run files on disks that are full or read-only, from the start, in the middle of a run or at its end: the program is
unharmed, the report of the run is complete, and what is in the file can be read. Read-only media. Bits that flip."""

import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mounts
from closeness import RELEASE
from report import Report

# Five processes that are known by their name, each long enough for a sample.
MANY = "for i in 1 2 3 4 5; do $UNIT 0.2; done"


def count_units(report):
    return sum(row.get("command") == "unit" and "pid" in row for row in report.rows("processes"))


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        self.environment = os.environ | {"ROAST_RUNS": str(self.directory / "runs"), "XDG_CONFIG_HOME": str(self.directory / "config"),
                                         "UNIT": str(self.directory / "unit")}
        os.symlink(shutil.which("sleep"), self.directory / "unit")

    def call(self, *command, status=0, **options):
        result = subprocess.run(command, capture_output=True, text=True, timeout=240, env=self.environment, **options)
        self.assertEqual(result.returncode, status, f"{command}: {result.stderr}")
        return result

    def run_with(self, path, script, status=3, **options):
        """The report of a run whose file is @path, and what roast-run said."""
        output = self.directory / "report.json"
        result = self.call("roast-run", "-i", "0.05", "-e", f"json:{output}", f"--save={path}", "--", "sh", "-c", script, status=status, **options)
        return Report(output, ""), result.stderr

    def read(self, path):
        """The report made of the file, and what roast-report said."""
        output = self.directory / "again.json"
        result = self.call("roast-report", "-e", f"json:{output}", str(path))
        return Report(output, ""), result.stderr

    def check_rows(self, report, n):
        self.assertEqual(count_units(report), n)


@unittest.skipIf(mounts.skip_reason(), mounts.skip_reason() or "")
class TestMounts(Case):
    def test_full_from_the_start(self):
        with mounts.tmpfs(self.directory / "disk", "600k") as disk:
            subprocess.run(mounts.fill(disk), shell=True)
            report, said = self.run_with(disk / "a.roast", f"{MANY}; exit 3")
            self.check_rows(report, 5)
            self.assertRegex(" ".join(report.events("run-file")), "the run file cannot grow: .*(is full|No space left on device); the run goes on")
            self.assertRegex(said, "this run is not kept: .*(is full|No space left on device)")
            self.assertEqual(sorted(path.name for path in disk.iterdir()), ["fill"])

    def test_nothing_can_be_written(self):
        """The report is for a full disk as well: what was measured is on the screen at least."""
        with mounts.tmpfs(self.directory / "disk", "600k") as disk:
            subprocess.run(mounts.fill(disk), shell=True)
            result = self.call("roast-run", "-e", f"json:{disk}/a.json", f"--save={disk}/a.roast", "--", "sh", "-c", f"{MANY}; exit 3", status=3)
            self.assertRegex(result.stderr, "cannot write .*a.json: No space left on device")
            self.assertRegex(result.stderr, "this is the page of the run:\nroast  sh")
            self.assertRegex(result.stderr, "Outcome: .*exit status 3")
            self.assertEqual(result.stdout, "")
            # With a file of the run, roast-report can make the report again.
            kept = self.call("roast-run", "-e", f"json:{disk}/a.json", f"--save={self.directory}/a.roast", "--", "true")
            self.assertNotIn("Outcome", kept.stderr)

    def test_full_for_good(self):
        with mounts.tmpfs(self.directory / "disk", "600k") as disk:
            report, said = self.run_with(disk / "a.roast", f"{MANY}; sleep 2; {mounts.fill(disk)}; {MANY}; sleep 1.5; exit 3")
            self.check_rows(report, 10)
            event, = report.events("run-file")
            self.assertRegex(event, "the run file cannot grow: .*(is full|No space left on device); the run goes on")
            self.assertRegex(said, "this run is kept, but incomplete: .* is full")
            again, said = self.read(disk / "a.roast")
            self.check_rows(again, 5)
            self.assertRegex(said, "the measurement of this run was interrupted: data reach until ")
            self.assertRegex(" ".join(again.events("run-file")), "the data reach until ")

    def test_full_for_a_while(self):
        with mounts.tmpfs(self.directory / "disk", "1m") as disk:
            report, said = self.run_with(disk / "a.roast", f"{MANY}; sleep 1.5; {mounts.fill(disk)}; {MANY}; sleep 2; rm {disk}/fill; exit 3")
            self.check_rows(report, 10)
            self.assertRegex(report.events("run-file")[0], "the run file cannot grow: .*(is full|No space left on device); the run goes on")
            self.assertNotIn("incomplete", said)
            again, said = self.read(disk / "a.roast")
            self.assertEqual(said, "")
            self.assertEqual(again.rows("processes"), report.rows("processes"))
            self.assertEqual([path.name for path in disk.iterdir()], ["a.roast"])

    def test_read_only_directory(self):
        """A file that the user named is refused before the program starts; one that nobody asked for is not."""
        with mounts.tmpfs(self.directory / "disk", "600k") as disk:
            mounts.mount("-o", "remount,ro", str(disk))
            refused = self.call("roast-run", f"--save={disk}/a.roast", "--", "touch", str(self.directory / "ran"), status=125)
            self.assertIn("Read-only file system", refused.stderr)
            self.assertFalse((self.directory / "ran").exists())
            self.environment["ROAST_RUNS"] = str(disk / "runs")
            result = self.call("roast-run", "--", "touch", str(self.directory / "ran"))
            self.assertRegex(result.stderr, "this run is not kept: .*Read-only file system")
            self.assertTrue((self.directory / "ran").exists())

    def kill_session(self, path):
        """A run file as it is when the process that writes it is killed."""
        process = subprocess.Popen(["roast-run", "-q", "-i", "0.05", f"--save={path}", "--", "sh", "-c", f"{MANY}; sleep 100"],
                                   env=self.environment, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 240
        try:
            while time.monotonic() < deadline:
                shown = subprocess.run(["roast-report", "-e", f"json:{self.directory}/live.json", str(path)],
                                       env=self.environment, capture_output=True)
                if shown.returncode == 0 and count_units(Report(self.directory / "live.json", "")) == 5:
                    break
                time.sleep(0.2)
            session, = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[:1]
            os.kill(int(session), signal.SIGKILL)
        finally:
            process.terminate()
            process.wait(timeout=240)

    def test_read_only_medium(self):
        """A closed file; one of a killed run with its companions; and one that was copied without the shared memory."""
        with mounts.tmpfs(self.directory / "disk", "8m") as disk:
            closed, _ = self.run_with(disk / "closed.roast", f"{MANY}; exit 3")
            self.kill_session(disk / "killed.roast")
            (disk / "copy").mkdir()
            for name in ("killed.roast", "killed.roast-wal"):
                shutil.copy(disk / name, disk / "copy")
            self.assertGreater((disk / "copy/killed.roast-wal").stat().st_size, 0)
            mounts.mount("-o", "remount,ro", str(disk))
            before = sorted(str(path) for path in disk.rglob("*"))
            again, said = self.read(disk / "closed.roast")
            self.assertEqual(said, "")
            self.assertEqual(again.rows("processes"), closed.rows("processes"))
            for path in (disk / "killed.roast", disk / "copy/killed.roast"):
                report, said = self.read(path)
                self.check_rows(report, 5)
                self.assertRegex(said, "data reach until ")
            self.assertEqual(sorted(str(path) for path in disk.rglob("*")), before)


@unittest.skipIf(mounts.skip_reason(root=True), mounts.skip_reason(root=True) or "")
class TestDevice(Case):
    def test_read_only_in_the_middle(self):
        """As after an error of the disk: the kernel lets nobody write any more, also not to files that are open."""
        with mounts.ext4(self.directory / "disk", 16) as (disk, device):
            trigger = pathlib.Path("/sys/fs/ext4", device, "trigger_fs_error")
            if not os.access(trigger, os.W_OK):
                self.skipTest("the kernel cannot be asked for an error of ext4")
            report, said = self.run_with(disk / "a.roast", f"{MANY}; sleep 2; echo test > {trigger}; {MANY}; sleep 1.5; exit 3")
            self.check_rows(report, 10)
            self.assertRegex(" ".join(report.events("run-file")),
                             "the run file cannot grow: .*(Read-only file system|Input/output error|readonly database)")
            self.assertRegex(said, "this run is kept, but incomplete: ")
            again, said = self.read(disk / "a.roast")
            self.check_rows(again, 5)
            self.assertRegex(said, "data reach until ")


class TestFile(Case):
    def test_size_of_files(self):
        """RLIMIT_FSIZE, at which the kernel sends a signal that would end the process."""
        result = self.call("roast-run", "-i", "0.05", "-e", "json:-", f"--save={self.directory}/a.roast", "--",
                           "sh", "-c", f"{MANY}; exit 3", status=3,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50000, resource.RLIM_INFINITY)))
        output = self.directory / "report.json"
        output.write_text(result.stdout)
        report = Report(output, "")
        self.check_rows(report, 5)
        self.assertRegex(" ".join(report.events("run-file")), "the run file cannot grow: .*File too large")
        self.assertRegex(result.stderr, "this run is not kept: .*File too large")

    def test_bits(self):
        """Each bit that flips is noticed, or changes no number."""
        path = self.directory / "a.roast"
        self.run_with(path, f"{MANY}; sleep 0.3; exit 3")
        right, said = self.read(path)
        self.assertEqual(said, "")
        content = path.read_bytes()
        n_refused = n_reported = 0
        generator = random.Random(20261123)
        flips = 25 if RELEASE else 10
        for _ in range(flips):
            at, bit = generator.randrange(len(content)), generator.randrange(8)
            path.write_bytes(content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1:])
            result = subprocess.run(["roast-report", "-e", f"json:{self.directory}/again.json", str(path)],
                                    env=self.environment, capture_output=True, text=True)
            self.assertRegex(result.stderr, f"^roast-report: {path}")
            if result.returncode != 0:
                n_refused += 1
                continue
            n_reported += 1
            report = Report(self.directory / "again.json", "")
            self.assertRegex(" ".join(report.events("run-file")), "the run file is damaged: 1 of its ")
        self.assertEqual(n_refused + n_reported, flips)
        self.assertGreater(n_reported, 0)
        self.assertGreater(n_refused, 0)


if __name__ == "__main__":
    mounts.enter()
    unittest.main()
