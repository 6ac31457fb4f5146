#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Cost of sampling a process tree: CPU time per sample of roast, of a loop with psutil, and of prmon (from PRMON or
PATH), on the same trees, one after the other; and the time that roast-run adds to a program that does nothing.

    bench-sampling.py [--mb=4] [--wake=MS] [--seconds=8] [PROCESSES...]       (default: 1 10 100 1000)

roast reads memory, PSS (auto), I/O and threads. The figure is the CPU time (schedstat, ns) that the sampling program
used in the given seconds of its steady state, without its start and its first reading of everything."""

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

WORKLOAD = os.environ.get("ROAST_TEST_WORKLOAD", "roast-test-workload")
PRMON = os.environ.get("PRMON") or shutil.which("prmon")
GOALS = {100: 1.5, 1000: 20.0}  # ms per sample
SETTLED = 3.5  # s after the start: by then the interval is reached, and everything was read once

PSUTIL_LOOP = """
import os, sys, time, psutil
root, interval = psutil.Process(int(sys.argv[1])), float(sys.argv[2])
due = time.monotonic()
while True:
    for p in [root, *root.children(recursive=True)]:
        try:
            with p.oneshot():
                p.cpu_times(), p.memory_info(), p.io_counters(), p.num_threads()
        except psutil.Error:
            pass
    os.write(1, b"x")
    due = max(due + interval, time.monotonic())
    time.sleep(due - time.monotonic() if due > time.monotonic() else 0)
"""


def cpu_ms(pid):
    """Of all threads of a process, exactly."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/schedstat") as file:
            total += int(file.read().split()[0])
    return total / 1e6


def peak_rss(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def only_child(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return int(file.read().split()[0])


class Run:
    """A sampling program in its steady state."""

    def __init__(self, samples, *pids):
        """samples: returns the number of samples so far; pids: the programs that take part."""
        self.samples, self.pids = samples, pids

    def measure(self, seconds):
        time.sleep(SETTLED)
        self.start = [cpu_ms(pid) for pid in self.pids]
        before = self.samples()
        time.sleep(seconds)
        after = self.samples()
        self.taken = after - before
        self.ms = [(cpu_ms(pid) - start) / max(1, self.taken) for pid, start in zip(self.pids, self.start)]
        return self


def start(command, **options):
    options.setdefault("stdout", subprocess.DEVNULL)
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)


def run_roast(pid, interval, seconds, directory):
    report = os.path.join(directory, "report.json")
    process = start(["roast-run", f"--attach={pid}", f"--interval={interval}", f"--export=json:{report},tables=false"])
    time.sleep(0.3)
    supervisor = only_child(process.pid)
    run = Run(lambda: round(time.monotonic() / interval), supervisor, process.pid).measure(seconds)
    run.peak = peak_rss(supervisor)
    process.send_signal(signal.SIGINT)
    process.wait()
    with open(report) as file:
        run.missed = json.load(file)["metrics"]["samples_missed_total"]["value"]
    return run


def run_psutil(pid, interval, seconds, directory):
    count = os.path.join(directory, "count")
    with open(count, "wb") as file:
        process = start([sys.executable, "-c", PSUTIL_LOOP, str(pid), str(interval)], stdout=file)
    run = Run(lambda: os.path.getsize(count), process.pid).measure(seconds)
    process.terminate()
    process.wait()
    return run


def run_prmon(pid, options, seconds, directory):
    def samples():
        with open(os.path.join(directory, "prmon.txt")) as file:
            return len(file.readlines()) - 1

    # Its densest setting: once a second.
    process = start([PRMON, "-p", str(pid), "-i", "0", "-s", "-l", "error", *options], cwd=directory)
    run = Run(samples, process.pid).measure(seconds)
    process.send_signal(signal.SIGUSR1)
    process.wait()
    return run


def show(name, interval, ms, taken, remark=""):
    print(f"  {name:<24} {interval:>4} s  {ms:>9.3f} ms/sample  {taken:>4} samples  {remark}".rstrip(), flush=True)


def bench_roast(pid, n, interval, seconds, directory):
    run = run_roast(pid, interval, seconds, directory)
    goal = f", goal {GOALS[n]} ms" if n in GOALS else ""
    missed = f", {run.missed} missed" if run.missed else ""
    show("roast", interval, run.ms[0], run.taken,
         f"{run.ms[0] / n * 1e3:.1f} us/process, start {run.start[0]:.0f} ms, peak {run.peak} kB{goal}{missed}")
    show("  and roast-run", interval, run.ms[1], run.taken)
    return run.ms[0]


def bench_others(pid, ours, seconds, directory):
    for interval in (1, 0.1):
        run = run_psutil(pid, interval, seconds, directory)
        show("psutil loop, no PSS", interval, run.ms[0], run.taken, f"{run.ms[0] / ours[interval]:.0f} times roast")
    for options, goal in ((["--fast-memmon"], 5), ([], 10)) if PRMON else ():
        run = run_prmon(pid, options, seconds, directory)
        show(" ".join(["prmon", *options]), 1, run.ms[0], run.taken,
             f"{run.ms[0] / ours[1]:.0f} times roast, goal {goal}")


def bench_tree(n, arguments, directory):
    ready = os.path.join(directory, f"ready-{n}")
    options = [f"--wake={arguments.wake}"] if arguments.wake else []
    tree = start([WORKLOAD, f"--ready={ready}", *options, "tree", str(n), str(arguments.mb), "3600"])
    try:
        while not os.path.exists(ready):
            if tree.poll() is not None:
                sys.exit(f"the tree of {n} processes did not start")
            time.sleep(0.05)
        awake = f", each awake for 1 ms every {arguments.wake} ms" if arguments.wake else ""
        print(f"{n} processes of {arguments.mb} MB{awake}")
        ours = {interval: bench_roast(tree.pid, n, interval, arguments.seconds, directory) for interval in (1, 0.1)}
        bench_others(tree.pid, ours, arguments.seconds, directory)
    finally:
        tree.terminate()
        tree.wait()


def latency(command, runs):
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        os.waitpid(os.posix_spawnp(command[0], command, os.environ), 0)
        times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1e3


def bench_latency(runs):
    bare = latency(["true"], runs)
    under = latency(["roast-run", "-q", "--", "true"], runs)
    bare = min(bare, latency(["true"], runs))
    print(f"roast-run -- true: {under:.2f} ms, true: {bare:.2f} ms: {under - bare:.2f} ms more (goal 5), "
          f"median of {runs}")


def main():
    parser = argparse.ArgumentParser(description="Compares the cost of sampling a process tree with psutil and prmon.")
    parser.add_argument("processes", nargs="*", type=int, default=[1, 10, 100, 1000])
    parser.add_argument("--mb", type=int, default=4, help="memory of each process")
    parser.add_argument("--wake", type=int, default=0, metavar="MS",
                        help="let each process work for 1 ms at this period")
    parser.add_argument("--seconds", type=float, default=8, help="for each figure")
    arguments = parser.parse_args()
    if not PRMON:
        print("prmon is neither in PRMON nor in PATH: without it")
    bench_latency(200)
    for n in arguments.processes:
        with tempfile.TemporaryDirectory() as directory:
            bench_tree(n, arguments, directory)


if __name__ == "__main__":
    main()
