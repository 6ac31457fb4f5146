# SPDX-License-Identifier: BSD-3-Clause
"""Converts between runs and the two files of prmon: its text (samples) and its JSON (sums, peaks and averages).

Both have the same quantities of a process tree, summed over the processes alive at a sample. Memory is in kB, all other quantities in bytes or
seconds. All are whole numbers.
"""

import collections
import json
import os
import sys

import _lines

KB = 1024
MAX_SIZE = 1 << 20
MAX_LINE = 65536
MAX_COLUMNS = 256
MAX_VALUE = (2**63 - 1) // 10**6
TREE = "tree"

# is_sum: the value only grows. factor: converts prmon's unit to that of the column. tree, sample, process: columns of cluster_samples,
# worker_samples (input and output) and processes. peak, mean: metadata that replace missing samples. unit, rate: units of maximum and average.
Field = collections.namedtuple("Field", "is_sum factor tree sample process peak mean unit rate", defaults=[None] * 9)
FIELDS = {
    "wtime": Field(is_sum=True, unit="s"),
    "pss": Field(False, KB, "memory_pss", peak="samples-memory-pss-peak", mean="samples-memory-pss-average", unit="kB", rate="kB"),
    "rss": Field(False, KB, "memory", peak="samples-memory-peak", unit="kB", rate="kB"),
    "rchar": Field(True, 1, sample="read_chars", process="read_chars", unit="B", rate="B/s"),
    "read_bytes": Field(True, 1, sample="disk_read", process="disk_read", unit="B", rate="B/s"),
    "wchar": Field(True, 1, sample="write_chars", process="write_chars", unit="B", rate="B/s"),
    "write_bytes": Field(True, 1, sample="disk_write", process="disk_write", unit="B", rate="B/s"),
    "stime": Field(True, 1, process="cpu_system", unit="s"),
    "utime": Field(True, 1, process="cpu_user", unit="s"),
    "nprocs": Field(False, 1, "workers", unit="1", rate="1"),
    "nthreads": Field(False, 1, "threads", peak="samples-threads-peak", unit="1", rate="1"),
}
UNKNOWN = ["swap", "vmem", "rx_bytes", "rx_packets", "tx_bytes", "tx_packets"]  # fields that roast does not measure
IO = {name: field for name, field in FIELDS.items() if field.sample}


# ---- import ----


def begin(capabilities, version=None):
    run = _lines.Run()
    run.add_source("prmon", "process", capabilities, "prmon's files have no tasks", "prmon's files do not have this number",
                   "prmon's files have no tasks", version)
    run.metadata |= {
        "processes-partial": "up to prmon's last sample",
        "processes-cpu-partial": "up to prmon's last sample; prmon cuts user and system time to whole seconds",
        "ended-at-least": True,
    }
    return run


def add_sums(run, values, started):
    """Adds a single row for all processes together, with the last values of the sums."""
    cells = {field.process: values.get(name) for name, field in FIELDS.items() if field.process}
    run.add("processes", source=run.source, process=-1, command="(all processes)", origin="sampled", started=started, **cells)


def take_header(cells):
    names = [cell.decode("utf-8", "replace") for cell in cells]
    if len(names) > MAX_COLUMNS:
        raise _lines.ConversionError(f"the header has more than {MAX_COLUMNS} columns: this is not prmon's text")
    for name in names:
        if names.count(name) > 1 and (name in FIELDS or name == "Time"):
            raise _lines.ConversionError(f"the column {name} occurs twice")
    if "Time" not in names:
        raise _lines.ConversionError("the header has no column Time: this is not prmon's text")
    return names


def take_sample(names, cells):
    if len(cells) != len(names):
        raise _lines.ConversionError(
            f"the line has {len(cells)} cells, but the header has {len(names)} columns: the file was cut or damaged. "
            "Copy the file again, or remove the line")
    values = {}
    for name, cell in zip(names, cells):
        if name != "Time" and name not in FIELDS:
            continue
        if not cell.isdigit() or int(cell[:30]) > MAX_VALUE:
            raise _lines.ConversionError(f"the cell of column {name} is not a whole number as prmon writes it")
        values[name] = int(cell)
    return values


