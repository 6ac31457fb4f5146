#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What roast-new-plugin writes: each role in each language builds against the installed library, passes its own tests and the
conformance checks, and is found once it is installed."""

import os
import pathlib
import re
import shutil
import tempfile
import unittest

from closeness import RELEASE
from installed import Installed

TESTS = pathlib.Path(os.environ["G_TEST_SRCDIR"])
ROLES = ("backend", "aggregator", "exporter")
VALGRIND = ["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite",
            "--trace-children=no", "--suppressions=/usr/share/glib-2.0/valgrind/glib.supp",
            f"--suppressions={TESTS / 'valgrind.supp'}"]


def setUpModule():
    global installed
    installed = Installed()
    installed.environment["ROAST_TEMPLATES"] = str(next(installed.root.rglob("templates")))


def tearDownModule():
    installed.close()


def code_lines(path):
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    return sum(1 for line in text.splitlines() if line.strip())


class TestGenerated(unittest.TestCase):
    maxDiff = None  # valgrind says where the memory is from

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def make(self, lang, kind, name=None):
        name = name or f"m-{lang[0]}-2-{kind}"  # words of one character
        result = installed.run("roast-new-plugin", name, f"--kind={kind}", f"--lang={lang}", cwd=self.directory)
        self.assertEqual(result.returncode, 0, result.stderr)
        return name, self.directory / name

    def check(self, lang):
        builds = {}
        for kind in ROLES:
            with self.subTest(kind):
                name, source = self.make(lang, kind)
                self.assertNotRegex("".join(path.read_text() for path in source.rglob("*") if path.is_file()), r"@[a-z-]+@")
                builds[kind] = source / "build"
                installed.build(source, builds[kind])
                result = installed.run("meson", "test", "-C", builds[kind], "--print-errorlogs")
                self.assertEqual(result.returncode, 0, result.stdout)
        self.check_memory(lang, builds)
        self.addCleanup(self.remove_new, set(installed.pluginsdir.iterdir()))
        for build in builds.values():
            result = installed.run("meson", "install", "-C", build)
            self.assertEqual(result.returncode, 0, result.stderr)
            result = installed.run("roast-inspect", build.parent.name)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(str(installed.pluginsdir), result.stdout)

    def remove_new(self, before):
        """What another test measures has no plugins of this one, such as Python under valgrind."""
        for path in set(installed.pluginsdir.iterdir()) - before:
            path.unlink()

    def check_memory(self, lang, builds):
        """All of them in one run."""
        if lang == "python":
            errors = self.run_all(builds, "/usr/bin/env", "G_DEBUG=fatal-criticals")
        else:
            if RELEASE:  # valgrind finds the same errors and more
                self.check_sanitized(builds)
            errors = self.run_all(builds, *VALGRIND)
        # Errors begin with "==". Debian 12's valgrind warns that it does not know pidfd_open ().
        self.assertEqual([line for line in errors.splitlines() if not line.startswith(("--", "roast-run: waiting for "))], [])

    def run_all(self, builds, *before, command=()):
        arguments = ["-b", builds["backend"].parent.name, f"--export={builds['exporter'].parent.name}:{self.directory / 'out'}"]
        places = "ROAST_PLUGIN_PATH=" + ":".join(map(str, builds.values()))
        result = installed.run("/usr/bin/env", places, *before, "roast-run", "-q", *arguments, "--", *command, "sh", "-c", "exit 3")
        self.assertEqual(result.returncode, 3, result.stderr)
        return result.stderr

    def check_sanitized(self, builds):
        """The plugins with the address sanitizer, in a roast-run without it: so that comes first."""
        sanitized = {kind: build.parent / "sanitized" for kind, build in builds.items()}
        for build in sanitized.values():
            installed.build(build.parent, build, "-Db_sanitize=address", "-Db_lundef=false")
        library = installed.run("cc", "-print-file-name=libasan.so").stdout.strip()
        # What roast-run starts is not what is looked at; valgrind looks for leaks.
        errors = self.run_all(sanitized, "/usr/bin/env", "ASAN_OPTIONS=detect_leaks=0:exitcode=99", f"LD_PRELOAD={library}",
                              command=("/usr/bin/env", "-u", "LD_PRELOAD"))
        self.assertNotIn("ERROR", errors)

    def test_c(self):
        self.check("c")

    def test_vala(self):
        self.check("vala")

    def test_python(self):
        self.check("python")

    def test_lines(self):
        """They are short, and those of C are few."""
        for lang in ("c", "vala", "python"):
            for kind in ROLES:
                name, source = self.make(lang, kind, f"{lang[0]}-{kind[0]}")
                for path in source.rglob("*.*"):
                    for line in path.read_text().splitlines():
                        self.assertLessEqual(len(line), 120, (path.name, line))
                if lang == "c":
                    self.assertLessEqual(code_lines(source / f"{name}.c"), 30)

    def test_named_like_a_module(self):
        """What Python itself imports is not what lies beside the plugin."""
        for name in ("test", "subprocess"):
            _, source = self.make("python", "exporter", name)
            installed.build(source, source / "build")
            result = installed.run("meson", "test", "-C", source / "build", "--print-errorlogs")
            self.assertEqual(result.returncode, 0, result.stdout)

    def test_for_yourself(self):
        """Installed in the user's directory, roast finds it as well."""
        name, source = self.make("c", "backend", "only-mine")
        own = pathlib.Path(installed.environment["XDG_DATA_HOME"]) / "roast-1" / "plugins"
        installed.build(source, source / "build", f"-Dpluginsdir={own}")
        self.assertEqual(installed.run("meson", "install", "-C", source / "build").returncode, 0)
        environment = {name: value for name, value in installed.environment.items() if name != "ROAST_PLUGIN_SYSTEM_PATH"}
        installed_environment, installed.environment = installed.environment, environment
        try:
            result = installed.run("roast-inspect", name)
        finally:
            installed.environment = installed_environment
        self.assertIn(str(own), result.stdout, result.stderr)

    def test_every_exporter_has_what_a_plugin_adds(self):
        """A table with a chart and a metric of its own, and a column in a table of roast."""
        _, backend = self.make("c", "backend", "samples")
        with open(backend / "samples.roast-schema", "a") as file:
            file.write("\n[columns tasks]\nflavour=string: taste of the task\n")
            file.write("\n[chart samples_load]\nTitle=Load of this machine\nDescription=Processes that run or wait\nTable=samples_samples\n"
                       "Kind=line\nX=time\nY=load\nNeeds=1\n")
        source = (backend / "samples.c").read_text()
        (backend / "samples.c").write_text(source.replace("  sample (self, NULL);", """
          roast_table_writer_set_string (self->tasks, ROAST_TASKS_TASK, "t");
          roast_table_writer_set_int64 (self->tasks, ROAST_TASKS_ATTEMPT, 1);
          roast_table_writer_set_string (self->tasks, ROAST_TASKS_FLAVOUR, "bitter");
          roast_table_writer_close (self->tasks, NULL);
          g_clear_object (&self->tasks);
          sample (self, NULL);""").replace("  if (self->samples != NULL", """
          self->tasks = roast_recording_write_table (recording, ROAST_TABLE_TASKS, source, roast_tasks_columns_with_samples, NULL);
          if (self->samples != NULL""").replace("RoastTableWriter *samples;", "RoastTableWriter *samples, *tasks;"))
        _, aggregator = self.make("c", "aggregator", "metric")
        for source in (backend, aggregator):
            installed.build(source, source / "build")
        tables = self.directory / "tables"
        json = self.directory / "r.json"
        page = self.directory / "r.html"
        figures = self.directory / "figures"
        result = installed.run("/usr/bin/env", f"ROAST_PLUGIN_PATH={backend / 'build'}:{aggregator / 'build'}", "roast-run",
                               "-b", "local", "-b", backend.name, "-e", "table:-,detail", "-e", f"csv:{tables}", "-e", f"json:{json}",
                               "-e", f"html:{page}", "-e", f"plots:{figures}", "--", "true")
        self.assertEqual(result.returncode, 0, result.stderr)
        for words in ("Busiest process", "Samples samples", "load", "Tasks", "flavour", "bitter"):
            self.assertIn(words, result.stdout)
        self.assertIn("load", (tables / "samples_samples.csv").read_text())
        self.assertIn("bitter", (tables / "tasks.csv").read_text())
        self.assertIn("metric_busiest_cpu_seconds", (tables / "metrics.csv").read_text())
        for words in ("samples_samples", "load average over one minute", "taste of the task", "bitter", "metric_busiest_cpu_seconds"):
            self.assertIn(words, json.read_text())
        # Its chart is text in the schema and no code.
        self.assertIn(">Load of this machine</text>", page.read_text())
        self.assertIn(">Load of this machine</text>", (figures / "samples_load.svg").read_text())
        self.assertIn("\nsamples_load.svg\n  Load of this machine\n  Processes that run or wait\n", (figures / "index.txt").read_text())


