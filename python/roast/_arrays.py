# SPDX-License-Identifier: BSD-3-Clause
"""Columns of raw tables as numpy arrays, tables as pandas frames. Both are imported when they are asked for."""

import numpy

_DTYPES = {"int64": "<i8", "double": "<f8", "boolean": "?", "category": "<i4"}


def _missing(raw, column):
    """Which rows have no cell; None if each has one."""
    marks = raw.bytes_of(column, "missing")
    return None if marks is None else numpy.frombuffer(marks, dtype="?")


def _strings(raw, column):
    from roast._table import read_strings

    array = numpy.empty(len(raw.bytes_of(column, "offsets")) // 8 - 1, dtype=object)
    array[:] = read_strings(raw, column)
    return array


def _codes(raw, column):
    """A code beyond the words, as of a damaged file, is an IndexError of numpy."""
    return numpy.frombuffer(raw.bytes_of(column), dtype="<i4")


def to_numpy(raw, column):
    """Doubles are NaN where they are missing, texts None; integers and booleans are masked arrays if any is missing. Numbers are
    not copied."""
    kind = column["type"]
    if kind == "string":
        return _strings(raw, column)
    if kind == "category":
        # Code -1, which is missing, takes the last: None.
        return numpy.array([*column["dictionary"], None], dtype=object)[_codes(raw, column)]
    array = numpy.frombuffer(raw.bytes_of(column), dtype=_DTYPES[kind])
    missing = _missing(raw, column)
    return array if kind == "double" or missing is None else numpy.ma.MaskedArray(array, missing)


def _to_pandas(pandas, raw, column):
    if column["type"] == "category":
        return pandas.Categorical.from_codes(_codes(raw, column), column["dictionary"])
    array = to_numpy(raw, column)
    if not isinstance(array, numpy.ma.MaskedArray):
        return array
    masked = pandas.arrays.IntegerArray if column["type"] == "int64" else pandas.arrays.BooleanArray
    return masked(array.data, array.mask)


def to_pandas(raw, columns):
    """Categories are categoricals, integers that miss some are Int64."""
    import pandas

    return pandas.DataFrame({column["name"]: _to_pandas(pandas, raw, column) for column in columns}, copy=False)
