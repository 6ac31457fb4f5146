#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""CPU time, peak memory and the end of each worker's process: compared with what tasks and workers measured themselves."""

import json
import os
import re
import signal
import subprocess

from daskrun import HERE, PYTHON, DaskTest, environment, main  # isort: skip (it finds the other modules)
from closeness import RELEASE, SCALE, assert_below, assert_near, before_release  # isort: skip
from limited import decoy, join_group, limited_group  # isort: skip

MIB = 1 << 20
LIMIT = 1600 * MIB  # four times what the script with its scheduler, roast-run and workers need that do not hog memory
PARTS = {"startup", "event-loop", "task-threads", "other-threads", "children"}


def find_plugin(name):
    return next(path for path in (os.path.join(place, name) for place in os.environ["ROAST_PLUGIN_PATH"].split(":")) if os.path.exists(path))


class Workers(DaskTest):
    def run_script(self, what, *arguments, backend="dask", **more):
        self.report = self.roast_run(self.script("workers.py", what, *arguments), backend=backend, **more)
        lines = [line for line in self.result.stdout.splitlines() if line.startswith("truth ")]
        self.assertEqual(len(lines), 1, self.result.stdout + self.result.stderr)
        # One that a nanny starts while the cluster closes may be gone before it has sent anything.
        self.workers = {row["pid"]: row for row in self.report.rows("workers") if "pid" in row}
        self.per_worker = {row["worker"]: row for row in self.report.rows("per_worker")}
        self.parts = self.report.processes()
        for row in self.workers.values():
            self.assert_sum(row)
        self.assertEqual(self.report.events("probe"), [])
        return json.loads(lines[0][len("truth "):])

    def assert_sum(self, row):
        """The parts add up, and none is negative."""
        if "cpu" not in row:
            self.assertIn("CPU time of the worker's process did not arrive", row["missing"])
            return
        parts = self.parts[row["worker"]]
        self.assertEqual(set(parts) - PARTS, set())
        self.assertAlmostEqual(sum(parts.values()), row["cpu"], delta=1e-6)
        self.assertGreaterEqual(min(parts.values()), 0)

    def metric(self, name):
        metric = self.report.metrics[name]
        return metric["value"], metric["completeness"]

    def test_kinds_of_work(self):
        truth = self.run_script("kinds")
        self.assert_shutdown(truth.pop("ended"))
        parts = {kind: self.parts[self.workers[worker["pid"]]["worker"]] for kind, worker in truth.items()}
        for kind, worker in truth.items():
            row = self.workers[worker["pid"]]
            # The worker closes after it told the truth.
            self.assertGreaterEqual(row["cpu"], worker["cpu"] + worker["children"] - 0.05, kind)
            assert_near(self, row["cpu"], worker["cpu"] + worker["children"], 0.05, kind)
            self.assertEqual((row["cause"], row["memory_peak_bound"]), ("closed", "exact"))
            self.assertAlmostEqual(row["memory_peak"] / worker["peak"], 1, delta=0.01)
            self.assertNotIn("missing", row)
        for kind, part in (("threads", "other-threads"), ("children", "children"), ("loop", "event-loop"), ("actor", "other-threads"),
                           ("tasks", "task-threads")):
            row = self.workers[truth[kind]["pid"]]
            # Two seconds were burnt there, or their share; the event loop has work of its own all the time.
            lifetime = (row["left"] - row["joined"]) / 1e6
            # So has the thread of Dask's profiler.
            spare = {"startup": 2, "event-loop": 0.1 * lifetime, "other-threads": max(0.06, 0.01 * lifetime)}
            for name, value in parts[kind].items():
                burnt = 2.0 * SCALE if name == part else 0.0
                self.assertGreater(value, burnt - 0.01, (kind, name))
                assert_below(self, value, burnt + spare.get(name, 0.06), (kind, name))
        self.assertGreater(sum(row["cpu"] for row in self.workers.values()), 10 * SCALE)
        self.assert_agrees()
        if self.has_fine:
            self.assert_split(truth)

    def assert_shutdown(self, ended):
        """The parts, that after the last data included, add up; with what may be missing they are what the kernel counted."""
        metric = self.report.metrics["worker_cpu_seconds"]
        shutdown = self.report.metrics["worker_shutdown_cpu_seconds"]
        rows = [row["shutdown_cpu"] for row in self.per_worker.values()]
        self.assertEqual(len(rows), 5)
        self.assertAlmostEqual(shutdown["value"], sum(rows), delta=1e-6)
        self.assertAlmostEqual(metric["value"], sum(row["cpu"] for row in self.workers.values()) + shutdown["value"], delta=1e-3)
        more = re.search(r"at most ([\d.]+) s more of CPU time", metric["note"] or "")
        self.assertEqual(metric["completeness"], "partial" if more else "complete")
        slack = 0.02 * ended / SCALE
        self.assertLessEqual(metric["value"], ended + slack)
        self.assertGreaterEqual(metric["value"] + float(more[1] if more else 0), ended - slack)
        assert_near(self, (metric["value"] + float(more[1] if more else 0)) / ended, 1, 0.02)

    def assert_agrees(self):
        """With the processes as roast-run sees them within 2 %; where a worker went on after its last data, the report says so."""
        processes = {row["pid"]: row for row in self.report_of("processes").rows("processes") if "pid" in row}
        outside = inside = 0.0
        for pid, row in self.workers.items():
            process = processes[pid]
            assert_near(self, process["started"], row["started"], 20000)
            # The worker may need more memory while it closes.
            self.assertGreaterEqual(process["memory_peak"] / row["memory_peak"], 0.98)
            assert_near(self, process["memory_peak"] / row["memory_peak"], 1, 0.02)
            seen = process["cpu_user"] + process["cpu_system"]
            told = row["cpu"] - self.parts[row["worker"]]["children"]
            if RELEASE and abs(seen - told) > max(0.02 * seen, 0.03):
                why = "after sending its last data" if seen > told else "the last sample was taken before the end of the worker"
                self.assertIn(why, self.per_worker[row["worker"]]["missing"])
            else:
                outside += seen
                inside += told
        assert_near(self, outside, inside, 0.02 * outside)

    def report_of(self, backend):
        import copy

        other = copy.copy(self.report)
        other.backend = backend
        return other

    def assert_split(self, truth):
        """Tasks that had others compute did not wait; one that slept did."""
        rows = {row["category"]: row for row in self.report.rows("per_category")}
        for category in ("in_threads", "in_children", "in_loop"):
            row = rows[category]
            noncpu = row["waiting"] + row["unsplit"]
            # All that was burnt is unsplit, unless the tasks did not even take that long.
            burnt = SCALE * (1.0 if category == "in_loop" else 2.0)
            self.assertGreaterEqual(row["unsplit"], min(noncpu, burnt) - 0.01, row)
        self.assertGreater(rows["sleeps"]["waiting"] + rows["sleeps"]["unsplit"], 0.9)
        assert_near(self, rows["sleeps"]["waiting"], 1, 0.1)
        assert_below(self, rows["sleeps"]["unsplit"], 0.1)
        value, completeness = self.metric("processor_unsplit_time_seconds")
        self.assertGreater(value, SCALE * 5 - 0.1)
        self.assertEqual(self.metric("processor_cpu_time_seconds")[1], "partial")
        self.assertEqual(self.metric("processor_wait_time_seconds")[1], "partial")

    def test_one_process(self):
        """Several workers, the scheduler and the script share a process, which counts once, without the script's own thread."""
        truth = self.run_script("one_process")
        rows = self.report.rows("workers")
        self.assertEqual({(row["pid"], row["process_workers"], row["memory_peak_bound"]) for row in rows}, {(truth["pid"], 2, "at_most")})
        shared = truth["cpu"] - truth["program"] + truth["children"]
        used = sum(row["cpu"] for row in rows)
        self.assertLessEqual(used, shared + 0.01)
        self.assertGreaterEqual(sum(parts["task-threads"] for parts in self.parts.values()), SCALE * 2 - 0.01)
        assert_near(self, used / shared, 1, 0.03)
        assert_near(self, sum(parts["task-threads"] for parts in self.parts.values()), SCALE * 2, 0.06)
        self.assertEqual(sum(parts.get("startup", 0) > 0 for parts in self.parts.values()), 2)
        self.assertIn("shared by 2 worker(s), the scheduler and the program", rows[0]["missing"])
        value, completeness = self.metric("worker_memory_peak_bytes")
        self.assertAlmostEqual(value / truth["peak"], 1, delta=0.02)
        self.assertEqual(completeness, "estimated")

    def test_memory(self):
        truth = self.run_script("memory")
        self.assertGreater(truth["peak"], 500 * MIB)
        for worker in truth["workers"].values():
            row = self.workers[worker["pid"]]
            self.assertAlmostEqual(row["memory_peak"] / worker["peak"], 1, delta=0.01)
            self.assertEqual(row["memory_peak_bound"], "exact")
        value, completeness = self.metric("worker_memory_peak_bytes")
        self.assertAlmostEqual(value / truth["peak"], 1, delta=0.01)
        self.assertEqual(completeness, "complete")
        # The memory of a child is not that of its worker, and counted apart.
        children = {row["child_memory_peak_bound"]: row for row in self.workers.values()}
        # The script knows what its child had before it ended, which takes a few pages.
        self.assertGreaterEqual(children["exact"]["child_memory_peak"], truth["child_peak"])
        self.assertAlmostEqual(children["exact"]["child_memory_peak"] / truth["child_peak"], 1, delta=0.01)
        self.assertLess(children["exact"]["memory_peak"], 200 * MIB)
        self.assertLessEqual(children["at_most"]["child_memory_peak"], children["at_most"]["memory_peak"])

    def test_over_the_limit(self):
        truth = self.run_script("over_the_limit")
        row = self.workers[truth["pid"]]
        self.assertEqual((truth["error"], row["cause"], row["memory_peak_bound"]), ("KilledWorker", "memory", "at_least"))
        assert_near(self, min(row["memory_peak"] / 300e6, 1), 1, 0.05)
        ratio, completeness = self.metric("worker_memory_peak_ratio")
        assert_near(self, min(ratio, 1), 1, 0.05)
        self.assertEqual(completeness, "partial")
        self.assertIn("its nanny killed it because it used too much memory", self.report.events("worker-lost")[0])

    def test_measured_later(self):
        """What was before is not counted, and a peak that may date from then is a bound."""
        truth = self.run_script("before", self.directory)
        rows = {row["worker"]: row for row in self.workers.values()}
        rises, rests = rows[truth["rises"]], rows[truth["rests"]]
        self.assertEqual((rises["memory_peak_bound"], rests["memory_peak_bound"]), ("exact", "at_most"))
        self.assertAlmostEqual(rises["memory_peak"] / truth["workers"][truth["rises"]]["peak"], 1, delta=0.01)
        self.assertIn("dates from before the measurement", rests["missing"])
        self.assertNotIn("startup", {name for name, value in self.parts[truth["rests"]].items() if value > 0})
        self.assertGreaterEqual(self.parts[truth["rests"]]["task-threads"], SCALE - 0.01)
        assert_near(self, self.parts[truth["rests"]]["task-threads"], SCALE, 0.03)
        assert_below(self, rests["cpu"], 1.35)

    def test_ends(self):
        # On a busy machine Dask's restart may wait for ever for a worker, without roast too.
        truth = self.run_script("ends", *(["restart"] if RELEASE else []))
        for cause, pids in truth.items():
            for pid in pids:
                self.assertEqual(self.workers[pid]["cause"], cause, self.workers[pid])
        self.assertEqual(self.workers[truth["signal"][0]]["signal"], signal.SIGKILL)
        self.assert_killed_by_program(self.workers[truth["signal"][0]])
        self.assertEqual(self.workers[truth["exited"][0]]["exit_code"], 3)
        self.assertGreaterEqual(len(self.workers), sum(map(len, truth.values())))

    @before_release
    def test_end_told_late(self):
        """As by a nanny on a busy machine."""
        truth = self.run_script("told_late")
        row = self.workers[truth["pid"]]
        self.assertEqual((row["cause"], row["signal"]), ("signal", signal.SIGKILL), row)

    def test_killed_while_closing(self):
        """The nanny itself sends signal 9: nobody needs to find out who did."""
        truth = self.run_script("hangs")
        row = self.workers[truth["pid"]]
        self.assertEqual((row["cause"], row.get("signal")), ("closed", None), row)
        self.assertIn("killed by its nanny, because it did not close in time", self.report.events("worker-lost")[0])
        self.assertEqual([finding for finding in self.report.data["findings"] if finding["rule"] == "lost-workers"], [])

    def assert_killed_by_program(self, row):
        """Signal 9 was not the kernel's, or that is unknown, and the report says so."""
        derived = self.per_worker[row["worker"]]
        self.assertEqual((row["cause"], derived["cause"]), ("signal", "signal"))
        counted = self.report.metrics["oom_kills_total"]["value"]
        if counted is not None:
            self.assertEqual(counted, 0)
            self.assertNotIn("out of memory", derived.get("missing", ""))
        elif "oom_killed" not in row:
            self.assertIn("the kernel because memory ran out", derived["missing"])
        self.assertFalse(row.get("oom_killed", False))

    def run_out_of_memory(self, *arguments, **more):
        try:
            with limited_group(LIMIT) as group, decoy(group) as other:
                truth = self.run_script(*(group if argument == "GROUP" else argument for argument in arguments),
                                        **{name: lambda: join_group(group) for name in more})
                return dict(truth, kills=1 if other.poll() is None else 2)
        except OSError as error:
            self.skipTest("this machine permits no control group with a memory limit: %s" % error)

    def test_killed_by_kernel(self):
        """To a nanny that is signal 9; the control group knows more."""
        truth = self.run_out_of_memory("out_of_memory", "GROUP")
        row = self.workers[truth["pid"]]
        self.assertEqual((truth["error"], row["cause"], row.get("signal"), row.get("oom_killed")),
                         ("KilledWorker", "memory", signal.SIGKILL, True), (row, self.result.stderr))
        self.assertEqual(row["memory_peak_bound"], "at_least")
        self.assertEqual(self.per_worker[row["worker"]]["cause"], "memory")
        self.assertIn("the kernel killed it because memory ran out", self.report.events("worker-lost")[0])

    @before_release
    def test_killed_by_kernel_without_nanny(self):
        """Nothing of Dask sees how it ended; roast-run is in the same group, and does."""
        truth = self.run_out_of_memory("out_of_memory_without_nanny", preexec_fn=True)
        row = self.workers[truth["pid"]]
        self.assertEqual(row["cause"], "lost", (row, self.result.stderr))
        derived = self.per_worker[row["worker"]]
        self.assertEqual((derived["cause"], derived["signal"]), ("memory", signal.SIGKILL))
        self.assertEqual(self.report.metrics["oom_kills_total"]["value"], truth["kills"])

    def test_kills(self):
        """The count of a control group, on sites of several kinds."""
        result = subprocess.run([PYTHON, os.path.join(HERE, "scripts", "kills.py"), find_plugin("dask-worker.py"), self.directory],
                                capture_output=True, text=True, env=environment())
        self.assertEqual(result.returncode, 0, result.stderr)
        truth = json.loads(result.stdout)
        self.assertEqual(truth["found"], {"v2": 2, "v2-above": 2, "v2-container": 2, "v1": 2, "v1-container": 2, "v1-not-above": False,
                                          "none": False})
        self.assertEqual(truth["ends"], [False, True, False, True, True, False, False, None])
        self.assertIsNone(truth["nowhere"])

    def test_without_proc(self):
        """On a platform without /proc, or without the module resource: what is not known is named, and the rest is there."""
        code = subprocess.run([PYTHON, os.path.join(HERE, "scripts", "no-proc.py"), find_plugin("dask-worker.py")],
                              capture_output=True, text=True, env=environment())
        self.assertEqual(code.returncode, 0, code.stderr)
        news = json.loads(code.stdout)
        self.assertEqual(news["process"]["missing"], "no peak memory: no /proc/self/status on this platform (linux)")
        self.assertNotIn("peak", news["process"])
        self.assertNotIn("child_peak", news["process"])
        parts = {label[3]: value for label, value in news["rows"] if label[0] == "process"}
        # Tasks note the CPU time of their threads.
        self.assertGreaterEqual(parts["task-threads"], 0.25)
        assert_below(self, parts["task-threads"], 0.3)
        self.assertEqual(set(parts), PARTS - {"children"})

    def test_without_nanny(self):
        """Dask does not know how it ended. Where its process was observed, the report does."""
        truth = self.run_script("without_nanny")
        row = self.workers[truth["pid"]]
        self.assertEqual(row["cause"], "lost")
        self.assertEqual(row["memory_peak_bound"], "at_least")
        derived = self.per_worker[row["worker"]]
        self.assertEqual((derived["cause"], derived["signal"]), ("signal", signal.SIGKILL))
        if self.report.metrics["oom_kills_total"]["value"] is None:
            self.assertIn("the kernel because memory ran out", derived["missing"])
        self.assertGreaterEqual(derived["memory_peak"], row["memory_peak"])


    def test_clocks(self):
        """Times of a worker whose clock is 2 s ahead are those of the scheduler's clock, as exactly as the report says."""
        truth = self.run_script("clocks")
        workers = {row["worker"]: row for row in self.report.rows("workers")}
        by_name = {row["name"]: row for row in workers.values()}
        ahead = by_name["ahead"]
        self.assertGreater(ahead["clock_uncertainty"], 0)
        self.assertLessEqual(abs(ahead["clock_offset"] - 2), ahead["clock_uncertainty"])
        self.assertEqual((by_name["beside"]["clock_offset"], by_name["beside"]["clock_uncertainty"]), (0, 0))
        tasks = {row["task"]: row for row in self.report.rows("tasks")}
        for task, (time, uncertainty) in truth["tasks"].items():
            # Both programs shift times to whole µs, and faketime is slower than the kernel.
            bound = uncertainty + 1e-3
            self.assertLessEqual(tasks[task]["started"] / 1e6, time + bound)
            self.assertGreaterEqual(tasks[task]["ended"] / 1e6, time - bound)


if __name__ == "__main__":
    main()
