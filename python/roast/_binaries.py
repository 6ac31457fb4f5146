# SPDX-License-Identifier: BSD-3-Clause
"""The package's interface on top of the programs of roast."""

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
    """Loads a run: a run file, a name that roast-report accepts (“last”, “last~1”, the first characters of an ID), or a JSON report.

    Returns a finished session with report, metrics, tables and charts.
    """
    run = os.fspath(run)
    return read_report(run, UserError) or read(run)


def compare(runs, reference=None):
    """Compares runs with reference runs. Both are lists of files or run names that roast-compare accepts. The report has findings and the
    tables verdicts, differences and compared_properties. Without a reference, it has the table scaling, with the speed of the runs by their
    slots."""
    first, second = ([os.fspath(name) for name in ([side] if isinstance(side, (str, os.PathLike)) else side or [])] for side in (runs, reference))
    mode, others = (["--scaling"], []) if reference is None else ([], ["--against", *second])
    out = _programs.run("roast-compare", *mode, "-e", "json:-", "--", *first, *others, statuses=(0, 1, 2))
    return LoadedReport(Report(json.loads(out)))


def session(backend="auto", attach=None, interval=None, tags=None):
    """Returns a session that measures this process in a with statement: with roast.session() as session: ..."""
    return Session(backend, attach=attach, interval=interval, tags=tags)
