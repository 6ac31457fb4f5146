/* SPDX-License-Identifier: BSD-3-Clause */

/* An application that measures, in Vala: runs a program or attaches to one, shows numbers while it runs, prints the
 * report and writes it as JSON.
 *
 *     measure [--backend=NAME[,OPTION=VALUE]...] [--json=FILE] (--attach=ADDRESS | -- PROGRAM [ARGUMENT...])
 *
 * valac --pkg roast-1 --pkg posix measure.vala
 */

string? backend_text = null;
string? json_path = null;
string? address = null;
[CCode (array_length = false, array_null_terminated = true)]
string[]? program = null;

const OptionEntry[] entries = {
  { "backend", 'b', 0, OptionArg.STRING, ref backend_text, "Backend that measures", "NAME[,OPTION=VALUE]..." },
  { "json", 'j', 0, OptionArg.FILENAME, ref json_path, "File for the report as JSON", "FILE" },
  { "attach", 'a', 0, OptionArg.STRING, ref address, "Attach to a running process or executor", "ADDRESS" },
  { "", 0, 0, OptionArg.FILENAME_ARRAY, ref program, null, "[-- PROGRAM [ARGUMENT...]]" },
  { null }
};

/* Shows the last row of cluster_samples that has memory: that of the end has none. A reader sees the table as it is now,
 * and does not change. */
void show_number (Roast.Session session) throws Error {
  string[] columns = { "workers", "memory" };
  var samples = session.get_recording ().read_table ("cluster_samples", columns);
  var row = samples.get_n_rows ();
  while (row > 0 && samples.seek (row - 1) && !samples.has (1))
    row--;
  if (row > 0)
    stderr.printf ("\r%3d workers, %s   ", (int) samples.get_int64 (0, 0), format_size (samples.get_int64 (1, 0)));
}

/* Mistakes are found before the program is started, also an output that cannot be written. */
void prepare (Roast.Session session, Roast.Registry registry) throws Error {
  var parts = (backend_text ?? "local").split (",", 2);
  var options = registry.parse_options (Roast.Role.BACKEND, parts[0], parts[1]);
  session.add_backend (parts[0], registry.create_backend (parts[0], options));
  session.add_exporter (registry.create_exporter ("table", null), new Roast.Output.for_fd (1, "standard output"));
  if (json_path != null)
    session.add_exporter (registry.create_exporter ("json", null), new Roast.Output.for_file (json_path));
  session.prepare_outputs ();
}

async void measure (Roast.Session session) throws Error {
  if (program != null)
    yield session.launch_async (new Roast.LaunchContext (program), null);
  else
    yield session.attach_async (address, null);
  yield session.wait_async (null);
}

int get_status (Roast.Session session) {
  unowned var launcher = session.get_launcher ();
  int status;
  if (launcher == null)
    return 0;
  if (!launcher.get_wait_status (out status))
    return 1;
  return Process.if_signaled (status) ? 128 + Process.term_sig (status) : Process.exit_status (status);
}

int main (string[] args) {
  var registry = new Roast.Registry ();
  var session = new Roast.Session (registry);
  var loop = new MainLoop ();
  Error? failure = null;

  try {
    var context = new OptionContext ("— measures a program");
    context.add_main_entries (entries, null);
    context.set_strict_posix (true);
    context.parse (ref args);
    if ((program == null) == (address == null))
      throw new OptionError.FAILED ("give a program after --, or --attach=ADDRESS");
    prepare (session, registry);

    session.rows_added.connect ((tables) => {
      try {
        if ("cluster_samples" in tables)
          show_number (session);
      } catch (Error error) {
        stderr.printf ("measure: %s\n", error.message);
      }
    });
    measure.begin (session, (object, result) => {
      try {
        measure.end (result);
      } catch (Error error) {
        failure = error;
      }
      loop.quit ();
    });
    loop.run ();
    stderr.printf ("\n");
    if (failure != null)
      throw failure;
    session.export (null);
  } catch (Error error) {
    stderr.printf ("measure: %s\n", error.message);
    return 1;
  }

  return get_status (session);
}
