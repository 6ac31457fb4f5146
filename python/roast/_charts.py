# SPDX-License-Identifier: BSD-3-Clause
"""Charts of a run: by name, as SVG, and inline in notebooks. roast-report draws them."""

import collections.abc
import functools
import json
import os
import tempfile

from roast import _page, _programs
from roast._errors import Error, InvalidValueError, UnknownNameError, needs_gi

CHART_BYTES = 120_000  # of one chart in a notebook
OUTPUT_BYTES = 400_000  # of all charts of one output: a notebook is one file, which keeps each of them
OPEN_CHARTS = 8  # the rest is there to unfold
THEMES = ("light", "dark")
NOT_DRAWN = "Not drawn:"
WIDTH, HEIGHT = 620, 260  # as with GObject introspection, where a picture may have another size


def _draw(run, charts, theme):
    """What roast-report draws, {name: (title, description, SVG)}, and what it does not, {name: reason}."""
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
    """Paragraphs of a file, its title and what it shows; at the end a list of what was not drawn."""
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
    """Kind, table and heading of each chart, by name, in the order of the schema."""
    return {chart["name"]: chart for chart in json.loads(_programs.run("roast-inspect", "--charts", "--json"))}


def _check_size(width, height):
    if (width, height) != (WIDTH, HEIGHT):
        needs_gi("a picture of another size")


class Chart:
    """One chart of a run. In a notebook it shows itself; save("x.svg") writes it.

    available is False where there is nothing to draw, and reason says why.
    """

    def __init__(self, charts, run, name, title=None, description=None, svg=None, reason=None):
        info = _describe().get(name, {})
        self._charts = charts
        self._run = run
        self._light = svg
        self.name = name
        self.title = title or info.get("title") or name
        self.description = description or info.get("description") or ""
        self.kind = info.get("kind")  # line, step, area, stacked, histogram, scatter, bars or lanes
        self.table = info.get("table")  # the name of the table that it shows
        self.heading = info.get("heading")
        self.reason = reason  # why there is nothing to draw; None if there is

    @property
    def available(self):
        return self.reason is None

    @property
    def worth(self):
        """Whether there is enough to see for a first look."""
        return self in self._charts.worth

    def draw(self, width=WIDTH, height=HEIGHT):
        needs_gi("draw()")

    def svg(self, theme="light", width=WIDTH, height=HEIGHT):
        """The picture as the text of an SVG file."""
        _check_size(width, height)
        if theme not in THEMES:
            raise InvalidValueError(f"there is no theme {theme!r}: {', '.join(THEMES)}")
        if not self.available:
            raise Error(self.reason)
        if theme == "light":
            return self._light
        return _draw(self._run, self.name, theme)[0][self.name][2]

    def save(self, path, theme="light", width=WIDTH, height=HEIGHT):
        """Writes the picture to a file whose name ends with .svg."""
        path = os.fspath(path)
        if os.path.splitext(path)[1].lower() != ".svg":
            raise InvalidValueError(f"{path}: a chart is saved as SVG, under a name that ends with .svg")
        picture = self.svg(theme, width, height)
        with open(path, "w", encoding="utf-8") as file:
            file.write(picture)

    def __repr__(self):
        if not self.available:
            return f"<roast.Chart {self.name}: not available, because {self.reason}>"
        return f"<roast.Chart {self.name}: {self.title} ({self.kind} of the table {self.table})>"

    def _figure(self):
        return f"<figure>{self._light}<figcaption>{_page.text(self.description)}</figcaption></figure>"

    def _repr_html_(self):
        if not self.available:
            return _page.wrap(f"<p>{_page.text(self.title)}: not available, because {_page.text(self.reason)}</p>")
        return _page.wrap(self._figure())

    def _repr_svg_(self):
        """For what shows no HTML, as a notebook that becomes a PDF."""
        return self._light


class Charts(collections.abc.Mapping):
    """The charts of a run by name, as it was when they were asked for."""

    def __init__(self, run):
        self._run = run.path
        drawn, missing = _draw(run.path, "all", "light")
        charts = {name: Chart(self, self._run, name, *parts) for name, parts in drawn.items()}
        charts.update({name: Chart(self, self._run, name, reason=reason) for name, reason in missing.items()})
        order = [name for name in _describe() if name in charts]
        self._charts = {name: charts[name] for name in [*order, *charts]}
        self._keep = run  # its file

    def __getitem__(self, name):
        try:
            return self._charts[name]
        except KeyError:
            raise UnknownNameError(f"there is no chart {name!r}; there are {', '.join(self._charts) or 'none'}") from None

    def __iter__(self):
        return iter(self._charts)

    def __len__(self):
        return len(self._charts)

    @functools.cached_property
    def worth(self):
        """Those that show something, without those for details."""
        return [self._charts[name] for name in _draw(self._run, None, "light")[0] if name in self._charts]

    def __repr__(self):
        shown = [chart for chart in self.values() if chart.available]
        missing = [chart.name for chart in self.values() if not chart.available]
        width = max((len(chart.name) for chart in shown), default=0)
        lines = [
            f"<roast.Charts: {len(shown)} available, {len(missing)} not>",
            *(f"  {chart.name:{width}}  {chart.title}" for chart in shown),
        ]
        if missing:
            lines.append(f"  Not available, as the reason of each says: {', '.join(missing)}")
        return "\n".join(lines)

    def _gallery(self):
        figures, left_out, room = [], [], OUTPUT_BYTES
        for chart in self.worth:
            figure = chart._figure()
            if len(figure.encode()) > min(room, CHART_BYTES):
                left_out.append(chart.name)
            else:
                figures.append(figure)
                room -= len(figure.encode())
        first, rest = (
            f"<div class='roast-gallery'>{''.join(part)}</div>" if part else "" for part in (figures[:OPEN_CHARTS], figures[OPEN_CHARTS:])
        )
        shown = first or "<p>No chart has anything to show.</p>"
        if rest:
            shown += f"<details><summary>{len(figures) - OPEN_CHARTS} more charts</summary>{rest}</details>"
        if left_out:
            shown += f"<p class='roast-note'>{len(left_out)} charts are left out, to keep the notebook small: {', '.join(left_out)}.</p>"
        return shown

    def _html(self):
        try:
            return self._gallery()
        except Exception as error:  # a notebook shows what it can
            return f"<p>Charts: not available, because {_page.text(str(error))}</p>"

    def _repr_html_(self):
        return _page.wrap(self._html())
