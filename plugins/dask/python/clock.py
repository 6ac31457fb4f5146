# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the texts for schedulers and for workers: which processes have the same clock, how long an event loop was blocked or waited for a
core, and the loading of preload modules."""

import os
import threading
import time

from distributed import preloading

SAME_CLOCK = 0.05  # s; two readings of the same clock differ by less than this; uptime has a resolution of 0.01 s
READING_CLOCK = 0.005  # s; if reading two clocks takes longer than this, both are read again


def read_clock():
    """Return the kernel's boot ID, and its start time by this process's clock in s since the epoch; None if unknown.

    Containers on one machine have the same clock, unless the clock of one was shifted.
    """
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            kernel = file.read().strip()
        for _ in range(10):
            began = time.monotonic()
            with open("/proc/uptime") as file:
                started = time.time() - float(file.read().split()[0])
            if time.monotonic() - began < READING_CLOCK:
                break
        return kernel, started
    except (OSError, ValueError):
        return None


def is_same_clock(one, other):
    return one is not None and other is not None and one[0] == other[0] and abs(one[1] - other[1]) < SAME_CLOCK


class Ticks:
    """The delays of a server's event loop. Dask keeps the longest time between two of its ticks, until Prometheus reads it."""

    def __init__(self, server):
        self.server = server
        self.interval = getattr(server, "_tick_interval", 0.02)
        self.last = self.read()

    def read(self):
        return getattr(self.server, "digests_max", {}).get("tick-duration", 0.0)

    def look(self):
        """Return the longest delay since the last look, s; 0.0 if an earlier one was longer."""
        before, self.last = self.last, self.read()
        return max(self.last - self.interval, 0.0) if self.last != before else 0.0


class Queue:
    """How long the thread of an event loop waited for a core."""

    def __init__(self):
        self.last = self.read()

    def read(self):
        try:
            with open("/proc/thread-self/schedstat") as file:
                return int(file.read().split()[1]) / 1e9
        except (OSError, ValueError, IndexError):
            return None  # this kernel does not count how long threads wait

    def look(self, more=0.0):
        """Return the time since the last look, s, or None. `more`: how long other threads that can block the loop have waited so far, s."""
        now = self.read()
        if now is None or self.last is None or more != more:
            return None
        now += more
        before, self.last = self.last, now
        return max(now - before, 0.0)


def load_in_turn():
    """Let Dask load one preload module at a time: it changes sys.path meanwhile, so clients that tasks make in several threads would fail."""
    load = getattr(preloading, "_import_module", None)
    if load is None or hasattr(load, "roast") or "ROAST_DASK_CLIENT" not in os.environ:
        return
    lock = threading.RLock()

    def load_one(*arguments, **keywords):
        with lock:
            return load(*arguments, **keywords)

    load_one.roast = True
    preloading._import_module = load_one


load_in_turn()
