# SPDX-License-Identifier: BSD-3-Clause
"""Operations of a session, written once and awaited in two ways: in a thread that blocks, or in asyncio.

Such a coroutine awaits only Pending. drive() runs it in the calling thread; drive_async() runs it in an event loop without blocking the
loop.
"""

import asyncio
import concurrent.futures
import signal
import threading

# Wait in short periods: Python handles a signal only while the thread runs, so a signal just before the wait would not end it.
PERIOD = 0.5  # s

# Exceptions that interrupt an operation: Ctrl-C and the cancellation of an asyncio task.
INTERRUPTIONS = (KeyboardInterrupt, asyncio.CancelledError)


class Pending:
    """Waits for a concurrent.futures.Future. It is never cancelled, so it may be awaited again after an interruption."""

    def __init__(self, future):
        self._future = future

    def __await__(self):
        yield self._future
        return self._future.result()


def _step(coroutine, interruption):
    return coroutine.send(None) if interruption is None else coroutine.throw(interruption)


class _Interrupts:
    """Delays Ctrl-C during an operation until the next wait: a KeyboardInterrupt elsewhere would leave the program running."""

    def __enter__(self):
        self._waits = self._came = False
        self._before = None
        # Only the main thread receives signals. Do not replace a handler of the script.
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._take)
        return self

    def __exit__(self, *_):
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if self._came:
            raise KeyboardInterrupt

    def _take(self, *_):
        self._came = True
        if self._waits:
            self._check()

    def _check(self):
        if self._came:
            self._came = self._waits = False
            raise KeyboardInterrupt

    def wait(self, future):
        self._waits = True
        self._check()
        while True:
            try:
                future.exception(PERIOD)
                break
            except concurrent.futures.TimeoutError:
                pass
        self._waits = False


def drive(coroutine):
    """Runs the coroutine while the calling thread waits."""
    interruption = None
    with _Interrupts() as interrupts:
        while True:
            try:
                future = _step(coroutine, interruption)
            except StopIteration as end:
                return end.value
            interruption = None
            try:
                interrupts.wait(future)
            except BaseException as error:
                interruption = error


async def _until(future):
    """Waits for the future without owning it, so a cancelled wait does not cancel the future."""
    loop = asyncio.get_running_loop()
    waiter = loop.create_future()

    def wake():
        if not waiter.done():
            waiter.set_result(None)

    def done(_):
        try:
            loop.call_soon_threadsafe(wake)
        except RuntimeError:
            pass  # the loop is closed, so no task waits any more

    future.add_done_callback(done)
    await waiter


async def drive_async(coroutine):
    """Runs the coroutine as part of the current task."""
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
    """Returns whether the caller runs in an event loop that it must not block. A notebook runs each cell in a loop, and cells may block
    it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    import sys

    ipython = sys.modules.get("IPython")
    return ipython is None or ipython.get_ipython() is None
