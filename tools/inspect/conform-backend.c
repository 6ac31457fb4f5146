/* SPDX-License-Identifier: BSD-3-Clause */

/* Checks a backend. Starts and stops it several times, in a session that runs a short program. */

#include "conform.h"

#define CYCLES 4
#define WARM_UP 2     /* number of cycles at the start that may open files and threads which stay open */
#define SETTLE_MS 200 /* ms; time to wait for rows that are written late and for threads that end late */
#define SETTLE_TRIES 5

typedef struct
{
  ConformCase *checked;
  RoastMetricsBackend *backend;
} WhileRunning;

static gboolean
is_bug (const GError *error)
{
  return g_error_matches (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION) ||
         g_error_matches (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_TIMED_OUT);
}

static gboolean
is_unsupported (const GError *error)
{
  return g_error_matches (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_SUPPORTED);
}

/* Creates the backend. Does not report an error, because an earlier check has already reported it. */
static RoastMetricsBackend *
conform_backend_create (ConformCase *checked)
{
  g_autoptr (RoastRegistry) registry = conform_registry_new (checked->plugin);
  RoastMetricsBackend *backend = roast_registry_create_backend (registry, checked->name, NULL, NULL);

  if (backend != NULL)
    roast_metrics_backend_set_deadline (backend, DEADLINE);

  return backend;
}

/* Returns whether the backend can attach to a scheduler, or read logs. Both are done by attach_async (). */
static gboolean
can_attach (RoastMetricsBackend *backend)
{
  return (roast_metrics_backend_get_capabilities (backend) &
          (ROAST_BACKEND_CAPABILITIES_ATTACH | ROAST_BACKEND_CAPABILITIES_READ)) != 0;
}

static void
check_attach (ConformCase *checked)
{
  g_autoptr (RoastMetricsBackend) backend = conform_backend_create (checked);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (backend == NULL || !can_attach (backend))
    return;
  inspect_child_step ("roast attaches the backend to an unused address");
  roast_metrics_backend_attach_async (backend, "roast-inspect:nothing", NULL, conform_on_result, &result);
  if (roast_metrics_backend_attach_finish (backend, conform_wait (&result), &error))
    return;
  if (is_unsupported (error))
    inspect_child_finding (checked->plugin, "Implement attach, or remove the capability",
                           "the backend has the capability %s, but cannot attach: %s",
                           (roast_metrics_backend_get_capabilities (backend) & ROAST_BACKEND_CAPABILITIES_ATTACH) != 0
                               ? "attach"
                               : "read",
                           error->message);
  else if (is_bug (error))
    inspect_child_finding (checked->plugin, "Let attach complete its task with an error that names the address",
                           "attach does not report that the address is unused: %s", error->message);
}

static void
check_span_metrics (WhileRunning *running, RoastSpan *span)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GVariant) metrics = NULL;
  g_autoptr (GError) error = NULL;

  if (!roast_metrics_backend_supports_fine_metrics (running->backend))
    return;
  roast_metrics_backend_get_span_metrics_async (running->backend, span, NULL, conform_on_result, &result);
  metrics = roast_metrics_backend_get_span_metrics_finish (running->backend, conform_wait (&result), &error);
  if (metrics == NULL && (is_unsupported (error) || is_bug (error)))
    inspect_child_finding (running->checked->plugin,
                           "Implement get_span_metrics, or return FALSE from supports_fine_metrics",
                           "supports_fine_metrics of the backend returns TRUE, but get_span_metrics fails: %s",
                           error->message);
}

/* Skips backends that can attach or read logs, because some of their capabilities may exist only after that. */
static void
conform_backend_check_capabilities (WhileRunning *running)
{
  g_autoptr (GFlagsClass) flags = g_type_class_ref (ROAST_TYPE_BACKEND_CAPABILITIES);
  const char *const *name = roast_plugin_get_capabilities (running->checked->plugin);
  guint capabilities = roast_metrics_backend_get_capabilities (running->backend);

  for (; !can_attach (running->backend) && *name != NULL; name++)
    {
      GFlagsValue *value = g_flags_get_value_by_nick (flags, *name);

      if (value != NULL && (capabilities & value->value) == 0)
        inspect_child_finding (running->checked->plugin,
                               "Return the capability from get_capabilities, or remove the capability from the key "
                               "file",
                               "the key file lists the capability %s, which the backend does not have", *name);
    }
}

