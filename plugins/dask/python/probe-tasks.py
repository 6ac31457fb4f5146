# SPDX-License-Identifier: BSD-3-Clause
"""Part 4 of 6: tasks, from submission to end.

Dask calls `transition` of each scheduler plugin for every step of a task. Even the stub that a plugin inherits costs about as much as a
step here that does nothing. `transition` records times and keeps counts. Rows of ended attempts are sent at the end of the loop turn in
which the last task ended, so that a script that then ends abruptly loses none. While other tasks wait or run, rows are sent at most a
few hundredths of a second later.
"""

import ast
import functools
import inspect
import itertools
import re
import time
from json.encoder import encode_basestring_ascii
from time import time_ns

import distributed

# Outcomes that a task can have so far. The table `totals` has three counts for each outcome.
DONE, FAILED, KILLED_WORKER, LOST, CANCELLED, NEVER_RAN, UNFINISHED, RESCHEDULED = range(8)
STATUSES = ("done", "failed", "killed_worker", "lost", "cancelled", "never_ran", "unfinished", "rescheduled")
RETRIED, ATTEMPTS = len(STATUSES), 2 * len(STATUSES)  # first index of the counts of retried tasks, and of attempts; counts of tasks come first
TOTALS_EVERY = 0.05  # s between two rows of totals; these rows are larger than rows of tasks
ROWS_EVERY = 0.05  # s between two groups of rows while tasks wait or run; rows cost less if they are sent together
TEXT = 500  # maximum length of a message, characters
UNSERVED = 3  # lost results are reported if there was no worker at this many checks in a row
UNMET_AFTER = 1.0  # s; a missing resource is reported only after this time, because workers that join may have it
OPEN = 20000  # maximum number of rows of waiting or running tasks
LONG = 5.0  # s; a task gets rows only after it has run for this time
MANY = 1000  # maximum number of rows of tasks that have run for LONG
ATTEMPT_CELLS = ",%s" * 12  # format of cells that are numbers or None
NO_TIMES = (None, None, 0.0)  # times of a worker that roast does not measure


@functools.lru_cache(1000)
def describe(text):
    """Return (type, first line of the message) of an exception. Parse its repr, because the exception itself may need modules of the
    script."""
    found = re.match(r"<?([\w.]+)", text)
    name, message = (found[1], text[found.end() :]) if found else ("?", text)
    if message.startswith("(") and message.endswith(")"):
        message = message[1:-1]
        try:
            arguments = ast.literal_eval("(%s,)" % message.rstrip(",")) if message else ()
            if name in ("OSError", "FileNotFoundError", "PermissionError") and len(arguments) > 1:
                message = "[Errno %s] %s" % arguments[:2]
            elif len(arguments) == 1:
                message = str(arguments[0])
        except Exception:
            pass  # The arguments are not literals, so keep their text.
    lines = message.strip().splitlines()
    return name[:80], lines[0][:TEXT] if lines else None


def count_ended(totals):
    """Return (done, failed) from the counts of a category. Dask's own counts of states also include data that a client scattered."""
    return totals[DONE], totals[FAILED] + totals[KILLED_WORKER]


def get_graph_bytes(message):
    """Return the size of the task graph in a client's message; None if it was not serialized, as within one process."""
    graph = message.get("expr_ser")
    frames = message.get("graph_frames") if graph is None else getattr(graph, "frames", None)
    return None if frames is None else sum(getattr(frame, "nbytes", None) or len(frame) for frame in frames)


class Life:
    """A task from its submission to its result. Without a constructor, which would cost as much as the rest of a step."""

    # begin_life() sets: number and totals of the task's category, status, submitted and n_inputs.
    attempts = rescheduled = 0  # number of attempts, and of those among them that asked to run again
    retried = False
    ready = sent = worker = None
    is_unrunnable = False  # the task cannot run, because a dependency failed or no worker was suitable


