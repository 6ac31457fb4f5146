# SPDX-License-Identifier: BSD-3-Clause
"""Writes rows into a table: sets cells of each type, and takes data with one array per column.

A GVariant costs several times as much as the rest of a cell, so each usual type has its own C function.
C checks whether the column can hold the value.
"""

import collections.abc
import datetime
import sys

from gi.repository import GLib

from ..module import get_introspection_module
from ._roast_errors import Error, InvalidValueError, UnknownNameError

Roast = get_introspection_module("Roast")


class CellTypeError(InvalidValueError, TypeError):
    """The value has a type that no cell can hold."""


class CellRangeError(InvalidValueError, OverflowError):
    """The integer does not fit into 64 bits."""


_end = Roast.TableWriter.end
_close = Roast.TableWriter.close
_clear = Roast.TableWriter.clear


def to_variant(value):
    """Converts a value of an option or a cell to a GVariant."""
    if isinstance(value, GLib.Variant):
        return value
    if hasattr(value, "item") and not isinstance(value, (bool, int, float, str)):
        value = value.item()  # a scalar of numpy
    if isinstance(value, bool):
        return GLib.Variant("b", value)
    if isinstance(value, int):
        return GLib.Variant("x", value)
    if isinstance(value, float):
        return GLib.Variant("d", value)
    if isinstance(value, str):
        return GLib.Variant("s", value)
    raise TypeError(f"{value!r} is not a number, boolean or string")


_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_MISSING = ("NAType", "NaTType")  # of pandas
_MICROSECONDS = "datetime64[us]"


def _to_microseconds(value):
    """Converts a datetime, also of pandas or numpy, to a time of roast. Returns other values unchanged."""
    if getattr(getattr(value, "dtype", None), "kind", None) == "M":
        return None if value != value else int(value.astype(_MICROSECONDS).astype("i8"))
    if getattr(getattr(value, "dtype", None), "kind", None) == "m":
        raise TypeError("a time difference; divide it by a numpy.timedelta64 in the column's unit")
    if not isinstance(value, datetime.datetime):
        return value
    if value.tzinfo is None:
        raise TypeError(f"{value} has no time zone: use an aware datetime, such as datetime.now(timezone.utc)")
    return (value - _EPOCH) // datetime.timedelta(microseconds=1)


def _set_other(writer, slot, value):
    if type(value).__name__ in _MISSING:
        return
    value = _to_microseconds(value)
    if value is not None:
        writer.set_variant(slot, to_variant(value))


def _refuse_cell(error, where, after=""):
    """Converts an exception raised by a cell to a user error."""
    kind = CellTypeError if isinstance(error, TypeError) else CellRangeError if isinstance(error, OverflowError) else InvalidValueError
    return kind(f"{where}: {error}{after}")


class _Setters(dict):
    """Setters by the type of the value."""

    def __missing__(self, kind):
        return _set_other


_SETTERS = _Setters({
    int: Roast.TableWriter.set_int64,
    float: Roast.TableWriter.set_double,
    bool: Roast.TableWriter.set_boolean,
    str: Roast.TableWriter.set_string,
    type(None): lambda writer, slot, value: None,
})


_TABLE_ERROR = "roast-table-error-quark"


class Slots(dict):
    """Slots by column name. Holds no reference to the reader or writer, so that these are freed when the user drops them."""

    def __init__(self, table, names):
        super().__init__((name, slot) for slot, name in enumerate(names))
        self._table = table

    def __missing__(self, name):
        raise UnknownNameError(f"table {self._table} has no column {name!r}; it has {', '.join(self)}", _TABLE_ERROR,
                               Roast.TableError.COLUMN)


def write(writer, slots, row, cells, close):
    """Writes one row. row: a mapping or None; cells takes precedence."""
    try:
        if row is not None:
            cells = {**row, **cells}
        for name, value in cells.items():
            slot = slots[name]
            try:
                _SETTERS[type(value)](writer, slot, value)
            except (TypeError, ValueError, OverflowError) as error:
                raise _refuse_cell(error, f"column {name}") from None
    except BaseException:
        _clear(writer)
        raise
    try:
        (_close if close else _end)(writer)
    except GLib.Error as error:
        raise Error.of(error) from None


# Data with one array per column.


