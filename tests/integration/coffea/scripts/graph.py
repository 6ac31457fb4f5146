# SPDX-License-Identifier: BSD-3-Clause
"""A real analysis as a graph of dask-awkward. It knows nothing of roast.

    graph.py DIRECTORY [OPTION=VALUE…]

prints the result, and writes it and the graph, pickled, into the current directory.
"""

import glob
import os
import pickle
import sys

import cloudpickle
import dask
import dask_awkward
from coffea import processor
from coffea.dataset_tools import apply_to_fileset
from coffea.nanoevents import NanoAODSchema

NanoAODSchema.warn_missing_crossrefs = False
OPTIONS = {"scheduler": "sync", "report": "0", "kill": "0", "fail": "0", "how": "compute", "bad": "0", "step": "1000", "partitions": "0"}
options = {**OPTIONS, **dict(argument.split("=", 1) for argument in sys.argv[2:])}


def disturb(jets):
    """Once, in one of the tasks."""
    if getattr(jets, "layout", None) is not None and jets.layout.backend.name == "cpu" and len(jets) > 0:
        if options["kill"] == "1" and not os.path.exists("killed"):
            open("killed", "w").close()
            os.kill(os.getpid(), 9)
        if options["fail"] == "1":
            raise ValueError("no jets\nwith a second line")
    return jets


class Analysis(processor.ProcessorABC):
    def process(self, events):
        if options["partitions"] != "0":
            events = events.partitions[: int(options["partitions"])]
        jets = events.Jet[(events.Jet.pt > 30) & (abs(events.Jet.eta) < 2.4)]
        if options["kill"] != "0" or options["fail"] != "0":
            jets = dask_awkward.map_partitions(disturb, jets)
        return {"jets": dask_awkward.sum(dask_awkward.num(jets, axis=1)), "weights": dask_awkward.sum(events.genWeight),
                "muons": dask_awkward.sum(events.Muon.pt > 10)}

    def postprocess(self, accumulator):
        return accumulator


def make_fileset(directory):
    """As coffea's preprocess () makes it, with the steps that each file has."""
    import uproot

    fileset = {}
    for path in sorted(glob.glob(os.path.join(directory, "*.root"))):
        with uproot.open({path: "Events"}) as tree:
            n_events, step = tree.num_entries, int(options["step"])
        steps = [[start, min(start + step, n_events)] for start in range(0, n_events, step)]
        files = fileset.setdefault(os.path.basename(path).split("-")[0], {"files": {}})["files"]
        files[path] = {"object_path": "Events", "steps": steps}
    if options["bad"] == "1":
        first = next(iter(fileset["data"]["files"]))
        fileset["data"]["files"][first + ".missing"] = {"object_path": "Events", "steps": [[0, 100]]}
    return fileset


def compute(collections):
    if options["scheduler"] not in ("client", "threads-client"):
        return dask.compute(collections, scheduler=options["scheduler"])[0]
    from distributed import Client, LocalCluster

    dask.config.set({"distributed.scheduler.allowed-failures": 5})
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0",
                      processes=options["scheduler"] == "client") as cluster, Client(cluster) as client:
        if options["how"] == "futures":
            return client.compute(collections, sync=True)
        return dask.compute(collections)[0]


def convert(value):
    """Plain numbers: the same text and the same bytes for the same result."""
    if isinstance(value, dict):
        return {key: convert(part) for key, part in value.items()}
    return round(float(value), 3)


def main():
    uproot_options = {"allow_read_errors_with_report": True} if options["report"] == "1" else {}
    graph = apply_to_fileset(Analysis(), make_fileset(sys.argv[1]), schemaclass=NanoAODSchema, uproot_options=uproot_options)
    first = graph[0] if isinstance(graph, tuple) else graph
    names = sorted(name for value in first.values() for part in value.values() for name in part.dask.layers)
    with open("graph.pickle", "wb") as file:
        pickle.dump([names, cloudpickle.dumps(next(iter(first.values()))["jets"])], file)
    result = compute(graph)
    if options["report"] == "1":
        result, reports = result
        counters = [one.performance_counters for report in reports.values() for one in report]
        print({"bytesread": sum(int(one.num_requested_bytes) for one in counters if one is not None)})
    print(convert(result))
    with open("result.pickle", "wb") as file:
        pickle.dump(convert(result), file)


if __name__ == "__main__":
    main()
