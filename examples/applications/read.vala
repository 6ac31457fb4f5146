/* SPDX-License-Identifier: BSD-3-Clause */

/* An application that reads a run file, in Vala: says how far the run is, and prints the peak memory of each worker.
 *
 *     read FILE
 *
 * valac --pkg roast-1 read.vala
 */

string state_of (Roast.RunFile file) {
  switch (file.get_state ()) {
  case Roast.RunFileState.GROWING:
    return "running";
  case Roast.RunFileState.INTERRUPTED:
    return "interrupted";
  default:
    return "complete";
  }
}

/* A reader of two columns loads these two. */
void print_peaks (Roast.Recording recording) throws Error {
  string[] columns = { "worker", "memory" };
  var samples = recording.read_table ("worker_samples", columns);
  string[] names = {};
  int64[] peaks = {};

  samples.group_by ({ 0 });
  while (samples.next ()) {
    var group = samples.get_group ();
    if (group == names.length) {
      names += samples.get_string (0);
      peaks += 0;
    }
    peaks[group] = int64.max (peaks[group], samples.get_int64 (1, 0));
  }
  for (int i = 0; i < names.length; i++)
    print ("%s %lld\n", names[i], peaks[i]);
}

int main (string[] args) {
  Intl.setlocale ();
  if (args.length != 2) {
    printerr ("usage: read FILE\n");
    return 1;
  }
  try {
    var file = Roast.RunFile.open (args[1]);
    var recording = file.read ();
    print ("%s\n", state_of (file));
    print_peaks (recording);
    return 0;
  } catch (Error error) {
    printerr ("read: %s\n", error.message);
    return 1;
  }
}
