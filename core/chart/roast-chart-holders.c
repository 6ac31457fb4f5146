/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-holders-private.h"

#include <math.h>

#include "roast-chart-names-private.h"
#include "roast/roast-tables.h"

struct _RoastChartHolders
{
  RoastTableReader *reader;
  guint first, n;
  int source, worker; /* index among these columns; -1 if there is none */
  char **sources, **workers;
  GHashTable *steps;  /* a trie over the columns: previous step and code → step, from 1 on */
  GHashTable *leaves; /* source and worker → double *, in µs since the epoch; NULL without workers */
  GArray *ends;       /* of double, by holder */
  guint n_steps;
};

void
roast_chart_holders_add_columns (RoastTableInfo *table, GPtrArray *columns)
{
  for (guint i = 0; i < roast_table_info_get_n_columns (table); i++)
    {
      RoastColumn *column = roast_table_info_get_column (table, i);

      if (roast_column_get_column_type (column) == ROAST_COLUMN_TYPE_CATEGORY)
        g_ptr_array_add (columns, g_strdup (roast_column_get_name (column)));
    }
}

static char *
make_key (const char *source, const char *worker)
{
  return g_strconcat (source != NULL ? source : "", "\n", worker != NULL ? worker : "", NULL);
}

#define END (G_MAXUINT - 1) /* marks the end of a row in place of a code */

/* Slots of a reader of workers. */
enum
{
  SOURCE,
  WORKER,
  LEFT,
};

static GHashTable *
read_leaves (RoastRecordingSnapshot *recording)
{
  static const char *const columns[] = { "source", "worker", "left", NULL };
  g_autoptr (RoastTableReader) reader =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_WORKERS, columns, NULL);
  GHashTable *leaves = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  while (reader != NULL && roast_table_reader_next (reader))
    if (roast_table_reader_has (reader, LEFT))
      {
        double left = (double) roast_table_reader_get_int64 (reader, LEFT, 0);

        g_hash_table_insert (leaves,
                             make_key (roast_table_reader_get_string (reader, SOURCE),
                                       roast_table_reader_get_string (reader, WORKER)),
                             g_memdup2 (&left, sizeof left));
      }

  return leaves;
}

RoastChartHolders *
roast_chart_holders_new (RoastTableReader *reader, RoastRecordingSnapshot *recording, guint first, guint n)
{
  RoastChartHolders *self = g_new0 (RoastChartHolders, 1);

  self->reader = reader;
  self->first = first;
  self->n = n;
  self->source = self->worker = -1;
  for (guint i = 0; i < n; i++)
    {
      const char *name = roast_column_get_name (roast_table_reader_get_column (reader, first + i));

      if (g_str_equal (name, "source"))
        self->source = (int) i;
      if (g_str_equal (name, "worker"))
        self->worker = (int) i;
    }
  self->steps = g_hash_table_new_full (roast_chart_pair_hash, roast_chart_pair_equal, g_free, NULL);
  self->ends = g_array_new (FALSE, FALSE, sizeof (double));
  if (self->source >= 0 && self->worker >= 0)
    {
      self->sources = roast_table_reader_dup_dictionary (reader, first + (guint) self->source);
      self->workers = roast_table_reader_dup_dictionary (reader, first + (guint) self->worker);
      self->leaves = read_leaves (recording);
    }

  return self;
}

void
roast_chart_holders_free (RoastChartHolders *self)
{
  g_hash_table_unref (self->steps);
  g_clear_pointer (&self->leaves, g_hash_table_unref);
  g_array_unref (self->ends);
  g_strfreev (self->sources);
  g_strfreev (self->workers);
  g_free (self);
}

static double
find_end (RoastChartHolders *self, gint32 source, gint32 worker)
{
  g_autofree char *key = NULL;
  const double *left = NULL;

  if (self->leaves == NULL || source < 0 || worker < 0)
    return NAN;
  key = make_key (self->sources[source], self->workers[worker]);
  left = g_hash_table_lookup (self->leaves, key);

  return left != NULL ? *left : NAN;
}

static guint
take_step (RoastChartHolders *self, guint before, gint32 code)
{
  const RoastChartPair step = { before, (guint) code };
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->steps, &step));

  if (found == 0)
    {
      found = ++self->n_steps;
      g_hash_table_insert (self->steps, g_memdup2 (&step, sizeof step), GUINT_TO_POINTER (found));
    }

  return found;
}

/* Return the holder at the end of a row's steps, and number it if it is new. */
static guint
find_holder (RoastChartHolders *self, guint before, gint32 source, gint32 worker)
{
  const RoastChartPair step = { before, END };
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->steps, &step));

  if (found == 0)
    {
      double end = find_end (self, source, worker);

      g_array_append_val (self->ends, end);
      found = self->ends->len;
      g_hash_table_insert (self->steps, g_memdup2 (&step, sizeof step), GUINT_TO_POINTER (found));
    }

  return found - 1;
}

void
roast_chart_holders_load (RoastChartHolders *self, const guint *kept, guint n_kept, const guint *groups, guint *holders)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

  for (guint k = 0; k < self->n; k++)
    g_ptr_array_add (blocks, roast_table_reader_dup_block_data (self->reader, self->first + k));
  for (guint i = 0; i < n_kept; i++)
    {
      guint at = groups != NULL ? take_step (self, 0, (gint32) groups[i]) : 0;
      gint32 source = -1;
      gint32 worker = -1;

      for (guint k = 0; k < self->n; k++)
        {
          const gint32 *codes = g_bytes_get_data (g_ptr_array_index (blocks, k), NULL);
          gint32 code = MAX (codes[kept != NULL ? kept[i] : i], -1);

          at = take_step (self, at, code);
          source = (int) k == self->source ? code : source;
          worker = (int) k == self->worker ? code : worker;
        }
      holders[i] = find_holder (self, at, source, worker);
    }
}

guint
roast_chart_holders_count (RoastChartHolders *self)
{
  return self->ends->len;
}

double
roast_chart_holders_get_end (RoastChartHolders *self, guint holder)
{
  return g_array_index (self->ends, double, holder);
}
