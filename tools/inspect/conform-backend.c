/* SPDX-License-Identifier: BSD-3-Clause */

/* A backend: starts and stops with a session around a program that runs for a moment, some times over. */

#include "conform.h"

#include <string.h>

#define CYCLES 4
#define WARM_UP 2     /* the first ones may open what stays open: a registry of types, a worker thread */
#define SETTLE_MS 200 /* in which what is late shows */
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

/* That it cannot be created was found before this. */
static RoastMetricsBackend *
create (ConformCase *checked)
{
  g_autoptr (RoastRegistry) registry = conform_registry_new (checked->plugin);
  RoastMetricsBackend *backend = roast_registry_create_backend (registry, checked->name, NULL, NULL);

  if (backend != NULL)
    roast_metrics_backend_set_deadline (backend, DEADLINE);

  return backend;
}

static void
check_attach (ConformCase *checked)
{
  g_autoptr (RoastMetricsBackend) backend = create (checked);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (backend == NULL || (roast_metrics_backend_get_capabilities (backend) & ROAST_BACKEND_CAPABILITIES_ATTACH) == 0)
    return;
  inspect_child_step ("attaching to an address where nothing is");
  roast_metrics_backend_attach_async (backend, "roast-inspect:nothing", NULL, conform_on_result, &result);
  if (roast_metrics_backend_attach_finish (backend, conform_wait (&result), &error))
    return;
  if (is_unsupported (error))
    inspect_child_finding (checked->plugin, "Fill the slot attach, or do not say so",
                           "its backend says that it can attach, and cannot: %s", error->message);
  else if (is_bug (error))
    inspect_child_finding (checked->plugin, "Complete the task with an error that says what was tried",
                           "it does not cope with an address where nothing is: %s", error->message);
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
    inspect_child_finding (running->checked->plugin, "Fill the slot get_span_metrics, or do not say so",
                           "its backend says that it has fine metrics, and does not tell those of a span: %s",
                           error->message);
}

