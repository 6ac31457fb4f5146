#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a row costs that Python writes: with add(), with the functions that set one cell each, and from arrays."""

import time

import gi
import numpy
import pandas

gi.require_version("Roast", "1")
from gi.repository import GLib, Roast  # noqa: E402

ROWS = 20_000
ROUNDS = 5

SCHEMA = """
[table samples]
Description=for the benchmark
[columns samples]
time=int64: when
value=double: value
worker=category: worker
busy=boolean: whether it is busy

[table things]
Kind=entity
Key=id
Description=for the benchmark
[columns things]
id=string: identity
value=double: value
"""

TYPES = {int: "x", float: "d", str: "s", bool: "b"}
NAMES = {"time": 0, "value": 1, "worker": 2, "busy": 3}


def cells():
    return [(i, i / 7, f"worker-{i % 20}", i % 3 == 0) for i in range(ROWS)]


def by_add(writer):
    for when, value, worker, busy in CELLS:
        writer.add(time=when, value=value, worker=worker, busy=busy)


def by_dictionaries(writer):
    for row in ROW_DICTS:
        writer.add(row)


def by_functions(writer):
    """The fastest way that needs nothing but introspection."""
    for when, value, worker, busy in CELLS:
        writer.set_int64(0, when)
        writer.set_double(1, value)
        writer.set_string(2, worker)
        writer.set_boolean(3, busy)
        writer.end()


def by_variants(writer):
    """What add() did before: a GVariant for each cell."""
    for when, value, worker, busy in CELLS:
        for name, cell in {"time": when, "value": value, "worker": worker, "busy": busy}.items():
            writer.set_variant(NAMES[name], GLib.Variant(TYPES[type(cell)], cell))
        writer.end()


def by_arrays(writer):
    writer.add_rows(ARRAYS)


def by_frame(writer):
    writer.add_rows(FRAME)


def entities(writer):
    for when, value, _worker, _busy in CELLS:
        writer.close(id=str(when), value=value)


def entity_functions(writer):
    close = Roast._introspection_module.TableWriter.close
    for when, value, _worker, _busy in CELLS:
        writer.set_string(0, str(when))
        writer.set_double(1, value)
        close(writer)


def entity_arrays(writer):
    writer.add_rows({"id": ENTITIES, "value": ARRAYS["value"]}, close=True)


CELLS = cells()
ROW_DICTS = [dict(zip(NAMES, row)) for row in CELLS]
ARRAYS = {"time": numpy.array([row[0] for row in CELLS]), "value": numpy.array([row[1] for row in CELLS]),
          "worker": [row[2] for row in CELLS], "busy": numpy.array([row[3] for row in CELLS])}
FRAME = pandas.DataFrame(ARRAYS)
ENTITIES = [str(row[0]) for row in CELLS]


def measure(table, ways):
    """µs for a row, the best of some rounds in which all ways take turns."""
    schema = Roast.Schema.new()
    schema.load_text(SCHEMA)
    best = {}
    for _ in range(ROUNDS):
        for way in ways:
            writer = Roast.Recording.new(schema).write_table(table)
            before = time.perf_counter()
            way(writer)
            taken = (time.perf_counter() - before) / ROWS * 1e6
            best[way] = min(taken, best.get(way, taken))
    return best


def main():
    best = measure("samples", (by_add, by_dictionaries, by_functions, by_variants, by_arrays, by_frame))
    peer = best[by_functions]
    print(f"a row of four cells, set by functions of C one by one: {peer:.2f} us")
    for way, what in ((by_variants, "with GVariants, as add() was before"), (by_add, "add(name=value, ...) (goal 1.5x)"),
                      (by_dictionaries, "add(DICTIONARY)"), (by_arrays, "add_rows() of arrays (goal 1x)"),
                      (by_frame, "add_rows() of a DataFrame (goal 1x)")):
        print(f"  {what + ':':40} {best[way]:6.2f} us, {best[way] / peer:5.2f}x")
    best = measure("things", (entity_functions, entities, entity_arrays))
    peer = best[entity_functions]
    print(f"a row of an entity table, by functions: {peer:.2f} us; close(): {best[entities] / peer:.2f}x, "
          f"add_rows(): {best[entity_arrays] / peer:.2f}x")


main()
