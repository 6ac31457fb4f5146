/* SPDX-License-Identifier: BSD-3-Clause */

/* Files that went to workers, from them, and into their caches. */

#include <math.h>

#include "lifecycle.h"

enum
{
  DIRECTION,
  BYTES,
  STARTED,
  ENDED
};
static const char *const columns[] = { "direction", "bytes", "started", "ended", NULL };

static const struct
{
  const char *direction, *bytes, *rate;
} kinds[] = {
  { "in", "transfer_in_bytes", "transfer_in_rate" },
  { "out", "transfer_out_bytes", "transfer_out_rate" },
  { "cached", "transfer_cached_bytes", NULL },
};

typedef struct
{
  gint64 n, bytes;
  double seconds, timed; /* bytes of those with a time */
} Sum;

static void
add_metrics (RoastReport *report, guint i, const Sum *sum, gboolean known)
{
  if (!known)
    lifecycle_add_unavailable (report, kinds[i].bytes, "no executor told of files that it moved");
  else
    lifecycle_add_count (report, kinds[i].bytes, sum->bytes, NULL);
  if (kinds[i].rate == NULL)
    return;
  if (sum->seconds > 0 && sum->timed > 0)
    lifecycle_add (report, kinds[i].rate, sum->timed / sum->seconds, ROAST_COMPLETENESS_COMPLETE, NULL);
  else
    lifecycle_add_unavailable (report, kinds[i].rate,
                               known ? "nothing was moved that way" : "no executor told of files that it moved");
}

static void
add_table (RoastReport *report, const Sum *sums)
{
  g_autoptr (RoastTable) table = roast_table_new ("per_direction", ROAST_TABLE_KIND_LOG, "Files that were moved");
  g_autoptr (RoastRow) row = NULL;

  roast_table_add_column (table, "direction", ROAST_COLUMN_TYPE_CATEGORY, NULL,
                          "in: from the executor to workers; out: back; cached: what came into workers' caches, "
                          "results included",
                          NULL);
  roast_table_add_column (table, "files", ROAST_COLUMN_TYPE_INT64, NULL, "how many", NULL);
  roast_table_add_column (table, "bytes", ROAST_COLUMN_TYPE_INT64, "B", "their size", NULL);
  roast_table_add_column (table, "seconds", ROAST_COLUMN_TYPE_DOUBLE, "s", "time it took, of all together", NULL);
  row = roast_row_new (table);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      if (sums[i].n == 0)
        continue;
      roast_row_clear (row);
      roast_row_set_string (row, 0, kinds[i].direction);
      roast_row_set_int64 (row, 1, sums[i].n);
      roast_row_set_int64 (row, 2, sums[i].bytes);
      /* Of what a task made the executor tells how long the task took. */
      if (kinds[i].rate != NULL)
        roast_row_set_double (row, 3, sums[i].seconds);
      roast_table_append (table, row, NULL);
    }
  roast_report_add_table (report, table);
}

void
lifecycle_add_transfers (RoastReport *report, RoastRecordingSnapshot *recording)
{
  LifecycleTable table = { 0 };
  Sum sums[G_N_ELEMENTS (kinds)] = { { 0 } };

  lifecycle_table_open (&table, recording, "transfers", columns);
  for (guint64 row = 0; row < table.n_rows; row++)
    {
      const char *direction = lifecycle_table_text (&table, row, DIRECTION);
      gint64 bytes = lifecycle_table_int64 (&table, row, BYTES);
      gint64 started = lifecycle_table_int64 (&table, row, STARTED);
      gint64 ended = lifecycle_table_int64 (&table, row, ENDED);

      for (guint i = 0; direction != NULL && bytes >= 0 && i < G_N_ELEMENTS (kinds); i++)
        {
          if (!g_str_equal (direction, kinds[i].direction))
            continue;
          sums[i].n++;
          sums[i].bytes += bytes;
          if (started < 0 || ended < started)
            continue;
          sums[i].seconds += (double) (ended - started) / G_USEC_PER_SEC;
          sums[i].timed += (double) bytes;
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    add_metrics (report, i, &sums[i], table.n_rows > 0);
  if (table.n_rows > 0)
    add_table (report, sums);
}
