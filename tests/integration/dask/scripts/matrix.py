# SPDX-License-Identifier: BSD-3-Clause
"""Small scripts of many kinds, whose tasks and workers write what they measured of themselves: matrix.py KIND DIRECTORY.

Each call of a measured function is a line of DIRECTORY/PID.calls, the last words of a worker are DIRECTORY/PID.end: with them go the CPU
times of threads that the worker measured around each task, by its category."""

import asyncio
import contextlib
import functools
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import dask
import distributed
import truth
from distributed import Client, LocalCluster, WorkerPlugin
from truth import SCALE

DIRECTORY = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("MATRIX")
os.environ["MATRIX"] = DIRECTORY or ""


def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))


def cpu_of(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def note(kind, **facts):
    children = cpu_of(resource.RUSAGE_CHILDREN)
    facts.update(process=cpu_of(resource.RUSAGE_SELF) + children, children=children, peak=peak())
    with open(os.path.join(os.environ["MATRIX"], "%d.%s" % (os.getpid(), kind)), "a") as file:
        file.write(json.dumps(facts) + "\n")


def measured(function):
    @functools.wraps(function)
    def call(*arguments, **keywords):
        began = time.thread_time()
        try:
            return function(*arguments, **keywords)
        finally:
            note("calls", name=function.__name__, cpu=time.thread_time() - began)

    return call


def read_before_teardown(plugin):
    """Reads the CPU time just before the plugin does: between its turn and that of another, a thread may compute on."""
    teardown = plugin.teardown

    async def read_and_teardown(worker):
        worker.cpu_before_roast = cpu_of(resource.RUSAGE_SELF) + cpu_of(resource.RUSAGE_CHILDREN)
        await teardown(worker)

    plugin.teardown = read_and_teardown


class LastWords(WorkerPlugin):
    name = "last-words"

    def setup(self, worker):
        os.environ["MATRIX"] = self.directory
        truth.measure_around_tasks()
        read_before_teardown(worker.plugins["roast"])

    async def teardown(self, worker):
        around = {name: cpu for name, (cpu, _) in truth.around[worker.id].items()}
        await asyncio.sleep(0)  # the other plugins have their turn
        note("end", address=worker.address, around=around, before=worker.cpu_before_roast)


def burn(seconds):
    began = time.thread_time()
    while time.thread_time() - began < SCALE * seconds:
        pass


@measured
def work(i, seconds=0.1):
    burn(seconds)
    return i


@measured
def work_until(i, path):
    while not os.path.exists(path):
        burn(0.01)
    return i


@measured
def add(a, b):
    return a + b


@measured
def part(frame):
    burn(0.3)
    return frame


@measured
def in_threads(i):
    threads = [threading.Thread(target=burn, args=(0.15,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@measured
def in_process(i):
    subprocess.run([sys.executable, "-S", "-c", "import time\nwhile time.process_time() < 0.3: pass"], check=True)


@measured
def nested(i):
    with distributed.worker_client() as client:
        return client.submit(work, i, seconds=0.25, pure=False).result()


@measured
def seceding(i):
    distributed.secede()
    burn(0.17)
    return i


@measured
def flaky(path):
    if not os.path.exists(path):
        open(path, "w").close()
        raise OSError("not yet")


@measured
def large(i):
    return len(b"x" * 300_000_000)


def killing(path):
    if not os.path.exists(path):
        open(path, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    burn(0.02)


async def waiting(i):
    await asyncio.sleep(0.01)
    return i


class Counter:
    def __init__(self):
        self.n = 0

    def count(self, n=0):
        burn(0.1)
        self.n += 1
        if n > 9:
            raise ValueError(n)
        return self.n


def run_futures(client, cluster):
    client.gather(client.map(work, range(24), seconds=0.1, pure=False))


def run_delayed(client, cluster):
    parts = [dask.delayed(work)(i, seconds=0.13) for i in range(8)]
    dask.compute(*[dask.delayed(add)(a, b) for a, b in zip(parts, parts[1:])])


def run_array(client, cluster):
    import dask.array

    dask.array.ones((80, 10), chunks=(10, 10)).map_blocks(part, dtype=float, meta=dask.array.ones((1, 1)).compute()).sum().compute()


def run_dataframe(client, cluster):
    import dask.dataframe
    import pandas

    frame = dask.dataframe.from_pandas(pandas.DataFrame({"a": range(80)}), npartitions=4)
    print("rows", len(frame.map_partitions(part, meta=frame._meta).compute()))


def run_as_completed(client, cluster):
    waiting = distributed.as_completed(client.map(work, range(6), pure=False))
    for i, future in enumerate(waiting):
        if i < 4:
            waiting.add(client.submit(work, future.result(), pure=False))


def run_actors(client, cluster):
    counter = client.submit(Counter, actor=True).result()
    for n in range(10):
        counter.count(n).result()
    with contextlib.suppress(ValueError):
        counter.count(10).result()  # Dask keeps the thread of a method that raised in its list of active threads
    cluster.close()  # the actor ends with its worker while its client still has it


def run_async(client, cluster):
    client.gather(client.map(waiting, range(10)))


def run_threads(client, cluster):
    client.gather(client.map(in_threads, range(6)))


def run_subprocess(client, cluster):
    client.gather(client.map(in_process, range(5)))


def run_nested(client, cluster):
    client.gather(client.map(nested, range(4)))


def run_secede(client, cluster):
    client.gather(client.map(seceding, range(6)))


def run_adaptive(client, cluster):
    cluster.adapt(minimum=1, maximum=2, interval="100ms")
    client.gather(client.map(work, range(20), seconds=0.05 / SCALE, pure=False))


def run_retries(client, cluster):
    client.submit(flaky, os.path.join(DIRECTORY, "flag"), retries=2).result()


def run_cancel(client, cluster):
    """Two are done; of the others two are in work until all are cancelled."""
    go = os.path.join(DIRECTORY, "go")
    client.gather(client.map(work, range(2), seconds=0.4 / SCALE, pure=False))
    futures = client.map(work_until, range(4), path=go, pure=False)
    while sum(client.run(lambda dask_worker: len(dask_worker.active_threads)).values()) < 2:
        time.sleep(0.02)
    client.cancel(futures)
    # cancel() does not wait for the scheduler: until that knows it, a task that ends is done.
    while any(client.processing().values()):
        time.sleep(0.02)
    with open(go, "w"):
        pass
    time.sleep(1)


def run_cancel_last(client, cluster):
    """The workers close while threads still compute."""
    futures = client.map(work, range(2), seconds=0.5, pure=False)
    while sum(client.run(lambda dask_worker: len(dask_worker.active_threads)).values()) < 2:
        time.sleep(0.02)
    client.cancel(futures)


def run_killed(client, cluster):
    client.submit(killing, os.path.join(DIRECTORY, "flag")).result()
    client.wait_for_workers(2)


def run_memory(client, cluster):
    client.submit(large, 0).result()


def run_abrupt(client, cluster):
    client.gather(client.map(work, range(40), seconds=0.02, pure=False))
    sys.stdout.flush()
    os._exit(0)


run_tls = run_notebook = run_as_completed


def main():
    kind = sys.argv[1]
    options = {}
    if kind == "tls":
        cert, key = os.path.join(DIRECTORY, "cert.pem"), os.path.join(DIRECTORY, "key.pem")
        roles = {"tls_%s_%s" % (role, what): path for role in ("scheduler", "worker", "client") for what, path in (("cert", cert), ("key", key))}
        options = {"security": distributed.Security(tls_ca_file=cert, require_encryption=True, **roles), "protocol": "tls"}
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1", **options)
    client = Client(cluster)
    last_words = LastWords()
    last_words.directory = DIRECTORY
    (getattr(client, "register_plugin", None) or client.register_worker_plugin)(last_words)
    globals()["run_" + kind](client, cluster)
    client.close()
    cluster.close()


if __name__ == "__main__":
    main()
