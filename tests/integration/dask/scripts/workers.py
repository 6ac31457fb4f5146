# SPDX-License-Identifier: BSD-3-Clause
"""Work outside the threads of tasks, large memory, and workers that end: workers.py WHAT [ARGUMENT...]. Each prints what tasks and
workers measured themselves, as one line of JSON after "truth "."""

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import dask
from distributed import Client, LocalCluster


def cluster(n=1, threads=1, **options):
    return LocalCluster(n_workers=n, threads_per_worker=threads, dashboard_address=":0", **options)


def tell(**truth):
    print("truth " + json.dumps(truth), flush=True)


def read_peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


def burn(seconds):
    """CPU time of the thread that calls it."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def own(dask_worker=None):
    """What a worker's process measures itself, in its event loop."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"pid": os.getpid(), "cpu": time.process_time(), "children": usage.ru_utime + usage.ru_stime, "peak": read_peak(),
            "child_peak": usage.ru_maxrss * 1024}


def finish(client, **more):
    workers = client.run(own)
    tell(workers=list(workers.values()), **more)


# ---- where CPU time goes ----


def in_threads(i, seconds):
    """The task's own thread waits; two others compute. The lock of the interpreter makes them take turns."""
    threads = [threading.Thread(target=burn, args=(seconds / 2,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return os.getpid()


def threads():
    with cluster() as c, Client(c) as client:
        client.gather(client.map(in_threads, range(5), seconds=0.4, pure=False))
        finish(client, burnt=2.0)


def in_child(i, seconds):
    subprocess.run([sys.executable, "-S", "-c", "import time\nwhile time.process_time() < %f: pass" % seconds], check=True)


def children():
    with cluster() as c, Client(c) as client:
        client.gather(client.map(in_child, range(4), seconds=0.4, pure=False))
        finish(client, burnt=1.6)


async def in_loop(i, seconds):
    burn(seconds)


def asynchronous():
    with cluster() as c, Client(c) as client:
        client.gather(client.map(in_loop, range(4), seconds=0.3, pure=False))
        client.run(burn, 0.4)
        finish(client, burnt=1.6)


class Counter:
    def burn(self, seconds):
        burn(seconds)


def actor():
    with cluster() as c, Client(c) as client:
        counter = client.submit(Counter, actor=True).result()
        for _ in range(3):
            counter.burn(0.4).result()
        finish(client, burnt=1.2)


def in_task(i, seconds):
    burn(seconds)


def fail(i, seconds):
    burn(seconds)
    raise ValueError("on purpose")


def waiting(i, seconds):
    time.sleep(seconds)


def tasks():
    with cluster(threads=2) as c, Client(c) as client:
        client.gather(client.map(in_task, range(6), seconds=0.25, pure=False))
        client.gather(client.map(fail, range(2), seconds=0.25, pure=False), errors="skip")
        client.gather(client.map(waiting, range(4), seconds=0.5, pure=False))
        finish(client, burnt=2.0, waited=2.0)


def mixture():
    """At least ten CPU-seconds of all kinds, in two workers."""
    with cluster(2, threads=1) as c, Client(c) as client:
        work = client.map(in_task, range(12), seconds=0.3, pure=False) + client.map(in_threads, range(6), seconds=0.5, pure=False)
        work += client.map(in_child, range(6), seconds=0.4, pure=False) + client.map(in_loop, range(6), seconds=0.3, pure=False)
        client.gather(work)
        finish(client, burnt=12 * 0.3 + 6 * 0.5 + 6 * 0.4 + 6 * 0.3)


def one_process():
    """Workers, scheduler and script in one process."""
    with cluster(2, processes=False) as c, Client(c) as client:
        client.gather(client.map(in_task, range(8), seconds=0.2, pure=False))
        usage = resource.getrusage(resource.RUSAGE_SELF)
        tell(burnt=1.6, cpu=usage.ru_utime + usage.ru_stime, peak=read_peak(), pid=os.getpid())


# ---- memory ----


def touch(i, mib):
    data = bytearray(mib << 20)
    data[::4096] = b"x" * len(data[::4096])
    return read_peak()


def memory():
    with cluster(2) as c, Client(c) as client:
        peak = client.submit(touch, 0, mib=500).result()
        finish(client, peak=peak)


def big_child(i):
    code = "import resource; x = bytearray(300 << 20); x[::4096] = b'x' * len(x[::4096]); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    return int(subprocess.run([sys.executable, "-S", "-c", code], check=True, capture_output=True).stdout) * 1024


def child_memory():
    with cluster() as c, Client(c) as client:
        peak = client.submit(big_child, 0).result()
        finish(client, peak=peak)


def hog(i):
    data = []
    while True:
        data.append(bytearray(5 << 20))
        data[-1][::4096] = b"x" * len(data[-1][::4096])
        time.sleep(0.01)


def over_the_limit():
    with dask.config.set({"distributed.scheduler.allowed-failures": 0, "distributed.worker.memory.spill": False,
                          "distributed.worker.memory.target": False, "distributed.worker.memory.pause": False}):
        with cluster(1, memory_limit="300MB") as c, Client(c) as client:
            try:
                client.submit(hog, 0).result()
            except Exception as error:
                tell(error=type(error).__name__)


# ---- ends ----


def kill_self(i):
    time.sleep(0.7)  # one heartbeat at least
    os.kill(os.getpid(), signal.SIGKILL)


def exit_self(i):
    time.sleep(0.7)
    os._exit(3)


def end(function, nanny=True):
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        with cluster(1) as c, Client(c) as client:
            client.submit(in_task, 0, 0.1).result()
            try:
                client.submit(function, 0).result()
            except Exception as error:
                tell(error=type(error).__name__)


def killed():
    end(kill_self)


def exited():
    end(exit_self)


def restart():
    with cluster(1) as c, Client(c) as client:
        client.submit(in_task, 0, 0.1).result()
        client.restart()
        client.submit(in_task, 1, 0.1).result()


def retire():
    with cluster(2) as c, Client(c) as client:
        client.gather(client.map(in_task, range(4), seconds=0.1, pure=False))
        c.scale(1)
        while len(client.scheduler_info()["workers"]) > 1:
            time.sleep(0.05)


def without_nanny():
    """A worker of its own, which a signal ends: nothing but its parent sees how."""
    with LocalCluster(n_workers=0, dashboard_address=":0") as c, Client(c) as client:
        worker = subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_worker", c.scheduler_address, "--nthreads", "1", "--no-nanny",
                                   "--no-dashboard"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        client.wait_for_workers(1)
        client.submit(in_task, 0, 0.1).result()
        time.sleep(0.7)
        worker.kill()
        worker.wait()
        while client.scheduler_info()["workers"]:
            time.sleep(0.05)
        tell(pid=worker.pid)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
