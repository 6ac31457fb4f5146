# SPDX-License-Identifier: BSD-3-Clause
"""Sends rows of this process to the run's socket. Buffers them, because a system call takes longer than a section."""

import os
import sys
import threading

from roast._socket import Connection, encode_json, make_line

ROWS = 64  # buffered before sending
AGE = 500_000  # µs that a row stays buffered at most, if other rows follow
NAMES = 1000  # maximum number of cached names

TABLES = {
    "sections": ["chunk", "name", "kind", "value", "time"],
    "chunks": ["dataset", "file", "tree", "entry_start", "entry_stop", "events", "started", "ended", "thread_cpu", "error", "pid", "host"],
}


class Rows(Connection):
    def __init__(self):
        super().__init__(os.path.basename(sys.argv[0] or "python3") or "python3", TABLES)
        self.most = 1 if is_child() else ROWS
        self.starts = {}  # cached starts of section lines
        self.since = 0  # time of the last sending, µs
        if self.connect() and self.most > 1:
            self.lines.append(make_line({"type": "buffers"}))

    def close(self):
        if self.most > 1 and self.pid == os.getpid():
            self.most = 1
            self.lines.append(make_line({"type": "sent"}))
        super().close()

    def add(self, row, when):
        """Adds a row whose first element is the table name. when: µs since the epoch."""
        if self.socket is not None:  # without a socket nothing would ever read the row
            line = make_line(row)
            if line:
                self.lines.append(line)
            else:  # JSON cannot represent the row, or it is too long
                with self.lock:
                    self.count_dropped(f'["{row[0]}"]')
            self.send_many(when)

    def add_section(self, chunk, name, kind, value, when):
        """Adds a section, faster than add(): reuses the JSON of repeated names. `value`: a number as JSON"""
        if self.socket is None:
            return
        try:
            start = self.starts[chunk, name, kind]
        except KeyError:
            start = self.learn(chunk, name, kind)
        lines = self.lines
        lines.append(f"{start}{value},{when}]\n")
        if len(lines) >= self.most or not self.since <= when < self.since + AGE:
            self.send_many(when)

    def learn(self, chunk, name, kind):
        if len(self.starts) >= NAMES:
            self.starts.clear()
        start = self.starts[chunk, name, kind] = encode_json(["sections", chunk, name, kind])[:-1] + ","
        return start

    def send_many(self, when):
        if len(self.lines) >= self.most or not self.since <= when < self.since + AGE:
            self.since = when
            self.send("")


current = None  # Rows of this process
_forked = False
_lock = threading.RLock()  # reentrant because a signal handler may also report


def is_child():
    """Returns whether a Python program forked or spawned this process. Such a process sends each row at once: multiprocessing.Pool, for
    example, kills its processes, and a killed process loses buffered rows."""
    process = sys.modules.get("multiprocessing.process")
    return _forked or (process is not None and process.parent_process() is not None)


def get():
    global current
    with _lock:
        if current is None:
            current = Rows()
        return current


def _forget():
    """Resets the state in a forked child: it needs its own connection, and another thread may have held the lock during the fork."""
    global current, _forked, _lock
    current = None
    _forked = True
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
