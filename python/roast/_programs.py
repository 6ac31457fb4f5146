# SPDX-License-Identifier: BSD-3-Clause
"""Finds and runs the programs of roast: installed by pip with this package, or on PATH."""

import os
import shutil
import subprocess

from roast._errors import Error, UserError

PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INSTALL = "install roast (“pip install” of its wheel, or the Debian package roast), or add the directory of its programs to PATH"


def find(name):
    places = [os.path.join(PACKAGES, "bin")]  # pip install --target
    if os.path.basename(PACKAGES) in ("site-packages", "dist-packages"):
        places.append(os.path.normpath(os.path.join(PACKAGES, "..", "..", "..", "bin")))
    for place in places:
        if os.access(os.path.join(place, name), os.X_OK):
            return os.path.join(place, name)
    found = shutil.which(name)
    if found is None:
        raise UserError(f"program {name} not found, neither in {places[-1]} nor on PATH: {INSTALL}")
    return found


def start(name, arguments, **options):
    program = find(name)
    try:
        return subprocess.Popen([program, *map(os.fspath, arguments)], **options)
    except OSError as error:
        raise UserError(f"cannot execute {program}: {error.strerror}; {INSTALL}") from None


def split_messages(text, prefix):
    """Splits the messages of roast-report into its error and the preceding remarks, such as how far the data of a run reach."""
    lines = [line for line in text.strip().splitlines() if not line.startswith("Try “")]
    lines = [line[len(prefix):] if line.startswith(prefix) else line for line in lines]
    return (lines[-1], lines[:-1]) if lines else ("", [])


def report(*arguments, output=subprocess.PIPE):
    """Runs roast-report. Returns its standard output."""
    return run("roast-report", *arguments, output=output)


def run(name, *arguments, output=subprocess.PIPE, statuses=(0,)):
    """Runs a program of roast. Returns its standard output. Accepts the exit statuses in statuses."""
    process = start(name, arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE)
    try:
        out, messages = process.communicate()
    except BaseException:
        process.kill()
        process.wait()
        raise
    if process.returncode in statuses:
        return out
    message, _ = split_messages(messages.decode(errors="replace"), f"{name}: ")
    if process.returncode < 0:
        raise Error(f"{name} was killed by signal {-process.returncode}" + (f": {message}" if message else ""))
    raise UserError(message or f"{name} failed with status {process.returncode}")
