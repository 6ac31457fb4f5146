# SPDX-License-Identifier: BSD-3-Clause
"""Part 4 of 5: what a worker can add to what Dask sends about each task: when its inputs were there, the CPU time of its thread, and the clock.

They travel with the times that Dask sends when a task ends, as more entries of the dictionary of its computation.
"""

import time

PENDING = 10_000  # threads' CPU times that no task asked for
DRIFT = 1e-4  # by which the difference of two clocks may change; NTP corrects clocks by up to 5e-4 of the time, but seldom


class WorkerClock:
    """The difference of the scheduler's clock and this worker's.

    Dask computes one at each heartbeat, from the middle of the round trip: on a busy machine it is wrong by up to half a second, also
    if both have the same clock. The difference of the shortest round trip is the best.
    """

    def __init__(self, worker, scheduler_clock):
        self.worker = worker
        self.is_same = is_same_clock(scheduler_clock, read_clock())
        self.delay = 0.0 if self.is_same else None  # to be added to this worker's times, s
        self.uncertainty = 0.0
        self.measured = time.monotonic()
        self.round_trips = self.read_round_trips()

    def read_round_trips(self):
        """Return the sum over all heartbeats, s."""
        return getattr(self.worker, "digests_total", {}).get("latency", 0.0)

    def look(self):
        """At a heartbeat, use the difference that Dask computed at the one before."""
        last, self.round_trips = self.round_trips, self.read_round_trips()
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
    def __init__(self, worker, clock):
        self.worker = worker
        self.clock = clock
        self.ready = {}  # key to when its inputs were there
        self.cpu = {}  # (start, end) of a computation to the CPU time of its thread, and the delay that both contain
        self.executors = []
        for executor in dict.fromkeys(worker.executors.values()):
            # As Dask recognizes those that run tasks in threads.
            if "ThreadPoolExecutor" in str(type(executor)):
                self.watch(executor)

    def watch(self, executor):
        submit = executor.submit
        cpu = self.cpu
        worker = self.worker

        def run(delay, function, arguments, keywords):
            began = time.thread_time()
            result = function(*arguments, **keywords)
            spent = time.thread_time() - began
            # Dask also runs other things there. A task's result is a dictionary with its times.
            if type(result) is dict and "start" in result and "stop" in result:
                if len(cpu) > PENDING:
                    cpu.clear()
                cpu[(result["start"], result["stop"])] = (spent, delay)
            return result

        def submit_timed(function, *arguments, **keywords):
            # The function has just been given the same delay.
            return submit(run, worker.scheduler_delay, function, arguments, keywords)

        executor.submit = submit_timed
        self.executors.append((executor, submit_timed))

    def close(self):
        for executor, submit_timed in self.executors:
            if vars(executor).get("submit") is submit_timed:
                del executor.submit

    def transition(self, key, start, finish):
        """Each step of a task at its worker."""
        if finish == "ready" or finish == "constrained":
            self.ready[key] = time.time()
        elif finish == "memory" or finish == "error":
            ready = self.ready.pop(key, None)
            state = self.worker.state.tasks.get(key)
            part = state.startstops[-1] if state is not None and state.startstops else None
            if part is None or part["action"] != "compute":
                return
            cpu, delay = self.cpu.pop((part["start"], part["stop"]), (None, self.worker.scheduler_delay))
            if cpu is not None:
                part["roast_cpu"] = round(cpu, 7)
            if ready is not None:
                part["roast_ready"] = ready + delay
            if self.clock.delay is not None:
                part["roast_delay"] = delay - self.clock.delay
        elif finish == "released" or finish == "forgotten":
            self.ready.pop(key, None)
