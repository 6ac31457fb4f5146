# SPDX-License-Identifier: BSD-3-Clause
"""Scripts in which something fails, or is unusual: faults.py WHAT [ARGUMENT...]."""

import os
import signal
import subprocess
import sys
import time

import dask
from analysis import total, work  # noqa: F401
from distributed import Client, LocalCluster


def cluster(n=2, **options):
    return LocalCluster(n_workers=n, threads_per_worker=1, dashboard_address=options.pop("dashboard_address", ":0"), **options)


def some(client, n=8):
    print("done", len(client.gather(client.map(work, range(n), pure=False))))


def see_workers(dask_scheduler):
    return {address: worker.last_seen for address, worker in dask_scheduler.workers.items()}


def await_heartbeats(client):
    """Until each worker has sent two: what it had done before is known to the scheduler."""
    for _ in range(2):
        before = client.run_on_scheduler(see_workers)
        while any(before.get(address) == seen for address, seen in client.run_on_scheduler(see_workers).items()):
            time.sleep(0.05)


def worker_killed():
    """Its nanny starts another one."""
    with cluster(2) as c, Client(c) as client:
        some(client)
        await_heartbeats(client)
        pids = client.run(os.getpid)
        os.kill(next(iter(pids.values())), signal.SIGKILL)
        time.sleep(0.5)
        client.wait_for_workers(2)
        some(client)


def kill(i):
    os.kill(os.getpid(), signal.SIGKILL)


def killer():
    """Without nannies: a cluster of Dask 2024.12 whose nannies restarted workers waits forever, each second time, when it is closed."""
    with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
        with cluster(0) as c, Client(c) as client:
            command = [sys.executable, "-m", "distributed.cli.dask_worker", c.scheduler_address, "--nthreads", "1", "--no-nanny",
                       "--dashboard-address", ":0"]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
                     "env": {**os.environ, "PYTHONPATH": os.path.dirname(os.path.abspath(__file__))}}
            workers = [subprocess.Popen(command, **quiet) for _ in range(2)]
            client.wait_for_workers(2)
            some(client)
            try:
                client.submit(kill, 1).result()
            except Exception as error:
                print("killed", type(error).__name__)
            for worker in workers:
                worker.wait()


def closed():
    """All workers close while the client still needs their results."""
    with cluster(2) as c, Client(c) as client:
        futures = client.map(work, range(8), pure=False)
        print("done", len(client.gather(futures)))
        c.scale(0)
        while client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.workers)):
            time.sleep(0.1)
        time.sleep(6)
        print("finished", sum(future.status == "finished" for future in futures))


def restart():
    with cluster(2) as c, Client(c) as client:
        some(client)
        client.restart(timeout=240)
        some(client)


def scheduler_killed():
    with open(os.devnull, "w") as null:
        file = os.path.join(sys.argv[2], "scheduler.json")
        scheduler = subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_scheduler", "--scheduler-file", file, "--port", "0",
                                      "--dashboard-address", ":0"], stdout=null, stderr=null)
        worker = subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", file, "--nthreads", "1", "--no-nanny",
                                   "--dashboard-address", ":0", "--death-timeout", "30"], stdout=null, stderr=null)
        client = Client(scheduler_file=file)
        client.wait_for_workers(1)
        some(client)
        time.sleep(1.5)
        scheduler.kill()
        time.sleep(0.5)
        worker.kill()
        sys.stdout.flush()
        os._exit(3)


class Unreadable:
    def __reduce__(self):
        return int, ("x",)


def rejected():
    """The scheduler cannot read a graph."""
    with cluster(1) as c, Client(c) as client:
        try:
            client.submit(work, Unreadable(), pure=False).result()
        except Exception as error:
            print("rejected", "deserialization of the task graph" in str(error))
        some(client)


def has_probe(dask_scheduler):
    return "roast" in dask_scheduler.plugins


