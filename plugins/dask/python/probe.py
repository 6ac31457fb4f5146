# SPDX-License-Identifier: BSD-3-Clause
"""What roast puts into a Dask scheduler: samples what it knows, and keeps it as lines of JSON for who reads them.

Lines go to the run's socket, if the scheduler runs inside what roast-run launched, and are served under /roast/v1 of the
scheduler's own HTTP server and to clients. docs/dask.md and the README of the plugin say what the lines hold.

Standard library and distributed only, Python 3.9 or newer. Nothing here may disturb the scheduler: each hook is guarded, work is
bounded per second, and what fails is said once.
"""

import asyncio
import hmac
import json
import os
import socket
import sys
import time
import uuid
from collections import deque

import dask.config
import dask.utils
import distributed
from distributed.diagnostics.plugin import SchedulerPlugin

SCHEMA = 1
RING_BYTES = 32 << 20  # of lines that wait for readers
LINE_ROWS = 400  # of a line
LINE_BYTES = 60_000  # below the 64 KiB of the run's socket
NAME = 400  # characters of a name
FINE_ROWS = 700  # fine metrics per sample; the others follow with the next ones, and all at a flush
TASK_ROWS = 200_000  # between two samples; what is beyond is counted
IDLE = 600  # s without a reader, until nothing is sampled any more
LEAVE_GRACE = 1.0  # s in which the last words of a worker that left may still come
SLOW = 0.005  # s that a sample may take before they become rarer
BLOCKED = 1.0  # s late: worth an event
SHARE = 0.001  # of the scheduler's time for counts that cost more with more tasks and workers
LAST_WORDS = 2.0  # s for the last data at the end


def encode(value):
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError:
        # json refuses what is no number: it becomes missing.
        return json.dumps(scrub(value), separators=(",", ":"))


def scrub(value):
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, (list, tuple)):
        return [scrub(item) for item in value]
    if isinstance(value, dict):
        return {key: scrub(item) for key, item in value.items()}
    return value


def complain(text):
    try:
        print("roast: " + text, file=sys.stderr, flush=True)
    except Exception:
        pass


class ByValue:
    """Something made of source text where it is unpickled: needs nothing installed there, and no common Python version."""

    def __init__(self, source, function, **arguments):
        self.call = (source, function, arguments)

    def __reduce__(self):
        source, function, arguments = self.call
        text = "(lambda n: (exec(n['source'], n), n[n['function']](**n['arguments']))[1])(%r)" % (
            {"source": source, "function": function, "arguments": arguments, "__name__": "roast_dask"},
        )
        return (eval, (text,))


class Ring:
    """The last lines, numbered; the oldest go first."""

    def __init__(self, max_bytes=RING_BYTES):
        self.lines = deque()
        self.first = 0  # number of the oldest line that is there
        self.bytes = 0
        self.max_bytes = max_bytes

    @property
    def next(self):
        return self.first + len(self.lines)

    def append(self, line):
        self.lines.append(line)
        self.bytes += len(line)
        while self.bytes > self.max_bytes and len(self.lines) > 1:
            self.bytes -= len(self.lines.popleft())
            self.first += 1

    def clear(self):
        self.first = self.next
        self.lines.clear()
        self.bytes = 0

    def since(self, cursor, max_bytes):
        """Lines from a number on, up to a size, at least one if there is one."""
        lines, size = [], 0
        for i in range(max(cursor - self.first, 0), len(self.lines)):
            line = self.lines[i]
            size += len(line) + 1
            if lines and size > max_bytes:
                break
            lines.append(line)
        return lines


class Worker:
    """What is known of one worker, from join to leave."""

    __slots__ = ("number", "address", "state", "id", "joined", "beat", "told", "serial", "values", "final", "known", "pid", "left", "reason")

    def __init__(self, number, address, state, now):
        self.number = number
        self.address = address
        self.state = state
        self.id = state.server_id
        self.joined = now
        self.beat = now  # last heartbeat
        self.told = now  # when its digests were last known
        self.serial = 0
        self.values = {}  # number of a key to the cumulative value
        self.final = False
        self.known = None  # whether it has digests at all
        self.pid = None
        self.left = None
        self.reason = None


class Numbers:
    """Names that are said once and then called by number."""

    def __init__(self):
        self.numbers = {}
        self.fresh = []

    def get(self, name):
        number = self.numbers.get(name)
        if number is None:
            number = self.numbers[name] = len(self.numbers)
            self.fresh.append(name)
        return number

    def take_fresh(self):
        fresh, self.fresh = self.fresh, []
        return fresh


