# SPDX-License-Identifier: BSD-3-Clause
"""Charts of a run: by name, as SVG, and inline in notebooks."""

import collections.abc
import functools
import itertools
import os

from gi.repository import GLib

from ..module import get_introspection_module
from . import _roast_page as page
from ._roast_errors import InvalidValueError, UnknownNameError, readable

Roast = get_introspection_module("Roast")

WIDTH, HEIGHT = 620, 260  # px: two are side by side in a wide notebook
SCALES = (1, 0.7, 0.5)  # a smaller picture has fewer columns of pixels, and so fewer marks
CHART_BYTES = 120_000  # of one chart in a notebook
OUTPUT_BYTES = 400_000  # of all charts of one output: a notebook is one file, which keeps each of them
OPEN_CHARTS = 8  # the rest is there to unfold
THEMES = {"light": Roast.Theme.LIGHT, "dark": Roast.Theme.DARK}


def _theme(theme):
    try:
        return THEMES[theme]
    except KeyError:
        raise InvalidValueError(f"there is no theme {theme!r}: light, dark") from None


class Chart:
    """One chart of a run, as it was when the chart was asked for. In a notebook it shows itself; save("x.svg") writes it.

    available is False where there is nothing to draw, and reason says why.
    """

    def __init__(self, info, recording, report):
        self.info = info
        self._recording = recording
        self._report = report

    @property
    def name(self):
        return self.info.get_name()

    @property
    def title(self):
        return self.info.get_title()

    @property
    def description(self):
        return self.info.get_description()

    @property
    def kind(self):
        """line, step, area, stacked, histogram, scatter, bars or lanes."""
        return self.info.get_kind().value_nick

    @property
    def table(self):
        """The name of the table that it shows."""
        return self.info.get_table()

    @property
    def heading(self):
        return self.info.get_heading()

    @functools.cached_property
    def worth(self):
        """Whether there is enough to see for a first look."""
        return not self.info.get_show_detail() and Roast.chart_is_worth(self.info, self._recording, self._report)

    @functools.cached_property
    def _drawn(self):
        """The scene, and why there is none."""
        try:
            return self.draw(), None
        except GLib.Error as error:
            return None, error.message

    @property
    def available(self):
        return self.reason is None

    @property
    def reason(self):
        """Why there is nothing to draw; None if there is."""
        return self._drawn[1]

    @readable
    def draw(self, width=WIDTH, height=HEIGHT):
        """The picture as a Roast.Scene, of this size in px: an error says why there is nothing to draw."""
        if not (0 < width < float("inf") and 0 < height < float("inf")):
            raise InvalidValueError(f"a picture of {width} x {height} px: width and height are above 0")
        return Roast.chart_draw(self.info, self._recording, self._report, width, height)

    def svg(self, theme="light", width=WIDTH, height=HEIGHT):
        """The picture as the text of an SVG file."""
        theme = _theme(theme)
        return self.draw(width, height).to_svg(theme, Roast.SvgFlags.NONE)

    @readable
    def save(self, path, theme="light", width=WIDTH, height=HEIGHT):
        """Writes the picture to a file whose name ends with .svg."""
        path = os.fspath(path)
        if os.path.splitext(path)[1].lower() != ".svg":
            raise InvalidValueError(f"{path}: a chart is saved as SVG, under a name that ends with .svg")
        theme = _theme(theme)
        scene = self.draw(width, height)
        output = Roast.Output.new_for_file(path)
        output.prepare()
        try:
            scene.write_svg(theme, Roast.SvgFlags.NONE, output, None)
        except BaseException:
            output.discard()
            raise
        output.commit()

    def __repr__(self):
        if not self.available:
            return f"<Roast.Chart {self.name}: not available, because {self.reason}>"
        return f"<Roast.Chart {self.name}: {self.title} ({self.kind} of the table {self.table})>"

    def _svg_within(self, most, flags):
        """As large as it may be; None if even the smallest picture has more bytes."""
        for scale in SCALES:
            scene = self._drawn[0] if scale == 1 else self.draw(WIDTH * scale, HEIGHT * scale)
            svg = scene.to_svg(Roast.Theme.LIGHT, flags)
            if len(svg.encode()) <= most:
                return svg
        return None

    def _figure(self, most=CHART_BYTES):
        """A figure for a page with the style sheet of _roast_page; None if it would be larger."""
        svg = self._svg_within(most, Roast.SvgFlags.CLASSES)
        return None if svg is None else f"<figure>{svg}<figcaption>{page.text(self.description or '')}</figcaption></figure>"

    def _missing(self, because):
        return f"<p>{page.text(self.title)}: not available, because {page.text(because)}</p>"

    def _repr_html_(self):
        try:
            shown = self._figure() if self.available else self._missing(self.reason)
        except Exception as error:  # a notebook shows what it can
            shown = self._missing(str(error))
        return page.wrap(shown or self._missing(f"the picture has more than {CHART_BYTES // 1000} kB; save(\"x.svg\") writes it"))

    def _repr_svg_(self):
        """For what shows no HTML, as a notebook that becomes a PDF."""
        try:
            return self._svg_within(CHART_BYTES, Roast.SvgFlags.NONE) if self.available else None
        except Exception:
            return None

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle = {"text/plain": repr(self), "text/html": self._repr_html_(), "image/svg+xml": self._repr_svg_()}
        return {kind: value for kind, value in bundle.items()
                if value is not None and (not include or kind in include) and kind not in (exclude or ())}