def scheduler_restarted():
    """Somebody's scheduler is killed and started again at the same address; the script's client goes on with the new one."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
             "env": {name: value for name, value in os.environ.items() if not name.startswith(("ROAST_", "DASK_"))}}
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port, "--dashboard-address", ":0"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "tcp://127.0.0.1:" + port, "--nthreads", "1", "--no-nanny",
              "--dashboard-address", ":0"]
    schedulers, workers = [subprocess.Popen(command, **quiet)], [subprocess.Popen(worker, **quiet)]
    client = Client("tcp://127.0.0.1:" + port, timeout=240)
    client.wait_for_workers(1)
    some(client)
    time.sleep(1.5)
    schedulers[-1].kill()
    schedulers[-1].wait()
    workers[-1].kill()
    schedulers.append(subprocess.Popen(command, **quiet))
    workers.append(subprocess.Popen(worker, **quiet))
    end = time.monotonic() + 240
    while time.monotonic() < end:
        try:
            client.wait_for_workers(1, timeout=5)
            break
        except Exception:
            time.sleep(0.5)
    # Measured by roast, if it is there, the new scheduler has its plugin before the tasks come.
    while "ROAST_SOCKET" in os.environ and not client.run_on_scheduler(has_probe):
        time.sleep(0.05)
    some(client)
    client.close()
    for process in schedulers + workers:
        process.kill()


def blocked():
    with cluster(1) as c, Client(c) as client:
        some(client)
        client.run_on_scheduler(time.sleep, 3)
        some(client)


def crash():
    client = Client(cluster(1))
    some(client)
    time.sleep(1.2)
    sys.stdout.flush()
    os.abort()


def raises():
    client = Client(cluster(1))
    some(client)
    raise RuntimeError("the script's own")


def status():
    client = Client(cluster(1))
    some(client)
    sys.exit(7)


def two():
    with cluster(1) as a, cluster(1, processes=False) as b, Client(a) as first, Client(b, set_as_default=False) as second:
        some(first)
        some(second)


def fork():
    with cluster(1) as c, Client(c) as client:
        some(client)
        pid = os.fork()
        if pid == 0:
            os._exit(5)
        print("child", os.waitpid(pid, 0)[1] >> 8)
        some(client)


def spans():
    """The second span has the functions of the first, of which results are held: Dask merges it into the first."""
    from distributed import span

    with cluster(1) as c, Client(c) as client:
        with span("outer"):
            with span("inner"):
                held = client.map(work, range(4))
                client.gather(held)
        with span("merged"):
            more = client.map(work, range(10, 14))
            client.gather(more)


def routes():
    """What the scheduler's HTTP server responds with and without the token."""
    import urllib.error
    import urllib.request

    def get(path, token=None, method="GET"):
        headers = {"Authorization": "Bearer " + token} if token else {}
        request = urllib.request.Request("http://127.0.0.1:%d%s" % (port, path), headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=240) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    with cluster(1, processes=False) as c, Client(c) as client:
        port = client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.http_server.port)
        some(client)
        for path in ("hello", "poll?cursor=0"):
            for token in (None, "wrong", os.environ["ROAST_TOKEN"]):
                code, text = get("/roast/v1/" + path, token)
                print(path, code, "tcp" in text or "inproc" in text)
        print("flush", get("/roast/v1/flush", None, "POST")[0], get("/roast/v1/flush?id=x", os.environ["ROAST_TOKEN"], "POST")[0])
        print("nonsense", get("/roast/v1/poll?cursor=x", os.environ["ROAST_TOKEN"])[0])


def patient():
    """Nobody reads for a while."""
    with cluster(1, processes=False) as c, Client(c) as client:
        for _ in range(4):
            some(client)
            time.sleep(0.3)


def long_names():
    with cluster(1, processes=False) as c, Client(c) as client:
        some(client)
        client.gather([client.submit(len, "x", key="k" * 300 + "-%d" % i) for i in range(500)])
        client.gather([client.submit(len, "x", key=("m" * 10_000, "part", i)) for i in range(5)])


def activities():
    """Spill, transfer, serialization, compression, failures, retries, cancelled futures, and labels of the user's own."""
    import truth
    from distributed.metrics import context_meter

    def big(i):
        return bytes(20_000_000)

    def both(a, b):
        return len(a) + len(b)

    def labelled(i):
        context_meter.digest_metric("my-io", 0.25, "seconds")
        context_meter.digest_metric("my-read", 1000, "bytes")
        return i

    def flaky(path):
        if not os.path.exists(path):
            open(path, "w").close()
            raise OSError("not yet")
        return 1

    directory = sys.argv[2]
    with dask.config.set({"distributed.worker.memory.target": 0.2, "distributed.worker.memory.spill": 0.3,
                          "distributed.worker.memory.terminate": False, "distributed.worker.memory.pause": False}):
        with cluster(2, memory_limit="400MB") as c, Client(c) as client:
            truth.register(client, directory)
            workers = list(client.scheduler_info()["workers"])
            parts = [client.submit(big, i, workers=[workers[i % 2]], pure=False) for i in range(12)]
            print("both", client.submit(both, parts[0], parts[1], workers=[workers[0]]).result())
            print("labelled", sum(client.gather(client.map(labelled, range(4)))))
            print("flaky", client.submit(flaky, os.path.join(directory, "flag"), retries=2).result())
            slow = client.submit(work, 0, 0.01, 5.0)
            time.sleep(0.2)
            slow.cancel()
            await_heartbeats(client)  # they say what is spilled


def ask_again(path):
    """Asks to run again the first time, as tasks of a shuffle do at a worker that does not have their data."""
    from distributed import Reschedule

    time.sleep(0.2)
    if not os.path.exists(path):
        open(path, "w").close()
        raise Reschedule()


def rescheduled():
    with cluster(2) as c, Client(c) as client:
        paths = [os.path.join(sys.argv[2], "asked-%d" % i) for i in range(4)]
        print("done", len(client.gather(client.map(ask_again, paths, pure=False))))


def shuffle():
    import dask.dataframe
    import pandas
    import truth

    with dask.config.set({"dataframe.shuffle.method": "p2p"}):
        with cluster(2) as c, Client(c) as client:
            truth.register(client, sys.argv[2])
            frame = dask.dataframe.from_pandas(pandas.DataFrame({"a": range(20000), "b": range(20000)}), npartitions=4)
            print("rows", len(frame.shuffle("a").compute()))


def environment():
    """What a batch job on another machine inherits: the variables, but not the files."""
    for name, value in os.environ.items():
        if name.startswith(("DASK_", "ROAST_DASK")):
            print("%s=%r" % (name, value.replace("dask-", "no-such-dask-")))


if __name__ == "__main__":
    dask.config.set({"distributed.comm.timeouts.connect": "10s"})
    if len(sys.argv) > 1:
        globals()[sys.argv[1]]()
