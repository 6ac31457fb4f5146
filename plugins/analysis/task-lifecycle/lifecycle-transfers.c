/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the table per_direction: files that were moved to workers, from workers, or into the caches of workers. */

#include "elapsed.h"
#include "events.h"
#include "lifecycle.h"
#include "report-coverage.h"
#include "task-lifecycle-tables.h"

typedef struct
{
  gint64 n, bytes;
  double seconds;
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
      sums[direction].seconds += seconds >= 0 ? seconds : 0;
    }
}

/* Report how complete the metrics of transfers are. */
static void
transfers_add_coverage (RoastReport *report, gboolean is_known, const char *cut)
{
  static const char *const rates[] = { "transfer_in_rate", "transfer_out_rate", NULL };
  static const char missing[] = "no executor recorded the files that it moved";

  if (!is_known)
    {
      report_coverage_add (report, ROAST_TABLE_PER_DIRECTION, NULL, ROAST_COMPLETENESS_UNAVAILABLE, missing);
      report_coverage_add_metrics (report, rates, ROAST_COMPLETENESS_UNAVAILABLE, missing);
      return;
    }
  report_coverage_add_note (report, ROAST_TABLE_PER_DIRECTION, NULL, ROAST_COMPLETENESS_PARTIAL, cut);
  if (cut != NULL)
    report_coverage_add_metrics (report, rates, ROAST_COMPLETENESS_ESTIMATED, cut);
}

static void
write_directions (RoastReport *report, const Sum *sums)
{
  g_autoptr (RoastTableWriter) table = roast_per_direction_write (report);

  for (guint i = 0; i < ROAST_DIRECTION_N_WORDS; i++)
    {
      if (sums[i].n == 0 || (i != ROAST_DIRECTION_IN && i != ROAST_DIRECTION_OUT && i != ROAST_DIRECTION_CACHED))
        continue;
      roast_table_writer_set_word (table, ROAST_PER_DIRECTION_DIRECTION, i);
      roast_table_writer_set_int64 (table, ROAST_PER_DIRECTION_FILES, sums[i].n);
      roast_table_writer_set_int64 (table, ROAST_PER_DIRECTION_BYTES, sums[i].bytes);
      /* Leave out the time of cached files: if a task made the file, this is the duration of the task, not of a
       * transfer. */
      if (i != ROAST_DIRECTION_CACHED)
        roast_table_writer_set_double (table, ROAST_PER_DIRECTION_SECONDS, sums[i].seconds);
      roast_table_writer_end (table, NULL);
    }
}

void
lifecycle_add_transfers (RoastReport *report, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) transfers = roast_transfers_read (recording);
  Sum sums[ROAST_DIRECTION_N_WORDS] = { { 0 } };
  g_autofree char *cut = events_describe (recording, "transfers-cut transfers-dropped");
  gboolean is_known = roast_table_reader_get_n_rows (transfers) > 0;

  read_transfers (transfers, sums);
  transfers_add_coverage (report, is_known, cut);

  if (is_known)
    write_directions (report, sums);
}
