#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The package roast by the programs and by GObject introspection: the same names, and the same answers."""

import functools
import json
import lzma
import os
import random
import signal
import subprocess
import sys
import unittest

from running import InDirectory, wait_until

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
RUN = os.path.join(ROOT, "tests", "data", "runs", "coffea-dask.stream.xz")
WAYS = ["binaries", "gi"]

# What both ways are asked, in a process each: a dictionary of answers.
READ = """
import json, math, sys
import numpy
import roast

def plain(value):
    if value is None or value is numpy.ma.masked or value is getattr(sys.modules.get("pandas"), "NA", 0):
        return None
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and math.isnan(value) else value

def describe(reader, frames):
    columns = {name: [column.name, column.kind, column.unit] for name, column in reader.columns.items()}
    arrays = {name: [str(reader[name].dtype), isinstance(reader[name], numpy.ma.MaskedArray), [plain(cell) for cell in reader[name]]]
              for name in reader.columns}
    answer = {"name": reader.name, "rows": len(reader), "columns": columns, "arrays": arrays}
    answer["cells"] = [list(map(plain, row.values())) for row in reader]
    if frames:
        frame = reader.to_pandas()
        answer["frame"] = {name: [str(frame[name].dtype), [None if frame[name].isna()[i] else plain(cell) for i, cell in enumerate(frame[name])]]
                           for name in frame.columns}
    answer["html"] = reader._repr_html_()
    return answer

session = roast.load(sys.argv[1])
report = session.report
try:
    import pandas
except ImportError:
    pandas = None
answers = {
    "state": session.state, "status": session.status,
    "metrics": dict(report.metrics),
    "formula": [(m.name, m.value, m.reason, m.completeness if m.value is not None else None) for m in (
        session.evaluate("count (over processes)", "rows"), session.evaluate("sum (bytes over transfers)"))],
    "details": {m.name: [m.value, m.reason, m.note, m.completeness if m.value is not None else None] for m in report},
    "findings": [[f.rule, f.severity, f.text, f.share, f.advice, f.evidence, f.units, str(f)] for f in report.findings],
    "notes": list(report.notes),
    "recorded": list(session.recording),
    "derived": list(report.tables),
    "tables": {name: describe(session.table(name), pandas) for name in [*session.recording, *report.tables]},
    "core_time": report.core_time.name,
    "narrow": list(session.table("tasks").narrow(["task", "started"]).columns),
    "charts": {c.name: [c.available, c.reason, c.title if c.available else None] for c in session.charts.values()},
    "worth": sorted(c.name for c in session.charts.worth),
    "svg": session.chart("core_time").svg().startswith("<svg"),
    "html": ["<ol>" in report._repr_html_(), "<svg" in report._repr_html_(), "<svg" in session.charts._repr_html_()],
    "text": session.to_text("json", tables="none"),
    "unknown": [],
}
for ask in (lambda: session.table("nothing"), lambda: session.table("tasks")["nothing"], lambda: report.metrics["nothing"],
            lambda: session.chart("nothing")):
    try:
        ask()
    except KeyError as error:
        answers["unknown"].append(True)
json.dump(answers, sys.stdout, sort_keys=True)
"""

MEASURE = """
import asyncio, json, os, sys, threading, time
import roast

run = roast.run([sys.executable, "-c", "import sys, time; sum(range(3000000)); sys.exit(3)"], interval=0.1, tags={"site": "here"})
with roast.session(interval=0.1) as own:
    def work(number):
        with own.span(f"thread {number}"):
            with own.span(f"inner {number}"):
                time.sleep(0.05)
    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    state = own.state
rows = list(own.table("spans"))
names = {row["span"]: row["name"] for row in rows}
json.dump({
    "backend": roast.BACKEND, "status": run.status, "state": [run.state, state, own.state],
    "elapsed": run.metrics["elapsed_time_seconds"], "processes": len(run.table("processes")),
    "commands": sorted(row["command"] for row in own.table("processes")), "pids": [row["pid"] for row in own.table("processes")],
    "pid": os.getpid(), "names": sorted(names.values()), "closed": all(row["ended"] >= row["started"] + 50000 for row in rows),
    "parents": {row["name"]: names.get(row["parent"]) for row in rows},
}, sys.stdout)
"""

