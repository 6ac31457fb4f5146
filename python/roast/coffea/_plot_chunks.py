# SPDX-License-Identifier: BSD-3-Clause
"""Plots chunks from their records. Each function returns (figure, axes) and raises ValueError without data."""

from roast.coffea import _figures
from roast.coffea._chunks import take


def check(chunks, message):
    if not chunks:
        raise ValueError(f"{message}: decorate process() with track_metrics, and call extract_metrics_from_output()")
    return chunks


def list_good(chunks):
    """Returns the chunks that did not fail."""
    return [chunk for chunk in check(chunks, "No chunk metrics available") if "error" not in chunk]


def fit(points):
    """Returns (slope, intercept) of the least-squares line; None if all points have the same x."""
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    if spread == 0:
        return None
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    return slope, mean_y - slope * mean_x


def plot_runtime_distribution(chunk_metrics, output_path=None, figsize=(10, 6), title="Chunk Runtime Distribution", bins=30):
    runtimes = take(list_good(chunk_metrics), "duration")
    if not runtimes:
        raise ValueError("No runtime data available in chunk metrics")
    fig, ax = _figures.draw_histogram(runtimes, bins, "{:.3g} s".format, figsize, title, "Runtime (seconds)", "Number of Chunks")
    return _figures.finish(fig, ax, output_path)


def plot_runtime_vs_events(chunk_metrics, output_path=None, figsize=(10, 6), title="Chunk Runtime vs Number of Events"):
    points = [
        (chunk["num_events"], chunk["duration"])
        for chunk in list_good(chunk_metrics)
        if chunk.get("num_events") is not None and chunk.get("duration") is not None
    ]
    if not points:
        raise ValueError("No runtime vs events data available in chunk metrics")
    fig, ax = _figures.create(figsize, title, "Number of Events", "Runtime (seconds)")
    ax.scatter(*zip(*points), alpha=0.6, s=50, edgecolors="black")
    line = fit(points)
    if line is not None:
        ends = [min(points)[0], max(points)[0]]
        label = f"Trend: {line[0]:.3g} s/event + {line[1]:.3g} s"
        ax.plot(ends, [line[0] * x + line[1] for x in ends], color="red", linestyle="--", linewidth=2, label=label)
        ax.legend()
    return _figures.finish(fig, ax, output_path)


def plot_branch_access_per_chunk(chunk_metrics, output_path=None, figsize=(12, 6), title="Branches Accessed Per Chunk"):
    check(chunk_metrics, "No chunk metrics data available")
    counts = {index: chunk["num_branches_accessed"] for index, chunk in enumerate(chunk_metrics) if chunk.get("num_branches_accessed") is not None}
    if not any(counts.values()):
        raise ValueError("No branch access data in chunk metrics")
    fig, ax = _figures.create(figsize, title, "Chunk Index", "Branches Accessed")
    ax.bar(list(counts), list(counts.values()), alpha=0.7)
    _figures.mark_mean(ax, list(counts.values()), "{:.1f}".format, along="y", median=False)
    return _figures.finish(fig, ax, output_path)


def choose_sizes(chunks):
    """Returns ({chunk: compressed bytes}, {chunk: uncompressed bytes}) of the baskets that each chunk needed if known for any chunk,
    otherwise of the branches in the whole file."""
    for names in ("needed_bytes", "needed_uncompressed_bytes"), ("accessed_bytes", "accessed_uncompressed_bytes"):
        sizes = [{index: chunk[name] for index, chunk in enumerate(chunks) if chunk.get(name) is not None} for name in names]
        if any(any(found.values()) for found in sizes):
            return sizes
    raise ValueError("No bytes access data in chunk metrics")


def plot_bytes_accessed_per_chunk(
    chunk_metrics, output_path=None, figsize=(12, 6), title="Bytes Accessed Per Chunk (Compressed vs Uncompressed)"
):
    sizes = choose_sizes(check(chunk_metrics, "No chunk metrics data available"))
    fig, ax = _figures.create(figsize, title, "Chunk Index", "Bytes (MB)")
    width = 0.4
    for found, shift, label in zip(sizes, (-width / 2, width / 2), ("Compressed (on-disk)", "Uncompressed (in-memory)")):
        if found:
            ax.bar([index + shift for index in found], [size / 1e6 for size in found.values()], width, alpha=0.7, label=label)
    ax.legend()
    return _figures.finish(fig, ax, output_path)
