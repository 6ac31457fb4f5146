# SPDX-License-Identifier: BSD-3-Clause
"""Loads reports written as JSON. load() also accepts a run file or the name of a run. Used with and without gi."""

import json
import os

from roast._errors import Error as PureError
from roast._report import Report

MAGIC = b"SQLite format 3"


class LoadedReport:
    """A report from a JSON file. It has report, status and metrics, but no tables of the recording."""

    state = "finished"

    def __init__(self, report):
        self.report = report

    @property
    def status(self):
        """The exit status of the program; None if unknown."""
        return self.metrics.get("exit_status")

    @property
    def metrics(self):
        return self.report.metrics

    def __repr__(self):
        return f"<roast.LoadedReport: {self.report!r}>"

    def _repr_html_(self):
        return self.report._repr_html_()


def read_report(run, errors):
    """Returns the report in a JSON file; None if run is a run file or the name of a run."""
    if not os.path.isfile(run):
        return None
    try:
        with open(run, "rb") as file:
            start = file.read(len(MAGIC))
            if start == MAGIC or not start.lstrip().startswith(b"{"):
                return None
            return LoadedReport(Report(json.loads(start + file.read())))
    except (OSError, ValueError, KeyError, AttributeError, TypeError, PureError) as error:
        raise errors(f"{run} is neither a run file nor a report of “roast-report -e json:FILE”: {error}") from None
