# SPDX-License-Identifier: BSD-3-Clause
"""How long roastcoffea takes to save and load a measurement with these samples of workers.

usage: peer.py VALUES WORKERS SECONDS SERIES DIRECTORY. VALUES has doubles, by second, worker and series. Prints CPU
seconds for saving and for loading, and bytes.
"""

import array
import datetime
import pathlib
import sys
import time

from roastcoffea.aggregation.core import MetricsAggregator
from roastcoffea.export.measurements import load_measurement, save_measurement

# Names that roastcoffea has for series of workers; it keeps others as they are.
NAMES = ["memory", "memory_limit", "active_tasks", "cores", "nbytes", "occupancy", "executing", "last_seen", "cpu", "net"]


def read_series(path: str, workers: int, seconds: int, series: int) -> dict:
    values = array.array("d")
    with open(path, "rb") as file:
        values.frombytes(file.read())
    start = datetime.datetime(2023, 11, 14)
    times = [start + datetime.timedelta(seconds=i) for i in range(seconds)]
    data: dict = {"worker_counts": dict.fromkeys(times, workers)}
    for k in range(series):
        data[f"worker_{NAMES[k]}"] = {
            f"tcp://10.0.0.{w}:1": [(times[s], values[(s * workers + w) * series + k]) for s in range(seconds)]
            for w in range(workers)
        }
    return data


def main() -> None:
    path, workers, seconds, series, directory = sys.argv[1], *map(int, sys.argv[2:5]), pathlib.Path(sys.argv[5])
    metrics = MetricsAggregator("dask").aggregate(
        coffea_report={"bytesread": 10**11, "entries": 10**8, "processtime": 5000.0, "chunks": 1000},
        tracking_data=read_series(path, workers, seconds, series),
        t_start=0.0,
        t_end=float(seconds),
    )
    begin = time.process_time()
    saved = save_measurement(metrics, 0.0, float(seconds), directory, "peer")
    middle = time.process_time()
    load_measurement(saved)
    end = time.process_time()
    size = sum(file.stat().st_size for file in pathlib.Path(saved).rglob("*") if file.is_file())
    print(middle - begin, end - middle, size)


main()
