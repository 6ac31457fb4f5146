# SPDX-License-Identifier: BSD-3-Clause
"""Computes metrics of activities from the metrics of a Dask span: {(context, prefix, activity, unit): value}."""

TIMES = {"compress": "compression", "decompress": "decompression", "serialize": "serialization", "deserialize": "deserialization"}
BYTES = {"memory-read": "total_bytes_memory_read", "disk-read": "disk_read_bytes", "disk-write": "disk_write_bytes"}


def sum_activities(span_metrics, processor_name):
    """Returns {(whose, activity): seconds} and {activity: bytes}. whose is processor, overhead or all."""
    times, sizes = {}, {}
    for key, value in span_metrics.items():
        if not isinstance(key, tuple) or len(key) < 3:
            continue
        prefix, activity = key[1], key[2]
        unit = key[3] if len(key) > 3 else None
        if activity in ("thread-cpu", "thread-noncpu"):
            whose = "processor" if processor_name is None or prefix == processor_name else "overhead"
            times[whose, activity] = times.get((whose, activity), 0.0) + value
        elif activity in TIMES:
            times["all", activity] = times.get(("all", activity), 0.0) + value
        elif activity in BYTES and unit == "bytes":
            sizes[activity] = sizes.get(activity, 0) + value
    return times, sizes


def aggregate_spans(span_metrics, processor_name=None):
    """Returns metrics of activities; {} without metrics of a span."""
    if not span_metrics:
        return {}
    times, sizes = sum_activities(span_metrics, processor_name)
    metrics = {}
    for whose in "processor", "overhead":
        metrics[f"{whose}_cpu_time_seconds"] = times.get((whose, "thread-cpu"), 0.0)
        metrics[f"{whose}_io_wait_time_seconds"] = times.get((whose, "thread-noncpu"), 0.0)
    cpu, wait = metrics["processor_cpu_time_seconds"], metrics["processor_io_wait_time_seconds"]
    metrics["processor_cpu_percent"] = 100 * cpu / (cpu + wait) if cpu + wait > 0 else 0.0
    metrics["processor_io_wait_percent"] = 100 * wait / (cpu + wait) if cpu + wait > 0 else 0.0
    for activity, name in BYTES.items():
        metrics[name] = sizes.get(activity, 0)
    for activity, name in TIMES.items():
        metrics[f"{name}_time_seconds"] = times.get(("all", activity), 0.0)
    metrics["total_compression_overhead_seconds"] = metrics["compression_time_seconds"] + metrics["decompression_time_seconds"]
    metrics["total_serialization_overhead_seconds"] = metrics["serialization_time_seconds"] + metrics["deserialization_time_seconds"]
    return metrics
