# SPDX-License-Identifier: BSD-3-Clause
"""Part 3 of 6: the scheduler's workers, from join to leave, and the data that they send."""

import asyncio
import time

# s; time to wait for the last data of a worker that left, and for the cause of its end
LEAVE_GRACE = 5.0
LAST_GRACE = 1.0  # s; time to wait for these data at the end of the measurement


class Worker:
    """One worker, from join to leave."""

    __slots__ = (
        "number", "address", "state", "facts", "id", "joined", "beat", "told", "late", "queued", "serial", "values", "final", "known", "pid",
        "pid_namespace", "process", "left", "reason", "restarted", "killed", "of_kernel", "exit_code",
    )

    def __init__(self, number, address, state, now):
        self.number = number
        self.address = address
        self.state = state  # Dask's state of the worker; None after the worker left
        self.facts = (str(state.name)[:NAME], state.host, state.nthreads, state.memory_limit or None)
        self.id = state.server_id
        self.joined = now
        self.beat = now  # time of the last heartbeat
        self.told = now  # time when digests of the worker last arrived
        self.late = 0.0  # longest delay of the worker's event loop since the worker's last row
        self.queued = None  # how long the worker's event loop and tasks have waited for a core since the last row
        self.serial = 0
        self.values = {}  # maps the number of a key to its cumulative value
        self.final = False
        self.known = None  # whether the worker's version of Dask has digests; None if unknown
        self.pid = self.pid_namespace = None
        self.process = {}  # facts about the worker's process
        self.left = None
        self.reason = None  # reason why the worker closed, in its own words
        self.restarted = False  # the script restarted all workers
        self.killed = False  # the nanny killed the worker because the worker used too much memory
        self.of_kernel = None  # whether the kernel killed the worker because memory ran out; None if unknown
        self.exit_code = None  # exit code of the worker's process; negative for a signal

    def is_settled(self, now, grace=LEAVE_GRACE):
        """Return whether nothing more is expected about a worker that left."""
        return self.final or self.killed or self.exit_code is not None or now - self.left > grace

    def get_end(self):
        """Return (cause, exit code, signal). The cause is a word of the vocabulary worker_end."""
        reason = self.reason or ""
        if self.killed:
            return "memory", None, None
        if self.of_kernel:
            return "memory", None, -self.exit_code
        if self.restarted or "restart" in reason:
            return "restarted", None, None
        if reason.startswith("signal-") and reason[7:].isdecimal():
            return "signal", None, int(reason[7:])
        if self.final or reason:
            return "closed", None, None
        if self.exit_code is None:
            return "lost", None, None
        return ("signal", None, -self.exit_code) if self.exit_code < 0 else ("exited", self.exit_code, None)


