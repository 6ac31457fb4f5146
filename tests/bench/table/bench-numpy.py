#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long a column of a million doubles takes into numpy, beside a plain copy of as many bytes."""

import statistics
import subprocess
import sys
import time

try:
    import gi
    import numpy

    gi.require_version("Roast", "1")
    from gi.repository import GLib, Roast
except (ImportError, ValueError) as error:
    print(f"cannot measure: {error}. Debian has it in python3-gi and python3-numpy")
    sys.exit(77)

VALUES = 1_000_000
REPETITIONS = 51
GOAL_MS = 1.0


def times(function):
    """Milliseconds of each call; what a call returns is gone before the next."""
    result = []
    for _ in range(REPETITIONS):
        begin = time.perf_counter()
        value = function()
        result.append((time.perf_counter() - begin) * 1e3)
        del value
    return result


def first_time(way):
    """Milliseconds of the only call of a process: all memory is new to it."""
    result = subprocess.run([sys.executable, __file__, way], check=True, capture_output=True, text=True)
    return float(result.stdout)


values = numpy.random.default_rng(1).random(VALUES)
table = Roast.Table.new("bench", Roast.TableKind.LOG, None)
column = table.add_column("x", Roast.ColumnType.DOUBLE, None, None)
table.append_column("x", GLib.Bytes.new(values.tobytes()))
snapshot = table.snapshot()


def whole_column():
    return numpy.frombuffer(snapshot.dup_column(column).get_data(), dtype="f8")


def by_chunks():
    return numpy.concatenate([
        numpy.frombuffer(snapshot.dup_chunk_data(chunk, column).get_data(), dtype="f8")
        for chunk in range(snapshot.get_n_chunks())
    ])


def plain_copy():
    return bytes(memoryview(values).cast("B"))


WAYS = {
    "plain": ("plain copy: bytes ()", plain_copy),
    "whole": ("whole column: dup_column ()", whole_column),
    "chunks": ("by chunks: dup_chunk_data ()", by_chunks),
}

if len(sys.argv) > 1:
    begin = time.perf_counter()
    kept = WAYS[sys.argv[1]][1]()
    print((time.perf_counter() - begin) * 1e3)
    sys.exit(0)

numpy.testing.assert_array_equal(whole_column(), values)
numpy.testing.assert_array_equal(by_chunks(), values)

print(f"{VALUES} doubles into numpy; Python {sys.version.split()[0]}, numpy {numpy.__version__}, "
      f"PyGObject {gi.__version__}")
medians = {}
for way, (name, function) in WAYS.items():
    measured = times(function)
    medians[way] = statistics.median(measured)
    first = statistics.median(first_time(way) for _ in range(5))
    print(f"{name:30} {medians[way]:.3f} ms, {medians[way] / medians['plain']:.2f} of a plain copy "
          f"(median of {REPETITIONS}; least {min(measured):.3f}; once in a new process {first:.3f})")
print(f"goal {GOAL_MS} ms for a whole column: {'met' if medians['whole'] <= GOAL_MS else 'missed'}")
