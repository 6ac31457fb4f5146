#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""make-log.py SAMPLE LINES FILE: repeats a recorded transactions log, each time with new tasks and workers and later times, until it has
so many lines."""

import re
import sys

MARKS = re.compile(r"(?P<stamp>^\d{16}(?= )|(?<= )\d{16}$)|(?P<seconds>(?<=\[)\d{10}\.\d+)|(?P<task>(?<= TASK )\d+)|(?P<worker>worker-[0-9a-f]+)"
                   r"|(?P<file>(?:file|temp|buffer)-rnd-\w+)")


def take_apart(line):
    """Constant parts, and those that change from one repetition to the next, as (kind, value)."""
    at, parts = 0, []
    for match in MARKS.finditer(line):
        parts += [line[at:match.start()], (match.lastgroup, match.group())]
        at = match.end()
    return parts + [line[at:] + "\n"]


def put_together(parts, round_, shift, tasks):
    for part in parts:
        if isinstance(part, str):
            yield part
            continue
        kind, value = part
        if kind == "stamp":
            yield str(int(value) + shift)
        elif kind == "seconds":
            whole, _, decimals = value.partition(".")
            stamp = int(whole) * 1000000 + int(decimals[:6].ljust(6, "0")) + shift
            yield "%d.%06d" % divmod(stamp, 1000000)
        elif kind == "task":
            yield str(int(value) + round_ * tasks)
        else:
            yield "%s%x" % (value, round_)


def main(sample, lines, path):
    with open(sample) as file:
        all_lines = file.read().splitlines()
    head = [line for line in all_lines if line.startswith("#") or line.endswith("START 0")]
    body = [line for line in all_lines if line not in head and " MANAGER " not in line]
    length = int(body[-1].split()[0]) - int(body[0].split()[0]) + 1000
    tasks = max(int(match) for match in re.findall(r" TASK (\d+) ", "\n".join(body)))
    apart = [take_apart(line) for line in body]
    with open(path, "w") as out:
        out.write("\n".join(head) + "\n")
        written, round_ = len(head), 0
        while written < lines:
            for parts in apart[:lines - written]:
                out.write("".join(put_together(parts, round_, round_ * length, tasks)))
            written += min(len(apart), lines - written)
            round_ += 1


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
