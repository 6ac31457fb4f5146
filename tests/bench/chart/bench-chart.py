#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Charts of many rows: CPU time, size of the SVG and memory, beside matplotlib's plot of the same points in the same run.

    bench-chart.py BENCH-CHART [JOBS]"""

import os
import subprocess
import sys
import tempfile
import time

POINTS = 100000  # of each of five series
GOAL_SECONDS = 0.1
GOAL_BYTES = 400e3


def run(bench, *arguments):
    """By chart: CPU seconds, bytes, MB."""
    output = subprocess.run([bench, *arguments], check=True, capture_output=True, text=True, timeout=600).stdout
    return {name: (float(cpu), int(size), float(memory)) for name, cpu, size, memory in map(str.split, output.splitlines())}


def draw_with_matplotlib(path, target):
    """CPU seconds and bytes of plot and savefig, from arrays in memory."""
    import matplotlib
    import numpy

    matplotlib.use("svg")
    from matplotlib import pyplot

    points = numpy.fromfile(path).reshape(-1, 3)
    series = [points[points[:, 0] == number] for number in range(5)]
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        figure, axes = pyplot.subplots(figsize=(800 / 96, 400 / 96), dpi=96)
        for number, data in enumerate(series):
            axes.plot(data[:, 1], data[:, 2], label=f"worker-{number}")
        axes.set_xlabel("time since start (s)")
        axes.set_ylabel("memory (B)")
        axes.legend()
        figure.savefig(target, format="svg")
        pyplot.close(figure)
        best = min(best, time.process_time() - begin)
    return best, os.path.getsize(target)


def show(name, cpu, size, memory=None):
    more = f", {memory:.1f} MB beyond the rows" if memory is not None else ""
    print(f"{name}: {cpu:.4f} CPU-s, {size / 1e3:.0f} kB of SVG{more}")


def main():
    bench = sys.argv[1]
    jobs = sys.argv[2] if len(sys.argv) > 2 else "1000000"
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "points")
        charts = run(bench, "points", path, str(POINTS))
        for name, figures in charts.items():
            show(f"{name}, 5 × {POINTS} points", *figures)
        cpu, size, _ = charts["line"]
        print(f"  goals: {GOAL_SECONDS} s ({'met' if cpu <= GOAL_SECONDS else 'MISSED'}), {GOAL_BYTES / 1e6} MB "
              f"({'met' if size <= GOAL_BYTES else 'MISSED'})")
        try:
            peer_cpu, peer_size = draw_with_matplotlib(path, os.path.join(directory, "peer.svg"))
        except ImportError:
            print("matplotlib, the peer: not available; install python3-matplotlib")
        else:
            show("matplotlib, line, the same points", peer_cpu, peer_size)
            print(f"  ratio: {cpu / peer_cpu:.3f} of its CPU time, {size / peer_size:.2f} of its bytes")
    for name, figures in run(bench, "jobs", "200", jobs).items():
        show(f"{name}, {jobs} jobs of 200 workers", *figures)


if __name__ == "__main__":
    main()
