# SPDX-License-Identifier: BSD-3-Clause
"""Columns of raw tables as numpy arrays, tables as pandas frames. Imports both only on demand."""

import numpy

_DTYPES = {"int64": "<i8", "double": "<f8", "boolean": "?", "category": "<i4"}


def _missing(raw, column):
    """Returns which rows have no cell; None if every row has a cell."""
    marks = raw.bytes_of(column, "missing")
    return None if marks is None else numpy.frombuffer(marks, dtype="?")


def _strings(raw, column):
    from roast._table import read_strings

    array = numpy.empty(len(raw.bytes_of(column, "offsets")) // 8 - 1, dtype=object)
    array[:] = read_strings(raw, column)
    return array


def _codes(raw, column):
    """Returns codes of a category. A code beyond the words, as in a damaged file, later raises numpy's IndexError."""
    return numpy.frombuffer(raw.bytes_of(column), dtype="<i4")


def to_numpy(raw, column):
    """Returns a numpy array. Missing doubles are NaN, missing texts None; integers and booleans become masked arrays if any is missing.
    Numbers are not copied."""
    kind = column["type"]
    if kind == "string":
        return _strings(raw, column)
    if kind == "category":
        # Code -1 (missing) selects the last element, None.
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
    """Returns a pandas frame. Categories become categoricals; integers with missing cells become Int64."""
    import pandas

    return pandas.DataFrame({column["name"]: _to_pandas(pandas, raw, column) for column in columns}, copy=False)
