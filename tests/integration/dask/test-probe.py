#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The probe and the worker plugin in a real scheduler and real workers of this process: test-probe.py PROBE.py WORKER.py, which are the
installed texts. It runs in a Python that has Dask."""

import asyncio
import concurrent.futures
import json
import logging
import os
import pathlib
import sys
import threading
import time
import unittest
import unittest.mock

import distributed
from distributed import Client, LocalCluster, preloading, secede

SOURCES = {name: pathlib.Path(sys.argv.pop(1)).read_text() for name in ("probe", "worker")}
distributed._roast_doors = doors = [threading.Event(), threading.Event()]  # where tasks, which arrive by value, find them


def hold(i, door):
    distributed._roast_doors[door].wait(300)
    return i


def compute_outside(i):
    """Compute outside the pool of threads: the thread then ends with its task."""
    secede()
    end = time.thread_time() + 0.05
    while time.thread_time() < end:
        pass


async def until(condition):
    for _ in range(30000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("this did not happen within minutes")


def load_probe():
    names = {"__name__": "roast_dask"}
    exec(SOURCES["probe"], names)
    return names


class Cost(unittest.TestCase):
    def test_waiting(self):
        """Time in which other threads use the core is not a cost of the probe."""
        probe = load_probe()["Probe"]()
        for _ in range(64):
            probe.guard("nothing", time.sleep, 0.02)
        self.assertEqual(probe.hooks_timed, 1)
        self.assertLess(probe.hook_time, 0.02)


class Rows(unittest.TestCase):
    def test_text(self):
        """Rows of attempts are made as text: they decode to the task's name and times."""
        names = load_probe()
        probe = names["Probe"]()
        life = names["Life"]()
        life.number, life.n_inputs = 3, 0
        facts = {"nbytes": 28, "startstops": [{"action": "transfer", "start": 0.5, "stop": 0.75},
                                              {"action": "compute", "start": 1.0, "stop": 1.5, "roast": (0.25, None, 0.0)}]}
        name = 'say "None"\n\u2028'
        probe.ended = [(name, life, None, None, 5, None, names["DONE"], facts, True, 1600000),
                       (name, life, 4, None, 5, None, names["KILLED_WORKER"], {}, False, 1600000)]
        rows = [json.loads(line) for line in names["encode_rows"](probe.task_rows(0.0, False)).splitlines()]
        self.assertEqual(rows, [
            ["t", name, 3, None, None, None, 5, None, 1000000, 500000, 1600000, 28, 0.25, 0, None, None, None, True],
            ["phase", 500000, 250000],
            ["t", name, 3, None, 4, None, 5, None, None, None, 1600000, None, None, 0, "killed_worker", "KilledWorker", None, False],
        ])


class Preloads(unittest.TestCase):
    def test_threads(self):
        """Clients that tasks make in several threads of a worker load roast's preload module at the same time."""
        load = preloading._import_module
        self.addCleanup(setattr, preloading, "_import_module", load)
        with unittest.mock.patch.dict(os.environ, ROAST_DASK_CLIENT="1"):
            exec(SOURCES["worker"], {"__name__": "roast_dask"})
        barrier = threading.Barrier(8)

        def make_client(i):
            barrier.wait(300)
            for _ in range(20):
                preloading.process_preloads(None, ["x = %d" % i], [])

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(make_client, range(8)))


