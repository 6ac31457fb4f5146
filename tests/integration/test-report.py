#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-run keeps a run, and roast-report makes of it what roast-run made, also if roast-run was killed."""

import contextlib
import csv
import io
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pages

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
SECRET = "s3cr3tXYZ"
JOB = ["sh", "-c", "python3 -c 'import time; time.sleep(0.3)'; sleep 0.1; exit 3", "job", f"--password={SECRET}", "--n=5"]


def wait_for(condition):
    """Long enough for a slow machine; what is waited for usually takes seconds."""
    deadline = time.monotonic() + 240
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
        result = subprocess.run(command, capture_output=True, text=True, timeout=240, cwd=self.directory, env=self.environment, **options)
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
        self.assertRegex(result.stderr, r"^roast-run: this run is kept; “roast-report \d{8}-\d{6}-[0-9a-f]{4}” shows this run again\n$")
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

    def test_compare(self):
        """Runs are found and sorted by what they are compared by."""
        for number, (site, chunk) in enumerate((("bonn", 9), ("cern", 100), ("bonn", 20))):
            self.call("roast-run", "-q", "--save", f"--tag=site={site}", f"--tag=chunk={chunk}", "--tag=input=a b=c", "-e", f"json:{number}.json",
                      "--", "/usr/bin/python3", "-c", f"exit({number})", status=number)
        third, second, first = (row["id"] for row in self.rows("list"))
        for arguments, expected in ((["site=bonn"], [third, first]), (["site=*"], [third, second, first]), (["site=bonn", "status=exit 2"], [third]),
                                    (["--sort=chunk"], [first, third, second]), (["--sort=-chunk"], [second, third, first]),
                                    (["--sort=status", "site=bonn"], [first, third]), (["--sort=started"], [first, second, third]),
                                    (["command=*exit(1)*"], [second]), (["state=running"], []), (["input=a b=c", f"id={first}"], [first])):
            self.assertEqual([row["id"] for row in self.rows("list", *arguments)], expected, arguments)
        shown = re.search(rf"^{first} +(\d[-\d]+ [:\d]+)", self.report("list").stdout, re.M)[1]
        self.assertIn(first, [row["id"] for row in self.rows("list", f"started={shown}")])
        self.assertEqual([row["id"] for row in self.rows("list", f"started={shown[:3]}*")], [third, second, first])
        self.assert_fails("no run has the key “sit”; the keys are: .*site.*. Did you mean site", "list", "sit=bonn")
        self.assert_fails("no run has the key “chnk”; .*Did you mean chunk", "list", "--sort=chnk")
        self.assert_fails("“bonn” is not a condition: write KEY=VALUE", "list", "bonn")
        self.assertEqual(self.report("list", "site=nowhere").stderr, "roast-report: none of the 3 runs meets these conditions\n")
        shown = {row["key"]: row["value"] for row in self.rows("show", first)}
        system = os.path.realpath("/usr/bin/python3").removeprefix("/usr/bin/python")
        self.assertEqual((shown["tag.site"], shown["tag.chunk"], shown["tag.input"], shown["python"], shown["kernel"], shown["cores"]),
                         ("bonn", "9", "a b=c", system, os.uname().release, str(len(os.sched_getaffinity(0)))))
        self.assertFalse([key for key in shown if key.startswith("roast.")])
        self.assertTrue(shown["started"].isdigit())
        self.assertRegex(self.report("show", first).stdout, r"(?m)^started +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$")
        run = json.loads((self.directory / "0.json").read_text())["run"]
        self.assertEqual((run["tags"]["site"], run["python"], run["kernel"], run["cores"]),
                         ("bonn", shown["python"], shown["kernel"], int(shown["cores"])))
        self.assertEqual(self.query("SELECT value FROM metadata WHERE key = 'tag.chunk'", first), [{"value": "9"}])

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

    def test_query_metrics(self):
        """What is in no table of a recording: metrics, notes and metadata."""
        self.call("roast-run", "-q", "--save", "-e", "json:run.json", "--", *JOB, status=3)
        expected = json.loads((self.directory / "run.json").read_text())
        rows = {row.pop("name"): row for row in self.query("SELECT * FROM metrics")}
        self.assertEqual(rows, expected["metrics"])
        self.assertIn("unavailable", {row["completeness"] for row in rows.values() if row["value"] is None and row["reason"]})
        self.assertEqual([row["note"] for row in self.query("SELECT note FROM notes")], expected.get("notes", []))
        self.assertEqual(self.query("SELECT value FROM metadata WHERE key = 'status'"), [{"value": "exit 3"}])
        self.assertEqual(self.query("SELECT m.value AS n, count(*) AS counted FROM metrics m, processes WHERE m.name = 'exit_status'"),
                         [{"n": 3, "counted": self.query("SELECT count(*) AS n FROM processes")[0]["n"]}])

    def test_query_left_out(self):
        """Blocks and rows that comparisons leave out are those that SQLite would not want, which sees all rows where LIMIT is in between."""
        random_number = random.Random(7)
        lines = ['{"roast-stream": 1}', '{"table": "worker_samples", "columns": ["source", "time", "worker", "memory", "cpu"]}']
        for i in range(9000):
            memory = random_number.choice([None, i * 1000, -i, 2**53 + i % 3, 2**59])
            cpu = random_number.choice([None, i / 7, float(i // 100)])
            lines.append(json.dumps(["worker_samples", f"source-{i // 2500}", i, f"w{i % 11}", memory, cpu]))
        self.report("import", "--save=mine.roast", "-", input="\n".join([*lines, '{"end": true}', ""]))
        values = {"time": ["5", "-1", "8999", "4345.5", "1e300", "-1e300", "'7'", "'x'", "NULL"],
                  "memory": ["9007199254740993", "9007199254740992.0", "576460752303423488", "5.8e17", "-5", "2000", "'2000'"],
                  "cpu": ["0", "15", "1285.0", "'150'", "1e999"], "source": ["'source-0'", "'source-3'", "'source-9'", "5", "NULL", "x'41'"],
                  "worker": ["'w1'", "'W1' COLLATE NOCASE", "'w10'"]}
        tried = [f"{column} {operator} {value}" for column, all_values in values.items() for value in all_values
                 for operator in ("=", "<", "<=", ">", ">=", "<>", "IS")]
        both = random_number.choices(tried, k=150)
        tried += [f"{first} {word} {second}" for first, second, word in zip(both[::2], both[1::2], ["AND", "AND", "AND", "OR"] * 50)]
        tried += [f"time BETWEEN {low} AND {low + 50} AND source IN ('source-1', 'source-2')" for low in range(0, 9000, 1500)]
        everything = "(SELECT *, rowid FROM worker_samples LIMIT -1)"
        parts = [f"SELECT {number} AS number, count(*) AS n, total(rowid) AS t FROM {table} WHERE {text}"
                 for number, text in enumerate(tried) for table in ("worker_samples", everything)]
        counts = {}
        for some in range(0, len(parts), 300):
            for row in self.query(" UNION ALL ".join(parts[some:some + 300]), "mine.roast"):
                counts.setdefault(row["number"], []).append((row["n"], row["t"]))
        for number, (ours, theirs) in counts.items():
            self.assertEqual(ours, theirs, tried[number])
        self.assertEqual(len(counts), len(tried))
        self.assertGreater(len({ours for ours, _ in counts.values()}), 50)
        join = "SELECT count(*) AS n FROM worker_samples a JOIN {} b ON b.time = a.time + 1 AND b.source = a.source WHERE a.time < 20"
        self.assertEqual(self.query(join.format("worker_samples"), "mine.roast"), self.query(join.format(everything), "mine.roast"))

    def test_query_help(self):
        self.call("roast-run", "-q", "--save", "-e", "json:run.json", "--", *JOB, status=3)
        tables = {row["table"]: row for row in self.rows("query")}
        recorded = json.loads((self.directory / "run.json").read_text())["tables"]
        for name, table in recorded.items():
            self.assertEqual(tables[name]["columns"].split(", "), list(table["data"]))
            self.assertEqual(tables[name]["rows"], len(next(iter(table["data"].values()))))
        self.assertEqual((tables["windows"]["of"], tables["metrics"]["of"], tables["processes"]["of"]), ("report", "report", "recording"))
        for name in tables:
            columns = [row["column"] for row in self.rows("query", f".columns {name}", "last")]
            self.assertEqual(columns, tables[name]["columns"].split(", "))
            self.assertEqual(columns, [row["name"] for row in self.query(f"PRAGMA table_info({name})")])
            self.query(f"SELECT * FROM {name}")
        self.assertEqual(self.rows("query", ".tables"), list(tables.values()))
        self.assertEqual(self.rows("query", "last"), list(tables.values()))
        for message, query in (("no such table: prozesses; did you mean processes\\? “roast-report query” lists", "SELECT * FROM prozesses"),
                               ("no such table: zzz; “roast-report query” lists the tables", "SELECT * FROM zzz"),
                               ("no such column: p.cpu_usr; the columns of table processes are: source, .*Did you mean cpu_user\\?",
                                "SELECT p.cpu_usr FROM processes p"),
                               ("no such column: vale", "SELECT vale FROM metrics"), ('near "SELEC": syntax error', "SELEC 1")):
            self.assert_fails("the query failed: " + message, "query", query)
        self.assert_fails("there is no table “prozesses”; the tables are: metrics, .*Did you mean processes", "query", ".columns prozesses")
        self.assert_fails("unknown command “.nosuch”: use .tables, .columns", "query", ".nosuch")
        self.assert_fails("neither “last” nor “a1” is a query", "query", "last", "a1")
        self.assert_fails("“SELEC” is neither a query, such as “SELECT .*”, nor a run: “SELEC” is neither a file nor a run", "query", "SELEC")
        for query in ("SELECT 1; SELECT 2", " ", f"VACUUM INTO '{self.directory}/vacuum'", "/* nothing */"):
            self.assert_fails("a query is one statement that returns rows", "query", query)
        self.assertFalse((self.directory / "vacuum").exists())

    def test_query_only_reads(self):
        self.call("roast-run", "-q", "--save=mine.roast", "--", "true")
        before = (self.directory / "mine.roast").read_bytes()
        for refused, query in (("ATTACH another file", "ATTACH 'mine.roast' AS mine"),
                               ("change rows", "INSERT INTO metrics VALUES (1) RETURNING 1"),
                               ("load an extension", "SELECT load_extension('x.so')"), ("create tables", "CREATE TABLE mine (a)"),
                               ("change or ask for settings of SQLite", "PRAGMA journal_mode = OFF"),
                               ("change or ask for settings of SQLite", "SELECT * FROM pragma_database_list"),
                               ("drop tables", "DROP TABLE processes"),
                               ("create, change or drop something", "CREATE TEMP VIEW mine AS SELECT 1")):
            self.assert_fails(f"the query failed: this query would {refused}, but a query may only read this run", "query", query, "mine.roast")
        self.assert_fails("the query failed: ", "query", "DELETE FROM processes RETURNING 1", "mine.roast")
        self.assertEqual((self.directory / "mine.roast").read_bytes(), before)

    def test_endless_query(self):
        """Rows arrive while the query runs, in bounded memory, and Ctrl-C ends it."""
        self.call("roast-run", "-q", "--save=mine.roast", "--", "true")
        endless = "WITH RECURSIVE numbers(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM numbers) SELECT"
        for arguments in (["n FROM numbers", "-f", "table"], ["n FROM numbers", "-f", "csv"], ["n FROM numbers", "-f", "json"],
                          ["sum(n) FROM numbers"]):
            with subprocess.Popen(["roast-report", "query", f"{endless} {arguments[0]}", "mine.roast", *arguments[1:]], cwd=self.directory,
                                  env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                self.addCleanup(process.kill)
                if arguments[1:]:
                    self.assertEqual(len(process.stdout.read(3_000_000)), 3_000_000)
                    peak = int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1])
                    self.assertLess(peak, 200_000)
                else:
                    wait_for(lambda: sum(map(int, pathlib.Path(f"/proc/{process.pid}/stat").read_text().split()[13:15])) > 50)
                process.send_signal(signal.SIGINT)
                stderr = process.communicate(timeout=240)[1]
                self.assertEqual((process.returncode, stderr), (-signal.SIGINT, b""))

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
        for text, message in (("", "line 0 of standard input: this is not a stream .*: the input is empty"),
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

    def test_stream_integers(self):
        """All integers of 64 bits come back; one more is refused."""
        head = '{"roast-stream": 1}\n{"table": "chunks", "columns": ["source", "chunk", "memory"]}\n'  # a change, which may be negative
        numbers = [-2**63, -2**63 + 1, -10**18, 10**18 - 1, 10**18, 2**62 + 1, 2**63 - 1]
        rows = "".join(f'["chunks", "s", "{i}", {number}]\n' for i, number in enumerate(numbers))
        self.report("import", "--save=mine.roast", "-", input=head + rows + '{"end": true}\n')
        stream = self.report("export", "--stream", "mine.roast").stdout
        self.report("import", "--save=again.roast", "-", input=stream)
        self.assertEqual(self.report("export", "--stream", "again.roast").stdout, stream)
        for name in ("mine.roast", "again.roast"):
            self.assertEqual([row["memory"] for row in self.query("SELECT memory FROM chunks ORDER BY chunk", name)], numbers)
        for number in (-2**63 - 1, 2**63, 10**19, 2**64 + 1):
            self.assert_fails("line 3 of standard input: .*memory.*: an integer does not fit in 64 bits", "import", "--save=no.roast", "-",
                              input=f'{head}["chunks", "s", "0", {number}]\n')

    def test_stream_long_line(self):
        """A line is not read on beyond the limit: the file has a line of 1 TB, of which most takes no room."""
        path = self.directory / "long"
        path.write_text('{"roast-stream": 1}\n["')
        os.truncate(path, 10**12)
        self.assert_fails("line 2 of long: this line is longer than 64 MiB", "import", "--save=no.roast", "long")

    def test_running_and_killed(self):
        marker = self.directory / "marker"
        program = f"python3 -c 'import time; time.sleep(1000)' & echo $! >{marker}; wait"
        process = subprocess.Popen(["roast-run", "--save", "-i", "0.1", "--", "sh", "-c", program], env=self.environment,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_for(lambda: list(self.runs.glob("*.roast")) and self.rows("list")[0]["state"] == "running" and
                 self.query("SELECT count(*) AS n FROM cluster_samples")[0]["n"] > 5)
        self.assertRegex(self.report().stderr, r"^roast-report: this run is still in progress: data reach until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$")
        self.assert_fails("cannot remove .*: the run is still in progress; wait until the run ends", "remove", "last")
        path, = self.runs.glob("*.roast")
        shutil.copy(path, self.directory / "copy.roast")
        result = subprocess.run(["roast-report", "copy.roast"], capture_output=True, text=True, cwd=self.directory, env=self.environment, check=False)
        self.assertRegex(result.stderr, "^roast-report: (.*has no tables: the file was copied during the run, without the file "
                                        ".*-wal. Copy both|the measurement of this run was interrupted: data reach until)")
        shutil.copy(path, self.directory / "whole.roast")
        shutil.copy(f"{path}-wal", self.directory / "whole.roast-wal")
        self.assertGreater(self.query("SELECT count(*) AS n FROM cluster_samples", "whole.roast")[0]["n"], 0)
        self.assertEqual({row["key"]: row["value"] for row in self.rows("show", "whole.roast")}["state"], "interrupted")
        before = self.query("SELECT max(time) AS t FROM cluster_samples")[0]["t"]
        session = int(pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text())
        process.kill()
        os.kill(session, signal.SIGKILL)
        process.wait()
        # The lock of the run file goes with the last thread of the session, which may be later than its main thread.
        wait_for(lambda: self.rows("list")[0]["state"] == "interrupted")
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

    def make_older(self, path, columns, tables):
        """What a version would have written whose schema does not have these."""
        with contextlib.closing(sqlite3.connect(path)) as database:
            text, = database.execute("SELECT text FROM schema WHERE text LIKE '%[table workers]%'").fetchone()
            for table in tables:
                text = re.sub(rf"\[(table|columns) {table}\]\n[^\[]*", "", text)
                database.execute("DELETE FROM tables WHERE name = ?", (table,))
            for table, column in columns:
                text = re.sub(rf"(\[columns {table}\]\n(?:[^\[].*\n)*?){column}=.*\n", r"\1", text)
                number, at = database.execute('SELECT t.id, c."column" FROM tables t JOIN columns c ON t.id = c."table" WHERE t.name = ? '
                                              "AND c.name = ?", (table, column)).fetchone()
                if database.execute("SELECT count(*) FROM sqlite_master WHERE name = ?", (f"rows_{table}",)).fetchone()[0]:
                    database.execute(f"ALTER TABLE rows_{table} DROP COLUMN {column}")
                for part in ("columns", "dictionary", "block"):
                    database.execute(f'DELETE FROM {part} WHERE "table" = ? AND "column" = ?', (number, at))
                    later = database.execute(f'SELECT DISTINCT "column" FROM {part} WHERE "table" = ? AND "column" > ? ORDER BY 1', (number, at))
                    for (column_number,) in later.fetchall():
                        database.execute(f'UPDATE {part} SET "column" = "column" - 1 WHERE "table" = ? AND "column" = ?', (number, column_number))
            database.execute("UPDATE schema SET text = ? WHERE text LIKE '%[table workers]%'", (text,))
            database.execute("UPDATE meta SET value = '0.5' WHERE key = 'roast'")
            database.commit()
        pages.renew(path)

    def test_older_file(self):
        """A file whose schema lacks tables and columns: they are empty, all else is the same, and an event says so."""
        self.call("roast-run", "-q", "--save=mine.roast", "-i", "0.05", "--", *JOB, status=3)
        new = json.loads(self.report("-e", "json:-", "mine.roast").stdout)
        columns = [("workers", "memory_peak"), ("worker_samples", "memory_pss"), ("processes", "command_line"), ("processes", "run_queue")]
        self.make_older(self.directory / "mine.roast", columns, ["cluster_samples", "sections"])
        result = self.report("-e", "json:-", "-e", "csv:out", "-e", "table:text,detail=true", "mine.roast")
        old = json.loads(result.stdout)
        expected = ("the run was recorded by roast 0.5, which did not have: column memory_peak of workers, column memory_pss of worker_samples, "
                    "table cluster_samples, column command_line of processes, column run_queue of processes, table sections")
        events = [message for kind, message in zip(*(old["tables"]["events"]["data"][name] for name in ("kind", "message"))) if kind == "older-file"]
        self.assertEqual(events, [expected])
        self.assertIn(expected, " ".join((self.directory / "text").read_text().split()))
        for table, column in columns:
            cells = old["tables"][table]["data"].pop(column)
            self.assertEqual(cells, [None] * len(new["tables"][table]["data"].pop(column)))
        self.assertEqual(self.query("SELECT * FROM cluster_samples", "mine.roast"), [])
        for name in ("workers", "worker_samples", "processes", "sources"):
            self.assertEqual(old["tables"][name]["data"], new["tables"][name]["data"], name)
        self.assertEqual(self.query("SELECT count(run_queue) AS n, count(*) AS rows FROM processes WHERE run_queue IS NULL", "mine.roast"),
                         [{"n": 0, "rows": len(old["tables"]["processes"]["data"]["pid"])}])
        self.assertEqual(old["metrics"]["exit_status"], new["metrics"]["exit_status"])
        for name, missing in (("run_queue_seconds", "column run_queue of processes"), ("threads_peak", "table cluster_samples"),
                              ("memory_peak_bytes", "table cluster_samples")):
            self.assertIsNotNone(new["metrics"][name]["value"])
            self.assertEqual(old["metrics"][name]["reason"], f"the run was recorded by roast 0.5, which did not have {missing}")
        stream = self.report("export", "--stream", "mine.roast").stdout
        self.report("import", "--save=again.roast", "-", input=stream)
        again = json.loads(self.report("-e", "json:-", "again.roast").stdout)
        full = json.loads(result.stdout)
        self.assertEqual(again["metrics"], full["metrics"])
        for name, table in full["tables"].items():
            self.assertEqual(again["tables"][name]["data"], table["data"], name)

    def test_without(self):
        self.call("roast-run", "-q", "--save", "--", "true")
        names = [set(json.loads(self.report("-e", "json:-", *without).stdout)["metrics"]) for without in ([], ["--without=processes"])]
        self.assertIn("process_cpu_time_seconds", names[0])
        self.assertNotIn("process_cpu_time_seconds", names[1])
        self.assertIn("work_time_seconds", names[0] & names[1])
        notes = json.loads(self.report("-e", "json:-", "--without=processes", "--remark=one", "--remark=two").stdout)["notes"]
        self.assertEqual(notes[:2], ["one", "two"])
        self.assertIn("plugin processes was left out (option --without)", notes[2])
        table = self.report("-e", "json:-", "--without=json", "--fallback=table")
        self.assertIn(", took ", table.stdout)
        self.assert_fails("“--without=nosuch” names no plugin: roast-inspect lists all plugins", "--without=nosuch")
        self.assert_fails("“--without=json” leaves out the plugin of the exporter “json”", "--without=json", "-e", "json:-")

    def test_metric(self):
        """Metrics of a user's own, at the command line and in a plugin that is nothing but a schema."""
        self.call("roast-run", "-q", "--save", "--", "true")
        formulas = ["--metric=mine = 2 * twice + elapsed_time_seconds", "--metric=twice=count (over processes where known (pid)) / 2"]
        metrics = json.loads(self.report("-e", "json:-", *formulas).stdout)["metrics"]
        rows = self.call("roast-report", "query", "-f", "csv", "SELECT count (pid) FROM processes").stdout.split()[-1]
        self.assertEqual(metrics["twice"]["value"], int(rows) / 2)
        self.assertAlmostEqual(metrics["mine"]["value"], int(rows) + metrics["elapsed_time_seconds"]["value"])
        self.assertIn("mine", self.report("-e", "table", *formulas).stdout)
        self.assertIn("Not available: none (the denominator is 0)", self.report("-e", "table", "--metric=none=1 / 0").stdout)
        self.assert_fails(".*write NAME=FORMULA in one line", "--metric==3")
        self.assert_fails(".*character 8: expected", "--metric=mine=1 + 2 *")
        self.assert_fails(".*character 5: there is no table “nosuch”", "--metric=mine=2 * count (over nosuch)")
        self.assert_fails(".*character 1: there is no metric “nosuch”", "--metric=mine=nosuch")
        self.assert_fails(".*write NAME=FORMULA", "--metric=mine")
        self.assert_fails(".*is declared already", "--metric=elapsed_time_seconds=1")
        plugin = self.directory / "plugins"
        plugin.mkdir()
        (plugin / "own.roast-plugin").write_text("[Roast Plugin]\nName=own\nApi=1.0\nDescription=My own\nSchemas=own\n"
                                            "License=BSD-3-Clause\n")
        (plugin / "own.roast-schema").write_text("[metric own_rows]\nDescription=Rows\nValue=count (over processes)\n")
        self.environment["ROAST_PLUGIN_PATH"] = f"{plugin}:{self.environment['ROAST_PLUGIN_PATH']}"
        metrics = json.loads(self.report("-e", "json:-").stdout)["metrics"]
        self.assertGreaterEqual(metrics["own_rows"]["value"], 1)
        self.call("roast-inspect", "--check", str(plugin / "own.roast-plugin"))
        (plugin / "own.roast-schema").write_text("[metric own_rows]\nDescription=Rows\nValue=count (\n")
        said = " ".join(self.report("-e", "table").stdout.split())
        self.assertRegex(said, "the plugin own is not used: .*own.roast-schema")

    def test_what_if(self):
        """Of the logs of a finished run, in a directory that is named without a slash."""
        shutil.copytree(DATA / "taskvine" / "run-coffea", self.directory / "logs")
        self.call("roast-run", "-q", "--save=mine", "-e", "json:/dev/null", "--attach=logs")
        rows = json.loads(self.report("whatif", "--slots=5,1000", "-f", "json", "mine").stdout)
        self.assertEqual((rows[0]["scenario"], rows[0]["slots"], rows[0]["workers"]), ("recorded", 2, 1))
        elapsed = {row["slots"]: row["elapsed"] for row in rows if row["scenario"] in ("recorded", "slots")}
        self.assertEqual(sorted(elapsed), [1, 2, 3, 4, 5, 6, 8, 1000])
        self.assertEqual([elapsed[slots] for slots in sorted(elapsed)], sorted(elapsed.values(), reverse=True))
        for row in rows[1:]:
            self.assertLessEqual(row["elapsed_low"], row["elapsed"])
            self.assertLessEqual(row["elapsed"], row["elapsed_high"])
            self.assertIn(row["limit"], ("work", "chain", "arrival", "start_up"))
        page = self.report("whatif", "mine").stdout
        self.assertRegex(page, r"(?s)^if +slots +time .*\nas it was +2 +12.9 s .*These times assume that each task takes as long as in this run.\n")
        self.assert_fails("“--slots=1,x” is invalid: write numbers of slots", "whatif", "--slots=1,x", "mine")
        self.call("roast-run", "-q", "--save=other", "--", "true")
        self.assert_fails("cannot estimate the time of the run with other slots: this run has no tasks on workers with "
                          "a known number of cores", "whatif", "other")

    def test_save(self):
        """A file is neither overwritten nor left behind by a program that did not start."""
        (self.directory / "mine").write_text("mine")
        ran = self.directory / "ran"
        result = self.call("roast-run", "--save=mine", "--", "touch", str(ran), status=125)
        self.assertRegex(result.stderr, "^roast-run: --save does not overwrite a file. Remove the file or choose another name: cannot .*File exists")
        self.assertFalse(ran.exists())
        self.call("roast-run", "--save=other", "--", "/no/such/program", status=127)
        self.call("roast-run", "--save", "--", "/no/such/program", status=127)
        self.call("roast-run", "--save=", "--", "true", status=125)
        self.assertEqual(sorted(path.name for path in self.directory.glob("[!.]*")), ["mine", "runs"])
        self.assertEqual(list(self.runs.glob("*.roast*")), [])
        self.assertEqual(self.call("roast-run", "-q", "--save", "--no-save", "--", "true").stderr, "")
        self.assertEqual(list(self.runs.glob("*.roast*")), [])

    def test_mistakes(self):
        self.assert_fails("there are no runs in .*; “roast-run -- PROGRAM” records a run", "last")
        self.assertEqual(self.report("list").stderr, f"roast-report: no runs in {self.runs}\n")
        self.assertEqual(self.rows("list"), [])
        self.call("roast-run", "-q", "--save=mine.roast", "--", "true")
        self.call("roast-run", "-q", "--save", "--", "true")
        self.assert_fails("“zz” is neither a file nor a run in .*; “roast-report list” shows the runs", "zz")
        self.assert_fails("did you mean “roast-report list”. “lst” is neither a file nor a run", "lst")
        self.assert_fails("there is no run last~1: only 1 runs are kept in ", "last~1")
        self.assert_fails("there is no exporter 'jsn'; the names are: csv, failed, html, json, openmetrics, perfetto, plots, table. "
                          "Did you mean json", "-e", "jsn:x")
        (self.directory / "text").write_text("no run\n" * 1000)
        (self.directory / "cut").write_bytes((self.directory / "mine.roast").read_bytes()[:20000])
        (self.directory / "empty").write_bytes(b"")
        for name in ("text", "empty"):
            self.assert_fails(".*" + name, name)
        self.assert_fails(r".*/cut is cut short, with 20000 of \d+ bytes: copy the file again", "cut")
        os.mkfifo(self.directory / "fifo")
        self.assert_fails(".*/fifo is a pipe, not a run file", "fifo")
        self.assert_fails(".* is a directory, not a run file", str(self.runs))
        self.assertEqual([row["state"] for row in self.rows("list")], ["complete"])
        with open("/dev/full", "w") as full:
            result = subprocess.run(["roast-report", "list"], stdout=full, stderr=subprocess.PIPE, text=True, env=self.environment, check=False)
            self.assertEqual((result.returncode, result.stderr),
                             (1, "roast-report: cannot write to standard output: No space left on device\n"))
        for arguments in (["show", "a", "b"], ["remove"], ["export"], ["import"], ["show", "--sort=x"], ["--format=xml", "list"],
                          ["--color=blue"], ["show", "-e", "json:x"], ["--stream"], ["--slots=1"], ["--save=x"], ["a", "b"],
                          ["query", "a b", "c", "d"]):
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
            self.assertEqual(process.communicate(timeout=240)[1], b"")
            self.assertEqual(process.returncode, 0)
        runs = self.rows("list")
        self.assertEqual([row["state"] for row in runs], ["complete"] * 15)
        self.assertEqual(len(list(self.runs.glob("[!.]*"))), 15)
        self.assertEqual(len({row["id"] for row in runs}), 15)


if __name__ == "__main__":
    unittest.main()
