# SPDX-License-Identifier: BSD-3-Clause
"""Situations of programs that use Dask: with_dask.py NAME sick|twin. Each says what it knows itself (TRUTH ...)."""

import ctypes
import ctypes.util
import os
import signal
import sys
import threading
import time

import dask
import distributed
from distributed import Client, LocalCluster, wait


def start(n_workers=2, threads=1, **options):
    return LocalCluster(n_workers=n_workers, threads_per_worker=threads, dashboard_address=":0", **options)


def burn(x, seconds=0.1, *_):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
    return x


def make(number, seconds, size):
    burn(number, seconds)
    return b"x" * (size + number)


def hash_part(number, is_held, *_):
    """The same C function, with or without Python's lock."""
    library = (ctypes.PyDLL if is_held else ctypes.CDLL)(ctypes.util.find_library("crypto"))
    library.EVP_sha1.restype = ctypes.c_void_p
    out = ctypes.create_string_buffer(20)
    library.PKCS5_PBKDF2_HMAC(b"password", 8, b"salt", 4, 3_000_000, ctypes.c_void_p(library.EVP_sha1()), 20, out)
    return bytes(3_000_000)


def gil(is_sick):
    """C code holds Python's lock, so that its worker does not send its results to the other one."""
    with start() as cluster, Client(cluster) as client:
        first, second = client.scheduler_info()["workers"]
        parts = client.map(hash_part, range(8), is_held=is_sick, workers=[first], pure=False)
        wait([client.submit(hash_part, number, False, part, workers=[second]) for number, part in enumerate(parts)])
        print("TRUTH worker", first, "hashed 8 times for about a second", "with" if is_sick else "without", "the lock")


def pause(is_sick):
    """Results fill the memory of workers, which pause."""
    memory = {"target": False, "spill": False, "pause": 0.6, "terminate": False}
    with dask.config.set({f"distributed.worker.memory.{name}": value for name, value in memory.items()}):
        with start(memory_limit="350MB" if is_sick else "4GB") as cluster, Client(cluster) as client:
            futures = client.map(make, range(24), seconds=0.3, size=40_000_000)
            try:
                wait(futures, timeout=8 if is_sick else 60)
            except (TimeoutError, distributed.TimeoutError):
                pass
            print("TRUTH done", sum(future.status == "finished" for future in futures), "of", len(futures))
            client.cancel(futures)