static void
check_spans (WhileRunning *running)
{
  g_autoptr (GAsyncResult) opened = NULL;
  g_autoptr (GAsyncResult) closed = NULL;
  g_autoptr (RoastSpan) span = NULL;
  g_autoptr (GError) error = NULL;

  if ((roast_metrics_backend_get_capabilities (running->backend) & ROAST_BACKEND_CAPABILITIES_SPANS) == 0)
    return;
  inspect_child_step ("roast opens a span");
  roast_metrics_backend_create_span_async (running->backend, "roast-inspect", NULL, conform_on_result, &opened);
  span = roast_metrics_backend_create_span_finish (running->backend, conform_wait (&opened), &error);
  if (span == NULL)
    {
      if (is_unsupported (error) || is_bug (error))
        inspect_child_finding (running->checked->plugin, "Implement create_span, or remove the capability",
                               "the backend has the capability spans, but cannot open a span: %s", error->message);
      return;
    }
  check_span_metrics (running, span);
  inspect_child_step ("roast closes a span");
  roast_metrics_backend_close_span_async (running->backend, span, NULL, conform_on_result, &closed);
  if (!roast_metrics_backend_close_span_finish (running->backend, conform_wait (&closed), &error))
    inspect_child_finding (running->checked->plugin, "Implement close_span",
                           "the backend can open a span, but cannot close the span: %s", error->message);
}

static void
check_while_running (ConformRun *run, gpointer data)
{
  conform_backend_check_capabilities (data);
  check_spans (data);
}

static RoastTableReader *
read_events (RoastRecording *recording)
{
  return roast_recording_read_table (recording, ROAST_TABLE_EVENTS, roast_events_columns, NULL);
}

static gboolean
is_refusal (RoastTableReader *event)
{
  return g_strcmp0 (roast_table_reader_get_string (event, ROAST_EVENTS_KIND), "refused-row") == 0;
}

/* Checks the events about the backend that roast recorded. Returns FALSE if one of them says that the backend did not
 * stop properly. */
static gboolean
check_events (ConformCase *checked, RoastRecording *recording)
{
  g_autoptr (RoastTableReader) events = read_events (recording);
  gboolean stops = TRUE;

  while (roast_table_reader_next (events))
    {
      const char *message = roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE);

      if (is_refusal (events))
        inspect_child_finding (checked->plugin, CONFORM_CORRECT_ROW, "roast refuses a row of the backend: %s", message);
      if (g_strcmp0 (roast_table_reader_get_string (events, ROAST_EVENTS_KIND), "impossible-value") == 0)
        inspect_child_finding (checked->plugin, CONFORM_CORRECT_VALUES, "the backend writes an impossible value: %s",
                               message);
      if (g_strcmp0 (roast_table_reader_get_string (events, ROAST_EVENTS_KIND), "backend") != 0)
        continue;
      inspect_child_finding (checked->plugin, "Complete the task of stop_tracking with TRUE",
                             "the backend does not stop properly: %s", message);
      stops = FALSE;
    }
  return stops;
}

/* Finds rows that the backend writes after it was stopped. The recording refuses such rows, because it has ended. */
static void
check_late_rows (ConformCase *checked, RoastRecording *recording)
{
  g_autoptr (RoastTableReader) before = read_events (recording);
  g_autoptr (RoastTableReader) events = NULL;

  inspect_child_step ("roast looks for rows after the stop of the backend");
  conform_iterate (SETTLE_MS);
  events = read_events (recording);
  for (guint64 row = roast_table_reader_get_n_rows (before); roast_table_reader_seek (events, row); row++)
    if (is_refusal (events))
      inspect_child_finding (checked->plugin, "Complete the task of stop_tracking after the last row",
                             "the backend writes rows after the stop: %s",
                             roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE));
}

static void
check_released (ConformCase *checked, GWeakRef *weak, const char *what)
{
  g_autoptr (GObject) left = g_weak_ref_get (weak);

  if (left != NULL)
    inspect_child_finding (checked->plugin, "In stop_tracking or dispose, drop the references that start_tracking took",
                           "the %s of the backend is not freed after a start and a stop", what);
}

