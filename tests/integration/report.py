# SPDX-License-Identifier: BSD-3-Clause
"""A report that roast-run wrote as JSON."""

import json
import math
import pathlib
import subprocess


def export(run):
    """What the current build exports of a run file, as JSON."""
    path = pathlib.Path(run).with_suffix(".json")
    subprocess.run(["roast-report", "-e", f"json:{path}", run], check=True, timeout=120)
    return json.loads(path.read_text(encoding="utf-8"))


class Report:
    def __init__(self, path, backend):
        self.backend = backend
        with open(path) as file:
            self.data = json.load(file)
        self.tables = self.data["tables"] | self.data["report_tables"]
        self.metrics = self.data["metrics"]

    def rows(self, name):
        """Rows as dictionaries, without missing cells; only those of the backend if the table names sources."""
        columns = self.tables[name]["data"] if name in self.tables else {}
        rows = [dict(zip(columns, cells)) for cells in zip(*columns.values())]
        return [{key: value for key, value in row.items() if value is not None} for row in rows
                if row.get("source") is None or row["source"].startswith(self.backend)]

    def events(self, kind):
        return [row["message"] for row in self.rows("events") if row["kind"] == kind]

    ACTIVITY_KEY = ("worker", "context", "span", "category", "activity", "unit")

    def activities(self):
        """The last value of each key, which counts."""
        return {tuple(row.get(name) for name in self.ACTIVITY_KEY): row["value"] for row in self.rows("activities")
                if row["context"] != "process"}

    def processes(self):
        """CPU time of each worker's process, by what used it."""
        times = {}
        for row in self.rows("activities"):
            if row["context"] == "process":
                times.setdefault(row["worker"], {})[row["activity"]] = row["value"]
        return times

    def total(self, activity, **where):
        wanted = {"activity": activity, **where}
        return math.fsum(value for key, value in self.activities().items()
                         if all(key[self.ACTIVITY_KEY.index(name)] == text for name, text in wanted.items()))
