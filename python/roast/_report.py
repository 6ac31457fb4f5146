# SPDX-License-Identifier: BSD-3-Clause
"""Reports like those of the override, made from the JSON that roast-report writes."""

import collections.abc
import functools

from roast import _shared
from roast._charts import Charts
from roast._errors import Error, UnknownNameError, needs_gi


class Metric(_shared.Metric):
    """A number or text of the report, with value, unit, completeness and note, or with the reason why there is no value."""

    def __init__(self, name, description):
        self.name = name
        self.value = description.get("value")  # None if unavailable; reason says why
        self.reason = description.get("reason")
        self.completeness = description.get("completeness")  # complete, partial or estimated
        self.contradiction = description.get("contradiction")  # value of another measurement, if the two differ
        self.note = description.get("note")
        self.unit = description.get("unit") or ""
        self.label = description.get("label") or name
        self.group = description.get("group") or ""
        self.description = description.get("description") or ""

    def is_available(self):
        return self.value is not None


class Metrics(collections.abc.Mapping):
    """The values of a report by name. Unavailable values are None."""

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
    """A statement about a run. evidence has its numbers and names; units has the units of the numbers."""

    def __init__(self, description):
        self.rule = description.get("rule")
        self.severity = description.get("severity")  # info, warning or error
        self.text = description.get("text") or ""
        self.share = description.get("share")  # share of the offered core time that it explains; None if unknown
        self.advice = description.get("advice")
        evidence = description.get("evidence") or []
        self.evidence = {item["name"]: item["value"] for item in evidence}
        self.units = {item["name"]: item["unit"] for item in evidence if item.get("unit") is not None}


class Report(_shared.Report):
    """The report on a run. report["name"] is a roast.Metric, report.metrics has plain values, report.findings lists what stands out,
    report.core_time says how core time was used, and report.charts has the charts."""

    def __init__(self, content, run=None):
        """content: the content of a JSON report; run: its Recording if the run file is available."""
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
        """The findings, most important first."""
        return [Finding(description) for description in self._content.get("findings", [])]

    @property
    def notes(self):
        return list(self._content.get("notes", []))

    def _recorded(self):
        if self._run is None:
            raise Error("this report has no run file, so it has no tables or charts: load the run file")
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
        """Returns a reader of a derived table, with all columns unless some are named."""
        if table not in self._content.get("report_tables", {}):
            raise UnknownNameError(f"no table {table!r} in the report; it has {', '.join(self.dup_table_names())}")
        reader = self._recorded().read(table)
        return reader if columns is None else reader.narrow(columns)

    @property
    def tables(self):
        """The derived tables, by name."""
        return {name: self.read_table(name) for name in self.dup_table_names()}

    @property
    def core_time(self):
        """The table core_time, which says how core time was used."""
        return self.read_table("core_time")

    @property
    def charts(self):
        """The charts of the run by name."""
        return Charts(self._recorded())

    def chart(self, name):
        """Returns a chart by name; charts lists all charts."""
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
