#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plugins written in Python, as roast-run and roast-inspect load them: good ones, and each way in which one can be bad."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from running import without_note

BACKEND = """
    from gi.repository import GObject, Roast

    class Mine(GObject.Object, Roast.MetricsBackend):
        __gtype_name__ = "MineBackend"

        def do_get_capabilities(self):
            return Roast.BackendCapabilities.LAUNCH

        def do_configure(self, options):
            self.rate = options["rate"]

        def do_prepare_launch(self, context):
            context.setenv("MINE", "here")

        def do_start_tracking(self, recording, interval, task):
            self.source = recording.add_source("mine", None, None, None)
            self.table = recording.write_table("mine", self.source)
            task.return_boolean(True)

        def do_exited(self, status):
            self.table.add(rate=self.rate)

        def do_stop_tracking(self, task):
            # As an executor that answers later.
            Roast.timeout_add(10, lambda: task.return_boolean(True))
"""

# A backend whose address says which rows it reads.
READER = """
    from gi.repository import GObject, Roast

    class Mine(GObject.Object, Roast.MetricsBackend):
        __gtype_name__ = "MineBackend"

        def do_get_capabilities(self):
            return Roast.BackendCapabilities.READ

        def do_configure(self, options):
            pass

        def do_attach(self, address, task):
            if address not in ("good", "bad"):
                raise Roast.UserError(f"there is no log {address}")
            self.log = address
            task.return_boolean(True)

        def do_start_tracking(self, recording, interval, task):
            source = recording.add_source("mine", self.log, None, None)
            recording.write_table("workers", source).close(worker="w", cores=1.0)
            tasks, start = recording.write_table("tasks", source), 1700000000000000
            for number, (worker, cpu) in enumerate([("w", 1.0)] if self.log == "good" else [("w", float("inf")), ("x", 9.0)]):
                tasks.close(task=str(number), attempt=1, worker=worker, started=start, ended=start + 2000000, cpu=cpu, status="done")
                start += 2000000
            recording.set_times(1700000000000000, start)
            task.return_boolean(True)
            self.emit_finished()

        def do_stop_tracking(self, task):
            task.return_boolean(True)
"""

AGGREGATOR = """
    from gi.repository import GObject, Roast

    class Mean(GObject.Object, Roast.Aggregator):
        __gtype_name__ = "MineAggregator"

        def do_dup_requires(self):
            return ["elapsed_time_seconds"]

        def do_dup_provides(self):
            return ["mine_rate"]

        def do_aggregate(self, recording, report, cancellable):
            if "mine" in recording:
                rate = recording["mine"]["rate"].mean()
                report.add("mine_rate", rate)
                report.add_finding("mine-fast", f"Mine was fast: {rate} Hz.", share=0.25, advice="Go slower.",
                                   evidence={"rate": (rate, "Hz"), "engine": "mine"})
            else:
                report.add("mine_rate", reason="mine did not run")
"""

EXPORTER = """
    from gi.repository import GObject, Roast

    class Lines(GObject.Object, Roast.Exporter):
        __gtype_name__ = "MineExporter"

        def do_configure(self, options):
            pass

        def do_export_report(self, recording, report, output, cancellable):
            stream = output.open(None)
            for metric in report:
                stream.write_all(f"{metric.name} {metric.value}\\n".encode(), cancellable)
            stream.close(None)
"""

SCHEMA = """
    [table mine]
    Description=A rate
    [columns mine]
    source=category: name of the source that the row comes from
    rate=double Hz: how fast

    [metric mine_rate]
    Label=Rate of mine
    Group=run
    Unit=Hz
    Description=The mean of what mine made up
    Formula=mean (mine.rate)
    Source=mine
"""

