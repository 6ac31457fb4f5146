#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What pip installed from the wheel, on a machine without GLib and without a compiler: test-wheel.py VENV DATA [dask] [coffea]

scripts/test-wheel runs it as a user without root, with the Python of VENV. DATA is this checkout's tests/data. With "system",
what “pip install .” installed, which uses the libraries of the machine: scripts/test-readme runs that."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

VENV = pathlib.Path(sys.argv[1]).resolve()
DATA = pathlib.Path(sys.argv[2]).resolve()
LIBRARIES = VENV / "libexec" / "roast"
SYSTEM = "system" in sys.argv[3:]
bundled = unittest.skipIf(SYSTEM, "the libraries are those of the machine")
# Of glibc, and of the kernel.
GLIBC = re.compile(r"(linux-vdso|ld-linux-[-\w]+|libc|libm|libdl|librt|libpthread|libresolv|libutil)\.so\.\d+")
# What roast-run adds to the environment of the program: docs/security.md.
ADDED = re.compile(r"ROAST_\w+")
ADDED_FOR_DASK = re.compile(r"ROAST_\w+|DASK_LOGGING|DASK_DISTRIBUTED__(CLIENT|SCHEDULER)__PRELOAD(_ARGV)?")

DASK = """
import time
from distributed import Client, LocalCluster

def square(x):
    time.sleep(0.02)
    return x * x

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        print(sum(client.gather(client.map(square, range(40)))))
"""

# It computes when it is told to.
CLUSTER = """
import sys
from distributed import Client, LocalCluster

def square(x):
    return x * x

if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.readline()
        client.gather(client.map(square, range(40)))
        print("done", flush=True)
        sys.stdin.readline()
"""


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