class Probe(SchedulerPlugin):
    name = "roast"

    def __init__(self, worker_source="", interval=1.0, tasks=True, span=None, tokens=()):
        self.worker_source = worker_source
        self.interval = self.wanted_interval = max(float(interval), 0.05)
        self.with_tasks = tasks
        self.span_name = span
        self.tokens = set(filter(None, tokens))
        self.scheduler = None
        self.broken = None  # why it does not work here
        self.boot = str(uuid.uuid4())
        self.ring = Ring()
        self.readers = []  # callables told that there are lines
        self.pushers = []
        self.relays = {}  # by run: the client that hands lines on, and when it was last heard
        self.last_poll = None
        self.workers = {}  # by address: those that are there
        self.by_id = {}  # by identity: also those that just left
        self.joined = []  # not told yet
        self.leaving = []
        self.dirty = {}  # address to time of the heartbeat
        self.dirty_values = {}  # (worker, key) that changed
        self.keys = Numbers()
        self.prefixes = Numbers()
        self.finished = []
        self.lost_tasks = 0
        self.events = []
        self.spans_told = {}
        self.collided = {}
        self.next_counts = self.next_slow = 0.0
        self.own = 0.0  # s of CPU time in samples
        self.hooks = 0
        self.hook_time = 0.0  # s in those hooks that were timed
        self.hooks_timed = 0
        self.tick = None
        self.expected = None
        self.late = 0.0
        self.closed = False
        self.failed = set()
        self.n_workers = 0

    # ---- life ----

    async def start(self, scheduler):
        # A scheduler starts its plugins once more when it is up itself.
        if self.scheduler is not None:
            return
        self.scheduler = scheduler
        scheduler.handlers["roast_poll"] = self.on_client_poll
        try:
            await self.set_up(scheduler)
        except Exception as error:
            # Who put it here says so: an exception would only fill the scheduler's log.
            self.broken = "%s: %s" % (type(error).__name__, error)

    async def set_up(self, scheduler):
        self.started = time.time()
        tick = dask.utils.parse_timedelta(dask.config.get("distributed.admin.tick.interval", "20ms"), default="ms")
        self.tick_interval = float(tick)
        self.hook_in()
        for address, state in list(scheduler.workers.items()):
            self.join(address, state)
        source = self.worker_source
        plugin = distributed.protocol.pickle.dumps(ByValue(source, "RoastWorkerPlugin"))
        register = scheduler.register_worker_plugin
        keywords = {"plugin": plugin, "name": "roast"}
        if "idempotent" in register.__code__.co_varnames:
            keywords["idempotent"] = False
        await register(None, **keywords)
        self.add_routes()
        self.loop = asyncio.get_running_loop()
        self.schedule()

    def hook_in(self):
        """Handlers are looked up per message in dictionaries of this one scheduler: these are replaced by ours, that call them."""
        scheduler = self.scheduler
        heartbeat = scheduler.handlers["heartbeat_worker"]
        guard = self.guard

        # Without a parameter "comm" it is called without one; those of all versions do not need it.
        def heartbeat_worker(**message):
            metrics = message.get("metrics")
            news = metrics.pop("roast", None) if type(metrics) is dict else None
            result = heartbeat(**message)
            guard("heartbeats", self.on_heartbeat, message.get("address"), news)
            return result

        scheduler.handlers["heartbeat_worker"] = heartbeat_worker
        scheduler.handlers["roast_last_digests"] = self.on_last_digests
        if self.with_tasks:
            self.hook_tasks()
        spans = scheduler.extensions.get("spans")
        if spans is not None:
            self.hook_spans(spans)

    def hook_tasks(self):
        scheduler = self.scheduler
        task_finished = scheduler.stream_handlers["task-finished"]
        task_erred = scheduler.stream_handlers["task-erred"]
        finished = self.finished
        workers = self.workers

        # What a message holds is kept as it is: rows are made of it when the loop has time.
        def on_finished(**message):
            if len(finished) < TASK_ROWS:
                worker = workers.get(message.get("worker"))
                finished.append((message["key"], worker, message.get("startstops"), message.get("nbytes"), None))
            else:
                self.lost_tasks += 1
            return task_finished(**message)

        def on_erred(**message):
            if len(finished) < TASK_ROWS:
                error = message.get("exception_text") or "?"
                worker = workers.get(message.get("worker"))
                finished.append((message["key"], worker, message.get("startstops"), None, str(error)))
            else:
                self.lost_tasks += 1
            return task_erred(**message)

        scheduler.stream_handlers["task-finished"] = on_finished
        scheduler.stream_handlers["task-erred"] = on_erred

    def hook_spans(self, spans):
        observe = spans.observe_tasks
        guard = self.guard

        def observe_tasks(tss, *args, **kwargs):
            tss = list(tss)
            guard("spans", self.find_collisions, tss)
            return observe(tss, *args, **kwargs)

        spans.observe_tasks = observe_tasks
        if self.span_name:
            # The catch-all of Dask gets a name, and stays one for the whole run.
            names, ids = (self.span_name,), (str(uuid.uuid4()),)
            spans._ensure_default_span = lambda: spans._ensure_span(names, ids)

    def find_collisions(self, tss):
        """Dask puts a task group into the span that had it first: spans that come later lose these tasks without a word."""
        for ts in tss:
            annotation = ts.annotations.get("span") if ts.annotations else None
            if annotation and ts.group.span_id and ts.group.span_id != annotation["ids"][-1]:
                span = annotation["ids"][-1]
                if span not in self.collided and len(self.collided) < 1000:
                    self.collided[span] = ts.group.span_id
                    self.event(
                        "warning", "span-merged",
                        "span “%s”: Dask counts tasks of “%s” in an older span that had the same function, since results of that are still "
                        "held. Release them, or give the tasks another name" % ("/".join(annotation["name"]), ts.prefix.name if hasattr(ts, "prefix") else "?"),
                    )

    def guard(self, what, function, *arguments):
        """Nothing of ours gets into the scheduler's way: what fails is told once."""
        self.hooks += 1
        timed = not self.hooks & 63
        began = time.perf_counter() if timed else 0.0
        try:
            return function(*arguments)
        except Exception as error:
            self.fail(what, error)
        finally:
            if timed:
                self.hook_time += time.perf_counter() - began
                self.hooks_timed += 1

    def fail(self, what, error):
        if what in self.failed:
            return
        self.failed.add(what)
        text = "%s of this Dask cannot be read (%s: %s): they are incomplete" % (what, type(error).__name__, error)
        complain(text)
        self.event("error", "probe", text)

    def event(self, severity, kind, message):
        if len(self.events) < 1000:
            self.events.append([severity, kind, str(message)[:1000]])

    @property
    def active(self):
        if self.pushers:
            return True
        return self.last_poll is not None and time.monotonic() - self.last_poll < IDLE

    def schedule(self):
        self.expected = self.loop.time() + self.interval
        self.tick = self.loop.call_at(self.expected, self.on_tick)

    def on_tick(self):
        if self.closed:
            return
        self.late = max(self.loop.time() - self.expected, 0.0)
        if self.late > BLOCKED:
            self.event("warning", "loop-blocked", "the scheduler's event loop was blocked for %.1f s: nothing was scheduled meanwhile" % self.late)
        if self.active:
            self.guard("samples", self.sample)
        else:
            self.ring.clear()
            self.forget_untold()
        self.schedule()

    async def before_close(self):
        """The scheduler closes; its workers are still there, unless the cluster closed them first."""
        if self.closed:
            return
        try:
            missing = await self.flush(LAST_WORDS)
        except Exception as error:
            self.fail("last data", error)
            missing = [worker.address for worker in self.workers.values()]
        self.guard("samples", self.sample, True)
        self.ring.append(encode({"bye": {"missing": len(missing), "closed": 1}, "t": time.time()}))
        self.closed = True
        if self.tick is not None:
            self.tick.cancel()
        self.wake()
        for pusher in list(self.pushers):
            pusher.finish()

    async def close(self):
        await self.before_close()

    # ---- what happens ----

    def join(self, address, state):
        self.n_workers += 1
        worker = Worker(self.n_workers, address, state, time.time())
        self.workers[address] = worker
        self.by_id[worker.id] = worker
        self.joined.append(worker)
        self.dirty[address] = worker.joined  # what it said when it registered
        return worker

    def add_worker(self, scheduler, worker):
        self.guard("workers", self.join, worker, scheduler.workers[worker])

    def remove_worker(self, scheduler, worker, **kwargs):
        self.guard("workers", self.leave, worker)

    def leave(self, address):
        worker = self.workers.pop(address, None)
        if worker is None:
            return
        worker.left = time.time()
        if address in self.dirty:
            self.guard("samples", self.keep_last_row, worker)
        worker.reason = self.reason_of(address)
        worker.state = None
        self.dirty.pop(address, None)
        self.leaving.append(worker)

    def keep_last_row(self, worker):
        now = time.time()
        self.emit_joins(now)
        self.emit({"t": now, "rows": [self.sample_row(worker, self.dirty.pop(worker.address), now)]})

    def reason_of(self, address):
        try:
            get_events = getattr(self.scheduler, "get_events", None)
            events = get_events(address) if get_events is not None else self.scheduler.events.get(address, ())
            for event in reversed(events):
                message = event[-1]
                if isinstance(message, dict) and message.get("action") == "closing-worker":
                    return str(message.get("reason") or "closed")[:200]
        except Exception:
            pass
        return "lost"

    def restart(self, scheduler):
        self.event("warning", "restarted", "the script restarted the cluster: all workers were replaced")

    def on_heartbeat(self, address, news):
        worker = self.workers.get(address)
        if worker is None:
            return
        worker.beat = self.dirty[address] = time.time()
        if news:
            self.take_digests(worker, **news)

    def take_digests(self, worker, serial, rows, known=True, pid=None):
        if worker.final or serial <= worker.serial:
            return
        worker.serial = serial
        worker.known = known
        worker.told = time.time()
        if pid is not None and worker.pid is None:
            worker.pid = pid
        numbers, values, dirty = self.keys, worker.values, self.dirty_values
        for key, value in rows:
            number = numbers.get(tuple(key))
            if values.get(number) != value:
                values[number] = value
                dirty[(worker, number)] = None

    async def on_last_digests(self, comm=None, worker=None, address=None, **news):
        known = self.by_id.get(worker)
        if known is not None:
            self.guard("last data of workers", lambda: self.take_digests(known, **news))
            known.final = True
        return "OK"

    async def flush(self, timeout):
        """Asks each worker for all it has. Who does not answer in time is returned, by address."""
        missing = []
        slots = asyncio.Semaphore(50)

        async def ask(worker):
            try:
                async with slots:
                    answer = await asyncio.wait_for(self.scheduler.rpc(worker.address).roast_digests(), timeout)
                self.take_digests(worker, **answer)
            except Exception:
                if not worker.final and worker.left is None:
                    missing.append(worker.address)

        await asyncio.gather(*(ask(worker) for worker in list(self.workers.values())))
        if missing:
            self.event(
                "warning", "workers-silent",
                "%d of %d workers did not answer in %.0f s: of these, what they did since their last heartbeat is missing. The first: %s"
                % (len(missing), len(self.workers), timeout, missing[0]),
            )
        return missing

    # ---- samples ----

    def emit(self, frame):
        self.ring.append(encode(frame))

    def sample(self, everything=False):
        began = time.thread_time()
        now = time.time()
        self.emit_joins(now)
        self.emit_rows(now)
        self.emit_tasks(now)
        self.emit_fine(now, None if everything else FINE_ROWS)
        self.emit_leaves(now, everything)
        self.emit_slow(now, everything)
        events, self.events = self.events, []
        frame = {"t": now, "late": round(self.late, 6)}
        if self.lost_tasks:
            events.append(["warning", "frames-dropped", "%d tasks have no row: more finished than can be told" % self.lost_tasks])
            self.lost_tasks = 0
        self.emit_list(now, "events", events)
        counts = self.get_counts(everything)
        if counts is not None:
            frame["counts"] = counts
        spent = time.thread_time() - began
        self.own += spent
        frame["own"] = [round(self.own, 6), round(self.hook_time / self.hooks_timed * self.hooks, 6) if self.hooks_timed else 0.0]
        self.emit(frame)
        if not everything:
            self.adapt(spent)
        self.wake()

    def adapt(self, spent):
        """A sample that takes long makes them rarer, down to one in ten seconds; short ones bring the wanted rate back."""
        if spent > SLOW and spent > self.interval * 0.02 and self.interval < 10:
            self.interval = min(self.interval * 2, 10.0)
        elif spent < SLOW / 4 and self.interval > self.wanted_interval:
            self.interval = max(self.interval / 2, self.wanted_interval)

    def emit_list(self, now, name, rows, **more):
        """Rows in lines that are not too long."""
        for i in range(0, len(rows), LINE_ROWS):
            self.emit_split(now, name, rows[i : i + LINE_ROWS], more)

    def emit_split(self, now, name, rows, more):
        line = encode({"t": now, name: rows, **more})
        if len(line) <= LINE_BYTES or len(rows) == 1:
            self.ring.append(line)
            return
        half = len(rows) // 2
        self.emit_split(now, name, rows[:half], more)
        self.emit_split(now, name, rows[half:], more)

    def join_row(self, worker):
        state = worker.state
        if state is None:
            return [worker.number, worker.address, None, None, None, None, None, worker.joined]
        limit = state.memory_limit
        return [worker.number, worker.address, str(state.name)[:NAME], state.host, worker.pid, state.nthreads, limit or None, worker.joined]

    def emit_joins(self, now):
        joined, self.joined = self.joined, []
        self.emit_list(now, "join", [self.join_row(worker) for worker in joined])

    def emit_rows(self, now):
        dirty, self.dirty = self.dirty, {}
        rows = []
        for address, beat in dirty.items():
            worker = self.workers.get(address)
            if worker is not None:
                rows.append(self.sample_row(worker, beat, now))
        self.emit_list(now, "rows", rows)

    def sample_row(self, worker, beat, now):
        state = worker.state
        metrics = state.metrics
        get = metrics.get
        spilled = get("spilled_bytes") or get("spilled_nbytes") or {}
        net = get("host_net_io") or {}
        disk = get("host_disk_io") or {}
        counts = get("task_counts") or {}
        executing = counts.get("executing")
        interval = get("event_loop_interval")
        return [
            worker.number,
            round(beat - now, 3),
            get("memory"),
            get("managed_bytes"),
            spilled.get("memory"),
            spilled.get("disk"),
            get("cpu"),
            state.nbytes,
            len(state.processing),
            len(state.executing) if executing is None else executing,
            round(state.occupancy, 3),
            net.get("read_bps"),
            net.get("write_bps"),
            disk.get("read_bps"),
            disk.get("write_bps"),
            None if interval is None else round(max(interval - self.tick_interval, 0.0), 6),
            worker.pid,
        ]

    def emit_tasks(self, now):
        # Emptied in place: the hooks hold the list.
        finished = self.finished
        if not finished:
            return
        taken = finished[:]
        finished.clear()
        base = int(now * 1e6)
        rows = [self.task_row(base, *task) for task in taken]
        self.emit_prefixes(now)
        self.emit_list(now, "tasks", rows, base=base)

    def task_row(self, base, key, worker, startstops, nbytes, error):
        start = duration = None
        phases = []
        for part in startstops or ():
            began = int(part["start"] * 1e6) - base
            took = int(part["stop"] * 1e6) - base - began
            if part["action"] == "compute":
                start, duration = began, took
            else:
                phases.append([part["action"], began, took])
        state = self.scheduler.tasks.get(key)
        prefix = state.prefix.name if state is not None else distributed.utils.key_split(key)
        row = [
            (key if isinstance(key, str) else str(key))[:NAME],
            self.prefixes.get(prefix),
            worker.number if worker is not None else None,
            start,
            duration,
            nbytes,
        ]
        if error is not None or phases:
            row.append(None if error is None else error.partition("(")[0][:80])
            if phases:
                row.append(phases)
        return row

    def emit_prefixes(self, now):
        self.emit_list(now, "prefixes", self.prefix_rows(self.prefixes.take_fresh()))

    def prefix_rows(self, names):
        return [[self.prefixes.numbers[name], name[:NAME]] for name in names]

    def key_row(self, key):
        context, span, prefix, activity, unit = key
        return [self.keys.numbers[key], context, span, prefix, activity, unit]

    def emit_fine(self, now, limit):
        dirty = self.dirty_values
        if limit is None or len(dirty) <= limit:
            taken = list(dirty)
            dirty.clear()
        else:
            # The oldest first, so that each gets its turn.
            taken = [pair for pair, _ in zip(dirty, range(limit))]
            for pair in taken:
                del dirty[pair]
        self.emit_list(now, "keys", [self.key_row(key) for key in self.keys.take_fresh()])
        self.emit_list(now, "fine", [[worker.number, number, worker.values[number]] for worker, number in taken])

    def emit_leaves(self, now, everything):
        rows, still = [], []
        for worker in self.leaving:
            if not (worker.final or everything or now - worker.left > LEAVE_GRACE):
                still.append(worker)
                continue
            if worker.final and worker.reason == "lost":
                worker.reason = "closed"
            tail = None if worker.final or worker.known is False else max(worker.left - worker.told, 0.0)
            rows.append([worker.number, worker.left, worker.reason, tail, worker.pid])
            if tail is not None:
                self.event(
                    "warning", "worker-lost",
                    "worker %s was lost (%s) with %.1f s of which nothing is known" % (worker.address, worker.reason, tail),
                )
            self.by_id.pop(worker.id, None)
        self.leaving = still
        self.emit_list(now, "leave", rows)

    def emit_slow(self, now, everything):
        """What costs more with more prefixes and spans: rarely, and at the end."""
        if not everything and now < self.next_slow:
            return
        began = time.perf_counter()
        rows = []
        for name, prefix in list(self.scheduler.task_prefixes.items()):
            number = self.prefixes.get(name)
            rows.extend([number, state, n] for state, n in prefix.state_counts.items() if n)
        self.emit_prefixes(now)
        self.emit_list(now, "prefix", rows)
        self.emit_spans(now)
        self.next_slow = now + max(10 * self.wanted_interval, (time.perf_counter() - began) / SHARE)

    def emit_spans(self, now, all_of_them=False):
        extension = self.scheduler.extensions.get("spans")
        rows = []
        for span in list(extension.spans.values()) if extension is not None else ():
            done = span.done
            head = (span.start or None, span.stop if done else None)
            if all_of_them or self.spans_told.get(span.id) != head:
                self.spans_told[span.id] = head
                kind = "default" if span.name == ("default",) else "native"
                rows.append([span.id, "/".join(map(str, span.name))[:NAME], span.parent.id if span.parent else None, kind, *head])
        self.emit_list(now, "spans", rows)

    def get_counts(self, everything):
        now = time.monotonic()
        if not everything and now < self.next_counts:
            return None
        began = time.perf_counter()
        scheduler = self.scheduler
        states = [prefix.state_counts for prefix in scheduler.task_prefixes.values()]
        active = {}
        for group in scheduler.task_groups.values():
            for state, n in group.states.items():
                if n:
                    active[state] = active.get(state, 0) + n
        target = None
        if not everything:
            try:
                target = scheduler.adaptive_target()
            except Exception:
                target = None
        counts = [
            len(scheduler.workers),
            target,
            scheduler.total_nthreads,
            active.get("waiting", 0) + active.get("no-worker", 0),
            active.get("queued", 0),
            active.get("processing", 0),
            sum(counts.get("memory", 0) for counts in states),
            sum(counts.get("erred", 0) for counts in states),
        ]
        self.next_counts = now + (time.perf_counter() - began) / SHARE
        return counts

    # ---- readers ----

    def hello(self):
        scheduler = self.scheduler
        services = getattr(scheduler, "http_server", None)
        return {
            "schema": SCHEMA,
            "boot": self.boot,
            "id": scheduler.id,
            "address": scheduler.address,
            "pid": os.getpid(),
            "started": self.started,
            "now": time.time(),
            "interval": self.interval,
            "distributed": distributed.__version__,
            "python": "%d.%d.%d" % sys.version_info[:3],
            "http_port": getattr(services, "port", None),
            "prefix": http_prefix(scheduler),
            "tls": bool(dask.config.get("distributed.scheduler.dashboard.tls.cert", None)),
            "spans": "spans" in scheduler.extensions,
            "fine": hasattr(scheduler, "cumulative_worker_metrics"),
            "tasks": self.with_tasks,
        }

    def snapshot(self, base):
        """All that a reader must know who starts here; `base` says that what was done before is not to be counted."""
        ring, self.ring = self.ring, Ring(1 << 62)
        now = time.time()
        try:
            workers = list(self.workers.values()) + self.leaving
            self.emit_list(now, "join", [self.join_row(worker) for worker in workers])
            self.emit_list(now, "prefixes", self.prefix_rows(self.prefixes.numbers))
            self.emit_list(now, "keys", [self.key_row(key) for key in self.keys.numbers])
            rows = [[worker.number, number, value] for worker in workers for number, value in worker.values.items()]
            self.emit_list(now, "fine", rows, **{"start" if base else "again": 1})
            self.emit_spans(now, True)
            return list(self.ring.lines)
        finally:
            self.ring = ring

    def wake(self):
        readers, self.readers = self.readers, []
        for reader in readers:
            reader()
        for pusher in list(self.pushers):
            pusher.push()

    def forget_untold(self):
        """Nobody reads: who begins gets a snapshot."""
        for worker in self.leaving:
            self.by_id.pop(worker.id, None)
        for untold in (self.finished, self.dirty, self.dirty_values, self.events, self.joined, self.leaving):
            untold.clear()
        self.keys.take_fresh()
        self.prefixes.take_fresh()

    def begin_reading(self):
        """Lines of a reader that starts now, and the number of the next one."""
        if self.active:
            # What was not told yet stands in the snapshot, and is told to who reads already.
            self.sample(True)
        else:
            self.forget_untold()
        self.last_poll = time.monotonic()
        return self.snapshot(True), self.ring.next

    def read(self, cursor, max_bytes):
        """(lines, next number): after a gap what is needed to go on, with the number of lines that are lost."""
        ring = self.ring
        self.last_poll = time.monotonic()
        if cursor < ring.first or cursor > ring.next:
            lost = max(ring.first - cursor, 0)
            lines = [encode({"t": time.time(), "lost": lost})] + self.snapshot(False)
            return lines, ring.next
        lines = ring.since(cursor, max_bytes)
        return lines, cursor + len(lines)

    def push_to(self, path, token):
        """To the run's socket, as fast as it takes it."""
        pusher = Pusher(self, path, token)
        self.pushers.append(pusher)
        pusher.push()

    async def on_client_poll(self, comm=None, reader=None, cursor=None, flush=False, run=None, token=None, wait=0.0, last=False):
        """For a client that hands lines on to the run's socket: one for each run."""
        if self.broken:
            return {"broken": self.broken}
        if run is not None:
            if any(pusher.token == run for pusher in self.pushers):
                return {"pushed": True}
            other, heard = self.relays.get(run, (reader, 0))
            if other != reader and time.monotonic() - heard < 30:
                return {"pushed": True}
            self.relays[run] = reader, time.monotonic()
        if token:
            self.tokens.add(token)
        if cursor is None:
            await self.flush(LAST_WORDS)
            lines, cursor = self.begin_reading()
            return {"boot": self.boot, "lines": [encode({"hello": self.hello()})] + lines, "next": cursor}
        missing = 0
        if flush:
            missing = len(await self.flush(LAST_WORDS))
            self.sample(True)
        elif cursor == self.ring.next and wait:
            await self.wait_for_lines(min(float(wait), 25.0))
        if last:
            self.relays.pop(run, None)
        lines, cursor = self.read(cursor, 1 << 20)
        return {"boot": self.boot, "lines": lines, "next": cursor, "missing": missing, "more": cursor < self.ring.next}

    async def wait_for_lines(self, seconds):
        news = asyncio.Event()
        self.readers.append(news.set)
        try:
            await asyncio.wait_for(news.wait(), seconds)
        except asyncio.TimeoutError:
            pass
        finally:
            if news.set in self.readers:
                self.readers.remove(news.set)

    def add_routes(self):
        try:
            routes = make_routes(self)
            self.scheduler.http_application.add_handlers(r".*$", routes)
        except Exception as error:
            self.event("info", "probe", "the scheduler's HTTP server cannot be used (%s): who attaches later needs a client" % error)


