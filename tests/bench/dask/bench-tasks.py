#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What roast costs a graph of many short tasks: CPU time and instructions of the whole script, with and without, in turns.

usage: bench-tasks.py [TASKS [ROUNDS]]
Instructions are counted where the kernel lets us (perf_event_paranoid, a machine that has the counter).
"""

import ctypes
import os
import resource
import statistics
import struct
import subprocess
import sys

SCRIPT = """
import sys
from distributed import Client, LocalCluster
def f(x): return x
if __name__ == "__main__":
    n = int(sys.argv[1])
    with LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0") as cluster, Client(cluster) as client:
        for i in range(0, n, 10000):
            client.gather(client.map(f, range(i, min(i + 10000, n)), pure=False))
"""


def open_counter():
    """perf_event_open for instructions of this process and its children, in user mode; None if it cannot be."""
    attributes = struct.pack("<IIQQQQQ", 0, 112, 1, 0, 0, 0, 1 << 1 | 1 << 5 | 1 << 6) + bytes(112 - 48)
    # type HARDWARE, size, config INSTRUCTIONS; inherit | exclude_kernel | exclude_hv
    fd = ctypes.CDLL(None, use_errno=True).syscall(298, ctypes.create_string_buffer(attributes), 0, -1, -1, 0)
    return fd if fd >= 0 else None


def read_counter(fd):
    return struct.unpack("<Q", os.read(fd, 8))[0] if fd is not None else 0


def measure(command, fd):
    before, counted = resource.getrusage(resource.RUSAGE_CHILDREN), read_counter(fd)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, read_counter(fd) - counted


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    python = os.environ.get("ROAST_DASK_PYTHON", "/usr/bin/python3")
    fd = open_counter()
    script = [python, "-c", SCRIPT]
    path = "/tmp/roast-bench-tasks-%d.py" % os.getpid()
    with open(path, "w") as file:
        file.write(SCRIPT)
    try:
        script = [python, path, str(n)]
        kinds = {
            "plain": script,
            "roast-run (all of it)": ["roast-run", "--backend=dask", "-e", "json:/dev/null", "--"] + script,
            "roast-run, tasks=false": ["roast-run", "--backend=dask,tasks=false", "-e", "json:/dev/null", "--"] + script,
        }
        results = {kind: [] for kind in kinds}
        for _ in range(rounds):
            for kind, command in kinds.items():
                results[kind].append(measure(command, fd))
    finally:
        os.unlink(path)
    print("%d tasks, median of %d rounds in turns, %s" % (n, rounds, python))
    base_cpu = statistics.median(cpu for cpu, _ in results["plain"])
    base_instructions = statistics.median(count for _, count in results["plain"])
    for kind, values in results.items():
        cpu = statistics.median(cpu for cpu, _ in values)
        instructions = statistics.median(count for _, count in values)
        text = "  %-24s %8.1f µs of CPU per task, %+5.1f %%" % (kind, cpu / n * 1e6, 100 * (cpu / base_cpu - 1))
        if base_instructions:
            text += "; %7.0f thousand instructions, %+5.1f %%" % (instructions / n / 1e3, 100 * (instructions / base_instructions - 1))
        print(text)
    if not base_instructions:
        print("  (instructions cannot be counted on this machine)")


main()
