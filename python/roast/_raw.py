# SPDX-License-Identifier: BSD-3-Clause
"""Reads tables of a run as arrays, as “roast-report export --raw” writes them (docs/raw.md). The file is not trusted: truncated or
inconsistent files raise an error."""

import json
import mmap
import os
import struct
import sys
import tempfile

from roast import _programs
from roast._errors import Error

MAGIC, END = b"roastraw", b"rawroast"
VERSION = 1
HEAD = struct.Struct("<8sQ")
TAIL = struct.Struct("<QQ8s")
SIZES = {"int64": 8, "double": 8, "boolean": 1, "category": 4, "string": None}


class Damaged(Error):
    """The bytes are not valid tables."""

    __module__ = "roast"


def _check(condition, what):
    if not condition:
        raise Damaged(f"invalid tables of “roast-report export --raw”: {what}; export them again")


def _place(column, name, size, item):
    """Returns the checked position of an array: start and length in bytes."""
    place = column.get(name)
    _check(isinstance(place, list) and len(place) == 2 and all(type(n) is int for n in place), f"{name} has no position")
    start, length = place
    _check(HEAD.size <= start and 0 <= length <= size - start and start % 8 == 0, f"{name} is outside the file")
    _check(length % item == 0, f"{name} ends within a cell")
    return start, length


def _check_column(column, n_rows, size):
    _check(isinstance(column, dict) and isinstance(column.get("name"), str), "a column has no name")
    kind = column.get("type")
    _check(isinstance(kind, str) and kind in SIZES, "a column has no type")
    for name in ("unit", "description"):
        _check(isinstance(column.get(name), (str, type(None))), f"the {name} of a column is not a text")
    if "data" not in column:
        return
    _, length = _place(column, "data", size, SIZES[kind] or 1)
    _check(kind == "string" or length == n_rows * SIZES[kind], "the number of cells of a column is not the number of rows")
    if "missing" in column:
        _check(_place(column, "missing", size, 1)[1] == n_rows, "the number of missing marks of a column is not the number of rows")
    if kind == "string":
        _check(_place(column, "offsets", size, 8)[1] == (n_rows + 1) * 8, "the number of texts of a column is not the number of rows")
    if kind == "category":
        words = column.get("dictionary")
        _check(isinstance(words, list) and all(isinstance(word, str) for word in words), "a category has no words")


def _check_table(table, size):
    _check(isinstance(table, dict) and isinstance(table.get("name"), str), "a table has no name")
    _check(type(table.get("rows")) is int and table["rows"] >= 0, "a table has no number of rows")
    _check(isinstance(table.get("columns"), list) and isinstance(table.get("derived"), bool), "a table has no columns")
    for column in table["columns"]:
        _check_column(column, table["rows"], size)


class Raw:
    """Tables in a buffer of bytes. `tables` has the index entries by table name."""

    def __init__(self, buffer):
        self.buffer = memoryview(buffer)
        size = len(self.buffer)
        if sys.byteorder != "little":
            raise Error("tables of “roast-report export --raw” are little-endian, but this machine is not")
        _check(size >= HEAD.size + TAIL.size, "the end is missing")
        magic, version = HEAD.unpack_from(self.buffer, 0)
        start, length, end = TAIL.unpack_from(self.buffer, size - TAIL.size)
        _check(magic == MAGIC, "the start marker is wrong")
        _check(version == VERSION, f"their version is {version}, but only {VERSION} is supported")
        _check(end == END, "the end is missing")
        _check(HEAD.size <= start <= size - TAIL.size and length <= size - TAIL.size - start, "the index is outside the file")
        try:
            index = json.loads(bytes(self.buffer[start : start + length]))
        except (ValueError, RecursionError):
            index = None
        _check(isinstance(index, dict) and isinstance(index.get("tables"), list), "the index cannot be read")
        for table in index["tables"]:
            _check_table(table, size)
        self.tables = {table["name"]: table for table in index["tables"]}

    def bytes_of(self, column, name="data"):
        """Returns a part of a column without copying; None if the column has no missing cells. Every column of a requested table has
        data."""
        if name not in column:
            _check(name == "missing", f"a column has no {name}")
            return None
        start, length = column[name]
        return self.buffer[start : start + length]


def export(run, tables):
    """Exports tables of a run. tables: all, none, or names joined by +. The file is unnamed and disappears when its arrays are freed."""
    with tempfile.TemporaryFile() as file:
        _programs.report("export", f"--raw={tables}", "--", run, output=file)
        size = os.fstat(file.fileno()).st_size
        _check(size > 0, "they are empty")
        # Map the file as private and writable: numpy arrays can then be changed, as with the override, only in this process.
        return Raw(mmap.mmap(file.fileno(), size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE))
