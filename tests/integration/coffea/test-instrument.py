# SPDX-License-Identifier: BSD-3-Clause
"""How the hook gets into programs: with any Python, and without coffea."""

import glob
import json
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from report import Report
from running import InDirectory, roast_run

ENVIRONMENT = "import json, os, sys; print(json.dumps([os.environ.get('PYTHONPATH'), sys.path, sorted(sys.modules)]))"


class TestInstrument(InDirectory):
    def run_python(self, *arguments, options=(), **environment):
        process = roast_run("-q", "-e", "json:report.json", *options, "--", sys.executable, *arguments, cwd=self.directory,
                            env={**os.environ, **environment})
        self.report = Report(self.path("report.json"), "program")
        return process

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(text)

    def test_nothing_without_coffea(self):
        """A Python that does not import coffea has one more entry in sys.meta_path, and nothing else."""
        bare = json.loads(subprocess.run([sys.executable, "-c", ENVIRONMENT], capture_output=True, check=True).stdout)
        path, entries, modules = json.loads(self.run_python("-c", ENVIRONMENT).stdout)
        self.assertTrue(os.path.exists(os.path.join(path.split(":")[0], "sitecustomize.py")))
        self.assertEqual(entries, bare[1])
        self.assertEqual(set(modules) - {"sitecustomize"}, set(bare[2]) - {"sitecustomize"})
        self.assertEqual(self.report.data["run"]["backends"], ["local"])
        self.assertEqual(self.report.rows("chunks"), [])

    def test_failed(self):
        """What was not processed is a fileset. A range that succeeded later is not in it, nor is a file that was opened later."""
        error = {"error": "OSError", "error_message": "no such file"}
        chunks = [
            {"dataset": "tt", "file": "a.root", "tree": "Events", "entry_start": 0, "entry_stop": 10, **error},
            {"dataset": "tt", "file": "a.root", "tree": "Events", "entry_start": 10, "entry_stop": 20, **error},
            {"dataset": "tt", "file": "a.root", "tree": "Events", "entry_start": 20, "entry_stop": 30, **error},
            {"dataset": "tt", "file": "a.root", "tree": "Events", "entry_start": 0, "entry_stop": 10, "events": 10},
            {"dataset": "w", "file": "root://site//b.root", "tree": "T", "role": "framework", **error},
            {"dataset": "w", "file": "c.root", "tree": "T", "role": "framework", **error},
            {"dataset": "w", "file": "c.root", "tree": "T", "entry_start": 0, "entry_stop": 5, "events": 5},
            {"file": "d.root", **error},
        ]
        self.write("send.py", """if True:
            import json, os, socket, sys
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(os.environ["ROAST_SOCKET"])
            lines = [{"roast": 2, "token": os.environ["ROAST_TOKEN"]}] + [{"type": "chunk", **chunk} for chunk in json.loads(sys.argv[1])]
            connection.sendall("".join(json.dumps(line) + "\\n" for line in lines).encode())
            """)
        self.run_python(self.path("send.py"), json.dumps(chunks), options=["-e", "failed:failed.json"])
        self.assertEqual(json.loads(self.read("failed.json")), {
            "tt": {"files": {"a.root": {"object_path": "Events", "steps": [[10, 20], [20, 30]]}}},
            "w": {"files": {"root://site//b.root": {"object_path": "T"}}},
            "(no dataset)": {"files": {"d.root": {}}},
        })
        self.run_python("-c", "", options=["-e", "failed:failed.json"])
        self.assertEqual(json.loads(self.read("failed.json")), {})

    def test_sections_of_workers(self):
        """A worker that cannot reach the run's socket: sections belong to the chunk, also if its processor was imported first."""
        path, _, _ = json.loads(self.run_python("-c", ENVIRONMENT).stdout)
        script = """if True:
            import runpy, sys
            from roast import track_time
            with track_time("before"):
                local = runpy.run_path(sys.argv[1])["get_current"]()
            local.chunk = {"id": "x", "sections": []}
            with track_time("jets"):
                pass
            print([section[:2] for section in local.chunk["sections"]])
            """
        worker = os.path.join(path.split(":")[0], "coffea-worker.py")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ROAST_")}
        result = subprocess.run([sys.executable, "-c", script, worker], capture_output=True, text=True, env=environment)
        self.assertEqual((result.stdout, result.stderr), ("[('jets', 'time')]\n", ""))

    def test_no_instrument(self):
        path, _, _ = json.loads(self.run_python("-c", ENVIRONMENT, options=["--no-instrument"]).stdout)
        self.assertEqual(path, os.environ.get("PYTHONPATH"))

    def test_isolated(self):
        for options, expected in [(["-I"], "-I"), (["-uE"], "-E"), (["-W", "ignore", "-S"], "-S"), (["-u"], None),
                                  (["-WIgnore"], None), (["-X", "utf8"], None)]:
            with self.subTest(options=options):
                process = self.run_python(*options, "-c", "print(6 * 7)")
                self.assertEqual(process.stdout, "42\n")
                found = self.report.events("instrument")
                self.assertEqual([expected in message for message in found], [True] if expected else [])

    def test_own_sitecustomize(self):
        self.write("site/sitecustomize.py", "import sys\nprint('my own', __name__, sys.modules.get(__name__) is not None)\nvalue = 1\n")
        script = "import sitecustomize; print(sitecustomize.value, sitecustomize.__file__)"
        bare = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                              env={**os.environ, "PYTHONPATH": self.path("site")})
        process = self.run_python("-c", script, PYTHONPATH=self.path("site"))
        self.assertEqual((process.stdout, process.stderr), (bare.stdout, bare.stderr))

    def test_broken_sitecustomize(self):
        """One that fails is reported by Python as without roast."""
        self.write("site/sitecustomize.py", "import missing_module_of_the_site\n")
        process = self.run_python("-c", "print(6 * 7)", PYTHONPATH=self.path("site"))
        self.assertEqual(process.stdout, "42\n")
        self.assertIn("missing_module_of_the_site", process.stderr)

    def test_unknown_version(self):
        """A coffea whose Runner has no such function: the script is unharmed, and the report has one line."""
        self.write("fake/coffea/__init__.py", "__version__ = '2099.1'\n")
        self.write("fake/coffea/processor/__init__.py", "")
        self.write("fake/coffea/processor/executor.py", "class Runner:\n    __slots__ = ()\nloader = __loader__\n")
        process = self.run_python("-c", "import coffea.processor.executor as e; print(type(e.loader).__name__, vars(e.loader).keys())",
                                  PYTHONPATH=self.path("fake"))
        self.assertEqual((process.stdout, process.stderr), ("SourceFileLoader dict_keys(['name', 'path'])\n", ""))
        self.assertEqual(["coffea 2099.1" in message for message in self.report.events("message")], [True])

    def test_incomplete_installation(self):
        """Without its hook the instrument does not start, and the run does."""
        module = next(path for path in os.environ["ROAST_PLUGIN_PATH"].split(":") if glob.glob(path + "/libroast-coffea.so"))
        os.mkdir(self.path("plugins"))
        for name in ["libroast-coffea.so", "coffea.roast-plugin"]:
            shutil.copy(os.path.join(module, name), self.path("plugins"))
        process = self.run_python("-c", "print(6 * 7)", ROAST_PLUGIN_PATH=self.path("plugins") + ":" + os.environ["ROAST_PLUGIN_PATH"])
        self.assertEqual((process.stdout, process.returncode), ("42\n", 0))
        self.assertEqual(["measured without coffea" in message and "install roast again" in message
                          for message in self.report.events("instrument")], [True])


if __name__ == "__main__":
    unittest.main(verbosity=2)
