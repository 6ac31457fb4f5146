# SPDX-License-Identifier: BSD-3-Clause
"""Part 4 of 5: adds data to Dask's report on each task: when its inputs were ready, the CPU time of its thread, and the clock error.

These data are extra entries in the dictionary of the task's computation, which Dask sends when the task ends.
"""

import threading
import time

PENDING = 10_000  # maximum number of CPU times that are kept until their task is known
ACTORS = (("thread-cpu", "seconds"), ("thread-noncpu", "seconds"), ("calls", "count"))
DRIFT = 1e-4  # maximum rate at which the difference of two clocks changes; NTP seldom corrects clocks faster, by up to 5e-4


def read_round_trips(worker):
    """Return the sum of the round trips of all heartbeats, s."""
    return getattr(worker, "digests_total", {}).get("latency", 0.0)


def get_kind(state):
    """Return (span, prefix) of a task, as in the keys of Dask's digests; None if this version of Dask does not know them."""
    return getattr(state, "span_id", None), getattr(state, "prefix", None)


class WorkerClock:
    """The difference between the scheduler's clock and this worker's.

    Dask estimates it at each heartbeat from the middle of the round trip. On a busy machine the estimate is wrong by up to half a
    second, even if both have the same clock. The estimate from the shortest round trip is the best.
    """

    def __init__(self, worker, scheduler_clock):
        self.worker = worker
        self.is_same = is_same_clock(scheduler_clock, read_clock())
        self.delay = 0.0 if self.is_same else None  # s; added to this worker's times, it gives the scheduler's times; None if unknown
        self.uncertainty = 0.0
        self.measured = time.monotonic()
        self.round_trips = read_round_trips(worker)

    def look(self):
        """At a heartbeat, consider the difference that Dask computed at the previous one."""
        last, self.round_trips = self.round_trips, read_round_trips(self.worker)
        uncertainty = (self.round_trips - last) / 2
        if self.is_same or uncertainty <= 0.0:
            return
        now = time.monotonic()
        if self.delay is None or uncertainty < self.uncertainty + DRIFT * (now - self.measured):
            self.delay, self.uncertainty, self.measured = self.worker.scheduler_delay, uncertainty, now

    def get_facts(self):
        if self.delay is None:
            return {}
        return {"clock_offset": 0.0 - self.delay, "clock_uncertainty": self.uncertainty}


