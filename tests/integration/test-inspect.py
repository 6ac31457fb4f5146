#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-inspect as its user meets it, on plugins that work and plugins that are broken in each way there is."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock

FIXTURES = os.path.join(os.environ["G_TEST_BUILDDIR"], "fixtures", "plugins")
SHIPPED = os.environ["ROAST_PLUGIN_PATH"]


def inspect(*arguments, path="good"):
    environment = dict(os.environ, LC_ALL="C.UTF-8", ROAST_PLUGIN_SYSTEM_PATH="",
                       ROAST_PLUGIN_PATH=":".join(os.path.join(FIXTURES, name) for name in path.split(":")))
    return subprocess.run(["roast-inspect", *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=240)


def key_file(directory, name):
    return os.path.join(FIXTURES, directory, name + ".roast-plugin")


class Inspect(unittest.TestCase):
    def run_json(self, *arguments, status=0, **options):
        result = inspect("--json", *arguments, **options)
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout)


class Listing(Inspect):
    def test_text(self):
        result = inspect()
        self.assertEqual(result.returncode, 0)
        for word in ("good-exporter", "exporter:good", "An exporter that works"):
            self.assertIn(word, result.stdout)
        self.assertEqual(result.stderr, "")

    def test_json(self):
        listing = self.run_json()
        names = [plugin["name"] for plugin in listing["plugins"]]
        self.assertEqual(names, ["good-aggregator", "good-backend", "good-exporter"])
        self.assertEqual(listing["search-path"], [os.path.join(FIXTURES, "good")])

    def test_opens_nothing(self):
        # newer-api ends the process that opens it.
        result = inspect(path="good:broken")
        self.assertEqual(result.returncode, 0)
        self.assertIn("Broken plugins: 5.", result.stdout)

    def test_details(self):
        result = inspect("good-exporter")
        self.assertEqual(result.returncode, 0)
        for word in ("comma|tab", "default 0.5", "Whether there is a header", "good-exporter.roast-plugin",
                     "BSD-3-Clause", "libgood-exporter.so"):
            self.assertIn(word, result.stdout)

    def test_details_by_what_it_provides(self):
        for name in ("exporter:good", "good-exporter"):
            details = self.run_json(name)
            self.assertEqual(details["name"], "good-exporter")
        options = {option["name"]: option for option in details["provides"][0]["options"]}
        self.assertEqual(options["count"], {"name": "count", "type": "integer", "default": 10, "help": "How many rows"})
        self.assertEqual(options["separator"]["choices"], ["comma", "tab"])
        self.assertIsNone(options["title"]["default"])

    def test_unknown(self):
        result = inspect("good-exportr")
        self.assertEqual(result.returncode, 1)
        self.assertIn("Did you mean good-exporter?", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)

    def test_names(self):
        self.assertEqual(inspect("--names", "backend").stdout, "good\n")
        self.assertEqual(inspect("--names", "plugin").stdout, "good-aggregator\ngood-backend\ngood-exporter\n")
        self.assertEqual(inspect("--names", "cook").returncode, 2)


class Metrics(Inspect):
    def test_all(self):
        result = inspect("--metrics", path=SHIPPED)
        self.assertEqual(result.returncode, 0)
        self.assertIn("elapsed_time_seconds", result.stdout)
        metrics = self.run_json("--metrics", path=SHIPPED)
        for metric in metrics:
            for key in ("label", "group", "format", "description", "formula", "source"):
                self.assertTrue(metric[key], f"{metric['name']} has no {key}")

    def test_one(self):
        result = inspect("--metrics", "elapsed_time_seconds", path=SHIPPED)
        self.assertEqual(result.returncode, 0)
        self.assertIn("monotonic clock", result.stdout)

    def test_older_name(self):
        result = inspect("--metrics", "data_rate_gbps", path=SHIPPED)
        self.assertEqual(result.returncode, 0)
        self.assertIn("data_rate_gbps = 1e-09 x data_rate_bits_per_second", result.stdout)

    def test_metric_by_words(self):
        for words, name in (("Efficiency Ratio", "speedup_factor"), ("total Events", "events_total"),
                            ("Time per event", "time_per_event_seconds")):
            self.assertEqual(self.run_json("--metrics", words, path=SHIPPED)["name"], name)

    def test_unknown(self):
        result = inspect("--metrics", "elapsed_time_secs", path=SHIPPED)
        self.assertEqual(result.returncode, 1)
        self.assertIn("Did you mean elapsed_time_seconds?", result.stderr)

    def test_markdown(self):
        page = inspect("--metrics", "--markdown", path=SHIPPED).stdout
        names = [metric["name"] for metric in self.run_json("--metrics", path=SHIPPED)]
        self.assertEqual([line[5:-1] for line in page.splitlines() if line.startswith("### `")], names)


