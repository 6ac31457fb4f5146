/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-scheduler.h"

#include <math.h>

#include "dask-activities.h"
#include "dask-categories.h"
#include "dask-cluster.h"
#include "dask-process.h"
#include "dask-remarks.h"
#include "dask-row.h"
#include "dask-spans.h"
#include "dask-tasks.h"
#include "dask-workers.h"

#define VERSION 2 /* of the probe's lines */

enum
{
  HELLO_VERSION,
  HELLO_BOOT,
  HELLO_ADDRESS,
  HELLO_DISTRIBUTED,
  HELLO_PYTHON,
  HELLO_ACTIVITIES,
  HELLO_SPANS,
  HELLO_TASKS,
};
static const char *const hello_columns[] = { "version",    "boot",  "address", "distributed", "python",
                                             "activities", "spans", "tasks",   NULL };

enum
{
  NOW_NOW,
};
static const char *const now_columns[] = { "now", NULL };

enum
{
  LOST_LINES,
};
static const char *const lost_columns[] = { "lines", NULL };

enum
{
  FLUSHED_FLUSH,
  FLUSHED_MISSING,
};
static const char *const flushed_columns[] = { "flush", "missing", NULL };

enum
{
  BYE_MISSING,
  BYE_CLOSED,
};
static const char *const bye_columns[] = { "missing", "closed", NULL };

/* A scheduler between its hello and its end; the client of a script may find another one after it. */
typedef struct
{
  char *name; /* in the recording */
  char *boot;
  char *address;
  gboolean has_activities;
  gint64 now;        /* of the rows that come */
  gint64 last_heard; /* the greatest of these */
  gboolean over, finished;
  gboolean closed; /* it ended itself, and its workers with it */

  DaskWorkers *workers;
  DaskCategories *categories;
  DaskTasks *tasks;
  DaskActivities *activities;
  DaskSpans *spans;
  DaskCluster *cluster;
} Source;

struct _DaskScheduler
{
  RoastRecording *recording;
  RoastWireReader *reader;
  FrameworkTasks *roles;
  guint64 max_tasks;
  guint64 flushed;
  DaskRemarks *remarks;
  Source *source; /* NULL until it says hello */
};

static void
source_free (Source *source)
{
  g_clear_pointer (&source->cluster, dask_cluster_free);
  g_clear_pointer (&source->spans, dask_spans_free);
  g_clear_pointer (&source->activities, dask_activities_free);
  g_clear_pointer (&source->tasks, dask_tasks_free);
  g_clear_pointer (&source->categories, dask_categories_free);
  g_clear_pointer (&source->workers, dask_workers_free);
  g_free (source->name);
  g_free (source->boot);
  g_free (source->address);
  g_free (source);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Source, source_free)

/* ---- hello ---- */

/* "2022.12" of "2022.12.1+ds.1". */
static char *
dup_short_version (const char *version)
{
  g_auto (GStrv) parts = g_strsplit (version != NULL ? version : "", ".", 3);

  if (version == NULL)
    return g_strdup ("of an unknown version");

  return parts[0] != NULL && parts[1] != NULL ? g_strjoin (".", parts[0], parts[1], NULL) : g_strdup (version);
}

static char *
dup_capabilities (RoastWireReader *hello, const char *version)
{
  GString *text = g_string_new ("workers, their memory and load, tasks");

  if (!roast_wire_reader_get_boolean (hello, HELLO_TASKS))
    g_string_append (text, " (counts only: rows are switched off)");
  if (roast_wire_reader_get_boolean (hello, HELLO_ACTIVITIES))
    g_string_append (text, ", activities of tasks");
  if (roast_wire_reader_get_boolean (hello, HELLO_SPANS))
    g_string_append (text, ", spans");
  else
    g_string_append_printf (text, "; spans not available: Dask %s has no spans", version);

  return g_string_free (text, FALSE);
}