class Tasks:
    """The part of the probe that follows tasks."""

    def init_tasks(self):
        self.lives = {}  # maps a key to the Life of a task that has no result yet
        self.repeated = set()  # keys of tasks with several attempts; a task may run again even after it had a result
        self.totals = {}  # maps the number of a category to its list of counts
        self.changed_totals = {}
        self.ended = []  # attempts that have ended but have no row yet
        self.failures = {}  # maps a key to the worker's message about a failure, as long as Dask handles this message
        self.rescheduled = {}  # maps a key to the worker's message that the task asked to run again, until Dask releases the task
        self.flushing = False
        self.n_open = 0  # number of waiting or running tasks
        self.next_rows = 0.0  # time at which the next rows are sent, on the clock of the event loop
        self.next_totals = 0.0
        self.totals_timer = None
        self.unmet = set()  # requested resources that no worker has
        self.has_bound = False  # at least one task may run only on certain workers
        self.unmet_timer = None
        self.n_unserved = 0  # checks without a worker while lost results were needed
        self.graphs = self.graph_bytes = 0  # number and bytes of graphs since the last row of graphs
        self.next_open = 0.0
        self.told_open = False  # the last list of running tasks was not empty

    def hook_graphs(self):
        handlers = self.scheduler.stream_handlers
        update = handlers.get("update-graph")
        if not inspect.iscoroutinefunction(update):
            return

        async def update_graph(**message):
            self.guard("sizes of graphs", self.on_graph, message)
            return await update(**message)

        handlers["update-graph"] = update_graph

    def on_graph(self, message):
        size = get_graph_bytes(message)
        if size is not None:
            self.graphs += 1
            self.graph_bytes += size

    def log_event(self, topic, message):
        if topic == "scheduler" and isinstance(message, dict) and message.get("action") == "update-graph" and message.get("status") == "error":
            self.event("warning", "graph-rejected", "the scheduler could not read a graph that the program submitted: its tasks do not exist")

    GRAPHS = declare("graphs", "graphs", "bytes")

    def graph_rows(self, now, everything):
        if not self.graphs:
            return []
        row = [self.GRAPHS, self.graphs, self.graph_bytes]
        self.graphs = self.graph_bytes = 0
        return [row]

    def hook_tasks(self):
        self.hook_graphs()
        handlers = self.scheduler.stream_handlers
        task_erred = handlers["task-erred"]

        # Keep the worker's message about a failure, because the transition does not contain it if the task is retried.
        def on_erred(**message):
            key = message.get("key")
            self.failures[key] = message
            try:
                return task_erred(**message)
            finally:
                self.failures.pop(key, None)

        handlers["task-erred"] = on_erred
        log_event = handlers["log-event"]

        # A worker sends this message just before Dask's own, which has neither times nor the reason.
        def on_event(**message):
            if message.get("topic") != "roast-rescheduled":
                return log_event(**message)
            self.guard("tasks that asked to run again", self.note_rescheduled, message)
            return None

        handlers["log-event"] = on_event
        steal = handlers.get("steal-response")
        if steal is None:
            pass
        elif inspect.iscoroutinefunction(steal):

            async def on_stolen(**message):
                result = await steal(**message)
                self.guard("stolen tasks", self.note_worker, message.get("key"))
                return result

            handlers["steal-response"] = on_stolen
        else:

            def on_stolen_at_once(**message):
                result = steal(**message)
                self.guard("stolen tasks", self.note_worker, message.get("key"))
                return result

            handlers["steal-response"] = on_stolen_at_once

    def note_rescheduled(self, message):
        self.rescheduled[message["msg"]["key"]] = (self.workers.get(message["worker"]), {"startstops": [message["msg"]["part"]]})

    def take_existing_tasks(self):
        """Include tasks that exist already and have no result yet. Their submission time is unknown."""
        for key, state in list(self.scheduler.tasks.items()):
            if state.state in ("waiting", "queued", "no-worker", "processing"):
                life = self.begin_life(key, state, None)
                if state.state == "processing":
                    self.send_life(life, state, None)

    def note_worker(self, key):
        """Note that Dask moved a task to another worker."""
        life, state = self.lives.get(key), self.scheduler.tasks.get(key)
        if life is None or state is None or state.processing_on is None:
            return
        worker = self.workers.get(state.processing_on.address)
        if worker is not life.worker:
            life.worker = worker
            life.sent = time_ns() // 1000

    # ---- transitions of tasks ----

    def transition(self, key, start, finish, *arguments, **facts):
        if start == "memory" and finish == "released":
            return
        step = STEPS.get(finish)
        if step is None:
            return
        self.hooks += 1
        began = None if self.hooks & 63 else time.thread_time()
        try:
            step(self, key, start, facts)
        except Exception as error:
            self.fail("tasks", error)
        if began is not None:
            self.note_hook(began)

    def begin_life(self, key, state, submitted):
        number = self.prefixes.get((state.prefix.name, getattr(state.group, "span_id", None)))
        totals = self.totals.get(number)
        if totals is None:
            totals = self.totals[number] = [0] * (3 * len(STATUSES))
        life = self.lives[key] = Life()
        life.number, life.totals, life.submitted, life.n_inputs = number, totals, submitted, len(state.dependencies)
        if (state.worker_restrictions or state.host_restrictions) and not (state.loose_restrictions or self.has_bound):
            self.has_bound = True
            self.event("info", "bound", "tasks may only run on workers that the program names, such as “%s”" % shorten(str(key)))
        if state.nbytes < 0:
            life.status = NEVER_RAN
            totals[NEVER_RAN] += 1
            self.n_open += 1
        else:
            # The task has a size, so it had a result, which was lost. It was done, and stays done unless it fails now.
            life.status = DONE
            life.attempts = 1
            life.retried = key in self.repeated
            self.check_later()
        self.changed_totals[number] = totals
        return life

    def send_life(self, life, state, now):
        life.sent = now
        on = state.processing_on
        life.worker = None if on is None else self.workers.get(on.address)
        life.attempts += 1
        if life.status != DONE:
            self.move(life, UNFINISHED)
        if life.attempts > life.rescheduled + 1 and not life.retried:
            life.retried = True
            self.repeated.add(state.key)
            life.totals[RETRIED + life.status] += 1
            self.changed_totals[life.number] = life.totals

    def move(self, life, status):
        before, life.status = life.status, status
        if status < NEVER_RAN <= before:
            self.n_open -= 1
        elif before < NEVER_RAN <= status:
            self.n_open += 1
        totals = self.changed_totals[life.number] = life.totals
        totals[before] -= 1
        totals[status] += 1
        if life.retried:
            totals[RETRIED + before] -= 1
            totals[RETRIED + status] += 1
        if not (self.flushing and self.n_open):
            self.flush_soon()

    def on_waiting(self, key, start, facts):
        life = self.lives.get(key)
        now = time_ns() // 1000
        if life is None:
            self.begin_life(key, self.scheduler.tasks[key], now)
            if not self.flushing:
                self.flush_soon()
        elif start == "released":
            life.submitted, life.ready, life.sent, life.worker = now, None, None, None
            status = UNFINISHED if life.attempts else NEVER_RAN
            if life.status != status and life.status != DONE:
                self.move(life, status)

    def on_ready(self, key, start, facts):
        life = self.lives.get(key)
        if life is not None and start == "waiting":
            life.ready = time_ns() // 1000

    def on_no_worker(self, key, start, facts):
        self.on_ready(key, start, facts)
        self.check_later()

    def check_later(self):
        if self.unmet_timer is None:
            self.unmet_timer = self.loop.call_later(UNMET_AFTER, self.on_unmet_due)

    def on_unmet_due(self):
        self.unmet_timer = None
        self.attempt("tasks without a worker", self.tell_unmet)

    def tell_unmet(self):
        """Report each resource that no worker has, once. Wait while there is no worker at all."""
        waiting, workers = self.scheduler.unrunnable, self.scheduler.workers
        if not workers:
            if self.tell_lost() or waiting:
                self.check_later()
            return
        self.n_unserved = min(self.n_unserved, 0)
        for state in itertools.islice(waiting, OPEN):
            for name, amount in (state.resource_restrictions or {}).items():
                if name in self.unmet or any((worker.resources or {}).get(name, 0) >= amount for worker in workers.values()):
                    continue
                self.unmet.add(name)
                self.event("warning", "no-worker", "tasks ask for %g of the resource “%s”, which no worker has" % (amount, name))

    def tell_lost(self):
        """Report once that results which clients need were lost with the last workers. Return whether to check again."""
        n = 0 if self.n_unserved < 0 else sum(life.status == DONE for life in self.lives.values())
        self.n_unserved += n > 0
        if self.n_unserved < UNSERVED:
            return n > 0
        self.n_unserved = -1
        self.event("warning", "results-lost", "the results of %d tasks were lost, and no worker was left to compute them again" % n)
        return False

    def on_processing(self, key, start, facts):
        life = self.lives.get(key)
        if life is not None:
            now = time_ns() // 1000
            if start == "waiting":
                life.ready = now
            self.send_life(life, self.scheduler.tasks[key], now)

    def on_memory(self, key, start, facts):
        life = self.lives.pop(key, None)
        if life is None:
            return
        if life.attempts:
            self.end_attempt(key, life, DONE, facts)
        if life.status != DONE:
            self.move(life, DONE)

    def on_erred(self, key, start, facts):
        state = self.scheduler.tasks[key]
        life = self.lives.get(key)
        if life is None:
            if start == "memory":  # the task is an actor that died with its worker
                # Do not count it as lost if its worker said that it was closing, as at shutdown. Dask has already removed the worker.
                gone = [address for address in self.workers if address not in self.scheduler.workers]
                if not gone or not all(self.find_closing(address) for address in gone):
                    self.move(self.begin_life(key, state, None), LOST)
                return
            life = self.begin_life(key, state, time_ns() // 1000)
        if start == "processing":
            # If no worker has sent a message about a failure, Dask itself gave the task up.
            status = FAILED if key in self.failures or "startstops" in facts else KILLED_WORKER
            self.end_attempt(key, life, status, facts)
            self.move(life, status)
            return
        # The task never reached a worker: a dependency failed, or no worker was suitable.
        if state.exception_blame is state:
            self.end_attempt(key, life, NEVER_RAN, facts)
        life.is_unrunnable = True
        if life.status != NEVER_RAN:
            self.move(life, LOST)

    def on_released(self, key, start, facts):
        if start != "processing":
            return
        life = self.lives.get(key)
        if life is None:
            return
        if key in self.failures:
            self.end_attempt(key, life, FAILED, facts, again=True)
            return
        state = self.scheduler.tasks[key]
        asker, times = self.rescheduled.pop(key, (None, None))
        was_asked = asker is not None and asker is life.worker
        if was_asked:
            facts = times
        if not (state.who_wants or state.waiters):
            self.end_attempt(key, life, CANCELLED, facts)
            if life.status != DONE:
                self.move(life, CANCELLED)
        elif was_asked:
            life.rescheduled += 1
            self.end_attempt(key, life, RESCHEDULED, facts, again=True)
        else:
            # The task is retried, because its worker died or gave the task back.
            self.end_attempt(key, life, LOST, facts, again=True)

    def on_forgotten(self, key, start, facts):
        if self.repeated:
            self.repeated.discard(key)
        life = self.lives.pop(key, None)
        if life is None:
            return
        if start == "processing":
            self.end_attempt(key, life, CANCELLED, facts)
            if life.status != DONE:
                self.move(life, CANCELLED)
        elif life.status == NEVER_RAN and not life.is_unrunnable and self.is_cancelled(facts):
            self.move(life, CANCELLED)
        elif life.status == UNFINISHED:
            self.move(life, LOST)
        elif life.status == NEVER_RAN:
            self.n_open -= 1

    def is_cancelled(self, facts):
        """Return whether the script cancelled or released the task, or restarted the cluster; otherwise its client closed. Older versions of
        Dask have the reason only in their log."""
        reason = facts.get("stimulus_id")
        if reason is None:
            log = self.scheduler.transition_log
            reason = getattr(log[-1], "stimulus_id", "") if log else ""
        return str(reason).startswith(("cancel-key", "client-releases-keys", "client-restart"))

    def end_attempt(self, key, life, status, facts, again=False):
        totals = self.changed_totals[life.number] = life.totals
        if status != NEVER_RAN:
            totals[ATTEMPTS + status] += 1
        if self.failures:
            facts = self.failures.get(key, facts)
        if life.status == DONE:
            again = True  # this attempt's task was already counted
        if self.with_tasks:
            self.ended.append((key, life, life.submitted, life.ready, life.sent, life.worker, status, facts, again, time_ns() // 1000))
        if not (self.flushing and self.n_open):
            self.flush_soon()

    # ---- rows ----

    TASK = declare(
        "t", "task", "category", "worker", "submitted", "ready", "dispatched", "delivered", "started", "duration", "noticed", "bytes_out", "cpu",
        "n_inputs", "status", "error", "message", "again",
    )
    PHASE = declare("phase", "started", "duration")

    def task_rows(self, now, everything):
        """Return rows of attempts, as text. After each come the phases before it computed: fetching, reading or decoding its inputs."""
        ended, self.ended = self.ended, []
        if not ended:
            return []
        base = int(now * 1e6)
        rows = self.category_rows()
        for key, life, submitted, ready, sent, worker, status, facts, again, noticed in ended:
            worker = self.workers.get(facts.get("worker"), worker)
            parts = facts.get("startstops") or ()
            began = took = delivered = cpu = None
            delay = 0.0  # error of the clock difference that Dask assumes; roast measured it in the worker
            for part in reversed(parts):
                if part["action"] == "compute":
                    cpu, delivered, delay = part.get("roast", NO_TIMES)
                    began = int((part["start"] - delay) * 1e6) - base
                    took = int((part["stop"] - delay) * 1e6) - base - began
                    break
            cells = ATTEMPT_CELLS % (
                life.number, worker and worker.number, submitted and submitted - base, ready and ready - base, sent and sent - base,
                delivered and int((delivered - delay) * 1e6) - base, began, took, noticed - base,
                facts.get("nbytes") if status == DONE else None, cpu, life.n_inputs)
            text = '["t",' + encode_basestring_ascii(shorten(key if type(key) is str else str(key))) + cells.replace("None", "null")
            if status != DONE or again:
                failure = (STATUSES[status], *self.describe_failure(status, facts)) if status != DONE else (None, None, None)
                text += "," + encode([*failure, again])[1:-1]
            rows.append(text + "]\n")
            if len(parts) > 1:
                rows += [encode_rows([self.phase_row(part, delay, base)]) for part in parts if part["action"] != "compute"]
        return rows

    def phase_row(self, part, delay, base):
        began = int((part["start"] - delay) * 1e6)
        return [self.PHASE, began - base, int((part["stop"] - delay) * 1e6) - began]

    OPEN_TASK = declare("open", "task", "category", "worker", "submitted", "ready", "dispatched", "started")

    def open_rows(self, now, everything):
        """Return rows of waiting and running tasks at a flush, else only of long-running tasks. A row without a task starts a new list."""
        if not self.with_tasks:
            return []
        base = int(now * 1e6)
        if not everything:
            return self.long_rows(now, base)
        rows = [[self.OPEN_TASK]]
        for worker in self.workers.values():
            executing = worker.state.executing
            for state in list(worker.state.processing):
                life = self.lives.get(state.key)
                if life is not None and len(rows) <= OPEN:
                    # Take the start from the worker's last heartbeat. A task that began later has no start yet.
                    took = executing.get(state)
                    started = None if took is None else int((worker.state.last_seen - took) * 1e6)
                    rows.append(self.open_row(base, state.key, life, worker.number, started))
        for key, life in itertools.islice(self.lives.items(), OPEN + 1 - len(rows)):
            if life.status == NEVER_RAN:
                rows.append(self.open_row(base, key, life, None, None))
        return self.category_rows() + rows

    def long_rows(self, now, base):
        if now < self.next_open:
            return []
        began = time.thread_time()
        rows = [[self.OPEN_TASK]]
        for worker in self.workers.values():
            for state, took in list(worker.state.executing.items()):
                if took < LONG or len(rows) > MANY:
                    continue
                life = self.lives.get(state.key)
                started = int((worker.state.last_seen - took) * 1e6)
                # Skip an attempt that has ended, because a worker may still report it as running.
                if life is not None and life.worker is worker and life.sent is not None and started > life.sent - 1000000:
                    rows.append(self.open_row(base, state.key, life, worker.number, started))
        self.next_open = now + max(self.wanted_interval, (time.thread_time() - began) / SHARE)
        was_told, self.told_open = self.told_open, len(rows) > 1
        return self.category_rows() + rows if was_told or self.told_open else []

    def open_row(self, base, key, life, worker, started):
        times = (life.submitted, life.ready, life.sent, started)
        return [self.OPEN_TASK, shorten(str(key)), life.number, worker, *(time and time - base for time in times)]

    def describe_failure(self, status, facts):
        text = facts.get("exception_text")
        if text is None and isinstance(facts.get("exception"), bytes):
            try:
                # The exception has no text, because the scheduler made it, not a worker.
                text = repr(distributed.protocol.pickle.loads(facts["exception"]))
                text = "%s(%r)" % (text.partition("(")[0], str(distributed.protocol.pickle.loads(facts["exception"])))
            except Exception:
                text = None
        if text is not None:
            return describe(str(text))
        return ("KilledWorker", None) if status == KILLED_WORKER else (None, None)

    TOTAL_COLUMNS = [prefix + status for prefix in ("", "retried_", "attempts_") for status in STATUSES]
    TOTALS = declare("totals", "category", *TOTAL_COLUMNS)
    # Counts from before the reader began. They do not belong to the measurement of this reader.
    TOTALS_BASE = declare("totals-base", "category", *TOTAL_COLUMNS)

    def total_rows(self, now, everything):
        changed, self.changed_totals = self.changed_totals, {}
        self.next_totals = now + TOTALS_EVERY
        return self.category_rows() + [[self.TOTALS, number, *totals] for number, totals in changed.items()]

    def base_rows(self):
        """Return the counts of ended tasks, which a new reader subtracts."""
        base = {number: list(totals) for number, totals in self.totals.items()}
        for life in self.lives.values():
            if life.status in (NEVER_RAN, UNFINISHED):
                base[life.number][life.status] -= 1
                base[life.number][RETRIED + life.status] -= life.retried
        return [[self.TOTALS_BASE, number, *totals] for number, totals in base.items()]

    def all_total_rows(self):
        return [[self.TOTALS, number, *totals] for number, totals in self.totals.items()]

    def flush_soon(self):
        """Send rows at the end of this loop turn if no task is left for now, or if no rows were sent just before. Otherwise wait a
        little."""
        self.flushing = True
        wait = self.next_rows - self.loop.time()
        if wait <= 0 or not self.n_open:
            self.loop.call_soon(self.flush_tasks)
        else:
            self.loop.call_later(wait, self.flush_tasks)

    def flush_tasks(self):
        self.flushing = False
        self.attempt("tasks", self.tell_tasks)

    def tell_tasks(self):
        if not (self.ended or self.changed_totals):
            return
        began = time.thread_time()
        now = time.time()
        # If all readers poll, rows may wait for TOGETHER, because such readers get lines only that often while tasks wait or run.
        self.next_rows = self.loop.time() + (ROWS_EVERY if self.pushers else TOGETHER)
        rows = self.worker_rows(now, False) if self.changed else []
        rows += self.task_rows(now, False)
        if now >= self.next_totals:
            rows += self.total_rows(now, False)
        elif self.changed_totals and self.totals_timer is None:
            self.totals_timer = self.loop.call_later(TOTALS_EVERY, self.on_totals_due)
        if rows and self.active and not self.closed:
            self.ring.add([self.now_row(now), *rows])
            self.wake(now=not self.n_open)
        self.own += time.thread_time() - began

    def on_totals_due(self):
        self.totals_timer = None
        self.flush_tasks()

    CATEGORY = declare("category", "number", "category", "span")

    def category_rows(self, all_of_them=False):
        """Return rows of categories that were not sent yet, or of all. Tasks of one prefix in two spans have two numbers."""
        kinds = self.prefixes.take_fresh() if not all_of_them else self.prefixes.numbers
        return [[self.CATEGORY, self.prefixes.numbers[kind], kind[0][:NAME], kind[1]] for kind in kinds]

    STATES = declare("states", "category", "waiting", "queued", "running", "done", "failed")

    def state_rows(self, now, everything):
        """Return the counts of each prefix. The cost grows with the number of prefixes, so run rarely, and at the end. Waiting and
        running tasks are current; ended tasks are sums."""
        if not everything and now < self.next_states:
            return []
        began = time.thread_time()
        rows, ended = [], {}
        for (name, _), number in self.prefixes.numbers.items():
            ended.setdefault(name, []).append(count_ended(self.totals[number]) if number in self.totals else (0, 0))
        for name, prefix in list(self.scheduler.task_prefixes.items()):
            states = prefix.states.get
            queued = states("queued", 0) + states("no-worker", 0)
            counts = (states("waiting", 0), queued, states("processing", 0), *map(sum, zip((0, 0), *ended.get(name, ()))))
            if any(counts) or name in ended:
                rows.append([self.STATES, self.prefixes.get((name, None)), *counts])
        self.next_states = self.rarely(now, began)
        return self.category_rows() + rows


STEPS = {
    "waiting": Tasks.on_waiting, "queued": Tasks.on_ready, "no-worker": Tasks.on_no_worker, "processing": Tasks.on_processing,
    "memory": Tasks.on_memory, "erred": Tasks.on_erred, "released": Tasks.on_released, "forgotten": Tasks.on_forgotten,
}
