# SPDX-License-Identifier: BSD-3-Clause
"""Measures named sections of a program. Each class is a context manager and a decorator:

    with track_time("fit"):               @track_time("fit")
        …                                 def fit(): …

In a method of a processor, the processor may come first, as in roastcoffea: `track_time(self, "fit")`. Sections may be nested, repeated
and used in threads. They do not change the behaviour of the wrapped code, including its exceptions.
"""

import functools
import logging
import os
import sys
import threading
import time

from roast import _rows

CURRENT = "_roast_current"  # module in which roast's hook for coffea stores the current chunk of each thread
COLLECTED = "_roast_chunk"  # attribute in which a collector stores the current chunk of a processor
KINDS = frozenset(("time", "bytes", "memory", "custom"))
DIGITS = 10**18  # the socket does not treat larger values as integers

log = logging.getLogger("roast")

_modules = sys.modules
_now = time.perf_counter_ns
_thread = threading.get_ident
_time = time.time_ns
_in_run = "ROAST_SOCKET" in os.environ
_silent = not _in_run and CURRENT not in _modules  # whether nobody listens


def listen():
    """Enables measuring. Called by roast's hook for coffea or a collector, which may be loaded after this module."""
    global _silent
    _silent = False


def get_chunk():
    """Returns the chunk that this thread processes under roast's hook, or None."""
    module = _modules.get(CURRENT)
    return getattr(module.local, "chunk", None) if module is not None else None


def report(processor, name, kind, value, text=None):
    """Reports a value to the collector, if any, and to the thread's current chunk or otherwise the run. `text` is the JSON of `value`."""
    when = _time() // 1000
    own = getattr(processor, COLLECTED, None) if processor is not None else None
    if own is not None:
        own.add(name, kind, value)
    chunk = get_chunk()
    if chunk is not None:
        chunk["sections"].append((name, kind, value, when))
    elif _in_run and value - value == 0:  # neither infinite nor NaN
        rows = _rows.current or _rows.get()
        rows.add_section(getattr(own, "id", None), name, kind, text or repr(value), when)


def _take_name(processor, name):
    return (processor, name) if name is not None else (None, processor)


class BaseInstrumentationContext:
    """Base class for your own measurements: override `start()` and `stop()`, and call `record_metric()` to report a number.

        class Allocations(BaseInstrumentationContext):
            def start(self):
                self.before = count()
            def stop(self):
                self.record_metric(self.name, count() - self.before)

        with Allocations("fit"):
            fit()

    Errors in start() and stop() are ignored, so that measuring does not disturb the program.
    """

    __slots__ = ("__dict__", "name", "processor")

    def __init__(self, processor=None, name=None):
        self.processor, self.name = _take_name(processor, name)

    def start(self):
        """Called at the start of the section."""

    def stop(self):
        """Called at the end of the section, also after an exception."""

    def record_metric(self, name, value, kind="custom"):
        """Reports a number. `kind` is custom, time (s), bytes or memory (B); any other kind counts as custom. A value that is not a number
        is logged once and not reported."""
        try:
            number = int(value) if isinstance(value, int) and -DIGITS < value < DIGITS else float(value)
            report(self.processor, str(name), kind if kind in KINDS else "custom", number)
        except Exception as error:
            _log_once(f"metric {name!r} is not reported: {error}")

    def _attempt(self, function):
        try:
            function()
        except Exception:
            return False
        return True

    # A context may be entered again before it is left: each entry has its own measurement.

    def __enter__(self):
        context = self
        if type(self).__exit__ is not BaseInstrumentationContext.__exit__:  # the subclass handles entries itself
            if not _silent:
                self._attempt(self.start)
        elif not _silent:
            own = self.__dict__.setdefault("_entered", [])
            context = self if not own else self._copy_for_entry()
            own.append((_thread(), context, context._attempt(context.start)))
        return context

    def __exit__(self, kind, error, trace):
        own = self.__dict__.get("_entered")
        if own:
            _, context, active = _take_entry(own) or (None, None, False)
            if active:
                context._attempt(context.stop)

    def _copy_for_entry(self):
        import copy

        context = copy.copy(self)
        context.__dict__.pop("_entered", None)
        return context

    def _copy(self):
        return type(self)(self.processor, self.name)

    def _make_steps(self):
        return _Whole(self._copy())

    def __call__(self, function):
        return _decorate(self, function)


_logged = set()


