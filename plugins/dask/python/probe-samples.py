# SPDX-License-Identifier: BSD-3-Clause
"""Part 2 of 4: what the scheduler knows, as lines, some times a second at most."""

import time

import distributed.utils

LINE_ROWS = 400  # of a line
LINE_BYTES = 60_000  # below the 64 KiB of the run's socket
NAME = 400  # characters of a name
FINE_ROWS = 700  # fine metrics per sample; the others follow with the next ones, and all at a flush
LEAVE_GRACE = 1.0  # s in which the last words of a worker that left may still come
SLOW = 0.005  # s that a sample may take before they become rarer
SHARE = 0.001  # of the scheduler's time for counts that cost more with more tasks and workers


class Samples:
    """The part of the probe that tells what it collected."""

    def emit(self, frame):
        self.ring.append(encode(frame))

    def sample(self, everything=False):
        began = time.thread_time()
        now = time.time()
        # What one part cannot read does not keep the others from being told.
        self.attempt("workers", self.emit_joins, now)
        self.attempt("memory and load of workers", self.emit_rows, now)
        self.attempt("tasks", self.emit_tasks, now)
        self.attempt("fine metrics", self.emit_fine, now, None if everything else FINE_ROWS)
        self.attempt("workers that left", self.emit_leaves, now, everything)
        self.attempt("counts by prefix, and spans", self.emit_slow, now, everything)
        events, self.events = self.events, []
        frame = {"t": now, "late": round(self.late, 6)}
        if self.lost_tasks:
            events.append(["warning", "frames-dropped", "%d tasks have no row: more finished than can be told" % self.lost_tasks])
            self.lost_tasks = 0
        self.emit_list(now, "events", events)
        counts = self.attempt("counts of tasks", self.get_counts, everything)
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
                    "worker %s was lost%s with %.1f s of which nothing is known"
                    % (worker.address, "" if worker.reason == "lost" else " (%s)" % worker.reason, tail),
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