def _in_turn(charts):
    """The first chart of each heading, then the second of each, and so on."""
    groups = {}
    for chart in charts:
        groups.setdefault(chart.heading, []).append(chart)
    return [chart for turn in itertools.zip_longest(*groups.values()) for chart in turn if chart is not None]


class Charts(collections.abc.Mapping):
    """The charts of a run by name, as it was when they were asked for.

    Roast.Charts(recording, report): a recording or a snapshot of one, and the report on it, None if there is none yet.
    """

    def __init__(self, recording, report=None):
        snapshot = recording.snapshot() if isinstance(recording, Roast.Recording) else recording
        infos = snapshot.get_schema().list_charts() if report is None else report.list_charts(snapshot)
        self._charts = {info.get_name(): Chart(info, snapshot, report) for info in infos}

    def __getitem__(self, name):
        try:
            return self._charts[name]
        except KeyError:
            raise UnknownNameError(f"there is no chart {name!r}; there are {', '.join(self._charts) or 'none'}") from None

    def __iter__(self):
        return iter(self._charts)

    def __len__(self):
        return len(self._charts)

    @property
    def worth(self):
        """Those that show something, without those for details."""
        return [chart for chart in self.values() if chart.worth]

    def __repr__(self):
        shown = [chart for chart in self.values() if chart.available]
        missing = [chart.name for chart in self.values() if not chart.available]
        width = max((len(chart.name) for chart in shown), default=0)
        lines = [f"<Roast.Charts: {len(shown)} available, {len(missing)} not>",
                 *(f"  {chart.name:{width}}  {chart.title}" for chart in shown)]
        if missing:
            lines.append(f"  Not available, as the reason of each says: {', '.join(missing)}")
        return "\n".join(lines)

    def _figures(self, charts):
        """As many as an output has room for, and the names of the others."""
        figures, left_out, room = [], [], OUTPUT_BYTES
        for chart in charts:
            figure = chart._figure(min(room, CHART_BYTES)) if chart.available else None
            if figure is None:
                left_out.append(chart.name)
            else:
                figures.append(figure)
                room -= min(room, len(figure.encode()))
        return figures, left_out

    def _gallery(self):
        """What a notebook shows of them: the worthwhile ones, a few of each kind first."""
        figures, left_out = self._figures(_in_turn(self.worth))
        first, rest = (f"<div class='roast-gallery'>{''.join(part)}</div>" if part else ""
                       for part in (figures[:OPEN_CHARTS], figures[OPEN_CHARTS:]))
        shown = first or "<p>No chart has anything to show.</p>"
        if rest:
            shown += f"<details><summary>{len(figures) - OPEN_CHARTS} more charts</summary>{rest}</details>"
        more = sum(chart.available for chart in self.values()) - len(figures) - len(left_out)
        notes = []
        if left_out:
            notes.append(f"{len(left_out)} charts are left out, to keep the notebook small: {', '.join(left_out)}. chart(NAME) shows one.")
        if more > 0:
            notes.append(f"{more} more charts for details: print(charts) lists all, chart(NAME) shows one.")
        return shown + "".join(f"<p class='roast-note'>{page.text(note)}</p>" for note in notes)

    def _html(self):
        try:
            return self._gallery()
        except Exception as error:  # a notebook shows what it can
            return f"<p>Charts: not available, because {page.text(str(error))}</p>"

    def _repr_html_(self):
        return page.wrap(self._html())
