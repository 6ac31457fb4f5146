/* SPDX-License-Identifier: BSD-3-Clause */
#include "report-follow.h"

#include <glib-unix.h>
#include <time.h>

#include "export-option.h"

#define MOST_LOST 10 /* s; time to wait for a missing run file, which roast-run may be moving to its final place */

typedef struct
{
  ReportOptions *options;
  RoastRegistry *registry;
  const char *path;
  ReportFollowWrite write;
  gint64 interval, next; /* µs; interval: time between two reports; next: time of the next report */
  guint n_lost;          /* number of times in a row that the run file could not be opened */
  char *problem;         /* text of the problem that was printed last, or NULL */
  GMainLoop *loop;
  GError *error;
  gboolean is_stopped;
} Follow;

/* Adds to @live the exporters that write while the run goes on. Returns the shortest interval between two reports that
 * any of them wants, in µs; 0 if there are no such exporters. */
static gint64
begin_live (ReportOptions *options, GPtrArray *live)
{
  gint64 interval = 0;

  for (guint i = 0; i < options->exports->len; i++)
    {
      ExportOption *export = g_ptr_array_index (options->exports, i);
      gint64 every = export_option_may_be_live (export) ? roast_exporter_begin_live (export->exporter) : 0;

      if (every == 0)
        continue;
      interval = interval == 0 ? every : MIN (interval, every);
      g_ptr_array_add (live, export);
    }

  return interval;
}

/* Prints a problem, unless it was also printed for the previous report, because most problems affect every report. */
static void
tell (Follow *self, const GError *error)
{
  if (g_strcmp0 (self->problem, error->message) == 0)
    return;
  g_free (self->problem);
  self->problem = g_strdup (error->message);
  g_printerr ("roast-report: %s\n", error->message);
}

static void
write_now (Follow *self)
{
  gint64 cpu = clock ();
  g_autoptr (GError) error = NULL;
  g_autoptr (ReportRun) run = report_run_look (self->path, &error);

  if (run == NULL || !self->write (self->options, self->registry, run, &error))
    tell (self, error);
  cpu = (clock () - cpu) * G_USEC_PER_SEC / CLOCKS_PER_SEC;
  self->next = g_get_monotonic_time () + MAX (self->interval, REPORT_RUN_SHARE * cpu);
}

static gboolean
on_second (gpointer data)
{
  Follow *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunFile) file = roast_run_file_open (self->path, &error);
  gboolean goes_on =
      file != NULL ? roast_run_file_get_state (file) == ROAST_RUN_FILE_STATE_GROWING : ++self->n_lost < MOST_LOST;

  if (file != NULL)
    self->n_lost = 0;
  if (file != NULL && goes_on && g_get_monotonic_time () >= self->next)
    write_now (self);
  if (!goes_on)
    {
      self->error = g_steal_pointer (&error);
      g_main_loop_quit (self->loop);
    }

  return goes_on;
}

static gboolean
on_signal (gpointer data)
{
  Follow *self = data;

  self->is_stopped = TRUE;
  g_main_loop_quit (self->loop);

  return G_SOURCE_CONTINUE;
}

gboolean
report_follow (ReportOptions *options, RoastRegistry *registry, RoastRunFile *file, ReportFollowWrite write,
               gboolean *has_followed, gboolean *is_stopped, GError **error)
{
  static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Follow self = { options, registry, roast_run_file_get_path (file), write };
  g_autoptr (GPtrArray) live = g_ptr_array_new ();
  GPtrArray *all = options->exports;

  if (roast_run_file_get_state (file) == ROAST_RUN_FILE_STATE_GROWING)
    self.interval = begin_live (options, live);
  *has_followed = self.interval > 0;
  if (!*has_followed)
    return TRUE;
  self.loop = loop;
  options->exports = live;
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_unix_signal_add (signals[i], on_signal, &self);
  if (on_second (&self))
    {
      g_timeout_add_seconds (1, on_second, &self);
      g_main_loop_run (loop);
    }
  options->exports = all;
  g_free (self.problem);
  *is_stopped |= self.is_stopped;
  if (self.error != NULL)
    g_propagate_error (error, self.error);

  return self.error == NULL;
}
