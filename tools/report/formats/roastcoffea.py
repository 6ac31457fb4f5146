# SPDX-License-Identifier: BSD-3-Clause
"""Converts between runs and measurements that roastcoffea saved: directories with metrics.json, start_end_time.txt and metadata.json.

Imports samples and records, but not the numbers that roastcoffea computed from them. Exported metrics keep roastcoffea's names and
definitions. _measurements and _chunks are modules of the Python package roast.coffea, which reads and writes the same directories.
"""

import collections
import datetime
import math
import os
import stat

import _chunks
import _lines
import _measurements

MIB = 1024 * 1024
MAX_SMALL = 65536
QUARTER = 15 * 60 * 10**6  # time zones are multiples of a quarter of an hour
EPOCH = datetime.datetime(1970, 1, 1)
OF_OTHERS = "idle or other spans"
# Maps the name of a number of a chunk to its column, and to the factor that converts it to the unit of the column.
CHUNK_NUMBERS = {
    "mem_delta_mb": ("memory", MIB),
    "mem_before_mb": ("memory_start", MIB),
    "mem_after_mb": ("memory_end", MIB),
    "bytes_read": ("bytes_read", 1),
    "num_events": ("events", 1),
    "entry_start": ("entry_start", 1),
    "entry_stop": ("entry_stop", 1),
    "num_branches_accessed": ("branches_read", 1),
}
CHUNK_TEXTS = ("dataset", "file", "error")
SECTION_KINDS = {"timing": ("time", 1), "memory": ("memory", MIB), "bytes": ("bytes", 1)}
TIMES = ("t_start", "t_end", "duration")
ELSEWHERE = ("file_metadata", "timestamp", "accessed_branches")  # members of a chunk whose content is stored in other rows
# Maps Dask's contexts of activities to roast's. The first context is that of tasks.
CONTEXTS = {"execute": "execute", "gather-dep": "fetch", "get-data": "serve", "memory-monitor": "memory", "p2p": "shuffle"}
# Maps a series of a worker to its column in the table worker_samples, and to a factor. CONSTANTS are in the table workers instead.
SERIES = {
    "worker_memory": ("memory", 1),
    "worker_active_tasks": ("active_tasks", 1),
    "worker_nbytes": ("nbytes", 1),
    "worker_occupancy": ("occupancy", 1),
    "worker_executing": ("executing_tasks", 1),
    "worker_last_seen": ("last_seen", 10**6),
    "worker_cpu": ("cpu_percent", 1),
}
CONSTANTS = {"worker_memory_limit": "memory_limit", "worker_cores": "cores"}
REALS = ("occupancy", "cpu_percent")
# Maps a metric of roastcoffea to metrics of roast, of which the first available one is used, and to a factor.
METRICS = {
    "elapsed_time_seconds": (["elapsed_time_seconds"], 1),
    "total_bytes_read": (["bytes_read_total"], 1),
    "total_events": (["events_total"], 1),
    "total_cpu_time": (["total_cpu_time"], 1),
    "data_rate_gbps": (["data_rate_bits_per_second"], 1e-9),
    "event_rate_elapsed_khz": (["event_rate_elapsed_per_second"], 1e-3),
    "event_rate_cpu_total_khz": (["event_rate_total_cpu_per_second"], 1e-3),
    "num_chunks": (["chunks_total"], 1),
    "avg_cpu_time_per_chunk": (["avg_cpu_time_per_chunk"], 1),
    "avg_workers": (["avg_workers", "workers_average"], 1),
    "peak_workers": (["workers_peak"], 1),
    "total_cores": (["total_cores"], 1),
    "cores_per_worker": (["worker_cores_mean"], 1),
    "peak_memory_bytes": (["peak_memory_bytes", "worker_memory_peak_bytes"], 1),
    "avg_memory_per_worker_bytes": (["avg_memory_per_worker_bytes"], 1),
    "core_efficiency": (["core_efficiency"], 1),
    "speedup_factor": (["speedup_factor"], 1),
    "event_rate_core_khz": (["event_rate_total_cores_per_second"], 1e-3),
    "processor_cpu_time_seconds": (["processor_cpu_time_seconds"], 1),
    "processor_io_wait_time_seconds": (["processor_io_wait_time_seconds"], 1),
    "processor_cpu_percent": (["processor_cpu_ratio"], 100),
    "processor_io_wait_percent": (["processor_io_wait_ratio"], 100),
    "overhead_cpu_time_seconds": (["overhead_cpu_time_seconds"], 1),
    "overhead_io_wait_time_seconds": (["overhead_io_wait_time_seconds"], 1),
    "total_bytes_memory_read": (["memory_read_bytes"], 1),
    "total_branches_read": (["branches_read_total"], 1),
    "disk_read_bytes": (["disk_read_bytes"], 1),
    "disk_write_bytes": (["disk_write_bytes"], 1),
    "compression_time_seconds": (["compression_seconds"], 1),
    "decompression_time_seconds": (["decompression_seconds"], 1),
    "total_compression_overhead_seconds": (["compression_overhead_seconds"], 1),
    "serialization_time_seconds": (["serialization_seconds"], 1),
    "deserialization_time_seconds": (["deserialization_seconds"], 1),
    "total_serialization_overhead_seconds": (["serialization_overhead_seconds"], 1),
}
NULL = ("total_cores", "cores_per_worker", "core_efficiency", "event_rate_core_khz")  # null if unavailable; all other metrics are left out then
UNKNOWN = ["file_read_metrics", "accessed_bytes", "branches_read_percent", "bytes_read_percent", "uuid"]  # quantities that roast does not measure


