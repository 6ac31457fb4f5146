# SPDX-License-Identifier: BSD-3-Clause
"""An exporter: a recording and a report go in, bytes come out. This one writes a line for each metric that is
available."""

from gi.repository import GObject, Roast


class @Type@Exporter(GObject.Object, Roast.Exporter):
    __gtype_name__ = "@Type@Exporter"

    def do_export_report(self, recording, report, output, cancellable):
        # A stream, a file or memory: the exporter need not know. Errors are handed on; roast names the output in them.
        stream = output.open(None)
        for metric in report:
            if metric.is_available():
                stream.write_all(f"{metric.name} = {metric.value}\n".encode(), cancellable)
        stream.close(cancellable)
