/* SPDX-License-Identifier: BSD-3-Clause */

/* A backend starts, adds rows to tables of a recording, and stops. This one records the load of the machine before and
 * after the program: replace that by what your executor reports. @name@.roast-schema declares the table. */

/* The descriptor names its functions like this, whatever the words of the name are. */
[CCode (lower_case_csuffix = "@id@_@kind@")]
internal class @Type@Backend : Object, Roast.MetricsBackend {
  /* The columns that it writes, and their slots in the writer. */
  private const string[] COLUMNS = { "time", "load" };
  private enum Slot { TIME, LOAD }

  private Roast.TableWriter samples;

  /* One row. A cell that is not set is missing, which is not 0. */
  private void sample () throws Error {
    string text;
    FileUtils.get_contents ("/proc/loadavg", out text);
    samples.set_int64 (Slot.TIME, get_real_time ());
    samples.set_double (Slot.LOAD, double.parse (text.split (" ")[0]));
    samples.close ();
  }

  /* A method with a task completes it when its work is done, now or later, with true or an error. */
  public void start_tracking (Roast.Recording recording, int64 interval, Task task) {
    try {
      var source = recording.add_source ("@name@", null, null, null);
      samples = recording.write_table ("@id@_samples", source, COLUMNS);
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
    samples = null;
  }
}