# Replacements in the backend of each language, and words of the error that follows. A late row comes after the report is made.
MISTAKES = {
    "column": ({
        "c": {"source, NULL, &error": 'source, (const char *const[]) { "time", "loud", NULL }, &error'},
        "vala": {'"load" }': '"loud" }'},
        "python": {"load=": "loud="},
    }, ("samples", "loud", "load")),
    "type": ({
        "c": {"set_double": "set_string", "self->load);": '"high");'},
        "vala": {'set_double (Slot.LOAD, double.parse (text.split (" ")[0]))': 'set_string (Slot.LOAD, "high")'},
        "python": {"os.getloadavg()[0]": '"high"'},
    }, ("column “load” of table", "samples” cannot hold a string")),
    "late": ({
        "c": {"static void stop (": "static gboolean late (gpointer self)\n{ sample (self, NULL); return FALSE; }\nstatic void stop (",
              "  g_clear_object (&self->samples);": "  g_timeout_add_full (0, 50, late, g_object_ref (self), g_object_unref);"},
        "vala": {"    samples = null;": "    Timeout.add (50, () => { try { sample (); } catch (Error error) {} return false; });"},
        "python": {"        self.samples = None": "        Roast.timeout_add(50, self.sample)"},
    }, ("writes rows after the stop", "samples”: the row comes after the end of the recording")),
}


