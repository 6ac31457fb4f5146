/* SPDX-License-Identifier: BSD-3-Clause */

/* An aggregator reads a recording, adds metrics to a report, and does nothing else. This one finds the process that
 * used most CPU time. @name@.roast-schema declares its metric. */

/* The descriptor names its functions like this, whatever the words of the name are. */
[CCode (lower_case_csuffix = "@id@_@kind@")]
internal class @Type@Aggregator : Object, Roast.Aggregator {
  /* An aggregator runs after those that provide the metrics it requires: see also dup_requires. */
  public string[] dup_provides () {
    return { "@id@_busiest_cpu_seconds" };
  }

  public bool aggregate (Roast.RecordingSnapshot recording, Roast.Report report,
                         Cancellable? cancellable) throws Error {
    var processes = recording.read_table ("processes", { "cpu_user" });
    double most;

    /* A metric that cannot be measured is not available, with a reason: never 0, never a guess. If some rows have no
     * value, the maximum is a lower bound. */
    var known = processes.sum (0, null, out most);
    if (known == 0)
      report.add_unavailable ("@id@_busiest_cpu_seconds", "no process was measured");
    else
      report.add_double ("@id@_busiest_cpu_seconds", most, known < processes.get_n_rows ()
                         ? Roast.Completeness.PARTIAL : Roast.Completeness.COMPLETE, null);
    return true;
  }
}
