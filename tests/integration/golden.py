# SPDX-License-Identifier: BSD-3-Clause
"""tests/data/roastcoffea/CASE.json.xz: what roastcoffea's MetricsAggregator was given, and its answer."""

import datetime
import json
import lzma
import pathlib

DIRECTORY = pathlib.Path(__file__).resolve().parent.parent / "data/roastcoffea"
CASES = sorted(path.name.partition(".")[0] for path in DIRECTORY.glob("*.json.xz"))


def to_time(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).replace(tzinfo=None)


def decode_tracking(tracking):
    decoded = {}
    for field, series in tracking.items():
        if field == "worker_counts":
            decoded[field] = {to_time(time): number for time, number in series}
        else:
            decoded[field] = {worker: [(to_time(time), value) for time, value in points] for worker, points in series.items()}
    return decoded


def load_case(name):
    """The arguments of aggregate(), and its answer."""
    with lzma.open(DIRECTORY / f"{name}.json.xz") as file:
        case = json.load(file)
    arguments = case["input"]
    if arguments.get("tracking_data") is not None:
        arguments["tracking_data"] = decode_tracking(arguments["tracking_data"])
    if arguments.get("span_metrics") is not None:
        arguments["span_metrics"] = {tuple(key): value for key, value in arguments["span_metrics"]}
    return arguments, case["expected"]
