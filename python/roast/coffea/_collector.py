# SPDX-License-Identifier: BSD-3-Clause
"""roastcoffea's MetricsCollector."""

import logging
import time

from roast.coffea import _records, _tables
from roast.coffea._aggregate import MetricsAggregator
from roast.coffea._dask import DaskMetricsBackend
from roast.coffea._measurements import save_measurement

log = logging.getLogger("roast.coffea")

# Names that appear only in the documentation of roastcoffea and coffea-metrics: the name in the code, and the factor to the documented
# unit.
OLDER_NAMES = {
    "wall_time": ("elapsed_time_seconds", 1),
    "overall_rate_gbps": ("data_rate_gbps", 1),
    "overall_rate_mbs": ("data_rate_gbps", 1000 / 8),
    "overall_rate_mbps": ("data_rate_gbps", 1000 / 8),
    "event_rate_wall_khz": ("event_rate_elapsed_khz", 1),
    "event_rate_agg_khz": ("event_rate_cpu_total_khz", 1),
    "event_rate_core_hz": ("event_rate_core_khz", 1000),
    "bytes_read_compressed": ("total_bytes_read", 1),
    "total_bytes_read_coffea": ("total_bytes_read", 1),
    "total_bytes_memory_read_dask": ("total_bytes_memory_read", 1),
    "processor_noncpu_time_seconds": ("processor_io_wait_time_seconds", 1),
    "processor_cpu_percentage": ("processor_cpu_percent", 1),
    "processor_noncpu_percentage": ("processor_io_wait_percent", 1),
    "overhead_noncpu_time_seconds": ("overhead_io_wait_time_seconds", 1),
}


def find_client(executor):
    """Returns the Dask client: the argument itself or the client of a coffea executor; None for executors without a client."""
    if hasattr(executor, "run_on_scheduler"):
        return executor
    client = getattr(executor, "client", None)
    return client if hasattr(client, "run_on_scheduler") else None


def find_prefix(span_metrics, processor):
    """Returns Dask's task prefix of a processor: at most 50 characters of its class name, without leading underscores."""
    if processor is None:
        return None
    name = type(processor).__name__
    prefixes = {key[1] for key in span_metrics or () if isinstance(key, tuple) and len(key) > 2}
    for candidate in name, name.lstrip("_"), name[:50], name.lstrip("_")[:50]:
        if candidate in prefixes:
            return candidate
    return name


def list_sections(chunks):
    """Returns a section for each name in each record."""
    sections = []
    for chunk in chunks:
        changes = chunk.get("memory") or {}
        for name, seconds in (chunk.get("timing") or {}).items():
            section = {"name": name, "type": "time", "duration": seconds}
            if name in changes:
                section["mem_delta_mb"] = changes[name]
            sections.append(section)
        for name, change in changes.items():
            if name not in (chunk.get("timing") or {}):
                sections.append({"name": name, "type": "memory", "mem_delta_mb": change})
    return sections


