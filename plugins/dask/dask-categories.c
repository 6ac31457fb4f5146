/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-categories.h"

#include <string.h>

#include "dask-row.h"

#define MAX_CATEGORIES 1000000

enum
{
  CATEGORY_NUMBER,
  CATEGORY_CATEGORY,
  CATEGORY_SPAN,
};
const char *const dask_category_columns[] = { "number", "category", "span", NULL };

enum
{
  STATES_CATEGORY,
  STATES_WAITING,
  STATES_QUEUED,
  STATES_RUNNING,
  STATES_DONE,
  STATES_FAILED,
};
const char *const dask_state_columns[] = { "category", "waiting", "queued", "running", "done", "failed", NULL };

static const struct
{
  guint slot, word;
} states[] = {
  { STATES_WAITING, ROAST_TASK_STATE_WAITING }, { STATES_QUEUED, ROAST_TASK_STATE_QUEUED },
  { STATES_RUNNING, ROAST_TASK_STATE_RUNNING }, { STATES_DONE, ROAST_TASK_STATE_DONE },
  { STATES_FAILED, ROAST_TASK_STATE_FAILED },
};

/* Statuses in the totals table of the wire protocol. For each status, the table has three columns: tasks, retried and
 * attempts. */
static const guint statuses[] = {
  ROAST_STATUS_DONE,      ROAST_STATUS_FAILED,    ROAST_STATUS_KILLED_WORKER, ROAST_STATUS_LOST,
  ROAST_STATUS_CANCELLED, ROAST_STATUS_NEVER_RAN, ROAST_STATUS_UNFINISHED,    ROAST_STATUS_RESCHEDULED,
};

#define N_STATUSES 8
G_STATIC_ASSERT (G_N_ELEMENTS (statuses) == N_STATUSES);

enum
{
  TOTALS_CATEGORY,
  TOTALS_TASKS,
  TOTALS_RETRIED = TOTALS_TASKS + N_STATUSES,
  TOTALS_ATTEMPTS = TOTALS_RETRIED + N_STATUSES,
};
const char *const dask_total_columns[] = { "category",
                                           "done",
                                           "failed",
                                           "killed_worker",
                                           "lost",
                                           "cancelled",
                                           "never_ran",
                                           "unfinished",
                                           "rescheduled",
                                           "retried_done",
                                           "retried_failed",
                                           "retried_killed_worker",
                                           "retried_lost",
                                           "retried_cancelled",
                                           "retried_never_ran",
                                           "retried_unfinished",
                                           "retried_rescheduled",
                                           "attempts_done",
                                           "attempts_failed",
                                           "attempts_killed_worker",
                                           "attempts_lost",
                                           "attempts_cancelled",
                                           "attempts_never_ran",
                                           "attempts_unfinished",
                                           "attempts_rescheduled",
                                           NULL };

typedef struct
{
  gint64 tasks, retried, attempts;
} Counts;

typedef struct
{
  char *name, *span;
  gboolean used;
  gint64 waiting; /* number of tasks that waited at the last report; -1 before the first report */
  gint64 running; /* number of tasks that workers ran at the last report; -1 before the first report */
  Counts base[ROAST_STATUS_N_WORDS];
  Counts last[ROAST_STATUS_N_WORDS];
  Counts since[ROAST_STATUS_N_WORDS]; /* attempts that ended after the counts in @last */
} Category;

struct _DaskCategories
{
  char *source;
  FrameworkTasks *roles;  /* owned by the backend */
  GHashTable *categories; /* maps the number of a category to its Category */
  GPtrArray *all;         /* all values of @categories */
  GHashTable *written;    /* maps the name of a category to an array of Counts: its last rows in task_totals */
  RoastTableWriter *states, *totals;
};

static void
category_free (Category *category)
{
  g_free (category->name);
  g_free (category->span);
  g_free (category);
}

