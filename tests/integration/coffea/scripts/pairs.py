# SPDX-License-Identifier: BSD-3-Clause
"""Each executor with each type of result, and pairs of their other options, one after the other: pairs.py DIRECTORY EXECUTORS[,half]

prints a line for each call of Runner. With "half", each executor meets half of the types, each type half of the
executors, and both meet each value of the options.
"""

import inspect
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import analysis
from coffea import processor

RESULTS = ["dict", "int", "list", "set", "hist", "array", "tuple", "accumulator"]


class Pairs(processor.ProcessorABC):
    def __init__(self, result):
        self.result = result

    def process(self, events):
        return analysis.analyse(events, self.result)

    def postprocess(self, accumulator):
        return accumulator


def make_pools(names):
    """One of each for all calls: to start workers takes longer than the chunks."""
    analysis.options["workers"] = "2"
    for name in names:
        if name == "processes":  # of loky, if coffea uses it
            yield name, processor.FuturesExecutor().pool(max_workers=2)
        elif name == "threads":
            yield name, ThreadPoolExecutor(2)
        elif name in ("fork", "spawn", "bare"):
            analysis.options["pool"] = name
            yield name, analysis.make_pool()["pool"](max_workers=2)
        elif name == "dask":
            yield name, analysis.make_client()
        else:
            yield name, None


def make_executor(name, pool, number):
    shared = {"status": False, "compression": 1 if number // 2 % 2 == 0 else None}
    if name == "iterative":
        return processor.IterativeExecutor(**shared)
    if name == "custom":
        return analysis.make_custom()
    if name == "dask":
        return processor.DaskExecutor(client=pool, treereduction=2 if number % 2 == 0 else 20, **shared)
    return processor.FuturesExecutor(workers=2, pool=pool, merging=number // 4 % 2 == 0, **shared)


def run(fileset, name, pool, row, column):
    """Options change with both, so that each of their values meets each executor and each type of result.

    Only the type decides how files are cut, on which some results depend.
    """
    number = row + column
    arguments = {"executor": make_executor(name, pool, number), "chunksize": 1000, "savemetrics": number % 2 == 0,
                 "schema": analysis.NanoAODSchema, "processor_compression": 1 if number // 2 % 2 == 0 else None,
                 "align_clusters": column % 2 == 1}
    if number // 2 % 2 == 1:
        arguments["pre_executor"] = processor.IterativeExecutor(status=False)
    if number // 4 % 2 == 0 and "use_result_type" in inspect.signature(processor.Runner).parameters:
        arguments.update(use_result_type=True, skipbadfiles=True)
    runner = processor.Runner(**arguments)
    result = runner(fileset, treename="Events", processor_instance=Pairs(RESULTS[column]))
    if "use_result_type" in arguments:
        result = result.unwrap()
    metrics = None
    if arguments["savemetrics"]:
        result, metrics = result
        metrics = {key: metrics[key] for key in ("bytesread", "entries", "chunks")}
    text = " ".join(str(analysis.describe(result)).split())
    print(name, RESULTS[column], type(result).__name__, text, metrics, sep="\t", flush=True)


def main():
    fileset = {name: [os.path.join(sys.argv[1], name + "-0.root")] for name in ("data", "ttbar")}
    names = sys.argv[2].split(",")
    is_half = names[-1] == "half"
    for row, (name, pool) in enumerate(make_pools(names[:-1] if is_half else names)):
        for column in range(len(RESULTS)):
            if not is_half or (3 * row + 5 * column) % len(RESULTS) < len(RESULTS) / 2:
                run(fileset, name, pool, row, column)
        if hasattr(pool, "shutdown") and name != "dask":
            pool.shutdown()


if __name__ == "__main__":
    main()
