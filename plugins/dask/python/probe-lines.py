# SPDX-License-Identifier: BSD-3-Clause
"""What roast puts into a Dask scheduler, part 1 of 4: lines of JSON, and where they wait for readers.

The four parts are one file where they are installed, dask-probe.py, and travel as one text. Standard library and distributed only,
Python 3.9 or newer. Nothing here may disturb the scheduler: each hook is guarded, work is bounded per second, and what fails
is said once. The README of the plugin says what the lines hold.
"""

import json
import sys
from collections import deque

RING_BYTES = 32 << 20  # of lines that wait for readers


def encode(value):
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError:
        # json refuses what is no number: it becomes missing.
        return json.dumps(scrub(value), separators=(",", ":"))


def scrub(value):
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, (list, tuple)):
        return [scrub(item) for item in value]
    if isinstance(value, dict):
        return {key: scrub(item) for key, item in value.items()}
    return value


def complain(text):
    try:
        print("roast: " + text, file=sys.stderr, flush=True)
    except Exception:
        pass


class ByValue:
    """Something made of source text where it is unpickled: needs nothing installed there, and no common Python version."""

    def __init__(self, source, function, **arguments):
        self.call = (source, function, arguments)

    def __reduce__(self):
        source, function, arguments = self.call
        text = "(lambda n: (exec(n['source'], n), n[n['function']](**n['arguments']))[1])(%r)" % (
            {"source": source, "function": function, "arguments": arguments, "__name__": "roast_dask"},
        )
        return (eval, (text,))


class Ring:
    """The last lines, numbered; the oldest go first."""

    def __init__(self, max_bytes=RING_BYTES):
        self.lines = deque()
        self.first = 0  # number of the oldest line that is there
        self.bytes = 0
        self.max_bytes = max_bytes

    @property
    def next(self):
        return self.first + len(self.lines)

    def append(self, line):
        self.lines.append(line)
        self.bytes += len(line)
        while self.bytes > self.max_bytes and len(self.lines) > 1:
            self.bytes -= len(self.lines.popleft())
            self.first += 1

    def clear(self):
        self.first = self.next
        self.lines.clear()
        self.bytes = 0

    def since(self, cursor, max_bytes):
        """Lines from a number on, up to a size, at least one if there is one."""
        lines, size = [], 0
        for i in range(max(cursor - self.first, 0), len(self.lines)):
            line = self.lines[i]
            size += len(line) + 1
            if lines and size > max_bytes:
                break
            lines.append(line)
        return lines


class Numbers:
    """Names that are said once and then called by number."""

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
