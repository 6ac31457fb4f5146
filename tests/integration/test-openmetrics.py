#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The exporter openmetrics: read by the parser of Prometheus' own Python client, its values are those of the JSON report."""

import json
import lzma
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

from closeness import HANG
from leftovers import Tidy
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.parser import text_string_to_metric_families as classic_families
from running import kill, wait_until

GOLDENS = pathlib.Path(__file__).resolve().parent.parent / "data" / "goldens"
SAMPLE = re.compile(r'(\w+)\{run="([^"]*)"(.*)\} (\S+)(?: (\S+))?')


GRAFANA = pathlib.Path(__file__).resolve().parents[2] / "data" / "grafana" / "roast.json"
DASK_PYTHON = os.environ.get("ROAST_DASK_PYTHON", "/usr/bin/python3")
# Runs until the file "end" is there, with tasks of Dask, and chunks of events that it reports.
PROGRAM = """
import json, os, socket, time
from dask.distributed import Client, LocalCluster

def task(i):
    time.sleep(0.05)

def hold():
    while not os.path.exists("go"):
        time.sleep(0.05)

def report(connection, line):
    connection.sendall(json.dumps(line).encode() + b"\\n")

if __name__ == "__main__":
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(os.environ["ROAST_SOCKET"])
    report(connection, {"roast": 2, "token": os.environ["ROAST_TOKEN"], "program": "test"})
    report(connection, {"table": "chunks", "columns": ["dataset", "events", "started", "ended"]})
    with LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=":0") as cluster, Client(cluster) as client:
        held = client.map(lambda i: hold(), range(5), pure=False)
        client.gather(held)
        while not os.path.exists("end"):
            started = time.time_ns() // 1000
            client.gather(client.map(task, range(20), pure=False))
            report(connection, ["chunks", "data", 1000, started, time.time_ns() // 1000])
"""


def find_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def find_children(pid, name):
    """The processes below one that have that name."""
    pids = [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    found = [child for child in pids if pathlib.Path(f"/proc/{child}/comm").read_text() == name + "\n"]
    return found + [grandchild for child in found for grandchild in find_children(child, name)]


def get(url, **headers):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=HANG) as answer:
        return answer.read().decode()


def answers(url):
    """What it answers; None if nobody listens."""
    try:
        return get(url)
    except urllib.error.HTTPError as error:
        return str(error)
    except OSError:
        return None


