#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The plots of roast.coffea show the numbers that were measured: what is drawn is read back from the axes."""

import datetime
import inspect
import logging
import math
import os
import pathlib
import statistics
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import roast.coffea
from golden import load_case
from roast.coffea import MetricsAggregator

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import dates, pyplot
except ImportError:
    matplotlib = None

PLOTS = sorted(name for name in roast.coffea.__all__ if name.startswith("plot_"))
START = datetime.datetime(2026, 1, 2, 3, 4, 5)
# What a plot is of, by the name of its first argument, in a case that has it.
SOURCES = {"tracking_data": "tracking_data", "span_metrics": "raw_span_metrics", "chunk_metrics": "raw_chunk_metrics", "chunk_info": "chunk_info"}
# With PLOTS=DIRECTORY the pictures are kept there, to be looked at.
KEPT = os.environ.get("PLOTS")


def at(seconds):
    return START + datetime.timedelta(seconds=seconds)


def to_seconds(xdata):
    """Times on an axis, after START."""
    numbers = [x if isinstance(x, datetime.datetime) else dates.num2date(x).replace(tzinfo=None) for x in xdata]
    return [round((when - START).total_seconds(), 3) for when in numbers]


def get_lines(ax):
    return {line.get_label(): (to_seconds(line.get_xdata()), list(line.get_ydata())) for line in ax.get_lines()}


def get_heights(ax, label=None):
    """Heights of bars: of all, or of those with a label."""
    bars = [bar for container in ax.containers if label is None or container.get_label() == label for bar in container]
    return [bar.get_height() for bar in bars]


class PlotTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if matplotlib is None:
            raise unittest.SkipTest("there is no matplotlib")
        if cls is not TestAll:
            # To make room for labels takes most of the time, and what is drawn stays the same.
            layout = unittest.mock.patch("matplotlib.figure.Figure.tight_layout")
            layout.start()
            cls.addClassCleanup(layout.stop)

    def tearDown(self):
        pyplot.close("all")

    def close(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for one, other in zip(found, expected):
            self.assertTrue(math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12), (found, expected))


class TestMissing(unittest.TestCase):
    def test_no_matplotlib(self):
        """The error says what to install. Importing the package needs nothing."""
        with unittest.mock.patch.dict(sys.modules, {"matplotlib": None, "matplotlib.pyplot": None}):
            for name in PLOTS:
                with self.subTest(name), self.assertRaisesRegex(ImportError, "python3-matplotlib.*pip install matplotlib"):
                    roast.coffea._figures.import_pyplot()
            with self.assertRaisesRegex(ImportError, "python3-matplotlib"):
                roast.coffea.plot_worker_count_timeline({"worker_counts": {START: 1}})

    def test_nothing(self):
        """Without data there is an error, and no empty picture."""
        self.assertEqual(len(PLOTS), 22)
        for name in PLOTS:
            plot = getattr(roast.coffea, name)
            for nothing in {}, {"worker_counts": {}, "worker_memory": {"a": []}, "worker_cpu": {"a": [(START, None)]}}:
                with self.subTest(name), self.assertRaises(ValueError):
                    plot([] if "chunk_metrics" in inspect.signature(plot).parameters else nothing if name != "plot_throughput_timeline" else {})


class TestAll(PlotTest):
    def test_golden(self):
        """Each plot of a whole measurement: signature, size, title, file."""
        arguments, _ = load_case("chunks-full")
        metrics = MetricsAggregator().aggregate(**arguments)
        with tempfile.TemporaryDirectory() as directory:
            for name in PLOTS:
                plot = getattr(roast.coffea, name)
                parameters = list(inspect.signature(plot).parameters.values())
                first = parameters[0].name
                path = pathlib.Path(KEPT or directory) / f"{name}.png"
                options = {"output_path": path, "figsize": (7, 5)}
                if "title" in inspect.signature(plot).parameters:
                    options["title"] = "Mine"
                with self.subTest(name):
                    data = metrics[SOURCES[first]] if first in SOURCES else metrics
                    # Thousands of bars take seconds.
                    fig, ax = plot(data[:100] if first == "chunk_metrics" else data, **options)
                    self.assertEqual(list(fig.get_size_inches()), [7, 5])
                    self.assertEqual(ax.get_title(), options.get("title") or ax.get_title())
                    self.assertTrue(ax.get_title() and ax.get_ylabel())
                    self.assertTrue(path.read_bytes().startswith(b"\x89PNG"))
                pyplot.close("all")


