# SPDX-License-Identifier: BSD-3-Clause
"""What tests of the backend for coffea share: ROOT files, and runs of a real analysis with and without roast-run."""

import ast
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from closeness import RELEASE
from report import Report
from running import InDirectory

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scripts")
ANALYSIS = os.path.join(SCRIPTS, "analysis.py")
PYTHON = os.environ.get("ROAST_COFFEA_PYTHON", "")
EVENTS = int(os.environ.get("ROAST_COFFEA_EVENTS", "1500"))  # in each file, and some more
DATASETS = ["data", "ttbar", "wjets", "zmumu"][: 4 if RELEASE or EVENTS > 20000 else 2]
LAST = DATASETS[-1]
FILES = 3  # of each dataset
BRANCHES = {"Jet_eta", "Jet_pt", "Muon_eta", "Muon_phi", "Muon_pt", "genWeight", "nJet", "nMuon"}  # that the analysis reads
PROGRESS = ("Preprocessing", "Processing", "Merging")  # lines with coffea's own times


def events_of(dataset, n_files=FILES):
    return sum(EVENTS + 137 * DATASETS.index(dataset) + 11 * part for part in range(n_files))


ALL_EVENTS = sum(map(events_of, DATASETS))


class Files:
    """Written once for all tests of a program, as are runs without roast."""

    directory = None
    bare = {}

    @classmethod
    def make(cls):
        if cls.directory is None:
            cls.directory = tempfile.mkdtemp(prefix="roast-coffea-")
            command = [PYTHON, os.path.join(SCRIPTS, "make-files.py"), cls.directory, str(EVENTS)]
            subprocess.run(command + ["few"] * (EVENTS > 20000) + ["two"] * (len(DATASETS) == 2), check=True, timeout=240)
        return cls.directory

    @classmethod
    def remove(cls):
        if cls.directory is not None:
            for path in [cls.directory, *(run[0] for run in cls.bare.values())]:
                shutil.rmtree(path, ignore_errors=True)
            cls.directory = None
            cls.bare.clear()


class CoffeaRun(Report):
    """A run of the analysis under roast-run."""

    def __init__(self, directory, status, stdout, stderr):
        super().__init__(os.path.join(directory, "report.json"), "program")
        self.directory, self.status, self.stdout, self.stderr = directory, status, clean(stdout), stderr

    def chunks(self, **where):
        """Rows of chunks of the analysis that are as given; `error=None` for those that did not fail."""
        rows = [row for row in self.rows("chunks") if row.get("role") != "framework"]
        return [row for row in rows if all(row.get(name) == value for name, value in where.items())]

    def files(self):
        return [row for row in self.rows("chunks") if row.get("role") == "framework"]

    def call(self, kind="processing"):
        calls = [row for row in self.rows("processing") if row["kind"] == kind]
        assert len(calls) == 1, calls
        return calls[0]

    def confirmed(self, kind="processing"):
        call = self.call(kind)["call"]
        return [row["chunk"] for row in self.rows("chunk_results") if row["call"] == call]


def clean(text):
    return [line for line in text.splitlines() if not line.strip().startswith(PROGRESS)]


def total(rows, column):
    return sum(row[column] for row in rows)


