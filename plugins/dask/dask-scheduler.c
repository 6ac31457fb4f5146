/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-scheduler-private.h"

#include <json-glib/json-glib.h>
#include <math.h>

#define SCHEMA 1

enum
{
  CLUSTER_SOURCE,
  CLUSTER_TIME,
  CLUSTER_WORKERS,
  CLUSTER_DESIRED,
  CLUSTER_CORES,
  CLUSTER_WAITING,
  CLUSTER_QUEUED,
  CLUSTER_EXECUTING,
  CLUSTER_DONE,
  CLUSTER_FAILED,
  CLUSTER_LATENESS
};
static const char *const cluster_columns[] = { "source",     "time",          "workers",      "workers_desired",
                                               "cores",      "tasks_waiting", "tasks_queued", "tasks_executing",
                                               "tasks_done", "tasks_failed",  "lateness",     NULL };

enum
{
  BUDGET_SOURCE,
  BUDGET_TIME,
  BUDGET_PART,
  BUDGET_VALUE
};
static const char *const budget_columns[] = { "source", "time", "part", "value", NULL };

static void
worker_free (Worker *worker)
{
  g_free (worker->name);
  g_free (worker);
}

static void
key_free (Key *key)
{
  g_free (key->context);
  g_free (key->span);
  g_free (key->prefix);
  g_free (key->activity);
  g_free (key->unit);
  g_free (key);
}

/* What was known of a scheduler that another one follows on the same connection. */
static void
forget (DaskScheduler *self)
{
  g_clear_pointer (&self->source, g_free);
  g_clear_pointer (&self->boot, g_free);
  g_clear_pointer (&self->address, g_free);
  g_hash_table_remove_all (self->workers);
  g_hash_table_remove_all (self->addresses);
  g_hash_table_remove_all (self->prefixes);
  g_hash_table_remove_all (self->keys);
  g_hash_table_remove_all (self->values);
  g_hash_table_remove_all (self->spans);
  g_hash_table_remove_all (self->attempts);
  self->own_samples = self->own_hooks = 0;
  self->over = self->finished = self->closed = FALSE;
}

DaskScheduler *
dask_scheduler_new (RoastRecording *recording, guint64 max_tasks)
{
  DaskScheduler *self = g_new0 (DaskScheduler, 1);

  self->recording = g_object_ref (recording);
  self->max_tasks = max_tasks;
  self->parser = json_parser_new ();
  self->workers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) worker_free);
  self->addresses = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->prefixes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->keys = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) key_free);
  self->values = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->spans = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->attempts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  dask_scheduler_open_workers (self);
  dask_scheduler_open_tasks (self);
  dask_scheduler_open_activities (self);
  sheet_open (&self->sheet_cluster, recording, "cluster_samples", cluster_columns);
  sheet_open (&self->sheet_budgets, recording, "executor_times", budget_columns);

  return self;
}

void
dask_scheduler_free (DaskScheduler *self)
{
  forget (self);
  g_hash_table_unref (self->workers);
  g_hash_table_unref (self->addresses);
  g_hash_table_unref (self->prefixes);
  g_hash_table_unref (self->keys);
  g_hash_table_unref (self->values);
  g_hash_table_unref (self->spans);
  g_hash_table_unref (self->attempts);
  sheet_clear (&self->sheet_workers);
  sheet_clear (&self->sheet_samples);
  sheet_clear (&self->sheet_cluster);
  sheet_clear (&self->sheet_activities);
  sheet_clear (&self->sheet_tasks);
  sheet_clear (&self->sheet_phases);
  sheet_clear (&self->sheet_states);
  sheet_clear (&self->sheet_spans);
  sheet_clear (&self->sheet_budgets);
  g_object_unref (self->parser);
  g_object_unref (self->recording);
  g_free (self->first_bad);
  g_free (self);
}

/* ---- what a person must know ---- */

void
dask_scheduler_add_event (DaskScheduler *self, RoastSeverity severity, const char *kind, const char *message)
{
  if (self->n_events++ < MAX_EVENTS)
    roast_recording_add_event (self->recording, self->source, -1, severity, kind, message);
  else
    self->events_left_out++;
}

void
dask_scheduler_note_bad (DaskScheduler *self, const char *what)
{
  self->n_bad++;
  if (self->first_bad == NULL)
    self->first_bad = g_strdup (what);
}

/* ---- hello ---- */

