# SPDX-License-Identifier: BSD-3-Clause
"""The probe in a Dask scheduler, part 1 of 6: encodes rows as lines of JSON, and keeps them for readers.

The six parts are installed as one file, dask-probe.py, and sent as one text. They use only the standard library and distributed, and
need Python 3.9 or newer. Nothing here may disturb the scheduler: each hook is guarded, work per second is limited, and a failure is
reported once. The plugin's README describes the rows.
"""

import itertools
import json
import socket
import sys
import time
from collections import deque

RING_BYTES = 32 << 20  # bytes; older lines are dropped if the lines that wait for readers take more
BLOCK_ROWS = 400  # number of rows that are encoded, kept and sent together

# Put a line feed between cells, so that the end of a row can be found: in JSON, line feeds inside texts are escaped.
encode_cells = json.JSONEncoder(separators=(",\n", ":"), allow_nan=False, check_circular=False).encode


def encode(value):
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def encode_rows(rows):
    """Encode one line for each row. A row may be a text already, of one line or more."""
    return "".join(["".join(group) if kind is str else encode_lists(list(group)) for kind, group in itertools.groupby(rows, type)])


def encode_lists(rows):
    try:
        text = encode_cells(rows)
    except ValueError:
        # Replace NaN and infinity by null, because JSON does not have them.
        text = encode_cells([[None if isinstance(cell, float) and cell - cell != 0 else cell for cell in row] for row in rows])
    return text[1:-1].replace("],\n[", "]\n[").replace(",\n", ",") + "\n"


DECLARATIONS = {}


def declare(name, *columns):
    """Declare a table of the wire. A row is a list: the table's name, then a cell per column; trailing cells may be left out."""
    DECLARATIONS[name] = encode({"table": name, "columns": columns}) + "\n"
    return name


def complain(text):
    try:
        print("roast: " + text, file=sys.stderr, flush=True)
    except Exception:
        pass


CONNECT = 2.0  # s; time to wait until the queue of the run's socket is no longer full
RUN_IS_OVER = (FileNotFoundError, ConnectionRefusedError)  # errors if the run has ended, or is on another machine


def connect_to_run(path):
    """Connect to the run's socket. Retry while its queue is full: a non-blocking socket does not wait, and failing would end the
    measurement."""
    end = time.monotonic() + CONNECT
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.setblocking(False)
    while True:
        try:
            connection.connect(path)
            return connection
        except BlockingIOError:
            if time.monotonic() > end:
                connection.close()
                raise
            time.sleep(0.01)
        except OSError:
            connection.close()
            raise


class ByValue:
    """An object built from source text when it is unpickled. The receiver needs nothing installed, and may have another Python version."""

    def __init__(self, source, function, **arguments):
        self.call = (source, function, arguments)

    def __reduce__(self):
        source, function, arguments = self.call
        text = "(lambda n: (exec(n['source'], n), n[n['function']](**n['arguments']))[1])(%r)" % (
            {"source": source, "function": function, "arguments": arguments, "__name__": "roast_dask"},
        )
        return (eval, (text,))


class Ring:
    """The last lines, in blocks. The oldest blocks are dropped first. A cursor is the number of a line."""

    def __init__(self, max_bytes=RING_BYTES):
        self.blocks = deque()  # tuples: number of the first line, text of the block
        self.next = 0
        self.bytes = 0
        self.max_bytes = max_bytes

    @property
    def first(self):
        return self.blocks[0][0] if self.blocks else self.next

    def add(self, rows):
        for i in range(0, len(rows), BLOCK_ROWS):
            part = rows[i : i + BLOCK_ROWS]
            block = encode_rows(part)
            self.blocks.append((self.next, block))
            self.next += len(part)
            self.bytes += len(block)
        while self.bytes > self.max_bytes and len(self.blocks) > 1:
            self.bytes -= len(self.blocks.popleft()[1])

    def clear(self):
        self.blocks.clear()
        self.bytes = 0

    def since(self, cursor, max_bytes):
        """Return (text, next cursor): the lines from a cursor on, up to a size, but at least one block if there is one."""
        waiting = []
        for start, block in reversed(self.blocks):
            if start < cursor:
                break
            waiting.append((start, block))
        blocks, size = [], 0
        while waiting and (not blocks or size + len(waiting[-1][1]) <= max_bytes):
            blocks.append(waiting.pop()[1])
            size += len(blocks[-1])
        return "".join(blocks), waiting[-1][0] if waiting else self.next


class Numbers:
    """Assigns a number to each name. A name is sent once, and then only its number."""

    def __init__(self):
        self.numbers = {}
        self.fresh = []

    def get(self, name):
        number = self.numbers.get(name)
        if number is None:
            number = self.numbers[name] = len(self.numbers)
            self.fresh.append(name)
        return number

    def take_fresh(self):
        fresh, self.fresh = self.fresh, []
        return fresh
