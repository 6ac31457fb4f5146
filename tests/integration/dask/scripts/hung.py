# SPDX-License-Identifier: BSD-3-Clause
"""Six tasks of which one hangs, until stdin ends. Prints how many were sent to the worker, and how many wait elsewhere."""

import collections
import sys
import time

from distributed import Client


def hang(number):
    time.sleep(1000)


def count_executing(dask_scheduler):
    return sum(len(worker.executing) for worker in dask_scheduler.workers.values())


def count_states(dask_scheduler):
    return dict(collections.Counter(task.state for task in dask_scheduler.tasks.values()))


if __name__ == "__main__":
    with Client(sys.argv[1]) as client:
        futures = client.map(hang, range(6))
        while not client.run_on_scheduler(count_executing):
            time.sleep(0.05)
        states = client.run_on_scheduler(count_states)
        print(states.pop("processing"), sum(states.values()), flush=True)
        sys.stdin.read()
