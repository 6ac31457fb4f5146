# SPDX-License-Identifier: BSD-3-Clause
"""Part 2 of 5: finds out whether the kernel killed a process because memory ran out.

The parent sees only signal 9, which any program can send. The process's control group counts kills of this kind. A nanny and its worker
are in the same group, and the nannies in one process share the count: each kill is assigned to the end of one worker.
"""

import collections
import os
import re
import time

import distributed

RECENT = 30.0  # s; a kill longer ago was of another process, because even a large process ends within this time
STEP_KILLS = 1.0  # s between two readings of the kill count


def read_words(path):
    with open(path, "rb") as file:
        return [os.fsdecode(line).split() for line in file]


def find_count(root=""):
    """Return the file with the kill count of this process's control group; None if there is none."""
    own = {}  # maps controllers to the control group of this process
    for words in read_words(root + "/proc/self/cgroup"):
        number, controllers, group = " ".join(words).split(":", 2)
        own.update((controller, group) for controller in controllers.split(","))
    mounts = {}
    for words in read_words(root + "/proc/self/mountinfo"):
        kind, *_, options = words[words.index("-") + 1 :]
        if kind == "cgroup" and "memory" in options.split(","):
            mounts["memory"] = words[3:5]
        elif kind == "cgroup2":
            mounts[""] = words[3:5]
    for hierarchy, name in (("memory", "memory.oom_control"), ("", "memory.events")):
        if hierarchy not in mounts or hierarchy not in own:
            continue
        above, mount = (re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), path) for path in mounts[hierarchy])
        group = own[hierarchy]
        # Remove the path of the mounted group, because the group of this process itself may be mounted in a container.
        group = group[len(above.rstrip("/")) :] if (group + "/").startswith(above.rstrip("/") + "/") else ""
        while True:
            path = os.path.join(root + mount, group.strip("/"), name)
            if read_count(path) is not None:
                return path
            # In version 2 of control groups, go up until a group has a count. This count includes all groups below it.
            if hierarchy or not group.strip("/"):
                break
            group = os.path.dirname(group.rstrip("/"))
    return None


def read_count(path):
    try:
        return next((int(words[1]) for words in read_words(path) if words[:1] == ["oom_kill"]), None)
    except (OSError, ValueError, IndexError):
        return None


class Kills:
    """The kill count that all nannies of this process share."""

    def __init__(self, path):
        self.pid = os.getpid()
        self.path = path
        self.users = set()
        self.looks = collections.deque()  # entries (time, kill count); kills after the time of the first entry are recent
        self.taken = []  # times of the kills that were assigned to a worker
        self.look()

    def look(self):
        now = time.monotonic()
        if self.path is None or (self.looks and now - self.looks[-1][0] < STEP_KILLS):
            return
        count = read_count(self.path)
        if count is not None:
            self.looks.append((now, count))
        while len(self.looks) > 1 and now - self.looks[1][0] > RECENT:
            self.looks.popleft()

    def take(self):
        """Return whether a worker that just ended by signal 9 was killed because memory ran out; None if unknown."""
        count = read_count(self.path) if self.path is not None else None
        if count is None or not self.looks:
            return None
        since, before = self.looks[0]
        self.taken = [when for when in self.taken if when >= since]
        if count - before <= len(self.taken):
            return False
        self.taken.append(time.monotonic())
        return True


def get_kills(user):
    kills = vars(distributed).get("_roast_kills")
    if kills is None or kills.pid != os.getpid():
        try:
            path = find_count()
        except (OSError, ValueError, IndexError):
            path = None
        kills = distributed._roast_kills = Kills(path)
    kills.users.add(user)
    return kills


def leave_kills(kills, user):
    kills.users.discard(user)
    if not kills.users and vars(distributed).get("_roast_kills") is kills:
        del distributed._roast_kills
