# SPDX-License-Identifier: BSD-3-Clause
"""Records the runs of tests/data/goldens and their exports: record.py OUTPUT NEWEST-DASK-PYTHON ROOT-FILES TASKVINE-LOGS [NAME…]

Runs of roast of the commit that README.md names must be on PATH (meson devenv). ROOT-FILES is a directory that
tests/integration/coffea/scripts/make-files.py has filled with 300 events a file. TASKVINE-LOGS contains a directory of logs per run."""

import lzma
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

MAKE = pathlib.Path(__file__).resolve().parent
COFFEA = MAKE.parents[2] / "integration/coffea/scripts"
DEBIAN = "/usr/bin/python3"
TIMEOUT = 180


def list_children(pid):
    text = subprocess.run(["ps", "-eo", "pid=,ppid=,comm="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in text.splitlines()]
    return [(int(row[0]), row[2]) for row in rows if int(row[1]) == pid]


def strike(process, victim, directory):
    """Kills the session or the supervisor, or interrupts roast-run, two seconds after the program has begun to work."""
    for _ in range(TIMEOUT):
        if os.path.exists(f"{directory}/started"):
            break
        time.sleep(1)
    time.sleep(2)
    children = list_children(process.pid)
    session = next(pid for pid, name in children if name.startswith("roast"))
    if victim == "interrupt":
        os.kill(process.pid, signal.SIGINT)
    elif victim == "session":
        os.kill(session, signal.SIGKILL)
    else:
        below = children + list_children(session)
        os.kill(next(pid for pid, name in below if "superv" in name), signal.SIGKILL)
    if victim != "interrupt":
        time.sleep(2)
        for pid in list_programs():
            os.kill(pid, signal.SIGKILL)


def list_programs():
    text = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True, check=True).stdout
    return [int(line.split(None, 1)[0]) for line in text.splitlines() if "goldens-jobs/jobs.py" in line and "roast-" not in line]


def record(output, name, command, victim=None, options=()):
    run = output / f"{name}.roast"
    with tempfile.TemporaryDirectory(prefix="goldens-") as directory:
        environment = {**os.environ, "ROAST_RUNS": f"{directory}/runs", "PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": "1",
                       "DASK_TEMPORARY_DIRECTORY": directory}
        process = subprocess.Popen(["roast-run", "-q", f"--save={run}", *options, *command], cwd=directory, env=environment,
                                   stdin=subprocess.DEVNULL)
        if victim is not None:
            strike(process, victim, directory)
        status = process.wait(TIMEOUT)
        report = pathlib.Path(directory, "report.json")
        subprocess.run(["roast-report", "-e", f"json:{report}", run], check=True, env=environment)
        with lzma.open(output / f"{name}.json.xz", "wb", preset=9) as file:
            file.write(report.read_bytes())
    print(name, status, run.stat().st_size, (output / f"{name}.json.xz").stat().st_size, flush=True)


def main():
    output, newest, files, logs, *names = sys.argv[1:]
    os.makedirs("/tmp/goldens-jobs", exist_ok=True)
    pathlib.Path("/tmp/goldens-jobs/jobs.py").write_bytes((MAKE / "jobs.py").read_bytes())
    jobs = "/tmp/goldens-jobs/jobs.py"
    analysis = "/tmp/goldens-jobs/analysis.py"
    pathlib.Path(analysis).write_bytes((COFFEA / "analysis.py").read_bytes())
    runs = {
        "local-healthy": (["--", DEBIAN, jobs, "tree"], None),
        "local-failed": (["--", "sh", "-c", f"{DEBIAN} {jobs} burn 0.1; exit 3"], None),
        "local-program-killed": (["--", "sh", "-c", f"{DEBIAN} {jobs} burn 0.1; kill -9 $$"], None),
        "local-short-children": (["--", DEBIAN, jobs, "short"], None),
        "local-interrupted": (["--", DEBIAN, jobs, "long"], "interrupt"),
        "local-session-killed": (["--", DEBIAN, jobs, "long"], "session"),
        "local-supervisor-killed": (["--", DEBIAN, jobs, "long"], "supervisor"),
    }
    for kind in ("healthy", "failed", "retried", "spilled", "worker-killed", "threads"):
        runs[f"dask-debian-{kind}"] = (["--backend=dask", "--", DEBIAN, jobs, f"dask-{kind}"], None)
    for kind in ("healthy", "retried", "spilled", "shuffle"):
        runs[f"dask-newest-{kind}"] = (["--backend=dask", "--", newest, jobs, f"dask-{kind}"], None)
    for victim in ("interrupt", "session", "supervisor"):
        runs[f"dask-debian-{victim}"] = (["--backend=dask", "--", DEBIAN, jobs, "dask-long"], victim)
    for kind, words in {"iterative": [], "futures": ["executor=futures"], "dask": ["executor=dask"]}.items():
        backend = ["--backend=dask"] if kind == "dask" else []
        runs[f"coffea-{kind}"] = ([*backend, "--", newest, analysis, files, "chunksize=100", "datasets=data,ttbar", *words], None)
    for place in sorted(pathlib.Path(logs).iterdir()):
        runs[f"taskvine-{place.name}"] = (["--backend=taskvine", f"--attach={place}"], None)
    pathlib.Path(output).mkdir(parents=True, exist_ok=True)
    for name, (command, victim) in runs.items():
        if not names or any(name.startswith(part) for part in names):
            try:
                record(pathlib.Path(output), name, command, victim)
            except (StopIteration, subprocess.SubprocessError, OSError) as error:
                print(name, "FAILED", repr(error), flush=True)


if __name__ == "__main__":
    main()
