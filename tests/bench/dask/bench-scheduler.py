#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What roast costs a Dask scheduler per task, end to end: the CPU time of a scheduler with a reader against that of one without.

Two schedulers, each with workers of its own, live as long as the benchmark. A real roast-attach follows one of them. Small batches of tasks that
do nothing go to the one and to the other in turns, and the kernel's CPU time of each scheduler process is read around each batch. Between rounds
roast-attach leaves, and joins the other scheduler: two processes of one program differ by some percent, as memory and hashes happen to lie, and
that cancels in the mean of a ratio from each.

usage: bench-scheduler.py [ROUNDS [PAIRS [TASKS]]]
"""

import contextlib
import math
import os
import platform
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

PYTHON = os.environ.get("ROAST_DASK_PYTHON", "/usr/bin/python3")
LIMIT = 2  # % of the scheduler's CPU time per task
SETTLE = 0.06  # s: longer than the probe keeps counts back
PATIENCE = 60  # s


def read_cpu(pid):
    """CPU time of all threads of a process that lives, ns."""
    total = 0
    for thread in os.listdir("/proc/%d/task" % pid):
        with contextlib.suppress(FileNotFoundError), open("/proc/%d/task/%s/schedstat" % (pid, thread)) as file:
            total += int(file.read().split()[0])
    return total


def wait_for(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError("after %d s there is still no %s" % (PATIENCE, what))
        time.sleep(0.02)


def work(x):
    return x


def count_readers(dask_scheduler):
    probe = dask_scheduler.plugins.get("roast")
    return len(probe.readers) + len(probe.pushers) if probe is not None else 0


def count_tasks(dask_scheduler):
    return len(dask_scheduler.tasks)


class Cluster:
    """A scheduler and two workers, as a batch system starts them, and a client."""

    def __init__(self, directory, stack):
        from distributed import Client

        file = os.path.join(directory, "scheduler.json")
        os.mkdir(directory)
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": directory}

        def start(module, *options):
            process = subprocess.Popen([PYTHON, "-m", "distributed.cli." + module, "--scheduler-file", file, *options], **quiet)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        self.scheduler = start("dask_scheduler", "--port", "0", "--dashboard-address", "127.0.0.1:0")
        for _ in range(2):
            start("dask_worker", "--nthreads", "1", "--no-nanny", "--dashboard-address", "127.0.0.1:0", "--death-timeout", str(PATIENCE))
        wait_for(lambda: os.path.exists(file) and os.path.getsize(file) > 0, "scheduler")
        self.client = stack.enter_context(Client(scheduler_file=file, set_as_default=False, timeout=PATIENCE))
        self.address = self.client.scheduler.address
        self.client.wait_for_workers(2, timeout=PATIENCE)

    def await_readers(self, n):
        wait_for(lambda: self.client.run_on_scheduler(count_readers) == n, "scheduler with %d readers" % n)

    def measure(self, n):
        """ns of CPU per task, until the scheduler has forgotten them and what it keeps back has gone out."""
        before = read_cpu(self.scheduler.pid)
        futures = self.client.map(work, range(n), pure=False)
        self.client.gather(futures)
        del futures
        wait_for(lambda: self.client.run_on_scheduler(count_tasks) == 0, "scheduler without tasks")
        time.sleep(SETTLE)
        return (read_cpu(self.scheduler.pid) - before) / n


@contextlib.contextmanager
def reader(cluster):
    """roast-attach, until Ctrl-C."""
    process = subprocess.Popen(["roast-attach", cluster.address, "--", "-e", "json:/dev/null"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ, ROAST_PYTHON=PYTHON))
    try:
        cluster.await_readers(1)
        yield
        process.send_signal(signal.SIGINT)
        if process.wait(PATIENCE) != 0:
            raise RuntimeError("roast-attach ended with %d" % process.returncode)
        cluster.await_readers(0)
    finally:
        process.kill()
        process.wait()


def measure_pair(clusters, n):
    """Of each cluster, in a random order."""
    order = [0, 1]
    random.shuffle(order)
    found = {i: clusters[i].measure(n) for i in order}
    return found[0], found[1]


def interval(values):
    """The median, and the order statistics that enclose it with 95 % probability, whatever the distribution."""
    values = sorted(values)
    n = len(values)
    low, mass = 0, 0.5**n
    while mass < 0.025:
        low += 1
        mass += math.comb(n, low) * 0.5**n
    return statistics.median(values), values[max(low - 1, 0)], values[min(n - low, n - 1)]


def describe(text, ratios):
    median, low, high = ((math.exp(value) - 1) * 100 for value in interval(ratios))
    print("  %-34s %+6.2f %%, 95 %% interval %+.2f to %+.2f (%d ratios)" % (text, median, low, high, len(ratios)))
    return median


def main():
    rounds, pairs, n = (int(sys.argv[i]) if len(sys.argv) > i else default for i, default in ((1, 6), (2, 12), (3, 300)))
    if sys.executable != PYTHON:
        os.execv(PYTHON, [PYTHON, *sys.argv])
    import distributed

    with contextlib.ExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        clusters = [Cluster(os.path.join(directory, name), stack) for name in "ab"]
        for cluster in clusters:
            cluster.measure(n)
            cluster.measure(n)
        plain, with_roast, effects, nulls = [], [], [], []
        for _ in range(rounds):
            # Neither has a reader; then the first, then the second.
            bare = [measure_pair(clusters, n) for _ in range(pairs)]
            with reader(clusters[0]):
                first = [measure_pair(clusters, n) for _ in range(pairs)]
            with reader(clusters[1]):
                second = [measure_pair(clusters, n) for _ in range(pairs)]
            for (a, b), (c, d) in zip(first, second):
                effects.append((math.log(a / b) + math.log(d / c)) / 2)
                with_roast += [a, d]
                plain += [b, c]
            half = pairs // 2
            nulls += [(math.log(a / b) + math.log(d / c)) / 2 for (a, b), (c, d) in zip(bare[:half], bare[half:])]
        print("%d batches of %d tasks that do nothing; Dask %s, Python %s" % (6 * rounds * pairs, n, distributed.__version__,
                                                                              platform.python_version()))
        print("  scheduler without roast            %6.1f µs of CPU per task, median" % (statistics.median(plain) / 1e3))
        print("  scheduler with roast               %6.1f µs" % (statistics.median(with_roast) / 1e3))
        median = describe("roast (limit %d):" % LIMIT, effects)
        describe("the same without a reader:", nulls)
        print("  goal %s" % ("met" if median <= LIMIT else "missed"))


if __name__ == "__main__":
    main()