/* "2022.12" of "2022.12.1+ds.1". */
static char *
dup_short_version (const char *version)
{
  g_auto (GStrv) parts = g_strsplit (version != NULL ? version : "of an unknown version", ".", 3);

  return parts[0] != NULL && parts[1] != NULL ? g_strjoin (".", parts[0], parts[1], NULL) : g_strdup (version);
}

static char *
describe (JsonObject *hello)
{
  g_autofree char *version = dup_short_version (dask_member_text (hello, "distributed"));
  GString *text = g_string_new ("workers, their memory and load, tasks");

  if (!dask_member_boolean (hello, "tasks"))
    g_string_append (text, " (counts only: rows are switched off)");
  if (dask_member_boolean (hello, "fine"))
    g_string_append (text, ", what tasks spent their time on, exactly");
  else
    g_string_append_printf (text, "; fine metrics not available: Dask %s has none", version);
  if (dask_member_boolean (hello, "spans"))
    g_string_append (text, ", spans");
  else
    g_string_append_printf (text, "; spans not available: Dask %s has no spans", version);

  return g_string_free (text, FALSE);
}

/* The client that hands lines on found another probe: somebody started the scheduler again, or the script goes to
 * another one. */
static void
begin_again (DaskScheduler *self, const char *address, const char *boot)
{
  gboolean restarted = g_str_equal (self->address, address) && !g_str_equal (self->boot, boot) && !self->over;

  dask_scheduler_finish (self);
  if (restarted)
    dask_scheduler_add_event (self, ROAST_SEVERITY_WARNING, "scheduler-restarted",
                              "the scheduler was started again: what follows is another source");
  forget (self);
}

static gboolean
on_hello (DaskScheduler *self, JsonObject *hello, GError **error)
{
  const char *boot = dask_member_text (hello, "boot");
  const char *address = dask_member_text (hello, "address");
  const char *version = dask_member_text (hello, "distributed");
  const char *python = dask_member_text (hello, "python");
  g_autofree char *versions = NULL;
  g_autofree char *capabilities = NULL;

  if (dask_member_number (hello, "schema") != SCHEMA)
    {
      g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL,
                   "the probe in the scheduler is of another version of roast (schema %g, here %d): restart the "
                   "scheduler, or use the "
                   "roast that it was started with",
                   dask_member_number (hello, "schema"), SCHEMA);
      return FALSE;
    }
  if (boot == NULL || address == NULL || strlen (boot) > DASK_MAX_NAME || strlen (address) > DASK_MAX_NAME)
    {
      g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, "the scheduler does not say who it is");
      return FALSE;
    }
  if (self->source != NULL)
    begin_again (self, address, boot);
  versions =
      g_strdup_printf ("distributed %s, Python %s", version != NULL ? version : "?", python != NULL ? python : "?");
  capabilities = describe (hello);
  self->boot = g_strdup (boot);
  self->address = g_strdup (address);
  self->fine = dask_member_boolean (hello, "fine");
  self->source = roast_recording_add_source (self->recording, "dask", address, versions, capabilities);

  return TRUE;
}

/* ---- the whole ---- */

/* [severity, kind, message] */
static void
on_event (DaskScheduler *self, DaskCells *cells)
{
  const char *severity = dask_cells_get_text (cells, 0);
  const char *kind = dask_cells_get_text (cells, 1);
  const char *message = dask_cells_get_text (cells, 2);

  if (severity == NULL || kind == NULL || message == NULL)
    {
      cells->bad = TRUE;
      return;
    }
  dask_scheduler_add_event (self,
                            g_str_equal (severity, "error")     ? ROAST_SEVERITY_ERROR
                            : g_str_equal (severity, "warning") ? ROAST_SEVERITY_WARNING
                                                                : ROAST_SEVERITY_INFO,
                            kind, message);
}

/* [workers, desired, threads, waiting, queued, processing, done, failed]; @counts may be NULL. */
static void
add_cluster_sample (DaskScheduler *self, JsonArray *counts, double late)
{
  Sheet *sheet = &self->sheet_cluster;
  DaskCells cells = { counts, FALSE };

  sheet_begin (sheet, self->source);
  sheet_set_count (sheet, CLUSTER_TIME, self->now);
  sheet_set_number (sheet, CLUSTER_LATENESS, late);
  if (counts != NULL)
    {
      sheet_set_count (sheet, CLUSTER_WORKERS, dask_cells_get_count (&cells, 0));
      sheet_set_count (sheet, CLUSTER_DESIRED, dask_cells_get_count (&cells, 1));
      sheet_set_number (sheet, CLUSTER_CORES, dask_cells_get_number (&cells, 2));
      sheet_set_count (sheet, CLUSTER_WAITING, dask_cells_get_count (&cells, 3));
      sheet_set_count (sheet, CLUSTER_QUEUED, dask_cells_get_count (&cells, 4));
      sheet_set_count (sheet, CLUSTER_EXECUTING, dask_cells_get_count (&cells, 5));
      sheet_set_count (sheet, CLUSTER_DONE, dask_cells_get_count (&cells, 6));
      sheet_set_count (sheet, CLUSTER_FAILED, dask_cells_get_count (&cells, 7));
    }
  sheet_end (sheet);
  if (cells.bad)
    dask_scheduler_note_bad (self, "counts");
}