/* Starts the backend, runs a program, and stops the backend. Returns FALSE if the program did not run, or if the
 * backend did not stop properly, because another cycle would only repeat this error. */
static gboolean
run_cycle (ConformCase *checked, gboolean look)
{
  g_autoptr (RoastRegistry) registry = conform_registry_new (checked->plugin);
  g_autoptr (RoastMetricsBackend) backend = conform_backend_create (checked);
  WhileRunning running = { checked, backend };
  ConformRun *run;
  GWeakRef weak_backend, weak_recording;
  gboolean ran, stops = TRUE;

  if (backend == NULL)
    return FALSE;
  inspect_child_step ("roast starts and stops the backend around a program");
  run = conform_run (registry, checked->name, backend, look ? check_while_running : NULL, &running);
  ran = run->error == NULL;
  if (!ran)
    inspect_child_finding (checked->plugin, "Provide what the backend needs, or correct the plugin",
                           "the backend cannot be used with a program: %s", run->error->message);
  else if (look)
    {
      RoastRecording *recording = roast_session_get_recording (run->session);

      stops = check_events (checked, recording);
      check_late_rows (checked, recording);
      conform_values (checked, recording);
    }
  g_weak_ref_init (&weak_backend, backend);
  g_weak_ref_init (&weak_recording, roast_session_get_recording (run->session));
  conform_run_free (run);
  g_clear_object (&backend);
  conform_iterate (20);
  if (ran && look)
    {
      check_released (checked, &weak_backend, "object");
      check_released (checked, &weak_recording, "recording");
    }
  g_weak_ref_clear (&weak_backend);
  g_weak_ref_clear (&weak_recording);
  return ran && stops;
}

/* Checks the rows that the backend makes of something that its author gave. */
static void
check_address (ConformCase *checked)
{
  g_autoptr (RoastRegistry) registry = conform_registry_new (checked->plugin);
  g_autoptr (RoastMetricsBackend) backend = conform_backend_create (checked);
  g_autoptr (ConformRun) run = NULL;

  inspect_child_step ("roast attaches the backend to the given address");
  run = conform_attach (registry, checked->name, backend, checked->address);
  if (run->error != NULL)
    {
      inspect_child_finding (checked->plugin, "Give an address that the backend can read, or correct the plugin",
                             "the backend cannot read %s: %s", checked->address, run->error->message);
      return;
    }
  check_events (checked, roast_session_get_recording (run->session));
  conform_values (checked, roast_session_get_recording (run->session));
}

static void
check_growth (ConformCase *checked, guint before, guint (*count) (void), const char *what, const char *cure)
{
  guint after = count ();

  /* Wait and count again: a thread may remain visible for a moment after it was joined, or may be about to end. */
  for (int i = 0; i < SETTLE_TRIES && after >= before + (CYCLES - WARM_UP); i++)
    {
      conform_iterate (SETTLE_MS);
      after = count ();
    }
  if (after >= before + (CYCLES - WARM_UP))
    inspect_child_finding (checked->plugin, cure,
                           "each start and stop leaves %s behind: %u at first, %u after %d more starts", what, before,
                           after, CYCLES - WARM_UP);
}

static void
check_cycles (ConformCase *checked)
{
  guint files = 0;
  guint threads = 0;

  for (int i = 0; i < CYCLES; i++)
    {
      if (i == WARM_UP)
        {
          files = conform_count_files ();
          threads = conform_count_threads ();
        }
      if (!run_cycle (checked, i == 0))
        return;
    }
  check_growth (checked, files, conform_count_files, "open files",
                "In stop_tracking, close the files that start_tracking opened");
  check_growth (checked, threads, conform_count_threads, "threads",
                "In stop_tracking, join the threads that start_tracking started");
}

void
conform_backend (gpointer data)
{
  ConformCase *checked = data;
  g_autoptr (RoastMetricsBackend) backend = conform_backend_create (checked);

  if (backend == NULL)
    return;
  check_attach (checked);
  if (checked->address != NULL && can_attach (backend))
    check_address (checked);
  /* Run cycles only for backends that can launch programs. For attaching, a backend needs a running executor, and for
   * reading, it needs logs: the user may give their address. */
  if (g_strv_contains (roast_plugin_get_capabilities (checked->plugin), "launch"))
    check_cycles (checked);
}
