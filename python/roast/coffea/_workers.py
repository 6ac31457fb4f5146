# SPDX-License-Identifier: BSD-3-Clause
"""Computes metrics of workers from sampled series: {worker: [(time, value), …]}, with times as datetime."""


def to_seconds(time, origin):
    return (time - origin).total_seconds() if hasattr(time - origin, "total_seconds") else float(time - origin)


def trapezoid_mean(series):
    """Returns the time-weighted mean with linear interpolation: None without samples, the value of a single sample, and NaN if all samples
    have the same time."""
    points = sorted(series, key=lambda point: point[0])
    if len(points) < 2:
        return points[0][1] if points else None
    origin = points[0][0]
    area = sum(
        to_seconds(after[0], before[0]) * (before[1] + after[1]) / 2 for before, after in zip(points, points[1:])
    )
    length = to_seconds(points[-1][0], origin)
    return area / length if length > 0 else float("nan")


def aggregate_workers(tracking):
    """Returns worker metrics; {} if workers were not tracked."""
    if tracking is None:
        return {}
    counts = tracking.get("worker_counts") or {}
    pairs = list(counts.items()) if isinstance(counts, dict) else list(counts)
    memory = [series for series in (tracking.get("worker_memory") or {}).values() if series]
    cores = [series[-1][1] for series in (tracking.get("worker_cores") or {}).values() if series]
    means = [trapezoid_mean(series) for series in memory]
    mean = trapezoid_mean(pairs)
    return {
        "avg_workers": float(mean) if mean is not None else 0.0,
        "peak_workers": max((number for _, number in pairs), default=0),
        "total_cores": float(sum(cores)) or None,
        "cores_per_worker": sum(cores) / len(cores) if sum(cores) else None,
        "peak_memory_bytes": max((value for series in memory for _, value in series), default=0.0),
        "avg_memory_per_worker_bytes": sum(means) / len(means) if means else 0.0,
    }