def read_samples(path, file):
    """Reads prmon's text. Returns the names of its columns, and its samples."""
    names, samples = None, []
    for number, line in enumerate(iter(lambda: file.readline(MAX_LINE + 1), b""), 1):
        try:
            if len(line) > MAX_LINE:
                raise _lines.ConversionError("the line is too long: this is not prmon's text")
            cells = line.rstrip(b"\n").split(b"\t")
            if names is None:
                names = take_header(cells)
            else:
                samples.append(take_sample(names, cells))
        except _lines.ConversionError as error:
            raise _lines.ConversionError(f"line {number}: {error}") from None
    if not samples:
        raise _lines.ConversionError("the file has no sample: prmon was killed before its first sample, or the file was cut")
    return names, samples


def add_sample(run, values):
    time = values["Time"] * 10**6
    tree = {field.tree: values[name] * field.factor for name, field in FIELDS.items() if field.tree and name in values}
    system, user = values.get("stime"), values.get("utime")
    run.add("cluster_samples", source=run.source, time=time, **tree, memory_pss_read=tree.get("memory_pss"), cpu_system=system,
            cpu=None if None in (system, user) else system + user)
    io = {field.sample: values[name] for name, field in IO.items() if name in values}
    if io:
        run.add("worker_samples", source=run.source, time=time, worker=TREE, **io)


def import_text(path):
    with sys.stdin.buffer if path == "-" else open(path, "rb") as file:
        names, samples = read_samples(path, file)
    run = begin("samples of a process tree: CPU, memory, I/O and threads, in whole seconds; prmon's text has no single processes and no exit status")
    last = {}
    for values in samples:
        add_sample(run, values)
        last |= values
    ended = max(values["Time"] for values in samples)  # do not use the last sample, because the clock may have been set back
    started = max(ended - last.get("wtime", ended - samples[0]["Time"]), 0) * 10**6  # wtime counts from the start of the first process
    run.set_times(started, ended * 10**6)
    add_sums(run, last, started)
    _lines.print_left_out(path, [name for name in names if name not in FIELDS and name != "Time"], "roast has no columns for these numbers")
    return run


def get_object(value, name):
    value = value.get(name) if value else None
    return value if isinstance(value, dict) else None


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= MAX_VALUE


def take_numbers(values):
    found = {name: values[name] for name in FIELDS if values.get(name) is not None}
    for name, value in found.items():
        if not is_number(value):
            raise _lines.ConversionError(f"{name} is not a number that prmon writes")
    return found


def refuse_constant(name):
    raise ValueError(f"{name} is not a number in JSON")


def read_summary(path):
    with sys.stdin.buffer if path == "-" else open(path, "rb") as file:
        text = file.read(MAX_SIZE + 1)
    if len(text) > MAX_SIZE:
        raise _lines.ConversionError(f"the file is longer than {MAX_SIZE >> 10} kB, the limit for this format")
    try:
        root = json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise _lines.ConversionError(f"not JSON: {error or 'nested too deeply'}: the file was cut or damaged. Copy the file again") from None
    if not isinstance(root, dict):
        raise _lines.ConversionError("the file is not a JSON object, so it is not prmon's JSON")
    return root


def set_machine(run, hardware):
    cores, memory = (get_object(hardware, "cpu") or {}).get("CPUs"), (get_object(hardware, "mem") or {}).get("MemTotal")
    if is_number(cores) and 0 < cores < 2**31:
        run.metadata["tree-cores"] = float(cores)
    if is_number(memory) and memory > 0:
        run.metadata["tree-host-memory"] = int(memory) * KB


