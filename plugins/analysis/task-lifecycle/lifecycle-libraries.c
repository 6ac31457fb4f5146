/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the table library_outcomes. A library holds cores of a worker, on which it serves function calls. */

#include <math.h>

#include "group-element.h"
#include "lifecycle.h"
#include "metadata.h"
#include "order.h"
#include "report-coverage.h"
#include "task-lifecycle-tables.h"

/* Libraries that ended in the same way. */
typedef struct
{
  int status;
  const char *result;
  gint64 n, n_ready, calls, n_without_calls;
  double start, longest_start; /* time until the libraries were ready after they were sent, s: sum and maximum */
  double core_seconds;         /* core time that the libraries held */
} Outcome;

static void
libraries_add (Outcome *outcome, RoastTableReader *libraries, gint64 end)
{
  gint64 sent = roast_table_reader_get_int64 (libraries, ROAST_LIBRARIES_SENT, -1);
  gint64 ready = roast_table_reader_get_int64 (libraries, ROAST_LIBRARIES_READY, -1);
  gint64 ended = roast_table_reader_get_int64 (libraries, ROAST_LIBRARIES_ENDED, end);
  double cores = roast_table_reader_get_double (libraries, ROAST_LIBRARIES_CORES);

  outcome->status = roast_table_reader_get_word (libraries, ROAST_LIBRARIES_STATUS);
  outcome->result = roast_table_reader_get_string (libraries, ROAST_LIBRARIES_RESULT);
  outcome->n++;
  if (sent >= 0 && ready >= sent)
    {
      double seconds = (double) (ready - sent) / G_USEC_PER_SEC;

      outcome->n_ready++;
      outcome->start += seconds;
      outcome->longest_start = MAX (outcome->longest_start, seconds);
    }
  if (sent >= 0 && ended >= sent && !isnan (cores))
    outcome->core_seconds += cores * (double) (ended - sent) / G_USEC_PER_SEC;
  outcome->calls += roast_table_reader_get_int64 (libraries, ROAST_LIBRARIES_CALLS, 0);
  outcome->n_without_calls += roast_table_reader_has (libraries, ROAST_LIBRARIES_CALLS) ? 0 : 1;
}

static GArray *
read_libraries (RoastTableReader *libraries, gint64 end)
{
  GArray *outcomes = g_array_new (FALSE, FALSE, sizeof (Outcome));

  GROUP_BY (libraries, ROAST_LIBRARIES_STATUS, ROAST_LIBRARIES_RESULT);
  while (roast_table_reader_next (libraries))
    libraries_add (group_element (outcomes, libraries), libraries, end);

  return outcomes;
}

static int
compare_outcomes (const Outcome *a, const Outcome *b)
{
  return order_rows (a->core_seconds, b->core_seconds, a->result, b->result);
}

static void
write_outcomes (RoastReport *report, GArray *outcomes)
{
  g_autoptr (RoastTableWriter) table = roast_library_outcomes_write (report);

  g_array_sort (outcomes, (GCompareFunc) compare_outcomes);
  FOR_EACH (const Outcome, outcome, outcomes)
    {
      if (outcome->status >= 0)
        roast_table_writer_set_word (table, ROAST_LIBRARY_OUTCOMES_STATUS, (guint) outcome->status);
      roast_table_writer_set_string (table, ROAST_LIBRARY_OUTCOMES_RESULT, outcome->result);
      roast_table_writer_set_int64 (table, ROAST_LIBRARY_OUTCOMES_LIBRARIES, outcome->n);
      roast_table_writer_set_int64 (table, ROAST_LIBRARY_OUTCOMES_READY, outcome->n_ready);
      if (outcome->n_ready > 0)
        {
          roast_table_writer_set_double (table, ROAST_LIBRARY_OUTCOMES_START_MEAN,
                                         outcome->start / (double) outcome->n_ready);
          roast_table_writer_set_double (table, ROAST_LIBRARY_OUTCOMES_START_MAX, outcome->longest_start);
        }
      roast_table_writer_set_double (table, ROAST_LIBRARY_OUTCOMES_CORE_SECONDS, outcome->core_seconds);
      if (outcome->n_without_calls == 0)
        roast_table_writer_set_int64 (table, ROAST_LIBRARY_OUTCOMES_CALLS, outcome->calls);
      roast_table_writer_end (table, NULL);
    }
}

static void
cover_calls (RoastReport *report, GArray *outcomes)
{
  gint64 n = 0, n_without = 0;

  for (guint i = 0; i < outcomes->len; i++)
    {
      n += g_array_index (outcomes, Outcome, i).n;
      n_without += g_array_index (outcomes, Outcome, i).n_without_calls;
    }
  if (n_without > 0)
    report_coverage_add (report, ROAST_TABLE_LIBRARIES, "calls",
                         n_without < n ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_UNAVAILABLE,
                         n_without < n
                             ? "excludes workers that had several libraries at a time"
                             : "workers had several libraries at a time, so it is unknown which library served a call");
}

void
lifecycle_add_libraries (RoastReport *report, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) libraries = roast_libraries_read (recording);
  g_autoptr (GArray) outcomes = NULL;
  gint64 end = -1;

  metadata_get_int64 (recording, "ended", &end);
  outcomes = read_libraries (libraries, end);
  cover_calls (report, outcomes);

  if (outcomes->len > 0)
    write_outcomes (report, outcomes);
}
