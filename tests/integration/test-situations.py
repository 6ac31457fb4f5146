#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The first finding of each recorded situation names its cause, and its healthy twin has no finding: tests/situations.

`test-situations.py --table` prints the table of tests/situations/README.md."""

import collections
import concurrent.futures
import lzma
import os
import pathlib
import re
import sys
import tarfile
import tempfile
import unittest

from report import export

SITUATIONS = pathlib.Path(__file__).resolve().parent.parent / "situations"
sys.path.insert(0, str(SITUATIONS))

from record import RECORDINGS, STATES, read_measured, read_table  # noqa: E402

NAMED = 56  # situations whose cause must be named first, at least
# What the load of the machine causes, which is true if other programs used this many cores meanwhile.
LOAD = ("starved", "start-up", "executor")
LOADED = 0.25
# Advice of which a page must give only one.
CONTRARY = [
    (r"(Combine|larger chunks)", r"([Ss]maller (tasks|chunks)|Split the work)"),
    (r"[Uu]se fewer (threads|workers)", r"(use more threads|[Rr]un more processes or threads)"),
    (r"start no workers|Request fewer workers", r"[Ss]tart (larger|more) workers"),
]
Finding = collections.namedtuple("Finding", "rule severity share text advice")
# Parts of core_time in which tasks computed, or may have.
USED = ("task.cpu", "task.other_threads", "task.unsplit", "framework.cpu")


def read_findings(report):
    table = report["report_tables"].get("findings")
    if table is None:
        return []
    return [Finding(*row) for row in zip(*(table["data"][name] for name in Finding._fields))]


def read_parts(report):
    """{part: core-seconds of the run} of the executor, or of the process tree."""
    table = report["report_tables"].get("core_time", {"data": None})["data"]
    if table is None:
        return {}
    sources = {source for source in table["source"] if not source.startswith(("local", "processes"))} or set(table["source"])
    parts = collections.Counter()
    for source, window, part, seconds in zip(*(table[name] for name in ("source", "window", "part", "core_seconds"))):
        if source in sources and window == "run":
            parts[part] += seconds or 0
    return parts


def read_situation(name):
    """{state: report}"""
    with tempfile.TemporaryDirectory() as directory:
        with lzma.open(RECORDINGS / f"{name}.tar.xz") as packed, tarfile.open(fileobj=packed) as archive:
            archive.extractall(directory)
        return {state: export(pathlib.Path(directory, f"{state}.roast")) for state in STATES}


def read_situations():
    names = [row[0] for row in read_table()]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return dict(zip(names, pool.map(read_situation, names)))


def is_named(situation, findings):
    """Whether the first finding, with its advice, names the cause."""
    if not findings or findings[0].rule not in situation.rules.split():
        return False
    return re.search(situation.words, f"{findings[0].text} {findings[0].advice}") is not None


def get_false(situation, findings, others):
    """Rules that say of a healthy run what is not so."""
    allowed = situation.twin.split() + list(LOAD if others >= LOADED else ())
    return [finding.rule for finding in findings if finding.rule not in allowed]


Situation = collections.namedtuple("Situation", "name executor rules words twin planted source")


class Situations(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.table = [Situation(*row) for row in read_table()]
        cls.measured = read_measured()
        cls.reports = read_situations()
        cls.findings = {name: {state: read_findings(report) for state, report in both.items()} for name, both in cls.reports.items()}

    def each(self, states=STATES):
        return [(situation, state, self.findings[situation.name][state]) for situation in self.table for state in states]

    def test_first(self):
        named = 0
        for situation, _, findings in self.each(["sick"]):
            with self.subTest(situation.name):
                is_expected = situation.rules != "none"
                self.assertEqual(is_named(situation, findings), is_expected, findings[:2])
                named += is_expected
        self.assertGreaterEqual(named, NAMED)

    def test_twins(self):
        for situation, state, findings in self.each(["twin"]):
            with self.subTest(situation.name):
                self.assertEqual(get_false(situation, findings, self.measured[situation.name, state][0]), [], findings)

    def test_once(self):
        """No second is claimed twice."""
        for _, _, findings in self.each():
            self.assertLessEqual(sum(finding.share or 0 for finding in findings), 1 + 1e-9, findings)

    def test_contrary(self):
        for _, _, findings in self.each():
            advice = [finding.advice or "" for finding in findings]
            for one, other in CONTRARY:
                first = {number for number, text in enumerate(advice) if re.search(one, text)}
                second = {number for number, text in enumerate(advice) if re.search(other, text)}
                self.assertFalse(first and second - first, advice)

    def test_largest(self):
        """Of no part, half, a quarter of the core time and 3 s of two cores are left without a finding."""
        for situation, state, findings in self.each():
            parts = read_parts(self.reports[situation.name][state])
            offered = sum(parts.values())
            lost = {part: seconds for part, seconds in parts.items() if part not in USED}
            largest = max(lost.values(), default=0)
            rest = largest - offered * sum(finding.share or 0 for finding in findings)
            self.assertLess(rest, max(offered / 4, largest / 2, 6), (situation.name, state, lost, findings))

    def test_size(self):
        sizes = [path.stat().st_size for path in RECORDINGS.glob("*.tar.xz")]
        self.assertLessEqual(max(sizes), 120_000, "two run files: write smaller programs")
        self.assertLessEqual(sum(sizes), 3_500_000)

    def test_table(self):
        text = (SITUATIONS / "README.md").read_text(encoding="utf-8")
        self.assertIn(make_table(self.table, self.findings, self.measured), text, "insert the output of test-situations.py --table")


def list_rules(findings):
    return ", ".join(f"`{finding.rule}`" for finding in findings) or "–"


def make_table(table, findings, measured):
    """In Markdown."""
    lines = ["| situation | executor | planted | first finding | named | twin |", "|---|---|---|---|---|---|"]
    for row in table:
        both = findings[row.name]
        source = "" if "/" not in row.source else f" ([question]({row.source}))"
        lines.append(f"| `{row.name}` | {row.executor} | {row.planted}{source} | {list_rules(both['sick'][:1])} | "
                     f"{'yes' if is_named(row, both['sick']) else 'no'} | {list_rules(both['twin'])} |")
    named = sum(is_named(row, findings[row.name]["sick"]) for row in table)
    silent = sum(not findings[row.name]["twin"] for row in table)
    false = sum(bool(get_false(row, findings[row.name]["twin"], measured[row.name, "twin"][0])) for row in table)
    lines += ["", f"The cause is named first in {named} of {len(table)} situations. {silent} twins have no finding, {false} a false one; the "
              "others have findings that situations.txt allows, or that follow from the load of the machine (see above)."]
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        Situations.setUpClass()
        print(make_table(Situations.table, Situations.findings, Situations.measured))
    else:
        unittest.main()