class TestWorkers(PlotTest):
    def test_counts(self):
        """Steps: a worker is there or it is not."""
        counts = {at(2): 3, at(0): 1, at(1): 2}
        _, ax = roast.coffea.plot_worker_count_timeline({"worker_counts": counts})
        (line,) = ax.get_lines()
        self.assertEqual((to_seconds(line.get_xdata()), list(line.get_ydata())), ([0, 1, 2], [1, 2, 3]))
        self.assertEqual(line.get_drawstyle(), "steps-post")
        self.assertEqual(ax.get_ylim()[0], 0)

    def test_memory(self):
        """Percent of the limit at that time. A worker without a limit has no percentage, rather than 0."""
        tracking = {
            "worker_memory": {"a": [(at(0), 1e9), (at(1), 3e9)], "b": [(at(0), 2e9), (at(1), 2e9), (at(2), None)], "c": [(at(0), 5e9)]},
            "worker_memory_limit": {"a": [(at(0), 4e9)], "b": [(at(0), 8e9), (at(1), 4e9)], "c": [(at(0), 0)]},
        }
        _, ax = roast.coffea.plot_memory_utilization_per_worker_timeline(tracking)
        self.assertEqual(get_lines(ax), {"a": ([0, 1], [25, 75]), "b": ([0, 1], [25, 50])})
        _, ax = roast.coffea.plot_memory_utilization_mean_timeline(tracking)
        self.assertEqual(get_lines(ax), {"Mean": ([0, 1], [25, 62.5])})
        (band,) = ax.collections
        self.assertEqual(sorted({(to_seconds([x])[0], y) for x, y in band.get_paths()[0].vertices}), [(0, 25), (1, 50), (1, 75)])
        self.assertEqual(ax.get_ylim(), (0, 100))
        self.assertIs(roast.coffea.plot_memory_utilization_timeline, roast.coffea.plot_memory_utilization_mean_timeline)

    def test_golden_memory(self):
        """Workers come and go, each is in the mean while it is there."""
        tracking = load_case("churn-heterogeneous")[0]["tracking_data"]
        limits = {worker: dict(points) for worker, points in tracking["worker_memory_limit"].items()}
        shares = {}
        for worker, points in tracking["worker_memory"].items():
            for when, value in points:
                shares.setdefault(when, []).append(100 * value / limits[worker][when])
        _, ax = roast.coffea.plot_memory_utilization_mean_timeline(tracking)
        (line,) = ax.get_lines()
        self.assertEqual(list(line.get_xdata()), sorted(shares))
        self.close(list(line.get_ydata()), [statistics.fmean(values) for _, values in sorted(shares.items())])

    def test_cpu(self):
        """More than one core's worth is on the picture."""
        tracking = {"worker_cpu": {"a": [(at(0), 390.0), (at(1), 10.0)], "b": [(at(1), 20.0)]}}
        for plot in roast.coffea.plot_cpu_utilization_mean_timeline, roast.coffea.plot_cpu_utilization_per_worker_timeline:
            _, ax = plot(tracking)
            self.assertEqual(ax.get_ylim()[0], 0)
            self.assertGreater(ax.get_ylim()[1], 390)
        self.assertEqual(get_lines(ax), {"a": ([0, 1], [390, 10]), "b": ([1], [20])})

    def test_tasks(self):
        """Times of workers may differ: a value holds until the next, and a worker is gone after its last."""
        tracking = {"worker_active_tasks": {"a": [(at(0), 4), (at(2), 6)], "b": [(at(1), 1), (at(3), 2), (at(4), 3)]}}
        _, ax = roast.coffea.plot_total_active_tasks_timeline(tracking)
        (line,) = ax.get_lines()
        self.assertEqual((to_seconds(line.get_xdata()), list(line.get_ydata())), ([0, 1, 2, 3, 4], [4, 5, 7, 2, 3]))
        for name, field in ("worker_activity", "active_tasks"), ("executing_tasks", "executing"), ("occupancy", "occupancy"):
            plot = getattr(roast.coffea, f"plot_{name}_timeline")
            series = {f"w{number}": [(at(0), number), (at(1), number + 1)] for number in range(3)}
            _, ax = plot({f"worker_{field}": series})
            self.assertEqual(get_lines(ax), {f"w{number}": ([0, 1], [number, number + 1]) for number in range(3)})
            self.assertEqual([text.get_text() for text in ax.get_legend().get_texts()], ["w0", "w1", "w2"])
            _, ax = plot({f"worker_{field}": series}, max_legend_entries=2)
            self.assertIsNone(ax.get_legend())
            self.assertEqual([text.get_text() for text in ax.texts], ["Showing 3 workers"])


