# SPDX-License-Identifier: BSD-3-Clause
"""Plots workers over time from `tracking_data`. Each function returns (figure, axes) and raises ValueError without samples."""

from roast.coffea import _figures, _series

STEP = "steps-post"  # counts hold until the next sample; memory and CPU are interpolated


def split(points):
    return [when for when, _ in points], [value for _, value in points]


def limit_percent(ax, series):
    """Sets the range to 0 to 100 %, or more if needed: a worker with several threads may use more than one core."""
    most = max(value for points in series.values() for _, value in points)
    ax.set_ylim(0, 100 if most <= 100 else 1.05 * most)


def draw_workers(series, ylabel, title, figsize, max_legend_entries, style="default"):
    """Draws a line for each worker."""
    fig, ax = _figures.create(figsize, title, "Time", ylabel)
    for worker, points in series.items():
        times, values = split(points)
        ax.plot(times, values, label=str(worker), alpha=0.7, linewidth=2, drawstyle=style, marker="o" if len(points) == 1 else None)
    if len(series) <= max_legend_entries:
        ax.legend(loc="upper left", bbox_to_anchor=(1.02, 1), fontsize=8)
    else:
        ax.text(0.02, 0.97, f"Showing {len(series)} workers", transform=ax.transAxes, va="top", fontsize=9, bbox={"facecolor": "white", "alpha": 0.7})
    return fig, ax


def draw_mean(series, ylabel, title, figsize):
    """Draws the mean of all workers and the range from minimum to maximum."""
    times, values = split(_series.combine(series))
    fig, ax = _figures.create(figsize, title, "Time", ylabel)
    ax.plot(times, [sum(row) / len(row) for row in values], linewidth=2, color="C0", label="Mean")
    ax.fill_between(times, [min(row) for row in values], [max(row) for row in values], alpha=0.3, color="C0", label="Min-Max Range")
    ax.legend()
    limit_percent(ax, series)
    return fig, ax


def plot_worker_count_timeline(tracking_data, output_path=None, figsize=(10, 4), title="Worker Count Over Time"):
    if tracking_data is None:
        raise ValueError("tracking_data cannot be None: the workers were not tracked (track_workers=True)")
    counts = _series.take_counts(tracking_data)
    if not counts:
        raise ValueError("No worker count data: tracking_data has no samples of worker_counts")
    fig, ax = _figures.create(figsize, title, "Time", "Number of Workers")
    ax.plot(*split(counts), marker="o", markersize=4, linewidth=2, drawstyle=STEP)
    ax.set_ylim(bottom=0)
    return _figures.finish_timeline(fig, ax, output_path)


def get_memory_shares(tracking):
    message = "Memory or memory limit data not available"
    shares = _series.divide(_series.take(tracking, "worker_memory", message), _series.take(tracking, "worker_memory_limit", message))
    if not shares:
        raise ValueError(f"{message}: no worker has a memory limit")
    return shares


def plot_memory_utilization_mean_timeline(tracking_data, output_path=None, figsize=(10, 4), title="Memory Utilization Over Time"):
    """Plots memory in percent of the workers' memory limits."""
    fig, ax = draw_mean(get_memory_shares(tracking_data), "Memory Utilization (%)", title, figsize)
    return _figures.finish_timeline(fig, ax, output_path)


plot_memory_utilization_timeline = plot_memory_utilization_mean_timeline  # the name in roastcoffea's README


def plot_memory_utilization_per_worker_timeline(
    tracking_data, output_path=None, figsize=(12, 6), title="Memory Utilization Per Worker Over Time", max_legend_entries=5
):
    series = get_memory_shares(tracking_data)
    fig, ax = draw_workers(series, "Memory Utilization (%)", title, figsize, max_legend_entries)
    limit_percent(ax, series)
    return _figures.finish_timeline(fig, ax, output_path)


def plot_cpu_utilization_mean_timeline(tracking_data, output_path=None, figsize=(10, 4), title="CPU Utilization Over Time"):
    """Plots CPU in percent of one core."""
    series = _series.take(tracking_data, "worker_cpu", "No worker CPU data available")
    fig, ax = draw_mean(series, "CPU Utilization (%)", title, figsize)
    return _figures.finish_timeline(fig, ax, output_path)


def plot_cpu_utilization_per_worker_timeline(
    tracking_data, output_path=None, figsize=(12, 6), title="CPU Utilization Per Worker Over Time", max_legend_entries=5
):
    """Plots CPU in percent of one core."""
    series = _series.take(tracking_data, "worker_cpu", "No worker CPU data available")
    fig, ax = draw_workers(series, "CPU Utilization (%)", title, figsize, max_legend_entries)
    limit_percent(ax, series)
    return _figures.finish_timeline(fig, ax, output_path)


def plot_occupancy_timeline(tracking_data, output_path=None, figsize=(12, 6), title="Worker Occupancy Over Time", max_legend_entries=5):
    """Plots the occupancy of Dask's scheduler: the seconds of work that it expects each worker to have."""
    series = _series.take(tracking_data, "worker_occupancy", "No worker occupancy data available")
    fig, ax = draw_workers(series, "Occupancy (expected seconds of work)", title, figsize, max_legend_entries)
    return _figures.finish_timeline(fig, ax, output_path)


def plot_executing_tasks_timeline(
    tracking_data, output_path=None, figsize=(12, 6), title="Executing Tasks Per Worker Over Time", max_legend_entries=5
):
    """Plots running tasks."""
    series = _series.take(tracking_data, "worker_executing", "No worker executing tasks data available")
    fig, ax = draw_workers(series, "Number of Executing Tasks", title, figsize, max_legend_entries, STEP)
    return _figures.finish_timeline(fig, ax, output_path)


def plot_worker_activity_timeline(
    tracking_data, output_path=None, figsize=(12, 6), title="Worker Activity Over Time", max_legend_entries=5
):
    """Plots running and queued tasks."""
    series = _series.take(tracking_data, "worker_active_tasks", "No worker active tasks data available")
    fig, ax = draw_workers(series, "Number of Active Tasks", title, figsize, max_legend_entries, STEP)
    return _figures.finish_timeline(fig, ax, output_path)


def plot_total_active_tasks_timeline(tracking_data, output_path=None, figsize=(10, 5), title="Total Active Tasks Over Time"):
    """Plots running and queued tasks of all workers together."""
    series = _series.take(tracking_data, "worker_active_tasks", "No worker active tasks data available")
    times, values = split(_series.combine(series))
    totals = [sum(row) for row in values]
    fig, ax = _figures.create(figsize, title, "Time", "Total Active Tasks")
    ax.plot(times, totals, linewidth=2, color="C0", drawstyle=STEP)
    ax.fill_between(times, totals, alpha=0.3, color="C0", step="post")
    return _figures.finish_timeline(fig, ax, output_path)