def spill(is_sick):
    """Results do not fit in memory: workers write them to disk."""
    with start(memory_limit="300MB" if is_sick else "4GB") as cluster, Client(cluster) as client:
        futures = client.map(make, range(24), seconds=0.15, size=40_000_000)
        wait(futures)
        print("TRUTH", sum(client.gather(client.map(len, futures))) // 1_000_000, "MB of results")


def tiny(is_sick):
    """Tasks of nothing."""
    with start() as cluster, Client(cluster) as client:
        n = 1000 if is_sick else 40
        client.gather(client.map(burn, range(n), seconds=4 / n))
        print("TRUTH", n, "tasks, of 4 s together")


def local(is_sick):
    """All tasks have to run where their data are."""
    with start() as cluster, Client(cluster) as client:
        first = list(client.scheduler_info()["workers"])[:1 if is_sick else 2]
        data = client.submit(bytes, 8_000_000, workers=first)
        wait(data)
        client.gather([client.submit(burn, number, 0.08, data, workers=first, pure=False) for number in range(60)])
        print("TRUTH all tasks on", *first)


def p2p(is_sick):
    """Tasks of one partition need rows of each other one."""
    import dask.dataframe
    import numpy
    import pandas

    def make_frame(number):
        burn(number, 0.5)
        return pandas.DataFrame(numpy.random.default_rng(number).random((500_000, 4)), columns=list("abcd"))

    with dask.config.set({"dataframe.shuffle.method": "p2p"}), start() as cluster, Client(cluster):
        frame = dask.dataframe.from_map(make_frame, range(16)).assign(key=lambda frame: (frame.a * 1e6).astype(int))
        if is_sick:
            frame = frame.shuffle("key")
        print(frame.map_partitions(lambda part: part.b.sum()).compute().sum())
        print("TRUTH", 16 * 20 if is_sick else 0, "MB shuffled")


def chunks(is_sick):
    """Chunks of an array are much too small."""
    import dask.array

    def work(block):
        burn(None, 2e-5 * block.size)
        return block

    with start() as cluster, Client(cluster):
        side = 20 if is_sick else 100
        array = dask.array.ones((400, 400), chunks=(side, side)).map_blocks(work)
        print((array + array.T).sum().compute())
        print("TRUTH blocks of", side * side * 8, "bytes")


def blas(is_sick):
    """The linear algebra of each worker has threads of its own."""
    threads = 6 if is_sick else 1
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    with dask.config.set({f"distributed.nanny.pre-spawn-environ.{name}": threads for name in names}):
        with start() as cluster, Client(cluster) as client:
            def multiply(number):
                import numpy

                matrix = numpy.random.default_rng(number).random((900, 900))
                before = time.thread_time(), time.process_time()
                for _ in range(12):
                    matrix = matrix @ matrix
                    matrix /= matrix.max()
                return time.thread_time() - before[0], time.process_time() - before[1]

            times = client.gather(client.map(multiply, range(14)))
            print("TRUTH CPU time of tasks' threads %.2f s, of processes %.2f s" % tuple(map(sum, zip(*times))))


def loop(is_sick):
    """The program waits for each task before it submits the next one."""
    with start() as cluster, Client(cluster) as client:
        if is_sick:
            for number in range(40):
                client.submit(burn, number, 0.12).result()
        else:
            client.gather(client.map(burn, range(40), seconds=0.12))
        print("TRUTH at most", 1 if is_sick else 2, "tasks at any time")


def late(is_sick):
    """Workers come late, as in a batch system."""
    with start(0) as cluster, Client(cluster) as client:
        futures = client.map(burn, range(20), seconds=0.2)
        delay = 8 if is_sick else 0.01
        timer = threading.Timer(delay, lambda: cluster.scale(2))
        timer.start()
        client.gather(futures)
        print("TRUTH workers were requested after", delay, "s")


def gather(is_sick):
    """Large results go to the program."""
    with start() as cluster, Client(cluster) as client:
        results = client.map(make, range(24), seconds=0.08, size=40_000_000)
        before = time.time()
        moved = sum(len(result) for result in map(client.gather, results)) if is_sick else sum(client.gather(client.map(len, results)))
        print("TRUTH", moved // 1_000_000 if is_sick else 0, "MB to the program in %.1f s" % (time.time() - before))


def write_locked(number, is_locked):
    burn(number, 0.02)
    with distributed.Lock("file" if is_locked else f"file {number}"):
        time.sleep(0.1)
    return number


def lock(is_sick):
    """All tasks write to one file, under one lock."""
    with start(threads=2) as cluster, Client(cluster) as client:
        client.gather(client.map(write_locked, range(40), is_locked=is_sick))
        print("TRUTH 40 tasks wrote for 0.1 s,", "one at a time" if is_sick else "each its own file")


def resource(is_sick):
    """Tasks need a resource that no worker has."""
    with start(resources={} if is_sick else {"GPU": 1}) as cluster, Client(cluster) as client:
        futures = client.map(burn, range(30), seconds=0.15)
        futures += client.map(burn, range(100, 110), seconds=0.15, resources={"GPU": 1})
        wait(futures[:30])
        try:
            wait(futures, timeout=4 if is_sick else 60)
        except (TimeoutError, distributed.TimeoutError):
            pass
        print("TRUTH done", sum(future.status == "finished" for future in futures), "of 40; 10 need a GPU")


def graph(is_sick):
    """The data are in the task graph."""
    with start() as cluster, Client(cluster):
        parts = [os.urandom(12_000_000) if is_sick else 12_000_000 for _ in range(20)]
        delayed = [dask.delayed(lambda part, number: burn(number, 0.05))(part, number) for number, part in enumerate(parts * 1)]
        delayed += [dask.delayed(burn)(number, 0.1) for number in range(20)]
        dask.compute(delayed)
        print("TRUTH", 240 if is_sick else 0, "MB in the graph")


def keep(number, is_kept):
    burn(number, 0.15)
    part = bytearray(os.urandom(1000)) * 20_000
    if is_kept:
        distributed.kept = [*getattr(distributed, "kept", []), part]
    return number


def leak(is_sick):
    """Tasks leave memory behind."""
    with start(memory_limit="2GB") as cluster, Client(cluster) as client:
        client.gather(client.map(keep, range(40), is_kept=is_sick))
        print("TRUTH", 20 if is_sick else 0, "MB kept by each of 40 tasks")


def straggler(is_sick):
    """The last task takes much longer than all others."""
    with start() as cluster, Client(cluster) as client:
        client.gather([client.submit(burn, number, 4 if is_sick and number == 29 else 0.2, pure=False) for number in range(30)])
        print("TRUTH the last of 30 tasks took", 4 if is_sick else 0.2, "s of CPU time, the others 0.2 s")


def die_once(number, path):
    burn(number, 0.2)
    if number == 20 and path is not None and not os.path.exists(path):
        open(path, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def lost(is_sick):
    """A worker dies, and with it the results that it had."""
    with start() as cluster, Client(cluster) as client:
        client.gather(client.map(die_once, range(30), path=os.path.abspath("died") if is_sick else None))
        print("TRUTH", int(is_sick), "worker was killed")


def fill(number, size):
    burn(number, 0.1)
    parts = []
    for _ in range(size // 10_000_000):
        parts.append(bytearray(b"x") * 10_000_000)
        burn(number, 0.01)
    return len(parts)


def killed(is_sick):
    """Tasks need more memory than their worker may use: Dask kills it."""
    with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
        with start(memory_limit="400MB" if is_sick else "2GB") as cluster, Client(cluster) as client:
            wait(client.map(burn, range(10), seconds=0.1))
            futures = client.map(fill, range(8), size=600_000_000)
            wait(futures)
            print("TRUTH", sum(future.status == "error" for future in futures), "of 8 tasks, which need 600 MB each, failed")


def count_words(number, n):
    total = 0
    for i in range(n):
        total += i % 7
    return total


def threads(is_sick):
    """Pure Python in threads of one process: they take turns."""
    with start(1 if is_sick else 2, 2 if is_sick else 1) as cluster, Client(cluster) as client:
        client.gather(client.map(count_words, range(30), n=3_000_000))
        print("TRUTH", "one worker with two threads" if is_sick else "two workers with one thread")


def fail_first(number, directory):
    burn(number, 0.15)
    path = f"{directory}/tried-{number}" if directory else None
    if path is not None and not os.path.exists(path):
        open(path, "w").close()
        raise OSError("the storage did not answer")
    return number


def retries(is_sick):
    """Each task fails once, and is tried again."""
    with start() as cluster, Client(cluster) as client:
        client.gather(client.map(fail_first, range(30), directory=os.getcwd() if is_sick else None, retries=2))
        print("TRUTH", 30 if is_sick else 0, "attempts failed")


def raises(is_sick):
    """A third of the tasks raises."""
    def work(number):
        burn(number, 0.2)
        return 1 // (number % 3 if is_sick else 1)

    with start() as cluster, Client(cluster) as client:
        futures = client.map(work, range(30))
        wait(futures)
        print("TRUTH", sum(future.status == "error" for future in futures), "of 30 tasks failed")


def burn_slowly(number, slow):
    return burn(number, 0.3 if distributed.get_worker().address == slow else 0.1)


def slow(is_sick):
    """One worker needs three times the time."""
    with start() as cluster, Client(cluster) as client:
        first = min(client.scheduler_info()["workers"])
        client.gather(client.map(burn_slowly, range(60), slow=first if is_sick else None))
        print("TRUTH", first, "is", "three times slower" if is_sick else "as fast as the other worker")


def chain(is_sick):
    """Each task needs the result of the one before."""
    with start() as cluster, Client(cluster) as client:
        future = client.submit(burn, 0, 0.2)
        futures = [future]
        for number in range(1, 24):
            future = client.submit(burn, future if is_sick else number, 0.2, number)
            futures.append(future)
        client.gather(futures)
        print("TRUTH", "a chain of 24 tasks" if is_sick else "24 independent tasks")


def step(numbers, seconds):
    """Starts tasks and waits for them; the slot is held meanwhile."""
    client = distributed.get_client()
    futures = [client.submit(burn, number, 0.2, pure=False) for number in numbers]
    try:
        wait(futures, timeout=seconds)
    except (TimeoutError, distributed.TimeoutError):
        client.cancel(futures)
    return len(futures)


def step_aside(numbers, seconds):
    with distributed.worker_client():
        return step(numbers, seconds)


def nested(is_sick):
    """Tasks wait for tasks that they started, and hold all slots."""
    with start() as cluster, Client(cluster) as client:
        client.gather(client.map(step if is_sick else step_aside, [range(12), range(12)], seconds=8 if is_sick else 60, pure=False))
        print("TRUTH each of two tasks waited for 12 others,", "with" if is_sick else "without", "its slot")


def sleep(number, seconds):
    time.sleep(seconds)
    return number


def io(is_sick):
    """Tasks wait for something outside, such as a network, one per core."""
    with start() as cluster, Client(cluster) as client:
        client.gather(client.map(sleep if is_sick else burn, range(30), seconds=0.4))
        print("TRUTH each of 30 tasks", "slept" if is_sick else "computed", "for 0.4 s")


def import_it(number):
    burn(number, 0.2)
    import module_of_the_laptop

    return module_of_the_laptop


def module(is_sick):
    """A module is missing at the workers."""
    with start() as cluster, Client(cluster) as client:
        futures = client.map(import_it if is_sick else burn, range(20), **({} if is_sick else {"seconds": 0.2}))
        wait(futures)
        print("TRUTH", sum(future.status == "error" for future in futures), "of 20 tasks failed")


def amount(is_sick):
    """Each worker has four threads, but enough of a resource for one task at a time."""
    with start(threads=4, resources={"slot": 1 if is_sick else 4}) as cluster, Client(cluster) as client:
        client.gather(client.map(sleep, range(40), seconds=0.8, resources={"slot": 1}))
        print("TRUTH each of 40 tasks requested 1 of", 1 if is_sick else 4, "slots, and slept for 0.8 s")


def few(is_sick):
    """There are fewer tasks than workers."""
    with start(4 if is_sick else 2) as cluster, Client(cluster) as client:
        client.gather(client.map(burn, range(2 if is_sick else 16), seconds=3 if is_sick else 0.4))
        print("TRUTH", "2 tasks of 3 s for 4 workers" if is_sick else "16 tasks of 0.4 s for 2 workers")


def again(is_sick):
    """Each result that the program asks for needs the same data, which are made again."""
    with start() as cluster, Client(cluster):
        parts = [dask.delayed(burn)(number, 0.3, dask_key_name=f"load-{number}") for number in range(12)]
        results = [dask.delayed(function)(parts) for function in (sum, max, min)]
        if is_sick:
            for result in results:
                result.compute()
        else:
            dask.compute(*results)
        print("TRUTH 12 parts were made", 3 if is_sick else 1, "times")


def read_file(number, is_broken):
    burn(number, 1.5 if is_broken and number == 3 else 0.2)
    if is_broken and number == 3:
        raise OSError("file-3 is truncated")
    return number


def badfile(is_sick):
    """One file of many cannot be read, and is tried again each time."""
    with start() as cluster, Client(cluster) as client:
        futures = client.map(read_file, range(20), is_broken=is_sick, retries=3)
        wait(futures)
        print("TRUTH", sum(future.status == "error" for future in futures), "of 20 files failed, with 4 attempts of 1.5 s")


def adaptive(is_sick):
    """Workers leave whenever no task is left, and have to start again for the next tasks."""
    with start(0 if is_sick else 2) as cluster, Client(cluster) as client:
        if is_sick:
            cluster.adapt(minimum=0, maximum=2, interval="200ms", wait_count=1)
        for first in range(0, 48, 12):
            client.gather(client.map(burn, range(first, first + 12), seconds=0.15))
            time.sleep(1.5 if is_sick else 0)
        print("TRUTH four groups of 12 tasks;", "workers leave between them" if is_sick else "workers stay")


def consume(is_sick):
    """The program handles each result itself before it submits the next task."""
    with start() as cluster, Client(cluster) as client:
        if is_sick:
            completed = distributed.as_completed(client.map(burn, range(2), seconds=0.05))
            for number, future in enumerate(completed, start=2):
                burn(future.result(), 0.2)
                if number < 30:
                    completed.add(client.submit(burn, number, 0.05))
        else:
            client.gather(client.map(burn, range(30), seconds=0.25))
        print("TRUTH the program computed", 6 if is_sick else 0, "s between tasks of", 0.05 if is_sick else 0.25, "s")


if __name__ == "__main__":
    name, state = sys.argv[1:]
    globals()[name](state == "sick")
