#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Python through GObject introspection: registry, tables to numpy, a session that runs a real program."""

import unittest

import gi
import numpy

gi.require_version("Roast", "1")
from gi.repository import GLib, GObject, Roast  # noqa: E402


def run(session, context):
    """Runs a program to its end and the report."""
    loop = GLib.MainLoop()
    errors = []

    def finished(_, result):
        try:
            session.wait_finish(result)
        except GLib.Error as error:
            errors.append(error)
        loop.quit()

    def launched(_, result):
        try:
            session.launch_finish(result)
            session.wait_async(None, finished)
        except GLib.Error as error:
            errors.append(error)
            loop.quit()

    session.launch_async(context, None, launched)
    loop.run()
    if errors:
        raise errors[0]


def read_column(reader):
    """The cells of the first column, of doubles."""
    cells = b""
    while reader.next_block():
        cells += reader.dup_block_data(0).get_data()
    reader.rewind()
    return numpy.frombuffer(cells, dtype="f8")


class TestRegistry(unittest.TestCase):
    def test_lists_plugins_without_opening_them(self):
        registry = Roast.Registry.new()
        names = registry.dup_names(Roast.Role.EXPORTER)
        for name in ("table", "json", "csv"):
            self.assertIn(name, names)
            self.assertEqual(registry.find_provider(Roast.Role.EXPORTER, name).get_state(), Roast.PluginState.FOUND)

    def test_unknown_backend_says_what_is_near(self):
        with self.assertRaises(GLib.Error) as caught:
            Roast.Registry.new().create_backend("lokal", None)
        self.assertTrue(caught.exception.matches(Roast.plugin_error_quark(), Roast.PluginError.NOT_FOUND))
        self.assertIn("local", caught.exception.message)

    def test_schema_resolves_aliases(self):
        info, scale = Roast.Registry.new().get_schema().lookup_metric("data_rate_gbps")
        self.assertEqual(info.get_name(), "data_rate_bits_per_second")
        self.assertEqual(scale, 1e-9)

    def test_charts(self):
        schema = Roast.Registry.new().get_schema()
        chart = schema.get_chart("task_concurrency")
        self.assertEqual((chart.get_table(), chart.get_kind(), chart.get_y()), ("over_time", Roast.ChartKind.STEP, ["running", "workers"]))
        self.assertTrue(schema.check_chart(chart))
        schema = Roast.Schema.new()
        text = "[chart c]\nTitle=T\nDescription=D\nTable=workers\nKind=bars\nX=worker\nY=watts\n"
        schema.load_data(GLib.Bytes.new(text.encode()), "test")
        with self.assertRaises(GLib.Error) as caught:
            schema.check_chart(schema.get_chart("c"))
        self.assertTrue(caught.exception.matches(Roast.schema_error_quark(), Roast.SchemaError.UNKNOWN))


SCHEMA = """
[table t]
Description=a test
[columns t]
x=double s: real
n=int64: integer
"""


class TestTable(unittest.TestCase):
    def setUp(self):
        schema = Roast.Schema.new()
        schema.load_data(GLib.Bytes.new(SCHEMA.encode()), "test")
        self.recording = Roast.Recording.new(schema)
        self.writer = self.recording.write_table("t", None, ["n", "x"])

    def test_column_to_numpy(self):
        values = numpy.random.default_rng(1).random(10_000)
        for value in values.tolist():
            self.writer.set_double(1, value)
            self.writer.end()
        reader = self.recording.read_table("t", ["x"])
        back = read_column(reader)
        numpy.testing.assert_array_equal(back, values)

    def test_missing_is_nan_and_not_there(self):
        self.writer.set_variant(0, GLib.Variant("x", 1))
        self.writer.set_variant(1, GLib.Variant("d", 1.5))
        self.writer.end()
        self.writer.set_int64(0, 2)
        self.writer.end()
        reader = self.recording.read_table("t", ["x"])
        back = read_column(reader)
        self.assertEqual(back[0], 1.5)
        self.assertTrue(numpy.isnan(back[1]))
        self.assertTrue(reader.seek(1))
        self.assertFalse(reader.has(0))

    def test_wrong_column_is_an_error(self):
        with self.assertRaises(GLib.Error) as caught:
            self.recording.write_table("t", None, ["nothing"])
        self.assertTrue(caught.exception.matches(Roast.table_error_quark(), Roast.TableError.COLUMN))


class TestSession(unittest.TestCase):
    def test_runs_a_program(self):
        registry = Roast.Registry.new()
        session = Roast.Session.new(registry)
        session.add_backend("local", registry.create_backend("local", None))
        run(session, Roast.LaunchContext.new(["sh", "-c", "exit 3"]))

        report = session.get_report()
        self.assertEqual(report.get_double("exit_status"), (True, 3.0))
        self.assertGreater(report.get_double("process_cpu_time_seconds")[1], 0)
        reader = session.get_recording().snapshot().read_table("processes", ["cpu_user"])
        cpu = read_column(reader)
        self.assertEqual(len(cpu), reader.get_n_rows())

    def test_missing_program_is_an_error(self):
        session = Roast.Session.new(Roast.Registry.new())
        with self.assertRaises(GLib.Error) as caught:
            run(session, Roast.LaunchContext.new(["/no/such/program"]))
        self.assertTrue(caught.exception.matches(Roast.launch_error_quark(), Roast.LaunchError.NOT_FOUND))

    def test_backend_written_in_python(self):
        class Backend(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "TestPythonBackend"

            def do_get_capabilities(self):
                return Roast.BackendCapabilities.LAUNCH

            def do_start_tracking(self, recording, interval, task):
                self.source = recording.add_source("python", None, None, None)
                recording.add_event(self.source, -1, Roast.Severity.INFO, "started", f"every {interval} us")
                task.return_boolean(True)

            def do_stop_tracking(self, task):
                task.return_boolean(True)

        session = Roast.Session.new(Roast.Registry.new())
        session.add_backend("python", Backend())
        run(session, Roast.LaunchContext.new(["true"]))
        events = session.get_recording().snapshot().read_table("events", ["kind"])
        kinds = []
        while events.next():
            kinds.append(events.get_string(0))
        self.assertIn("started", kinds)

    def test_observer_of_processes(self):
        class Observer(GObject.Object, Roast.ProcessObserver):
            __gtype_name__ = "TestPythonObserver"
            live, peak, ended = None, 0, []

            def do_sampled(self, tree, changed):
                self.live = tree.list_processes()
                self.peak = max([self.peak] + [p.get_field(Roast.ProcessField.MEMORY) for p in changed])

            def do_process_ended(self, process):
                self.ended.append((process.get_command(), process.get_wait_status(), process.get_origin()))

            def do_tree_ended(self, tree):
                self.processes = tree.get_field(Roast.ProcessTreeField.PROCESSES)

        observer = Observer()
        context = Roast.LaunchContext.new(["sleep", "0.1"])
        context.add_observer(observer)
        run(Roast.Session.new(Roast.Registry.new()), context)
        self.assertEqual(observer.ended, [("sleep", (True, 0), Roast.ProcessOrigin.EXACT)])
        self.assertEqual(observer.processes, 1)
        self.assertGreater(observer.peak, 4096)
        self.assertEqual([process.get_id() for process in observer.live], [1])


if __name__ == "__main__":
    unittest.main(verbosity=2)
