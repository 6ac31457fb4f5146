#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-schema: its outputs, and its messages about those that it cannot read."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PROGRAM = os.path.join(SOURCE, "tools", "schema", "roast-schema")
CORE = os.path.join(SOURCE, "core", "roast.roast-schema")
FIXTURE = os.path.join(SOURCE, "tests", "data", "schema", "fixture.roast-schema")

CHART = ("[chart c]\nTitle=T\nDescription=d\nTable=t\nKind=line\nX=x\nY=x-b\nWhere=d=yes\n"
         "Guides=1 one; column e limit\n")
LOG = "[table t]\nKind=log\nDescription=d\n[columns t]\nsource=category: name of the source\n"


def run(*arguments):
    return subprocess.run([sys.executable, PROGRAM, *arguments], capture_output=True, text=True, timeout=240)


def make(kind, *arguments):
    result = run(kind, *arguments)
    assert result.returncode == 0 and result.stderr == "", result.stderr
    return result.stdout


class TestOutput(unittest.TestCase):
    def test_c(self):
        text = make("c-header", CORE)
        self.assertIn('#define ROAST_TABLE_WORKER_SAMPLES "worker_samples"', text)
        self.assertIn("  ROAST_WORKER_SAMPLES_TIME,\n", text)
        self.assertIn(" * ROAST_WORKER_SAMPLES_CPU: CPU time so far [s]\n", text)
        self.assertIn("  ROAST_CONTEXT_SHUFFLE_TASKS,\n", text)
        self.assertIn('  "shuffle-tasks",\n', text)

    def test_c_with_base(self):
        text = make("c-header", "--base", CORE, FIXTURE)
        self.assertNotIn("ROAST_TABLE_SOURCES", text)
        self.assertNotIn("ROAST_STATUS", text)
        self.assertIn('#define ROAST_TABLE_FIXTURE_ROWS "fixture_rows"', text)
        self.assertIn("roast_fixture_rows_read (RoastReport *report)", text)
        self.assertIn("roast_fixture_rows_write (RoastReport *report)", text)
        self.assertNotIn("roast_workers_read", text)
        self.assertIn("roast_workers_columns_with_fixture[]", text)
        self.assertIn("ROAST_WORKERS_N_COLUMNS_WITH_FIXTURE", text)
        self.assertIn("ROAST_FIXTURE_MOOD_NOT_SO_FINE", text)

    def test_python(self):
        made = {}
        exec(make("python", CORE), made)
        self.assertEqual(made["tables"].workers, "workers")
        self.assertEqual(made["tables"].workers.MEMORY_LIMIT, "memory_limit")
        self.assertEqual(list(made["tables"].workers.columns)[:2], ["source", "worker"])
        self.assertEqual(made["words"].status.KILLED_WORKER, "killed_worker")
        self.assertEqual(made["words"].status["done"], "it returned its result")

    def test_python_with_base(self):
        made = {}
        exec(make("python", "--base", CORE, FIXTURE), made)
        self.assertEqual(made["tables"].workers.GPUS, "gpus")
        self.assertEqual(made["tables"].workers.HOST, "host")
        self.assertEqual(made["tables"].fixture_rows.FOR, "for")
        self.assertFalse(hasattr(made["tables"], "tasks"))

    def test_markdown(self):
        text = make("markdown", CORE, FIXTURE)
        self.assertIn("### Table workers\n", text)
        self.assertIn("| `gpus` | int64 |  | graphics cards (added by the plugin fixture) |", text)
        self.assertIn("Declared by the plugin fixture.", text)
        self.assertIn("| `not-so-fine` | less well |", text)
        self.assertIn("[`fixture_mood`](#vocabulary-fixture_mood)", text)

    def test_json(self):
        tables = json.loads(make("json", CORE, FIXTURE))
        columns = tables["workers"]["properties"]["data"]["properties"]
        self.assertEqual(columns["gpus"], {"description": "graphics cards", "items": {"type": ["integer", "null"]}})
        self.assertEqual(columns["mood"]["items"], {"enum": ["fine", "not-so-fine", None]})

    def test_file(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "out")
            self.assertEqual(make("c-header", CORE, "--output", path), "")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), make("c-header", CORE))


