# SPDX-License-Identifier: BSD-3-Clause
"""Readers of tables, like those of the override."""

from roast import _shared
from roast._errors import UnknownNameError
from roast._raw import Damaged


def read_numbers(raw, column):
    """Returns a whole column as a list, which is faster than reading cells."""
    format = {"int64": "q", "double": "d", "boolean": "?", "category": "i"}[column["type"]]
    return raw.bytes_of(column).cast(format).tolist()


def _mark(raw, column, cells):
    missing = raw.bytes_of(column, "missing")
    if missing is not None:
        for row, is_missing in enumerate(missing):
            if is_missing:
                cells[row] = None
    return cells


def read_strings(raw, column):
    data = raw.bytes_of(column)
    offsets = raw.bytes_of(column, "offsets").cast("q").tolist()
    text = bytes(data)
    cells = [text[start : end - 1].decode(errors="replace") for start, end in zip(offsets, offsets[1:])]
    return _mark(raw, column, cells)


def read_cells(raw, column):
    """Returns the cells of a column. Missing cells are None."""
    kind = column["type"]
    if kind == "string":
        return read_strings(raw, column)
    cells = read_numbers(raw, column)
    if kind == "category":
        words = [*column["dictionary"], None]
        if cells and not -1 <= min(cells) <= max(cells) < len(words) - 1:
            raise Damaged("a category of these tables has an unknown code; export them again")
        return [words[code] for code in cells]
    return _mark(raw, column, cells)


class Column(_shared.Column):
    def __init__(self, description):
        self.name = description["name"]
        self.kind = description["type"]  # int64, double, boolean, string or category
        self.unit = description.get("unit")
        self.description = description.get("description")

    def _describe(self):
        return self.description


class TableReader(_shared.TableReader):
    """A table. reader["cpu"] is a numpy array, to_pandas() returns a frame, and iteration yields rows."""

    def __init__(self, raw, table):
        self._raw = raw
        self._table = table
        self.columns = {column["name"]: Column(column) for column in table["columns"]}
        self._columns = {column["name"]: column for column in table["columns"]}

    @property
    def name(self):
        return self._table["name"]

    def __len__(self):
        return self._table["rows"]

    def __getitem__(self, name):
        """Returns a column as a numpy array. Missing doubles are NaN, missing texts None; missing integers and booleans are masked."""
        from roast import _arrays

        return _arrays.to_numpy(self._raw, self._find(name))

    def _find(self, name):
        if name not in self._columns:
            raise UnknownNameError(f"table {self.name} has no column {name!r}; it has {', '.join(self._columns)}")
        return self._columns[name]

    def __contains__(self, name):
        return name in self._columns

    def __iter__(self):
        """Yields each row as a dictionary. Missing cells are None."""
        cells = [read_cells(self._raw, column) for column in self._columns.values()]
        for row in zip(*cells):
            yield dict(zip(self._columns, row))

    def narrow(self, columns):
        """Returns a reader of some columns of the same rows."""
        return TableReader(self._raw, {**self._table, "columns": [self._find(name) for name in columns]})

    def to_pandas(self):
        """Returns the whole table as a pandas frame."""
        from roast import _arrays

        return _arrays.to_pandas(self._raw, self._columns.values())
