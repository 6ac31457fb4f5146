/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-replay.h"

#include <string.h>

#include "vine-resources.h"

#define MAX_CATEGORIES 10000

void
vine_category_free (VineCategory *category)
{
  g_free (category->name);
  g_free (category);
}

/* Remove the address from the name of a category, so that the category has the same name in each run. DaskVine names a
 * category after the text of a Python object, such as "<function_processing_at_0x7f09a40c9c60>". */
static VineToken
without_address (VineToken name)
{
  static const char *const kinds[] = { "<function_", "<bound_method_", "<built-in_function_", "<class_" };
  const char *end = name.start + name.length;
  const char *cut = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gsize n = strlen (kinds[i]);

      if (name.length <= n || memcmp (name.start, kinds[i], n) != 0 || end[-1] != '>')
        continue;
      cut = g_strrstr_len (name.start, (gssize) name.length, "_at_0x");
      if (cut == NULL)
        cut = end - 1;
      return cut > name.start + n ? (VineToken) { name.start + n, (gsize) (cut - name.start) - n } : name;
    }

  return name;
}

static VineCategory *
add_category (VineReplay *self, const char *name)
{
  VineCategory *category = g_new0 (VineCategory, 1);

  category->name = g_strdup (name);
  g_hash_table_insert (self->categories, category->name, category);
  if (self->options.roles != NULL)
    framework_tasks_add (self->options.roles, self->source, name);

  return category;
}

VineCategory *
vine_categories_get (VineReplay *self, VineToken name)
{
  VineCategory *category = NULL;
  g_autofree char *valid = NULL;

  name = without_address (name);
  if (g_hash_table_size (self->categories) >= MAX_CATEGORIES)
    name = (VineToken) { "(others)", 8 };
  name.length = MIN (name.length, VINE_MAX_NAME);
  category = vine_token_lookup (name, self->categories);
  if (category != NULL)
    return category;
  valid = vine_token_dup (name);

  return add_category (self, valid);
}

void
vine_category_count (VineCategory *category, guint state, int change)
{
  category->tasks[state] += change;
  category->changed = TRUE;
}

void
vine_category_move (VineCategory *category, int from, int to, gboolean was_retried, gboolean is_retried)
{
  if (from >= 0)
    {
      category->outcomes[from].tasks--;
      category->outcomes[from].retried -= was_retried ? 1 : 0;
    }
  if (to >= 0)
    {
      category->outcomes[to].tasks++;
      category->outcomes[to].retried += is_retried ? 1 : 0;
    }
  category->changed = TRUE;
}

void
vine_category_count_attempt (VineCategory *category, guint status)
{
  category->outcomes[status].attempts++;
  category->changed = TRUE;
}

/* ---- resources given to tasks ---- */

static void
categories_set_bytes (RoastTableWriter *rows, guint slot, const VineResources *resources, VineResource resource)
{
  roast_table_writer_set_count (rows, slot, vine_resources_bytes (resources, resource));
}

/* Parse NAME MAX {…}, NAME MIN {…} or NAME FIRST MODE {…}. The name may contain blanks. If there are several records of
 * the same kind, the last one counts. */
