# SPDX-License-Identifier: BSD-3-Clause
"""Errors, as the override names them, for Python without gi."""


class Error(Exception):
    """What went wrong, as the exception's text."""

    __module__ = "roast"

    @property
    def message(self):
        return Exception.__str__(self)

    def __str__(self):
        return self.message


class UserError(Error):
    """A mistake of the user, such as a wrong option, an unknown run or a missing program: the text says what to do."""

    __module__ = "roast"


class UnknownNameError(UserError, KeyError):
    """There is no table, column, metric or chart of that name."""

    __module__ = "roast"
    __str__ = Error.__str__


class InvalidValueError(UserError, ValueError):
    """An argument has an invalid value."""

    __module__ = "roast"
    __str__ = Error.__str__


def needs_gi(what):
    raise UserError(f"{what} needs GObject introspection: install the Debian packages python3-gi and gir1.2-roast-1")
