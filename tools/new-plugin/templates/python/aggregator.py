# SPDX-License-Identifier: BSD-3-Clause
"""An aggregator reads a recording, adds metrics to a report, and does nothing else. This one finds the process that
used most CPU time. @name@.roast-schema declares its metric."""

from gi.repository import GObject, Roast


class @Type@Aggregator(GObject.Object, Roast.Aggregator):
    __gtype_name__ = "@Type@Aggregator"

    def do_dup_provides(self):
        # An aggregator runs after those that provide the metrics it requires: see also do_dup_requires.
        return ["@id@_busiest_cpu_seconds"]

    def do_aggregate(self, recording, report, cancellable):
        processes = recording.read_table("processes", ["cpu_user"])
        count, _, most = processes.sum(0)
        # A metric that cannot be measured is not available, with a reason: never 0, never a guess. If some rows have no
        # value, the maximum is a lower bound.
        report.add("@id@_busiest_cpu_seconds", most if count > 0 else None, "no process was measured",
                   completeness="complete" if count == len(processes) else "partial")
