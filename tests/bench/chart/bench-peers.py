#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures beside those of other tools, from the same numbers: roastcoffea's plots of memory, and Dask's performance_report.

roastcoffea comes from pip, into a Python of its own (3.12 or newer), which --peer names; Dask and bokeh come with it.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap

WORKERS, SECONDS = 100, 1800
REMARKS = {"each": f", but 10 of {WORKERS} workers, where roastcoffea draws all"}
TASKS = 20000
SCRIPT = """
    import json, sys, time
    from distributed import Client, LocalCluster, performance_report
    def work(x):
        return sum(range(x % 5000))
    if __name__ == "__main__":
        tasks, target = int(sys.argv[1]), sys.argv[2]
        with LocalCluster(n_workers=4, threads_per_worker=2, dashboard_address=":0") as cluster, Client(cluster) as client:
            with performance_report(filename=target):
                client.gather(client.map(work, range(tasks), pure=False))
                # The scheduler, which makes the report, is in this process.
                begin = time.monotonic(), time.process_time()
            end = time.monotonic(), time.process_time()
        with open(target + ".json", "w") as file:
            json.dump({"elapsed": end[0] - begin[0], "cpu": end[1] - begin[1]}, file)
"""


def has_peer(python):
    try:
        return subprocess.run([python, "-c", "import roastcoffea, bokeh"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


def read_lines(*command):
    """By name: CPU seconds, bytes."""
    output = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600).stdout
    return [(name, float(cpu), int(size)) for name, cpu, size, *_ in map(str.split, output.splitlines())]


def measure(*command):
    """CPU seconds and MB of a program."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare_plots(options, directory):
    path = os.path.join(directory, "values")
    ours = read_lines(options.bench, "samples", path, str(WORKERS), str(SECONDS))
    print(f"memory of {WORKERS} workers with {SECONDS} samples each")
    for name, cpu, size in ours:
        print(f"  roast        {name}: {cpu:.4f} CPU-s, {size / 1e3:.0f} kB of SVG")
    if not has_peer(options.peer):
        print(f"  roastcoffea: not compared, because {options.peer} does not have it and bokeh: install them with pip, and name it with --peer")
        return
    theirs = read_lines(options.peer, options.peer_script, path, str(WORKERS), str(SECONDS), os.path.join(directory, "peer.svg"))
    for name, cpu, size in theirs:
        print(f"  roastcoffea  {name}: {cpu:.4f} CPU-s, {size / 1e3:.0f} kB of SVG")
    for (name, cpu, size), (_, peer_cpu, peer_size) in zip(ours, theirs):
        print(f"  {name}: {peer_cpu / cpu:.0f} times as fast, {peer_size / size:.1f} times as small{REMARKS.get(name, '')}")


def list_contents(path):
    """What a page shows, as it names it: headings and pictures of ours; tabs of Dask's."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    ours = re.findall(r"<h2[^>]*>([^<]*)</h2>", text), re.findall(r'<svg[^>]*aria-label="([^"]*)"', text)
    tabs = re.findall(r'"title":"([^"]*)","child"', text) or re.findall(r'"name":"TabPanel"[^}]*?"title":"([^"]*)"', text)
    return ours, tabs


def compare_pages(options, directory):
    script, theirs, ours, run = (os.path.join(directory, name) for name in ("run.py", "peer.html", "ours.html", "run.roast"))
    with open(script, "w") as file:
        file.write(textwrap.dedent(SCRIPT))
    print(f"a run of {options.tasks} tasks with Dask")
    if not has_peer(options.peer):
        print(f"  not compared, because {options.peer} does not have Dask and bokeh")
        return
    subprocess.run(["roast-run", "-q", "--backend=dask", "--save=" + run, "-e", "json:/dev/null", "--", options.peer, script, str(options.tasks),
                    theirs], check=True, stdout=subprocess.DEVNULL, timeout=600, cwd=directory)
    with open(theirs + ".json") as file:
        peer = json.load(file)
    cpu, memory = measure("roast-report", run, "-e", "html:" + ours)
    sizes = os.path.getsize(theirs), os.path.getsize(ours)
    print(f"  performance_report: {peer['cpu']:.2f} CPU-s, {peer['elapsed']:.2f} s in the process of the scheduler, {sizes[0] / 1e6:.2f} MB")
    print(f"  roast-report -e html: {cpu:.2f} CPU-s and {memory:.0f} MB in a process of its own, report and page, {sizes[1] / 1e6:.2f} MB")
    print(f"  {peer['cpu'] / cpu:.1f} times as fast, {sizes[0] / sizes[1]:.1f} times as small")
    (headings, charts), _ = list_contents(ours)
    _, tabs = list_contents(theirs)
    print("  performance_report shows: " + ", ".join(dict.fromkeys(tabs)))
    print("  roast shows: " + ", ".join(headings))
    print("  with charts: " + ", ".join(charts))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bench", help="bench-chart")
    parser.add_argument("--peer", default=os.environ.get("ROAST_DASK_PYTHON", sys.executable), help="a Python that has roastcoffea")
    parser.add_argument("--peer-script", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer-plots.py"))
    parser.add_argument("--tasks", type=int, default=TASKS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        compare_plots(options, directory)
        compare_pages(options, directory)


main()
