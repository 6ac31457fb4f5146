/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-process-fold-private.h"

#include <string.h>

/* With more sums than these, parents are not told apart any more. */
#define MAX_SUMS 20000

struct _RoastProcessFold
{
  GHashTable *sums; /* "PARENT COMMAND" to RoastProcessEnd */
};

RoastProcessFold *
roast_process_fold_new (void)
{
  RoastProcessFold *self = g_new0 (RoastProcessFold, 1);

  self->sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return self;
}

void
roast_process_fold_free (RoastProcessFold *self)
{
  g_hash_table_unref (self->sums);
  g_free (self);
}

/* -1 is not available: it stays so until somebody has a value. */
static void
add (gint64 *sum, gint64 value)
{
  if (value >= 0)
    *sum = MAX (*sum, 0) + value;
}

static void
add_usage (RoastProcessUsage *sum, const RoastProcessUsage *usage)
{
  add (&sum->user, usage->user);
  add (&sum->system, usage->system);
  add (&sum->run_queue, usage->run_queue);
  add (&sum->read_chars, usage->read_chars);
  add (&sum->write_chars, usage->write_chars);
  add (&sum->read_bytes, usage->read_bytes);
  add (&sum->write_bytes, usage->write_bytes);
  add (&sum->minor_faults, usage->minor_faults);
  add (&sum->major_faults, usage->major_faults);
  add (&sum->voluntary_switches, usage->voluntary_switches);
  add (&sum->involuntary_switches, usage->involuntary_switches);
}

static RoastProcessEnd *
new_sum (guint64 parent_id, const char *command)
{
  RoastProcessEnd *sum = g_new0 (RoastProcessEnd, 1);

  sum->parent_id = parent_id;
  sum->ended = -1;
  sum->origin = ROAST_PROCESS_ORIGIN_FOLDED;
  sum->peak_rss = -1;
  g_strlcpy (sum->command, command, sizeof sum->command);
  memset (&sum->usage, 0xff, sizeof sum->usage); /* -1 in each */

  return sum;
}

void
roast_process_fold_add (RoastProcessFold *self, const RoastProcessEnd *end, const char *command)
{
  guint64 parent_id = g_hash_table_size (self->sums) < MAX_SUMS ? end->parent_id : 0;
  g_autofree char *key = g_strdup_printf ("%" G_GUINT64_FORMAT " %s", parent_id, command);
  RoastProcessEnd *sum = g_hash_table_lookup (self->sums, key);

  if (sum == NULL)
    {
      sum = new_sum (parent_id, command);
      g_hash_table_insert (self->sums, g_steal_pointer (&key), sum);
    }
  sum->count += end->count;
  sum->peak_rss = MAX (sum->peak_rss, end->peak_rss);
  sum->peak_rss_floor = sum->peak_rss_floor || end->peak_rss_floor;
  add_usage (&sum->usage, &end->usage);
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