static gboolean
write_coverage (DaskScheduler *self, const char *source, const char *version, gboolean all, GError **error)
{
  g_autoptr (RoastTableWriter) writer =
      roast_recording_write_table (self->recording, ROAST_TABLE_SOURCES, source, roast_sources_columns, error);

  if (writer == NULL)
    return FALSE;
  roast_table_writer_set_word (writer, ROAST_SOURCES_ACTIVITIES, all ? ROAST_COVERAGE_ALL : ROAST_COVERAGE_NONE);
  if (!all)
    {
      g_autofree char *reason =
          g_strdup_printf ("Dask %s does not measure the activities of tasks, Dask 2023.6 or newer does", version);

      roast_table_writer_set_string (writer, ROAST_SOURCES_ACTIVITIES_MISSING, reason);
    }

  return roast_table_writer_end (writer, error);
}

static char *
add_source (DaskScheduler *self, const char *address, GError **error)
{
  RoastWireReader *hello = self->reader;
  const char *distributed = roast_wire_reader_get_string (hello, HELLO_DISTRIBUTED);
  const char *python = roast_wire_reader_get_string (hello, HELLO_PYTHON);
  g_autofree char *version = dup_short_version (distributed);
  g_autofree char *versions = g_strdup_printf ("distributed %s, Python %s", distributed != NULL ? distributed : "?",
                                               python != NULL ? python : "?");
  g_autofree char *capabilities = dup_capabilities (hello, version);
  g_autofree char *name = NULL;

  if (!roast_wire_reader_check_row (hello, error))
    return NULL;
  name = roast_recording_add_source (self->recording, "dask", address, versions, capabilities);
  if (!write_coverage (self, name, version, roast_wire_reader_get_boolean (hello, HELLO_ACTIVITIES), error))
    return NULL;

  return g_steal_pointer (&name);
}

static gboolean
open_tables (DaskScheduler *self, Source *source, const char *name, GError **error)
{
  return (source->workers = dask_workers_new (self->recording, name, error)) != NULL &&
         (source->categories = dask_categories_new (self->recording, name, self->roles, error)) != NULL &&
         (source->tasks = dask_tasks_new (self->recording, name, source->workers, source->categories, self->max_tasks,
                                          error)) != NULL &&
         (source->activities =
              dask_activities_new (self->recording, name, source->workers, source->categories, error)) != NULL &&
         (source->spans = dask_spans_new (self->recording, name, error)) != NULL &&
         (source->cluster = dask_cluster_new (self->recording, name, error)) != NULL;
}

/* The client that hands lines on found another probe: the scheduler was started again, or the script uses another one.
 */
static gboolean
end_source (DaskScheduler *self, const char *address, const char *boot)
{
  gboolean restarted =
      g_str_equal (self->source->address, address) && !g_str_equal (self->source->boot, boot) && !self->source->over;

  dask_scheduler_finish (self);
  g_clear_pointer (&self->source, source_free);

  return restarted;
}

static gboolean
take_hello (DaskScheduler *self, GError **error)
{
  gint64 version = roast_wire_reader_get_count (self->reader, HELLO_VERSION);
  const char *boot = NULL;
  const char *address = NULL;
  g_autofree char *name = NULL;
  g_autoptr (Source) source = NULL;
  gboolean restarted = FALSE;

  if (version != VERSION)
    return dask_row_refuse (error,
                            "the probe in the scheduler is from another version of roast (its lines have version "
                            "%" G_GINT64_FORMAT ", not %d): restart the scheduler, or use the roast that it was "
                            "started with",
                            version, VERSION);
  if (!dask_row_get_name (self->reader, HELLO_BOOT, &boot, error) ||
      !dask_row_get_name (self->reader, HELLO_ADDRESS, &address, error))
    return FALSE;
  if (self->source != NULL)
    restarted = end_source (self, address, boot);
  name = add_source (self, address, error);
  if (name == NULL)
    return FALSE;
  g_debug ("%s is the scheduler %s", name, address);
  source = g_new0 (Source, 1);
  source->name = g_strdup (name);
  source->boot = g_strdup (boot);
  source->address = g_strdup (address);
  source->has_activities = roast_wire_reader_get_boolean (self->reader, HELLO_ACTIVITIES);
  if (!open_tables (self, source, name, error))
    return FALSE;
  self->source = g_steal_pointer (&source);
  dask_remarks_free (self->remarks);
  self->remarks = dask_remarks_new (self->recording, name);
  if (restarted)
    dask_remarks_add (self->remarks, -1, ROAST_SEVERITY_WARNING, "scheduler-restarted",
                      "the scheduler was restarted: from here on it counts as another source");

  return TRUE;
}

