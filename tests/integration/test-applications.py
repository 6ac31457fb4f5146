#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The applications of examples/, built against the installed library: C, Vala and Python do the same."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest
from xml.etree import ElementTree

from closeness import RELEASE, before_release
from installed import Installed

TESTS = pathlib.Path(os.environ["G_TEST_SRCDIR"])
VALGRIND = ["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite",
            "--suppressions=/usr/share/glib-2.0/valgrind/glib.supp", f"--suppressions={TESTS / 'valgrind.supp'}"]
EXAMPLES = TESTS.parent / "examples" / "applications"


def setUpModule():
    global installed, temporary, build
    installed = Installed()
    temporary = tempfile.TemporaryDirectory()
    build = pathlib.Path(temporary.name) / "build"
    installed.build(EXAMPLES, build)
    if RELEASE:  # valgrind finds most of the same errors
        installed.build(EXAMPLES, build / "sanitized", "-Db_sanitize=address,undefined", "-Db_lundef=false")


def tearDownModule():
    installed.close()
    temporary.cleanup()


class Application:
    """The same tests for each language; command() says how it is started."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        self.json = os.path.join(self.directory, "r.json")

    def run_it(self, *arguments):
        return installed.run(*self.command(), *arguments, timeout=240)

    def metrics(self):
        with open(self.json) as file:
            return {name: metric["value"] for name, metric in json.load(file)["metrics"].items()}

    def test_launch(self):
        result = self.run_it("--backend=local,pss=off", f"--json={self.json}", "--", "sh", "-c", "sleep 0.3; exit 7")
        self.assertEqual(result.returncode, 7, result.stderr)
        self.assertIn("CPU time", result.stdout)
        self.assertIn(" workers, ", result.stderr)
        self.assertEqual(self.metrics()["exit_status"], 7)

    def test_attach(self):
        process = subprocess.Popen(["sleep", "60"])
        application = subprocess.Popen([*self.command(), f"--json={self.json}", f"--attach={process.pid}"],
                                       env=installed.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(application.stdout.close)
        self.addCleanup(application.stderr.close)
        seen = ""
        while "workers" not in seen:  # it says so when it has joined
            character = application.stderr.read(1)
            self.assertNotEqual(character, "", seen)
            seen += character
        process.send_signal(signal.SIGTERM)
        process.wait()
        output, _ = application.communicate(timeout=240)
        self.assertEqual(application.returncode, 0)
        self.assertIn("Key numbers", output)
        self.assertIn("process_cpu_time_seconds", self.metrics())

    def test_signal(self):
        self.assertEqual(self.run_it("--", "sh", "-c", "kill -9 $$").returncode, 128 + 9)

    def test_mistakes(self):
        ran = os.path.join(self.directory, "ran")
        for arguments, words in {
            (): "--attach=ADDRESS",
            ("--backend=lokal", "--", "touch", ran): "Did you mean local?",
            ("--backend=local,pss=often", "--", "touch", ran): "pss",
            ("--", "/no/such/program"): "/no/such/program",
            ("--attach=2147483646",): "2147483646",
        }.items():
            result = self.run_it(*arguments)
            self.assertNotEqual(result.returncode, 0, arguments)
            self.assertIn(words, result.stderr)
            self.assertNotIn("Traceback", result.stderr)
        self.assertFalse(os.path.exists(ran))

    def test_json_that_cannot_be_written(self):
        result = self.run_it("--json=/no/such/directory/r.json", "--", "true")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("/no/such/directory", result.stderr)


class Compiled(Application):
    def command(self):
        return [build / self.name]

    def test_valgrind(self):
        self.memory_checked([*VALGRIND, build / self.name])

    @before_release
    def test_sanitizers(self):
        self.memory_checked([build / "sanitized" / self.name])

    def memory_checked(self, command):
        for arguments, status in {(f"--json={self.json}", "--", "sh", "-c", "exit 7"): 7, ("--", "/no/such/program"): 1}.items():
            result = installed.run(*command, *arguments)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertNotIn("ERROR", result.stderr)


class TestC(Compiled, unittest.TestCase):
    name = "measure"


class TestVala(Compiled, unittest.TestCase):
    name = "measure-vala"


class TestPython(Application, unittest.TestCase):
    def command(self):
        return ["/usr/bin/env", "G_DEBUG=fatal-criticals", "/usr/bin/python3", EXAMPLES / "measure.py"]


class Reader:
    """A run file that is complete, and one whose run goes on; all three print the same."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = os.path.join(directory.name, "run.roast")

    def read(self):
        result = installed.run(*self.command(), self.path, timeout=240)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        first, *rest = result.stdout.splitlines()
        return first, {worker: int(peak) for worker, peak in map(str.split, rest)}

    def test_complete(self):
        installed.run("roast-run", "-q", f"--save={self.path}", "-i", "0.05", "--", "sh", "-c", "sleep 0.3; true", timeout=240)
        result = installed.run("roast-report", "query", "SELECT worker, coalesce(max(memory), 0) AS peak FROM worker_samples GROUP BY 1",
                               self.path, "-f", "json", timeout=240)
        self.assertEqual(self.read(), ("complete", {row["worker"]: row["peak"] for row in json.loads(result.stdout)}))

    def test_running(self):
        process = subprocess.Popen(["roast-run", "-q", f"--save={self.path}", "-i", "0.05", "--", "sleep", "60"], env=installed.environment)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        deadline = time.monotonic() + 240
        while not os.path.exists(self.path) or not self.read()[1]:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        self.assertEqual(self.read()[0], "running")

    def test_mistakes(self):
        result = installed.run(*self.command(), "/no/such/file", timeout=240)
        self.assertEqual(result.returncode, 1)
        self.assertIn("/no/such/file", result.stderr)
        self.assertNotIn("Traceback", result.stderr)