DaskCategories *
dask_categories_new (RoastRecording *recording, const char *source, FrameworkTasks *roles)
{
  DaskCategories *self = g_new0 (DaskCategories, 1);

  self->source = g_strdup (source);
  self->roles = roles;
  self->categories = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) category_free);
  self->all = g_ptr_array_new ();
  self->written = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  self->states = roast_category_states_write (recording, source);
  self->totals = roast_task_totals_write (recording, source);

  return self;
}

void
dask_categories_free (DaskCategories *self)
{
  g_hash_table_unref (self->written);
  g_hash_table_unref (self->categories);
  g_ptr_array_unref (self->all);
  g_clear_object (&self->states);
  g_clear_object (&self->totals);
  g_free (self->source);
  g_free (self);
}

gboolean
dask_categories_take (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error)
{
  const char *name = NULL;
  const char *span = NULL;
  Category *category = NULL;
  gint64 number;

  if (!dask_row_get_number (row, CATEGORY_NUMBER, MAX_CATEGORIES, &number, error) ||
      !dask_row_get_name (row, CATEGORY_CATEGORY, &name, error) ||
      (roast_wire_reader_has (row, CATEGORY_SPAN) && !dask_row_get_name (row, CATEGORY_SPAN, &span, error)) ||
      !roast_wire_reader_check_row (row, error))
    return FALSE;
  if (g_hash_table_contains (self->categories, GINT_TO_POINTER (number)))
    return TRUE;
  category = g_new0 (Category, 1);
  category->waiting = category->running = -1;
  category->name = g_strdup (name);
  category->span = g_strdup (span);
  g_hash_table_insert (self->categories, GINT_TO_POINTER (number), category);
  g_ptr_array_add (self->all, category);

  return TRUE;
}

static gboolean
categories_find (DaskCategories *self, RoastWireReader *row, guint slot, Category **category, GError **error)
{
  gint64 number;

  if (!dask_row_get_number (row, slot, MAX_CATEGORIES, &number, error))
    return FALSE;
  *category = g_hash_table_lookup (self->categories, GINT_TO_POINTER (number));

  return *category != NULL || dask_row_refuse (error, "there is no category %" G_GINT64_FORMAT, number);
}

gboolean
dask_categories_find (DaskCategories *self, RoastWireReader *row, guint slot, const char **name, GError **error)
{
  Category *category = NULL;

  if (!categories_find (self, row, slot, &category, error))
    return FALSE;
  *name = category->name;
  if (!category->used)
    dask_categories_use (self, category->name);
  category->used = TRUE;

  return TRUE;
}

void
dask_categories_use (DaskCategories *self, const char *name)
{
  framework_tasks_add (self->roles, self->source, name);
}

gboolean
dask_categories_take_states (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error)
{
  Category *category = NULL;

  if (!categories_find (self, row, STATES_CATEGORY, &category, error))
    return FALSE;
  category->waiting = MAX (roast_wire_reader_get_count (row, STATES_WAITING), 0) +
                      MAX (roast_wire_reader_get_count (row, STATES_QUEUED), 0);
  category->running = MAX (roast_wire_reader_get_count (row, STATES_RUNNING), 0);
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      gint64 n = roast_wire_reader_get_count (row, states[i].slot);

      if (n <= 0)
        continue;
      roast_table_writer_set_int64 (self->states, ROAST_CATEGORY_STATES_TIME, now);
      roast_table_writer_set_string (self->states, ROAST_CATEGORY_STATES_CATEGORY, category->name);
      roast_table_writer_set_word (self->states, ROAST_CATEGORY_STATES_STATE, states[i].word);
      roast_table_writer_set_int64 (self->states, ROAST_CATEGORY_STATES_TASKS, n);
      if (!dask_row_end (row, self->states, error))
        return FALSE;
    }

  return roast_wire_reader_check_row (row, error);
}

const char *
dask_categories_get_span (DaskCategories *self, RoastWireReader *row, guint slot)
{
  Category *category = NULL;

  return categories_find (self, row, slot, &category, NULL) ? category->span : NULL;
}

