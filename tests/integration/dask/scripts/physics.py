# SPDX-License-Identifier: BSD-3-Clause
"""A real coffea processor over real ROOT files, on a Dask cluster: physics.py DIRECTORY."""

import os
import sys

import numpy
import uproot
from coffea import processor
from coffea.nanoevents import BaseSchema
from distributed import Client, LocalCluster


class AVeryLongNameOfAProcessorThatDaskCutsAfterFiftyCharacters(processor.ProcessorABC):
    def process(self, events):
        values = numpy.asarray(events.x)
        for _ in range(30):
            values = numpy.sqrt(values * values + 1)
        return {"events": len(events), "sum": float(values.sum())}

    def postprocess(self, accumulator):
        return accumulator


def main():
    files = []
    for i in range(2):
        path = os.path.join(sys.argv[1], "events-%d.root" % i)
        with uproot.recreate(path) as file:
            file["Events"] = {"x": numpy.arange(50_000, dtype=float)}
        files.append(path)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        run = processor.Runner(executor=processor.DaskExecutor(client=client), schema=BaseSchema, chunksize=10_000)
        result = run({"numbers": {"files": dict.fromkeys(files, "Events")}}, AVeryLongNameOfAProcessorThatDaskCutsAfterFiftyCharacters())
        print("events", result["events"])


if __name__ == "__main__":
    main()
