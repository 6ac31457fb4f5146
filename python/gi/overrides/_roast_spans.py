# SPDX-License-Identifier: BSD-3-Clause
"""Tracks the current span of each thread and each asyncio task."""

import contextvars
import weakref

from ._roast_errors import Error

_innermost = contextvars.ContextVar("roast-span", default=None)


class _Open:
    """A span opened in this context, with its enclosing span. Holds the session weakly because a context may outlive it."""

    def __init__(self, session, span, outer):
        self.session = weakref.ref(session)
        self.span = span
        self.outer = outer
        self.closed = False


def innermost(session):
    """Returns the session's innermost open span around the caller, or None."""
    found = _innermost.get()
    while found is not None and (found.closed or found.session() is not session):
        found = found.outer
    return found


def entered(session, span):
    found = _Open(session, span, _innermost.get())
    _innermost.set(found)


def left(span):
    found = _innermost.get()
    while found is not None:
        if found.span is span:
            found.closed = True
        found = found.outer
    found = _innermost.get()
    while found is not None and found.closed:
        found = found.outer
    _innermost.set(found)


class SpanContext:
    """The context manager of session.span(NAME), for with and async with."""

    def __init__(self, session, name, parent):
        self._session = session
        self._name = name
        self._parent = parent

    def _open(self):
        return self._session._open_span(self._name, self._parent)

    def __enter__(self):
        self.span = self._session._drive_now(self._open())
        return self.span

    def __exit__(self, kind, error, traceback):
        try:
            self._session._drive_now(self._session._close_span(self.span))
        except Error:
            # An exception in the span itself takes precedence.
            if kind is None:
                raise
        return False

    async def __aenter__(self):
        self.span = await self._session._drive_later(self._open())
        return self.span

    async def __aexit__(self, kind, error, traceback):
        try:
            await self._session._drive_later(self._session._close_span(self.span))
        except Error:
            if kind is None:
                raise
        return False
