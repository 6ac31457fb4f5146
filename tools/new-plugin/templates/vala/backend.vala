/* SPDX-License-Identifier: BSD-3-Clause */

/* A backend: it is told to start, appends rows to a recording, and is told to stop. This one notes the load of the
 * machine before and after the program. Replace what it measures by what your executor tells. */

internal class @Type@Backend : Object, Roast.MetricsBackend {
  private Roast.Table samples;

  /* One row: names of columns and their values. What is not known is left out, and never 0. */
  private void sample () throws Error {
    string text;
    FileUtils.get_contents ("/proc/loadavg", out text);
    var load = double.parse (text.split (" ")[0]);
    samples.add_variant (new Variant.parsed ("{'time': <%x>, 'load': <%d>}", get_real_time (), load));
  }

  /* A slot with a task completes it when it has done its work, now or later, with true or an error. */
  public void start_tracking (Roast.Recording recording, int64 interval, Task task) {
    try {
      samples = new Roast.Table ("@id@_samples", LOG, "The machine at one time");
      samples.add_column ("time", INT64, "us", "when");
      samples.add_column ("load", DOUBLE, null, "the load, over a minute");
      recording.add_table (samples);
      sample ();
      task.return_boolean (true);
    } catch (Error error) {
      task.return_error (error);
    }
  }

  public void stop_tracking (Task task) {
    try {
      sample ();
      task.return_boolean (true);
    } catch (Error error) {
      task.return_error (error);
    }
  }
}
