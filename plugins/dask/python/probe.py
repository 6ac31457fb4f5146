# SPDX-License-Identifier: BSD-3-Clause
"""Part 6 of 6: the probe itself, its hooks, and the data that they collect."""

import asyncio
import time
import uuid
from collections import deque

import distributed
from distributed.diagnostics.plugin import SchedulerPlugin

LEFT = 1000  # maximum number of workers that left whose last rows are kept
OTHER_START = 8.0  # s; time to wait until another client has installed its probe
BLOCKED = 1.0  # s; a longer delay of the event loop is reported as an event
SOON = 0.05  # s; this long after a delay of the event loop, Dask has measured the delay, too
# CPU time that reading the CPU time of a thread takes, s. The reading is a system call, which takes about as long as a hook. Do not measure
# it in wall time, which would include other threads.
READ_CLOCK = min(-(time.thread_time() - time.thread_time()) for _ in range(100))


class Probe(Workers, Samples, Tasks, Readers, Removal, SchedulerPlugin):  # the base classes are in the other parts of the probe
    name = "roast"

    def __init__(self, worker_source="", interval=1.0, tasks=True, span=None, tokens=()):
        self.worker_source = worker_source
        self.interval = self.wanted_interval = max(float(interval), 0.05)
        self.with_tasks = tasks
        self.span_name = span
        self.tokens = set(filter(None, tokens))
        self.scheduler = None
        self.broken = None  # reason why the probe does not work in this scheduler
        self.boot = str(uuid.uuid4())
        self.ring = Ring()
        self.readers = []  # callbacks for new lines
        self.patient = []  # callbacks for readers that collect lines; called only if lines must not wait
        self.urgent = 0  # lines with smaller numbers must not wait
        self.pushers = []
        self.relays = {}  # maps a run to the client that forwards its lines, and to the time of the client's last request
        self.next_relays = {}  # maps another client that would forward the lines to its run
        self.ends = {}  # maps a run whose client has closed to the first text and the cursor of its next client
        self.left = deque(maxlen=LEFT)  # last rows of workers that left, for readers after a gap, with the number of the first row's line
        self.last_poll = None
        self.workers = {}  # maps an address to the worker that is connected from there
        self.by_id = {}  # maps an identity to its worker; also contains workers that have just left
        self.changed = {}  # workers that have no row yet, or whose row is out of date
        self.leaving = []
        self.settled = None  # event that is set when there is news about a worker that left
        self.dirty = {}  # maps a worker's address to the time of a heartbeat that has no sample yet
        self.dirty_processes = {}  # workers with new data about their processes
        self.dirty_values = {}  # pairs (worker, number of a key) whose values changed
        self.keys = Numbers()
        self.prefixes = Numbers()
        self.events = []
        self.news = {}  # workers that sent digests since their last row of `told`
        self.spans_told = {}
        self.collided = {}
        self.next_counts = self.next_states = self.next_spans = 0.0
        self.own = 0.0  # CPU time that samples took, s
        self.hooks = 0
        self.hook_time = 0.0  # CPU time of the calls of hooks that were timed, s
        self.hooks_timed = 0
        self.tick = None
        self.expected = None
        self.late = 0.0
        self.queued = None  # how long the event loop's thread has waited for a core since the last row
        self.closed = False
        self.failed = set()
        self.n_workers = 0
        self.init_tasks()

    # ---- life ----

    async def start(self, scheduler):
        # Ignore the second call, which comes because a scheduler starts its plugins again after it has started.
        if self.scheduler is not None:
            return
        if "roast_poll" in scheduler.handlers:
            await self.give_way(scheduler)
            return
        self.scheduler = scheduler
        self.remember(scheduler)
        scheduler.handlers["roast_poll"] = self.on_client_poll
        try:
            await self.set_up(scheduler)
        except Exception as error:
            # Keep the failure for the client that installed the probe, which reports it. An exception would only fill the scheduler's log.
            self.broken = "%s: %s" % (type(error).__name__, error)

    async def give_way(self, scheduler):
        """Wait for the probe that another client is installing now. Once that probe is there, Dask drops this one."""
        end = time.monotonic() + OTHER_START
        while "roast" not in scheduler.plugins:
            if time.monotonic() > end:
                raise RuntimeError("another client began to install a probe in this scheduler, but did not finish")
            await asyncio.sleep(0.02)

    async def set_up(self, scheduler):
        self.started = time.time()
        self.settled = asyncio.Event()
        self.loop = asyncio.get_running_loop()
        self.ticks = Ticks(scheduler)
        self.queue = Queue()
        for address, state in list(scheduler.workers.items()):
            self.join(address, state)
        self.hook_in()
        await self.register(scheduler.register_worker_plugin, "RoastWorkerPlugin", clock=read_clock())
        # Do not wait for the nannies, because a nanny that is just starting would delay the start of the probe.
        self.nannies = asyncio.ensure_future(self.put_into_nannies())
        self.add_routes()
        self.schedule()
        # From here until the plugin is registered, nothing else runs in the event loop. After that, Dask calls the plugin for each change of
        # workers and tasks.
        self.catch_up()

    def catch_up(self):
        """Include the workers and tasks that the scheduler has now: they changed while others installed parts of the probe."""
        workers = self.scheduler.workers
        for address in [address for address, worker in self.workers.items() if worker.state is not workers.get(address)]:
            self.leave(address)
        for address, state in list(workers.items()):
            if address not in self.workers:
                self.join(address, state)
        self.take_existing_tasks()

    async def register(self, register, plugin, **arguments):
        data = distributed.protocol.pickle.dumps(ByValue(self.worker_source, plugin, **arguments))
        keywords = {"idempotent": False} if "idempotent" in register.__code__.co_varnames else {}
        await register(None, plugin=data, name="roast", **keywords)

    def hook_in(self):
        """Put our handlers into the scheduler's dictionaries, in which Dask looks up each message. They call the original handlers."""
        scheduler = self.scheduler
        heartbeat = scheduler.handlers["heartbeat_worker"]
        guard = self.guard

        # Do not declare the parameter “comm”: Dask then does not pass it, and no version of the original handler needs it.
        def heartbeat_worker(**message):
            metrics = message.get("metrics")
            news = metrics.pop("roast", None) if type(metrics) is dict else None
            result = heartbeat(**message)
            guard("heartbeats", self.on_heartbeat, message.get("address"), news)
            return result

        scheduler.handlers["heartbeat_worker"] = heartbeat_worker
        scheduler.handlers["roast_digests"] = self.on_digests
        scheduler.handlers["roast_last_digests"] = self.on_last_digests
        scheduler.handlers["roast_worker_ended"] = self.on_worker_ended
        self.hook_tasks()
        spans = scheduler.extensions.get("spans")
        if spans is not None:
            self.hook_spans(spans)

    def hook_spans(self, spans):
        observe = spans.observe_tasks
        guard = self.guard

        def observe_tasks(tss, *args, **kwargs):
            tss = list(tss)
            guard("spans", self.find_collisions, tss)
            return observe(tss, *args, **kwargs)

        spans.observe_tasks = observe_tasks
        if self.span_name:
            # Give Dask's default span a name, and use the same span for the whole run.
            names, ids = (self.span_name,), (str(uuid.uuid4()),)
            spans._ensure_default_span = lambda: spans._ensure_span(names, ids)

    def find_collisions(self, tss):
        """Report tasks that Dask counts in another span. It keeps a task group in its first span, so later spans lose these tasks
        silently."""
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
        """Call a function so that no exception reaches the scheduler. A failure is reported once."""
        try:
            return function(*arguments)
        except Exception as error:
            self.fail(what, error)
            return None

    def guard(self, what, function, *arguments):
        """Do the same for a hook, and time one call in 64."""
        if self.removed:
            return
        self.hooks += 1
        if self.hooks & 63:
            self.attempt(what, function, *arguments)
            return
        began = time.thread_time()
        self.attempt(what, function, *arguments)
        self.note_hook(began)

    def note_hook(self, began):
        self.hook_time += max(time.thread_time() - began - READ_CLOCK, 0.0)
        self.hooks_timed += 1

    def fail(self, what, error):
        if what in self.failed:
            return
        self.failed.add(what)
        text = "cannot read %s in this version of Dask (%s: %s): these data are incomplete" % (what, type(error).__name__, error)
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
        if self.late < SOON:
            self.on_tick_measured()
        else:
            self.tick = self.loop.call_later(SOON, self.on_tick_measured)

    def on_tick_measured(self):
        if self.closed:
            return
        # Take the delay now, because the event loop may have been blocked before this tick was due.
        self.late = max(self.late, self.ticks.look())
        self.queued = self.queue.look()
        if self.late > BLOCKED:
            self.event("warning", "loop-blocked",
                       "the scheduler's event loop was blocked for %.1f s: the scheduler assigned no tasks in that time" % self.late)
        if self.active:
            self.attempt("samples", self.sample)
        else:
            self.ring.clear()
            self.attempt("samples", self.forget_untold)
        self.schedule()

    async def before_close(self):
        """Send the last data before the scheduler closes. Its workers are still connected, unless the cluster closed them first."""
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
        self.wake(now=True)
        for pusher in list(self.pushers):
            pusher.finish()

    async def close(self):
        await self.before_close()


async def start_in(scheduler, worker_source, environment):
    """Start the probe in a scheduler inside the script's process."""
    if "roast" in scheduler.plugins:
        return None
    probe = Probe(
        worker_source,
        interval=float(environment.get("ROAST_DASK_INTERVAL", "1")),
        tasks=environment.get("ROAST_DASK_TASKS", "1") != "0",
        span=environment.get("ROAST_DASK_SPAN") or None,
        tokens=[environment.get("ROAST_TOKEN")],
    )
    probe.stays = True
    await probe.start(scheduler)
    if probe.broken:
        raise RuntimeError(probe.broken)
    scheduler.add_plugin(probe, name="roast")
    path, token = environment.get("ROAST_SOCKET"), environment.get("ROAST_TOKEN")
    if path and token:
        try:
            probe.push_to(path, token)
        except RUN_IS_OVER:
            pass
    return probe
