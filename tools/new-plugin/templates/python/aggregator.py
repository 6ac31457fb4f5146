# SPDX-License-Identifier: BSD-3-Clause
"""An aggregator: what was recorded goes in, metrics come out, and nothing else happens. This one finds the process that
used most CPU time. What its metric means stands in @name@.roast-metrics."""

import numpy
from gi.repository import GObject, Roast


class @Type@Aggregator(GObject.Object, Roast.Aggregator):
    __gtype_name__ = "@Type@Aggregator"

    def do_dup_provides(self):
        # Aggregators run in the order in which they need each other's metrics; see do_dup_requires for the other half.
        return ["@id@_busiest_cpu_seconds"]

    def do_aggregate(self, recording, report, cancellable):
        used = recording["processes"]["cpu_user"] if "processes" in recording else numpy.array([])
        used = used[~numpy.isnan(used)]
        # What cannot be measured is not available, because: never 0, never a guess.
        if len(used) > 0:
            report.add_metric(Roast.Metric.new_double("@id@_busiest_cpu_seconds", used.max()))
        else:
            report.add_metric(Roast.Metric.new_unavailable("@id@_busiest_cpu_seconds", "no process was seen"))