# The public names of each way: functions with their signatures, and properties of objects.
SURFACE = """
import functools, inspect, json, sys, types
import roast

def describe(value):
    if not inspect.isfunction(value):
        return "value"
    try:
        return str(inspect.signature(value))
    except ValueError:  # a function of C
        return None

session = roast.load(sys.argv[1])
report = session.report
found = {"roast": {name: str(inspect.signature(getattr(roast, name))) for name in ("run", "read", "load", "session", "Session")}}
charts = session.charts
for one in (session, report, charts, session.chart("core_time"), session.table("tasks"), session.table("tasks").columns["task"], session.metrics,
            report["elapsed_time_seconds"], report.findings[0], session.recording):
    names = {}
    for cls in type(one).__mro__:
        for name, value in vars(cls).items() if cls.__module__.startswith(("gi.overrides.Roast", "gi.overrides._roast", "roast")) else ():
            value = getattr(value, "__func__", value)
            if not name.startswith("_") and isinstance(value, (types.FunctionType, property, functools.cached_property)):
                names.setdefault(name, describe(value))
    names.update({name: "value" for name in getattr(one, "__dict__", ()) if not name.startswith("_")})
    found[[c.__name__ for c in type(one).__mro__ if c.__name__ != "Loaded"][0]] = names
found["order"] = list(charts)
found["chart"] = [[c.name, c.kind, c.table, c.heading, c.title, c.worth] for c in charts.values()]
json.dump(found, sys.stdout)
"""

# Only with GObject introspection, and not a part of the package's interface.
NOT_IN_BINARIES = {("Session", "get_report"), ("Chart", "info")}

ENDED = """
import json, os, sys
import roast

answers = []
session = roast.run(["sh", "-c", "echo $A $PWD"], env={"A": "b"}, directory="/")
for ask in (session.finish, session.wait, lambda: session.open_span("late")):
    try:
        ask()
    except roast.Error as error:
        answers.append("ended" in str(error) or "runs" in str(error) or "running" in str(error))
for name in ("r.html", "r.perfetto-trace", "r.json", "tables"):
    session.save(os.path.join(sys.argv[1], name))
    answers.append(os.path.isdir(os.path.join(sys.argv[1], name)))
try:
    session.save(os.path.join(sys.argv[1], "r.pdf"))
except roast.UserError as error:
    answers.append("no exporter writes .pdf" in str(error))
with roast.session() as own:
    outer = own.open_span("outer")
    other = own.open_span("other", parent=outer)
    with own.span("inner", parent=outer):
        pass
    own.close_span(other)
    own.close_span(outer)
names = {row["span"]: row["name"] for row in own.table("spans")}
answers.append({row["name"]: names.get(row["parent"]) for row in own.table("spans")})
json.dump(answers, sys.stdout)
"""

FAIL = """
import json, sys
import roast

answers = []
for ask in (lambda: roast.load("no-such-run"), lambda: roast.load(sys.argv[1]), lambda: roast.run(["no-such-program"]),
            lambda: roast.run(["true"], backend="lokal")):
    try:
        ask()
        answers.append(None)
    except roast.Error as error:
        answers.append(str(error))
json.dump(answers, sys.stdout)
"""


def is_gone(pid):
    return not os.path.exists(f"/proc/{pid}")


def ask(way, script, *arguments, **options):
    environment = {**os.environ, "ROAST_BINDING": way, **options.pop("env", {})}
    return subprocess.run([sys.executable, "-c", script, *arguments], env=environment, capture_output=True, text=True, timeout=240, **options)


