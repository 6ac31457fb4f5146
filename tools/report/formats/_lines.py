# SPDX-License-Identifier: BSD-3-Clause
"""Reads and writes runs as lines of JSON (`roast-report export --stream`), for the programs beside it that convert other formats.

`roast-report` calls `PROGRAM FORMAT import PATH`, which writes the lines to standard output, and `PROGRAM FORMAT export RUN PATH`. Lines on
standard error are shown to the user. If the exit status is not 0, they are the error.
"""

import json
import math
import os
import re
import subprocess
import sys

MAX_SECONDS = 1e11  # about 3000 years
MAX_INTEGER = 9e18


class ConversionError(Exception):
    """An error whose message says which operation failed, on which file, and what the user can do."""


def print_left_out(name, items, reason):
    """Prints the names of items of a file or run that are left out because the target format cannot hold them."""
    if items:
        text = re.sub(r"[\x00-\x1f\x7f]", "?", ", ".join(items))
        print(f"{name}: left out: {text}: {reason}", file=sys.stderr)


def round_half_up(value):
    return math.floor(value + 0.5) if value >= 0 else -math.floor(0.5 - value)


def count(value, factor=1):
    """Returns value * factor as a whole number; None if the value is missing, negative or too large."""
    return round_half_up(value * factor) if value is not None and 0 <= value * factor < MAX_INTEGER else None


def print_variant(value):
    """Returns a value as GVariant text that includes the type."""
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"int64 {value}"
    return json.dumps(value, ensure_ascii=False)


def parse_variant(text):
    """Parses GVariant text that is a number, a boolean or a simple text. Returns the unparsed text for other values."""
    try:
        return json.loads(re.sub(r"^(int64|uint64|int32|uint32|double) ", "", text))
    except ValueError:
        return text


class Run:
    """The rows and metadata of a run."""

    def __init__(self):
        self.metadata = {}
        self.tables = {}

    def add(self, table, /, **cells):
        """Adds a row. None is a missing cell."""
        self.tables.setdefault(table, []).append({name: value for name, value in cells.items() if value is not None})

    def add_source(self, name, worker_kind, capabilities, tasks_missing, processes_missing, activities_missing=None, version=None):
        """Adds the only source of the run, and the reasons why its tasks, processes and activities are missing."""
        self.source = f"{name}-1"
        self.metadata |= {"backends": [name], "processes-missing": processes_missing}
        self.add(
            "sources", source=self.source, backend=name, version=version, capabilities=capabilities, worker_kind=worker_kind,
            activities="none" if activities_missing else None, activities_missing=activities_missing,
        )
        self.add("coverage", source=self.source, table="tasks", state="none", reason=tasks_missing)

    def add_event(self, time, severity, message):
        self.add("events", source=self.source, time=time, severity=severity, kind="imported", message=message)

    def set_times(self, started, ended):
        """Sets start and end of the run, in µs since the epoch."""
        self.metadata |= {"started": started, "ended": ended, "ended-recorded": True}

    def write(self, file):
        def put(value):
            file.write(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n")

        put({"roast-stream": 1})
        for key, value in self.metadata.items():
            put({"metadata": key, "value": print_variant(value)})
        for table, rows in self.tables.items():
            columns = list(dict.fromkeys(name for row in rows for name in row))
            put({"table": table, "columns": columns})
            for row in rows:
                put([table, *map(row.get, columns)])
        put({"end": True})


def read_run(path, tables):
    """Reads the metadata and the named tables of a run."""
    run = Run()
    columns = {}
    with subprocess.Popen([os.environ["ROAST_REPORT"], "export", "--stream", path], stdout=subprocess.PIPE, encoding="utf-8") as process:
        for line in process.stdout:
            if line.startswith('["'):
                table = line[2 : line.index('"', 2)]
                if table in tables:
                    run.tables[table].append(dict(zip(columns[table], json.loads(line)[1:])))
                continue
            declared = json.loads(line)
            if "metadata" in declared:
                run.metadata[declared["metadata"]] = parse_variant(declared["value"])
            elif "table" in declared:
                columns[declared["table"]] = declared["columns"]
                run.tables[declared["table"]] = []
    if process.returncode != 0:
        raise ConversionError(f"cannot read the run {path}")
    for table in tables:
        run.tables.setdefault(table, [])
    return run


def read_metrics(path):
    """Makes the report of a run. Returns the values of its metrics by name; None for a metric that is not available."""
    command = [os.environ["ROAST_REPORT"], "-e", "json:-", path]
    result = subprocess.run(command, capture_output=True, check=False)
    if result.returncode != 0:
        raise ConversionError(result.stderr.decode("utf-8", "replace").strip())
    report = json.loads(result.stdout)
    return {name: metric["value"] for name, metric in report["metrics"].items()}


def main(formats):
    """formats: maps a name to (import, export). import (path) returns a Run; export (run, path) writes to path, or to standard output for “-”."""
    name, operation, *arguments = sys.argv[1:]
    take, put = formats[name]
    try:
        if operation == "import":
            sys.stdout.reconfigure(encoding="utf-8")
            take(*arguments).write(sys.stdout)
            sys.stdout.flush()
        else:
            put(*arguments)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # roast-report has stopped reading and prints the reason
    except ConversionError as error:
        sys.exit(str(error))
    except OSError as error:
        verb = "read" if operation == "import" else "write to"
        sys.exit(f"cannot {verb} {error.filename or arguments[-1]}: {error.strerror}")
    except (MemoryError, RecursionError):
        sys.exit(f"cannot {operation} {arguments[-1]}: the data are too large, or nested too deeply")
