# SPDX-License-Identifier: BSD-3-Clause
"""Named sections of a program. Each class is a context manager and a decorator:

    with track_time("fit"):               @track_time("fit")
        …                                 def fit(): …

In a method of a processor the processor may come first, as in roastcoffea: `track_time(self, "fit")`. Sections may be nested, repeated
and used in threads; what they wrap behaves as without them, exceptions included.
"""

import functools
import os
import sys
import time

from roast import _rows

CURRENT = "_roast_current"  # module in which roast's hook for coffea keeps the chunk that a thread works on
COLLECTED = "_roast_chunk"  # attribute in which a collector keeps the chunk that a processor works on

_modules = sys.modules
_now = time.perf_counter_ns
_time = time.time_ns
_in_run = "ROAST_SOCKET" in os.environ
_silent = not _in_run and CURRENT not in _modules  # nothing listens


def listen():
    """Somebody listens from now on: roast's hook for coffea or a collector, which may come after this module."""
    global _silent
    _silent = False


def get_chunk():
    """The chunk that this thread works on under roast's hook, or None."""
    module = _modules.get(CURRENT)
    return getattr(module.local, "chunk", None) if module is not None else None


def report(processor, name, kind, value, text=None):
    """To a collector if there is one, and to the chunk that the thread works on or else the run. `text` is the JSON of `value`."""
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
    """To be derived from: `start()` and `stop()` measure, and `record_metric()` reports a number of one's own.

        class Allocations(BaseInstrumentationContext):
            def start(self):
                self.before = count()
            def stop(self):
                self.record_metric(self.name, count() - self.before)

        with Allocations("fit"):
            fit()

    An error in either is dropped: measuring does not disturb what is measured.
    """

    __slots__ = ("__dict__", "_active", "name", "processor")

    def __init__(self, processor=None, name=None):
        self.processor, self.name = _take_name(processor, name)

    def start(self):
        """At the begin of the section."""

    def stop(self):
        """At its end, also by an exception."""

    def record_metric(self, name, value, kind="custom"):
        """Reports a number. `kind` is custom, time (s), bytes or memory (B)."""
        report(self.processor, str(name), kind, int(value) if isinstance(value, int) else float(value))

    def _attempt(self, function):
        try:
            function()
        except Exception:
            self._active = False

    def __enter__(self):
        self._active = not _silent
        if self._active:
            self._attempt(self.start)
        return self

    def __exit__(self, kind, error, trace):
        if self._active:
            self._attempt(self.stop)

    def _copy(self):
        return type(self)(self.processor, self.name)

    def __call__(self, function):
        return _decorate(self, function)


def _decorate(context, function):
    """Each call is a section of its own: the function may call itself, or run in threads."""
    import inspect

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def wrapper(*args, **kwargs):
            with context._copy():
                return await function(*args, **kwargs)

        return wrapper

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        with context._copy():
            return function(*args, **kwargs)

    return wrapper


class track_time:
    """The wall-clock time of a section."""

    __slots__ = ("name", "processor", "started")

    def __init__(self, processor=None, name=None):
        self.name = name
        self.processor = processor

    def __enter__(self):
        if not _silent:
            self.started = _now()
        return self

    def __exit__(self, kind, error, trace):
        if not _silent:
            self.stop(_now())

    def stop(self, now):
        try:
            nanoseconds = now - self.started
        except AttributeError:  # nothing listened when it began
            return
        processor, name = _take_name(self.processor, self.name)
        report(processor, str(name), "time", nanoseconds / 1e9, f"{nanoseconds}e-9")

    def _copy(self):
        return type(self)(self.processor, self.name)

    def __call__(self, function):
        return _decorate(self, function)


track_section = track_time


class track_memory(BaseInstrumentationContext):
    """How a section changes the resident memory of the process, in bytes.

    Afterwards `before`, `after` and `peak` have the memory at its start, at its end, and the largest meanwhile; `peak` is None if the
    kernel cannot tell it: only a section that needs more than the process ever did has a peak of its own.
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
    """Bytes that a section reads from the file of `events`, as its reader counts them (uproot's num_requested_bytes)."""

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
    """Bytes; None where there is no such file."""
    try:
        with open("/proc/self/status", "rb", buffering=0) as file:
            for line in file.read(16384).splitlines():
                if line.startswith(field):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None


def _find_source(events):
    """What counts the bytes of the file of NanoEvents, or of an open file."""
    factory = getattr(events, "attrs", {}).get("@events_factory") if hasattr(events, "attrs") else None
    handle = getattr(factory, "file_handle", events)
    for holder in (handle, getattr(handle, "file", None)):
        source = getattr(holder, "source", None)
        if hasattr(source, "num_requested_bytes"):
            return source
    return events if hasattr(events, "num_requested_bytes") else None


def track_metrics(function):
    """Decorates a function that processes a chunk, such as `process(self, events)` of a processor of coffea.

    Under roast's hook for coffea the chunk is known already, and nothing is added. Otherwise each call is a chunk in the report: its
    time, and the number of events if an argument has a length.
    """

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if not _in_run or get_chunk() is not None:
            return function(*args, **kwargs)
        started = time.time_ns() // 1000
        begin = _now()
        try:
            result = function(*args, **kwargs)
        except BaseException as error:
            _report_chunk(args, started, _now() - begin, type(error).__name__)
            raise
        _report_chunk(args, started, _now() - begin, None)
        return result

    return wrapper


def _report_chunk(args, started, nanoseconds, error):
    events = args[-1] if args else None
    metadata = _get_metadata(events)
    text = lambda key: str(metadata[key]) if metadata.get(key) is not None else None  # noqa: E731
    whole = lambda key: int(metadata[key]) if metadata.get(key) is not None else None  # noqa: E731
    try:
        row = (
            "chunks", None, text("dataset"), text("filename"), text("treename"), whole("entrystart"), whole("entrystop"),
            None if error else _count(events), started, started + nanoseconds // 1000, None, None, error,
        )
    except (TypeError, ValueError):
        row = ("chunks", None, None, None, None, None, None, None, started, started + nanoseconds // 1000, None, None, error)
    _rows.get().add(row, started + nanoseconds // 1000)


def _get_metadata(events):
    metadata = getattr(events, "metadata", None)
    return metadata if isinstance(metadata, dict) else {}


def _count(events):
    try:
        return len(events)
    except TypeError:
        return None
