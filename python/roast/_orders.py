# SPDX-License-Identifier: BSD-3-Clause
"""Sends commands to a running roast-run and reads its answers, as lines on two pipes (option --control, docs/raw.md)."""

import os
import threading
from urllib.parse import quote, unquote

from roast._errors import Error

PREFIX = "roast-run: "


class Orders:
    """Our ends of the two pipes. Any thread may send commands; they are sent one after another."""

    def __init__(self):
        self.theirs = []
        self._lock = threading.Lock()
        self._number = 0
        self.messages = []  # messages that roast-run would print on standard error
        their_input, ours = os.pipe()
        answers, their_output = os.pipe()
        self.theirs = [their_input, their_output]
        self._input = os.fdopen(ours, "wb", buffering=0)
        self._output = os.fdopen(answers, "rb")

    def option(self):
        return "--control={},{},discard".format(*self.theirs)

    def started(self):
        """Closes the other ends, which roast-run has inherited."""
        for descriptor in self.theirs:
            os.close(descriptor)
        self.theirs = []

    def _read(self):
        """Collects messages until the next answer. Returns its word, number and text; None at the end of the pipe."""
        for line in iter(self._output.readline, b""):
            word, number, text = (*line.decode(errors="replace").rstrip("\n").split(" ", 2), "", "")[:3]
            if word != "message":
                return word, number, unquote(text)
            text = unquote(text)
            self.messages.append(text[len(PREFIX):] if text.startswith(PREFIX) else text)
        return None

    def wait_for_start(self):
        """Waits for the start. Returns whether roast-run started; if not, messages say why."""
        return self._read() is not None

    def give(self, format, *arguments):
        """Sends a numbered command and waits for its answer. Returns the number."""
        with self._lock:
            self._number += 1
            return self._exchange(format.format(self._number, *arguments), str(self._number))

    def close_span(self, number):
        with self._lock:
            return self._exchange(f"close {number}", number)

    def _exchange(self, order, number):
        try:
            self._input.write(order.encode() + b"\n")
        except (OSError, ValueError):
            raise Error("a span can be opened and closed only while the session runs") from None
        # Skip answers to earlier commands whose callers were interrupted while waiting.
        for word, answered, text in iter(self._read, None):
            if answered == number:
                if word == "error":
                    raise Error(text)
                return number
        raise Error("a span can be opened and closed only while the session runs")

    def open_span(self, name, parent):
        return self.give("open {} {} {}", parent or "-", quote(name, safe=""))

    def stop(self):
        try:
            self._input.write(b"stop\n")
        except (OSError, ValueError):
            pass  # roast-run has ended

    def drain(self):
        """Collects messages until roast-run ends."""
        while self._read() is not None:
            pass

    def close(self):
        self.started()
        for file in (self._input, self._output):
            file.close()