# ---- values ----


class ContentError(Exception):
    """metrics.json has content that roastcoffea does not write. Each caller adds to the place while the error propagates."""

    def __init__(self, expected, place=""):
        super().__init__(expected, place)
        self.expected, self.place = expected, place

    def within(self, place):
        return ContentError(self.expected, f"{place}{'.' if self.place and self.place[0] != '[' else ''}{self.place}")


def get(value, name, kind):
    """Returns a member of an object. Returns an empty object or array if the member is missing or null."""
    found = value.get(name)
    if found is not None and not isinstance(found, kind):
        raise ContentError("an object" if kind is dict else "an array" if kind is list else "a string", name)
    return kind() if found is None and kind is not str else found


def number(value, name):
    """Returns a member of an object that is a number; None if it is missing, null, NaN or infinite."""
    found = value.get(name)
    if found is not None and (isinstance(found, bool) or not isinstance(found, (int, float))):
        raise ContentError("a number", name)
    return found if found is not None and math.isfinite(found) else None


def with_place(place, function, *arguments):
    """Calls the function, and adds the place to its errors."""
    try:
        return function(*arguments)
    except ContentError as error:
        raise error.within(place) from None


def each(value, name, take):
    """Calls take () for each entry of an array, with the entry and its position. Each entry must be an object."""
    for position, entry in enumerate(get(value, name, list)):
        if not isinstance(entry, dict):
            raise ContentError("an object", f"{name}[{position}]")
        with_place(f"{name}[{position}]", take, entry, position)


def read_points(points):
    """Returns pairs of a local time in µs and a number."""
    if not isinstance(points, list) or not all(isinstance(point, tuple) and len(point) == 2 for point in points):
        raise ContentError("pairs of a time and a value")
    return [(to_microseconds(time), number({"value": value}, "value")) for time, value in points]


def to_microseconds(time):
    """Converts a time of roastcoffea to µs. A time without a zone stays a local time."""
    if not isinstance(time, datetime.datetime):
        raise ContentError("a time such as 2025-10-09T08:53:21.039575")
    if time.tzinfo is not None:
        time = time.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return (time - EPOCH) // datetime.timedelta(microseconds=1)


# ---- import ----


