/* SPDX-License-Identifier: BSD-3-Clause */
#include "activity-report.h"

#include <math.h>

#include "events.h"
#include "metric-add.h"
#include "notes.h"

/* Return a note on workers that were lost before their last data arrived; NULL if there are none. */
static char *
report_dup_tail_note (ActivityReport *self)
{
  guint n = 0, n_all;
  const RoastRunWorker *workers = roast_run_model_get_workers (self->model, &n_all);
  double longest = NAN;

  for (guint i = 0; i < n_all; i++)
    if (workers[i].tail_lost > 0 && g_hash_table_contains (self->sums->sources, workers[i].source))
      {
        n++;
        longest = fmax (longest, workers[i].tail_lost);
      }

  return n > 0 ? g_strdup_printf ("%u %s lost, with up to %.1f s of data missing", n,
                                  n == 1 ? "worker was" : "workers were", longest)
               : NULL;
}

/* Return a note on workers that closed while their threads still ran tasks, for example cancelled tasks. Workers do not
 * report the time of these tasks. */
static char *
dup_computing_note (ActivityReport *self)
{
  guint n = 0, n_all;
  const RoastRunWorker *workers = roast_run_model_get_workers (self->model, &n_all);

  for (guint i = 0; i < n_all; i++)
    n += workers[i].computing > 0 && g_hash_table_contains (self->sums->sources, workers[i].source);

  return n > 0 ? g_strdup_printf ("%u %s still ran tasks after sending the last data", n, n == 1 ? "worker" : "workers")
               : NULL;
}

static char *
report_dup_missing (RoastTableReader *sources)
{
  while (roast_table_reader_next (sources))
    if (roast_table_reader_has (sources, ROAST_SOURCES_ACTIVITIES_MISSING))
      return g_strdup (roast_table_reader_get_string (sources, ROAST_SOURCES_ACTIVITIES_MISSING));

  return g_strdup ("no executor recorded how its tasks spent their time");
}

static void
report_make_notes (ActivityReport *self)
{
  g_autofree char *cut = events_describe (self->recording, "transfers-cut");
  g_autofree char *untimed = events_describe (self->recording, "transfers-untimed");
  g_autofree char *moved = notes_join (untimed, cut);
  g_autofree char *tail = report_dup_tail_note (self);
  g_autofree char *silent = events_describe (self->recording, "workers-silent flush");
  g_autofree char *computing = dup_computing_note (self);
  g_autofree char *quiet = notes_join (tail, silent);
  g_autofree char *lost = notes_join (quiet, computing);
  g_autofree char *unmeasured = NULL;
  g_autofree char *vague = NULL;

  if (self->sums->has_cpu && self->sums->unmeasured > 0)
    {
      g_autofree char *time = roast_format_number (self->sums->unmeasured, "duration");

      unmeasured = g_strdup_printf ("the CPU time of tasks that took %s in total is unknown", time);
    }
  if (self->sums->vague > 0)
    {
      g_autofree char *time = roast_format_number (self->sums->vague, "duration");

      vague = g_strdup_printf ("the start or end of tasks that took %s in total is unknown", time);
    }
  self->process_note = notes_join (quiet, unmeasured);
  self->activities_note = notes_join (lost, unmeasured);
  self->network_note = notes_join (quiet, moved);
  if (self->sums->untimed > 0 && (!self->sums->has_activities || self->sums->is_limited))
    self->untimed_note = g_strdup_printf ("%" G_GUINT64_FORMAT " attempt%s no known start or end", self->sums->untimed,
                                          self->sums->untimed == 1 ? " has" : "s have");
  self->cores_note = notes_join (self->activities_note, vague);
}

ActivityReport *
activity_report_new (RoastRecordingSnapshot *recording, RoastReport *report)
{
  ActivityReport *self = g_new0 (ActivityReport, 1);
  g_autoptr (RoastTableReader) sources = roast_sources_read (recording);

  self->recording = recording;
  self->model = roast_run_model_get (recording);
  self->report = report;
  self->sums = activity_sums_new (recording);
  report_make_notes (self);
  self->missing = report_dup_missing (sources);

  return self;
}

void
activity_report_free (ActivityReport *self)
{
  g_clear_pointer (&self->sums, activity_sums_free);
  g_free (self->process_note);
  g_free (self->activities_note);
  g_free (self->network_note);
  g_free (self->untimed_note);
  g_free (self->cores_note);
  g_free (self->missing);
  g_free (self);
}

/* If there is a @note, the ratio is estimated rather than partial, because missing data may make it too large or too
 * small. */
void
activity_report_add_ratio (ActivityReport *self, const char *name, double numerator, double denominator,
                           const char *note, const char *missing)
{
  metric_add (self->report, name, denominator > 0 ? numerator / denominator : NAN, ROAST_COMPLETENESS_ESTIMATED, note,
              missing);
}
