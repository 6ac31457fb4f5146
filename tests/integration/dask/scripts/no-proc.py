# SPDX-License-Identifier: BSD-3-Clause
"""What the worker's plugin collects where there is neither /proc nor the module resource: no-proc.py TEXT."""

import json
import sys
import types

with open(sys.argv[1]) as file:
    text = file.read()
plugin = {"__name__": "roast_dask"}
exec(compile(text, sys.argv[1], "exec"), plugin)


def read_file(path):
    raise FileNotFoundError(path)


plugin.update(read_file=read_file, resource=None)
heartbeat = types.SimpleNamespace(is_running=lambda: False, callback_time=500)
worker = types.SimpleNamespace(
    id="Worker-1", executors={"default": types.SimpleNamespace(_threads=set())}, periodic_callbacks={"heartbeat": heartbeat},
    digests_total={("execute", "span", "category", "thread-cpu", "seconds"): 0.25},
)
roast = plugin["RoastWorkerPlugin"]()
roast.worker, roast.sent, roast.serial, roast.process, roast.failure = worker, {}, 0, plugin["Process"](worker), None
roast.pid_namespace = None  # of no platform without /proc
roast.ticks = types.SimpleNamespace(look=lambda: 0.0)
roast.queue = types.SimpleNamespace(look=lambda more: None)
while sum(i * i for i in range(1000)) and plugin["time"].process_time() < 0.3:
    pass
print(json.dumps(roast.collect(changed_only=False)))