class Workers:
    """The part of the probe that tracks workers."""

    def join(self, address, state):
        self.n_workers += 1
        worker = Worker(self.n_workers, address, state, time.time())
        self.workers[address] = worker
        self.by_id[worker.id] = worker
        self.changed[worker] = None
        self.dirty[address] = worker.joined  # a worker sends metrics when it registers
        return worker

    def add_worker(self, scheduler, worker):
        self.guard("workers", self.join, worker, scheduler.workers[worker])

    def remove_worker(self, scheduler, worker, **kwargs):
        self.guard("workers", self.leave, worker)

    def restart(self, scheduler):
        for worker in self.workers.values():
            worker.restarted = True
        self.event("warning", "restarted", "the script restarted the cluster, which replaced all workers")

    def leave(self, address):
        worker = self.workers.pop(address, None)
        if worker is None:
            return
        worker.left = time.time()
        if address in self.dirty:
            self.attempt("samples", self.keep_last_row, worker)
        self.attempt("ends of workers", self.look_for_end, worker)
        worker.state = None
        self.dirty.pop(address, None)
        self.leaving.append(worker)

    def keep_last_row(self, worker):
        now = time.time()
        row = self.sample_row(worker, self.dirty.pop(worker.address), now)
        self.ring.add([self.now_row(now), *self.worker_rows(now, True), row])

    def messages_about(self, topic):
        """Return the scheduler's events under a topic, such as a worker's address, latest first."""
        get_events = getattr(self.scheduler, "get_events", None)
        events = get_events(topic) if get_events is not None else self.scheduler.events.get(topic, ())
        return [event[-1] for event in reversed(events) if isinstance(event[-1], dict)]

    def find_closing(self, address):
        """Return why the worker closed, in its own words; None if it did not say that it was closing."""
        for message in self.messages_about(address):
            if message.get("action") == "closing-worker":
                return str(message.get("reason") or "closed")[:200]
        return None

    def look_for_end(self, worker):
        worker.reason = self.find_closing(worker.address) or worker.reason
        # Read the event that the nanny of newer versions of Dask sends before it kills a worker.
        for message in self.messages_about("worker-restart-memory"):
            if message.get("worker") == worker.address and message.get("pid") == worker.pid:
                self.note_killed(worker, message.get("rss"))
                break

    def note_killed(self, worker, memory):
        worker.killed = True
        if memory:
            worker.process["peak"] = max(worker.process.get("peak") or 0, int(memory))
            self.dirty_processes[worker] = None

    async def on_worker_ended(self, comm=None, address=None, exit_code=None, killed=False, of_kernel=None, pid=None, peak=None, closing=False,
                              **more):
        """Handle a nanny's report of how its worker's process ended."""
        self.guard("ends of workers", self.take_end, address, exit_code, killed, of_kernel, pid, peak, closing)
        return "OK"

    def take_end(self, address, exit_code, killed, of_kernel, pid, peak, closing):
        left = [worker for worker in self.leaving if worker.address == address]
        worker = left[-1] if left else self.workers.get(address)
        # Ignore a report about an earlier worker at the same address, because a nanny may reuse an address.
        if worker is None or (pid is not None and worker.pid not in (None, pid)):
            return
        worker.exit_code = exit_code
        worker.of_kernel = of_kernel
        if closing and not of_kernel:
            worker.reason = worker.reason or "killed by its nanny, because it did not close in time"
        if killed:
            self.note_killed(worker, peak)
        self.settled.set()

    def on_heartbeat(self, address, news):
        worker = self.workers.get(address)
        if worker is None:
            return
        worker.beat = self.dirty[address] = time.time()
        if news:
            self.take_news(**news)

    def take_news(self, worker, **news):
        """Take data of the worker with an identity: another worker may have its address by now."""
        known = self.by_id.get(worker)
        if known is not None:
            self.take_digests(known, **news)

    def take_digests(
        self, worker, serial, rows, known=True, pid=None, pid_namespace=None, process=None, late=0.0, queued=None, **more
    ):
        if worker.final:
            return
        # An answer and a heartbeat take different connections, so the later one may arrive first. A heartbeat lacks small changes of CPU time.
        newest, worker.serial = serial > worker.serial, max(serial, worker.serial)
        worker.late = max(worker.late, late)
        if queued is not None:
            worker.queued = (worker.queued or 0.0) + queued
        worker.known = known
        worker.told = time.time()
        self.news[worker] = None
        if pid is not None and worker.pid is None:
            worker.pid, worker.pid_namespace = pid, pid_namespace
            if worker.left is None:
                self.changed[worker] = None
        if newest and process is not None and process != worker.process:
            worker.process = process
            self.dirty_processes[worker] = None
        numbers, values, dirty = self.keys, worker.values, self.dirty_values
        for key, value in rows:
            number = numbers.get(tuple(key))
            # The sums only grow, so the larger one is the later one. Each message contains those of cancelled attempts.
            if values.get(number) != value and (newest or (value > values.get(number, 0.0) and key[0] != "cancelled")):
                values[number] = value
                dirty[(worker, number)] = None

    async def on_digests(self, comm=None, **news):
        self.guard("data of workers", lambda: self.take_news(**news))
        return "OK"

    async def on_last_digests(self, comm=None, worker=None, **news):
        await self.on_digests(worker=worker, **news)
        known = self.by_id.get(worker)
        if known is not None:
            known.final = True
            self.settled.set()
        return "OK"

    async def flush(self, timeout):
        """Request all data from each worker. Return the addresses of workers that do not answer in time."""
        missing = []
        slots = asyncio.Semaphore(50)

        async def ask(worker):
            try:
                async with slots:
                    answer = await asyncio.wait_for(self.scheduler.rpc(worker.address).roast_digests(), timeout)
                self.take_news(**answer)
            except Exception:
                if not worker.final and worker.left is None:
                    missing.append(worker.address)

        asked = {asyncio.ensure_future(ask(worker)): worker for worker in list(self.workers.values())}
        if asked:
            # Ask all workers at once, so that waiting for many silent workers takes no longer than for one. Give thousands of workers
            # more time than a few to answer.
            _, late = await asyncio.wait(asked, timeout=max(2 * timeout, 0.002 * len(asked)))
            for task in late:
                task.cancel()
                missing.append(asked[task].address)
        if missing:
            self.event(
                "warning", "workers-silent",
                "%d of %d workers did not answer within %.0f s: their activities since their last heartbeat are missing. The first: %s"
                % (len(missing), len(asked), timeout, missing[0]),
            )
        await self.settle()
        return missing

    async def settle(self):
        """Wait for pending data from workers that just left."""
        while True:
            now = time.time()
            open_ends = [worker.left for worker in self.leaving if not worker.is_settled(now, LAST_GRACE)]
            if not open_ends:
                return
            self.settled.clear()
            try:
                await asyncio.wait_for(self.settled.wait(), max(open_ends) + LAST_GRACE - now + 0.01)
            except asyncio.TimeoutError:
                pass

    async def put_into_nannies(self):
        """Install the plugin in nannies, which know how a worker ended."""
        try:
            await self.register(self.scheduler.register_nanny_plugin, "RoastNannyPlugin")
        except Exception as error:
            self.fail("ends of workers", error)

    # ---- rows ----

    WORKER = declare(
        "worker", "number", "address", "name", "host", "cores", "memory_limit", "joined", "pid", "pid_namespace", "left", "leave_reason", "tail_lost",
        "cause", "exit_code", "signal", "oom_killed",
    )

    def worker_row(self, worker):
        """Return the row with all known facts about a worker that has not left."""
        return [self.WORKER, worker.number, worker.address, *worker.facts, us(worker.joined), worker.pid, worker.pid_namespace]

    def worker_rows(self, now, everything):
        """Return rows of workers that joined, or whose process ID became known."""
        changed, self.changed = self.changed, {}
        return [self.worker_row(worker) for worker in changed]

    # `before`: whether the row contains the state at the time when the reader began.
    PROCESS = declare("process", "worker", "memory_peak", "child_memory_peak", "started", "workers", "scheduler", "missing", "before",
                      "computing", "clock_offset", "clock_uncertainty")

    def process_row(self, worker, before=None):
        get = worker.process.get
        started = get("started")
        return [self.PROCESS, worker.number, get("peak"), get("child_peak"), started and us(started), get("workers"), get("scheduler"),
                get("missing") and str(get("missing"))[:NAME], before, get("computing"), get("clock_offset"), get("clock_uncertainty")]

    def process_rows(self, now, everything):
        dirty, self.dirty_processes = self.dirty_processes, {}
        return [self.process_row(worker) for worker in dirty]

    def leave_rows(self, now, everything):
        rows, still = [], []
        for worker in self.leaving:
            if not (everything or worker.is_settled(now)):
                still.append(worker)
                continue
            tail = None if worker.final else max(worker.left - worker.told, 0.0)
            end = worker.get_end()
            rows += self.last_value_rows(worker)
            reason = worker.reason or ("closed" if worker.final else "lost")
            row = self.worker_row(worker) + [us(worker.left), reason, tail, *end, worker.of_kernel]
            rows.append(row)
            values = self.known_values(self.VALUE, [worker])
            self.left.append((self.ring.next, encode_rows([self.worker_row(worker), self.process_row(worker), *values, row])))
            if tail is not None:
                self.event(
                    "warning",
                    "worker-lost",
                    "worker %s was lost (%s): no data about the last %.1f s of the worker" % (worker.address, describe_end(worker, *end), tail),
                )
            self.by_id.pop(worker.id, None)
        self.leaving = still
        return rows

    def last_value_rows(self, worker):
        """Return the worker's pending values: no row about a worker may follow its last row."""
        waiting = [pair for pair in self.dirty_values if pair[0] is worker]
        for pair in waiting:
            del self.dirty_values[pair]
        fresh = self.activity_rows(self.keys.take_fresh())
        return fresh + [[self.VALUE, worker.number, number, worker.values[number]] for _, number in waiting]


def describe_end(worker, cause, exit_code, signal):
    if cause == "memory":
        return "the kernel killed it because memory ran out" if worker.of_kernel else "its nanny killed it because it used too much memory"
    if cause == "signal":
        return "its process was killed by signal %d" % signal
    if cause == "exited":
        return "its process ended with exit status %d" % exit_code
    return worker.reason or "its connection broke, and nothing reported why"
