#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The commands as one types them: completion in shells, options with typing errors, versions, and help in a locale that has ASCII only."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["G_TEST_SRCDIR"]).parent
COMPLETIONS = SOURCE / "data" / "completions"
COMPILED = ["roast-run", "roast-report", "roast-inspect"]
SCRIPTS = ["roast-new-plugin", str(SOURCE / "tools/schema/roast-schema")]
if os.environ["ROAST_TEST_DASK"] == "1":
    SCRIPTS.append("roast-attach")

# What bash does when one presses Tab: it splits at COMP_WORDBREAKS, and puts the replies in place of the last piece.
BASH = r"""
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
split=$(printf '%s' "$2" | sed 's/[=:]/ & /g')
read -r -a COMP_WORDS <<<"$split"
[[ $2 == *[[:blank:]] ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
function=$(complete -p "${COMP_WORDS[0]}" | sed 's/.*-F \([^ ]*\).*/\1/')
$function
[[ ${#COMPREPLY[@]} -eq 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
"""


def run(*arguments, locale="C.UTF-8", **options):
    return subprocess.run(arguments, env=os.environ | {"LC_ALL": locale}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          encoding="utf-8", timeout=240, **options)


class Bash(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        for name in ("results.json", "other file"):
            pathlib.Path(self.directory, name).touch()

    def complete(self, line):
        result = run("bash", "--norc", "-c", BASH, "bash", str(COMPLETIONS / "roast-run.bash"), line, cwd=self.directory)
        self.assertEqual((result.returncode, result.stderr), (0, ""), line)
        return result.stdout.splitlines()

    def test_names(self):
        for line in ("roast-run -b lo", "roast-run --backend=lo", "roast-run -q --backend lo"):
            self.assertEqual(self.complete(line), ["local"], line)
        self.assertEqual(self.complete("roast-run -blo"), ["-blocal"])
        self.assertIn("json", self.complete("roast-run -e "))
        self.assertEqual(self.complete("roast-run --export=ta"), ["table", "table,detail", "table,sections="])

    def test_options_of_a_plugin(self):
        self.assertEqual(self.complete("roast-run -b local,ps"), ["local,pss=auto", "local,pss=exact", "local,pss=off"])
        # From here on readline replaces only what follows the last "=".
        for line in ("roast-run -b local,pss=e", "roast-run --backend=local,pss=e"):
            self.assertEqual(self.complete(line), ["exact"], line)
        self.assertEqual(self.complete("roast-run -b local,pss=exact,gr"), ["exact,grace="])
        self.assertEqual(self.complete("roast-run -b local,per"), ["local,perf=true", "local,perf=false"])
        self.assertEqual(self.complete("roast-run -b nothing,"), [])
        self.assertIn("table,rows=", self.complete("roast-report -e table,"))

    def test_files(self):
        for line in ("roast-run -e json:res", "roast-run --export=json:res", "roast-report -e json:res", "roast-report --fallback=json:res"):
            self.assertEqual(self.complete(line), ["results.json"], line)
        self.assertEqual(sorted(self.complete("roast-run -e json:")), ["other file", "results.json"])
        self.assertEqual(self.complete("roast-run -e json:o"), ["other file"])
        self.assertEqual(self.complete("roast-run -e table:x,det"), ["x,detail=true", "x,detail=false"])
        self.assertEqual(self.complete("roast-run --save=res"), ["results.json"])

    def test_words_of_the_program(self):
        self.assertIn("sleep", self.complete("roast-run -e json:results.json -- slee"))
        self.assertIn("sleep", self.complete("roast-run -e json:results.json slee"))

    def test_other_tools(self):
        self.assertEqual(self.complete("roast-new-plugin --lang=v"), ["vala"])
        self.assertEqual(self.complete("roast-inspect --do"), ["--doctor"])
        self.assertEqual(self.complete("roast-attach --ver"), ["--version"])
        self.assertEqual(self.complete("roast-attach tcp://h:1 -- -b local,pss=e"), ["exact"])

    def test_options_are_those_of_help(self):
        for tool in [*COMPILED, "roast-new-plugin"] + [tool for tool in SCRIPTS if tool == "roast-attach"]:
            text = run(tool, "--help").stdout
            for option in self.complete(tool + " --"):
                if option != "--":
                    self.assertIn(option.rstrip("="), text, tool)


class OtherShells(unittest.TestCase):
    def test_fish(self):
        script = f"source {COMPLETIONS / 'roast-run.fish'}; complete -C $argv[1]"
        for line, words in {"roast-run -b local,ps": ["local,pss=auto", "local,pss=exact", "local,pss=off"],
                            "roast-run --backend=local,pss=e": ["--backend=local,pss=exact"],
                            "roast-run -e json:/etc/host": ["json:/etc/hostname", "json:/etc/hosts"]}.items():
            with tempfile.TemporaryDirectory() as home:
                result = run("env", f"HOME={home}", "fish", "--no-config", "-c", script, line)
            found = [word.split("\t")[0] for word in result.stdout.splitlines()]
            for word in words:
                self.assertIn(word, found, (line, result.stderr))

    def test_zsh(self):
        """The file parses, and the words come from the same place as in bash."""
        result = run("zsh", "-n", str(COMPLETIONS / "_roast-run"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))


class TypingErrors(unittest.TestCase):
    def test_did_you_mean(self):
        mistakes = {"roast-run": ("--bakend=local", "--backend"), "roast-report": ("--expotr=json", "--export"),
                    "roast-inspect": ("--metrix", "--metrics"), "roast-new-plugin": ("--knd=backend", "--kind"),
                    SCRIPTS[1]: ("--bse=x", "--base"), "roast-attach": ("--timout=3", "--timeout")}
        for tool in COMPILED + SCRIPTS:
            wrong, meant = mistakes[tool]
            result = run(tool, *(["json"] if tool == SCRIPTS[1] else []), wrong, "x")
            self.assertNotEqual(result.returncode, 0, tool)
            self.assertIn(f"Did you mean {meant}?", result.stderr)

    def test_no_guess(self):
        for tool in COMPILED + SCRIPTS:
            result = run(tool, "--quite-another-thing", "x")
            self.assertNotEqual(result.returncode, 0, tool)
            self.assertNotIn("Did you mean", result.stderr)

    def test_no_guess_about_another_mistake(self):
        """The error is about a value, or about what is missing; a word that is near to an option is beside the point."""
        schema = SCRIPTS[1]
        for command in (["roast-new-plugin", "name", "--kind=backnd", "--lng=c"], ["roast-new-plugin", "--dirctory=x"],
                        ["roast-new-plugin", "name", "--kind"], [schema, "nonsense", "x", "--bse=y"], [schema, "--outpt=x"],
                        ["roast-run", "--interval=x", "--bakend"], ["roast-report", "--sort"]):
            result = run(*command)
            self.assertNotEqual(result.returncode, 0, command)
            self.assertNotIn("Did you mean", result.stderr, command)

    @unittest.skipUnless("roast-attach" in SCRIPTS, "roast is built without the plugin that has roast-attach")
    def test_guess_before_a_missing_address(self):
        """The misspelt option is reported first, and the missing address only after that is corrected."""
        self.assertIn("Did you mean --timeout?", run("roast-attach", "--timout=3").stderr)
        self.assertNotIn("Did you mean", run("roast-attach", "--timeout=3").stderr)

    def test_options_of_the_program_are_its_own(self):
        self.assertNotIn("Did you mean", run("roast-run", "-q", "--no-save", "sh", "-c", "exit 0", "--bakend").stderr)
        self.assertEqual(run("roast-run", "-q", "--no-save", "sh", "-c", "exit 0", "--quiet=x").returncode, 0)

    def test_value_of_an_option_without_one(self):
        for command, option in (("roast-inspect", "--metrics"), ("roast-report", "--version"), ("roast-top", "--once")):
            result = run(command, option + "=x")
            self.assertNotEqual(result.returncode, 0, command)
            self.assertIn(f"{option} takes no value", result.stderr)


class Versions(unittest.TestCase):
    def test_versions(self):
        expected = run("roast-run", "--version").stdout.split()[-1]
        for tool in COMPILED + [tool for tool in SCRIPTS if tool != SCRIPTS[1]]:
            result = run(tool, "--version")
            self.assertEqual((result.returncode, result.stdout), (0, f"{os.path.basename(tool)} {expected}\n"))


class Ascii(unittest.TestCase):
    """No “?” where the locale lacks a sign, and the columns of help stay aligned."""

    def assert_plain(self, text):
        self.assertTrue(text.isascii(), text)
        self.assertNotRegex(text, r"\w\?\]|\?\w|\w\?[\])]", text)

    def test_help(self):
        """It fits on a screen."""
        for tool in COMPILED + SCRIPTS:
            text = run(tool, "--help", locale="C").stdout
            self.assert_plain(text)
            self.assertLessEqual(len(text.splitlines()), 40, tool)
            self.assertLessEqual(max(map(len, run(tool, "--help").stdout.splitlines())), 80, tool)
            self.assertEqual(text.count("?"), run(tool, "--help").stdout.count("?"), tool)
        self.assertIn("[OPTION…] [RUN]             report", run("roast-report", "--help").stdout)
        self.assertIn("[OPTION...] [RUN]           report", run("roast-report", "--help", locale="C").stdout)
        self.assertIn('roast-report query ["SELECT ..."] [RUN]  run SQL', run("roast-report", "--help", locale="C").stdout)

    def test_errors(self):
        for command in (["roast-run", "--nothing"], ["roast-report", "--format=xml"], ["roast-run", "--", "/no/such"],
                        ["roast-new-plugin", "Upper"]):
            result = run(*command, locale="C")
            self.assertNotEqual(result.returncode, 0)
            self.assert_plain(result.stderr)
            self.assertIn('"', result.stderr)

    def test_names_of_files_keep_their_bytes(self):
        self.assertIn('"/nö/such"', run("roast-run", "--", "/nö/such", locale="C").stderr)

    def test_report(self):
        result = run("roast-run", "--no-save", "--", "true", locale="C")
        self.assertEqual(result.returncode, 0)
        self.assert_plain(result.stderr)
        for what in ("--metrics", "--charts", "--tables"):
            self.assertNotIn(" ?", run("roast-inspect", what, locale="C").stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
