/* SPDX-License-Identifier: BSD-3-Clause */

#include <roast/roast.h>

#include "../../core/analysis/roast-aggregator-chain-private.h"

/* Provides one metric: one more than the sum of what it requires. */
#define TEST_TYPE_AGGREGATOR (test_aggregator_get_type ())
G_DECLARE_FINAL_TYPE (TestAggregator, test_aggregator, TEST, AGGREGATOR, GObject)

struct _TestAggregator
{
  GObject parent_instance;

  const char *provides;
  const char *requires;
  gboolean fails;
  guint turn; /* from 1; 0 if it had none */
};

static guint turns;

static char **
split (const char *names)
{
  return g_strsplit (names, " ", -1);
}

static char **
test_dup_requires (RoastAggregator *aggregator)
{
  return split (TEST_AGGREGATOR (aggregator)->requires);
}

static char **
test_dup_provides (RoastAggregator *aggregator)
{
  return split (TEST_AGGREGATOR (aggregator)->provides);
}

static gboolean
test_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                GCancellable *cancellable, GError **error)
{
  TestAggregator *self = TEST_AGGREGATOR (aggregator);
  g_auto (GStrv) requires = split (self->requires);
  g_auto (GStrv) names = NULL;
  double sum = 1;

  if (self->fails)
    {
      g_set_error (error, ROAST_AGGREGATE_ERROR, ROAST_AGGREGATE_ERROR_NO_DATA, "nothing to see");
      return FALSE;
    }
  for (guint i = 0; requires[i] != NULL; i++)
    {
      double value = 0;

      roast_report_get_double (report, requires[i], &value);
      sum += value;
    }
  self->turn = ++turns;
  if (*self->provides == '\0')
    return TRUE;
  names = split (self->provides);
  roast_report_add_double (report, names[0], sum, ROAST_COMPLETENESS_COMPLETE, NULL);

  return TRUE;
}

static void
aggregator_iface_init (RoastAggregatorInterface *iface)
{
  iface->dup_requires = test_dup_requires;
  iface->dup_provides = test_dup_provides;
  iface->aggregate = test_aggregate;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestAggregator, test_aggregator, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_AGGREGATOR, aggregator_iface_init))

static void
test_aggregator_class_init (TestAggregatorClass *klass)
{
}

static void
test_aggregator_init (TestAggregator *self)
{
}

static void
add (GPtrArray *aggregators, const char *provides, const char *requires, gboolean fails)
{
  TestAggregator *aggregator = g_object_new (TEST_TYPE_AGGREGATOR, NULL);

  aggregator->provides = provides;
  aggregator->requires = requires;
  aggregator->fails = fails;
  g_ptr_array_add (aggregators, aggregator);
}

static RoastReport *
run (GPtrArray *aggregators, GError **error)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastReport) report = roast_report_new (schema);

  if (!roast_aggregator_chain_run (aggregators, snapshot, report, NULL, error))
    return NULL;

  return g_steal_pointer (&report);
}

static void
test_order (void)
{
  g_autoptr (GPtrArray) aggregators = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (RoastReport) report = NULL;
  double value = 0;

  add (aggregators, "c", "a b", FALSE);
  add (aggregators, "b", "a", FALSE);
  add (aggregators, "a", "nobody-provides-this", FALSE);
  report = run (aggregators, NULL);
  g_assert_nonnull (report);
  roast_report_get_double (report, "c", &value);
  g_assert_cmpfloat (value, ==, 4);
}

static void
test_failure (void)
{
  g_autoptr (GPtrArray) aggregators = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (RoastReport) report = NULL;

  add (aggregators, "a", "", TRUE);
  add (aggregators, "b", "a", FALSE);
  report = run (aggregators, NULL);
  g_assert_cmpstr (roast_metric_get_reason (roast_report_lookup (report, "a")), ==, "nothing to see");
  g_assert_true (roast_metric_is_available (roast_report_lookup (report, "b")));
}

