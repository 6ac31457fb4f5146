#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Failures around Dask: the script's output and exit status are those of a run without roast, and the report names what is missing."""

import ast
import os
import re
import signal
import subprocess
import time
import unittest

from daskrun import PYTHON, DaskTest, environment, main  # isort: skip (it finds the other modules)
from closeness import RELEASE, assert_below, assert_near, before_release  # isort: skip

# Output of roast itself, and traces of its code.
OURS = r"roast: |dask-(probe|client|preload|scheduler|worker)\.py"


class Faults(DaskTest):
    def run_fault(self, what, *arguments, status=0, said="done 8", **more):
        report = self.roast_run(self.script("faults.py", what, *arguments), status=status, **more)
        self.assertIn(said, self.result.stdout)
        ours = [line for line in self.result.stderr.splitlines() if line.startswith("roast: ")]
        self.assertEqual(ours, [])
        return report

    def assert_tasks(self, report, n, prefix="work"):
        done = [row for row in report.rows("tasks") if row["category"] == prefix and row["status"] == "done"]
        self.assertGreaterEqual(len(done), n)

    def test_worker_killed(self):
        report = self.run_fault("worker_killed")
        lost = [row for row in report.rows("workers") if row["leave_reason"] == "lost"]
        self.assertEqual(len(lost), 1)
        self.assert_tasks(report, 16)
        if self.has_fine:
            self.assertGreater(lost[0]["tail_lost"], 0)
            assert_below(self, lost[0]["tail_lost"], 5)
            self.assertIn("no data about the last", report.events("worker-lost")[0])
            # The data of its heartbeats are not lost.
            self.assertGreater(report.total("thread-cpu", category="work", worker=lost[0]["worker"]), 0)

    def test_task_that_kills_workers(self):
        """Dask gives up on it: no worker reports it, only the scheduler knows."""
        report = self.run_fault("killer")
        killed = [row for row in report.rows("tasks") if row["status"] == "killed_worker"]
        self.assertEqual([(row["category"], row["error"]) for row in killed], [("kill", "KilledWorker")])
        self.assertIn("killed KilledWorker", self.result.stdout)

    def test_rejected(self):
        """Older versions of Dask read a task only in the worker."""
        report = self.run_fault("rejected")
        self.assertEqual(len(report.events("graph-rejected")), "rejected True" in self.result.stdout)
        self.assert_tasks(report, 8)

    def test_closed(self):
        """All results were lost, and the client still needs them."""
        report = self.run_fault("closed")
        self.assertIn("finished 0", self.result.stdout)
        self.assertEqual(report.events("results-lost"), ["the results of 8 tasks were lost, and no worker was left to compute them again"])
        self.assertEqual(report.data["findings"][0]["rule"], "lost-workers")

    @unittest.skipUnless(RELEASE, "on a busy machine Dask's restart may wait for ever for a worker, without roast too")
    def test_restart(self):
        report = self.run_fault("restart")
        self.assertEqual(len(report.rows("workers")), 4)
        self.assertEqual(len(report.events("restarted")), 1)
        self.assertEqual(report.events("worker-lost"), [])
        self.assert_tasks(report, 16)
        if self.has_fine:
            assert_near(self, report.total("thread-cpu", category="work"), 16 * 0.03, 0.05)

    def test_scheduler_killed(self):
        report = self.run_fault("scheduler_killed", self.directory, status=3)
        self.assertIn("ended without sending its last data", report.events("scheduler-lost")[0])
        self.assertEqual(report.rows("workers")[0]["leave_reason"], "scheduler lost")
        # Since the worker's last data, not since the scheduler's last line.
        self.assertGreater(report.rows("workers")[0]["tail_lost"], 0.1)
        self.assert_tasks(report, 8)

    def test_scheduler_restarted(self):
        """Killed and started again by somebody else: the second one is measured too, as another source."""
        report = self.run_fault("scheduler_restarted")
        self.assertEqual(len(report.rows("sources")), 2)
        self.assertEqual(len(report.events("scheduler-restarted")), 1)
        for source in ("dask-1", "dask-2"):
            self.assertEqual(len([row for row in report.rows("tasks") if row["source"] == source]), 8)

    def test_loop_blocked(self):
        report = self.run_fault("blocked")
        # Dask measures each block from its begin; an older one does not, and a block may begin while roast sleeps.
        least = 2.9 if self.has_fine else 2
        longest = re.search(r"blocked for ([\d.]+) s", " ".join(report.events("loop-blocked")))
        self.assertGreaterEqual(float(longest[1]), least)
        samples = report.rows("cluster_samples")
        self.assertGreaterEqual(max(row["lateness"] for row in samples), least)
        self.assertTrue(all(row["lateness_queue"] <= row["lateness"] for row in samples if "lateness" in row))

    @before_release
    def test_crash(self):
        report = self.run_fault("crash", status=-signal.SIGABRT)
        self.assertIn("without sending its last data", report.events("scheduler-lost")[0])
        self.assert_tasks(report, 8)

    def test_exception(self):
        report = self.run_fault("raises", status=1)
        self.assertIn("RuntimeError: the script's own", self.result.stderr)
        self.assert_tasks(report, 8)
        self.assertEqual(report.events("scheduler-lost"), [])

    @before_release
    def test_exit_status(self):
        report = self.run_fault("status", status=7)
        self.assert_tasks(report, 8)

    def test_two_clusters(self):
        report = self.run_fault("two")
        self.assertEqual(sorted(row["source"] for row in report.rows("sources")), ["dask-1", "dask-2"])
        self.assertEqual({row["source"] for row in report.rows("tasks")}, {"dask-1", "dask-2"})

    @before_release
    def test_fork(self):
        report = self.run_fault("fork")
        self.assertIn("child 5", self.result.stdout)
        self.assert_tasks(report, 16)
        self.assertEqual(report.events("scheduler-lost"), [])

    def test_no_dask(self):
        report = self.roast_run(["true"])
        self.assertIn("no Dask scheduler was seen", report.events("no-scheduler")[0])

    @before_release
    def test_port_taken(self):
        import socket

        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            env = environment(TAKEN=str(other.getsockname()[1]))
            code = ("import faults, os\nfrom distributed import Client\n"
                    "if __name__ == '__main__':\n with "
                    "faults.cluster(1, dashboard_address='127.0.0.1:' + os.environ['TAKEN']) as c, Client(c) as k: faults.some(k)")
            path = os.path.join(self.directory, "taken.py")
            with open(path, "w") as file:
                file.write(code)
            report = self.roast_run([PYTHON, path], env=env)
        self.assert_tasks(report, 8)

    @before_release
    def test_dashboard_with_prefix_and_tls(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2",
                        "-subj", "/CN=127.0.0.1"], cwd=self.directory, check=True, capture_output=True)
        tls = "DASK_DISTRIBUTED__SCHEDULER__DASHBOARD__TLS__"
        env = environment(**{tls + "CERT": os.path.join(self.directory, "cert.pem"), tls + "KEY": os.path.join(self.directory, "key.pem"),
                             tls + "CA_FILE": os.path.join(self.directory, "cert.pem")})
        report = self.run_fault("patient", env=env)
        self.assert_tasks(report, 32)

    def test_preloads_of_the_user(self):
        """From the environment and from a file of the site: both are loaded as they would be without roast."""
        with open(os.path.join(self.directory, "mine.py"), "w") as file:
            file.write("def dask_setup(s): print('mine is loaded')\ndef dask_teardown(s): print('mine is gone')\n")
        os.mkdir(os.path.join(self.directory, "config"))
        with open(os.path.join(self.directory, "config", "site.yaml"), "w") as file:
            file.write("distributed:\n  client:\n    preload: [theirs]\n    preload-argv: [[]]\n")
        with open(os.path.join(self.directory, "theirs.py"), "w") as file:
            file.write("def dask_setup(c): print('theirs is loaded')\n")
        env = environment(DASK_DISTRIBUTED__SCHEDULER__PRELOAD=os.path.join(self.directory, "mine.py"),
                          DASK_CONFIG=os.path.join(self.directory, "config"))
        env["PYTHONPATH"] += ":" + self.directory
        report = self.run_fault("patient", env=env)
        for words in ("mine is loaded", "mine is gone", "theirs is loaded"):
            self.assertEqual(self.result.stdout.count(words), 1, self.result.stdout)
        self.assert_tasks(report, 32)

    def test_environment_without_files(self):
        """A batch job inherits the variables on a machine without roast's files: it runs as if they were not there."""
        self.roast_run(self.script("faults.py", "environment"))
        inherited = {}
        for line in self.result.stdout.splitlines():
            name, _, value = line.partition("=")
            inherited[name] = ast.literal_eval(value)
        self.assertIn("DASK_DISTRIBUTED__SCHEDULER__PRELOAD", inherited)
        plain = subprocess.run(self.script("faults.py", "patient"), env=environment(), capture_output=True, text=True, timeout=240)
        result = subprocess.run(self.script("faults.py", "patient"), env=environment(**inherited, ROAST_SOCKET="/nonexistent", ROAST_TOKEN="x"),
                                capture_output=True, text=True, timeout=240)
        self.assertEqual((result.returncode, result.stdout), (0, plain.stdout))
        # Dask itself may complain of a slow machine.
        self.assertNotRegex(result.stderr, OURS)

    @before_release
    def test_run_that_is_over(self):
        """The files are there, the run's socket is not."""
        self.roast_run(self.script("faults.py", "environment"))
        inherited = {}
        for line in self.result.stdout.splitlines():
            name, _, value = line.partition("=")
            inherited[name] = ast.literal_eval(value).replace("no-such-dask-", "dask-")
        result = subprocess.run(self.script("faults.py", "patient"), env=environment(**inherited, ROAST_SOCKET="/nonexistent", ROAST_TOKEN="x"),
                                capture_output=True, text=True, timeout=240)
        self.assertEqual(result.returncode, 0)
        self.assertNotRegex(result.stderr, OURS)

    def test_routes(self):
        self.run_fault("routes")
        self.assertEqual(self.result.stdout.splitlines()[1:], [
            "hello 401 False", "hello 401 False", "hello 200 True", "poll?cursor=0 401 False", "poll?cursor=0 401 False",
            "poll?cursor=0 200 True", "flush 401 200", "nonsense 400"])

    def test_reader_that_stops(self):
        """roast-run stands still: the script does not."""
        path = os.path.join(self.directory, "report.json")
        process = subprocess.Popen(["roast-run", "--backend=dask", "-e", "json:" + path, "--", *self.script("faults.py", "patient")],
                                   env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(signal.SIGSTOP)
        time.sleep(4)
        process.send_signal(signal.SIGCONT)
        out, _ = process.communicate(timeout=240)
        self.assertEqual((process.returncode, out.count("done 8")), (0, 4))

    def test_killed_reader(self):
        """roast-run dies: the script goes on, without a word."""
        process = subprocess.Popen(["roast-run", "--backend=dask", "-e", "json:" + os.path.join(self.directory, "r"), "--",
                                    *self.script("faults.py", "patient")], env=environment(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.kill()
        out, err = process.communicate(timeout=240)
        self.assertEqual(out.count("done 8"), 4)
        self.assertNotRegex(err, OURS)

    @before_release
    def test_no_task_rows(self):
        report = self.roast_run(self.script("analysis.py", "threads", 2), backend="dask,tasks=false")
        self.assertEqual(report.rows("tasks"), [])
        done = [row["tasks"] for row in report.rows("category_states") if (row["category"], row["state"]) == ("work", "done")]
        self.assertEqual(done[-1], 16)

    def test_long_names(self):
        """Lines stay shorter than what the run's socket takes, and names keep the ends that distinguish them."""
        report = self.run_fault("long_names")
        self.assertEqual(len([row for row in report.rows("tasks") if row["task"].startswith("k" * 300)]), 500)
        long = sorted(row["task"] for row in report.rows("tasks") if row["task"].startswith("('" + "m" * 200))
        self.assertEqual([name[-14:] for name in long], ["m', 'part', %d)" % i for i in range(5)])
        self.assertLessEqual(len(long[0]), 400)
        self.assertEqual(report.events("protocol"), [])

    def test_spans(self):
        if not self.has_fine:
            return
        report = self.run_fault("spans", said="")
        spans = {row["name"]: row for row in report.rows("spans")}
        self.assertEqual(spans["outer/inner"]["parent"], spans["outer"]["span"])
        self.assertEqual(spans["outer/inner"]["kind"], "native")
        self.assertNotIn("merged", spans)
        self.assertIn("span “merged”", report.events("span-merged")[0])
        self.assertGreaterEqual(report.total("thread-cpu", span=spans["outer/inner"]["span"]), 8 * 0.03)
        assert_near(self, report.total("thread-cpu", span=spans["outer/inner"]["span"]), 8 * 0.03, 0.03)

    @before_release
    def test_one_span_for_the_run(self):
        if not self.has_fine:
            return
        report = self.roast_run(self.script("analysis.py", "threads", 2), backend="dask,span=my run")
        self.assertEqual([row["name"] for row in report.rows("spans")], ["my run"])
        self.assertEqual({row.get("span") for row in report.rows("activities") if row["context"] == "execute"},
                         {report.rows("spans")[0]["span"]})

    def test_activities(self):
        if not self.has_fine:
            return
        report = self.run_fault("activities", self.directory, said="both 40000000")
        self.assert_exact(report)
        for activity, unit in (("disk-write", "bytes"), ("disk-write", "count"), ("serialize", "seconds"), ("deserialize", "seconds"),
                               ("compress", "seconds"), ("network", "seconds"), ("failed", "seconds"), ("thread-cpu", "seconds")):
            self.assertGreater(report.total(activity, unit=unit), 0, activity)
        self.assertEqual(report.total("my-io", category="labelled", unit="seconds"), 1.0)
        self.assertEqual(report.total("my-read", category="labelled", unit="bytes"), 4000)
        attempts = sorted((row["attempt"], row["status"]) for row in report.rows("tasks") if row["category"] == "flaky")
        self.assertEqual(attempts[-1][1], "done")
        self.assertGreater(max(row["spilled_disk"] for row in report.rows("worker_samples")), 0)

    def assert_nothing_lost(self, report):
        self.assertNotIn("lost", {row["status"] for row in report.rows("tasks")})
        self.assertFalse({row["part"] for row in report.rows("core_time") if row["part"].startswith("lost.")})
        self.assertNotIn("lost-workers", [finding["rule"] for finding in report.data["findings"]])
        for name in ("attempts_lost_total", "attempts_retried_total", "tasks_retried_total", "tasks_lost_total"):
            self.assertEqual(report.metrics[name]["value"], 0, name)

    def test_rescheduled(self):
        """A task that asks to run again has lost no time with its worker, and its time is known."""
        report = self.run_fault("rescheduled", self.directory, said="done 4")
        attempts = [row for row in report.rows("tasks") if row["category"] == "ask_again"]
        self.assertEqual(sorted((row["attempt"], row["status"]) for row in attempts), [(1, "rescheduled")] * 4 + [(2, "done")] * 4)
        for row in attempts:
            self.assertGreaterEqual(row["ended"] - row["started"], 190000, row)
        self.assertEqual(report.metrics["attempts_total"]["value"], 8)
        self.assertIsNone(report.metrics["attempts_total"]["note"])
        self.assert_nothing_lost(report)
        # Dask counts their time as that of cancelled attempts.
        if self.has_fine:
            self.assertEqual(report.metrics["cancelled_seconds"]["value"], 0)
            took = sum(row["ended"] - row["started"] for row in attempts if row["status"] == "rescheduled") / 1e6
            self.assertAlmostEqual(report.total("rescheduled") / took, 1, delta=0.1)
            self.assertEqual(report.metrics["processor_cpu_time_seconds"]["completeness"], "partial")

    def test_shuffle(self):
        if subprocess.run([PYTHON, "-c", "import pyarrow, dask.dataframe"], capture_output=True).returncode != 0 or not self.has_fine:
            return
        report = self.run_fault("shuffle", self.directory, said="rows 20000")
        self.assert_exact(report)
        self.assertTrue({"shuffle", "shuffle-tasks"} <= {key[1] for key in report.activities()})
        self.assert_nothing_lost(report)


if __name__ == "__main__":
    main()