class TaskTimes:
    def __init__(self, worker, clock, threads):
        self.worker = worker
        self.clock = clock
        self.threads = threads  # TaskThreads of this worker; None if they are not measured
        self.ready = {}  # maps the key of a task to the time when its inputs were ready
        self.cpu = {}  # maps (start, end) of a computation to the CPU time of its thread, and to the delay that is included in start and end
        self.executors = []
        self.actor_times = [0.0, 0.0, 0]  # sums over methods of actors: s in which they computed, s in which they did not, number of calls
        self.raised = set()  # threads of actors whose last method raised: Dask keeps them in its list of active threads
        self.cancelled = {}  # maps (span, prefix) to [CPU time, time], s, in the threads of attempts that were cancelled while they ran
        self.asked = {}  # maps (span, prefix) to the time, s, of attempts that asked to run again
        for executor in dict.fromkeys(worker.executors.values()):
            # Recognize executors that run tasks in threads by their class name, as Dask does.
            if "ThreadPoolExecutor" in str(type(executor)):
                self.watch(executor)

    def watch(self, executor):
        submit = executor.submit
        cpu, threads = self.cpu, self.threads
        worker = self.worker
        times = self.actor_times if executor is worker.executors.get("actor") else None

        def run_actor(delay, function, arguments, keywords):
            began, computed = time.perf_counter(), time.thread_time()
            self.raised.discard(threading.get_ident())
            try:
                return function(*arguments, **keywords)
            except BaseException:
                self.raised.add(threading.get_ident())
                raise
            finally:
                computed = time.thread_time() - computed
                times[0] += computed
                times[1] += max(time.perf_counter() - began - computed, 0.0)
                times[2] += 1

        def run(delay, function, arguments, keywords):
            began = time.thread_time()
            result = function(*arguments, **keywords)
            now = time.thread_time()
            # Recognize a task by its result, a dictionary with its times, because Dask also runs other functions in this executor.
            if type(result) is dict and "start" in result and "stop" in result:
                if len(cpu) > PENDING:
                    cpu.clear()
                cpu[(result["start"], result["stop"])] = (now - began, delay)
                if threads is not None:
                    threads.note_task(now)
            return result

        def submit_timed(function, *arguments, **keywords):
            # Pass the same delay that Dask has just passed to the function.
            return submit(run if times is None else run_actor, worker.scheduler_delay, function, arguments, keywords)

        executor.submit = submit_timed
        self.executors.append((executor, submit_timed))

    def more_rows(self, digests):
        """Return rows of activities that are not among Dask's digests."""
        rows = []
        if any(self.actor_times):
            rows += [[["actors", None, None, *label], value] for label, value in zip(ACTORS, self.actor_times)]
        for kind in self.cancelled.keys() | self.asked.keys():
            # Divide Dask's time of cancelled attempts: Dask reports only one sum, of the time in the threads of cancelled attempts, of its own
            # work around these threads, and of attempts that asked to run again.
            whole = digests.get(("execute", *kind, "cancelled", "seconds"), 0.0)
            if not whole > 0:
                continue
            if kind in self.asked:
                again = min(self.asked[kind], whole) if kind in self.cancelled else whole
                whole -= again
                rows += [[labels(("execute", *kind, name, "seconds")), value] for name, value in (("cancelled", whole), ("rescheduled", again))]
            if kind in self.cancelled:
                computed, took = self.cancelled[kind]
                # Dask measures the sum by another clock than the times of attempts.
                took = min(took, whole)
                computed = min(computed, took)
                parts = {"thread-cpu": computed, "thread-noncpu": took - computed, "executor": whole - took}
                rows += [[["cancelled", *kind, name, "seconds"], value] for name, value in parts.items()]
        return rows

    def close(self):
        for executor, submit_timed in self.executors:
            if vars(executor).get("submit") is submit_timed:
                del executor.submit

    def transition(self, key, start, finish):
        """Follow each step of a task in its worker."""
        if finish == "ready" or finish == "constrained":
            self.ready[key] = time.time()
        elif finish == "memory" or finish == "error":
            ready = self.ready.pop(key, None)
            state = self.worker.state.tasks.get(key)
            # Find the last part “compute”. If the result is large or the machine is busy, a part for storing the result may follow.
            parts = reversed(state.startstops) if state is not None else ()
            part = next((part for part in parts if part["action"] == "compute"), None)
            if part is None:
                return
            cpu, delay = self.cpu.pop((part["start"], part["stop"]), (None, self.worker.scheduler_delay))
            part["roast"] = self.describe(cpu, ready, delay)
            if start == "cancelled" and cpu is not None:
                times = self.cancelled.setdefault(get_kind(state), [0.0, 0.0])
                times[0] += cpu
                times[1] += part["stop"] - part["start"]
        elif finish == "rescheduled":
            self.tell_rescheduled(key, start, self.ready.pop(key, None))
        elif finish == "released" or finish == "forgotten":
            self.ready.pop(key, None)

    def describe(self, cpu, ready, delay):
        """Return the CPU time, the time when the inputs were ready, and the error of the clock difference that Dask assumes."""
        return (
            None if cpu is None else round(cpu, 7),
            None if ready is None else ready + delay,
            0.0 if self.clock.delay is None else delay - self.clock.delay,
        )

    def tell_rescheduled(self, key, before, ready):
        """Tell the scheduler that the task itself raised Reschedule, and when it ran. A worker that closes gives tasks back the same way."""
        worker = self.worker
        state = worker.state.tasks.get(key)
        # A task that was cancelled meanwhile does not run again.
        if before == "cancelled" or state is None or state.start_time is None or worker.status.name in ("closing", "closed", "failed"):
            return
        now, delay = time.time(), worker.scheduler_delay
        kind = get_kind(state)
        self.asked[kind] = self.asked.get(kind, 0.0) + now - state.start_time
        part = {"action": "compute", "start": state.start_time + delay, "stop": now + delay, "roast": self.describe(None, ready, delay)}
        worker.log_event("roast-rescheduled", {"key": key, "part": part})
