# SPDX-License-Identifier: BSD-3-Clause
"""Situations of workflows of TaskVine: with_taskvine.py NAME sick|twin. Each says what it knows itself (TRUTH ...)."""

import os
import pathlib
import shutil
import sys
import tempfile
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration/taskvine/scripts"))

import importlib.util
import time

from churn import Manager, Workers, exhaust, submit, vine

BURN = "python3 -c 'import time\nend = time.process_time() + %g\nwhile time.process_time() < end: pass'"


def sending(is_sick):
    """Each task has a large input of its own."""
    with tempfile.TemporaryDirectory() as directory, Workers() as workers, Manager() as m:
        workers.start(m.port, disk=8000)
        content = os.urandom(1 << 20)
        for number in range(30 if is_sick else 24):
            path = os.path.join(directory, f"input-{number}")
            with open(path, "wb") as file:
                file.writelines([number.to_bytes(4, "big"), *[content] * (100 if is_sick else 1)])
            submit(m, "read", BURN % 0.4 if not is_sick else "test -s input", inputs=[(m.declare_file(path), "input")])
        exhaust(m.drain())
        print("TRUTH each task has an input of", 100 if is_sick else 1, "MiB")


def compute(number):
    import time

    end = time.process_time() + 0.4
    while time.process_time() < end:
        pass
    return number


def run_calls(init, n, limit):
    with Workers() as workers, Manager() as m:
        if not shutil.which("python"):
            os.symlink(sys.executable, os.path.join(workers.directory, "python"))
            os.environ["PATH"] += os.pathsep + workers.directory
        if not importlib.util.find_spec("conda_pack"):
            sys.modules["conda_pack"] = types.ModuleType("conda_pack")
        for _ in range(2):
            workers.start(m.port, cores=1)
        library = m.create_library_from_functions("library", compute, add_env=False, init_command=init)
        library.set_cores(1)
        library.set_function_slots(1)
        m.install_library(library)
        for number in range(n):
            call = vine.FunctionCall("library", "compute", number)
            call.set_category("calls")
            m.submit(call)
        end = time.monotonic() + limit
        while time.monotonic() < end and not m.empty():
            m.wait(1)
        m.cancel_all()
        return m.returned


def broken(is_sick):
    """A library exits before it is ready, each time."""
    print("TRUTH", run_calls("sleep 1; exit 3;" if is_sick else "", 4 if is_sick else 24, 10 if is_sick else 60), "calls returned")


def start(is_sick):
    """A library needs long to start."""
    print("TRUTH", run_calls("sleep 6;" if is_sick else "", 12 if is_sick else 24, 60), "calls returned; the library started for",
          6 if is_sick else 0, "s longer")


def cores(is_sick):
    """Tasks request more cores than any worker has."""
    with Workers() as workers, Manager() as m:
        workers.start(m.port)
        for _ in range(20):
            submit(m, "fit", BURN % 0.4)
        for _ in range(6):
            submit(m, "large", BURN % 0.4, cores=8 if is_sick else 1)
        end = time.monotonic() + (9 if is_sick else 60)
        while time.monotonic() < end and not m.empty():
            m.wait(1)
        m.cancel_all()
        print("TRUTH 6 tasks requested", 8 if is_sick else 1, "cores;", m.returned, "returned")


def memory(is_sick):
    """Tasks request so much memory that half of the cores is idle."""
    with Workers() as workers, Manager() as m:
        m.tune("proportional-resources", 0)
        workers.start(m.port, memory=1000)
        for _ in range(16):
            submit(m, "big", BURN % 0.4, memory=700 if is_sick else 100, disk=10)
        exhaust(m.drain())
        print("TRUTH each task requested", 700 if is_sick else 100, "of 1000 MB; a worker with 2 cores")


def lost(is_sick):
    """A worker dies while its tasks run."""
    with Workers() as workers, Manager() as m:
        workers.start(m.port, cores=1)
        doomed = workers.start(m.port, cores=1)
        for _ in range(6):
            submit(m, "long", BURN % 3)
        while m.returned < 2:
            m.wait(1)
        end = time.monotonic() + 2.5
        while time.monotonic() < end:
            m.wait(0)
        if is_sick:
            while not workers.busy(doomed):
                m.wait(1)
            workers.kill(doomed)
        exhaust(m.drain())
        print("TRUTH", int(is_sick), "worker was killed;", m.returned, "tasks returned")


def retrieving(is_sick):
    """Large outputs go to the manager, one at a time."""
    with tempfile.TemporaryDirectory() as directory, Workers() as workers, Manager() as m:
        workers.start(m.port, disk=16000)
        size = 200_000_000 if is_sick else 1000
        for number in range(24):
            output = m.declare_file(os.path.join(directory, f"output-{number}"))
            submit(m, "write", (BURN % (0.02 if is_sick else 0.4)) + f"; head -c {size} /dev/zero > output", outputs=[(output, "output")])
        exhaust(m.drain())
        print("TRUTH each task wrote", size, "bytes")


def failing(is_sick):
    """Half of the tasks fails."""
    with Workers() as workers, Manager() as m:
        workers.start(m.port)
        for number in range(20):
            submit(m, "check", (BURN % 0.4) + f"; exit {3 if is_sick and number % 2 else 0}")
        exhaust(m.drain())
        print("TRUTH", 10 if is_sick else 0, "of 20 tasks exit with 3")


def disk(is_sick):
    """Tasks write more than they requested, and are ended for it."""
    with Workers() as workers, Manager() as m:
        m.tune("proportional-resources", 0)
        m.tune("transient-error-interval", 1)
        workers.start(m.port)
        for _ in range(2 if is_sick else 20):
            submit(m, "fill", "head -c 20000000 /dev/zero > fill; sleep 12" if is_sick else BURN % 0.4, disk=5 if is_sick else 100, memory=100)
        exhaust(m.drain())
        print("TRUTH tasks wrote 20 MB and had requested", 5 if is_sick else 100, "MB")


def tiny(is_sick):
    """Tasks of nothing."""
    with Workers() as workers, Manager() as m:
        workers.start(m.port)
        for _ in range(300 if is_sick else 24):
            submit(m, "tiny" if is_sick else "fit", "true" if is_sick else BURN % 0.4)
        exhaust(m.drain())
        print("TRUTH", m.returned, "tasks", "of nothing" if is_sick else "of 0.4 s")


def chain(is_sick):
    """Each task is submitted when the one before has returned."""
    with Workers() as workers, Manager() as m:
        workers.start(m.port)
        for _ in range(24):
            submit(m, "fit", BURN % 0.4)
            if is_sick:
                exhaust(m.drain())
        exhaust(m.drain())
        print("TRUTH", m.returned, "tasks,", "one at a time" if is_sick else "at once")


def whole(is_sick):
    """Tasks request no cores, so that each gets a whole worker."""
    with Workers() as workers, Manager() as m:
        workers.start(m.port)
        for _ in range(20):
            submit(m, "fit", BURN % 0.4, cores=None if is_sick else 1)
        exhaust(m.drain())
        print("TRUTH", m.returned, "tasks, each requested", "nothing" if is_sick else "1 of 2 cores")


if __name__ == "__main__":
    name, state = sys.argv[1:]
    globals()[name](state == "sick")
