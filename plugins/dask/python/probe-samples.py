# SPDX-License-Identifier: BSD-3-Clause
"""Part 2 of 6: turns the scheduler's data into rows, at most a few times a second.

Each table is declared above the function that makes its rows. Times are whole µs. The columns `now`, `joined` and `left`, and times of
spans, count from the epoch; all others are relative to the last `now`.
"""

import time

NAME = 400  # maximum length of a name, characters
VALUES = 700  # maximum number of cumulative values per sample; more values follow in later samples; a flush sends all
SLOW = 0.005  # s; if a sample takes longer, samples become less frequent
SHARE = 0.001  # maximum share of the scheduler's time for counts that cost more the more tasks and workers there are


def shorten(name):
    """Shorten the name of a task, but keep its end: long names often differ only there."""
    return name if len(name) <= NAME else name[: NAME - 1 - NAME // 3] + "…" + name[-(NAME // 3) :]


def us(seconds):
    return int(seconds * 1e6)


def get_executing(state):
    """Return how many tasks a worker ran at its last heartbeat."""
    executing = (state.metrics.get("task_counts") or {}).get("executing")
    return len(state.executing) if executing is None else executing


def count_executing(state):
    """Return how many of the tasks that a worker has now it runs; the others wait there for a thread or for their inputs."""
    return min(get_executing(state) + len(state.long_running), len(state.processing))


class Samples:
    """The part of the probe that turns collected data into rows."""

    def sample(self, everything=False):
        began = time.thread_time()
        now = time.time()
        rows = [self.now_row(now)]
        # Guard each part separately, so that all other parts are sent even if one part fails.
        for what, part in (
            ("workers", self.worker_rows),
            ("processes of workers", self.process_rows),
            ("memory and load of workers", self.sample_rows),
            ("tasks", self.task_rows),
            ("tasks that wait or run", self.open_rows),
            ("counts of tasks by status", self.total_rows),
            ("activities", self.value_rows),
            ("last data of workers", self.told_rows),
            ("workers that left", self.leave_rows),
            ("counts by prefix", self.state_rows),
            ("sizes of graphs", self.graph_rows),
            ("spans", self.span_rows),
        ):
            rows += self.attempt(what, part, now, everything) or ()
        rows.append(self.cluster_row(self.attempt("counts of tasks", self.get_counts, everything)))
        rows += self.event_rows()
        self.ring.add(rows)
        spent = time.thread_time() - began
        self.own += spent
        self.ring.add([self.cost_row()])
        if not everything:
            self.adapt(spent)
        self.wake()

    def adapt(self, spent):
        """Take samples less often if one takes long, down to one in ten seconds. Return to the configured rate when they are short."""
        if spent > SLOW and spent > self.interval * 0.02 and self.interval < 10:
            self.interval = min(self.interval * 2, 10.0)
        elif spent < SLOW / 4 and self.interval > self.wanted_interval:
            self.interval = max(self.interval / 2, self.wanted_interval)

    NOW = declare("now", "now")

    def now_row(self, now):
        """Return the row that precedes all rows made at that time."""
        return [self.NOW, us(now)]

    # ---- workers ----

    # Use a name of one letter for a table if large clusters send hundreds of its rows per second.
    SAMPLE = declare(
        "s", "worker", "time", "memory", "managed", "spilled_memory", "spilled_disk", "cpu_percent", "nbytes", "active_tasks",
        "executing_tasks", "occupancy", "lateness", "lateness_queue", "net_read_rate", "net_write_rate", "disk_read_rate", "disk_write_rate",
    )

    def sample_row(self, worker, beat, now):
        state = worker.state
        get = state.metrics.get
        spilled = get("spilled_bytes") or get("spilled_nbytes") or {}
        net = get("host_net_io") or {}
        disk = get("host_disk_io") or {}
        net_read, net_write, disk_read, disk_write = net.get("read_bps"), net.get("write_bps"), disk.get("read_bps"), disk.get("write_bps")
        interval = get("event_loop_interval")  # average interval between ticks of the event loop
        late, worker.late = worker.late, 0.0
        queued, worker.queued = worker.queued, None
        late = None if interval is None else round(max(interval - self.ticks.interval, late, 0.0), 6)
        return [
            self.SAMPLE,
            worker.number,
            int((beat - now) * 1e6),
            get("memory"),
            get("managed_bytes"),
            spilled.get("memory"),
            spilled.get("disk"),
            get("cpu"),
            state.nbytes,
            len(state.processing),
            get_executing(state),
            round(state.occupancy, 3),
            late,
            None if late is None or queued is None else round(min(queued, late), 6),
            net_read and int(net_read),
            net_write and int(net_write),
            disk_read and int(disk_read),
            disk_write and int(disk_write),
        ]

    def sample_rows(self, now, everything):
        dirty, self.dirty = self.dirty, {}
        workers = self.workers
        return [self.sample_row(workers[address], beat, now) for address, beat in dirty.items() if address in workers]

    def rarely(self, now, began):
        """Return when to repeat work that began when the thread had used `began` s of CPU time."""
        return now + max(10 * self.wanted_interval, (time.thread_time() - began) / SHARE)

    # ---- activities ----

    ACTIVITY = declare("activity", "number", "context", "span", "category", "activity", "unit")

    def activity_rows(self, keys):
        return [[self.ACTIVITY, self.keys.numbers[key], *key] for key in keys]

    VALUE = declare("v", "worker", "activity", "value")

    def value_rows(self, now, everything):
        dirty = self.dirty_values
        if everything or len(dirty) <= VALUES:
            taken = list(dirty)
            dirty.clear()
        else:
            # Send the values that have waited longest, so that every value is sent in the end.
            taken = [pair for pair, _ in zip(dirty, range(VALUES))]
            for pair in taken:
                del dirty[pair]
        return self.activity_rows(self.keys.take_fresh()) + [
            [self.VALUE, worker.number, number, worker.values[number]] for worker, number in taken]

    TOLD = declare("told", "worker", "time")

    def told_rows(self, now, everything):
        """Return rows with the time up to which all data of a worker are in the lines. If no more lines come, later data are lost."""
        if self.dirty_values:
            return []
        news, self.news = self.news, {}
        return [[self.TOLD, worker.number, us(worker.told - now)] for worker in news]

    # Values from before the reader began. They do not belong to the measurement of this reader.
    BASE = declare("base", "worker", "activity", "value")

    def known_values(self, table, workers):
        return [[table, worker.number, number, value] for worker in workers for number, value in worker.values.items()]

    SPAN = declare("span", "span", "name", "parent", "kind", "started", "ended")

    def span_rows(self, now, everything, again=False):
        """Return rows of spans that changed, or of all spans with `again`. The cost grows with the number of spans, so run rarely, and
        at the end."""
        extension = self.scheduler.extensions.get("spans")
        if extension is None or not (everything or again or now >= self.next_spans):
            return []
        began = time.thread_time()
        rows = []
        for span in list(extension.spans.values()):
            times = (us(span.start) if span.start else None, us(span.stop) if span.done else None)
            if again or self.spans_told.get(span.id) != times:
                if not again:  # other readers have not got the rows of a snapshot
                    self.spans_told[span.id] = times
                kind = "default" if span.name == ("default",) else "native"
                rows.append([self.SPAN, span.id, "/".join(map(str, span.name))[:NAME], span.parent.id if span.parent else None, kind, *times])
        self.next_spans = self.rarely(now, began)
        return rows

    # ---- the scheduler ----

    EVENT = declare("event", "severity", "kind", "message")

    def event_rows(self):
        events, self.events = self.events, []
        return [[self.EVENT, *event] for event in events]

    COST = declare("cost", "samples", "hooks")

    def cost_row(self):
        """Return the row of the probe's own CPU time, s."""
        return [self.COST, round(self.own, 6), round(self.hook_time / self.hooks_timed * self.hooks, 6) if self.hooks_timed else 0.0]

    CLUSTER = declare(
        "cluster", "lateness", "lateness_queue", "workers", "workers_desired", "cores", "tasks_waiting", "tasks_queued", "tasks_executing",
        "tasks_done", "tasks_failed",
    )

    def cluster_row(self, counts):
        queued = None if self.queued is None else round(min(self.queued, self.late), 6)
        return [self.CLUSTER, round(self.late, 6), queued, *(counts or ())]

    def get_counts(self, everything):
        now = time.monotonic()
        if not everything and now < self.next_counts:
            return None
        began = time.thread_time()
        scheduler = self.scheduler
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
        processing = active.get("processing", 0)
        executing = sum(map(count_executing, scheduler.workers.values()))
        counts = (
            len(scheduler.workers),
            target,
            scheduler.total_nthreads,
            active.get("waiting", 0),
            active.get("queued", 0) + active.get("no-worker", 0) + processing - executing,
            executing,
            *map(sum, zip((0, 0), *map(count_ended, self.totals.values()))),
        )
        self.next_counts = now + (time.thread_time() - began) / SHARE
        return counts
