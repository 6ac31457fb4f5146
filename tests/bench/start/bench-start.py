#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What roast-run adds to a program that does nothing, as a ratio to what the start of Python adds: CPU time, elapsed time and page faults of
commands that are run in turn, the least and the median of each; instructions in user space by callgrind; and how long after the program's end
roast-run returns. The run is kept in a file, as by default. "roast-run --version" is the floor: it loads the libraries and starts the second process.

    bench-start.py [--rounds=100] [--no-valgrind]"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

GOAL = 0.4
GOAL_AFTER_END = 50  # ms
PYTHON = shutil.which("python3", path="/usr/bin") or "python3"
COMMANDS = {
    "true": ["true"],
    "python3 -c ''": [PYTHON, "-c", ""],
    "roast-run --version": ["roast-run", "--version"],
    "roast-run -q --no-save -- true": ["roast-run", "-q", "--no-save", "--", "true"],
    "roast-run -q -- true": ["roast-run", "-q", "--", "true"],
    "roast-run -- true": ["roast-run", "--", "true"],
}
# Its last act is to write down the time.
STAMP = "import os, sys, time; os.write(1, b'%d' % time.monotonic_ns()); os._exit(0)"


def spend(command):
    """CPU time, of that in the kernel, elapsed time, s, and page faults, with those of the processes that were waited for."""
    begin = time.perf_counter()
    with open(os.devnull, "r+b") as null:
        process = subprocess.Popen(command, stdin=null, stdout=null, stderr=null)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_stime, time.perf_counter() - begin, usage.ru_minflt + usage.ru_majflt


def count_instructions(command):
    # Without a dump before each fork, a child would count the instructions of its parent until then again.
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run(["valgrind", "--tool=callgrind", "--trace-children=yes", "--dump-before=fork", "-q",
                        f"--callgrind-out-file={directory}/%p", *command], check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        total = 0
        for name in os.listdir(directory):
            with open(os.path.join(directory, name)) as file:
                total += int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.MULTILINE)[1])
    return total


def show(what, unit, values):
    """values: of each command."""
    added = {name: value - values["true"] for name, value in values.items() if name != "true"}
    python = added["python3 -c ''"]
    print(f"{what} that is added to true ({values['true']:.2f} {unit})")
    for name, value in added.items():
        goal = f", goal {GOAL}" if name.endswith("true") else ""
        print(f"  {name:<30} {value:>8.2f} {unit}  {value / python:.2f} of Python{goal}", flush=True)


def bench_time(rounds):
    """In turn, so that what else the machine does affects all alike."""
    spent = {name: [] for name in COMMANDS}
    for _ in range(rounds):
        for name, command in COMMANDS.items():
            spent[name].append(spend(command))
    for index, what, unit, factor in ((0, "CPU time", "ms", 1e3), (2, "elapsed time", "ms", 1e3), (3, "page faults", "thousand", 1e-3)):
        for prefix, reduce in (("Least ", min), ("Median ", statistics.median)):
            show(prefix + what, unit, {name: reduce(all_of[index] for all_of in values) * factor for name, values in spent.items()})
    # Of a single run the kernel knows it by ticks only.
    show("Mean CPU time in the kernel", "ms", {name: statistics.mean(all_of[1] for all_of in values) * 1e3
                                               for name, values in spent.items()})


def after_end(command):
    result = subprocess.run([*command, PYTHON, "-S", "-c", STAMP], check=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return (time.monotonic_ns() - int(result.stdout)) / 1e6


def bench_end(rounds):
    print("Time from the program's end to the return, median and largest")
    times = {"bare": [], "roast-run -q --": [], "roast-run --": []}
    for _ in range(rounds):
        for name, all_times in times.items():
            all_times.append(after_end([] if name == "bare" else name.split()))
    for name, all_times in times.items():
        goal = f"  goal {GOAL_AFTER_END} ms" if name == "roast-run -q --" else ""
        print(f"  {name:<22} {statistics.median(all_times):>8.2f} ms  {max(all_times):>8.2f} ms{goal}", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Compares the start of roast-run with that of Python.")
    parser.add_argument("--rounds", type=int, default=100, help="of each command")
    parser.add_argument("--no-valgrind", action="store_true", help="do not count instructions")
    arguments = parser.parse_args()
    bench_time(arguments.rounds)
    bench_end(max(1, arguments.rounds // 4))
    if arguments.no_valgrind or shutil.which("valgrind") is None:
        print("Instructions are not counted: valgrind is missing, or was not wanted")
        return
    show("Instructions in user space", "M", {name: count_instructions(command) / 1e6
                                             for name, command in COMMANDS.items()})


if __name__ == "__main__":
    main()
