# SPDX-License-Identifier: BSD-3-Clause
"""The connection of this process to the run's socket (docs/protocol.md). Sending never blocks, never fails and prints nothing.

roast's hook for coffea sends this file to workers without a roast package, so it imports nothing from the package.
"""

import atexit
import json
import os
import socket
import sys
import threading
import time

PENDING = 1 << 20  # B that are buffered while roast is busy
LINE = 60000  # maximum line length in B; the socket accepts 64 KiB
AGE = 0.05  # s for which lines are collected
PATIENCE = 1.0  # s to wait for roast at process exit
FLAGS = getattr(socket, "MSG_NOSIGNAL", 0)

encode_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def make_line(values):
    """Returns a line for the socket; "" if JSON cannot represent it or the line is too long."""
    try:
        line = encode_json(values) + "\n"
    except (TypeError, ValueError):
        return ""
    return line if len(line) < LINE // 4 or len(line.encode("utf-8", "replace")) < LINE else ""


def at_exit(function):
    """Calls function at exit, also in multiprocessing children, which skip atexit."""
    atexit.register(function)
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.Finalize(None, function, exitpriority=100)


class Connection:
    """The connection of one process. A forked child creates its own. Any thread or signal handler may use it."""

    def __init__(self, program, tables):
        """`tables` is {name: columns}."""
        self.pid = os.getpid()
        self.program = program
        self.tables = tables
        self.lock = threading.RLock()
        self.sending = False
        self.lines = []  # collected lines to send together
        self.dropped = {}  # unreported dropped lines by table; None stands for messages
        self.pending = b""
        self.since = -AGE  # when collected lines were last sent
        self.path = None  # address to which the socket is not connected yet, because the run's queue of connections is full
        self.socket = None
        self.opened = False

    def connect(self):
        """Connects at the first call. Returns whether there is a connection."""
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
        self.path = os.environ["ROAST_SOCKET"]
        connection = socket.socket(socket.AF_UNIX)
        connection.setblocking(False)
        try:
            self.connect_socket(connection)
        except BlockingIOError:
            pass  # write_all() tries again
        lines = [greeting] + [{"table": table, "columns": columns} for table, columns in self.tables.items()]
        self.pending = "".join(map(make_line, lines)).encode("utf-8", "replace")
        self.socket = connection
        at_exit(self.close)

    def connect_socket(self, connection):
        connection.connect(self.path)
        self.path = None

    def send(self, text, kept=False):
        """Sends lines after the collected `lines`. Returns whether they will arrive. Lines that will not arrive are dropped and counted,
        unless the caller has `kept` them."""
        with self.lock:
            if self.pid != os.getpid() or not self.connect():
                return False
            self.lines.append(text)
            self.write(0)
            # Lines that another thread added meanwhile are sent with the next lines.
            if self.lines and len(self.pending) > PENDING and not self.sending:  # roast is too slow
                lines = self.lines[:]
                del self.lines[: len(lines)]
                if kept:
                    lines.remove(text)
                self.count_dropped("".join(lines))
                return False
            return self.socket is not None

    def collect(self, text):
        """Like send() with kept lines, but lines within AGE of earlier lines wait for the next lines, for send() or for process exit. A
        killed process loses them."""
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
        """Returns lines that report dropped lines."""
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
        """Sends lines. Does nothing in a signal handler that interrupts write(), which then sends the handler's lines."""
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
                if self.path is not None:
                    self.connect_socket(self.socket)
                self.pending = self.pending[self.socket.send(self.pending, FLAGS) :]
            except BlockingIOError:
                if time.monotonic() >= end:
                    return
                time.sleep(0.001)
            except OSError:
                self.socket = None

    def close(self):
        """Sends the remaining lines at process exit."""
        if self.pid == os.getpid():
            with self.lock:
                self.write(PATIENCE)
