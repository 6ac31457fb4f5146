#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Rows that Python writes: one by one, and from arrays and frames."""

import array
import datetime
import decimal
import unittest

import gi
import numpy
import pandas

gi.require_version("Roast", "1")
from gi.repository import GLib, Roast  # noqa: E402

SCHEMA = """
[table t]
Description=a test
[columns t]
time=int64: when
x=double s: real
b=boolean: boolean
s=string: text
c=category: category

[table things]
Kind=entity
Key=id
Description=things
[columns things]
id=string: identity
cores=double: cores
n=int64: number
"""


class TestRows(unittest.TestCase):
    def setUp(self):
        schema = Roast.Schema.new()
        schema.load_text(SCHEMA)
        self.recording = Roast.Recording.new(schema)
        self.writer = self.recording.write_table("t")

    def rows(self, table="t"):
        return list(self.recording[table])

    def cells(self, column, table="t"):
        return [row[column] for row in self.rows(table)]

    def test_add(self):
        self.writer.add(time=1, x=2, b=True, s="text", c="a")
        self.writer.add({"time": numpy.int32(2), "x": numpy.float32(0.5)}, b=numpy.bool_(False), s=None)
        self.writer.add(x=float("nan"), c=GLib.Variant("s", "v"))
        self.assertEqual(self.rows(), [{"time": 1, "x": 2.0, "b": True, "s": "text", "c": "a"},
                                       {"time": 2, "x": 0.5, "b": False, "s": None, "c": None},
                                       {"time": None, "x": None, "b": None, "s": None, "c": "v"}])

    def test_add_refuses(self):
        for cells, words in (({"time": 1.5}, "cannot hold a double"), ({"time": True}, "cannot hold a boolean"),
                             ({"x": "1"}, "cannot hold a string"), ({"s": 1}, "cannot hold an integer"),
                             ({"b": 1}, "cannot hold an integer"), ({"nothing": 1}, "has no column 'nothing'; it has time, x")):
            with self.assertRaises(Roast.UserError) as caught:
                self.writer.add(c="left over", **cells)
            self.assertIn(words, str(caught.exception))
        for wrong in ([1], object()):
            with self.assertRaisesRegex(TypeError, "is not a number, boolean or string"):
                self.writer.add(c="left over", x=wrong)
        with self.assertRaises(OverflowError):
            self.writer.add(time=2**63)
        self.writer.add(time=1)
        self.assertEqual(self.cells("c"), [None])  # no cell of a refused row is in the next one

    def test_bound_to_columns(self):
        writer = self.recording.write_table("t", columns=["x", "time"])
        writer.add(time=3, x=1.5)
        writer.add_rows({"x": [2.5], "time": [4.0]})
        self.assertEqual((self.cells("time"), self.cells("x")), ([3, 4], [1.5, 2.5]))
        with self.assertRaises(KeyError):
            writer.add(s="not bound")

    def test_arrays(self):
        n = self.writer.add_rows({"time": numpy.arange(3), "x": array.array("d", [0.5, float("nan"), 2]), "b": [True, None, False],
                                  "s": numpy.array(["a", "b", "c"]), "c": "all"})
        self.assertEqual(n, 3)
        self.assertEqual(self.cells("time"), [0, 1, 2])
        self.assertEqual(self.cells("x"), [0.5, None, 2.0])
        self.assertEqual(self.cells("b"), [True, None, False])
        self.assertEqual(self.cells("s"), ["a", "b", "c"])
        self.assertEqual(self.cells("c"), ["all"] * 3)

    def test_arrays_that_miss_cells(self):
        self.writer.add_rows({"time": numpy.ma.MaskedArray([1, 2], [False, True]), "x": numpy.array([1, 2], dtype="f4"),
                              "c": (text for text in ("a", None))})
        self.assertEqual((self.cells("time"), self.cells("x"), self.cells("c")), ([1, None], [1.0, 2.0], ["a", None]))

    def test_dates(self):
        dates = numpy.array(["2024-01-01T00:00:00.000001500", "NaT"], dtype="M8[ns]")
        self.writer.add_rows({"time": dates})
        self.writer.add_rows({"time": pandas.Series(pandas.to_datetime(["2024-01-01T01:00+01:00", None]))})
        self.assertEqual(self.cells("time"), [1704067200000001, None, 1704067200000000, None])
        with self.assertRaisesRegex(Roast.UserError, "time differences"):
            self.writer.add_rows({"x": dates - dates})

    def test_frame(self):
        frame = pandas.DataFrame({"time": [1, 2, None], "x": [0.5, None, 2], "b": pandas.array([True, None, False], dtype="boolean"),
                                  "s": ["a", None, float("nan")], "c": pandas.Categorical(["p", None, "q"])}, index=[7, 8, 9])
        self.assertEqual(str(frame["time"].dtype), "float64")  # as pandas makes integers of which some are missing
        self.assertEqual(self.writer.add_rows(frame), 3)
        self.assertEqual(self.rows(), [{"time": 1, "x": 0.5, "b": True, "s": "a", "c": "p"},
                                       {"time": 2, "x": None, "b": None, "s": None, "c": None},
                                       {"time": None, "x": 2.0, "b": False, "s": None, "c": "q"}])

    def test_there_and_back(self):
        """What to_pandas() gives can be written."""
        self.writer.add_rows({"time": [1, None, 3], "x": [1.5, 2.5, None], "b": [None, True, False], "s": ["ä", "", None],
                              "c": ["a", "b", None]})
        before = self.rows()
        self.writer.add_rows(self.recording["t"].to_pandas())
        self.assertEqual(self.rows(), before * 2)

    def test_entities(self):
        things = self.recording.write_table("things")
        things.add_rows({"id": ["a", "b"], "cores": [4, 8]})
        things.add_rows(pandas.DataFrame({"id": ["b", "c", "a"], "n": [2, 3, 1]}), close=True)
        self.assertEqual(sorted(tuple(row.values()) for row in self.rows("things")), [("a", 4.0, 1), ("b", 8.0, 2), ("c", None, 3)])
        self.assertEqual(things.add_rows({"id": ["d"]}), 1)
        with self.assertRaisesRegex(Roast.Error, "row 1: .*1 rows before it were written"):
            things.add_rows({"id": ["d", None, "e"]})
        with self.assertRaises(Roast.Error) as caught:
            things.add_rows({"id": ["f", "f"], "n": [1, 2]})
        self.assertTrue(caught.exception.matches(Roast.table_error_quark(), Roast.TableError.CONFLICT))

    def test_nothing_is_half_written(self):
        for data, words in (({"time": [1], "nothing": [2]}, "has no column 'nothing'"),
                            ({"time": [1, 2], "x": [1.0]}, "column x has 1 values, but column time has 2"),
                            ({"x": 1.0}, "no column is an array"), ({"x": numpy.zeros((2, 2))}, "2 dimensions")):
            with self.assertRaises(Roast.UserError) as caught:
                self.writer.add_rows(data)
            self.assertIn(words, str(caught.exception))
        for data in ([{"time": 1}], 5):
            with self.assertRaisesRegex(TypeError, "dictionary with one array"):
                self.writer.add_rows(data)
        self.assertEqual(len(self.rows()), 0)
        self.assertEqual(self.writer.add_rows({"time": []}), 0)
        self.assertEqual(self.writer.add_rows({}), 0)

    def test_what_is_no_array(self):
        """What would be written in no order, or as numbers of an index, is refused before a row is written."""
        frame = pandas.DataFrame({"time": [111, 222], "x": [7.5, 8.5]}, index=[10, 20])
        for data, words in ((frame.to_dict(), r'column time: .*to_dict\("list"\)'), ({"time": {1, 2}}, "column time: a set has no order"),
                            ({"time": [1, 2], "s": b"12"}, "column s: bytes"), ({"time": [1], "s": {"a": 1}}, "column s: a dictionary")):
            with self.assertRaisesRegex(Roast.UserError, words):
                self.writer.add_rows(data)
        self.assertEqual(len(self.rows()), 0)
        self.assertEqual(self.writer.add_rows(frame.to_dict("list")), 2)
        self.assertEqual((self.cells("time"), self.cells("x")), ([111, 222], [7.5, 8.5]))

    def test_cells_that_are_refused(self):
        """A cell of any type is written as what it is, or is the user's mistake: the message has its row and column."""
        for value in (2**63, decimal.Decimal(1), datetime.datetime(2026, 1, 1), pandas.Timestamp(0), [1], object()):
            with self.assertRaisesRegex(Roast.UserError, "^column time: "):
                self.writer.add(time=value)
            with self.assertRaisesRegex(Roast.UserError, "^row 1, column time: .*the 1 rows before it were written"):
                self.writer.add_rows({"time": [5, value]})
        with self.assertRaisesRegex(Roast.UserError, "^row 0, column time: "):
            self.writer.add_rows({"time": numpy.array([2**63 + 5], dtype="u8")})
        self.assertEqual(set(self.cells("time")), {5})

    def test_times_and_missing(self):
        aware = datetime.datetime(2024, 1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
        self.writer.add(time=aware)
        self.writer.add(time=numpy.datetime64("2024-01-01T00:00:00", "ns"))
        self.writer.add(time=pandas.NaT, x=pandas.NA, c="missing")
        self.writer.add_rows({"time": [aware, pandas.Timestamp(aware), pandas.NaT], "x": [pandas.NA, 1.5, None]})
        self.writer.add_rows({"time": pandas.arrays.SparseArray([1, 0])})
        first = 1704067200000000
        self.assertEqual(self.cells("time"), [first, first, None, first, first, None, 1, 0])
        self.assertEqual(self.cells("x"), [None, None, None, None, 1.5, None, None, None])

    def test_fractions_are_no_integers(self):
        with self.assertRaisesRegex(Roast.UserError, "row 1: .*cannot hold a double"):
            self.writer.add_rows({"time": numpy.array([1.0, 1.5])})
        self.writer.add(c="next")
        self.assertEqual((self.cells("time"), self.cells("c")), ([1, None], [None, "next"]))


if __name__ == "__main__":
    unittest.main(verbosity=2)
