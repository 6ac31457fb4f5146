# SPDX-License-Identifier: BSD-3-Clause
"""Errors for Python without gi, with the names of the override."""


class Error(Exception):
    """An error of roast. Its text says what went wrong."""

    __module__ = "roast"

    @property
    def message(self):
        return Exception.__str__(self)

    def __str__(self):
        return self.message


class UserError(Error):
    """A mistake of the user, such as a wrong option, an unknown run or a missing program. The text says how to fix it."""

    __module__ = "roast"


class UnknownNameError(UserError, KeyError):
    """No table, column, metric or chart has that name."""

    __module__ = "roast"
    __str__ = Error.__str__


class InvalidValueError(UserError, ValueError):
    """An argument has an invalid value."""

    __module__ = "roast"
    __str__ = Error.__str__


def needs_gi(what):
    raise UserError(f"{what} needs GObject introspection: install the Debian packages python3-gi and gir1.2-roast-1")
