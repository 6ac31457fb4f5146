# SPDX-License-Identifier: BSD-3-Clause
"""Draws groups of the runs of bench-compare.py, compares them, and counts what roast-compare says, beside other tools on the same elapsed times."""

import csv
import json
import pathlib
import random
import shutil
import statistics
import subprocess
import tempfile

CATEGORIES = ("read", "select", "fill")
# What is compared: kind of the new runs, kind of the reference, runs of each (None: 3 to 10, drawn for each side), share of the pairs,
# and what must be named.
COMPARISONS = (
    ("identical", "same", "same", None, 1, None),
    ("identical, pool", "pool", "pool", None, 1, None),
    ("select +20 %", "select20", "same", 5, 0.5, "select"),
    ("select +10 %", "select10", "same", 10, 0.5, "select"),
    ("select +20 %, work", "work20", "work", 5, 0.25, "select"),
    ("identical, work", "work", "work", None, 0.5, None),
    ("slow worker", "worker", "same", 5, 0.1, "worker"),
    ("slower file server", "server", "same", 5, 0.1, "read"),
    ("start-up 2 s longer", "start", "same", 5, 0.1, "start-up"),
    ("start-up 5 s longer", "start5", "same", 5, 0.1, "start-up"),
    ("all +20 %, pool", "pool20", "pool", 5, 0.5, None),
)


def read_rows(table):
    return [dict(zip(table["data"], row)) for row in zip(*table["data"].values())]


class Comparison:
    def __init__(self, new, reference):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "comparison.json")
            self.status = subprocess.run(["roast-compare", "-e", f"json:{path}", *new, "--against", *reference], timeout=300,
                                         stdin=subprocess.DEVNULL, capture_output=True).returncode
            report = json.loads(path.read_text(encoding="utf-8"))
        self.findings = read_rows(report["report_tables"]["findings"])
        self.verdicts = read_rows(report["report_tables"]["verdicts"])
        self.differences = read_rows(report["report_tables"]["differences"])
        values = [row for row in read_rows(report["tables"]["compared_values"]) if row["name"] == "elapsed_time_seconds"]
        self.elapsed = [[row["value"] for row in values if row["source"] == side and row["kind"] == "metric"] for side in ("new", "reference")]

    def get_different(self):
        """The measures with a verdict, as (measure, category)."""
        return [(row["measure"], row["name"]) for row in self.verdicts if row["verdict"] in ("worse", "better")]

    def is_found(self, name):
        """Whether what was changed has a verdict."""
        if name in (None, "worker"):
            return self.status == 1
        if name == "start-up":
            return ("start_up_seconds", None) in self.get_different()
        return any(category == name for _, category in self.get_different())

    def is_named(self, name):
        """Whether the findings name what was changed: a changed category before any other one."""
        words = {"worker": ("of worker", "on worker"), "start-up": ("start-up", "before the first worker")}.get(name, (f"“{name}”",))
        if name != "select":
            return any(word in finding["text"] for finding in self.findings for word in words)
        for finding in self.findings:
            places = [(finding["text"].find(f"“{category}”"), category) for category in CATEGORIES if f"“{category}”" in finding["text"]]
            if places:
                return min(places)[1] == name
        return False

    def get_error(self):
        """By how much the differences miss the difference of the elapsed times, in s."""
        new, reference = (statistics.fmean(values) for values in self.elapsed)
        return abs(sum(row["difference"] for row in self.differences) - (new - reference))


# ---- other tools


def ask_benchstat(pairs):
    if shutil.which("benchstat") is None:
        return None
    with tempfile.TemporaryDirectory() as directory:
        for side, name in enumerate(("new", "old")):
            pathlib.Path(directory, name).write_text("".join(f"BenchmarkPair{n:04} 1 {seconds * 1e9:.0f} ns/op\n" for n, pair in enumerate(pairs)
                                                             for seconds in pair[side]), encoding="ascii")
        text = subprocess.run(["benchstat", "-format=csv", "old", "new"], cwd=directory, check=True, capture_output=True, text=True).stdout
    rows = [row for row in csv.reader(text.splitlines()) if row and row[0].startswith("Pair")]
    return [row[5] != "~" for row in rows]


def ask_pyperf(pairs):
    """It refuses sides of different sizes."""
    try:
        from pyperf._utils import is_significant
    except ImportError:
        return None
    return [is_significant(*pair)[0] for pair in pairs if len(pair[0]) == len(pair[1])]


def ask_hyperfine(pairs):
    """Its script welch_ttest.py does this."""
    from scipy import stats

    return [stats.ttest_ind(*pair, equal_var=False).pvalue < 0.05 for pair in pairs]


# ---- all


def draw(runs, new, reference, n):
    """Two groups without a common run."""
    sizes = (random.randint(3, 10), random.randint(3, 10)) if n is None else (n, n)
    if new == reference:
        drawn = random.sample(runs[new], sum(sizes))
        return drawn[: sizes[0]], drawn[sizes[0] :]
    return random.sample(runs[new], sizes[0]), random.sample(runs[reference], sizes[1])


def per_cent(values):
    return f"{100 * sum(values) / len(values):.0f} %" if values else "–"


def describe(runs):
    for kind, paths in runs.items():
        facts = [json.loads(path.with_suffix(".json").read_text(encoding="ascii")) for path in paths]
        elapsed, others = (sorted(fact[name] for fact in facts) for name in ("elapsed", "others"))
        print(f"{kind}: {len(paths)} runs of {elapsed[0]:.1f} to {elapsed[-1]:.1f} s (median {statistics.median(elapsed):.1f}); "
              f"other programs used {others[0]:.1f} to {others[-1]:.1f} cores (median {statistics.median(others):.1f})")


def compare_all(place, runs, title, new, reference, n, n_pairs, name):
    random.seed(title)
    compared, log = [], []
    for _ in range(n_pairs):
        groups = draw(runs, new, reference, n)
        one = Comparison(*groups)
        compared.append(one)
        log.append({"new": [path.stem for path in groups[0]], "reference": [path.stem for path in groups[1]], "status": one.status,
                    "elapsed": one.elapsed, "found": one.is_found(name), "named": bool(name) and one.is_named(name), "error": one.get_error(),
                    "verdicts": one.verdicts, "findings": [(row["rule"], row["text"]) for row in one.findings]})
    (place / "judged").mkdir(exist_ok=True)
    (place / "judged" / f"{title}.json").write_text(json.dumps(log, indent=1, ensure_ascii=False), encoding="utf-8")
    return compared


def judge_all(place, n_pairs):
    runs = {}
    for path in sorted(place.glob("*.roast")):
        if path.with_suffix(".json").exists():
            runs.setdefault(path.stem.split("-")[0], []).append(path)
    describe(runs)
    print("\n| pairs | n | found, or called different | named | greatest error of the sum | benchstat | hyperfine | pyperf |"
          "\n|---|---|---|---|---|---|---|---|")
    for title, new, reference, n, share, name in COMPARISONS:
        if new not in runs or reference not in runs:
            continue
        compared = compare_all(place, runs, title, new, reference, n, max(1, int(share * n_pairs)), name)
        pairs = [one.elapsed for one in compared]
        found = [bool(one.get_different()) if new == reference else one.is_found(name) for one in compared]
        named = [one.is_named(name) for one in compared] if name else None
        others = " | ".join(per_cent(ask(pairs)) for ask in (ask_benchstat, ask_hyperfine, ask_pyperf))
        error = 1e6 * max(one.get_error() for one in compared)
        print(f"| {title} | {len(compared)} | {per_cent(found)} | {per_cent(named)} | {error:.6f} µs | {others} |", flush=True)
