# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to measure a chunk of coffea: bench-chunks.py WORKER.PY MAKE-FILES.PY

CPU time of calls with and without roast, in alternating batches. The rows go to a socket that something reads. In a Python
with coffea also a real chunk, whose branches and baskets are looked up.
"""

import importlib.util
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import types

BATCHES = 15
CHUNKS = 100  # of a call of a Runner
LIMIT = 100.0  # µs for each chunk without branches
SHARE = 1.0  # % of a chunk of at least 100 ms, with branches


class Item:
    dataset, filename, treename, entrystart, entrystop, fileuuid = "ttbar", "/data/ttbar.root", "Events", 0, 100000, b"0" * 16


class Events(list):
    pass


class ProcessorABC:
    pass


class Processor(ProcessorABC):
    def process(self, events):
        return 1


def work_function(item, processor_instance):
    out = processor_instance.process(EVENTS)
    return {"out": out, "processed": {item}}


EVENTS = Events()


def load(path):
    module = types.ModuleType("worker")
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), module.__dict__)
    return module


def install_hook(worker):
    """The hook in this process, as roast-run does it; it is next to the worker's text."""
    import coffea.processor.executor

    hook = types.ModuleType("hook")
    hook.__file__ = os.path.join(os.path.dirname(os.path.abspath(worker)), "coffea-hook.py")
    with open(hook.__file__) as file:
        exec(compile(file.read(), hook.__file__, "exec"), hook.__dict__)
    hook.install(coffea.processor.executor)
    return hook


def listen(directory):
    server = socket.socket(socket.AF_UNIX)
    server.bind(os.path.join(directory, "socket"))
    server.listen()

    def read(connection):
        while connection.recv(1 << 20):
            pass

    def accept():
        while True:
            threading.Thread(target=read, args=(server.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    os.environ.update(ROAST_SOCKET=server.getsockname(), ROAST_TOKEN="x", ROAST_RUN_ID="run")
    return server


def seconds(function, calls):
    before = time.thread_time()
    for _ in range(calls):
        function()
    return (time.thread_time() - before) / calls


def compare(bare, measured, calls, batches=BATCHES):
    """CPU time of the bare call, and what the other one adds, in µs: of the batch that other programs disturbed least."""
    pairs = [(seconds(bare, calls), seconds(measured, calls)) for _ in range(batches)]
    least = min(one for one, _ in pairs)
    return least * 1e6, (min(two for _, two in pairs) - least) * 1e6


def make_work(worker, function, kind="processing"):
    work = worker.Work("none", "none", kind)
    work.original = function
    return work.for_call("call", "run", None)


def bench_wrapper(worker):
    item, processor = Item(), Processor()
    work = make_work(worker, work_function)
    measured = work(item, processor_instance=processor)
    assert worker.KEY in measured, measured
    bare, cost = compare(lambda: work_function(item, processor_instance=processor),
                         lambda: work(item, processor_instance=processor), 400)
    print(f"without branches: {cost:.1f} µs for each chunk; the limit is {LIMIT:.0f} µs: {'holds' if cost <= LIMIT else 'EXCEEDED'}")


def bench_runner(hook, directory):
    """A Runner of coffea with an empty process (): all that roast does for a chunk, but nothing for branches."""
    import numpy
    import uproot
    from coffea import processor
    from coffea.nanoevents import BaseSchema

    class Empty(processor.ProcessorABC):
        def process(self, events):
            return {"n": len(events)}

        def postprocess(self, accumulator):
            return accumulator

    path = os.path.join(directory, "flat.root")
    with uproot.recreate(path) as file:
        file.mktree("Events", {"x": "f8"})
        file["Events"].extend({"x": numpy.arange(4.0 * CHUNKS)})
    runner = processor.Runner(executor=processor.IterativeExecutor(status=False), schema=BaseSchema, chunksize=4)
    chunks = list(runner.preprocess({"data": [path]}, treename="Events"))
    assert len(chunks) == CHUNKS

    def run(is_bare):
        hook.local.active = is_bare
        out = runner(chunks, treename="Events", processor_instance=Empty())
        hook.local.active = False
        assert out["n"] == 4 * CHUNKS and hook.worker.KEY not in out

    bare, cost = compare(lambda: run(True), lambda: run(False), 1, 3 * BATCHES)
    bare, cost = bare / CHUNKS, cost / CHUNKS
    print(f"by a Runner: {cost:.1f} µs for each chunk, which took {bare:.0f} µs; the limit is {LIMIT:.0f} µs: "
          f"{'holds' if cost <= LIMIT else 'EXCEEDED'}")


def bench_real(worker, directory):
    import glob
    import warnings

    import awkward
    import uproot
    from coffea import processor
    from coffea.nanoevents import NanoAODSchema
    from coffea.processor.executor import Runner, WorkItem

    warnings.simplefilter("ignore")

    class Analysis(processor.ProcessorABC):
        def process(self, events):
            return {"n": float(sum(awkward.sum(getattr(events.Jet, name)) for name in ("pt", "eta", "phi", "mass", "btag", "area"))
                                   + sum(awkward.sum(getattr(events.Muon, name)) for name in ("pt", "eta", "phi", "mass"))
                                   + awkward.sum(events.genWeight))}

        def postprocess(self, accumulator):
            return accumulator

    path = sorted(glob.glob(os.path.join(directory, "*.root")))[0]
    with uproot.open(path) as file:
        entries, uuid = file["Events"].num_entries, file.file.fUUID
    runner = Runner(processor.IterativeExecutor(), schema=NanoAODSchema)
    original = Runner._work_function
    names = original.__code__.co_varnames[: original.__code__.co_argcount]
    known = {"format": "root", "xrootdtimeout": 60, "schema": NanoAODSchema, "use_dataframes": False, "savemetrics": False, "mmap": True,
             "item": WorkItem("data", path, "Events", 0, entries, uuid, {}), "processor_instance": Analysis(), "uproot_options": {},
             "iteritems_options": {}, "checkpointer": None, "cache_function": lambda: None}
    arguments = {name: known[name] for name in names}
    work = make_work(worker, original)
    result = work(**arguments)
    assert result["out"] == original(**arguments)["out"] and runner is not None
    bare, cost = compare(lambda: original(**arguments), lambda: work(**arguments), 3)
    share = 100 * cost / max(bare, 100000)
    print(f"with 13 branches: {cost:.0f} µs for each chunk, which took {bare / 1000:.0f} ms of CPU time; "
          f"{share:.2f} % of a chunk of 100 ms or more; the limit is {SHARE:.0f} %: {'holds' if share < SHARE else 'EXCEEDED'}")


def main():
    worker = load(sys.argv[1])
    with tempfile.TemporaryDirectory() as directory:
        server = listen(directory)
        bench_wrapper(worker)
        if importlib.util.find_spec("coffea") is not None:
            subprocess.run([sys.executable, sys.argv[2], directory, "20000"], check=True)
            bench_real(worker, directory)
            bench_runner(install_hook(sys.argv[1]), directory)
        else:
            print("with branches: this Python has no coffea; set the meson option coffea_python")
        server.close()


main()
