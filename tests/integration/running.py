# SPDX-License-Identifier: BSD-3-Clause
"""What tests of roast-run share: real programs in a directory of their own."""

import json
import os
import re
import signal
import subprocess
import tempfile
import time

from closeness import HANG
from leftovers import Tidy, descendants

KEPT = re.compile(r"^roast-run: this run is kept; “roast-report \S+” shows this run again\n", re.MULTILINE)


def without_note(text):
    """Standard error of roast-run without the line that says where the run is, which is there at most once."""
    rest, n = KEPT.subn("", text)
    assert n <= 1, text
    return rest


def roast_run(*arguments, **options):
    """Runs it, and takes the line about the run from its standard error: test-kept.py tests that."""
    options.setdefault("stdin", subprocess.DEVNULL)
    result = subprocess.run(["roast-run", *arguments], capture_output=True, text=True, timeout=HANG, **options)
    result.stderr = without_note(result.stderr)
    return result


def wait_until(condition, seconds=HANG):
    """Polls for what another process does at its own time, less and less often: to look may cost more than what is waited for."""
    end, pause = time.monotonic() + seconds, 0.01
    while not condition():
        if time.monotonic() > end:
            below = ",".join(str(pid) for pid, _ in descendants(os.getpid()))
            state = subprocess.run(["ps", "-o", "pid,ppid,stat,wchan:20,etimes,time,args", "-p", below], capture_output=True, text=True).stdout
            raise AssertionError(f"it did not happen in time; processes of the test:\n{state}")
        time.sleep(pause)
        pause = min(1.5 * pause, 0.05)


def count_rows(path, table):
    """Rows of a table of a run file, which may be growing; 0 before it has that table."""
    command = ["roast-report", "query", f"SELECT count(*) AS n FROM {table}", path, "--format=json"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=HANG)
    return json.loads(result.stdout)[0]["n"] if result.returncode == 0 else 0


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def kill(pid):
    """What a test that failed may have left running."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class InDirectory(Tidy):
    def setUp(self):
        super().setUp()
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.directory = self.temporary.name

    def path(self, name):
        return os.path.join(self.directory, name)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def start(self, *arguments, **options):
        process = subprocess.Popen(["roast-run", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for_file(self, name):
        wait_until(lambda: os.path.exists(self.path(name)) and os.path.getsize(self.path(name)) > 0)
        return self.read(name)
