# SPDX-License-Identifier: BSD-3-Clause
"""Compares findings with what the programs of bench-findings.py measured themselves."""

import collections
import json
import pathlib
import statistics
import subprocess
import tempfile

LOADED = 0.25  # cores that other programs use on a loaded machine
ENOUGH = 0.5  # of what a finding claims, measured by the program
SERIAL = ("loop", "chunks", "coffea_iterative")


def export(run):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "report.json")
        subprocess.run(["roast-report", "-e", f"json:{path}", run], check=True, timeout=300, capture_output=True)
        return json.loads(path.read_text(encoding="utf-8"))


def read_findings(report):
    """[(rule, share, text, evidence)]"""
    tables = report["report_tables"]
    if "findings" not in tables:
        return []
    rows = [dict(zip(tables["findings"]["data"], row)) for row in zip(*tables["findings"]["data"].values())]
    evidence = collections.defaultdict(dict)
    for row in zip(*(tables["finding_evidence"]["data"][name] for name in ("finding", "name", "value", "text"))):
        evidence[row[0]][row[1]] = row[2] if row[2] is not None else row[3]
    return [(row["rule"], row["share"] or 0, row["text"], evidence[row["finding"]]) for row in rows]


class Truth:
    def __init__(self, data):
        self.shape, self.plant, self.others = data["shape"], data["plant"], data["others"]
        rows = collections.defaultdict(list)
        for row in data["rows"]:
            rows[row["kind"]].append(row)
        self.tasks = sorted(rows["task"], key=lambda row: row["started"])
        self.started = rows["program"][0]["started"]
        self.slots = rows["end"][0]["workers"] * rows["end"][0]["threads"]
        self.wall = sum(task["ended"] - task["started"] for task in self.tasks)
        self.cpu, self.delay = (sum(task[name] for task in self.tasks) for name in ("cpu", "delay"))

    def get_first(self):
        """When the first task started, in s after the program."""
        return self.tasks[0]["started"] - self.started

    def get_idle(self):
        """Core-seconds of slots without a task, while tasks were left."""
        first, last = self.tasks[0]["started"], self.tasks[-1]["started"]
        busy = sum(max(min(task["ended"], last) - task["started"], 0) for task in self.tasks)
        return self.slots * (last - first) - busy

    def names_slow(self, rule, evidence):
        """Whether the group that is named needs more CPU time, as planted."""
        what = rule.removeprefix("slower-")
        return any(task.get("slow") and str(evidence.get(what, "")).endswith(str(task.get(what))) for task in self.tasks) and what == self.plant

    def is_warm_up(self):
        own = collections.defaultdict(list)
        for task in self.tasks:
            own[task.get("worker")].append(task["ended"] - task["started"] - task["delay"])
        return all(times[0] >= 2 * statistics.median(times[1:]) for times in own.values() if len(times) > 3)


def judge(truth, rule, share, text, evidence, offered):
    """True, False, or None: the program did not measure this."""
    claimed = share * offered
    if rule.startswith("slower-"):
        return truth.names_slow(rule, evidence)
    if rule == "starved":
        in_tasks = evidence.get("waiting_for_core_in_tasks")
        if "tasks started more threads" in text or ("other programs" in text and truth.others < LOADED):
            return False
        if "workers offered" in text:
            return truth.slots > evidence["cores"]
        if in_tasks is not None:
            return truth.delay >= ENOUGH * in_tasks
        # Outside of tasks, only a loaded machine explains that threads waited.
        return truth.delay >= ENOUGH * evidence["waiting_for_core"] or (truth.delay > 0 and truth.others >= LOADED)
    if rule == "start-up":
        return abs(truth.get_first() - evidence["start_up"]) <= max(1, 0.2 * truth.get_first())
    if rule in ("one-core", "one-at-a-time"):
        return truth.shape in SERIAL or None
    if rule == "waiting":
        return truth.wall - truth.cpu >= ENOUGH * evidence.get("not_computing", claimed)
    if rule in ("executor", "short-tasks", "moving"):
        return truth.get_idle() >= ENOUGH * claimed
    if rule == "no-work" and "between" in evidence:
        # The program does not measure when its tasks reach the executor.
        return None if truth.get_idle() >= ENOUGH * evidence["between"] * offered else False
    if rule == "warm-up":
        return truth.is_warm_up()
    return None


def judge_all(place):
    said, false, unknown = collections.Counter(), collections.Counter(), collections.Counter()
    n_ordinary = n_false = 0
    found = collections.defaultdict(list)
    for path in sorted(place.glob("*.json")):
        truth = Truth(json.loads(path.read_text(encoding="ascii")))
        report = export(path.with_suffix(".roast"))
        parts = report["report_tables"].get("core_time", {"data": {"window": [], "core_seconds": [], "source": []}})["data"]
        sums = collections.Counter()
        for source, window, seconds in zip(parts["source"], parts["window"], parts["core_seconds"]):
            sums[source.startswith("local")] += (seconds or 0) * (window == "run")
        offered = sums[False] or sums[True]
        wrong = []
        for rule, share, text, evidence in read_findings(report):
            verdict = judge(truth, rule, share, text, evidence, offered)
            said[rule] += 1
            unknown[rule] += verdict is None
            if verdict is False:
                wrong.append(rule)
                false[rule] += 1
            if verdict is not True:
                print(path.stem, f"others {truth.others:.2f}:", "false" if verdict is False else "not measured:", rule, text)
        if truth.plant == "none":
            n_ordinary += 1
            n_false += bool(wrong)
        else:
            rules = [rule for rule, _, _, evidence in read_findings(report) if truth.names_slow(rule, evidence)]
            found[truth.shape, truth.plant].append(bool(rules))
    print("\n| rule | times said | times false | not measured |\n|---|---|---|---|")
    for rule in sorted(said):
        print(f"| `{rule}` | {said[rule]} | {false[rule]} | {unknown[rule]} |")
    print(f"\n{n_false} of {n_ordinary} ordinary runs have a false finding.")
    for (shape, plant), verdicts in sorted(found.items()):
        print(f"Slow {plant} in {shape}: found in {sum(verdicts)} of {len(verdicts)} runs.")
