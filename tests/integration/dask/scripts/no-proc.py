# SPDX-License-Identifier: BSD-3-Clause
"""What the worker's plugin collects where there is neither /proc nor the module resource: no-proc.py TEXT."""

import concurrent.futures
import json
import sys
import time
import types

with open(sys.argv[1]) as file:
    text = file.read()
plugin = {"__name__": "roast_dask"}
exec(compile(text, sys.argv[1], "exec"), plugin)


def read_file(path):
    raise FileNotFoundError(path)


plugin.update(read_file=read_file, resource=None)
pool = concurrent.futures.ThreadPoolExecutor(1)
heartbeat = types.SimpleNamespace(is_running=lambda: False, callback_time=500)
worker = types.SimpleNamespace(
    id="Worker-1", executors={"default": pool}, periodic_callbacks={"heartbeat": heartbeat}, scheduler_delay=0.0,
)
roast = plugin["RoastWorkerPlugin"]()
roast.worker, roast.sent, roast.serial, roast.process, roast.failure = worker, {}, 0, plugin["Process"](worker), None
roast.pid_namespace = None  # of no platform without /proc
roast.ticks = types.SimpleNamespace(look=lambda: 0.0)
roast.queue = types.SimpleNamespace(look=lambda more: None)
roast.tasks = plugin["TaskTimes"](worker, None, roast.process.threads)


def task():
    while time.thread_time() < 0.25:
        pass
    return {"start": 0.0, "stop": 1.0}


# Its thread ends before the first reading.
pool.submit(task).result()
pool.shutdown()
print(json.dumps(roast.collect(changed_only=False)))
