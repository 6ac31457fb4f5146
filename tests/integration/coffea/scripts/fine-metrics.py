# SPDX-License-Identifier: BSD-3-Clause
"""roastcoffea's notebook “Fine Metrics Demo” as a script: fine-metrics.py FILE. Changed are

- the imports: roast.coffea instead of roastcoffea;
- the line with DaskExecutor and the one with Runner: the notebook takes them from the processor, which does not have them;
- the test file, which the notebook downloads: here it is the argument;
- main(), without which a script cannot start processes of Dask; and figures are not shown.
"""

import sys

import awkward as ak
from coffea import processor
from coffea.nanoevents import NanoAODSchema
from coffea.processor import DaskExecutor, Runner
from dask.distributed import Client, LocalCluster
from roast.coffea import (
    MetricsCollector,
    extract_per_task_metrics,
    plot_per_task_bytes_read,
    plot_per_task_cpu_io,
    plot_per_task_overhead,
)


class JetAnalysisProcessor(processor.ProcessorABC):
    """Simple jet analysis processor for testing fine metrics."""

    def process(self, events):
        jets = events.Jet[events.Jet.pt > 30]
        two_jet_events = events[ak.num(jets) >= 2]
        two_jets = jets[ak.num(jets) >= 2]
        if len(two_jets) > 0:
            j1 = two_jets[:, 0]
            j2 = two_jets[:, 1]
            dijet_mass = (j1 + j2).mass
        else:
            dijet_mass = ak.Array([])
        return {
            "nevents": len(events),
            "njets_total": ak.sum(ak.num(jets)),
            "nevents_2jet": len(two_jet_events),
            "dijet_mass_mean": ak.mean(dijet_mass) if len(dijet_mass) > 0 else 0,
            "jet_pt_sum": ak.sum(jets.pt),
        }

    def postprocess(self, accumulator):
        return accumulator


class CPUHeavyProcessor(processor.ProcessorABC):
    """Processor with more CPU-intensive operations."""

    def process(self, events):
        jets = events.Jet
        for _ in range(5):
            pt = jets.pt
            eta = jets.eta
            phi = jets.phi
            ak.zip({"pt": pt, "eta": eta, "phi": phi})
        return {"nevents": len(events)}

    def postprocess(self, accumulator):
        return accumulator


def collect_fine_metrics(client, fileset):
    """Part 1: Collecting fine metrics."""
    instance = JetAnalysisProcessor()
    with MetricsCollector(client, track_workers=True, processor_instance=instance) as collector:
        executor = DaskExecutor(client=client)
        runner = Runner(
            executor=executor,
            savemetrics=True,
            schema=NanoAODSchema,
        )
        output, report = runner(
            fileset,
            treename="Events",
            processor_instance=instance,
        )
        collector.set_coffea_report(report)
    print(f"Events: {output['nevents']}, jets: {output['njets_total']}")
    return collector


def view_cumulative_metrics(collector):
    """Part 2: Viewing cumulative fine metrics."""
    collector.print_summary()
    metrics = collector.get_metrics()
    print("\n=== Key Fine Metrics ===")
    if metrics.get("processor_cpu_time_seconds") is not None:
        print(f"Processor CPU Time: {metrics['processor_cpu_time_seconds']:.2f} seconds")
        print(f"Processor Non-CPU Time: {metrics['processor_noncpu_time_seconds']:.2f} seconds")
        print(f"Processor CPU %: {metrics['processor_cpu_percentage']:.1f}%")
        print(f"Processor Non-CPU %: {metrics['processor_noncpu_percentage']:.1f}%")
        overhead_cpu = metrics.get("overhead_cpu_time_seconds", 0)
        overhead_noncpu = metrics.get("overhead_noncpu_time_seconds", 0)
        if overhead_cpu > 0 or overhead_noncpu > 0:
            print("=== Dask Overhead ===")
            print(f"Overhead CPU Time: {overhead_cpu:.2f} seconds")
            print(f"Overhead Non-CPU Time: {overhead_noncpu:.2f} seconds")
        print(f"Disk Read: {metrics.get('disk_read_bytes', 0) / 1e9:.2f} GB")
        print(f"Disk Write: {metrics.get('disk_write_bytes', 0) / 1e9:.2f} GB")
        if metrics.get("total_compression_overhead_seconds", 0) > 0:
            print(f"Compression Overhead: {metrics['total_compression_overhead_seconds']:.2f} seconds")
        if metrics.get("total_serialization_overhead_seconds", 0) > 0:
            print(f"Serialization Overhead: {metrics['total_serialization_overhead_seconds']:.2f} seconds")
        if metrics.get("compression_ratio") is not None and metrics["compression_ratio"] > 0:
            print(f"Compression Ratio: {metrics['compression_ratio']:.2f}x")
    else:
        print("Fine metrics not available (Dask Spans may not be enabled)")


