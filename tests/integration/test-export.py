#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What roast-run exports is what its readers expect: JSON by its schema, CSV by pandas and R with one call each."""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import jsonschema
import pandas

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import leftovers  # noqa: F401  keeps its runs apart

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class TestExport(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.directory = cls.temporary.name
        cls.json = os.path.join(cls.directory, "report.json")
        cls.csv = os.path.join(cls.directory, "csv")
        program = ["/usr/bin/python3", os.path.join(SOURCE, "examples", "analysis.py"), "200000"]
        cls.result = subprocess.run(["roast-run", "-i", "0.02", "-e", "json:" + cls.json, "-e", "csv:" + cls.csv, "-e", "table:-,detail",
                                     "-t", 'odd=a "quoted", text', "--", *program], capture_output=True, text=True,
                                    timeout=240, check=True)
        with open(cls.json) as file:
            cls.report = json.load(file)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_json_follows_its_schema(self):
        with open(os.path.join(SOURCE, "docs", "report.schema.json")) as file:
            schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(self.report, schema, jsonschema.Draft202012Validator)

    def test_columns_are_as_long_as_the_table(self):
        for tables in (self.report["tables"], self.report["report_tables"]):
            for name, table in tables.items():
                self.assertEqual([c["name"] for c in table["columns"]], list(table["data"]), name)
                for column, values in table["data"].items():
                    self.assertEqual(len(values), table["rows"], f"{name}.{column}")

    def test_workload_is_the_programs_own(self):
        metrics = self.report["metrics"]
        self.assertEqual(metrics["events_total"]["value"], 200000)
        self.assertEqual(metrics["bytes_read_total"]["value"], 200000 * 32)
        self.assertEqual(metrics["chunks_total"]["value"], 4)
        rate = metrics["data_rate_bits_per_second"]["value"]
        self.assertAlmostEqual(rate, 8 * 200000 * 32 / metrics["elapsed_time_seconds"]["value"], delta=1e-6 * rate)

    def test_cpu_is_the_sum_over_processes(self):
        data = self.report["tables"]["processes"]["data"]
        total = sum(x for c in ("cpu_user", "cpu_system", "cpu_unsplit") for x in data[c] if x is not None)
        self.assertAlmostEqual(self.report["metrics"]["process_cpu_time_seconds"]["value"], total, places=6)

    def test_tags(self):
        self.assertEqual(self.report["run"]["tags"], {"odd": 'a "quoted", text'})

    def test_csv_by_pandas(self):
        for name, table in {**self.report["tables"], **self.report["report_tables"]}.items():
            path = os.path.join(self.csv, name + ".csv")
            if table["rows"] == 0:
                self.assertFalse(os.path.exists(path))
                continue
            frame = pandas.read_csv(path, float_precision="round_trip")
            self.assertEqual(len(frame), table["rows"], name)
            for column in table["columns"]:
                values = table["data"][column["name"]]
                self.assertEqual(int(frame[column["name"]].isna().sum()), sum(v is None for v in values), f"{name}.{column}")
                if column["type"] == "double":
                    for ours, theirs in zip(values, frame[column["name"]]):
                        if ours is not None:
                            self.assertEqual(ours, theirs)

    def test_csv_by_r(self):
        script = "d <- read.csv('processes.csv'); cat(nrow(d), sum(d$cpu_user, na.rm=TRUE) > 0, is.numeric(d$cpu_user))"
        result = subprocess.run(["Rscript", "-e", script], cwd=self.csv, capture_output=True, text=True, timeout=240)
        self.assertEqual(result.stdout, f"{self.report['tables']['processes']['rows']} TRUE TRUE", result.stderr)

    def test_every_table_by_r(self):
        script = ("for (f in list.files(pattern='csv$')) "
                  "cat(sub('.csv', '', f, fixed=TRUE), nrow(read.csv(f)), sep=' ', fill=TRUE)")
        result = subprocess.run(["Rscript", "-e", script], cwd=self.csv, capture_output=True, text=True, timeout=240)
        rows = dict(line.split() for line in result.stdout.splitlines())
        for name, table in {**self.report["tables"], **self.report["report_tables"]}.items():
            if table["rows"]:
                self.assertEqual(int(rows[name]), table["rows"], result.stderr)
        self.assertEqual(int(rows["metrics"]), len(self.report["metrics"]))

    def test_metrics_are_the_same_in_csv(self):
        frame = pandas.read_csv(os.path.join(self.csv, "metrics.csv"), index_col="name", float_precision="round_trip")
        self.assertEqual(list(frame.index), list(self.report["metrics"]))
        for name, metric in self.report["metrics"].items():
            if isinstance(metric["value"], (int, float)):
                self.assertEqual(float(frame["value"][name]), metric["value"])
            self.assertEqual(frame["completeness"][name], metric["completeness"])

    def test_csv_is_rfc_4180(self):
        for name in os.listdir(self.csv):
            with open(os.path.join(self.csv, name), "rb") as file:
                data = file.read()
            self.assertTrue(data.endswith(b"\r\n"), name)
            rows = list(csv.reader(data.decode().splitlines(keepends=True)))
            self.assertEqual({len(row) for row in rows}, {len(rows[0])}, name)

    def test_every_column_is_described(self):
        described = {(r["table"], r["column"]) for r in csv.DictReader(open(os.path.join(self.csv, "columns.csv")))}
        for name, table in self.report["tables"].items():
            for column in table["columns"]:
                if table["rows"]:
                    self.assertIn((name, column["name"]), described)

    def test_table_shows_what_matters(self):
        for text in ("CPU efficiency", "Data rate", "Mbps", "Per dataset", "background", "Accounting"):
            self.assertIn(text, self.result.stdout)
        self.assertNotIn("\033", self.result.stdout)

    def test_page_of_metrics_is_up_to_date(self):
        result = subprocess.run(["roast-inspect", "--metrics", "--markdown"], capture_output=True, text=True, check=True)
        with open(os.path.join(SOURCE, "docs", "metrics.md")) as file:
            self.assertEqual(file.read(), result.stdout, "run: roast-inspect --metrics --markdown > docs/metrics.md")
        headings = re.findall("^## (.*)", result.stdout, re.MULTILINE)
        self.assertEqual(headings[:4], ["Run", "Throughput", "Events", "Chunks"])
        self.assertEqual(len(headings), len(set(headings)))

    def test_page_of_charts_is_up_to_date(self):
        result = subprocess.run(["roast-inspect", "--charts", "--markdown"], capture_output=True, text=True, check=True)
        with open(os.path.join(SOURCE, "docs", "charts.md"), encoding="utf-8") as file:
            self.assertEqual(file.read(), result.stdout, "run: roast-inspect --charts --markdown > docs/charts.md")


class TestJsonOptions(unittest.TestCase):
    def run_json(self, options):
        result = subprocess.run(["roast-run", "-q", "-e", "json:-" + options, "--", "true"], capture_output=True, text=True,
                                timeout=240, check=True)
        report = json.loads(result.stdout)
        with open(os.path.join(SOURCE, "docs", "report.schema.json")) as file:
            jsonschema.validate(report, json.load(file), jsonschema.Draft202012Validator)
        return result.stdout, report

    def test_tables(self):
        self.assertNotIn("tables", self.run_json(",tables=none")[1])
        self.assertEqual(set(self.run_json(",tables=processes+events")[1]["tables"]), {"processes", "events"})
        self.assertIn("processes", self.run_json("")[1]["tables"])

    def test_indent(self):
        self.assertEqual(self.run_json(",indent=false")[0].count("\n"), 1)


class TestTable(unittest.TestCase):
    def run_table(self, *options, command=("true",), **environment):
        return subprocess.run(["roast-run", "-e", ",".join(["table:-", *options]), "--", *command], capture_output=True,
                              text=True, timeout=240, env={**os.environ, **environment}).stdout

    def test_colours(self):
        self.assertIn("\033[", self.run_table("color=always"))
        self.assertIn("\033[", self.run_table("color=always", NO_COLOR="1"))
        self.assertNotIn("\033[", self.run_table("color=auto"))

    def test_width(self):
        for width in (80, 100, 160):
            lines = self.run_table(f"width={width}", command=("sh", "-c", "true " * 60)).splitlines()
            self.assertLessEqual(max(map(len, lines)), width)

    def test_hostile_names_do_not_steer_the_terminal(self):
        command = ("/usr/bin/python3", "-c", "import sys; open('/proc/self/comm', 'w').write('\\x1b[2J\\x07x')", "\033[31mred")
        text = self.run_table(command=command, LC_ALL="C.UTF-8")
        self.assertNotIn("\033", text)
        self.assertNotIn("\007", text)

    def test_plain_characters_in_a_plain_locale(self):
        """Also where it writes microseconds: on one core, such a short program is offered less than a millisecond."""
        before = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, before)
        os.sched_setaffinity(0, {min(before)})
        for _ in range(5):
            self.run_table(LC_ALL="C").encode("ascii")

    def test_what_is_missing_says_why(self):
        text = " ".join(self.run_table("detail", command=("true",)).split())
        self.assertIn("not available: the program reported no events to roast", text)
        page = " ".join(self.run_table(command=("true",)).split())
        self.assertIn("Not available: events, bytes read (the program can report these numbers: see docs/protocol.md)", page)

    def test_page(self):
        """At most 40 lines, at each width, in each locale, and with as much detail as is asked for."""
        command = ("/usr/bin/python3", os.path.join(SOURCE, "examples", "analysis.py"), "200000")
        for width in (60, 80, 100, 200):
            for locale in ("C", "C.UTF-8"):
                text = self.run_table(f"width={width}", command=command, LC_ALL=locale)
                lines = text.splitlines()
                self.assertLessEqual(len(lines), 40, text)
                self.assertLessEqual(max(map(len, lines)), width, text)
                for words in ("Outcome: exit status 0; chunks: 4 in the result, 0 failed", "Memory (peak", "background.bin"):
                    self.assertIn(words, " ".join(text.split()))
        self.assertNotIn("\033", self.run_table("color=auto", command=command, TERM="dumb"))
        some = self.run_table("sections=per_command+missing", command=command)
        self.assertIn("Per command", some)
        self.assertNotIn("Key numbers", some)
        self.assertRegex(" ".join(self.run_table("sections=nosuch").split()), "no section or table “nosuch”. The sections are: .*core_time, ")


if __name__ == "__main__":
    unittest.main(verbosity=2)
