# SPDX-License-Identifier: BSD-3-Clause
"""Runs an analysis without a fault, or with one slow worker, dataset or file: program.py SHAPE SEED PLANT DIRECTORY

PLANT is `none`, `worker`, `dataset` or `file`: the tasks there need 1.3 times the CPU time. Each task appends what it measured itself to a
file of its process in DIRECTORY, and the program appends what it measured of itself."""

import json
import os
import pathlib
import random
import sys
import threading
import time

SHAPE, SEED, PLANT, DIRECTORY = sys.argv[1:5] if len(sys.argv) > 4 else [None] * 4
PLANTED = 1.3
CPU = 4  # s of all tasks


def log(directory, **row):
    with open(os.path.join(directory, f"{os.getpid()}.jsonl"), "a", encoding="ascii") as file:
        file.write(json.dumps(row) + "\n")


def get_delay():
    """How long this thread waited for a core, in s."""
    with open("/proc/thread-self/schedstat", encoding="ascii") as file:
        return int(file.read().split()[1]) / 1e9


def measure(directory, seconds, **row):
    """Compute for this time."""
    started, delay = time.time(), get_delay()
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
    log(directory, kind="task", started=started, ended=time.time(), cpu=seconds, delay=get_delay() - delay, pid=os.getpid(),
        thread=threading.get_native_id(), **row)


def get_worker():
    import distributed

    return distributed.get_worker()


def work(number, seconds, directory, slow=None, *_):
    """A task of Dask."""
    worker = get_worker()
    is_slow = slow == str(worker.name)
    measure(directory, seconds * (PLANTED if is_slow else 1), worker=worker.address, slow=is_slow)
    return number


def compute(pair):
    seconds, directory = pair
    measure(directory, seconds)
    return seconds


