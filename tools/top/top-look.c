/* SPDX-License-Identifier: BSD-3-Clause */

/* Looks at a run once: reads the data that the run file contains now, and makes a report from them. */

#include "top.h"

#include <math.h>
#include <time.h>

#include "run-entry.h"

static double
get_cpu (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);

  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

/* ---- the file ---- */

static gboolean
has_process (RoastRunFile *file, gint64 pid)
{
  g_autoptr (RoastRecording) recording = roast_run_file_read (file, NULL);
  g_autoptr (RoastTableReader) processes =
      recording != NULL ? roast_recording_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL)
                        : NULL;

  while (processes != NULL && roast_table_reader_next (processes))
    if (roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PID, -1) == pid)
      return TRUE;

  return FALSE;
}

/* Finds the newest growing run that measures a process with this ID. An older run may have measured another process
 * with the same ID. */
static char *
find_process (RoastRuns *runs, gint64 pid)
{
  g_autoptr (GPtrArray) entries = run_entry_list (runs, NULL);

  for (guint i = 0; entries != NULL && i < entries->len; i++)
    {
      const RunEntry *entry = g_ptr_array_index (entries, i);

      if (entry->file != NULL && roast_run_file_get_state (entry->file) == ROAST_RUN_FILE_STATE_GROWING &&
          has_process (entry->file, pid))
        return g_strdup (entry->path);
    }

  return NULL;
}

char *
top_find (const char *name, GError **error)
{
  g_autoptr (RoastRuns) runs = roast_runs_new (error);
  g_autoptr (GError) problem = NULL;
  char *path = NULL;
  guint64 pid = 0;

  if (runs == NULL)
    return NULL;
  path = roast_runs_find (runs, name != NULL ? name : "last", &problem);
  if (path == NULL && name != NULL && g_ascii_string_to_unsigned (name, 10, 1, G_MAXINT, &pid, NULL))
    path = find_process (runs, (gint64) pid);
  if (path == NULL)
    g_propagate_error (error, g_steal_pointer (&problem));

  return path;
}

/* ---- the look ---- */

void
top_look_free (TopLook *self)
{
  g_clear_pointer (&self->run, report_run_free);
  g_clear_object (&self->session);
  g_clear_object (&self->snapshot);
  g_clear_pointer (&self->categories, g_array_unref);
  g_free (self);
}

/* Sets the length of the recording and the elapsed time of the program. The elapsed time does not include the start of
 * roast-run and the grace period. Returns the start of the run, in µs since the epoch. */
static gint64
measure (TopLook *self)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (self->run->recording);
  gint64 started = -1, ended = self->reach;
  gint64 elapsed;

  g_variant_lookup (metadata, "started", "x", &started);
  g_variant_lookup (metadata, "ended", "x", &ended);
  if (started >= 0 && ended >= started)
    self->length = (double) (ended - started) / G_USEC_PER_SEC;
  self->elapsed =
      g_variant_lookup (metadata, "tree-elapsed", "x", &elapsed) ? (double) elapsed / G_USEC_PER_SEC : self->length;

  return started;
}

/* Replaces the recording by the part of it that was known @at seconds after the start of the run. */
static gboolean
go_back (TopLook *self, gint64 started, double at, GError **error)
{
  gint64 moment = started + (gint64) (at * G_USEC_PER_SEC);
  RoastRecording *past = top_replay_cut (self->run->recording, started, moment, error);

  if (past == NULL)
    return FALSE;
  g_object_unref (self->run->recording);
  self->run->recording = past;
  self->is_past = TRUE;
  self->elapsed = at;
  self->reach = moment;

  return TRUE;
}

gboolean
top_look_goes_on (const TopLook *self)
{
  return self->is_past || self->state == ROAST_RUN_FILE_STATE_GROWING;
}

TopLook *
top_look (const char *path, RoastRegistry *registry, double at, GError **error)
{
  g_autoptr (TopLook) self = g_new0 (TopLook, 1);
  double began = get_cpu ();

  self->run = report_run_look (path, error);
  if (self->run == NULL)
    return NULL;
  self->registry = registry;
  self->session = roast_session_new (self->registry);
  /* Leave out the aggregator “what-if”: it takes a quarter of the time of an update, and no view shows its table. */
  roast_session_leave_out (self->session, "what-if");
  self->state = roast_run_file_get_state (self->run->file);
  self->reach = roast_run_file_get_reach (self->run->file);
  self->started = measure (self);
  if (at < self->length && !go_back (self, self->started, at, error))
    return NULL;
  if (!roast_session_read (self->session, self->run->recording, error))
    return NULL;
  self->report = roast_session_get_report (self->session);
  self->snapshot = roast_recording_snapshot (self->run->recording);
  if (top_look_goes_on (self))
    self->categories = top_categories_read (self);
  self->cpu = get_cpu () - began;

  return g_steal_pointer (&self);
}

double
top_look_get (const TopLook *self, const char *metric)
{
  RoastMetric *found = roast_report_lookup (self->report, metric);

  return found != NULL && roast_metric_is_available (found) ? roast_metric_get_double (found) : NAN;
}

/* ---- samples ---- */

void
top_look_take_samples (const TopLook *self, GHashTable *places, GArray *workers, TopTakeSample take)
{
  static const guint key[] = { ROAST_WORKER_SAMPLES_SOURCE, ROAST_WORKER_SAMPLES_WORKER };
  RoastRunModel *model = roast_run_model_get (self->snapshot);
  g_autoptr (RoastTableReader) samples = roast_worker_samples_read (self->snapshot);
  gpointer place;

  if (samples == NULL)
    return;
  roast_table_reader_last_per (samples, key, G_N_ELEMENTS (key));
  while (roast_table_reader_next (samples))
    {
      const RoastRunWorker *known =
          roast_run_model_find_worker (model, roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_SOURCE),
                                       roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER));

      if (known != NULL && g_hash_table_lookup_extended (places, known, NULL, &place))
        take (workers, GPOINTER_TO_UINT (place), samples);
    }
}
