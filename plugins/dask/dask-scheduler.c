/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-scheduler.h"

#include <math.h>

#include "dask-activities.h"
#include "dask-categories.h"
#include "dask-process.h"
#include "dask-remarks.h"
#include "dask-row.h"
#include "dask-spans.h"
#include "dask-tasks.h"
#include "dask-workers.h"
#include "executor-samples.h"

#define VERSION 2 /* version of the format in which the probe writes lines */

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

/* Columns for the CPU time that the probe itself used. */
enum
{
  COST_SAMPLES,
  COST_HOOKS,
};
static const char *const cost_columns[] = { "samples", "hooks", NULL };

enum
{
  CLOCK_OFFSET,
  CLOCK_UNCERTAINTY,
};
static const char *const clock_columns[] = { "offset", "uncertainty", NULL };
#define MAX_CLOCK_OFFSET 1e9 /* s; larger offsets (more than 30 years) are impossible */

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

/* A scheduler, from its hello until its end. After that, a client in the program may report another scheduler. */
typedef struct
{
  char *name; /* name of the source in the recording */
  char *boot;
  char *address;
  gint64 clock_offset; /* offset of the scheduler's clock, which is subtracted from all its times, µs */
  gboolean has_activities;
  RoastTableWriter *graphs;
  gint64 now;        /* time to which the following rows belong */
  gint64 last_heard; /* latest value of @now */
  gboolean over, finished;
  gboolean closed; /* the scheduler and its workers were closed in the regular way */

  DaskWorkers *workers;
  DaskCategories *categories;
  DaskTasks *tasks;
  DaskActivities *activities;
  DaskSpans *spans;
  ExecutorSamples samples;
  double cost; /* CPU time that the probe used, s; NaN if unknown */
} Source;

struct _DaskScheduler
{
  RoastRecording *recording;
  RoastWireReader *reader;
  FrameworkTasks *roles;
  guint64 max_tasks;
  guint64 flushed;
  guint64 first_flush, last_flush; /* numbers of the first and the last flush that were requested; 0 if there is none */
  DaskRemarks *remarks;
  double clock_offset, clock_uncertainty; /* offset of the scheduler's clock, and its uncertainty, s; NaN if unknown */
  Source *source;                         /* NULL until the hello of the scheduler has arrived */
};

static void
source_free (Source *source)
{
  executor_samples_clear (&source->samples);
  g_object_unref (source->graphs);
  dask_spans_free (source->spans);
  dask_activities_free (source->activities);
  dask_tasks_free (source->tasks);
  dask_categories_free (source->categories);
  dask_workers_free (source->workers);
  g_free (source->name);
  g_free (source->boot);
  g_free (source->address);
  g_free (source);
}

/* ---- hello ---- */

/* Returns the first two parts of a version, such as "2022.12" for "2022.12.1+ds.1". */
static char *
dup_short_version (const char *version)
{
  g_auto (GStrv) parts = g_strsplit (version != NULL ? version : "", ".", 3);

  if (version == NULL)
    return g_strdup ("(unknown version)");

  return parts[0] != NULL && parts[1] != NULL ? g_strjoin (".", parts[0], parts[1], NULL) : g_strdup (version);
}

static char *
dup_capabilities (RoastWireReader *hello, const char *version)
{
  GString *text = g_string_new ("workers with their memory and load, and tasks");

  if (!roast_wire_reader_get_boolean (hello, HELLO_TASKS))
    g_string_append (text, " (only counts: rows of tasks are switched off)");
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
  roast_table_writer_set_double (writer, ROAST_SOURCES_CLOCK_OFFSET, self->clock_offset);
  roast_table_writer_set_double (writer, ROAST_SOURCES_CLOCK_UNCERTAINTY, self->clock_uncertainty);
  roast_table_writer_set_word (writer, ROAST_SOURCES_ACTIVITIES, all ? ROAST_COVERAGE_ALL : ROAST_COVERAGE_NONE);
  if (!all)
    {
      g_autofree char *reason =
          g_strdup_printf ("Dask %s does not measure the activities of tasks: use Dask 2023.6 or newer", version);

      roast_table_writer_set_string (writer, ROAST_SOURCES_ACTIVITIES_MISSING, reason);
    }

  return roast_table_writer_end (writer, error);
}

