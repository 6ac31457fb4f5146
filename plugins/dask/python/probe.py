# SPDX-License-Identifier: BSD-3-Clause
"""Part 4 of 4: the probe itself, its hooks, and the data they collect."""

import asyncio
import time
import uuid

import dask.config
import dask.utils
import distributed
from distributed.diagnostics.plugin import SchedulerPlugin

TASK_ROWS = 200_000  # between two samples; what is beyond is counted
BLOCKED = 1.0  # s late: worth an event


class Worker:
    """One worker, from join to leave."""

    __slots__ = (
        "number", "address", "state", "facts", "id", "joined", "beat", "told", "serial", "values", "final", "known", "pid", "left", "reason",
    )

    def __init__(self, number, address, state, now):
        self.number = number
        self.address = address
        self.state = state  # None once it left
        self.facts = (str(state.name)[:NAME], state.host, state.nthreads, state.memory_limit or None)
        self.id = state.server_id
        self.joined = now
        self.beat = now  # last heartbeat
        self.told = now  # when its digests last came
        self.serial = 0
        self.values = {}  # number of a key to the cumulative value
        self.final = False
        self.known = None  # whether it has digests at all
        self.pid = None
        self.left = None
        self.reason = None


class Probe(Samples, Readers, SchedulerPlugin):  # of parts 2 and 3
    name = "roast"

    def __init__(self, worker_source="", interval=1.0, tasks=True, span=None, tokens=()):
        self.worker_source = worker_source
        self.interval = self.wanted_interval = max(float(interval), 0.05)
        self.with_tasks = tasks
        self.span_name = span
        self.tokens = set(filter(None, tokens))
        self.scheduler = None
        self.broken = None  # why it does not work in this scheduler
        self.boot = str(uuid.uuid4())
        self.ring = Ring()
        self.readers = []  # called when there are new lines
        self.pushers = []
        self.relays = {}  # by run: the client that hands lines on, and when it was last heard
        self.last_poll = None
        self.workers = {}  # by address: those that are there
        self.by_id = {}  # by identity: also those that just left
        self.changed = {}  # workers not told yet, or not with all that is known by now
        self.leaving = []
        self.dirty = {}  # address to time of the heartbeat
        self.dirty_values = {}  # (worker, number of a key) that changed
        self.keys = Numbers()
        self.prefixes = Numbers()
        self.finished = []
        self.lost_tasks = 0
        self.events = []
        self.spans_told = {}
        self.collided = {}
        self.next_counts = self.next_states = self.next_spans = 0.0
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
            # The client that put it here reports it: an exception would only fill the scheduler's log.
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
        """Dask looks up handlers per message in dictionaries of this one scheduler: ours take their place, and call them."""
        scheduler = self.scheduler
        heartbeat = scheduler.handlers["heartbeat_worker"]
        guard = self.guard

        # A handler without a parameter "comm" is called without one; that of no version needs it.
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

        # The content of a message is kept as it is, and becomes a row when the loop has time.
        def on_finished(**message):
            if len(finished) < TASK_ROWS:
                worker = workers.get(message.get("worker"))
                finished.append((message.get("key"), worker, message.get("startstops"), message.get("nbytes"), None))
            else:
                self.lost_tasks += 1
            return task_finished(**message)

        def on_erred(**message):
            if len(finished) < TASK_ROWS:
                error = message.get("exception_text") or "?"
                worker = workers.get(message.get("worker"))
                finished.append((message.get("key"), worker, message.get("startstops"), None, str(error)))
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
        """Dask puts a task group into the span that had it first: later spans lose these tasks silently."""
        for ts in tss:
            annotation = ts.annotations.get("span") if ts.annotations else None
            if annotation and ts.group.span_id and ts.group.span_id != annotation["ids"][-1]:
                span = annotation["ids"][-1]
                if span not in self.collided and len(self.collided) < 1000:
                    self.collided[span] = ts.group.span_id
                    self.event(
                        "warning", "span-merged",
                        "span “%s”: Dask counts tasks of “%s” in an older span with the same function, because results of that span are still "
                        "held. Release them, or give the tasks another name" % ("/".join(annotation["name"]),
                                                                             ts.prefix.name if hasattr(ts, "prefix") else "?"),
                    )

    def attempt(self, what, function, *arguments):
        """Nothing of ours disturbs the scheduler: a failure is reported once."""
        try:
            return function(*arguments)
        except Exception as error:
            self.fail(what, error)
            return None

    def guard(self, what, function, *arguments):
        """The same for hooks; one call in 64 is timed."""
        self.hooks += 1
        if self.hooks & 63:
            self.attempt(what, function, *arguments)
            return
        began = time.perf_counter()
        self.attempt(what, function, *arguments)
        self.hook_time += time.perf_counter() - began
        self.hooks_timed += 1

    def fail(self, what, error):
        if what in self.failed:
            return
        self.failed.add(what)
        text = "cannot read %s in this version of Dask (%s: %s): they are incomplete" % (what, type(error).__name__, error)
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
            self.event("warning", "loop-blocked", "the scheduler's event loop was blocked for %.1f s: it scheduled nothing in that time" % self.late)
        if self.active:
            self.attempt("samples", self.sample)
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
        self.attempt("samples", self.sample, True)
        self.ring.add([self.bye_row(len(missing))])
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
        self.changed[worker] = None
        self.dirty[address] = worker.joined  # the metrics that it registered with
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
            self.attempt("samples", self.keep_last_row, worker)
        worker.reason = self.reason_of(address)
        if self.with_tasks:
            self.attempt("tasks of lost workers", self.find_killed, worker)
        worker.state = None
        self.dirty.pop(address, None)
        self.leaving.append(worker)

    def keep_last_row(self, worker):
        now = time.time()
        row = self.sample_row(worker, self.dirty.pop(worker.address), now)
        self.ring.add([self.now_row(now), *self.worker_rows(now, True), row])

    def messages_about(self, address):
        """Events of the scheduler about a worker, the latest first."""
        get_events = getattr(self.scheduler, "get_events", None)
        events = get_events(address) if get_events is not None else self.scheduler.events.get(address, ())
        return [event[-1] for event in reversed(events) if isinstance(event[-1], dict)]

    def reason_of(self, address):
        try:
            for message in self.messages_about(address):
                if message.get("action") == "closing-worker":
                    return str(message.get("reason") or "closed")[:200]
        except Exception:
            pass
        return "lost"

    def find_killed(self, worker):
        """Tasks for which Dask gives up now: no worker reports them, and their times are not known."""
        for message in self.messages_about(worker.address):
            if message.get("action") == "remove-worker":
                for key in message.get("processing-tasks", ()):
                    state = self.scheduler.tasks.get(key)
                    if state is not None and state.state == "erred":
                        self.finished.append((key, worker, None, None, KILLED))
                return

    def restart(self, scheduler):
        self.event("warning", "restarted", "the script restarted the cluster, which replaced all workers")

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
            if worker.left is None:
                self.changed[worker] = None
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
        """Asks each worker for all it has. Returns the addresses of those that do not answer in time."""
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

        asked = {asyncio.ensure_future(ask(worker)): worker for worker in list(self.workers.values())}
        if asked:
            # Many silent workers together take not much longer than one; thousands that answer get more time.
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
        return missing


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
