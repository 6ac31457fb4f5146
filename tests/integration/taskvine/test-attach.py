#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is attached to, and what goes wrong: managers that hang, want a password or cannot be seen; logs that are gone, cut or shared."""

import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time

from vinerun import HERE, Log, VineTest, environment, main  # isort: skip (it finds the other modules)
from closeness import assert_below, assert_near  # isort: skip

DATA = os.path.join(HERE, "..", "..", "data", "taskvine")


def as_of_now(path):
    """Lines of a recorded log, as if it was written just now: what is older is nobody's who still writes."""
    with open(path, "rb") as file:
        text = file.read()
    shift = time.time_ns() // 1000 - int(re.findall(rb"^\d{16}", text, re.M)[-1])
    text = re.sub(rb"\b\d{16}\b", lambda match: b"%d" % (int(match.group()) + shift), text)
    text = re.sub(rb"(?<=\[)\d{10}\.\d+", lambda match: b"%.6f" % (float(match.group()) + shift / 1e6), text)
    return text.splitlines(keepends=True)


class Logs(VineTest):
    """Logs of runs that are over; recorded ones, so that these need no TaskVine."""

    @classmethod
    def setUpClass(cls):
        pass

    def copy(self, name):
        logs = os.path.join(self.directory, "vine-run-info", "2026-11-20T205904", "vine-logs")
        shutil.copytree(os.path.join(DATA, name), logs)
        return logs

    def test_recorded_run(self):
        report = self.attach(os.path.join(DATA, "run-7.14.5"))
        rows = report.rows("tasks")
        self.assertEqual((len({row["task"] for row in rows}), len(rows)), (155, 157))
        self.assertEqual(len(report.rows("workers")), 3)
        self.assertEqual([row["leave_reason"] for row in report.rows("workers")].count("FAILURE"), 1)
        self.assertAlmostEqual(report.metrics["elapsed_time_seconds"]["value"], 26.025522, delta=1e-6)

    def test_addresses_of_a_directory(self):
        logs = self.copy("run-library")
        run, runs = os.path.dirname(logs), os.path.dirname(os.path.dirname(logs))
        # As TaskVine makes it: absolute, and wrong once the directory is moved.
        os.symlink("/nonexistent/vine-run-info/" + os.path.basename(run), os.path.join(runs, "most-recent"))
        for address in (logs, run, runs, self.directory, os.path.join(runs, "most-recent"), os.path.join(logs, "transactions")):
            self.assertEqual(len(self.attach(address).rows("tasks")), 6, address)

    def test_measured_cpu(self):
        report = self.attach(os.path.join(DATA, "run-monitored"))
        self.assertAlmostEqual(report.metrics["processor_cpu_time_seconds"]["value"], 0.003797, delta=1e-9)
        self.assertEqual(report.rows("sources")[0]["activities"], "cpu")
        self.assertEqual([row["memory_peak"] for row in report.rows("tasks") if "memory_peak" in row][0], 3 << 20)
        # The count of the note is that of the metric.
        self.assertEqual(report.metrics["tasks_never_ran_total"]["value"], 16)
        self.assertIn("17 tasks were still waiting when the manager ended: 16 never ran, and 1 waited for another attempt",
                      report.events("not-run"))

    def test_coffea(self):
        """coffea's own executor: the analysis is told from the framework without an option, and a manager without an end is no complaint."""
        report = self.attach(os.path.join(DATA, "run-coffea"))
        self.assertEqual({row["category"]: (row["role"], row["tasks"]) for row in report.rows("per_category")},
                         {"processing": ("analysis", 4), "preprocessing": ("framework", 2), "accumulating": ("framework", 1)})
        self.assertEqual([row["severity"] for row in report.rows("events") if row["severity"] != "info"], [])

    def test_shared_directory(self):
        report = self.attach(os.path.join(DATA, "two-managers-same-second"))
        self.assertEqual(report.events("shared-log"), [])
        self.assertIn("contradict earlier records", report.events("contradicting-records")[0])
        self.assertIn("lines of the transactions log are unusable", report.events("unusable-lines")[0])
        self.assertGreater(len(report.rows("tasks")), 150)

    def test_cut(self):
        logs = self.copy("run-7.14.5")
        path = os.path.join(logs, "transactions")
        with open(path, "rb") as file:
            whole = file.read()
        before = {tuple(sorted(row.items())) for row in self.attach(logs).rows("tasks")}
        for cut in (len(whole) * part // 7 for part in range(1, 7)):
            with open(path, "wb") as file:
                file.write(whole[:cut])
            os.utime(path, (0, 0))
            report = self.attach(logs)
            log = Log(path)
            done = {tuple(sorted(row.items())) for row in report.rows("tasks") if "returned" in row}
            self.assertEqual(len(done), len(log.tasks))
            self.assertLessEqual(done, before)
            self.assertIn("does not record the end of the manager", report.events("interrupted")[0])

    def test_clock_set_back(self):
        """By an hour, between two records in the middle of the run: what the manager did just then took some time, too."""
        logs = self.copy("run-7.14.5")
        before = self.attach(logs).metrics
        path = os.path.join(logs, "transactions")
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
        times = [int(line.split()[0]) if line[0].isdigit() else 0 for line in lines]
        cut = len(lines) // 2
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines[:cut])
            file.writelines(str(time - 3600 * 10**6) + line[line.index(" "):] for time, line in zip(times[cut:], lines[cut:]))
        report = self.attach(logs)
        lost = (times[cut] - times[cut - 1]) / 1e6
        self.assertIn(f"set back 1 time(s), by {3600 - lost:.1f} s", report.events("clock")[0])
        elapsed = report.metrics["elapsed_time_seconds"]
        self.assertAlmostEqual(elapsed["value"], before["elapsed_time_seconds"]["value"] - lost, delta=1e-6)
        self.assertEqual((before["elapsed_time_seconds"]["completeness"], elapsed["completeness"]), ("complete", "partial"))
        for name in ("tasks_submitted_total", "tasks_done_total", "attempts_total"):
            self.assertEqual(report.metrics[name]["value"], before[name]["value"])
        offered = report.metrics["worker_core_seconds"]
        self.assertEqual(offered["completeness"], "estimated")
        self.assertLessEqual(offered["value"], before["worker_core_seconds"]["value"])
        self.assertEqual({row["complete"] for row in report.rows("core_time")}, {"estimated"})

    def test_read_by_another(self):
        """Nobody writes it: tail has it open, but its manager has died."""
        logs = self.copy("run-7.14.5")
        path = os.path.join(logs, "transactions")
        with open(path, "rb") as file:
            lines = file.readlines()
        with open(path, "wb") as file:
            file.writelines(lines[:-1])
        os.utime(path, (0, 0))
        tail = subprocess.Popen(["tail", "-f", path], stdout=subprocess.DEVNULL)
        self.addCleanup(tail.wait)
        self.addCleanup(tail.kill)
        self.assertIn("does not record the end of the manager", self.attach(logs).events("interrupted")[0])

    def test_written_by_somebody_on_another_machine(self):
        """It is waited for, as long as it is written to."""
        logs = self.copy("run-library")
        path = os.path.join(logs, "transactions")
        lines = as_of_now(path)
        with open(path, "wb") as file:
            file.writelines(lines[:40])

        def go_on():
            time.sleep(2)
            with open(path, "ab") as file:
                file.writelines(lines[40:-1])
                file.flush()
                time.sleep(1)
                file.write(lines[-1])

        thread = threading.Thread(target=go_on)
        thread.start()
        report = self.attach(logs)
        thread.join()
        self.assertEqual(report.events("interrupted"), [])
        self.assertEqual([row["status"] for row in report.rows("tasks")], ["done"] * 6)

    def test_written_anew(self):
        """Another manager takes the same directory, as with a fixed run_info_template: what was told before stays."""
        logs = self.copy("run-library")
        path = os.path.join(logs, "transactions")
        lines = as_of_now(path)
        with open(path, "wb") as file:
            file.writelines(lines[:-5])
        other = as_of_now(os.path.join(DATA, "run-dask", "transactions"))

        def again():
            time.sleep(2)
            with open(path, "wb") as file:
                file.writelines(other[:30])
                file.flush()
                time.sleep(2)
                file.write(b"".join(other[30:]))

        thread = threading.Thread(target=again)
        thread.start()
        report = self.attach(logs)
        thread.join()
        self.assertEqual(len(report.rows("sources")), 2)
        self.assertEqual(sorted({row["category"] for row in report.rows("tasks")}), ["accumulate", "func", "processing"])
        self.assertIn("overwrote the log", report.events("interrupted")[0])

    def test_without_performance_log(self):
        logs = self.copy("run-7.14.5")
        os.remove(os.path.join(logs, "performance"))
        report = self.attach(logs)
        self.assertIn("performance log cannot be read", report.events("no-performance-log")[0])
        self.assertIn("no executor recorded", report.metrics["executor_busy_ratio"]["reason"])
        self.assertEqual(len(report.rows("tasks")), 157)

    def test_report_that_cannot_be_written(self):
        self.attach(os.path.join(DATA, "run-library"), "-e", "json:/dev/full", status=125)
        self.assertIn("/dev/full", self.result.stderr)

    def test_copies(self):
        """Without the link most-recent, and a log of another name."""
        logs = self.copy("run-library")
        runs = os.path.dirname(os.path.dirname(logs))
        shutil.copytree(os.path.join(DATA, "run-dask"), os.path.join(runs, "2026-11-20T205903", "vine-logs"))
        self.assertEqual(len(self.attach(runs).rows("tasks")), 6)
        renamed = os.path.join(self.directory, "transactions.old")
        shutil.copy(os.path.join(logs, "transactions"), renamed)
        self.assertEqual(len(self.attach(renamed).rows("tasks")), 6)

    def test_fresh_copy_of_a_crashed_run(self):
        """Its file is young, what is in it is not: nobody writes to it any more."""
        logs = self.copy("run-7.14.5")
        path = os.path.join(logs, "transactions")
        with open(path, "rb") as file:
            lines = file.read().splitlines(keepends=True)
        with open(path, "wb") as file:
            file.writelines(lines[:-1])
        started = time.monotonic()
        report = self.attach(logs)
        assert_below(self, time.monotonic() - started, 10)
        self.assertLess(report.metrics["elapsed_time_seconds"]["value"], 27)

    def test_no_logs(self):
        os.makedirs(os.path.join(self.directory, "empty"))
        for address, said in (("empty", "contains no vine-logs/transactions"), ("missing", "contains no vine-logs/transactions"),
                              ("999999999", "there is no process"), ("%d" % (os.getpid() + 2**32), "there is no process"), ("127.0.0.1:1", "refused"),
                              ("127.0.0.1:0", "a port from 1 to 65535"), ("127.0.0.1:70000", "a port from 1 to 65535"), ("", "cannot attach to")):
            self.attach(address, status=125)
            self.assertIn(said, self.result.stderr)

    def test_not_a_log(self):
        logs = self.copy("run-dask")
        for content, said in ((b"", "has no records"), (b"\x00\xff\n" * 1000, "has no records"), (b"x" * 1000000, "has no records")):
            with open(os.path.join(logs, "transactions"), "wb") as file:
                file.write(content)
            os.utime(os.path.join(logs, "transactions"), (0, 0))
            self.assertIn(said, self.attach(logs).events("empty-log")[0])


