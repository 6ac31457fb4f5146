# SPDX-License-Identifier: BSD-3-Clause
"""A table of a run, as the override's reader."""

import html
import itertools

from roast._errors import UnknownNameError
from roast._raw import Damaged


def read_numbers(raw, column):
    """A list: whole columns at once are faster than cells."""
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
    """A missing cell is None."""
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


class Column:
    def __init__(self, description):
        self.name = description["name"]
        self.kind = description["type"]  # int64, double, boolean, string or category
        self.unit = description.get("unit")
        self.description = description.get("description")

    def __repr__(self):
        unit = f" in {self.unit}" if self.unit else ""
        return f"<roast.Column {self.name}: {self.kind}{unit}>"


class TableReader:
    """A table: reader["cpu"] is a numpy array, to_pandas() a frame, iteration gives rows."""

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

    def __bool__(self):
        return True

    def __getitem__(self, name):
        """A column as a numpy array: missing doubles are NaN, texts None; integers and booleans are masked."""
        if name not in self._columns:
            raise UnknownNameError(f"table {self.name} has no column {name!r}; it has {', '.join(self._columns)}")
        from roast import _arrays

        return _arrays.to_numpy(self._raw, self._columns[name])

    def __contains__(self, name):
        return name in self._columns

    def __iter__(self):
        """Each row as a dictionary; a missing cell is None."""
        cells = [read_cells(self._raw, column) for column in self._columns.values()]
        for row in zip(*cells):
            yield dict(zip(self._columns, row))

    def narrow(self, columns):
        """A reader of some columns of the same rows."""
        for name in columns:
            if name not in self._columns:
                raise UnknownNameError(f"table {self.name} has no column {name!r}; it has {', '.join(self._columns)}")
        return TableReader(self._raw, {**self._table, "columns": [self._columns[name] for name in columns]})

    def to_pandas(self):
        """The whole table as a pandas frame."""
        from roast import _arrays

        return _arrays.to_pandas(self._raw, self._columns.values())

    def __repr__(self):
        return f"<roast.TableReader {self.name}: {len(self)} rows of {', '.join(self.columns) or 'nothing'}>"

    def _repr_html_(self, rows=20):
        head = "".join(
            f"<th title='{html.escape(column.description or '', True)}'>{html.escape(_title(column))}</th>" for column in self.columns.values()
        )
        body = ""
        for row in itertools.islice(self, rows):
            body += "<tr>" + "".join(f"<td>{html_cell(cell)}</td>" for cell in row.values()) + "</tr>"
        first = f", the first {rows}" if len(self) > rows else ""
        caption = f"<caption>{html.escape(self.name)}: {len(self)} rows{first}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _title(column):
    return f"{column.name} [{column.unit}]" if column.unit else column.name


def html_cell(value):
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else html.escape(str(value))
