#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-report imports what other tools wrote, and exports what they read, with the same numbers."""

import contextlib
import datetime
import importlib
import io
import json
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

from closeness import assert_near

FIXTURES = pathlib.Path(os.environ.get("ROAST_TEST_EXCHANGE", pathlib.Path(__file__).parent.parent / "fixtures/exchange"))
KB = 1024
# Busy in both modes, with children, a file, and one sample in which all of it is seen.
JOB = """
import os, subprocess, sys, time
memory = bytearray(30 << 20)
child = subprocess.Popen([sys.executable, "-c", "import os, time\\nfor i in range(2000): os.urandom(1 << 16)\\ntime.sleep(0.5)"])
with open("/dev/null", "wb") as file:
    file.write(memory)
end = time.process_time() + 1.2
while time.process_time() < end:
    sum(range(1000))
child.wait()
time.sleep(1.2)
"""


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        self.environment = os.environ | {"ROAST_RUNS": str(self.directory / "runs"), "XDG_CONFIG_HOME": str(self.directory / "config")}

    def call(self, *command, status=0, **options):
        result = subprocess.run(command, capture_output=True, text=True, timeout=240, cwd=self.directory, env=self.environment, **options)
        self.assertEqual(result.returncode, status, f"{command}: {result.stderr}")
        return result

    def report(self, *arguments, **options):
        return self.call("roast-report", *arguments, **options)

    def query(self, sql, *arguments):
        return json.loads(self.report("query", sql, *arguments, "--format=json").stdout)

    def metrics(self, *arguments):
        return json.loads(self.report("-e", "json:-", *arguments).stdout)["metrics"]

    def assert_fails(self, message, *arguments, **options):
        stderr = self.report(*arguments, status=1, **options).stderr
        self.assertRegex(stderr, "^roast-report: " + message)
        self.assertEqual(len(stderr.splitlines()), 1, stderr)

    def assert_values(self, metrics, expected):
        for name, value in expected.items():
            self.assertAlmostEqual(metrics[name]["value"], value, places=6, msg=name)


def parse_text(text):
    """As any reader of prmon does: columns by name."""
    header, *lines = text.splitlines()
    names = header.split("\t")
    return [dict(zip(names, map(int, line.split("\t")), strict=True)) for line in lines]


def average(rows, name):
    """By time, as each sample lasts until the next one."""
    spans = [(after["Time"] - row["Time"], row[name]) for row, after in zip(rows, rows[1:])]
    return sum(span * value for span, value in spans) / sum(span for span, _ in spans)