class Ports(VineTest):
    """Something listens, but no manager that answers."""

    @classmethod
    def setUpClass(cls):
        pass

    def serve(self, answer):
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)

        def run():
            try:
                while True:
                    connection, _ = server.accept()
                    threading.Thread(target=answer, args=(connection,), daemon=True).start()
            except OSError:  # closed
                pass

        threading.Thread(target=run, daemon=True).start()
        return "127.0.0.1:%d" % server.getsockname()[1]

    def assert_refused(self, answer, said):
        self.attach(self.serve(answer), status=125)
        self.assertIn(said, self.result.stderr)
        self.assertIn("--attach=", self.result.stderr)

    def test_hanging(self):
        self.assert_refused(lambda connection: time.sleep(300), "did not answer within 2 s")

    def test_web_server(self):
        def answer(connection):
            connection.recv(1000)
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.close()

        self.assert_refused(answer, "not from a TaskVine manager")

    def test_closed(self):
        self.assert_refused(lambda connection: connection.close(), "")


class Managers(VineTest):
    """Real ones."""

    def start_and_wait(self, *arguments):
        process = self.start(*arguments)
        self.wait_for(lambda: os.path.exists(os.path.join(self.directory, "vine-run-info")) and self.logs())
        return process

    def port(self, logs):
        def find():
            # The manager makes its files one by one.
            if os.path.exists(path):
                with open(path, errors="replace") as file:
                    found.update(re.findall(r"Manager is listening on port (\d+)", file.read()))
            return found

        path = os.path.join(logs, "debug")
        found = set()
        self.wait_for(find)
        return int(found.pop())

    def test_by_directory(self):
        process = self.start_and_wait("plain")
        report = self.attach("vine-run-info")
        self.assertEqual(process.wait(240), 0)
        self.assertEqual([row["status"] for row in report.rows("tasks")], ["done"] * 40)

    def test_by_port(self):
        """Its logs are found, where they can be read."""
        process = self.start_and_wait("churn")
        time.sleep(1)
        report = self.attach("127.0.0.1:%d" % self.port(self.logs()[0]), backend="taskvine,status=10")
        self.assertEqual(process.wait(240), 0)
        log = Log(os.path.join(self.logs()[0], "transactions"))
        self.assertEqual(len([row for row in report.rows("tasks") if "dispatched" in row]), log.dispatched)
        # A worker that left before the manager's status was asked for has its address only.
        hosts = {row["host"] for row in report.rows("workers") if "host" in row}
        self.assertIn(socket.gethostname(), hosts)
        self.assertLessEqual(hosts, {socket.gethostname(), "127.0.0.1"})

    def test_by_port_without_logs(self):
        """What the status tells; the rest is not available."""
        process = self.start("elsewhere", 60)
        base = os.path.join(self.directory, "elsewhere/records/of/this")
        self.wait_for(lambda: os.path.exists(base) and [name for name in os.listdir(base) if name != "most-recent" and name != "vine-cache"])
        report = self.attach("127.0.0.1:%d" % self.port(self.logs("elsewhere/records/of/this")[0]))
        self.assertEqual(process.wait(240), 0)
        self.assertIn("cannot be read from this machine", report.events("logs-out-of-reach")[0])
        self.assertEqual(report.rows("tasks"), [])
        self.assertEqual((report.rows("sources")[0]["activities"], report.rows("sources")[0]["activities_missing"]),
                         ("none", "the manager's logs cannot be read"))
        self.assertIn("7.", report.rows("sources")[0]["version"])
        self.assertEqual(report.rows("workers")[0]["cores"], 2)
        self.assertGreater(report.metrics["tasks_submitted_total"]["value"], 0)

    def test_password(self):
        """Its status is asked for once at most: it complains to its user of each."""
        report = self.roast_run(self.script("password"), backend="taskvine,status=10")
        self.assertEqual([row["status"] for row in report.rows("tasks")], ["done"] * 20)
        self.assertLessEqual(self.result.stderr.count("presented the wrong password"), 1)

    def test_hanging_manager(self):
        """The program does something else for a while: nothing is lost, nothing is said to be dead."""
        report = self.roast_run(self.script("hang", 6), backend="taskvine,status=10")
        self.assertEqual([row["status"] for row in report.rows("tasks")], ["done"] * 5)
        self.assertEqual(report.events("interrupted"), [])
        # On a slow machine it was asked before it hung.
        if not any("host" in row for row in report.rows("workers")):
            self.assertIn("did not answer", report.events("status")[0])

    def test_logs_deleted(self):
        end = os.path.join(self.directory, "end")
        process = subprocess.Popen(["roast-run", "--backend=taskvine", "-e", "json:" + self.new_report(), "--", *self.script("hang", end)],
                                   cwd=self.directory, env={**os.environ, "CATALOG_HOST": "127.0.0.1"}, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL)
        self.wait_for(lambda: os.path.exists(os.path.join(self.directory, "vine-run-info")) and self.logs()
                      and os.path.exists(os.path.join(self.logs()[0], "transactions"))
                      and len(Log(os.path.join(self.logs()[0], "transactions")).tasks) == 5)
        time.sleep(1.5)  # roast-run has the file open
        shutil.rmtree(self.logs()[0])
        time.sleep(1.5)  # and sees that it is gone
        open(end, "w").close()
        process.wait(240)
        report = self.read(os.path.join(self.directory, "report-1.json"))
        self.assertEqual([row["status"] for row in report.rows("tasks")], ["done"] * 5)
        self.assertIn("deleted", report.events("log-deleted")[0])

    def test_beside_local(self):
        report = self.roast_run(self.script("plain"), "--backend=local")
        self.assertEqual([row["status"] for row in report.rows("tasks")], ["done"] * 40)
        self.assertGreater(report.metrics["process_cpu_time_seconds"]["value"], 0)


