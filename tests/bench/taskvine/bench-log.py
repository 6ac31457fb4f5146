#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reading finished logs: bench-log.py BENCH_LOG [LINES…]. Beside it vine_plot_txn_log (TaskVine's own reader, in Python) on a log of
100,000 lines, where it is installed; ROAST_TASKVINE_ROOT as for the tests."""

import collections
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLE = os.path.join(HERE, "..", "..", "data", "taskvine", "run-7.14.5", "transactions")
ROOT = os.environ.get("ROAST_TASKVINE_ROOT")
PEER_LINES = 100000


def make(lines, directory):
    path = os.path.join(directory, "log-%d" % lines)
    subprocess.run([sys.executable, os.path.join(HERE, "make-log.py"), SAMPLE, str(lines), path], check=True)
    return path


def clean(path):
    """The peer crashes on failed and lost attempts: only what it can read."""
    with open(path) as file:
        lines = [(line, line.split()) for line in file if not line.startswith("#")]
    tasks = [words for _, words in lines if words[2] == "TASK"]
    good = {words[3] for words in tasks if words[4] == "DONE" and words[5:7] == ["SUCCESS", "0"]}
    good -= {task for task, n in collections.Counter(words[3] for words in tasks if words[4] == "READY").items() if n > 1}
    with open(path + "-clean", "w") as file:
        file.writelines(line for line, words in lines if words[2] != "TASK" or words[3] in good)
    return path + "-clean"


def peer(path, directory):
    command = ["vine_plot_txn_log", "--mode", "csv", path, os.path.join(directory, "peer")]
    if ROOT:
        command = ["chroot", ROOT, *command]
    started = time.monotonic()
    try:
        result = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return None, "it is not installed"
    taken = time.monotonic() - started
    return (taken, None) if result.returncode == 0 else (None, (result.stderr.strip().splitlines() or ["failed"])[-1])


def report(path):
    """CPU seconds of roast-run with all rows and the report: user and system time of its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["roast-run", "-q", "--backend=taskvine", "--attach=" + path], check=True, stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(bench, sizes):
    with tempfile.TemporaryDirectory() as directory:
        for lines in sizes:
            path = make(lines, directory)
            ratios = []
            for _ in range(5 if lines <= 1000017 else 1):
                found = json.loads(subprocess.run([bench, path], check=True, capture_output=True, text=True).stdout)
                whole = report(path)
                ratios.append(whole / found["split_seconds"])
                print("%9d lines: read and split in bare C %.2f s CPU; rows %.2f s, %d bytes per attempt (goal 400); roast-run with its report "
                      "%.2f s, %.1f times bare C (goal 5)" % (found["lines"], found["split_seconds"], found["seconds"], found["bytes_per_attempt"],
                                                              whole, ratios[-1]))
            print("%9d lines: median %.1f times bare C (goal 5)" % (found["lines"], statistics.median(ratios)))
            os.remove(path)
        path = make(PEER_LINES, directory)
        for label, one in (("as it is", path), ("without failed and lost attempts", clean(path))):
            ours = json.loads(subprocess.run([bench, one], check=True, capture_output=True, text=True).stdout)["seconds"]
            taken, why = peer(one, directory)
            if taken is None:
                print("100,000 lines, %s: roast %.3f s; vine_plot_txn_log --mode csv: not available, %s" % (label, ours, why))
            else:
                print("100,000 lines, %s: roast %.3f s, vine_plot_txn_log --mode csv %.2f s: %.0fx (goal 60x)" % (label, ours, taken, taken / ours))


if __name__ == "__main__":
    main(sys.argv[1], [int(size) for size in sys.argv[2:]] or [1000017, 10000000])
