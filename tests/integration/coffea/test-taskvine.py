# SPDX-License-Identifier: BSD-3-Clause
"""coffea's chunks on TaskVine: the same numbers as here and on Dask, with workers that inherit nothing, and when one is killed."""

import concurrent.futures
import glob
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "taskvine")]

import in_root  # noqa: E402

in_root.enter()
if in_root.ROOT and not os.environ.get("ROAST_COFFEA_PYTHON"):
    # Where scripts/make-coffea-venv is to make it in that root.
    COMMANDS = tempfile.mkdtemp(prefix="roast-commands-")
    in_root.make_commands(COMMANDS, "/opt/coffea/bin:/usr/bin:/bin", python3="/opt/coffea/bin/python3", vine_worker="/usr/bin/vine_worker")
    os.environ["ROAST_COFFEA_PYTHON"] = os.path.join(COMMANDS, "python3")

from closeness import RELEASE, before_release  # noqa: E402
from coffearun import DATASETS, EVENTS, FILES, PYTHON, CoffeaTest, Files, events_of, read_metrics, total  # noqa: E402
from leftovers import Part  # noqa: E402
from running import wait_until  # noqa: E402
from vinerun import is_packaged  # noqa: E402

CHUNK = EVENTS // 2 + 200  # two chunks in each file; a basket is in both
COMMON = {"chunksize": CHUNK, "savemetrics": 1}
VINE = {"executor": "taskvine", **COMMON}
# A manager with a name tells a public catalog of itself. Freed memory is overwritten, as Meson's tests do by themselves, so that a request for the
# manager's status would crash it (docs/taskvine.md).
ENVIRONMENT = {"CATALOG_HOST": "127.0.0.1", "MALLOC_PERTURB_": "132"}
METRICS = ("events_total", "bytes_read_total", "branches_read_total", "chunks_total", "chunks_failed_total", "chunks_wasted_total",
           "chunks_skipped_total", "preprocessing_files_total", "preprocessing_bytes_total")
PER_DATASET = ("dataset", "chunks", "events", "bytes_read")
PER_FILE = ("dataset", "file", "chunks", "events", "bytes_read", "requests")
WORKER = 'until [ -s "$0" ]; do sleep 0.1; done; exec vine_worker --single-shot --cores "$2" -t 300 -s "$1" 127.0.0.1 "$(cat "$0")"'


def tearDownModule():
    Files.remove()
    if in_root.ROOT:
        shutil.rmtree(COMMANDS, ignore_errors=True)


