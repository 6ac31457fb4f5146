#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The exporter perfetto: what Perfetto's Python package reads in a trace is what is in the tables, run by run."""

import collections
import json
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from leftovers import guard  # noqa: E402
from perfetto_trace import Trace  # noqa: E402
from report import Report  # noqa: E402
from running import InDirectory  # noqa: E402

RECORDINGS = os.path.join(HERE, "..", "data", "taskvine")
PYTHON = os.environ.get("ROAST_DASK_PYTHON", "")
PHASES = {"input": ("dispatched", "delivered"), "stage-in": ("delivered", "started"), "wait": ("ended", "fetched"),
          "output": ("fetched", "retrieved")}

DASK = """
import time
from distributed import Client, LocalCluster

def half(x):
    time.sleep(0.02)
    return x / 2

def broken(x):
    raise ValueError("“no”")

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=":0") as cluster, Client(cluster) as client:
        client.gather(client.map(half, range(40)))
        total = client.submit(sum, client.map(half, range(100, 110)))
        total.result()
        try:
            client.submit(broken, 1).result()
        except ValueError:
            pass
"""


def extent(row):
    """When an attempt is drawn, as README.md of the exporter explains."""
    holds = row.get("cores_allocated", 0) > 0
    started = row.get("dispatched", row.get("started")) if holds else row.get("started")
    ended = row.get("ended")
    if holds:
        ended = max([row[name] for name in ("ended", "retrieved") if name in row], default=None)
    if ended is None:
        ended = row.get("noticed")
    if started is None or (ended is not None and ended < started) or (ended is None and row.get("status") not in (None, "unfinished", "running")):
        return None
    return started, ended