# What stands in the body of a backend, and what roast-run must say of it (status 125: before the program is started).
BROKEN = {
    "a syntax error": ("    def broken(:\n", ["SyntaxError", "line"]),
    "an import that fails": ("import no_such_module", ["ModuleNotFoundError", "no_such_module"]),
    "no class": ("x = 1", ["class that implements Roast.MetricsBackend"]),
    "two classes": ("""
        from gi.repository import GObject, Roast
        class First(GObject.Object, Roast.MetricsBackend): __gtype_name__ = "MineFirst"
        class Second(GObject.Object, Roast.MetricsBackend): __gtype_name__ = "MineSecond"
     """, ["First, Second", "roast_name"]),
    "a file that exits": ("import sys; sys.exit(42)", ["SystemExit: 42", "mine"]),
    "a constructor that exits": ("""
        import sys
        from gi.repository import GObject, Roast
        class Mine(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "MineBackend"
            def __init__(self):
                super().__init__()
                sys.exit(42)
            def do_configure(self, options):
                pass
     """, ["__init__() of Mine raised SystemExit: 42 (mine.py, line 7)"]),
    "a start that exits": ("""
        import sys
        from gi.repository import GObject, Roast
        class Mine(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "MineBackend"
            def do_configure(self, options):
                pass
            def do_start_tracking(self, recording, interval, task):
                sys.exit(42)
     """, ["do_start_tracking() of Mine raised SystemExit: 42 (mine.py, line 8)"]),
    "a constructor that raises": ("""
        from gi.repository import GObject, Roast
        class Mine(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "MineBackend"
            def __init__(self):
                super().__init__()
                raise OSError("no luck")
            def do_configure(self, options):
                pass
     """, ["__init__() of Mine raised OSError: no luck (mine.py, line 6)"]),
    "a missing method": ("""
        from gi.repository import GObject, Roast
        class Mine(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "MineBackend"
            def do_configure(self, options):
                pass
     """, ["MineBackend cannot start tracking"]),
    "an exception in configure": ("""
        from gi.repository import GObject, Roast
        class Mine(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "MineBackend"
            def do_configure(self, options):
                raise ValueError("rate: too fast")
     """, ["do_configure() of Mine raised ValueError: rate: too fast (mine.py, line 5)"]),
    "an error of GLib": ("""
        from gi.repository import GLib, GObject, Roast
        class Mine(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "MineBackend"
            def do_configure(self, options):
                raise GLib.Error.new_literal(Roast.option_error_quark(), "rate: at most 3", Roast.OptionError.VALUE)
     """, ["rate: at most 3"]),
    "a value of a wrong type": ("""
        from gi.repository import GObject, Roast
        class Mine(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "MineBackend"
            def do_configure(self, options):
                return "yes"
     """, ["do_configure() of Mine returned 'yes'", "True or nothing"]),
    "an exception in a slot with a task": ("""
        from gi.repository import GObject, Roast
        class Mine(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "MineBackend"
            def do_configure(self, options):
                pass
            def do_start_tracking(self, recording, interval, task):
                {}["no such key"]
     """, ["do_start_tracking() of Mine raised KeyError", "(mine.py, line 7) (a bug in that class)"]),
    "a task that is dropped": ("""
        from gi.repository import GObject, Roast
        class Mine(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "MineBackend"
            def do_configure(self, options):
                pass
            def do_start_tracking(self, recording, interval, task):
                pass
     """, ["start_tracking() of MineBackend: the backend released the task"]),
    "a task that gets a wrong value": ("""
        from gi.repository import GObject, Roast
        class Mine(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "MineBackend"
            def do_configure(self, options):
                pass
            def do_start_tracking(self, recording, interval, task):
                task.return_boolean(False)
     """, ["start_tracking() of MineBackend: the function returned FALSE without an error"]),
}

# What a user does wrong: the text that roast-run shows after the name of the backend.
USER_ERRORS = {
    "in configure": ("""
            def do_configure(self, options):
                raise Roast.UserError("rate: at most 3. Choose a lower rate.")
     """, "roast-run: rate: at most 3. Choose a lower rate.\n"),
    "in a slot with a task": ("""
            def do_configure(self, options):
                pass
            def do_start_tracking(self, recording, interval, task):
                raise Roast.UserError("there is no file “map.csv”")
     """, "roast-run: there is no file “map.csv”\n"),
    "in an operation of the system": ("""
            def do_configure(self, options):
                pass
            def do_start_tracking(self, recording, interval, task):
                open("/no/such/file")
     """, "roast-run: do_start_tracking() of Mine raised FileNotFoundError: [Errno 2] No such file or directory: '/no/such/file' "
     "(mine.py, line 7)\n"),
    "in the constructor": ("""
            def __init__(self):
                super().__init__()
                raise Roast.UserError("MINE is not set. Set it to the address of your executor.")
            def do_configure(self, options):
                pass
     """, "roast-run: MINE is not set. Set it to the address of your executor.\n"),
    "by a function of roast": ("""
            def do_configure(self, options):
                pass
            def do_start_tracking(self, recording, interval, task):
                recording.write_table("mine").add(rat=2.5)
     """, "roast-run: table mine has no column 'rat'; it has source, rate (mine.py, line 7)\n"),
}


