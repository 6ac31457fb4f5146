# SPDX-License-Identifier: BSD-3-Clause
"""Code shared by the package roast and the gi override: representations of objects, and lookups by name.

The build copies this file into both, so that neither needs the other or the same version. It therefore imports neither; each calls use()
to set what differs.
"""

import collections.abc
import html
import itertools
import os

FINDINGS = 10  # maximum number shown in a notebook
CHART_BYTES = 120_000  # maximum of one chart in a notebook
OUTPUT_BYTES = 400_000  # maximum of all charts of one output: a notebook stores them all in one file
OPEN_CHARTS = 8  # the other charts are folded
WIDTH, HEIGHT = 620, 260  # px: two charts fit side by side in a wide notebook
EXPORTERS = {".json": "json", ".html": "html", ".txt": "table", ".perfetto-trace": "perfetto", ".csv": "csv", "": "csv"}

_prefix = "roast"  # prefix of class names
_wrap = UnknownNameError = InvalidValueError = None


def use(prefix, wrap, unknown, invalid):
    """Sets the prefix of class names, the function that wraps HTML for output, and two error classes."""
    global _prefix, _wrap, UnknownNameError, InvalidValueError
    _prefix, _wrap, UnknownNameError, InvalidValueError = prefix, wrap, unknown, invalid


def text(words):
    """Returns escaped text, isolated so that it does not change the direction of the following text."""
    return f"<bdi>{html.escape(words)}</bdi>"


def html_cell(value):
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else html.escape(str(value))


def choose_exporter(path):
    """Chooses the exporter by suffix. A name without a suffix, or an existing directory, means CSV files in a directory."""
    suffix = os.path.splitext(path)[1].lower()
    exporter = "csv" if os.path.isdir(path) else EXPORTERS.get(suffix)
    if exporter is None:
        names = ", ".join(name for name in EXPORTERS if name)
        raise InvalidValueError(f"{path}: no exporter writes {suffix}. Use a name that ends with {names}, one without a suffix for a "
                                "directory of CSV files, or say exporter=")
    return exporter


def check_svg(path):
    if os.path.splitext(path)[1].lower() != ".svg":
        raise InvalidValueError(f"{path}: charts are saved as SVG: use a name that ends with .svg")


def check_arguments(argv):
    if isinstance(argv, (str, bytes, os.PathLike)) or len(argv) == 0:
        raise TypeError('pass a list of the program and its arguments, such as ["make", "-j8"]')


def unknown_metric(name):
    return UnknownNameError(f"no metric {name!r}: roast-inspect --metrics lists all metrics")


class Column:
    def __repr__(self):
        unit = f" in {self.unit}" if self.unit else ""
        return f"<{_prefix}.Column {self.name}: {self.kind}{unit}>"

    def _heading(self):
        title = f"{self.name} [{self.unit}]" if self.unit else self.name
        return f"<th title='{html.escape(self._describe() or '', True)}'>{html.escape(title)}</th>"


class TableReader:
    def __bool__(self):
        return True

    def __repr__(self):
        return f"<{_prefix}.TableReader {self.name}: {len(self)} rows of {', '.join(self.columns) or 'nothing'}>"

    def _repr_html_(self, rows=20):
        head = "".join(column._heading() for column in self.columns.values())
        body = ""
        for row in itertools.islice(self, rows):
            body += "<tr>" + "".join(f"<td>{html_cell(cell)}</td>" for cell in row.values()) + "</tr>"
        first = f", the first {rows}" if len(self) > rows else ""
        caption = f"<caption>{html.escape(self.name)}: {len(self)} rows{first}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Recorded:
    """A mapping of tables by name. Subclasses implement dup_table_names()."""

    def __contains__(self, name):
        return name in self.dup_table_names()

    def __iter__(self):
        return iter(self.dup_table_names())

    def __len__(self):
        return len(self.dup_table_names())

    def __bool__(self):
        return True


class Metric:
    def __float__(self):
        if not self.is_available():
            raise ValueError(f"{self.name} is not available: {self.reason}")
        return float(self.value)

    def __repr__(self):
        if not self.is_available():
            return f"<{_prefix}.Metric {self.name}: not available, because {self.reason}>"
        rest = "" if self.completeness == "complete" else f" ({self.completeness}: {self.note})"
        return f"<{_prefix}.Metric {self.name} = {self.value}{rest}>"


class Finding:
    def __str__(self):
        return f"{self.text} {self.advice}" if self.advice else self.text

    def __repr__(self):
        return f"<{_prefix}.Finding {self.rule}: {self.text}>"


