#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A small analysis in several processes, to try roast-run on: needs Python's standard library only.

Writes two datasets of pseudo-random "events" (x, y, z, t as doubles) to temporary files, then reads them in chunks with a
pool of worker processes and fills a histogram of sqrt(x^2 + y^2). Under roast-run it also reports each chunk on the socket
that ROAST_SOCKET names (docs/protocol.md); without roast-run it does nothing of that.

    roast-run -- python3 examples/analysis.py
"""

import array
import concurrent.futures
import json
import os
import random
import socket
import sys
import tempfile
import time

EVENT = 4 * 8  # bytes of one event
CHUNK = 50_000  # events


class Reporter:
    """Reports chunks on the run's socket; does nothing where there is none."""

    COLUMNS = ("dataset", "file", "entry_start", "entry_stop", "events", "bytes_read", "started", "ended")

    def __init__(self):
        self.connection = None
        try:
            self.connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.connection.connect(os.environ["ROAST_SOCKET"])
            self.send({"roast": 2, "token": os.environ["ROAST_TOKEN"], "program": "analysis.py"})
            self.send({"table": "chunks", "columns": self.COLUMNS})
        except (KeyError, OSError):
            self.connection = None

    def chunk(self, **cells):
        self.send(["chunks", *(cells.get(column) for column in self.COLUMNS)])

    def send(self, line):
        if self.connection:
            try:
                self.connection.sendall(json.dumps(line).encode() + b"\n")
            except OSError:
                self.connection = None


def now():
    """Microseconds since the epoch."""
    return time.time_ns() // 1000


reporter = None


def start_worker():
    global reporter
    reporter = Reporter()


def process(dataset, path, start, stop):
    began = now()
    histogram = [0] * 20
    with open(path, "rb") as file:
        file.seek(start * EVENT)
        data = file.read((stop - start) * EVENT)
    values = array.array("d", data)
    for i in range(0, len(values), 4):
        radius = (values[i] ** 2 + values[i + 1] ** 2) ** 0.5
        histogram[min(int(radius * 14), 19)] += 1
    reporter.chunk(
        dataset=dataset,
        file=os.path.basename(path),
        entry_start=start,
        entry_stop=stop,
        events=stop - start,
        bytes_read=len(data),
        started=began,
        ended=now(),
    )
    return histogram


def write_dataset(path, events, seed):
    generator = random.Random(seed)
    block = array.array("d", (generator.random() for _ in range(4 * 10_000)))
    with open(path, "wb") as file:
        for _ in range(events // 10_000):
            block.tofile(file)


def main():
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    with tempfile.TemporaryDirectory() as directory:
        work = []
        for seed, (dataset, share) in enumerate({"signal": 0.25, "background": 0.75}.items()):
            path = os.path.join(directory, dataset + ".bin")
            n = int(events * share) // 10_000 * 10_000
            write_dataset(path, n, seed)
            work += [(dataset, path, i, min(i + CHUNK, n)) for i in range(0, n, CHUNK)]

        total = [0] * 20
        with concurrent.futures.ProcessPoolExecutor(initializer=start_worker) as pool:
            for histogram in pool.map(process, *zip(*work)):
                total = [a + b for a, b in zip(total, histogram)]
    print(f"{sum(total)} events in {len(work)} chunks; fullest bin: {total.index(max(total))}")


if __name__ == "__main__":
    main()
