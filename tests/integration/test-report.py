#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-run --save keeps a run, and roast-report makes of it what roast-run made, also if roast-run was killed."""

import csv
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

SECRET = "s3cr3tXYZ"
JOB = ["sh", "-c", "python3 -c 'import time; time.sleep(0.3)'; sleep 0.1; exit 3", "job", f"--password={SECRET}", "--n=5"]


def wait_for(condition):
    """Long enough for a slow machine; what is waited for usually takes seconds."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        result = condition()
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError("what was waited for did not happen")


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        self.runs = self.directory / "runs"
        self.environment = os.environ | {"ROAST_RUNS": str(self.runs), "XDG_CONFIG_HOME": str(self.directory / "config")}

    def call(self, *command, status=0, **options):
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=self.directory, env=self.environment, **options)
        self.assertEqual(result.returncode, status, f"{command}: {result.stderr}")
        return result

    def report(self, *arguments, **options):
        return self.call("roast-report", *arguments, **options)

    def rows(self, *arguments):
        return json.loads(self.report(*arguments, "--format=json").stdout)

    def query(self, sql, *arguments):
        return self.rows("query", sql, *arguments)

    def assert_fails(self, message, *arguments, **options):
        stderr = self.report(*arguments, status=1, **options).stderr
        self.assertRegex(stderr, "^roast-report: " + message)
        self.assertEqual(len(stderr.splitlines()), 1, stderr)


class TestReport(Case):
    def test_same_bytes(self):
        exports = ["-e", "json:{}.json", "-e", "csv:{}.csv", "-e", "table:{}.txt", "-e", "table:{}.detail,detail=true"]
        first, again, copied = ([text.format(name) for text in exports] for name in ("first", "again", "copied"))
        result = self.call("roast-run", "--save", "-i", "0.05", *first, "--", *JOB, status=3)
        self.assertRegex(result.stderr, r"^roast-run: this run is in .*/runs/\d{8}-\d{6}-[0-9a-f]{4}\.roast; “roast-report” shows it again\n$")
        self.assertEqual(self.report(*again).stderr, "")
        shutil.copy(next(self.runs.glob("*.roast")), self.directory / "mine")
        shutil.rmtree(self.runs)
        self.report(*copied, "mine")
        for name in ("again", "copied"):
            for suffix in ("json", "txt", "detail"):
                self.assertEqual((self.directory / f"{name}.{suffix}").read_bytes(), (self.directory / f"first.{suffix}").read_bytes())
            files = sorted(path.name for path in (self.directory / "first.csv").iterdir())
            self.assertEqual(files, sorted(path.name for path in (self.directory / f"{name}.csv").iterdir()))
            for file in files:
                self.assertEqual((self.directory / f"{name}.csv" / file).read_bytes(), (self.directory / "first.csv" / file).read_bytes())

    def test_default_report(self):
        self.call("roast-run", "-q", "--save=mine.roast", "--", *JOB, status=3)
        table = self.report("mine.roast").stdout
        self.assertIn("--password=***", table)
        self.assertEqual(self.report("-e", "table", "mine.roast").stdout, table)
        self.assertEqual(self.report("-e", "table:-", "./mine.roast").stdout, table)

    def test_no_secret(self):
        """Neither in the file nor in what belongs to it while it grows."""
        command = ["roast-run", "-q", "--save", "--tag=a=b", "--", "sh", "-c", f"sleep 1; sh -c 'sleep 1; true' x --token {SECRET}; sleep 2", "x",
                   f"https://me:{SECRET}@example.org/?access_token={SECRET}"]
        with subprocess.Popen(command, env=self.environment, stderr=subprocess.PIPE) as process:
            while process.poll() is None:
                for path in self.runs.glob("*"):
                    with open(path, "rb") as file:
                        self.assertNotIn(SECRET.encode(), file.read(), path.name)
                time.sleep(0.2)
            self.assertEqual(process.stderr.read(), b"")
        path, = self.runs.glob("*.roast")
        self.assertNotIn(SECRET.encode(), path.read_bytes())
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        self.assertIn("access_token=***", self.rows("list")[0]["command"])
        for arguments in (["-e", "json:-"], ["export", "--stream"]):
            self.assertNotIn(SECRET, self.report(*arguments).stdout)

    def test_list_show_remove(self):
        self.call("roast-run", "-q", "--save", "--tag=site=bonn", "--tag=chunk=100k", "--", *JOB, status=3)
        self.call("roast-run", "-q", "--save", "--", "sh", "-c", "kill -TERM $$", status=-signal.SIGTERM)
        last, first = self.rows("list")
        self.assertEqual((first["state"], first["status"], set(first["tags"].split())), ("complete", "exit 3", {"chunk=100k", "site=bonn"}))
        self.assertTrue(first["command"].endswith("job --password=*** --n=5"))
        self.assertGreater(first["duration"], 0.4)
        self.assertEqual(first["size"], os.path.getsize(first["path"]))
        self.assertEqual(last["status"], "signal 15")
        self.assertIsNone(last["tags"])
        shown = {row["key"]: row["value"] for row in self.rows("show", first["id"])}
        self.assertEqual((shown["file"], shown["status"], shown["host"]), (first["path"], "exit 3", os.uname().nodename))
        self.assertEqual(int(shown["rows of processes"]), self.query("SELECT count(*) AS n FROM processes", "last~1")[0]["n"])
        text = self.report("list").stdout.splitlines()
        self.assertEqual(len(text), 3)
        self.assertTrue(text[1].startswith(last["id"]))
        self.report("remove", "last~1")
        self.assertEqual([row["id"] for row in self.rows("list")], [last["id"]])

    def test_query(self):
        self.call("roast-run", "-q", "--save", "-e", "json:run.json", "-i", "0.05", "--", *JOB, status=3)
        tables = json.loads((self.directory / "run.json").read_text())
        for kind, names in (("tables", ("processes", "worker_samples", "sources")), ("report_tables", ("windows", "per_command"))):
            for name in names:
                data = tables[kind][name]["data"]
                expected = [dict(zip(data, cells)) for cells in zip(*data.values())]
                self.assertEqual([{key: bool(value) if isinstance(row[key], bool) else value for key, value in got.items()}
                                  for got, row in zip(self.query(f"SELECT * FROM {name}"), expected)], expected)
        joined = self.query("SELECT c.command AS child, p.command AS parent FROM processes c JOIN processes p ON c.parent = p.process "
                            "ORDER BY 1")
        self.assertIn({"child": "sleep", "parent": "sh"}, joined)
        text = self.report("query", "SELECT 'a,\"b' AS x, NULL AS y, 1.5 AS z, 'é' AS e", "--format=csv").stdout
        self.assertEqual(list(csv.reader(io.StringIO(text))), [["x", "y", "z", "e"], ['a,"b', "", "1.5", "é"]])
        self.assertEqual(self.report("query", "SELECT 'ab' AS text, 5 AS n UNION SELECT 'äöü', 1234").stdout,
                         "text     n\nab       5\näöü   1234\n")
        self.assertEqual(self.query("SELECT * FROM chunks"), [])
        self.assertEqual(self.report("query", "last", "SELECT 1 AS one").stdout, "one\n  1\n")
        self.assert_fails("the query failed: no such table: procs; “roast-inspect --tables” lists", "query", "SELECT * FROM procs")
        self.assert_fails("the query failed: no such column: cpu; “roast-inspect", "query", "SELECT cpu FROM processes")
        self.assert_fails('the query failed: near "SELEC": syntax error', "query", "SELEC")
        self.assert_fails("a query is one statement that returns rows", "query", "SELECT 1; SELECT 2")
        self.assert_fails("a query is one statement that returns rows", "query", "")
        self.assert_fails("the query failed: ", "query", "DELETE FROM processes RETURNING 1")

    def test_stream(self):
        self.call("roast-run", "-q", "--save", "-i", "0.05", "--tag=t=ä\"\n\\", "--", *JOB, status=3)
        stream = self.report("export", "--stream").stdout
        for line in stream.splitlines():
            json.loads(line)
        imported = self.report("import", "-", input=stream).stdout.strip()
        self.assertEqual(self.rows("list")[0]["path"], imported)
        self.assertEqual(self.report("export", "--stream", "last").stdout, stream)
        self.assertEqual(self.report("-e", "json:-", "last").stdout, self.report("-e", "json:-", "last~1").stdout)
        (self.directory / "stream").write_text(stream)
        self.report("import", "--save=mine.roast", "stream")
        self.assertEqual(self.report("export", "--stream", "mine.roast").stdout, stream)

        lines = stream.splitlines(keepends=True)
        row = next(i for i, line in enumerate(lines) if line.startswith('["processes"'))
        for text, message in (("", "line 0 of standard input: this is not a stream .*: it is empty"),
                              ("{}\n", "line 1 of standard input: this is not a stream"),
                              ("[1]\n", "line 1 of standard input: this is not a stream"),
                              ('{"roast-stream": 2}\n', "line 1 of standard input: a newer version"),
                              ("".join(lines[:-1]), f"line {len(lines) - 1} of standard input: the stream was cut here"),
                              ("".join(lines[:row]) + '["processes", 5]\n', f"line {row + 1} of standard input: "),
                              (lines[0] + '{"table": "nosuch", "columns": ["a"]}\n', "line 2 of standard input: .*nosuch"),
                              (lines[0] + '{"a": 1}\n', "line 2 of standard input: this object has neither")):
            self.assert_fails(message, "import", "-", input=text)
        self.assertEqual(len(self.rows("list")), 2)
        self.assert_fails("cannot read nosuch: ", "import", "nosuch")

    def test_running_and_killed(self):
        marker = self.directory / "marker"
        program = f"python3 -c 'import time; time.sleep(1000)' & echo $! >{marker}; wait"
        process = subprocess.Popen(["roast-run", "--save", "-i", "0.1", "--", "sh", "-c", program], env=self.environment,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_for(lambda: list(self.runs.glob("*.roast")) and self.rows("list")[0]["state"] == "running" and
                 self.query("SELECT count(*) AS n FROM cluster_samples")[0]["n"] > 5)
        self.assertRegex(self.report().stderr, r"^roast-report: this run is going on: data reach until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$")
        self.assert_fails("cannot remove .*: it is being written; wait until it is over", "remove", "last")
        before = self.query("SELECT max(time) AS t FROM cluster_samples")[0]["t"]
        session = int(pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text())
        process.kill()
        os.kill(session, signal.SIGKILL)
        process.wait()
        wait_for(lambda: not os.path.exists(f"/proc/{session}/exe"))
        child = int(marker.read_text())
        os.kill(child, 0)
        os.kill(child, signal.SIGTERM)
        run, = self.rows("list")
        self.assertEqual((run["state"], run["status"]), ("interrupted", None))
        self.assertIn("time.sleep", run["command"])
        result = self.report("-e", "json:-")
        self.assertRegex(result.stderr, "^roast-report: the measurement of this run was interrupted: data reach until ")
        self.assertGreaterEqual(max(json.loads(result.stdout)["tables"]["cluster_samples"]["data"]["time"]), before)
        self.assertEqual(self.report("-e", "json:-").stdout, result.stdout)
        self.report("remove", run["id"])
        self.assertEqual([path.name for path in self.runs.iterdir()], [".lock"])

    def test_without(self):
        self.call("roast-run", "-q", "--save", "--", "true")
        names = [set(json.loads(self.report("-e", "json:-", *without).stdout)["metrics"]) for without in ([], ["--without=processes"])]
        self.assertIn("process_cpu_time_seconds", names[0])
        self.assertNotIn("process_cpu_time_seconds", names[1])
        self.assertIn("work_time_seconds", names[0] & names[1])
        self.assert_fails("“--without=nosuch”: there is no such plugin; roast-inspect lists them", "--without=nosuch")
        self.assert_fails("“--without=json” leaves out the plugin of the exporter “json”", "--without=json", "-e", "json:-")

    def test_save(self):
        """A file is neither overwritten nor left behind by a program that did not start."""
        (self.directory / "mine").write_text("mine")
        ran = self.directory / "ran"
        result = self.call("roast-run", "--save=mine", "--", "touch", str(ran), status=125)
        self.assertRegex(result.stderr, "^roast-run: --save does not overwrite a file: remove it, or choose another name: cannot .*File exists")
        self.assertFalse(ran.exists())
        self.call("roast-run", "--save=other", "--", "/no/such/program", status=127)
        self.call("roast-run", "--save", "--", "/no/such/program", status=127)
        self.call("roast-run", "--save=", "--", "true", status=125)
        self.assertEqual(sorted(path.name for path in self.directory.glob("[!.]*")), ["mine", "runs"])
        self.assertEqual(list(self.runs.glob("*.roast*")), [])
        self.assertEqual(self.call("roast-run", "-q", "--save", "--no-save", "--", "true").stderr, "")
        self.assertEqual(list(self.runs.glob("*.roast*")), [])

    def test_mistakes(self):
        self.assert_fails("there are no runs in .*; “roast-run --save", "last")
        self.assertEqual(self.report("list").stderr, f"roast-report: there are no runs in {self.runs}\n")
        self.assertEqual(self.rows("list"), [])
        self.call("roast-run", "-q", "--save=mine.roast", "--", "true")
        self.call("roast-run", "-q", "--save", "--", "true")
        self.assert_fails("there is no run “zz”, neither as a file nor in .*; “roast-report list” shows the runs", "zz")
        self.assert_fails("there is no run last~1: there are 1 in ", "last~1")
        self.assert_fails("there is no exporter 'jsn'; there are: csv, json, table. Did you mean json", "-e", "jsn:x")
        (self.directory / "text").write_text("no run\n" * 1000)
        (self.directory / "cut").write_bytes((self.directory / "mine.roast").read_bytes()[:20000])
        (self.directory / "empty").write_bytes(b"")
        for name in ("text", "cut", "empty"):
            self.assert_fails(".*" + name, name)
        self.assertEqual([row["state"] for row in self.rows("list")], ["complete"])
        with open("/dev/full", "w") as full:
            result = subprocess.run(["roast-report", "list"], stdout=full, stderr=subprocess.PIPE, text=True, env=self.environment, check=False)
            self.assertEqual((result.returncode, result.stderr),
                             (1, "roast-report: cannot write to standard output: No space left on device\n"))
        for arguments in (["show", "a", "b"], ["remove"], ["query"], ["export"], ["import"], ["list", "x"], ["--format=xml", "list"],
                          ["--color=blue"], ["show", "-e", "json:x"], ["--stream"], ["--save=x"], ["a", "b"]):
            self.assertRegex(self.report(*arguments, status=1).stderr, "^roast-report: .*\nTry “roast-report --help”.\n$")
        self.assertRegex(self.report("--help").stdout, "^Usage: roast-report")
        self.assertRegex(self.report("--version").stdout, "^roast-report 0")

    def test_many_at_once(self):
        """Twenty runs into one place, of which the settings keep fifteen."""
        (self.directory / "config" / "roast").mkdir(parents=True)
        (self.directory / "config" / "roast" / "settings").write_text("[Runs]\nMaxRuns=15\n")
        processes = [subprocess.Popen(["roast-run", "-q", "--save", "--", "true"], env=self.environment, stderr=subprocess.PIPE)
                     for _ in range(20)]
        for process in processes:
            self.assertEqual(process.communicate(timeout=120)[1], b"")
            self.assertEqual(process.returncode, 0)
        runs = self.rows("list")
        self.assertEqual([row["state"] for row in runs], ["complete"] * 15)
        self.assertEqual(len(list(self.runs.glob("[!.]*"))), 15)
        self.assertEqual(len({row["id"] for row in runs}), 15)


if __name__ == "__main__":
    unittest.main()
