# SPDX-License-Identifier: BSD-3-Clause
"""Work outside the threads of tasks, large memory, and workers that end: workers.py WHAT [ARGUMENT...]. Each prints what tasks and
workers measured themselves, as one line of JSON after "truth "."""

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import dask
from distributed import Client, LocalCluster, get_worker, wait
from truth import SCALE

# Newer versions show five workers unless they are asked for all.
EVERY = {"n_workers": -1} if "n_workers" in Client.scheduler_info.__code__.co_varnames else {}


def cluster(n=1, threads=1, **options):
    return LocalCluster(n_workers=n, threads_per_worker=threads, dashboard_address=":0", **options)


def tell(truth):
    print("truth " + json.dumps(truth), flush=True)


def read_peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


def burn(seconds):
    """CPU time of the thread that calls it."""
    end = time.thread_time() + SCALE * seconds
    while time.thread_time() < end:
        pass


def own(dask_worker=None):
    """What a worker's process measures itself, in its event loop."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"pid": os.getpid(), "cpu": time.process_time(), "children": usage.ru_utime + usage.ru_stime, "peak": read_peak(),
            "child_peak": usage.ru_maxrss * 1024}


# ---- where CPU time goes ----


def in_threads(i, seconds):
    """The task's own thread waits; two others compute. The lock of the interpreter makes them take turns."""
    threads = [threading.Thread(target=burn, args=(seconds / 2,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def in_children(i, seconds):
    subprocess.run([sys.executable, "-S", "-c", "import time\nwhile time.process_time() < %f: pass" % (SCALE * seconds)], check=True)


async def in_loop(i):
    burn(0.25)


def in_task(i, seconds):
    burn(seconds)


def fails(i, seconds):
    burn(seconds)
    raise ValueError("on purpose")


def sleeps(i, seconds):
    time.sleep(seconds)


class Actor:
    def burn(self, seconds):
        burn(seconds)


def kinds():
    """One worker for each kind of work: at least ten CPU-seconds together, in the gate two."""
    with cluster(5) as c, Client(c) as client:
        workers = sorted(client.scheduler_info(**EVERY)["workers"])
        threads, children, loop, actor, tasks = workers
        work = client.map(in_threads, range(4), seconds=0.5, pure=False, workers=[threads])
        work += client.map(in_children, range(4), seconds=0.5, pure=False, workers=[children])
        work += client.map(in_loop, range(4), pure=False, workers=[loop])
        work += client.map(in_task, range(5), seconds=0.25, pure=False, workers=[tasks])
        work += client.map(fails, range(3), seconds=0.25, pure=False, workers=[tasks])
        work += client.map(sleeps, range(4), seconds=0.25, pure=False, workers=[tasks])
        client.run(burn, 1.0, workers=[loop])
        counter = client.submit(Actor, actor=True, workers=[actor]).result()
        for _ in range(4):
            counter.burn(0.5).result()
        client.gather(work, errors="skip")
        names = {threads: "threads", children: "children", loop: "loop", actor: "actor", tasks: "tasks"}
        truth = {names[address]: worker for address, worker in client.run(own).items()}
    # All that this script waited for: the processes of the workers to their very end, and little else.
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    tell(dict(truth, ended=ended.ru_utime + ended.ru_stime))


def one_process():
    """Workers, scheduler and script in one process: two clusters, and what the script computes before, beside and between them."""
    for _ in range(2):
        burn(0.5)
        with cluster(2, processes=False) as c, Client(c) as client:
            work = client.map(in_task, range(4), seconds=0.25, pure=False)
            burn(0.5)
            client.gather(work)
    tell(dict(own(), program=time.thread_time()))


# ---- memory ----


def touch(i, mib):
    data = bytearray(mib << 20)
    data[::4096] = b"x" * len(data[::4096])
    return read_peak()


def big_child(i):
    code = ("import resource; x = bytearray(300 << 20); x[::4096] = b'x' * len(x[::4096])\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)")
    return int(subprocess.run([sys.executable, "-S", "-c", code], check=True, capture_output=True).stdout) * 1024


def memory():
    """One worker that touches memory, and one whose child does."""
    with cluster(2) as c, Client(c) as client:
        own_memory, child = sorted(client.scheduler_info(**EVERY)["workers"])
        peak = client.submit(touch, 0, mib=500, workers=[own_memory]).result()
        child_peak = client.submit(big_child, 0, workers=[child]).result()
        tell({"peak": peak, "child_peak": child_peak, "workers": client.run(own)})


def hog(i):
    # The kernel shall choose this process.
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    data = []
    while True:
        data.append(bytearray(20 << 20))
        data[-1][::4096] = b"x" * len(data[-1][::4096])
        time.sleep(0.01)


def over_the_limit():
    """Its nanny kills it before its first heartbeat."""
    memory = "distributed.worker.memory."
    with dask.config.set({"distributed.scheduler.allowed-failures": 0, memory + "spill": False, memory + "target": False, memory + "pause": False}):
        with cluster(1, memory_limit="300MB") as c, Client(c) as client:
            pid, = client.run(os.getpid).values()
            try:
                client.submit(hog, 0).result()
            except Exception as error:
                tell({"pid": pid, "error": type(error).__name__})


def out_of_memory():
    """The kernel kills it, in a control group that this script joins, if it is given one."""
    if len(sys.argv) > 2:
        sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
        from limited import join_group
        join_group(sys.argv[2])
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        with cluster(1, memory_limit=0) as c, Client(c) as client:
            pid, = client.run(os.getpid).values()
            try:
                client.submit(hog, 0).result()
            except Exception as error:
                tell({"pid": pid, "error": type(error).__name__})


def out_of_memory_without_nanny():
    with LocalCluster(n_workers=0, dashboard_address=":0") as c, Client(c) as client:
        pid = start_alone(c)
        client.wait_for_workers(1)
        client.submit(hog, 0)
        while client.scheduler_info()["workers"]:
            time.sleep(0.05)
        tell({"pid": pid})


def before():
    """What another client did before this one is not measured."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("DASK_", "ROAST_"))}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": env}
    file = os.path.join(sys.argv[2], "scheduler.json")
    scheduler = subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_scheduler", "--scheduler-file", file, "--port", "0",
                                  "--dashboard-address", ":0"], **quiet)
    command = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", file, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    workers = [subprocess.Popen(command, **quiet) for _ in range(2)]
    try:
        code = ("from distributed import Client\nimport sys, workers\nwith Client(scheduler_file=sys.argv[1]) as client:\n"
                " client.wait_for_workers(2)\n client.run(workers.touch, 0, 200)\n client.run(workers.burn, 0.5)")
        subprocess.run([sys.executable, "-c", code, file], env=env, check=True)
        with Client(scheduler_file=file) as client:
            rises, rests = sorted(client.scheduler_info(**EVERY)["workers"])
            client.submit(touch, 0, mib=300, workers=[rises]).result()
            client.submit(in_task, 0, seconds=1.0, workers=[rests]).result()
            tell({"rises": rises, "rests": rests, "workers": client.run(own)})
    finally:
        for process in (*workers, scheduler):
            process.terminate()
            process.wait()


# ---- ends ----


def kill_self(i):
    os.kill(os.getpid(), signal.SIGKILL)


def exit_self(i):
    os._exit(3)


def get_pids(client):
    while True:
        try:
            return list(client.run(os.getpid).values())
        except OSError:
            pass  # A worker just ended that the scheduler still has.


def ends():
    """Killed, exited and closed workers; with "restart", restarted ones too."""
    restart = sys.argv[2:] == ["restart"]
    with dask.config.set({"distributed.scheduler.allowed-failures": 0, "distributed.comm.timeouts.connect": "5s"}):
        with cluster(2) as c, Client(c) as client:
            pids = client.run(os.getpid)
            first, second = sorted(pids)
            work = client.submit(kill_self, 0, workers=[first]), client.submit(exit_self, 0, workers=[second])
            wait(work)
            while len(set(get_pids(client)) - set(pids.values())) < 2:
                time.sleep(0.05)
            restarted = get_pids(client) if restart else []
            if restart:
                client.restart(timeout=240)
            closed = get_pids(client)
            tell({"signal": [pids[first]], "exited": [pids[second]], "restarted": restarted, "closed": closed})


class Slow:
    """The connection of a nanny to its scheduler, where the news of its worker arrives late."""

    def __init__(self, scheduler):
        self.scheduler = scheduler

    def __getattr__(self, name):
        call = getattr(self.scheduler, name)
        if name != "roast_worker_ended":
            return call

        async def call_late(**message):
            await asyncio.sleep(2.5)
            return await call(**message)

        return call_late


def told_late():
    with cluster(1) as c, Client(c) as client:
        pid, = client.run(os.getpid).values()
        nanny, = c.workers.values()
        nanny.scheduler = Slow(nanny.scheduler)
        os.kill(pid, signal.SIGKILL)
        time.sleep(4)
        tell({"pid": pid})


def hangs():
    """A worker that does not close when its cluster does."""
    with cluster(1) as c, Client(c) as client:
        pid, = client.run(os.getpid).values()
        tell({"pid": pid})
        os.kill(pid, signal.SIGSTOP)


def start_alone(cluster):
    """A worker of which nothing of Dask sees how it ends. Its parent dies first, so that the process is adopted."""
    command = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address, "--nthreads", "1", "--no-nanny",
               "--no-dashboard", "--memory-limit", "0"]
    code = "import subprocess, sys; print(subprocess.Popen(%r, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).pid)" % command
    return int(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True).stdout)


def without_nanny():
    """A signal ends a worker."""
    with LocalCluster(n_workers=0, dashboard_address=":0") as c, Client(c) as client:
        pid = start_alone(c)
        client.wait_for_workers(1)
        client.submit(touch, 0, mib=200).result()
        os.kill(pid, signal.SIGKILL)
        while client.scheduler_info()["workers"]:
            time.sleep(0.05)
        tell({"pid": pid})


SHIFT = 2.0  # s by which one worker's clock is ahead


def tell_time(i):
    """When a task runs by the scheduler's clock, and how exactly roast's part of the worker knows that clock."""
    worker = get_worker()
    return time.time() - (SHIFT if worker.name == "ahead" else 0.0), worker.plugins["roast"].worker_clock.uncertainty


def knows_clock(dask_worker):
    """The second heartbeat carries the round trip of the first."""
    return dask_worker.plugins["roast"].worker_clock.delay is not None


def clocks():
    """Two workers on one machine, one of which has another clock, as on another machine."""
    with LocalCluster(n_workers=0, dashboard_address=":0") as c, Client(c) as client:
        command = [sys.executable, "-m", "distributed.cli.dask_worker", c.scheduler_address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
                   "--name"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        ahead = ["faketime", "-f", "+%gs" % SHIFT, *command, "ahead"]
        workers = [subprocess.Popen(worker, **quiet) for worker in (ahead, [*command, "beside"])]
        client.wait_for_workers(2)
        while not all(client.run(knows_clock).values()):
            time.sleep(0.1)
        addresses = list(client.scheduler_info(**EVERY)["workers"])
        futures = [client.submit(tell_time, i, workers=[address], pure=False) for i, address in enumerate(addresses * 5)]
        tell({"tasks": dict(zip([future.key for future in futures], client.gather(futures)))})
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.wait()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
