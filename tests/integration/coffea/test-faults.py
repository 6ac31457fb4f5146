# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong in an analysis, in its workers or in roast: the script ends as without roast, and the report says what is known."""

import os
import re
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from closeness import before_release
from coffearun import ALL_EVENTS, ANALYSIS, DATASETS, LAST, PYTHON, CoffeaTest, Files, clean, total
from leftovers import Part
from report import Report
from running import wait_until

OURS = re.compile(r'  File "(?:[^"]*/coffea-(?:hook|worker)\.py|<roast>)".*\n(?:    .*\n)*')


def read_command(pid):
    with open(f"/proc/{pid}/comm") as file:
        return file.read().strip()


def tearDownModule():
    Files.remove()


class TestFaults(CoffeaTest):
    def test_exception(self):
        options = {"fail": f"{LAST}:0", "executor": "futures", "pool": "fork"}
        bare = self.run_bare(**options)
        run = self.run_measured(**options)
        self.assertEqual((run.status, bare[1]), (1, 1))
        self.assertEqual(run.stderr.splitlines()[-1].partition("fileuuid")[0], bare[3].splitlines()[-1].partition("fileuuid")[0])
        failed = run.chunks(dataset=LAST, entry_start=0)
        self.assertNotEqual(failed, [])
        for row in failed:
            self.assertEqual((row["error"], row["error_message"]), ("ValueError", f"no chunk {LAST}:0"))
        self.assertIs(run.call()["confirmed"], False)
        self.assertEqual((run.call()["error"], run.call()["error_message"][:22]), ("Exception", "Failed processing file"))
        self.assertEqual(run.confirmed(), [])
        self.check_at_least(run)

    def check_at_least(self, run):
        """No result came back: what was processed counts, and more may have been."""
        done = run.chunks(error=None)
        self.assertEqual(run.metrics["events_total"]["value"], total(done, "events"))
        self.assertEqual(run.metrics["events_total"]["completeness"], "partial")
        self.assertIn("no result came back", run.metrics["events_total"]["note"])

    def test_traceback(self):
        """It is that of the bare script and at most three lines of roast's, in each of the exceptions that are chained."""
        options = {"fail": "all"}
        bare, run = self.run_bare(**options), self.run_measured(**options)
        self.assertEqual((run.status, bare[1]), (1, 1))
        for part in run.stderr.split("The above exception was"):
            self.assertLessEqual(len(OURS.findall(part)), 3)
        self.assertNotEqual(OURS.findall(run.stderr), [])
        self.assertEqual(OURS.sub("", run.stderr), bare[3])
        self.assertEqual([(row["error"], row["dataset"]) for row in run.chunks()], [("ValueError", "data")])

    @before_release
    def test_failures_of_workers(self):
        """Rows of failed attempts come with the error, or with the next result of their process."""
        run = self.run_measured(executor="futures", pool="bare", fail=f"{LAST}:0", retries=3)
        self.assertEqual((run.status, run.stderr.splitlines()[-1][:11]), (1, "Exception: "))
        failed = run.chunks(dataset=LAST, entry_start=0)
        self.assertEqual({(row["error"], row["chunk"][0]) for row in failed}, {("ValueError", "r")})
        self.assertEqual(len(failed) % 4, 0)
        self.assertGreaterEqual(len(failed), 4)
        self.assertEqual(len({row["chunk"] for row in failed}), len(failed))

    def test_skipped_chunks(self):
        """All but the first chunk of each file fail, and are skipped."""
        options = {"fail": "files", "skipbadfiles": 1}
        bare = self.run_bare(**options)
        n_files = 3 * len(DATASETS)
        for pool in ["loky", "bare"]:
            with self.subTest(pool=pool):
                run = self.run_measured(executor="futures", pool=pool, pre=1, **options)
                self.check_same(run, bare)
                done = run.chunks(error=None)
                self.assertEqual(sorted(run.confirmed()), sorted(row["chunk"] for row in done))
                self.assertEqual({row["entry_start"] for row in done}, {0})
                self.assertEqual(len(done), n_files)
                self.assertEqual(run.metrics["events_total"]["value"], total(done, "events"))
                self.assertEqual(run.metrics["chunks_skipped_total"]["value"], run.call()["items"] - n_files)
                failed = [row for row in run.chunks() if "error" in row]
                self.assertEqual({row["error"] for row in failed}, {"OSError"})
                # The last failures of a process have nothing to go with.
                check = self.assertEqual if pool == "loky" else self.assertGreater
                check(len(failed), run.call()["items"] - n_files if pool == "loky" else 0)

    @before_release
    def test_recovered(self):
        """An executor that gives back what was done before the error."""
        options = {"fail": f"{LAST}:0", "executor": "futures", "recoverable": 1, "workers": 1, "retries": 0}
        bare, run = self.run_bare(**options), self.run_measured(**options)
        self.assertEqual((run.status, bare[1]), (1, 1))
        confirmed = set(run.confirmed())
        if confirmed:
            self.assertIs(run.call()["confirmed"], True)
        done = [row for row in run.chunks() if row["chunk"] in confirmed]
        self.assertEqual(len(done), len(confirmed))
        self.assertEqual([row for row in done if "error" in row], [])
        self.assertIn("ValueError", {row.get("error") for row in run.chunks()})

    def test_killed_worker(self):
        """A pool of processes breaks: the call has no result."""
        options = {"kill": f"{LAST}:0", "executor": "futures", "pool": "fork"}
        run = self.run_measured(**options)
        self.assertEqual(run.status, 1)
        self.assertIn("BrokenProcessPool", run.stderr.splitlines()[-1])
        self.assertTrue(os.path.exists(os.path.join(run.directory, "killed")))
        self.assertEqual(run.call()["error"], "BrokenProcessPool")
        self.check_at_least(run)
        self.assertLess(run.metrics["events_total"]["value"], ALL_EVENTS)

    def test_retries(self):
        run = self.run_measured(fail="once", retries=3, executor="futures", pool="fork")
        if run.status != 0:
            self.skipTest("this coffea retries otherwise")
        failed = [row for row in run.chunks() if "error" in row]
        self.assertEqual([row["error"] for row in failed], ["OSError"])
        self.assertEqual(len(run.confirmed()), run.call()["items"])
        self.assertEqual(len(run.chunks()), run.call()["items"] + 1)
        counted = [row for row in run.chunks() if row["chunk"] in set(run.confirmed())]
        self.assertEqual(total(counted, "events"), ALL_EVENTS)
        self.assertEqual(run.metrics["events_total"]["value"], ALL_EVENTS)
        self.assertEqual(run.metrics["events_total"]["completeness"], "complete")

    @before_release
    def test_retried_in_vain(self):
        run = self.run_measured(fail="data:0", retries=3)
        if len(run.chunks()) == 1:
            self.skipTest("this coffea retries otherwise")
        self.assertEqual(run.status, 1)
        self.assertEqual([(row["error"], row["entry_start"]) for row in run.chunks()], [("ValueError", 0)] * 4)

    def test_bad_file(self):
        run = self.run_measured(bad=1, skipbadfiles=1)
        self.check_same(run, self.run_bare(bad=1, skipbadfiles=1))
        self.check_whole(run)
        failed = [row for row in run.files() if "error" in row]
        self.assertEqual([(row["error"], os.path.basename(row["file"])) for row in failed], [("FileNotFoundError", "missing.root")])

    @before_release
    def test_unpicklable(self):
        options = {"kind": "unpicklable", "executor": "futures"}
        bare, run = self.run_bare(**options), self.run_measured(**options)
        self.assertEqual((run.status, run.stderr.splitlines()[-1]), (bare[1], bare[3].splitlines()[-1]))
        self.assertIn("pickle", run.stderr.splitlines()[-1])

    def test_roast_killed(self):
        """In the middle of a chunk: the analysis goes on and has its result."""
        bare = self.run_bare()
        os.mkdir(self.path("measured"))
        process = self.start("-q", "--no-save", "--", PYTHON, ANALYSIS, self.files, f"wait={LAST}:0", cwd=self.path("measured"))
        self.addCleanup(lambda: self.touch("measured/go"))
        wait_until(lambda: os.path.exists(self.path("measured/begun")))
        with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
            children = [int(child) for child in file.read().split()]
        session = next(child for child in children if "roast-run" in read_command(child))
        os.kill(session, signal.SIGKILL)
        self.touch("measured/go")
        wait_until(lambda: os.path.exists(self.path("measured/result.pickle")))
        stdout, _ = process.communicate(timeout=240)
        self.assertEqual(clean(stdout), bare[2])
        self.assertEqual(process.returncode, 0)

    @before_release
    def test_report_after_kill(self):
        """The process that measures is killed: the script's result is right, and the report says that it ends early."""
        os.mkdir(self.path("measured"))
        process = self.start("--save=run.roast", "--", PYTHON, ANALYSIS, self.files, f"wait={LAST}:0", cwd=self.path("measured"))
        self.addCleanup(lambda: self.touch("measured/go"))
        wait_until(lambda: os.path.exists(self.path("measured/begun")))
        with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
            children = [int(child) for child in file.read().split()]
        os.kill(next(child for child in children if "roast-run" in read_command(child)), signal.SIGKILL)
        self.touch("measured/go")
        stdout, stderr = process.communicate(timeout=240)
        self.assertEqual((process.returncode, clean(stdout)[-1].partition(" ")[0]), (0, "dict"))
        subprocess.run(["roast-report", self.path("measured/run.roast"), "-e", "json:" + self.path("report.json")], check=True,
                       timeout=240, stdin=subprocess.DEVNULL)
        report = Report(self.path("report.json"), "program")
        events = report.metrics["events_total"]
        self.assertLess(events.get("value") or 0, ALL_EVENTS)
        self.assertNotEqual(events["completeness"], "complete", events)
        self.assertEqual(report.rows("chunk_results"), [])

    def test_keeper_killed(self):
        """roast-run itself is killed: the program goes on, and its result is right."""
        bare = self.run_bare()
        os.mkdir(self.path("measured"))
        with open(self.path("stdout"), "w") as stdout:
            process = subprocess.Popen(["roast-run", "-q", "--no-save", "--", PYTHON, ANALYSIS, self.files, f"wait={LAST}:0"], stdout=stdout,
                                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.path("measured"))
            self.addCleanup(lambda: self.touch("measured/go"))
            wait_until(lambda: os.path.exists(self.path("measured/begun")))
            process.kill()
            process.wait()
        self.touch("measured/go")
        wait_until(lambda: clean(self.read("stdout"))[-1:] == bare[2][-1:])

    def touch(self, name):
        open(self.path(name), "w").close()

    @before_release
    def test_all_files_bad(self):
        run = self.run_measured(bad="all", skipbadfiles=1)
        self.assertEqual((run.status, run.stderr.splitlines()[-2:]), (1, self.run_bare(bad="all", skipbadfiles=1)[3].splitlines()[-2:]))
        self.assertEqual(len([row for row in run.files() if "error" in row]), 2)