class TestPythonPlugins(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = temporary.name
        self.environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", G_DEBUG="fatal-criticals",
                                ROAST_PLUGIN_PATH=self.directory + ":" + os.environ["ROAST_PLUGIN_PATH"])

    def write(self, name, text):
        with open(os.path.join(self.directory, name), "w") as file:
            file.write(textwrap.dedent(text).lstrip("\n"))

    def key_file(self, provides, options="", capabilities="launch"):
        self.write("mine.roast-schema", SCHEMA)
        self.write("mine.roast-plugin", f"""
            [Roast Plugin]
            Module=mine
            Name=mine
            Api=1.0
            Provides={provides}
            Capabilities={capabilities}
            Description=A plugin in Python
            Version=1.0
            License=BSD-3-Clause
            Loader=python
            """)
        with open(os.path.join(self.directory, "mine.roast-plugin"), "a") as file:
            file.write(textwrap.dedent(options))

    def backend(self, source, capabilities="launch"):
        self.key_file("backend:mine", """
            [Option backend:mine rate]
            Type=double
            Default=2.5
            Help=How fast
            """, capabilities)
        self.write("mine.py", source)

    def run_tool(self, *arguments):
        return subprocess.run(arguments, env=self.environment, capture_output=True, text=True, timeout=240,
                              stdin=subprocess.DEVNULL)

    def test_all_roles(self):
        self.key_file("backend:mine;aggregator:mine;exporter:mine", """
            [Option backend:mine rate]
            Type=double
            Default=2.5
            Help=How fast
            """)
        self.write("mine.py", "".join(textwrap.dedent(part) for part in (BACKEND, AGGREGATOR, EXPORTER)))
        path = os.path.join(self.directory, "r.json")
        lines = os.path.join(self.directory, "lines")
        result = self.run_tool("roast-run", "-b", "local", "-b", "mine,rate=4.5", "-e", "json:" + path, "-e", "mine:" + lines,
                               "-e", "table:-", "--", "sh", "-c", "test $MINE = here; exit 7")
        self.assertEqual((result.returncode, without_note(result.stderr)), (7, ""))
        with open(path) as file:
            report = json.load(file)
        self.assertEqual(report["metrics"]["mine_rate"]["value"], 4.5)
        self.assertEqual(report["metrics"]["mine_rate"]["unit"], "Hz")
        self.assertIn("mine", report["tables"])
        self.assertIn({"rule": "mine-fast", "severity": "warning", "text": "Mine was fast: 4.5 Hz.", "share": 0.25,
                       "advice": "Go slower.", "evidence": [{"name": "rate", "value": 4.5, "unit": "Hz"},
                                                            {"name": "engine", "value": "mine"}]}, report["findings"])
        findings = report["report_tables"]["findings"]["data"]
        self.assertEqual(findings["plugin"][findings["rule"].index("mine-fast")], "mine")
        with open(lines) as file:
            self.assertIn("mine_rate 4.5\n", file.read())
        self.assertIn("Rate of mine", result.stdout)
        self.assertNotIn("Traceback", result.stderr)

    def test_inspect(self):
        self.backend(BACKEND)
        key_file = os.path.join(self.directory, "mine.roast-plugin")
        result = self.run_tool("roast-inspect", "--check", key_file)
        self.assertEqual((result.returncode, result.stdout), (0, f"{key_file}: no problems found.\n"), result.stderr)
        listed = json.loads(self.run_tool("roast-inspect", "--json", "mine").stdout)
        self.assertEqual(json.dumps(listed).count('"python"'), 1)

    def test_read(self):
        self.backend(READER, "read")
        path = os.path.join(self.directory, "r.json")
        result = self.run_tool("roast-run", "--no-save", "-b", "mine", "--attach=good", "-e", "table:-", "-e", "json:" + path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stdout.startswith("roast  attached to good\n"), result.stdout)
        with open(path) as file:
            metrics = json.load(file)["metrics"]
        self.assertEqual(metrics["own_cpu_seconds"]["reason"], "the run had ended before roast read it")
        self.assertEqual(metrics["processor_cpu_time_seconds"]["value"], 1)

    def test_inspect_address(self):
        self.backend(READER, "read")
        key_file = os.path.join(self.directory, "mine.roast-plugin")
        self.assertEqual(self.run_tool("roast-inspect", "--check", key_file, "good").stdout, f"{key_file}: no problems found.\n")
        result = self.run_tool("roast-inspect", "--check", key_file, "bad")
        for words in ("column “cpu” of table “tasks”: the value cannot be infinite", "the table workers does not have the worker",
                      "the CPU time is more than the cores could give"):
            self.assertEqual((result.returncode, words in result.stdout), (1, True), result.stdout)
        result = self.run_tool("roast-inspect", "--check", key_file, "nothing")
        self.assertIn("the backend cannot read nothing: there is no log nothing", result.stdout)

    def test_broken(self):
        for what, (source, words) in BROKEN.items():
            with self.subTest(what):
                self.backend(source)
                result = self.run_tool("roast-run", "-b", "mine", "--", "touch", os.path.join(self.directory, "ran"))
                self.assertEqual(result.returncode, 125, result.stderr)
                for word in words:
                    self.assertIn(word, result.stderr)
                self.assertFalse(os.path.exists(os.path.join(self.directory, "ran")))

    def test_user_errors(self):
        head = """
        from gi.repository import GObject, Roast
        class Mine(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "MineBackend"
        """
        for what, (body, words) in USER_ERRORS.items():
            with self.subTest(what):
                self.backend(textwrap.dedent(head).lstrip("\n") + textwrap.indent(textwrap.dedent(body).strip("\n"), "    "))
                result = self.run_tool("roast-run", "-b", "mine", "--", "touch", os.path.join(self.directory, "ran"))
                self.assertEqual((result.returncode, result.stderr), (125, words))
                self.assertFalse(os.path.exists(os.path.join(self.directory, "ran")))
        self.backend('from gi.repository import Roast\nraise Roast.UserError("Mine needs its library: apt install mine.")\n')
        result = self.run_tool("roast-run", "-b", "mine", "--", "true")
        self.assertEqual(result.returncode, 125)
        self.assertIn("Mine needs its library: apt install mine.\n", result.stderr)
        self.assertNotIn("UserError", result.stderr)

    def test_user_errors_of_exporters_and_aggregators(self):
        self.key_file("aggregator:mine;exporter:mine")
        sentence = "there is no column “colour”. Choose rate."
        self.write("mine.py", "".join(textwrap.dedent(part) for part in (
            AGGREGATOR.replace('if "mine" in recording:', f'raise Roast.UserError("{sentence}")\n            if 0:'),
            EXPORTER.replace("for metric in report:", f'raise Roast.UserError("{sentence}")\n            for metric in report:'))))
        path = os.path.join(self.directory, "r.json")
        result = self.run_tool("roast-run", "-e", "json:" + path, "-e", "mine:-", "--", "sh", "-c", "exit 3")
        self.assertEqual(result.returncode, 3)
        self.assertIn(f"{sentence}\n", result.stderr)
        with open(path) as file:
            reason = json.load(file)["metrics"]["mine_rate"]["reason"]
        self.assertIn(sentence, reason)
        for text in (result.stderr, reason):
            for word in ("bug", "Traceback", "UserError", "mine.py"):
                self.assertNotIn(word, text)

    def test_last_data_lost(self):
        """What goes wrong at the end costs the program nothing, and is told in the report."""
        self.backend(BACKEND.replace("Roast.timeout_add(10, lambda: task.return_boolean(True))", "1 / 0"))
        path = os.path.join(self.directory, "r.json")
        result = self.run_tool("roast-run", "-b", "local", "-b", "mine", "-e", "json:" + path, "--", "sh", "-c", "exit 3")
        self.assertEqual(result.returncode, 3, result.stderr)
        with open(path) as file:
            self.assertIn("ZeroDivisionError", file.read())

    def test_aggregator_and_exporter_that_raise(self):
        self.key_file("aggregator:mine;exporter:mine")
        self.write("mine.py", "".join(textwrap.dedent(part) for part in (
            AGGREGATOR.replace('if "mine" in recording:', "if recording.nothing:"),
            EXPORTER.replace("for metric in report:", "for metric in report.nothing:"))))
        path = os.path.join(self.directory, "r.json")
        result = self.run_tool("roast-run", "-e", "json:" + path, "-e", "mine:-", "--", "sh", "-c", "exit 3")
        self.assertEqual(result.returncode, 3)
        self.assertIn("do_export_report() of Lines raised AttributeError", result.stderr)
        with open(path) as file:
            metric = json.load(file)["metrics"]["mine_rate"]
        self.assertIsNone(metric["value"])
        self.assertIn("do_aggregate() of Mean raised AttributeError", metric["reason"])

    def test_missing_file(self):
        self.key_file("backend:mine")
        result = self.run_tool("roast-run", "-b", "mine", "--", "true")
        self.assertEqual(result.returncode, 125)
        self.assertIn("mine.py of the plugin does not exist", result.stderr)

    def test_no_loader(self):
        self.backend(BACKEND)
        self.environment["ROAST_PLUGIN_PATH"] = self.directory
        result = self.run_tool("roast-run", "-b", "mine", "--", "true")
        self.assertEqual(result.returncode, 125)
        self.assertIn("no plugin directory contains libroast-loader-python.so", result.stderr)
        self.assertIn("roast-plugin-python", result.stderr)

    def test_from_python(self):
        """In a program that is Python itself there is one interpreter, not two."""
        self.backend(BACKEND)
        program = """
            import gi
            gi.require_version("Roast", "1")
            from gi.repository import Roast
            session = Roast.run(["true"], backend=["local", "mine,rate=1.5"])
            assert session.table("mine")["rate"].tolist() == [1.5]
            import sys
            assert "roast_plugin_mine" in sys.modules
            """
        result = self.run_tool("/usr/bin/python3", "-c", textwrap.dedent(program))
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main(verbosity=2)
