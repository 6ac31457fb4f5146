# SPDX-License-Identifier: BSD-3-Clause
"""An analysis that uses coffea's Runner in a way of its own. It knows nothing of roast.

    calls.py DIRECTORY MODE

prints what is true of it, as JSON: the events that count, or the bytes of the baskets that it needed.
"""

import glob
import json
import os
import sys
import time
import warnings

import awkward
import numpy
import uproot
from coffea import processor
from coffea.nanoevents import BaseSchema, NanoAODSchema

warnings.filterwarnings("ignore", message="Missing cross-reference index")
NanoAODSchema.warn_missing_crossrefs = False
HERE = os.getcwd()


class Count(processor.ProcessorABC):
    def process(self, events):
        return {"events": len(events), "sum": float(awkward.sum(events.Jet.pt))}

    def postprocess(self, accumulator):
        return accumulator


class Plain(Count):
    def process(self, events):
        return {"events": len(events), "sum": float(awkward.sum(events.x))}


class Nested(Count):
    """Runs another analysis for some of its chunks."""

    def __init__(self, fileset):
        self.fileset = fileset

    def process(self, events):
        inner = make_runner()(self.fileset, treename="Events", processor_instance=Count()) if events.metadata["entrystart"] == 0 else {"events": 0}
        return {"events": len(events) + inner["events"]}


class Scaled(Count):
    """Needs metadata, and some of its chunks fail."""

    def __init__(self, failing):
        self.failing = failing

    def process(self, events):
        if self.failing and events.metadata["entrystart"] > 0:
            raise OSError("no chunk")
        return {"events": len(events), "sum": events.metadata["lumi"] * len(events)}


def make_runner(**options):
    return processor.Runner(executor=processor.IterativeExecutor(status=False), schema=NanoAODSchema, chunksize=1000, **options)


def run_in_task(fileset, dies):
    result = make_runner()(fileset, treename="Events", processor_instance=Count())
    mark = os.path.join(HERE, "killed")
    if dies and not os.path.exists(mark):
        open(mark, "w").close()
        os.kill(os.getpid(), 9)
    time.sleep(2 if dies else 0)
    return result


def nested(files):
    return make_runner()({"data": files[:1]}, treename="Events", processor_instance=Nested({"ttbar": files[1:2]}))


def gaps(files):
    """Every second chunk."""
    runner = make_runner()
    chunks = list(runner.preprocess({"data": files[:1]}, treename="Events"))[::2]
    runner(chunks, treename="Events", processor_instance=Count())
    tree = uproot.open(files[0])["Events"]
    needed = 0
    for name in ("nJet", "Jet_pt"):
        starts = list(map(int, tree[name].entry_offsets))
        for number, (start, stop) in enumerate(zip(starts, starts[1:])):
            if any(chunk.entrystart < stop and start < chunk.entrystop for chunk in chunks):
                needed += int(tree[name].basket_compressed_bytes(number))
    return {"needed": needed}


def metadata(files):
    fileset = {"data": {"files": files[:1], "metadata": {"lumi": 2.5, "cuts": [1, 2]}},
               "ttbar": {"files": files[1:2], "metadata": {"lumi": 1.5, "pair": (1, 2)}}}
    result = make_runner(skipbadfiles=True)(fileset, treename="Events", processor_instance=Scaled(True))
    make_runner()(fileset, treename="Events", processor_instance=Scaled(False))
    return result


def task(files):
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        futures = [client.submit(run_in_task, {"data": [file]}, number == 0, retries=3) for number, file in enumerate(files[:2])]
        return processor.accumulate(client.gather(futures))


def trees(files):
    """Two trees of one file."""
    path = os.path.join(HERE, "trees.root")
    with uproot.recreate(path) as file:
        for name, entries in (("Small", 100), ("Large", 1000)):
            file.mktree(name, {"x": "f4"})
            file[name].extend({"x": numpy.arange(entries, dtype="f4")})
    fileset = {"a": {"treename": "Small", "files": [path]}, "b": {"treename": "Large", "files": [path]}}
    runner = processor.Runner(executor=processor.IterativeExecutor(status=False), schema=BaseSchema)
    return runner(fileset, processor_instance=Plain())


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[2]](sorted(glob.glob(os.path.join(sys.argv[1], "*.root"))))))
