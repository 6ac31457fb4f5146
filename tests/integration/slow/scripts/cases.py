# SPDX-License-Identifier: BSD-3-Clause
"""Runs that are slow on purpose, each for one reason: cases.py CASE. They know nothing of roast."""

import http.server
import multiprocessing
import os
import sys
import threading
import time
import urllib.request

N_THREADS = 2


def compute(seconds):
    """CPU time, however busy the machine is."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
    return seconds


def work(i, seconds=0.1):
    return compute(seconds)


def tiny(i):
    return i


def straggle(i):
    """One in forty takes a hundred times as long."""
    return compute(5 if i == 0 else 0.05)


def allocate(i, size):
    data = bytearray(os.urandom(1) * size)
    time.sleep(3)
    return len(data)


def read(path):
    with open(path, "rb") as file:
        return len(file.read())


def fetch(url):
    with urllib.request.urlopen(url) as answer:
        return len(answer.read())


class Throttled(http.server.BaseHTTPRequestHandler):
    """Sends its 20 kB in small pieces."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "20000")
        self.end_headers()
        for _ in range(10):
            time.sleep(0.1)
            self.wfile.write(b"x" * 2000)

    def log_message(self, *arguments):
        pass


def block(seconds, dask_scheduler=None):
    time.sleep(seconds)


def keep_blocking(client, stop):
    while not stop.is_set():
        client.run_on_scheduler(block, 2.5)


def straggler(client):
    client.gather(client.map(straggle, list(reversed(range(40))), pure=False))


def storage(client):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Throttled)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = "http://127.0.0.1:%d/" % server.server_address[1]
    client.gather(client.map(fetch, [url + str(i) for i in range(12)], pure=False))
    server.shutdown()


def short(client):
    client.gather(client.map(tiny, range(3000), pure=False))


def memory(client):
    futures = client.map(allocate, range(2), size=600 << 20, pure=False, retries=0)
    client.gather(futures, errors="skip")
    # A cluster of Dask 2024.12 whose nannies restarted workers waits forever, here and there, when it is closed.
    time.sleep(1)
    os._exit(0)


def failing(client):
    client.gather(client.map(read, ["/nonexistent/store/%d.root" % i for i in range(20)] + [__file__] * 20, pure=False), errors="skip")


def few(client):
    client.submit(work, 0, seconds=6).result()


def blocked(client):
    stop = threading.Event()
    thread = threading.Thread(target=keep_blocking, args=(client, stop))
    thread.start()
    end = time.monotonic() + 10
    while time.monotonic() < end:
        client.gather(client.map(work, range(4), pure=False))
    stop.set()
    thread.join()


def startup(client):
    time.sleep(10)
    client.gather(client.map(work, range(8), pure=False))


def healthy(client):
    client.gather(client.map(work, range(40), seconds=0.2, pure=False))


def contended():
    """One process, which others leave a part of a core."""
    compute(2)


def oversubscribed():
    """Four processes for each core."""
    processes = [multiprocessing.Process(target=compute, args=(1.5,)) for _ in range(4 * len(os.sched_getaffinity(0)))]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def main(case):
    if case in ("contended", "oversubscribed"):
        globals()[case]()
        return
    from distributed import Client, LocalCluster

    threads = 4 if case == "few" else 1
    limit = "300MiB" if case == "memory" else 0
    with LocalCluster(n_workers=N_THREADS if case != "few" else 1, threads_per_worker=threads, memory_limit=limit,
                      dashboard_address=":0") as cluster, Client(cluster) as client:
        globals()[case](client)


if __name__ == "__main__":
    main(sys.argv[1])