class TestReadC(Reader, unittest.TestCase):
    def command(self):
        return [build / "read"]


class TestReadVala(Reader, unittest.TestCase):
    def command(self):
        return [build / "read-vala"]


class TestReadPython(Reader, unittest.TestCase):
    def command(self):
        return ["/usr/bin/env", "G_DEBUG=fatal-criticals", "/usr/bin/python3", EXAMPLES / "read.py"]


class Record:
    """An executor's own rows, its totals and its report; both print the same."""

    def test_report(self):
        result = installed.run(*self.command(), timeout=240)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        *totals, done, mean = result.stdout.splitlines()
        self.assertEqual(totals, [f"jobs so far: {number + 1}" for number in range(4)])
        self.assertEqual(done, "tasks_done_total: 4, complete")
        self.assertRegex(mean, r"^task_time_mean_seconds: [0-9.e-]+, complete$")


class TestRecordC(Record, unittest.TestCase):
    def command(self):
        return [build / "record"]


class TestRecordPython(Record, unittest.TestCase):
    def command(self):
        return ["/usr/bin/env", "G_DEBUG=fatal-criticals", "/usr/bin/python3", EXAMPLES / "record.py"]


class Chart:
    """A picture of a run file: all three write the same bytes."""

    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.run_file, cls.picture = (os.path.join(directory.name, name) for name in ("run.roast", "picture.svg"))
        installed.run("roast-run", "-q", f"--save={cls.run_file}", "-i", "0.05", "--", "sh", "-c", "sleep 0.4; true", timeout=240)

    def draw(self, *arguments):
        return installed.run(*self.command(), *arguments, timeout=240)

    def test_list(self):
        result = self.draw(self.run_file)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("memory: Memory over time", result.stdout.splitlines())
        self.assertNotIn("task_stream", result.stdout)

    def test_draw(self):
        result = self.draw(self.run_file, "memory", self.picture)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        picture = pathlib.Path(self.picture).read_text()
        self.assertEqual(ElementTree.fromstring(picture).get("aria-label"), "Memory over time")
        reference = os.path.join(os.path.dirname(self.picture), "reference.svg")
        installed.run("/usr/bin/env", "/usr/bin/python3", EXAMPLES / "chart.py", self.run_file, "memory", reference, timeout=240)
        self.assertEqual(picture, pathlib.Path(reference).read_text())

    def test_mistakes(self):
        for arguments, words in {
            (self.run_file, "task_stream", self.picture): "no row of the table “tasks” has “started”",
            (self.run_file, "task_streams", self.picture): "there is no chart “task_streams”",
            (self.run_file, "memory", "/no/such/directory/x.svg"): "/no/such/directory",
            ("/no/such/file",): "/no/such/file",
            (): "usage",
        }.items():
            result = self.draw(*arguments)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertIn(words, result.stderr)
            self.assertNotIn("Traceback", result.stderr)


class TestChartC(Chart, unittest.TestCase):
    def command(self):
        return [build / "chart"]

    @before_release
    def test_sanitizers(self):
        for name, status in {"memory": 0, "task_stream": 1}.items():
            result = installed.run(build / "sanitized" / "chart", self.run_file, name, self.picture)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertNotIn("ERROR", result.stderr)


class TestChartVala(Chart, unittest.TestCase):
    def command(self):
        return [build / "chart-vala"]


class TestChartPython(Chart, unittest.TestCase):
    def command(self):
        return ["/usr/bin/env", "G_DEBUG=fatal-criticals", "/usr/bin/python3", EXAMPLES / "chart.py"]


if __name__ == "__main__":
    unittest.main(verbosity=2)
