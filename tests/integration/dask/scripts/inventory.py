# SPDX-License-Identifier: BSD-3-Clause
"""Prints all entries of a scheduler, its workers and nannies by which somebody could have put something there: inventory.py ADDRESS."""

import json
import sys

from distributed import Client

TABLES = ("handlers", "stream_handlers", "plugins", "worker_plugins", "nanny_plugins", "extensions", "metrics", "startup_information",
          "periodic_callbacks", "executors")


def describe(value):
    """Of what, not which: the same before and after a plugin was there."""
    function = getattr(value, "__func__", value)
    return "%s.%s" % (getattr(function, "__module__", None) or type(value).__module__, getattr(function, "__qualname__", type(value).__qualname__))


def describe_route(rule):
    inner = getattr(rule.target, "rules", None)
    if inner is not None:
        return sorted(map(describe_route, inner))
    return [getattr(getattr(rule.matcher, "regex", None), "pattern", "?"), describe(rule.target)]


def list_entries(server):
    found = {}
    for table in TABLES:
        entries = getattr(server, table, None)
        if isinstance(entries, dict):
            # Those of clients come and go with this one.
            found[table] = sorted([str(name), describe(value)] for name, value in entries.items() if "Client" not in str(name))
    found["methods"] = sorted([name, describe(value)] for name, value in vars(server).items() if callable(value))
    owners = [*getattr(server, "extensions", {}).values(), *getattr(server, "executors", {}).values(),
              *getattr(server, "periodic_callbacks", {}).values()]
    found["methods of parts"] = sorted([type(owner).__qualname__, name, describe(value)] for owner in owners
                                       for name, value in getattr(owner, "__dict__", {}).items() if callable(value))
    application = getattr(server, "http_application", None)
    if application is not None:
        found["routes"] = [describe_route(rule) for rule in application.default_router.rules + application.wildcard_router.rules]
    log = getattr(server, "transition_log", None)
    found["log"] = getattr(log, "maxlen", None)
    return found


def list_scheduler(dask_scheduler):
    return list_entries(dask_scheduler)


def list_worker(dask_worker):
    return list_entries(dask_worker)


def main():
    with Client(sys.argv[1]) as client:
        found = {"scheduler": client.run_on_scheduler(list_scheduler), "workers": list(client.run(list_worker).values())}
        try:
            nannies = client.run(list_worker, nanny=True)
        except Exception:
            nannies = {}  # workers without one
        found["nannies"] = list(nannies.values())
    print(json.dumps(found))


if __name__ == "__main__":
    main()