static void
on_lost (DaskScheduler *self, double lines)
{
  g_autofree char *message = g_strdup_printf ("%.0f lines of the scheduler were dropped before roast read them: tasks "
                                              "and samples of that time are missing; "
                                              "totals of fine metrics are not affected",
                                              lines);

  dask_scheduler_add_event (self, ROAST_SEVERITY_WARNING, "frames-dropped", message);
}

/* ---- lines ---- */

typedef void (*RowFunction) (DaskScheduler *self, DaskCells *cells);

/* Calls a function for each row of a member. */
static void
each (DaskScheduler *self, JsonObject *object, const char *name, RowFunction function)
{
  JsonArray *rows = dask_member_array (object, name);
  guint n = rows != NULL ? json_array_get_length (rows) : 0;
  DaskCells list = { rows, FALSE };

  for (guint i = 0; i < n; i++)
    {
      DaskCells cells = { dask_cells_get_array (&list, i), FALSE };

      if (cells.array != NULL)
        function (self, &cells);
      if (cells.array == NULL || cells.bad)
        dask_scheduler_note_bad (self, name);
    }
}

static void
take_end (DaskScheduler *self, JsonObject *object)
{
  double number = dask_member_number (object, "flushed");
  double missing = dask_member_number (object, "missing");
  JsonObject *bye = dask_member_object (object, "bye");

  if (!isnan (number) && number >= 0 && number < 1e15)
    {
      self->flushed = (guint64) number;
      self->flush_missing = missing > 0 && missing < 1e9 ? (guint) missing : 0;
    }
  if (bye != NULL)
    {
      self->over = TRUE;
      self->closed = dask_member_number (bye, "closed") > 0;
    }
}

static void
take_own (DaskScheduler *self, JsonObject *object)
{
  JsonArray *own = dask_member_array (object, "own");
  DaskCells cells = { own, FALSE };

  if (own == NULL)
    return;
  self->own_samples = dask_cells_get_number (&cells, 0);
  self->own_hooks = dask_cells_get_number (&cells, 1);
}

/* In an order in which what is named stands before what names it. */
static void
take_frame (DaskScheduler *self, JsonObject *object)
{
  double late = dask_member_number (object, "late");
  double lost = dask_member_number (object, "lost");

  if (lost > 0)
    on_lost (self, lost);
  each (self, object, "join", dask_scheduler_on_join);
  each (self, object, "prefixes", dask_scheduler_on_prefix);
  each (self, object, "keys", dask_scheduler_on_key);
  each (self, object, "rows", dask_scheduler_on_row);
  dask_scheduler_take_tasks (self, object);
  each (self, object, "fine",
        json_object_has_member (object, "start") ? dask_scheduler_on_base : dask_scheduler_on_fine);
  each (self, object, "leave", dask_scheduler_on_leave);
  each (self, object, "prefix", dask_scheduler_on_state);
  each (self, object, "spans", dask_scheduler_on_span);
  each (self, object, "events", on_event);
  take_own (self, object);
  if (!isnan (late) && late >= 0)
    add_cluster_sample (self, dask_member_array (object, "counts"), late);
  take_end (self, object);
}

static gboolean
take_object (DaskScheduler *self, JsonObject *object, GError **error)
{
  JsonObject *hello = dask_member_object (object, "hello");
  guint64 bad = self->n_bad;
  gint64 time;

  if (hello != NULL)
    return on_hello (self, hello, error);
  if (self->source == NULL)
    {
      /* A client tells so that there will be none. */
      each (self, object, "events", on_event);
      return TRUE;
    }
  time = dask_time (dask_member_number (object, "t"));
  if (time >= 0)
    self->now = time;
  self->last_heard = MAX (self->last_heard, self->now);
  take_frame (self, object);
  if (self->n_bad == bad)
    return TRUE;
  g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL,
               "“%s” of the scheduler holds what it should not", self->first_bad);

  return FALSE;
}

