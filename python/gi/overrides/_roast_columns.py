# SPDX-License-Identifier: BSD-3-Clause
"""Columns of tables as numpy arrays, tables as pandas frames. Both are imported when they are asked for."""

import numpy

_DTYPES = {"int64": "i8", "double": "f8", "boolean": "?", "category": "i4"}


def _missing(snapshot, column):
    """Which cells are missing; None if none is."""
    valid = snapshot.dup_column_validity(column)
    return None if valid is None else numpy.frombuffer(valid.get_data(), dtype="u1") == 0


def _buffer(snapshot, column, kind):
    return numpy.frombuffer(snapshot.dup_column(column).get_data() or b"", dtype=_DTYPES[kind])


def _strings(snapshot, column):
    """Each row its own text: decoded chunk by chunk."""
    texts = []
    for chunk in range(snapshot.get_n_chunks()):
        data = snapshot.dup_chunk_data(chunk, column).get_data() or b""
        offsets = numpy.frombuffer(snapshot.dup_chunk_offsets(chunk, column).get_data(), dtype="i8").tolist()
        texts.extend(data[start:end - 1].decode() for start, end in zip(offsets, offsets[1:]))
    array = numpy.empty(len(texts), dtype=object)
    array[:] = texts
    return array


def _texts(codes, dictionary):
    """Code -1, which is missing, takes the last: None."""
    return numpy.array([*dictionary, None], dtype=object)[codes]


def to_numpy(snapshot, column, kind):
    """Doubles are NaN where they are missing, texts None; integers and booleans are masked arrays if any is missing."""
    if kind == "category":
        return _texts(_buffer(snapshot, column, kind), snapshot.dup_dictionary(column))
    if kind == "double":
        return _buffer(snapshot, column, kind)
    missing = _missing(snapshot, column)
    if kind == "string":
        array = _strings(snapshot, column)
        if missing is not None:
            array[missing] = None
        return array
    array = _buffer(snapshot, column, kind)
    return array if missing is None else numpy.ma.MaskedArray(array, missing)


def _to_pandas(pandas, snapshot, column, kind):
    if kind == "category":
        return pandas.Categorical.from_codes(_buffer(snapshot, column, kind), snapshot.dup_dictionary(column))
    if kind in ("double", "string"):
        return to_numpy(snapshot, column, kind)
    missing = _missing(snapshot, column)
    array = _buffer(snapshot, column, kind)
    if missing is None:
        return array
    masked = pandas.arrays.IntegerArray if kind == "int64" else pandas.arrays.BooleanArray
    return masked(array.copy(), missing)


def to_pandas(snapshot, columns):
    """columns: (name, kind) in order. Categories are categoricals, integers that miss some are Int64."""
    import pandas

    frame = {name: _to_pandas(pandas, snapshot, index, kind) for index, (name, kind) in enumerate(columns)}
    return pandas.DataFrame(frame, copy=False)