class Wheel(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        # Not activated: the programs must find all they need by themselves.
        self.environment = {"HOME": str(self.directory), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TMPDIR": str(self.directory)}

    def call(self, program, *arguments, status=0, bin=VENV / "bin", **environment):
        result = subprocess.run([bin / program, *arguments], cwd=self.directory, env={**self.environment, **environment}, capture_output=True,
                                text=True, timeout=300)
        self.assertEqual(result.returncode, status, f"{arguments}: {result.stdout}{result.stderr}")
        return result

    def measure(self, *arguments, **options):
        self.call("roast-run", "-q", "--no-save", "-e", "json:report.json", *arguments, **options)
        return json.loads((self.directory / "report.json").read_text())

    def start(self, program, *arguments, **pipes):
        process = subprocess.Popen([VENV / "bin" / program, *arguments], cwd=self.directory, env=self.environment, text=True, bufsize=1,
                                   **pipes)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def assert_squares(self, report):
        self.assertEqual(report["metrics"]["tasks_done_total"]["value"], 40)
        self.assertEqual(report["metrics"]["tasks_done_total"]["completeness"], "complete")
        self.assertEqual(len(report["tables"]["tasks"]["data"]["task"]), 40)

    # ---- what is in it ----

    @bundled
    def test_libraries(self):
        """Nothing is taken from the machine but glibc."""
        files = [path for directory in (LIBRARIES, VENV / "bin") for path in directory.rglob("*")
                 if path.is_file() and not path.is_symlink() and is_elf(path)]
        self.assertGreater(len(files), 30)
        for path in files:
            text = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
            for line in text.splitlines():
                if "statically linked" in line:
                    continue
                name, _, found = line.strip().partition(" => ")
                name, place = os.path.basename(name.split()[0]), found.split(" ")[0]
                if not GLIBC.fullmatch(name):
                    self.assertEqual(pathlib.Path(place).resolve().parent, LIBRARIES.resolve(), f"{path}: {line}")

    @bundled
    def test_other_libraries(self):
        """Experiments' software sets LD_LIBRARY_PATH to directories with another GLib."""
        for name in ("libglib-2.0.so.0", "libgio-2.0.so.0", "libroast-1.so.0", "libzstd.so.1"):
            (self.directory / name).write_text("not a library")
        result = self.call("roast-run", "--no-save", "--", "true", LD_LIBRARY_PATH=str(self.directory))
        self.assertIn("Outcome: exit status 0", result.stderr)
        # An activated environment of Gtk or GNOME has modules for its own GLib.
        self.call("roast-inspect", GIO_MODULE_DIR=str(self.directory), GIO_EXTRA_MODULES="/usr/lib/x86_64-linux-gnu/gio/modules")

    def test_plugins(self):
        text = self.call("roast-inspect").stdout
        for name in ("local", "dask", "taskvine", "coffea", "table", "json", "csv", "html", "plots", "openmetrics", "perfetto",
                     "findings", "core-time"):
            self.assertRegex(text, rf"(?m)\b{name}\b")
        self.assertEqual(self.call("roast-inspect", "--version").stdout.split()[-1], self.call("roast-attach", "--version").stdout.split()[-1])
        self.assertIn("supervisor", self.call("roast-inspect", "--doctor").stdout)

    def test_moved(self):
        """All is found relative to the files themselves."""
        moved = self.directory / "elsewhere"
        for name in ("bin", "libexec/roast", "share"):
            shutil.copytree(VENV / name, moved / name, symlinks=True)
        result = self.call("roast-run", "--no-save", "--", "true", bin=moved / "bin")
        self.assertIn("Outcome: exit status 0", result.stderr)
        maps = self.call("roast-run", "--no-save", "-q", "--", "sh", "-c", "cat /proc/$PPID/maps", bin=moved / "bin").stdout
        self.assertNotIn(str(VENV), maps)

    # ---- what it does ----

    def test_local(self):
        report = self.measure("--backend=local", "-i", "0.05", "--", "/usr/bin/python3", "-c",
                              "import time\nwhile time.process_time() < 0.5: pass")
        self.assertAlmostEqual(report["metrics"]["process_cpu_time_seconds"]["value"], 0.5, delta=0.2)
        self.assertEqual(report["metrics"]["process_cpu_time_seconds"]["completeness"], "complete")
        self.call("roast-run", "-q", "--no-save", "--", "sh", "-c", "exit 7", status=7)

    def test_environment(self):
        """The program sees ROAST_* beside what it had, and what makes Dask's scheduler tell: nothing else."""
        code = "import json, os; print(json.dumps(dict(os.environ)))"
        bare = json.loads(self.call("python3", "-c", code, bin=pathlib.Path("/usr/bin")).stdout)
        for options in ((), ("--backend=local",), ("--no-instrument",)):
            inside = json.loads(self.call("roast-run", "-q", "--no-save", *options, "--", "/usr/bin/python3", "-c", code).stdout)
            changed = {name for name in {*bare, *inside} if bare.get(name) != inside.get(name)}
            # Instruments hook into Python by this; the program's own value follows in it (docs/coffea.md).
            if options != ("--no-instrument",):
                changed.discard("PYTHONPATH")
            added = ADDED if options == ("--backend=local",) else ADDED_FOR_DASK
            self.assertEqual({name for name in changed if not added.fullmatch(name)}, set(), options)

    def test_exporters(self):
        self.call("roast-run", "-q", "--save=run", "-i", "0.05", "-e", "html:page.html", "-e", "csv:tables", "-e", "perfetto:trace", "-e",
                  "plots:figures", "-e", "table:table.txt", "--", "sleep", "0.3")
        self.assertIn("<svg", (self.directory / "page.html").read_text())
        if not SYSTEM:
            self.assertIn("dygraph", (self.directory / "page.html").read_text().lower())
        self.assertTrue((self.directory / "tables" / "processes.csv").exists())
        self.assertGreater((self.directory / "trace").stat().st_size, 100)
        self.assertTrue(list((self.directory / "figures").glob("*.svg")))
        self.assertIn("Outcome", (self.directory / "table.txt").read_text())
        if SYSTEM:
            return
        # cairo and fonts do not come along.
        for form in ("png", "pdf"):
            result = self.call("roast-report", "-e", f"plots:other,format={form}", "./run", status=1)
            self.assertRegex(result.stderr, f"(?i){form}.*roast-plugin-plots-cairo")

    def test_kept(self):
        result = self.call("roast-run", "--", "true")
        self.assertIn("this run is kept", result.stderr)
        self.assertIn("Outcome: exit status 0", self.call("roast-report").stdout)
        self.assertIn("true", self.call("roast-report", "list").stdout)

    def test_python(self):
        """import roast drives the programs: there is no gi here."""
        result = self.call("python", "-c", """if True:
            import roast
            run = roast.run(["/usr/bin/python3", "-c", "pass"])
            print(run.metrics["process_cpu_time_seconds"] > 0)
            print(len(run.table("processes")))
            with roast.session() as session:
                with session.span("fit"):
                    sum(range(1000000))
            print([row["name"] for row in session.table("spans")])
            with roast.track_time("outside"):
                pass
        """)
        self.assertEqual(result.stdout.split("\n")[:3], ["True", "1", "['fit']"], result.stderr)

    def test_taskvine(self):
        """The logs of a finished run."""
        shutil.copytree(DATA / "taskvine" / "run-7.14.5", self.directory / "logs")
        report = self.measure("--backend=taskvine", "--attach=logs")
        self.assertGreater(report["metrics"]["tasks_done_total"]["value"], 0)

    @unittest.skipUnless("dask" in sys.argv[3:], "Dask is installed afterwards")
    def test_dask(self):
        (self.directory / "analysis.py").write_text(DASK)
        self.assert_squares(self.measure("--backend=dask", "--", VENV / "bin" / "python", "analysis.py"))

    @unittest.skipUnless("dask" in sys.argv[3:], "Dask is installed afterwards")
    def test_attach(self):
        """roast-attach uses the Python of its environment, which need not be activated."""
        (self.directory / "cluster.py").write_text(CLUSTER)
        cluster = self.start("python", "cluster.py", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        attach = self.start("roast-attach", cluster.stdout.readline().strip(), "--", "-q", "--save=run", "-e", "json:report.json")
        self.wait_for_samples()
        cluster.stdin.write("\n")
        self.assertEqual(cluster.stdout.readline(), "done\n")
        attach.send_signal(signal.SIGINT)
        self.assertEqual(attach.wait(timeout=300), 0)
        cluster.communicate("\n", timeout=300)
        report = json.loads((self.directory / "report.json").read_text())
        self.assertEqual(report["metrics"]["tasks_done_total"]["value"], 40)

    def wait_for_samples(self):
        """Until the scheduler is measured."""
        for _ in range(600):
            if (self.directory / "run").exists():
                rows = self.call("roast-report", "query", "--format=json", "SELECT count(*) AS n FROM worker_samples", "run").stdout
                if json.loads(rows)[0]["n"] > 0:
                    return
            time.sleep(0.1)
        self.fail("roast-attach measures nothing")

    @unittest.skipUnless("coffea" in sys.argv[3:], "coffea is installed afterwards")
    def test_coffea(self):
        scripts = DATA.parent / "integration" / "coffea" / "scripts"
        self.call("python", scripts / "make-files.py", "files", "2000")
        report = self.measure("--", VENV / "bin" / "python", scripts / "analysis.py", "files", "executor=dask", "chunksize=1000")
        # So many are in each file, as make-files.py says.
        written = sum(2000 + 137 * dataset + 11 * part for dataset in range(4) for part in range(3))
        self.assertEqual(report["metrics"]["events_total"]["value"], written)
        self.assertEqual(report["metrics"]["events_total"]["completeness"], "complete")

    @unittest.skipUnless(SYSTEM, "the wheel with all libraries has nothing for authors")
    def test_authors(self):
        """A new plugin in C builds with what was installed, and passes its test; another directory is as good."""
        for program in ("meson", "ninja"):
            self.call("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", program)
        environment = {"PATH": f"{VENV / 'bin'}:/usr/bin:/bin", "PKG_CONFIG_PATH": str(LIBRARIES / "pkgconfig")}
        for kind in ("backend", "exporter"):
            self.call("roast-new-plugin", f"--kind={kind}", f"my-{kind}", **environment)
            self.call("meson", "setup", f"build-{kind}", f"my-{kind}", **environment)
            self.call("meson", "test", "-C", f"build-{kind}", **environment)
        (self.directory / "program.c").write_text("#include <roast/roast.h>\nint main (void) { return roast_registry_get_default () == NULL; }\n")
        flags = self.call("pkg-config", "--cflags", "--libs", "roast-1", bin=pathlib.Path("/usr/bin"), **environment).stdout.split()
        self.call("cc", "program.c", "-o", "program", *flags, f"-Wl,-rpath,{LIBRARIES}", bin=pathlib.Path("/usr/bin"), **environment)
        self.call("program", bin=self.directory)

    # ---- what goes wrong ----

    @bundled
    def test_https(self):
        """There is no TLS of GLib in it; roast-attach with tls:// addresses does not need that."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            url = "https://127.0.0.1:%d/" % server.getsockname()[1]
            result = self.call("roast-run", "--backend=dask", "--attach=" + url, status=125, ROAST_TOKEN="x")
        self.assertRegex(result.stderr, "(?i)tls")


if __name__ == "__main__":
    # A shell starts a job in the background with SIGINT ignored, and roast-attach keeps that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    program = unittest.main(argv=sys.argv[:1], verbosity=2, exit=False)
    result = program.result
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad - len(result.skipped)} passed, {bad} failed")
    sys.exit(bad > 0)