class TestErrors(unittest.TestCase):
    def errors(self, text, *arguments):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "x.roast-schema")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            result = run("c-header", *arguments, path)
            self.assertEqual((result.returncode, result.stdout), (1, ""), text)
            return result.stderr.replace(directory + "/", "")

    def test_each(self):
        for text, message in (
            ("a\n", "x.roast-schema:1: “a” is not KEY=VALUE"),
            ("a=b\n", "x.roast-schema:1: key “a” comes before the first group"),
            ("[table]\n", "x.roast-schema:1: [table] is not a group"),
            ("[what x]\n", "x.roast-schema:1: unknown group [what x]"),
            ("[table t]\n[table t]\n", "x.roast-schema:2: [table t] exists already"),
            ("[table t]\nKind=log\nKind=log\n", "x.roast-schema:3: Kind appears twice in this group"),
            ("[table t]\nKind=heap\n", "x.roast-schema:2: Kind cannot be “heap”: write one of log, entity"),
            ("[table t]\nColour=red\n", "x.roast-schema:2: unknown key Colour"),
            ("[table t]\nKind=log\n", "x.roast-schema:1: Description is missing"),
            ("[table T]\n", "x.roast-schema:1: table “T”: write a name of small letters"),
            ("[table t]\nKind=log\nDescription=d\n", "the table t has no columns: add a group [columns t]"),
            ("[table t]\nKind=entity\nDescription=d\n[columns t]\nsource=category: s\n", "the entity table t has no key"),
            ("[table t]\nKind=log\nKey=source\nDescription=d\n[columns t]\nsource=category: s\n", "the log table t has a key"),
            ("[table t]\nKind=entity\nKey=id\nDescription=d\n[columns t]\nsource=category: s\n",
             "Key names the column id, which the table t does not have"),
            ("[table t]\nKind=log\nDescription=d\n[columns t]\na=int64: x\n", "put source=category first"),
            ("[columns t]\na=int64: x\n", "x.roast-schema:1: no table t"),
            (LOG + "a=float: x\n", "x.roast-schema:6: column a has no type"),
            (LOG + "a=int64\n", "x.roast-schema:6: column a has no meaning"),
            (LOG + "a=category of v: x\n", "x.roast-schema:6: no vocabulary v: add a group [vocabulary v]"),
            (LOG + "a=string of v: x\n", "x.roast-schema:6: column a has words of a vocabulary: make its type category"),
            (LOG + "a=string: half\\q\n", "x.roast-schema:6: \\q is no escape"),
            ("[words v]\na=x\n", "x.roast-schema:1: no vocabulary v"),
            ("[vocabulary v]\nDescription=d\n[words v]\na=\n", "x.roast-schema:4: word a has no meaning"),
            ("[vocabulary v]\nDescription=d\n[words v]\na b=x\n", "x.roast-schema:4: word “a b”"),
            ("[vocabulary v]\nDescription=d\n[words v]\na-b=x\na_b=x\n", "x.roast-schema:5: the vocabulary v has a word like a_b"),
            ("[vocabulary v]\nDescription=d\nClosed=true\n", "the vocabulary v has no words"),
            ("[metric m]\nLabel=M\n", "x.roast-schema:1: Description is missing"),
            ("[metric m]\nDescription=d\nRank=high\n", "Rank cannot be “high”"),
            ("[chart c]\nTitle=T\nTable=t\nKind=line\nX=x\n", "x.roast-schema:1: Description is missing"),
            ("[chart c]\nKind=pie\n", "x.roast-schema:2: Kind cannot be “pie”: write one of line, step"),
            ("[chart c]\nColour=red\n", "x.roast-schema:2: unknown key Colour"),
            ("[chart C]\n", "x.roast-schema:1: chart “C”: write a name of small letters"),
            (CHART, "x.roast-schema:1: the chart c names the unknown table t"),
            (LOG + "a=int64: x\n" + CHART, "the chart c: X names the column x, which the table t does not have"),
            (LOG + "x=int64: x\n" + CHART, "the chart c: Y names the column b, which the table t does not have"),
            (LOG + "x=int64: x\n" + CHART, "the chart c: Where names the column d, which"),
            (LOG + "x=int64: x\n" + CHART, "the chart c: Guides names the column e, which"),
            ("[labels dask]\nnothing=N\n", "x.roast-schema:2: no table, column, word or metric nothing"),
        ):
            with self.subTest(text):
                self.assertIn(message, self.errors(text))

    def test_all_at_once(self):
        self.assertEqual(self.errors(LOG + "a=float: x\nb=int64\n").count("x.roast-schema:"), 2)

    def test_against_the_core(self):
        for text, message in (
            ("[table workers]\nKind=log\nDescription=d\n[columns workers]\nx=int64: x\n", "the table workers exists already"),
            ("[columns workers]\nhost=category: x\n", "the table workers has a column host already"),
            ("[words status]\nbored=x\n", "the vocabulary status belongs to another schema"),
            ("[vocabulary status]\nDescription=d\n", "the vocabulary status exists already"),
        ):
            with self.subTest(text):
                self.assertIn(message, self.errors(text, "--base", CORE))

    def test_no_file(self):
        result = run("c-header", "/nowhere/x.roast-schema")
        self.assertEqual((result.returncode, result.stderr), (1, "/nowhere/x.roast-schema: cannot read the schema: No such file or directory\n"))


if __name__ == "__main__":
    unittest.main()
