#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a report of a part says of the whole. Rows of the recorded runs in tests/data are removed, and a row of the table
coverage says so: each number of the report must then agree with the report of all rows. ROAST_TEST_LOSSES: losses per run."""

import concurrent.futures
import json
import lzma
import math
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
RUNS = sorted((DATA / "goldens").glob("*.roast.xz"))
LOSSES = int(os.environ.get("ROAST_TEST_LOSSES", "5"))
SEED = 20261126
TOLERANCE = 1e-9  # of a sum in another order
REASON = "the test removed rows"
# Tables that describe the measurement itself: without their rows there is nothing to judge. Without a row of categories, tasks of the framework
# count as tasks of the analysis, which no number says.
KEPT = ("sources", "events", "coverage", "categories")
# Columns whose cells may be missing in rows that are there.
LOST_CELLS = {
    "tasks": ("started", "ended", "cpu", "ready", "dispatched", "delivered", "bytes_out"), "workers": ("left", "cores", "memory_peak"),
    "processes": ("ended", "cpu_user", "cpu_system", "memory_peak"), "worker_samples": ("memory", "cpu"), "cluster_samples": ("memory",),
    "activities": ("value",), "chunks": ("started", "ended", "events", "bytes_read"), "task_totals": ("attempts",), "transfers": ("bytes", "ended"),
}
# Formulas of a user, each function of them: their bounds follow from what is missing.
FORMULAS = [
    "count (over tasks)", "count (over tasks where status in (done, failed))", "sum (ended - started over tasks)",
    "mean (ended - started over tasks)",
    "min (started over tasks)", "max (ended - started over tasks)", "deviation (ended - started over tasks)",
    "quantile (ended - started, 0.9 over tasks)",
    "distinct (worker over tasks)", "union (started, ended over tasks)", "max (sum (ended - started over tasks by worker))",
    "min (count (over tasks by category))", "mean (count (over tasks by worker))",
    "sum (tasks over task_totals last per source, category, status)",
    "count (over tasks) / count (over workers)", "count (over workers) / count (over tasks)", "1 - count (over tasks) / (1 + count (over tasks))",
    "max (count (over tasks), count (over processes))", "first_known (sum (cpu over tasks), count (over processes))", "sum (cpu_user over processes)",
    "max (memory_peak over processes)", "min (memory over worker_samples)", "step (memory, time over cluster_samples)", "sum (events over chunks)",
    "sum (bytes_read over chunks where error = '') / sum (ended - started over chunks where error = '')", "distinct (file over chunks)",
    "sum (value over activities last per source, worker, context, span, category, activity, unit where unit = seconds)",
    "max (core_seconds over core_time)", "events_total / count (over chunks)", "10 - elapsed_time_seconds",
]
# Conditions on numbers that may be missing.
FORMULAS += [
    "count (over tasks where ended - started < 0.1)", "count (over tasks where not ended - started < 0.1)",
    "count (over processes where ended - started < 0.05)", "sum (cpu over tasks where ended - started > 0.05)",
    "max (count (over tasks where cpu > 0.01 by worker))", "min (started over tasks where cpu > 0.01)",
]
COLUMNS = ["source", "table", "column", "from", "to", "state", "reason"]


class Run:
    """Rows of a run by table, as `roast-report export --stream` has them."""

    def __init__(self, stream):
        self.head, self.declared, self.rows = [], {}, {}
        for line in stream.splitlines():
            value = json.loads(line)
            if isinstance(value, list):
                self.rows.setdefault(value[0], []).append(value)
            elif "table" in value:
                self.declared[value["table"]] = value
            elif "end" not in value:
                self.head.append(value)

    def tables(self):
        return sorted(set(self.rows) - set(KEPT))

    def write(self, path, rows, coverage):
        declared = dict(self.declared)
        if coverage:
            old = declared.get("coverage", {"columns": []})["columns"]
            rows = {**rows, "coverage": [["coverage", *(dict(zip(old, row[1:])).get(name) for name in COLUMNS)] for row in rows.get("coverage", [])]
                    + [["coverage", *(one.get(name) for name in COLUMNS)] for one in coverage]}
            declared["coverage"] = {"table": "coverage", "columns": COLUMNS}
        with open(path, "w", encoding="utf-8") as file:
            for value in [*self.head, *declared.values(), *(row for name in declared for row in rows.get(name, [])), {"end": True}]:
                file.write(json.dumps(value) + "\n")


def lose_rows(rows, chance):
    share = chance.choice((0.05, 0.1, 0.5))
    return [row for row in rows if chance.random() >= share]


def lose_block(rows, chance):
    size = max(1, len(rows) * chance.choice((10, 30)) // 100)
    start = chance.randrange(len(rows))
    return rows[:start] + rows[start + size:]


def lose_end(rows, chance):
    return rows[:chance.randrange(len(rows))]


def lose_all(_rows, _chance):
    return []


KINDS = [lose_rows, lose_block, lose_end, lose_all]


def lose_cells(run, chance):
    """Remove cells of a column of numbers."""
    there = [(table, column) for table in run.tables() for column in LOST_CELLS.get(table, ()) if column in run.declared[table]["columns"]]
    if not there:
        return None
    table, column = chance.choice(there)
    slot = 1 + run.declared[table]["columns"].index(column)
    share = chance.choice((0.1, 0.5, 1))
    left = [[*row[:slot], None, *row[slot + 1:]] if chance.random() < share else row for row in run.rows[table]]
    return (f"lose_cells {table}.{column}", {**run.rows, table: left},
            [{"table": table, "column": column, "state": "none" if share == 1 else "partial", "reason": REASON}])


def lose(run, chance):
    """(what was lost, the rows that are left, what says so)"""
    cells = lose_cells(run, chance) if chance.random() < 0.2 else None
    if cells:
        return cells
    table = chance.choice(run.tables())
    kind = chance.choice(KINDS)
    left = kind(run.rows[table], chance)
    if len(left) == len(run.rows[table]):
        left = left[1:]
    state = "partial" if left else "none"
    return (f"{kind.__name__} {table}: {len(left)} of {len(run.rows[table])} rows", {**run.rows, table: left},
            [{"table": table, "state": state, "reason": REASON}])


def is_close(one, other):
    return one == other or (isinstance(one, (int, float)) and isinstance(other, (int, float))
                            and math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=1e-9))


def is_above(part, whole):
    return isinstance(part, (int, float)) and isinstance(whole, (int, float)) and part > whole and not is_close(part, whole)


def judge(whole, part):
    """What one number of a part, with its completeness, says wrongly of the whole. "unavailable" has no value."""
    value, completeness, reason = part
    truth, true_completeness, _ = whole
    if value is None:
        return None if reason else "is not available for no reason"
    if truth is None or true_completeness not in ("complete", "partial"):
        # Of a number that was an estimate, or none, nothing is known but that a part does not make it complete.
        return f"became complete: {value}, was {truth} {true_completeness}" if completeness == "complete" and truth is not None else None
    if completeness == "complete" and true_completeness == "complete" and not is_close(value, truth):
        return f"is {value}, complete; it was {truth}"
    if completeness == "complete" and true_completeness == "partial":
        return f"is {value}, complete; it was only a part"
    if completeness == "partial" and true_completeness == "complete" and is_above(value, truth):
        return f"is ≥ {value}; it was {truth}"
    if completeness == "estimated" and (reason or "").startswith("at most") and true_completeness == "complete" and is_above(truth, value):
        return f"is at most {value}; it was {truth}"
    return None


# If rows are missing, there is at least so much time in attempts whose use is known. Of the rest there may be more or less, and so
# there may in the window “work”, which then begins and ends with other tasks.
IN_ATTEMPTS = ("lost.", "task.cpu", "task.other_threads", "task.wait", "task.serialise", "task.spill", "framework.")
ORDER = ("complete", "partial", "estimated")


def numbers(report):
    """{name: (value, completeness, reason)} of all metrics, and of the parts of core time, whose stretches end elsewhere in a part of the rows."""
    found = {name: (one["value"], one["completeness"], one["reason"] or one["note"]) for name, one in report["metrics"].items()}
    for row in rows_of(report["report_tables"].get("core_time", {"columns": [], "data": {}})):
        key = f"core_time {row['source']} {row['window']} {row['part']}"
        is_rest = row["complete"] == "partial" and not (row["window"] == "run" and row["part"].startswith(IN_ATTEMPTS))
        seconds, completeness, _ = found.get(key, (0, "complete", None))
        found[key] = (seconds + row["core_seconds"], max(completeness, "estimated" if is_rest else row["complete"], key=ORDER.index), row["reason"])
    return found


def rows_of(table):
    columns = [column["name"] for column in table["columns"]]
    data = table["data"]
    count = len(next(iter(data.values()))) if data else 0
    return [{name: data[name][i] if name in data else None for name in columns} for i in range(count)]


def run_tool(*words):
    done = subprocess.run(["roast-report", *map(str, words)], timeout=120, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)


def report_of(path, directory):
    pathlib.Path(directory, "part.roast").unlink(missing_ok=True)
    run_tool("import", f"--save={directory}/part.roast", path)
    own = [f"--metric=formula_{i}={formula}" for i, formula in enumerate(FORMULAS)]
    run_tool("-e", f"json:{directory}/report.json", *own, f"{directory}/part.roast")
    return numbers(json.loads(pathlib.Path(directory, "report.json").read_text(encoding="utf-8")))


def read_run(packed, directory):
    path = pathlib.Path(directory, "run.roast")
    path.write_bytes(lzma.decompress(packed.read_bytes()))
    log = packed.with_name(packed.name.replace(".roast.xz", ".roast-wal.xz"))
    if log.exists():
        pathlib.Path(directory, "run.roast-wal").write_bytes(lzma.decompress(log.read_bytes()))
    run_tool("export", "--stream", f"--save={directory}/run.jsonl", path)
    return Run(pathlib.Path(directory, "run.jsonl").read_text(encoding="utf-8"))


def check_run(packed):
    """([(what was lost, name, what is wrong)], numbers that had a value, those that still have one when few rows are gone)"""
    wrong, had, kept = [], 0, 0
    chance = random.Random(f"{SEED} {packed.name}")
    with tempfile.TemporaryDirectory() as directory:
        run = read_run(packed, directory)
        run.write(f"{directory}/whole.jsonl", run.rows, [])
        whole = report_of(f"{directory}/whole.jsonl", directory)
        if sum(value is not None for value, _, _ in whole.values()) < 20:
            raise AssertionError(f"{packed.name} has no numbers to compare")
        for _ in range(LOSSES):
            what, rows, coverage = lose(run, chance)
            run.write(f"{directory}/part.jsonl", rows, coverage)
            part = report_of(f"{directory}/part.jsonl", directory)
            if what.startswith("lose_rows") and sum(map(len, rows.values())) >= 0.9 * sum(map(len, run.rows.values())):
                had += sum(value is not None for value, _, _ in whole.values())
                kept += sum(truth[0] is not None and part.get(name, (None,))[0] is not None for name, truth in whole.items())
            wrong += [(what, name, fault) for name, truth in whole.items()
                      for fault in [judge(truth, part[name]) if name in part else None] if fault]
    return wrong, had, kept


class Bounds(unittest.TestCase):
    maxDiff = None

    def test_runs(self):
        self.assertGreaterEqual(len(RUNS), 20)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = dict(zip(RUNS, pool.map(check_run, RUNS)))
        wrong = [f"{path.name}: {what}: {name} {fault}" for path, (faults, _, _) in found.items() for what, name, fault in faults]
        self.assertEqual(wrong, [], "\n".join(wrong))
        # Nothing is hidden because of few rows.
        had, kept = (sum(one[i] for one in found.values()) for i in (1, 2))
        self.assertGreater(had, 1000)
        self.assertGreaterEqual(kept / had, 0.9)

    def test_judge(self):
        """Wrong bounds are found."""
        complete = (10, "complete", None)
        self.assertIsNone(judge(complete, (10, "complete", None)))
        self.assertIsNone(judge(complete, (9, "partial", None)))
        self.assertIsNone(judge(complete, (11, "estimated", None)))
        self.assertIsNone(judge(complete, (None, "unavailable", "because")))
        self.assertIsNotNone(judge(complete, (9, "complete", None)))
        self.assertIsNotNone(judge(complete, (11, "partial", None)))
        self.assertIsNotNone(judge(complete, (None, "unavailable", None)))
        self.assertIsNone(judge(complete, (11, "estimated", "at most: because")))
        self.assertIsNotNone(judge(complete, (9, "estimated", "at most: because")))
        self.assertIsNotNone(judge((10, "estimated", None), (9, "complete", None)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
