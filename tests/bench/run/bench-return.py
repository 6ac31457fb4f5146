#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long after a program's end its parent sees the exit: with roast-run, without a report and with a table, beside the bare
program in the same batch.

    bench-return.py [--runs=20]

The program writes the time, then ends. What is left after the median of the bare program is roast-run's. The goal is 50 ms without a report."""

import argparse
import os
import statistics
import subprocess
import tempfile
import time

GOAL = 50.0  # ms
PROGRAM = ["/usr/bin/python3", "-S", "-c", "import os, time; os.write(1, b'%d' % time.monotonic_ns()); os._exit(0)"]
WAYS = {
    "bare": [],
    "no report": ["roast-run", "-q", "--"],
    "table": ["roast-run", "-e", "table:/dev/null", "--"],
    "one process left behind": ["roast-run", "-q", "--", "sh", "-c", 'sleep 1 >/dev/null & exec "$@"', "sh"],
}


def once(prefix):
    """ms from the end of the program until its parent sees the exit."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([*prefix, *PROGRAM], stdout=out, stdin=subprocess.DEVNULL)
        _, status = os.waitpid(process.pid, 0)
        told = time.monotonic_ns()
        process.returncode = status
        out.seek(0)
        return (told - int(out.read())) / 1e6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=20)
    runs = parser.parse_args().runs
    times = {way: [] for way in WAYS}
    for _ in range(runs):
        for way, prefix in WAYS.items():
            times[way].append(once(prefix))
    bare = statistics.median(times["bare"])
    for way, values in times.items():
        median = statistics.median(values)
        print(f"{way:24} median {median:7.2f} ms  most {max(values):7.2f} ms" + (f"  {median - bare:+7.2f} ms" if way != "bare" else ""))
    print(f"goal without a report: {GOAL:g} ms: {'reached' if statistics.median(times['no report']) - bare <= GOAL else 'missed'}")


if __name__ == "__main__":
    main()
