#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How often roast-compare calls identical runs different, and how often it finds and names a change.

bench-compare.py record PYTHON DIRECTORY   records runs of program.py, one at a time; PYTHON has Dask
bench-compare.py judge DIRECTORY [N]       draws N pairs of groups (default: 200), compares them with the current build, and prints tables"""

import contextlib
import http.server
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
SHAPES = ("dask", "pool", "work")
# Number of runs, shape, delay of the file server in s, and what is changed.
PLAN = {
    "same": (60, "dask", 0.03, []),
    "select20": (20, "dask", 0.03, ["select=1.2"]),
    "select10": (20, "dask", 0.03, ["select=1.1"]),
    "worker": (5, "dask", 0.03, ["worker=1.6"]),
    "server": (5, "dask", 0.06, []),
    "start": (5, "dask", 0.03, ["start=2"]),
    "start5": (5, "dask", 0.03, ["start=5"]),
    "work": (24, "work", 0.03, []),
    "work20": (8, "work", 0.03, ["select=1.2"]),
    "pool": (60, "pool", 0.03, []),
    "pool20": (20, "pool", 0.03, ["select=1.2", "fill=1.2"]),
}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(self.server.delay)
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(bytes(1000))

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


def get_busy():
    """CPU time in s that all programs of this machine used."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def record(python, place, server, kind, number):
    _, shape, server.delay, changes = PLAN[kind]
    path = place / f"{kind}-{number:03}.roast"
    if path.with_suffix(".json").exists():
        return
    path.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="compare-") as directory:
        environment = {**os.environ, "PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": "1", "DASK_TEMPORARY_DIRECTORY": directory,
                       "DASK_LOGGING__DISTRIBUTED": "critical", "DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD": "fork",
                       "FILE_SERVER": f"http://127.0.0.1:{server.server_port}"}
        busy, since, used = get_busy(), time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        result = subprocess.run(["roast-run", "-q", f"--save={path}", "--", python, HERE / "program.py", shape, *changes],
                                cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        elapsed, after = time.monotonic() - since, resource.getrusage(resource.RUSAGE_CHILDREN)
        own = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
        others = max(0, get_busy() - busy - own) / elapsed
    if result.returncode:
        sys.exit(result.stderr.decode()[-500:])
    path.with_suffix(".json").write_text(json.dumps({"elapsed": elapsed, "others": others}), encoding="ascii")
    print(f"{path.stem} {elapsed:.1f} s, others {others:.2f} cores", flush=True)


def record_all(python, place):
    """In an order in which all kinds have the same load of the machine; what exists is kept."""
    place.mkdir(parents=True, exist_ok=True)
    plan = sorted((SHAPES.index(shape), (number + 0.5) / n, kind, number) for kind, (n, shape, *_) in PLAN.items() for number in range(n))
    with serve() as server:
        for _, _, kind, number in plan:
            record(python, place, server, kind, number)


if __name__ == "__main__":
    action, *words = sys.argv[1:]
    if action == "record":
        record_all(words[0], pathlib.Path(words[1]).resolve())
    else:
        sys.path.insert(0, str(HERE))
        from judge import judge_all

        judge_all(pathlib.Path(words[0]), int(words[1]) if len(words) > 1 else 200)
