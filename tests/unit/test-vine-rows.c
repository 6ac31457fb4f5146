/* SPDX-License-Identifier: BSD-3-Clause */

/* All rows that logs of real managers make, column by column, compared with those that were written down when an
 * independent reader of the same logs agreed (tests/integration/taskvine/test-recordings.py). Where roast shall write
 * other rows than before, ROAST_TEST_WRITE_ROWS=DIRECTORY writes all files again. */

#include <glib/gstdio.h>
#include <string.h>

#include "rows.h"
#include "span-totals.h"
#include "vine-log.h"
#include "vine-replay.h"

/* How a log is read. */
typedef struct
{
  const char *name;
  double part; /* of its lines */
  guint flush; /* after so many lines; 0: at the end only */
  guint64 max_tasks;
  gboolean transfers;
  gint64 after; /* µs after its last line: when it is known that the manager goes on; -1 if it is not */
} Manner;

static const Manner manners[] = {
  { "whole", 1, 0, G_MAXUINT64, TRUE, -1 },
  { "followed", 1, 50, G_MAXUINT64, TRUE, -1 },
  { "early", 0.35, 0, G_MAXUINT64, TRUE, -1 },
  { "late", 0.8, 40, G_MAXUINT64, TRUE, 100000 },
  { "limited", 0.6, 0, 3, FALSE, 60 * G_USEC_PER_SEC },
};

typedef struct
{
  VineReplay *replay;
  VinePerformance *performance;
  const Manner *manner;
  guint64 lines, n;
} Reading;

static void
count_line (const char *line, gsize length, gpointer user_data)
{
  ((Reading *) user_data)->lines++;
}

static void
take_transaction (const char *line, gsize length, gpointer user_data)
{
  Reading *reading = user_data;

  if (reading->n >= (guint64) ((double) reading->lines * reading->manner->part))
    return;
  reading->n++;
  vine_replay_take_line (reading->replay, line, length);
  if (reading->manner->flush > 0 && reading->n % reading->manner->flush == 0)
    vine_replay_flush (reading->replay);
}

static void
take_performance (const char *line, gsize length, gpointer user_data)
{
  vine_performance_take_line (((Reading *) user_data)->performance, line, length);
}

static void
read_file (const char *run, const char *name, VineLogFunction function, Reading *reading)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "taskvine", run, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VineLog) log = vine_log_open (path, &error);

  g_assert_no_error (error);
  while (vine_log_read (log, 4096, function, reading) == VINE_LOG_MORE)
    ;
}

/* ---- as text ---- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* NULL if it is missing. */
static char *
show_cell (RoastTableReader *reader, guint slot, RoastColumnType type)
{
  if (!roast_table_reader_has (reader, slot))
    return NULL;
  if (type == ROAST_COLUMN_TYPE_INT64)
    return g_strdup_printf ("%" G_GINT64_FORMAT, roast_table_reader_get_int64 (reader, slot, 0));
  if (type == ROAST_COLUMN_TYPE_STRING || type == ROAST_COLUMN_TYPE_CATEGORY)
    return g_strdup (roast_table_reader_get_string (reader, slot));

  return g_strdup_printf ("%.9g", roast_table_reader_get_double (reader, slot));
}

/* How many cells are there, what integers add up to, and a hash of all, in their order. */
static void
show_column (GString *out, RoastTableReader *reader, const char *table, guint slot)
{
  RoastColumn *column = roast_table_reader_get_column (reader, slot);
  RoastColumnType type = roast_column_get_column_type (column);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gint64 sum = 0;
  guint n = 0;

  roast_table_reader_rewind (reader);
  while (roast_table_reader_next (reader))
    {
      g_autofree char *cell = show_cell (reader, slot, type);

      g_checksum_update (checksum, (const guchar *) (cell != NULL ? cell : "-"), -1);
      g_checksum_update (checksum, (const guchar *) "\n", 1);
      n += cell != NULL ? 1 : 0;
      sum += type == ROAST_COLUMN_TYPE_INT64 ? roast_table_reader_get_int64 (reader, slot, 0) : 0;
    }
  if (n == 0)
    return;
  g_string_append_printf (out, "%s.%s: %u cells", table, roast_column_get_name (column), n);
  if (type == ROAST_COLUMN_TYPE_INT64)
    g_string_append_printf (out, ", sum %" G_GINT64_FORMAT, sum);
  g_string_append_printf (out, ", %.8s\n", g_checksum_get_string (checksum));
}

static void
show_tables (GString *out, RoastRecording *recording)
{
  g_auto (GStrv) tables = roast_recording_dup_table_names (recording);

  qsort (tables, g_strv_length (tables), sizeof *tables, compare_names);
  for (guint i = 0; tables[i] != NULL; i++)
    {
      g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, tables[i], NULL, NULL);

      g_assert_nonnull (reader);
      if (roast_table_reader_get_n_rows (reader) == 0)
        continue;
      for (guint slot = 0; slot < roast_table_reader_get_n_columns (reader); slot++)
        show_column (out, reader, tables[i], slot);
    }
}

/* Texts of events as they are: they have numbers of their own. */
static void
show_events (GString *out, RoastRecording *recording)
{
  for (guint64 i = 0; i < rows_count (recording, "events"); i++)
    {
      g_autofree char *message = rows_show_cell (recording, "events", i, "message");

      g_string_append_printf (out, "event: %s\n", message);
    }
}

