# SPDX-License-Identifier: BSD-3-Clause
"""The part of roast in each Dask worker and nanny, part 1 of 5: CPU time and memory of the worker's process.

The five parts are installed as one file, dask-worker.py, and sent as one text through the scheduler: nothing is installed on workers. If
several workers live in one process, it executes the text several times. State that they must share is in the dictionary of the module
`distributed`.
"""

import math
import os
import sys
import threading
import time

import distributed

try:
    import resource
except ImportError:  # not on Windows
    resource = None

READING = 0.001  # s; CPU time that reading all these times may take
STEP = 0.1  # s; a heartbeat contains a CPU time only if it has changed by at least this
OWN_EXECUTORS = ("offload", "actor")  # Dask's executors that run no tasks


def read_file(path):
    with open(path, "rb", buffering=0) as file:
        return file.read(16384)


def read_peak(pid="self"):
    """Return the peak resident memory of a process, B. ru_maxrss is unsuitable: it may date from before an exec."""
    for line in read_file("/proc/%s/status" % pid).splitlines():
        if line.startswith(b"VmHWM:"):
            return int(line.split()[1]) * 1024
    raise ValueError("VmHWM is missing in /proc/%s/status" % pid)


def read_start():
    """Return when this process started, s since the epoch."""
    ticks = int(read_file("/proc/self/stat").rpartition(b")")[2].split()[19])
    return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME) + ticks / os.sysconf("SC_CLK_TCK")


def read_thread(number):
    """Return the CPU time of a thread of this process, and how long it was ready and waited for a core, s. The latter is NaN if the kernel
    does not count it. If the thread has ended, this raises OSError; reading its clock would crash."""
    try:
        computed, waited = read_file("/proc/self/task/%d/schedstat" % number).split()[:2]
        return int(computed) / 1e9, int(waited) / 1e9
    except FileNotFoundError:
        fields = read_file("/proc/self/task/%d/stat" % number).rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), math.nan


def read_children():
    """Return the CPU time of children that ended and were reaped, s, and the peak memory of the largest, B."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class TaskThreads:
    """CPU time of the threads that run a worker's tasks, and how long they waited for a core."""

    def __init__(self, worker):
        self.worker = worker
        self.last = {}  # maps a thread to its two times: CPU time, and waiting for a core
        self.ended = [0.0, 0.0]  # sums of the times of threads that ended, minus the times from before reading began
        self.ended = [-time for time in self.read()]

    def look(self):
        threads = set(self.last)
        for name, executor in list(self.worker.executors.items()):
            if name == "default" or name not in OWN_EXECUTORS:
                # A thread may leave the pool for a long task. Its times are still read, because it stays in `last`.
                threads.update(tuple(getattr(executor, "_threads", ())))
        # Add threads that left the pool (secede) before this method saw them there, and that still run their task.
        active = set(getattr(self.worker, "active_threads", ()))
        if active:
            threads.update(thread for thread in threading.enumerate() if thread.ident in active and "Dask-Default-Threads" in thread.name)
        for thread in threads:
            try:
                self.last[thread] = read_thread(thread.native_id)
            except (OSError, AttributeError, TypeError, ValueError):
                if not thread.is_alive():
                    self.ended = [ended + last for ended, last in zip(self.ended, self.last.pop(thread, (0.0, 0.0)))]

    def note_task(self, computed):
        """Note the CPU time of this thread at the end of a task: the thread may end before the next reading, and /proc may not exist."""
        thread = threading.current_thread()
        self.last[thread] = computed, self.last.get(thread, (0.0, 0.0))[1]

    def read(self):
        self.look()
        return [math.fsum(times) for times in zip(self.ended, *list(self.last.values()))]


def get_process():
    """Return the state that all workers in this process share."""
    process = vars(distributed).get("_roast_process")
    if process is None or process["pid"] != os.getpid():
        process = {"pid": os.getpid(), "lock": threading.Lock(), "members": {}, "most": 0, "loops": {}, "owner": None, "ended": 0.0,
                   "sums": {}, "given": {}}
        distributed._roast_process = process
    return process


def read_program():
    """Return the CPU time of the process's main thread, s: that of the script, if it shares its process with workers."""
    return time.clock_gettime(time.pthread_getcpuclockid(threading.main_thread().ident))


def has_scheduler():
    return any(getattr(scheduler.status, "name", "") == "running" for scheduler in list(distributed.Scheduler._instances))