class TestPrmon(Case):
    LEFT_OUT = "swap, vmem, rx_bytes, rx_packets, tx_bytes, tx_packets"

    def setUp(self):
        super().setUp()
        self.text = (FIXTURES / "prmon.txt").read_text()
        self.rows = parse_text(self.text)

    def write(self, name, content):
        path = self.directory / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def test_import_text(self):
        result = self.report("import", "--save=run", str(FIXTURES / "prmon.txt"))
        self.assertEqual(result.stdout, "run\n")
        self.assertEqual(result.stderr, f"roast-report: {FIXTURES}/prmon.txt: left out: {self.LEFT_OUT}: roast has no columns for these numbers\n")
        last = self.rows[-1]
        metrics = self.metrics("./run")
        self.assert_values(metrics, {
            "elapsed_time_seconds": last["wtime"],
            "process_cpu_user_seconds": last["utime"],
            "process_cpu_system_seconds": last["stime"],
            "process_cpu_time_seconds": last["utime"] + last["stime"],
            "memory_peak_bytes": KB * max(row["pss"] for row in self.rows),
            "memory_average_bytes": KB * average(self.rows, "pss"),
            "memory_rss_peak_bytes": KB * max(row["rss"] for row in self.rows),
            "threads_peak": max(row["nthreads"] for row in self.rows),
            "io_read_chars_bytes": last["rchar"],
            "io_write_chars_bytes": last["wchar"],
            "io_storage_read_bytes": last["read_bytes"],
            "io_storage_write_bytes": last["write_bytes"],
        })
        for name in ("process_cpu_time_seconds", "elapsed_time_seconds", "io_read_chars_bytes"):
            self.assertEqual(metrics[name]["completeness"], "partial", name)
        for name in ("exit_status", "processes_total", "run_queue_seconds", "cores_available", "process_memory_peak_bytes", "minor_faults_total"):
            self.assertEqual((metrics[name]["value"], metrics[name]["reason"]), (None, "prmon's files do not have this number"), name)
        sums = self.query("SELECT count(*) AS n, min(time) AS first, max(time) AS last, sum(memory) AS rss, sum(memory_pss) AS pss, "
                          "sum(workers) AS nprocs, sum(threads) AS nthreads, sum(cpu) AS cpu FROM cluster_samples", "./run")[0]
        total = {name: sum(row[name] for row in self.rows) for name in self.rows[0]}
        self.assertEqual(sums, {
            "n": len(self.rows), "first": self.rows[0]["Time"] * 10**6, "last": last["Time"] * 10**6, "rss": KB * total["rss"],
            "pss": KB * total["pss"], "nprocs": total["nprocs"], "nthreads": total["nthreads"], "cpu": total["utime"] + total["stime"]})
        listed, = (row for row in json.loads(self.report("show", "./run", "--format=json").stdout) if row["key"] == "imported")
        self.assertEqual(listed["value"], "prmon-text")

    def test_round_trip(self):
        """Each column that is written has the numbers that were read; the order of columns does not matter."""
        self.report("import", "--save=run", "-f", "prmon-text", "-", input=self.text)
        result = self.report("export", "-f", "prmon-text", "./run")
        self.assertEqual(result.stderr, f"roast-report: export: left out: {self.LEFT_OUT}: this run does not have these numbers\n")
        rows = parse_text(result.stdout)
        self.assertEqual(rows, [{name: row[name] for name in rows[0]} for row in self.rows])
        self.assertEqual(set(self.rows[0]) - set(rows[0]), set(self.LEFT_OUT.split(", ")))
        self.report("import", "--save=again", self.write("out.txt", result.stdout))
        self.assertEqual(self.report("export", "-f", "prmon-text", "./again").stdout, result.stdout)

    def test_json(self):
        self.report("import", "--save=text", str(FIXTURES / "prmon.txt"))
        self.report("import", "--save=json", str(FIXTURES / "prmon.json"))
        prmon = json.loads((FIXTURES / "prmon.json").read_text())
        by_text, by_json = self.metrics("./text"), self.metrics("./json")
        for name in ("elapsed_time_seconds", "process_cpu_time_seconds", "memory_peak_bytes", "memory_rss_peak_bytes", "threads_peak",
                     "io_read_chars_bytes", "io_storage_write_bytes"):
            self.assertEqual(by_json[name]["value"], by_text[name]["value"], name)
        self.assert_values(by_json, {"cores_available": prmon["HW"]["cpu"]["CPUs"], "memory_limit_bytes": KB * prmon["HW"]["mem"]["MemTotal"],
                                     "memory_average_bytes": KB * prmon["Avg"]["pss"]})
        self.assertEqual(self.query("SELECT version FROM sources", "./json"), [{"version": prmon["prmon"]["Version"]}])
        for run in ("./text", "./json"):
            exported = json.loads(self.report("export", "-f", "prmon-json", run).stdout)
            self.assertEqual(exported["Max"], {name: prmon["Max"][name] for name in exported["Max"]}, run)
            self.assertLess({"utime", "stime", "wtime", "pss", "rss", "rchar", "write_bytes"}, set(exported["Max"]))
            self.assertAlmostEqual(exported["Avg"]["pss"], prmon["Avg"]["pss"], delta=1)  # prmon drops decimals of great numbers
            self.assertAlmostEqual(exported["Avg"]["wchar"], prmon["Max"]["wchar"] / prmon["Max"]["wtime"], places=3)
            for kind in ("Max", "Avg"):
                self.assertEqual(exported["Units"][kind], {name: prmon["Units"][kind][name] for name in exported[kind]})
            self.report("import", f"--save={run}2", self.write("out.json", json.dumps(exported)))
            self.assertEqual(json.loads(self.report("export", "-f", "prmon-json", f"{run}2").stdout)["Max"]["pss"], prmon["Max"]["pss"])
        self.assert_fails("this run has no sample of its process tree", "export", "-f", "prmon-text", "./json")

    def test_export_local(self):
        """A run of roast's own: prmon's numbers are what the tables of the run have."""
        self.call("roast-run", "-q", "--save=run", "-i", "0.1", "--", "python3", "-c", JOB)
        result = self.report("export", "-f", "prmon-text", "--save=prmon.txt", "./run")
        self.assertRegex(result.stderr, r"export: \d+ of \d+ samples are written, the last sample of each second")
        rows = parse_text((self.directory / "prmon.txt").read_text())
        self.assertEqual(list(rows[0]), ["Time", "wtime", "pss", "rss", "rchar", "read_bytes", "wchar", "write_bytes", "stime", "utime",
                                         "nprocs", "nthreads"])
        self.assertGreaterEqual(len(rows), 3)
        self.assertEqual(sorted({row["Time"] for row in rows}), [row["Time"] for row in rows])
        samples = {row["second"]: row for row in self.query(
            "SELECT time / 1000000 AS second, max(time) AS time, workers, threads, memory, memory_pss, cpu, cpu_system FROM cluster_samples "
            "GROUP BY 1", "./run")}
        started = self.query("SELECT min(started) AS t FROM processes", "./run")[0]["t"]
        changes = self.query("SELECT worker, time, read_chars, write_chars FROM worker_samples UNION ALL SELECT pid || '.' || process, ended, "
                             "read_chars, write_chars FROM processes WHERE process > 0 AND ended IS NOT NULL ORDER BY time", "./run")
        for row in rows:
            sample = samples[row["Time"]]
            last = {change["worker"]: change for change in changes if change["time"] <= sample["time"] and change["read_chars"] is not None}
            self.assertEqual((row["stime"], row["utime"]), (int(sample["cpu_system"]), int(sample["cpu"] - sample["cpu_system"] + 1e-9)))
            self.assertEqual((row["nprocs"], row["nthreads"]), (sample["workers"], sample["threads"] or 0))
            self.assertEqual((row["rss"], row["pss"]), ((sample["memory"] or 0) // KB, (sample["memory_pss"] or 0) // KB))
            self.assertEqual(row["rchar"], sum(change["read_chars"] for change in last.values()))
            self.assertEqual(row["wchar"], sum(change["write_chars"] for change in last.values()))
            assert_near(self, row["wtime"], (sample["time"] - started) / 1e6, 1.1)
        summary = json.loads(self.report("export", "-f", "prmon-json", "./run").stdout)
        metrics = self.metrics("./run")
        for name, metric in {"utime": "process_cpu_user_seconds", "stime": "process_cpu_system_seconds", "rchar": "io_read_chars_bytes",
                             "wchar": "io_write_chars_bytes", "wtime": "elapsed_time_seconds"}.items():
            if name == "wtime":
                assert_near(self, summary["Max"][name], int(metrics[metric]["value"]), 1)
            else:
                self.assertEqual(summary["Max"][name], int(metrics[metric]["value"]), name)
        # That of all samples: the text has one of each second. The metric is the peak of one process if that is higher.
        self.assertEqual(summary["Max"]["pss"], self.query("SELECT max(memory_pss) AS pss FROM cluster_samples", "./run")[0]["pss"] // KB)
        self.assertLessEqual(summary["Max"]["pss"], metrics["memory_peak_bytes"]["value"] // KB)
        self.assertGreaterEqual(summary["Max"]["wchar"], 30 << 20)
        self.assertGreaterEqual(summary["Max"]["utime"] + summary["Max"]["stime"], 1)
        self.assert_fails("cannot write to prmon.txt: File exists", "export", "-f", "prmon-text", "--save=prmon.txt", "./run")

    def test_mistakes(self):
        lines = self.text.splitlines(keepends=True)
        header = lines[0]
        for text, message in (
                ("Time\twtime\n", "the file has no sample: prmon was killed"),
                (self.text[:-20], r"line 8: the line has 1\d cells, but the header has 18 columns: the file was cut or damaged. Copy the file again"),
                (header.replace("Time", "time") + lines[1], "line 1: the header has no column Time: this is not prmon's text"),
                (header.replace("rss", "pss") + lines[1], "line 1: the column pss occurs twice"),
                (header + lines[1].replace("6940", "nan"), "line 2: the cell of column rss is not a whole number"),
                (header + lines[1].replace("6940", "-5"), "line 2: the cell of column rss"),
                (header + lines[1].replace("6940", "1e3"), "line 2: the cell of column rss"),
                (header + lines[1].replace("6940", "99999999999999999999"), "line 2: the cell of column rss"),
                (header + lines[1].replace("6940", ""), "line 2: the cell of column rss"),
                (header + "x" * 100000, "line 2: the line is too long"),
                ("Time\t" + "x\t" * 300 + "\n", "line 1: the header has more than 256 columns")):
            self.assert_fails("cannot import bad.txt: " + message, "import", "-f", "prmon-text", self.write("bad.txt", text))
        whole = (FIXTURES / "prmon.json").read_text()
        for text, message in (
                (whole[:300], "not JSON: .*: the file was cut or damaged. Copy the file again"),
                (whole.replace("143600", "NaN"), "not JSON: NaN is not a number in JSON"),
                (whole.replace("143600", "1e400"), "rss is not a number that prmon writes"),
                (whole.replace("143600", "-1"), "rss is not a number that prmon writes"),
                (whole.replace("143600", '"much"'), "rss is not a number that prmon writes"),
                (whole.replace("143600", "[[1]]"), "rss is not a number that prmon writes"),
                ("[" * 100000, "not JSON: "), ("[1]", "the file is not a JSON object"), ("{}", r"the file has no sums \(Max and Avg\)"),
                ('{"Max": 5, "Avg": {}}', r"the file has no sums"), (" " * (1 << 20) + "{}", "the file is longer than 1024 kB")):
            self.assert_fails("cannot import bad.json: " + message, "import", "-f", "prmon-json", self.write("bad.json", text))
        self.assert_fails("cannot import run.roast: a run file needs no import", "import", self.write("run.roast", "SQLite format 3"))
        self.assert_fails("cannot import other: the content does not look like stream, prmon-text", "import", self.write("other", "a,b\n1,2\n"))
        self.assert_fails("cannot read nosuch: No such file", "import", "nosuch")
        for arguments in (["import", "-f", "nosuch", "other"], ["export", "--format=nosuch"]):
            self.assertRegex(self.report(*arguments, status=1).stderr,
                             "^roast-report: “--format=nosuch” is invalid: the format must be stream, prmon-text, ")
        self.assertRegex(self.report("export", status=1).stderr, "export needs a format")
        self.assertEqual(sorted(path.name for path in self.directory.iterdir()), ["bad.json", "bad.txt", "other", "run.roast", "runs"])
        self.assertEqual(json.loads(self.report("list", "-f", "json").stdout), [])

    def test_damaged(self):
        """Whatever happened to a file: a clear error or a run, never a crash, and nothing is left behind."""
        chance = random.Random(5)
        for name in ("prmon.txt", "prmon.json"):
            whole = (FIXTURES / name).read_bytes()
            for _ in range(12):
                damaged = bytearray(whole)
                for _ in range(chance.randrange(1, 4)):
                    damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
                if chance.random() < 0.3:
                    damaged = damaged[:chance.randrange(len(damaged))]
                self.write(name, bytes(damaged))
                result = subprocess.run(["roast-report", "import", "--save=run", name], capture_output=True, cwd=self.directory,
                                        env=self.environment, timeout=240, check=False)
                self.assertIn(result.returncode, (0, 1), damaged)
                self.assertTrue(result.stderr.startswith(b"roast-report: "), result.stderr)
                self.assertEqual((self.directory / "run").exists(), result.returncode == 0)
                (self.directory / "run").unlink(missing_ok=True)


class TestRoastcoffea(Case):
    """A measurement that roastcoffea 0.1.2 saved: the same rows by another reader, and the same totals as its own."""

    def setUp(self):
        super().setUp()
        self.path = FIXTURES / "roastcoffea"
        self.saved = json.loads((self.path / "metrics.json").read_text())
        self.zone = 2 * 3600 * 10**6  # of the machine that saved it

    def copy(self, **files):
        """A measurement with other files; None leaves one out."""
        path = self.directory / "measurement"
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(self.path, path)
        for name, content in files.items():
            file = path / {"metrics": "metrics.json", "times": "start_end_time.txt", "metadata": "metadata.json"}[name]
            file.unlink()
            if content is not None:
                file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return "measurement"

    def time(self, text):
        parsed = datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc)
        return (parsed - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(microseconds=1) - self.zone

    def test_metrics(self):
        result = self.report("import", "--save=run", str(self.path))
        self.assertEqual(result.stderr, f"roast-report: {self.path}: left out: accessed_bytes, accessed_uncompressed_bytes, branches_read_percent, "
                         "bytes_read_percent, config.json, idle or other spans, keys of raw_span_metrics that are not activities, uuid: "
                         "roast has no columns for these numbers\n")
        metrics = self.metrics("./run")
        saved, chunks = self.saved, self.saved["raw_chunk_metrics"]
        good = [chunk for chunk in chunks if "error" not in chunk]
        self.assert_values(metrics, {
            "elapsed_time_seconds": saved["elapsed_time_seconds"],
            "events_total": saved["total_events"],
            "bytes_read_total": saved["total_bytes_read"],
            "chunks_total": saved["num_chunks"],
            "chunks_failed_total": saved["num_failed_chunks"],
            "chunk_time_mean_seconds": saved["chunk_duration_mean"],
            "chunk_time_min_seconds": saved["chunk_duration_min"],
            "chunk_time_max_seconds": saved["chunk_duration_max"],
            "event_rate_elapsed_per_second": saved["event_rate_elapsed_khz"] * 1000,
            "data_rate_bits_per_second": saved["data_rate_gbps"] * 1e9,
            # Failed chunks took their time, too: coffea's own sum is without them.
            "processing_time_seconds": sum(chunk["duration"] for chunk in chunks),
            "processor_cpu_time_seconds": saved["processor_cpu_time_seconds"],
            "processor_wait_time_seconds": saved["processor_io_wait_time_seconds"],
            "processor_cpu_ratio": saved["processor_cpu_percent"] / 100,
            "overhead_cpu_time_seconds": saved["overhead_cpu_time_seconds"],
            "overhead_wait_time_seconds": saved["overhead_io_wait_time_seconds"],
            "memory_read_bytes": saved["total_bytes_memory_read"],
            "compression_seconds": saved["compression_time_seconds"],
            "deserialization_seconds": saved["deserialization_time_seconds"],
            "worker_memory_peak_bytes": saved["peak_memory_bytes"],
            "worker_cores_mean": saved["cores_per_worker"],
            "workers_peak": saved["peak_workers"],
        })
        for name in ("process_cpu_time_seconds", "memory_peak_bytes", "exit_status"):
            self.assertEqual((metrics[name]["value"], metrics[name]["reason"]), (None, "roastcoffea's directories have no data on processes"))
        self.assertEqual((metrics["core_efficiency_ratio"]["value"], metrics["core_efficiency_ratio"]["reason"]),
                         (None, "the time in tasks is known only for all workers together"))
        self.assertEqual(metrics["branches_read_total"]["value"], saved["total_branches_read"])
        self.assertEqual(metrics["uncompressed_bytes_total"]["reason"], "no chunk reported the size of the branches that it read")
        self.assertEqual({tuple(row.values()) for row in self.query("SELECT busy, cpu, waiting FROM per_worker", "./run")}, {(None, None, None)})
        self.assertIn("coffea", self.query("SELECT reason FROM coverage", "./run")[0]["reason"])
        datasets = {row["dataset"]: row for row in self.query("SELECT * FROM per_dataset", "./run")}
        for name, values in saved["per_dataset"].items():
            self.assertEqual(datasets[name]["events"], values["total_events"])
            self.assertEqual(datasets[name]["chunks"] - datasets[name]["failed"], values["num_chunks"])
            self.assertAlmostEqual(datasets[name]["chunk_time_mean"], values["mean_duration"], places=5)
        self.assertEqual(sum(row["failed"] for row in datasets.values()), len(chunks) - len(good))

    def test_rows(self):
        self.report("import", "--save=run", str(self.path))
        columns = {"memory": "memory", "active_tasks": "active_tasks", "nbytes": "nbytes", "occupancy": "occupancy",
                   "executing": "executing_tasks", "cpu": "cpu_percent"}
        tracking = self.saved["tracking_data"]
        rows = self.query(f"SELECT worker, time, last_seen, {', '.join(columns.values())} FROM worker_samples ORDER BY 1, 2", "./run")
        for series, column in columns.items():
            expected = sorted((worker, self.time(time), value) for worker, samples in tracking[f"worker_{series}"].items() for time, value in samples)
            self.assertEqual([(row["worker"], row["time"], row[column]) for row in rows], expected, series)
        self.assertEqual(sorted((row["worker"], row["last_seen"]) for row in rows),
                         sorted((worker, math.floor(value * 1e6 + 0.5))
                                for worker, samples in tracking["worker_last_seen"].items() for _, value in samples))
        for row in rows:
            self.assertLess(0, row["time"] - row["last_seen"])  # the time zone was found
            self.assertLess(row["time"] - row["last_seen"], 10**6)
        counts = [(self.time(time), count) for time, count in tracking["worker_counts"].items()]
        self.assertEqual([(row["time"], row["workers"]) for row in self.query("SELECT time, workers FROM cluster_samples", "./run")], counts)
        for row in self.query("SELECT * FROM workers", "./run"):
            times = [self.time(time) for time, _ in tracking["worker_memory"][row["worker"]]]
            later = [time for time, _ in counts if time > times[-1]]
            self.assertEqual((row["joined"], row["left"]), (times[0], later[0] if later else None))
            self.assertEqual((row["cores"], row["memory_limit"]), (tracking["worker_cores"][row["worker"]][-1][1], 2_000_000_000))
        chunks = self.saved["raw_chunk_metrics"]
        for row, chunk in zip(self.query("SELECT * FROM chunks", "./run"), chunks, strict=True):
            self.assertEqual((row["dataset"], row["file"], row["entry_start"], row["entry_stop"], row["events"], row["bytes_read"], row["error"]),
                             tuple(chunk.get(name) for name in ("dataset", "file", "entry_start", "entry_stop", "num_events", "bytes_read", "error")))
            self.assertEqual((row["started"], row["ended"]), (round(chunk["t_start"] * 1e6), round(chunk["t_end"] * 1e6)))
            self.assertEqual((row["memory"], row["memory_start"]), tuple(round(chunk[name] * 2**20) for name in ("mem_delta_mb", "mem_before_mb")))
            self.assertEqual(row["branches_read"], chunk["num_branches_accessed"])
        self.assertEqual([(row["chunk"], row["branch"]) for row in self.query("SELECT chunk, branch FROM chunk_branches", "./run")],
                         [(str(i), branch) for i, chunk in enumerate(chunks) for branch in chunk["accessed_branches"]])
        expected = {(str(i), name, kind): value * factor for i, chunk in enumerate(chunks)
                    for part, kind, factor in (("timing", "time", 1), ("memory", "memory", 2**20), ("bytes", "bytes", 1))
                    for name, value in chunk[part].items()}
        sections = self.query("SELECT * FROM sections", "./run")
        self.assertEqual({(row["chunk"], row["name"], row["kind"]): row["value"] for row in sections if row["chunk"] is not None}, expected)
        self.assertEqual([(row["name"], row["kind"], row["value"]) for row in sections if row["chunk"] is None],
                         [("setup", "time", 0.25), ("pile-up", "time", 0.5), ("pile-up", "memory", 2**23), ("setup", "time", 0.75)])
        self.assertEqual({row["file"]: (row["compression"], row["branches"], row["bytes"]) for row in self.query("SELECT * FROM files", "./run")},
                         {name: (file["compression_ratio"], file["total_branches"], file["total_tree_bytes"])
                          for name, file in self.saved["file_metadata"].items()})
        roles = {row["category"]: row["role"] for row in self.query("SELECT category, role FROM categories", "./run")}
        self.assertEqual(roles, {"TtbarProcessor": "analysis", "merge-finalize": "framework"})
        self.assertEqual(self.query("SELECT context, activity, unit, value FROM activities WHERE category IS NULL", "./run"),
                         [{"context": "serve", "activity": "serialize", "unit": "seconds", "value": 0.125}])

    def test_report_only(self):
        """Without tracking, chunks and spans there are the totals of coffea's report."""
        saved = json.loads((FIXTURES / "roastcoffea-report/metrics.json").read_text())
        result = self.report("import", "--save=run", str(FIXTURES / "roastcoffea-report"))
        self.assertEqual(result.stderr, "")
        metrics = self.metrics("./run")
        self.assert_values(metrics, {
            "elapsed_time_seconds": saved["elapsed_time_seconds"], "events_total": saved["total_events"], "chunks_total": saved["num_chunks"],
            "bytes_read_total": saved["total_bytes_read"], "processing_time_seconds": saved["total_cpu_time"],
            "event_rate_chunk_time_per_second": saved["event_rate_cpu_total_khz"] * 1000})
        self.assertEqual(metrics["processor_cpu_time_seconds"]["reason"], "this directory of roastcoffea has no metrics of spans")

    def test_tracking_only(self):
        self.report("import", "--save=run", self.copy(metrics=json.dumps({"tracking_data": self.saved["tracking_data"]})))
        metrics = self.metrics("./run")
        self.assert_values(metrics, {"worker_memory_peak_bytes": self.saved["peak_memory_bytes"], "workers_peak": self.saved["peak_workers"],
                                     "elapsed_time_seconds": self.saved["elapsed_time_seconds"]})
        self.assertEqual({name for name in ("events_total", "core_efficiency_ratio", "processor_cpu_time_seconds") if metrics[name]["value"] is None},
                         {"events_total", "core_efficiency_ratio", "processor_cpu_time_seconds"})

    def test_disagreement(self):
        """Two counts of the same events that differ: the chunks win, and the report says so."""
        other = dict(self.saved, total_events=5, unknown_member=[1, {"a": None}])
        self.report("import", "--save=run", self.copy(metrics=json.dumps(other)))
        self.assert_values(self.metrics("./run"), {"events_total": self.saved["total_events"]})
        events = self.query("SELECT message FROM events WHERE severity = 'warning'", "./run")
        self.assertEqual([row["message"] for row in events], [f"the chunks have {self.saved['total_events']} events, but coffea's report has 5: "
                                                              "roast uses the numbers of the chunks"])

    def test_values_of_python(self):
        """NaN, infinity and null are missing, and not 0."""
        chunk = dict(self.saved["raw_chunk_metrics"][0], num_events=float("nan"), bytes_read=float("inf"), mem_delta_mb=None, dataset=None)
        self.report("import", "--save=run", self.copy(metrics=json.dumps({"raw_chunk_metrics": [chunk], "tracking_data": None})))
        row, = self.query("SELECT events, bytes_read, memory, dataset FROM chunks", "./run")
        self.assertEqual(set(row.values()), {None})

    def load(self, name):
        """As roastcoffea does; by roastcoffea itself where it is installed."""
        path = self.directory / name
        try:
            from roastcoffea.export.measurements import load_measurement
        except ImportError:
            first, last = (float(part) for part in (path / "start_end_time.txt").read_text().strip().split(","))
            return json.loads((path / "metrics.json").read_text()), first, last
        load_measurement(path)
        return json.loads((path / "metrics.json").read_text()), *load_measurement(path)[1:]

    def test_round_trip(self):
        """What was imported is exported with the same numbers, and both give the same rows."""
        self.report("import", "--save=run", str(self.path))
        result = self.report("export", "-f", "roastcoffea", "--save=out", "./run")
        self.assertRegex(result.stderr, "^roast-report: export: left out: .*branches_read_percent.*: this run does not have these numbers\n$")
        metrics, first, last = self.load("out")
        self.assertEqual(last - first, self.saved["elapsed_time_seconds"])
        metadata = json.loads((self.directory / "out/metadata.json").read_text())
        self.assertEqual((metadata["format"], metadata["elapsed_time_seconds"]), ("roastcoffea_measurement_v1", last - first))
        other = {"avg_branches_read_percent", "avg_bytes_read_percent"}  # of whole files
        for name, value in self.saved.items():
            if isinstance(value, (int, float)) and name not in other:
                self.assertAlmostEqual(metrics[name], value, places=5, msg=name)
        for series, workers in self.saved["tracking_data"].items():
            exported = metrics["tracking_data"][series]
            if series == "worker_counts":
                self.assertEqual([(self.time(time), n) for time, n in workers.items()],
                                 [(self.time(time) + self.zone, n) for time, n in exported.items()])
                continue
            self.assertEqual(set(exported), set(workers))
            for worker, samples in workers.items():
                self.assertEqual([self.time(time) for time, _ in samples], [self.time(time) + self.zone for time, _ in exported[worker]], series)
                for (_, expected), (_, value) in zip(samples, exported[worker], strict=True):
                    self.assertAlmostEqual(value, expected, delta=1e-6, msg=series)
        lost = {"uuid", "timestamp", "accessed_bytes", "accessed_uncompressed_bytes", "branches_read_percent", "bytes_read_percent", "file_metadata"}
        for chunk, exported in zip(self.saved["raw_chunk_metrics"], metrics["raw_chunk_metrics"], strict=True):
            self.assertEqual(set(chunk) - set(exported), lost & set(chunk))
            for name in set(chunk) - lost:
                if isinstance(chunk[name], float):
                    self.assertAlmostEqual(exported[name], chunk[name], delta=2e-6, msg=name)  # bytes and µs are whole
                elif name == "memory":
                    self.assertEqual({key: round(value, 6) for key, value in exported[name].items()}, chunk[name])
                else:
                    self.assertEqual(exported[name], chunk[name], name)
        self.assertEqual(set(metrics["chunk_info"]), set(self.saved["chunk_info"]))
        self.assertEqual(metrics["raw_section_metrics"], self.saved["raw_section_metrics"])
        self.assertEqual(metrics["sections"], self.saved["sections"])
        self.assertEqual(metrics["file_metadata"], self.saved["file_metadata"])
        self.assertEqual(sorted(metrics["compression_ratios"]), sorted(self.saved["compression_ratios"]))
        self.assertEqual(set(metrics["per_dataset"]), set(self.saved["per_dataset"]))
        for name, values in self.saved["per_dataset"].items():
            for key, value in values.items():
                self.assertAlmostEqual(metrics["per_dataset"][name][key], value, places=5)
        spans = {key: value for key, value in self.saved["raw_span_metrics"].items() if "idle" not in key}
        self.assertEqual(metrics["raw_span_metrics"], spans)
        self.report("import", "--save=again", "out")
        for table in ("chunks", "sections", "chunk_branches", "worker_samples", "cluster_samples", "workers", "files", "activities", "categories"):
            columns = "*" if table not in ("sections", "activities") else ", ".join(
                row["name"] for row in self.query(f"SELECT name FROM pragma_table_info('{table}') WHERE name <> 'time'", "./run"))
            self.assertEqual(self.query(f"SELECT {columns} FROM {table}", "./again"), self.query(f"SELECT {columns} FROM {table}", "./run"), table)

    def test_export_local(self):
        """A run without an executor: its processes are the workers."""
        self.call("roast-run", "-q", "--save=run", "-i", "0.05", "--", "python3", "-c", "import time; time.sleep(0.4)")
        self.report("export", "-f", "roastcoffea", "--save=out", "./run")
        metrics, first, last = self.load("out")
        report = self.metrics("./run")
        self.assertAlmostEqual(last - first, report["elapsed_time_seconds"]["value"], places=6)
        self.assertEqual(metrics["peak_workers"], report["workers_peak"]["value"])
        self.assertNotIn("raw_chunk_metrics", metrics)
        memory, = (samples for worker, samples in metrics["tracking_data"]["worker_memory"].items())
        rows = [(row["time"], row["memory"]) for row in self.query("SELECT time, memory FROM worker_samples WHERE memory IS NOT NULL", "./run")]
        ticks = {row["time"] for row in self.query("SELECT time FROM cluster_samples WHERE workers > 0 AND time < (SELECT left FROM workers)",
                                                   "./run")}
        # What did not change is there again whenever processes were counted.
        self.assertEqual({self.time(time) + self.zone for time, _ in memory}, ticks | {time for time, _ in rows})
        for time, value in memory:
            self.assertEqual(value, [value for when, value in rows if when <= self.time(time) + self.zone][-1])
        self.report("import", "--save=again", "out")
        again = self.metrics("./again")
        self.assertEqual(again["workers_peak"]["value"], report["workers_peak"]["value"])
        self.assertEqual(self.query("SELECT workers FROM cluster_samples", "./again"), self.query("SELECT workers FROM cluster_samples", "./run"))
        self.assert_fails("cannot write to out: File exists", "export", "-f", "roastcoffea", "--save=out", "./run")
        self.assert_fails("a roastcoffea measurement is a directory: name a new directory with --save", "export", "-f", "roastcoffea",
                          "./run")

    def test_mistakes(self):
        whole = (self.path / "metrics.json").read_text()
        for metrics, message in (
                ("", "not JSON: "), ("[]", "not a JSON object"), ("{}x", "not JSON: "), (whole[:20000], "not JSON: "),
                ('{"a": ' + "[" * 100000, "the data are too large, or nested too deeply"),
                ('{"raw_chunk_metrics": 5}', "raw_chunk_metrics: expected an array"),
                ('{"raw_chunk_metrics": [5]}', r"raw_chunk_metrics\[0\]: expected an object"),
                ('{"raw_chunk_metrics": [{"num_events": "many"}]}', r"raw_chunk_metrics\[0\].num_events: expected a number"),
                ('{"raw_chunk_metrics": [{"dataset": [1]}]}', r"raw_chunk_metrics\[0\].dataset: expected a string"),
                ('{"tracking_data": [1]}', "tracking_data: expected an object"),
                ('{"tracking_data": {"worker_memory": {"w": [["yesterday", 1]]}}}', "tracking_data.worker_memory.w: expected a time such as 2025"),
                ('{"tracking_data": {"worker_memory": {"w": [["2025-10-09T08:53:21"]]}}}',
                 "tracking_data.worker_memory.w: expected pairs of a time and a value"),
                ('{"tracking_data": {"worker_memory": {"w": [[]]}}}', "tracking_data.worker_memory.w: expected pairs of a time and a value"),
                ('{"tracking_data": {"worker_counts": {"2025-10-09T08:53:21": {}}}}', "tracking_data.worker_counts: expected a number"),
                ('{"raw_span_metrics": {"(1)": "x"}}', r"raw_span_metrics.*: expected a number"),
                ('{"total_events": {}}', "total_events: expected a number"), (b'{"a": "\xff"}', "not JSON: ")):
            self.assert_fails("cannot import measurement(/metrics.json)?: " + message, "import", self.copy(metrics=metrics))
        for times in ("", "1", "5,3", "nan,nan", "a,b", "1,2,3", "1e400,2e400", "0,1e300"):
            self.assert_fails("cannot import measurement/start_end_time.txt: .*expected two numbers", "import", self.copy(times=times))
        for missing in ("metrics", "times"):
            self.assert_fails("cannot read measurement/.*: No such file or directory; a roastcoffea measurement is a directory with", "import",
                              self.copy(**{missing: None}))
        self.report("import", "--save=run", self.copy(metadata=None))
        (self.directory / "run").unlink()
        self.copy()
        (self.directory / "measurement/metrics.json").unlink()
        os.mkfifo(self.directory / "measurement/metrics.json")
        self.assert_fails("cannot import measurement/metrics.json: this path is not a regular file", "import", "measurement")
        (self.directory / "measurement/metrics.json").unlink()
        (self.directory / "measurement/metrics.json").symlink_to("metrics.json")
        self.assert_fails("cannot read measurement/metrics.json: Too many levels of symbolic links", "import", "measurement")
        self.assert_fails("cannot read measurement/metrics.json/metrics.json: ", "import", "-f", "roastcoffea", "measurement/metrics.json")
        self.assertEqual(sorted(path.name for path in self.directory.iterdir()), ["measurement", "runs"])

    def test_damaged(self):
        chance = random.Random(6)
        whole = (self.path / "metrics.json").read_bytes()
        for _ in range(20):
            damaged = bytearray(whole)
            for _ in range(chance.randrange(1, 5)):
                damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
            if chance.random() < 0.2:
                damaged = damaged[:chance.randrange(len(damaged))]
            result = subprocess.run(["roast-report", "import", "--save=run", self.copy(metrics=bytes(damaged))], capture_output=True,
                                    cwd=self.directory, env=self.environment, timeout=240, check=False)
            self.assertIn(result.returncode, (0, 1), bytes(damaged))
            self.assertEqual((self.directory / "run").exists(), result.returncode == 0)
            (self.directory / "run").unlink(missing_ok=True)


class TestMutations(unittest.TestCase):
    """Whatever is in a file: rows, or an error that names the file."""

    @classmethod
    def setUpClass(cls):
        installed = pathlib.Path(shutil.which("roast-report") or "").resolve().parent.parent / "share/roast-1/formats"
        sys.path.insert(0, os.environ.get("ROAST_FORMATS", str(installed)))
        cls.addClassCleanup(sys.path.pop, 0)
        cls.programs = {name: importlib.import_module(name) for name in ("_lines", "prmon", "roastcoffea")}

    def mutate(self, chance, whole):
        damaged = bytearray(whole)
        for _ in range(chance.randrange(1, 5)):
            place = chance.randrange(max(len(damaged), 1))
            if chance.random() < 0.5:
                damaged[place:place + 1] = bytes([chance.randrange(256)])
            else:
                damaged[place:place + chance.randrange(20)] = chance.choice([b"null", b"-1", b"1e999", b"[]", b"{}", b'"x"', b"NaN", b"9" * 30, b""])
        return bytes(damaged)

    def check(self, take, path):
        with contextlib.redirect_stderr(io.StringIO()):
            try:
                take(str(path)).write(io.StringIO())
            except self.programs["_lines"].ConversionError as error:
                self.assertIn(str(path), str(error))

    def test_mutations(self):
        chance = random.Random(7)
        with tempfile.TemporaryDirectory() as temporary:
            directory = pathlib.Path(temporary) / "measurement"
            shutil.copytree(FIXTURES / "roastcoffea", directory)
            prmon, roastcoffea = self.programs["prmon"], self.programs["roastcoffea"]
            takes = ((prmon.name_file(prmon.import_text), FIXTURES / "prmon.txt", None),
                     (prmon.name_file(prmon.import_json), FIXTURES / "prmon.json", None),
                     (roastcoffea.import_directory, FIXTURES / "roastcoffea/metrics.json", directory),
                     (roastcoffea.import_directory, FIXTURES / "roastcoffea/start_end_time.txt", directory))
            for take, source, place in takes:
                whole = source.read_bytes()
                path = (place or pathlib.Path(temporary)) / source.name
                for _ in range(100):
                    path.write_bytes(self.mutate(chance, whole))
                    self.check(take, place or path)
                path.write_bytes(whole)


if __name__ == "__main__":
    unittest.main()
