#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Joining a Dask scheduler that already runs: by URL, by its address, by roast-attach; and a scheduler that the script did not start."""

import json
import os
import signal
import socket
import subprocess
import sys
import time

from daskrun import HERE, PYTHON, DaskTest, Report, environment, main, shift_clock  # isort: skip (it finds the other modules)
from closeness import assert_near, before_release  # isort: skip
from leftovers import descendants  # isort: skip
from running import count_rows, wait_until  # isort: skip

SCRIPT = """
import sys
from distributed import Client
from analysis import work
if __name__ == "__main__":
    with Client(sys.argv[1]) as client:
        print("done", len(client.gather(client.map(work, range(int(sys.argv[2])), pure=False))))
"""


class Attach(DaskTest):
    def setUp(self):
        super().setUp()
        self.file = os.path.join(self.directory, "user.py")
        with open(self.file, "w") as file:
            file.write(SCRIPT)

    def start(self, command, **more):
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   cwd=self.directory, **more)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def start_cluster(self, *options, env=None, nanny=False, ahead=None):
        """A scheduler and a worker, as a batch system starts them: they know nothing of roast."""
        file = os.path.join(self.directory, "scheduler.json")
        env = env or environment()
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": env, "cwd": self.directory}
        self.scheduler = subprocess.Popen([PYTHON, "-m", "distributed.cli.dask_scheduler", "--scheduler-file", file, "--port", "0",
                                           "--dashboard-address", "127.0.0.1:0", *options], **quiet | {"env": env | (ahead or {})})
        self.worker = subprocess.Popen([PYTHON, "-m", "distributed.cli.dask_worker", "--scheduler-file", file, "--nthreads", "1",
                                        "--nanny" if nanny else "--no-nanny", "--dashboard-address", "127.0.0.1:0",
                                        "--death-timeout", "240"], **quiet)
        for process in (self.scheduler, self.worker):
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
        end = time.monotonic() + 240
        while not os.path.exists(file) or not os.path.getsize(file):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        with open(file) as content:
            self.info = json.load(content)
        self.address = self.info["address"]
        self.port = self.info["services"]["dashboard"]

    def compute(self, n):
        result = subprocess.run([PYTHON, self.file, self.address, str(n)], env=environment(), capture_output=True, text=True, timeout=240)
        self.assertEqual(result.returncode, 0, result.stderr)

    def await_readers(self, number=1):
        result = subprocess.run(self.script("await-readers.py", self.address, number), env=environment(),
                                capture_output=True, text=True, timeout=240)
        self.assertEqual(result.returncode, 0, result.stderr)

    def attach(self, command, env, n=10):
        """Attaches, lets somebody compute, and ends with Ctrl-C."""
        path = os.path.join(self.directory, "report.json")
        process = self.start([*command, "-e", "json:" + path], env=env)
        self.await_readers()
        self.compute(n)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=240)
        self.assertEqual(process.returncode, 0, out + err)
        return Report(path, "dask")

    def assert_counted(self, report, n):
        work = [row for row in report.rows("tasks") if row["category"] == "work"]
        self.assertEqual(len(work), n)
        self.assertEqual(report.events("scheduler-lost"), [])
        if self.has_fine:
            self.assertGreaterEqual(report.total("thread-cpu", category="work"), n * 0.03)
            assert_near(self, report.total("thread-cpu", category="work"), n * 0.03, n * 0.003)

    def test_scheduler_of_somebody_else(self):
        """roast-run on a script whose Client goes to a scheduler elsewhere: what was done before does not count."""
        self.start_cluster()
        self.compute(6)
        report = self.roast_run([PYTHON, self.file, self.address, "10"])
        self.assertEqual(self.result.stderr.count("roast: "), 0)
        self.assert_counted(report, 10)
        self.assertNotIn("left", report.rows("workers")[0])
        # And once more, with the probe in it already.
        self.assert_counted(self.roast_run([PYTHON, self.file, self.address, "7"]), 7)

    def test_scheduler_with_another_clock(self):
        """Its times are shifted to the clock of roast's machine: tasks ran while the user's program did."""
        self.start_cluster("--preload", self.preload(), env=environment(ROAST_TOKEN="secret"), ahead=shift_clock(20))
        url = f"http://127.0.0.1:{self.port}"
        ways = {
            "relay": lambda: self.roast_run([PYTHON, self.file, self.address, "3"]),
            "HTTP": lambda: self.attach(["roast-run", "--backend=dask", "--attach=" + url], environment(ROAST_TOKEN="secret"), n=3),
        }
        for way, measure in ways.items():
            with self.subTest(way=way):
                began = time.time()
                report = measure()
                ended = time.time()
                source = next(row for row in report.rows("sources") if row["backend"] == "dask")
                uncertainty = source["clock_uncertainty"]
                self.assertLessEqual(abs(source["clock_offset"] - 20), uncertainty)
                times = [row[name] / 1e6 for row in report.rows("tasks") for name in ("submitted", "started", "ended")]
                self.assertEqual(len(times), 9)
                self.assertGreaterEqual(min(times), began - uncertainty)
                self.assertLessEqual(max(times), ended + uncertainty)

    def test_what_hangs(self):
        """Tasks that run when roast leaves are not idle time, and those that wait may still run."""
        self.start_cluster()
        user = subprocess.Popen(self.script("hung.py", self.address), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                env=environment())
        self.addCleanup(user.wait)
        self.addCleanup(user.kill)
        self.addCleanup(user.stdin.close)
        sent, waiting = map(int, user.stdout.readline().split())
        user.stdout.close()
        path = os.path.join(self.directory, "report.json")
        process = self.start(["roast-attach", self.address, "--", "-e", "json:" + path], env=environment(ROAST_PYTHON=PYTHON))
        self.await_readers()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=240)
        self.assertEqual(process.returncode, 0, out + err)
        report = Report(path, "dask")
        rows = [row for row in report.rows("tasks") if row["category"] == "hang"]
        self.assertEqual(sorted(row["status"] for row in rows), ["running"] * sent + ["waiting"] * waiting)
        self.assertEqual(sum("started" in row for row in rows), 1)
        counts = {name: report.metrics[f"tasks_{name}_total"]["value"] for name in ("submitted", "unfinished", "waiting", "never_ran")}
        self.assertEqual(counts, {"submitted": 6, "unfinished": sent, "waiting": waiting, "never_ran": 0})
        # The worker has one thread.
        sample = [row for row in report.rows("cluster_samples") if "tasks_executing" in row][-1]
        self.assertEqual((sample["tasks_executing"], sample["tasks_queued"]), (1, 5))
        # The only slot is taken all the time.
        parts = {row["part"] for row in report.rows("core_time") if row["window"] == "run"}
        self.assertEqual(parts, {"task.running"})

    def inventory(self):
        """All entries in scheduler, workers and nannies by which somebody could have put something there."""
        result = subprocess.run(self.script("inventory.py", self.address), env=environment(), capture_output=True, text=True, timeout=240)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def wait_for_inventory(self, wanted):
        """A reader leaves a moment before what it brought is gone."""
        end = time.monotonic() + 240
        found = self.inventory()
        while found != wanted and time.monotonic() < end:
            found = self.inventory()
        self.assertEqual(found, wanted)

    def test_nothing_stays(self):
        """Each way to attach, and a script, leave scheduler, worker and nanny as they were."""
        self.start_cluster(nanny=True)
        self.compute(2)
        before = self.inventory()
        self.assertNotIn("roast", json.dumps(before))
        self.assert_counted(self.attach(["roast-attach", self.address, "--"], environment(ROAST_PYTHON=PYTHON)), 10)
        self.wait_for_inventory(before)
        self.assert_counted(self.attach(["roast-run", f"--backend=dask,python={PYTHON}", "--attach=" + self.address], environment(), n=5), 5)
        self.wait_for_inventory(before)
        self.assert_counted(self.roast_run([PYTHON, self.file, self.address, "6"]), 6)
        self.wait_for_inventory(before)

    @before_release
    def test_two_readers(self):
        """The first one to leave takes nothing from the other, also if that one is of the other kind."""
        self.start_cluster()
        before = self.inventory()
        command = ["roast-run", f"--backend=dask,python={PYTHON}", "--attach=" + self.address, "-e"]
        first = self.start([*command, "json:" + os.path.join(self.directory, "first.json")], env=environment())
        second = self.start(["roast-attach", self.address, "--", "-e", "json:" + os.path.join(self.directory, "second.json")],
                            env=environment(ROAST_PYTHON=PYTHON))
        self.await_readers(2)
        self.compute(4)
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=240)
        self.compute(6)
        self.assertIn("roast", json.dumps(self.inventory()))
        second.send_signal(signal.SIGINT)
        second.communicate(timeout=240)
        self.assertEqual((first.returncode, second.returncode), (0, 0))
        self.assert_counted(Report(os.path.join(self.directory, "first.json"), "dask"), 4)
        self.assert_counted(Report(os.path.join(self.directory, "second.json"), "dask"), 10)
        self.wait_for_inventory(before)

    def call_remove(self):
        return subprocess.run(["roast-attach", "--remove", self.address], env=environment(ROAST_PYTHON=PYTHON), capture_output=True, text=True,
                              timeout=240)

    def remove(self, status):
        result = self.call_remove()
        self.assertEqual(result.returncode, status, result.stderr)
        return result.stdout + result.stderr

    def test_remove(self):
        """What a killed reader left behind, once it is forgotten; not from a reader that lives."""
        self.start_cluster()
        before = self.inventory()
        process = self.start(["roast-run", f"--backend=dask,python={PYTHON}", "--attach=" + self.address], env=environment())
        self.await_readers()
        self.assertIn("1 other reader(s)", self.remove(125))
        # None of them may see another one's end, and take leave.
        reader = [process.pid, *(pid for pid, _ in descendants(process.pid))]
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in reader:
                os.kill(pid, number)
        self.assertIn("roast", json.dumps(self.inventory()))
        end = time.monotonic() + 240
        while (result := self.call_remove()).returncode != 0:
            self.assertLess(time.monotonic(), end, result.stderr)
            time.sleep(0.5)
        self.assertIn("no probe of roast is left in " + self.address, result.stdout + result.stderr)
        self.wait_for_inventory(before)
        # And where there was nothing.
        self.remove(0)
        self.wait_for_inventory(before)

    @before_release
    def test_shared_scheduler(self):
        """Somebody else uses it at the same time: that is said."""
        self.start_cluster()
        waiting = os.path.join(self.directory, "waiting.py")
        with open(waiting, "w") as file:
            file.write("import sys\nfrom distributed import Client\nclient = Client(sys.argv[1])\nprint('here', flush=True)\nsys.stdin.read()\n")
        other = subprocess.Popen([PYTHON, waiting, self.address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                 env=environment())
        self.assertEqual(other.stdout.readline(), "here\n")
        report = self.roast_run([PYTHON, self.file, self.address, "4"])
        other.communicate("")
        self.assertIn("1 other client(s)", report.events("shared-scheduler")[0])
        self.assert_counted(report, 4)

    @before_release
    def test_by_address(self):
        self.start_cluster()
        self.compute(4)
        report = self.attach(["roast-run", f"--backend=dask,python={PYTHON}", "--attach=" + self.address], environment())
        self.assert_counted(report, 10)

    @before_release
    def test_roast_attach(self):
        self.start_cluster("--dashboard-prefix", "some/where")
        self.compute(4)
        report = self.attach(["roast-attach", self.address, "--"], environment(ROAST_PYTHON=PYTHON))
        self.assert_counted(report, 10)

    def preload(self):
        return next(os.path.join(directory, "dask-scheduler.py") for directory in os.environ["ROAST_PLUGIN_PATH"].split(":")
                    if os.path.exists(os.path.join(directory, "dask-scheduler.py")))

    def test_preloaded_scheduler_by_url(self):
        self.start_cluster("--preload", self.preload(), env=environment(ROAST_TOKEN="secret"))
        url = f"http://127.0.0.1:{self.port}/status"
        report = self.attach(["roast-run", "--backend=dask", "--attach=" + url], environment(ROAST_TOKEN="secret"))
        self.assert_counted(report, 10)
        for token, words in (("wrong", "refuses the token"), ("", "set ROAST_TOKEN")):
            result = subprocess.run(["roast-run", "--backend=dask", "--attach=" + url], env=environment(ROAST_TOKEN=token), capture_output=True,
                                    text=True, timeout=240)
            self.assertEqual(result.returncode, 125)
            self.assertIn(words, result.stderr)

    def test_tls(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"], cwd=self.directory, check=True,
                       capture_output=True)
        cert = os.path.join(self.directory, "cert.pem")
        tls = "DASK_DISTRIBUTED__SCHEDULER__DASHBOARD__TLS__"
        self.start_cluster("--preload", self.preload(), env=environment(ROAST_TOKEN="secret", **{
            tls + "CERT": cert, tls + "KEY": os.path.join(self.directory, "key.pem"), tls + "CA_FILE": cert}))
        url = f"https://127.0.0.1:{self.port}"
        report = self.attach(["roast-run", f"--backend=dask,ca-file={cert}", "--attach=" + url], environment(ROAST_TOKEN="secret"))
        self.assert_counted(report, 10)

    def follow(self, name, *command):
        """Returns the process, and the files of its run and of its report."""
        run, path = (os.path.join(self.directory, name + suffix) for suffix in (".roast", ".json"))
        return self.start([*command, "--save=" + run, "-e", "json:" + path], env=environment(ROAST_PYTHON=PYTHON)), run, path

    def test_scheduler_that_dies(self):
        """The measurement ends by itself, and keeps what came before."""
        self.start_cluster()
        readers = [self.follow("client", "roast-run", f"--backend=dask,python={PYTHON}", "--attach=" + self.address),
                   self.follow("http", "roast-attach", self.address, "--")]
        self.await_readers(2)
        self.compute(5)
        for _, run, _ in readers:
            wait_until(lambda run=run: count_rows(run, "tasks") == 5)
        self.scheduler.kill()
        for process, _, path in readers:
            _, err = process.communicate(timeout=240)
            self.assertEqual(process.returncode, 0)
            self.assertNotIn("Traceback", err)
            report = Report(path, "dask")
            self.assertEqual(len([row for row in report.rows("tasks") if row["category"] == "work"]), 5)
            said = " ".join(report.events("relay") + report.events("connection"))
            self.assertIn("has not answered for 15 s: the measurement ends", said)

    @before_release
    def test_scheduler_that_starts_again(self):
        """At the same address, soon enough: the measurement goes on."""
        self.start_cluster()
        process, run, path = self.follow("client", "roast-run", f"--backend=dask,python={PYTHON}", "--attach=" + self.address)
        self.await_readers()
        self.compute(5)
        wait_until(lambda: count_rows(run, "tasks") == 5)
        self.scheduler.kill()
        os.unlink(os.path.join(self.directory, "scheduler.json"))
        self.start_cluster("--port", self.address.rpartition(":")[2])
        self.await_readers()
        self.compute(3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=240)
        self.assertEqual(process.returncode, 0)
        rows = [row["source"] for row in Report(path, "dask").rows("tasks") if row["category"] == "work"]
        self.assertEqual((rows.count("dask-1"), rows.count("dask-2")), (5, 3))

    @before_release
    def test_scheduler_that_closes(self):
        self.start_cluster("--preload", self.preload(), env=environment(ROAST_TOKEN="secret"))
        path = os.path.join(self.directory, "report.json")
        process = self.start(["roast-run", "--backend=dask", f"--attach=http://127.0.0.1:{self.port}", "-e", "json:" + path],
                             env=environment(ROAST_TOKEN="secret"))
        self.await_readers()
        self.compute(5)
        self.scheduler.terminate()
        process.communicate(timeout=240)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(len([row for row in Report(path, "dask").rows("tasks") if row["category"] == "work"]), 5)

    def test_nobody_there(self):
        result = subprocess.run(["roast-attach", "--timeout", "2", "tcp://127.0.0.1:1"], env=environment(ROAST_PYTHON=PYTHON), capture_output=True,
                                text=True, timeout=240)
        self.assertEqual(result.returncode, 125)
        self.assertIn("no scheduler answers at tcp://127.0.0.1:1", result.stderr)

    def test_silent(self):
        """Something listens and does not answer: roast-attach says that it waits, and ends at Ctrl-C without a traceback."""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = "tcp://127.0.0.1:%d" % silent.getsockname()[1]
            process = self.start(["roast-attach", "--timeout=240", address], env=environment(ROAST_PYTHON=PYTHON))
            self.assertEqual(process.stderr.readline(), "roast-attach: waiting up to 240 s for the scheduler at %s\n" % address)
            process.send_signal(signal.SIGINT)
            _, rest = process.communicate(timeout=240)
        self.assertEqual((rest, process.returncode), ("", 130))

    def test_python_without_dask(self):
        env = environment(ROAST_PYTHON=sys.executable, PYTHONPATH="")
        result = subprocess.run(["sh", "-c", "exec roast-attach tcp://h:1"], env=env | {"ROAST_PYTHON": self.without_dask()},
                                capture_output=True, text=True, timeout=240)
        self.assertEqual(result.returncode, 125)
        self.assertIn("has no Dask", result.stderr)

    def without_dask(self):
        path = os.path.join(self.directory, "python-without")
        with open(path, "w") as file:
            file.write("#!/bin/sh\nexec /usr/bin/python3 -S -I \"$@\"\n")
        os.chmod(path, 0o755)
        return path


class Spans(DaskTest):
    """Spans that an application opens: differences of what was told at two moments, whatever Dask makes of them."""

    def test_windows(self):
        if not self.has_fine:
            return
        go, gone = os.path.join(self.directory, "go"), os.path.join(self.directory, "gone")
        script = os.path.join(self.directory, "steps.py")
        with open(script, "w") as file:
            file.write("import os, sys, time\nfrom distributed import Client, LocalCluster\nfrom analysis import work\n"
                       "if __name__ == '__main__':\n"
                       " with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=':0') as c, Client(c) as k:\n"
                       "  k.gather(k.map(work, range(5), pure=False)); open(sys.argv[2], 'w').close()\n"
                       "  while not os.path.exists(sys.argv[1]): time.sleep(0.02)\n"
                       "  k.gather(k.map(work, range(10), pure=False)); os.unlink(sys.argv[2])\n"
                       "  while os.path.exists(sys.argv[1]): time.sleep(0.02)\n"
                       "  k.gather(k.map(work, range(3), pure=False))\n")
        application = os.path.join(self.directory, "application.py")
        with open(application, "w") as file:
            file.write("import gi, json, os, sys, time\ngi.require_version('Roast', '1')\nfrom gi.repository import Roast\n"
                       "python, script, go, gone = sys.argv[1:]\n"
                       "session = Roast.Session(backend='dask')\nsession.launch([python, script, go, gone])\n"
                       "while not os.path.exists(gone): time.sleep(0.02)\n"
                       "with session.span('middle'):\n open(go, 'w').close()\n while os.path.exists(gone): time.sleep(0.02)\n"
                       "os.unlink(go)\nsession.wait()\n"
                       "t = session.table('span_activities')\n"
                       "rows = list(zip(t['span'], t['context'], t['category'], t['activity'], t['value']))\n"
                       "print(json.dumps([list(map(str, row[:4])) + [float(row[4])] for row in rows]))\n")
        env = dict(os.environ, PYTHONPATH=os.environ.get("PYTHONPATH", "") + ":" + os.path.join(HERE, "scripts"))
        result = subprocess.run(["/usr/bin/python3", application, PYTHON, script, go, gone], env=env, capture_output=True, text=True, timeout=240)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = json.loads(result.stdout.splitlines()[-1])
        cpu = sum(row[4] for row in rows if row[0] == "middle" and row[2] == "work" and row[3] == "thread-cpu")
        self.assertGreaterEqual(cpu, 10 * 0.03)
        assert_near(self, cpu, 10 * 0.03, 0.02)


class Coffea(DaskTest):
    @before_release
    def test_processor(self):
        """A real processor over real files, whose name Dask cuts: it is told from the framework all the same."""
        if subprocess.run([PYTHON, "-c", "import coffea, uproot"], capture_output=True).returncode != 0:
            self.assertEqual(PYTHON, "/usr/bin/python3", "the environment for the newest Dask has coffea: scripts/make-dask-venv")
            return
        name = "AVeryLongNameOfAProcessorThatDaskCutsAfterFiftyCharacters"
        report = self.roast_run(self.script("physics.py", self.directory), backend="dask,processor=" + name)
        self.assertIn("events 100000", self.result.stdout)
        kinds = {row["category"]: row for row in report.rows("per_category")}
        analysis = [row for row in kinds.values() if row["role"] == "analysis"]
        self.assertEqual([(row["category"], row["tasks"]) for row in analysis], [(name[:50], 10)])
        self.assertEqual(kinds["reduce"]["role"], "framework")
        cpu = report.total("thread-cpu", category=name[:50], context="execute")
        metrics = {metric["name"]: metric for metric in report.metrics} if isinstance(report.metrics, list) else report.metrics
        self.assertAlmostEqual(metrics["processor_cpu_time_seconds"]["value"], cpu, places=9)


if __name__ == "__main__":
    main()