def view_raw_metrics(span_metrics):
    """Part 3: Understanding the data structure."""
    if span_metrics:
        print("=== Raw Span Metrics Structure ===")
        print(f"Total keys: {len(span_metrics)}")
        for key, value in span_metrics.items():
            print(f"  {key}: {value}")
    else:
        print("No span metrics collected")


def view_per_task_metrics(span_metrics):
    """Part 4: Per-task analysis."""
    per_task = extract_per_task_metrics(span_metrics)
    print("=== Per-Task Metrics ===")
    print(f"Number of unique tasks: {len(per_task)}")
    for task_prefix, activities in per_task.items():
        print(f"\n  Task: {task_prefix}")
        cpu = activities.get("thread-cpu", 0)
        noncpu = activities.get("thread-noncpu", 0)
        total = cpu + noncpu
        if total > 0:
            print(f"    CPU time: {cpu:.3f}s ({cpu / total * 100:.1f}%)")
            print(f"    Non-CPU time: {noncpu:.3f}s ({noncpu / total * 100:.1f}%)")
        if "disk-read" in activities:
            print(f"    Disk read: {activities['disk-read'] / 1e6:.2f} MB")
        if "memory-read" in activities:
            print(f"    Memory read: {activities['memory-read']} B")


def plot_per_task(span_metrics):
    """Part 5: Per-task visualizations."""
    for name, plot in (
        ("CPU/Non-CPU", plot_per_task_cpu_io),
        ("bytes read", plot_per_task_bytes_read),
        ("overhead", plot_per_task_overhead),
    ):
        try:
            fig, ax = plot(span_metrics=span_metrics, title=name, figsize=(14, 6))
            print(f"Successfully created {name} plot of {len(ax.patches)} bars")
        except ValueError as e:
            print(f"Could not create {name} plot: {e}")


def run_analysis(client, fileset, processor_class, label):
    """Run analysis and return fine metrics."""
    processor = processor_class()
    with MetricsCollector(client, track_workers=False, processor_instance=processor) as collector:
        executor = DaskExecutor(client=client)
        runner = Runner(
            executor=executor,
            savemetrics=True,
            schema=NanoAODSchema,
        )
        output, report = runner(
            fileset,
            treename="Events",
            processor_instance=processor,
        )
        collector.set_coffea_report(report)
    metrics = collector.get_metrics()
    return {
        "label": label,
        "cpu_time": metrics.get("processor_cpu_time_seconds", 0),
        "noncpu_time": metrics.get("processor_noncpu_time_seconds", 0),
        "cpu_pct": metrics.get("processor_cpu_percentage", 0),
        "noncpu_pct": metrics.get("processor_noncpu_percentage", 0),
        "wall_time": metrics.get("wall_time", 0),
        "overhead_cpu": metrics.get("overhead_cpu_time_seconds", 0),
        "overhead_noncpu": metrics.get("overhead_noncpu_time_seconds", 0),
    }


def compare_scenarios(client, fileset):
    """Part 6: Comparing scenarios."""
    results = [
        run_analysis(client, fileset, JetAnalysisProcessor, "Standard Analysis"),
        run_analysis(client, fileset, CPUHeavyProcessor, "CPU-Heavy Analysis"),
    ]
    print("\n=== Scenario Comparison ===")
    for r in results:
        print(
            f"{r['label']:<25} {r['wall_time']:<12.6f} {r['cpu_time']:<12.6f} {r['noncpu_time']:<14.6f} "
            f"{r['cpu_pct']:<8.1f} {r['noncpu_pct']:<10.1f}"
        )


def main():
    fileset = {
        "DY": {
            "files": {sys.argv[1]: "Events"},
        },
    }
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0")
    client = Client(cluster)
    collector = collect_fine_metrics(client, fileset)
    view_cumulative_metrics(collector)
    view_raw_metrics(collector.span_metrics)
    view_per_task_metrics(collector.span_metrics)
    plot_per_task(collector.span_metrics)
    compare_scenarios(client, fileset)
    client.close()
    cluster.close()
    print("Cluster closed")


if __name__ == "__main__":
    main()
