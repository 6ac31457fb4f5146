#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Recordings of real managers: what roast reports is what another reader of the same logs finds. Needs no TaskVine.
ROAST_TASKVINE_RECORDINGS: more directories of recordings, separated by colons."""

import collections
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)
from closeness import assert_near  # noqa: E402
from independent import Logs  # noqa: E402
from report import Report  # noqa: E402

PLACES = [os.path.join(HERE, "..", "..", "data", "taskvine"), *filter(None, os.environ.get("ROAST_TASKVINE_RECORDINGS", "").split(":"))]
RECORDINGS = sorted(os.path.join(place, name) for place in PLACES for name in os.listdir(place)
                    if os.path.exists(os.path.join(place, name, "transactions")))


def of_each(test):
    """The test, for each recording."""
    def run(self):
        for path, (report, logs) in self.read.items():
            with self.subTest(os.path.basename(path)):
                test(self, report, logs)
    return run


class Recordings(unittest.TestCase):
    longMessage = True
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.read = {}
        with tempfile.TemporaryDirectory() as directory:
            for path in RECORDINGS:
                out = os.path.join(directory, "report.json")
                subprocess.run(["roast-run", "-q", "--backend=taskvine", "--attach=" + path, "-e", "json:" + out], check=True,
                               stdin=subprocess.DEVNULL, timeout=240)
                cls.read[path] = Report(out, "taskvine"), Logs(path)


    @of_each
    def test_all_are_read(self, report, logs):
        self.assertGreaterEqual(len(RECORDINGS), 6)
        self.assertGreater(len(logs.attempts), 5)
        self.assertEqual(sum("lines of the transactions" in text for text in report.events("unusable-lines")), int(logs.unusable > 0))

    @of_each
    def test_attempts_by_outcome(self, report, logs):
        self.assertEqual(collections.Counter(row["status"] for row in report.rows("tasks")), logs.outcomes())
        codes = [(row["exit_code"] if "exit_code" in row else None) for row in report.rows("tasks") if row["status"] == "failed"]
        found = [one["exit"] if one["exit"] >= 0 else None for one in logs.attempts if one["status"] == "failed"]
        self.assertEqual(collections.Counter(codes), collections.Counter(found))

    @of_each
    def test_tasks_by_outcome(self, report, logs):
        """Tasks and attempts are different numbers."""
        tasks = logs.task_outcomes()
        names = {"done": "tasks_done_total", "failed": "tasks_failed_total", "cancelled": "tasks_cancelled_total", "lost": "tasks_lost_total",
                 "never_ran": "tasks_never_ran_total", "unfinished": "tasks_unfinished_total", "waiting": "tasks_waiting_total"}
        for status, name in names.items():
            count = tasks[status] + {"failed": tasks["exhausted"], "unfinished": tasks["running"]}.get(status, 0)
            self.assertEqual(report.metrics[name]["value"], count, name)
        self.assertEqual(report.metrics["tasks_submitted_total"]["value"], sum(tasks.values()))
        self.assertEqual(report.metrics["tasks_submitted_total"]["completeness"], "partial" if logs.unusable else "complete")
        given = [one for one in logs.attempts if "dispatched" in one]
        self.assertEqual(report.metrics["attempts_total"]["value"], len(given))
        self.assertEqual(report.metrics["tasks_retried_total"]["value"],
                         sum(n > 1 for n in collections.Counter(one["task"] for one in given).values()))

    @of_each
    def test_core_seconds_offered(self, report, logs):
        self.assertEqual(len(report.rows("workers")), len(logs.connections))
        self.assertAlmostEqual(report.metrics["worker_core_seconds"]["value"], logs.core_seconds(), delta=1e-6 * len(logs.connections))

    @of_each
    def test_transfers(self, report, logs):
        rows = {row["direction"]: row for row in report.rows("per_direction")}
        for direction, (files, size, seconds) in logs.transfers().items():
            row = rows.get(direction, {"files": 0, "bytes": 0, "seconds": 0})
            self.assertEqual((row["files"], row["bytes"]), (files, size), direction)
            if direction != "cached":
                self.assertAlmostEqual(row["seconds"], seconds, delta=1e-6 * max(files, 1))

    @of_each
    def test_phases(self, report, logs):
        found = logs.phases()
        rows = {(row["category"], row["phase"]): row for row in report.rows("per_phase")}
        self.assertEqual({key: row["attempts"] for key, row in rows.items()}, {key: value[0] for key, value in found.items()})
        for key, (attempts, seconds) in found.items():
            self.assertAlmostEqual(rows[key]["total"], seconds, delta=2e-6 * attempts, msg=key)

    @of_each
    def test_waste(self, report, logs):
        found = collections.defaultdict(lambda: [0, 0.0])
        for row in report.rows("wasted"):
            found[row["status"]][0] += row["attempts"]
            found[row["status"]][1] += row["core_seconds"]
        expected = logs.waste()
        self.assertEqual({key: value[0] for key, value in found.items()}, {key: value[0] for key, value in expected.items()})
        for key, (attempts, seconds) in expected.items():
            self.assertAlmostEqual(found[key][1], seconds, delta=2e-6 * attempts, msg=key)

    @of_each
    def test_core_time(self, report, logs):
        """Each core-second that workers offered is in one part. Losses are those of the table of waste, but for cores that two attempts claim."""
        parts = collections.defaultdict(float)
        for row in report.rows("core_time"):
            if row["window"] == "run":
                parts[row["part"]] += row["core_seconds"]
        offered = logs.core_seconds()
        if offered == 0:
            self.assertEqual(parts, {})
            return
        self.assertAlmostEqual(sum(parts.values()), offered, delta=1e-6 * len(logs.connections))
        self.assertGreater(min(parts.values()), 0)
        lost = sum(seconds for part, seconds in parts.items() if part.startswith("lost."))
        self.assertAlmostEqual(lost, sum(seconds for _, seconds in logs.waste().values()), delta=0.01 * offered)
        if not logs.unusable and "unknown" not in parts:
            executed = collections.defaultdict(float)
            for one in logs.attempts:
                if one["status"] == "done":
                    executed["task."] += (one["ended"] - one["started"]) * one["cores"] / 1e6
                    if one["running"].get("cores"):
                        executed["move."] += (one["started"] - one["dispatched"] + one["retrieved"] - one["ended"]) * one["cores"] / 1e6
            for kind, seconds in executed.items():
                of = ("task.", "framework.", "reserved.") if kind == "task." else kind
                found = sum(value for part, value in parts.items() if part.startswith(of))
                self.assertAlmostEqual(found, seconds, delta=0.01 * offered, msg=kind)

    @of_each
    def test_failures_have_codes_and_hosts(self, report, logs):
        """137 is not 1: each exit code has a row of its own."""
        statuses = ("failed", "lost", "exhausted", "cancelled")
        found = collections.Counter((one["status"], one["exit"] if one.get("exit", -1) >= 0 else None) for one in logs.attempts
                                    if one["status"] in statuses and "dispatched" in one)
        rows = collections.Counter()
        for row in report.rows("wasted"):
            rows[row["status"], row.get("exit_code")] += row["attempts"]
            self.assertEqual(row.get("signal"), {137: "SIGKILL"}.get(row.get("exit_code")))
            hosts = [int(number) for number in re.findall(r"\((\d+)\)", row["hosts"])]
            self.assertEqual(hosts, sorted(hosts, reverse=True))
            self.assertLessEqual(sum(hosts), row["attempts"])
        self.assertEqual(rows, found)
        costs = [row["core_seconds"] for row in report.rows("wasted")]
        self.assertEqual(costs, sorted(costs, reverse=True))

    @of_each
    def test_resources(self, report, logs):
        """Requested, allocated and measured, per attempt and per category."""
        units = {"cores": 1, "memory": 1 << 20, "disk": 1 << 20, "gpus": 1}
        attempts = {(one["id"], one.get("submitted"), one.get("dispatched")): one for one in logs.attempts}
        means = collections.defaultdict(list)
        for row in report.rows("tasks"):
            one = attempts[row["task"], row.get("submitted"), row.get("dispatched")]
            measured = one.get("measured") or {}
            for name, unit in units.items():
                for kind, amounts in (("requested", one["ready"]), ("allocated", one.get("running", {}))):
                    expected = amounts[name] * unit if name in amounts else None
                    self.assertEqual(row.get(name + "_" + kind), expected, (row["task"], name, kind))
                    if expected is not None:
                        means[row["category"], kind, name].append(expected)
            self.assertEqual(row.get("memory_peak"), measured["memory"] * (1 << 20) if measured else None)
            self.assertEqual(row.get("cores_used"), measured.get("cores_avg"))
            self.assertEqual(row.get("gpus_used"), measured.get("gpus"))
        rows = {(row["category"], row["kind"]): row for row in report.rows("per_resource")}
        for (category, kind, name), values in means.items():
            self.assertAlmostEqual(rows[category, kind][name], sum(values) / len(values), delta=0.5, msg=(category, kind, name))
        self.assertEqual("measured" in {kind for _, kind in rows}, any(one.get("measured") for one in logs.attempts))
        limits = {row["category"]: row for row in report.rows("categories") if "allocation" in row}
        self.assertEqual({name: row["allocation"] for name, row in limits.items()}, logs.allocations())
        self.assertEqual({name: row["cores_max"] for name, row in limits.items() if "cores_max" in row}, logs.limits("MAX", "cores"))
        self.assertEqual({name: row["disk_min"] / (1 << 20) for name, row in limits.items() if "disk_min" in row}, logs.limits("MIN", "disk"))

    @of_each
    def test_network(self, report, logs):
        """One definition over all transfers: the files for libraries as well."""
        transfers = logs.transfers()
        for context, direction in (("input", "in"), ("output", "out")):
            files, size, seconds = transfers[direction]
            self.assertEqual(report.total("network", context=context, unit="bytes"), size)
            self.assertAlmostEqual(report.total("network", context=context, unit="seconds"), seconds, delta=1e-6)
        metric = report.metrics["network_seconds"]
        if metric["value"] is not None:
            self.assertAlmostEqual(metric["value"], transfers["in"][2] + transfers["out"][2], delta=1e-6)
            self.assertEqual(metric["completeness"] == "complete", logs.ended is not None and not logs.unusable and not logs.copied(), metric)

    @of_each
    def test_libraries(self, report, logs):
        rows = {row["library"]: row for row in report.rows("libraries")}
        self.assertEqual(sorted(rows), sorted(library["library"] for library in logs.served))
        for library in logs.served:
            row = rows[library["library"]]
            for name in ("sent", "ready", "ended", "cores", "calls", "worker"):
                self.assertEqual(row.get(name), library[name], (library["library"], name))
        if not rows:
            self.assertEqual(report.metrics["libraries_total"]["completeness"], "unavailable")
            return
        ready = [library["ready"] - library["sent"] for library in logs.served if library["ready"]]
        held = sum(library["cores"] * ((library["ended"] or logs.end) - library["sent"]) for library in logs.served)
        self.assertEqual(report.metrics["libraries_total"]["value"], len(rows))
        self.assertAlmostEqual(report.metrics["library_start_mean_seconds"]["value"], sum(ready) / len(ready) / 1e6, delta=1e-6)
        self.assertAlmostEqual(report.metrics["library_core_seconds"]["value"], held / 1e6, delta=1e-6 * len(rows))
        self.assertEqual(sum(row["libraries"] for row in report.rows("library_outcomes")), len(rows))
        self.assertEqual(report.metrics["libraries_failed_total"]["value"], sum(library["failed"] for library in logs.served))

    @of_each
    def test_calls_stay_within_their_library(self, report, logs):
        """Together they have no more core time than the libraries of their worker had while they were ready."""
        calls = {(one["task"], one["dispatched"]): one for one in logs.attempts if "window" in one}
        used = collections.Counter()
        for row in report.rows("tasks"):
            one = calls.pop((row["task"], row.get("dispatched")), None)
            if one is None:
                continue
            self.assertAlmostEqual(row["cores"], one["cores"], delta=1e-6, msg=row["task"])
            start, end = (row["started"], row["ended"]) if "started" in row else (row["delivered"], row.get("ended"))
            used[row["worker"]] += row["cores"] * (end - start) if end else 0
        self.assertEqual(calls, {})
        had = collections.Counter()
        for library in logs.served:
            had[library["worker"]] += library["cores"] * ((library["gone"] or logs.end) - library["ready"]) if library["ready"] else 0
        for worker, seconds in used.items():
            self.assertLessEqual(seconds, had[worker] + 1e-3, worker)

    @of_each
    def test_times_are_those_of_the_log(self, report, logs):
        """They are exact, unless the log has no end. The log does not name its machine, which is not the one where it is read."""
        elapsed = report.metrics["elapsed_time_seconds"]
        self.assertEqual(elapsed["completeness"], "complete" if logs.ended else "partial")
        self.assertAlmostEqual(elapsed["value"], (logs.end - logs.records[0].time) / 1e6, delta=1e-6)
        self.assertNotIn("host", report.data["run"])
        self.assertEqual({row["ended"] for row in report.rows("spans") if row["span"] == "run"}, {logs.end})

    @of_each
    def test_executor_parts(self, report, logs):
        parts = logs.parts()
        rows = {row["part"]: row["seconds"] for row in report.rows("executor_time")}
        self.assertEqual(sorted(rows), sorted(parts))
        for part, seconds in parts.items():
            self.assertAlmostEqual(rows[part], seconds, delta=2e-6, msg=part)
        self.assertLessEqual(sum(rows.values()), logs.elapsed())
        busy = sum(rows.values()) - rows["polling"] - rows["application"]
        self.assertAlmostEqual(report.metrics["executor_busy_ratio"]["value"], busy / sum(rows.values()), delta=1e-9)


KILLED = r"""
import os, re, signal, sys, time
os.makedirs("vine-run-info/now/vine-logs")
with open(sys.argv[1]) as file:
    lines = [re.sub(r"^(\d+) \d+ ", r"\1 %d " % os.getpid(), line) for line in file if " MANAGER " not in line]