def _of_numpy(name, array):
    """Converts a numpy array to a list, with None for masked cells."""
    if array.ndim != 1:
        raise InvalidValueError(f"{name}: an array of {array.ndim} dimensions; give one value per row")
    kind = array.dtype.kind
    if kind == "M":  # tolist() has nanoseconds as plain integers
        microseconds = array.astype(_MICROSECONDS).astype("i8").tolist()
        return [None if missing else value for value, missing in zip(microseconds, (array != array).tolist())]
    if kind == "m":
        raise InvalidValueError(f"{name}: an array of time differences; divide it by a numpy.timedelta64 in the column's unit")
    return array.tolist()


def _of_series(name, series):
    """Converts a column of a frame to a list, with None where pandas has no value."""
    if not hasattr(series, "hasnans"):  # an array of pandas
        series = sys.modules["pandas"].Series(series)
    if series.dtype.kind in "biu" and isinstance(series.dtype.kind, str) and not series.hasnans:
        return series.tolist()
    if series.dtype.kind in "Mm":
        zone = getattr(series.dtype, "tz", None)
        return _of_numpy(name, (series if zone is None else series.dt.tz_convert(None)).to_numpy())
    return [None if missing else value for value, missing in zip(series.tolist(), series.isna().tolist())]


def _whole(values):
    """Converts doubles back to integers: integers become doubles if some are missing."""
    made = []
    for value in values:
        if type(value) is float:
            if value != value:
                value = None
            elif value.is_integer():
                value = int(value)
        made.append(value)
    return made


def _is_scalar(values):
    return values is None or isinstance(values, (bool, int, float, str)) or getattr(values, "ndim", None) == 0


_NO_COLUMNS = (
    (collections.abc.Mapping, 'a dictionary is not an array of values; for a DataFrame, pass to_dict("list") or the frame itself'),
    ((set, frozenset), "a set has no order; give a list"),
    ((bytes, bytearray), "bytes are neither text nor an array of numbers; decode() gives text"),
)


def _to_list(name, values, is_int64):
    for kind, hint in _NO_COLUMNS:
        if isinstance(values, kind):
            raise InvalidValueError(f"column {name}: {hint}")
    if hasattr(values, "isna") and hasattr(values, "dtype"):
        values = _of_series(name, values)
    elif hasattr(values, "dtype") and hasattr(values, "ndim"):
        values = _of_numpy(name, values)
    elif hasattr(values, "tolist"):
        values = values.tolist()  # array.array, memoryview
    else:
        values = list(values)
    return _whole(values) if is_int64 and float in set(map(type, values)) else values


def _columns(data):
    """Returns pairs of a name and an array."""
    if hasattr(data, "columns") and hasattr(data, "__getitem__"):
        return [(name, data[name]) for name in data.columns]
    if hasattr(data, "items"):
        return list(data.items())
    raise TypeError("give a dictionary with one array per column, or a DataFrame; add() writes a single row")


def _prepare(data, slots, is_int64):
    """Returns slots and lists of the same length. Checks them before any row is written."""
    used, lists, length, first = [], [], None, None
    columns = _columns(data)
    for name, values in columns:
        used.append(slots[name])
        if _is_scalar(values):
            lists.append(values)
            continue
        values = _to_list(name, values, is_int64(slots[name]))
        if length is None:
            length, first = len(values), name
        if len(values) != length:
            raise InvalidValueError(f"column {name} has {len(values)} values, but column {first} has {length}: give all columns as many")
        lists.append(values)
    if length is None and columns:
        raise InvalidValueError("no column is an array; add() writes a single row")
    return used, [[values] * length if _is_scalar(values) else values for values in lists]


def write_all(writer, slots, data, is_int64, close):
    """Writes a row for each index of the arrays. Returns the number of rows."""
    used, lists = _prepare(data, slots, is_int64)
    slot = None
    setters, none, end = _SETTERS, type(None), _close if close else _end
    n_rows = 0
    try:
        for cells in zip(*lists):
            for slot, value in zip(used, cells):
                if type(value) is not none:
                    setters[type(value)](writer, slot, value)
            end(writer)
            n_rows += 1
    except GLib.Error as error:
        failure = Error.of(error)
        failure.message = f"row {n_rows}: {failure.message}; the {n_rows} rows before it were written"
        raise failure from None
    except (TypeError, ValueError, OverflowError) as error:
        _clear(writer)
        name = next((name for name, number in slots.items() if number == slot), None)
        raise _refuse_cell(error, f"row {n_rows}, column {name}", f"; the {n_rows} rows before it were written") from None
    except BaseException:
        _clear(writer)
        raise
    return n_rows