void
dask_scheduler_set_clock (DaskScheduler *self, double offset, double uncertainty)
{
  if (!(fabs (offset) < MAX_CLOCK_OFFSET && uncertainty >= 0 && uncertainty < MAX_CLOCK_OFFSET))
    return;
  self->clock_offset = offset;
  self->clock_uncertainty = uncertainty;
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

static void
open_tables (DaskScheduler *self, Source *source)
{
  source->workers = dask_workers_new (self->recording, source->name, source->clock_offset);
  source->categories = dask_categories_new (self->recording, source->name, self->roles);
  source->tasks = dask_tasks_new (self->recording, source->name, source->workers, source->categories, self->max_tasks);
  source->activities = dask_activities_new (self->recording, source->name, source->workers, source->categories);
  source->spans = dask_spans_new (self->recording, source->name, source->clock_offset);
  executor_samples_init (&source->samples, self->recording, source->name);
  source->graphs = roast_graphs_write (self->recording, source->name);
}

/* End the current source, because the client found another probe. Returns TRUE if the same scheduler was restarted;
 * FALSE if the program now uses another scheduler. */
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
take_hello (DaskScheduler *self, RoastWireReader *row, gint64 now, GError **error)
{
  gint64 version = roast_wire_reader_get_count (row, HELLO_VERSION);
  const char *boot = NULL;
  const char *address = NULL;
  g_autofree char *name = NULL;
  Source *source = NULL;
  gboolean restarted = FALSE;

  if (version != VERSION)
    return dask_row_refuse (error,
                            "the probe in the scheduler is from another version of roast (the lines of the probe have "
                            "version %" G_GINT64_FORMAT
                            ", not %d): restart the scheduler, or use the roast that the scheduler was started with",
                            version, VERSION);
  if (!dask_row_get_name (row, HELLO_BOOT, &boot, error) || !dask_row_get_name (row, HELLO_ADDRESS, &address, error))
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
  source->has_activities = roast_wire_reader_get_boolean (row, HELLO_ACTIVITIES);
  source->cost = NAN;
  if (fabs (self->clock_offset) > self->clock_uncertainty)
    source->clock_offset = (gint64) (self->clock_offset * G_USEC_PER_SEC);
  open_tables (self, source);
  self->source = source;
  dask_remarks_free (self->remarks);
  self->remarks = dask_remarks_new (self->recording, name);
  if (restarted)
    dask_remarks_add (self->remarks, -1, ROAST_SEVERITY_WARNING, "scheduler-restarted",
                      "the scheduler was restarted: from here on, the new scheduler counts as another source");

  return TRUE;
}

/* ---- rows ---- */

/* Take the clock offset, which was measured by the client that forwards the lines of the scheduler. */
static gboolean
take_clock (DaskScheduler *self, RoastWireReader *row, gint64 now, GError **error)
{
  dask_scheduler_set_clock (self, roast_wire_reader_get_double (row, CLOCK_OFFSET),
                            roast_wire_reader_get_double (row, CLOCK_UNCERTAINTY));

  return roast_wire_reader_check_row (row, error);
}

static gboolean
take_now (DaskScheduler *self, RoastWireReader *row, gint64 now, GError **error)
{
  gint64 latest;

  if (!dask_row_get_time (row, NOW_NOW, self->source->clock_offset, &latest, error))
    return FALSE;
  self->source->now = MAX (latest, 0);
  self->source->last_heard = MAX (self->source->last_heard, latest);

  return TRUE;
}

/* Set the number of tasks that have ended since the measurement began. The scheduler's number also includes @before
 * tasks that ended before that. */
static void
set_ended (DaskScheduler *self, RoastWireReader *row, guint slot, gint64 before)
{
  gint64 n = roast_wire_reader_get_count (row, slot);

  if (n >= 0)
    roast_table_writer_set_count (self->source->samples.samples, slot, MAX (n - before, 0));
}

/* Take a row with the columns of the table cluster_samples. */
static gboolean
take_cluster (DaskScheduler *self, RoastWireReader *row, gint64 now, GError **error)
{
  RoastTableWriter *samples = self->source->samples.samples;
  DaskCategories *categories = self->source->categories;

  dask_row_copy (row, samples, ROAST_CLUSTER_SAMPLES_N_COLUMNS,
                 1 << ROAST_CLUSTER_SAMPLES_SOURCE | 1 << ROAST_CLUSTER_SAMPLES_TIME);
  roast_table_writer_set_int64 (samples, ROAST_CLUSTER_SAMPLES_TIME, now);
  set_ended (self, row, ROAST_CLUSTER_SAMPLES_TASKS_DONE, dask_categories_count_base (categories, ROAST_STATUS_DONE));
  set_ended (self, row, ROAST_CLUSTER_SAMPLES_TASKS_FAILED,
             dask_categories_count_base (categories, ROAST_STATUS_FAILED) +
                 dask_categories_count_base (categories, ROAST_STATUS_KILLED_WORKER));
  dask_categories_write (categories, now, ROAST_STATUS_WAITING, ROAST_STATUS_RUNNING, FALSE);

  return dask_row_end (row, samples, error);
}

/* Take the task graphs that the scheduler received since the previous row. If a graph is not sent to another process,
 * it has no row. */
static gboolean
take_graphs (DaskScheduler *self, RoastWireReader *row, gint64 now, GError **error)
{
  RoastTableWriter *graphs = self->source->graphs;

  dask_row_copy (row, graphs, ROAST_GRAPHS_N_COLUMNS, 1 << ROAST_GRAPHS_SOURCE | 1 << ROAST_GRAPHS_TIME);
  roast_table_writer_set_int64 (graphs, ROAST_GRAPHS_TIME, now);

  return dask_row_end (row, graphs, error);
}

static gboolean
take_cost (DaskScheduler *self, RoastWireReader *row, gint64 now, GError **error)
{
  double cost = roast_wire_reader_get_double (row, COST_SAMPLES) + roast_wire_reader_get_double (row, COST_HOOKS);

  if (!roast_wire_reader_check_row (row, error))
    return FALSE;
  self->source->cost = cost;

  return TRUE;
}

/* Take an event. An event may come before the hello, because a client in the program may report why there will be no
 * hello. */
static gboolean
take_event (DaskScheduler *self, RoastWireReader *row, gint64 now, GError **error)
{
  return dask_remarks_take (self->remarks, row, now > 0 ? now : -1, error);
}

static gboolean
take_lost (DaskScheduler *self, RoastWireReader *row, gint64 now, GError **error)
{
  gint64 lines = roast_wire_reader_get_count (row, LOST_LINES);
  g_autofree char *message = NULL;

  if (!roast_wire_reader_check_row (row, error))
    return FALSE;
  dask_tasks_break (self->source->tasks);
  if (lines <= 0)
    return TRUE;
  message = g_strdup_printf ("roast did not read %" G_GINT64_FORMAT
                             " lines of the scheduler in time: the tasks and samples of these lines are missing; sums "
                             "of activities are complete",
                             lines);
  dask_remarks_add (self->remarks, now > 0 ? now : -1, ROAST_SEVERITY_WARNING, "frames-dropped", message);

  return TRUE;
}

static gboolean
take_flushed (DaskScheduler *self, RoastWireReader *row, gint64 now, GError **error)
{
  gint64 number = roast_wire_reader_get_count (row, FLUSHED_FLUSH);

  if (!roast_wire_reader_check_row (row, error))
    return FALSE;
  /* Skip the flushes of other runs that read from the same probe. */
  if (self->first_flush > 0 && number >= (gint64) self->first_flush && number <= (gint64) self->last_flush)
    self->flushed = (guint64) number;
  g_debug ("flush %" G_GINT64_FORMAT " was answered, but not by %" G_GINT64_FORMAT " workers", number,
           roast_wire_reader_get_count (row, FLUSHED_MISSING));

  return TRUE;
}

static gboolean
take_bye (DaskScheduler *self, RoastWireReader *row, gint64 now, GError **error)
{
  self->source->closed = roast_wire_reader_get_boolean (row, BYE_CLOSED);
  self->source->over = TRUE;
  g_debug ("%s said bye, without last data from %" G_GINT64_FORMAT " workers", self->source->address,
           roast_wire_reader_get_count (row, BYE_MISSING));

  return roast_wire_reader_check_row (row, error);
}

typedef gboolean (*Take) (gpointer object, RoastWireReader *row, gint64 now, GError **error);

#define OF(member) G_STRUCT_OFFSET (Source, member)
#define OF_SCHEDULER (-1)

/* Tables of the wire protocol. The array index is the number of the table in the reader. @object: offset of the object
 * that takes the rows of the table */
static const struct
{
  const char *name;
  const char *const *columns; /* columns of the table; if @more is not NULL, its columns follow */
  Take take;
  glong object;
  gboolean early; /* rows may come before the hello of the scheduler */
  const char *const *more;
} tables[] = {
  { "hello", hello_columns, (Take) take_hello, OF_SCHEDULER, TRUE },
  { "clock", clock_columns, (Take) take_clock, OF_SCHEDULER, TRUE },
  { "now", now_columns, (Take) take_now, OF_SCHEDULER },
  { "worker", roast_workers_columns, (Take) dask_workers_take, OF (workers), FALSE, dask_worker_columns },
  { "told", dask_told_columns, (Take) dask_workers_take_told, OF (workers) },
  { "process", dask_process_columns, (Take) dask_workers_take_process, OF (workers) },
  { "s", roast_worker_samples_columns, (Take) dask_workers_take_sample, OF (workers) },
  { "category", dask_category_columns, (Take) dask_categories_take, OF (categories) },
  { "states", dask_state_columns, (Take) dask_categories_take_states, OF (categories) },
  { "totals", dask_total_columns, (Take) dask_categories_take_totals, OF (categories) },
  { "totals-base", dask_total_columns, (Take) dask_categories_take_base, OF (categories) },
  { "t", roast_tasks_columns, (Take) dask_tasks_take, OF (tasks), FALSE, dask_task_columns },
  { "open", roast_tasks_columns, (Take) dask_tasks_take_open, OF (tasks) },
  { "phase", dask_phase_columns, (Take) dask_tasks_take_phase, OF (tasks) },
  { "activity", roast_activities_columns, (Take) dask_activities_take, OF (activities), FALSE, dask_activity_columns },
  { "v", roast_activities_columns, (Take) dask_activities_take_value, OF (activities) },
  { "base", roast_activities_columns, (Take) dask_activities_take_base, OF (activities) },
  { "span", roast_spans_columns, (Take) dask_spans_take, OF (spans) },
  { "cluster", roast_cluster_samples_columns, (Take) take_cluster, OF_SCHEDULER },
  { "cost", cost_columns, (Take) take_cost, OF_SCHEDULER },
  { "graphs", roast_graphs_columns, (Take) take_graphs, OF_SCHEDULER },
  { "event", roast_events_columns, (Take) take_event, OF_SCHEDULER, TRUE },
  { "lost", lost_columns, (Take) take_lost, OF_SCHEDULER },
  { "flushed", flushed_columns, (Take) take_flushed, OF_SCHEDULER },
  { "bye", bye_columns, (Take) take_bye, OF_SCHEDULER },
};

static void
add_table (RoastWireReader *reader, guint table)
{
  const char *const *const lists[] = { tables[table].columns, tables[table].more };
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint k = 0; lists[i] != NULL && lists[i][k] != NULL; k++)
      g_ptr_array_add (columns, (char *) lists[i][k]);
  g_ptr_array_add (columns, NULL);
  roast_wire_reader_add_table (reader, tables[table].name, (const char *const *) columns->pdata);
}

