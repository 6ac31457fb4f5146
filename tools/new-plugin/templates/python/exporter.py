# SPDX-License-Identifier: BSD-3-Clause
"""An exporter reads a recording and a report, and writes to an output. This one writes a line for each metric that is
available."""

from gi.repository import GObject, Roast


class @Type@Exporter(GObject.Object, Roast.Exporter):
    __gtype_name__ = "@Type@Exporter"

    def do_export_report(self, recording, report, output, cancellable):
        # The output is a stream, a file or memory. Errors are passed on; roast adds the name of the output.
        stream = output.open(None)
        for metric in report:
            if metric.is_available():
                stream.write_all(f"{metric.name} = {metric.value}\n".encode(), cancellable)
        stream.close(cancellable)