class Charts(Inspect):
    def test_all(self):
        result = inspect("--charts", path=SHIPPED)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"(?m)^Throughput\n  data_rate +area +over_time +Data rate over time$")
        charts = self.run_json("--charts", path=SHIPPED)
        tables = {table["name"]: [column["name"] for column in table["columns"]]
                  for table in self.run_json("--tables", path=SHIPPED)["tables"]}
        headings = {metric["group"] for metric in self.run_json("--metrics", path=SHIPPED)}
        for chart in charts:
            # A chart stands with metrics, and draws what the shipped schemas declare.
            self.assertIn(chart["heading"], headings, chart["name"])
            self.assertFalse(chart["description"].endswith("."), chart["name"])
            for key in ("x", "end", "y2", "group", "lane", "per"):
                for column in re.split("[-;]", chart.get(key, "")):
                    self.assertIn(column, [""] + tables[chart["table"]], chart["name"])

    def test_one(self):
        self.assertEqual(self.run_json("--charts", "worker_memory", path=SHIPPED)["per"], "memory_limit")
        result = inspect("--charts", "chunk_time_by_events", path=SHIPPED)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"(?m)^Y +ended-started$")
        self.assertRegex(result.stdout, r"(?m)^Where +role=\|analysis; error=$")
        self.assertRegex(result.stdout, r"(?m)^Declared by +the schema of roast$")

    def test_unknown(self):
        result = inspect("--charts", "task_streams", path=SHIPPED)
        self.assertEqual(result.returncode, 1)
        self.assertIn("Did you mean task_stream?", result.stderr)

    def test_markdown(self):
        page = inspect("--charts", "--markdown", path=SHIPPED).stdout
        names = [chart["name"] for chart in self.run_json("--charts", path=SHIPPED)]
        self.assertEqual(sorted(line[5:-1] for line in page.splitlines() if line.startswith("### `")), sorted(names))


class Tables(Inspect):
    def test_all(self):
        listed = self.run_json("--tables")
        tables = {table["name"]: table for table in listed["tables"]}
        self.assertEqual((tables["workers"]["kind"], tables["workers"]["origin"], tables["workers"]["from"]),
                         ("entity", "measured", "backend"))
        columns = {column["name"]: column for column in tables["workers"]["columns"]}
        self.assertEqual((columns["memory_limit"]["type"], columns["memory_limit"]["unit"], columns["memory_limit"]["key"]),
                         ("int64", "B", False))
        self.assertTrue(columns["worker"]["key"])
        status = next(column for column in tables["tasks"]["columns"] if column["name"] == "status")
        self.assertEqual(status["vocabulary"], "status")
        words = {vocabulary["name"]: vocabulary for vocabulary in listed["vocabularies"]}
        self.assertTrue(words["status"]["closed"])
        self.assertIn("killed_worker", words["status"]["words"])
        text = inspect("--tables").stdout
        for name in [*tables, *words]:
            self.assertRegex(text, rf"(?m)^{name} \(")

    def test_one(self):
        result = inspect("--tables", "spans")
        self.assertRegex(result.stdout, r"(?m)^  kind +category +of span_kind +who made it$")
        self.assertNotIn("tasks", result.stdout)
        self.assertIn("closed vocabulary", inspect("--tables", "severity").stdout)
        self.assertEqual([table["name"] for table in self.run_json("--tables", "spans")["tables"]], ["spans"])

    def test_of_plugins(self):
        self.assertIn("What the good backend makes up", inspect("--tables", "made_up").stdout)

    def test_not_found(self):
        result = inspect("--tables", "worker")
        self.assertEqual(result.returncode, 1)
        self.assertIn("Did you mean workers?", result.stderr)


