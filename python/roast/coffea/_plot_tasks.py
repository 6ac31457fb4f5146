# SPDX-License-Identifier: BSD-3-Clause
"""Plots groups of tasks with the same prefix from `span_metrics`: {(context, prefix, activity, unit): value}.

Each function returns (figure, axes) and raises ValueError without data.
"""

from roast.coffea import _figures

IN_BYTES = ("disk-read", "disk-write", "memory-read")


def choose_unit(activity, values):
    """Chooses among values in several units: bytes for activities that move bytes, otherwise seconds, and never a count."""
    if activity in IN_BYTES:
        return values.get("bytes", values.get(None))
    return values.get("seconds", values.get(None, next(iter(values.values()))))


def extract_per_task_metrics(span_metrics):
    """Returns {prefix: {activity: value}} of executed tasks, in bytes if an activity moves bytes, otherwise in seconds."""
    found = {}
    for key, value in span_metrics.items():
        if isinstance(key, tuple) and len(key) >= 3 and key[0] == "execute":
            unit = key[3] if len(key) > 3 else None
            found.setdefault(key[1], {}).setdefault(key[2], {})[unit] = value
    chosen = {
        prefix: {activity: choose_unit(activity, values) for activity, values in activities.items()} for prefix, activities in found.items()
    }
    return {prefix: {name: value for name, value in values.items() if value is not None} for prefix, values in chosen.items()}


def take_tasks(span_metrics, activities, message):
    """Returns (prefixes, a list of values for each activity) of tasks with any of the activities. Skips “N/A”, which is not a task."""
    tasks = extract_per_task_metrics(span_metrics or {})
    rows = {
        str(prefix): [values.get(activity, 0) for activity in activities]
        for prefix, values in sorted(tasks.items(), key=lambda task: str(task[0]))
        if prefix != "N/A" and any(values.get(activity) for activity in activities)
    }
    if not rows:
        raise ValueError(message)
    return list(rows), [list(column) for column in zip(*rows.values())]


def draw_bars(ax, columns, labels, shift, width):
    """Draws stacked bars."""
    bottom = [0.0] * len(columns[0])
    for column, label in zip(columns, labels):
        ax.bar([index + shift for index in range(len(column))], column, width, bottom=bottom, label=label)
        bottom = [below + height for below, height in zip(bottom, column)]


def plot_per_task_cpu_io(span_metrics, output_path=None, title="CPU vs I/O Time per Task", figsize=(12, 6)):
    """Plots CPU and I/O time. “I/O time” is all time in which the task's thread did not compute."""
    names, (cpu, rest) = take_tasks(span_metrics, ("thread-cpu", "thread-noncpu"), "No per-task CPU/IO metrics found in span_metrics")
    fig, ax = _figures.create(figsize, title, "Task", "Time (seconds)")
    draw_bars(ax, [cpu], ["CPU Time"], -0.2, 0.4)
    draw_bars(ax, [rest], ["I/O Time"], 0.2, 0.4)
    _figures.name_bars(ax, names)
    ax.legend()
    return _figures.finish(fig, ax, output_path)


def plot_per_task_bytes_read(span_metrics, output_path=None, title="Bytes Read per Task", figsize=(12, 6)):
    """Plots the bytes that Dask read back from disk after spilling."""
    names, (sizes,) = take_tasks(span_metrics, ("disk-read",), "No per-task disk-read metrics found in span_metrics")
    fig, ax = _figures.create(figsize, title, "Task", "Bytes Read (GB)")
    draw_bars(ax, [[size / 1e9 for size in sizes]], [None], 0, 0.8)
    _figures.name_bars(ax, names)
    return _figures.finish(fig, ax, output_path)


def plot_per_task_overhead(
    span_metrics, output_path=None, title="Compression & Serialization Overhead per Task", figsize=(12, 6)
):
    activities = ("decompress", "compress", "deserialize", "serialize")
    names, columns = take_tasks(span_metrics, activities, "No per-task overhead metrics found in span_metrics")
    labels = [activity.capitalize() for activity in activities]
    fig, ax = _figures.create(figsize, title, "Task", "Time (seconds)")
    draw_bars(ax, columns[:2], labels[:2], -0.2, 0.4)
    draw_bars(ax, columns[2:], labels[2:], 0.2, 0.4)
    _figures.name_bars(ax, names)
    ax.legend()
    return _figures.finish(fig, ax, output_path)
