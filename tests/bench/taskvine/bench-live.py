#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What following a manager costs: roast-run's own CPU while a log grows by 1000 tasks a second, and that of a real manager with and without
roast (CPU time of its process, in turns). bench-live.py [TASKS [ROUNDS]]; the second needs TaskVine, or ROAST_TASKVINE_ROOT."""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(TESTS, "integration", "taskvine"))
from vinerun import PYTHON, environment, has_taskvine, inside  # noqa: E402

SAMPLE = os.path.join(TESTS, "data", "taskvine", "run-7.14.5", "transactions")
LINES_PER_SECOND = 6300  # 1000 tasks
SECONDS = 15


def follow():
    with tempfile.TemporaryDirectory() as directory:
        source, path = os.path.join(directory, "whole"), os.path.join(directory, "transactions")
        subprocess.run([sys.executable, os.path.join(HERE, "make-log.py"), SAMPLE, str(LINES_PER_SECOND * SECONDS), source], check=True)
        with open(source) as file:
            lines = file.readlines()
        with open(path, "w", buffering=1) as log:
            log.writelines(lines[:17])
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            roast = subprocess.Popen(["roast-run", "-q", "--backend=taskvine", "--attach=" + directory])
            started = time.monotonic()
            for step in range(SECONDS * 20):
                log.write("".join(lines[17 + step * LINES_PER_SECOND // 20:17 + (step + 1) * LINES_PER_SECOND // 20]))
                time.sleep(max(0, started + (step + 1) / 20 - time.monotonic()))
            last = lines[-1].split()
            log.write("%s %s MANAGER %s END 0\n" % (last[0], last[1], last[1]))
        roast.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print("following 1000 tasks/s for %d s: %.0f ms CPU, %.2f %% of a core (goal 1 %%), start and report included"
          % (SECONDS, 1000 * used, 100 * used / SECONDS))


def run(tasks, roast):
    with tempfile.TemporaryDirectory() as directory:
        out = os.path.join(directory, "stats.json")
        script = inside(directory, [PYTHON, os.path.join(TESTS, "integration", "taskvine", "scripts", "churn.py"), "--out", out, "many", str(tasks)])
        prefix = ["roast-run", "-q", "--backend=taskvine", "--"] if roast else []
        subprocess.run(prefix + script, check=True, cwd=directory, env=environment(), stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        with open(out) as file:
            return json.load(file)["cpu"]


def manager(tasks, rounds):
    if not has_taskvine():
        print("a real manager: not available, TaskVine is not installed")
        return
    run(tasks, False)
    pairs = [(run(tasks, False), run(tasks, True)) if i % 2 == 0 else tuple(reversed((run(tasks, True), run(tasks, False)))) for i in range(rounds)]
    plain, roast = ([pair[side] / tasks * 1e6 for pair in pairs] for side in (0, 1))
    changes = [100 * (b / a - 1) for a, b in zip(plain, roast)]
    print("manager's CPU per task, %d tasks, %d rounds in turns: plain %.0f to %.0f us, with roast %.0f to %.0f us; median change %+.1f %% "
          "(single rounds %+.1f to %+.1f %%; goal 0.5 %%)" % (tasks, rounds, min(plain), max(plain), min(roast), max(roast),
                                                     statistics.median(changes), min(changes), max(changes)))


if __name__ == "__main__":
    follow()
    manager(int(sys.argv[1]) if len(sys.argv) > 1 else 5000, int(sys.argv[2]) if len(sys.argv) > 2 else 5)
