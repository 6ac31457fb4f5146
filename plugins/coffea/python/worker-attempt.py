# SPDX-License-Identifier: BSD-3-Clause
"""Part 4 of 6: measures one attempt at a chunk or at the preparation of a file: times, memory, bytes and outcome."""

import base64
import os
import sys
import threading
import time
import zlib

CURRENT = "_roast_current"  # name of the module in which other code of roast finds the current chunk of its thread
TEXT = 500  # maximum length of an error message, characters
FAILURES = 200  # maximum number of failures per call that a process keeps
CALLS = 8  # maximum number of calls whose failures a process keeps
FAILED = "failed"  # marks an entry that is not in the result


def get_current():
    module = sys.modules.get(CURRENT)
    if module is None:
        module = type(sys)(CURRENT)
        module.local = threading.local()
        module = sys.modules.setdefault(CURRENT, module)
        # The processor's module may have imported roast._sections before this module existed. If so, let roast._sections use this module now.
        sections = sys.modules.get("roast._sections")
        if sections is not None:
            sections.listen()
    return module.local


def get_cause(error):
    """Returns the original error, which coffea wraps in a plain Exception."""
    while type(error) is Exception and error.__cause__ is not None:
        error = error.__cause__
    return error


def describe_error(error):
    """Returns the type and the first line of an error."""
    cause = get_cause(error)
    try:
        lines = str(cause).strip().splitlines()
    except Exception:
        lines = []
    return type(cause).__name__, (lines[0][:TEXT] if lines else None)


def get_dask_task():
    worker = sys.modules.get("distributed.worker")
    key = getattr(getattr(worker, "thread_state", None), "key", None)
    return key if key is None or isinstance(key, str) else str(key)


class Attempt:
    """An attempt. It begins when the object is created."""

    def __init__(self, work, item):
        self.started = time.time_ns() // 1000
        self.clocks = self.read_clocks()
        self.loaded = self.clocks[0]
        self.opened = self.closed = None
        self.process = process = Process.get()
        self.memory = process.memory.read()
        self.way = work.choose_way(process)
        self.id = process.make_id(self.way.letter)
        self.work = work
        self.item = item
        self.rows = []
        self.local = get_current()
        self.outer = getattr(self.local, "chunk", None)
        self.local.chunk = {"id": self.id, "sections": []}
        self.columns = {
            "chunk": self.id,
            "task": get_dask_task(),
            "dataset": item.dataset,
            "file": item.filename,
            "tree": item.treename,
            "started": self.started,
            "pid": process.pid,
            "host": process.host,
            "call": work.call,
            "memory_start": self.memory,
        }

    def read_clocks(self):
        return time.perf_counter_ns(), time.thread_time_ns(), time.process_time_ns()

    def set(self, **columns):
        self.columns.update(columns)

    def end_loading(self):
        """Notes that the processor was loaded."""
        self.loaded = time.perf_counter_ns()

    def begin_process(self):
        """Notes that coffea calls the function of the analysis."""
        self.opened = time.perf_counter_ns()
        learn_sizes()
        self.cpu = time.thread_time_ns()

    def end_process(self, events, scope):
        """Notes that the function returned or raised. `scope` has coffea's local variables, including the file, which is still open."""
        self.closed = time.perf_counter_ns()
        self.set(events=len(events), function_cpu=(time.thread_time_ns() - self.cpu) / 1e9)
        self.count_bytes(scope.get("file"))
        if "factory" in scope and "materialized" in scope:
            collect_branches(self, self.item, scope["factory"], scope["materialized"])

    def count_bytes(self, file):
        source = getattr(getattr(file, "file", None), "source", None)
        if source is not None:
            self.set(
                bytes_read=int(source.num_requested_bytes),
                requests=int(source.num_requests),
                reader=type(source).__name__,
            )

    def end(self, error=None):
        """Returns the entry for the result: the identity, together with the rows if they cannot be sent."""
        wall, thread, process = (after - before for before, after in zip(self.clocks, self.read_clocks()))
        self.local.chunk, chunk = self.outer, self.local.chunk
        memory = self.process.memory.read()
        self.set(ended=self.started + wall // 1000, thread_cpu=thread / 1e9, process_cpu=process / 1e9, memory_end=memory)
        if memory is not None and self.memory is not None:
            # The kernel updates page counts in batches, so the peak that it reports may lag behind.
            peak = max(memory, self.memory, self.process.memory.read_peak() or 0)
            self.set(memory=memory - self.memory, memory_peak=peak)
        if self.closed is not None:
            self.set(load_time=(self.loaded - self.clocks[0]) / 1e9, open_time=(self.opened - self.loaded) / 1e9)
            self.set(process_time=(self.closed - self.opened) / 1e9)
        if error is not None:
            kind, message = describe_error(error)
            self.set(error=kind, error_message=message)
        for name, kind, value, when in chunk["sections"]:
            self.rows.append(["sections", self.id, name, kind, value, when, self.process.pid])
        return self.deliver()

    def deliver(self):
        get = self.columns.get
        text = make_line(["chunks", *map(get, CHUNK)]) + "".join(map(make_line, self.rows))
        return self.id if self.way.send(self.id, text, "error" in self.columns) else (self.id, text)

    def keep(self, entry):
        """Keeps the rows of a failed attempt, which has no result, for the next result or the error. Returns all kept entries."""
        failures = self.process.failures
        if not isinstance(entry, str):
            kept = failures.setdefault(self.work.call, [])
            if len(kept) < FAILURES:
                kept.append((*entry, FAILED))
            while len(failures) > CALLS:
                failures.pop(next(iter(failures)), None)
        return list(failures.get(self.work.call, ()))

    def take_kept(self):
        return self.process.failures.pop(self.work.call, [])


class RunWay:
    """Sends rows over the run's socket, in any process that can reach it."""

    letter = "s"

    def __init__(self, connection, collects=False):
        self.connection = connection
        self.collects = collects

    def send(self, chunk, text, failed):
        return self.connection.collect(text) if self.collects and not failed else self.connection.send(text, True)


class DaskWay:
    """Sends rows as events of a Dask worker to the script's client. Events name the task, for results that cannot carry identities."""

    letter = "d"

    def __init__(self, worker, topic, part=None):
        self.worker = worker
        self.topic = topic
        self.part = part  # number of the part of the task, if the task reads several parts

    def send(self, chunk, text, failed):
        message = {"chunk": chunk, "lines": text, "task": get_dask_task(), "part": self.part, "failed": failed}
        self.worker.log_event(self.topic, message)
        return True


class ResultWay:
    """Sends nothing: rows travel in the result."""

    letter = "r"

    def send(self, chunk, text, failed):
        return False


class OutputWay(ResultWay):
    """Sends rows in the result and in the task's output, which the script gets however the task ends."""

    letter = "o"
    topic = "output of the task"  # used by executors whose tasks are processes with their own output
    marks = (b"\x1eroast:", b"\x1f")

    def send(self, chunk, text, failed):
        message = zlib.compress(encode_json({"chunk": chunk, "lines": text}).encode("utf-8", "replace"))
        begin, end = self.marks
        try:
            os.write(1, begin + base64.b64encode(message) + end)  # write without a buffer, because a signal may end the process
        except OSError:
            pass
        return super().send(chunk, text, failed)
