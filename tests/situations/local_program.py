# SPDX-License-Identifier: BSD-3-Clause
"""Situations of programs without an executor: local_program.py NAME sick|twin. Each says what it knows itself (TRUTH ...)."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import time


def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
    return os.getpid()


def serial(is_sick):
    """A part of the program has only one thread."""
    with multiprocessing.Pool(2) as pool:
        pool.map(burn, [0.1] * 10, chunksize=1)
        if is_sick:
            burn(5)
        else:
            pool.map(burn, [0.1] * 60, chunksize=1)
    print("TRUTH", 5 if is_sick else 0, "s of CPU time in the only thread that ran")


def tail(is_sick):
    """The last piece of a pool's work takes much longer."""
    pieces = [0.1] * 16 + ([6] if is_sick else [0.1] * 60)
    with multiprocessing.Pool(2) as pool:
        pool.map(burn, pieces, chunksize=1)
    print("TRUTH the last piece took", pieces[-1], "s")


def sleeps(is_sick):
    """The program sleeps."""
    end = time.monotonic() + 6
    with multiprocessing.Pool(2) as pool:
        pool.map(burn, [0.2] * (6 if is_sick else 50), chunksize=1)
        while is_sick and time.monotonic() < end:
            time.sleep(0.1)
    print("TRUTH", "slept for most of 6 s" if is_sick else "did not sleep")


def crowd(is_sick):
    """More processes compute than there are cores."""
    n = 6 * os.cpu_count() if is_sick else os.cpu_count()
    with multiprocessing.Pool(n) as pool:
        pool.map(burn, [0.25] * 40, chunksize=1)
    print("TRUTH", n, "processes for", os.cpu_count(), "cores")


def threads(is_sick):
    """Pure Python in threads: they take turns."""
    kind = concurrent.futures.ThreadPoolExecutor if is_sick else concurrent.futures.ProcessPoolExecutor
    with kind(2) as pool:
        list(pool.map(burn_python, [2_500_000] * 70))
    print("TRUTH two", "threads" if is_sick else "processes")


def burn_python(n):
    total = 0
    for number in range(n):
        total += number % 7
    return total


def status(is_sick):
    """The program fails at its end."""
    with multiprocessing.Pool(2) as pool:
        pool.map(burn, [0.2] * 40, chunksize=1)
    print("TRUTH exit status", 3 if is_sick else 0)
    sys.stdout.flush()
    os._exit(3 if is_sick else 0)


def murdered(is_sick):
    """A signal kills a part of the program."""
    children = [subprocess.Popen([sys.executable, __file__, "part", "sick"]) for _ in range(2)]
    time.sleep(3)
    if is_sick:
        children[0].send_signal(signal.SIGKILL)
    states = [child.wait() for child in children]
    print("TRUTH exit states of the parts:", *states)
    sys.stdout.flush()
    os._exit(1 if any(states) else 0)


def part(_):
    burn(5)


if __name__ == "__main__":
    name, state = sys.argv[1:]
    globals()[name](state == "sick")