class Import:
    def __init__(self, path, metrics, elapsed):
        self.path, self.metrics, self.elapsed = path, metrics, elapsed
        self.run = _lines.Run()
        self.run.add_source(
            "roastcoffea",
            "worker",
            "chunks, sections, files, samples of workers and sums of activities; roastcoffea's directories have no single tasks and no "
            "processes, and show only by samples when workers joined and left",
            "roastcoffea's directories have no tasks",
            "roastcoffea's directories have no data on processes",
            None if metrics.get("raw_span_metrics") else "this directory of roastcoffea has no metrics of spans",
        )
        self.left_out = set()
        self.zone = 0  # offset from UTC of the times in tracking_data, µs
        self.times = []  # times of all rows so far, µs since the epoch
        self.sums = {"events": [], "bytes_read": []}  # values of each chunk

    def add(self, table, /, **cells):
        self.run.add(table, source=self.run.source, **cells)

    def take_seconds(self, seconds):
        """Converts seconds since the epoch to µs; None if out of range."""
        if seconds is None or not 0 <= seconds <= _lines.MAX_SECONDS:
            return None
        self.times.append(_lines.round_half_up(seconds * 10**6))
        return self.times[-1]

    def take_time(self, time):
        """Converts a local time in µs to UTC."""
        time -= self.zone
        if time < 0:
            raise ContentError("a time after 1970")
        self.times.append(time)
        return time

    # -- workers --

    def take_tracking(self, tracking):
        series = {name: self.take_series(tracking, name) for name in [*SERIES, *CONSTANTS]}
        self.left_out.update(name for name in tracking if name not in series and name != "worker_counts")
        self.find_zone(series["worker_last_seen"])
        counts = []
        for time, n in get(tracking, "worker_counts", dict).items():
            counts.append(self.take_time(to_microseconds(time)))
            self.add("cluster_samples", time=counts[-1], workers=_lines.count(number({"worker_counts": n}, "worker_counts")))
        for worker in dict.fromkeys(worker for workers in series.values() for worker in workers):
            self.take_worker(worker, {name: workers[worker] for name, workers in series.items() if worker in workers}, sorted(counts))

    def take_series(self, tracking, name):
        return {worker: with_place(f"{name}.{worker}", read_points, points) for worker, points in get(tracking, name, dict).items()}

    def find_zone(self, workers):
        """Derives the time zone. Samples have local times without a zone, but worker_last_seen counts from the epoch and is at most a few
        seconds older."""
        firsts = [points[0] for points in workers.values() if points and (points[0][1] or 0) > 0]
        if firsts:
            least = min(time - seen * 10**6 for time, seen in firsts)
            if abs(least) <= 15 * 3600 * 10**6:
                self.zone = round(least / QUARTER) * QUARTER

    def take_worker(self, worker, series, counts):
        """Joins the series of a worker by time, because roast keeps all quantities of a worker at one time in one row."""
        rows, constants, changed = collections.defaultdict(dict), {}, False
        for name, points in series.items():
            for time, value in points:
                cells = rows[self.take_time(time)]
                if name in SERIES:
                    column, factor = SERIES[name]
                    if column in REALS:
                        cells[column] = value if value is not None and value >= 0 else None
                    elif column != "last_seen" or (value or 0) > 0:
                        cells[column] = _lines.count(value, factor)
                elif value is not None:
                    changed |= constants.setdefault(name, value) != value
                    constants[name] = value
        for time in sorted(rows):
            self.add("worker_samples", time=time, worker=worker, **rows[time])
        if changed:
            self.left_out.add("changes of a worker's cores and memory limit")
        if rows:
            # The worker left before workers were counted again. Take the first count after its last sample as the time at which it left.
            last = max(rows)
            left = next((time for time in counts if time > last), None)
            cores, limit = constants.get("worker_cores", 0), constants.get("worker_memory_limit", 0)
            self.add("workers", worker=worker, joined=min(rows), cores=cores if cores > 0 else None,
                     memory_limit=_lines.count(limit) if limit > 0 else None, left=left, tail_lost=None if left is None else (left - last) / 10**6)

    # -- chunks --

    def take_chunk(self, chunk, position):
        started, ended, duration = (number(chunk, name) for name in TIMES)
        if ended is None and None not in (started, duration):
            ended = started + duration
        file = get(chunk, "file", str)
        cells = {"started": self.take_seconds(started), "ended": self.take_seconds(ended)}
        for name, (column, factor) in CHUNK_NUMBERS.items():
            value = number(chunk, name)
            if column in self.sums and value is not None:
                self.sums[column].append(value)
            if column != "memory":
                cells[column] = _lines.count(value, factor)
            elif value is not None and abs(value) < 1e12:
                cells[column] = _lines.round_half_up(value * factor)
        self.add("chunks", chunk=str(position), **{name: get(chunk, name, str) for name in CHUNK_TEXTS}, **cells)
        for part, (kind, factor) in SECTION_KINDS.items():
            for name in get(chunk, part, dict):
                value = number(chunk[part], name)
                self.add("sections", time=cells["ended"], chunk=str(position), name=name, kind=kind, value=None if value is None else value * factor)
        for branch in get(chunk, "accessed_branches", list):
            self.add("chunk_branches", chunk=str(position), file=file, branch=get({"accessed_branches": branch}, "accessed_branches", str))
        known = (*CHUNK_NUMBERS, *CHUNK_TEXTS, *SECTION_KINDS, *TIMES, *ELSEWHERE)
        self.left_out.update(name for name in chunk if name not in known)

    def take_files(self):
        for name, file in get(self.metrics, "file_metadata", dict).items():
            if not isinstance(file, dict):
                raise ContentError("an object", f"file_metadata.{name}")
            ratio = number(file, "compression_ratio") or 0  # roastcoffea writes 0 for a file that it could not read
            self.add("files", file=name, compression=ratio if ratio > 0 else None, branches=_lines.count(number(file, "total_branches")),
                     bytes=_lines.count(number(file, "total_tree_bytes")))

    def compare_totals(self):
        """Adds a warning if the totals over the chunks differ from the totals in coffea's report."""
        for name, total, column in (("events", "total_events", "events"), ("bytes", "total_bytes_read", "bytes_read")):
            reported, values = number(self.metrics, total) or 0, self.sums[column]
            if values and reported > 0 and reported != sum(values):
                self.run.add_event(max(self.times), "warning", f"the chunks have {sum(values):.0f} {name}, but coffea's report has "
                                   f"{reported:.0f}: roast uses the numbers of the chunks")

    # -- the rest --

    def take_section(self, section, _):
        """Adds a row for the duration and, for a memory section, another row for the memory."""
        name = get(section, "name", str) or "unknown"
        for kind, member, factor in (("time", "duration", 1), ("memory", "mem_delta_mb", MIB)):
            value = number(section, member)
            if value is not None:
                self.add("sections", time=self.ended, name=name, kind=kind, value=value * factor)

    def take_spans(self, spans):
        """Adds activities. Leaves out keys with too few parts, and the time of “idle or other spans”, as roastcoffea does."""
        categories = collections.defaultdict(collections.Counter)
        for key in spans:
            value = number(spans, key)
            parts = [str(part) for part in key] if isinstance(key, tuple) else []
            if value is None or not 3 <= len(parts) <= 4:
                self.left_out.add("keys of raw_span_metrics that are not activities")
                continue
            if parts[2] == OF_OTHERS:
                self.left_out.add(OF_OTHERS)
                continue
            # A key has no category outside tasks: (context, activity, unit).
            has_category = len(parts) == 4 or parts[0] == "execute"
            category, activity, unit = [*(parts[1:] if has_category else [None, *parts[1:]]), "seconds"][:3]
            if has_category:
                categories[category][activity] += value
            self.add("activities", time=self.ended, context=CONTEXTS.get(parts[0], "execute"), category=category, activity=activity, unit=unit,
                     value=value)
        if spans:
            self.add_roles(categories)

    def add_roles(self, categories):
        """Finds the category of the processor by its times, because the directory does not name it. The times equal those of one category, or of
        all categories together if roastcoffea did not know the name."""
        times = [number(self.metrics, name) for name in ("processor_cpu_time_seconds", "processor_io_wait_time_seconds")]

        def fits(category):
            found = (category["thread-cpu"], category["thread-noncpu"])
            return all(time is not None and math.isclose(a, time, rel_tol=1e-9) for a, time in zip(found, times))

        if fits(sum(categories.values(), collections.Counter())):
            return
        processors = [name for name, category in categories.items() if fits(category)]
        if len(processors) != 1:
            self.run.add_event(self.ended, "warning", "roastcoffea's directory does not say which tasks belong to the analysis: the time of all "
                               "tasks counts as analysis time")
            return
        for name in categories:
            self.add("categories", category=name, role="analysis" if name == processors[0] else "framework")

    def add_totals(self):
        """Adds totals from coffea's report for quantities that no chunk has."""
        has_chunks = bool(self.metrics.get("raw_chunk_metrics"))
        events, read, time, chunks = (number(self.metrics, name) for name in ("total_events", "total_bytes_read", "total_cpu_time", "num_chunks"))
        totals = {"events": None if self.sums["events"] else events, "bytes_read": None if self.sums["bytes_read"] else read,
                  "duration": None if has_chunks else time, "chunks": None if has_chunks else chunks}
        if any((value or 0) > 0 for value in totals.values()):
            totals = {name: value if name == "duration" else _lines.count(value) for name, value in totals.items()}
            self.add("datasets", time=self.ended, **totals)

    def take(self, saved):
        """Fills the run. Rows have wall-clock times; the exact elapsed time comes from another clock. saved: time when the directory was written."""
        with_place("tracking_data", self.take_tracking, get(self.metrics, "tracking_data", dict))
        each(self.metrics, "raw_chunk_metrics", self.take_chunk)
        self.take_files()
        elapsed = _lines.round_half_up(self.elapsed * 10**6)
        started = min(self.times) if self.times else max(saved - elapsed, 0)
        self.ended = started + elapsed
        self.run.set_times(started, self.ended)
        self.compare_totals()
        each(self.metrics, "raw_section_metrics", self.take_section)
        with_place("raw_span_metrics", self.take_spans, get(self.metrics, "raw_span_metrics", dict))
        self.add_totals()
        return self.run


