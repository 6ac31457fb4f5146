# SPDX-License-Identifier: BSD-3-Clause
"""Computes metrics of a whole workflow from the report that coffea's Runner returns with savemetrics."""


def divide(numerator, denominator, otherwise=0):
    return numerator / denominator if denominator > 0 else otherwise


def read_datasets(report, custom_metrics, elapsed):
    """Returns {dataset: (events, seconds, bytes)}. Ignores a report without bytesread, as roastcoffea does (see docs/migrating.md)."""
    if custom_metrics:
        return {
            name: (
                values.get("entries", 0),
                values.get("duration", 0),
                values.get("performance_counters", {}).get("num_requested_bytes", 0),
            )
            for name, values in custom_metrics.items()
            if isinstance(values, dict)
        }
    if not report or "bytesread" not in report:
        return {}
    return {"total": (report.get("entries", 0), report.get("processtime", elapsed), report["bytesread"])}


def aggregate_workflow(report, t_start, t_end, custom_metrics=None):
    report = report or {}
    elapsed = t_end - t_start
    datasets = read_datasets(report, custom_metrics, elapsed).values()
    events = sum(events for events, _, _ in datasets)
    seconds = sum(seconds for _, seconds, _ in datasets)
    size = sum(size for _, _, size in datasets)
    chunks = report.get("chunks", 0)
    return {
        "data_rate_gbps": divide(size * 8 / 1e9, elapsed),
        "total_events": events,
        "event_rate_elapsed_khz": divide(events / 1000, elapsed),
        "event_rate_cpu_total_khz": divide(events / 1000, seconds),
        "elapsed_time_seconds": elapsed,
        "total_cpu_time": seconds,
        "num_chunks": chunks,
        "avg_cpu_time_per_chunk": divide(seconds, chunks),
        "total_bytes_read": size,
    }


def aggregate_efficiency(metrics):
    """Computes metrics from workflow and worker metrics. As in roastcoffea, “CPU time” is the wall-clock time of process()."""
    elapsed = metrics["elapsed_time_seconds"]
    seconds = metrics["total_cpu_time"]
    cores = metrics.get("total_cores")
    found = {
        "core_efficiency": divide(seconds, cores * elapsed, 0.0) if cores else None,
        "speedup_factor": divide(seconds, elapsed, 0.0),
        "event_rate_core_khz": divide((metrics.get("total_events") or 0) / 1000, elapsed * cores, 0.0) if cores else None,
    }
    return found