class TestBothWays(InDirectory):
    def both(self, script, *arguments):
        answers = []
        for way in WAYS:
            result = ask(way, script, *arguments)
            self.assertEqual(result.returncode, 0, f"{way}: {result.stderr}")
            answers.append(json.loads(result.stdout))
        return answers

    def import_run(self):
        stream = self.path("run.stream")
        with lzma.open(RUN) as packed, open(stream, "wb") as file:
            file.write(packed.read())
        subprocess.run(["roast-report", "import", "--save=" + self.path("run.roast"), stream], check=True, timeout=240)
        return self.path("run.roast")

    def test_a_recording_has_the_same_tables_metrics_and_charts(self):
        programs, library = self.both(READ, self.import_run())
        self.assertGreater(programs["tables"]["tasks"]["rows"], 100)
        self.assertEqual(programs["unknown"], [True] * 4)
        self.assertEqual(set(programs), set(library))
        for name, table in programs["tables"].items():
            for part in table:
                self.assertEqual(table[part], library["tables"][name][part], f"{name}: {part}")
        for part in programs:
            self.assertEqual(programs[part], library[part], part)

    def test_a_run_and_a_session_of_this_process(self):
        for way, answer in zip(WAYS, self.both(MEASURE)):
            with self.subTest(way):
                self.assertEqual(answer["backend"], way)
                self.assertEqual(answer["status"], 3)
                self.assertEqual(answer["state"], ["finished", "running", "finished"])
                self.assertGreater(answer["elapsed"], 0)
                self.assertEqual(answer["processes"], 1)
                self.assertEqual(answer["pids"], [answer["pid"]], answer["commands"])
                self.assertEqual(answer["names"], sorted([*(f"inner {n}" for n in range(8)), *(f"thread {n}" for n in range(8))]))
                self.assertTrue(answer["closed"])
        # Spans of threads are no chain.
        parents = json.loads(ask("binaries", MEASURE).stdout)["parents"]
        for number in range(8):
            self.assertIsNone(parents[f"thread {number}"])
            self.assertEqual(parents[f"inner {number}"], f"thread {number}")

    def test_both_have_the_same_names(self):
        """Each name of the override is in the package, with the same signature."""
        programs, library = self.both(SURFACE, self.import_run())
        self.assertEqual(programs.pop("order"), library.pop("order"))
        self.assertEqual(programs.pop("chart"), library.pop("chart"))
        self.assertIn("core_time", library["Report"])
        self.assertIn("save", library["Chart"])
        for cls, names in library.items():
            for name, signature in names.items():
                if signature is not None and (cls, name) not in NOT_IN_BINARIES:
                    self.assertEqual(programs[cls].get(name), signature, f"{cls}.{name}")

    def test_an_ended_session_files_and_parents_of_spans(self):
        for way in WAYS:
            directory = self.path(way)
            os.mkdir(directory)
            result = ask(way, ENDED, directory)
            self.assertEqual(result.returncode, 0, f"{way}: {result.stderr}")
            printed, answers = result.stdout.splitlines()
            self.assertEqual(printed, "b /")
            self.assertEqual(json.loads(answers),
                             [True] * 3 + [False, False, False, True, True, {"outer": None, "other": "outer", "inner": "outer"}], way)

    def test_mistakes_have_the_same_words(self):
        damaged = self.path("damaged.roast")
        with open(self.import_run(), "rb") as file, open(damaged, "wb") as cut:
            cut.write(file.read(5000))
        programs, library = self.both(FAIL, damaged)
        for ours, theirs, words in zip(programs, library, ("neither a file nor a run", "damaged.roast", "no-such-program", "Did you mean local?")):
            self.assertIn(words, ours)
            self.assertIn(words, theirs)


