# SPDX-License-Identifier: BSD-3-Clause
"""roastcoffea's names and metrics, for scripts that change their imports: see docs/migrating.md.

Use `from roast.coffea import MetricsAggregator` instead of `from roastcoffea.aggregation import MetricsAggregator`. NOTES lists misleading
metrics and the alternatives in roast's own report.
"""

from roast._sections import BaseInstrumentationContext, track_bytes, track_memory, track_section, track_time
from roast.coffea._aggregate import NOTES, MetricsAggregator, get_parser
from roast.coffea._collector import MetricsCollector
from roast.coffea._dask import AbstractMetricsBackend, DaskMetricsBackend
from roast.coffea._measurements import load_measurement, save_measurement
from roast.coffea._plot_chunks import (
    plot_branch_access_per_chunk,
    plot_bytes_accessed_per_chunk,
    plot_runtime_distribution,
    plot_runtime_vs_events,
)
from roast.coffea._plot_files import plot_compression_ratio_distribution, plot_data_access_percentage
from roast.coffea._plot_summary import plot_efficiency_summary, plot_resource_utilization
from roast.coffea._plot_tasks import (
    extract_per_task_metrics,
    plot_per_task_bytes_read,
    plot_per_task_cpu_io,
    plot_per_task_overhead,
)
from roast.coffea._plot_throughput import plot_throughput_timeline
from roast.coffea._plot_workers import (
    plot_cpu_utilization_mean_timeline,
    plot_cpu_utilization_per_worker_timeline,
    plot_executing_tasks_timeline,
    plot_memory_utilization_mean_timeline,
    plot_memory_utilization_per_worker_timeline,
    plot_memory_utilization_timeline,
    plot_occupancy_timeline,
    plot_total_active_tasks_timeline,
    plot_worker_activity_timeline,
    plot_worker_count_timeline,
)
from roast.coffea._records import track_metrics
from roast.coffea._tables import (
    format_chunk_metrics_table,
    format_event_processing_table,
    format_fine_metrics_table,
    format_resources_table,
    format_throughput_table,
    format_timing_table,
    print_summary,
)

__all__ = [
    "NOTES",
    "AbstractMetricsBackend",
    "BaseInstrumentationContext",
    "DaskMetricsBackend",
    "MetricsAggregator",
    "MetricsCollector",
    "extract_per_task_metrics",
    "format_chunk_metrics_table",
    "format_event_processing_table",
    "format_fine_metrics_table",
    "format_resources_table",
    "format_throughput_table",
    "format_timing_table",
    "get_parser",
    "load_measurement",
    "plot_branch_access_per_chunk",
    "plot_bytes_accessed_per_chunk",
    "plot_compression_ratio_distribution",
    "plot_cpu_utilization_mean_timeline",
    "plot_cpu_utilization_per_worker_timeline",
    "plot_data_access_percentage",
    "plot_efficiency_summary",
    "plot_executing_tasks_timeline",
    "plot_memory_utilization_mean_timeline",
    "plot_memory_utilization_per_worker_timeline",
    "plot_memory_utilization_timeline",
    "plot_occupancy_timeline",
    "plot_per_task_bytes_read",
    "plot_per_task_cpu_io",
    "plot_per_task_overhead",
    "plot_resource_utilization",
    "plot_runtime_distribution",
    "plot_runtime_vs_events",
    "plot_throughput_timeline",
    "plot_total_active_tasks_timeline",
    "plot_worker_activity_timeline",
    "plot_worker_count_timeline",
    "print_summary",
    "save_measurement",
    "track_bytes",
    "track_memory",
    "track_metrics",
    "track_section",
    "track_time",
]
