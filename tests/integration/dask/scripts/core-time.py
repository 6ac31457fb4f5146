# SPDX-License-Identifier: BSD-3-Clause
"""Tasks that compute, sleep, let another thread compute, and fail. Each writes what it did by its own clocks into the file that is named,
as lines of JSON: kind, seconds of CPU time of its own thread, seconds in it."""

import hashlib
import json
import os
import sys
import threading
import time

from distributed import Client, LocalCluster, wait

BLOCK = b"x" * (1 << 20)
TRUTH = sys.argv[1]


def tell(kind, cpu, wall):
    file = os.open(TRUTH, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, (json.dumps([kind, time.thread_time() - cpu, time.time() - wall]) + "\n").encode())
    os.close(file)


def compute(seconds):
    # Without the lock of the interpreter.
    began = time.thread_time()
    while time.thread_time() - began < seconds:
        hashlib.sha256(BLOCK).digest()


def work(i):
    cpu, wall = time.thread_time(), time.time()
    compute(0.3)
    time.sleep(0.5)
    tell("work", cpu, wall)


def fail(i):
    cpu, wall = time.thread_time(), time.time()
    time.sleep(1)
    tell("fail", cpu, wall)
    raise ValueError("on purpose")


def fail_once(i, path):
    cpu, wall = time.thread_time(), time.time()
    time.sleep(1)
    if os.path.exists(path):
        tell("work", cpu, wall)
        return
    open(path, "w").close()
    tell("once", cpu, wall)
    raise ValueError("once")


def delegate(i):
    cpu, wall = time.thread_time(), time.time()
    thread = threading.Thread(target=compute, args=(1,))
    thread.start()
    thread.join()
    tell("delegate", cpu, wall)


if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=":0") as cluster, Client(cluster) as client:
        time.sleep(2)
        futures = client.map(work, range(24)) + client.map(fail, range(2)) + client.map(delegate, range(2))
        futures.append(client.submit(fail_once, 0, TRUTH + ".once", retries=1))
        wait(futures)
        time.sleep(2)
