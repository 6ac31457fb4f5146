#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the situations of situations.txt under roast-run, and keeps the recordings: record.py PYTHON [NAME…]

PYTHON has Dask and coffea. roast-run is on PATH (meson devenv), and ROAST_TASKVINE_ROOT names a root with TaskVine (in_root.py).
recordings/NAME.tar.xz has both run files of a situation, and recordings/measured.txt what was measured besides: the cores that other
programs of the machine used meanwhile, and what the program printed."""

import contextlib
import io
import lzma
import os
import pathlib
import resource
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
RECORDINGS = HERE / "recordings"
MEASURED = RECORDINGS / "measured.txt"
# Run files name their program: a place that says nothing of the machine.
PLACE = pathlib.Path("/tmp/situations")
CHURN = "integration/taskvine/scripts/churn.py"
STATES = ("sick", "twin")
TIMEOUT = 300

sys.path.insert(0, str(HERE.parent / "integration/taskvine"))

from in_root import enter, inside  # noqa: E402


def read_table():
    """[[name, executor, rules, words, twin, planted, source]] of the situations."""
    lines = (HERE / "situations.txt").read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.split("|")] for line in lines if line.strip() and not line.startswith("#")]


def read_measured():
    """{(name, state): (cores that others used, elapsed seconds, exit status, what the program printed)}"""
    lines = MEASURED.read_text(encoding="utf-8").splitlines() if MEASURED.exists() else []
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    return {(row[0], row[1]): (float(row[2]), float(row[3]), int(row[4]), row[5]) for row in rows}


def write_measured(measured):
    lines = [f"{name} | {state} | {others:.2f} | {elapsed:.1f} | {status} | {truth}\n"
             for (name, state), (others, elapsed, status, truth) in sorted(measured.items())]
    MEASURED.write_text("".join(lines), encoding="utf-8")


def get_busy():
    """CPU time in s that all programs of this machine used, and the program's own children."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK"), used.ru_utime + used.ru_stime


def get_command(executor, name, state, python, directory):
    script = {"local": "local_program.py"}.get(executor, f"with_{executor}.py")
    command = [f"{PLACE}/situations/{script}", name.removeprefix(executor + "-"), state]
    if executor == "taskvine":
        return inside(str(directory), ["/usr/bin/python3", *command])
    return ["/usr/bin/python3" if executor == "local" else python, *command]


def record(name, executor, state, python):
    """The run file, and what was measured besides."""
    with tempfile.TemporaryDirectory(prefix="situation-", ignore_cleanup_errors=True) as directory:
        environment = {**os.environ, "PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": "1", "DASK_TEMPORARY_DIRECTORY": directory,
                       "CATALOG_HOST": "127.0.0.1", "DASK_LOGGING__DISTRIBUTED": "critical"}
        run = pathlib.Path(directory, "run.roast")
        backend = ["--backend=taskvine"] if executor == "taskvine" else []
        before, since = get_busy(), time.monotonic()
        result = subprocess.run(["roast-run", "-q", f"--save={run}", *backend, "--", *get_command(executor, name, state, python, directory)],
                                cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
        elapsed = time.monotonic() - since
        after = get_busy()
        truth = "; ".join(line.removeprefix("TRUTH ") for line in result.stdout.splitlines() if line.startswith("TRUTH "))
        if not truth:
            sys.stderr.write(result.stderr[-2000:])
        forget_build(run)
        others = max(0.0, (after[0] - before[0]) - (after[1] - before[1])) / elapsed
        return run.read_bytes(), (others, elapsed, result.returncode, truth)


def forget_build(run):
    """Names another place of the schemas than this build."""
    with contextlib.closing(sqlite3.connect(run)) as database:
        database.execute("UPDATE schema SET origin = '/usr/src/roast/build' || substr(origin, instr(origin, '/plugins/')) "
                         "WHERE origin LIKE '%/plugins/%'")
        database.commit()
        database.execute("VACUUM")


def pack(path, runs):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for state, run in runs.items():
            member = tarfile.TarInfo(f"{state}.roast")
            member.size = len(run)
            archive.addfile(member, io.BytesIO(run))
    path.write_bytes(lzma.compress(content.getvalue(), preset=9 | lzma.PRESET_EXTREME))


def main():
    enter()
    python, *names = sys.argv[1:]
    shutil.rmtree(PLACE, ignore_errors=True)
    (PLACE / "situations").mkdir(parents=True)
    for script in HERE.glob("*.py"):
        shutil.copy(script, PLACE / "situations")
    (PLACE / CHURN).parent.mkdir(parents=True)
    shutil.copy(HERE.parent / CHURN, PLACE / CHURN)
    # A Python of a virtual environment finds its modules next to the name by which it is called.
    os.symlink(pathlib.Path(python).absolute().parents[1], PLACE / "environment")
    python = f"{PLACE}/environment/bin/{pathlib.Path(python).name}"
    RECORDINGS.mkdir(exist_ok=True)
    measured = read_measured()
    for name, executor, *_ in read_table():
        if names and name not in names:
            continue
        try:
            runs = {}
            for state in STATES:
                runs[state], measured[name, state] = record(name, executor, state, python)
                print(name, state, *measured[name, state], flush=True)
            pack(RECORDINGS / f"{name}.tar.xz", runs)
            write_measured(measured)
        except (subprocess.SubprocessError, OSError) as error:
            print(name, "FAILED", repr(error), flush=True)


if __name__ == "__main__":
    main()
