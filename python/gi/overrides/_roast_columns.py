# SPDX-License-Identifier: BSD-3-Clause
"""Columns of tables as numpy arrays, tables as pandas frames. Imports both only on demand."""

import numpy

_DTYPES = {"int64": "i8", "double": "f8", "boolean": "?", "category": "i4"}


def _blocks(reader):
    reader.rewind()
    while reader.next_block():
        yield reader.get_block_n_rows()
    reader.rewind()


def _missing(reader, n_rows):
    """Returns which rows of the block have no cell; None if every row has a cell."""
    valid = reader.dup_block_validity(0)
    return None if valid is None else numpy.unpackbits(numpy.frombuffer(valid.get_data(), dtype="u1"), count=n_rows, bitorder="little") == 0


def _buffer(reader, kind):
    """Returns the cells and a mask of missing cells, or None if no cell is missing. Reads block by block so that only the result has the
    size of the column. With an intermediate copy, malloc() would return that much memory to the kernel and get it back each time, which is
    15 times as slow on a virtual machine."""
    array = numpy.empty(reader.get_n_rows(), dtype=_DTYPES[kind])
    missing = None
    at = 0
    for n_rows in _blocks(reader):
        array[at:at + n_rows] = numpy.frombuffer(reader.dup_block_data(0).get_data(), dtype=_DTYPES[kind])
        cells = _missing(reader, n_rows)
        if cells is not None:
            if missing is None:
                missing = numpy.zeros(len(array), dtype="?")
            missing[at:at + n_rows] = cells
        at += n_rows
    return array, missing


def _strings(reader):
    """Returns a text per row, None if missing. Decodes block by block."""
    array = numpy.empty(reader.get_n_rows(), dtype=object)
    at = 0
    for n_rows in _blocks(reader):
        data = reader.dup_block_data(0).get_data() or b""
        offsets = numpy.frombuffer(reader.dup_block_offsets(0).get_data(), dtype="i8").tolist()
        array[at:at + n_rows] = [data[start:end - 1].decode() for start, end in zip(offsets, offsets[1:])]
        cells = _missing(reader, n_rows)
        if cells is not None:
            array[at:at + n_rows][cells] = None
        at += n_rows
    return array


def _texts(codes, dictionary):
    """Returns the texts of codes. Code -1 (missing) selects the last element, None."""
    return numpy.array([*dictionary, None], dtype=object)[codes]


def to_numpy(reader, name, kind):
    """Returns a numpy array. Missing doubles are NaN, missing texts None; integers and booleans become masked arrays if any is missing."""
    reader = reader.narrow([name])
    if kind == "string":
        return _strings(reader)
    array, missing = _buffer(reader, kind)
    if kind == "category":
        return _texts(array, reader.dup_dictionary(0))
    return array if kind == "double" or missing is None else numpy.ma.MaskedArray(array, missing)


def _to_pandas(pandas, reader, name, kind):
    if kind == "category":
        reader = reader.narrow([name])
        return pandas.Categorical.from_codes(_buffer(reader, kind)[0], reader.dup_dictionary(0))
    array = to_numpy(reader, name, kind)
    if not isinstance(array, numpy.ma.MaskedArray):
        return array
    masked = pandas.arrays.IntegerArray if kind == "int64" else pandas.arrays.BooleanArray
    return masked(array.data, array.mask)


def to_pandas(reader, columns):
    """Returns a pandas frame. columns: (name, kind) in order. Categories become categoricals; integers with missing cells become Int64."""
    import pandas

    frame = {name: _to_pandas(pandas, reader, name, kind) for name, kind in columns}
    return pandas.DataFrame(frame, copy=False)
