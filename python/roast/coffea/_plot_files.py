# SPDX-License-Identifier: BSD-3-Clause
"""Plots files from `metrics`. Each function returns (figure, axes) and raises ValueError without data."""

from roast.coffea import _figures


def plot_compression_ratio_distribution(
    metrics, output_path=None, figsize=(10, 6), title="Compression Ratio Distribution Across Files", bins=20
):
    ratios = metrics.get("compression_ratios")
    if not ratios:
        raise ValueError("No compression ratio data available")
    xlabel = "Compression Ratio (compressed/uncompressed)"
    fig, ax = _figures.draw_histogram(ratios, bins, "{:.3f}".format, figsize, title, xlabel, "Number of Files")
    return _figures.finish(fig, ax, output_path)


def plot_data_access_percentage(metrics, output_path=None, figsize=(10, 6), title="Bytes Read Percentage Distribution", bins=20):
    """Plots the bytes of the touched branches as a share of all bytes of the tree."""
    shares = metrics.get("bytes_read_percent_per_file")
    if not shares:
        raise ValueError("No bytes read percentage data available")
    fig, ax = _figures.draw_histogram(shares, bins, "{:.1f}%".format, figsize, title, "Bytes Read (%)", "Number of Files")
    ax.set_xlim(0, min(100, 1.1 * max(shares)))
    return _figures.finish(fig, ax, output_path)
