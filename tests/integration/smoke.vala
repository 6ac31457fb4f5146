/* SPDX-License-Identifier: BSD-3-Clause */

/* Vala: the registry, a session that runs a real program, a metric and a column of a table; and one class for each role,
 * registered by the application and used like that of a plugin. */

class SmokeBackend : Object, Roast.MetricsBackend, Roast.ProcessObserver {
  private Roast.Recording recording;
  private string last;

  public bool prepare_launch (Roast.LaunchContext context) throws Error {
    context.add_observer (this);
    return true;
  }

  public void process_ended (Roast.Process process) {
    last = process.get_command ();
  }

  public void start_tracking (Roast.Recording recording, int64 interval, Task task) {
    this.recording = recording;
    task.return_boolean (true);
  }

  public void exited (int wait_status) {
    recording.add_event (null, -1, Roast.Severity.INFO, "smoke", "the program ended with %d".printf (Process.exit_status (wait_status)));
  }

  public void tree_ended (Roast.ProcessTree tree) {
    assert (tree.get_field (Roast.ProcessTreeField.PROCESSES) == 1);
    assert (last == "sh");
  }

  public void stop_tracking (Task task) {
    recording = null;
    task.return_boolean (true);
  }
}

class SmokeAggregator : Object, Roast.Aggregator {
  public string[] dup_requires () {
    return { "exit_status" };
  }

  public string[] dup_provides () {
    return { "smoke_total" };
  }

  public bool aggregate (Roast.RecordingSnapshot recording, Roast.Report report, Cancellable? cancellable) throws Error {
    double status;

    if (!report.get_double ("exit_status", out status))
      throw new Roast.AggregateError.NO_DATA ("the exit status did not come first");
    report.add_double ("smoke_total", status * 2, Roast.Completeness.COMPLETE, null);

    var finding = new Roast.Finding ("smoke", Roast.FindingSeverity.ERROR, "The program ended with %.0f.".printf (status));

    finding.add_number ("exit_status", status, null);
    finding.add_text ("program", "sh");
    report.add_finding (finding);
    report.add_rule ("fire", Roast.RuleState.SILENT, "there is smoke only");
    return true;
  }
}

class SmokeExporter : Object, Roast.Exporter {
  public Roast.ExporterFlags get_flags () {
    return Roast.ExporterFlags.LIVE;
  }

  public int64 begin_live () {
    return 1500000;
  }

  public bool export_report (Roast.RecordingSnapshot recording, Roast.Report report, Roast.Output output, Cancellable? cancellable) throws Error {
    double total;
    var stream = output.open (null);

    report.get_double ("smoke_total", out total);
    stream.write_all ("smoke %g".printf (total).data, null, cancellable);
    return stream.close (cancellable);
  }
}

int main (string[] args) {
  var registry = Roast.Registry.get_default ();
  var session = new Roast.Session (registry);
  var loop = new MainLoop ();
  int status = 1;
  Roast.Output? output = null;

  try {
    var options = registry.parse_options (Roast.Role.BACKEND, "local", "pss=off");
    session.add_backend ("local", registry.create_backend ("local", options));
    registry.register_type (Roast.Role.BACKEND, "smoke", typeof (SmokeBackend));
    registry.register_type (Roast.Role.AGGREGATOR, "smoke", typeof (SmokeAggregator));
    registry.register_type (Roast.Role.EXPORTER, "smoke", typeof (SmokeExporter));
    session.add_backend ("smoke", registry.create_backend ("smoke", null));
    output = new Roast.Output.for_memory ();
    var exporter = registry.create_exporter ("smoke", null);
    if (exporter.begin_live () != 1500000)
      return 1;
    session.add_exporter (exporter, output);
  } catch (Error e) {
    stderr.printf ("%s\n", e.message);
    return 1;
  }

  run.begin (session, (object, result) => {
    try {
      run.end (result);
      session.export (null);
      status = check (session, output) ? 0 : 1;
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

bool check (Roast.Session session, Roast.Output output) throws Error {
  double status;
  double cpu;

  assert (session.get_report ().get_double ("exit_status", out status));
  assert (status == 3);
  assert (session.get_report ().get_double ("process_cpu_time_seconds", out cpu));
  assert (cpu > 0);
  assert (output.dup_bytes (null).compare (new Bytes ("smoke 6".data)) == 0);

  var events = session.get_recording ().read_table ("events", { "message" });
  bool reported = false;
  while (events.next ())
    reported |= events.get_string (0) == "the program ended with 3";
  assert (reported);

  var processes = session.get_recording ().read_table ("processes", { "cpu_user" });
  assert (processes.get_n_rows () >= 1);
  assert (processes.next_block ());
  assert (processes.dup_block_data (0).get_size () == processes.get_block_n_rows () * sizeof (double));
  stdout.printf ("%" + uint64.FORMAT + " process(es), %.6f s of CPU time\n", processes.get_n_rows (), cpu);

  return true;
}
