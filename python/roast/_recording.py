# SPDX-License-Identifier: BSD-3-Clause
"""The tables and the report of a run file."""

import json
import os

from roast import _programs, _raw, _shared
from roast._errors import UnknownNameError, needs_gi
from roast._report import Report
from roast._table import TableReader


class Recording(_shared.Recorded):
    """The tables of one run, by name."""

    def __init__(self, path, keep=None):
        """path: a run file or the name of a run; keep: an object that keeps the file alive."""
        self.path = path
        self._keep = keep
        self._index = None
        self._readers = {}

    @staticmethod
    def open(path):
        """Opens the recording in a run file."""
        return Recording(os.fspath(path))

    def write_table(self, table, source=None, columns=None):
        needs_gi("write_table()")

    def _describe(self):
        if self._index is None:
            self._index = _raw.export(self.path, "none").tables
        return self._index

    def read(self, name):
        """Returns a reader of a measured or derived table."""
        reader = self._readers.get(name)
        if reader is None:
            raw = _raw.export(self.path, name)
            reader = self._readers[name] = TableReader(raw, raw.tables[name])
        return reader

    def read_table(self, table, columns=None):
        """Returns a reader of a table, with all columns unless some are named."""
        reader = self[table]
        return reader if columns is None else reader.narrow(columns)

    def make_report(self):
        return self._make_report()

    def _make_report(self, *options):
        content = json.loads(_programs.report(*options, "-e", "json:-,tables=none", "--", self.path))
        return Report(content, self)

    def evaluate(self, formula, name="value"):
        """Returns the value of a formula over tables and metrics as a metric (docs/formulas.md)."""
        return self._make_report(f"--metric={name}={formula}")[name]

    @property
    def metadata(self):
        return dict(self.make_report()._content["run"])

    def dup_table_names(self):
        return list(self._describe())

    def __getitem__(self, name):
        if name not in self._describe():
            raise UnknownNameError(f"no table {name!r} in the recording; it has {', '.join(self._describe())}")
        return self.read(name)

    def __repr__(self):
        filled = ", ".join(f"{name} {table['rows']}" for name, table in self._describe().items() if table["rows"] > 0)
        return f"<roast.Recording: {filled or 'empty'}>"
