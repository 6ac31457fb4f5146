# SPDX-License-Identifier: BSD-3-Clause
"""Converts errors of C to readable exceptions, and marks errors that are the user's fault."""

import functools

from gi.repository import GLib


class Error(GLib.Error):
    """An error of roast. Its text says what went wrong; domain and code are as in GLib.Error."""

    __module__ = "gi.repository.Roast"  # where programs find it

    def __str__(self):
        return self.message

    @classmethod
    def of(cls, error):
        """Converts a GLib.Error to this class, or to Roast.UserError if it is the user's fault."""
        kind = UserError if _is_of_the_user(error) else cls
        return kind(error.message, error.domain, error.code)


class UserError(Error):
    """A mistake of the user, such as a wrong option, an unknown column or a missing file.

    roast raises it, and plugins may raise it too: roast-run then shows only the text, while it reports other exceptions as a bug of the
    plugin with a traceback. Say in one sentence what is wrong and how to fix it:

        def do_configure(self, options):
            if not os.path.exists(options["map"]):
                raise Roast.UserError(f"map: there is no file {options['map']}. Give the path of a CSV file.")

    Parameters
        message: the sentence.
        domain, code: the error that C programs see; the default means an option with an invalid value.
    """

    __module__ = "gi.repository.Roast"

    def __init__(self, message="", domain="roast-option-error-quark", code=2):  # ROAST_OPTION_ERROR_VALUE
        super().__init__(str(message), domain, int(code))


class UnknownNameError(UserError, KeyError):
    """No table, column, metric or chart has that name. Both a Roast.UserError and a KeyError, as dictionaries raise."""

    __module__ = "gi.repository.Roast"
    __str__ = Error.__str__


class InvalidValueError(UserError, ValueError):
    """An argument has an invalid value. Both a Roast.UserError and a ValueError."""

    __module__ = "gi.repository.Roast"
    __str__ = Error.__str__


# Codes that are the user's fault, by error domain; None means all codes. In C, see RoastOptionError and the other enumerations.
_USERS = {
    "roast-option-error-quark": None,
    "roast-schema-error-quark": None,
    "roast-plugin-error-quark": {6},  # nothing of that name
    "roast-launch-error-quark": {0, 1, 2, 3},  # the program or process does not exist, or must not be executed or followed
    "roast-table-error-quark": {0, 1, 2, 5},  # unknown column, value or key of another type, unknown table
    "roast-store-error-quark": {0, 1, 2},  # cannot be opened, not a run file, newer
    "roast-export-error-quark": {0},  # the output cannot be opened or written
    "g-io-error-quark": {1, 2, 3, 4, 10, 14},  # missing, exists, directory or not, file name, permission
    "g-file-error-quark": {0, 1, 2, 3, 4, 5, 22},
}


def _is_of_the_user(error):
    codes = _USERS.get(error.domain, ())
    return codes is None or error.code in codes


def readable(function):
    """Wraps function so that errors of C become readable exceptions."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Error:
            raise
        except GLib.Error as error:
            raise Error.of(error) from None

    return wrapper