def check_member(directory, name, limit=math.inf):
    """Raises an error for a device or FIFO, because reading it could block, and for a file that is longer than the limit."""
    path = os.path.join(directory, name)
    try:
        status = os.stat(path)
    except OSError as error:
        raise _lines.ConversionError(f"cannot read {path}: {error.strerror}; a roastcoffea measurement is a directory with metrics.json and "
                                     "start_end_time.txt") from None
    if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
        fault = "the file is too long" if stat.S_ISREG(status.st_mode) else "this path is not a regular file"
        raise _lines.ConversionError(f"cannot import {path}: {fault}")


def read_saved(directory):
    """Returns the time when the measurement was saved, in µs, as local time without a zone; 0 if metadata.json lacks it."""
    try:
        check_member(directory, "metadata.json", MAX_SMALL)
        metadata = _measurements.read_json(os.path.join(directory, "metadata.json"))
        return max(to_microseconds(_measurements.restore_time(metadata.get("timestamp"))), 0)
    except (_lines.ConversionError, ContentError, OSError, ValueError):
        return 0


def load(path):
    try:
        return _measurements.load_measurement(path)
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError(f"{path}/metrics.json: the content does not have roastcoffea's layout ({error})") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}/start_end_time.txt: expected two numbers") from None


def import_directory(path):
    check_member(path, "metrics.json")
    check_member(path, "start_end_time.txt", MAX_SMALL)
    if os.path.exists(os.path.join(path, "metadata.json")):
        check_member(path, "metadata.json", MAX_SMALL)
    saved = read_saved(path)
    try:
        metrics, first, last = load(path)
        if not 0 <= last - first <= _lines.MAX_SECONDS:
            raise ValueError(f"{path}/start_end_time.txt: expected two numbers, the first not greater than the second")
        taken = Import(path, metrics, last - first)
        run = taken.take(saved)
    except ContentError as error:
        raise _lines.ConversionError(f"cannot import {path}/metrics.json: {error.place}: expected {error.expected}: the file was damaged, or "
                                     "roastcoffea did not write it") from None
    except ValueError as error:
        raise _lines.ConversionError(f"cannot import {error}: the file was cut or damaged, or roastcoffea did not write it") from None
    if os.path.exists(os.path.join(path, "config.json")):
        taken.left_out.add("config.json")
    _lines.print_left_out(path, sorted(taken.left_out), "roast has no columns for these numbers")
    return run


