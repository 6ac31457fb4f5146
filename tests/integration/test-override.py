#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gi.repository.Roast in the manner of Python: sessions, columns, metrics, errors, display."""

import itertools
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import tracemalloc
import unittest

import gi
import numpy
from closeness import assert_below, assert_near

gi.require_version("Roast", "1")
from gi.repository import GLib, GObject, Roast  # noqa: E402


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


class TestSession(unittest.TestCase):
    def test_run(self):
        session = Roast.run(["sh", "-c", "exit 3"], interval=0.05, tags={"sample": "ttbar"})
        self.assertEqual(session.metrics["exit_status"], 3)
        self.assertEqual(session.state, "finished")
        self.assertEqual(session.recording.snapshot().metadata["tags"], {"sample": "ttbar"})
        self.assertEqual(len(session.table("processes")), 1)

    def test_measures_what_is_in_the_block(self):
        with Roast.Session(backend="local", interval=0.02) as session:
            self.assertEqual(session.state, "running")
            self.assertGreater(session.evaluate("count (over sources)").value, 0)
            with session.span("fit") as span:
                burn(0.2)
            with session.span("wait"):
                time.sleep(0.1)
        self.assertEqual(span.get_name(), "fit")
        # Of a process that lives on the kernel's account is in ticks of 10 ms.
        self.assertGreaterEqual(session.metrics["process_cpu_time_seconds"], 0.2 - 0.02)
        assert_near(self, session.metrics["process_cpu_time_seconds"], 0.2, 0.06)
        spans = session.table("spans").to_pandas().set_index("name")
        # Times are of the wall clock, which may be slewed meanwhile.
        self.assertGreaterEqual(spans.loc["fit", "ended"] - spans.loc["fit", "started"], 195_000)
        self.assertGreaterEqual(spans.loc["wait", "ended"] - spans.loc["wait", "started"], 97_000)
        totals = session.table("span_totals").to_pandas().set_index("name")
        assert_near(self, totals.loc["fit", "cpu"], 0.2, 0.06)
        assert_below(self, totals.loc["wait", "cpu"], 0.06)
        self.assertEqual(set(session.table("processes")["pid"].tolist()) & {os.getpid()}, {os.getpid()})

    def test_once_only(self):
        with Roast.Session() as session:
            for again in (lambda: session.launch(["true"]), lambda: session.attach(1)):
                with self.assertRaises(Roast.Error) as caught:
                    again()
                self.assertIn("create a new session", str(caught.exception))
        self.assertEqual(session.state, "finished")

    def test_an_exception_in_the_block_is_the_callers(self):
        with self.assertRaises(ZeroDivisionError):
            with Roast.Session() as session:
                with session.span("fit"):
                    raise ZeroDivisionError
        self.assertEqual(session.state, "finished")
        self.assertEqual(len(session.table("spans")), 1)

    def test_no_thread_is_left(self):
        before = threading.active_count()
        Roast.run(["true"])
        self.assertEqual(threading.active_count(), before)

    def test_launch_and_finish(self):
        session = Roast.Session()
        session.launch(["sleep", "60"], env={"X": "y"}, directory="/")
        pid = session.get_launcher().get_pid()
        self.assertEqual(os.readlink(f"/proc/{pid}/cwd"), "/")
        report = session.finish()
        self.assertIs(report, session.report)
        os.kill(pid, 15)  # it lives on

    def test_live_numbers(self):
        session = Roast.Session(interval=0.01)
        seen = []
        session.connect("rows-added", lambda *_: seen.append(len(session.table("worker_samples"))))
        session.run(["sleep", "0.3"])
        self.assertGreater(len(seen), 0)

    def test_several_backends(self):
        class Nothing(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "TestOverrideNothing"

            def do_start_tracking(self, recording, interval, task):
                task.return_boolean(True)

            def do_stop_tracking(self, task):
                task.return_boolean(True)

        session = Roast.Session(backend=["local,pss=off", Nothing()])
        session.run(["true"])
        self.assertEqual(session.recording.snapshot().metadata["backends"], ["local", "nothing"])

    def test_connection(self):
        """What a backend in Python put into the program speaks to it, and is answered."""
        heard = []

        class Listener(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "TestOverrideListener"

            def do_start_tracking(self, recording, interval, task):
                task.return_boolean(True)

            def do_stop_tracking(self, task):
                task.return_boolean(True)

            def do_connected(self, connection):
                self.connection = connection
                connection.get_reader().add_table("speed", ["name", "n"])
                connection.connect("received", self.on_received)
                connection.connect("closed", lambda connection: heard.append("closed"))

            def on_received(self, connection, reader):
                if reader.get_line_type() == Roast.WireLine.ROW:
                    heard.append((reader.get_table_name(), reader.get_string(0), reader.get_int64(1, -1)))
                    connection.send("[2]")

        script = ("import json, os, socket\ns = socket.socket(socket.AF_UNIX)\ns.connect(os.environ['ROAST_SOCKET'])\n"
                  "hello = {'roast': 2, 'token': os.environ['ROAST_TOKEN'], 'backend': 'listener'}\n"
                  "lines = [hello, {'table': 'speed', 'columns': ['n', 'name']}, ['speed', 7, 'a']]\n"
                  "s.sendall('\\n'.join(map(json.dumps, lines + [''])).encode()[:-2])\nassert s.recv(100) == b'[2]\\n'\n")
        session = Roast.Session(backend=Listener())
        session.run([sys.executable, "-c", script])
        self.assertEqual(session.metrics["exit_status"], 0)
        self.assertEqual(heard, [("speed", "a", 7), "closed"])

    def test_errors(self):
        for call, words in {
            lambda: Roast.Session(backend="lokal"): "Did you mean local?",
            lambda: Roast.Session(backend="local,pss=sometimes"): "pss",
            lambda: Roast.Session(interval=0.001): "at least 0.01",
            lambda: Roast.run(["/no/such/program"]): "there is no program “/no/such/program”",
            lambda: Roast.Session().attach(2**31 - 2): "process",
            lambda: Roast.Session().metrics: "before the session has ended",
            lambda: Roast.run("make -j8"): "a list of the program",
            lambda: Roast.run([]): "a list of the program",
            lambda: Roast.run(["true"]).save("/tmp/x", "nothing"): "there is no exporter 'nothing'",
            lambda: Roast.Session().wait(): "nothing is measured yet",
            lambda: Roast.Session().finish(): "nothing is measured yet",
            lambda: Roast.Session().open_span("x"): "only while the session runs",
            lambda: Roast.Session().table("nothing"): "no schema declares a table “nothing”",
            lambda: Roast.Session.new(None).wait(): "Roast.Session(...)",
            lambda: Roast.run(["true"]).run(["true"]): "has ended; create a new session",
            lambda: Roast.Session(backend=["local", "local"]).__enter__(): "attach=ADDRESS",
        }.items():
            with self.assertRaises(Exception) as caught:
                call()
            self.assertIn(words, str(caught.exception).replace('\\', ''))
            self.assertNotIn("quark", str(caught.exception))

    def test_error_is_an_error_of_glib(self):
        with self.assertRaises(GLib.Error) as caught:
            Roast.run(["/no/such/program"])
        self.assertIsInstance(caught.exception, Roast.Error)
        self.assertTrue(caught.exception.matches(Roast.launch_error_quark(), Roast.LaunchError.NOT_FOUND))

    def test_save_and_text(self):
        session = Roast.run(["true"])
        with tempfile.TemporaryDirectory() as directory:
            session.save(os.path.join(directory, "r.json"))
            session.save(os.path.join(directory, "r.txt"))
            session.save(os.path.join(directory, "tables"), separator="tab")
            self.assertEqual(sorted(os.listdir(directory)), ["r.json", "r.txt", "tables"])
            with open(os.path.join(directory, "tables", "metrics.csv")) as file:
                self.assertIn("\t", file.readline())
            with self.assertRaises(Roast.Error) as caught:
                session.save("/no/such/directory/r.json")
            self.assertIn("/no/such/directory", str(caught.exception))
        self.assertIn("CPU time", session.to_text(color="never"))

    def test_in_a_main_loop_of_ones_own(self):
        session = Roast.Session.new(Roast.Registry.get_default())
        session.add_backend("local", Roast.Registry.get_default().create_backend("local"))
        loop = GLib.MainLoop()
        results = []

        def finished(_, result):
            results.append(session.wait_finish(result))
            loop.quit()

        def launched(_, result):
            session.launch_finish(result)
            session.wait_async(None, finished)

        session.launch_async(Roast.LaunchContext.new(["true"]), None, launched)
        loop.run()
        self.assertEqual(results, [True])
        self.assertEqual(session.metrics["exit_status"], 0)


SCHEMA = """
[table t]
Description=a test
[columns t]
i=int64: integer
x=double s: real
b=boolean: boolean
s=string: text
c=category: category

[table things]
Kind=entity
Key=id
Description=things
[columns things]
id=string: identity
value=double: value

[table made]
Origin=derived
Description=derived
[columns made]
x=double: x
"""


class TestRunFiles(unittest.TestCase):
    """A run in a file, which is complete, growing, or left by a process that was killed."""

    ROWS = 50000  # several blocks
    PEAK = 4096 * max(i for i in range(ROWS) if i % 7 == 1 and i % 5)  # memory of w1

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = os.path.join(directory.name, "run.roast")

    def write(self, first=0, last=ROWS):
        """Rows of which some have no memory, and a column that is always missing."""
        for i in range(first, last):
            self.writer.set_int64(0, i)
            self.writer.set_string(1, f"w{i % 7}")
            if i % 5:
                self.writer.set_int64(2, i * 4096)
            if i % 3:
                self.writer.set_double(3, i / 8)
            self.writer.end()

    def begin(self):
        recording = Roast.Recording()
        self.writer = recording.write_table("worker_samples", "s-1", ["time", "worker", "memory", "cpu"])
        file = Roast.RunFile.create(self.path)
        file.attach(recording)
        return file

    def check(self, samples, rows):
        numbers = numpy.arange(rows)
        self.assertEqual(len(samples), rows)
        numpy.testing.assert_array_equal(samples["time"], numbers)
        memory = samples["memory"]
        self.assertIsInstance(memory, numpy.ma.MaskedArray)
        numpy.testing.assert_array_equal(memory.mask, numbers % 5 == 0)
        numpy.testing.assert_array_equal(memory.compressed(), numbers[numbers % 5 != 0] * 4096)
        numpy.testing.assert_array_equal(samples["cpu"], numpy.where(numbers % 3 != 0, numbers / 8, numpy.nan))
        self.assertEqual(samples["worker"].tolist()[:8], ["w0", "w1", "w2", "w3", "w4", "w5", "w6", "w0"])
        self.assertTrue(samples["nbytes"].mask.all())

    def test_columns(self):
        file = self.begin()
        self.write()
        file.close()
        samples = Roast.Recording.open(self.path)["worker_samples"]
        self.check(samples, self.ROWS)
        frame = samples.to_pandas()
        self.assertEqual({name: str(frame[name].dtype) for name in ("source", "time", "worker", "memory", "cpu")},
                         {"source": "category", "time": "int64", "worker": "category", "memory": "Int64", "cpu": "float64"})
        self.assertEqual(frame["memory"].isna().sum(), self.ROWS / 5)
        self.assertEqual(frame.groupby("worker", observed=True)["memory"].max()["w1"], self.PEAK)

    def test_memory(self):
        """Beside a column itself there is one block of it in Python."""
        file = self.begin()
        self.write()
        file.close()
        samples = Roast.Recording.open(self.path)["worker_samples"]
        samples["time"]  # imports numpy's helpers
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        column = samples["time"]
        peak = tracemalloc.get_traced_memory()[1]
        self.assertGreater(peak, column.nbytes)
        self.assertLess(peak, 1.25 * column.nbytes)

    def test_growing(self):
        file = self.begin()
        self.write(0, 10000)
        file.flush()
        reading = Roast.RunFile.open(self.path)
        before = reading.read()
        self.assertEqual(reading.get_state(), Roast.RunFileState.GROWING)
        self.check(before["worker_samples"], 10000)
        self.write(10000, 12000)
        file.flush()
        self.check(before["worker_samples"], 10000)
        self.check(reading.read()["worker_samples"], 12000)
        file.close()

    def test_killed(self):
        """All that was flushed is there, and an event says how far that is."""
        result = subprocess.run([sys.executable, __file__, "--write-and-die", self.path], check=False, timeout=240, capture_output=True)
        self.assertEqual((result.returncode, result.stderr), (-signal.SIGKILL, b""))
        file = Roast.RunFile.open(self.path)
        recording = file.read()
        self.assertEqual(file.get_state(), Roast.RunFileState.INTERRUPTED)
        self.check(recording["worker_samples"], 9000)
        self.assertTrue(any("the data reach until" in row["message"] for row in recording["events"]))

    def test_documented(self):
        """The example of docs/store.md."""
        file = self.begin()
        self.write()
        file.close()
        source = os.environ.get("G_TEST_SRCDIR")
        path = pathlib.Path(source).parent / "docs" / "store.md" if source else None
        if path is None or not path.exists():
            self.skipTest("the documentation is missing")
        text = path.read_text()
        lines = itertools.takewhile(lambda line: line.startswith("    ") or not line, text[text.index("    import gi\n"):].split("\n"))
        code = textwrap.dedent("\n".join(lines))
        names = {}
        exec(code.replace("analysis.roast", self.path), names)
        self.assertEqual(names["peaks"]["w1"], self.PEAK)
        self.assertEqual(len(names["short"]), self.ROWS)
        self.assertIn("elapsed_time_seconds", names["metrics"])

    def test_errors(self):
        with self.assertRaisesRegex(Roast.Error, "no/such"):
            Roast.Recording.open("/no/such/file")
        with open(self.path, "wb") as file:
            file.write(b"no run")
        with self.assertRaisesRegex(Roast.Error, "run.roast"):
            Roast.Recording.open(self.path)


class TestTables(unittest.TestCase):
    def setUp(self):
        self.schema = Roast.Schema()
        self.schema.load_text(SCHEMA)
        self.recording = Roast.Recording.new(self.schema)
        self.writer = self.recording.write_table("t")

    @property
    def table(self):
        return self.recording["t"]

    def test_complete(self):
        for i in range(5000):  # more than one block
            self.writer.add(i=i, x=i / 2, b=i % 2 == 1, s=f"é{i}", c="ab"[i % 2])
        table = self.table
        numpy.testing.assert_array_equal(table["i"], numpy.arange(5000))
        numpy.testing.assert_array_equal(table["x"], numpy.arange(5000) / 2)
        numpy.testing.assert_array_equal(table["b"], numpy.arange(5000) % 2 == 1)
        self.assertEqual(table["s"][4999], "é4999")
        self.assertEqual(table["c"].tolist()[:3], ["a", "b", "a"])
        frame = table.to_pandas()
        self.assertEqual([str(kind) for kind in frame.dtypes], ["int64", "float64", "bool", "object", "category"])
        self.assertEqual(frame.loc[4999, "s"], "é4999")
        self.assertEqual(frame["c"].value_counts().to_dict(), {"a": 2500, "b": 2500})
        self.assertEqual(table.sum(1), (5000, 4999 * 5000 / 4, 2499.5))

    def test_missing(self):
        self.writer.add(i=1, x=0.5, b=True, s="one", c="a")
        self.writer.add()
        self.writer.add({"i": numpy.int64(3)}, x=numpy.float64(1.5))
        self.assertEqual(self.table["i"].tolist(), [1, None, 3])
        self.assertTrue(numpy.isnan(self.table["x"][1]))
        self.assertEqual(self.table["b"].tolist(), [True, None, None])
        self.assertEqual(self.table["s"].tolist(), ["one", None, None])
        self.assertEqual(self.table["c"].tolist(), ["a", None, None])
        frame = self.table.to_pandas()
        self.assertEqual([str(kind) for kind in frame.dtypes], ["Int64", "float64", "boolean", "object", "category"])
        self.assertEqual(frame["i"].sum(), 4)
        self.assertEqual(list(self.table)[1], dict.fromkeys("ixbsc"))
        self.assertEqual(list(self.table)[0], {"i": 1, "x": 0.5, "b": True, "s": "one", "c": "a"})

    def test_empty(self):
        self.assertEqual(len(self.table), 0)
        self.assertTrue(self.table)
        for name in "ixbsc":
            self.assertEqual(len(self.table[name]), 0)
        self.assertEqual(len(self.table.to_pandas()), 0)

    def test_slots(self):
        """As in C: columns by their place, by constants that are made from the schema."""
        columns = [Roast.tables.workers.WORKER, Roast.tables.workers.CORES]
        writer = self.recording.write_table("workers", "s-1", columns)
        writer.set_string(0, "w")
        writer.set_double(1, 4)
        writer.end()
        writer.close(worker="v", cores=2.5)
        reader = self.recording.read_table("workers", ["cores", "source"])
        self.assertEqual(list(reader), [{"cores": 4.0, "source": "s-1"}, {"cores": 2.5, "source": "s-1"}])
        self.assertTrue(reader.seek(1))
        self.assertEqual(reader.get_double(0), 2.5)

    def test_entities(self):
        things = self.recording.write_table("things")
        things.add(id="a")
        things.add(id="a", value=1.5)
        with self.assertRaises(Roast.Error) as caught:
            things.add(id="a", value=2.5)
        self.assertTrue(caught.exception.matches(Roast.table_error_quark(), Roast.TableError.CONFLICT))
        row = things.get_row()
        things.close(id="a")
        things.select_row(row)
        with self.assertRaises(Roast.Error) as caught:
            things.add(value=1.5)
        self.assertTrue(caught.exception.matches(Roast.table_error_quark(), Roast.TableError.CLOSED))
        self.assertEqual(self.recording["things"]["value"].tolist(), [1.5])

    def test_errors(self):
        with self.assertRaises(KeyError) as caught:
            self.table["nothing"]
        self.assertIn("it has i, x, b, s, c", str(caught.exception))
        with self.assertRaises(KeyError) as caught:
            self.writer.add(i=1, nothing=1)
        self.assertIn("nothing", str(caught.exception))
        with self.assertRaises(Roast.Error) as caught:
            self.writer.add(i="text")
        self.assertIn("column “i” of table “t” cannot hold a string", str(caught.exception))
        with self.assertRaises(TypeError):
            self.writer.add(i=[1])
        self.assertEqual(len(self.table), 0)
        self.assertEqual(self.recording.get_n_refused(), 1)
        self.assertIn("cannot hold a string", self.recording["events"]["message"][0])
        for call in (lambda: self.recording["nothing"], lambda: self.recording["made"]):
            with self.assertRaises(KeyError):
                call()
        with self.assertRaises(Roast.Error) as caught:
            self.recording.write_table("t", None, ["x", "colour"])
        self.assertIn("table “t” has no column “colour”", str(caught.exception))

    def test_late(self):
        self.writer.add(i=1)
        self.recording.finish()
        with self.assertRaises(Roast.Error) as caught:
            self.writer.add(i=2)
        self.assertTrue(caught.exception.matches(Roast.table_error_quark(), Roast.TableError.LATE))
        self.assertIn("table “t”", str(caught.exception))
        self.assertEqual(len(self.table), 1)

    def test_display(self):
        self.writer.add(s="<b>", x=0.5)
        self.assertEqual(repr(self.table), "<Roast.TableReader t: 1 rows of i, x, b, s, c>")
        self.assertIn("double in s", repr(self.table.columns["x"]))
        page = self.table._repr_html_()
        self.assertIn("&lt;b&gt;", page)
        self.assertIn("x [s]", page)
        self.assertEqual(repr(self.recording), "<Roast.Recording: t 1>")


class TestMetrics(unittest.TestCase):
    def setUp(self):
        self.assertEqual(len(Roast.Report()), 0)
        self.report = Roast.Report.new(Roast.Registry.new().get_schema())
        self.report.add_double("elapsed_time_seconds", 2.5, Roast.Completeness.COMPLETE, None)
        self.report.add_double("data_rate_bits_per_second", 3e9, Roast.Completeness.PARTIAL, "one <worker> was lost")
        self.report.add_unavailable("events_total", "nobody counted")

    def test_schema(self):
        schema = Roast.Registry.new().get_schema()
        self.assertEqual(schema.charts["data_rate"].get_y(), ["data_rate"])
        self.assertEqual(schema.metrics["exit_status"].get_name(), "exit_status")

    def test_mapping(self):
        self.assertEqual(dict(self.report.metrics), {"elapsed_time_seconds": 2.5, "data_rate_bits_per_second": 3e9,
                                                     "events_total": None})
        self.assertEqual(self.report.metrics["data_rate_gbps"], 3.0)
        self.assertIn("elapsed_time_seconds", self.report)
        with self.assertRaises(KeyError):
            self.report.metrics["nothing"]

    def test_add(self):
        report = Roast.Report.new(Roast.Registry.new().get_schema())
        report.add("events_total", 5)
        report.add("elapsed_time_seconds", 2.5, note="from samples", completeness="estimated")
        report.add("exit_status", reason="it runs still")
        self.assertEqual(dict(report.metrics), {"events_total": 5, "elapsed_time_seconds": 2.5, "exit_status": None})
        self.assertEqual(report["elapsed_time_seconds"].completeness, "estimated")
        self.assertEqual(report["exit_status"].reason, "it runs still")

    def test_findings(self):
        self.report.add_finding("waiting", "Tasks waited 40 % of their time.", share=0.4, advice="Read less.",
                                evidence={"time": (12.5, "s"), "tasks": 3, "worker": "w-1", "unknown": None})
        self.report.add_finding("failed", "2 files failed.", severity="error")
        failed, waiting = self.report.findings
        self.assertEqual((failed.rule, failed.severity, failed.share, failed.advice), ("failed", "error", None, None))
        self.assertEqual((waiting.rule, waiting.severity, waiting.share), ("waiting", "warning", 0.4))
        self.assertEqual(waiting.evidence, {"time": 12.5, "tasks": 3.0, "worker": "w-1"})
        self.assertEqual(waiting.units, {"time": "s"})
        self.assertEqual(str(waiting), "Tasks waited 40 % of their time. Read less.")
        self.assertEqual([row["rule"] for row in self.report.tables["findings"]], ["failed", "waiting"])
        self.assertEqual([row["state"] for row in self.report.tables["rules"]], ["spoke", "spoke"])
        self.report.add_rule("tails", Roast.RuleState.SILENT, "no tail")
        self.assertEqual([row["reason"] for row in self.report.tables["rules"]], [None, None, "no tail"])

    def test_metric(self):
        metric = self.report["events_total"]
        self.assertIsNone(metric.value)
        self.assertEqual(metric.reason, "nobody counted")
        with self.assertRaises(ValueError) as caught:
            float(metric)
        self.assertIn("nobody counted", str(caught.exception))
        self.assertEqual(float(self.report["elapsed_time_seconds"]), 2.5)
        self.assertEqual(self.report["data_rate_bits_per_second"].completeness, "partial")
        self.assertEqual([metric.name for metric in self.report][0], "elapsed_time_seconds")

    def test_display(self):
        self.assertEqual(repr(self.report), "<Roast.Report: 2 metrics, 1 not available>")
        self.assertIn("not available, because nobody counted", repr(self.report["events_total"]))
        page = self.report._repr_html_()
        self.assertIn("one &lt;worker&gt; was lost", page)
        self.assertIn("nobody counted", page)
        self.assertIn("Elapsed time", page)


CHART = """
[table racks]
Description=racks
[columns racks]
source=category: source
rack=category: rack
power=double: power

[chart rack_power]
Title=Power <b>
Description=Power of racks
Table=racks
Kind=bars
X=rack
Y=power
"""


class TestCharts(unittest.TestCase):
    def setUp(self):
        self.schema = Roast.Registry.new().get_schema()
        self.schema.load_text(CHART)
        self.recording = Roast.Recording.new(self.schema)
        self.report = Roast.Report.new(self.schema)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name) / "power.svg"

    def charts(self, n=3):
        writer = self.recording.write_table("racks")
        for i in range(n):
            writer.add(rack=f"rack {i}", power=i + 1.0)
        return Roast.Charts(self.recording, self.report)

    def test_collection(self):
        charts = self.charts()
        chart = charts["rack_power"]
        self.assertEqual((chart.name, chart.title, chart.kind, chart.table), ("rack_power", "Power <b>", "bars", "racks"))
        self.assertTrue(chart.available and chart.worth)
        self.assertEqual([chart.name for chart in charts.worth], ["rack_power"])
        self.assertEqual(len(charts), len(list(charts)))
        self.assertIn("<Roast.Charts: 1 available, ", repr(charts))
        self.assertIn("  rack_power  Power <b>\n", repr(charts))
        with self.assertRaises(KeyError) as caught:
            charts["nothing"]
        self.assertIn("the charts are: data_rate, ", str(caught.exception))

    def test_is_of_its_time(self):
        charts = self.charts()
        self.recording.write_table("racks").add(rack="late", power=9.0)
        self.assertNotIn("late", charts["rack_power"].svg())
        self.assertIn("late", Roast.Charts(self.recording)["rack_power"].svg())

    def test_save(self):
        chart = self.charts()["rack_power"]
        chart.save(self.path)
        self.assertEqual(self.path.read_text(), chart.svg())
        chart.save(str(self.path), theme="dark", width=300, height=200)
        self.assertRegex(self.path.read_text(), r'^<svg [^>]*width="300" height="200"')
        self.assertIn('fill="#17181a"', self.path.read_text())
        for call, words in {
            lambda: chart.save("power.bmp"): "ends with .svg",
            lambda: chart.svg(theme="pink"): "no theme 'pink': use light or dark",
            lambda: chart.svg(width=0): "above 0",
            lambda: chart.svg(height=float("nan")): "above 0",
            lambda: chart.save("/no/such/directory/x.svg"): "/no/such/directory",
        }.items():
            with self.assertRaises((ValueError, Roast.Error)) as caught:
                call()
            self.assertIn(words, str(caught.exception))

    def test_display(self):
        chart = self.charts()["rack_power"]
        page = chart._repr_html_()
        self.assertEqual(page.count("<svg "), 1)
        self.assertIn("Power &lt;b&gt;", page)
        self.assertNotIn("<b>", page)
        self.assertEqual(set(chart._repr_mimebundle_()), {"text/plain", "text/html", "image/svg+xml"})
        self.assertEqual(set(chart._repr_mimebundle_(include=["text/html"])), {"text/html"})
        self.assertEqual(set(chart._repr_mimebundle_(exclude=["text/html"])), {"text/plain", "image/svg+xml"})

    def test_not_available(self):
        charts = Roast.Charts(self.recording, self.report)
        chart = charts["rack_power"]
        self.assertFalse(chart.available)
        self.assertIn("racks", chart.reason)
        self.assertIn("not available, because ", repr(chart))
        self.assertIn("Power &lt;b&gt;</bdi>: not available, because <bdi>", chart._repr_html_())
        self.assertIsNone(chart._repr_svg_())
        self.assertEqual(set(chart._repr_mimebundle_()), {"text/plain", "text/html"})
        with self.assertRaises(Roast.Error) as caught:
            chart.save(self.path)
        self.assertTrue(caught.exception.matches(Roast.chart_error_quark(), Roast.ChartError.NOT_AVAILABLE))
        self.assertFalse(self.path.exists())
        self.assertIn("No chart has anything to show", charts._repr_html_())
        self.assertIn("Not available (see the reason of each chart): data_rate, ", repr(charts))

    def test_no_exception_in_a_notebook(self):
        chart = self.charts()["rack_power"]
        chart.draw = lambda *_: 1 / 0
        self.assertIn("not available, because <bdi>division by zero", chart._repr_html_())
        self.assertIsNone(chart._repr_svg_())

    def test_size(self):
        """What is too large is drawn smaller, or left out and named; several outputs have the same style."""
        charts = self.charts(400)
        chart = charts["rack_power"]
        large = len(chart._figure(10**6))
        self.assertIsNone(chart._figure(200))
        self.assertLess(len(chart._figure(large - 200)), large - 200 + len(chart.description) + 60)
        figures, left_out = charts._figures([chart] * 200)
        self.assertGreater(len(left_out), 0)
        self.assertLess(sum(map(len, figures)), 400_000)

    def test_report(self):
        with self.assertRaises(Roast.Error) as caught:
            len(self.report.charts)
        self.assertIn("Roast.Charts(recording, report)", str(caught.exception))
        self.assertNotIn("<svg", self.report._repr_html_())
        session = Roast.run(["true"])
        self.assertEqual(list(session.charts), list(session.report.charts))
        self.assertIn("<svg ", session._repr_html_())

    def test_read(self):
        self.charts()
        path = str(self.path.with_suffix(".roast"))
        file = Roast.RunFile.create(path)
        file.attach(self.recording)
        self.recording.finish()
        file.close()
        session = Roast.read(path)
        self.assertEqual(session.state, "finished")
        self.assertTrue(session.chart("rack_power").available)
        with self.assertRaises(Roast.Error) as caught:
            Roast.read("/no/such/file.roast")
        self.assertIn("/no/such/file.roast", str(caught.exception))


class TestRegistry(unittest.TestCase):
    def test_register(self):
        class Own(GObject.Object, Roast.Exporter):
            __gtype_name__ = "TestOverrideExporter"

            def do_export_report(self, recording, report, output, cancellable):
                stream = output.open(None)
                stream.write_all(b"own", cancellable)
                stream.close(cancellable)

        registry = Roast.Registry.new()
        registry.register("own", Own)
        session = Roast.Session(registry=registry)
        session.run(["true"])
        self.assertEqual(session.to_text("own"), "own")
        with self.assertRaises(TypeError):
            registry.register("none", GObject.Object)
        self.assertIn("own", repr(registry))

    def test_options(self):
        registry = Roast.Registry.new()
        registry.create_backend("local", {"pss": "off"})
        registry.create_exporter("table", {"rows": 3, "detail": True})
        with self.assertRaises(Roast.Error):
            registry.create_exporter("table", {"rows": "many"})
        with self.assertRaises(Roast.Error) as caught:
            registry.create_exporter("table", {"colour": "always"})
        self.assertIn("color", str(caught.exception))

    def test_plugins(self):
        names = [plugin.get_name() for plugin in Roast.Registry.new()]
        self.assertIn("json", names)


def write_and_die(path):
    case = TestRunFiles()
    case.path = path
    file = case.begin()
    case.write(0, 9000)
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write-and-die"]:
        write_and_die(sys.argv[2])
    unittest.main(verbosity=2)
