# SPDX-License-Identifier: BSD-3-Clause
"""What roast puts into each Dask worker, as text through the scheduler: nothing is installed there.

It reads Worker.digests_total, which is cumulative and complete as soon as the scheduler knows that a task is finished, and sends it
with the worker's own heartbeats, when asked, and when the worker closes. It changes nothing and keeps no timer.
"""

import asyncio
import os

from distributed.diagnostics.plugin import WorkerPlugin

# Heartbeats are this rare (s) where there are hundreds of workers: then only every TENTH carries digests.
RARE = 2.0
TENTH = 10
NAME = 400  # characters of a name


def labels(key):
    """(context, span, prefix, activity, unit) of a key of digests_total; None where that does not apply."""
    context, rest, unit = key[0], key[1:-1], key[-1]
    span = prefix = None
    if context == "execute" and len(rest) >= 2:
        span, prefix, *rest = rest
    elif context == "p2p" and len(rest) >= 1:
        span, *rest = rest
    # A label of the script's own may be of any type and length.
    return [str(context), span and str(span), prefix and str(prefix)[:NAME], "/".join(map(str, rest))[:NAME], str(unit)[:NAME]]


class RoastWorkerPlugin(WorkerPlugin):
    name = "roast"

    def setup(self, worker):
        self.worker = worker
        self.sent = {}
        self.serial = 0
        self.beats = 0
        worker.handlers["roast_digests"] = self.all_digests
        worker.metrics["roast"] = self.on_heartbeat

    def collect(self, changed_only):
        # From the worker's event loop, where all digests are written: nothing changes meanwhile.
        rows = []
        sent = self.sent
        for key, value in getattr(self.worker, "digests_total", {}).items():
            if type(key) is tuple and len(key) >= 3 and not (changed_only and sent.get(key) == value):
                sent[key] = value
                rows.append([labels(key), float(value)])
        self.serial += 1
        return {"serial": self.serial, "rows": rows, "known": hasattr(self.worker, "digests_total"), "pid": os.getpid()}

    def on_heartbeat(self, worker):
        self.beats += 1
        heartbeat = worker.periodic_callbacks.get("heartbeat")
        rare = heartbeat is not None and heartbeat.callback_time > RARE * 1000
        if rare and self.beats % TENTH:
            return None
        return self.collect(changed_only=True)

    async def all_digests(self, comm=None):
        return self.collect(changed_only=False)

    async def teardown(self, worker):
        # No digests after these: sending them may take a while.
        answer = self.collect(changed_only=False)
        worker.metrics.pop("roast", None)
        try:
            await asyncio.wait_for(worker.scheduler.roast_last_digests(worker=worker.id, address=worker.address, **answer), 2)
        except Exception:
            pass  # The scheduler is gone, or has no time: it has what came with the heartbeats.