gboolean
dask_scheduler_take_line (DaskScheduler *self, const char *line, GError **error)
{
  g_autoptr (GError) local = NULL;
  JsonNode *root = NULL;

  if (!json_parser_load_from_data (self->parser, line, -1, &local))
    {
      dask_scheduler_note_bad (self, "a line");
      g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, "no JSON: %s", local->message);
      return FALSE;
    }
  root = json_parser_get_root (self->parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    {
      dask_scheduler_note_bad (self, "a line");
      g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, "no JSON object");
      return FALSE;
    }

  return take_object (self, json_node_get_object (root), error);
}

/* ---- the end ---- */

static void
add_budget (DaskScheduler *self, const char *part, double seconds)
{
  sheet_begin (&self->sheet_budgets, self->source);
  sheet_set_count (&self->sheet_budgets, BUDGET_TIME, self->last_heard);
  sheet_set_text (&self->sheet_budgets, BUDGET_PART, part);
  sheet_set_number (&self->sheet_budgets, BUDGET_VALUE, seconds);
  sheet_end (&self->sheet_budgets);
}

static void
tell_of_loss (DaskScheduler *self)
{
  gint64 end = MAX (g_get_real_time (), self->last_heard);
  double tail = (double) (end - self->last_heard) / G_USEC_PER_SEC;
  guint n = dask_scheduler_end_workers (self, end, "scheduler lost", tail);
  g_autofree char *message = g_strdup_printf ("the scheduler %s ended without its last data: what %u worker(s) did in "
                                              "the last %.1f s before is missing",
                                              self->address, n, tail);

  dask_scheduler_add_event (self, ROAST_SEVERITY_WARNING, "scheduler-lost", message);
}

void
dask_scheduler_leave (DaskScheduler *self)
{
  self->over = TRUE;
  dask_scheduler_finish (self);
}

void
dask_scheduler_finish (DaskScheduler *self)
{
  g_autofree char *tasks = NULL;
  g_autofree char *bad = NULL;
  g_autofree char *events = NULL;

  if (self->source == NULL || self->finished)
    return;
  self->finished = TRUE;
  if (self->last_heard == 0)
    self->last_heard = g_get_real_time ();
  if (!self->over)
    tell_of_loss (self);
  else if (self->closed)
    dask_scheduler_end_workers (self, self->last_heard, "scheduler closed", NAN);
  dask_scheduler_write_spans (self);
  add_budget (self, "roast: samples", self->own_samples);
  add_budget (self, "roast: hooks", self->own_hooks);
  if (self->tasks_left_out > 0 && self->max_tasks > 0)
    {
      tasks = g_strdup_printf ("%" G_GUINT64_FORMAT " tasks have no row: more than max-tasks=%" G_GUINT64_FORMAT
                               " ran. Metrics that do not come from rows of tasks are complete",
                               self->tasks_left_out, self->max_tasks);
      roast_recording_add_event (self->recording, self->source, -1, ROAST_SEVERITY_WARNING, "frames-dropped", tasks);
    }
  if (self->n_bad > 0)
    {
      bad = g_strdup_printf ("%" G_GUINT64_FORMAT
                             " rows of the scheduler hold what they should not, and do not count; the first in “%s”",
                             self->n_bad, self->first_bad);
      roast_recording_add_event (self->recording, self->source, -1, ROAST_SEVERITY_WARNING, "protocol", bad);
    }
  if (self->events_left_out > 0)
    {
      events =
          g_strdup_printf ("%" G_GUINT64_FORMAT " more remarks of the scheduler are left out", self->events_left_out);
      roast_recording_add_event (self->recording, self->source, -1, ROAST_SEVERITY_INFO, "remarks", events);
    }
}

/* ---- what the backend asks ---- */

gboolean
dask_scheduler_is_known (DaskScheduler *self)
{
  return self->source != NULL;
}

const char *
dask_scheduler_get_address (DaskScheduler *self)
{
  return self->address;
}

gboolean
dask_scheduler_has_fine (DaskScheduler *self)
{
  return self->fine;
}

guint64
dask_scheduler_get_flushed (DaskScheduler *self, guint *missing)
{
  if (missing != NULL)
    *missing = self->flush_missing;

  return self->flushed;
}

gboolean
dask_scheduler_is_over (DaskScheduler *self)
{
  return self->over;
}
