# SPDX-License-Identifier: BSD-3-Clause
"""The package's interface on top of GObject introspection, with the names of the override."""

import os

import gi

gi.require_version("Roast", "1")
from gi.repository import GLib, Roast  # noqa: E402

from roast._load import read_report  # noqa: E402

Chart, Charts, Column, Finding = Roast.Chart, Roast.Charts, Roast.Column, Roast.Finding
Error, Metric, Metrics, Recording, Report = Roast.Error, Roast.Metric, Roast.Metrics, Roast.Recording, Roast.Report
Session, TableReader, read, run = Roast.Session, Roast.TableReader, Roast.read, Roast.run

# An older override has no classes for user errors.
UserError = getattr(Roast, "UserError", Roast.Error)
UnknownNameError = getattr(Roast, "UnknownNameError", KeyError)
InvalidValueError = getattr(Roast, "InvalidValueError", ValueError)


def load(run="last"):
    """Loads a run: a run file, a name that roast-report accepts (“last”, “last~1”, the first characters of an ID), or a JSON report.

    Returns a finished session with report, metrics, tables and charts.
    """
    run = os.fspath(run)
    report = read_report(run, UserError)
    if report is not None:
        return report
    try:
        return read(Roast.Runs.new().find(run))
    except GLib.Error as error:
        raise UserError(error.message, error.domain, error.code) from None


def compare(runs, reference=None):
    """Compares runs with reference runs. Both are lists of files or run names that roast-compare accepts. The report has findings and the
    tables verdicts, differences and compared_properties. Without a reference, it has the table scaling, with the speed of the runs by their
    slots."""
    try:
        return Roast.compare(runs, reference)
    except GLib.Error as error:
        raise UserError(error.message, error.domain, error.code) from None


def session(backend="auto", attach=None, interval=None, tags=None):
    """Returns a session that measures this process in a with statement: with roast.session() as session: ..."""
    return Session(backend, attach=attach, interval=interval, tags=tags)