APPLICATION = """
import gi, json, os, sys, time
gi.require_version("Roast", "1")
from gi.repository import Roast
go, gone = sys.argv[1:3]
session = Roast.Session(backend="taskvine")
session.launch(sys.argv[3:])
while not os.path.exists(gone):
    time.sleep(0.02)
with session.span("middle"):
    open(go, "w").close()
    while os.path.exists(gone):
        time.sleep(0.02)
os.unlink(go)
session.wait()
table = session.table("span_activities")
print(json.dumps([[str(row[0]), str(row[1]), str(row[2]), float(row[3])]
                  for row in zip(table["span"], table["context"], table["unit"], table["value"])]))
"""


class Applications(VineTest):
    def test_span(self):
        """What was done between two moments: that of 10 tasks of 18."""
        if subprocess.run(["/usr/bin/python3", "-c", "import gi; gi.require_version('Roast', '1')"], capture_output=True).returncode != 0:
            self.skipTest("built without introspection")
        go, gone = (os.path.join(self.directory, name) for name in ("go", "gone"))
        path = os.path.join(self.directory, "application.py")
        with open(path, "w") as file:
            file.write(APPLICATION)
        result = subprocess.run(["/usr/bin/python3", path, go, gone, *self.script("steps", self.directory)], capture_output=True, text=True,
                                timeout=240, cwd=self.directory, env=environment())
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = json.loads(result.stdout.splitlines()[-1])
        seconds = sum(value for span, context, unit, value in rows if (span, context, unit) == ("middle", "execute", "seconds"))
        tasks = [task for task in self.managers()[0]["tasks"] if 5 < task["id"] <= 15]
        self.assertEqual(len(tasks), 10)
        assert_near(self, seconds, sum(task["time_workers_execute_last"] for task in tasks) / 1e6, 0.02)


if __name__ == "__main__":
    main()