/* ---- rows ---- */

static gboolean
take_now (DaskScheduler *self, GError **error)
{
  gint64 now;

  if (!dask_row_get_time (self->reader, NOW_NOW, &now, error))
    return FALSE;
  self->source->now = MAX (now, 0);
  self->source->last_heard = MAX (self->source->last_heard, now);

  return TRUE;
}

static gboolean
take_worker (DaskScheduler *self, GError **error)
{
  return dask_workers_take (self->source->workers, self->reader, error);
}

static gboolean
take_told (DaskScheduler *self, GError **error)
{
  return dask_workers_take_told (self->source->workers, self->reader, self->source->now, error);
}

static gboolean
take_process (DaskScheduler *self, GError **error)
{
  return dask_workers_take_process (self->source->workers, self->reader, error);
}

static gboolean
take_sample (DaskScheduler *self, GError **error)
{
  return dask_workers_take_sample (self->source->workers, self->reader, self->source->now, error);
}

static gboolean
take_category (DaskScheduler *self, GError **error)
{
  return dask_categories_take (self->source->categories, self->reader, error);
}

static gboolean
take_states (DaskScheduler *self, GError **error)
{
  return dask_categories_take_states (self->source->categories, self->reader, self->source->now, error);
}

static gboolean
take_totals (DaskScheduler *self, GError **error)
{
  return dask_categories_take_totals (self->source->categories, self->reader, FALSE, error);
}

static gboolean
take_totals_base (DaskScheduler *self, GError **error)
{
  return dask_categories_take_totals (self->source->categories, self->reader, TRUE, error);
}

static gboolean
take_task (DaskScheduler *self, GError **error)
{
  return dask_tasks_take (self->source->tasks, self->reader, self->source->now, error);
}

static gboolean
take_phase (DaskScheduler *self, GError **error)
{
  return dask_tasks_take_phase (self->source->tasks, self->reader, self->source->now, error);
}

static gboolean
take_activity (DaskScheduler *self, GError **error)
{
  return dask_activities_take (self->source->activities, self->reader, error);
}

static gboolean
take_value (DaskScheduler *self, GError **error)
{
  return dask_activities_take_value (self->source->activities, self->reader, self->source->now, error);
}

static gboolean
take_base (DaskScheduler *self, GError **error)
{
  return dask_activities_take_base (self->source->activities, self->reader, error);
}

static gboolean
take_span (DaskScheduler *self, GError **error)
{
  return dask_spans_take (self->source->spans, self->reader, error);
}

static gboolean
take_cluster (DaskScheduler *self, GError **error)
{
  return dask_cluster_take (self->source->cluster, self->reader, self->source->now, error);
}

static gboolean
take_cost (DaskScheduler *self, GError **error)
{
  return dask_cluster_take_cost (self->source->cluster, self->reader, error);
}

/* Also before a hello: the client of a script reports why there will be none. */
static gboolean
take_event (DaskScheduler *self, GError **error)
{
  gint64 now = self->source != NULL && self->source->now > 0 ? self->source->now : -1;

  return dask_remarks_take (self->remarks, self->reader, now, error);
}

static gboolean
take_lost (DaskScheduler *self, GError **error)
{
  gint64 lines = roast_wire_reader_get_count (self->reader, LOST_LINES);
  g_autofree char *message = NULL;

  if (!roast_wire_reader_check_row (self->reader, error))
    return FALSE;
  dask_tasks_break (self->source->tasks);
  if (lines <= 0)
    return TRUE;
  message =
      g_strdup_printf ("roast did not read %" G_GINT64_FORMAT " lines of the scheduler in time: tasks and samples "
                       "of that time are missing; sums of activities are complete",
                       lines);
  dask_remarks_add (self->remarks, self->source->now > 0 ? self->source->now : -1, ROAST_SEVERITY_WARNING,
                    "frames-dropped", message);

  return TRUE;
}

