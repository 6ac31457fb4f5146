#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""MetricsCollector of roast.coffea beside a real cluster of Dask. It runs in a Python that has Dask."""

import logging
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python"))
from distributed import Client, LocalCluster, wait
from roast.coffea import DaskMetricsBackend, MetricsCollector, load_measurement, print_summary, track_memory, track_metrics, track_time

KEY = "__roastcoffea_metrics__"


class Events:
    """What coffea gives a processor, as far as the decorator looks."""

    def __init__(self, number, metadata):
        self.metadata = metadata
        self.number = number

    def __len__(self):
        return self.number


class Processor:
    @track_metrics
    def process(self, events):
        with track_time(self, "fit"), track_memory(self, "memory"):
            begun = time.thread_time()
            while time.thread_time() < begun + 0.02:
                pass
        with track_time(self, "fit"):
            pass
        if len(events) == 13:
            raise KeyError("unlucky")
        return {"events": len(events), "cpu": time.thread_time() - begun}


class Plain:
    def process(self, events):
        return {"events": len(events)}


class Slots:
    __slots__ = ()

    @track_metrics
    def process(self, events):
        return {"events": len(events)}


def make_events(number, dataset="a"):
    return Events(number, {"dataset": dataset, "filename": "f.root", "entrystart": 0, "entrystop": number, "fileuuid": "u"})


def merge(outputs):
    merged = {}
    for output in outputs:
        for name, value in output.items():
            merged[name] = merged[name] + value if name in merged else value
    return merged


class TestRecords(unittest.TestCase):
    def test_decorator(self):
        processor = Processor()
        self.assertNotIn(KEY, processor.process(make_events(5)))
        with MetricsCollector(None, processor_instance=processor) as collector:
            copy = pickle.loads(pickle.dumps(processor))
            output = merge([processor.process(make_events(5)), copy.process(make_events(7, "b"))])
            with self.assertRaisesRegex(KeyError, "unlucky"):
                processor.process(make_events(13))
            collector.extract_metrics_from_output(output)
        self.assertEqual(sorted(output), ["cpu", "events"])
        self.assertNotIn(KEY, processor.process(make_events(5)))
        self.assertEqual(processor.__dict__, {})
        first, second = collector.chunk_metrics
        self.assertEqual([first["num_events"], second["num_events"]], [5, 7])
        self.assertEqual([first["dataset"], first["file"], first["uuid"], first["entry_stop"]], ["a", "f.root", "u", 5])
        self.assertGreaterEqual(first["timing"]["fit"], 0.02)
        self.assertGreaterEqual(first["duration"], first["timing"]["fit"])
        self.assertIn("memory", first["memory"])
        metrics = collector.get_metrics()
        self.assertEqual(metrics["num_chunks"], 2)
        self.assertEqual(metrics["total_events_from_chunks"], 12)
        self.assertEqual(metrics["sections"]["fit"]["count"], 2)

    def test_odd_results(self):
        """Results and events that are not what they should be pass unchanged."""

        class Odd:
            @track_metrics
            def process(self, events):
                return events

        shared = {"a": 1}
        with MetricsCollector(None, processor_instance=(odd := Odd())):
            for value in (None, [1], "x", 5):
                self.assertEqual(odd.process(value), value)
            self.assertIn(KEY, odd.process(shared))
            self.assertEqual(shared, {"a": 1})

    def test_own_flag(self):
        """Records and their sections without a collector, for a class that says so."""

        class Flagged(Processor):
            _roastcoffea_collect_metrics = True

        (record,) = Flagged().process(make_events(5))[KEY]
        self.assertGreaterEqual(record["timing"]["fit"], 0.02)
        self.assertGreaterEqual(record["timestamp"], record["t_start"] + 0.02)

    def test_no_list(self):
        """What is no list of records stays where it is, and that is said."""
        collector, output = MetricsCollector(None), {KEY: "other"}
        with self.assertLogs("roast.coffea", logging.WARNING) as logs:
            collector.extract_metrics_from_output(output)
        self.assertIn("not a list", logs.output[0])
        self.assertEqual((output, collector.chunk_metrics), ({KEY: "other"}, []))

    def test_others(self):
        """Processors that are not decorated, or take no attributes."""
        for processor in Plain(), Slots():
            logging.disable()
            with MetricsCollector(None, processor_instance=processor):
                self.assertEqual(processor.process(make_events(5)), {"events": 5})
            logging.disable(logging.NOTSET)

    def test_threads(self):
        """Records of threads that share a processor are their own."""
        processor, outputs = Processor(), []
        with MetricsCollector(None, processor_instance=processor):
            numbers = list(range(20, 28))
            threads = [threading.Thread(target=lambda n=n: outputs.append(processor.process(make_events(n)))) for n in numbers]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        records = merge(outputs)[KEY]
        self.assertEqual(sorted(record["num_events"] for record in records), numbers)
        self.assertTrue(all(record["timing"]["fit"] >= 0.02 for record in records))


class TestCluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=":0")
        cls.client = Client(cls.cluster)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.cluster.close()

    def run_chunks(self, processor, number=20):
        events = [make_events(20 + index) for index in range(number)]
        futures = [self.client.submit(processor.process, chunk, key=f"{type(processor).__name__}-{id(events)}-{chunk.number}") for chunk in events]
        return merge(self.client.gather(futures))

    def test_collector(self):
        for _ in range(5):  # what a heartbeat has not brought yet is waited for
            processor = Processor()
            with MetricsCollector(self.client, processor_instance=processor, worker_tracking_interval=0.1) as collector:
                output = self.run_chunks(processor)
                collector.extract_metrics_from_output(output)
            collector.set_coffea_report({"bytesread": 1000, "entries": output["events"], "processtime": 0.4, "chunks": 20})
            metrics = collector.get_metrics()
            self.assertEqual(metrics["num_chunks"], 20)
            self.assertEqual(metrics["total_events"], sum(range(20, 40)))
            self.assertEqual(metrics["total_events_from_chunks"], metrics["total_events"])
            self.assertEqual(metrics["peak_workers"], 2)
            self.assertEqual(metrics["total_cores"], 4)
            self.assertGreater(metrics["peak_memory_bytes"], 0)
            self.assertEqual(metrics["wall_time"], metrics["elapsed_time_seconds"])
            if collector.backend.supports_fine_metrics():
                # The task is the chunk and little else.
                self.assertGreaterEqual(metrics["processor_cpu_time_seconds"], 0.99 * output["cpu"])
                self.assertEqual(metrics["overhead_cpu_time_seconds"], 0)
        with tempfile.TemporaryDirectory() as directory:
            loaded, start, end = load_measurement(collector.save_measurement(directory, "a"))
            self.assertEqual((start, end), (collector.t_start, collector.t_end))
            self.assertEqual(loaded["tracking_data"], metrics["tracking_data"])
            self.assertEqual(loaded.get("raw_span_metrics"), metrics.get("raw_span_metrics"))
        print_summary(metrics)

    def test_exception(self):
        """It passes, and what was measured is there."""
        with self.assertRaisesRegex(KeyError, "mine"):
            with MetricsCollector(self.client) as collector:
                self.run_chunks(Plain(), 2)
                raise KeyError("mine")
        self.assertEqual(collector.get_metrics()["peak_workers"], 2)

    def test_executor(self):
        """MetricsCollector(executor, output_dir) saves; an executor without Dask has no workers."""

        class Executor:
            client = self.client

        with tempfile.TemporaryDirectory() as directory:
            for executor, workers in (Executor(), 2), (object(), None):
                with MetricsCollector(executor, directory) as collector:
                    collector.set_coffea_report({"bytesread": 8, "entries": 5})
                loaded, _, _ = load_measurement(collector.measurement_path)
                self.assertEqual(loaded["total_events"], 5)
                self.assertEqual(loaded.get("peak_workers"), workers)

    def test_nested(self):
        """Collectors do not disturb each other, and leave nothing in the scheduler."""
        with MetricsCollector(self.client, worker_tracking_interval=0.05) as outer:
            for _ in range(3):
                with MetricsCollector(self.client, worker_tracking_interval=0.05) as inner:
                    wait(self.client.submit(time.sleep, 0.2, pure=False))
                self.assertGreaterEqual(len(inner.tracking_data["worker_counts"]), 2)
        self.assertGreater(len(outer.tracking_data["worker_counts"]), len(inner.tracking_data["worker_counts"]))
        self.assertFalse([thread for thread in threading.enumerate() if thread.name == "roast-workers"])

    def test_closed(self):
        """A cluster that is gone takes nothing with it but the numbers."""
        cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0")
        client = Client(cluster)
        logging.disable()
        with MetricsCollector(client) as collector:
            client.close()
            cluster.close()
        logging.disable(logging.NOTSET)
        self.assertEqual(collector.get_metrics()["peak_workers"], 1)

    def test_foreign_scheduler(self):
        """A scheduler that does not have roast."""
        script = "import time; from distributed import LocalCluster; c = LocalCluster(n_workers=1, dashboard_address=':0'); " \
                 "print(c.scheduler_address, flush=True); time.sleep(1000)"
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
            self.addCleanup(process.kill)
            with Client(process.stdout.readline().strip()) as client:
                backend = DaskMetricsBackend(client)
                backend.start_tracking(0.1)
                span = backend.create_span("x") if backend.supports_fine_metrics() else None
                if span is not None:
                    with span:
                        client.submit(sum, [1, 2], key="x-1").result()
                    self.assertIn("x", {key[1] for key in backend.get_span_metrics(span)})
                self.assertEqual(list(backend.stop_tracking()["worker_counts"].values())[-1], 1)
            process.terminate()


if __name__ == "__main__":
    unittest.main()
