#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What following every task costs a Dask scheduler.

The CPU time of a real scheduler per task, in a process of its own with real workers, without roast; beside it what the probe's
transition hook and its rows take of that (limit: 2 %). The probe's steps are measured apart from the scheduler, since they are too short to
be timed one by one.

usage: bench-transitions.py PROBE.py [TASKS [ROUNDS]]
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import types

from distributed.diagnostics.plugin import SchedulerPlugin

PYTHON = os.environ.get("ROAST_DASK_PYTHON", "/usr/bin/python3")
PER_FLUSH = 10  # tasks that end within the 5 ms in which rows go out together, at 2000 per second
PRELOAD = """
import time
async def dask_setup(scheduler):
    scheduler.handlers["bench_cpu"] = lambda: time.process_time()
"""

SCRIPT = """
import sys
from distributed import Client
def f(x): return x
if __name__ == "__main__":
    n = int(sys.argv[2])
    with Client(sys.argv[1]) as client:
        client.wait_for_workers(2)
        client.gather(client.map(f, range(200), pure=False))
        scheduler = lambda: client.sync(client.scheduler.bench_cpu)
        before = scheduler()
        for i in range(0, n, 5000):
            client.gather(client.map(f, range(i, min(i + 5000, n)), pure=False))
        print(scheduler() - before)
"""


def measure_scheduler(n):
    """CPU time of a scheduler, s."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in ("bench_preload.py", PRELOAD), ("script.py", SCRIPT):
            with open(os.path.join(directory, name), "w") as file:
                file.write(text)
        info = os.path.join(directory, "scheduler.json")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": directory}
        cli = [PYTHON, "-m"]
        processes = [subprocess.Popen([*cli, "distributed.cli.dask_scheduler", "--scheduler-file", info, "--port", "0", "--dashboard-address",
                                       ":0", "--preload", os.path.join(directory, "bench_preload.py")], **quiet)]
        try:
            processes += [subprocess.Popen([*cli, "distributed.cli.dask_worker", "--scheduler-file", info, "--nthreads", "2", "--no-nanny"],
                                           **quiet) for _ in range(2)]
            while not os.path.exists(info):
                time.sleep(0.05)
            with open(info) as file:
                address = json.load(file)["address"]
            output = subprocess.run([PYTHON, os.path.join(directory, "script.py"), address, str(n)], capture_output=True, text=True,
                                    timeout=300)
            if output.returncode:
                raise RuntimeError(output.stderr)
            return float(output.stdout.splitlines()[-1])
        finally:
            for process in processes:
                process.kill()
                process.wait()


class Tasks:
    """A probe in a scheduler that has many tasks, and the steps of these."""

    def __init__(self, module, n):
        self.n = n
        self.probe = probe = module["Probe"]()
        probe.last_poll = time.monotonic()
        probe.loop = types.SimpleNamespace(call_soon=lambda *a: None, call_later=lambda *a: None, time=time.monotonic)
        probe.workers = {"tcp://10.0.0.1:40000": types.SimpleNamespace(number=1)}
        prefix, group = types.SimpleNamespace(name="process"), types.SimpleNamespace(span_id="407d4238-ebb9-451b-ac85-f96fc260b6f0")
        worker = types.SimpleNamespace(address="tcp://10.0.0.1:40000")
        self.keys = ["process-%032x" % i for i in range(n)]
        probe.scheduler = types.SimpleNamespace(tasks={
            key: types.SimpleNamespace(key=key, prefix=prefix, group=group, nbytes=-1, processing_on=worker, who_wants=None, waiters=None,
                                       dependencies=(), worker_restrictions=None, host_restrictions=None, loose_restrictions=False)
            for key in self.keys})
        now = time.time()
        self.facts = {"worker": worker.address, "nbytes": 28, "thread": 1, "typename": "int", "type": b"x" * 20, "metadata": {}, "startstops": [
            {"action": "compute", "start": now, "stop": now + 0.05, "roast": (0.0412345, now - 0.001, 1e-5)}]}

    def call(self, transition):
        """As the scheduler calls each plugin for each step."""
        facts = self.facts
        for key in self.keys:
            transition(key, "released", "waiting", stimulus_id="update-graph")
            transition(key, "waiting", "processing", stimulus_id="update-graph")
            transition(key, "processing", "memory", stimulus_id="task-finished", **facts)
            transition(key, "memory", "released", stimulus_id="release")
            transition(key, "released", "forgotten", stimulus_id="release")

    def tell(self):
        ended, probe = self.probe.ended, self.probe
        for i in range(0, self.n, PER_FLUSH):
            probe.ended = ended[i : i + PER_FLUSH]
            probe.tell_tasks()


def best(module, n, run, prepare=None, rounds=7):
    """µs of CPU per task."""
    results = []
    for _ in range(rounds):
        tasks = Tasks(module, n)
        if prepare is not None:
            prepare(tasks)
        began = time.thread_time()
        run(tasks)
        results.append((time.thread_time() - began) / n * 1e6)
        if tasks.probe.failed:
            raise RuntimeError("the probe could not follow these tasks")
    return min(results)


def main():
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    module = {"__name__": "roast_dask"}
    with open(sys.argv[1]) as file:
        exec(compile(file.read(), sys.argv[1], "exec"), module)
    plain = min(measure_scheduler(n) for _ in range(rounds)) / n * 1e6
    stub = best(module, 5000, lambda tasks: tasks.call(SchedulerPlugin().transition))
    hook = best(module, 5000, lambda tasks: tasks.call(tasks.probe.transition)) - stub
    rows = best(module, 5000, Tasks.tell, lambda tasks: tasks.call(tasks.probe.transition))
    print("%d tasks that do nothing, best of %d rounds, %s" % (n, rounds, PYTHON))
    print("  scheduler without roast         %6.1f µs of CPU per task" % plain)
    print("  transition hook                 %6.1f µs beside the stub's %.1f; rows %.1f µs: %.2f %% (limit 2)" % (
        hook, stub, rows, 100 * (hook + rows) / plain))


main()