def _log_once(text):
    if text not in _logged and len(_logged) < 100:
        _logged.add(text)
        log.warning("%s", text)


def _take_entry(entries):
    """Removes and returns this thread's last entry into a context. A context may be entered in one thread and left in another."""
    thread = _thread()
    for entry in reversed(entries[:]):
        if entry[0] == thread:
            entries.remove(entry)
            return entry
    return entries.pop() if entries else None


class _Whole:
    """Measures a generator from its first step to its end, including the time between steps."""

    def __init__(self, context):
        self.context = context
        self.context.__enter__()

    def __enter__(self):
        pass

    def __exit__(self, kind, error, trace):
        pass

    def end(self):
        self.context.__exit__(None, None, None)


class _Steps:
    """Sums the time of a generator's steps, excluding the time between steps."""

    def __init__(self, context):
        self.context = context
        self.spent = 0

    def __enter__(self):
        self.started = _now()

    def __exit__(self, kind, error, trace):
        self.spent += _now() - self.started

    def end(self):
        if not _silent:
            self.context.report(self.spent)


def _run_generator(generator, steps):
    """Acts like `yield from generator`, but runs each step inside `steps`."""
    step, value = generator.send, None
    try:
        while True:
            try:
                with steps:
                    item = step(value)
            except StopIteration as end:
                return end.value
            try:
                step, value = generator.send, (yield item)
            except GeneratorExit:
                with steps:
                    generator.close()
                raise
            except BaseException as error:
                step, value = generator.throw, error
    finally:
        steps.end()


def _wrap(function, enter, make_steps):
    """Wraps a function, coroutine, generator or method. `enter()` makes a context manager for a call, and `make_steps()` one for the steps
    of a generator. Each call is a separate section, so the function may be recursive or run in threads."""
    import inspect

    if isinstance(function, (classmethod, staticmethod)):
        return type(function)(_wrap(function.__func__, enter, make_steps))

    def is_kind(test):
        return test(function) or test(type(function).__call__)

    if is_kind(inspect.iscoroutinefunction):

        async def wrapper(*args, **kwargs):
            with enter(args):
                return await function(*args, **kwargs)

    elif is_kind(inspect.isgeneratorfunction):

        def wrapper(*args, **kwargs):
            return (yield from _run_generator(function(*args, **kwargs), make_steps(args)))

    elif is_kind(inspect.isasyncgenfunction):

        async def wrapper(*args, **kwargs):
            steps = make_steps(args)
            generator = function(*args, **kwargs)
            step, value = generator.asend, None
            try:
                while True:
                    try:
                        with steps:
                            item = await step(value)
                    except StopAsyncIteration:
                        return
                    try:
                        step, value = generator.asend, (yield item)
                    except GeneratorExit:
                        with steps:
                            await generator.aclose()
                        raise
                    except BaseException as error:
                        step, value = generator.athrow, error
            finally:
                steps.end()

    else:

        def wrapper(*args, **kwargs):
            with enter(args):
                return function(*args, **kwargs)

    return functools.wraps(function)(wrapper)


def _decorate(context, function):
    return _wrap(function, lambda args: context._copy(), lambda args: context._make_steps())


class track_time:
    """Measures the wall-clock time of a section."""

    __slots__ = ("entries", "name", "processor")

    def __init__(self, processor=None, name=None):
        self.name = name
        self.processor = processor
        self.entries = []  # (thread, entry time): a context may be entered again before it is left

    def __enter__(self):
        if not _silent:
            self.entries.append((_thread(), _now()))
        return self

    def __exit__(self, kind, error, trace):
        if not _silent:
            self.stop(_now())

    def stop(self, now):
        entries = self.entries
        if entries:  # without entries, nobody listened at the start
            entry = entries.pop(0) if len(entries) == 1 and entries[0][0] == _thread() else _take_entry(entries)
            if entry is not None:
                self.report(now - entry[1])

    def report(self, nanoseconds):
        processor, name = _take_name(self.processor, self.name)
        report(processor, str(name), "time", nanoseconds / 1e9, f"{nanoseconds}e-9")

    def _copy(self):
        return type(self)(self.processor, self.name)

    def _make_steps(self):
        return _Steps(self)

    def __call__(self, function):
        return _decorate(self, function)


track_section = track_time