class MetricsCollector:
    """Measures the code inside its context.

        with MetricsCollector(client, processor_instance=processor) as collector:
            output, report = runner(fileset, processor_instance=processor)
            collector.extract_metrics_from_output(output)
            collector.set_coffea_report(report)
        collector.print_summary()

    With `output_dir`, the measurement is saved when the context ends; `MetricsCollector(executor, "benchmarks")` does the same. Failures
    to measure are logged, and the program continues.
    """

    def __init__(
        self,
        client,
        backend="dask",
        track_workers=True,
        worker_tracking_interval=1.0,
        processor_instance=None,
        output_dir=None,
    ):
        if output_dir is None and find_client(client) is not client and backend != "dask":
            backend, output_dir = "dask", backend
        self.aggregator = MetricsAggregator(backend)
        self.client = find_client(client)
        self.backend = DaskMetricsBackend(self.client) if self.client is not None else None
        self.track_workers = track_workers
        self.worker_tracking_interval = worker_tracking_interval
        self.processor_instance = processor_instance
        self.output_dir = output_dir
        self.measurement_path = None
        self.tracking_data = self.span_metrics = self.coffea_report = self.custom_metrics = None
        self.chunk_metrics = []
        self.section_metrics = []
        self.t_start = self.t_end = None
        self.span = None

    def attempt(self, what, function, *args, **kwargs):
        """Calls function and logs its failure, since measuring must not disturb the program."""
        try:
            return function(*args, **kwargs)
        except Exception as error:
            log.warning("%s: %r", what, error)
            return None

    def __enter__(self):
        if self.processor_instance is not None and not _records.switch(self.processor_instance, True):
            log.warning("%s takes no attributes: its chunks are not recorded", type(self.processor_instance).__name__)
        if self.backend is not None:
            if self.track_workers:
                self.attempt("workers are not tracked", self.backend.start_tracking, self.worker_tracking_interval)
            if self.backend.supports_fine_metrics():
                self.span = self.attempt("tasks are not measured", self.enter_span)
        self.t_start = time.time()
        self.begun = time.perf_counter()
        return self

    def enter_span(self):
        return self.backend.create_span("coffea-processing").__enter__()

    def __exit__(self, kind, error, trace):
        self.t_end = self.t_start + time.perf_counter() - self.begun
        if self.processor_instance is not None:
            _records.switch(self.processor_instance, False)
        if self.span is not None:
            self.attempt("tasks are not measured", self.span.__exit__, None, None, None)
            self.span_metrics = self.attempt("tasks are not measured", self.backend.get_span_metrics, self.span)
            if self.span_metrics == {}:
                log.warning("no metrics were collected: no task ran in the context, or its workers did not report it")
        if self.backend is not None and self.track_workers:
            self.tracking_data = self.attempt("workers are not tracked", self.backend.stop_tracking)
        if self.output_dir is not None and kind is None:
            self.measurement_path = self.attempt("the measurement is not saved", self.save_measurement, self.output_dir)

    def set_coffea_report(self, report, custom_metrics=None):
        """Sets the report that coffea's Runner returns with savemetrics=True. May also be called after the context has ended."""
        self.coffea_report = report
        self.custom_metrics = custom_metrics

    def set_chunk_metrics(self, chunks):
        """Replaces the records of chunks."""
        self.chunk_metrics = list(chunks or ())

    def record_chunk_metrics(self, chunk):
        self.chunk_metrics.append(chunk)

    def record_section_metrics(self, section):
        self.section_metrics.append(section)

    def extract_metrics_from_output(self, output):
        """Removes the records from the runner's output and stores them. Returns the output."""
        found = output.get(_records.KEY) if isinstance(output, dict) else None
        if isinstance(found, list):
            self.chunk_metrics.extend(found)
            del output[_records.KEY]
        elif found is not None:
            log.warning("Metrics not a list: %s is a %s, and stays in the output", _records.KEY, type(found).__name__)
        return output

    @property
    def metrics(self):
        """The metrics; None until the context has ended."""
        return self.get_metrics() if self.t_end is not None else None

    def get_metrics(self):
        """Computes the metrics from the data so far: reports and records may be added after the context has ended."""
        if self.t_end is None:
            raise RuntimeError("there are no metrics before the context of the MetricsCollector has ended")
        metrics = self.aggregator.aggregate(
            coffea_report=self.coffea_report,
            tracking_data=self.tracking_data,
            t_start=self.t_start,
            t_end=self.t_end,
            custom_metrics=self.custom_metrics,
            span_metrics=self.span_metrics,
            processor_name=find_prefix(self.span_metrics, self.processor_instance),
            chunk_metrics=self.chunk_metrics,
            section_metrics=self.section_metrics or list_sections(self.chunk_metrics),
        )
        for name, (original, factor) in OLDER_NAMES.items():
            if metrics.get(original) is not None:
                metrics[name] = metrics[original] * factor
        return metrics

    def save_measurement(self, output_dir, measurement_name=None):
        return save_measurement(self.get_metrics(), self.t_start, self.t_end, output_dir, measurement_name)

    def print_summary(self):
        _tables.print_summary(self.get_metrics())
