#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""An application that draws a chart of a run file as SVG, in Python. Without a name it lists the charts that show something.

    chart.py FILE [NAME PICTURE]
"""

import sys

import gi

gi.require_version("Roast", "1")
from gi.repository import Roast  # noqa: E402


def main():
    if len(sys.argv) not in (2, 4):
        sys.exit("usage: chart.py FILE [NAME PICTURE]")
    try:
        charts = Roast.read(sys.argv[1]).charts
        if len(sys.argv) == 2:
            for chart in charts.worth:
                print(f"{chart.name}: {chart.title}")
        elif sys.argv[2] not in charts:
            sys.exit(f"chart: there is no chart “{sys.argv[2]}”")
        else:
            charts[sys.argv[2]].save(sys.argv[3], width=640, height=360)
    except Roast.Error as error:
        sys.exit(f"chart: {error}")


if __name__ == "__main__":
    main()