class CoffeaTest(InDirectory):
    script = ANALYSIS

    def setUp(self):
        super().setUp()
        self.files = Files.make()

    def execute(self, directory, command, python, options, environment):
        os.makedirs(directory, exist_ok=True)
        arguments = [options.pop("argument")] if "argument" in options else []
        arguments += [f"{key}={value}" for key, value in options.items()]
        return directory, subprocess.run(
            [*command, *python, self.script, self.files, *arguments], cwd=directory, capture_output=True, text=True, timeout=240,
            stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONWARNINGS": "ignore", "PYTHONHASHSEED": "0", **environment})

    def run_bare(self, python=(PYTHON,), environment=None, directory=None, **options):
        """Directory, status, output and errors of a run without roast. The same options run once."""
        key = (self.script, python, directory, *options.items(), *(environment or {}).items())
        if key not in Files.bare:
            directory, process = self.execute(directory or tempfile.mkdtemp(prefix="roast-coffea-bare-"), [], python, options, environment or {})
            Files.bare[key] = directory, process.returncode, clean(process.stdout), process.stderr
        return Files.bare[key]

    def run_measured(self, python=(PYTHON,), arguments=(), environment=None, **options):
        command = ["roast-run", "-q", "-e", "json:report.json", *arguments, "--"]
        directory, process = self.execute(self.path("measured"), command, python, options, environment or {})
        return CoffeaRun(directory, process.returncode, process.stdout, process.stderr)

    def check_same(self, run, bare):
        directory, status, stdout, stderr = bare
        self.assertEqual((run.status, run.stdout), (status, stdout), run.stderr)
        with open(os.path.join(directory, "result.pickle"), "rb") as one, open(os.path.join(run.directory, "result.pickle"), "rb") as two:
            return one.read(), two.read()

    def check_whole(self, run, bytes_read=None, datasets=DATASETS, n_files=FILES):
        """All events of so many files of these, once, and the sums that a reader needs."""
        chunks = run.chunks()
        self.assertEqual(len(chunks), run.call()["items"])
        self.assertEqual(sorted(run.confirmed()), sorted(row["chunk"] for row in chunks))
        self.assertTrue(run.call()["confirmed"])
        self.assertEqual([row for row in chunks if "error" in row], [])
        for dataset in datasets:
            own = [row for row in chunks if row["dataset"] == dataset]
            self.assertEqual(total(own, "events"), events_of(dataset, n_files))
            self.assertEqual(len({row["file"] for row in own}), n_files)
        for row in chunks:
            self.assertEqual(row["events"], row["entry_stop"] - row["entry_start"])
            self.assertLessEqual(row["started"], row["ended"])
            self.assertLessEqual(row["load_time"] + row["open_time"] + row["process_time"], (row["ended"] - row["started"]) / 1e6 + 1e-6)
            self.assertLess(0, row["function_cpu"])
            self.assertLess(row["function_cpu"], row["thread_cpu"])
            self.assertGreater(row["thread_cpu"], 0)
            self.assertGreaterEqual(row["memory_peak"], max(row["memory_start"], row["memory_end"]))
            self.assertEqual(row["memory"], row["memory_end"] - row["memory_start"])
            self.assertEqual(row["branches_read"], len(BRANCHES))
        if bytes_read is not None:
            self.assertEqual(total(chunks, "bytes_read"), bytes_read)
        self.check_branches(run, chunks, n_files * len(datasets))

    def check_branches(self, run, chunks, n_files):
        rows = run.rows("chunk_branches")
        self.assertEqual({row["branch"] for row in rows}, BRANCHES)
        self.assertEqual(len(rows), len(BRANCHES) * len(chunks))
        # Each basket of these branches was needed; it begins in exactly one chunk.
        branches = run.rows("branches")
        self.assertEqual(len(branches), n_files * len(BRANCHES))
        self.assertEqual(total(chunks, "needed_bytes_own"), total(branches, "bytes"))
        self.assertEqual(total(rows, "bytes_own"), total(branches, "bytes"))
        self.assertEqual(total(rows, "bytes"), total(chunks, "needed_bytes"))
        self.check_uncompressed(rows, {(row["file"], row["branch"]): row for row in branches})
        self.assertGreaterEqual(total(chunks, "bytes_read"), total(chunks, "needed_bytes"))

    def check_uncompressed(self, rows, branches):
        """A chunk that needed the whole branch has the size that the file has; another one has less."""
        for row in rows:
            whole = branches[row["file"], row["branch"]]
            check = self.assertEqual if row["bytes"] == whole["bytes"] else self.assertLess
            check(row["uncompressed"], whole["uncompressed"])


def read_metrics(stdout):
    """What coffea's own savemetrics found: the analysis prints it first."""
    line = next(line for line in stdout if line.startswith("{'bytesread'"))
    return ast.literal_eval(line.partition("}")[0] + "}")
