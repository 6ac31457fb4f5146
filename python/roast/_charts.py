# SPDX-License-Identifier: BSD-3-Clause
"""Charts of a run: by name, as SVG, and inline in notebooks. roast-report draws them."""

import functools
import json
import os
import tempfile

from roast import _page, _programs, _shared
from roast._errors import Error, InvalidValueError, needs_gi
from roast._shared import HEIGHT, WIDTH  # as with GObject introspection, where a picture may have another size

THEMES = ("light", "dark")
NOT_DRAWN = "Not drawn:"


def _draw(run, charts, theme):
    """Draws charts with roast-report. Returns drawn charts, {name: (title, description, SVG)}, and missing charts, {name: reason}."""
    with tempfile.TemporaryDirectory(prefix="roast-") as directory:
        made = os.path.join(directory, "charts")
        _programs.report("-e", f"plots:{made},width=page,theme={theme}" + (f",charts={charts}" if charts else ""), "--", run)
        with open(os.path.join(made, "index.txt"), encoding="utf-8") as file:
            drawn, missing = _parse_index(file.read())
        for name, (title, description) in drawn.items():
            with open(os.path.join(made, f"{name}.svg"), encoding="utf-8") as file:
                drawn[name] = (title, description, file.read())
    return drawn, missing


def _parse_index(text):
    """Parses the index: a paragraph per chart with its file, title and description, then the list of charts that were not drawn."""
    drawn, missing = {}, {}
    for paragraph in text.split("\n\n"):
        lines = [line.strip() for line in paragraph.strip().splitlines()]
        if lines and lines[0] == NOT_DRAWN:
            missing.update(line.split(": ", 1) for line in lines[1:] if ": " in line)
        elif lines and lines[0].endswith(".svg"):
            drawn[lines[0][: -len(".svg")]] = (lines[1] if len(lines) > 1 else "", " ".join(lines[2:]))
    return drawn, missing


@functools.lru_cache(1)
def _describe():
    """Returns kind, table and heading of each chart by name, in schema order."""
    return {chart["name"]: chart for chart in json.loads(_programs.run("roast-inspect", "--charts", "--json"))}


def _check_size(width, height):
    if (width, height) != (WIDTH, HEIGHT):
        needs_gi("a picture of another size")


class Chart(_shared.Chart):
    """One chart of a run. A notebook displays it; save("x.svg") writes it.

    available is False if there is nothing to draw; then reason says why.
    """

    def __init__(self, charts, run, name, title=None, description=None, svg=None, reason=None):
        info = _describe().get(name, {})
        self._charts = charts
        self._run = run
        self._light = svg
        self.name = name
        self.title = title or info.get("title") or name
        self.description = description or info.get("description") or ""
        self.kind = info.get("kind")  # line, step, area, histogram, scatter, bars or lanes
        self.table = info.get("table")  # name of the table that the chart shows
        self.heading = info.get("heading")
        self.reason = reason  # why there is nothing to draw; None if available

    @property
    def worth(self):
        """Whether the chart shows enough for a first look."""
        return self in self._charts.worth

    def draw(self, width=WIDTH, height=HEIGHT):
        needs_gi("draw()")

    def svg(self, theme="light", width=WIDTH, height=HEIGHT):
        """Returns the picture as the text of an SVG file."""
        _check_size(width, height)
        if theme not in THEMES:
            raise InvalidValueError(f"no theme {theme!r}: use {' or '.join(THEMES)}")
        if not self.available:
            raise Error(self.reason)
        if theme == "light":
            return self._light
        return _draw(self._run, self.name, theme)[0][self.name][2]

    def save(self, path, theme="light", width=WIDTH, height=HEIGHT):
        """Writes the picture to a file whose name ends with .svg."""
        path = os.fspath(path)
        _shared.check_svg(path)
        picture = self.svg(theme, width, height)
        with open(path, "w", encoding="utf-8") as file:
            file.write(picture)

    def _figure(self, most=_shared.CHART_BYTES):
        figure = self._make_figure(self._light)
        return figure if len(figure.encode()) <= most else None

    def _repr_html_(self):
        return _page.wrap(self._make_figure(self._light) if self.available else self._missing(self.reason))

    def _repr_svg_(self):
        """Returns the picture for renderers without HTML, such as a notebook converted to PDF."""
        return self._light


class Charts(_shared.Charts):
    """The charts of a run by name, with the data as of when they were requested."""

    def __init__(self, run):
        self._run = run.path
        drawn, missing = _draw(run.path, "all", "light")
        charts = {name: Chart(self, self._run, name, *parts) for name, parts in drawn.items()}
        charts.update({name: Chart(self, self._run, name, reason=reason) for name, reason in missing.items()})
        order = [name for name in _describe() if name in charts]
        self._charts = {name: charts[name] for name in [*order, *charts]}
        self._keep = run  # keeps the run file

    @functools.cached_property
    def worth(self):
        """The charts that show something, without charts for details."""
        return [self._charts[name] for name in _draw(self._run, None, "light")[0] if name in self._charts]

    def _first(self):
        return self.worth
