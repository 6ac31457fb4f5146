# SPDX-License-Identifier: BSD-3-Clause
"""A connection of this process to the run's socket (docs/protocol.md). Sending never waits, never fails and prints nothing.

roast's hook for coffea sends this file to workers, where no package of roast is installed: it imports nothing of the package.
"""

import atexit
import json
import os
import select
import socket
import sys
import threading
import time

PENDING = 1 << 20  # B that are kept while roast is busy
LINE = 60000  # B of a line; the socket takes 64 KiB
AGE = 0.05  # s in which lines are collected
PATIENCE = 1.0  # s that the end of the process waits for roast
FLAGS = getattr(socket, "MSG_NOSIGNAL", 0)

encode_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def make_line(values):
    """A line of the socket; nothing if JSON cannot say it, or if it would be too long."""
    try:
        line = encode_json(values) + "\n"
    except (TypeError, ValueError):
        return ""
    return line if len(line) < LINE // 4 or len(line.encode("utf-8", "replace")) < LINE else ""


def at_exit(function):
    """Children of multiprocessing end without atexit."""
    atexit.register(function)
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.Finalize(None, function, exitpriority=100)


class Connection:
    """Of one process: a child that forks makes its own. Any thread may use it, and so may a signal handler."""

    def __init__(self, program, tables):
        """`tables` is {name: columns}."""
        self.pid = os.getpid()
        self.program = program
        self.tables = tables
        self.lock = threading.RLock()
        self.sending = False
        self.lines = []  # collected, to be sent together
        self.dropped = {}  # lines by table, until roast has been told; None: messages
        self.pending = b""
        self.since = -AGE  # when collected lines were sent
        self.socket = None
        self.opened = False

    def connect(self):
        """At the first use. Returns whether there is a connection."""
        with self.lock:
            if not self.opened:
                self.opened = True
                try:
                    self.open()
                except (AttributeError, KeyError, OSError):
                    pass
            return self.socket is not None

    def open(self):
        greeting = {"roast": 2, "token": os.environ["ROAST_TOKEN"], "program": self.program}
        connection = socket.socket(socket.AF_UNIX)
        connection.setblocking(False)
        connection.connect(os.environ["ROAST_SOCKET"])
        lines = [greeting] + [{"table": table, "columns": columns} for table, columns in self.tables.items()]
        self.pending = "".join(map(make_line, lines)).encode("utf-8", "replace")
        self.socket = connection
        at_exit(self.close)

    def send(self, text, kept=False):
        """Lines, after those that were added to `lines`. Returns whether they will arrive. If not, they are dropped and counted, or
        the caller has `kept` them."""
        with self.lock:
            if self.pid != os.getpid() or not self.connect():
                return False
            self.lines.append(text)
            self.write(0)
            # Otherwise another thread has added lines meanwhile: they go with the next ones.
            if self.lines and len(self.pending) > PENDING and not self.sending:  # roast is too slow
                lines = self.lines[:]
                del self.lines[: len(lines)]
                if kept:
                    lines.remove(text)
                self.count_dropped("".join(lines))
                return False
            return self.socket is not None

    def collect(self, text):
        """As send(), and the caller keeps what does not arrive; but lines that come within AGE of others wait for the next ones, or for
        send() or the end of the process. A process that is killed loses them."""
        with self.lock:
            now = time.monotonic()
            if now - self.since < AGE and not self.pending and self.socket is not None and self.pid == os.getpid():
                self.lines.append(text)
                return True
            self.since = now
            return self.send(text, True)

    def count_dropped(self, text):
        for line in text.split("\n"):
            if line:
                table = line.split('"', 2)[1] if line.startswith('["') else None
                self.dropped[table] = self.dropped.get(table, 0) + 1

    def take_dropped(self):
        """Lines that report what was dropped."""
        lines = []
        while self.dropped:
            table, rows = self.dropped.popitem()
            if table is None:
                text = "%d messages of this process were dropped: more than roast could read in time" % rows
                lines.append(make_line({"type": "message", "severity": "warning", "message": text}))
            else:
                lines.append(make_line({"type": "dropped", "table": table, "rows": rows}))
        return "".join(lines)

    def write(self, patience):
        """A signal handler's lines are sent by what it interrupts."""
        if self.sending:
            return
        self.sending = True
        try:
            self.write_all(time.monotonic() + patience if patience else 0)
        finally:
            self.sending = False

    def write_all(self, end):
        while self.socket is not None and (self.lines or self.pending or self.dropped):
            if len(self.pending) <= PENDING:
                taken = len(self.lines)
                dropped = self.take_dropped() if self.dropped else ""
                self.pending += (dropped + "".join(self.lines[:taken])).encode("utf-8", "replace")
                del self.lines[:taken]
            try:
                self.pending = self.pending[self.socket.send(self.pending, FLAGS) :]
            except BlockingIOError:
                if time.monotonic() >= end:
                    return
                select.select([], [self.socket], [], 0.1)
            except OSError:
                self.socket = None

    def close(self):
        """At the end of the process."""
        if self.pid == os.getpid():
            with self.lock:
                self.write(PATIENCE)
