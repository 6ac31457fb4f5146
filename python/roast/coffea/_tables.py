# SPDX-License-Identifier: BSD-3-Clause
"""Formats metrics as tables for a terminal, with the rows and formats of roastcoffea 0.1.2. Uses rich for colours if installed, otherwise
plain text."""

MISSING = "N/A (no worker tracking)"


def format_bytes(number):
    """Formats bytes. These units are powers of 1024, as in roastcoffea."""
    for unit in ("B", "KB", "MB", "GB", "TB"):
        if abs(number) < 1024:
            return f"{number:.2f} {unit}"
        number /= 1024
    return f"{number:.2f} PB"


def format_time(seconds):
    if seconds < 60:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h {minutes}m {rest}s" if hours else f"{minutes}m {rest}s"


class PlainTable:
    """Replaces rich's Table if rich is not installed."""

    def __init__(self, title):
        self.title = title
        self.rows = []

    def add_row(self, label, value):
        self.rows.append((label, value))

    def __str__(self):
        width = max((len(label) for label, _ in self.rows), default=0)
        lines = [f"{label:<{width}}  {value}".rstrip() for label, value in self.rows]
        return "\n".join([self.title, "-" * len(self.title), *lines])


def make_table(title, rows):
    """Makes a table. rows: (label, text) or (label, text, style)."""
    try:
        from rich.table import Table
        from rich.text import Text
    except ImportError:
        table = PlainTable(title)
        for label, text, *_ in rows:
            table.add_row(label, text)
        return table
    table = Table(title=title)
    table.add_column("Metric")
    table.add_column("Value", justify="right")
    for label, text, *style in rows:  # use Text, because names of datasets may look like markup
        table.add_row(Text(label, *(style if not text else ())), Text(text, *style))
    return table


def format_throughput_table(metrics):
    rate = metrics.get("data_rate_gbps") or 0
    rows = [("Data Rate", f"{rate:.2f} Gbps ({rate * 1000 / 8:.1f} MB/s)")]
    for label, name in ("Total Bytes Read (Coffea)", "total_bytes_read"), ("Memory Read (Dask Spans)", "total_bytes_memory_read"):
        if metrics.get(name):
            rows.append((label, format_bytes(metrics[name])))
    return make_table("Throughput Metrics", rows)


def format_event_processing_table(metrics):
    elapsed = metrics.get("event_rate_elapsed_khz") or 0
    total = metrics.get("event_rate_cpu_total_khz") or 0
    core = metrics.get("event_rate_core_khz")
    rows = [
        ("Total Events", f"{metrics.get('total_events') or 0:,}"),
        ("Event Rate (Elapsed Time)", f"{elapsed:.1f} kHz"),
        ("Event Rate (Total CPU)", f"{total:.1f} kHz"),
        ("Event Rate (Core-Averaged)", *((f"{core:.1f} kHz/core",) if core is not None else ("N/A (no worker data)", "dim"))),
    ]
    if elapsed and total:
        rows.append(("Efficiency Ratio", f"{elapsed / total:.1%}"))
    return make_table("Event Processing Metrics", rows)


def format_resources_table(metrics):
    formats = (
        ("Workers (Time-Averaged)", "avg_workers", "{:.1f}".format),
        ("Peak Workers", "peak_workers", "{}".format),
        ("Cores per Worker", "cores_per_worker", "{:.1f}".format),
        ("Total Cores", "total_cores", "{:.0f}".format),
        ("Core Efficiency", "core_efficiency", "{:.1%}".format),
        ("Speedup Factor", "speedup_factor", "{:.1f}x".format),
        ("Peak Memory (per worker)", "peak_memory_bytes", format_bytes),
        ("Avg Memory (per worker)", "avg_memory_per_worker_bytes", format_bytes),
    )
    rows = []
    for label, name, write in formats:
        value = metrics.get(name)
        rows.append((label, write(value)) if value is not None else (label, MISSING, "dim"))
    return make_table("Resource Utilization", rows)


def format_timing_table(metrics):
    rows = [
        ("Elapsed Time", format_time(metrics.get("elapsed_time_seconds") or 0)),
        ("Total CPU Time", format_time(metrics.get("total_cpu_time") or 0)),
    ]
    if metrics.get("num_chunks"):
        rows.append(("Number of Chunks", f"{metrics['num_chunks']:,}"))
        rows.append(("Avg CPU Time/Chunk", format_time(metrics.get("avg_cpu_time_per_chunk") or 0)))
    return make_table("Timing Breakdown", rows)