static gboolean
take_flushed (DaskScheduler *self, GError **error)
{
  gint64 number = roast_wire_reader_get_count (self->reader, FLUSHED_FLUSH);

  if (!roast_wire_reader_check_row (self->reader, error))
    return FALSE;
  if (number >= 0)
    self->flushed = (guint64) number;
  g_debug ("flush %" G_GINT64_FORMAT " is answered, without %" G_GINT64_FORMAT " workers", number,
           roast_wire_reader_get_count (self->reader, FLUSHED_MISSING));

  return TRUE;
}

static gboolean
take_bye (DaskScheduler *self, GError **error)
{
  self->source->closed = roast_wire_reader_get_boolean (self->reader, BYE_CLOSED);
  self->source->over = TRUE;
  g_debug ("%s says bye, without %" G_GINT64_FORMAT " workers", self->source->address,
           roast_wire_reader_get_count (self->reader, BYE_MISSING));

  return roast_wire_reader_check_row (self->reader, error);
}

/* By number in the reader. */
static const struct
{
  const char *name;
  const char *const *columns;
  gboolean (*take) (DaskScheduler *self, GError **error);
  gboolean early; /* may come before a hello */
} tables[] = {
  { "hello", hello_columns, take_hello, TRUE },
  { "now", now_columns, take_now },
  { "worker", dask_worker_columns, take_worker },
  { "told", dask_told_columns, take_told },
  { "process", dask_process_columns, take_process },
  { "s", roast_worker_samples_columns, take_sample },
  { "category", dask_category_columns, take_category },
  { "states", dask_state_columns, take_states },
  { "totals", dask_total_columns, take_totals },
  { "totals-base", dask_total_columns, take_totals_base },
  { "t", dask_task_columns, take_task },
  { "phase", dask_phase_columns, take_phase },
  { "activity", dask_activity_columns, take_activity },
  { "v", dask_value_columns, take_value },
  { "base", dask_value_columns, take_base },
  { "span", roast_spans_columns, take_span },
  { "cluster", roast_cluster_samples_columns, take_cluster },
  { "cost", dask_cost_columns, take_cost },
  { "event", roast_events_columns, take_event, TRUE },
  { "lost", lost_columns, take_lost },
  { "flushed", flushed_columns, take_flushed },
  { "bye", bye_columns, take_bye },
};

