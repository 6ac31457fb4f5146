/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-process-fold-private.h"

#include "roast-process-private.h"

/* Beyond so many sums those of different parents are no longer kept apart. */
#define MAX_SUMS 20000

struct _RoastProcessFold
{
  GHashTable *sums; /* "ORIGIN PARENT COMMAND" to RoastProcess */
};

RoastProcessFold *
roast_process_fold_new (void)
{
  RoastProcessFold *self = g_new0 (RoastProcessFold, 1);

  self->sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);

  return self;
}

void
roast_process_fold_free (RoastProcessFold *self)
{
  g_hash_table_unref (self->sums);
  g_free (self);
}

void
roast_process_fold_add (RoastProcessFold *self, RoastProcess *process)
{
  guint64 parent = g_hash_table_size (self->sums) < MAX_SUMS ? roast_process_get_parent_id (process) : 0;
  const char *command = roast_process_get_command (process);
  /* What is not final would make the sum of the others uncertain. */
  int origin = roast_process_is_final (process) ? -1 : (int) roast_process_get_origin (process);
  g_autofree char *key = g_strdup_printf ("%d %" G_GUINT64_FORMAT " %s", origin, parent, command);
  RoastProcess *sum = g_hash_table_lookup (self->sums, key);

  if (sum == NULL)
    {
      sum = roast_process_new (0, parent, command);
      g_hash_table_insert (self->sums, g_steal_pointer (&key), sum);
    }
  roast_process_add (sum, process);
}

void
roast_process_fold_flush (RoastProcessFold *self, RoastProcessFoldFunc func, gpointer user_data)
{
  GHashTableIter iter;
  gpointer sum = NULL;

  g_hash_table_iter_init (&iter, self->sums);
  while (g_hash_table_iter_next (&iter, NULL, &sum))
    func (sum, user_data);
  g_hash_table_remove_all (self->sums);
}
