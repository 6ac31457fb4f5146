#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/quickstart and scripts/install-dependencies say what they do, and what to do if the network or sudo fails."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["G_TEST_SRCDIR"]).parent
OPTIONS = "".join(f"option('{name}', type: 'string')\n" for name in ("tests", "introspection", "man"))


class InTree(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.tree = pathlib.Path(directory.name)
        (self.tree / "scripts").mkdir()
        self.fakes = self.tree / "fakes"
        self.fakes.mkdir()

    def fake(self, name, text, directory=None):
        path = (directory or self.fakes) / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)

    def run_script(self, name, *arguments):
        for script in (name, "with-progress"):
            shutil.copy(SOURCE / "scripts" / script, self.tree / "scripts")
        return subprocess.run([self.tree / "scripts" / name, *arguments], env=os.environ | {"PATH": f"{self.fakes}:{os.environ['PATH']}"},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240)


class Quickstart(InTree):
    """A project that needs no compiler takes the place of roast's."""

    def test_steps(self):
        self.fake("install-dependencies", "exit 0", self.tree / "scripts")
        self.fake("python3", "echo conda >&2; exit 1")
        self.fake("meson", "echo 'meson of conda' >&2; exit 1")
        (self.tree / "meson.build").write_text("project('tiny', meson_version: '>= 1.0')\n")
        (self.tree / "meson_options.txt").write_text(OPTIONS)
        (self.tree / "examples").mkdir()
        (self.tree / "examples" / "analysis.py").write_text("print('an analysis')\n")
        result = self.run_script("quickstart")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn(f"Using /usr/bin/python3 to build; {self.fakes}/python3 comes first", result.stdout)
        self.assertNotIn("conda", result.stderr)
        self.assertIn("  /usr/bin/meson devenv ", result.stdout)
        places = [result.stdout.index(f" s] {number}/4 ") for number in (1, 2, 3, 4)]
        self.assertEqual(places, sorted(places))
        self.assertIn("an analysis", result.stdout)


class Progress(InTree):
    def test_a_long_command_is_not_silent(self):
        """Until the reader has seen its line the command does not end."""
        ready = self.tree / "ready"
        os.mkfifo(ready)
        process = subprocess.Popen([SOURCE / "scripts" / "with-progress", self.tree / "log", "sh", "-c",
                                    f"echo 'Setting up gcc'; echo 'debconf: noise'; read line <{ready}; exit 3"],
                                   env=os.environ | {"ROAST_PROGRESS_SECONDS": "1"}, stdout=subprocess.PIPE, text=True)
        with process:
            self.assertEqual(process.stdout.readline(), "  Setting up gcc\n")
            ready.write_text("on\n")
            self.assertEqual(process.stdout.read(), "")
        self.assertEqual(process.returncode, 3)
        self.assertIn("debconf: noise", (self.tree / "log").read_text())


class Gate(InTree):
    """scripts/test checks its options, prints the minutes of each phase, and counts a failure before the tests as one."""

    def gate(self, *arguments):
        self.fake("install-dependencies", 'echo "asked for $1"; exit 1', self.tree / "scripts")
        return self.run_script("test", *arguments)

    def test_phases(self):
        for arguments, asked in ((), "test"), (("--quick",), "test"), (("--only=gcc,lint",), "gcc"), (("--release",), "test"), \
                (("--release", "--only=valgrind"), "gcc"):
            with self.subTest(arguments):
                result = self.gate(*arguments)
                self.assertEqual((result.returncode, result.stderr), (1, ""))
                lines = [line for line in result.stdout.splitlines() if not line.startswith("WARNING: ")]
                self.assertEqual(lines[:2], ["== install dependencies (after 0.0 minutes)", "-- install dependencies"])
                self.assertIn(f"asked for {asked}", lines)
                end = "\n".join(lines[lines.index("Minutes of each phase:"):])
                self.assertRegex(end, r"^.*\n  \d+\.\d  install dependencies \(processors: \d+ %\)\n  \d+\.\d  in all\n0 passed, 1 failed$")

    def test_options(self):
        for argument in "--soak", "--again", "--only=", "gcc":
            with self.subTest(argument):
                result = self.gate(argument)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn("usage: ", result.stderr)
        result = self.gate("--only=gcc,valgrind")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("no part 'valgrind' in: lint gcc clang packages quickstart", result.stderr)


