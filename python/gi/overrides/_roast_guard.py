# SPDX-License-Identifier: BSD-3-Clause
"""Slots of interfaces that are implemented in Python: what goes wrong in them becomes an error that says so.

PyGObject prints the traceback of an exception and gives C a zero without an error; a task that was to be completed is
not. So each do_*() is wrapped when its class is made: exceptions and values of a wrong type become a GLib.Error with the
last line of the traceback.
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
    """Where it was in code that is not ours, as an addition to a text."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not _is_ours(frame)]
    return f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""


def describe(error):
    """The last line of the traceback, and where it was in code that is not ours."""
    return traceback.format_exception_only(type(error), error)[-1].strip() + _locate(error)


def _as_users(error):
    """A mistake of the user: the sentence of the plugin alone. One that a function of roast raised for the plugin says where,
    since it may be a mistake of the plugin all the same, such as a column that it misspells."""
    frames = traceback.extract_tb(error.__traceback__)
    if frames and _is_ours(frames[-1]):
        return UserError(error.message + _locate(error), error.domain, error.code)
    return error


# sys.exit() in a plugin is an error of the plugin: it must not end the program that loaded it.
FAILURES = (Exception, SystemExit)


def _bug(domain, code, what):
    return GLib.Error.new_literal(GLib.quark_from_string(domain), what + " (a bug in that class)", int(code))


def _returned(name, value, wanted):
    return f"{name} returned {value!r}: it must return {wanted}"


def _complain(what):
    """Where there is nobody to give an error to."""
    print("roast:", what, file=sys.stderr)


class Slots:
    """How the slots of one interface fail: the domain and code of what is a bug of the implementation."""

    def __init__(self, domain, code):
        self.domain = domain
        self.code = code

    def bug(self, what):
        return _bug(self.domain, self.code, what)

    def check_made(self, instance):
        """PyGObject prints what __init__() raises when C makes an object, and goes on with the object."""
        failure = instance.__dict__.get("_roast_failure")
        if isinstance(failure, UserError):
            raise failure
        if failure is not None:
            raise self.bug(failure)

    def throwing(self, function, name):
        """Returns a boolean, or raises. Who returns nothing has succeeded."""

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
                raise self.bug(f"{name} raised {describe(error)}") from None
            if value is None or value is True:
                return True
            if value is False:
                raise self.bug(f"{name} returned False without raising an error")
            raise self.bug(_returned(name, value, "True or nothing, or raise an error"))

        return wrapper

    def task(self, function, name):
        """Completes its last argument, a Gio.Task, now or later."""

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
                failure = self.bug(f"{name} raised {describe(error)}")
            else:
                return
            if returned:
                _complain(f"{failure.message}; its task was completed before")
            else:
                task.return_error(failure)

        return wrapper

    def told(self, function, name):
        """Returns nothing and cannot fail."""

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
        """Returns what check() lets through, and cannot fail."""

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
    """Notes in returned that a method of task was called. Nothing that is kept holds the task: one that is dropped is to
    go."""
    method = getattr(type(task), name, None)
    if method is None:
        return
    held = weakref.ref(task)

    def call(*args):
        result = method(held(), *args)
        # return_error_if_cancelled() says whether it returned something.
        if name != "return_error_if_cancelled" or result:
            returned.append(name)
        return result

    setattr(task, name, call)


def check_strings(value):
    """Names: a list or another sequence of strings; None is none."""
    if value is None:
        return []
    if isinstance(value, str) or not all(isinstance(name, str) for name in value):
        raise TypeError
    return list(value)


def check_flags(flags):
    """Flags of that type, or a number that is some."""

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
            if sys._getframe().f_back is not None:  # else C made the object, and PyGObject would print a traceback
                raise
        except FAILURES as error:
            self._roast_failure = f"{name} raised {describe(error)}"
            if isinstance(error, SystemExit):
                raise RuntimeError(self._roast_failure) from None
            raise

    return wrapper


def guard_class(cls, slots, first):
    """Wraps what cls itself defines of slots: name → wrapping function.

    first is the slot that everybody asks, and what it returns by default. An object that C made and that no code in Python
    ever saw is never freed by PyGObject: so that slot is always in Python.
    """
    if "__gtype__" in vars(cls):
        return  # a class of C, for which PyGObject has just made one in Python
    slot, default = first
    if not any("do_" + slot in vars(base) for base in cls.__mro__):
        setattr(cls, "do_" + slot, lambda self: default())
    if "__init__" in cls.__dict__:
        cls.__init__ = _guard_init(cls.__init__, f"__init__() of {cls.__name__}")
    for slot, wrap in slots.items():
        function = cls.__dict__.get("do_" + slot)
        if callable(function):
            setattr(cls, "do_" + slot, wrap(function, f"do_{slot}() of {cls.__name__}"))