gboolean
vine_categories_take (VineReplay *self, VineToken rest)
{
  static const guint slots[][4] = {
    { ROAST_CATEGORIES_CORES_MAX, ROAST_CATEGORIES_MEMORY_MAX, ROAST_CATEGORIES_DISK_MAX, ROAST_CATEGORIES_GPUS_MAX },
    { ROAST_CATEGORIES_CORES_MIN, ROAST_CATEGORIES_MEMORY_MIN, ROAST_CATEGORIES_DISK_MIN, ROAST_CATEGORIES_GPUS_MIN },
    { ROAST_CATEGORIES_CORES_FIRST, ROAST_CATEGORIES_MEMORY_FIRST, ROAST_CATEGORIES_DISK_FIRST,
      ROAST_CATEGORIES_GPUS_FIRST },
  };
  const char *brace = memchr (rest.start, '{', rest.length);
  VineToken name = rest;
  VineToken object, word;
  VineToken mode = { NULL, 0 };
  VineResources resources;
  guint kind;

  if (brace == NULL)
    return FALSE;
  name.length = (gsize) (brace - rest.start);
  object = (VineToken) { brace, rest.length - name.length };
  if (!vine_resources_read (&resources, &object) || !vine_token_last (&name, &word))
    return FALSE;
  kind = vine_token_equal (word, "MAX") ? 0 : vine_token_equal (word, "MIN") ? 1 : 2;
  if (kind == 2)
    {
      mode = word;
      if (!vine_token_last (&name, &word) || !vine_token_equal (word, "FIRST"))
        return FALSE;
    }
  if (name.length < 2)
    return FALSE;
  name.start++;
  name.length--;
  roast_table_writer_set_string (self->category_rows, ROAST_CATEGORIES_CATEGORY,
                                 vine_categories_get (self, name)->name);
  if (kind == 2)
    roast_table_writer_set_text (self->category_rows, ROAST_CATEGORIES_ALLOCATION, mode.start,
                                 MIN (mode.length, VINE_MAX_NAME));
  roast_table_writer_set_double (self->category_rows, slots[kind][0], resources.value[VINE_CORES]);
  categories_set_bytes (self->category_rows, slots[kind][1], &resources, VINE_MEMORY);
  categories_set_bytes (self->category_rows, slots[kind][2], &resources, VINE_DISK);
  roast_table_writer_set_double (self->category_rows, slots[kind][3], resources.value[VINE_GPUS]);
  roast_table_writer_end (self->category_rows, NULL);

  return TRUE;
}

static void
write_states (VineReplay *self, const VineCategory *category)
{
  static const guint states[] = { ROAST_TASK_STATE_QUEUED, ROAST_TASK_STATE_RUNNING, ROAST_TASK_STATE_DONE,
                                  ROAST_TASK_STATE_FAILED, ROAST_TASK_STATE_LOST };

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      roast_table_writer_set_int64 (self->category_states, ROAST_CATEGORY_STATES_TIME, self->now);
      roast_table_writer_set_string (self->category_states, ROAST_CATEGORY_STATES_CATEGORY, category->name);
      roast_table_writer_set_word (self->category_states, ROAST_CATEGORY_STATES_STATE, states[i]);
      roast_table_writer_set_count (self->category_states, ROAST_CATEGORY_STATES_TASKS, category->tasks[states[i]]);
      roast_table_writer_end (self->category_states, NULL);
    }
}

/* Write the number of tasks with each outcome. If an outcome no longer has any tasks, write it only if it was written
 * before. */
static void
write_outcomes (VineReplay *self, VineCategory *category)
{
  for (guint i = 0; i < ROAST_STATUS_N_WORDS; i++)
    {
      if (category->outcomes[i].tasks == 0 && category->outcomes[i].attempts == 0 && !category->written[i])
        continue;
      category->written[i] = TRUE;
      roast_table_writer_set_int64 (self->task_totals, ROAST_TASK_TOTALS_TIME, self->now);
      roast_table_writer_set_string (self->task_totals, ROAST_TASK_TOTALS_CATEGORY, category->name);
      roast_table_writer_set_word (self->task_totals, ROAST_TASK_TOTALS_STATUS, i);
      roast_table_writer_set_int64 (self->task_totals, ROAST_TASK_TOTALS_TASKS, category->outcomes[i].tasks);
      roast_table_writer_set_int64 (self->task_totals, ROAST_TASK_TOTALS_RETRIED, category->outcomes[i].retried);
      roast_table_writer_set_int64 (self->task_totals, ROAST_TASK_TOTALS_ATTEMPTS, category->outcomes[i].attempts);
      roast_table_writer_end (self->task_totals, NULL);
    }
}

void
vine_categories_write (VineReplay *self)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (self->categories), (GCompareFunc) g_strcmp0);

  for (GList *l = names; l != NULL; l = l->next)
    {
      VineCategory *category = g_hash_table_lookup (self->categories, l->data);

      if (!category->changed)
        continue;
      write_states (self, category);
      write_outcomes (self, category);
      category->changed = FALSE;
    }
  write_outcomes (self, &self->unknown);
}
