# SPDX-License-Identifier: BSD-3-Clause
"""Charts of a run: by name, as SVG, and inline in notebooks."""

import functools
import itertools
import os

from gi.repository import GLib

from ..module import get_introspection_module
from . import _roast_page as page
from . import _roast_shared as shared
from ._roast_errors import InvalidValueError, readable
from ._roast_shared import CHART_BYTES, HEIGHT, WIDTH

Roast = get_introspection_module("Roast")

SCALES = (1, 0.7, 0.5)  # smaller pictures have fewer pixel columns and thus fewer marks
THEMES = {"light": Roast.Theme.LIGHT, "dark": Roast.Theme.DARK}


def _theme(theme):
    try:
        return THEMES[theme]
    except KeyError:
        raise InvalidValueError(f"no theme {theme!r}: use light or dark") from None


class Chart(shared.Chart):
    """One chart of a run, with the data as of when the chart was requested. A notebook displays it; save("x.svg") writes it.

    available is False if there is nothing to draw; then reason says why.
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
        """line, step, area, histogram, scatter, bars or lanes."""
        return self.info.get_kind().value_nick

    @property
    def table(self):
        """The name of the table that the chart shows."""
        return self.info.get_table()

    @property
    def heading(self):
        return self.info.get_heading()

    @functools.cached_property
    def worth(self):
        """Whether the chart shows enough for a first look."""
        return not self.info.get_show_detail() and Roast.chart_is_worth(self.info, self._recording, self._report)

    @functools.cached_property
    def _drawn(self):
        """The scene, and the reason if there is none."""
        try:
            return self.draw(), None
        except GLib.Error as error:
            return None, error.message

    @property
    def reason(self):
        """Why there is nothing to draw; None if the chart can be drawn."""
        return self._drawn[1]

    @readable
    def draw(self, width=WIDTH, height=HEIGHT):
        """Draws the picture as a Roast.Scene of this size in px. Raises an error with the reason if there is nothing to draw."""
        if not (0 < width < float("inf") and 0 < height < float("inf")):
            raise InvalidValueError(f"a picture of {width} x {height} px: width and height are above 0")
        return Roast.chart_draw(self.info, self._recording, self._report, width, height)

    def svg(self, theme="light", width=WIDTH, height=HEIGHT):
        """Returns the picture as the text of an SVG file."""
        theme = _theme(theme)
        return self.draw(width, height).to_svg(theme, Roast.SvgFlags.NONE)

    @readable
    def save(self, path, theme="light", width=WIDTH, height=HEIGHT):
        """Writes the picture to a file whose name ends with .svg."""
        path = os.fspath(path)
        shared.check_svg(path)
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

    def _svg_within(self, most, flags):
        """Returns the largest picture that fits; None if even the smallest has more bytes."""
        for scale in SCALES:
            scene = self._drawn[0] if scale == 1 else self.draw(WIDTH * scale, HEIGHT * scale)
            svg = scene.to_svg(Roast.Theme.LIGHT, flags)
            if len(svg.encode()) <= most:
                return svg
        return None

    def _figure(self, most=CHART_BYTES):
        """Returns a figure for a page with the style sheet of _roast_page; None if it would be larger."""
        svg = self._svg_within(most, Roast.SvgFlags.CLASSES)
        return None if svg is None else self._make_figure(svg)

    def _repr_html_(self):
        try:
            shown = self._figure() if self.available else self._missing(self.reason)
        except Exception as error:  # show the error in the notebook instead of failing
            shown = self._missing(str(error))
        return page.wrap(shown or self._missing(f"the picture has more than {CHART_BYTES // 1000} kB; save(\"x.svg\") writes it"))

    def _repr_svg_(self):
        """Returns the picture for renderers without HTML, such as a notebook converted to PDF."""
        try:
            return self._svg_within(CHART_BYTES, Roast.SvgFlags.NONE) if self.available else None
        except Exception:
            return None

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle = {"text/plain": repr(self), "text/html": self._repr_html_(), "image/svg+xml": self._repr_svg_()}
        return {kind: value for kind, value in bundle.items()
                if value is not None and (not include or kind in include) and kind not in (exclude or ())}


def _in_turn(charts):
    """Returns the first chart of each heading, then the second of each, and so on."""
    groups = {}
    for chart in charts:
        groups.setdefault(chart.heading, []).append(chart)
    return [chart for turn in itertools.zip_longest(*groups.values()) for chart in turn if chart is not None]


class Charts(shared.Charts):
    """The charts of a run by name, with the data as of when they were requested.

    Roast.Charts(recording, report) takes a recording or a snapshot, and its report or None.
    """

    _hint = " chart(NAME) shows one."

    def __init__(self, recording, report=None):
        snapshot = recording.snapshot() if isinstance(recording, Roast.Recording) else recording
        infos = snapshot.get_schema().list_charts() if report is None else report.list_charts(snapshot)
        self._charts = {info.get_name(): Chart(info, snapshot, report) for info in infos}

    @property
    def worth(self):
        """The charts that show something, without charts for details."""
        return [chart for chart in self.values() if chart.worth]

    def _first(self):
        """Returns the worthwhile charts, mixing headings."""
        return _in_turn(self.worth)

    def _more(self, n):
        more = sum(chart.available for chart in self.values()) - n
        return [f"{more} more charts for details: print(charts) lists all, chart(NAME) shows one."] if more > 0 else []
