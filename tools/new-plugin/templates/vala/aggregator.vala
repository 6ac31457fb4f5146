/* SPDX-License-Identifier: BSD-3-Clause */

/* An aggregator: what was recorded goes in, metrics come out, and nothing else happens. This one finds the process that
 * used most CPU time. What its metric means stands in @name@.roast-metrics. */

internal class @Type@Aggregator : Object, Roast.Aggregator {
  /* Aggregators run in the order in which they need each other's metrics; see dup_requires for the other half. */
  public string[] dup_provides () {
    return { "@id@_busiest_cpu_seconds" };
  }

  public bool aggregate (Roast.RecordingSnapshot recording, Roast.Report report,
                         Cancellable? cancellable) throws Error {
    var processes = recording.get_table ("processes");
    var user = processes != null ? processes.find_column ("cpu_user") : -1;
    double most = -1;

    for (uint64 row = 0; user >= 0 && row < processes.get_n_rows (); row++)
      most = double.max (most, processes.get_double (row, user));
    /* What cannot be measured is not available, because: never 0, never a guess. */
    if (most >= 0)
      report.add_metric (new Roast.Metric.double ("@id@_busiest_cpu_seconds", most));
    else
      report.add_metric (new Roast.Metric.unavailable ("@id@_busiest_cpu_seconds", "no process was seen"));
    return true;
  }
}
