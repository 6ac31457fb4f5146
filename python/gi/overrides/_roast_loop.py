# SPDX-License-Identifier: BSD-3-Clause
"""A main context that runs in its own thread, for programs and notebooks without a main loop."""

import concurrent.futures
import threading

from gi.repository import GLib


class Loop:
    def __init__(self):
        self._context = GLib.MainContext.new()
        self._loop = GLib.MainLoop.new(self._context, False)
        self._thread = threading.Thread(target=self._run, name="roast", daemon=True)

    def own(self, make):
        """Calls make() so that the objects it makes use this context. Call it only before start()."""
        self._context.push_thread_default()
        try:
            return make()
        finally:
            self._context.pop_thread_default()

    def start(self):
        self._thread.start()

    def _run(self):
        self._context.push_thread_default()
        try:
            self._loop.run()
        finally:
            self._context.pop_thread_default()

    def invoke(self, function):
        """Schedules function() to run in the thread."""

        def call(*_):
            function()
            return GLib.SOURCE_REMOVE

        source = GLib.Idle()
        source.set_priority(GLib.PRIORITY_DEFAULT)
        source.set_callback(call)
        source.attach(self._context)

    def call(self, function):
        """Calls function() in the thread. Returns a future of its result or exception."""
        future = concurrent.futures.Future()

        def run():
            try:
                future.set_result(function())
            except BaseException as error:
                future.set_exception(error)

        self.invoke(run)
        return future

    def later(self, milliseconds, function):
        """Schedules function() to run in the thread after that time, unless the loop stops earlier."""
        source = GLib.Timeout(milliseconds)
        source.set_callback(lambda *_: function() and GLib.SOURCE_REMOVE)
        source.attach(self._context)

    def begin(self, begin, finish):
        """Begins an asynchronous operation with begin(callback). Returns a future of what finish(result) returns or raises."""
        future = concurrent.futures.Future()

        def done(_, result):
            try:
                future.set_result(finish(result))
            except BaseException as error:
                future.set_exception(error)

        def run():
            try:
                begin(done)
            except BaseException as error:
                future.set_exception(error)

        self.invoke(run)
        return future

    def is_current(self):
        """Returns whether the caller runs in the thread, as signal handlers do. Waiting there would deadlock."""
        return threading.current_thread() is self._thread

    def stop(self):
        self.invoke(self._loop.quit)
        if threading.current_thread() is not self._thread:
            self._thread.join()