/* ---- totals ---- */

gboolean
dask_categories_parse_status (const char *word, guint *status, GError **error)
{
  for (guint i = 0; i < N_STATUSES; i++)
    if (g_str_equal (word, roast_status_words[statuses[i]]))
      {
        *status = statuses[i];
        return TRUE;
      }

  return dask_row_refuse (error, "“%s” is not a status of a task", word);
}

static gboolean
take_totals (DaskCategories *self, RoastWireReader *row, gboolean is_base, GError **error)
{
  Category *category = NULL;
  Counts counts[ROAST_STATUS_N_WORDS] = { { 0 } };

  if (!categories_find (self, row, TOTALS_CATEGORY, &category, error))
    return FALSE;
  for (guint i = 0; i < N_STATUSES; i++)
    {
      Counts *one = &counts[statuses[i]];

      one->tasks = MAX (roast_wire_reader_get_count (row, TOTALS_TASKS + i), 0);
      one->retried = MAX (roast_wire_reader_get_count (row, TOTALS_RETRIED + i), 0);
      one->attempts = MAX (roast_wire_reader_get_count (row, TOTALS_ATTEMPTS + i), 0);
    }
  if (!roast_wire_reader_check_row (row, error))
    return FALSE;
  memcpy (category->last, counts, sizeof counts);
  memset (category->since, 0, sizeof category->since);
  if (is_base)
    memcpy (category->base, counts, sizeof counts);

  return TRUE;
}

gboolean
dask_categories_take_totals (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error)
{
  return take_totals (self, row, FALSE, error);
}

gboolean
dask_categories_take_base (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error)
{
  return take_totals (self, row, TRUE, error);
}

void
dask_categories_count (DaskCategories *self, RoastWireReader *row, guint slot, guint status, gboolean again)
{
  Category *category = NULL;

  if (!categories_find (self, row, slot, &category, NULL) || status == ROAST_STATUS_NEVER_RAN)
    return;
  category->since[status].attempts++;
  category->since[status].tasks += again ? 0 : 1;
}

/* Add attempts that ended after the scheduler's last counts. The last counts contain their tasks as running or waiting,
 * so subtract these tasks there. */
static void
add_since (Category *category)
{
  static const guint open[] = { ROAST_STATUS_UNFINISHED, ROAST_STATUS_NEVER_RAN };

  for (guint i = 0; i < ROAST_STATUS_N_WORDS; i++)
    {
      gint64 n = category->since[i].tasks;

      category->last[i].tasks += n;
      category->last[i].attempts += category->since[i].attempts;
      for (guint k = 0; k < G_N_ELEMENTS (open); k++)
        {
          gint64 moved = MIN (n, category->last[open[k]].tasks);

          category->last[open[k]].tasks -= moved;
          n -= moved;
        }
    }
  memset (category->since, 0, sizeof category->since);
}

/* Write the counts that have changed since they were last written for this category. */
static void
write_totals (DaskCategories *self, const char *name, const Counts *sums, gint64 now)
{
  Counts *written = g_hash_table_lookup (self->written, name);

  if (written == NULL)
    {
      written = g_new0 (Counts, ROAST_STATUS_N_WORDS);
      g_hash_table_insert (self->written, (char *) name, written);
    }
  for (guint i = 0; i < ROAST_STATUS_N_WORDS; i++)
    {
      if (memcmp (&sums[i], &written[i], sizeof sums[i]) == 0)
        continue;
      written[i] = sums[i];
      roast_table_writer_set_int64 (self->totals, ROAST_TASK_TOTALS_TIME, now);
      roast_table_writer_set_string (self->totals, ROAST_TASK_TOTALS_CATEGORY, name);
      roast_table_writer_set_word (self->totals, ROAST_TASK_TOTALS_STATUS, i);
      roast_table_writer_set_int64 (self->totals, ROAST_TASK_TOTALS_TASKS, MAX (sums[i].tasks, 0));
      roast_table_writer_set_int64 (self->totals, ROAST_TASK_TOTALS_RETRIED, MAX (sums[i].retried, 0));
      roast_table_writer_set_int64 (self->totals, ROAST_TASK_TOTALS_ATTEMPTS, MAX (sums[i].attempts, 0));
      roast_table_writer_end (self->totals, NULL);
    }
}

