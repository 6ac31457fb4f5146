# SPDX-License-Identifier: BSD-3-Clause
"""The workers' own fine metrics, which a plugin of the tests writes to a file when a worker ends."""

import json
import os

from distributed import WorkerPlugin


class Truth(WorkerPlugin):
    name = "truth"

    def __init__(self, directory):
        self.directory = directory

    def setup(self, worker):
        pass

    def teardown(self, worker):
        digests = [[list(map(str, key)), value] for key, value in getattr(worker, "digests_total", {}).items() if isinstance(key, tuple)]
        with open(os.path.join(self.directory, worker.id + ".truth"), "w") as file:
            json.dump({"address": worker.address, "digests": digests}, file)


def register(client, directory):
    if directory:
        (getattr(client, "register_plugin", None) or client.register_worker_plugin)(Truth(directory))
