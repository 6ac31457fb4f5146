#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The probe and the worker plugin in a real scheduler and real workers of this process: test-probe.py PROBE.py WORKER.py
CLIENT.py, which are the installed texts. It runs in a Python that has Dask."""

import asyncio
import concurrent.futures
import json
import logging
import os
import pathlib
import socket
import sys
import threading
import time
import unittest
import unittest.mock
import urllib.request

import distributed
from distributed import Client, LocalCluster, preloading, secede, span

SOURCES = {name: pathlib.Path(sys.argv.pop(1)).read_text() for name in ("probe", "worker", "client")}
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


def load_probe(text="probe"):
    names = {"__name__": "roast_dask"}
    exec(SOURCES[text], names)
    return names


def collect_rows(lines, table):
    return [row for row in map(json.loads, lines) if type(row) is list and row[0] == table]


KEY = ("a-context", "a-part", "seconds")  # of a digest of a worker


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
        self.cluster = await LocalCluster(n_workers=2, threads_per_worker=1, processes=False, asynchronous=True, dashboard_address="127.0.0.1:0",
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
        """A worker's answer counts even if a later heartbeat arrives first. A heartbeat omits small changes of CPU time."""
        probe, _ = await self.install()
        worker = next(iter(self.cluster.workers.values()))
        plugin, known = worker.plugins["roast"], probe.by_id[worker.id]
        collect = plugin.collect
        key = ("execute", "span", "late", "thread-cpu", "seconds")
        for total in 1.5, 3.0:
            worker.digest_metric(key, 1.5)
            answer, heartbeat = collect(False), collect(True)
            worker.digest_metric(key, 0.25)
            latest = collect(True)
            probe.take_news(**heartbeat)
            probe.take_news(**answer)
            (number,) = (number for labels, number in probe.keys.numbers.items() if "late" in labels)
            self.assertEqual(known.values[number], total)
            worker.digests_total[key] -= 0.25
        probe.take_news(**latest)
        self.assertEqual(known.values[number], 3.25)
        probe.take_news(**answer)
        self.assertEqual(known.values[number], 3.25)
        times = [{("process", "small"): value} for value in (1.0, 1.05, 1.05)]
        with unittest.mock.patch.object(plugin.process, "read_times", side_effect=times):
            earlier, answer, heartbeat = collect(True), collect(False), collect(True)
        for news in earlier, heartbeat, answer:
            probe.take_news(**news)
        (number,) = (number for labels, number in probe.keys.numbers.items() if "small" in labels)
        self.assertEqual(known.values[number], 1.05)

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

    # ---- data on their way ----

    def get_worker(self, i=0):
        return list(self.cluster.workers.values())[i]

    async def install_quiet(self):
        """Install the probe. Afterwards, workers send data only if the test makes them."""
        probe, names = await self.install()
        await until(lambda: all(worker.serial > 0 for worker in probe.workers.values()))
        for worker in self.cluster.workers.values():
            worker.periodic_callbacks["heartbeat"].stop()
        probe.tick.cancel()
        return probe, names

    def get_value(self, probe, worker):
        number = probe.keys.numbers.get(("a-context", None, None, "a-part", "seconds"))
        return probe.workers[worker.address].values.get(number, 0.0)

    async def test_unanswered_flush(self):
        """Values in an answer that came too late come with the next heartbeat."""
        probe, _ = await self.install_quiet()
        worker = self.get_worker()
        answer = worker.handlers["roast_digests"]

        async def answer_late(**arguments):
            news = await answer(**arguments)
            await asyncio.sleep(1)
            return news

        worker.digest_metric(KEY, 5.0)
        with unittest.mock.patch.dict(worker.handlers, roast_digests=answer_late):
            self.assertEqual(await probe.flush(0.2), [worker.address])
        await worker.heartbeat()
        self.assertEqual(self.get_value(probe, worker), 5.0)

    async def test_lost_heartbeat(self):
        """Values of a heartbeat that did not reach the scheduler come with the next one."""
        probe, _ = await self.install_quiet()
        worker = self.get_worker()
        await worker.heartbeat()
        worker.digest_metric(KEY, 5.0)
        with unittest.mock.patch.object(worker, "scheduler") as scheduler:
            scheduler.heartbeat_worker.side_effect = OSError("the connection broke")
            await worker.heartbeat()
        self.assertEqual(self.get_value(probe, worker), 0.0)
        await worker.heartbeat()
        self.assertEqual(self.get_value(probe, worker), 5.0)

    async def test_address_of_an_earlier_worker(self):
        """A heartbeat counts for the worker that sent it, not for a later worker with the same address."""
        probe, _ = await self.install_quiet()
        old, new = self.get_worker(0), self.get_worker(1)
        old.digest_metric(KEY, 5.0)
        self.scheduler.handlers["heartbeat_worker"](address=new.address, now=time.time(), metrics=await old.get_metrics(), executing={})
        self.assertEqual(self.get_value(probe, new), 0.0)
        self.assertEqual(self.get_value(probe, old), 5.0)

    async def test_gap_of_one_reader(self):
        """What a reader after a gap learns from its snapshot, other readers still learn from their lines."""
        probe, names = await self.install_quiet()
        _, cursor = probe.begin_reading()
        with span("of the user"):
            doors[0].set()
            await self.client.gather(self.submit(0, 0, 1))
        probe.read(-1, 1 << 20)
        probe.next_spans = 0.0
        probe.sample(True)
        text, _ = probe.read(cursor, 1 << 20)
        self.assertIn("of the user", [row[2] for row in collect_rows(text.splitlines(), "span")])

    async def test_worker_that_left_in_a_gap(self):
        """A reader learns after a gap that a worker left in the gap, and its last values."""
        probe, _ = await self.install_quiet()
        _, cursor = probe.begin_reading()
        for worker in self.cluster.workers.values():
            worker.digest_metric(KEY, 5.0)
        known = dict(probe.workers)
        self.cluster.scale(1)
        await until(lambda: len(probe.workers) == 1)
        (number,) = {worker.number for worker in known.values()} - {worker.number for worker in probe.workers.values()}
        await until(lambda: not probe.leaving or probe.sample(True))
        probe.ring.clear()
        text, _ = probe.read(cursor, 1 << 20)
        lines = text.splitlines()
        self.assertIn(5.0, [row[3] for row in collect_rows(lines, "v") if row[1] == number])
        self.assertEqual([row[12] for row in collect_rows(lines, "worker") if row[1] == number and len(row) > 10], [None])

    async def test_silent_when_measuring_begins(self):
        """A new reader learns that a worker's earlier work counts, because the worker did not say what it had done."""
        probe, _ = await self.install_quiet()

        async def never(**arguments):
            await asyncio.sleep(300)

        worker = self.get_worker()
        with unittest.mock.patch.dict(worker.handlers, roast_digests=never), unittest.mock.patch.dict(probe.flush.__globals__, LAST_WORDS=0.2):
            answer = await probe.on_client_poll(reader="a", run="b")
        probe.sample()
        text, _ = probe.read(answer["next"], 1 << 20)
        self.assertIn(worker.address, str(collect_rows(text.splitlines(), "event")))

    # ---- readers over HTTP ----

    def ask(self, path, data=None):
        url = "http://127.0.0.1:%d/roast/v1/%s" % (self.scheduler.http_server.port, path)
        request = urllib.request.Request(url, data, {"Authorization": "Bearer secret"})

        def send():
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read().decode().splitlines()

        return asyncio.get_running_loop().run_in_executor(None, send)

    async def test_flushes_in_turn(self):
        """A flush brings all values, also just after the flush of another reader."""
        probe, _ = await self.install_quiet()
        probe.tokens.add("secret")
        await self.ask("flush?id=1", b"")
        self.get_worker().digest_metric(KEY, 5.0)
        await self.ask("flush?id=2", b"")
        self.assertEqual(self.get_value(probe, self.get_worker()), 5.0)

    async def test_restarted_scheduler(self):
        """A reader of an earlier scheduler at this address learns that it reads another one, which numbers its workers from 0 again."""
        probe, _ = await self.install_quiet()
        probe.tokens.add("secret")
        lines = await self.ask("poll?cursor=0&boot=another")
        self.assertEqual([row[2] for row in collect_rows(lines, "hello")], [probe.boot])
        self.assertTrue(collect_rows(lines, "base"))
        self.assertFalse(collect_rows(lines, "v"))

    # ---- clients that forward lines ----

    async def start_relay(self, lines):
        async def keep(text):
            lines.extend(text.splitlines())

        client = await Client(self.cluster, asynchronous=True, set_as_default=False)
        self.addAsyncCleanup(client.close)
        relay = load_probe("client")["Relay"](client, keep, "a run", sources=SOURCES)
        await relay.begin()
        return relay

    def count_done(self, lines):
        """Return the number of rows of done tasks, and the number of done tasks that the totals count for this reader."""
        base, last = ({row[1]: row[2] for row in collect_rows(lines, table)} for table in ("totals-base", "totals"))
        return len(collect_rows(lines, "t")), sum((base | last).values()) - sum(base.values())

    async def test_relays_in_turn(self):
        """Tasks that end after a client has closed count for the next client of the same program, also before that client notices."""
        first, second = [], []
        relay = await self.start_relay(first)
        other = await self.start_relay(second)
        self.assertTrue(other.idle)
        doors[0].set()
        await self.client.gather(self.submit(0, 0, 3))
        await relay.finish()
        await self.client.gather(self.submit(0, 10, 4))
        await other.begin()
        await self.client.gather(self.submit(0, 20, 5))
        await other.finish()
        self.assertEqual(self.count_done(first), (3, 3))
        self.assertEqual(self.count_done(second), (9, 9))

    async def test_close_while_sending(self):
        """Lines that are being sent when the client closes arrive, once and in order."""
        mine, other = socket.socketpair()
        with mine, other:
            mine.setblocking(False)
            connection = load_probe("client")["Connection"](mine, "token")
            text = "".join("[%d]\n" % i for i in range(200000))
            sending = asyncio.ensure_future(connection.send(text))
            await asyncio.sleep(0.1)
            sending.cancel()
            last = asyncio.ensure_future(connection.send("[-1]\n"))
            received = await asyncio.get_running_loop().run_in_executor(None, read_until, other, b"[-1]\n")
            await last
        self.assertEqual(received.split(b"\n", 1)[1].decode(), text + "[-1]\n")


def read_until(connection, end):
    received = b""
    connection.settimeout(60)
    while not received.endswith(end):
        received += connection.recv(1 << 20)
    return received


if __name__ == "__main__":
    unittest.main()
