/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-categories.h"

#include "dask-row.h"

#define MAX_CATEGORIES 1000000

enum
{
  CATEGORY_NUMBER,
  CATEGORY_CATEGORY,
};
const char *const dask_category_columns[] = { "number", "category", NULL };

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

typedef struct
{
  char *name;
  gboolean used;
} Category;

struct _DaskCategories
{
  char *source;
  FrameworkTasks *roles;  /* of the backend */
  GHashTable *categories; /* number to Category */
  RoastTableWriter *states;
};

static void
category_free (Category *category)
{
  g_free (category->name);
  g_free (category);
}

DaskCategories *
dask_categories_new (RoastRecording *recording, const char *source, FrameworkTasks *roles, GError **error)
{
  g_autoptr (DaskCategories) self = g_new0 (DaskCategories, 1);

  self->source = g_strdup (source);
  self->roles = roles;
  self->categories = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) category_free);
  self->states = roast_recording_write_table (recording, ROAST_TABLE_CATEGORY_STATES, source,
                                              roast_category_states_columns, error);

  return self->states != NULL ? g_steal_pointer (&self) : NULL;
}

void
dask_categories_free (DaskCategories *self)
{
  g_hash_table_unref (self->categories);
  g_clear_object (&self->states);
  g_free (self->source);
  g_free (self);
}

gboolean
dask_categories_take (DaskCategories *self, RoastWireReader *row, GError **error)
{
  const char *name = NULL;
  Category *category = NULL;
  gint64 number;

  if (!dask_row_get_number (row, CATEGORY_NUMBER, MAX_CATEGORIES, &number, error) ||
      !dask_row_get_name (row, CATEGORY_CATEGORY, &name, error))
    return FALSE;
  if (g_hash_table_contains (self->categories, GINT_TO_POINTER (number)))
    return TRUE;
  category = g_new0 (Category, 1);
  category->name = g_strdup (name);
  g_hash_table_insert (self->categories, GINT_TO_POINTER (number), category);

  return TRUE;
}

static gboolean
find (DaskCategories *self, RoastWireReader *row, guint slot, Category **category, GError **error)
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

  if (!find (self, row, slot, &category, error))
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

  if (!find (self, row, STATES_CATEGORY, &category, error))
    return FALSE;
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
