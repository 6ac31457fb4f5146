# SPDX-License-Identifier: BSD-3-Clause
"""A second reader of TaskVine's logs, to check roast's. It shares no code with roast and is made in another way: it collects the records
of each task, worker and library, and looks at each list as a whole when the log is read."""

import collections
import json
import math
import os
import re

LINE = re.compile(r"(1\d{15}) (\d+) ([A-Z]+) (.*)")
RESOURCES = r"(\{.*\})"
# What follows the subject. A line that fits none of these is unusable.
RECORDS = {
    "MANAGER": [r"(?P<pid>\d+) (?P<what>START|END) \d+"],
    "APPLICATION": [r".*"],
    "CATEGORY": [r"(?P<category>.*) (?P<what>MAX|MIN|FIRST \w+) (?P<json>\{.*\})"],
    "LIBRARY": [r"(?P<id>\d+) (?P<what>WAITING|SENT|STARTED|FAILURE) (?P<worker>\S+)"],
    "WORKER": [
        r"(?P<worker>\S+) (?P<what>CONNECTION) (?P<address>\S+)",
        r"(?P<worker>\S+) (?P<what>DISCONNECTION) (?P<reason>\S+)",
        r"(?P<worker>\S+) (?P<what>RESOURCES) (?P<json>\{.*\})",
        r"(?P<worker>\S+) (?P<what>CACHE_UPDATE|TRANSFER INPUT|TRANSFER OUTPUT) (?P<name>\S.*) (?P<bytes>\d+) (?P<took>\d+) (?P<start>\d+)",
    ],
    "TASK": [
        r"(?P<id>\d+) (?P<what>INITIAL)",
        r"(?P<id>\d+) (?P<what>READY) (?P<category>\S.*) (?P<kind>FIRST|MAX)_RESOURCES (?P<number>\d+) (?P<json>\{.*\})",
        r"(?P<id>\d+) (?P<what>RUNNING) (?P<worker>worker-[0-9a-f]{32})  (?:FIRST|MAX)_RESOURCES (?P<json>\{.*\})",
        r"(?P<id>\d+) (?P<what>WAITING_RETRIEVAL) (?P<worker>\S*) ?",
        r"(?P<id>\d+) (?P<what>RETRIEVED) (?P<result>[A-Z_]+)  (?P<exit>-?\d+)  (?:\{[^{}]*\} )?(?P<json>\{.*\})",
        r"(?P<id>\d+) (?P<what>DONE) (?P<result>[A-Z_]+)  (?P<exit>-?\d+) ?",
    ],
}
RECORDS = {subject: [re.compile(pattern) for pattern in patterns] for subject, patterns in RECORDS.items()}
EXHAUSTED = ("RESOURCE_EXHAUSTION", "SANDBOX_EXHAUSTION", "MAX_WALL_TIME", "MAX_END_TIME")
PHASES = {"queue": ("submitted", "dispatched"), "input": ("dispatched", "delivered"), "stage-in": ("delivered", "started"),
          "execute": ("started", "ended"), "wait": ("ended", "fetched"), "output": ("fetched", "retrieved"), "return": ("retrieved", "returned")}
# The manager's own time. It counts what it spends on scheduling as sending as well.
PARTS = {"receive": "time_receive", "status": "time_status_msgs", "internal": "time_internal", "polling": "time_polling",
         "application": "time_application", "scheduling": "time_scheduling"}
MIB = 1 << 20


def numbers(text):
    """{"name":[1.5,"unit"],…} as a dictionary of numbers; None if it is malformed."""
    try:
        return {name: value[0] for name, value in json.loads(text).items()}
    except (ValueError, TypeError, IndexError, KeyError, AttributeError):
        return None


def stamp(seconds):
    """µs; None for 0, which TaskVine writes for what never happened."""
    return round(seconds * 1e6) if seconds else None


class Record:
    def __init__(self, time, subject, fields):
        self.time, self.subject = time, subject
        self.fields = fields
        self.numbers = numbers(fields["json"]) if fields.get("json") else {}

    def __getattr__(self, name):
        return self.fields.get(name)