# ---- export ----


def seconds(time):
    return None if time is None else time / 10**6


def without_none(record):
    return {name: value for name, value in record.items() if value is not None}


def make_chunk(row, sections, branches):
    """Makes roastcoffea's record of a chunk. Always sets the duration, which readers of these records expect; 0 if it is unknown."""
    both = None not in (row["started"], row["ended"])
    record = {"t_start": seconds(row["started"]), "t_end": seconds(row["ended"]), "duration": (row["ended"] - row["started"]) / 10**6 if both else 0}
    for name, (column, factor) in CHUNK_NUMBERS.items():
        record[name] = row[column] / factor if factor > 1 and row[column] is not None else row[column]
    record = without_none(record) | {"dataset": row["dataset"], "file": row["file"]}
    if row["error"] is not None:
        record["error"] = row["error"]
    for part, (kind, factor) in SECTION_KINDS.items():
        record[part] = {section["name"]: section["value"] / factor for section in sections if section["kind"] == kind and None not in
                        (section["name"], section["value"])}
    record["accessed_branches"] = [row["branch"] for row in branches if row["branch"] is not None]
    return record


def group(rows, column):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row[column]].append(row)
    return groups


def put_chunks(tables):
    sections, branches = group(tables["sections"], "chunk"), group(tables["chunk_branches"], "chunk")
    chunks = [make_chunk(row, sections.get(row["chunk"], ()) if row["chunk"] else (), branches.get(row["chunk"], ()) if row["chunk"] else ())
              for row in tables["chunks"]]
    if not chunks:
        return {}
    # Failed chunks have no statistics. chunk_info includes only chunks with a start and an end.
    timed = [chunk for chunk in chunks if {"t_start", "t_end", "entry_start", "entry_stop"} <= chunk.keys() and chunk["file"] is not None]
    info = _chunks.aggregate_files(timed).get("chunk_info", {})
    known = [chunk | {"dataset": chunk["dataset"] or "unknown"} for chunk in chunks]
    return {"raw_chunk_metrics": chunks, **_chunks.aggregate_chunks(known), "chunk_info": info}


