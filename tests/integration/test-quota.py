#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A program that sends millions of lines on the run's socket: totals stay right, memory and report stay small."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from closeness import before_release
from report import Report

# Sends each text so many times.
CLIENT = """
import json, os, socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(os.environ["ROAST_SOCKET"])
connection.sendall(json.dumps({"roast": 2, "token": os.environ["ROAST_TOKEN"], "program": "flood"}).encode() + b"\\n")
for line, n in json.loads(sys.argv[1]):
    line = (line + "\\n").encode()
    while n > 0:
        piece = min(n, 1000)
        connection.sendall(line * piece)
        n -= piece
"""

# Prints the peak memory of a command. A process starts with that of its parent, which is small here.
MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""

PROGRESS = '{"type":"events","events":7,"dataset":"ttbar"}'
CHUNKS = '{"table":"chunks","columns":["dataset","events","started","ended","bytes_read","error"]}'
SECTIONS = '{"table":"sections","columns":["name","kind","value"]}'


def chunk(dataset, events, begin, seconds, error=None):
    """Its times are near now: times far outside the run are left out."""
    end = f',"{error}"' if error else ""
    start = time.time_ns() // 1000 + (begin - 50) * 1000000
    return f'["chunks","{dataset}",{events},{start},{start + seconds * 1000000},100{end}]'


class TestQuota(unittest.TestCase):
    def run_client(self, *lines):
        """Returns the report, its size in bytes, and the peak memory of roast-run in bytes."""
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "report.json")
            result = subprocess.run([sys.executable, "-c", MEASURE, "roast-run", "-e", "json:" + path, "--", sys.executable, "-c",
                                     CLIENT, json.dumps(lines)], capture_output=True, text=True, timeout=240, check=True)
            return Report(path, ""), pathlib.Path(path).stat().st_size, int(result.stdout)

    def check(self, report, **expected):
        for name, value in expected.items():
            metric = report.metrics[name]
            self.assertEqual(metric["completeness"], "complete", metric)
            self.assertAlmostEqual(metric["value"], value, delta=1e-9 * abs(value), msg=name)

    def test_messages(self):
        below, small, some = self.run_client((PROGRESS, 100000))
        self.check(below, events_total=700000)
        self.assertEqual(below.events("quota"), [])
        self.assertEqual(len(below.rows("program_sums")), 0)

        above, size, peak = self.run_client((PROGRESS, 1200000))
        self.check(above, events_total=8400000)
        self.assertEqual([(row["dataset"], row["events"]) for row in above.rows("per_dataset")], [("ttbar", 8400000)])
        self.assertEqual(len(above.rows("datasets")), 100000)
        self.assertEqual(above.events("quota"), [
            "the program sent 1200000 rows of the table “datasets”, more than the quota. The first 100000 are in the recording; "
            "the other rows were kept only as sums for each dataset: totals include these rows"])
        # Twelve times the messages, and neither a larger report nor more memory.
        self.assertLess(size, small * 1.1)
        self.assertLess(peak, some + (16 << 20))

    @before_release
    def test_rows(self):
        report, _, _ = self.run_client(
            (CHUNKS, 1), (SECTIONS, 1),
            (chunk("a", 10, 0, 2), 999990), (chunk("a", 10, 5, 1), 20), (chunk("b", 1, 10, 8), 30), (chunk("b", 5, 90, 4, "bad"), 40),
            ('["sections","jets","time",0.5]', 150000), ('["sections","jets","time",0.25]', 1))
        self.check(report, chunks_total=1000080, chunks_failed_total=40, events_total=10000100 + 30, bytes_read_total=100008000,
                   processing_time_seconds=2 * 999990 + 20 + 240 + 160, chunk_time_min_seconds=1, chunk_time_max_seconds=8,
                   chunk_time_mean_seconds=(2 * 999990 + 20 + 240) / 1000040)
        self.assertEqual(len(report.rows("chunks")), 1000000)
        self.assertEqual({row["dataset"]: (row["chunks"], row["failed"], row["events"]) for row in report.rows("per_dataset")},
                         {"a": (1000010, 0, 10000100), "b": (70, 40, 30)})
        (section,) = report.rows("per_section")
        self.assertEqual((section["count"], section["total"], section["min"], section["max"]), (150001, 75000.25, 0.25, 0.5))
        self.assertEqual(len(report.rows("sections")), 100000)
        self.assertEqual(len(report.events("quota")), 2)


if __name__ == "__main__":
    unittest.main()