/* Of one that can also attach, some of it may come true only then. */
static void
check_capabilities (WhileRunning *running)
{
  g_autoptr (GFlagsClass) flags = g_type_class_ref (ROAST_TYPE_BACKEND_CAPABILITIES);
  const char *const *name = roast_plugin_get_capabilities (running->checked->plugin);
  guint capabilities = roast_metrics_backend_get_capabilities (running->backend);

  for (; (capabilities & ROAST_BACKEND_CAPABILITIES_ATTACH) == 0 && *name != NULL; name++)
    {
      GFlagsValue *value = g_flags_get_value_by_nick (flags, *name);

      if (value != NULL && (capabilities & value->value) == 0)
        inspect_child_finding (running->checked->plugin,
                               "Return it from get_capabilities, or take it out of Capabilities",
                               "the key file says that its backend has the capability %s, and it has not", *name);
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
  inspect_child_step ("opening a span");
  roast_metrics_backend_create_span_async (running->backend, "roast-inspect", NULL, conform_on_result, &opened);
  span = roast_metrics_backend_create_span_finish (running->backend, conform_wait (&opened), &error);
  if (span == NULL)
    {
      if (is_unsupported (error) || is_bug (error))
        inspect_child_finding (running->checked->plugin, "Fill the slot create_span, or do not say so",
                               "its backend says that it knows spans, and opens none: %s", error->message);
      return;
    }
  check_span_metrics (running, span);
  inspect_child_step ("closing a span");
  roast_metrics_backend_close_span_async (running->backend, span, NULL, conform_on_result, &closed);
  if (!roast_metrics_backend_close_span_finish (running->backend, conform_wait (&closed), &error))
    inspect_child_finding (running->checked->plugin, "Fill the slot close_span",
                           "it opens a span and cannot close it: %s", error->message);
}

static void
check_while_running (ConformRun *run, gpointer data)
{
  check_capabilities (data);
  check_spans (data);
}

static guint64
sum_serials (RoastRecording *recording)
{
  g_autoptr (GPtrArray) tables = roast_recording_list_tables (recording);
  guint64 sum = 0;

  for (guint i = 0; i < tables->len; i++)
    sum += roast_table_get_serial (g_ptr_array_index (tables, i));
  return sum;
}

static void
check_late_rows (ConformCase *checked, RoastRecording *recording)
{
  guint64 before = sum_serials (recording);

  inspect_child_step ("looking for rows after it was stopped");
  conform_iterate (SETTLE_MS);
  if (sum_serials (recording) != before)
    inspect_child_finding (checked->plugin,
                           "Complete the task of stop_tracking when the last row was added, not before",
                           "it adds rows after it was stopped: readers of the report never see them");
}

/* What a session writes of a backend that did not stop as it should. Gives FALSE if it did not. */
static gboolean
check_events (ConformCase *checked, RoastRecording *recording)
{
  g_autoptr (RoastTableSnapshot) events = roast_table_snapshot (roast_recording_get_table (recording, "events"));
  guint kind = (guint) roast_table_snapshot_find_column (events, "kind");
  guint message = (guint) roast_table_snapshot_find_column (events, "message");
  gboolean stops = TRUE;

  for (guint64 row = 0; row < roast_table_snapshot_get_n_rows (events); row++)
    if (g_strcmp0 (roast_table_snapshot_get_string (events, row, kind), "backend") == 0)
      {
        inspect_child_finding (checked->plugin, "Complete the task of stop_tracking with TRUE",
                               "it does not stop as it should: %s",
                               roast_table_snapshot_get_string (events, row, message));
        stops = FALSE;
      }
  return stops;
}

static void
check_released (ConformCase *checked, GWeakRef *weak, const char *what)
{
  g_autoptr (GObject) left = g_weak_ref_get (weak);

  if (left != NULL)
    inspect_child_finding (checked->plugin,
                           "Give back in stop_tracking, or in dispose, what start_tracking took a reference to",
                           "after a start and a stop its %s lives on", what);
}

/* Gives FALSE if there is no use in another one. */
static gboolean
run_cycle (ConformCase *checked, gboolean look)
{
  g_autoptr (RoastRegistry) registry = conform_registry_new (checked->plugin);
  g_autoptr (RoastMetricsBackend) backend = create (checked);
  WhileRunning running = { checked, backend };
  ConformRun *run;
  GWeakRef weak_backend, weak_recording;
  gboolean ran, stops = TRUE;

  if (backend == NULL)
    return FALSE;
  inspect_child_step ("starting and stopping it around a program");
  run = conform_run (registry, checked->name, backend, look ? check_while_running : NULL, &running);
  ran = run->error == NULL;
  if (!ran)
    inspect_child_finding (checked->plugin, "See what it needs, or correct the plugin",
                           "it cannot be used with a program: %s", run->error->message);
  else if (look)
    {
      check_late_rows (checked, roast_session_get_recording (run->session));
      stops = check_events (checked, roast_session_get_recording (run->session));
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

static void
check_growth (ConformCase *checked, guint before, guint (*count) (void), const char *what, const char *cure)
{
  guint after = count ();

  /* A thread that was joined may be seen for a moment longer, and one that was not may be about to end. */
  for (int i = 0; i < SETTLE_TRIES && after >= before + (CYCLES - WARM_UP); i++)
    {
      conform_iterate (SETTLE_MS);
      after = count ();
    }
  if (after >= before + (CYCLES - WARM_UP))
    inspect_child_finding (checked->plugin, cure,
                           "each start and stop leaves %s behind: there were %u, and after %d more %u", what, before,
                           CYCLES - WARM_UP, after);
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
  check_growth (checked, files, conform_count_files, "open files", "Close in stop_tracking what start_tracking opened");
  check_growth (checked, threads, conform_count_threads, "threads",
                "Join in stop_tracking what start_tracking started");
}

void
conform_backend (gpointer data)
{
  ConformCase *checked = data;
  g_autoptr (RoastMetricsBackend) backend = create (checked);
  RoastBackendCapabilities capabilities;

  if (backend == NULL)
    return;
  capabilities = roast_metrics_backend_get_capabilities (backend);
  check_attach (checked);
  /* What can only attach needs something to attach to, which is not here. */
  if ((capabilities & ROAST_BACKEND_CAPABILITIES_LAUNCH) != 0 ||
      (capabilities & ROAST_BACKEND_CAPABILITIES_ATTACH) == 0)
    check_cycles (checked);
}
