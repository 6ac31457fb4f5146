#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What bulk data cost on their way into Python: columns to numpy, a table to pandas, a recording through an exporter."""

import time

import gi
import numpy
import pandas  # noqa: F401 - loaded before the conversion to it is timed

gi.require_version("Roast", "1")
from gi.repository import GObject, Roast  # noqa: E402

ROWS = 1_000_000


def best(function, rounds=7):
    times = []
    for _ in range(rounds):
        before = time.perf_counter()
        function()
        times.append(time.perf_counter() - before)
    return times[0] * 1e3, min(times) * 1e3


SCHEMA = """
[table samples]
Description=for the benchmark
[columns samples]
time=int64: when
value=double: value
worker=category: worker
busy=boolean: whether it is busy

[table doubles]
Description=for the benchmark
[columns doubles]
x=double: value
"""


def new_recording():
    schema = Roast.Schema.new()
    schema.load_text(SCHEMA)
    return Roast.Recording.new(schema)


def fill(rows):
    recording = new_recording()
    writer = recording.write_table("samples")
    workers = [f"worker-{i}" for i in range(20)]
    for i in range(rows):
        writer.set_int64(0, i)
        writer.set_double(1, i / 7)
        writer.set_string(2, workers[i % 20])
        writer.set_boolean(3, i % 3 == 0)
        writer.end()
    return recording


class Lines(GObject.Object, Roast.Exporter):
    """An exporter as an analyst writes one: a line for each row."""

    __gtype_name__ = "BenchLines"

    def do_export_report(self, recording, report, output, cancellable):
        stream = output.open(None)
        frame = recording["samples"].to_pandas()
        text = "\n".join(f"{when} {value:.3f} {worker} {busy}" for when, value, worker, busy
                         in zip(frame["time"], frame["value"], frame["worker"], frame["busy"]))
        stream.write_all(text.encode(), cancellable)
        stream.close(cancellable)


class Rows(GObject.Object, Roast.Exporter):
    """The same with a dictionary for each row, the slow and easy way."""

    __gtype_name__ = "BenchRows"

    def do_export_report(self, recording, report, output, cancellable):
        stream = output.open(None)
        text = "\n".join(f"{row['time']} {row['value']:.3f} {row['worker']} {row['busy']}" for row in recording["samples"])
        stream.write_all(text.encode(), cancellable)
        stream.close(cancellable)


def export(exporter, recording, report):
    output = Roast.Output.new_for_memory()
    exporter.export_report(recording, report, output, None)
    output.commit()


def main():
    values = numpy.random.default_rng(1).random(ROWS)
    recording = new_recording()
    writer = recording.write_table("doubles")
    for value in values.tolist():
        writer.set_double(0, value)
        writer.end()
    reader = recording["doubles"]
    first, ours = best(lambda: reader["x"])
    copy_first, copy = best(lambda: values.copy())
    print(f"1e6 doubles to numpy:      {ours:.2f} ms (goal 1), the first time {first:.2f} ms; "
          f"{ours / copy:.1f}x numpy's own copy ({copy:.2f} ms)")

    reader = fill(ROWS)["samples"]
    first, ours = best(reader.to_pandas)
    frame = reader.to_pandas()
    _, copy = best(lambda: frame.copy())
    print(f"1e6 rows to pandas:        {ours:.1f} ms (goal 50), the first time {first:.1f} ms; "
          f"{ours / copy:.1f}x pandas' own copy of it ({copy:.1f} ms)")

    recorded = fill(ROWS // 10).snapshot()
    report = Roast.Report.new(Roast.Registry.new().get_schema())
    _, by_columns = best(lambda: export(Lines(), recorded, report), 3)
    _, by_rows = best(lambda: export(Rows(), recorded, report), 3)
    _, native = best(lambda: export(Roast.Registry.new().create_exporter("json"), recorded, report), 3)
    print(f"exporter over 1e5 rows:    {by_columns:.0f} ms by columns, {by_rows:.0f} ms by rows (goal 1000); "
          f"json in C {native:.0f} ms ({by_columns / native:.1f}x)")


main()
