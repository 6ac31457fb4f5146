# SPDX-License-Identifier: BSD-3-Clause
"""Scripts that know how many tasks they submitted and how these ended: tasks.py WHAT. Each prints what it counted and timed, as JSON."""

import json
import os
import signal
import socket
import sys
import time

import dask
from distributed import Client, LocalCluster, wait

EVENTS, BYTES = 12000, 7_000_000


def cluster(n=2, **options):
    return LocalCluster(n_workers=n, threads_per_worker=1, dashboard_address=":0", **options)


def burn(i):
    """Computes for 50 ms of CPU time, and returns how long that took by its own clocks."""
    began, started = time.thread_time(), time.time()
    while time.thread_time() - began < 0.05:
        pass
    return time.thread_time() - began, started, time.time()


def after(i, *others):
    return burn(i)


def fail(i):
    raise FileNotFoundError(2, "No such file\nand another line", "events-%d.root" % i)


def odd(i):
    raise ValueError("(3) is not\n“good”")


def flaky(i, directory):
    path = os.path.join(directory, "tried-%d" % i)
    if not os.path.exists(path):
        open(path, "w").close()
        raise OSError("[3011] No such file")
    return i


def use(*others):
    return len(others)


def nap(i, seconds=0.2):
    time.sleep(seconds)
    return i


def doomed(i):
    return nap(i)


def kill(i):
    os.kill(os.getpid(), signal.SIGKILL)


def say(**facts):
    print(json.dumps(facts), flush=True)


def life():
    """Tasks that depend on others, timed by themselves."""
    with cluster(2) as c, Client(c) as client:
        began = time.time()
        first = client.map(burn, range(20), pure=False)
        second = [client.submit(after, i, *first[i : i + 2], pure=False) for i in range(10)]
        results = client.gather(first + second)
        say(began=began, ended=time.time(), cpu=sum(cpu for cpu, _, _ in results), times=[times for _, *times in results],
            keys=[str(future.key) for future in first + second])


class Bulky:
    """A result whose size takes 20 ms to find: Dask records its storing as a part of the task."""

    def __sizeof__(self):
        time.sleep(0.02)
        return 100


def make_bulky(i):
    burn(i)
    return Bulky()


def has_probe(dask_worker):
    return "roast" in dask_worker.plugins


def stored():
    """Tasks that have parts after their computation."""
    with cluster(2) as c, Client(c) as client:
        while not all(client.run(has_probe).values()):
            time.sleep(0.05)
        wait(client.map(make_bulky, range(10)))
    say()


def outcomes():
    """One of each kind of end."""
    with cluster(1, processes=False) as c, Client(c) as client:
        failed = client.submit(fail, 1)
        wait(client.submit(use, failed))
        wait(client.submit(odd, 1))
        done = client.map(flaky, range(3), directory=sys.argv[2], retries=3)
        client.gather(done)
        queue = client.map(nap, range(1000), pure=False)
        cancelled = client.map(doomed, range(5), priority=-10, pure=False)
        while sum(future.done() for future in queue) < 4:
            time.sleep(0.01)
        client.cancel(cancelled)
        # What the worker has of them ran; the one under way is dropped with the others.
        ran = sum(future.done() for future in queue)
        del queue
    say(ran=ran)


def graphs():
    """Tasks with large arguments, each in a graph of its own."""
    data = [os.urandom(2_000_000 + i) for i in range(5)]
    with cluster(1) as c, Client(c) as client:
        client.gather([client.submit(len, part) for part in data])
    print(json.dumps({"graphs": len(data), "bytes": sum(map(len, data))}))


def wait_for(path):
    while not os.path.exists(path):
        time.sleep(0.1)


def stuck():
    with cluster(2) as c, Client(c) as client:
        client.gather([client.submit(wait_for, sys.argv[2]), *client.map(burn, range(6))])
    print("{}")


def unmet():
    """Two tasks ask for a resource that no worker has, and one for what the worker has."""
    with cluster(1, resources={"tape": 1}) as c, Client(c) as client:
        client.submit(burn, 1, resources={"tape": 1}).result()
        lost = client.map(nap, range(2), resources={"GPU": 2})
        while client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.unrunnable)) < len(lost):
            time.sleep(0.01)
        # What is due at the scheduler within this time was done there before it answers.
        time.sleep(1.5)
        client.run_on_scheduler(lambda dask_scheduler: None)
        say(submitted=3)


def killed():
    """A task that kills its workers, one that depends on it, and innocent ones beside it."""
    with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
        with cluster(2) as c, Client(c) as client:
            good = client.map(burn, range(4), pure=False)
            client.gather(good)
            bad = client.submit(kill, 1)
            last = client.submit(use, bad)
            wait(last)
            # A nanny that starts a worker while the cluster closes fails in older versions of Dask.
            client.wait_for_workers(2)
            say(error=type(bad.exception()).__name__)


def recomputed():
    """The only copy of a result is lost with its worker, and computed again. Its first attempt had failed."""
    with cluster(1) as c, Client(c) as client:
        first = client.submit(flaky, 1, directory=sys.argv[2], retries=1)
        wait(first)
        old = set(client.scheduler_info()["workers"])
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        # What the scheduler sends to the worker before it knows would be an attempt as well.
        while old & set(client.scheduler_info()["workers"]):
            time.sleep(0.01)
        client.wait_for_workers(1)
        client.submit(use, first).result()


def abrupt():
    """It ends as soon as it has its results."""
    client = Client(cluster(2))
    client.gather(client.map(nap, range(40), seconds=0.01, pure=False))
    os._exit(0)


def spans():
    from distributed import span

    with cluster(1, processes=False) as c, Client(c) as client:
        with span("one"):
            client.gather(client.map(nap, range(3), seconds=0.01, pure=False))
        with span("two"):
            client.gather(client.map(burn, range(2), pure=False))
        client.submit(use).result()


def get_metadata(i):
    """A name that coffea has for what is not the analysis."""
    return nap(i)


def windows():
    """Tasks of the framework before those of the analysis, and what the script processed."""
    began = time.time()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.environ["ROAST_SOCKET"])
        for line in ({"roast": 2, "token": os.environ["ROAST_TOKEN"]}, {"type": "events", "events": EVENTS},
                     {"type": "bytes_read", "bytes": BYTES}):
            connection.sendall(json.dumps(line).encode() + b"\n")
    with cluster() as c, Client(c) as client:
        client.gather(client.map(get_metadata, range(2)))
        submitted = time.time()
        times = client.gather(client.map(burn, range(12), pure=False))
        gathered = time.time()
        client.gather(client.map(get_metadata, range(2, 4)))
    print(json.dumps({"began": began, "submitted": submitted, "first": min(started for _, started, _ in times), "events": EVENTS,
                      "last": max(ended for _, _, ended in times), "gathered": gathered, "ended": time.time(), "bytes": BYTES}))


if __name__ == "__main__":
    globals()[sys.argv[1]]()
