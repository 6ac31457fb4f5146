# SPDX-License-Identifier: BSD-3-Clause
"""Operations of a session, written once and waited for in two ways: by a thread that stops meanwhile, or by asyncio.

Such a coroutine awaits nothing but Pending. drive() runs it in the calling thread; drive_async() in an event loop, which goes on.
"""

import asyncio
import concurrent.futures
import signal
import threading

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


class _Interrupts:
    """Ctrl-C while an operation goes on ends the next wait: elsewhere a KeyboardInterrupt would leave the program running."""

    def __enter__(self):
        self._waits = self._came = False
        self._before = None
        # Only the main thread gets it, and a handler of the script stays.
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
    """Runs the coroutine; the calling thread waits."""
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
