# SPDX-License-Identifier: BSD-3-Clause
"""How long roastcoffea takes to plot the memory of workers: peer-plots.py VALUES WORKERS SECONDS TARGET, in a Python that has it.

VALUES has doubles, by second and worker. Prints, by plot, its name, CPU seconds, and bytes of the SVG.
"""

import array
import datetime
import os
import sys
import time

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot
from roastcoffea.visualization.plots import memory

LIMIT = 8e9  # as in bench-chart.c
PLOTS = ("plot_memory_utilization_mean_timeline", "plot_memory_utilization_per_worker_timeline")


def read_tracking(path, workers, seconds):
    values = array.array("d")
    with open(path, "rb") as file:
        values.frombytes(file.read())
    start = datetime.datetime(2023, 11, 14)
    times = [start + datetime.timedelta(seconds=i) for i in range(seconds)]
    names = [f"worker-{worker}" for worker in range(workers)]
    return {
        "worker_counts": dict.fromkeys(times, workers),
        "worker_memory": {name: [(times[i], values[i * workers + k]) for i in range(seconds)] for k, name in enumerate(names)},
        "worker_memory_limit": {name: [(moment, LIMIT) for moment in times] for name in names},
    }


def main():
    path, workers, seconds, target = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    tracking = read_tracking(path, workers, seconds)
    for name in PLOTS:
        begin = time.process_time()
        figure, _ = getattr(memory, name)(tracking)
        figure.savefig(target, format="svg")
        pyplot.close(figure)
        print(name, time.process_time() - begin, os.path.getsize(target))


main()
