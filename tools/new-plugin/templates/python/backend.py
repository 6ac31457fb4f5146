# SPDX-License-Identifier: BSD-3-Clause
"""A backend starts, adds rows to tables of a recording, and stops. This one records the load of the machine before and
after the program: replace that by what your executor reports. @name@.roast-schema declares the table."""

import os
import time

from gi.repository import GObject, Roast


class @Type@Backend(GObject.Object, Roast.MetricsBackend):
    __gtype_name__ = "@Type@Backend"

    def do_get_capabilities(self):
        # It measures a program that roast starts. The key file lists the same: another use is an error.
        return Roast.BackendCapabilities.LAUNCH

    def sample(self):
        # One row. A cell without a value is missing, which is not 0.
        self.samples.add(time=int(time.time() * 1e6), load=os.getloadavg()[0])

    def do_start_tracking(self, recording, interval, task):
        # A method with a task completes it when its work is done, now or later, with True or an error. An exception
        # becomes an error.
        source = recording.add_source("@name@", None, None, None)
        self.samples = recording.write_table("@id@_samples", source)
        self.sample()
        task.return_boolean(True)

    def do_stop_tracking(self, task):
        self.sample()
        self.samples = None
        task.return_boolean(True)
