# SPDX-License-Identifier: BSD-3-Clause
"""What this run was: coffea 2026.9 with its TaskVineExecutor (TaskVine 7.14.5), and one vine_worker of two cores. analysis.py DIRECTORY PORT"""

import os
import sys

import numpy
import uproot
from coffea import processor
from coffea.nanoevents import BaseSchema


class Sum(processor.ProcessorABC):
    def process(self, events):
        return {"events": len(events), "sum": float(numpy.asarray(events.x).sum())}

    def postprocess(self, accumulator):
        return accumulator


def main(directory, port):
    files = []
    for i in range(2):
        path = os.path.join(directory, "events-%d.root" % i)
        with uproot.recreate(path) as file:
            file["Events"] = {"x": numpy.arange(50_000, dtype=float)}
        files.append(path)
    executor = processor.TaskVineExecutor(port=int(port), cores=1, memory=1000, disk=1500, filepath=directory, status=False, verbose=False)
    run = processor.Runner(executor=executor, chunksize=25_000, schema=BaseSchema)
    print(run({"numbers": {"files": {path: "Events" for path in files}}}, Sum()))


if __name__ == "__main__":
    main(*sys.argv[1:])
