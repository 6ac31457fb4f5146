# SPDX-License-Identifier: BSD-3-Clause
"""A real analysis: jets, muons, weights, histograms. It knows nothing of roast.

    analysis.py DIRECTORY [OPTION=VALUE…]

prints the result, and writes what a physicist keeps into result.pickle in the current directory.
"""

import glob
import hashlib
import os
import pickle
import sys
import threading
import time
import warnings

import awkward
import hist
import numpy
from coffea import processor
from coffea.nanoevents import BaseSchema, NanoAODSchema

warnings.filterwarnings("ignore", message="Missing cross-reference index")
NanoAODSchema.warn_missing_crossrefs = False

OPTIONS = {"executor": "iterative", "result": "dict", "chunksize": "1000", "savemetrics": "0", "workers": "2", "pool": "loky",
           "compression": "1", "processor_compression": "1", "retries": "0", "skipbadfiles": "0", "kind": "class", "fail": "",
           "checkpoints": "", "schema": "nano", "runs": "1", "align": "0", "merging": "0", "chunks": "made", "bad": "0",
           "cluster": "local", "treereduction": "20", "kill": "", "wait": "", "port": "0", "datasets": "data,ttbar,wjets,zmumu", "dataframes": "0",
           "resulttype": "0", "pre": "0", "recoverable": "0", "files": "3"}
HERE = os.getcwd()  # also where a task has a directory of its own
options = {**OPTIONS, **dict(argument.split("=", 1) for argument in sys.argv[2:] if "=" in argument)}


def make_result(kind, dataset, values, weights, counts):
    histogram = hist.Hist.new.Reg(40, 0, 200, name="mass").Weight().fill(mass=values, weight=weights)
    if kind == "int":
        return int(counts["selected"])
    if kind == "list":
        return [int(value * 1000) for value in values[:3]]
    if kind == "set":
        return {int(value * 1000) for value in values[:3]}
    if kind == "hist":
        return histogram
    if kind == "array":
        return numpy.histogram(values, bins=20, range=(0, 200))[0]
    if kind == "tuple":
        return tuple(int(value) for value in values[:2])
    if kind == "frame":
        import pandas

        return pandas.DataFrame({"dataset": [dataset], "selected": [int(counts["selected"])], "jets": [int(counts["jets"])]})
    if kind == "accumulator":
        return processor.dict_accumulator({"n": processor.value_accumulator(int, int(counts["selected"])),
                                           "names": processor.set_accumulator({dataset})})
    return {"mass": histogram, "counts": {dataset: counts}, "sum": float(awkward.sum(weights))}


def mark(name):
    open(os.path.join(HERE, name), "w").close()


def mark_first(name):
    """Whether this process is the first to do so."""
    try:
        open(os.path.join(HERE, name), "x").close()
    except FileExistsError:
        return False
    return True


def is_marked(name):
    return os.path.exists(os.path.join(HERE, name))


def analyse(events, result=None):
    dataset = events.metadata["dataset"]
    first = events.metadata["entrystart"]
    if options["fail"] == "files" and first > 0:
        raise OSError(f"no chunk {dataset}:{first}")
    if options["fail"] in ("all", f"{dataset}:{first}"):
        raise ValueError(f"no chunk {dataset}:{first}\nwith a second line")
    if options["fail"] == "once" and first > 0 and not is_marked("failed-once"):
        mark("failed-once")
        raise OSError("the first attempt fails")
    if options["wait"] == f"{dataset}:{first}" or (options["wait"] == "first" and mark_first("begun")):
        mark("begun")
        while not is_marked("go"):
            time.sleep(0.01)
    if options["kill"] == f"{dataset}:{first}" and not is_marked("killed"):
        mark("killed")
        os.kill(os.getpid(), 9)
    jets = events.Jet[(events.Jet.pt > 30) & (abs(events.Jet.eta) < 2.4)]
    muons = events.Muon[events.Muon.pt > 10]
    pairs = (awkward.num(muons) == 2) & (awkward.num(jets) >= 1)
    muons, weights = muons[pairs], events.genWeight[pairs]
    lead, trail = muons[:, 0], muons[:, 1]
    mass = numpy.sqrt(2 * lead.pt * trail.pt * (numpy.cosh(lead.eta - trail.eta) - numpy.cos(lead.phi - trail.phi)))
    counts = {"events": len(events), "selected": int(awkward.sum(pairs)), "jets": int(awkward.sum(awkward.num(jets)))}
    return make_result(result or options["result"], dataset, awkward.to_numpy(mass), awkward.to_numpy(weights), counts)


class Analysis(processor.ProcessorABC):
    def __init__(self):
        self.made_in = "the script"

    def process(self, events):
        assert type(self) is Analysis and vars(self) == {"made_in": "the script"}
        return analyse(events)

    def postprocess(self, accumulator):
        assert not isinstance(accumulator, dict) or not any("roast" in str(key) for key in accumulator)
        return accumulator


class Unpicklable(Analysis):
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()


def make_executor():
    name = options["executor"]
    shared = {"status": False, "compression": int(options["compression"]) or None}
    if hasattr(processor.IterativeExecutor, "retries"):
        shared["retries"] = int(options["retries"])
    if name == "iterative":
        return processor.IterativeExecutor(**shared)
    if name == "futures":
        return processor.FuturesExecutor(workers=int(options["workers"]), merging=options["merging"] == "1",
                                         recoverable=options["recoverable"] == "1", **shared, **make_pool())
    if name == "custom":
        return make_custom()
    if name == "taskvine":
        return make_taskvine(shared)
    if name == "dask":
        return processor.DaskExecutor(client=make_client(), treereduction=int(options["treereduction"]),
                                      use_dataframes=options["dataframes"] == "1", **shared)
    raise SystemExit(f"no executor {name}")