def import_json(path):
    root = read_summary(path)
    maxima, averages = get_object(root, "Max"), get_object(root, "Avg")
    if maxima is None or averages is None:
        raise _lines.ConversionError("the file has no sums (Max and Avg): prmon was killed before its first sample, or this is not prmon's JSON")
    values, means = take_numbers(maxima), take_numbers(averages)
    version = (get_object(root, "prmon") or {}).get("Version")
    run = begin("sums and peaks of a process tree: CPU, memory, I/O and threads; prmon's JSON has no samples, no single processes and no exit status",
                version if isinstance(version, str) else None)
    set_machine(run, get_object(root, "HW"))
    for name, field in FIELDS.items():
        if field.peak and name in values:
            run.metadata[field.peak] = int(values[name] * field.factor)
        if field.mean and name in means:
            run.metadata[field.mean] = float(means[name] * field.factor)
    ended = os.fstat(sys.stdin.fileno()).st_mtime_ns // 1000 if path == "-" else int(os.stat(path).st_mtime) * 10**6
    started = max(ended - int(values.get("wtime", 0)) * 10**6, 0)
    if "wtime" in values:
        run.set_times(started, ended)
    run.add_event(ended, "info", "prmon's JSON has no time of day: roast assumes that the run ended when the file was written")
    add_sums(run, {name: int(value) for name, value in values.items()}, started)
    _lines.print_left_out(path, [name for name in maxima if name not in FIELDS], "roast has no columns for these numbers")
    return run


def name_file(take):
    """Wraps an import function so that the messages of its errors begin with the name of the file."""
    def wrapper(path):
        try:
            return take(path)
        except _lines.ConversionError as error:
            raise _lines.ConversionError(f"cannot import {'standard input' if path == '-' else path}: {error}") from None
    return wrapper


# ---- export ----


def list_changes(run, source):
    """Returns the cumulative input and output of each process at each time of a change: from worker_samples, and from processes when the process
    ended. The local backend names workers PID.PROCESS."""
    changes = []
    for row in run.tables["worker_samples"]:
        if row["source"] == source and row["worker"] is not None:
            changes.append((row["time"], row["worker"], {name: row[field.sample] for name, field in IO.items() if row[field.sample] is not None}))
    for row in run.tables["processes"]:
        if (row["process"] or 0) > 0 and row["ended"] is not None:
            worker = f"{row['pid'] or 0}.{row['process']}"
            changes.append((row["ended"], worker, {name: row[field.process] for name, field in IO.items() if row[field.process] is not None}))
    return sorted(changes, key=lambda change: change[0])


