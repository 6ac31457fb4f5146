/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds and opens runs, and explains what is missing in them. */

#include <sys/wait.h>

#include "report-run.h"

#define WAIT_STATUS "tree-wait-status" /* key in the metadata of a recording */

void
report_run_free (ReportRun *self)
{
  g_clear_object (&self->recording);
  g_clear_object (&self->file);
  g_free (self);
}

const char *
report_run_state_name (RoastRunFile *file)
{
  static const char *const names[] = {
    [ROAST_RUN_FILE_STATE_GROWING] = "running",
    [ROAST_RUN_FILE_STATE_CLOSED] = "complete",
    [ROAST_RUN_FILE_STATE_INTERRUPTED] = "interrupted",
  };

  RoastRunFileState state = roast_run_file_get_state (file);
  g_autofree char *incomplete =
      state == ROAST_RUN_FILE_STATE_CLOSED ? roast_run_file_dup_meta (file, "incomplete") : NULL;

  return incomplete != NULL ? "incomplete" : names[state];
}

char *
report_format_time (gint64 time)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (time / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;

  return local != NULL ? g_date_time_format (local, "%Y-%m-%d %H:%M:%S") : g_strdup ("");
}

static void
explain_damage (ReportRun *self)
{
  g_autofree char *problem = roast_run_file_dup_problem (self->file);

  if (problem != NULL)
    g_printerr ("roast-report: %s: %s\n", roast_run_file_get_path (self->file), problem);
}

static void
explain (ReportRun *self)
{
  RoastRunFileState state = roast_run_file_get_state (self->file);
  gint64 reach = roast_run_file_get_reach (self->file);
  g_autofree char *time = reach >= 0 ? report_format_time (reach) : g_strdup ("the start of the run");

  if (state != ROAST_RUN_FILE_STATE_CLOSED)
    g_printerr ("roast-report: %s: data reach until %s\n",
                state == ROAST_RUN_FILE_STATE_GROWING ? "this run is still in progress"
                                                      : "the measurement of this run was interrupted",
                time);
}

ReportRun *
report_run_look (const char *path, GError **error)
{
  g_autoptr (ReportRun) self = g_new0 (ReportRun, 1);

  self->file = roast_run_file_open (path, error);
  if (self->file == NULL)
    return NULL;
  self->recording = roast_run_file_read (self->file, error);

  return self->recording != NULL ? g_steal_pointer (&self) : NULL;
}

char *
report_run_find (const char *name, GError **error)
{
  g_autoptr (RoastRuns) runs = roast_runs_new (error);

  return runs != NULL ? roast_runs_find (runs, name != NULL ? name : "last", error) : NULL;
}

ReportRun *
report_run_open (const char *name, GError **error)
{
  g_autofree char *path = report_run_find (name, error);
  g_autoptr (ReportRun) self = path != NULL ? report_run_look (path, error) : NULL;

  if (self == NULL)
    return NULL;
  explain (self);
  explain_damage (self);

  return g_steal_pointer (&self);
}

/* Sets the wait status of a run that has no wait status. Also writes the status to the run file for later reports. */
void
report_run_take_status (ReportRun *self, int wait_status)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (self->recording);
  g_autoptr (GVariant) before = g_variant_lookup_value (metadata, WAIT_STATUS, NULL);
  g_autofree char *text = WIFSIGNALED (wait_status) ? g_strdup_printf ("signal %d", WTERMSIG (wait_status))
                                                    : g_strdup_printf ("exit %d", WEXITSTATUS (wait_status));
  g_autoptr (GError) error = NULL;

  if (before != NULL)
    return;
  roast_recording_set_metadata (self->recording, WAIT_STATUS, g_variant_new_int32 (wait_status));
  if (!roast_run_file_amend (self->file, "status", text, WAIT_STATUS, g_variant_new_int32 (wait_status), &error))
    g_debug ("the status is not kept: %s", error->message);
}
