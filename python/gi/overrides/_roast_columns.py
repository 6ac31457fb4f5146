# SPDX-License-Identifier: BSD-3-Clause
"""Columns of tables as numpy arrays, tables as pandas frames. Both are imported when they are asked for."""

import numpy

_DTYPES = {"int64": "i8", "double": "f8", "boolean": "?", "category": "i4"}


def _missing(reader, column):
    """Which cells are missing; None if none is."""
    valid = reader.dup_column_validity(column)
    return None if valid is None else numpy.frombuffer(valid.get_data(), dtype="u1") == 0


def _buffer(reader, column, kind):
    """Block by block, so that only the result is memory of the size of the column. A copy of the whole in between makes
    malloc() return that much memory to the kernel and get it again each time: 15 times as slow on a virtual machine."""
    array = numpy.empty(reader.get_n_rows(), dtype=_DTYPES[kind])
    at = 0
    reader.rewind()
    while reader.next_block():
        block = numpy.frombuffer(reader.dup_block_data(column).get_data(), dtype=_DTYPES[kind])
        array[at:at + len(block)] = block
        at += len(block)
    reader.rewind()
    return array


def _strings(reader, column):
    """Each row its own text: decoded block by block."""
    texts = []
    reader.rewind()
    while reader.next_block():
        data = reader.dup_block_data(column).get_data() or b""
        offsets = numpy.frombuffer(reader.dup_block_offsets(column).get_data(), dtype="i8").tolist()
        texts.extend(data[start:end - 1].decode() for start, end in zip(offsets, offsets[1:]))
    array = numpy.empty(len(texts), dtype=object)
    array[:] = texts
    return array


def _texts(codes, dictionary):
    """Code -1, which is missing, takes the last: None."""
    return numpy.array([*dictionary, None], dtype=object)[codes]


def to_numpy(reader, column, kind):
    """Doubles are NaN where they are missing, texts None; integers and booleans are masked arrays if any is missing."""
    if kind == "category":
        return _texts(_buffer(reader, column, kind), reader.dup_dictionary(column))
    if kind == "double":
        return _buffer(reader, column, kind)
    missing = _missing(reader, column)
    if kind == "string":
        array = _strings(reader, column)
        if missing is not None:
            array[missing] = None
        return array
    array = _buffer(reader, column, kind)
    return array if missing is None else numpy.ma.MaskedArray(array, missing)


def _to_pandas(pandas, reader, column, kind):
    if kind == "category":
        return pandas.Categorical.from_codes(_buffer(reader, column, kind), reader.dup_dictionary(column))
    if kind in ("double", "string"):
        return to_numpy(reader, column, kind)
    missing = _missing(reader, column)
    array = _buffer(reader, column, kind)
    if missing is None:
        return array
    masked = pandas.arrays.IntegerArray if kind == "int64" else pandas.arrays.BooleanArray
    return masked(array.copy(), missing)


def to_pandas(reader, columns):
    """columns: (name, kind) in order. Categories are categoricals, integers that miss some are Int64."""
    import pandas

    frame = {name: _to_pandas(pandas, reader, index, kind) for index, (name, kind) in enumerate(columns)}
    return pandas.DataFrame(frame, copy=False)
