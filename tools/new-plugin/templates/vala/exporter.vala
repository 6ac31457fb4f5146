/* SPDX-License-Identifier: BSD-3-Clause */

/* An exporter reads a recording and a report, and writes to an output. This one writes a line for each metric that is
 * available. */

/* The descriptor names its functions like this, whatever the words of the name are. */
[CCode (lower_case_csuffix = "@id@_@kind@")]
internal class @Type@Exporter : Object, Roast.Exporter {
  public bool export_report (Roast.RecordingSnapshot recording, Roast.Report report, Roast.Output output,
                             Cancellable? cancellable) throws Error {
    /* The output is a stream, a file or memory. Errors are passed on; roast adds the name of the output. */
    var stream = output.open (null);
    var metrics = report.list_metrics ();

    foreach (unowned var metric in metrics.data)
      if (metric.is_available ())
        stream.write_all ("%s = %s\n".printf (metric.get_name (), metric.get_value ().print (false)).data, null,
                          cancellable);
    return stream.close (cancellable);
  }
}
