# SPDX-License-Identifier: BSD-3-Clause
"""A script as an analyst writes it, without roast: analysis.py HOW WORKERS [DIRECTORY]. It prints its result, and the times that its
tasks measured."""

import os
import subprocess
import sys
import time

import truth
from distributed import Client, LocalCluster


def work(i, seconds=0.03, pause=0.02):
    """Some CPU time, and some waiting; returns both."""
    began, cpu = time.perf_counter(), time.thread_time()
    while time.thread_time() - cpu < seconds:
        pass
    time.sleep(pause)
    spent = time.thread_time() - cpu
    return spent, time.perf_counter() - began - spent


def size(i):
    return b"x" * i


def total(parts):
    return sum(map(len, parts))


def fail(i):
    raise ValueError(i)


def compute(client, n):
    futures = client.map(work, range(n), pure=False)
    used = client.gather(futures)
    parts = client.map(size, range(1000, 1000 + n))
    print("bytes", client.submit(total, parts).result())
    try:
        client.submit(fail, 3).result()
    except ValueError as error:
        print("failed", error)
    return sum(cpu for cpu, _ in used), sum(wait for _, wait in used)


def separate(n):
    """A scheduler and workers in processes of their own, one of them with a nanny."""
    file = os.path.join(sys.argv[3], "scheduler.json")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    processes = [subprocess.Popen(dask + ["--scheduler-file", file, "--port", "0", "--dashboard-address", ":0"], **quiet)]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", file, "--nthreads", "1", "--dashboard-address", ":0"]
    for i in range(n):
        processes.append(subprocess.Popen(worker + (["--no-nanny"] if i else []), **quiet))
    client = Client(scheduler_file=file)
    client.wait_for_workers(n)
    return client, processes


def main():
    how, n, directory = sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None
    if how == "separate":
        client, processes = separate(n)
        truth.register(client, directory)
        used = compute(client, 8 * n)
        client.shutdown()
        for process in processes:
            process.wait()
    else:
        cluster = LocalCluster(n_workers=n, threads_per_worker=1, processes=how != "threads", dashboard_address=":0")
        client = Client(cluster)
        truth.register(client, directory)
        used = compute(client, 8 * n if n < 10 else 2 * n)
        if how == "scale":
            cluster.scale(1)
            more = compute(client, 8)
            used = used[0] + more[0], used[1] + more[1]
        if how != "at-once":
            client.close()
            cluster.close()
    print("cpu %.9f wait %.9f" % used)


if __name__ == "__main__":
    main()
