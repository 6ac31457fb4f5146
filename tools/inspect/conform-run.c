/* SPDX-License-Identifier: BSD-3-Clause */
#include "conform.h"

#include <signal.h>

/* Adds the other plugins after @plugin, because an aggregator of @plugin may require their metrics. */
RoastRegistry *
conform_registry_new (RoastPlugin *plugin)
{
  g_autofree char *directory = g_path_get_dirname (roast_plugin_get_path (plugin));
  g_auto (GStrv) others = roast_registry_dup_search_path (roast_registry_get_default ());
  g_autofree char *joined = g_strjoinv (G_SEARCHPATH_SEPARATOR_S, others);
  g_autofree char *path = g_strjoin (G_SEARCHPATH_SEPARATOR_S, directory, joined, NULL);

  return roast_registry_new_for_path (path);
}

void
conform_on_result (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

GAsyncResult *
conform_wait (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

static gboolean
on_time (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

void
conform_iterate (guint milliseconds)
{
  gboolean over = FALSE;

  g_timeout_add (milliseconds, on_time, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}

static guint
count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

guint
conform_count_files (void)
{
  return count_entries ("/proc/self/fd");
}

guint
conform_count_threads (void)
{
  return count_entries ("/proc/self/task");
}

#define ATTACHED_MS 5000 /* ms; time after which roast stops a backend that is attached to a running executor */
#define SAMPLED_MS 100   /* ms; time for which the program runs: long enough for samples, short enough for the user */

/* Ends the program after all checks. So it always runs long enough, even on a slow machine. The program ends on its own
 * only if roast-inspect was killed. */
static void
end_program (ConformRun *run)
{
  conform_iterate (SAMPLED_MS);
  roast_launcher_send_signal (roast_session_get_launcher (run->session), SIGTERM);
}

static gboolean
launch (ConformRun *run)
{
  const char *argv[] = { "sleep", "10", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (GAsyncResult) result = NULL;

  roast_launch_context_set_grace (context, 0);
  roast_session_launch_async (run->session, context, NULL, conform_on_result, &result);
  return roast_session_launch_finish (run->session, conform_wait (&result), &run->error);
}

static ConformRun *
run_new (RoastRegistry *registry, const char *name, RoastMetricsBackend *backend)
{
  ConformRun *run = g_new0 (ConformRun, 1);

  run->session = roast_session_new (registry);
  roast_session_set_deadline (run->session, DEADLINE);
  roast_session_set_interval (run->session, 20000);
  if (backend != NULL)
    roast_session_add_backend (run->session, name, backend);
  return run;
}

static void
wait_for_end (ConformRun *run)
{
  g_autoptr (GAsyncResult) result = NULL;

  roast_session_wait_async (run->session, NULL, conform_on_result, &result);
  roast_session_wait_finish (run->session, conform_wait (&result), &run->error);
}

static gboolean
stop (gpointer session)
{
  roast_session_stop (session);
  return G_SOURCE_CONTINUE;
}

ConformRun *
conform_attach (RoastRegistry *registry, const char *name, RoastMetricsBackend *backend, const char *address)
{
  ConformRun *run = run_new (registry, name, backend);
  g_autoptr (GAsyncResult) result = NULL;
  guint timer;

  roast_session_attach_async (run->session, address, NULL, conform_on_result, &result);
  if (!roast_session_attach_finish (run->session, conform_wait (&result), &run->error))
    return run;
  timer = g_timeout_add (ATTACHED_MS, stop, run->session);
  wait_for_end (run);
  g_source_remove (timer);
  return run;
}

ConformRun *
conform_run (RoastRegistry *registry, const char *name, RoastMetricsBackend *backend, ConformWhileRunning while_running,
             gpointer data)
{
  ConformRun *run = run_new (registry, name, backend);

  if (!launch (run))
    return run;
  if (while_running != NULL)
    while_running (run, data);
  end_program (run);
  wait_for_end (run);
  return run;
}

void
conform_run_free (ConformRun *run)
{
  g_clear_object (&run->session);
  g_clear_error (&run->error);
  g_free (run);
}