def format_fine_metrics_table(metrics):
    """Returns the table; None without metrics of a span."""
    if "processor_cpu_time_seconds" not in metrics:
        return None
    rows = [
        (label, write(metrics[name]))
        for label, name, write in (
            ("Processor CPU Time", "processor_cpu_time_seconds", format_time),
            ("Processor I/O & Waiting Time", "processor_io_wait_time_seconds", format_time),
            ("  CPU %", "processor_cpu_percent", "{:.1f}%".format),
            ("  I/O & Wait %", "processor_io_wait_percent", "{:.1f}%".format),
        )
        if metrics.get(name) is not None
    ]
    for label, name, write in (
        ("Dask Overhead CPU Time", "overhead_cpu_time_seconds", format_time),
        ("Dask Overhead I/O & Waiting Time", "overhead_io_wait_time_seconds", format_time),
        ("Disk Read", "disk_read_bytes", format_bytes),
        ("Disk Write", "disk_write_bytes", format_bytes),
        ("Compression Overhead", "total_compression_overhead_seconds", format_time),
        ("  • Compress", "compression_time_seconds", format_time),
        ("  • Decompress", "decompression_time_seconds", format_time),
        ("Serialization Overhead", "total_serialization_overhead_seconds", format_time),
        ("  • Serialize", "serialization_time_seconds", format_time),
        ("  • Deserialize", "deserialization_time_seconds", format_time),
    ):
        if (metrics.get(name) or 0) > 0:
            rows.append((label, write(metrics[name])))
    return make_table("Fine Metrics (from Dask Spans)", rows)


def list_datasets(metrics):
    datasets = metrics.get("per_dataset") or {}
    if len(datasets) < 2:
        return []
    rows = [("", ""), ("Per-Dataset Breakdown", "", "bold")]
    for name, entry in datasets.items():
        rows.append((f"  {name}", f"{entry['num_chunks']} chunks, {format_time(entry['mean_duration'])} avg"))
    return rows


def list_sections(metrics):
    sections = metrics.get("sections") or {}
    if not sections:
        return []
    rows = [("", ""), ("Section Timing", "", "bold")]
    totals = {name: entry.get("total_duration", entry.get("mean_duration", 0) * entry["count"]) for name, entry in sections.items()}
    for name, entry in sorted(sections.items(), key=lambda item: -totals[item[0]])[:5]:
        text = f"{format_time(totals[name])} ({entry['count']}x)"
        if "mean_mem_delta_mb" in entry:
            text += f", {entry['mean_mem_delta_mb']:.1f} MB avg"
        rows.append((f"  {name}", text))
    return rows


def format_chunk_metrics_table(metrics):
    """Returns the table; None without chunks."""
    if not metrics.get("num_chunks"):
        return None
    rows = [("Total Chunks", f"{metrics['num_chunks']:,}")]
    if metrics.get("num_failed_chunks"):
        rows.append(("  • Successful", f"{metrics['num_successful_chunks']:,}"))
        rows.append(("  • Failed", f"{metrics['num_failed_chunks']:,}", "red"))
    if "chunk_duration_mean" in metrics:
        rows.append(("Mean Chunk Time", format_time(metrics["chunk_duration_mean"])))
        rows.append(("  • Min", format_time(metrics["chunk_duration_min"])))
        rows.append(("  • Max", format_time(metrics["chunk_duration_max"])))
        if (metrics.get("chunk_duration_std") or 0) > 0:
            rows.append(("  • Std Dev", format_time(metrics["chunk_duration_std"])))
    for label, pattern, write in (
        ("Mean Memory Delta", "chunk_mem_delta_{}_mb", "{:.1f} MB".format),
        ("Mean Events/Chunk", "chunk_events_{}", "{:.0f}".format),
    ):
        if pattern.format("mean") in metrics:
            rows.append((label, write(metrics[pattern.format("mean")])))
            rows.append(("  • Min", write(metrics[pattern.format("min")])))
            rows.append(("  • Max", write(metrics[pattern.format("max")])))
    return make_table("Chunk Metrics", rows + list_datasets(metrics) + list_sections(metrics))


def print_summary(metrics):
    """Prints all tables for which there are metrics."""
    tables = [
        format_throughput_table(metrics),
        format_event_processing_table(metrics),
        format_resources_table(metrics),
        format_timing_table(metrics),
        format_fine_metrics_table(metrics),
        format_chunk_metrics_table(metrics),
    ]
    try:
        from rich.console import Console

        write = Console().print
    except ImportError:
        write = print
    for table in tables:
        if table is not None:
            write(table)
            write()