lines = [line for line in lines if not line.startswith("#")][:200]
shift = int(time.time() * 1e6) - int(lines[-1].split()[0])
with open("vine-run-info/now/vine-logs/transactions", "w") as log:
    log.write("%d %d MANAGER %d START 0\n" % (int(lines[0].split()[0]) + shift, os.getpid(), os.getpid()))
    log.writelines(str(int(line.split()[0]) + shift) + line[16:] for line in lines)
    log.flush()
    time.sleep(1.5)
    os.kill(os.getpid(), signal.SIGKILL)
"""


class Killed(unittest.TestCase):
    def test_it_ends_when_it_died(self):
        """Not at its last line: a log has no heartbeat."""
        with tempfile.TemporaryDirectory() as directory:
            out = os.path.join(directory, "report.json")
            command = [sys.executable, "-c", KILLED, os.path.abspath(os.path.join(PLACES[0], "run-7.14.5", "transactions"))]
            result = subprocess.run(["roast-run", "-q", "--backend=taskvine", "-e", "json:" + out, "--", *command], cwd=directory, timeout=240,
                                    stdin=subprocess.DEVNULL)
            self.assertEqual(result.returncode, -9)
            report = Report(out, "taskvine")
            last = int(list(open(os.path.join(directory, "vine-run-info/now/vine-logs/transactions")))[-1].split()[0])
        span = next(row for row in report.rows("spans") if row["span"] == "run")
        self.assertGreaterEqual(span["ended"] - last, 1.4e6)
        assert_near(self, span["ended"] - last, 1.5e6, 0.5e6)
        self.assertIn("manager died", {row["leave_reason"] for row in report.rows("workers")})


if __name__ == "__main__":
    unittest.main(verbosity=2)
