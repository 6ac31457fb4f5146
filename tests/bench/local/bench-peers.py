#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-run beside prmon (from PRMON or PATH) and perf stat: what each measures of one program whose CPU time is known, and the time that
each adds to a program that does nothing.

The program starts many short children, one after the other. What the kernel accounts to it and to all children that it waited for
(rusage of wait4) is the truth, of each run its own. The figures are docs/comparison.md's."""

import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PRMON = os.environ.get("PRMON") or shutil.which("prmon")
CHILDREN = 300
REPEATS = 15
# Its last line is the truth of this very run.
PROGRAM = f"""
import resource, subprocess, sys
for _ in range({CHILDREN}):
    subprocess.run([sys.executable, "-S", "-E", "-c", "sum(range(200000))"])
own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
print(sum(one.ru_utime + one.ru_stime for one in (own, children)))
"""


def run_roast(directory, program):
    result = subprocess.run(["roast-run", "--no-save", "-q", "-e", f"json:{directory}/roast.json", "--", *program], check=True,
                            capture_output=True, text=True)
    with open(directory / "roast.json", encoding="utf-8") as file:
        return result.stdout, json.load(file)["metrics"]["process_cpu_time_seconds"]["value"]


def run_prmon(directory, program):
    result = subprocess.run([PRMON, "-i", "1", "-f", directory / "p.txt", "-j", directory / "p.json", "-l", "error", "--", *program],
                            check=True, capture_output=True, text=True, cwd=directory)
    with open(directory / "p.json", encoding="utf-8") as file:
        values = json.load(file)["Max"]
    return result.stdout, values["utime"] + values["stime"]


def run_perf(directory, program):
    result = subprocess.run(["perf", "stat", "-e", "task-clock", "-x,", "-o", directory / "perf.csv", "--", *program], check=True,
                            capture_output=True, text=True)
    return result.stdout, float(re.search(r"(?m)^([\d.]+),(?:msec)?,task-clock", (directory / "perf.csv").read_text())[1]) / 1e3


def seconds(function, *arguments):
    begin = time.monotonic()
    function(*arguments)
    return time.monotonic() - begin


def main():
    tools = {"roast-run": run_roast}
    if PRMON:
        tools["prmon -i 1"] = run_prmon
    else:
        print("prmon: not compared, because it is not installed: name it in PRMON")
    if shutil.which("perf") and subprocess.run(["perf", "stat", "-x,", "-e", "task-clock", "true"], capture_output=True).returncode == 0:
        tools["perf stat"] = run_perf
    else:
        print("perf stat: not compared, because it is not installed or not allowed")
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        print(f"CPU time of a program with {CHILDREN} short children, and of the kernel's accounting of the same run")
        for tool, run in tools.items():
            output, value = run(directory, [sys.executable, "-c", PROGRAM])
            truth = float(output.split()[-1])
            print(f"  {tool:10}  {value:.2f} s of {truth:.2f} s: {(value / truth - 1) * 100:+.1f} %")
        print(f"time that it adds to a program that does nothing: median of {REPEATS}, in turns")
        times = {tool: [] for tool in ["alone", *tools]}
        for _ in range(REPEATS):
            times["alone"].append(seconds(subprocess.run, ["true"]))
            for tool, run in tools.items():
                times[tool].append(seconds(run, directory, ["true"]))
        alone = statistics.median(times.pop("alone"))
        for tool, values in times.items():
            print(f"  {tool:10}  {(statistics.median(values) - alone) * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