def take_gauges(row):
    """Returns memory, threads and processes of a sample. All are 0 if all processes have ended."""
    values = {name: row[field.tree] // field.factor for name, field in FIELDS.items() if field.tree and row[field.tree] is not None}
    if values.get("nprocs") == 0 and "nthreads" not in values:
        values |= {name: 0 for name, field in FIELDS.items() if not field.is_sum}
    return values


class Series:
    """Samples and maxima of the process tree of a run, in prmon's fields and units."""

    def __init__(self, path):
        run = _lines.read_run(path, ("sources", "cluster_samples", "worker_samples", "processes"))
        source = next((row["source"] for row in run.tables["sources"] if row["worker_kind"] == "process"), None)
        if source is None:
            raise _lines.ConversionError("prmon's files contain samples of a process tree, and this run has no such samples: measure "
                                         "with --backend=local, alone or with another backend")
        self.metadata = run.metadata
        self.samples = list(self.make_samples(run, source))  # (time in µs, values)
        self.maxima = {}
        for _, values in self.samples:
            for name, value in values.items():
                self.maxima[name] = max(self.maxima.get(name, 0), value)
        self.raise_maxima(run.tables["processes"])
        self.averages = self.make_averages()

    def make_samples(self, run, source):
        changes = collections.deque(list_changes(run, source))
        last, sums = {}, {}
        started = self.metadata.get("started", 0)
        for row in run.tables["cluster_samples"]:
            if row["source"] != source or row["time"] is None:
                continue
            values = take_gauges(row) | {"wtime": max(row["time"] - started, 0) // 10**6}
            if row["cpu_system"] is not None:
                values["stime"] = int(row["cpu_system"])
                if row["cpu"] is not None and row["cpu"] >= row["cpu_system"]:
                    values["utime"] = int(row["cpu"] - row["cpu_system"])
            while changes and changes[0][0] <= row["time"]:
                _, worker, io = changes.popleft()
                for name, value in io.items():
                    sums[name] = sums.get(name, 0) + value - last.get((worker, name), 0)
                    last[worker, name] = value
            yield row["time"], values | sums

    def raise_maxima(self, processes):
        """Raises the maxima to the final sums over all processes. Raises them to the peaks in the metadata if there are no samples."""
        for name, field in FIELDS.items():
            values = [row[field.process] for row in processes if row[field.process] is not None] if field.process else []
            if values:
                self.maxima[name] = max(self.maxima.get(name, 0), int(sum(values)))
            if field.peak in self.metadata and name not in self.maxima:
                self.maxima[name] = self.metadata[field.peak] // field.factor
        if "started" in self.metadata and "ended" in self.metadata:
            elapsed = (self.metadata["ended"] - self.metadata["started"]) // 10**6
            self.maxima["wtime"] = max(self.maxima.get("wtime", 0), elapsed)

    def make_averages(self):
        averages = {}
        alive = [values for _, values in self.samples if values.get("nprocs") != 0]
        for name, field in FIELDS.items():
            values = [sample[name] for sample in alive if name in sample]
            if field.is_sum and name in self.maxima:
                averages[name] = self.maxima[name] / max(self.maxima.get("wtime", 0), 1)
            elif values and not field.is_sum:
                averages[name] = sum(values) / len(values)
            elif field.mean in self.metadata:
                averages[name] = self.metadata[field.mean] / field.factor
        return averages

    def print_left_out(self):
        _lines.print_left_out("export", [name for name in FIELDS if name not in self.maxima] + UNKNOWN, "this run does not have these numbers")


def create(path):
    return open(sys.stdout.fileno() if path == "-" else path, "w" if path == "-" else "x", encoding="utf-8", closefd=path != "-")


def export_text(run, path):
    series = Series(run)
    if not series.samples:
        raise _lines.ConversionError("this run has no sample of its process tree, so prmon's text would be empty. Use --format=prmon-json, which "
                                     "writes the sums of the run")
    rows = {time // 10**6: values for time, values in series.samples}  # prmon's times are whole seconds: keep the last sample of each second
    names = [name for name in FIELDS if all(name in values for values in rows.values())]
    with create(path) as file:
        file.write("\t".join(["Time", *names]) + "\n")
        for second, values in rows.items():
            file.write("\t".join(map(str, [second, *map(values.get, names)])) + "\n")
    series.print_left_out()
    _lines.print_left_out("export", [name for name in FIELDS if name in series.maxima and name not in names],
                          "some samples do not have these numbers")
    if len(rows) < len(series.samples):
        print(f"export: {len(rows)} of {len(series.samples)} samples are written, the last sample of each second, because prmon's times are whole "
              "seconds", file=sys.stderr)


def export_json(run, path):
    series = Series(run)
    averages = {name: round(value, 3) for name, value in series.averages.items() if FIELDS[name].rate}
    maxima = {name: series.maxima[name] for name in FIELDS if name in series.maxima}
    hardware = {}
    if series.metadata.get("tree-cores", 0) >= 1:
        hardware["cpu"] = {"CPUs": int(series.metadata["tree-cores"])}
    if "tree-host-memory" in series.metadata:
        hardware["mem"] = {"MemTotal": series.metadata["tree-host-memory"] // KB}
    units = {"Avg": {name: FIELDS[name].rate for name in averages}, "Max": {name: FIELDS[name].unit for name in maxima}}
    with create(path) as file:
        json.dump({"Avg": averages, "HW": hardware, "Max": maxima, "Units": units, "prmon": {"Version": f"roast {os.environ['ROAST_VERSION']}"}},
                  file, indent=2)
        file.write("\n")
    series.print_left_out()


if __name__ == "__main__":
    _lines.main({"prmon-text": (name_file(import_text), export_text), "prmon-json": (name_file(import_json), export_json)})
