#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How often findings on ordinary runs are not so, and how often a slowdown of 30 % is found.

bench-findings.py record PYTHON DIRECTORY FIRST ORDINARY PLANTED   records so many runs of program.py, one at a time; FIRST is the first seed
bench-findings.py judge DIRECTORY                                  makes their reports with the current build, and prints a table

PYTHON has Dask, coffea and loky."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ORDINARY = ("dask_map", "coffea_futures", "pool", "dask_delayed", "coffea_dask", "loop", "dask_stream", "loky", "coffea_iterative", "dask_bag",
            "chunks")
PLANTED = (("dask_map", "worker"), ("coffea_futures", "dataset"), ("coffea_dask", "file"), ("coffea_futures", "file"), ("dask_map", "worker"),
           ("coffea_dask", "dataset"), ("chunks", "file"), ("coffea_dask", "worker"))


def get_busy():
    """CPU time in s that all programs of this machine used, and the program's own children."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK"), used.ru_utime + used.ru_stime


def record(python, place, shape, plant, seed):
    name = f"{seed:05}-{shape}-{plant}"
    with tempfile.TemporaryDirectory(prefix="finding-") as directory:
        environment = {**os.environ, "PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": "1", "DASK_TEMPORARY_DIRECTORY": directory,
                       "DASK_LOGGING__DISTRIBUTED": "critical", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        before, since = get_busy(), time.monotonic()
        result = subprocess.run(["roast-run", "-q", f"--save={place / name}.roast", "--", python, HERE / "program.py", shape, str(seed), plant,
                                 directory], cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        elapsed, after = time.monotonic() - since, get_busy()
        rows = [json.loads(line) for path in sorted(pathlib.Path(directory).glob("*.jsonl")) for line in path.read_text().splitlines()]
    others = max(0.0, (after[0] - before[0]) - (after[1] - before[1])) / elapsed
    truth = {"shape": shape, "plant": plant, "seed": seed, "elapsed": elapsed, "others": others, "status": result.returncode, "rows": rows}
    (place / f"{name}.json").write_text(json.dumps(truth), encoding="ascii")
    print(f"{name} {elapsed:.1f} s, others {others:.2f} cores, status {result.returncode}", flush=True)
    if result.returncode:
        sys.stderr.write(result.stderr.decode()[-300:])


def record_all(python, place, first, n_ordinary, n_planted):
    """Interleaved, so that both have the same load."""
    place = pathlib.Path(place)
    place.mkdir(parents=True, exist_ok=True)
    plan = [((number + 0.5) / n_ordinary, ORDINARY[number % len(ORDINARY)], "none") for number in range(n_ordinary)]
    plan += [((number + 0.5) / n_planted, *PLANTED[number % len(PLANTED)]) for number in range(n_planted)]
    for seed, (_, shape, plant) in enumerate(sorted(plan), first):
        record(python, place, shape, plant, seed)


if __name__ == "__main__":
    action, *words = sys.argv[1:]
    if action == "record":
        python, place, *numbers = words
        record_all(python, place, *map(int, numbers))
    else:
        sys.path.insert(0, str(HERE))
        from judge import judge_all

        judge_all(pathlib.Path(words[0]))
