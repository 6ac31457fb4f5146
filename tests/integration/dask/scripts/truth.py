# SPDX-License-Identifier: BSD-3-Clause
"""What workers measured themselves, which a plugin of the tests writes to a file when a worker ends: Dask's fine metrics, and times of our
own around each task."""

import collections
import json
import os
import threading
import time

import distributed.worker
from distributed import WorkerPlugin
from distributed.utils import key_split

# By worker and prefix: [thread CPU, wall] in s, from just before Dask's own measurement to just after it. Dask's covers more than the
# function: its arguments, the size of its result, and the garbage collection that happens to fall there.
around = collections.defaultdict(lambda: collections.defaultdict(lambda: [0.0, 0.0]))
lock = threading.Lock()
# How long tasks compute, as in closeness.py: less in the gate, where times are not compared.
SCALE = 1 if os.environ.get("ROAST_TEST_RELEASE") == "1" else 0.2


def measure_around_tasks():
    """Wraps the function with which this version of Dask runs a task in a thread and measures it."""
    name = "_run_task_simple" if hasattr(distributed.worker, "_run_task_simple") else "apply_function_simple"
    run = getattr(distributed.worker, name)
    if getattr(run, "is_truth", False):
        return

    def measured(*arguments, **keywords):
        wall, cpu = time.time(), time.thread_time()
        try:
            return run(*arguments, **keywords)
        finally:
            cpu, wall = time.thread_time() - cpu, time.time() - wall
            state = distributed.worker.thread_state
            with lock:
                total = around[state.execution_state["worker"].id][key_split(state.key)]
                total[0] += cpu
                total[1] += wall

    measured.is_truth = True
    setattr(distributed.worker, name, measured)


class Truth(WorkerPlugin):
    name = "truth"

    def __init__(self, directory):
        self.directory = directory

    def setup(self, worker):
        measure_around_tasks()

    def teardown(self, worker):
        digests = [[list(map(str, key)), value] for key, value in getattr(worker, "digests_total", {}).items() if isinstance(key, tuple)]
        with open(os.path.join(self.directory, worker.id + ".truth"), "w") as file:
            json.dump({"address": worker.address, "digests": digests, "around": around[worker.id]}, file)


def register(client, directory):
    if directory:
        (getattr(client, "register_plugin", None) or client.register_worker_plugin)(Truth(directory))
