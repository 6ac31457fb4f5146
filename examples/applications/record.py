#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""An application that is an executor and records its own rows, in Python: four jobs on one worker. It shows a running total after
each job, and a report at the end.

    record.py
"""

import time

import gi

gi.require_version("Roast", "1")
from gi.repository import Roast  # noqa: E402


def now():
    return time.time_ns() // 1000  # roast's times are microseconds since 1970


def main():
    recording = Roast.Recording()
    recording.set_times(now(), -1)
    source = recording.add_source("example", None, None, None)
    workers = recording.write_table("workers", source)
    tasks = recording.write_table("tasks", source)
    totals = Roast.Report()

    joined = now()
    for number in range(4):
        started, cpu = now(), time.process_time()
        sum(range(2_000_000))
        tasks.close(task=f"job-{number}", attempt=1, category="sum", worker="w", submitted=joined, started=started, ended=now(),
                    cpu=time.process_time() - cpu, status="done")
        done = totals.evaluate(recording.snapshot(), "done", "count (over tasks where status = done)")
        print("jobs so far:", int(done.value))
    workers.close(worker="w", cores=1.0, joined=joined, left=now())

    recording.set_times(-1, now())
    recording.finish()
    session = Roast.Session("local")
    session.read(recording)
    for name in ("tasks_done_total", "task_time_mean_seconds"):
        metric = session.report[name]
        print(f"{name}: {metric.value:g}, {metric.completeness}")


if __name__ == "__main__":
    main()