static void
rename_counts (Counts *sums, guint from, guint to)
{
  const Counts moved = sums[from];

  if (from == to)
    return;
  sums[from] = (Counts) { 0 };
  sums[to] = moved;
}

/* Change the status of tasks that are counted as running but have no running attempt. Such a task lost its worker and
 * waited for another worker. Its new status is @waiting, or lost if the scheduler has ended. */
static void
settle_running (Counts *sums, gint64 running, guint waiting)
{
  Counts *under_way = &sums[ROAST_STATUS_RUNNING];
  Counts *others = &sums[waiting == ROAST_STATUS_NEVER_RAN ? ROAST_STATUS_LOST : waiting];
  gint64 n = under_way->tasks - running;

  if (running >= 0 && n > 0)
    {
      gint64 retried = MIN (n, under_way->retried);

      under_way->tasks -= n;
      under_way->retried -= retried;
      others->tasks += n;
      others->retried += retried;
    }
  under_way->attempts = under_way->tasks;
}

/* Changes the status of tasks that are counted as waiting but that the scheduler has forgotten, because their client
 * had ended. They never ran. */
static void
settle_waiting (Counts *sums, gint64 waiting)
{
  gint64 n = sums[ROAST_STATUS_WAITING].tasks - waiting;

  if (waiting < 0 || n <= 0)
    return;
  sums[ROAST_STATUS_WAITING].tasks -= n;
  sums[ROAST_STATUS_NEVER_RAN].tasks += n;
}

static int
compare_names (const Category **a, const Category **b)
{
  return g_strcmp0 ((*a)->name, (*b)->name);
}

gint64
dask_categories_count_base (DaskCategories *self, guint status)
{
  gint64 n = 0;

  for (guint i = 0; i < self->all->len; i++)
    n += ((const Category *) g_ptr_array_index (self->all, i))->base[status].tasks;

  return n;
}

/* Write each category as a sum over all spans in which it occurs. */
void
dask_categories_write (DaskCategories *self, gint64 now, guint waiting, guint running, gboolean is_last)
{
  GPtrArray *categories = self->all;
  Counts sums[ROAST_STATUS_N_WORDS] = { { 0 } };
  gint64 n_running = -1, n_waiting = -1;

  g_ptr_array_sort (categories, (GCompareFunc) compare_names);
  for (guint i = 0; i < categories->len; i++)
    {
      Category *category = g_ptr_array_index (categories, i);
      const Category *next = i + 1 < categories->len ? g_ptr_array_index (categories, i + 1) : NULL;

      add_since (category);
      for (guint k = 0; k < ROAST_STATUS_N_WORDS; k++)
        {
          sums[k].tasks += category->last[k].tasks - category->base[k].tasks;
          sums[k].retried += category->last[k].retried - category->base[k].retried;
          sums[k].attempts += category->last[k].attempts - category->base[k].attempts;
        }
      n_running = MAX (n_running, category->running);
      n_waiting = MAX (n_waiting, category->waiting);
      if (next != NULL && g_str_equal (next->name, category->name))
        continue;
      rename_counts (sums, ROAST_STATUS_NEVER_RAN, waiting);
      if (is_last)
        settle_waiting (sums, n_waiting);
      rename_counts (sums, ROAST_STATUS_UNFINISHED, running);
      settle_running (sums, n_running, waiting);
      write_totals (self, category->name, sums, now);
      n_running = n_waiting = -1;
      memset (sums, 0, sizeof sums);
    }
}
