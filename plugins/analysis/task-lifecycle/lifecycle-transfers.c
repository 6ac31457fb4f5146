/* SPDX-License-Identifier: BSD-3-Clause */

/* Files that went to workers, from them, and into their caches. */

#include <math.h>

#include "elapsed.h"
#include "events.h"
#include "lifecycle.h"
#include "metric-add.h"
#include "task-lifecycle-tables.h"

/* Metrics of a direction. Without a rate its durations are not summed: for files that tasks made, the executor records
 * the duration of the task. */
static const struct
{
  const char *bytes, *rate;
} directions[ROAST_DIRECTION_N_WORDS] = {
  [ROAST_DIRECTION_IN] = { "transfer_in_bytes", "transfer_in_rate" },
  [ROAST_DIRECTION_OUT] = { "transfer_out_bytes", "transfer_out_rate" },
  [ROAST_DIRECTION_CACHED] = { "transfer_cached_bytes", NULL },
};

typedef struct
{
  gint64 n, bytes;
  double seconds;
  double timed_bytes; /* of those with a duration */
} Sum;

static void
read_transfers (RoastTableReader *transfers, Sum *sums)
{
  while (roast_table_reader_next (transfers))
    {
      int direction = roast_table_reader_get_word (transfers, ROAST_TRANSFERS_DIRECTION);
      gint64 bytes = roast_table_reader_get_int64 (transfers, ROAST_TRANSFERS_BYTES, -1);
      double seconds = elapsed_get (transfers, ROAST_TRANSFERS_STARTED, ROAST_TRANSFERS_ENDED);

      if (direction < 0 || bytes < 0)
        continue;
      sums[direction].n++;
      sums[direction].bytes += bytes;
      if (!(seconds >= 0))
        continue;
      sums[direction].seconds += seconds;
      sums[direction].timed_bytes += (double) bytes;
    }
}

static void
add_metrics (RoastReport *report, guint direction, const Sum *sum, gboolean is_known, const char *cut)
{
  static const char missing[] = "no executor recorded the files that it moved";
  const char *bytes = directions[direction].bytes;
  const char *rate = directions[direction].rate;

  if (bytes != NULL)
    metric_add_integer (report, bytes, is_known ? (double) sum->bytes : NAN, ROAST_COMPLETENESS_PARTIAL, cut, missing);
  if (rate != NULL)
    metric_add (report, rate, sum->seconds > 0 && sum->timed_bytes > 0 ? sum->timed_bytes / sum->seconds : NAN,
                ROAST_COMPLETENESS_ESTIMATED, cut, is_known ? "nothing was moved in this direction" : missing);
}

static gboolean
write_directions (RoastReport *report, const Sum *sums, GError **error)
{
  g_autoptr (RoastTableWriter) table =
      roast_report_write_table (report, ROAST_TABLE_PER_DIRECTION, roast_per_direction_columns, error);

  for (guint i = 0; table != NULL && i < ROAST_DIRECTION_N_WORDS; i++)
    {
      if (sums[i].n == 0 || directions[i].bytes == NULL)
        continue;
      roast_table_writer_set_word (table, ROAST_PER_DIRECTION_DIRECTION, i);
      roast_table_writer_set_int64 (table, ROAST_PER_DIRECTION_FILES, sums[i].n);
      roast_table_writer_set_int64 (table, ROAST_PER_DIRECTION_BYTES, sums[i].bytes);
      if (directions[i].rate != NULL)
        roast_table_writer_set_double (table, ROAST_PER_DIRECTION_SECONDS, sums[i].seconds);
      roast_table_writer_end (table, NULL);
    }

  return table != NULL;
}

gboolean
lifecycle_add_transfers (RoastReport *report, RoastRecordingSnapshot *recording, GError **error)
{
  g_autoptr (RoastTableReader) transfers =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_TRANSFERS, roast_transfers_columns, NULL);
  Sum sums[ROAST_DIRECTION_N_WORDS] = { { 0 } };
  static const char *const cut_kinds[] = { "transfers-cut", "transfers-dropped", NULL };
  g_autofree char *cut = events_describe (recording, cut_kinds);
  gboolean is_known = FALSE;

  is_known = roast_table_reader_get_n_rows (transfers) > 0;
  read_transfers (transfers, sums);
  for (guint i = 0; i < ROAST_DIRECTION_N_WORDS; i++)
    add_metrics (report, i, &sums[i], is_known, cut);

  return !is_known || write_directions (report, sums, error);
}
