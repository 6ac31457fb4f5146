# SPDX-License-Identifier: BSD-3-Clause
"""Makes the dictionary of metrics of roastcoffea's MetricsAggregator, by its documented definitions."""

from roast.coffea._chunks import aggregate_chunks, aggregate_files
from roast.coffea._spans import aggregate_spans
from roast.coffea._workers import aggregate_workers
from roast.coffea._workflow import aggregate_efficiency, aggregate_workflow

NOTES = {
    "total_cpu_time": "wall-clock time of process(), waiting included; roast's report has chunk_thread_cpu_seconds",
    "core_efficiency": "wall-clock time of process() over all cores of every worker ever seen; roast's report has cpu_efficiency_ratio",
    "total_cores": "sum over every worker ever seen, even if not present at the same time; roast's report has worker_cores_average",
    "avg_workers": "interpolates linearly between samples; roast's report has workers_average, which uses steps",
    "speedup_factor": "wall-clock time of process() over elapsed time: concurrent chunks, not a speedup",
    "event_rate_cpu_total_khz": "events per second of wall-clock time in process(); roast's report has event_rate_thread_cpu_per_second",
    "event_rate_core_khz": "per core of every worker ever seen",
    "avg_memory_per_worker_bytes": "short-lived workers weigh as much as others; roast's report has a time-weighted average",
    "peak_memory_bytes": "the largest sample of a single worker, not of all workers together",
    "num_chunks": "failed chunks and repeated attempts included where there are records; roast's report has chunks_total",
    "processor_io_wait_time_seconds": "time in which the task's thread did not use CPU: includes locks, the GIL and sleep, not only I/O",
    "file_read_metrics": "of the first chunk of each file; roast's report has per_file",
}


class MetricsAggregator:
    """Combines all measurements into one dictionary. The backend must be "dask", the only backend of roastcoffea."""

    def __init__(self, backend="dask"):
        get_parser(backend)
        self.backend = backend

    def aggregate(
        self,
        coffea_report,
        tracking_data,
        t_start,
        t_end,
        custom_metrics=None,
        span_metrics=None,
        processor_name=None,
        chunk_metrics=None,
        section_metrics=None,
    ):
        """Adds workflow, workers, efficiency, spans, chunks and files in this order. Later entries replace earlier entries of the same
        name."""
        metrics = aggregate_workflow(coffea_report, t_start, t_end, custom_metrics)
        metrics.update(aggregate_workers(tracking_data))
        metrics.update(aggregate_efficiency(metrics))
        metrics.update(aggregate_spans(span_metrics, processor_name))
        metrics.update(aggregate_chunks(chunk_metrics, section_metrics))
        metrics.update(aggregate_files(chunk_metrics))
        metrics["tracking_data"] = tracking_data
        for name, raw in ("chunk", chunk_metrics), ("section", section_metrics), ("span", span_metrics):
            if raw:
                metrics[f"raw_{name}_metrics"] = raw
        return metrics


def get_parser(backend):
    """Returns the parser of a backend's worker and span metrics."""
    if backend != "dask":
        raise ValueError(f"Unsupported backend {backend!r}: roast.coffea has “dask”; roast-run --backend=… measures others")
    return DaskParser


class DaskParser:
    parse_tracking_data = staticmethod(aggregate_workers)
    parse_span_metrics = staticmethod(aggregate_spans)
