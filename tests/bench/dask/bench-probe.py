#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The cost of the probe for a Dask scheduler, with simulated workers that send heartbeats as often as Dask lets them.

The probe is the real one, and so are the WorkerState objects; the scheduler around them is a stub, since 10,000 workers do not
fit on one machine. Prints CPU time per second of sampling and bytes per second beside the limits, and beside the peer: one poll per
second of Dask's own route with the state of all workers. Then the CPU time of roast-run for the same lines (the second program).

usage: bench-probe.py PROBE.py BENCH-LINES [SECONDS]
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import types

from distributed.scheduler import Status, WorkerState

PREFIXES = 5
KEYS = [("execute", "span-0", "prefix-%d" % p, activity, "seconds") for p in range(PREFIXES)
        for activity in ("thread-cpu", "thread-noncpu", "executor", "other")] + [
    ("gather-dep", None, None, activity, unit) for activity, unit in (("network", "seconds"), ("memory-write", "bytes"), ("memory-write", "count"))]


def heartbeat_interval(n):
    """distributed.scheduler.heartbeat_interval: the more workers, the rarer."""
    return 0.5 if n <= 10 else 1.0 if n < 50 else 2.0 if n < 200 else n / 200 + 1


def make_metrics(i):
    return {
        "task_counts": {"executing": 2, "memory": 10}, "managed_bytes": 1000 * i, "spilled_bytes": {"memory": 0, "disk": 0},
        "transfer": {}, "event_loop_interval": 0.0201, "cpu": 97.5 + i % 7, "memory": 300_000_000 + 4096 * i, "time": time.time(),
        "host_net_io": {"read_bps": 12345.678 + i, "write_bps": 2345.678}, "host_disk_io": {"read_bps": 0.0, "write_bps": 8192.0},
        "num_fds": 40, "digests_total_since_heartbeat": {},
    }


def make_scheduler(n):
    workers = {}
    for i in range(n):
        address = "tcp://10.%d.%d.%d:4%04d" % (i >> 16, i >> 8 & 255, i & 255, i % 10000)
        state = WorkerState(address=address, status=Status.running, pid=0, name=i, nthreads=4, memory_limit=16 << 30,
                            local_directory="/", nanny=None, server_id="Worker-%d" % i)
        state.metrics = make_metrics(i)
        try:
            state._occupancy_cache = 1.5
        except AttributeError:
            state.scheduler_ref = lambda: types.SimpleNamespace(_calc_occupancy=lambda *arguments: 1.5)
        workers[address] = state
    return types.SimpleNamespace(workers=workers, task_prefixes={}, task_groups={}, extensions={}, tasks={}, total_nthreads=4 * n,
                                 adaptive_target=lambda: n, id="Scheduler", address="tcp://10.0.0.1:8786")


def make_probe(module, n):
    probe = module["Probe"]()
    probe.scheduler = make_scheduler(n)
    probe.started = time.time()
    probe.ticks = types.SimpleNamespace(interval=0.02)
    probe.last_poll = time.monotonic()
    for address, state in probe.scheduler.workers.items():
        probe.join(address, state)
    return probe


def simulate(module, n, seconds, path):
    """CPU time and bytes per second, while all workers compute."""
    probe = make_probe(module, n)
    probe.sample(True)  # joins are once
    interval = heartbeat_interval(n)
    rare = interval > 2
    addresses = list(probe.scheduler.workers)
    due, beats = 0.0, [0] * n
    position, cpu = 0, 0.0
    start = probe.hello() + probe.ring.since(0, 1 << 30)[0]
    first = probe.ring.next
    per_second = n / interval
    for _ in range(seconds):
        due += per_second
        batch = []
        while due >= 1:
            i = position % n
            position += 1
            due -= 1
            beats[i] += 1
            news = None
            # As the worker's plugin does: all that changed, but rarely where heartbeats are rare.
            if not rare or beats[i] % 10 == i % 10:
                news = {"serial": beats[i], "rows": [[list(key), beats[i] * 1.234567 + k] for k, key in enumerate(KEYS)], "pid": 4711 + i}
            probe.scheduler.workers[addresses[i]].metrics["memory"] += 4096
            batch.append((addresses[i], news))
        began = time.thread_time()
        for address, news in batch:
            probe.guard("heartbeats", probe.on_heartbeat, address, news)
        probe.sample()
        cpu += time.thread_time() - began
    text = probe.ring.since(first, 1 << 30)[0]
    with open(path, "w") as file:
        file.write(start + text)
    return per_second, cpu / seconds, len(text) / seconds


def stock_poll(n):
    """The peer: one GET of Dask's own /json/identity.json, (CPU time of the scheduler, bytes)."""
    workers = make_scheduler(n).workers
    began = time.thread_time()
    text = json.dumps({address: dict(state.identity(), metrics=state.metrics) for address, state in workers.items()}, default=str)
    return time.thread_time() - began, len(text)


def main():
    probe_path, reader, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 60
    module = {"__name__": "roast_dask"}
    with open(probe_path) as file:
        exec(compile(file.read(), probe_path, "exec"), module)
    import distributed

    print("probe in the scheduler: distributed %s, Python %d.%d, all workers computing, without rows of tasks" % (
        (distributed.__version__,) + sys.version_info[:2]))
    print("  workers  heartbeats/s  CPU per s (limit 1 ms at 10,000)  kB/s (limit 50)  one stock poll            ratio  roast-run's side, of a core")
    with tempfile.TemporaryDirectory() as directory:
        for n in (10, 100, 1000, 10000):
            path = os.path.join(directory, "lines")
            rate, cpu, size = simulate(module, n, seconds, path)
            peer, peer_size = stock_poll(n)
            answer = subprocess.run([reader, path, str(seconds)], capture_output=True, text=True, check=True).stdout.strip()
            print("  %7d  %12.1f  %8.2f ms  %8.1f kB  %7.2f ms %9.1f kB  %5.1fx  %s" % (
                n, rate, cpu * 1e3, size / 1e3, peer * 1e3, peer_size / 1e3, peer / cpu, answer))


main()
