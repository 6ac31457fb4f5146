# SPDX-License-Identifier: BSD-3-Clause
"""Orders to a running roast-run, and its answers, by lines on two pipes (option --control, docs/raw.md)."""

import os
import threading
from urllib.parse import quote, unquote

from roast._errors import Error

PREFIX = "roast-run: "


class Orders:
    """This end of the two pipes. Any thread may give orders: they are given one after another."""

    def __init__(self):
        self.theirs = []
        self._lock = threading.Lock()
        self._number = 0
        self.messages = []  # that would have been on standard error
        their_input, ours = os.pipe()
        answers, their_output = os.pipe()
        self.theirs = [their_input, their_output]
        self._input = os.fdopen(ours, "wb", buffering=0)
        self._output = os.fdopen(answers, "rb")

    def option(self):
        return "--control={},{},discard".format(*self.theirs)

    def started(self):
        """The other ends are those of roast-run now."""
        for descriptor in self.theirs:
            os.close(descriptor)
        self.theirs = []

    def _read(self):
        """Word, number and text of the next answer that is none of its messages; None at its end."""
        for line in iter(self._output.readline, b""):
            word, number, text = (*line.decode(errors="replace").rstrip("\n").split(" ", 2), "", "")[:3]
            if word != "message":
                return word, number, unquote(text)
            text = unquote(text)
            self.messages.append(text[len(PREFIX):] if text.startswith(PREFIX) else text)
        return None

    def wait_for_start(self):
        """Whether it has started; if not, messages say why."""
        return self._read() is not None

    def give(self, format, *arguments):
        """Gives an order that has a number, and waits for its answer. Gives the number."""
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
        # An answer of before is that of somebody who was interrupted while waiting.
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
            pass  # it has ended

    def drain(self):
        """Messages up to the end of roast-run."""
        while self._read() is not None:
            pass

    def close(self):
        self.started()
        for file in (self._input, self._output):
            file.close()
