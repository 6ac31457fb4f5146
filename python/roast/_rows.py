# SPDX-License-Identifier: BSD-3-Clause
"""Rows of this process on the run's socket. They are collected, because a call of the system takes longer than a section."""

import os
import sys
import threading

from roast._socket import Connection, encode_json, make_line

ROWS = 64  # that are collected before they are sent
AGE = 500_000  # µs that a row is collected at most, if others follow
NAMES = 1000  # whose JSON is remembered

TABLES = {
    "sections": ["chunk", "name", "kind", "value", "time"],
    "chunks": ["chunk", "dataset", "file", "tree", "entry_start", "entry_stop", "events", "started", "ended", "bytes_read", "memory", "error"],
}


class Rows(Connection):
    def __init__(self):
        super().__init__(os.path.basename(sys.argv[0] or "python3") or "python3", TABLES)
        self.starts = {}  # of lines of sections
        self.since = 0  # when lines were sent, µs
        self.connect()

    def add(self, row, when):
        """A row whose first element is its table, at a time in µs since the epoch."""
        if self.socket is not None:  # else nothing would ever take it
            line = make_line(row)
            if line:
                self.lines.append(line)
            else:  # JSON cannot say it, or it is too long
                with self.lock:
                    self.count_dropped(f'["{row[0]}"]')
            self.send_many(when)

    def add_section(self, chunk, name, kind, value, when):
        """As add(), faster: names repeat, and `value` is the JSON of a number."""
        if self.socket is None:
            return
        try:
            start = self.starts[chunk, name, kind]
        except KeyError:
            start = self.learn(chunk, name, kind)
        lines = self.lines
        lines.append(f"{start}{value},{when}]\n")
        if len(lines) >= ROWS or not self.since <= when < self.since + AGE:
            self.send_many(when)

    def learn(self, chunk, name, kind):
        if len(self.starts) >= NAMES:
            self.starts.clear()
        start = self.starts[chunk, name, kind] = encode_json(["sections", chunk, name, kind])[:-1] + ","
        return start

    def send_many(self, when):
        if len(self.lines) >= ROWS or not self.since <= when < self.since + AGE:
            self.since = when
            self.send("")


current = None  # of this process
_lock = threading.RLock()  # a signal handler may report, too


def get():
    global current
    with _lock:
        if current is None:
            current = Rows()
        return current


def _forget():
    """A child that forks has its own; another thread of the parent may have held the lock."""
    global current, _lock
    current = None
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
