/* SPDX-License-Identifier: BSD-3-Clause */

/* Attempts at tasks of the analysis, in one pass. */

#include "findings.h"

/* Of a large table only what is needed is loaded. */
static const char *const task_columns[] = { "category", "role",  "worker", "submitted", "dispatched",
                                            "started",  "ended", "status", "cpu",       NULL };

enum
{
  CATEGORY,
  ROLE,
  WORKER,
  SUBMITTED,
  DISPATCHED,
  STARTED,
  ENDED,
  STATUS,
  CPU,
};

static GHashTable *
read_roles (RoastRecordingSnapshot *recording)
{
  GHashTable *roles = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (RoastTableReader) categories =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_CATEGORIES, roast_categories_columns, NULL);

  while (roast_table_reader_next (categories))
    {
      const char *name = roast_table_reader_get_string (categories, ROAST_CATEGORIES_CATEGORY);
      int role = roast_table_reader_get_word (categories, ROAST_CATEGORIES_ROLE);

      if (name != NULL && role >= 0)
        g_hash_table_insert (roles, g_strdup (name), GINT_TO_POINTER (role));
    }

  return roles;
}

/* Of the category of the current row. */
static FindingsCategory *
get_category (FindingsTasks *self, RoastTableReader *tasks)
{
  guint code = (guint) (roast_table_reader_get_code (tasks, CATEGORY) + 1);
  FindingsCategory *category = NULL;

  if (code >= self->categories->len)
    g_array_set_size (self->categories, code + 1);
  category = &g_array_index (self->categories, FindingsCategory, code);
  if (category->name == NULL)
    {
      const char *name = roast_table_reader_get_string (tasks, CATEGORY);

      category->name = g_intern_string (name != NULL ? name : "");
      category->is_framework =
          name != NULL && GPOINTER_TO_INT (g_hash_table_lookup (self->roles, name)) == ROAST_ROLE_FRAMEWORK;
    }

  return category;
}

static gboolean
is_framework (const FindingsCategory *category, RoastTableReader *tasks)
{
  int role = roast_table_reader_get_word (tasks, ROLE);

  return role >= 0 ? role == ROAST_ROLE_FRAMEWORK : category->is_framework;
}

static void
take_task (FindingsTask *self, RoastTableReader *tasks, double ended, double time)
{
  self->row = roast_table_reader_get_row (tasks);
  self->time = time;
  self->waited = time - roast_table_reader_get_double (tasks, CPU);
  self->ended = ended;
}

/* @late: in the second half of the tail, µs */
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
  static const char *const columns[] = { "task", "category", "worker", NULL };
  enum
  {
    LAST_TASK,
    LAST_CATEGORY,
    LAST_WORKER,
  };
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, columns, NULL);

  if (last->n == 0 || !roast_table_reader_seek (tasks, last->row))
    return;
  last->task = g_strdup (roast_table_reader_get_string (tasks, LAST_TASK));
  last->category = g_strdup (roast_table_reader_get_string (tasks, LAST_CATEGORY));
  last->worker = g_strdup (roast_table_reader_get_string (tasks, LAST_WORKER));
}

static void
add_attempt (FindingsTasks *self, RoastTableReader *tasks, double late)
{
  FindingsCategory *category = get_category (self, tasks);
  double submitted = roast_table_reader_get_double (tasks, SUBMITTED);
  double started = roast_table_reader_get_double (tasks, STARTED);
  double ended = roast_table_reader_get_double (tasks, ENDED);
  double time = (ended - started) / G_USEC_PER_SEC;

  if (is_framework (category, tasks))
    return;
  self->first_submitted = fmin (self->first_submitted, submitted);
  self->last_given = fmax (self->last_given, fmax (started, roast_table_reader_get_double (tasks, DISPATCHED)));
  if (isnan (started) && !roast_table_reader_has (tasks, DISPATCHED))
    return;
  self->n_attempts++;
  if (!(time > 0) || roast_table_reader_get_word (tasks, STATUS) != ROAST_STATUS_DONE)
    return;
  self->n_done++;
  self->time += time;
  category->n++;
  category->time += time;
  add_candidate (self, tasks, ended, time, late);
}

/* Of an executor that gives up on a task whose workers died, the last attempt is one of them. */
static void
add_loss (FindingsTasks *self, RoastTableReader *tasks)
{
  int status = roast_table_reader_get_word (tasks, STATUS);
  const char *worker = NULL;

  if (status != ROAST_STATUS_LOST && status != ROAST_STATUS_KILLED_WORKER)
    return;
  self->n_lost++;
  worker = roast_table_reader_get_string (tasks, WORKER);
  if (worker == NULL)
    return;
  if (self->lost_worker == NULL)
    self->lost_worker = g_strdup (worker);
  g_hash_table_add (self->lost_at, g_strdup (worker));
}

/* Workers repeat: each name is hashed once. */
static void
add_worker (FindingsTasks *self, RoastTableReader *tasks, GArray *seen)
{
  guint code = (guint) (roast_table_reader_get_code (tasks, WORKER) + 1);

  if (code == 0)
    return;
  if (code >= seen->len)
    g_array_set_size (seen, code + 1);
  if (g_array_index (seen, gboolean, code))
    return;
  g_array_index (seen, gboolean, code) = TRUE;
  g_hash_table_add (self->at, g_strdup (roast_table_reader_get_string (tasks, WORKER)));
}

void
findings_read_tasks (Findings *self)
{
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, task_columns, NULL);
  g_autoptr (GArray) seen = g_array_new (FALSE, TRUE, sizeof (gboolean));
  const double *tail = self->bounds[ROAST_STRETCH_TAIL];

  self->tasks.first_submitted = self->tasks.last_given = NAN;
  self->tasks.categories = g_array_new (FALSE, TRUE, sizeof (FindingsCategory));
  self->tasks.at = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->tasks.lost_at = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->tasks.roles = read_roles (self->recording);
  while (roast_table_reader_next (tasks))
    {
      add_worker (&self->tasks, tasks, seen);
      add_loss (&self->tasks, tasks);
      /* Nothing is late without a tail: comparisons with NaN are false. */
      add_attempt (&self->tasks, tasks, (tail[0] + tail[1]) / 2);
    }
  name_task (self, &self->tasks.last);
  name_task (self, &self->tasks.longest);
}

static void
clear_task (FindingsTask *self)
{
  g_free (self->task);
  g_free (self->category);
  g_free (self->worker);
}

void
findings_clear_tasks (Findings *self)
{
  g_array_unref (self->tasks.categories);
  g_hash_table_unref (self->tasks.at);
  g_hash_table_unref (self->tasks.lost_at);
  g_free (self->tasks.lost_worker);
  g_hash_table_unref (self->tasks.roles);
  clear_task (&self->tasks.last);
  clear_task (&self->tasks.longest);
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