class Pusher:
    """Writes lines to the run's socket without waiting; hears what is asked there."""

    def __init__(self, probe, path, token):
        self.probe = probe
        self.token = token
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(2)
        self.socket.connect(path)
        self.socket.setblocking(False)
        greeting = {"roast": 1, "token": token, "program": "Dask scheduler", "backend": "dask"}
        self.buffer = (encode(greeting) + "\n" + encode({"hello": probe.hello()}) + "\n").encode()
        self.cursor = probe.ring.next
        if probe.workers:
            lines, self.cursor = probe.begin_reading()
            self.buffer += "".join(line + "\n" for line in lines).encode()
        self.waiting = False
        self.heard = b""
        probe.loop.add_reader(self.socket, self.on_readable)

    def fill(self):
        if not self.buffer:
            lines, self.cursor = self.probe.read(self.cursor, 1 << 18)
            self.buffer = "".join(line + "\n" for line in lines).encode()
        return bool(self.buffer)

    def push(self):
        if self.waiting:
            return
        try:
            while self.fill():
                sent = self.socket.send(self.buffer)
                self.buffer = self.buffer[sent:]
        except BlockingIOError:
            self.waiting = True
            self.probe.loop.add_writer(self.socket, self.on_writable)
        except OSError:
            self.give_up()

    def on_writable(self):
        self.probe.loop.remove_writer(self.socket)
        self.waiting = False
        self.push()

    def on_readable(self):
        try:
            data = self.socket.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.give_up()
            return
        *lines, self.heard = (self.heard + data).split(b"\n")
        self.heard = self.heard[-65536:]
        for line in lines:
            try:
                order = json.loads(line)
                if order.get("do") == "flush":
                    asyncio.ensure_future(self.flush(order.get("id")))
            except Exception:
                pass

    async def flush(self, number):
        probe = self.probe
        missing = len(await probe.flush(LAST_WORDS))
        probe.guard("samples", probe.sample, True)
        probe.ring.append(encode({"flushed": number, "missing": missing, "t": time.time()}))
        probe.wake()

    def finish(self):
        """The last lines, for which the scheduler waits a moment."""
        deadline = time.monotonic() + LAST_WORDS
        try:
            if self.waiting:
                self.probe.loop.remove_writer(self.socket)
                self.waiting = False
            while self.fill():
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                self.socket.settimeout(left)
                sent = self.socket.send(self.buffer)
                self.buffer = self.buffer[sent:]
        except OSError:
            pass
        self.give_up()

    def give_up(self):
        if self in self.probe.pushers:
            self.probe.pushers.remove(self)
            self.probe.loop.remove_reader(self.socket)
            if self.waiting:
                self.probe.loop.remove_writer(self.socket)
            self.socket.close()