DaskScheduler *
dask_scheduler_new (RoastRecording *recording, RoastWireReader *reader, FrameworkTasks *roles, guint64 max_tasks)
{
  DaskScheduler *self = g_new0 (DaskScheduler, 1);

  self->recording = g_object_ref (recording);
  self->reader = g_object_ref (reader);
  self->roles = roles;
  self->max_tasks = max_tasks;
  self->remarks = dask_remarks_new (recording, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    roast_wire_reader_add_table (reader, tables[i].name, tables[i].columns);

  return self;
}

void
dask_scheduler_free (DaskScheduler *self)
{
  g_clear_pointer (&self->source, source_free);
  dask_remarks_free (self->remarks);
  g_object_unref (self->reader);
  g_object_unref (self->recording);
  g_free (self);
}

static gboolean
take_row (DaskScheduler *self, GError **error)
{
  guint table = roast_wire_reader_get_table (self->reader);

  if (self->source == NULL && !tables[table].early)
    return dask_row_refuse (error, "a row of table “%s” came before a hello", tables[table].name);

  return tables[table].take (self, error);
}

gboolean
dask_scheduler_take_line (DaskScheduler *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  switch (roast_wire_reader_get_line_type (self->reader))
    {
    case ROAST_WIRE_LINE_DECLARATION:
      return TRUE;

    case ROAST_WIRE_LINE_ROW:
      if (take_row (self, &local))
        return TRUE;
      break;

    case ROAST_WIRE_LINE_MESSAGE:
    default:
      dask_row_refuse (&local, "a line is neither a declaration nor a row: the probe in the scheduler is from another "
                               "version of roast");
    }
  dask_scheduler_note_refused (self, local);
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

void
dask_scheduler_note_refused (DaskScheduler *self, const GError *error)
{
  g_debug ("a line from %s is refused: %s", self->source != NULL ? self->source->address : "a scheduler",
           error->message);
  dask_remarks_note_refused (self->remarks, error);
}

/* ---- the end ---- */

/* The counts are those of its last lines. */
static void
write_missing_tasks (DaskScheduler *self, double tail)
{
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (self->recording, ROAST_TABLE_SOURCES,
                                                                     self->source->name, roast_sources_columns, NULL);
  g_autofree char *reason =
      g_strdup_printf ("the scheduler ended without sending its last data: tasks of its last %.1f s may be missing",
                       tail);

  roast_table_writer_set_string (writer, ROAST_SOURCES_TASKS_MISSING, reason);
  roast_table_writer_end (writer, NULL);
}

static void
report_loss (DaskScheduler *self)
{
  Source *source = self->source;
  gint64 end = MAX (g_get_real_time (), source->last_heard);
  double tail = (double) (end - source->last_heard) / G_USEC_PER_SEC;
  double longest = 0;
  guint n = dask_workers_finish (source->workers, end, "scheduler lost", ROAST_WORKER_END_LOST, &longest);
  g_autofree char *message = g_strdup_printf ("the scheduler %s ended without sending its last data: %u worker(s) have "
                                              "no data for up to the last %.1f s",
                                              source->address, n, longest);

  dask_remarks_add (self->remarks, -1, ROAST_SEVERITY_WARNING, "scheduler-lost", message);
  write_missing_tasks (self, tail);
}

static void
report_left_out (DaskScheduler *self)
{
  guint64 left_out = dask_tasks_get_left_out (self->source->tasks);
  g_autofree char *message = NULL;

  if (left_out == 0 || self->max_tasks == 0)
    return;
  message = g_strdup_printf ("%" G_GUINT64_FORMAT " tasks have no row: more than max-tasks=%" G_GUINT64_FORMAT
                             " ran. Metrics that do not use rows of tasks are complete",
                             left_out, self->max_tasks);
  dask_remarks_add (self->remarks, -1, ROAST_SEVERITY_WARNING, "frames-dropped", message);
}

void
dask_scheduler_leave (DaskScheduler *self)
{
  if (self->source != NULL)
    self->source->over = TRUE;
  dask_scheduler_finish (self);
}

void
dask_scheduler_finish (DaskScheduler *self)
{
  Source *source = self->source;

  if (source == NULL || source->finished)
    return;
  source->finished = TRUE;
  if (source->last_heard == 0)
    source->last_heard = g_get_real_time ();
  if (!source->over)
    report_loss (self);
  else if (source->closed)
    dask_workers_finish (source->workers, source->last_heard, "scheduler closed", ROAST_WORKER_END_CLOSED, NULL);
  else
    dask_workers_finish (source->workers, -1, NULL, -1, NULL);
  dask_categories_finish (source->categories, source->last_heard);
  dask_spans_finish (source->spans);
  dask_cluster_finish (source->cluster, source->last_heard);
  report_left_out (self);
  dask_remarks_finish (self->remarks);
}

/* ---- getters ---- */

gboolean
dask_scheduler_is_known (DaskScheduler *self)
{
  return self->source != NULL;
}

const char *
dask_scheduler_get_address (DaskScheduler *self)
{
  return self->source != NULL ? self->source->address : NULL;
}

gboolean
dask_scheduler_has_activities (DaskScheduler *self)
{
  return self->source != NULL && self->source->has_activities;
}

guint64
dask_scheduler_get_flushed (DaskScheduler *self)
{
  return self->flushed;
}

gboolean
dask_scheduler_is_over (DaskScheduler *self)
{
  return self->source != NULL && self->source->over;
}

void
dask_scheduler_add_totals (DaskScheduler *self, GHashTable *totals)
{
  if (self->source != NULL)
    dask_activities_add_totals (self->source->activities, totals);
}
