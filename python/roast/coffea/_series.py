# SPDX-License-Identifier: BSD-3-Clause
"""Handles series of worker samples: {worker: [(time, value), …]}."""

import bisect
import itertools


def clean(points):
    """Sorts by time and drops missing values: None, or NaN in unsaved data."""
    return sorted(((when, value) for when, value in points if value is not None and value == value), key=lambda point: point[0])


def take(tracking, field, message):
    """Returns the series of a field. Raises ValueError if there are none."""
    if tracking is None:
        raise ValueError("tracking_data cannot be None: the workers were not tracked (track_workers=True)")
    series = {worker: clean(points) for worker, points in (tracking.get(field) or {}).items()}
    series = {worker: points for worker, points in series.items() if points}
    if not series:
        raise ValueError(f"{message}: tracking_data has no samples of {field}")
    return series


def take_counts(tracking):
    """Returns the numbers of workers: [(time, number), …]."""
    counts = (tracking.get("worker_counts") if tracking else None) or {}
    return clean(counts.items() if isinstance(counts, dict) else counts)


def divide(series, limits):
    """Returns percentages of limits. A limit holds until the next limit. Skips samples without a limit or with the limit 0 (unlimited)."""
    shares = {}
    for worker, points in series.items():
        known = clean(limits.get(worker) or ())
        times = [when for when, _ in known]
        for when, value in points:
            index = bisect.bisect_right(times, when) - 1
            if index >= 0 and known[index][1] > 0:
                shares.setdefault(worker, []).append((when, 100 * value / known[index][1]))
    return shares


def combine(series):
    """Returns [(time, values of all present workers), …]. A value holds until the worker's next sample; after its last sample, a worker is
    gone."""
    ends = sorted(((points[-1][0], worker) for worker, points in series.items()), key=lambda end: end[0], reverse=True)
    samples = sorted(((when, worker, value) for worker, points in series.items() for when, value in points), key=lambda sample: sample[0])
    values, combined = {}, []
    for when, group in itertools.groupby(samples, key=lambda sample: sample[0]):
        while ends and ends[-1][0] < when:
            values.pop(ends.pop()[1], None)
        values.update((worker, value) for _, worker, value in group)
        combined.append((when, list(values.values())))
    return combined
