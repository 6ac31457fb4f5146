#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The JSON export of each run file in tests/data/goldens has the values that an earlier roast computed.

tests/data/goldens/differences.txt lists intended differences; see README.md there."""

import copy
import fnmatch
import json
import lzma
import math
import pathlib
import tempfile
import unittest

import report

GOLDENS = pathlib.Path(__file__).resolve().parent.parent / "data/goldens"
RUNS = sorted(path.name.removesuffix(".json.xz") for path in GOLDENS.glob("*.json.xz"))
TOLERANCE = 1e-12  # of a computed number: the compiler may order additions in another way
# What is not compared, and why. A name of a metric's or column's member counts wherever that member is.
EXCLUDED = {
    "roast_version": "of the roast that exports, not of the one that measured",
    "description": "text for readers, which docs/metrics.md and docs/tables.md check",
    "label": "text for readers",
    "group": "text for readers",
}
# Cells of these come from the run file and are copied; all others are computed.
RECORDED = ("run/", "tables/")
# What the roast that recorded them did not have.
LATER = ["table graphs", "column pid_namespace of workers", "column clock_offset of workers", "column clock_uncertainty of workers",
         "column lateness_queue of worker_samples", "column lateness_queue of cluster_samples", "column repeats of tasks",
         "column running_since of tasks", "column n_inputs of tasks", "column pid_namespace of processes", "column namespace_pid of processes",
         "column load_time of chunks", "column function_cpu of chunks"]


def flatten(value, path=""):
    """{path: scalar} of an export. Columns and evidence have their names; cells and findings have the number of their row."""
    if isinstance(value, dict):
        items = [(key, item) for key, item in value.items() if key not in EXCLUDED or path.endswith("/data")]
    elif isinstance(value, list):
        has_names = all(isinstance(item, dict) and "name" in item for item in value)
        items = [(item["name"] if has_names else str(number), item) for number, item in enumerate(value)]
    else:
        return {path: value}
    result = {f"{path}/": len(value) if isinstance(value, list) else sorted(key for key, _ in items)}
    for key, item in items:
        result |= flatten(item, f"{path}/{key}" if path else key)
    return result


def is_same(path, one, other):
    if type(one) is not type(other) and not {type(one), type(other)} <= {int, float}:
        return False
    if isinstance(one, float) and isinstance(other, float) and not path.startswith(RECORDED):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=0)
    return one == other


def compare(golden, current):
    """[(path, golden value, current value)]"""
    one, other = flatten(golden), flatten(current)
    missing = "(missing)"
    return [(path, one.get(path, missing), other.get(path, missing)) for path in [*one, *(path for path in other if path not in one)]
            if path not in one or path not in other or not is_same(path, one[path], other[path])]


def read_differences():
    """[(run pattern, path pattern, reason)]"""
    lines = (GOLDENS / "differences.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split(None, 2)) for line in lines if line.strip() and not line.startswith("#")]


def read_golden(name):
    with lzma.open(GOLDENS / f"{name}.json.xz") as file:
        return json.load(file)


def export_golden(name, directory):
    """The run file, with the write-ahead log that a killed session leaves, as this build exports it."""
    for packed in (GOLDENS / f"{name}.roast.xz", GOLDENS / f"{name}.roast-wal.xz"):
        if packed.exists():
            (directory / packed.stem).write_bytes(lzma.decompress(packed.read_bytes()))
    return without_later(report.export(directory / f"{name}.roast"))


def without_later(exported):
    """Without what this roast says of tables and columns that came later, which must be those."""
    run, events = exported["run"], exported["tables"]["events"]
    assert run.pop("lacking", LATER) == LATER, run
    run.pop("recorded-by", None)
    kept = [kind != "older-file" for kind in events["data"]["kind"]]
    events["data"] = {name: [cell for cell, is_kept in zip(cells, kept) if is_kept] for name, cells in events["data"].items()}
    events["rows"] = sum(kept)
    if not any(kept):
        del exported["tables"]["events"]
    for name, table in (words[1::2] for words in map(str.split, LATER) if words[0] == "column"):
        columns = exported["tables"].get(table)
        if columns:
            columns["columns"] = [column for column in columns["columns"] if column["name"] != name]
            assert not any(cell is not None for cell in columns["data"].pop(name, [])), name
    return exported


class Goldens(unittest.TestCase):
    maxDiff = None

    def test_runs(self):
        self.assertGreaterEqual(len(RUNS), 20)
        differences, used = read_differences(), set()
        for name in RUNS:
            with self.subTest(name), tempfile.TemporaryDirectory() as directory:
                found = compare(read_golden(name), export_golden(name, pathlib.Path(directory)))
                unlisted = []
                for difference in found:
                    matching = [entry for entry in differences
                                if fnmatch.fnmatchcase(name, entry[0]) and fnmatch.fnmatchcase(difference[0], entry[1])]
                    used.update(matching)
                    if not matching:
                        unlisted.append(difference)
                self.assertEqual(unlisted[:20], [], f"{name}: {len(unlisted)} values differ: (path, golden, now)")
        self.assertEqual([entry for entry in differences if entry not in used], [], "entries of differences.txt that match nothing")

    def test_reasons(self):
        for entry in read_differences():
            self.assertEqual(len(entry), 3, f"{entry}: a line is RUN PATH REASON")


class Comparison(unittest.TestCase):
    """Each kind of change is found."""

    def setUp(self):
        self.golden = read_golden("local-healthy")
        self.current = copy.deepcopy(self.golden)

    def check(self, *paths):
        self.assertEqual([difference[0] for difference in compare(self.golden, self.current)], list(paths))

    def test_same(self):
        self.current["roast_version"] = "other"
        self.current["metrics"]["elapsed_time_seconds"]["label"] = "other"
        self.current["metrics"]["elapsed_time_seconds"]["value"] *= 1 + 1e-15
        self.check()

    def test_value(self):
        self.current["metrics"]["elapsed_time_seconds"]["value"] *= 1 + 1e-11
        self.check("metrics/elapsed_time_seconds/value")

    def test_unavailable(self):
        metric = self.current["metrics"]["elapsed_time_seconds"]
        metric["value"], metric["completeness"], metric["reason"] = None, "unavailable", "no reason"
        self.check("metrics/elapsed_time_seconds/value", "metrics/elapsed_time_seconds/completeness", "metrics/elapsed_time_seconds/reason")

    def test_metric(self):
        del self.current["metrics"]["elapsed_time_seconds"]
        self.assertIn("metrics/", [difference[0] for difference in compare(self.golden, self.current)])

    def test_cell(self):
        self.current["tables"]["processes"]["data"]["started"][0] += 1
        self.check("tables/processes/data/started/0")

    def test_row(self):
        column = self.current["report_tables"]["windows"]["data"]["started"]
        column.append(column[-1])
        self.check("report_tables/windows/data/started/", f"report_tables/windows/data/started/{len(column) - 1}")


if __name__ == "__main__":
    unittest.main()
