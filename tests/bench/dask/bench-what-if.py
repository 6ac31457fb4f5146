#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How well times on other slots are computed: records runs on 2, 4, 8 and 16 slots, and compares “roast-report whatif” of each with the
recorded time of each other one. The peers are the rule of three (time x slots / other slots), and Amdahl's law from one run.

usage: bench-what-if.py [ROUNDS [WORKLOAD...]]
The tasks sleep, so that 16 threads are honest on two cores. The runs stay in the directory ROAST_BENCH_RUNS, and are not recorded again.
"""

import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

SLOTS = (2, 4, 8, 16)
SCRIPT = '''
import random, sys, time
from distributed import Client, LocalCluster, as_completed

def nap(i, seconds, *inputs):
    time.sleep(seconds)
    return i

class Times:
    def __init__(self, seed):
        self.random = random.Random(seed)
    def draw(self, mean=0.2, long=0):
        seconds = mean * self.random.lognormvariate(0, 0.3)
        return seconds * 15 if self.random.random() < long else seconds

def flat(client, times):
    client.gather([client.submit(nap, i, times.draw(), pure=False) for i in range(160)])

def tail(client, times):
    client.gather([client.submit(nap, i, times.draw(0.15, 0.03), pure=False) for i in range(160)])

def tree(client, times):
    level = [client.submit(nap, i, times.draw(), pure=False) for i in range(128)]
    while len(level) > 1:
        level = [client.submit(nap, i, times.draw(0.1), *level[i:i + 4], pure=False) for i in range(0, len(level), 4)]
    level[0].result()

def stages(client, times):
    level = [client.submit(nap, i, times.draw(), pure=False) for i in range(60)]
    for _ in range(2):
        gate = client.submit(nap, 0, 0.05, *level, pure=False)
        level = [client.submit(nap, i, times.draw(), gate, pure=False) for i in range(60)]
    client.gather(level)

def arrive(client, times):
    futures = []
    for i in range(80):
        futures.append(client.submit(nap, i, times.draw(), pure=False))
        time.sleep(0.08)
    client.gather(futures)

def closed(client, times):
    open = as_completed([client.submit(nap, i, times.draw(), pure=False) for i in range(6)])
    for i, _ in enumerate(open):
        if i < 100:
            open.add(client.submit(nap, i, times.draw(), pure=False))

def phases(client, times):
    for _ in range(5):
        client.gather([client.submit(nap, i, times.draw(), pure=False) for i in range(32)])
        time.sleep(0.2)

if __name__ == "__main__":
    name, slots, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    threads = min(slots, 2)
    with LocalCluster(n_workers=slots // threads, threads_per_worker=threads, dashboard_address=":0") as cluster, Client(cluster) as client:
        client.wait_for_workers(slots // threads)
        globals()[name](client, Times(seed))
'''
WORKLOADS = ("flat", "tail", "tree", "stages", "arrive", "closed", "phases")


def record(directory, script, name, slots, seed):
    path = directory / f"{name}-{slots}-{seed}.roast"
    if not path.exists():
        python = os.environ.get("ROAST_DASK_PYTHON", "/usr/bin/python3")
        command = ["roast-run", "-q", "--backend=dask", f"--save={path}", "-e", "json:/dev/null", "--", python, script, name, str(slots), str(seed)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=300)
    sizes = f"--slots={','.join(map(str, SLOTS))}"
    return json.loads(subprocess.run(["roast-report", "whatif", sizes, "-f", "json", path], check=True, capture_output=True).stdout)


def find(rows, slots):
    return next((row for row in rows if row["scenario"] == "slots" and row["slots"] == slots), None)


def amdahl(rows, slots, other):
    """The serial part from the time on one slot that the run itself would have needed: its tasks one after the other."""
    elapsed = rows[0]["elapsed"]
    work = find(rows, 2)["elapsed"] * 2 if find(rows, 2) else elapsed * slots
    serial = max(elapsed - work / slots, 0)
    return serial + (elapsed - serial) * slots / other


def show(label, errors, extra=""):
    errors = sorted(errors)
    within = sum(error <= 0.1 for error in errors) / len(errors)
    print(f"{label:30} {len(errors):4} pairs: median error {statistics.median(errors):6.1%}, "
          f"nine in ten below {errors[int(0.9 * (len(errors) - 1))]:6.1%}, within 10 %: {within:4.0%}{extra}")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    names = sys.argv[2:] or WORKLOADS
    directory = pathlib.Path(os.environ.get("ROAST_BENCH_RUNS") or tempfile.mkdtemp(prefix="roast-bench-"))
    directory.mkdir(parents=True, exist_ok=True)
    script = directory / "workloads.py"
    script.write_text(SCRIPT)
    pairs = []
    for name, seed in itertools.product(names, range(rounds)):
        runs = {slots: record(directory, script, name, slots, seed) for slots in SLOTS}
        for slots, other in itertools.permutations(SLOTS, 2):
            row = find(runs[slots], other)
            if row and row["elapsed"] and other <= 4 * slots <= 16 * other:
                pairs.append((name, slots, other, row, runs[other][0]["elapsed"], runs[slots]))
    covered = sum(row["elapsed_low"] <= real <= row["elapsed_high"] for _, _, _, row, real, _ in pairs) / len(pairs)
    width = statistics.median((row["elapsed_high"] - row["elapsed_low"]) / 2 / row["elapsed"] for _, _, _, row, _, _ in pairs)
    show("roast-report whatif", [abs(row["elapsed"] / real - 1) for _, _, _, row, real, _ in pairs],
         f", in its bounds: {covered:4.0%}, half of these ± {width:.1%} at most")
    show("time x slots / other slots", [abs(rows[0]["elapsed"] * n / m / real - 1) for _, n, m, _, real, rows in pairs])
    show("Amdahl's law", [abs(amdahl(rows, n, m) / real - 1) for _, n, m, _, real, rows in pairs])
    for name in names:
        show("  " + name, [abs(row["elapsed"] / real - 1) for found, _, _, row, real, _ in pairs if found == name])
    print(f"runs: {directory}")


main()