def make_routes(probe):
    """The scheduler's own HTTP server: everything needs the token, nothing changes anything."""
    from tornado.web import RequestHandler

    class Route(RequestHandler):
        def prepare(self):
            given = self.request.headers.get("Authorization", "")
            good = False
            for token in probe.tokens:
                good |= hmac.compare_digest(given.encode(), ("Bearer " + token).encode())
            if not good:
                self.set_status(401)
                self.finish('{"error":"the token is missing or wrong"}\n')

        def say(self, lines, cursor):
            self.set_header("Content-Type", "application/x-ndjson")
            self.set_header("Cache-Control", "no-store")
            self.finish("".join(line + "\n" for line in lines) + encode({"next": cursor, "boot": probe.boot}) + "\n")

    class Hello(Route):
        async def get(self):
            await probe.flush(LAST_WORDS)
            lines, cursor = probe.begin_reading()
            self.say([encode({"hello": probe.hello()})] + lines, cursor)

    class Poll(Route):
        async def get(self):
            try:
                cursor = int(self.get_query_argument("cursor"))
                wait = min(max(float(self.get_query_argument("wait", "0")), 0.0), 25.0)
            except ValueError:
                self.set_status(400)
                self.finish('{"error":"cursor and wait are numbers"}\n')
                return
            boot = self.get_query_argument("boot", probe.boot)
            if boot == probe.boot and cursor == probe.ring.next and wait:
                await probe.wait_for_lines(wait)
            lines, cursor = probe.read(cursor if boot == probe.boot else -1, 1 << 20)
            self.say(lines, cursor)

    class Flush(Route):
        last = 0.0

        async def post(self):
            # At most once a second: who asks more often gets what the last one brought.
            missing = 0
            if time.monotonic() - Flush.last >= 1:
                missing = len(await probe.flush(LAST_WORDS))
                Flush.last = time.monotonic()
            probe.guard("samples", probe.sample, True)
            number = self.get_query_argument("id", "0")
            probe.ring.append(encode({"flushed": int(number) if number.isdecimal() else 0, "missing": missing, "t": time.time()}))
            probe.wake()
            self.say([], probe.ring.next)

    prefix = http_prefix(probe.scheduler)
    return [(prefix + "/roast/v1/hello", Hello), (prefix + "/roast/v1/poll", Poll), (prefix + "/roast/v1/flush", Flush)]


