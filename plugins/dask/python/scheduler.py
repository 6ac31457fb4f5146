# SPDX-License-Identifier: BSD-3-Clause
"""Put the probe into a scheduler that the script starts, or that `dask scheduler --preload` starts."""

import os
import sys


async def setup(scheduler, directory, environment):
    if "roast" in scheduler.plugins:
        return
    sources = {}
    for name in ("probe", "worker"):
        with open(os.path.join(directory, "dask-" + name + ".py")) as file:
            sources[name] = file.read()
    probe = {"__name__": "roast_dask"}
    exec(compile(sources["probe"], os.path.join(directory, "dask-probe.py"), "exec"), probe)
    await probe["start_in"](scheduler, sources["worker"], environment)


async def dask_setup(scheduler):
    """Handle --preload of this file."""
    try:
        await setup(scheduler, os.path.dirname(os.path.abspath(__file__)), os.environ)
        if not os.environ.get("ROAST_TOKEN"):
            print("roast: set ROAST_TOKEN for the scheduler and for roast-run: without this token, attaching by URL is impossible", file=sys.stderr)
    except Exception as error:
        print("roast: the scheduler cannot be measured: %s: %s" % (type(error).__name__, error), file=sys.stderr)
