# SPDX-License-Identifier: BSD-3-Clause
"""Plots the data rate over time from `chunk_info`."""

import datetime
import logging

from roast.coffea import _figures, _series

log = logging.getLogger("roast.coffea")

STEPS = 2000  # more than a figure has pixels


def to_time(seconds):
    """Returns UTC without a time zone, as in tracking_data."""
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).replace(tzinfo=None)


def compute_rates(intervals):
    """Computes the total rate. intervals: (start, end, bytes), each read at a constant rate. Returns [(time, bytes/s from then on), …]."""
    changes = {}
    for start, end, size in intervals:
        rate = size / (end - start)
        for when, step in ((start, (rate, 1)), (end, (-rate, -1))):
            before = changes.get(when, (0.0, 0))
            changes[when] = (before[0] + step[0], before[1] + step[1])
    rate, active, rates = 0.0, 0, []
    for when in sorted(changes):
        rate += changes[when][0]
        active += changes[when][1]
        rate = max(rate, 0.0) if active else 0.0  # drops rounding errors
        rates.append((when, rate))
    return rates


def average_rates(rates, number):
    """Averages the rates over fewer steps of equal length, keeping the area."""
    first, last = rates[0][0], rates[-1][0]
    width = (last - first) / number
    areas = [0.0] * number
    for (start, rate), (end, _) in zip(rates, rates[1:]):
        bin_ = min(int((start - first) / width), number - 1)
        while start < end:
            border = min(first + (bin_ + 1) * width, end) if bin_ < number - 1 else end
            areas[bin_] += rate * max(border - start, 0.0)
            start, bin_ = border, min(bin_ + 1, number - 1)
    return [*((first + index * width, area / width) for index, area in enumerate(areas)), (last, 0.0)]


def overlay_workers(ax, tracking, first, last):
    """Draws the number of workers on a second axis."""
    counts = _series.take_counts(tracking)
    if not counts:
        return
    if counts[-1][0] < first or counts[0][0] > last:
        log.warning("the number of workers is not drawn: its times (%s …) are not those of the chunks (%s …)", counts[0][0], first)
        return
    other = ax.twinx()
    other.plot([when for when, _ in counts], [number for _, number in counts], linewidth=2, color="C0", drawstyle="steps-post")
    other.set_ylabel("Number of Workers", color="C0")
    other.tick_params(axis="y", labelcolor="C0")
    other.set_ylim(0, 1.1 * max(number for _, number in counts) or 1)


def plot_throughput_timeline(chunk_info, tracking_data=None, output_path=None, figsize=(12, 6), title="Data Throughput Over Time"):
    """Plots the total data rate of the running chunks; the area is the bytes read. Times are UTC."""
    if not chunk_info:
        raise ValueError("No chunk_info provided: decorate process() with track_metrics, and take chunk_info from the metrics")
    intervals = [(start, end, size or 0) for start, end, size in chunk_info.values() if start is not None and end is not None and end > start]
    if not intervals:
        raise ValueError("No chunk in chunk_info has a duration")
    rates = compute_rates(intervals)
    if len(rates) > STEPS:
        rates = average_rates(rates, STEPS)
    times, values = [to_time(when) for when, _ in rates], [rate * 8 / 1e9 for _, rate in rates]
    fig, ax = _figures.create(figsize, title, "Time (UTC)", "Data Rate (Gbps)")
    ax.fill_between(times, values, step="post", alpha=0.5, color="C1", linewidth=0.5)
    ax.yaxis.label.set_color("C1")
    ax.tick_params(axis="y", labelcolor="C1")
    ax.set_ylim(0, 1.1 * max(values) or 1)
    overlay_workers(ax, tracking_data, times[0], times[-1])
    return _figures.finish_timeline(fig, ax, output_path)
