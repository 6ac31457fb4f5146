# SPDX-License-Identifier: BSD-3-Clause
"""Makes roastcoffea's record of a chunk, which is returned inside the processor's result while a collector is active."""

import copy
import functools
import threading
import time

from roast import _sections
from roast.coffea._branches import describe_branches

KEY = "__roastcoffea_metrics__"
FLAG = "_roastcoffea_collect_metrics"
MIB = 1024 * 1024
KINDS = {"time": ("timing", 1), "memory": ("memory", MIB), "bytes": ("bytes", 1), "custom": ("custom_metrics", 1)}

local = threading.local()


class Router:
    """Adds measurements of a processor's sections to the record of the thread's current chunk. It is pickled with the processor."""

    id = None

    def add(self, name, kind, value):
        record = getattr(local, "record", None)
        if record is not None and not (kind == "memory" and name.endswith(" (peak)")):
            field, unit = KINDS[kind]
            values = record.setdefault(field, {})
            values[name] = values.get(name, 0) + value / unit if unit != 1 else values.get(name, 0) + value


def switch(processor, is_on):
    """Sets whether the processor and its copies on workers make records. Returns False if the processor does not accept attributes.

    Leaves an undecorated processor unchanged: its workers need not have this package.
    """
    if not getattr(getattr(type(processor), "process", None), "makes_records", False):
        return True
    try:
        if is_on:
            setattr(processor, FLAG, True)
            setattr(processor, _sections.COLLECTED, Router())
        else:
            delattr(processor, FLAG)
            delattr(processor, _sections.COLLECTED)
    except Exception:
        return False
    return True


def get_memory():
    size = _sections._read_status(b"VmRSS:")
    return size / MIB if size is not None else None


def begin(events):
    source = _sections._find_source(events)
    record = {"t_start": time.time(), "mem_before_mb": get_memory(), "timing": {}, "memory": {}, "bytes": {}}
    return record, source, source.num_requested_bytes if source is not None else 0, time.perf_counter()


def describe(events):
    """Returns the origin of the chunk: dataset, file and entries."""
    metadata = getattr(events, "metadata", None) or {}
    names = {"dataset": "dataset", "file": "filename", "uuid": "fileuuid", "entry_start": "entrystart", "entry_stop": "entrystop"}
    found = {name: metadata.get(key) for name, key in names.items()}
    return {name: str(value) if name == "uuid" and value is not None else value for name, value in found.items()}


def end(started, events):
    record, source, before, begun = started
    record["duration"] = time.perf_counter() - begun
    record["t_end"] = record["t_start"] + record["duration"]
    record["timestamp"] = time.time()
    record["mem_after_mb"] = get_memory()
    if record["mem_before_mb"] is not None and record["mem_after_mb"] is not None:
        record["mem_delta_mb"] = record["mem_after_mb"] - record["mem_before_mb"]
    record["bytes_read"] = int(source.num_requested_bytes - before) if source is not None else 0
    record["num_events"] = _sections._count(events)
    for describer in describe, describe_branches:
        attempt(lambda describer=describer: record.update(describer(events)))
    return record


def attempt(function, *args):
    """Calls function. Returns None if it fails, since measuring must not disturb the program."""
    try:
        return function(*args)
    except Exception:
        return None


def add(result, record):
    """Returns a copy of the result with the record. Copies because a processor may return the same dictionary for each chunk."""
    with_record = copy.copy(result)
    with_record[KEY] = [*with_record.get(KEY, ()), record]
    return with_record


def call(function, args, kwargs):
    """Calls a processor's function and adds the record to its result."""
    if not args or not getattr(args[0], FLAG, False) or getattr(local, "record", None) is not None:
        return function(*args, **kwargs)
    _sections.listen()
    if not hasattr(args[0], _sections.COLLECTED):  # another package set the flag
        attempt(setattr, args[0], _sections.COLLECTED, Router())
    events = args[1] if len(args) > 1 else next(iter(kwargs.values()), None)
    started = attempt(begin, events)
    local.record = started[0] if started is not None else None
    try:
        result = function(*args, **kwargs)
    finally:
        local.record = None
    record = attempt(end, started, events) if started is not None else None
    with_record = attempt(add, result, record) if record is not None and isinstance(result, dict) else None
    return with_record if with_record is not None else result


def track_metrics(function):
    """Decorates `process(self, events)`. While a collector is active, adds the chunk's record to a dictionary result under
    `__roastcoffea_metrics__`. Otherwise acts like `roast.track_metrics`."""
    reported = _sections.track_metrics(function)

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return call(reported, args, kwargs)  # keep this short: the wrapper in a script's own class is pickled as code

    wrapper.makes_records = True
    return wrapper