class TestPrograms(InDirectory):
    def test_without_programs_it_says_what_to_install(self):
        result = ask("binaries", "import roast; roast.run(['true'])", env={"PATH": self.directory})
        self.assertIn("program roast-run not found", result.stderr)
        self.assertIn("install", result.stderr)

    def test_a_wrong_choice_is_an_error(self):
        result = ask("gir", "import roast; print(roast.BACKEND)")
        self.assertIn("ROAST_BINDING=gir: it must be gi or binaries", result.stderr)

    def test_instrumentation_loads_nothing_else(self):
        script = "import sys, roast; print([m for m in sys.modules if m in ('gi', 'numpy', 'roast._session', 'roast._choice')])"
        self.assertEqual(ask("gi", script).stdout, "[]\n")

    def test_a_json_report_is_loaded(self):
        report = self.path("run.json")
        subprocess.run(["roast-run", "-q", "--no-save", "-e", f"json:{report}", "sh", "-c", "exit 4"], timeout=240, check=False)
        for way in WAYS:
            self.assertEqual(ask(way, "import roast, sys; print(roast.load(sys.argv[1]).status)", report).stdout, "4\n", way)

    def test_runs_are_compared(self):
        for name in ("a.roast", "b.roast"):
            subprocess.run(["roast-run", "-q", f"--save={self.path(name)}", "true"], timeout=240, check=True)
        script = """if True:
            import roast, sys
            report = roast.compare([sys.argv[1] + "/a.roast"], sys.argv[1] + "/b.roast").report
            print("compare-elapsed" in [finding.rule for finding in report.findings])
            runs = [roast.load(sys.argv[1] + name) for name in ("/a.roast", "/b.roast")]
            print(len(roast.compare(runs[0], runs[1:]).report.findings) == len(report.findings))
            print("scaling" in roast.compare([sys.argv[1] + "/a.roast", sys.argv[1] + "/b.roast"]).report.dup_table_names())
            try:
                roast.compare([sys.argv[1] + "/a.roast"], ["no-such-run"])
            except roast.UserError as error:
                print(error)
        """
        for way in WAYS:
            said = ask(way, script, self.directory).stdout
            self.assertEqual(said.splitlines()[:3], ["True", "True", "True"], way)
            self.assertIn("no-such-run", said, way)

    def test_what_needs_introspection_says_so(self):
        script = """if True:
            import asyncio, roast
            async def enter():
                async with roast.Session():
                    pass
            for ask in (lambda: asyncio.run(enter()), lambda: roast.run(["true"], registry=1), lambda: roast.Session(asynchronous=True)):
                try:
                    ask()
                except roast.UserError as error:
                    print("needs GObject introspection" in str(error))
            """
        result = ask("binaries", script)
        self.assertEqual((result.stdout, result.stderr), ("True\n" * 3, ""))

    def test_a_process_that_is_killed_leaves_nothing(self):
        script = "import roast, time\nwith roast.session() as s:\n print('up', flush=True)\n time.sleep(60)"
        for sent in (signal.SIGKILL, signal.SIGTERM):
            directory = self.path(f"tmp-{sent}")
            os.mkdir(directory)
            environment = {**os.environ, "ROAST_BINDING": "binaries", "TMPDIR": directory}
            process = subprocess.Popen([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True)
            self.assertEqual(process.stdout.readline(), "up\n")
            self.assertEqual(len(os.listdir(directory)), 1)
            process.send_signal(sent)
            process.communicate(timeout=240)
            wait_until(lambda directory=directory: os.listdir(directory) == [])

    def test_a_backend_uses_the_python_of_the_session(self):
        """And what that prints is in the message."""
        python = self.path("python")
        with open(python, "w") as file:
            file.write("#!/bin/sh\necho this one >&2\nexit 1\n")
        os.chmod(python, 0o755)
        script = "import sys, roast; sys.executable = sys.argv[1]; roast.Session(backend='dask').attach('tcp://127.0.0.1:1')"
        environment = {"ROAST_PYTHON": ""}
        for way in WAYS:
            self.assertIn("this one", ask(way, script, python, env=environment).stderr, way)
        environment["ROAST_PYTHON"] = python
        result = subprocess.run(["roast-run", "--no-save", "-b", "dask", "--attach=tcp://127.0.0.1:1"], env={**os.environ, **environment},
                                capture_output=True, text=True, timeout=240)
        self.assertIn("this one", result.stderr)

    def test_an_interrupt_ends_the_program(self):
        for script, sent in (("exec sleep 1000", signal.SIGTERM), ("trap '' TERM INT; while :; do sleep 0.1; done", None)):
            pid = self.path(f"pid-{sent}")
            program = f"import roast; roast.run(['sh', '-c', 'echo $$ > {pid}.part; mv {pid}.part {pid}; ' + {script!r}])"
            process = subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "ROAST_BINDING": "binaries"}, stderr=subprocess.PIPE,
                                       text=True, start_new_session=True)
            self.addCleanup(process.kill)
            wait_until(functools.partial(os.path.exists, pid))
            process.send_signal(signal.SIGINT)
            _, messages = process.communicate(timeout=240)
            self.assertIn("KeyboardInterrupt", messages)
            with open(pid) as file:
                shell = int(file.read())
            wait_until(functools.partial(is_gone, shell))

    def test_a_cut_or_damaged_file_is_an_error_and_nothing_else(self):
        sys.path.insert(0, os.path.join(ROOT, "python"))
        from roast import _raw, _table

        raw = self.path("raw")
        run = self.path("run.roast")
        subprocess.run(["roast-run", "-q", f"--save={run}", "-i", "0.02", "sleep", "0.1"], timeout=240, check=True)
        subprocess.run(["roast-report", "export", "--raw", f"--save={raw}", run], timeout=240, check=True)
        with open(raw, "rb") as file:
            whole = file.read()

        def read(data):
            tables = _raw.Raw(data)
            return {name: list(_table.TableReader(tables, table)) for name, table in tables.tables.items()}

        self.assertEqual(len(read(whole)["processes"]), 1)
        chance = random.Random(1)
        cuts = [*range(64), *(chance.randrange(len(whole)) for _ in range(200)), len(whole) - 1]
        for length in cuts:
            with self.assertRaises(_raw.Damaged, msg=length):
                _raw.Raw(whole[:length])
        n_refused = 0
        index = whole.index(b'{"roast_raw"')
        for _ in range(2000):
            data = bytearray(whole)
            for _ in range(chance.randrange(1, 6)):
                data[chance.randrange(index if chance.random() < 0.5 else 0, len(data))] = chance.choice(b'\0\xff"0919-{}[],:')
            try:
                read(bytes(data))
            except _raw.Damaged:
                n_refused += 1
        self.assertGreater(n_refused, 0)


if __name__ == "__main__":
    unittest.main()