def make_pool():
    import concurrent.futures
    import multiprocessing

    name = options["pool"]
    if name == "loky":
        return {}
    if name == "threads":
        return {"pool": concurrent.futures.ThreadPoolExecutor}
    if name == "bare":  # workers that inherit nothing, as on another machine
        context = multiprocessing.get_context("fork")
        return {"pool": lambda max_workers: concurrent.futures.ProcessPoolExecutor(max_workers, context, os.environ.clear)}
    context = multiprocessing.get_context(name)
    return {"pool": lambda max_workers: concurrent.futures.ProcessPoolExecutor(max_workers, mp_context=context)}


def make_client():
    import dask
    from distributed import Client, LocalCluster

    dask.config.set({"distributed.scheduler.allowed-failures": 5})
    if options["cluster"] != "local":
        return Client(scheduler_file=options["cluster"], set_as_default=False)
    return Client(LocalCluster(n_workers=int(options["workers"]), threads_per_worker=1, dashboard_address=":0"))


def make_taskvine(shared):
    """With a file that says where workers find the manager."""

    def tell(manager):
        with open("port.part", "w") as file:
            file.write(str(manager.port))
        os.rename("port.part", "port")

    return processor.TaskVineExecutor(manager_name="roast-test", port=int(options["port"]), custom_init=tell,
                                      treereduction=int(options["treereduction"]), **shared)


def make_custom():
    class Backwards(processor.executor.ExecutorBase):
        def __call__(self, items, function, accumulator):
            for item in reversed(list(items)):
                accumulator = processor.accumulate([function(item)], accumulator)
            return accumulator, 0

    return Backwards(status=False)


def make_runner(executor):
    arguments = {"executor": executor, "chunksize": int(options["chunksize"]), "savemetrics": options["savemetrics"] == "1",
                 "schema": {"nano": NanoAODSchema, "base": BaseSchema}[options["schema"]],
                 "processor_compression": int(options["processor_compression"]) or None,
                 "skipbadfiles": options["skipbadfiles"] == "1", "align_clusters": options["align"] == "1"}
    if options["resulttype"] == "1":
        arguments["use_result_type"] = True
    if options["pre"] == "1":
        arguments["pre_executor"] = processor.IterativeExecutor(status=False)
    if options["checkpoints"]:
        arguments["checkpointer"] = processor.SimpleCheckpointer(options["checkpoints"])
    return processor.Runner(**arguments)


def make_fileset(directory):
    fileset = {}
    for path in sorted(glob.glob(os.path.join(directory, "*.root"))):
        dataset = os.path.basename(path).split("-")[0]
        if dataset in options["datasets"]:
            fileset.setdefault(dataset, []).append(path)
    fileset = {dataset: paths[: int(options["files"])] for dataset, paths in fileset.items()}
    if options["bad"] == "1":
        fileset["data"].append(os.path.join(directory, "missing.root"))
    elif options["bad"] == "all":
        fileset = {"data": [os.path.join(directory, "missing.root"), os.path.join(directory, "missing-2.root")]}
    return fileset


def describe(value):
    """The same text for the same result, whatever order it was merged in."""
    if isinstance(value, dict):
        return {key: describe(value[key]) for key in sorted(value, key=str)}
    if isinstance(value, (list, tuple, set)):
        return sorted(map(str, value))
    if hasattr(value, "view") and hasattr(value, "axes"):
        return hashlib.md5(numpy.round(value.values(), 6).tobytes()).hexdigest()
    if isinstance(value, float):
        return round(value, 6)
    return str(value)


def run(directory):
    runner = make_runner(make_executor())
    fileset = make_fileset(directory)
    instance = {"class": Analysis, "unpicklable": Unpicklable, "callable": lambda: analyse}[options["kind"]]()
    for _ in range(int(options["runs"])):
        if options["chunks"] == "premade":
            fileset = list(runner.preprocess(fileset, treename="Events"))
            result = runner(fileset, processor_instance=instance)
        elif options["chunks"] == "run":
            result = runner.run(fileset, treename="Events", processor_instance=instance)
            print(sorted(result), sorted(result.pop("metrics", ())), len(result.pop("processed")))
        else:
            result = runner(fileset, treename="Events", processor_instance=instance)
    if options["resulttype"] == "1":
        print(type(result).__name__, result.is_ok())
        result = result.unwrap()
    metrics = None
    if options["dataframes"] == "1":
        frame = (result["out"] if isinstance(result, dict) else result).compute()
        return frame.sort_values(["dataset", "selected", "jets"]).reset_index(drop=True).to_dict("list")
    if options["savemetrics"] == "1" and options["chunks"] != "run":
        result, metrics = result
        print({name: metrics[name] for name in ("bytesread", "entries", "chunks")}, sorted(metrics),
              sorted(metrics["columns"]))
    return result


def main():
    directory = sys.argv[1]
    result = run(directory)
    print(type(result).__name__, describe(result))
    with open("result.pickle", "wb") as file:
        pickle.dump(result, file)


if __name__ == "__main__":
    main()
