# SPDX-License-Identifier: BSD-3-Clause
"""The programs that record.py measures: jobs.py KIND."""

import os
import signal
import subprocess
import sys
import time


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def work(number):
    burn(0.03)
    return bytes(200_000 + number)


def fail_on_fifth(number):
    burn(0.02)
    if number % 5 == 4:
        raise ValueError(f"task {number} fails")
    return number


def fail_first(number, directory):
    marker = os.path.join(directory, f"tried-{number}")
    burn(0.02)
    if number % 4 == 0 and not os.path.exists(marker):
        open(marker, "w").close()
        raise OSError(f"the first attempt at {number} fails")
    return number


def kill_own_worker(directory):
    marker = os.path.join(directory, "killed")
    if not os.path.exists(marker):
        open(marker, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return 1


def make_large(number):
    return os.urandom(30_000_000) + bytes(number)


def tree():
    children = [subprocess.Popen([sys.executable, __file__, "burn", str(0.05 * number)]) for number in range(1, 4)]
    with open("written", "wb") as file:
        file.write(bytes(3_000_000))
    with open("written", "rb") as file:
        file.read()
    return max(child.wait() for child in children)


def short():
    for _ in range(60):
        subprocess.run(["/bin/true"], check=True)


def long():
    subprocess.Popen([sys.executable, __file__, "burn", "60"])
    open("started", "w").close()
    burn(60)


def run_dask(kind):
    import dask
    from distributed import Client, LocalCluster, wait

    if kind == "spilled":
        dask.config.set({"distributed.worker.memory.target": 0.15, "distributed.worker.memory.spill": False})
    processes = kind != "threads"
    with LocalCluster(n_workers=2, threads_per_worker=2, processes=processes, memory_limit="1GB", dashboard_address=":0") as cluster:
        with Client(cluster) as client:
            if kind == "failed":
                wait(client.map(fail_on_fifth, range(20)))
            elif kind == "retried":
                client.gather(client.map(fail_first, range(20), directory=os.getcwd(), retries=2))
            elif kind == "worker-killed":
                first = client.map(work, range(20))
                wait(first)
                print(client.submit(kill_own_worker, os.getcwd(), retries=3).result(), len(client.gather(first)))
            elif kind == "spilled":
                parts = client.map(make_large, range(12))
                print(sum(client.gather(client.map(len, parts))))
            elif kind == "shuffle":
                frame = dask.datasets.timeseries(end="2000-01-03", partition_freq="12h", freq="60s")
                print(len(frame.shuffle("name").compute()))
            elif kind == "long":
                open("started", "w").close()
                wait(client.map(work, range(100_000), pure=False))
            else:
                wait(client.map(lambda part: len(part), client.map(work, range(30))))


def main():
    kind = sys.argv[1]
    if kind == "burn":
        burn(float(sys.argv[2]))
    elif kind.startswith("dask-"):
        run_dask(kind[len("dask-"):])
    else:
        sys.exit({"tree": tree, "short": short, "long": long}[kind]())


if __name__ == "__main__":
    main()
