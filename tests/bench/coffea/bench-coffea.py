#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to measure an analysis, and to make its metrics: chunks, sections, bytes in the result, aggregation beside roastcoffea.

roastcoffea comes from pip, into a Python of its own (3.12 or newer), which --peer names.
"""

import argparse
import pickle
import runpy
import subprocess
import sys

TIME_GOAL = 50.0  # times as fast as roastcoffea
MEMORY_GOAL = 10.0  # times as small
RESULT_GOAL = 100.0  # B of each chunk in the result


def say(text, holds):
    print(f"{text}: {'holds' if holds else 'MISSED'}", flush=True)


def bench_result(worker):
    """What our identities add to what is pickled: to the result of one chunk, and to the merged one for each chunk."""
    process = runpy.run_path(worker)
    key, process = process["KEY"], process["Process"].get()
    ids = [process.make_id("s") for _ in range(1_000_000)]
    bare = len(pickle.dumps({"out": None}, pickle.HIGHEST_PROTOCOL))
    one = len(pickle.dumps({"out": None, key: ids[-1:]}, pickle.HIGHEST_PROTOCOL)) - bare
    merged = (len(pickle.dumps({"out": None, key: ids}, pickle.HIGHEST_PROTOCOL)) - bare) / len(ids)
    say(f"in a result: {one} B for a single chunk, {merged:.1f} B for each of {len(ids):.0e} merged chunks; the goal is {RESULT_GOAL:.0f} B",
        max(one, merged) <= RESULT_GOAL)


def run(*command):
    """[(CPU seconds, bytes of memory, events, sum of sections)], by line"""
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [tuple(map(float, line.split())) for line in text.splitlines()]


def has_peer(python):
    try:
        return subprocess.run([python, "-c", "import roastcoffea"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


def bench_aggregate(options):
    plain, confirmed = run(options.aggregate, options.chunks)
    for name, (seconds, memory, _, _) in (("any program", plain), ("coffea, with confirmed identities", confirmed)):
        print(f"{options.chunks} chunks with 3 sections each, {name}: {seconds:.3f} CPU-s, {memory / 1e6:.0f} MB")
    if not has_peer(options.peer):
        print(f"roastcoffea: not compared, because {options.peer} does not have it: install it with pip, and name that Python with --peer")
        return
    peer, = run(options.peer, options.peer_script, options.chunks)
    print(f"the same with roastcoffea: {peer[0]:.3f} CPU-s, {peer[1] / 1e6:.0f} MB")
    if plain[2] != peer[2] or abs(plain[3] / peer[3] - 1) > 1e-9:
        sys.exit(f"the numbers differ: {plain[2:]}, roastcoffea has {peer[2:]}")
    for name, ours in (("any program", plain), ("coffea", confirmed)):
        say(f"{name}: {peer[0] / ours[0]:.0f} x as fast (goal {TIME_GOAL:.0f})", peer[0] / ours[0] >= TIME_GOAL)
        say(f"{name}: {peer[1] / ours[1]:.0f} x as small (goal {MEMORY_GOAL:.0f})", peer[1] / ours[1] >= MEMORY_GOAL)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("chunks-script", "worker", "make-files", "sections-script", "aggregate", "peer-script"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--peer", default="python3", help="a Python that has roastcoffea")
    parser.add_argument("--chunks", default="1000000", help="number of chunks to aggregate")
    options = parser.parse_args()
    subprocess.run([sys.executable, options.chunks_script, options.worker, options.make_files], check=True)
    subprocess.run([sys.executable, options.sections_script], check=True)
    bench_result(options.worker)
    bench_aggregate(options)


main()