static void
show_totals (GString *out, VineReplay *replay)
{
  g_autoptr (GHashTable) totals = span_totals_totals_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  vine_totals_add_to (replay, totals);
  g_hash_table_iter_init (&iter, totals);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (names, name);
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *line = g_strdelimit (g_strdup (names->pdata[i]), "\n", ' ');

      g_string_append_printf (out, "total %s: %.9g\n", line,
                              *(const double *) g_hash_table_lookup (totals, names->pdata[i]));
    }
}

static void
show_counts (GString *out, VineReplay *replay)
{
  VineCounts counts = replay->counts;
  VineTimes times = replay->times;
  const VineAttemptCounts *tasks = &counts.tasks;
  const struct
  {
    const char *name;
    guint64 value;
  } all[] = {
    { "lines", counts.lines },
    { "unusable", counts.unusable },
    { "unknown", counts.unknown },
    { "submitted", tasks->submitted },
    { "attempts", tasks->attempts },
    { "dispatched", tasks->dispatched },
    { "returned", tasks->returned },
    { "lost", tasks->lost },
    { "unfinished", tasks->unfinished },
    { "never ran", tasks->never_ran },
    { "waiting again", tasks->waiting_again },
    { "libraries", tasks->libraries },
    { "measured", tasks->measured },
    { "unmeasured", tasks->unmeasured },
    { "given back", tasks->given_back },
    { "coreless", tasks->coreless },
    { "reused", tasks->reused },
    { "repeated", tasks->repeated },
    { "silent", tasks->silent },
    { "skew", (guint64) tasks->skew },
    { "joined", counts.workers.joined },
    { "left", counts.workers.left },
    { "unnamed", counts.workers.unnamed },
    { "resized", counts.workers.resized },
    { "started", (guint64) times.started },
    { "ended", (guint64) times.ended },
    { "first", (guint64) times.first },
    { "last", (guint64) times.last },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i].value != 0)
      g_string_append_printf (out, "%s: %" G_GINT64_FORMAT "\n", all[i].name, (gint64) all[i].value);
  g_string_append_printf (out, "execute: %.9g\n", tasks->execute);
}

static void
play (GString *out, const char *run, const Manner *manner)
{
  g_autoptr (RoastRecording) recording =
      roast_recording_new (roast_registry_get_schema (roast_registry_get_default ()));
  VineTaskLimit limit = { manner->max_tasks, 0 };
  const VineReplayOptions options = { G_USEC_PER_SEC, &limit, manner->transfers, NULL };
  Reading reading = { .replay = vine_replay_new (recording, "taskvine-1", &options),
                      .performance = vine_performance_new (recording, "taskvine-1", options.interval),
                      .manner = manner };
  gint64 last;

  read_file (run, "transactions", count_line, &reading);
  read_file (run, "transactions", take_transaction, &reading);
  read_file (run, "performance", take_performance, &reading);
  vine_performance_finish (reading.performance);
  last = reading.replay->times.last;
  vine_replay_finish (reading.replay, reading.performance, manner->after < 0 ? -1 : last + manner->after);
  g_string_append_printf (out, "---- %s\n", manner->name);
  show_counts (out, reading.replay);
  show_events (out, recording);
  show_totals (out, reading.replay);
  show_tables (out, recording);
  vine_replay_free (reading.replay);
  vine_performance_free (reading.performance);
}

/* ---- compared ---- */

static void
compare (const char *expected, const char *shown)
{
  g_auto (GStrv) before = g_strsplit (expected, "\n", -1);
  g_auto (GStrv) now = g_strsplit (shown, "\n", -1);
  const char *manner = "";
  guint i = 0;

  for (; before[i] != NULL && now[i] != NULL && g_str_equal (before[i], now[i]); i++)
    if (g_str_has_prefix (now[i], "---- "))
      manner = now[i];
  g_test_message ("line %u, in “%s”", i + 1, manner);
  g_assert_cmpstr (now[i], ==, before[i]);
}

static void
test_run (gconstpointer data)
{
  const char *directory = g_getenv ("ROAST_TEST_WRITE_ROWS");
  g_autofree char *name = g_strconcat ((const char *) data, ".txt", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "taskvine-rows", name, NULL);
  g_autofree char *expected = NULL;
  g_autoptr (GString) shown = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (manners); i++)
    play (shown, data, &manners[i]);
  if (directory != NULL)
    {
      g_autofree char *to = g_build_filename (directory, name, NULL);

      g_file_set_contents (to, shown->str, (gssize) shown->len, &error);
      g_assert_no_error (error);
      g_test_skip ("the rows were written, not compared");
      return;
    }
  g_file_get_contents (path, &expected, NULL, &error);
  g_assert_no_error (error);
  compare (expected, shown->str);
}

int
main (int argc, char **argv)
{
  static const char *const runs[] = { "run-7.14.5",  "run-coffea",    "run-dask",
                                      "run-library", "run-monitored", "two-managers-same-second" };

  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      g_autofree char *path = g_strconcat ("/vine-rows/", runs[i], NULL);

      g_test_add_data_func (path, runs[i], test_run);
    }

  return g_test_run ();
}
