#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A plugin that crashes, exits, loops, leaks or overwrites memory in any of its slots: the program's status, and a message that names
plugin and slot."""

import concurrent.futures
import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from closeness import RELEASE
from leftovers import Part, descendants, guard
from running import InDirectory, wait_until

HERE = os.path.dirname(os.path.abspath(__file__))
BEFORE = ("init", "configure", "prepare_launch", "start_tracking")
AFTER = ("launched", "exited", "stop_tracking", "aggregate", "export_report")
PYTHON_SLOTS = ("configure", "prepare_launch", "start_tracking", "launched", "exited", "stop_tracking", "dup_requires", "dup_provides",
                "aggregate", "export_report")
WAYS = {
    "crash": "was killed by signal 11 (Segmentation fault)",
    "exit": "exited with status 42 before the end of the measurement",
    "sys.exit": "exited with status 42 before the end of the measurement",
    "abort": "was killed by signal 6 (Aborted)",
    "recurse": "was killed by signal 11 (Segmentation fault)",
    "leak": "was killed by signal",
    "overwrite": "was killed by signal",
    "loop": "did not finish in time (option --deadline) and was killed",
}
ENDS = ("crash", "exit", "leak", "overwrite", "loop")
LATE = "did not start the program in time (option --deadline) and was killed"

PYTHON = """
    import ctypes, os, resource, signal, sys
    from gi.repository import GLib, GObject, Roast

    def leak(allocate):
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        keep, block = [], bytes(1 << 20)
        while True:
            keep.append(allocate(block))

    def reach(slot):
        where, way = os.environ["FATAL"].split(":")
        if where != slot:
            return
        if way == "crash":
            ctypes.string_at(0)
        if way == "exit":
            os._exit(42)
        if way == "sys.exit":
            sys.exit(42)
        if way == "raise":
            raise ValueError("mine")
        if way == "leak":
            leak(GLib.Bytes.new)  # GLib ends the process
        if way == "memory":
            leak(bytearray)
        if way == "overwrite":
            ctypes.memset(ctypes.create_string_buffer(16), 1, 1 << 40)
        if way == "close":
            os.closerange(0, 1000)
        if way == "fork-return" and os.fork() == 0:
            return
        if way == "fork-exit" and os.fork() == 0:
            sys.exit(0)
        if way == "change":
            os.chdir("/")
            os.umask(0o777)
            resource.setrlimit(resource.RLIMIT_NOFILE, (200, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
            os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
        while way == "loop":
            pass

    class Backend(GObject.Object, Roast.MetricsBackend):
        __gtype_name__ = "FatalBackend"

        def do_configure(self, options):
            reach("configure")

        def do_prepare_launch(self, context):
            reach("prepare_launch")

        def do_start_tracking(self, recording, interval, task):
            reach("start_tracking")
            GLib.timeout_add(20, self.on_timer)
            task.return_boolean(True)

        def on_timer(self):
            if os.path.exists("ran"):
                reach("timer")
            return True

        def do_launched(self, pid):
            reach("launched")

        def do_exited(self, status):
            reach("exited")

        def do_stop_tracking(self, task):
            reach("stop_tracking")
            task.return_boolean(True)

    class Aggregator(GObject.Object, Roast.Aggregator):
        __gtype_name__ = "FatalAggregator"

        def do_dup_requires(self):
            reach("dup_requires")
            return []

        def do_dup_provides(self):
            reach("dup_provides")
            return []

        def do_aggregate(self, recording, report, cancellable):
            reach("aggregate")

    class Exporter(GObject.Object, Roast.Exporter):
        __gtype_name__ = "FatalExporter"

        def do_export_report(self, recording, report, output, cancellable):
            reach("export_report")
"""
KEY_FILE = """
    [Roast Plugin]
    Module=mine
    Name=mine
    Loader=python
    Api=1.0
    Provides=backend:mine;aggregator:mine;exporter:mine
    Capabilities=launch
    Description=Ends
    Version=1
    License=BSD-3-Clause
"""


class Outcome:
    """Of one roast-run with a plugin that is fatal in one slot."""

    def __init__(self, directory, plugin, path, slot, way, arguments, deadline=4):
        os.mkdir(directory)
        self.directory, self.plugin, self.slot, self.way = directory, plugin, slot, way
        environment = dict(os.environ, FATAL=f"{slot}:{way}", FATAL_WHEN="ran", ROAST_PLUGIN_PATH=path + ":" + os.environ["ROAST_PLUGIN_PATH"])
        self.result = subprocess.run(
            ["roast-run", f"--deadline={deadline if way == 'loop' else 120}", "-b", "local", "-b", plugin, *arguments, "--save=run.roast", "--",
             "sh", "-c", "echo > ran; sleep 0.3; exit 7"], capture_output=True, text=True, env=environment, cwd=directory, stdin=subprocess.DEVNULL,
            timeout=240)
        self.status, self.said = self.result.returncode, self.result.stderr

    def has(self, name):
        return os.path.exists(os.path.join(self.directory, name))

    def read_report(self):
        with open(os.path.join(self.directory, "report.json")) as file:
            return json.load(file)

    def how(self):
        return LATE if self.way == "loop" and self.slot in BEFORE else WAYS[self.way]


class TestFatalPlugins(InDirectory):
    def try_all(self, check, plugin, path, slots, ways):
        """Each way in each slot; where there are many of both, before a release, and else each way in some slots, and one in each slot."""
        chosen = range(len(ways)) if RELEASE or len(slots) < 6 else (0,)
        cases = [(slot, ways[(number + more) % len(ways)]) for number, slot in enumerate(slots) for more in chosen]

        def run(case):
            for deadline in (4, 20, 100):
                outcome = Outcome(self.path("-".join((plugin, *case, str(deadline)))), plugin, path, *case,
                                  ["-e", plugin + ":out", "-e", "json:report.json"], deadline)
                # On a slow machine the time may be over before the plugin is where it hangs.
                if outcome.slot in BEFORE or LATE not in outcome.said:
                    break
            return outcome

        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            for (slot, way), outcome in zip(cases, pool.map(run, cases)):
                with self.subTest(plugin=plugin, slot=slot, way=way):
                    check(outcome)

    def check_death(self, outcome):
        """Before the program: nothing ran. After it: its status, and a report that says what happened."""
        before = outcome.slot in BEFORE
        self.assertEqual((outcome.status, outcome.has("ran")), (125, False) if before else (7, True), outcome.said)
        where = f" in {outcome.slot}() of plugin {outcome.plugin}"
        line, = (line for line in outcome.said.splitlines() if line.startswith("roast-run: the measuring process "))
        self.assertIn("roast-run: the measuring process " + outcome.how(), line)
        self.assertIn(where + (": the program was not started" if before else ": the report is made from the data that this process saved"), line)
        self.assertEqual(outcome.has("run.roast"), not before)
        if before:
            return
        report = outcome.read_report()
        self.assertIn("elapsed_time_seconds", report["metrics"])
        note, = (note for note in report["notes"] if note.startswith("This report was made from the run file, because the measuring process "))
        self.assertIn(outcome.how(), note)
        self.assertIn(where + ", and lacks the results of this plugin.", note)

    def test_c(self):
        path = os.path.join(os.environ["ROAST_TEST_FIXTURES"], "fatal")
        self.try_all(self.check_death, "fatal", path, BEFORE + AFTER, ENDS)

    def make_python(self):
        for name, text in (("mine.py", PYTHON), ("mine.roast-plugin", KEY_FILE)):
            with open(self.path(name), "w") as file:
                file.write(textwrap.dedent(text).lstrip())

    @unittest.skipIf(os.environ.get("ROAST_TEST_PYTHON") != "1", "built without plugins in Python")
    def test_python(self):
        self.make_python()
        self.try_all(self.check_death, "mine", self.directory, PYTHON_SLOTS, ENDS)

    def check_callback(self, outcome):
        where = f"{outcome.how()} in code of plugin {outcome.plugin}, outside of the functions that roast calls"
        self.assertEqual((outcome.status, outcome.has("ran")), (7, True), outcome.said)
        self.assertIn(f"roast-run: the measuring process {where}: the report is made from the data that this process saved", outcome.said)
        report = outcome.read_report()
        self.assertIn(f"This report was made from the run file, because the measuring process {where}, and lacks the results of this "
                      "plugin.", report["notes"])
        self.assertEqual(report["metrics"]["exit_status"]["value"], 7)

    def test_timer(self):
        """Code of a plugin that roast does not call: it is on the stack."""
        path = os.path.join(os.environ["ROAST_TEST_FIXTURES"], "fatal")
        self.try_all(self.check_callback, "fatal", path, ["timer"], ("crash", "exit", "abort", "recurse", "loop"))
        self.try_all(self.check_callback, "fatal", path, ["thread"], ("crash", "exit", "abort"))

    @unittest.skipIf(os.environ.get("ROAST_TEST_PYTHON") != "1", "built without plugins in Python")
    def test_timer_in_python(self):
        self.make_python()
        self.try_all(self.check_callback, "mine", self.directory, ["timer"], ("crash", "loop", "sys.exit"))

    @unittest.skipIf(os.environ.get("ROAST_TEST_PYTHON") != "1", "built without plugins in Python")
    def test_python_that_exits(self):
        """sys.exit () and exceptions are errors of the plugin: it fails, the others go on."""
        self.make_python()
        self.try_all(self.check_error, "mine", self.directory, PYTHON_SLOTS, ("sys.exit", "raise", "memory"))

    def check_error(self, outcome):
        before = outcome.slot in BEFORE
        self.assertEqual((outcome.status, outcome.has("ran")), (125, False) if before else (7, True), outcome.said)
        self.assertNotIn("the measuring process", outcome.said)
        told = outcome.said
        if not before:
            report = outcome.read_report()
            self.assertIn("elapsed_time_seconds", report["metrics"])
            told += json.dumps([report["notes"], report["tables"]["events"]])
        self.assertIn(f"do_{outcome.slot}() of ", told)
        self.assertIn({"sys.exit": "SystemExit: 42", "raise": "ValueError: mine", "memory": "MemoryError"}[outcome.way], told)

    @unittest.skipIf(os.environ.get("ROAST_TEST_PYTHON") != "1", "built without plugins in Python")
    def test_python_that_changes_its_process(self):
        """The program inherits what roast-run was started with, and all files are where they were asked for."""
        self.make_python()
        script = ["sh", "-c", "pwd; umask; ulimit -n; grep -E '^(SigBlk|SigIgn|Cpus_allowed_list)' /proc/self/status"]
        for slot in ("configure", "prepare_launch", "start_tracking", "launched", "aggregate"):
            directory = self.path(slot)
            os.mkdir(directory)
            environment = dict(os.environ, FATAL=f"{slot}:change", ROAST_PLUGIN_PATH=self.directory + ":" + os.environ["ROAST_PLUGIN_PATH"])
            bare = subprocess.run(script, capture_output=True, text=True, cwd=directory)
            ours = subprocess.run(["roast-run", "-q", "-b", "local", "-b", "mine", "-e", "json:report.json", "-e", "csv:tables", "--save=run.roast",
                                   "--", *script], capture_output=True, text=True, cwd=directory, env=environment)
            with self.subTest(slot=slot):
                self.assertEqual((ours.stdout, ours.stderr, ours.returncode), (bare.stdout, "", 0))
                self.assertEqual(sorted(os.listdir(directory)), ["report.json", "run.roast", "tables"])

    @unittest.skipIf(os.environ.get("ROAST_TEST_PYTHON") != "1", "built without plugins in Python")
    def test_python_that_forks(self):
        """A child that leaves its slot ends: there is one report, by one session."""
        self.make_python()
        self.try_all(self.check_whole, "mine", self.directory, ("configure", "start_tracking", "launched", "exited", "aggregate", "export_report"),
                     ("fork-return", "fork-exit"))
        self.assertEqual(descendants(os.getpid()), [])

    @unittest.skipIf(os.environ.get("ROAST_TEST_PYTHON") != "1", "built without plugins in Python")
    def test_python_that_closes_all_descriptors(self):
        """The session can neither write a report nor complain: the keeper does."""
        self.make_python()
        self.try_all(self.check_word, "mine", self.directory, ("start_tracking", "launched"), ("close",))

    def check_word(self, outcome):
        self.assertEqual(outcome.status, 7)
        self.assertIn("roast-run: the measuring process exited with status 125 before the end of the measurement", outcome.said)
        self.assertNotIn("the program was not started", outcome.said)

    def check_whole(self, outcome):
        self.assertEqual(outcome.status, 7)
        self.assertNotIn("the measuring process", outcome.said)
        self.assertEqual(outcome.read_report()["metrics"]["exit_status"]["value"], 7)
        self.assertEqual(sorted(os.listdir(outcome.directory)), ["ran", "report.json", "run.roast"])

    def test_report_without_its_exporter(self):
        """The plugin of the only format crashed: there is a table."""
        path = os.path.join(os.environ["ROAST_TEST_FIXTURES"], "fatal")
        outcome = Outcome(self.path("one"), "fatal", path, "export_report", "crash", ["-e", "fatal:out"])
        self.assertEqual(outcome.status, 7)
        self.assertIn("the exporter “fatal” writes nothing because its plugin “fatal” is left out", outcome.said)
        self.assertIn("Key numbers", outcome.said)
        self.assertEqual(outcome.result.stdout, "")

    def test_signal_while_a_plugin_hangs_before_the_program(self):
        """One is enough: there is nothing to wait for."""
        path = os.path.join(os.environ["ROAST_TEST_FIXTURES"], "fatal")
        environment = dict(os.environ, FATAL="start_tracking:loop", ROAST_PLUGIN_PATH=path + ":" + os.environ["ROAST_PLUGIN_PATH"])
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start("-b", "local", "-b", "fatal", "--", "touch", self.path("ran"), env=environment)
            wait_until(lambda process=process: self.processor_time(process.pid) > 0.2)
            process.send_signal(number)
            self.assertEqual(process.wait(240), -number)
            self.assertIn("did not end after a signal and was killed in start_tracking() of plugin fatal: the program was not started",
                          process.stderr.read())
            self.assertFalse(os.path.exists(self.path("ran")))

    def test_plugin_that_waits(self):
        """After the end of the program: the user learns which one it is, and one signal, or half a minute, is enough."""
        path = os.path.join(os.environ["ROAST_TEST_FIXTURES"], "fatal")
        for number in (signal.SIGINT, signal.SIGTERM, None):
            environment = dict(os.environ, FATAL="aggregate:wait", ROAST_PLUGIN_PATH=path + ":" + os.environ["ROAST_PLUGIN_PATH"])
            process = self.start("-b", "local", "-e", "json:r.json", "--", "sh", "-c", "exit 3", env=environment, cwd=self.directory)
            said = process.stderr.readline()
            self.assertIn("roast-run: waiting for aggregate() of plugin fatal, at most for 30 s", said)
            if number is not None:
                process.send_signal(number)
            self.assertEqual(process.wait(240), 3)
            self.assertRegex(process.stderr.read(), "waited .* and was killed in aggregate\\(\\) of plugin fatal")
            with open(self.path("r.json")) as file:
                self.assertEqual(json.load(file)["metrics"]["exit_status"]["value"], 3)

    def test_plugin_that_computes(self):
        """It may need its time, but not for ever; it is named later, and one signal is enough."""
        path = os.path.join(os.environ["ROAST_TEST_FIXTURES"], "fatal")
        for number in (signal.SIGINT, *([None] if RELEASE else [])):
            environment = dict(os.environ, FATAL="aggregate:loop", ROAST_PLUGIN_PATH=path + ":" + os.environ["ROAST_PLUGIN_PATH"])
            process = self.start("-b", "local", "-e", "json:r.json", "--", "sh", "-c", "exit 3", env=environment, cwd=self.directory)
            said = process.stderr.readline()
            self.assertIn("roast-run: waiting for aggregate() of plugin fatal, at most for 120 s of CPU time", said)
            if number is not None:
                process.send_signal(number)
            self.assertEqual(process.wait(240), 3)
            self.assertRegex(process.stderr.read(), r"was killed in aggregate\(\) of plugin fatal")

    def processor_time(self, keeper):
        """s of the session: it has begun to loop after its first tenth."""
        times = [0]
        for pid, _ in descendants(keeper):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/stat") as file:
                times.append(int(file.read().rpartition(")")[2].split()[11]) / os.sysconf("SC_CLK_TCK"))
        return max(times)


if __name__ == "__main__":
    guard(lambda: unittest.main(verbosity=2, testLoader=Part()))
