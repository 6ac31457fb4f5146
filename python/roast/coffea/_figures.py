# SPDX-License-Identifier: BSD-3-Clause
"""Helpers for all plots. Imports matplotlib only when drawing."""


def import_pyplot():
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            f"plots need matplotlib ({error}): install the Debian package python3-matplotlib, or “pip install matplotlib”", name="matplotlib"
        ) from error
    return pyplot


def create(figsize, title, xlabel, ylabel):
    """Creates an empty figure with one pair of axes."""
    fig, ax = import_pyplot().subplots(figsize=figsize)
    ax.set_title(title)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    ax.grid(True, alpha=0.3)
    return fig, ax


def finish(fig, ax, output_path):
    """Saves the figure if there is a path."""
    fig.tight_layout()
    if output_path:
        fig.savefig(output_path, dpi=150, bbox_inches="tight")
    return fig, ax


def finish_timeline(fig, ax, output_path):
    from matplotlib.dates import DateFormatter

    ax.xaxis.set_major_formatter(DateFormatter("%H:%M:%S"))
    ax.tick_params(axis="x", labelrotation=45)
    return finish(fig, ax, output_path)


def mark_mean(ax, values, write, along="x", median=True):
    """Draws a line for the mean and, optionally, for the median."""
    import statistics

    draw = ax.axvline if along == "x" else ax.axhline
    mean = sum(values) / len(values)
    draw(mean, color="red", linestyle="--", linewidth=2, label=f"Mean: {write(mean)}")
    if median:
        middle = statistics.median(values)
        draw(middle, color="green", linestyle=":", linewidth=2, label=f"Median: {write(middle)}")
    ax.legend()


def draw_histogram(values, bins, write, figsize, title, xlabel, ylabel):
    fig, ax = create(figsize, title, xlabel, ylabel)
    ax.hist(values, bins=bins, alpha=0.7, edgecolor="black")
    mark_mean(ax, values, write)
    return fig, ax


def name_bars(ax, names):
    ax.set_xticks(range(len(names)))
    ax.set_xticklabels(names, rotation=45, ha="right")
