# SPDX-License-Identifier: BSD-3-Clause
"""Errors of C as exceptions that read well."""

from gi.repository import GLib


class Error(GLib.Error):
    """What went wrong, as the exception's text; domain and code as in GLib.Error."""

    __module__ = "gi.repository.Roast"  # where programs find it

    def __str__(self):
        return self.message

    @classmethod
    def of(cls, error):
        made = cls(error.message, error.domain, error.code)
        return made


def readable(function):
    """Errors of C read well as exceptions."""

    def wrapper(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Error:
            raise
        except GLib.Error as error:
            raise Error.of(error) from None

    wrapper.__name__ = function.__name__
    wrapper.__doc__ = function.__doc__
    return wrapper
