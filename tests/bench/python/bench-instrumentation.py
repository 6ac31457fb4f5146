#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a section of the Python package costs, beside contextlib.nullcontext() in the same run: when nothing listens (goal 300 ns), when it
belongs to a chunk of coffea (goal 2 us), and when it goes to the run's socket (goal 2 us, CPU time of all threads)."""

import os
import socket
import subprocess
import sys
import tempfile
import threading

COUNT = 100_000

MEASURE = """
import contextlib, sys, threading, time, types
if sys.argv[1] == "chunk":
    current = sys.modules["_roast_current"] = types.ModuleType("_roast_current")
    current.local = threading.local()
    current.local.chunk = {"id": "x", "sections": []}
from roast import track_time

def use_section(n):
    for _ in range(n):
        with track_time("x"):
            pass

def use_nothing(n):
    for _ in range(n):
        with contextlib.nullcontext("x"):
            pass

def measure(function, n):
    best = float("inf")
    for _ in range(9):
        start = time.process_time_ns()
        function(n)
        best = min(best, (time.process_time_ns() - start) / n)
    return best

n = int(sys.argv[2])
print(measure(use_section, n), measure(use_nothing, n))
"""


def serve(path):
    """Reads what comes, as roast does."""
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen()

    def read():
        connection, _ = server.accept()
        while connection.recv(1 << 20):
            pass

    threading.Thread(target=read, daemon=True).start()


def run(kind, environment):
    result = subprocess.run([sys.executable, "-c", MEASURE, kind, str(COUNT)], env=environment, check=True, capture_output=True, text=True)
    section, nothing = map(float, result.stdout.split())
    print(f"{kind:7} {section:7.0f} ns per section, {section / nothing:5.2f} x nullcontext ({nothing:.0f} ns)")


def main():
    outside = {name: value for name, value in os.environ.items() if name not in ("ROAST_SOCKET", "ROAST_TOKEN")}
    run("idle", outside)
    run("chunk", outside)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "socket")
        serve(path)
        run("socket", {**outside, "ROAST_SOCKET": path, "ROAST_TOKEN": "x"})


if __name__ == "__main__":
    main()