class TestThroughput(PlotTest):
    def get_steps(self, ax):
        """[(seconds since the first, Gbps until the next)]: the upper edge of the area."""
        (area,) = ax.collections
        found = {}
        for x, y in area.get_paths()[0].vertices:
            found.setdefault(x * 86400, []).append(y)
        first = min(found)
        return [(x - first, ys) for x, ys in sorted(found.items())]

    def measure_area(self, ax):
        (area,) = ax.collections
        points = area.get_paths()[0].vertices
        return abs(sum(one[0] * two[1] - two[0] * one[1] for one, two in zip(points - points[0], (points - points[0])[1:]))) / 2 * 86400

    def test_rates(self):
        """Short chunks count as much as their bytes; where one ends and the next begins they are not added."""
        first = START.replace(tzinfo=datetime.timezone.utc).timestamp()
        info = {("f", 0, 1): (first, first + 10, 10e9 / 8), ("f", 1, 2): (first + 10, first + 11, 4e9 / 8), ("f", 2, 3): (first + 20, None, 5)}
        _, ax = roast.coffea.plot_throughput_timeline(info, {"worker_counts": {at(0): 1, at(5): 3}})
        heights = {round(x): {round(y, 9) for y in ys} for x, ys in self.get_steps(ax)}
        self.assertEqual(heights, {0: {0, 1}, 10: {1, 4, 0}, 11: {4, 0}})
        self.assertAlmostEqual(self.measure_area(ax), 14, places=3)
        (other,) = [axes for axes in ax.figure.axes if axes is not ax]
        (line,) = other.get_lines()
        self.assertEqual((to_seconds(line.get_xdata()), list(line.get_ydata())), ([0, 5], [1, 3]))

    def test_area(self):
        """The area is what was read, also if there are more chunks than pixels."""
        metrics = MetricsAggregator().aggregate(**load_case("chunks-full")[0])
        total = sum(size for _, _, size in metrics["chunk_info"].values()) * 8 / 1e9
        _, ax = roast.coffea.plot_throughput_timeline(metrics["chunk_info"])
        self.assertTrue(math.isclose(self.measure_area(ax), total, rel_tol=1e-3), (self.measure_area(ax), total))
        (area,) = ax.collections
        self.assertLess(len(area.get_paths()[0].vertices), 4 * 2500)

    def test_other_zone(self):
        """Times of workers that cannot be those of the chunks are not drawn, and that is said."""
        info = {("f", 0, 1): (1e9, 1e9 + 10, 100)}
        with self.assertLogs("roast.coffea", logging.WARNING) as logs:
            fig, _ = roast.coffea.plot_throughput_timeline(info, {"worker_counts": {START: 1}})
        self.assertIn("number of workers is not drawn", logs.output[0])
        self.assertEqual(len(fig.axes), 1)


class TestChunks(PlotTest):
    CHUNKS = [
        {"duration": 1.0, "num_events": 10, "num_branches_accessed": 4, "accessed_bytes": 8e6, "accessed_uncompressed_bytes": 16e6},
        {"duration": 2.0, "num_events": 20, "num_branches_accessed": 6, "accessed_bytes": 8e6, "accessed_uncompressed_bytes": 16e6},
        {"duration": 6.0, "num_events": 60},
        {"duration": 0.0, "num_events": 0, "error": "KeyError"},
        {"num_events": 70},
    ]

    def test_runtime(self):
        """Chunks that failed, or have no time, are not drawn as ones of 0 s."""
        _, ax = roast.coffea.plot_runtime_distribution(self.CHUNKS, bins=5)
        self.assertEqual([patch.get_height() for patch in ax.patches], [1, 1, 0, 0, 1])
        self.assertEqual([list(line.get_xdata())[0] for line in ax.get_lines()], [3, 2])
        golden = load_case("chunks-full")[0]["chunk_metrics"]
        _, ax = roast.coffea.plot_runtime_distribution(golden)
        self.assertEqual(sum(patch.get_height() for patch in ax.patches), sum("error" not in chunk for chunk in golden))

    def test_events(self):
        _, ax = roast.coffea.plot_runtime_vs_events(self.CHUNKS)
        (dots,) = ax.collections
        self.assertEqual(dots.get_offsets().tolist(), [[10, 1], [20, 2], [60, 6]])
        (line,) = ax.get_lines()
        self.close(list(line.get_xdata()), [10, 60])
        self.close(list(line.get_ydata()), [1, 6])
        _, ax = roast.coffea.plot_runtime_vs_events([{"duration": 1.0, "num_events": 5}, {"duration": 2.0, "num_events": 5}])
        self.assertEqual(len(ax.get_lines()), 0)

    def test_branches(self):
        _, ax = roast.coffea.plot_branch_access_per_chunk(self.CHUNKS)
        self.assertEqual(get_heights(ax), [4, 6])
        self.assertEqual(list(ax.get_lines()[0].get_ydata())[0], 5)

    def test_bytes(self):
        """What a chunk needed, if that is known; the size of whole branches otherwise."""
        _, ax = roast.coffea.plot_bytes_accessed_per_chunk(self.CHUNKS)
        self.assertEqual(get_heights(ax, "Compressed (on-disk)"), [8, 8])
        self.assertEqual(get_heights(ax, "Uncompressed (in-memory)"), [16, 16])
        _, ax = roast.coffea.plot_bytes_accessed_per_chunk([{"needed_bytes": 3e6, **self.CHUNKS[0]}, {"needed_bytes": 5e6, **self.CHUNKS[1]}])
        self.assertEqual(get_heights(ax, "Compressed (on-disk)"), [3, 5])
        self.assertEqual(get_heights(ax, "Uncompressed (in-memory)"), [])

    def test_files(self):
        metrics = {"compression_ratios": [0.2, 0.3, 0.4], "bytes_read_percent_per_file": [10, 20, 60]}
        for plot, values in (
            (roast.coffea.plot_compression_ratio_distribution, metrics["compression_ratios"]),
            (roast.coffea.plot_data_access_percentage, metrics["bytes_read_percent_per_file"]),
        ):
            _, ax = plot(metrics, bins=2)
            self.assertEqual(sum(patch.get_height() for patch in ax.patches), 3)
            self.close([list(line.get_xdata())[0] for line in ax.get_lines()], [statistics.fmean(values), statistics.median(values)])