class OpenMetrics(Tidy):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        super().setUp()  # programs read the file "end" until they have ended

    def call(self, *command, status=0):
        result = subprocess.run(command, capture_output=True, text=True, timeout=240, cwd=self.directory, check=False,
                                env=os.environ | {"ROAST_RUNS": str(self.directory / "runs")})
        self.assertEqual(result.returncode, status, result.stderr)

    def export(self, run):
        """The text with times and without, and the JSON report."""
        self.call("roast-report", "-e", "openmetrics:times", "-e", "openmetrics:plain,timestamps=false,workers=true", "-e", "json:json", run)
        return (self.directory / "times").read_text(), (self.directory / "plain").read_text(), json.loads((self.directory / "json").read_text())

    def check(self, times, plain, report):
        families = {family.name: family for family in classic_families(plain)}
        samples = [sample for family in families.values() for sample in family.samples]
        self.assertLessEqual(len([sample for sample in samples if "worker" not in sample.labels]), 300)
        values = {sample.name: sample.value for sample in samples
                  if set(sample.labels) == {"run"} and sample.name != "roast_run_info"}
        incomplete = {sample.labels["metric"]: sample.labels["completeness"] for sample in families["roast_incomplete"].samples}
        compared = 0
        for name, metric in report["metrics"].items():
            if "roast_" + name not in values:
                continue
            compared += 1
            self.assertAlmostEqual(values["roast_" + name], metric["value"], delta=1e-9 * abs(metric["value"]), msg=name)
            self.assertEqual(incomplete.get("roast_" + name, "complete"), metric["completeness"], name)
        available = [name for name, metric in report["metrics"].items() if isinstance(metric.get("value"), (int, float))]
        self.assertGreaterEqual(compared, 0.9 * len(available) - 12)  # without those of old definitions
        self.assertEqual(compared, len(values))
        core = sum(sample.value for sample in families["roast_core_seconds"].samples) if "roast_core_seconds" in families else 0
        table = report["report_tables"].get("core_time", {"data": {"core_seconds": [], "window": []}})["data"]
        self.assertAlmostEqual(core, sum(seconds for seconds, window in zip(table["core_seconds"], table["window"]) if window == "run"), places=6)
        # With times: the same samples, and series whose times only grow. (The client's parser compares times of one second wrongly.)
        self.assertTrue(times.endswith("# EOF\n"))
        last = {}
        for name, _, labels, value, time in (SAMPLE.fullmatch(line).groups() for line in times.splitlines() if not line.startswith("#")):
            float(value)
            self.assertGreater(float(time), last.get((name, labels), 0), name + labels)
            last[name, labels] = float(time)
        self.assertLessEqual(len(last), 304)
        return families, last

    def test_recordings(self):
        for name in "dask-newest-retried", "taskvine-run-coffea", "coffea-iterative", "local-healthy", "local-supervisor-killed":
            with self.subTest(name):
                run = self.directory / f"{name}.roast"
                run.write_bytes(lzma.decompress((GOLDENS / f"{name}.roast.xz").read_bytes()))
                families, last = self.check(*self.export(run))
                self.assertEqual("roast_per_worker_tasks" in families, name.startswith(("dask", "taskvine")))
                self.assertEqual(any(series == "roast_running_attempts" for series, _ in last), name.startswith(("dask", "taskvine")))

    def test_many_categories(self):
        """At most 300 series for any number of categories. Those beyond the limit are added up, as are several roles of one."""
        start = 1795256886000000
        lines = [{"roast-stream": 1, "version": "0.9.0"}, {"metadata": "started", "value": f"int64 {start}"},
                 {"metadata": "ended", "value": f"int64 {start + 9000000}"}]
        lines += [{"table": "sources", "columns": ["source", "backend"]}, ["sources", "dask-1", "dask"]]
        lines += [{"table": "workers", "columns": ["source", "worker", "cores", "joined"]}, ["workers", "dask-1", "w", 4, start]]
        columns = ["source", "task", "attempt", "category", "role", "worker", "submitted", "started", "ended", "status"]
        lines += [{"table": "tasks", "columns": columns}]
        lines += [["tasks", "dask-1", f"t{i}", 1, f"c{i % 200}", "analysis" if i % 3 else "framework", "w", start, start + 1000 * i,
                   start + 1000 * i + 700, "done"] for i in range(800)]
        (self.directory / "stream").write_text("".join(json.dumps(line) + "\n" for line in [*lines, {"end": True}]))
        self.call("roast-report", "import", "--save=many.roast", "stream")
        families, _ = self.check(*self.export(self.directory / "many.roast"))
        tasks = {sample.labels["category"]: sample.value for sample in families["roast_per_category_tasks"].samples}
        self.assertEqual(len(tasks), 16)
        self.assertEqual(sum(tasks.values()), 800)
        self.assertEqual(tasks["other"], 800 - 15 * 4)

    def test_hostile_names(self):
        """Texts of a program are labels, whatever is in them."""
        argument = 'a"b\\c\nd} 1\n# EOF\r\u00e4'
        self.call("roast-run", "-q", "--save=run", "-e", "json:/dev/null", "--", "true", argument)
        families, _ = self.check(*self.export("run"))
        self.assertEqual(families["roast_run_info"].samples[0].labels["command"], "true " + argument.replace("\r", " "))

    # ---- while the run goes on ----

    def start(self, *command):
        process = subprocess.Popen(command, cwd=self.directory, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True, env=os.environ | {"ROAST_RUNS": str(self.directory / "runs")})
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(kill, process.pid)
        return process

    def start_run(self, *options):
        return self.start("roast-run", "-q", *options, "--", "sh", "-c", "until test -e end; do sleep 0.05; done")

    def end(self, process):
        """Lets the program end; returns what roast-run said."""
        (self.directory / "end").touch()
        error = process.communicate(timeout=HANG)[1]
        self.assertEqual(process.returncode, 0, error)
        return error

    def test_dashboard(self):
        """A real Prometheus reads a run of Dask that goes on; each panel of the dashboard shows something."""
        (self.directory / "program.py").write_text(PROGRAM)
        (self.directory / "token").write_text("secret\n")
        port, own = find_port(), find_port()
        run = self.start("roast-run", "-q", "-e", f"openmetrics,listen=127.0.0.1:{port},every=1,token-file=token", "-e", "json:report.json",
                         "--", DASK_PYTHON, "program.py")
        (self.directory / "prometheus.yml").write_text(f"""
scrape_configs:
  - job_name: roast
    scrape_interval: 1s
    authorization: {{credentials_file: {self.directory}/token}}
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
""")
        self.start("prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data", f"--web.listen-address=127.0.0.1:{own}",
                   "--log.level=error")
        wait_until(lambda: "Ready" in (answers(f"http://127.0.0.1:{own}/-/ready") or ""))

        def query(expression):
            expression = expression.replace("$run", ".*").replace("$__rate_interval", "30s")
            answer = json.loads(get(f"http://127.0.0.1:{own}/api/v1/query?" + urllib.parse.urlencode({"query": expression})))
            self.assertEqual(answer["status"], "success")
            return answer["data"]["result"]

        # Tasks that have not ended are counted too: no more run, and no less wait, than the scheduler says.
        wait_until(lambda: [sum(float(one["value"][1]) for one in query(f"roast_{state}_attempts")) for state in ("running", "waiting")] in
                   ([2, 3], [3, 2], [4, 1], [5, 0]))
        (self.directory / "go").touch()
        for panel in json.loads(GRAFANA.read_text())["panels"]:
            for target in panel["targets"]:
                with self.subTest(panel["title"], expr=target["expr"]):
                    wait_until(lambda expression=target["expr"]: query(expression))
        done = query("max_over_time(roast_tasks_done_total[1h])")[0]["value"][1]
        for path, status in ("metrics", "401"), ("", "404"):
            with self.assertRaisesRegex(urllib.error.HTTPError, status):
                get(f"http://127.0.0.1:{port}/{path}")
        text = get(f"http://127.0.0.1:{port}/metrics", Authorization="Bearer secret")
        self.assertLessEqual(sum(len(family.samples) for family in text_string_to_metric_families(text)), 300)
        self.assertEqual(self.end(run), "")
        report = json.loads((self.directory / "report.json").read_text())
        self.assertGreaterEqual(report["metrics"]["tasks_done_total"]["value"], float(done))
        self.assertIsNone(answers(f"http://127.0.0.1:{port}/"))

    def test_text_file(self):
        """A real node_exporter reads the file, while the run goes on and afterwards."""
        (self.directory / "texts").mkdir()
        own, file = find_port(), self.directory / "texts" / "roast.prom"
        run = self.start_run("-e", "openmetrics:texts/roast.prom,every=1", "-e", "json:report.json")
        self.start("prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
                   "--collector.textfile.directory=texts", f"--web.listen-address=127.0.0.1:{own}")
        url = f"http://127.0.0.1:{own}/metrics"
        wait_until(lambda: "roast_elapsed_time_seconds{" in (answers(url) or ""))
        first = file.read_text()
        wait_until(lambda: file.read_text() != first)
        self.assertNotIn("report.json", os.listdir(self.directory))
        self.assertEqual(self.end(run), "")
        text = get(url)
        self.assertIn("node_textfile_scrape_error 0\n", text)
        value = json.loads((self.directory / "report.json").read_text())["metrics"]["elapsed_time_seconds"]["value"]
        samples = [sample.value for family in classic_families(text) for sample in family.samples if sample.name == "roast_elapsed_time_seconds"]
        self.assertAlmostEqual(samples[0], value)
        self.assertEqual(os.listdir(self.directory / "texts"), ["roast.prom"])

    def test_page(self):
        """The exporter html does so, too: browsers load the page again until the run has ended."""
        run = self.start_run("-e", "html:page.html,every=1")
        page = self.directory / "page.html"
        wait_until(lambda: page.exists() and "still running" in page.read_text())
        self.assertIn('<meta http-equiv="refresh" content="1">', page.read_text())
        self.assertEqual(self.end(run), "")
        self.assertNotIn("refresh", re.search("(?s)<head>.*?<title>", page.read_text())[0])
        self.assertIn("exit status 0", page.read_text())

    def test_follow(self):
        """Another process serves a run that goes on; nothing stays of it, and the socket of one that was killed is in nobody's way."""
        run = self.start_run("--save=run.roast")
        path = self.directory / "socket"
        with socket.socket(socket.AF_UNIX) as stale:
            stale.bind(str(path))
        wait_until((self.directory / "run.roast").exists)
        follower = self.start("roast-report", "--follow", "-e", "openmetrics,listen=unix:socket", "run.roast")

        def ask():
            with socket.socket(socket.AF_UNIX) as connection:
                try:
                    connection.connect(str(path))
                except OSError:
                    return ""
                connection.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
                return b"".join(iter(lambda: connection.recv(65536), b"")).decode()

        wait_until(lambda: "roast_elapsed_time_seconds{" in ask())
        self.end(run)
        self.assertEqual(follower.communicate(timeout=HANG)[1], "")
        self.assertEqual(follower.returncode, 0)
        self.assertFalse(path.exists())

    def test_killed(self):
        """If all of roast-run is killed, what serves the run ends, too."""
        url = f"http://127.0.0.1:{find_port()}/metrics"
        run = self.start_run("--save=run.roast", "-e", f"openmetrics,listen={url[7:-8]}")
        wait_until(lambda: answers(url))
        for process in [run.pid, *find_children(run.pid, "roast-run")]:
            kill(process)
        wait_until(lambda: answers(url) is None)
        (self.directory / "end").touch()

    def test_wrong(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            run = self.start_run("--save=run.roast", "-e", f"openmetrics,listen=127.0.0.1:{port}", "-e", "json:report.json")
            self.assertRegex(run.stderr.readline(), f"roast-report: openmetrics cannot listen on 127.0.0.1:{port}: .*in use")
            self.end(run)
            self.assertTrue((self.directory / "report.json").exists())
        for options, wrong in (("every=-1", "every=-1: must be a number"), ("listen=localhost", "must be 127.0.0.1:PORT"),
                               ("listen=0.0.0.0:9000", "other machines could read"), ("token-file=none", "No such file"),
                               ("listen=unix:", "must be 127.0.0.1:PORT")):
            with self.subTest(options):
                result = subprocess.run(["roast-report", "-e", f"openmetrics:x,{options}", "run.roast"], capture_output=True, text=True,
                                        timeout=HANG, cwd=self.directory, check=False)
                self.assertEqual(result.returncode, 1)
                self.assertIn(wrong, result.stderr)
                # Before the program is started.
                result = subprocess.run(["roast-run", "-e", f"openmetrics:x,{options}", "touch", "started"], capture_output=True, text=True,
                                        timeout=HANG, cwd=self.directory, check=False)
                self.assertEqual(result.returncode, 125)
                self.assertIn(wrong, result.stderr)
                self.assertFalse((self.directory / "started").exists())


if __name__ == "__main__":
    unittest.main()