class Report:
    """Subclasses implement _describe_metric(), which returns group, label, unit and description of a metric, and _html_charts()."""

    def __bool__(self):
        return True

    def _summary(self):
        available = sum(metric.is_available() for metric in self)
        return f"{available} metrics, {len(self) - available} not available"

    def __repr__(self):
        return f"<{_prefix}.Report: {self._summary()}>"

    def _html_metrics(self):
        rows, group = "", None
        for metric in self:
            own, label, unit, description = self._describe_metric(metric)
            if own is not None and own != group:
                group = own
                rows += f"<tr><th colspan='3' style='text-align: left'>{html.escape(group)}</th></tr>"
            if metric.is_available():
                value, remark = html_cell(metric.value), metric.note or ""
            else:
                value, remark, unit = "not available", metric.reason or "", ""
            rows += (f"<tr title='{html.escape(description or '', True)}'><td>{html.escape(label or metric.name)}</td>"
                     f"<td style='text-align: right'>{value} {html.escape(unit or '')}</td><td>{html.escape(remark)}</td></tr>")
        return f"<table>{rows}</table>"

    def _html_findings(self):
        """Returns the most important findings as HTML; report.findings has all."""
        items = ""
        for finding in self.findings[:FINDINGS]:
            advice = f" → {text(finding.advice)}" if finding.advice else ""
            items += f"<li>{'' if finding.severity == 'info' else finding.severity + ': '}{text(finding.text)}{advice}</li>"
        more = len(self.findings) - FINDINGS
        return (f"<ol>{items}</ol>" if items else "") + (f"<p>{more} more: report.findings</p>" if more > 0 else "")

    def _repr_html_(self):
        """Shows findings, charts and metrics. The metrics are folded if something precedes them."""
        first = self._html_findings() + self._html_charts()
        opened = "" if first else " open"
        return _wrap(f"{first}<details{opened}><summary>{self._summary()}</summary>{self._html_metrics()}</details>")


class Chart:
    @property
    def available(self):
        return self.reason is None

    def __repr__(self):
        if not self.available:
            return f"<{_prefix}.Chart {self.name}: not available, because {self.reason}>"
        return f"<{_prefix}.Chart {self.name}: {self.title} ({self.kind} of the table {self.table})>"

    def _missing(self, because):
        return f"<p>{text(self.title)}: not available, because {text(because)}</p>"

    def _make_figure(self, svg):
        return f"<figure>{svg}<figcaption>{text(self.description or '')}</figcaption></figure>"


class Charts(collections.abc.Mapping):
    """Charts by name, in _charts. _first() lists the charts of a gallery; their _figure(most) returns HTML, or None if it is larger than
    most."""

    _hint = ""  # appended to the note on charts left out

    def __getitem__(self, name):
        try:
            return self._charts[name]
        except KeyError:
            raise UnknownNameError(f"no chart {name!r}; the charts are: {', '.join(self._charts) or 'none'}") from None

    def __iter__(self):
        return iter(self._charts)

    def __len__(self):
        return len(self._charts)

    def __repr__(self):
        shown = [chart for chart in self.values() if chart.available]
        missing = [chart.name for chart in self.values() if not chart.available]
        width = max((len(chart.name) for chart in shown), default=0)
        lines = [f"<{_prefix}.Charts: {len(shown)} available, {len(missing)} not>",
                 *(f"  {chart.name:{width}}  {chart.title}" for chart in shown)]
        if missing:
            lines.append(f"  Not available (see the reason of each chart): {', '.join(missing)}")
        return "\n".join(lines)

    def _figures(self, charts):
        """Returns as many figures as fit into an output, and the names of the other charts."""
        figures, left_out, room = [], [], OUTPUT_BYTES
        for chart in charts:
            figure = chart._figure(min(room, CHART_BYTES)) if chart.available else None
            if figure is None:
                left_out.append(chart.name)
            else:
                figures.append(figure)
                room -= min(room, len(figure.encode()))
        return figures, left_out

    def _more(self, n):
        """Returns notes about charts beyond the n charts of the gallery."""
        return []

    def _gallery(self):
        """Returns the HTML that a notebook shows."""
        figures, left_out = self._figures(self._first())
        first, rest = (f"<div class='roast-gallery'>{''.join(part)}</div>" if part else ""
                       for part in (figures[:OPEN_CHARTS], figures[OPEN_CHARTS:]))
        shown = first or "<p>No chart has anything to show.</p>"
        if rest:
            shown += f"<details><summary>{len(figures) - OPEN_CHARTS} more charts</summary>{rest}</details>"
        notes = self._more(len(figures) + len(left_out))
        if left_out:
            notes.insert(0, f"{len(left_out)} charts are left out to keep the notebook small: {', '.join(left_out)}.{self._hint}")
        return shown + "".join(f"<p class='roast-note'>{text(note)}</p>" for note in notes)

    def _html(self):
        try:
            return self._gallery()
        except Exception as error:  # show the error in the notebook instead of failing
            return f"<p>Charts: not available, because {text(str(error))}</p>"

    def _repr_html_(self):
        return _wrap(self._html())


class Session:
    """Subclasses implement _names(), which lists the backends, and _is_measuring(), which returns whether charts exist before the end."""

    def __repr__(self):
        return f"<{_prefix}.Session {self.state}: {', '.join(self._names())}>"

    def _repr_html_(self):
        """Shows the report or, before the end, the charts so far."""
        if self.report is not None:
            return self.report._repr_html_()
        shown = self.charts._html() if self._is_measuring() else ""
        return _wrap(f"<p>{html.escape(repr(self))}</p>{shown}")