class Install(InTree):
    def install(self, error, **fakes):
        self.fake("dpkg-query", "exit 1")
        self.fake("id", "echo 0")
        self.fake("apt-get", f"echo 'debconf: unable to initialize frontend: Dialog' >&2\necho '{error}' >&2\nexit {100 if error else 0}")
        for name, text in fakes.items():
            self.fake(name, text)
        result = self.run_script("install-dependencies")
        self.assertNotIn("debconf", result.stdout + result.stderr)
        self.assertEqual(result.returncode, 1 if error else 0, result.stderr)
        return result.stderr

    def test_quiet(self):
        self.assertEqual(self.install(""), "")

    def test_certificate(self):
        self.assertIn("ca-certificates", self.install("Certificate verification failed: The certificate is NOT trusted"))

    def test_mirror(self):
        self.assertIn("http_proxy", self.install("E: Failed to fetch http://deb.example/InRelease  Could not resolve"))

    def test_other_causes(self):
        self.assertIn("wait for its end", self.install("E: Could not get lock /var/lib/dpkg/lock-frontend"))
        self.assertIn("disk is full", self.install("write error: No space left on device"))
        # A mere name is not a cause.
        self.assertNotIn("does not trust", self.install("E: Failed to fetch http://deb.example/ca-certificates_1_all.deb  404"))

    def test_certificate_of_the_other_library(self):
        """apt has GnuTLS in Debian 12, and OpenSSL in Debian 13. What sudo says about the host's name is not a cause."""
        error = ("sudo: unable to resolve host vm: Name or service not known\nW: Failed to fetch https://deb.example/InRelease "
                 "SSL connection failed: error:0A000086:SSL routines::certificate verify failed")
        self.assertIn("install the package ca-certificates", self.install(error))

    def test_update_that_only_warned(self):
        """apt-get update succeeds then, and the cause is in its warnings."""
        self.fake("dpkg-query", "exit 1")
        self.fake("id", "echo 0")
        self.fake("apt-get", """case "$*" in
            *update) echo 'W: No system certificates available. Try installing ca-certificates.' ;;
            *) echo 'E: Unable to locate package gcc'; exit 100 ;;
        esac""")
        self.assertIn("install the package ca-certificates", self.run_script("install-dependencies").stderr)

    def test_sudo_that_allows_apt_only(self):
        calls = self.tree / "calls"
        self.install("", id="echo 1000", sudo=f"""echo "$*" >>{calls}
            case "$1" in apt-get) exec "$@" ;; esac
            echo "Sorry, user analyst is not allowed to execute '$*' as root" >&2
            exit 1""")
        self.assertEqual([call.split()[0] for call in calls.read_text().splitlines()], ["-l", "apt-get", "apt-get"])

    def test_sudo_that_allows_everything(self):
        calls = self.tree / "calls"
        self.install("", id="echo 1000", sudo=f"""echo "$*" >>{calls}
            case "$1" in -l) exit 0 ;; esac
            exec "$@" """)
        self.assertTrue(all(call.startswith("env DEBIAN_FRONTEND=noninteractive apt-get ") for call in calls.read_text().splitlines()[1:]))

    def test_sudo(self):
        for words in ("sudo: a password is required", "Sorry, user analyst is not allowed to execute this", "analyst is not in the sudoers file."):
            error = self.install("x", id="echo 1000", sudo=f"echo '{words}' >&2; exit 1")
            self.assertIn("ask the administrator to install: gcc", error)


if __name__ == "__main__":
    unittest.main(verbosity=2)
