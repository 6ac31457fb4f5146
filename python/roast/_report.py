# SPDX-License-Identifier: BSD-3-Clause
"""What follows from a run, as the override's report: made of the JSON that roast-report writes."""

import collections.abc
import functools

from roast import _shared
from roast._charts import Charts
from roast._errors import Error, UnknownNameError, needs_gi


class Metric(_shared.Metric):
    """A number or text of the report: value, unit, completeness, note; or the reason why there is none."""

    def __init__(self, name, description):
        self.name = name
        self.value = description.get("value")  # None if it is not available: reason says why
        self.reason = description.get("reason")
        self.completeness = description.get("completeness")  # complete, partial or estimated
        self.contradiction = description.get("contradiction")  # what another measurement gives, if the two differ
        self.note = description.get("note")
        self.unit = description.get("unit") or ""
        self.label = description.get("label") or name
        self.group = description.get("group") or ""
        self.description = description.get("description") or ""

    def is_available(self):
        return self.value is not None


class Metrics(collections.abc.Mapping):
    """The values of a report by name. What is not available is None."""

    def __init__(self, report):
        self._report = report

    def __getitem__(self, name):
        return self._report[name].value

    def __iter__(self):
        return (metric.name for metric in self._report)

    def __len__(self):
        return len(self._report)

    def __repr__(self):
        return repr(dict(self))


class Finding(_shared.Finding):
    """One statement about a run. evidence has numbers and names; units has the units of the numbers."""

    def __init__(self, description):
        self.rule = description.get("rule")
        self.severity = description.get("severity")  # info, warning or error
        self.text = description.get("text") or ""
        self.share = description.get("share")  # of the offered core time that it explains; None if unknown
        self.advice = description.get("advice")
        evidence = description.get("evidence") or []
        self.evidence = {item["name"]: item["value"] for item in evidence}
        self.units = {item["name"]: item["unit"] for item in evidence if item.get("unit") is not None}


class Report(_shared.Report):
    """report["name"] is a roast.Metric, report.metrics gives plain values, report.findings what stands out, report.core_time
    where the core time went, report.charts what can be drawn."""

    def __init__(self, content, run=None):
        """The content of a JSON report; the run that it is of, if there is its file."""
        if not isinstance(content, dict) or not str(content.get("schema", "")).startswith("urn:roast:report:"):
            raise Error("this is not a report of roast: roast-report -e json:FILE writes one")
        self._content = content
        self._run = run
        self._metrics = {name: Metric(name, description) for name, description in content.get("metrics", {}).items()}

    @property
    def metrics(self):
        return Metrics(self)

    @functools.cached_property
    def findings(self):
        """What stands out, the most important first."""
        return [Finding(description) for description in self._content.get("findings", [])]

    @property
    def notes(self):
        return list(self._content.get("notes", []))

    def _recorded(self):
        if self._run is None:
            raise Error("this report is of no run file, which has the tables and charts: load that")
        return self._run

    def add(self, name, value=None, reason=None, completeness=None, note=None):
        needs_gi("add()")

    def add_finding(self, finding, text=None, severity="warning", share=None, advice=None, evidence=None):
        needs_gi("add_finding()")

    def write_table(self, table, columns=None):
        needs_gi("write_table()")

    def dup_table_names(self):
        return list(self._content.get("report_tables", {}))

    def read_table(self, table, columns=None):
        """A reader of a derived table, of all its columns unless some are named."""
        if table not in self._content.get("report_tables", {}):
            raise UnknownNameError(f"there is no table {table!r} in the report; it has {', '.join(self.dup_table_names())}")
        reader = self._recorded().read(table)
        return reader if columns is None else reader.narrow(columns)

    @property
    def tables(self):
        """The derived tables, by name."""
        return {name: self.read_table(name) for name in self.dup_table_names()}

    @property
    def core_time(self):
        """Where the core time went: the table core_time."""
        return self.read_table("core_time")

    @property
    def charts(self):
        """The charts of the run by name."""
        return Charts(self._recorded())

    def chart(self, name):
        """A chart by name: charts lists all."""
        return self.charts[name]

    def __getitem__(self, name):
        try:
            return self._metrics[name]
        except KeyError:
            raise _shared.unknown_metric(name) from None

    def __contains__(self, name):
        return name in self._metrics

    def __iter__(self):
        return iter(self._metrics.values())

    def __len__(self):
        return len(self._metrics)

    def _describe_metric(self, metric):
        return metric.group, metric.label, metric.unit, metric.description

    def _html_charts(self):
        return self.charts._html() if self._run is not None else ""