class TestTasks(PlotTest):
    def setUp(self):
        self.span = load_case("spans-processor")[0]["span_metrics"]

    def get(self, prefix, activity, unit="seconds"):
        return self.span.get(("execute", prefix, activity, unit), 0)

    def test_bars(self):
        _, ax = roast.coffea.plot_per_task_cpu_io(self.span)
        names = [text.get_text() for text in ax.get_xticklabels()]
        self.assertGreaterEqual(len(names), 3)
        self.close(get_heights(ax, "CPU Time"), [self.get(name, "thread-cpu") for name in names])
        self.close(get_heights(ax, "I/O Time"), [self.get(name, "thread-noncpu") for name in names])
        _, ax = roast.coffea.plot_per_task_bytes_read(self.span)
        self.close(get_heights(ax), [self.get(text.get_text(), "disk-read", "bytes") / 1e9 for text in ax.get_xticklabels()])
        _, ax = roast.coffea.plot_per_task_overhead(self.span)
        names = [text.get_text() for text in ax.get_xticklabels()]
        for label in "Decompress", "Compress", "Deserialize", "Serialize":
            self.close(get_heights(ax, label), [self.get(name, label.lower()) for name in names])
        tops = [bar.get_y() + bar.get_height() for container in ax.containers if container.get_label() == "Compress" for bar in container]
        self.close(tops, [self.get(name, "compress") + self.get(name, "decompress") for name in names])

    def test_units(self):
        """Bytes stay bytes in whichever order Dask has them."""
        keys = [("execute", "P", "disk-read", unit) for unit in ("bytes", "seconds", "count")]
        for order in keys, keys[::-1]:
            values = dict(zip(keys, (2e9, 5.0, 7)))
            tasks = roast.coffea.extract_per_task_metrics({key: values[key] for key in order})
            self.assertEqual(tasks, {"P": {"disk-read": 2e9}})
        seconds = {("execute", "P", "disk-read", "seconds"): 5.0, ("execute", "N/A", "disk-read", "bytes"): 5, ("get-data", "disk-read", "bytes"): 1}
        with self.assertRaisesRegex(ValueError, "No per-task disk-read"):
            roast.coffea.plot_per_task_bytes_read(seconds)


class TestSummary(PlotTest):
    def test_axes(self):
        """Each unit has its axis."""
        fig, ax = roast.coffea.plot_efficiency_summary({"core_efficiency": 0.25, "speedup_factor": 32.0})
        self.assertEqual([get_heights(axes) for axes in fig.axes], [[25], [32]])
        self.assertEqual([axes.get_ylabel() for axes in fig.axes], ["Core Efficiency (%)", "Speedup Factor"])
        fig, ax = roast.coffea.plot_resource_utilization({"avg_workers": 3.5, "total_cores": 8.0, "peak_memory_bytes": 2.5e9})
        self.assertEqual([get_heights(axes) for axes in fig.axes], [[3.5, 8], [2.5]])
        self.assertEqual([text.get_text() for text in ax.get_xticklabels()], ["Avg Workers", "Total Cores", "Peak Memory of One Worker"])
        fig, ax = roast.coffea.plot_efficiency_summary({"core_efficiency": None, "speedup_factor": 2.0})
        self.assertEqual((get_heights(ax), ax.get_ylabel()), ([2], "Speedup Factor"))


if __name__ == "__main__":
    unittest.main()