def http_prefix(scheduler):
    """--dashboard-prefix is kept nowhere: what stands before a route that is always there."""
    try:
        for rule in scheduler.http_application.wildcard_router.rules:
            for inner in getattr(rule.target, "rules", [rule]):
                pattern = getattr(getattr(inner, "matcher", None), "regex", None)
                text = pattern.pattern if pattern is not None else ""
                if text.rstrip("$").endswith("/health"):
                    return text.rstrip("$")[: -len("/health")]
    except Exception:
        pass
    return ""


async def start_in(scheduler, worker_source, environment):
    """In a scheduler of the script itself."""
    if "roast" in scheduler.plugins:
        return None
    probe = Probe(
        worker_source,
        interval=float(environment.get("ROAST_DASK_INTERVAL", "1")),
        tasks=environment.get("ROAST_DASK_TASKS", "1") != "0",
        span=environment.get("ROAST_DASK_SPAN") or None,
        tokens=[environment.get("ROAST_TOKEN")],
    )
    await probe.start(scheduler)
    if probe.broken:
        raise RuntimeError(probe.broken)
    scheduler.add_plugin(probe, name="roast")
    path, token = environment.get("ROAST_SOCKET"), environment.get("ROAST_TOKEN")
    if path and token:
        try:
            probe.push_to(path, token)
        except OSError:
            pass  # The run is over, or on another host.
    return probe
