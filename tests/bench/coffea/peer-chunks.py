# SPDX-License-Identifier: BSD-3-Clause
"""What it takes roastcoffea to aggregate chunks with three sections each: peer-chunks.py CHUNKS, in a Python that has it.

The values are those of bench-aggregate.c. Prints CPU seconds, bytes of memory at most, events, and the sum of all sections.
"""

import resource
import sys
import time

from roastcoffea.aggregation.core import MetricsAggregator

SECTIONS = range(3)


def get_section(chunk, section):
    return ((chunk * 7919 + section * 104729) % 1000003) / 1e6


def make_chunk(i):
    started = 1.7e9 + i * 0.01
    duration = 1 + (i * 7919 % 1000003) / 1e6
    return {
        "t_start": started, "t_end": started + duration, "duration": duration, "timestamp": started, "mem_before_mb": 400.0,
        "mem_after_mb": 450.0, "mem_delta_mb": i * 31 % 50000000 / 2**20, "bytes_read": i, "num_events": 1000 + i % 97,
        "dataset": f"ds{i % 20}", "file": f"f{i % 500}.root", "entry_start": i, "entry_stop": i + 1,
        "timing": {f"s{k}": get_section(i, k) for k in SECTIONS}, "memory": {}, "bytes": {},
    }


def main():
    n = int(sys.argv[1])
    chunks = [make_chunk(i) for i in range(n)]
    sections = [{"name": f"s{k}", "type": "section", "duration": get_section(i, k)} for i in range(n) for k in SECTIONS]
    report = {"bytesread": sum(range(n)), "entries": sum(chunk["num_events"] for chunk in chunks), "processtime": 5000.0, "chunks": n}
    begin = time.process_time()
    metrics = MetricsAggregator("dask").aggregate(coffea_report=report, tracking_data=None, t_start=0.0, t_end=n * 0.01,
                                                  chunk_metrics=chunks, section_metrics=sections)
    seconds = time.process_time() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    total = sum(section["total_duration"] for section in metrics["sections"].values())
    print(seconds, memory, metrics["total_events_from_chunks"], total)


main()