static void
test_cycle (void)
{
  g_autoptr (GPtrArray) aggregators = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  add (aggregators, "a", "b", FALSE);
  add (aggregators, "b", "a", FALSE);
  g_assert_null (run (aggregators, &error));
  g_assert_error (error, ROAST_AGGREGATE_ERROR, ROAST_AGGREGATE_ERROR_CYCLE);
  g_assert_nonnull (strstr (error->message, "TestAggregator"));
}

static guint
turn_of (GPtrArray *aggregators, guint i)
{
  return TEST_AGGREGATOR (g_ptr_array_index (aggregators, i))->turn;
}

/* Those that need not wait keep their order. */
static void
test_stable (void)
{
  g_autoptr (GPtrArray) aggregators = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (RoastReport) report = NULL;

  add (aggregators, "a", "d", FALSE);
  add (aggregators, "b", "", FALSE);
  add (aggregators, "c", "", FALSE);
  add (aggregators, "d", "c d", FALSE);
  add (aggregators, "", "", FALSE);
  turns = 0;
  report = run (aggregators, NULL);
  g_assert_nonnull (report);
  g_assert_cmpuint (turn_of (aggregators, 1), ==, 1);
  g_assert_cmpuint (turn_of (aggregators, 2), ==, 2);
  g_assert_cmpuint (turn_of (aggregators, 3), ==, 3);
  g_assert_cmpuint (turn_of (aggregators, 0), ==, 4);
  g_assert_cmpuint (turn_of (aggregators, 4), ==, 5);
}

/* What is promised is there, at least as a reason. */
static void
test_promises (void)
{
  g_autoptr (GPtrArray) aggregators = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (RoastReport) report = NULL;
  g_auto (GStrv) notes = NULL;

  add (aggregators, "a forgotten", "", FALSE);
  add (aggregators, "a b", "", TRUE);
  add (aggregators, "", "", TRUE);
  report = run (aggregators, NULL);
  g_assert_nonnull (report);
  g_assert_true (roast_metric_is_available (roast_report_lookup (report, "a")));
  g_assert_false (roast_metric_is_available (roast_report_lookup (report, "forgotten")));
  g_assert_cmpstr (roast_metric_get_reason (roast_report_lookup (report, "b")), ==, "nothing to see");
  notes = roast_report_dup_notes (report);
  g_assert_cmpuint (g_strv_length (notes), ==, 1);
  g_assert_cmpstr (notes[0], ==, "nothing to see");
}

/* Those outside the cycle run; each metric of the others has the reason. */
static void
test_around_cycle (void)
{
  g_autoptr (GPtrArray) aggregators = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastReport) report = roast_report_new (schema);
  g_autoptr (GError) error = NULL;

  add (aggregators, "a", "b", FALSE);
  add (aggregators, "b", "a", FALSE);
  add (aggregators, "after", "b", FALSE);
  add (aggregators, "alone", "", FALSE);
  g_assert_false (roast_aggregator_chain_run (aggregators, snapshot, report, NULL, &error));
  g_assert_error (error, ROAST_AGGREGATE_ERROR, ROAST_AGGREGATE_ERROR_CYCLE);
  g_assert_true (g_str_has_suffix (error->message, ": TestAggregator, TestAggregator"));
  g_assert_true (roast_metric_is_available (roast_report_lookup (report, "alone")));
  g_assert_cmpstr (roast_metric_get_reason (roast_report_lookup (report, "a")), ==, error->message);
  g_assert_cmpstr (roast_metric_get_reason (roast_report_lookup (report, "after")), ==, error->message);
}

static void
test_cancelled (void)
{
  g_autoptr (GPtrArray) aggregators = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastReport) report = roast_report_new (schema);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  add (aggregators, "a", "", FALSE);
  g_cancellable_cancel (cancellable);
  g_assert_false (roast_aggregator_chain_run (aggregators, snapshot, report, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (roast_report_lookup (report, "a"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/chain/order", test_order);
  g_test_add_func ("/chain/failure", test_failure);
  g_test_add_func ("/chain/cycle", test_cycle);

  g_test_add_func ("/chain/stable", test_stable);
  g_test_add_func ("/chain/promises", test_promises);
  g_test_add_func ("/chain/around-cycle", test_around_cycle);
  g_test_add_func ("/chain/cancelled", test_cancelled);

  return g_test_run ();
}
