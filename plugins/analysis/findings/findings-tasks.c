/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads all attempts at analysis tasks in one pass. */

#include "findings.h"
#include "group-element.h"

void
findings_category_init (FindingsCategory *self, Findings *findings, RoastTableReader *tasks)
{
  const char *name = roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY);

  self->name = findings_keep (findings, name != NULL ? name : "");
  self->is_framework =
      roast_run_model_get_role (findings->model, roast_table_reader_get_string (tasks, ROAST_TASKS_SOURCE), name) ==
      ROAST_ROLE_FRAMEWORK;
}

gboolean
findings_is_framework (const FindingsCategory *self, RoastTableReader *tasks)
{
  int own = roast_table_reader_get_word (tasks, ROAST_TASKS_ROLE);

  return own >= 0 ? own == ROAST_ROLE_FRAMEWORK : self->is_framework;
}

static void
take_task (FindingsTask *self, RoastTableReader *tasks, double ended, double time)
{
  self->row = roast_table_reader_get_row (tasks);
  self->time = time;
  self->waited = time - roast_table_reader_get_double (tasks, ROAST_TASKS_CPU);
  self->ended = ended;
}

/* @late: middle of the tail, µs; a task that ended later is a candidate for the last task */
static void
add_candidate (FindingsTasks *self, RoastTableReader *tasks, double ended, double time, double late)
{
  if (time > self->longest.time)
    take_task (&self->longest, tasks, ended, time);
  self->longest.n++;
  if (!(ended >= late))
    return;
  if (self->last.n == 0 || ended > self->last.ended)
    take_task (&self->last, tasks, ended, time);
  self->last.n++;
}

static void
name_task (Findings *self, FindingsTask *last)
{
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);

  if (last->n == 0 || !roast_table_reader_seek (tasks, last->row))
    return;
  last->task = findings_keep (self, roast_table_reader_get_string (tasks, ROAST_TASKS_TASK));
  last->category = findings_keep (self, roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY));
  last->worker = findings_keep (self, roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER));
}

static void
add_attempt (Findings *findings, RoastTableReader *tasks, double late)
{
  FindingsTasks *self = &findings->tasks;
  FindingsCategory *category = group_element (self->categories, tasks);
  double submitted = roast_table_reader_get_double (tasks, ROAST_TASKS_SUBMITTED);
  double started = roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED);
  double ended = roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED);
  double time = (ended - started) / G_USEC_PER_SEC;

  if (category->name == NULL)
    findings_category_init (category, findings, tasks);
  if (findings_is_framework (category, tasks))
    return;
  self->first_submitted = fmin (self->first_submitted, submitted);
  self->last_given =
      fmax (self->last_given, fmax (started, roast_table_reader_get_double (tasks, ROAST_TASKS_DISPATCHED)));
  if (isnan (started) && !roast_table_reader_has (tasks, ROAST_TASKS_DISPATCHED))
    return;
  self->n_attempts++;
  if (!(time > 0) || roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) != ROAST_STATUS_DONE)
    return;
  self->n_done++;
  self->time += time;
  category->n++;
  add_candidate (self, tasks, ended, time, late);
}

/* If the executor gives up on a task whose workers died, its last attempt has the status killed_worker and also counts
 * as lost. */
static void
add_loss (Findings *findings, RoastTableReader *tasks)
{
  FindingsTasks *self = &findings->tasks;
  int status = roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS);
  gint64 attempt = roast_table_reader_get_int64 (tasks, ROAST_TASKS_ATTEMPT, 1);
  const char *worker = NULL;

  if (status != ROAST_STATUS_LOST && status != ROAST_STATUS_KILLED_WORKER)
    return;
  self->n_lost++;
  if (attempt > self->repeated.n)
    {
      self->repeated.n = attempt;
      self->repeated.row = roast_table_reader_get_row (tasks);
    }
  worker = roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER);
  if (worker == NULL)
    return;
  if (self->lost_worker == NULL)
    self->lost_worker = findings_keep (findings, worker);
  g_hash_table_add (self->lost_at, (gpointer) findings_keep (findings, worker));
}

/* Hash each worker name only once; most rows repeat a worker. */
static void
add_worker (Findings *self, RoastTableReader *tasks, GArray *seen)
{
  int code = roast_table_reader_get_code (tasks, ROAST_TASKS_WORKER);
  gboolean *is_seen = code >= 0 ? group_element_at (seen, (guint) code) : NULL;

  if (is_seen == NULL || *is_seen)
    return;
  *is_seen = TRUE;
  g_hash_table_add (self->tasks.at,
                    (gpointer) findings_keep (self, roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER)));
}

void
findings_read_tasks (Findings *self)
{
  static const guint key[] = { ROAST_TASKS_SOURCE, ROAST_TASKS_CATEGORY };
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (gboolean));
  const double *tail = self->bounds[ROAST_STRETCH_TAIL];

  self->tasks.first_submitted = self->tasks.last_given = NAN;
  self->tasks.categories = g_array_new (FALSE, FALSE, sizeof (FindingsCategory));
  self->tasks.at = g_hash_table_new (g_str_hash, g_str_equal);
  self->tasks.lost_at = g_hash_table_new (g_str_hash, g_str_equal);
  roast_table_reader_group_by (tasks, key, G_N_ELEMENTS (key));
  while (roast_table_reader_next (tasks))
    {
      add_worker (self, tasks, seen);
      add_loss (self, tasks);
      /* Without a tail no task is late: comparisons with NaN are false. */
      add_attempt (self, tasks, (tail[0] + tail[1]) / 2);
    }
  name_task (self, &self->tasks.last);
  name_task (self, &self->tasks.longest);
  name_task (self, &self->tasks.repeated);
}

void
findings_clear_tasks (Findings *self)
{
  g_array_unref (self->tasks.categories);
  g_hash_table_unref (self->tasks.at);
  g_hash_table_unref (self->tasks.lost_at);
}

double
findings_get_median (Findings *self, const char *category)
{
  g_autoptr (RoastTableReader) table =
      roast_report_read_table (self->report, ROAST_TABLE_DISTRIBUTIONS, roast_distributions_columns, NULL);

  while (roast_table_reader_next (table))
    if (roast_table_reader_get_word (table, ROAST_DISTRIBUTIONS_KIND) == ROAST_DISTRIBUTION_KIND_TASK &&
        g_strcmp0 (roast_table_reader_get_string (table, ROAST_DISTRIBUTIONS_CATEGORY), category) == 0)
      return roast_table_reader_get_double (table, ROAST_DISTRIBUTIONS_P50);

  return NAN;
}
