# SPDX-License-Identifier: BSD-3-Clause
"""Situations of analyses with coffea's own executors: with_coffea.py NAME sick|twin. Each says what it knows itself (TRUTH ...)."""

import os
import signal
import sys
import time

import numpy
import uproot
from coffea import processor
from coffea.nanoevents import BaseSchema
from coffea.processor.checkpointer import SimpleCheckpointer

NAME, STATE = sys.argv[1:]
IS_SICK = STATE == "sick"
EVENTS = 16_000


def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def write(path, n_baskets=16):
    with uproot.recreate(path) as file:
        file.mktree("Events", {f"b{i}": "f4" for i in range(40)})
        for _ in range(n_baskets):
            file["Events"].extend({f"b{i}": numpy.arange(EVENTS // 16, dtype="f4") for i in range(40)})


class Analysis(processor.ProcessorABC):
    def __init__(self, name, is_sick, once):
        self.name, self.is_sick, self.once = name, is_sick, once

    def process(self, events):
        import coffea  # what lasts longer than a call is kept in a module

        first = events.metadata["entrystart"]
        result = {"events": len(events), "chunks": 1}
        float(numpy.asarray(events.b0).sum())
        burn(getattr(self, "work_" + self.name, self.work)(first, len(events)))
        if self.is_sick:
            getattr(self, "plant_" + self.name, lambda *_: None)(first, result, coffea)
        return result

    def work(self, first, n):
        return 16 * n / EVENTS

    def work_merge(self, first, n):
        return 0.01 if self.is_sick else 1

    def work_small(self, first, n):
        return 2 * n / EVENTS if self.is_sick else 16 * n / EVENTS

    def work_median(self, first, n):
        return (8 if first >= 8000 else 0.5) if self.is_sick else 8

    def work_straggler(self, first, n):
        return (7 if first == 15_000 else 0.4) if self.is_sick else 1

    def is_first(self):
        if os.path.exists(self.once):
            return False
        open(self.once, "w").close()
        return True

    def plant_killed(self, first, result, coffea):
        if first == 10_000 and self.is_first():
            os.kill(os.getpid(), signal.SIGKILL)

    def plant_again(self, first, result, coffea):
        if first == 10_000 and self.is_first():
            raise ValueError("first time")

    plant_checkpoint = plant_again

    def plant_merge(self, first, result, coffea):
        result["table"] = {(first, i): 1 for i in range(100)} | dict.fromkeys(range(150000), 1)

    def plant_leak(self, first, result, coffea):
        coffea.kept = [*getattr(coffea, "kept", []), numpy.ones(2_500_000)]

    def postprocess(self, accumulator):
        return accumulator


def main():
    write("a.root")
    size = {"checkpoint": 2000, "again": 2000, "small": 50 if IS_SICK else 1000, "median": 8000}.get(NAME, 1000)
    if NAME == "iterative" and IS_SICK:
        executor = processor.IterativeExecutor(status=False, retries=0)
    else:
        executor = processor.FuturesExecutor(workers=2, retries=0, status=False)
    checkpointer = SimpleCheckpointer("checkpoints", verbose=False) if NAME == "checkpoint" else None
    runner = processor.Runner(executor=executor, schema=BaseSchema, chunksize=size, savemetrics=True, checkpointer=checkpointer)
    for _ in range(2 if NAME in ("again", "checkpoint") and IS_SICK else 1):
        if NAME == "before" and IS_SICK:
            burn(9)
        try:
            output, report = runner({"a": ["a.root"]}, processor_instance=Analysis(NAME, IS_SICK, os.path.abspath("once")), treename="Events")
            print("TRUTH", output["events"], "events in", output["chunks"], "chunks; process():", round(report["processtime"], 2), "s")
        except Exception as error:
            print("TRUTH raised", type(error).__name__)


if __name__ == "__main__":
    main()
