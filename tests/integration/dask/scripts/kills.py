# SPDX-License-Identifier: BSD-3-Clause
"""How a nanny's plugin recognizes kills for lack of memory, with files of several kinds of sites: kills.py TEXT DIRECTORY."""

import json
import os
import sys

with open(sys.argv[1]) as file:
    text = file.read()
plugin = {"__name__": "roast_dask"}
exec(compile(text, sys.argv[1], "exec"), plugin)

V2 = "30 23 0:26 %s %s rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
V1 = "31 23 0:27 %s %s rw - cgroup cgroup rw,memory\n"
SITES = {
    # groups of the process, mounts, the file that has the count
    "v2": ("0::/user/job\n", V2 % ("/", "/sys/fs/cgroup"), "sys/fs/cgroup/user/job/memory.events"),
    "v2-above": ("0::/user/job/step\n", V2 % ("/", "/sys/fs/cgroup"), "sys/fs/cgroup/user/memory.events"),
    "v2-container": ("0::/\n", V2 % ("/docker/1", "/sys/fs/cgroup"), "sys/fs/cgroup/memory.events"),
    "v1": ("5:cpu,memory:/job\n0::/\n", V2 % ("/", "/unified") + V1 % ("/", "/sys/fs/my\\040memory"), "sys/fs/my memory/job/memory.oom_control"),
    "v1-container": ("4:memory:/docker/1\n", V1 % ("/docker/1", "/memory"), "memory/memory.oom_control"),
    "v1-not-above": ("4:memory:/a/b\n", V1 % ("/", "/memory"), "memory/a/memory.oom_control"),
    "none": ("0::/a\n", "", "sys/fs/cgroup/a/memory.events"),
}
found = {}
for site, (groups, mounts, count) in SITES.items():
    root = os.path.join(sys.argv[2], site)
    for name, content in ("proc/self/cgroup", groups), ("proc/self/mountinfo", mounts), (count, "oom 3\noom_kill 2\nxoom_kill 5\n"):
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(content)
    path = plugin["find_count"](root)
    found[site] = path == os.path.join(root, count) and plugin["read_count"](path)

# Each kill is the end of one worker, and an old one is that of something else.
path = os.path.join(sys.argv[2], "count")
ends = []


def count(n):
    with open(path, "w") as file:
        file.write("oom_kill %d\n" % n)


count(4)
now = [100.0]
plugin["time"] = type("Time", (), {"monotonic": staticmethod(lambda: now[0])})
kills = plugin["Kills"](path)
for n, seconds in ((4, 1), (5, 1), (5, 1), (7, 1), (7, 0), (7, 0)):
    count(n)
    now[0] += seconds
    ends.append(kills.take())
count(8)
for _ in range(40):
    now[0] += 1
    kills.look()
ends.append(kills.take())
os.unlink(path)
ends.append(kills.take())
print(json.dumps({"found": found, "ends": ends, "nowhere": plugin["Kills"](None).take()}))
