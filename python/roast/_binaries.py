# SPDX-License-Identifier: BSD-3-Clause
"""The interface of the package by the programs of roast."""

import json
import os

from roast import _programs
from roast._charts import Chart, Charts
from roast._errors import Error, InvalidValueError, UnknownNameError, UserError
from roast._load import LoadedReport, read_report
from roast._recording import Recording
from roast._report import Finding, Metric, Metrics, Report
from roast._session import Session, read, run
from roast._table import Column, TableReader

__all__ = [
    "Chart", "Charts", "Column", "Error", "Finding", "InvalidValueError", "Metric", "Metrics", "Recording", "Report", "Session",
    "TableReader", "UnknownNameError", "UserError", "compare", "load", "read", "run", "session",
]  # fmt: skip


def load(run="last"):
    """A run: its file, its name as roast-report takes it (“last”, “last~1”, the first characters of an ID), or a JSON report.

    Gives a session that has ended: its report, metrics, tables and charts.
    """
    run = os.fspath(run)
    return read_report(run, UserError) or read(run)


def compare(runs, reference=None):
    """Compares runs with others: each a list of files or names of runs, as roast-compare takes them. Its report has the tables verdicts,
    differences and compared_properties, and findings. Without others it has the table scaling: how fast the runs are by their slots."""
    first, second = ([os.fspath(name) for name in ([side] if isinstance(side, (str, os.PathLike)) else side or [])] for side in (runs, reference))
    mode, others = (["--scaling"], []) if reference is None else ([], ["--against", *second])
    out = _programs.run("roast-compare", *mode, "-e", "json:-", "--", *first, *others, statuses=(0, 1, 2))
    return LoadedReport(Report(json.loads(out)))


def session(backend="auto", attach=None, interval=None, tags=None):
    """A session for a with statement, in which this process is measured: with roast.session() as session: ..."""
    return Session(backend, attach=attach, interval=interval, tags=tags)