class Process:
    """The process of one worker. Several workers may live in one process. One of them, the owner, then reports the CPU time that belongs
    to no single worker."""

    def __init__(self, worker):
        self.id = worker.id
        self.threads = TaskThreads(worker)
        self.of_threads = self.waited = 0.0
        self.shared = process = get_process()
        heartbeat = worker.periodic_callbacks.get("heartbeat")
        # Count all CPU time before the first heartbeat of a new worker as start-up. For an older worker, CPU time from before reading began does
        # not belong to the measurement.
        self.is_new = is_new = heartbeat is not None and not heartbeat.is_running()
        with process["lock"]:
            if "base" not in process:
                now = time.process_time()
                # If an earlier worker in this process has closed, for example in another cluster of the script, it has reported the CPU
                # time of its loop's thread.
                pid, thread, earlier = vars(distributed).get("_roast_closed", (None, None, 0.0))
                is_whole = is_new and pid != os.getpid() and not has_scheduler()
                process["startup"] = 0.0
                if is_whole:
                    process["startup"] = now
                elif is_new:
                    # The process also runs the script, so count only the thread of the event loop.
                    process["startup"] = time.thread_time() - (earlier if thread is threading.current_thread() else 0.0)
                process["base"] = now - process["startup"]
                process["children"] = 0.0 if resource is None or is_whole else read_children()[0]
                is_program = has_scheduler() and hasattr(time, "pthread_getcpuclockid")
                process["program"] = read_program() if is_program else None
            process["members"][self.id] = self
            process["most"] = max(process["most"], len(process["members"]))
        self.read_loop()
        self.facts = {}
        try:
            self.facts["started"] = read_start()
        except Exception:
            pass  # the start time stays unknown, because no other source has it

    def close(self):
        """Leave the shared state, so that another worker can continue as owner."""
        process = self.shared
        with process["lock"]:
            if process["members"].pop(self.id, None) is not None:
                process["ended"] += self.of_threads
            if process["owner"] == self.id:
                process["owner"] = None
                process["given"] = dict(process["sums"])
            if not process["members"] and vars(distributed).get("_roast_process") is process:
                distributed._roast_closed = os.getpid(), threading.current_thread(), time.thread_time()
                del distributed._roast_process

    def read_loop(self):
        now = time.thread_time()
        return self.shared["loops"].setdefault(threading.current_thread(), [now, now])

    def read_threads(self):
        of_threads, self.waited = self.threads.read()
        self.of_threads = max(of_threads, self.of_threads)
        return self.of_threads

    def read_times(self):
        """Return CPU time by use, and how long task threads waited for a core, s, by context and activity."""
        process = self.shared
        with process["lock"]:
            # Read the CPU time of the process first, so that CPU time used for the reading itself is not counted as another part.
            now = time.process_time()
            self.read_loop()[1] = time.thread_time()
            times = {("process", "task-threads"): self.read_threads()}
            if not math.isnan(self.waited):
                times["run-queue", "task-threads"] = self.waited
            if process["owner"] not in process["members"]:
                process["owner"] = self.id
            if process["owner"] == self.id:
                given = process["given"]
                times.update((("process", name), max(value - given.get(name, 0.0), 0.0)) for name, value in self.read_sums(now).items())
            return times

    def read_sums(self, now):
        """Return the sums of the whole process without task threads. `now`: its CPU time, read before the time of any part."""
        process = self.shared
        of_tasks = process["ended"]
        for member in process["members"].values():
            of_tasks += member.of_threads if member is self else member.read_threads()
        loops = sum(last - first for first, last in process["loops"].values())
        of_program = 0.0
        if process["program"] is not None and threading.main_thread() not in process["loops"]:
            of_program = read_program() - process["program"]
        rest = now - process["base"] - process["startup"] - loops - of_tasks - of_program
        sums = process["sums"]
        sums["startup"], sums["event-loop"] = process["startup"], loops
        # Ignore a decrease that is smaller than the CPU time that reading takes.
        before = sums.get("other-threads", 0.0)
        sums["other-threads"] = before if before - READING < rest < before else max(rest, 0.0)
        if resource is not None:
            sums["children"] = read_children()[0] - process["children"]
        return sums

    def read_facts(self, clock=None):
        """Return memory, the clock offset, and facts that limit what these numbers mean."""
        facts = dict(self.facts, workers=self.shared["most"], scheduler=has_scheduler(), **(clock.get_facts() if clock else {}))
        if "started" in facts:
            facts["started"] -= facts.get("clock_offset", 0.0)
        try:
            facts["peak"] = read_peak()
        except Exception as error:
            why = error if isinstance(error, ValueError) else "no /proc/self/status on this platform (%s)" % sys.platform
            facts["missing"] = "no peak memory: %s" % why
        if resource is not None:
            facts["child_peak"] = read_children()[1] or None
        return facts
