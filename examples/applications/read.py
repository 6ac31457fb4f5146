#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""An application that reads a run file, in Python: says how far the run is, and prints the peak memory of each worker.

    read.py FILE
"""

import sys

import gi

gi.require_version("Roast", "1")
from gi.repository import GLib, Roast  # noqa: E402

STATES = {Roast.RunFileState.GROWING: "running", Roast.RunFileState.CLOSED: "complete", Roast.RunFileState.INTERRUPTED: "interrupted"}


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: read.py FILE")
    try:
        file = Roast.RunFile.open(sys.argv[1])
        recording = file.read()
    except GLib.Error as error:
        sys.exit(f"read: {error.message}")
    print(STATES[file.get_state()])
    frame = recording.read_table("worker_samples", ["worker", "memory"]).to_pandas()
    for worker, peak in frame.groupby("worker", observed=True, sort=False)["memory"].max().fillna(0).items():
        print(worker, peak)


if __name__ == "__main__":
    main()
