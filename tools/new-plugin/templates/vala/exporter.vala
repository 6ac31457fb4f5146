/* SPDX-License-Identifier: BSD-3-Clause */

/* An exporter: a recording and a report go in, bytes come out. This one writes a line for each metric that is
 * available. */

internal class @Type@Exporter : Object, Roast.Exporter {
  public bool export_report (Roast.RecordingSnapshot recording, Roast.Report report, Roast.Output output,
                             Cancellable? cancellable) throws Error {
    /* A stream, a file or memory: the exporter need not know. Errors are handed on; roast names the output in them. */
    var stream = output.open (null);
    var metrics = report.list_metrics ();

    foreach (unowned var metric in metrics.data)
      if (metric.is_available ())
        stream.write_all ("%s = %s\n".printf (metric.get_name (), metric.get_value ().print (false)).data, null,
                          cancellable);
    return stream.close (cancellable);
  }
}
