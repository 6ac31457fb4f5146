# SPDX-License-Identifier: BSD-3-Clause
"""Plots a few metrics of a whole run. Metrics with a second unit use an axis on the right."""

from roast.coffea import _figures


def draw_bar(ax, position, value, text, color):
    ax.bar([position], [value], 0.6, color=color)
    ax.annotate(text, (position, value), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=12, fontweight="bold")


def draw(left, right, labels, title, figsize):
    """Draws bars. left, right: (name, value, text) for each axis, without missing values. labels: labels of the two axes."""
    fig, ax = _figures.create(figsize, title, "", labels[0])
    position, names = 0, []
    for side, bars in enumerate((left, right)):
        if not bars:
            continue
        own = ax
        if side == 1:
            own = ax.twinx() if left else ax
            own.set_ylabel(labels[1])
        for name, value, text in bars:
            draw_bar(own, position, value, text, f"C{position}")
            names.append(name)
            position += 1
        own.set_ylim(0, 1.15 * max(value for _, value, _ in bars) or 1)
    ax.set_xticks(range(len(names)))
    ax.set_xticklabels(names)
    ax.set_xlim(-0.6, len(names) - 0.4)
    return fig, ax


def take(metrics, name, label, factor, write):
    value = metrics.get(name)
    return [(label, value * factor, write(value * factor))] if value is not None else []


def check(metrics):
    if metrics is None:
        raise ValueError("metrics cannot be None")
    return metrics


def plot_efficiency_summary(metrics, output_path=None, figsize=(10, 6)):
    """Plots core_efficiency and speedup_factor, as defined by roastcoffea."""
    left = take(check(metrics), "core_efficiency", "Core Efficiency", 100, "{:.1f}%".format)
    right = take(metrics, "speedup_factor", "Speedup Factor", 1, "{:.1f}x".format)
    if not left and not right:
        raise ValueError("No efficiency metrics available (core_efficiency or speedup_factor)")
    fig, ax = draw(left, right, ("Core Efficiency (%)", "Speedup Factor"), "Efficiency Metrics Summary", figsize)
    return _figures.finish(fig, ax, output_path)


def plot_resource_utilization(metrics, output_path=None, figsize=(10, 6)):
    """Plots avg_workers, total_cores and peak_memory_bytes, as defined by roastcoffea."""
    left = take(check(metrics), "avg_workers", "Avg Workers", 1, "{:.1f}".format) + take(
        metrics, "total_cores", "Total Cores", 1, "{:.0f}".format
    )
    memory = metrics if metrics.get("peak_memory_bytes") else {}  # 0 means not measured
    right = take(memory, "peak_memory_bytes", "Peak Memory of One Worker", 1e-9, "{:.2f} GB".format)
    if not left and not right:
        raise ValueError("No resource metrics available (workers, cores, or memory)")
    fig, ax = draw(left, right, ("Workers, Cores", "Memory (GB)"), "Resource Utilization Summary", figsize)
    return _figures.finish(fig, ax, output_path)
