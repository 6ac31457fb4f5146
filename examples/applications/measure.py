#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""An application that measures, in Python: runs a program or attaches to one, shows numbers while it runs, prints the report
and writes it as JSON.

    measure.py [--backend=NAME[,OPTION=VALUE]...] [--json=FILE] (--attach=ADDRESS | -- PROGRAM [ARGUMENT...])
"""

import argparse
import sys

import gi

gi.require_version("Roast", "1")
from gi.repository import Roast  # noqa: E402


def show_number(session, tables):
    """Shows the last row of cluster_samples that has memory: that of the end has none. A table is read as it is now."""
    if "cluster_samples" in tables:
        samples = [row for row in session.table("cluster_samples") if row["memory"] is not None]
        for row in samples[-1:]:
            print(f"\r{row['workers']:3} workers, {row['memory'] / 1e6:.1f} MB   ", end="", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description="Measures a program")
    parser.add_argument("-b", "--backend", default="local", metavar="NAME[,OPTION=VALUE]...")
    parser.add_argument("-j", "--json", metavar="FILE")
    parser.add_argument("-a", "--attach", metavar="ADDRESS")
    parser.add_argument("program", nargs="*")
    arguments = parser.parse_args()
    if bool(arguments.program) == bool(arguments.attach):
        parser.error("give a program after --, or --attach=ADDRESS")

    try:
        session = Roast.Session(arguments.backend)
        session.connect("rows-added", show_number)
        if arguments.program:
            session.run(arguments.program)
        else:
            session.attach(arguments.attach)
            session.wait()
        print(file=sys.stderr)
        print(session.to_text(), end="")
        if arguments.json:
            session.save(arguments.json, "json")
    except Roast.Error as error:
        sys.exit(f"measure: {error}")

    return int(session.metrics["exit_status"] or 0)


if __name__ == "__main__":
    sys.exit(main())