class TestHook(CoffeaTest):
    @before_release
    def test_no_instrument(self):
        run = self.run_measured(arguments=["--no-instrument"])
        self.check_same(run, self.run_bare())
        self.assertEqual((run.rows("chunks"), run.rows("processing")), ([], []))

    def test_isolated(self):
        """A Python that ignores PYTHONPATH does not load the hook."""
        run = self.run_measured(python=(PYTHON, "-I"))
        self.check_same(run, self.run_bare(python=(PYTHON, "-I")))
        self.assertEqual((run.rows("chunks"), run.rows("processing")), ([], []))
        self.assertEqual(["-I" in message for message in run.events("instrument")], [True])
        self.assertIsNone(run.metrics["events_total"]["value"])

    def test_other_version(self):
        """A coffea whose Runner works in another way: this one, with its function renamed."""
        find = "import coffea.processor.executor as e; print(e.__file__)"
        source = subprocess.run([PYTHON, "-c", find], capture_output=True, text=True, check=True).stdout.strip()
        package = os.path.dirname(os.path.dirname(source))
        target = self.path("other/coffea")
        os.makedirs(os.path.join(target, "processor"))
        for directory, inner in [("", "processor"), ("processor", "executor.py")]:
            for name in os.listdir(os.path.join(package, directory)):
                if name not in (inner, "__pycache__"):
                    os.symlink(os.path.join(package, directory, name), os.path.join(target, directory, name))
        with open(source) as old, open(os.path.join(target, "processor/executor.py"), "w") as new:
            new.write(old.read().replace("_work_function", "_do_work"))
        environment = {"PYTHONPATH": self.path("other")}
        run = self.run_measured(environment=environment)
        self.check_same(run, self.run_bare(environment=environment))
        self.assertEqual((run.rows("chunks"), run.rows("processing")), ([], []))
        self.assertEqual(["does not support this version" in message for message in run.events("message")], [True])

    def test_own_sitecustomize(self):
        os.mkdir(self.path("site"))
        with open(self.path("site/sitecustomize.py"), "w") as file:
            file.write("import sys\nprint('my own', __name__, sys.path)\n")
        environment = {"PYTHONPATH": self.path("site")}
        bare = self.run_bare(environment=environment)
        self.assertTrue(bare[2][0].startswith("my own sitecustomize ["))
        run = self.run_measured(environment=environment)
        self.check_same(run, bare)
        self.check_whole(run)


if __name__ == "__main__":
    if not PYTHON:
        print("no Python with coffea: set the meson option coffea_python, for example to one that scripts/make-coffea-venv makes")
        sys.exit(77)
    unittest.main(verbosity=2, testLoader=Part())
