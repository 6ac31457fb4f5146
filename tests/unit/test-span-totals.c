/* SPDX-License-Identifier: BSD-3-Clause */

/* Spans as differences of cumulative sums. */

#include <roast/roast.h>

#include "rows.h"
#include "span-totals.h"

/* Cumulative sums: CPU time of the categories p and q, time in a shuffle, and in the network. */
static GHashTable *
make_totals (double p, double q, double shuffle, double network)
{
  GHashTable *totals = span_totals_totals_new ();

  span_totals_totals_add (totals, "execute", "p", "thread-cpu", "seconds", p - 1);
  span_totals_totals_add (totals, "execute", "p", "thread-cpu", "seconds", 1);
  if (q > 0)
    span_totals_totals_add (totals, "execute", "q", "thread-cpu", "seconds", q);
  span_totals_totals_add (totals, "shuffle", NULL, "disk write/odd.one here", "Bytes", shuffle);
  span_totals_totals_add (totals, "fetch", NULL, "network", "seconds", network);

  return totals;
}

static void
assert_value (GVariant *metrics, const char *name, double expected)
{
  double value = -1;

  g_assert_true (g_variant_lookup (metrics, name, "d", &value));
  g_assert_cmpfloat (value, ==, expected);
}

/* A row for each sum that grew. */
static void
test_rows (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  SpanTotals *totals = span_totals_new ("dask");
  g_autoptr (RoastSpan) span = span_totals_open (totals, "fit", make_totals (2, 0, 10, 3));
  g_autoptr (RoastSpan) second = span_totals_open (totals, "plot", make_totals (2, 0, 10, 3));
  guint found = 0;

  g_assert_cmpstr (roast_span_get_name (span), ==, "fit");
  g_assert_cmpstr (roast_span_get_id (span), ==, "window-1");
  g_assert_cmpstr (roast_span_get_id (second), ==, "window-2");
  g_assert_cmpint (roast_span_get_started (span), >, 0);
  g_assert_cmpint (roast_span_get_ended (span), ==, -1);
  span_totals_close (totals, span, make_totals (5, 0.5, 30, 3), recording);
  g_assert_cmpint (roast_span_get_ended (span), >=, roast_span_get_started (span));
  /* Only the first end counts. */
  span_totals_close (totals, span, make_totals (50, 50, 50, 50), recording);

  g_assert_cmpuint (rows_count (recording, "span_activities"), ==, 3);
  for (guint64 i = 0; i < 3; i++)
    {
      g_autofree char *row = rows_show (recording, "span_activities", i);

      found +=
          g_str_equal (row, "span=fit context=execute category=p activity=thread-cpu unit=seconds value=3") ? 1 : 0;
      found +=
          g_str_equal (row, "span=fit context=execute category=q activity=thread-cpu unit=seconds value=0.5") ? 10 : 0;
      found +=
          g_str_equal (row, "span=fit context=shuffle activity=disk write/odd.one here unit=Bytes value=20") ? 100 : 0;
    }
  g_assert_cmpuint (found, ==, 111);
  g_assert_cmpuint (rows_count_with (recording, "span_activities", "source", "dask"), ==, 3);
  span_totals_free (totals);
}

/* Until now while it is open, then until its end. Times between tasks overlap these, and are left out. */
static void
test_metrics (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  SpanTotals *totals = span_totals_new ("dask");
  g_autoptr (RoastSpan) span = span_totals_open (totals, "fit", make_totals (2, 0, 10, 3));
  g_autoptr (GHashTable) now = make_totals (4, 0.25, 10, 9);
  g_autoptr (GVariant) open = g_variant_ref_sink (span_totals_get_metrics (totals, span, now));
  g_autoptr (GVariant) closed = NULL;

  g_assert_cmpuint (g_variant_n_children (open), ==, 2);
  assert_value (open, "thread_cpu_seconds", 2.25);
  assert_value (open, "disk_write_odd_one_here_bytes", 0);
  span_totals_close (totals, span, make_totals (5, 0.5, 30, 3), recording);
  closed = g_variant_ref_sink (span_totals_get_metrics (totals, span, now));
  assert_value (closed, "thread_cpu_seconds", 3.5);
  assert_value (closed, "disk_write_odd_one_here_bytes", 20);
  span_totals_free (totals);
}

/* A unit is the rest of a key, whatever is in it. */
static void
test_odd_unit (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  SpanTotals *totals = span_totals_new ("dask");
  g_autoptr (RoastSpan) span = span_totals_open (totals, "fit", span_totals_totals_new ());
  GHashTable *now = span_totals_totals_new ();
  g_autoptr (GVariant) metrics = NULL;

  span_totals_totals_add (now, "execute", "p", "x", "a\nb", 2.5);
  metrics = g_variant_ref_sink (span_totals_get_metrics (totals, span, now));
  assert_value (metrics, "x_a\nb", 2.5);
  span_totals_close (totals, span, now, recording);
  assert_row (recording, "span_activities", 0, "span=fit context=execute category=p activity=x unit=a\nb value=2.5");
  span_totals_free (totals);
}

static GTask *
new_task (void)
{
  return g_task_new (NULL, NULL, NULL, NULL);
}

static void
assert_failed (GTask *task, int code, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (g_task_propagate_boolean (task, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, code);
  g_assert_nonnull (strstr (error->message, part));
}

/* What a backend cannot do fails its task. */
static void
test_checks (void)
{
  SpanTotals *totals = span_totals_new ("dask");
  SpanTotals *others = span_totals_new ("other");
  g_autoptr (RoastSpan) span = span_totals_open (totals, "fit", make_totals (2, 0, 10, 3));
  g_autoptr (GTask) tracking = new_task ();
  g_autoptr (GTask) idle = new_task ();
  g_autoptr (GTask) known = new_task ();
  g_autoptr (GTask) unknown = new_task ();

  g_assert_true (span_totals_check_tracking (totals, TRUE, tracking));
  g_assert_false (span_totals_check_tracking (totals, FALSE, idle));
  assert_failed (idle, ROAST_BACKEND_ERROR_NOT_TRACKING,
                 "“dask” cannot open or close a span: it is not tracking a run");
  g_assert_true (span_totals_check_span (totals, span, known));
  g_assert_false (span_totals_check_span (others, span, unknown));
  assert_failed (unknown, ROAST_BACKEND_ERROR_UNKNOWN_SPAN, "“other” did not open the span “fit”");
  g_task_return_boolean (tracking, TRUE);
  g_task_return_boolean (known, TRUE);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  span_totals_free (totals);
  span_totals_free (others);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/span-totals/rows", test_rows);
  g_test_add_func ("/span-totals/metrics", test_metrics);
  g_test_add_func ("/span-totals/odd-unit", test_odd_unit);
  g_test_add_func ("/span-totals/checks", test_checks);

  return g_test_run ();
}