class Shape:
    """What a seed decides."""

    def __init__(self, seed, plant, directory):
        self.random = random.Random(seed)
        self.plant, self.directory = plant, directory
        # At least 20 chunks of each file: fewer do not show 30 % if they differ by themselves.
        self.mean = self.random.choice([0.02, 0.03, 0.05])
        self.n = int(CPU / self.mean)
        if SHAPE and "coffea" in SHAPE:
            # A chunk also takes about 30 ms to open, which a slow dataset does not prolong.
            self.mean, self.n = 0.1, 80
        self.spread = self.random.choice([0, 0.1, 0.2])
        self.workers = self.random.choice([2, 2, 3, 4])
        self.threads = self.random.choice([1, 1, 2]) if self.workers == 2 else 1

    def draw(self):
        return self.mean * self.random.lognormvariate(0, self.spread)

    def times(self):
        return [self.draw() for _ in range(self.n)]

    # ---- Dask

    def start(self, processes=True):
        import distributed

        threads = self.threads if processes else 2
        cluster = distributed.LocalCluster(n_workers=self.workers if processes else 1, threads_per_worker=threads, processes=processes,
                                           dashboard_address=":0")
        return cluster, distributed.Client(cluster)

    def dask_map(self):
        cluster, client = self.start()
        with cluster, client:
            slow = "0" if self.plant == "worker" else None
            log(self.directory, kind="submitted", at=time.time(), n=self.n)
            client.gather(client.map(work, range(self.n), self.times(), directory=self.directory, slow=slow, pure=False))

    def dask_delayed(self):
        import dask

        cluster, client = self.start()
        with cluster, client:
            level = [dask.delayed(work)(number, seconds, self.directory) for number, seconds in enumerate(self.times())]
            while len(level) > 1:
                level = [dask.delayed(max)(level[i : i + 4]) for i in range(0, len(level), 4)]
            log(self.directory, kind="submitted", at=time.time(), n=self.n)
            level[0].compute()

    def dask_bag(self):
        import dask.bag

        cluster, client = self.start()
        with cluster, client:
            bag = dask.bag.from_sequence(self.times(), npartitions=max(8, self.n // 4))
            log(self.directory, kind="submitted", at=time.time(), n=bag.npartitions)
            bag.map(lambda seconds, directory: work(1, seconds, directory), self.directory).sum().compute()

    def dask_stream(self):
        """Tasks are submitted as others end, but always some at a time."""
        import distributed

        cluster, client = self.start()
        with cluster, client:
            times = self.times()
            log(self.directory, kind="submitted", at=time.time(), n=self.n)
            first = [client.submit(work, number, seconds, self.directory, pure=False) for number, seconds in enumerate(times[:16])]
            pending = distributed.as_completed(first)
            rest = iter(times[16:])
            for future in pending:
                future.result()
                seconds = next(rest, None)
                if seconds is not None:
                    pending.add(client.submit(work, 0, seconds, self.directory, pure=False))

    # ---- coffea

    def write(self):
        import numpy
        import uproot

        files = {}
        n = max(1, self.n // 4) * 100
        for dataset in "ab":
            files[dataset] = [os.path.join(self.directory, f"{dataset}{number}.root") for number in range(2)]
            for path in files[dataset]:
                with uproot.recreate(path) as file:
                    file.mktree("Events", {f"b{i}": "f4" for i in range(10)})
                    file["Events"].extend({f"b{i}": numpy.arange(n, dtype="f4") for i in range(10)})
        return files

    def run_coffea(self, executor):
        from coffea import processor
        from coffea.nanoevents import BaseSchema

        files = self.write()
        runner = processor.Runner(executor=executor, schema=BaseSchema, chunksize=100, savemetrics=True)
        runner(files, processor_instance=make_analysis()(self), treename="Events")

    def coffea_futures(self):
        from coffea import processor

        self.run_coffea(processor.FuturesExecutor(workers=self.workers, status=False))

    def coffea_iterative(self):
        from coffea import processor

        self.run_coffea(processor.IterativeExecutor(status=False))

    def coffea_dask(self):
        from coffea import processor

        cluster, client = self.start()
        with cluster, client:
            self.run_coffea(processor.DaskExecutor(client=client, status=False))

    # ---- neither

    def pool(self):
        import multiprocessing

        with multiprocessing.get_context(self.random.choice(["fork", "spawn"])).Pool(self.workers) as pool:
            pool.map(compute, [(seconds, self.directory) for seconds in self.times()], chunksize=1)

    def loky(self):
        import loky

        with loky.ProcessPoolExecutor(max_workers=self.workers) as executor:
            list(executor.map(compute, [(seconds, self.directory) for seconds in self.times()]))

    def loop(self):
        for seconds in self.times():
            measure(self.directory, seconds)

    def chunks(self):
        """A loop over files that are the same, which reports its chunks."""
        import roast

        class Events(list):
            metadata = {}

        @roast.track_metrics
        def process(events):
            is_slow = self.plant == "file" and events.metadata["filename"] == "2.root"
            measure(self.directory, self.draw() * (PLANTED if is_slow else 1), file=events.metadata["filename"], slow=is_slow)

        for number in range(self.n):
            events = Events(range(1000))
            events.metadata = {"dataset": "a", "filename": f"{number * 4 // self.n}.root", "treename": "Events",
                               "entrystart": number * 1000, "entrystop": number * 1000 + 1000}
            process(events)


def make_analysis():
    import numpy
    from coffea import processor

    class Analysis(processor.ProcessorABC):
        def __init__(self, shape):
            self.mean, self.spread, self.seed = shape.mean, shape.spread, shape.random.random()
            self.plant, self.directory, self.is_dask = shape.plant, shape.directory, "dask" in SHAPE

        def process(self, events):
            metadata = events.metadata
            where = {"dataset": metadata["dataset"], "file": os.path.basename(metadata["filename"])}
            if self.is_dask:
                worker = get_worker()
                where["worker"] = worker.address
            is_slow = {"dataset": where["dataset"] == "b", "file": where["file"] == "a1.root",
                       "worker": self.is_dask and str(worker.name) == "0"}.get(self.plant, False)
            seconds = self.mean * random.Random(f"{self.seed} {where} {metadata['entrystart']}").lognormvariate(0, self.spread)
            float(numpy.asarray(events.b0).sum())
            measure(self.directory, seconds * (PLANTED if is_slow else 1), slow=is_slow, **where)
            return {"events": len(events)}

        def postprocess(self, accumulator):
            return accumulator

    return Analysis


def main():
    started = time.time()
    log(DIRECTORY, kind="program", pid=os.getpid(), started=started)
    shape = Shape(SEED, PLANT, DIRECTORY)
    getattr(shape, SHAPE)()
    log(DIRECTORY, kind="end", at=time.time(), workers=shape.workers, threads=shape.threads, mean=shape.mean, n=shape.n)


if __name__ == "__main__":
    sys.modules["program"] = sys.modules["__main__"]
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    main()
