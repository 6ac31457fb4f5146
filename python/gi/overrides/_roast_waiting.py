# SPDX-License-Identifier: BSD-3-Clause
"""Operations of a session, written once and waited for in two ways: by a thread that stops meanwhile, or by asyncio.

Such a coroutine awaits nothing but Pending. drive() runs it in the calling thread; drive_async() in an event loop, which goes on.
"""

import asyncio
import concurrent.futures

# Python notices a signal only when the thread runs: one that arrives just before the wait would not end it.
PERIOD = 0.5  # s

# What ends an operation before its end: Ctrl-C, and the cancellation of a task of asyncio.
INTERRUPTIONS = (KeyboardInterrupt, asyncio.CancelledError)


class Pending:
    """Waits for a concurrent.futures.Future, which is never cancelled: it may be waited for again after an interruption."""

    def __init__(self, future):
        self._future = future

    def __await__(self):
        yield self._future
        return self._future.result()


def _step(coroutine, interruption):
    return coroutine.send(None) if interruption is None else coroutine.throw(interruption)


def _wait(future):
    while True:
        try:
            future.exception(PERIOD)
            return
        except concurrent.futures.TimeoutError:
            pass


def drive(coroutine):
    """Runs the coroutine; the calling thread waits."""
    interruption = None
    while True:
        try:
            future = _step(coroutine, interruption)
        except StopIteration as end:
            return end.value
        interruption = None
        try:
            _wait(future)
        except BaseException as error:
            interruption = error


async def _until(future):
    """Waits without a hold on the future: a cancelled wait leaves no trace."""
    loop = asyncio.get_running_loop()
    waiter = loop.create_future()

    def wake():
        if not waiter.done():
            waiter.set_result(None)

    def done(_):
        try:
            loop.call_soon_threadsafe(wake)
        except RuntimeError:
            pass  # the loop has been closed: no task waits any more

    future.add_done_callback(done)
    await waiter


async def drive_async(coroutine):
    """Runs the coroutine as a part of the current task."""
    interruption = None
    while True:
        try:
            future = _step(coroutine, interruption)
        except StopIteration as end:
            return end.value
        interruption = None
        try:
            await _until(future)
        except BaseException as error:
            interruption = error


def in_event_loop():
    """Whether the caller runs in an event loop that it must not stop. That of a notebook runs every cell: there cells wait."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    import sys

    ipython = sys.modules.get("IPython")
    return ipython is None or ipython.get_ipython() is None
