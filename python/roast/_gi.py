# SPDX-License-Identifier: BSD-3-Clause
"""The same interface by GObject introspection: the names are those of its override."""

import os

import gi

gi.require_version("Roast", "1")
from gi.repository import GLib, Roast  # noqa: E402

from roast._load import read_report  # noqa: E402

Chart, Charts, Column, Finding = Roast.Chart, Roast.Charts, Roast.Column, Roast.Finding
Error, Metric, Metrics, Recording, Report = Roast.Error, Roast.Metric, Roast.Metrics, Roast.Recording, Roast.Report
Session, TableReader, read, run = Roast.Session, Roast.TableReader, Roast.read, Roast.run

# An override of before has no errors for what is the user's fault.
UserError = getattr(Roast, "UserError", Roast.Error)
UnknownNameError = getattr(Roast, "UnknownNameError", KeyError)
InvalidValueError = getattr(Roast, "InvalidValueError", ValueError)


def load(run="last"):
    """A run: its file, its name as roast-report takes it (“last”, “last~1”, the first characters of an ID), or a JSON report.

    Gives a session that has ended: its report, metrics, tables and charts.
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
    """Compares runs with others: each a list of files or names of runs, as roast-compare takes them. Its report has the tables verdicts,
    differences and compared_properties, and findings. Without others it has the table scaling: how fast the runs are by their slots."""
    try:
        return Roast.compare(runs, reference)
    except GLib.Error as error:
        raise UserError(error.message, error.domain, error.code) from None


def session(backend="auto", attach=None, interval=None, tags=None):
    """A session for a with statement, in which this process is measured: with roast.session() as session: ..."""
    return Session(backend, attach=attach, interval=interval, tags=tags)
