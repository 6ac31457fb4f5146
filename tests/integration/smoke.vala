/* SPDX-License-Identifier: BSD-3-Clause */

/* Vala: the registry, a session that runs a real program, a metric and a column of a table. */

int main (string[] args) {
  var registry = Roast.Registry.get_default ();
  var session = new Roast.Session (registry);
  var loop = new MainLoop ();
  int status = 1;

  try {
    var options = registry.parse_options (Roast.Role.BACKEND, "local", "pss=off");
    session.add_backend ("local", registry.create_backend ("local", options));
  } catch (Error e) {
    stderr.printf ("%s\n", e.message);
    return 1;
  }

  run.begin (session, (object, result) => {
    try {
      run.end (result);
      status = check (session) ? 0 : 1;
    } catch (Error e) {
      stderr.printf ("%s\n", e.message);
    }
    loop.quit ();
  });
  loop.run ();

  return status;
}

async void run (Roast.Session session) throws Error {
  var context = new Roast.LaunchContext ({ "sh", "-c", "exit 3" });

  yield session.launch_async (context, null);
  yield session.wait_async (null);
}

bool check (Roast.Session session) {
  double status;
  double cpu;

  assert (session.get_report ().get_double ("exit_status", out status));
  assert (status == 3);
  assert (session.get_report ().get_double ("process_cpu_time_seconds", out cpu));
  assert (cpu > 0);

  var processes = session.get_recording ().snapshot ().get_table ("processes");
  assert (processes.get_n_rows () >= 1);
  var column = processes.dup_column (processes.find_column ("cpu_user"));
  assert (column.get_size () == processes.get_n_rows () * sizeof (double));
  stdout.printf ("%" + uint64.FORMAT + " process(es), %.6f s of CPU time\n", processes.get_n_rows (), cpu);

  return true;
}