class Perfetto(InDirectory):
    longMessage = True
    maxDiff = 4000

    def measure(self, backend, *arguments):
        result = subprocess.run(["roast-run", "-q", "--no-save", "-e", "json:report.json", "-e", "perfetto:run.perfetto-trace", "-e",
                                 "perfetto:plain.perfetto-trace,compress=false", *arguments], cwd=self.directory, capture_output=True,
                                text=True, errors="replace", timeout=240, stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONWARNINGS": "ignore"})
        self.assertEqual(result.returncode, 0, result.stderr)
        trace, plain = Trace(self.path("run.perfetto-trace")), Trace(self.path("plain.perfetto-trace"))
        self.assertEqual(trace.packets, plain.packets)
        self.assertLess(trace.size, plain.size)
        return Report(self.path("report.json"), backend), trace

    def check_tasks(self, report, trace):
        """Each attempt: its times, name, task, status and worker. On one slot they do not overlap."""
        names = {row["worker"]: row.get("name", row["worker"]) for row in report.rows("workers")}
        rows = [row for row in report.rows("tasks") if extent(row)]
        slices = [slice for slice in trace.slices if slice.track.is_thread and slice.parent is None]
        expected = collections.Counter((*extent(row), row["category"], row["task"], row["status"], row.get("attempt", 1)) for row in rows)
        found = collections.Counter((slice.started, slice.ended, slice.name, slice.arguments["task"], slice.arguments["status"],
                                     slice.arguments.get("attempt", 1)) for slice in slices)
        self.assertEqual(found, expected)
        workers = {(row["task"], row.get("attempt", 1)): names[row["worker"]] for row in rows if row.get("worker") in names}
        for slice in slices:
            name = workers.get((slice.arguments["task"], slice.arguments.get("attempt", 1)))
            if name is not None:
                self.assertIn(name, trace.process_of(slice.track).name)
        left_out = sum(row["status"] not in ("never_ran", "waiting") and not extent(row) for row in report.rows("tasks"))
        self.assertEqual(self.left_out(trace).get("tasks", 0), left_out)
        return rows, slices

    def left_out(self, trace):
        found = [instant.arguments for instant in trace.instants if instant.name == "rows left out"]
        self.assertLessEqual(len(found), 1)
        return found[0] if found else {}

    def check_all(self, report, trace):
        """Workers, processes, stretches, spans and events of any run."""
        everything = report.data["tables"] | report.data["report_tables"]
        count = {name: table["rows"] for name, table in everything.items()}
        left_out = self.left_out(trace)
        for category, table in (("worker", "workers"), ("window", "windows"), ("stretch", "stretches"), ("span", "spans"),
                                ("process", "processes"), ("library", "libraries")):
            self.assertEqual(len(trace.of(category)) + left_out.get(table, 0), count.get(table, 0), table)
        workers = everything["workers"]["data"] if "workers" in everything else {"worker": [], "name": []}
        names = {worker: name or worker for worker, name in zip(workers["worker"], workers["name"])}
        for life in trace.of("worker"):
            self.assertIn(names[life.arguments["worker"]], trace.process_of(life.track).name)
        self.assertEqual(sum(instant.category == "event" and instant.track.name == "events" for instant in trace.instants), count.get("events", 0))
        self.assertEqual(sum(instant.category == "finding" for instant in trace.instants), len(report.data["findings"]))
        moved = [one for one in trace.slices + trace.instants if one.category == "transfers"]
        self.assertEqual(len(moved) + left_out.get("transfers", 0), count.get("transfers", 0))

    def check_counter(self, report, trace, table, column, parent):
        """The last value before each time of a sample is that of the sample."""
        data = report.data["tables"][table]["data"]
        track = next(track for track in trace.tracks.values() if track.is_counter and track.name == column and parent(track))
        return [(time, value) for time, value in zip(data["time"], data[column]) if value is not None], trace.counters[track.uuid]

    def test_local(self):
        report, trace = self.measure("processes", "-i", "0.02", "--", "sh", "-c", "sleep 0.2; (sleep 0.1; sh -c 'sleep 0.1; true'); exit 0")
        self.check_all(report, trace)
        rows = {row["process"]: row for row in report.rows("processes") if "started" in row}
        slices = {(slice.started, slice.ended, slice.name, slice.arguments.get("pid")) for slice in trace.of("process")}
        self.assertEqual(slices, {(row["started"], row.get("ended"), row["command"], row.get("pid")) for row in rows.values()})
        by_pid = {slice.arguments["pid"]: slice for slice in trace.of("process") if "pid" in slice.arguments}
        for row in rows.values():
            if "pid" in row and row.get("parent") in rows:
                parent = trace.tracks[by_pid[row["pid"]].track.parent]
                self.assertIs(parent, by_pid[rows[row["parent"]]["pid"]].track)
        samples, counted = self.check_counter(report, trace, "cluster_samples", "memory", lambda track: trace.tracks[track.parent].name == "local-1")
        self.assertGreater(len(counted), 0)
        last = dict(counted)
        value = None
        for time, expected in samples:
            value = last.get(time, value)
            self.assertEqual(value, expected)
        units = {track.name: track.unit for track in trace.tracks.values() if track.is_counter}
        self.assertEqual(units["memory"].unit, units["memory"].UNIT_SIZE_BYTES)
        self.assertEqual(units["cpu"].unit_name, "s")
        run = next(slice for slice in trace.of("window") if slice.name == "run")
        self.assertEqual((run.started, run.ended), (report.data["run"]["started"], report.data["run"]["ended"]))
        self.assertEqual(trace.process_of(run.track).name[:8], "run: sh ")

    def test_recordings(self):
        for name in sorted(os.listdir(RECORDINGS)):
            path = os.path.join(RECORDINGS, name)
            if not os.path.exists(os.path.join(path, "transactions")):
                continue
            with self.subTest(name):
                report, trace = self.measure("taskvine", "--backend=taskvine", "--attach=" + os.path.realpath(path))
                self.check_all(report, trace)
                rows, slices = self.check_tasks(report, trace)
                self.assertGreater(len(slices), 1)
                expected = collections.Counter(
                    (row["task"], phase, row[begin], row[end]) for row in rows if row.get("cores_allocated", 0) > 0
                    for phase, (begin, end) in PHASES.items()
                    if begin in row and end in row and row[end] > row[begin] and extent(row)[0] <= row[begin] and row[end] <= extent(row)[1])
                found = collections.Counter((slice.parent.arguments["task"], slice.name, slice.started, slice.ended)
                                            for slice in trace.of("phase"))
                self.assertEqual(found, expected)
                for instant in trace.slices + trace.instants:
                    if instant.category == "transfers":
                        self.assertIn(instant.name, instant.track.name)

    @unittest.skipIf(PYTHON == "", "roast was built without the backend for Dask")
    def test_dask(self):
        with open(self.path("script.py"), "w") as file:
            file.write(DASK)
        report, trace = self.measure("dask", "--backend=dask", "--", PYTHON, "script.py")
        self.check_all(report, trace)
        rows, slices = self.check_tasks(report, trace)
        self.assertEqual(sum(slice.name == "half" for slice in slices), 50)
        failed = [slice for slice in slices if slice.arguments["status"] == "failed"]
        self.assertEqual([(slice.name, slice.arguments["error"], slice.arguments["message"]) for slice in failed],
                         [("broken", "ValueError", "“no”")])
        threads = collections.defaultdict(set)
        for slice in slices:
            threads[slice.track.pid].add(slice.track.tid)
        self.assertEqual(len(threads), 2)
        # On a busy machine a worker has its first tasks before it has the probe: their times are by Dask's estimate of its clock.
        if all("cpu" in row for row in rows if row["status"] == "done"):
            self.assertLessEqual(max(map(len, threads.values())), 2, "more slots than a worker has threads")
        pids = {row["pid"] for row in report.rows("workers") if "pid" in row}
        self.assertEqual(set(threads), pids)
        self.assertEqual(len(trace.of("phase")) + self.left_out(trace).get("task_phases", 0), len(report.rows("task_phases")))

    def test_hostile_names(self):
        """Perfetto's classes accept texts in UTF-8 only."""
        hostile = "x\udcff\u202e</script>" + "n" * 10000
        report, trace = self.measure("processes", "--", "printf", "%s", hostile)
        self.check_all(report, trace)
        lines = [slice.arguments["command_line"] for slice in trace.of("process")]
        self.assertTrue(any("</script>" in line for line in lines), lines)

    def imported(self, *lines):
        """The trace of a run of which these are the tables: name, columns, rows."""
        with open(self.path("run.stream"), "w") as file:
            file.write(json.dumps({"roast-stream": 1, "version": "0.9.0"}) + "\n")
            for name, columns, *rows in lines:
                file.write(json.dumps({"table": name, "columns": columns.split()}) + "\n")
                file.writelines(json.dumps([name, *row]) + "\n" for row in rows)
            file.write(json.dumps({"end": True}) + "\n")
        environment = {**os.environ, "ROAST_RUNS": self.directory}
        for command in (["import", "--save=run.roast", "run.stream"], ["-e", "perfetto:run.perfetto-trace", "run.roast"]):
            result = subprocess.run(["roast-report", *command], cwd=self.directory, capture_output=True, text=True, timeout=240, env=environment)
            self.assertEqual(result.returncode, 0, result.stderr)
        return Trace(self.path("run.perfetto-trace"))

    def test_what_is_inside_an_attempt(self):
        """Chunks and phases are inside of an attempt if it is theirs and encloses them, and one is not in another."""
        trace = self.imported(
            ("workers", "source worker name host pid joined left", ["e-1", "w1", "one", "node1", 77, 1000000, 9000000],
             ["e-1", "w2", "two", "node2", 77, 1000000, 9000000]),
            ("tasks", "source task attempt category worker started ended status",
             ["e-1", "a", 1, "work", "w1", 1000000, 2000000, "failed"], ["e-1", "a", 2, "work", "w2", 3000000, 4000000, "done"],
             ["e-1", "b", 1, "work", "w2", 4000000, 5000000, "done"], ["e-1", "c", 1, "work", "w2", 4500000, None, "unfinished"],
             ["e-1", "d", 1, "work", "w2", None, None, "lost"]),
            ("task_phases", "source task attempt phase started ended", ["e-1", "a", 2, "stage-in", 3100000, 3200000],
             ["e-1", "b", 1, "stage-in", 3500000, 3900000], ["e-1", "none", 1, "stage-in", 1, 2]),
            ("chunks", "source chunk task dataset file events started ended pid host",
             ["p", "in", "a", "ttbar", "f.root", 10, 3300000, 3500000, 5, "node2"],
             ["p", "overlaps", "a", "ttbar", "f.root", 10, 3400000, 3600000, 5, "node2"],
             ["p", "early", "a", "ttbar", "f.root", 10, 1500000, 1600000, 5, "node2"],
             ["p", "between", "a", "ttbar", "f.root", 10, 2500000, 2600000, 6, "node2"],
             ["p", "until-the-end", "b", "ttbar", "f.root", 10, 4900000, 5000000, 5, "node2"],
             ["p", "no task", None, "data", "g.root", 10, 4000000, 5000000, 9, "node3"],
             ["p", "no times", None, "data", "g.root", 10, None, None, 9, "node3"]))
        parents = {slice.arguments["chunk"]: slice.parent and (slice.parent.arguments["task"], slice.parent.arguments.get("attempt", 1))
                   for slice in trace.of("chunk")}
        self.assertEqual(parents, {"in": ("a", 2), "overlaps": None, "early": ("a", 1), "between": None, "until-the-end": None, "no task": None})
        chunk = next(slice for slice in trace.of("chunk") if slice.arguments["chunk"] == "in")
        self.assertEqual((chunk.name, chunk.arguments["file"], chunk.arguments["events"]), ("ttbar", "f.root", 10))
        phases = {slice.arguments["task"]: (slice.name, slice.parent and slice.parent.arguments["task"], trace.process_of(slice.track).name)
                  for slice in trace.of("phase")}
        self.assertEqual(phases, {"a": ("stage-in", "a", "e-1 two on node2"), "b": ("stage-in", None, "e-1 two on node2")})
        # The file does not say when the run started: its window has no times.
        self.assertEqual(self.left_out(trace), {"tasks": 1, "task_phases": 1, "chunks": 1, "windows": 1})
        # Two machines, one pid.
        pids = {track.name: track.pid for track in trace.tracks.values() if track.is_process}
        self.assertEqual(pids["e-1 one on node1"], 77)
        self.assertGreater(pids["e-1 two on node2"], 4194304)
        self.assertEqual(pids["program on node3"], 9)
        slots = {(slice.arguments["task"], slice.arguments.get("attempt", 1)): slice.track.name for slice in trace.of("work")}
        self.assertEqual(slots, {("a", 1): "slot 1", ("a", 2): "slot 1", ("b", 1): "slot 1", ("c", 1): "slot 2"})
        self.assertEqual([slice.arguments["task"] for slice in trace.open], ["c"])


if __name__ == "__main__":
    guard(unittest.main)