def put_sections(rows):
    """Makes records of sections. A memory row and a preceding time row of the same name describe one section, and become one record."""
    records = []
    for row in rows:
        if row["chunk"] is not None or row["name"] is None or row["value"] is None or row["kind"] not in ("time", "memory"):
            continue
        if row["kind"] == "time":
            records.append({"name": row["name"], "type": "section", "duration": row["value"]})
            continue
        if not records or records[-1]["name"] != row["name"] or records[-1]["type"] != "section":
            records.append({"name": row["name"], "duration": 0})
        records[-1] |= {"type": "memory", "mem_delta_mb": row["value"] / MIB}
    return {"raw_section_metrics": records, "sections": _chunks.summarize_sections(records)}


def put_files(rows):
    files = {}
    for row in rows:
        if row["file"] is not None:
            files[row["file"]] = without_none({"filename": row["file"], "compression_ratio": row["compression"], "total_branches": row["branches"],
                                               "total_tree_bytes": row["bytes"]})
    return {"file_metadata": files, "compression_ratios": [row["compression"] for row in rows if row["compression"] is not None]}


def put_spans(rows):
    """Sums the last values of each activity over workers and spans."""
    words = {word: context for context, word in CONTEXTS.items()}
    last, sums = {}, {}
    for row in rows:
        last[tuple(row[name] for name in ("source", "span", "worker", "context", "category", "activity", "unit"))] = row["value"]
    for (_, _, _, context, *key), value in last.items():
        if value is not None and context in words:
            key = tuple(part for part in (words[context], *key) if part is not None)
            sums[key] = sums.get(key, 0) + value
    return {"raw_span_metrics": sums} if sums else {}


