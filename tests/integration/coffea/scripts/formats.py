# SPDX-License-Identifier: BSD-3-Clause
"""An analysis of columns with other names: formats.py FORMAT FILE. It knows nothing of roast.

FORMAT is root or parquet; FILE may be a URL. Prints the result, and coffea's own metrics.
"""

import sys

import awkward
from coffea import processor
from coffea.nanoevents import BaseSchema


class Sums(processor.ProcessorABC):
    def process(self, events):
        return {"events": len(events), "pt": round(float(awkward.sum(events.pt)), 3), "weight": round(float(awkward.sum(events.weight)), 3)}

    def postprocess(self, accumulator):
        return accumulator


def main():
    kind, path = sys.argv[1:]
    runner = processor.Runner(executor=processor.IterativeExecutor(status=False), schema=BaseSchema, chunksize=400, format=kind,
                              savemetrics=True)
    result, metrics = runner({"data": [path]}, processor_instance=Sums(), treename="Events")
    print({"bytesread": metrics.get("bytesread")}, result)


main()
