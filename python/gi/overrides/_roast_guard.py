# SPDX-License-Identifier: BSD-3-Clause
"""Guards interface slots that are implemented in Python: turns failures in them into clear errors.

By itself, PyGObject prints the traceback of an exception and returns zero to C without an error, and a pending task is never completed. So
each do_*() is wrapped when its class is created: exceptions and values of a wrong type become a GLib.Error with the last line of the
traceback.
"""

import functools
import os
import sys
import traceback
import weakref

from gi.repository import GLib

from ._roast_errors import UserError


def _is_ours(frame):
    return os.path.dirname(frame.filename) == os.path.dirname(__file__)


def _locate(error):
    """Returns the place of the error in code outside roast, to append to a text."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not _is_ours(frame)]
    return f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""


def describe(error):
    """Returns the last line of the traceback and the place in code outside roast."""
    return traceback.format_exception_only(type(error), error)[-1].strip() + _locate(error)


def _as_users(error):
    """Returns a user error with the plugin's sentence alone. If a function of roast raised it, adds the place, since it may be the
    plugin's own mistake, such as a misspelt column."""
    frames = traceback.extract_tb(error.__traceback__)
    if frames and _is_ours(frames[-1]):
        return UserError(error.message + _locate(error), error.domain, error.code)
    return error


# Treat sys.exit() in a plugin as an error: it must not end the program that loaded the plugin.
FAILURES = (Exception, SystemExit)


def _returned(name, value, wanted):
    return f"{name} returned {value!r}: it must return {wanted}"


def _complain(what):
    """Prints a message if there is no caller to return an error to."""
    print("roast:", what, file=sys.stderr)


class Slots:
    """Wrappers for the slots of one interface. domain and code identify bugs of the implementation, and failed identifies operations of the
    system that fail: a missing file and a refused connection are not bugs."""

    def __init__(self, domain, code, failed):
        self.domain = domain
        self.code = code
        self.failed = failed

    def bug(self, what):
        return self.make(what + " (a bug in that class)", self.code)

    def make(self, what, code):
        return GLib.Error.new_literal(GLib.quark_from_string(self.domain), what, int(code))

    def of_exception(self, name, error):
        what = f"{name} raised {describe(error)}"
        return self.make(what, self.failed) if isinstance(error, OSError) else self.bug(what)

    def check_made(self, instance):
        """Raises the exception of __init__(). When C creates an object, PyGObject only prints that exception and continues."""
        failure = instance.__dict__.get("_roast_failure")
        if isinstance(failure, UserError):
            raise failure
        if failure is not None:
            raise self.bug(failure)

    def throwing(self, function, name):
        """Wraps a function that returns a boolean or raises. Returning nothing means success."""

        @functools.wraps(function)
        def wrapper(*args):
            self.check_made(args[0])
            try:
                value = function(*args)
            except UserError as error:
                raise _as_users(error) from None
            except GLib.Error:
                raise
            except FAILURES as error:
                raise self.of_exception(name, error) from None
            if value is None or value is True:
                return True
            if value is False:
                raise self.bug(f"{name} returned False without raising an error")
            raise self.bug(_returned(name, value, "True or nothing, or raise an error"))

        return wrapper

    def task(self, function, name):
        """Wraps a function that completes its last argument, a Gio.Task, now or later."""

        @functools.wraps(function)
        def wrapper(*args):
            task = args[-1]
            returned = []
            for method in ("return_boolean", "return_value", "return_error", "return_int", "return_pointer",
                           "return_error_if_cancelled", "return_new_error_literal"):
                _note_calls(task, method, returned)
            try:
                self.check_made(args[0])
                function(*args)
            except UserError as error:
                failure = _as_users(error).copy()
            except GLib.Error as error:
                failure = error.copy()
            except FAILURES as error:
                failure = self.of_exception(name, error)
            else:
                return
            if returned:
                _complain(f"{failure.message}; its task was completed before")
            else:
                task.return_error(failure)

        return wrapper

    def told(self, function, name):
        """Wraps a function that returns nothing and cannot fail."""

        @functools.wraps(function)
        def wrapper(*args):
            try:
                function(*args)
            except UserError as error:
                _complain(_as_users(error).message)
            except FAILURES as error:
                _complain(f"{name} raised {describe(error)}")

        return wrapper

    def giving(self, check, wanted, default):
        """Wraps a function whose value check() accepts and that cannot fail."""

        def wrap(function, name):
            @functools.wraps(function)
            def wrapper(*args):
                try:
                    value = function(*args)
                except FAILURES as error:
                    _complain(f"{name} raised {describe(error)}")
                    return default()
                try:
                    return check(value)
                except FAILURES:
                    _complain(_returned(name, value, wanted))
                    return default()

            return wrapper

        return wrap


def _note_calls(task, name, returned):
    """Records in returned when the method of task is called. Holds only a weak reference, so that a dropped task is freed."""
    method = getattr(type(task), name, None)
    if method is None:
        return
    held = weakref.ref(task)

    def call(*args):
        result = method(held(), *args)
        # return_error_if_cancelled() returns whether it completed the task.
        if name != "return_error_if_cancelled" or result:
            returned.append(name)
        return result

    setattr(task, name, call)


def check_strings(value):
    """Checks names: a list or another sequence of strings. None means no names."""
    if value is None:
        return []
    if isinstance(value, str) or not all(isinstance(name, str) for name in value):
        raise TypeError
    return list(value)


def check_flags(flags):
    """Returns a check for flags of that type or an equivalent integer."""

    def check(value):
        if type(value) is flags:
            return value
        if value is None or isinstance(value, bool) or not isinstance(value, int):
            raise TypeError
        return flags(value)

    return check


def _guard_init(function, name):
    @functools.wraps(function)
    def wrapper(self, *args, **kwargs):
        try:
            function(self, *args, **kwargs)
        except UserError as error:
            self._roast_failure = _as_users(error)
            if sys._getframe().f_back is not None:  # if C created the object, PyGObject would print a traceback
                raise
        except FAILURES as error:
            self._roast_failure = f"{name} raised {describe(error)}"
            if isinstance(error, SystemExit):
                raise RuntimeError(self._roast_failure) from None
            raise

    return wrapper


def guard_class(cls, slots, first):
    """Wraps the slots that cls itself defines. slots: wrapping function by name.

    first: a slot that C always calls, and a function that makes its default. PyGObject never frees an object created by C that no Python
    code ever saw, so that slot is always defined in Python.
    """
    if "__gtype__" in vars(cls):
        return  # a C class that PyGObject has just wrapped
    slot, default = first
    if not any("do_" + slot in vars(base) for base in cls.__mro__):
        setattr(cls, "do_" + slot, lambda self: default())
    if "__init__" in cls.__dict__:
        cls.__init__ = _guard_init(cls.__init__, f"__init__() of {cls.__name__}")
    for slot, wrap in slots.items():
        function = cls.__dict__.get("do_" + slot)
        if callable(function):
            setattr(cls, "do_" + slot, wrap(function, f"do_{slot}() of {cls.__name__}"))
