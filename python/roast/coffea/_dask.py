# SPDX-License-Identifier: BSD-3-Clause
"""Collects samples of workers and metrics of spans from Dask."""

import abc
import contextlib
import datetime
import logging
import threading
import time

log = logging.getLogger("roast.coffea")

FIELDS = ("memory", "memory_limit", "active_tasks", "cores", "nbytes", "occupancy", "executing", "last_seen", "cpu")


class AbstractMetricsBackend(abc.ABC):
    """The interface of an executor that a collector needs."""

    @abc.abstractmethod
    def start_tracking(self, interval=1.0):
        """Starts sampling the workers every `interval` seconds."""

    @abc.abstractmethod
    def stop_tracking(self):
        """Returns the samples: {"worker_counts": {time: number}, "worker_memory": {worker: [(time, bytes), …]}, …}."""

    @abc.abstractmethod
    def create_span(self, name):
        """Returns a context manager. Tasks submitted inside it belong to the span."""

    @abc.abstractmethod
    def get_span_metrics(self, span_info):
        """Returns {(context, prefix, activity, unit): value} of a finished span."""

    @abc.abstractmethod
    def supports_fine_metrics(self):
        """Returns whether spans have metrics."""


def sample_workers(dask_scheduler):
    """Runs in the scheduler, which need not have roast. Values that a worker has not reported yet are None."""
    import time

    return time.time(), {
        address: (
            worker.metrics.get("memory"),
            worker.memory_limit,
            len(worker.processing),
            worker.nthreads,
            worker.nbytes,
            worker.occupancy,
            worker.metrics.get("executing"),
            worker.last_seen,
            worker.metrics.get("cpu"),
        )
        for address, worker in dask_scheduler.workers.items()
    }


def read_span(span_id, dask_scheduler):
    """Runs in the scheduler. Returns the time, the oldest last heartbeat of all workers, the heartbeat interval in s, and the metrics."""
    import time

    from distributed.scheduler import heartbeat_interval

    spans = dask_scheduler.extensions["spans"].spans
    heard = [worker.last_seen for worker in dask_scheduler.workers.values()]
    metrics = dict(spans[span_id].cumulative_worker_metrics) if span_id in spans else {}
    return time.time(), min(heard, default=None), heartbeat_interval(len(heard)), metrics


for function in sample_workers, read_span:
    function.__module__ = "__main__"  # makes pickle send the code instead of the module name


class Span:
    """A Dask span. Enter it only once."""

    def __init__(self, name):
        self.name = name
        self.id = None
        self.stack = contextlib.ExitStack()

    def __enter__(self):
        from distributed import span

        self.id = self.stack.enter_context(span(self.name))
        return self

    def __exit__(self, *error):
        self.stack.close()


class DaskMetricsBackend(AbstractMetricsBackend):
    """Samples workers from the client and leaves nothing in the scheduler."""

    def __init__(self, client):
        if client is None:
            raise ValueError("DaskMetricsBackend needs a Dask client, not None")
        self.client = client
        self.thread = None
        self.tracking = None

    def start_tracking(self, interval=1.0):
        if self.thread is not None:
            raise RuntimeError("the workers are tracked already")
        if getattr(self.client, "asynchronous", False):
            raise RuntimeError("an asynchronous client cannot be sampled")
        self.tracking = {"worker_counts": {}, **{f"worker_{field}": {} for field in FIELDS}}
        self.sample()
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.track, args=(interval,), name="roast-workers", daemon=True)
        self.thread.start()

    def track(self, interval):
        due = time.monotonic() + interval
        while not self.stopped.wait(max(0.0, due - time.monotonic())):
            try:
                self.sample()
            except Exception as error:  # the cluster may be gone: keep the samples so far
                log.debug("no sample of the workers: %r", error)
            due = max(due + interval, time.monotonic())

    def sample(self):
        now, workers = self.client.run_on_scheduler(sample_workers)
        when = datetime.datetime.fromtimestamp(now, datetime.timezone.utc).replace(tzinfo=None)
        self.tracking["worker_counts"][when] = len(workers)
        for address, values in workers.items():
            for field, value in zip(FIELDS, values):
                if value is not None:
                    self.tracking[f"worker_{field}"].setdefault(address, []).append((when, value))

    def stop_tracking(self):
        """Stops sampling. Returns the samples; None if nothing was tracked."""
        if self.thread is not None:
            self.stopped.set()
            self.thread.join()
            self.thread = None
            with contextlib.suppress(Exception):
                self.sample()
        tracking, self.tracking = self.tracking, None
        return tracking

    def create_span(self, name):
        return Span(name)

    def get_span_metrics(self, span_info, max_retries=None, retry_delay=0.1):
        """Returns the metrics of a span. Workers report with heartbeats, so waits until each has sent one since this call: for at most
        three heartbeat intervals and 2 s, or for `max_retries` retries."""
        span_id = getattr(span_info, "id", None)
        if span_id is None:
            return {}
        now, heard, interval, metrics = self.client.run_on_scheduler(read_span, span_id)
        since = now + 0.05  # ignore a heartbeat that was already on its way
        tries = max_retries if max_retries is not None else int((3 * interval + 2) / retry_delay)
        while heard is not None and heard < since and tries > 0:
            tries -= 1
            time.sleep(retry_delay)
            now, heard, interval, metrics = self.client.run_on_scheduler(read_span, span_id)
        if heard is not None and heard < since:
            log.warning("a worker sent nothing for %.1f s: the last tasks of the span may be missing", now - heard)
        return metrics

    def supports_fine_metrics(self):
        try:
            from distributed import span  # noqa: F401
        except ImportError:
            return False
        return True