DaskScheduler *
dask_scheduler_new (RoastRecording *recording, RoastWireReader *reader, FrameworkTasks *roles, guint64 max_tasks)
{
  DaskScheduler *self = g_new0 (DaskScheduler, 1);

  self->recording = g_object_ref (recording);
  self->reader = g_object_ref (reader);
  self->roles = roles;
  self->max_tasks = max_tasks;
  self->clock_offset = self->clock_uncertainty = NAN;
  self->remarks = dask_remarks_new (recording, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    add_table (reader, i);

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
  gpointer object = NULL;

  if (self->source == NULL && !tables[table].early)
    return dask_row_refuse (error, "a row of table “%s” came before the hello of the probe", tables[table].name);

  object = tables[table].object == OF_SCHEDULER ? self : G_STRUCT_MEMBER (gpointer, self->source, tables[table].object);

  return tables[table].take (object, self->reader, self->source != NULL ? self->source->now : 0, error);
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
  g_debug ("refused a line from %s: %s", self->source != NULL ? self->source->address : "a scheduler", error->message);
  dask_remarks_note_refused (self->remarks, error);
}

/* ---- the end ---- */

/* Mark the tables of tasks as partial, because their counts end with the last lines that arrived from the scheduler. */
static void
write_missing_tasks (DaskScheduler *self, gint64 end)
{
  static const char *const lacking[] = { ROAST_TABLE_TASKS, ROAST_TABLE_TASK_TOTALS };
  g_autoptr (RoastTableWriter) writer = roast_coverage_write (self->recording, self->source->name);
  g_autofree char *reason =
      g_strdup_printf ("the scheduler did not send its last data: tasks of the last %.1f s may be missing",
                       (double) (end - self->source->last_heard) / G_USEC_PER_SEC);

  for (guint i = 0; i < G_N_ELEMENTS (lacking); i++)
    {
      roast_table_writer_set_string (writer, ROAST_COVERAGE_TABLE, lacking[i]);
      roast_table_writer_set_int64 (writer, ROAST_COVERAGE_FROM, self->source->last_heard);
      roast_table_writer_set_word (writer, ROAST_COVERAGE_STATE, ROAST_COVERAGE_STATE_PARTIAL);
      roast_table_writer_set_string (writer, ROAST_COVERAGE_REASON, reason);
      roast_table_writer_end (writer, NULL);
    }
}

static void
report_loss (DaskScheduler *self)
{
  Source *source = self->source;
  gint64 end = MAX (g_get_real_time (), source->last_heard);
  double longest = 0;
  guint n = dask_workers_finish (source->workers, end, "scheduler lost", ROAST_WORKER_END_LOST, &longest);
  g_autofree char *message = g_strdup_printf ("the scheduler %s ended without sending its last data: %u worker(s) have "
                                              "no data for up to the last %.1f s",
                                              source->address, n, longest);

  dask_remarks_add (self->remarks, -1, ROAST_SEVERITY_WARNING, "scheduler-lost", message);
  write_missing_tasks (self, end);
}

static void
report_left_out (DaskScheduler *self)
{
  guint64 left_out = dask_tasks_get_left_out (self->source->tasks);
  g_autofree char *message = NULL;

  if (left_out == 0 || self->max_tasks == 0)
    return;
  message = g_strdup_printf ("%" G_GUINT64_FORMAT " task%s no row: the limit max-tasks=%" G_GUINT64_FORMAT
                             " was exceeded. Metrics that do not use rows of tasks are complete",
                             left_out, left_out == 1 ? " has" : "s have", self->max_tasks);
  dask_remarks_add (self->remarks, -1, ROAST_SEVERITY_WARNING, "frames-dropped", message);
}

void
dask_scheduler_leave (DaskScheduler *self, guint64 flush)
{
  Source *source = self->source;

  if (source != NULL && !source->over && self->flushed < flush)
    write_missing_tasks (self, MAX (g_get_real_time (), source->last_heard));
  if (source != NULL)
    source->over = TRUE;
  dask_scheduler_finish (self);
}

void
dask_scheduler_finish (DaskScheduler *self)
{
  Source *source = self->source;
  guint waiting = ROAST_STATUS_NEVER_RAN;

  if (source == NULL || source->finished)
    return;
  source->finished = TRUE;
  /* If the scheduler keeps running, count these tasks as waiting, because the scheduler may start them after roast has
   * left. */
  if (source->over && !source->closed)
    waiting = ROAST_STATUS_WAITING;
  if (source->last_heard == 0)
    source->last_heard = g_get_real_time ();
  if (!source->over)
    report_loss (self);
  else if (source->closed)
    dask_workers_finish (source->workers, source->last_heard, "scheduler closed", ROAST_WORKER_END_CLOSED, NULL);
  else
    dask_workers_finish (source->workers, -1, NULL, -1, NULL);
  /* Skip open tasks if the scheduler vanished, because its last report does not show how they ended. */
  if (source->over)
    dask_tasks_finish (source->tasks, waiting);
  dask_categories_write (source->categories, source->last_heard, waiting,
                         source->over ? ROAST_STATUS_RUNNING : ROAST_STATUS_UNFINISHED, source->over);
  dask_spans_finish (source->spans);
  if (!isnan (source->cost))
    executor_samples_add_time (&source->samples, source->last_heard, ROAST_EXECUTOR_PART_ROAST, source->cost);
  report_left_out (self);
  dask_remarks_finish (self->remarks);
}

/* ---- getters ---- */

gboolean
dask_scheduler_is_known (DaskScheduler *self)
{
  return self->source != NULL;
}

gboolean
dask_scheduler_lacks_activities (DaskScheduler *self)
{
  return self->source != NULL && !self->source->has_activities;
}

void
dask_scheduler_expect_flush (DaskScheduler *self, guint64 number)
{
  self->first_flush = self->first_flush > 0 ? self->first_flush : number;
  self->last_flush = number;
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