class TestRows(unittest.TestCase):
    """A misspelt column, a value of a wrong type and a late row: an error that names table, column and plugin."""

    def check(self, lang):
        with tempfile.TemporaryDirectory() as temporary:
            name = f"{lang}-rows"
            result = installed.run("roast-new-plugin", name, f"--lang={lang}", cwd=temporary)
            self.assertEqual(result.returncode, 0, result.stderr)
            directory = pathlib.Path(temporary, name)
            path = directory / f"{name}.{ {'c': 'c', 'vala': 'vala', 'python': 'py'}[lang]}"
            original = path.read_text()
            for mistake, (changes, words) in MISTAKES.items():
                with self.subTest(mistake):
                    source = original
                    for before, after in changes[lang].items():
                        self.assertIn(before, source)
                        source = source.replace(before, after)
                    path.write_text(source)
                    self.check_one(directory, mistake, words)

    def check_one(self, directory, mistake, words):
        name = directory.name
        installed.build(directory, directory / "build")
        result = installed.run("roast-inspect", "--check", directory / "build" / f"{name}.roast-plugin")
        self.assertEqual(result.returncode, 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stdout)
        if not name.startswith("python"):
            self.assertIn(f"(plugin {name})", result.stdout)
        if mistake != "late":
            result = installed.run("/usr/bin/env", f"ROAST_PLUGIN_PATH={directory / 'build'}", "roast-run", "-b", name, "--",
                                   "touch", directory / "started")
            self.assertEqual(result.returncode, 125, result.stderr)
            self.assertIn(words[0], result.stderr)
            self.assertFalse((directory / "started").exists())

    def test_c(self):
        self.check("c")

    def test_vala(self):
        self.check("vala")

    def test_python(self):
        self.check("python")


class TestMistakes(unittest.TestCase):
    def test_mistakes(self):
        with tempfile.TemporaryDirectory() as directory:
            for arguments, words in {
                ("Bad_Name",): "lower-case letters",
                ("1st",): "starting with a letter",
                ("a" * 65,): "at most 64",
                ("roast-mine",): "which is reserved",
                ("local",): "A plugin “local” is installed already",
                ("csv", "--kind=exporter"): "A plugin “csv” is installed already",
                ("good", "--kind=thing"): "choose from",
                ("good", "--directory=/proc/nothing/x"): "cannot write /proc/nothing/x",
                ("good", f"--directory={directory}"): "exists already",
                (): "NAME",
            }.items():
                result = installed.run("roast-new-plugin", *arguments, cwd=directory)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(words, result.stderr)
                self.assertNotIn("Traceback", result.stderr)
            self.assertEqual(os.listdir(directory), [])

    def test_nothing_is_half_written(self):
        with tempfile.TemporaryDirectory() as directory:
            templates = pathlib.Path(directory, "templates")
            shutil.copytree(installed.environment["ROAST_TEMPLATES"], templates)
            (templates / "common" / "README.md").unlink()
            result = installed.run("/usr/bin/env", f"ROAST_TEMPLATES={templates}", "roast-new-plugin", "good", cwd=directory)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("Install roast again", result.stderr)
            self.assertEqual(os.listdir(directory), ["templates"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