class Broken(Inspect):
    # What is broken, and what its message must say.
    EXPECTED = {
        "missing-module": ("open", "Install the plugin again"),
        "text-module": ("open", "is not a shared library"),
        "undefined-symbol": ("open", "no_such_symbol_anywhere"),
        "older-function": ("open", "Install a version of the plugin for this roast"),
        "no-descriptor": ("no-descriptor", "ROAST_DEFINE_PLUGIN"),
        "newer-api": ("api-version", "Install a newer roast"),
        "newer-descriptor": ("api-version", "Install a newer roast"),
        "wrong-type": ("type", "does not implement the interface"),
        "no-type": ("type", "returns no type"),
        "unparsable": ("metadata", "cannot parse the key file"),
        "no-module": ("metadata", "Add Module="),
        "no-name": ("metadata", "Add Name="),
        "stale": ("metadata", "the key file is stale"),
        "other-loader": ("loader", "no loader 'perl'"),
        "name-clash": ("name-clash", "is already provided"),
        "type-clash": ("name-clash", "cannot register existing type 'RoastGoodBackend'"),
        "bad-schema": ("metadata", "the schema of this plugin cannot be used"),
        "schema-clash": ("metadata", "is declared already by "),
        "crash": ("crash", "signal 6"),
    }

    def test_none(self):
        result = inspect("--broken")
        self.assertEqual((result.returncode, result.stdout), (0, "No plugin is broken.\n"))
        self.assertEqual(self.run_json("--broken"), [])

    def test_each(self):
        found = self.run_json("--broken", path="good:broken:clashing:untidy", status=1)
        by_name = {os.path.basename(item["path"]).rpartition(".")[0]: item for item in found}
        self.assertEqual(sorted(by_name), sorted(self.EXPECTED))
        for name, (code, words) in self.EXPECTED.items():
            self.assertEqual(by_name[name]["code"], code)
            self.assertIn(words, by_name[name]["message"])

    def test_text(self):
        result = inspect("--broken", path="good:broken")
        self.assertEqual(result.returncode, 1)
        self.assertIn(key_file("broken", "stale") + "\n  the key file is stale", result.stdout)
        self.assertIn("Install the key file and module of one version", result.stdout)


