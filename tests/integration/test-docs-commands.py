#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each command of roast in README, SECURITY and docs/: it runs as it is printed, in a directory with a recorded run, or NOT_RUN says why
not; and each long option in the documentation exists. The files and commands of tutorials are run by test-tutorial.py.

Each line of README in a block runs in a test: here, where its numbers are compared with those of the program, or as ELSEWHERE says."""

import collections
import concurrent.futures
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = [TREE / "README.md", TREE / "SECURITY.md", *sorted((TREE / "docs").glob("*.md")), *sorted((TREE / "plugins").glob("*/README.md"))]
# These are run as a whole, with the files that they print.
WHOLE = {"tutorial.md", "tutorial-aggregator.md", "tutorial-exporter.md", "tutorial-logs.md", "plugins.md"}
TEXT = (TREE / "README.md").read_text(encoding="utf-8")
RECORDING = TREE / "tests" / "data" / "runs" / "coffea-dask.stream.xz"
VINE_LOGS = TREE / "tests" / "data" / "taskvine" / "run-7.14.5"
BUILD = pathlib.Path(os.environ["G_TEST_BUILDDIR"]).parent
TOOLS = ("roast-run", "roast-report", "roast-compare", "roast-top", "roast-inspect", "roast-attach", "roast-new-plugin", "roast-schema")
LONGEST = 20  # s for a command

# Why a command cannot be run here. What it starts with is enough.
NOT_RUN = {
    "roast-attach tcp://HOST:8786": "needs a scheduler of Dask: the tests dask-attach have one",
    "ROAST_TOKEN=… roast-run --attach=http://HOST:8787": "the same",
    "roast-run --backend=taskvine --attach=4711": "needs a manager that runs: the tests taskvine-attach have one",
    "roast-run --attach=HOST:9123": "the same",
    "roast-report -e openmetrics:/var/lib/prometheus/": "writes where node_exporter looks: test-openmetrics.py",
    "roast-run -e openmetrics:/var/lib/prometheus/": "the same",
    "roast-run -e openmetrics,listen=192.0.2.7:9101": "needs that address: test-openmetrics.py",
}

# Lines of README that other tests type, and a file that has them.
ELSEWHERE = {
    "scripts/quickstart": ("tests/integration/test-quickstart.py", 'run_script("quickstart")'),
    "scripts/test": (".ci/run", "exec scripts/test"),
    "python3 -m venv venv && . venv/bin/activate": ("tests/wheel/test-readme.py", '"## Try it"'),
    "pip install .": ("tests/wheel/test-readme.py", '"pip install ."'),
}
# test-pictures.py compares this block.
REPORT = re.compile(r"(?s)<!-- report -->.*?<!-- end -->")

# Commands of other programs before one of roast, for which the test has a stand-in that runs the rest of the line.
WRAPPERS = {"srun": "#!/bin/sh\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\nexec \"$@\"\n"}

COMMAND = re.compile(rf"(?:^|[|;&(] *|^(?:{'|'.join(WRAPPERS)}) +(?:-\S+ +)*|^(?:[A-Z_]+=\S* +)+)(?:{'|'.join(TOOLS)})(?=\s|$)")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$|((?:^    [^\n]*\n|^\n(?=    ))+)", re.MULTILINE | re.DOTALL)
SHELL = ("", "sh", "console")


def list_lines(text):
    """Lines of indented blocks and of those for the shell; a line that ends with a backslash goes on."""
    for language, fenced, indented in BLOCK.findall(text):
        if language not in SHELL:
            continue
        block = fenced or re.sub(r"(?m)^    ", "", indented)
        yield from re.sub(r"\\\n\s*", "", block).splitlines()


def list_untested(text):
    """Lines in blocks of README that no test types."""
    for language, fenced, indented in BLOCK.findall(REPORT.sub("", text)):
        lines = (fenced or indented).strip("\n").splitlines()
        if language == "python":
            continue  # Readme runs them
        if language not in SHELL:
            yield from lines
            continue
        for line in filter(str.strip, lines):
            command = strip_comment(line)
            if command not in ELSEWHERE and not (COMMAND.search(command) and is_run(command)):
                yield command


def strip_comment(line):
    return re.sub(r"\s+# .*$", "", line).strip()


def list_commands():
    """Each command with the pages that have it."""
    commands = collections.defaultdict(list)
    for page in PAGES:
        if page.name in WHOLE:
            continue
        for line in list_lines(page.read_text(encoding="utf-8")):
            if COMMAND.search(line):
                commands[strip_comment(line)].append(page.name)
    return commands


def is_run(command):
    return not any(command.startswith(other) for other in NOT_RUN)


def find_tool(name):
    """Of the build: as the tests find it, or a script that is run from the source."""
    found = shutil.which(name)
    if found is None:
        found = next((str(path) for path in (BUILD / "tools/new-plugin" / name, TREE / "tools/schema" / name) if path.is_file()), None)
    return found


def make_directory(directory, environment):
    """What the examples of the documentation take for granted."""
    tools = directory / "bin"
    tools.mkdir()
    for name, text in {**WRAPPERS, "make": "#!/bin/sh\n", "jupyter": "#!/bin/sh\n", "python": '#!/bin/sh\nexec /usr/bin/python3 "$@"\n'}.items():
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    for name in TOOLS:
        found = find_tool(name)
        if found is not None:
            (tools / name).symlink_to(found)
    environment["PATH"] = f"{tools}:{os.environ['PATH']}"
    work = directory / "work"
    work.mkdir()
    for name in ("analysis.py", "script.py"):
        (work / name).write_text("import sys\nprint(len(sys.argv))\n")
    for name in ("job", "analysis"):
        (work / name).write_text("#!/bin/sh\n")
        (work / name).chmod(0o755)
    logs = work / "vine-run-info" / "most-recent" / "vine-logs"
    logs.mkdir(parents=True)
    for name in ("transactions", "performance"):
        shutil.copy(VINE_LOGS / name, logs)
    exchange = TREE / "tests" / "fixtures" / "exchange"
    shutil.copy(exchange / "prmon.txt", work)
    shutil.copytree(exchange / "roastcoffea", work / "measurement")
    with lzma.open(RECORDING) as source, open(work / "run.stream", "wb") as target:
        shutil.copyfileobj(source, target)
    for save in ("--save=run.roast", None):  # a file, and the last of the kept runs
        subprocess.run(["roast-report", "import", *([save] if save else []), "run.stream"], cwd=work, env=environment, check=True,
                       capture_output=True)
    shutil.copy(work / "run.roast", work / "analysis.roast")
    for name in ("new", "old"):  # what roast-compare takes
        (work / name).mkdir()
        shutil.copy(work / "run.roast", work / name)
    for branch in ("new", "main"):
        subprocess.run(["roast-run", "-q", f"--tag=branch={branch}", "--", "true"], cwd=work, env=environment, check=True)
    subprocess.run(["roast-report", "import", "run.stream"], cwd=work, env=environment, check=True, capture_output=True)  # the last again
    return work


class InDirectory(unittest.TestCase):
    """A directory in which the examples of the documentation run."""

    @classmethod
    def setUpClass(cls):
        cls.environment = {name: value for name, value in os.environ.items() if name != "MALLOC_CHECK_"}
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        directory = pathlib.Path(cls.place.name)
        cls.environment |= {"ROAST_RUNS": str(directory / "runs"), "HOME": str(directory), "TMPDIR": str(directory),
                            "ROAST_TEMPLATES": str(TREE / "tools" / "new-plugin" / "templates")}
        cls.work = make_directory(directory, cls.environment)


class DocumentedCommands(InDirectory):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.commands = list_commands()

    def run_command(self, command):
        """The result, or None if the build has no such tool."""
        wanted = re.search(rf"\b({'|'.join(TOOLS)})\b", command)[1]
        if find_tool(wanted) is None:
            return None
        with tempfile.TemporaryDirectory(dir=self.place.name) as directory:
            work = pathlib.Path(directory) / "work"
            shutil.copytree(self.work, work)
            environment = {**self.environment, "ROAST_RUNS": f"{directory}/runs"}
            shutil.copytree(self.environment["ROAST_RUNS"], environment["ROAST_RUNS"])
            process = None
            if "4711" in command:  # a process that runs
                process = subprocess.Popen(["sleep", "0.5"])
                command = command.replace("4711", str(process.pid))
            try:
                return subprocess.run(["bash", "-o", "pipefail", "-ec", command], cwd=work, env=environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=LONGEST, check=False)
            finally:
                if process is not None:
                    process.wait()

    def test_commands(self):
        commands = [command for command in self.commands if is_run(command)]
        self.assertGreater(len(commands), 30, "the commands are not found")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for command, result in zip(commands, pool.map(self.run_command, commands)):
                with self.subTest(command=command, pages=self.commands[command]):
                    if result is None:
                        continue
                    # A comparison says by its status what it found.
                    found = (0, 1, 2) if "roast-compare" in command else (0,)
                    self.assertIn(result.returncode, found, f"{command}\n{result.stdout}\nCorrect it, or add it to NOT_RUN with the reason")

    def test_condor(self):
        """The job of the cookbook, as HTCondor runs it: in an empty directory with the files that the job transfers."""
        text = (TREE / "docs" / "cookbook.md").read_text(encoding="utf-8")
        job = dict(re.findall(r"(?m)^(\w+) = (.*)$", re.search(r"(?s)^```condor\n(.*?)^```$", text, re.MULTILINE)[1].replace("$(Process)", "0")))
        with tempfile.TemporaryDirectory(dir=self.place.name) as scratch:
            for name in job["transfer_input_files"].split(", "):
                shutil.copy(self.work / name, scratch)
            executable = find_tool(os.path.basename(job["executable"]))
            if job["transfer_executable"] != "False":
                executable = shutil.copy(executable, f"{scratch}/condor_exec.exe")
            subprocess.run([executable, *job["arguments"].split()], cwd=scratch, env=self.environment, stdin=subprocess.DEVNULL, check=True,
                           capture_output=True, timeout=LONGEST)
            for name in job["transfer_output_files"].split(", "):
                self.assertTrue(os.path.exists(f"{scratch}/{name}"), name)

    def test_reasons(self):
        """NOT_RUN has nothing that the pages no longer have."""
        for start, reason in NOT_RUN.items():
            with self.subTest(start):
                self.assertTrue(reason)
                self.assertTrue(any(command.startswith(start) for command in self.commands), "no page has it any more")

    def test_options(self):
        """Also of commands that cannot be run, and of those within sentences."""
        helps = {}
        for name in TOOLS:
            if find_tool(name) is not None:
                helps[name] = subprocess.run([name, "--help"], env=self.environment, capture_output=True, text=True, timeout=LONGEST,
                                             check=False).stdout
        found = 0
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            spans = [strip_comment(line) for line in list_lines(text)]
            spans += [re.sub(r"\s+", " ", span) for span in re.findall(r"`([^`\n]+(?:\n[^`\n]+)?)`", text)]
            for span in spans:
                match = re.search(rf"(?:^|\s)({'|'.join(TOOLS)})\s(.*)", span)
                if match is None or match[1] not in helps:
                    continue
                own = re.split(r"\s--\s|\s\|\s", match[2])[0]  # not those of the program
                for option in re.findall(r"(?:^|\s)(--[a-z][a-z-]*)", own):
                    found += 1
                    with self.subTest(page=page.name, command=span):
                        self.assertIn(option, helps[match[1]], f"{match[1]} --help has no {option}")
        self.assertGreater(found, 40, "the options are not found")


# It computes for a while, and writes what the kernel counted for it.
COMPUTES = """import resource, time
while time.process_time() < 0.3: pass
usage = resource.getrusage(resource.RUSAGE_SELF)
open("usage", "w").write(str(usage.ru_utime + usage.ru_stime))
"""


class Readme(InDirectory):
    """The commands and the Python of README, in its order, with the numbers that they print."""

    def test_every_line_is_tested(self):
        self.assertEqual(list(list_untested(TEXT)), [], "run it in a test, and name the test in ELSEWHERE")
        for line, (name, words) in ELSEWHERE.items():
            with self.subTest(line):
                self.assertIn(line, [strip_comment(one) for one in list_lines(TEXT)])
                self.assertIn(words, (TREE / name).read_text(encoding="utf-8"))

    def test_numbers(self):
        with tempfile.TemporaryDirectory(dir=self.place.name) as directory:
            work = pathlib.Path(directory)
            (work / "analysis.py").write_text(COMPUTES)
            environment = {**self.environment, "ROAST_RUNS": f"{directory}/runs", "PYTHONPATH": str(TREE / "python")}
            printed = {}
            for command in (strip_comment(line) for line in list_lines(TEXT)):
                if COMMAND.search(command):
                    result = subprocess.run(["bash", "-ec", command], cwd=work, env=environment, capture_output=True, text=True, timeout=LONGEST,
                                            check=True)
                    printed[command] = result.stdout + result.stderr
            usage = float((work / "usage").read_text())
            # What its process used before and after that is the start and the end of Python.
            cpu_time = re.search(r"CPU time +(\d+) ms", printed["roast-run -- python analysis.py"])
            self.assertAlmostEqual(int(cpu_time[1]) / 1000, usage, delta=0.05)
            page = (work / "report.html").read_text(encoding="utf-8")
            self.assertIn(f"{cpu_time[1]} ms", re.sub("\\s|&nbsp;", " ", page))
            self.assertIn("process_cpu_time_seconds", printed["roast-inspect --metrics"])
            code = "".join(fenced for language, fenced, _ in BLOCK.findall(TEXT) if language == "python")
            for binding in ("binaries", "gi"):
                with self.subTest(binding):
                    if binding == "gi" and not (BUILD / "core" / "Roast-1.typelib").is_file():
                        self.skipTest("there is no introspection")
                    # No module of the build's for programs that are measured.
                    gi = {"GI_TYPELIB_PATH": str(BUILD / "core"), "PYTHONPATH": f"{TREE / 'python'}:{BUILD / 'python'}"} if binding == "gi" else {}
                    result = subprocess.run(["/usr/bin/python3", "-c", code], cwd=work, capture_output=True, text=True, timeout=LONGEST, check=False,
                                            env={**environment, **gi, "ROAST_BINDING": binding})
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertAlmostEqual(float(result.stdout), usage, delta=0.05)
                    self.assertEqual(f"{1000 * float(result.stdout):.0f}", cpu_time[1])


class Pages(unittest.TestCase):
    """docs/README.md lists all pages, and links lead to files and headings that exist."""

    def test_listed(self):
        text = (TREE / "docs" / "README.md").read_text(encoding="utf-8")
        listed = set(re.findall(r"\]\(([a-z-]+\.md)\)", text))
        self.assertEqual(listed, {path.name for path in (TREE / "docs").glob("*.md")} - {"README.md"})

    def test_links(self):
        for page in PAGES:
            text = re.sub(r"(?ms)^```.*?^```$|`[^`\n]*`", "", page.read_text(encoding="utf-8"))
            for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"\s+", " ", text)):
                name, _, heading = target.partition("#")
                if "://" in target:
                    continue
                path = page.parent / name if name else page
                with self.subTest(page=page.name, target=target):
                    self.assertTrue(path.exists())
                    if heading:
                        headings = re.findall(r"(?m)^#+ (.*)$", path.read_text(encoding="utf-8"))
                        self.assertIn(heading, [re.sub(r"[^a-z0-9_ -]", "", one.lower()).replace(" ", "-") for one in headings])

    def test_short(self):
        self.assertLessEqual(len(TEXT.splitlines()), 120)


class Finding(unittest.TestCase):
    """How commands are found."""

    def test_untested(self):
        text = ("    scripts/test\n    roast-run -- true   # a remark\n    make\n\n<!-- report -->\n```\nroast  true\n```\n<!-- end -->\n"
                "```toml\na = 1\n```\n")
        self.assertEqual(list(list_untested(text)), ["make", "a = 1"])

    def test_found(self):
        text = ("Text `roast-run x`.\n\n    roast-run -e table -- true     # a remark\n    FOO=1 roast-report\n\n```sh\nsrun -n1 roast-run \\\n  -- "
                "./job\n```\n\n```ini\nroast-run\n```\n\n    Help=One line for roast-run --help\n    cat x | roast-report import -\n")
        found = [strip_comment(line) for line in list_lines(text) if COMMAND.search(line)]
        self.assertEqual(found, ["roast-run -e table -- true", "FOO=1 roast-report", "srun -n1 roast-run -- ./job",
                                 "cat x | roast-report import -"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