class track_memory(BaseInstrumentationContext):
    """Measures how a section changes the resident memory of the process, in bytes.

    Afterwards, `before`, `after` and `peak` hold the memory at the start, at the end, and the maximum in between. `peak` is None unless
    the section needs more memory than the process ever used before, because the kernel reports only the peak of the process.
    """

    def start(self):
        self.before = self.after = self.peak = None
        self.mark = _read_status(b"VmHWM:")
        self.before = _read_status(b"VmRSS:")

    def stop(self):
        self.after = _read_status(b"VmRSS:")
        mark = _read_status(b"VmHWM:")
        if mark is not None and mark > self.mark:
            self.peak = max(mark, self.after)
        if self.before is not None and self.after is not None:
            self.record_metric(self.name, self.after - self.before, "memory")
        if self.peak is not None:
            self.record_metric(f"{self.name} (peak)", self.peak, "memory")


class track_bytes(BaseInstrumentationContext):
    """Measures the bytes that a section reads from the file of `events`, as counted by the reader (uproot's num_requested_bytes)."""

    def __init__(self, processor=None, events=None, name=None):
        if name is None:
            processor, events, name = None, processor, events
        super().__init__(processor, name)
        self.events = events

    def start(self):
        self.source = _find_source(self.events)
        self.before = self.source.num_requested_bytes if self.source is not None else None

    def stop(self):
        if self.before is not None:
            self.record_metric(self.name, int(self.source.num_requested_bytes - self.before), "bytes")

    def _copy(self):
        return type(self)(self.processor, self.events, self.name)


def _read_status(field):
    """Returns a field of /proc/self/status in bytes; None if unavailable."""
    try:
        with open("/proc/self/status", "rb", buffering=0) as file:
            for line in file.read(16384).splitlines():
                if line.startswith(field):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None


def _find_source(events):
    """Returns the object that counts the bytes of the file of NanoEvents or of an open file; None if there is none."""
    factory = getattr(events, "attrs", {}).get("@events_factory") if hasattr(events, "attrs") else None
    handle = getattr(factory, "file_handle", events)
    for holder in (handle, getattr(handle, "file", None)):
        source = getattr(holder, "source", None)
        if hasattr(source, "num_requested_bytes"):
            return source
    return events if hasattr(events, "num_requested_bytes") else None


class _Call:
    """Measures a call of a function that processes a chunk."""

    def __init__(self, args):
        self.args = args
        self.error = None
        self.wanted = _in_run and get_chunk() is None

    def __enter__(self):
        if self.wanted:
            self.started = time.time_ns() // 1000
            self.begin = _now()
            self.cpu = time.thread_time_ns()

    def __exit__(self, kind, error, trace):
        self.error = kind
        if self.wanted:
            self.report((time.thread_time_ns() - self.cpu) / 1e9)

    def report(self, cpu):
        _report_chunk(self.args, self.started, _now() - self.begin, cpu, self.error.__name__ if self.error is not None else None)


class _CallInSteps(_Call):
    """Measures a chunk processed by a generator, from its creation to its end. Its CPU time is unknown: its thread does other work between
    its steps."""

    def __init__(self, args):
        super().__init__(args)
        super().__enter__()

    def __enter__(self):
        pass

    def __exit__(self, kind, error, trace):
        self.error = None if kind in (StopIteration, StopAsyncIteration, GeneratorExit) else kind

    def end(self):
        if self.wanted:
            self.report(None)


def track_metrics(function):
    """Decorates a function that processes a chunk, such as `process(self, events)` of a processor of coffea.

    Does nothing under roast's hook for coffea, which already records the chunk. Otherwise, each call adds a chunk to the report with its
    time and, if the last argument has a length, its number of events.
    """
    return _wrap(function, _Call, _CallInSteps)


def _report_chunk(args, started, nanoseconds, cpu, error):
    events = args[-1] if args else None
    metadata = _get_metadata(events)
    text = lambda key: str(metadata[key]) if metadata.get(key) is not None else None  # noqa: E731
    whole = lambda key: int(metadata[key]) if metadata.get(key) is not None else None  # noqa: E731
    ended = started + nanoseconds // 1000
    try:
        what = (
            text("dataset"), text("filename"), text("treename"), whole("entrystart"), whole("entrystop"), None if error else _count(events),
        )
    except (TypeError, ValueError):
        what = (None,) * 6
    _rows.get().add(("chunks", *what, started, ended, cpu, error, os.getpid(), os.uname().nodename), ended)


def _get_metadata(events):
    metadata = getattr(events, "metadata", None)
    return metadata if isinstance(metadata, dict) else {}


def _count(events):
    try:
        return len(events)
    except TypeError:
        return None
