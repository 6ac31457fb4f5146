#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What sampling a process tree costs: CPU time per sample of roast, of a loop with psutil, and of prmon (from PRMON or PATH),
all on the same trees, one after the other. And what roast-run adds to the time of a program that does nothing.

    bench-sampling.py [--mb=4] [--wake=MS] [--seconds=8] [PROCESSES...]       (default: 1 10 100 1000)

A figure is the difference between a short and a long run, so that neither the start nor the first reading of everything counts:
(user + system of the long run - the same of the short one) / (samples - samples). roast reads memory, PSS (auto), I/O and threads;
"roast" is its supervising program, which samples; "with roast-run" adds what takes the samples in."""

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
# ms per sample, and how much cheaper than prmon and prmon --fast-memmon.
GOALS = {100: 1.5, 1000: 20.0}

PSUTIL_LOOP = """
import sys, time, psutil
root, interval, samples = psutil.Process(int(sys.argv[1])), float(sys.argv[2]), int(sys.argv[3])
begin = time.monotonic()
for i in range(samples):
    for p in [root, *root.children(recursive=True)]:
        try:
            with p.oneshot():
                p.cpu_times(), p.memory_info(), p.io_counters(), p.num_threads()
        except psutil.Error:
            pass
    time.sleep(max(0, begin + (i + 1) * interval - time.monotonic()))
"""


def finish(process):
    """CPU time of a process and all that it waited for, s."""
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime


def peak_rss(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


class Roast:
    """(CPU time of the supervising program, of both, samples), and its peak of memory, kB."""

    peak = 0

    def run(self, pid, interval, seconds):
        with tempfile.TemporaryDirectory() as directory:
            report = os.path.join(directory, "report.json")
            process = subprocess.Popen(["roast-run", f"--attach={pid}", f"--interval={interval}",
                                        f"--export=json:{report},tables=false"],
                                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(seconds)
            with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
                self.peak = max([self.peak, *(peak_rss(child) for child in file.read().split())])
            process.send_signal(signal.SIGINT)
            both = finish(process)
            with open(report) as file:
                run = json.load(file)["run"]
        own = (run["tree-own-user"] + run["tree-own-system"]) / 1e6
        return own, both, run["tree-ticks"]


def run_psutil(pid, interval, seconds):
    samples = max(1, round(seconds / interval))
    process = subprocess.Popen([sys.executable, "-c", PSUTIL_LOOP, str(pid), str(interval), str(samples)])
    return finish(process), samples


def run_prmon(pid, seconds, options):
    with tempfile.TemporaryDirectory() as directory:
        # Its densest setting: once a second.
        process = subprocess.Popen([PRMON, "-p", str(pid), "-i", "0", "-s", "-l", "error", *options], cwd=directory,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        process.send_signal(signal.SIGUSR1)
        cpu = finish(process)
        with open(os.path.join(directory, "prmon.txt")) as file:
            return cpu, len(file.readlines()) - 1


def per_sample(short, long):
    return (long[0] - short[0]) / max(1, long[-1] - short[-1]) * 1e3


def show(name, interval, ms, samples, remark=""):
    print(f"  {name:<28} {interval:>5} s  {ms:>9.3f} ms/sample  {samples:>4} samples  {remark}", flush=True)


def bench_roast(pid, n, seconds, interval):
    roast = Roast()
    short = roast.run(pid, interval, 3)
    long = roast.run(pid, interval, 3 + seconds)
    own = per_sample(short, long)
    both = per_sample(short[1:], long[1:])
    samples = long[2] - short[2]
    goal = f"(goal {GOALS[n]} ms)" if n in GOALS else ""
    show("roast", interval, own, samples, f"{own / n * 1e3:.1f} us/process, peak {roast.peak} kB  {goal}")
    show("  with roast-run", interval, both, samples)
    return own


def bench_tree(n, arguments, directory):
    ready = os.path.join(directory, f"ready-{n}")
    options = [f"--wake={arguments.wake}"] if arguments.wake else []
    tree = subprocess.Popen([WORKLOAD, f"--ready={ready}", *options, "tree", str(n), str(arguments.mb), "3600"])
    try:
        while not os.path.exists(ready):
            if tree.poll() is not None:
                sys.exit(f"the tree of {n} processes did not start")
            time.sleep(0.05)
        print(f"{n} processes of {arguments.mb} MB{', each awake every %d ms' % arguments.wake if arguments.wake else ''}")
        seconds = arguments.seconds
        ours = bench_roast(tree.pid, n, seconds, 1)
        bench_roast(tree.pid, n, seconds / 2, 0.1)
        for interval, duration in ((1, seconds), (0.1, seconds / 2)):
            short, long = run_psutil(tree.pid, interval, interval), run_psutil(tree.pid, interval, duration)
            show("psutil loop, no PSS", interval, per_sample(short, long), long[1] - short[1])
        for options, goal in ((["--fast-memmon"], 5), ([], 10)) if PRMON else ():
            short, long = run_prmon(tree.pid, 1.5, options), run_prmon(tree.pid, 1.5 + seconds, options)
            theirs = per_sample(short, long)
            ratio = f"{theirs / ours:.1f} times roast (goal {goal})" if ours > 0 else ""
            show(" ".join(["prmon", *options]), 1, theirs, long[1] - short[1], ratio)
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
    print(f"roast-run -- true: {under:.2f} ms, true: {bare:.2f} ms: {under - bare:.2f} ms more (goal 5), median of {runs}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("processes", nargs="*", type=int, default=[1, 10, 100, 1000])
    parser.add_argument("--mb", type=int, default=4)
    parser.add_argument("--wake", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=8)
    arguments = parser.parse_args()
    if not PRMON:
        print("prmon is neither in PRMON nor in PATH: without it")
    bench_latency(200)
    with tempfile.TemporaryDirectory() as directory:
        for n in arguments.processes:
            bench_tree(n, arguments, directory)


if __name__ == "__main__":
    main()
