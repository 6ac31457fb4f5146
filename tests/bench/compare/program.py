# SPDX-License-Identifier: BSD-3-Clause
"""Runs the same short analysis each time: program.py dask|work|pool [NAME=FACTOR…]

A NAME is a category of tasks, which then computes so much longer; `worker`: the tasks of one worker do; `start`: seconds to wait at first.
Tasks compute for a CPU time that varies by 10 % between tasks, 5 % between workers and 2 % between runs. With `work`, they all do the same
work, so that their CPU time varies as the speed of the machine does. FILE_SERVER is the address of a file server."""

import os
import random
import sys
import time
import urllib.request

N_TASKS = 30
SECONDS = {"select": 0.03, "fill": 0.02}
STEPS = 7e6  # of a loop, in a second
SLOTS = 2
OF_TASKS, OF_WORKERS, OF_RUNS = 0.1, 0.05, 0.02

def take_steps(n):
    value = 1
    for _ in range(int(n)):
        value = value * 1103515245 + 12345 & 0x7FFFFFFF


def compute(seconds, is_work=False):
    if is_work:
        take_steps(STEPS * seconds)
        return
    of_worker = random.Random(os.getpid()).lognormvariate(0, OF_WORKERS)
    end = time.thread_time() + seconds * of_worker * random.SystemRandom().lognormvariate(0, OF_TASKS)
    while time.thread_time() < end:
        take_steps(100)


def read(number, url):
    """Wait for a file server."""
    with urllib.request.urlopen(f"{url}/{number}") as answer:
        return len(answer.read())


def slow_down(factor):
    """Let one worker take longer."""
    if factor == 1:
        return 1
    import distributed

    return factor if str(distributed.get_worker().name) == "0" else 1


def select(_, seconds, is_work, worker):
    compute(seconds * slow_down(worker), is_work)


def fill(_, seconds, is_work, worker):
    compute(seconds * slow_down(worker), is_work)


def process(task):
    number, url, seconds = task
    read(number, url)
    for amount in seconds:
        compute(amount)


def run_dask(url, seconds, **how):
    import distributed

    with distributed.LocalCluster(n_workers=SLOTS, threads_per_worker=1, dashboard_address=":0") as cluster, distributed.Client(cluster) as client:
        numbers = client.map(read, range(N_TASKS), url=url, pure=False)
        selected = client.map(select, numbers, seconds=seconds["select"], pure=False, **how)
        client.gather(client.map(fill, selected, seconds=seconds["fill"], pure=False, **how))


def run_pool(url, seconds):
    import multiprocessing

    with multiprocessing.Pool(SLOTS) as pool:
        pool.map(process, [(number, url, tuple(seconds.values())) for number in range(N_TASKS)], chunksize=1)


def main():
    shape, *changes = sys.argv[1:]
    changed = {name: float(factor) for name, _, factor in (word.partition("=") for word in changes)}
    of_run = random.lognormvariate(0, OF_RUNS)
    seconds = {name: amount * of_run * changed.get(name, 1) for name, amount in SECONDS.items()}
    url = os.environ["FILE_SERVER"]
    time.sleep(changed.get("start", 0))
    if shape == "pool":
        run_pool(url, seconds)
    else:
        run_dask(url, seconds, is_work=shape == "work", worker=changed.get("worker", 1))


if __name__ == "__main__":
    main()
