/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-grouping-private.h"

#include <string.h>

typedef struct
{
  guint n;
  guint64 cells[];
} Key;

struct _RoastGrouping
{
  guint n_cells;
  GHashTable *groups; /* maps a Key to the number of its group */
  GHashTable *texts;  /* maps a text to its number + 1 */
  Key *last;          /* key that was looked up last, kept because rows of a group often follow each other */
  guint last_group;
  gboolean has_last;
  guint *by_number; /* number of the group + 1, indexed by the number that describes a row; NULL unless the grouping was
                       made for a range */
  guint n_numbered;
};

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;
  guint64 hash = 0;

  for (guint i = 0; i < key->n; i++)
    hash = (hash ^ key->cells[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15); /* 2^64 / golden ratio */

  return (guint) (hash >> 32);
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *first = a;

  return memcmp (first->cells, ((const Key *) b)->cells, first->n * sizeof (guint64)) == 0;
}

static gsize
key_size (guint n_cells)
{
  return sizeof (Key) + n_cells * sizeof (guint64);
}

RoastGrouping *
roast_grouping_new (guint n_cells)
{
  RoastGrouping *self = g_new0 (RoastGrouping, 1);

  self->n_cells = n_cells;
  self->groups = g_hash_table_new_full (key_hash, key_equal, g_free, NULL);
  self->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->last = g_malloc0 (key_size (n_cells));
  self->last->n = n_cells;

  return self;
}

void
roast_grouping_free (RoastGrouping *self)
{
  g_hash_table_unref (self->groups);
  g_hash_table_unref (self->texts);
  g_free (self->last);
  g_free (self->by_number);
  g_free (self);
}

RoastGrouping *
roast_grouping_new_for_range (guint range)
{
  RoastGrouping *self = roast_grouping_new (0);

  self->by_number = g_new0 (guint, range);

  return self;
}

guint
roast_grouping_find_number (RoastGrouping *self, guint number)
{
  guint *group = &self->by_number[number];

  if (*group == 0)
    *group = ++self->n_numbered;

  return *group - 1;
}

guint
roast_grouping_find (RoastGrouping *self, const guint64 *cells)
{
  gsize size = self->n_cells * sizeof *cells;
  gpointer found = NULL;

  if (self->has_last && memcmp (self->last->cells, cells, size) == 0)
    return self->last_group;
  memcpy (self->last->cells, cells, size);
  self->has_last = TRUE;
  if (!g_hash_table_lookup_extended (self->groups, self->last, NULL, &found))
    {
      found = GUINT_TO_POINTER (g_hash_table_size (self->groups));
      g_hash_table_insert (self->groups, g_memdup2 (self->last, key_size (self->n_cells)), found);
    }
  self->last_group = GPOINTER_TO_UINT (found);

  return self->last_group;
}

guint64
roast_grouping_intern (RoastGrouping *self, const char *text)
{
  gsize found = GPOINTER_TO_SIZE (g_hash_table_lookup (self->texts, text));

  if (found == 0)
    {
      found = g_hash_table_size (self->texts) + 1;
      g_hash_table_insert (self->texts, g_strdup (text), GSIZE_TO_POINTER (found));
    }

  return found;
}
