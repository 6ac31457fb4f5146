# SPDX-License-Identifier: BSD-3-Clause
"""Part 5 of 5: the worker plugin.

Reads Worker.digests_total, which is cumulative, and complete as soon as the scheduler knows that a task is finished. Sends it, with CPU
time and memory of the process, in the worker's own heartbeats, on request, and when the worker closes. Changes nothing and keeps no
timer.
"""

import asyncio
import os

from distributed.diagnostics.plugin import WorkerPlugin

# Interval of heartbeats in clusters of hundreds of workers, s. Only every TENTH heartbeat then carries digests.
RARE = 2.0
TENTH = 10
NAME = 400  # maximum length of a name, characters
CANCELLED = ("cancelled", "seconds")


def labels(key):
    """Return (context, span, prefix, activity, unit) of a key of digests_total; None where a label does not apply."""
    context, rest, unit = key[0], key[1:-1], key[-1]
    span = prefix = None
    if context == "execute" and len(rest) >= 2:
        span, prefix, *rest = rest
    elif context == "p2p" and len(rest) >= 1:
        span, *rest = rest
    # Convert and shorten the labels: a label that the script defines may have any type and length.
    return [str(context), span and str(span), prefix and str(prefix)[:NAME], "/".join(map(str, rest))[:NAME], str(unit)[:NAME]]


class RoastWorkerPlugin(WorkerPlugin):
    name = "roast"
    worker_clock = None
    tasks = None

    def __init__(self, clock=None):
        self.clock = clock  # the scheduler's clock

    def setup(self, worker):
        self.worker = worker
        self.sent = {}  # values in the last heartbeats, which contain only changes
        self.round_trips = None
        self.serial = 0
        self.beats = 0
        self.ticks = Ticks(worker)
        self.queue = Queue()
        try:
            self.pid_namespace = os.stat("/proc/self/ns/pid").st_ino
        except OSError:
            self.pid_namespace = None
        try:
            self.process, self.failure = Process(worker), None
        except Exception as error:
            self.process, self.failure = None, "%s: %s" % (type(error).__name__, error)
        try:
            self.worker_clock = WorkerClock(worker, self.clock)
            self.tasks = TaskTimes(worker, self.worker_clock, self.process and self.process.threads)
        except Exception:
            self.tasks = self.worker_clock = None  # this version of Dask is unknown to roast; rows of tasks lack these times
        worker.handlers["roast_digests"] = self.all_digests
        worker.metrics["roast"] = self.on_heartbeat
        # Send the first data now, because the first heartbeat is a second away, and the worker may have ended by then.
        self.first = asyncio.ensure_future(self.introduce(worker))

    async def introduce(self, worker):
        try:
            await asyncio.wait_for(worker.scheduler.roast_digests(**self.collect(changed_only=False)), 10)
        except Exception:
            pass  # heartbeats contain the same data

    def transition(self, key, start, finish, **more):
        try:
            self.tasks.transition(key, start, finish)
        except Exception:
            pass  # the row of the task lacks these times

    def collect(self, changed_only):
        # No lock is needed: this runs in the worker's event loop, in which all digests are written, so no digest changes in the meantime.
        rows = []
        sent = self.sent
        digests = getattr(self.worker, "digests_total", {})
        asked = self.tasks.asked if self.tasks is not None else ()  # TaskTimes divides the values of these
        for key, value in digests.items():
            if type(key) is not tuple or len(key) < 3 or (key[-2:] == CANCELLED and key[1:-2] in asked):
                continue
            if changed_only:
                if sent.get(key) == value:
                    continue
                sent[key] = value
            rows.append([labels(key), float(value)])
        if self.tasks is not None:
            rows += self.tasks.more_rows(digests)
        self.serial += 1
        process = self.collect_process(rows, changed_only)
        return {
            "worker": self.worker.id,
            "serial": self.serial,
            "rows": rows,
            "known": hasattr(self.worker, "digests_total"),
            "pid": os.getpid(),
            "pid_namespace": self.pid_namespace,
            "late": self.ticks.look(),
            # Include the time of task threads, because a task that holds Python's lock while it waits for a core blocks the event loop.
            "queued": self.queue.look(self.process.waited if self.process else 0.0),
            "process": process,
        }

    def collect_last(self):
        """Collect the data of a closing worker. A thread cannot be stopped, so cancelled tasks may still run."""
        answer = self.collect(changed_only=False)
        active = set(getattr(self.worker, "active_threads", ())) - (self.tasks.raised if self.tasks is not None else set())
        answer["process"]["computing"] = len(active) or None
        return answer

    def collect_process(self, rows, changed_only):
        """Add CPU times to the rows, and return the other facts about the process."""
        try:
            if self.process is None:
                return {"missing": "the worker's process cannot be measured (%s)" % self.failure}
            for key, value in self.process.read_times().items():
                if changed_only:
                    if abs(value - self.sent.get(key, 0.0)) < STEP:
                        continue
                    self.sent[key] = value
                rows.append([[key[0], None, None, key[1], "seconds"], value])
            return self.process.read_facts(self.worker_clock)
        except Exception as error:
            return {"missing": "the worker's process cannot be measured (%s: %s)" % (type(error).__name__, error)}

    def on_heartbeat(self, worker):
        self.beats += 1
        # Send all values again if the last heartbeat failed: then Dask measured no round trip.
        round_trips, self.round_trips = self.round_trips, read_round_trips(worker)
        if round_trips == self.round_trips:
            self.sent.clear()
        if self.worker_clock is not None:
            self.worker_clock.look()
        heartbeat = worker.periodic_callbacks.get("heartbeat")
        rare = heartbeat is not None and heartbeat.callback_time > RARE * 1000
        if rare and self.beats % TENTH:
            return None
        return self.collect(changed_only=True)

    async def all_digests(self, comm=None):
        return self.collect(changed_only=False)

    async def teardown(self, worker):
        # Before sending, collect the last data and stop further digests, because sending may take a while.
        answer = self.collect_last()
        worker.metrics.pop("roast", None)
        worker.handlers.pop("roast_digests", None)
        if self.process is not None:
            self.process.close()
        if self.tasks is not None:
            self.tasks.close()
        try:
            await asyncio.wait_for(worker.scheduler.roast_last_digests(**answer), 2)
        except Exception:
            pass  # The scheduler is gone or busy; it has the data from the heartbeats.