class Check(Inspect):
    def test_good(self):
        for name in ("good-backend", "good-aggregator", "good-exporter"):
            result = inspect("--check", key_file("good", name))
            self.assertEqual(result.returncode, 0, result.stdout)
            self.assertIn("no problems found", result.stdout)

    def test_untidy(self):
        found = self.run_json("--check", key_file("untidy", "untidy"), status=1)
        for words in ("no licence", "no capability fly", "SomeBackend does not contain the name", "has the capability spans",
                      "no defaults are good enough", "is not freed when roast releases the object"):
            matching = [item for item in found if words in item["message"]]
            self.assertEqual(len(matching), 1, words)
            self.assertTrue(matching[0]["cure"])
        self.assertEqual(len(found), 6)

    # The findings for each, in any order, and no others.
    DISORDERLY = {
        "late-rows": ["writes rows after the stop: table “cluster_samples”: the row comes after the end of the recording "
                      "(plugin late-rows)"],
        "bad-rows": ["roast refuses a row of the backend: table “worker_samples” has no column “memory_pps” (plugin bad-rows); the columns are: "
                     "source, time,",
                     "roast refuses a row of the backend: column “pid” of table “workers” cannot hold a double (plugin bad-rows)",
                     "roast refuses a row of the backend: table “workers”: a row with the same key was closed before",
                     "impossible value: column “joined” of table “workers”: the time cannot be after “left”; roast leaves this value out",
                     "impossible value: column “memory_limit” of table “workers”: the value cannot be negative; roast leaves this value out",
                     "impossible value: column “submitted” of table “tasks”: the time cannot be after “started”; roast leaves this value out",
                     "table tasks: the CPU time is more than the cores could give (rows: 3)",
                     "table tasks: the row has an end, but no status (rows:",
                     "table tasks: tasks overlap on more cores than the worker has (rows: 1)",
                     "table worker_samples: the time is more than a second after the worker left (rows: 1)",
                     "table worker_samples: the count in the column cpu is lower than in an earlier row (rows: 1)",
                     "table tasks: the table workers does not have the worker (rows: 1)"],
        "bad-table": ["roast refuses a row of the aggregator: column “seconds” of table “per_nothing” cannot hold a boolean "
                      "(plugin bad-table)",
                      "a chart cannot be drawn: chart “nothing_by_worker”: Y names the column “nothing”, which the table "
                      "“worker_samples” does not have",
                      "a chart cannot be drawn: chart “nothing_at_all”: no schema declares the table “nowhere”",
                      "the metric bad_table_total of the plugin cannot be computed: formula, character 6: table “tasks” has no column “cpuu”"],
        "keeps": ["object of the backend is not freed", "recording of the backend is not freed", "leaves open files behind", "leaves threads behind"],
        "lies": ["has the capability attach, but cannot attach", "has the capability spans, but cannot open a span"],
        "never-stops": ["does not stop properly"],
        "never-starts": ["cannot be used with a program: start_tracking() of NeverStarts: the backend released the task"],
        "twice": ["completes a task twice", "lists the capability live, which the backend does not have"],
        "half": ["attach does not report that the address is unused: attach() of Half: the backend released the task",
                 "supports_fine_metrics of the backend returns TRUE, but get_span_metrics fails", "can open a span, but cannot close the span"],
        "fragile": ["crashes while the aggregator reads an empty recording: signal 6"],
        "several": ["output is not UTF-8, but the exporter lacks the flag for binary output", "cannot write to a file"],
        "commits": ["commits or discards the output", "leaves files open", "its error does not say why"],
        "silent": ["the export of the report of a program succeeds, but the output is empty",
                   "cannot write an empty report: there is nothing to write"],
        "impure": ["dup_provides returns the metric promised_total, which the aggregator does not add",
                   "adds the metric impure_total, which dup_provides does not return",
                   "no schema declares the metric impure_total", "gives different metrics in two calls",
                   "fails on an empty recording: there are no processes"],
        "careless": ["returns TRUE although the output is full", "the export of an empty report succeeds, but opens no output"],
    }

    def test_disorderly(self):
        # Their mistakes are criticals of GLib, too.
        with tempfile.TemporaryDirectory() as directory, unittest.mock.patch.dict(os.environ, TMPDIR=directory, G_DEBUG=""):
            self.check_disorderly()
            self.assertEqual(os.listdir(directory), [])

    def check_disorderly(self):
        for name, expected in self.DISORDERLY.items():
            with self.subTest(name):
                found = self.run_json("--check", key_file("disorderly", name), status=1)
                for words in expected:
                    matching = [item for item in found if words in item["message"]]
                    self.assertEqual(len(matching), 1, (words, found))
                self.assertEqual(len(found), len(expected), found)
                self.assertEqual([item for item in found if not item["cure"] and not item["code"]], [])

    def test_shipped(self):
        """The shipped plugins have no problems."""
        for directory in SHIPPED.split(":"):
            for name in os.listdir(directory):
                if name.endswith(".roast-plugin"):
                    result = inspect("--check", os.path.join(directory, name))
                    self.assertEqual(result.returncode, 0, result.stdout)

    def test_unknown_key_and_other_name(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "other.roast-plugin")
            with open(key_file("good", "good-backend")) as source, open(path, "w") as target:
                target.write(source.read() + "Licence=MIT\n")
            shutil.copy(os.path.join(FIXTURES, "good", "libgood-backend.so"), directory)
            found = self.run_json("--check", path, status=1)
        self.assertIn("unknown key Licence", found[0]["message"])
        self.assertIn("Write License", found[0]["cure"])
        self.assertIn("the key file is other.roast-plugin", found[1]["message"])
        self.assertEqual(len(found), 2)

    def test_undefined_symbol(self):
        found = self.run_json("--check", key_file("broken", "undefined-symbol"), status=1)
        matching = [item for item in found if "undefined symbol: no_such_symbol_anywhere" in item["message"]]
        self.assertEqual(len(matching), 1, found)

    def test_crash(self):
        result = inspect("--check", key_file("untidy", "crash"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("the plugin crashes while roast registers the type of backend:crash: signal 6", result.stdout)

    def test_type_clash(self):
        result = inspect("--check", key_file("clashing", "type-clash"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot register existing type", result.stdout)

    def test_no_file(self):
        result = inspect("--check", "/nonexistent.roast-plugin")
        self.assertEqual(result.returncode, 1)
        self.assertIn("No such file", result.stdout)

    def test_load(self):
        self.assertEqual(inspect("--load", "good-backend").returncode, 0)
        self.assertEqual(inspect("--load", key_file("good", "good-backend")).returncode, 0)
        self.assertEqual(inspect("--load", key_file("untidy", "crash")).returncode, 1)
        result = inspect("--load", "nothing")
        self.assertEqual(result.returncode, 1)
        self.assertIn("there is no plugin 'nothing'", result.stderr)


class CommandLine(Inspect):
    def test_help(self):
        result = inspect("--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("Examples:", result.stdout)

    def test_version(self):
        self.assertRegex(inspect("--version").stdout, r"^roast-inspect \d+\.\d+\.\d+\n$")

    def test_usage(self):
        for arguments in (["--unknown"], ["one", "two"], ["--broken", "--metrics"], ["--markdown"], ["--broken", "local"],
                          ["--tables", "--metrics"], ["--charts", "--metrics"], ["--charts", "task_stream", "--markdown"]):
            result = inspect(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn("roast-inspect --help", result.stderr)
            self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
