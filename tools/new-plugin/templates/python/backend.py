# SPDX-License-Identifier: BSD-3-Clause
"""A backend: it is told to start, appends rows to a recording, and is told to stop. This one notes the load of the
machine before and after the program. Replace what it measures by what your executor tells."""

import os
import time

from gi.repository import GObject, Roast


class @Type@Backend(GObject.Object, Roast.MetricsBackend):
    __gtype_name__ = "@Type@Backend"

    def sample(self):
        # One row: names of columns and their values. What is not known is left out, and never 0.
        self.samples.add(time=int(time.time() * 1e6), load=os.getloadavg()[0])

    def do_start_tracking(self, recording, interval, task):
        # A slot with a task completes it when it has done its work, now or later, with True or an error. What is raised
        # becomes an error.
        self.samples = Roast.Table.new("@id@_samples", Roast.TableKind.LOG, "The machine at one time")
        self.samples.add_column("time", Roast.ColumnType.INT64, "us", "when")
        self.samples.add_column("load", Roast.ColumnType.DOUBLE, None, "the load, over a minute")
        recording.add_table(self.samples)
        self.sample()
        task.return_boolean(True)

    def do_stop_tracking(self, task):
        self.sample()
        task.return_boolean(True)