def find_source(tables):
    """Returns a source whose workers belong to an executor. If there is none, returns a process tree, whose workers are processes."""
    found = {row["source"] for row in tables["workers"]}
    sources = [row for row in tables["sources"] if row["source"] in found]
    return next((row["source"] for row in sorted(sources, key=lambda row: row["worker_kind"] == "process")), None)


def repeat(points, ticks, left):
    """Repeats the last value at each count of workers. Whenever roastcoffea counts workers, it samples every worker, and readers of these series
    treat a worker without a sample as gone. roast samples only changes."""
    ticks = iter(ticks)
    tick = next(ticks, math.inf)
    for (time, value), (until, _) in zip(points, [*points[1:], (left, None)]):
        yield time, value
        while tick < until:
            if tick > time:
                yield tick, value
            tick = next(ticks, math.inf)


def format_time(time):
    return (EPOCH + datetime.timedelta(microseconds=time)).isoformat(timespec="microseconds")


def put_tracking(tables):
    source = find_source(tables)
    if source is None:
        return {"tracking_data": None}
    workers = {row["worker"]: row for row in tables["workers"] if row["source"] == source}
    counted = [row for row in tables["cluster_samples"] if row["source"] == source and None not in (row["time"], row["workers"])]
    counts = {row["time"]: row["workers"] for row in counted}
    # Skip counts of 0, because no worker has a value that could be repeated.
    ticks = sorted(time for time, n in counts.items() if n > 0)
    tracking = {"worker_counts": {format_time(time): n for time, n in counts.items()}}
    samples = group([row for row in tables["worker_samples"] if row["source"] == source and None not in (row["time"], row["worker"])], "worker")
    for name in [*SERIES, *CONSTANTS]:
        tracking[name] = {}
        for worker, rows in samples.items():
            row = workers.get(worker, {})
            if name in CONSTANTS:
                points = [(sample["time"], row.get(CONSTANTS[name])) for sample in rows]
            else:
                column, factor = SERIES[name]
                points = [(sample["time"], sample[column] if factor == 1 or sample[column] is None else sample[column] / factor) for sample in rows]
            points = [(time, value) for time, value in points if value is not None]
            if points:
                left = row["left"] if row.get("left") is not None else math.inf
                tracking[name][worker] = [[format_time(time), value] for time, value in repeat(points, ticks, left)]
    return {"tracking_data": tracking}


def put_metrics(report):
    """Returns the values of roastcoffea's metrics, and the names of the metrics that are unavailable."""
    metrics = {}
    for name, (sources, factor) in METRICS.items():
        value = next((report[source] for source in sources if report.get(source) is not None), None)
        metrics[name] = value if value is None or factor == 1 else value * factor
    missing = [name for name, value in metrics.items() if value is None]
    return {name: value for name, value in metrics.items() if value is not None or name in NULL}, missing


def export_directory(path, target):
    if target == "-":
        raise _lines.ConversionError("a roastcoffea measurement is a directory: name a new directory with --save")
    run = _lines.read_run(path, ("sources", "workers", "worker_samples", "cluster_samples", "chunks", "sections", "chunk_branches", "files",
                                 "activities"))
    report = _lines.read_metrics(path)
    elapsed = report.get("elapsed_time_seconds")
    if elapsed is None:
        raise _lines.ConversionError("the elapsed time of this run is unknown, but a roastcoffea measurement needs the elapsed time")
    metrics, missing = put_metrics(report)
    parts = put_tracking(run.tables) | put_chunks(run.tables) | put_sections(run.tables["sections"]) | put_files(run.tables["files"])
    os.mkdir(target)
    saved = EPOCH + datetime.timedelta(microseconds=run.metadata["ended"]) if "ended" in run.metadata else None
    _measurements.write_files(target, parts | put_spans(run.tables["activities"]) | metrics, 0.0, elapsed, None, saved)
    _lines.print_left_out("export", missing + UNKNOWN, "this run does not have these numbers")


if __name__ == "__main__":
    _lines.main({"roastcoffea": (import_directory, export_directory)})