def find_port():
    """One that is free. TaskVine's own choice may be that of an earlier manager, whose workers would come."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def without_ports(lines):
    return [re.sub(r"port \d+", "port N", line) for line in lines]


class TestTaskVine(CoffeaTest):
    def start_worker(self, name, number, cores=1):
        """In an environment with nothing of the run, as soon as there is a manager."""
        place = self.path(f"{name}-worker-{number}")
        os.makedirs(place, exist_ok=True)
        environment = {"PATH": os.path.dirname(PYTHON) + ":/usr/bin:/bin", "HOME": self.directory}
        worker = subprocess.Popen(["/bin/sh", "-c", WORKER, self.path(os.path.join(name, "port")), place, str(cores)], env=environment, cwd=place,
                                  start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        worker.place = place
        self.addCleanup(worker.wait)
        self.addCleanup(worker.kill)
        return worker

    def start_workers(self, name, **options):
        port = self.path(os.path.join(name, "port"))
        if os.path.exists(port):
            os.unlink(port)
        return [self.start_worker(name, number, **options) for number in range(2)]

    def run_bare(self, **options):
        self.start_workers("bare")
        return super().run_bare(environment=ENVIRONMENT, directory=self.path("bare"), port=find_port(), **options)

    def run_vine(self, **options):
        self.start_workers("measured")
        return self.run_measured(port=find_port(), **{"arguments": ["--backend=taskvine"], "environment": ENVIRONMENT, **VINE, **options})

    def check_confirmed(self, run, datasets=DATASETS):
        """Each chunk of these datasets once, whatever was lost on the way."""
        confirmed = set(run.confirmed())
        counted = [row for row in run.chunks() if row["chunk"] in confirmed]
        self.assertEqual(len(counted), len(confirmed))
        self.assertEqual(len({(row["file"], row["entry_start"]) for row in counted}), run.call()["items"])
        self.assertEqual(len(counted), run.call()["items"])
        self.assertEqual(total(counted, "events"), sum(map(events_of, datasets)))
        self.assertEqual(run.metrics["events_total"]["value"], sum(map(events_of, datasets)))
        self.assertEqual(run.metrics["bytes_read_total"]["value"], read_metrics(run.stdout)["bytesread"])
        return [row for row in run.chunks() if row["chunk"] not in confirmed]

    def test_three_executors(self):
        """The same analysis, unedited: events, chunks, datasets and files are exact, and the three reports agree."""
        # TaskVine's tasks import coffea each, which takes seconds.
        n_files = FILES if RELEASE else 1
        options = {**COMMON, "files": n_files}
        runs = [self.run_measured(**options), self.run_measured(arguments=["--backend=dask"], executor="dask", workers=1, **options),
                self.run_vine(files=n_files)]
        for run in runs:
            self.check_whole(run, read_metrics(run.stdout)["bytesread"], n_files=n_files)
            self.assertEqual(run.metrics["events_total"]["value"], sum(events_of(dataset, n_files) for dataset in DATASETS))
            self.assertEqual(run.metrics["chunks_total"]["value"], 2 * n_files * len(DATASETS))
            self.assertEqual(len(run.rows("per_dataset")), len(DATASETS))
            self.assertEqual(len(run.rows("per_file")), n_files * len(DATASETS))
            self.assertEqual(run.stdout[-2:], runs[0].stdout[-2:])
        for run in runs[1:]:
            for name in METRICS:
                self.assertEqual(run.metrics[name].get("value"), runs[0].metrics[name].get("value"), name)
            for name, columns in (("per_dataset", PER_DATASET), ("per_file", PER_FILE), ("per_branch", ("branch", "chunks", "bytes"))):
                one, two = ([tuple(row.get(column) for column in columns) for row in each.rows(name)] for each in (runs[0], run))
                self.assertEqual(sorted(one), sorted(two), name)
        self.check_vine(runs[-1])

    def check_vine(self, run):
        if RELEASE:  # each task imports coffea, which takes seconds
            bare = self.run_bare(**VINE)
            self.assertEqual((run.status, without_ports(run.stdout)), (bare[1], without_ports(bare[2])), run.stderr)
        self.assertEqual({row["chunk"][0] for row in run.rows("chunks")}, {"o"})
        # The number of the task is that of TaskVine.
        run.backend = "taskvine"
        tasks = {row["task"]: row["category"] for row in run.rows("tasks")}
        run.backend = "program"
        for rows, category in ((run.chunks(), "processing"), (run.files(), "preprocessing")):
            self.assertEqual(len({row["task"] for row in rows}), len(rows))
            self.assertEqual({tasks[row["task"]] for row in rows}, {category})

    def test_killed_worker(self):
        """With the results of chunks that are not merged yet: TaskVine repeats them by itself."""
        # On a busy machine, TaskVine may lack a file that it lets one worker fetch from the other, and then leaves that worker alone. So each
        # worker has a core more than the chunk that waits, and another worker follows the killed one.
        workers = self.start_workers("measured", cores=2)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            # One chunk for each file: each task imports coffea, which takes long on a busy machine.
            options = {**VINE, "chunksize": 10 * EVENTS, "pre": 1}
            running = pool.submit(self.run_measured, environment=ENVIRONMENT, port=find_port(), datasets="data", wait="first", **options)
            try:
                try:
                    wait_until(lambda: running.done() or self.count_results() == 2)
                except AssertionError as error:
                    raise AssertionError(f"{error}\nTaskVine's log:\n{self.read_transactions()}") from error
                victim = self.find_results(workers, running)
                os.killpg(victim.pid, signal.SIGKILL)
                self.start_worker("measured", 2, cores=2)
            finally:
                open(self.path("measured/go"), "w").close()
            run = running.result()
        self.assertEqual(run.status, 0, run.stderr)
        lost = self.check_confirmed(run, ["data"])
        # The attempts whose results were lost are known, and do not count.
        self.assertNotEqual(lost, [])
        self.assertEqual([row for row in lost if "error" in row], [])
        self.assertEqual(run.metrics["chunks_wasted_total"]["value"], len(lost))
        self.assertEqual(run.metrics["chunks_wasted_bytes_total"]["value"], total(lost, "bytes_read"))

    def read_transactions(self):
        return "".join(path.read_text() for path in pathlib.Path(self.path("measured")).glob("vine-run-info/2*/vine-logs/transactions"))

    def count_results(self):
        """Chunks that the manager knows to be done. One of the three waits."""
        log = self.read_transactions()
        chunks = set(re.findall(r"TASK (\d+) READY processing ", log))
        return len(chunks & set(re.findall(r"TASK (\d+) RETRIEVED SUCCESS ", log)))

    def find_results(self, workers, running):
        """The worker that has the result of a chunk."""
        found = []

        def look():
            found[:] = [worker for worker in workers if glob.glob(worker.place + "/cache/temp-*")]
            return found or running.done()

        wait_until(look)
        self.assertNotEqual(found, [], running.done() and running.result().stderr)
        return found[0]

    @before_release
    def test_failures(self):
        """A chunk whose process is killed and one that fails are repeated by coffea."""
        run = self.run_vine(datasets="ttbar", fail="once", kill="ttbar:0", retries=3, treereduction=2)
        self.assertEqual(run.status, 0, run.stderr)
        failed = self.check_confirmed(run, ["ttbar"])
        self.assertEqual([(row["error"], row["error_message"]) for row in failed], [("OSError", "the first attempt fails")])
        self.assertTrue(os.path.exists(self.path("measured/killed")))
        self.assertNotIn("\x1e", "".join(run.stdout))


def explain():
    if not is_packaged():
        return "no TaskVine package: Debian 12 has none; set ROAST_TASKVINE_ROOT to the directory of a Debian 13"
    return "no Python with coffea and TaskVine: set the meson option coffea_taskvine_python to one that scripts/make-coffea-venv makes"


if __name__ == "__main__":
    if not PYTHON:
        print(explain())
        sys.exit(77)
    unittest.main(verbosity=2, testLoader=Part())
