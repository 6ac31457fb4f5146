/* SPDX-License-Identifier: BSD-3-Clause */

/* What was used in each span, on recordings made by hand with answers computed by hand. */

#include <roast/roast.h>

#define S G_GINT64_CONSTANT (1000000)

static void G_GNUC_PRINTF (3, 4) add (RoastRecording *recording, const char *table, const char *format, ...)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) variant = NULL;
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  variant = g_variant_parse (G_VARIANT_TYPE_VARDICT, text, NULL, NULL, &error);
  g_assert_no_error (error);
  roast_table_add_variant (roast_recording_get_table (recording, table), variant, &error);
  g_assert_no_error (error);
}

static void
add_span (RoastRecording *recording, const char *span, gint64 started, gint64 ended)
{
  add (recording, "spans",
       "{'source': <'session-1'>, 'span': <'%s'>, 'name': <'n%s'>, 'started': <int64 %" G_GINT64_FORMAT ">}", span,
       span, started);
  if (ended >= 0)
    add (recording, "spans", "{'source': <'session-1'>, 'span': <'%s'>, 'ended': <int64 %" G_GINT64_FORMAT ">}", span,
         ended);
}

static void
add_sample (RoastRecording *recording, const char *source, gint64 time, double cpu, gint64 memory)
{
  add (recording, "cluster_samples",
       "{'source': <'%s'>, 'time': <int64 %" G_GINT64_FORMAT ">, 'cpu': <%f>, 'memory': <int64 %" G_GINT64_FORMAT ">}",
       source, time, cpu, memory);
}

static RoastTableSnapshot *
aggregate (RoastRecording *recording)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new_for_path (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastReport) report = roast_report_new (roast_registry_get_schema (registry));
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, "spans", &error);
  RoastTable *table;

  g_assert_no_error (error);
  roast_aggregator_aggregate (aggregator, snapshot, report, NULL, &error);
  g_assert_no_error (error);
  table = roast_report_get_table (report, "span_totals");

  return table != NULL ? roast_table_snapshot (table) : NULL;
}

static void
assert_cell (RoastTableSnapshot *table, guint64 row, const char *column, const char *expected)
{
  int index = roast_table_snapshot_find_column (table, column);
  g_autoptr (GVariant) value = NULL;
  g_autofree char *text = NULL;

  g_assert_cmpint (index, >=, 0);
  value = roast_table_snapshot_dup_value (table, row, (guint) index);
  text = value != NULL ? g_variant_print (value, FALSE) : g_strdup ("-");
  g_assert_cmpstr (text, ==, expected);
}

static void
test_nothing (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastTableSnapshot) table = aggregate (recording);

  g_assert_null (table);
}

/* CPU between samples is interpolated; from the start of the session to the first sample too. */
static void
test_use (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastTableSnapshot) table = NULL;

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (100 * S));
  add_sample (recording, "a", 101 * S, 1.0, 50);
  add_sample (recording, "a", 102 * S, 3.0, 90);
  add_sample (recording, "a", 104 * S, 3.5, 70);
  add_sample (recording, "b", 100 * S, 0, 20);
  add_sample (recording, "b", 104 * S, 4.0, 95);
  add_span (recording, "1", 100 * S + S / 2, 101 * S + S / 2); /* a: 2.0 - 0.5, b: 1.0 */
  add_span (recording, "2", 102 * S, 104 * S);                 /* a: 0.5, b: 2.0 */
  add_span (recording, "3", 103 * S, 105 * S);                 /* no sample after its end */
  add_span (recording, "4", 103 * S, -1);                      /* never closed */
  table = aggregate (recording);

  g_assert_cmpuint (roast_table_snapshot_get_n_rows (table), ==, 4);
  assert_cell (table, 0, "name", "'n1'");
  assert_cell (table, 0, "duration", "1.0");
  assert_cell (table, 0, "cpu", "2.5");
  assert_cell (table, 0, "memory_peak", "50");
  assert_cell (table, 0, "events", "-");
  assert_cell (table, 1, "duration", "2.0");
  assert_cell (table, 1, "cpu", "2.5");
  assert_cell (table, 1, "memory_peak", "95");
  assert_cell (table, 2, "duration", "2.0");
  assert_cell (table, 2, "cpu", "-");
  assert_cell (table, 3, "duration", "-");
  assert_cell (table, 3, "cpu", "-");
}

static void
test_work (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastTableSnapshot) table = NULL;

  add (recording, "chunks", "{'ended': <int64 5>, 'events': <int64 10>, 'bytes_read': <int64 100>}");
  add (recording, "chunks", "{'ended': <int64 15>, 'events': <int64 20>}");
  add (recording, "chunks",
       "{'ended': <int64 16>, 'events': <int64 40>, 'bytes_read': <int64 7>, 'error': <'it broke'>}");
  add (recording, "chunks", "{'ended': <int64 20>, 'events': <int64 80>}");
  add_span (recording, "1", 0, 10);
  add_span (recording, "2", 10, 20);
  add_span (recording, "3", 20, 30);
  table = aggregate (recording);

  assert_cell (table, 0, "events", "10");
  assert_cell (table, 0, "bytes_read", "100");
  assert_cell (table, 1, "events", "100"); /* what failed was not processed, but read */
  assert_cell (table, 1, "bytes_read", "7");
  assert_cell (table, 2, "events", "-");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/span-aggregator/nothing", test_nothing);
  g_test_add_func ("/span-aggregator/use", test_use);
  g_test_add_func ("/span-aggregator/work", test_work);

  return g_test_run ();
}
