#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tab, pressed in interactive shells: what the line is then, and what is offered."""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

SOURCE = pathlib.Path(os.environ["G_TEST_SRCDIR"]).parent
COMPLETIONS = SOURCE / "data" / "completions"
BASH_COMPLETION = pathlib.Path("/usr/share/bash-completion/bash_completion")
TAB, SHOW, CLEAR = "\t", "\x18p", "\x15"
DEADLINE = 240

# Lines that complete to one, with what they become.
LINES = {"roast-run -b lo": "roast-run -b local", "roast-run --backend=lo": "roast-run --backend=local",
         "roast-run -b local,pss=e": "roast-run -b local,pss=exact", "roast-run --backend=local,pss=e": "roast-run --backend=local,pss=exact",
         "roast-run -b local,pss=exact,gr": "roast-run -b local,pss=exact,grace=",
         "roast-run -e json:res": "roast-run -e json:results.json", "roast-run --export=json:res": "roast-run --export=json:results.json",
         "roast-report -e json:res": "roast-report -e json:results.json", "roast-inspect --doc": "roast-inspect --doctor"}


class Shell:
    """One on a terminal of its own."""

    def __init__(self, arguments, directory, begin):
        self.text = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(directory)
            os.execvpe(arguments[0], arguments, os.environ | {"HOME": directory, "TERM": "dumb", "LC_ALL": "C.UTF-8", "HISTFILE": "",
                                                              "INPUTRC": os.devnull, "COLUMNS": "200"})
        self.send(begin + "\n")
        self.expect(r"(?m)^ready\r")

    def send(self, text):
        os.write(self.terminal, text.encode())

    def expect(self, pattern):
        """What precedes the match, and its groups."""
        end = time.monotonic() + DEADLINE
        while not (match := re.search(pattern, self.text)):
            if not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"no {pattern} in {self.text!r}")
            self.text += os.read(self.terminal, 65536).decode(errors="replace")
        before, self.text = self.text[:match.start()], self.text[match.end():]
        return before, match.groups()

    def complete(self, line):
        """The line after Tab without the blank behind a whole word, and all that was printed."""
        self.send(CLEAR + line + TAB + SHOW)
        before, (found,) = self.expect(r"<<(.*)>>")
        return found.removesuffix(" ") if not found.endswith("= ") else found, before

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


class Interactive:
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        for name in ("results.json", "other file"):
            pathlib.Path(directory.name, name).touch()
        self.shell = Shell(self.arguments, directory.name, self.begin)
        self.addCleanup(self.shell.close)

    def test_lines(self):
        for line, completed in LINES.items():
            self.assertEqual(self.shell.complete(line)[0], completed)

    def test_what_is_offered(self):
        line, offered = self.shell.complete("roast-run -b local,ps")
        self.assertEqual(line, "roast-run -b local,pss=")
        for value in ("auto", "exact", "off"):
            self.assertIn(value, offered)
        self.assertEqual(self.shell.complete("roast-run -b nothing,x")[0], "roast-run -b nothing,x")

    def test_a_name_with_a_blank(self):
        self.assertEqual(self.shell.complete("roast-run -e json:oth")[0], "roast-run -e json:other\\ file")


# Readline itself shows its line, so that nothing is guessed from what it drew.
BASH = r"""PS1='$ '; bind 'set show-all-if-ambiguous on'; bind 'set completion-query-items 0'; bind 'set enable-bracketed-paste off'
bind -x '"\C-xp": printf "<<%s>>\n" "$READLINE_LINE"'
"""
BASH_ARGUMENTS = ["bash", "--norc", "--noprofile", "-i"]


class Bash(Interactive, unittest.TestCase):
    arguments = BASH_ARGUMENTS
    begin = f"{BASH}source {COMPLETIONS}/roast-run.bash; printf '%s\\n' rea''dy"


class BashWithoutColons(Bash):
    """Many have it so, for the sake of other programs."""

    begin = "COMP_WORDBREAKS=${COMP_WORDBREAKS//:}; " + Bash.begin


@unittest.skipUnless(BASH_COMPLETION.exists(), "needs the package bash-completion")
class BashCompletion(Interactive, unittest.TestCase):
    arguments = BASH_ARGUMENTS
    begin = f"{BASH}source {BASH_COMPLETION}; source {COMPLETIONS}/roast-run.bash; printf '%s\\n' rea''dy"

    def test_words_of_the_program(self):
        """As its own completion has them."""
        self.assertEqual(self.shell.complete("roast-run -q -- cat resu")[0], "roast-run -q -- cat results.json")


@unittest.skipUnless(shutil.which("zsh"), "needs zsh")
class Zsh(Interactive, unittest.TestCase):
    arguments = ["zsh", "-f", "-i"]
    begin = (f"PS1='$ '; fpath=({COMPLETIONS} $fpath); autoload -U compinit; compinit -D -u; "
             "show() { print -r -- \"<<$BUFFER>>\" }; zle -N show; bindkey '^Xp' show; bindkey '^U' kill-whole-line; "
             "LISTMAX=10000; setopt auto_list no_list_ambiguous no_beep; print rea''dy")


def fish_major():
    if not shutil.which("fish"):
        return 0
    version = subprocess.run(["fish", "--version"], capture_output=True, text=True, timeout=240).stdout
    return int(re.search(r"(\d+)\.", version)[1])


@unittest.skipUnless(fish_major() == 3, "needs fish 3: the next one takes no line before it has asked the terminal what it is")
class Fish(Interactive, unittest.TestCase):
    arguments = ["fish", "--no-config", "-i"]
    begin = (f"source {COMPLETIONS}/roast-run.fish; function fish_prompt; end; function show; printf '<<%s>>\\n' (commandline); end; "
             "bind \\cxp show; bind \\cu 'commandline \"\"'; printf '%s\\n' rea''dy")

    def test_what_is_offered(self):
        """Its pager is not read here; test-command-line.py asks for its list."""
        self.assertEqual(self.shell.complete("roast-run -b local,ps")[0], "roast-run -b local,pss=")
        self.assertEqual(self.shell.complete("roast-run -b nothing,x")[0], "roast-run -b nothing,x")


if __name__ == "__main__":
    unittest.main(verbosity=2)