class Logs:
    """The logs of one manager: a directory with `transactions` and `performance`."""

    def __init__(self, directory):
        self.unusable, self.records, self.started = 0, [], None
        self.tasks, self.workers = collections.defaultdict(list), collections.defaultdict(list)
        self.ended = None
        with open(os.path.join(directory, "transactions"), errors="replace") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    self.take(line.rstrip("\n"))
        self.last = max(record.time for record in self.records)
        self.end = self.ended or self.last
        self.libraries = {record.id for record in self.records if record.subject == "LIBRARY"}
        self.libraries |= {record.id for record in self.records if record.result == "LIBRARY_EXIT"}
        self.services = collections.defaultdict(list)
        for record in self.records:
            if record.subject == "LIBRARY":
                self.services[record.id].append(record)
        self.connections = [one for name in self.workers for one in self.connect(name)]
        self.attempts = [one for name, records in self.tasks.items() if name not in self.libraries for one in self.split(records)]
        self.served = [self.serve(name) for name in sorted(self.libraries, key=int) if name in self.tasks]
        self.share_cores()
        self.performance = self.read_performance(os.path.join(directory, "performance"))

    def take(self, line):
        found = LINE.fullmatch(line)
        fits = [match for pattern in RECORDS.get(found[3], []) if (match := pattern.fullmatch(found[4]))] if found else []
        record = Record(int(found[1]), found[3], fits[0].groupdict()) if fits else None
        if record is None or record.numbers is None:
            self.unusable += 1
            return
        self.records.append(record)
        if record.subject == "TASK":
            self.tasks[record.id].append(record)
        if record.worker and record.worker != "(null)":
            self.workers[record.worker].append(record)
        if record.what == "END":
            self.ended = record.time

    # ---- workers ----

    def connect(self, name):
        """Each connection of a worker, with the cores that it had. If the record of it is lost, it begins with the first other one."""
        found = []
        for record in self.workers[name]:
            if record.what == "CONNECTION" or not found:
                found.append({"worker": name, "joined": record.time, "left": None, "cores": None, "address": record.address})
            if found and record.what == "DISCONNECTION" and found[-1]["left"] is None:
                found[-1]["left"] = record.time
            if found and record.what == "RESOURCES" and record.numbers.get("cores") and found[-1]["cores"] is None:
                found[-1]["cores"] = record.numbers["cores"]
        return found

    def left_after(self, worker, time):
        """When the worker's connection that was open at that time ended; None if it did not."""
        return min((one["left"] for one in self.connections if one["worker"] == worker and one["left"] and one["left"] >= time), default=None)

    def core_seconds(self):
        return math.fsum((one["cores"] or 0) * ((one["left"] or self.end) - one["joined"]) for one in self.connections) / 1e6

    # ---- tasks ----

    def split(self, records):
        """The attempts of a task: each begins where it is ready, or with what is left of it."""
        groups = []
        for record in records:
            here = {one.what for one in groups[-1]} if groups else {"none yet"}
            if (record.what == "READY" and here != {"READY"}) or (record.what == "RUNNING" and "RUNNING" in here) or not groups:
                groups.append([])
            groups[-1].append(record)
        category = next((record.category for record in records if record.what == "READY"), "(unknown)")
        return [self.judge(group, after[0] if after else None, category) for group, after in zip(groups, [*groups[1:], None])]

    def judge(self, group, after, category):
        of = {record.what: record for record in group}
        ready, running, result = of.get("READY"), of.get("RUNNING"), of.get("RETRIEVED") or of.get("DONE")
        one = {"id": group[0].id, "category": category, "ready": ready.numbers if ready else {}}
        if ready:
            one["submitted"] = group[0].time
        if running is None:
            one["status"] = "never_ran" if self.ended or after else "waiting"
            if result is not None:
                self.take_result(one, of, None)
            return one
        one["worker"], one["running"], one["given"], one["task"] = running.worker, running.numbers, running.time, running.id
        one["dispatched"] = stamp(running.numbers.get("time_commit_start")) or running.time
        one["delivered"] = stamp(running.numbers.get("time_commit_end")) or running.time
        waiting = of.get("WAITING_RETRIEVAL")
        noticed = waiting.time if waiting else None
        one["noticed"] = noticed or (result.time if result else None)
        if result is not None:
            self.take_result(one, of, noticed)
            return one
        left = self.left_after(running.worker, running.time)
        if left is not None and left <= (after.time if after else self.end):
            one["status"], one["held"] = "lost", left
        elif after is None:
            one["status"] = "unfinished" if waiting else "running"
        else:
            one["status"] = "exhausted" if after.kind == "MAX" else "lost"
            one["held"] = noticed or after.time
        return one

    def take_result(self, one, of, noticed):
        retrieved, done = of.get("RETRIEVED"), of.get("DONE")
        name = retrieved.result if retrieved and (retrieved.result != "UNKNOWN" or not done) else done.result
        code = int((retrieved or done).exit)
        one["result"], one["exit"] = name, code
        one["status"] = ("done" if name == "SUCCESS" and code == 0 else "exhausted" if name in EXHAUSTED
                         else "cancelled" if name == "CANCELLED" else "failed")
        if done:
            one["returned"] = done.time
        if not retrieved:
            one["held"] = done.time
            return
        found = retrieved.numbers
        one["retrieved"], one["measured"] = retrieved.time, found if "cpu_time" in found else None
        started, ended = stamp(found.get("time_worker_start")), stamp(found.get("time_worker_end"))
        if started and ended and ended >= started:
            # The clock of the worker may differ from the manager's.
            shift = min(0, (noticed or retrieved.time) - ended)
            if "dispatched" in one and started + shift < one["dispatched"]:
                shift = one["dispatched"] - started
            one["started"], one["ended"] = started + shift, ended + shift
        elif one["status"] == "cancelled":
            one["held"] = retrieved.time
        if 0 <= found.get("time_output_mgr", -1) < 1e9:
            one["fetched"] = retrieved.time - round(found["time_output_mgr"] * 1e6)

    def outcomes(self):
        return collections.Counter(one["status"] for one in self.attempts)

    def task_outcomes(self):
        """Tasks by how their last attempt at a worker ended."""
        last = {}
        for one in self.attempts:
            if "dispatched" in one or one["status"] not in ("never_ran", "waiting") or one["id"] not in last:
                last[one["id"]] = one["status"]
        return collections.Counter(last.values())

    def phases(self):
        """{(category, phase): (attempts, seconds)} of attempts that were given to a worker."""
        found = collections.defaultdict(lambda: [0, 0.0])
        for one in self.attempts:
            for phase, (start, end) in PHASES.items():
                if "dispatched" in one and start in one and end in one:
                    found[short(one["category"]), phase][0] += 1
                    found[short(one["category"]), phase][1] += max(0, one[end] - one[start]) / 1e6
        return found

    def waste(self):
        """{status: (attempts, core seconds)} of attempts without a result, for as long as they held cores of their own. A call has those
        of its library, while it runs."""
        found = collections.defaultdict(lambda: [0, 0.0])
        for one in self.attempts:
            if one["status"] in ("failed", "lost", "exhausted", "cancelled") and "dispatched" in one:
                start, end = self.held(one)
                found[one["status"]][0] += 1
                found[one["status"]][1] += max(0, end - start) * one["cores"] / 1e6 if end else 0
        return found

    @staticmethod
    def held(one):
        if one["running"].get("cores"):
            return one["dispatched"], one.get("retrieved") or one.get("held")
        return (one["started"], one["ended"]) if "started" in one else (one["delivered"], one.get("held"))

    # ---- libraries ----

    def share_cores(self):
        """An attempt counts for the cores that it was given, or for one. Calls share the cores of the libraries at their worker."""
        for one in self.attempts:
            one["cores"] = one.get("running", {}).get("cores") or 1
        for worker in {library["worker"] for library in self.served}:
            libraries = [library for library in self.served if library["worker"] == worker]
            calls = [one for one in self.attempts if one.get("worker") == worker and one["running"].get("cores") == 0
                     and any(library["noted"] <= one["given"] < (library["gone"] or self.end) for library in libraries)]
            for one in calls:
                left = self.left_after(worker, one["given"])
                ends = [time for time in (one["noticed"], one.get("held"), left, self.end) if time]
                one["window"] = (one["given"], min(ends))
            for one in calls:
                self.share_of_call(one, calls, libraries)
            for library in libraries:
                start, end = library["noted"], library["gone"] or self.end
                alone = all(other is library or other["noted"] >= end or (other["gone"] or self.end) <= start for other in libraries)
                library["calls"] = sum(bool(one["noticed"]) and start <= one["noticed"] <= end for one in calls) if alone else None

    def share_of_call(self, call, calls, libraries):
        times = sorted({time for one in calls for time in one["window"]}
                       | {time for library in libraries if library["ready"] for time in (library["ready"], library["gone"] or self.end)})
        share = ready = 0.0
        for start, end in zip(times, times[1:]):
            if call["window"][0] <= start and end <= call["window"][1]:
                cores = sum(library["cores"] for library in libraries
                            if library["ready"] and library["ready"] <= start and end <= (library["gone"] or self.end))
                beside = sum(one["window"][0] <= start and end <= one["window"][1] for one in calls)
                share += (end - start) * min(1, cores / beside)
                ready += (end - start) * (cores > 0)
        start, end = (call["started"], call["ended"]) if "started" in call else (call["delivered"], call.get("held"))
        if end is None and call["status"] in ("unfinished", "running"):
            end = self.end
        if end and end > start:
            call["cores"] = min(1, share / (end - start))
            if "started" in call and ready:
                call["cores"] = min(call["cores"], share / ready)

    def serve(self, name):
        of = {record.what: record for record in self.tasks[name]}
        states = {record.what: record.time for record in self.services[name]}
        running, exit_ = of["RUNNING"], of.get("RETRIEVED")
        left = self.left_after(running.worker, running.time)
        ended = min((time for time in (exit_.time if exit_ else None, left) if time), default=None)
        waiting = of.get("WAITING_RETRIEVAL")
        return {"library": name, "worker": running.worker, "sent": stamp(running.numbers.get("time_commit_start")) or running.time,
                "noted": states.get("SENT") or running.time, "gone": waiting.time if waiting and (not ended or waiting.time < ended) else ended,
                "ready": states.get("STARTED"), "ended": ended, "cores": running.numbers.get("cores"),
                "result": exit_.result if exit_ else None, "failed": self.has_failed(states, exit_, left)}

    def has_failed(self, states, exit_, left):
        """It ended before its worker was let go."""
        if exit_ is None and left is None and "FAILURE" not in states:
            return False
        reason = next((record.reason for record in self.records if record.what == "DISCONNECTION" and record.time == left), None)
        return "STARTED" not in states or left is None or (exit_ and exit_.time < left) or reason not in ("EXPLICIT", "IDLE_OUT")

    # ---- categories ----

    def allocations(self):
        return {short(record.category): record.what.split()[1] for record in self.records if record.what and record.what.startswith("FIRST ")}

    def limits(self, kind, name):
        found = [record for record in self.records if record.subject == "CATEGORY" and record.what == kind and name in record.numbers]
        return {short(record.category): record.numbers[name] for record in found}

    # ---- files ----

    def transfers(self):
        """{direction: (files, bytes, seconds)}"""
        names = {"TRANSFER INPUT": "in", "TRANSFER OUTPUT": "out", "CACHE_UPDATE": "cached"}
        found = {name: [0, 0, 0.0] for name in names.values()}
        for record in self.records:
            if record.what in names and record.worker != "(null)":
                sums = found[names[record.what]]
                sums[0] += 1
                sums[1] += int(record.bytes)
                sums[2] += int(record.took) / 1e6
        return found

    def copied(self):
        """Whether workers may have fetched files from each other, in a time that is unknown."""
        return any(record.what == "CACHE_UPDATE" and not record.name.startswith(("file-rnd-", "buffer-rnd-")) for record in self.records)

    # ---- the manager's own time ----

    @staticmethod
    def read_performance(path):
        with open(path, errors="replace") as file:
            names, *rows = [line.split() for line in file if line.strip()]
        names = names[1:]
        return [dict(zip(names, map(float, row))) for row in rows if len(row) == len(names)]

    def parts(self):
        last = self.performance[-1]
        found = {part: last[column] / 1e6 for part, column in PARTS.items()}
        return found | {"send": (last["time_send"] - last["time_scheduling"]) / 1e6}

    def elapsed(self):
        """From the first row to the last: the manager writes one when it is made."""
        return (self.performance[-1]["timestamp"] - self.performance[0]["timestamp"]) / 1e6


def short(category):
    """DaskVine names a category after the text of a Python object."""
    return re.sub("^<(?:built-in_)?function_(.*?)(_at_0x.*)?>$", r"\1", category)