class Cluster(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        for door in doors:
            door.clear()
        self.cluster = await LocalCluster(n_workers=2, threads_per_worker=1, processes=False, asynchronous=True, dashboard_address=None,
                                          silence_logs=logging.ERROR)
        self.client = await Client(self.cluster, asynchronous=True)
        self.scheduler = self.cluster.scheduler

    async def asyncTearDown(self):
        for door in doors:
            door.set()
        await self.client.close()
        await self.cluster.close()

    async def install(self, meanwhile=None):
        names = load_probe()
        probe = names["Probe"](SOURCES["worker"])
        register = probe.register

        async def register_late(*arguments, **keywords):
            if meanwhile is not None:
                await meanwhile()
            await register(*arguments, **keywords)

        probe.register = register_late
        await self.scheduler.register_scheduler_plugin(probe, name="roast", idempotent=True)
        self.assertIsNone(probe.broken)
        return probe, names

    def submit(self, door, first, n):
        return [self.client.submit(hold, i, door, key=f"hold-{i}") for i in range(first, first + n)]

    def count_running(self):
        return sum(len(worker.state.executing) for worker in self.cluster.workers.values())

    async def test_busy_while_installed(self):
        """Tasks begin and end, and workers join and leave, while the probe is being installed."""
        first = self.submit(0, 0, 4)
        await until(lambda: self.count_running() == 2)
        later = []

        async def work():
            if later:
                return
            doors[0].set()
            await self.client.gather(first)
            self.cluster.scale(3)
            await until(lambda: len(self.scheduler.workers) == 3)
            await self.scheduler.retire_workers(workers=[next(iter(self.scheduler.workers))])
            later.extend(self.submit(1, 10, 5))
            await until(lambda: self.count_running() == 2)

        probe, names = await self.install(work)
        self.assertEqual(set(probe.workers), set(self.scheduler.workers))
        self.assertEqual(set(probe.lives), {future.key for future in later})
        doors[1].set()
        await self.client.gather(later)
        totals = [sum(column) for column in zip(*probe.totals.values())]
        self.assertEqual(totals[names["DONE"]], 5)
        self.assertEqual(totals[names["UNFINISHED"]], 0)
        self.assertEqual(totals[names["ATTEMPTS"] + names["DONE"]], 5)

    async def test_slow_counts(self):
        """Counts that other programs slowed down are taken again as soon as others."""
        probe, _ = await self.install()
        with unittest.mock.patch.object(self.scheduler, "adaptive_target", lambda: time.sleep(0.2)):
            self.assertIsNotNone(probe.get_counts(True))
            probe.next_counts = 0.0
            self.assertIsNotNone(probe.get_counts(False))
        self.assertLess(probe.next_counts, time.monotonic() + 100)

    async def test_overtaken(self):
        """A worker's answer counts even if a later heartbeat, which omits what the answer contains, arrives first."""
        probe, _ = await self.install()
        worker = next(iter(self.cluster.workers.values()))
        collect, known = worker.plugins["roast"].collect, probe.by_id[worker.id]
        key = ("execute", "span", "late", "thread-cpu", "seconds")
        for total in 1.5, 3.0:
            worker.digest_metric(key, 1.5)
            answer, heartbeat = collect(False), collect(True)
            worker.digest_metric(key, 0.25)
            latest = collect(True)
            probe.take_digests(known, **heartbeat)
            probe.take_digests(known, **answer)
            (number,) = (number for labels, number in probe.keys.numbers.items() if "late" in labels)
            self.assertEqual(known.values[number], total)
            worker.digests_total[key] -= 0.25
        probe.take_digests(known, **latest)
        self.assertEqual(known.values[number], 3.25)
        probe.take_digests(known, **answer)
        self.assertEqual(known.values[number], 3.25)

    async def test_workers_in_turn(self):
        """CPU time that a process used before its earlier workers closed does not count for its next workers."""
        await self.install()
        self.cluster.scale(0)
        await until(lambda: not self.cluster.workers and not hasattr(distributed, "_roast_process"))
        before = time.process_time()
        self.cluster.scale(2)
        await until(lambda: sum("roast" in worker.plugins for worker in self.cluster.workers.values()) == 2)
        rows = [row for worker in self.cluster.workers.values() for row in worker.plugins["roast"].collect(False)["rows"]]
        self.assertLess(sum(value for key, value in rows if key[0] == "process"), time.process_time() - before + 0.1)
        self.assertGreater(before, 0.2)

    async def test_threads_that_end(self):
        """The CPU time of a thread that ended between two readings counts once, also if the workers of a process close in turn."""
        self.cluster.scale(0)
        await until(lambda: not self.scheduler.workers)
        await self.install()
        self.cluster.scale(2)
        await until(lambda: sum("roast" in worker.plugins for worker in self.cluster.workers.values()) == 2)
        plugins = [worker.plugins["roast"] for worker in self.cluster.workers.values()]
        names = [worker.address for worker in self.cluster.workers.values()]
        shared = plugins[0].process.shared
        before = time.process_time()
        for plugin in plugins:
            plugin.worker.metrics.pop("roast")  # No heartbeat may see a thread before it ends.
            plugin.collect(False)
        await self.client.gather([self.client.submit(compute_outside, i, pure=False, workers=[name]) for i in range(6) for name in names])
        sums = []
        for plugin in sorted(plugins, key=lambda plugin: plugin.process.id != shared["owner"]):
            rows = plugin.collect(False)["rows"]
            sums.append(sum(value for key, value in rows if key[0] == "process" and key[3] != "children"))
            plugin.process.close()
        self.assertLess(sum(sums), time.process_time() - shared["base"] + 0.001)
        self.assertGreater(time.process_time() - before, 12 * 0.05)


if __name__ == "__main__":
    unittest.main()
