/* SPDX-License-Identifier: BSD-3-Clause */

/* Compares runs. The comparison is written as a recording, with a few numbers of each run, so that aggregators make a
 * report of this recording in the same way as of any other recording. */

#include "roast-session-compare-private.h"
#include "roast-session-private.h"

#include <math.h>

#include "recording/roast-recording-snapshot-private.h"
#include "roast/roast-tables.h"

#define AGGREGATOR "compare"

void
compared_put (Facts *self, int kind, const char *name, double value, const char *text, int completeness)
{
  RoastTableWriter *values = self->values;

  roast_table_writer_set_string (values, ROAST_COMPARED_VALUES_SOURCE, self->side);
  roast_table_writer_set_int64 (values, ROAST_COMPARED_VALUES_RUN, self->run);
  roast_table_writer_set_word (values, ROAST_COMPARED_VALUES_KIND, kind);
  roast_table_writer_set_string (values, ROAST_COMPARED_VALUES_NAME, name);
  roast_table_writer_set_double (values, ROAST_COMPARED_VALUES_VALUE, value);
  roast_table_writer_set_string (values, ROAST_COMPARED_VALUES_TEXT, text);
  if (completeness >= 0)
    roast_table_writer_set_word (values, ROAST_COMPARED_VALUES_COMPLETE, completeness);
  roast_table_writer_end (values, NULL);
}

/* ---- metrics ---- */

static void
put_metric (Facts *self, const char *name)
{
  RoastMetric *metric = roast_report_lookup (self->report, name);

  if (metric != NULL && isfinite (roast_metric_get_double (metric)) && roast_metric_get_contradiction (metric) == NULL)
    compared_put (self, ROAST_COMPARED_KIND_METRIC, name, roast_metric_get_double (metric), NULL,
                  (int) roast_metric_get_completeness (metric));
}

static void
put_metrics (Facts *self)
{
  static const char *const names[] = {
    "elapsed_time_seconds",  "process_cpu_time_seconds", "event_rate_elapsed_per_second",
    "events_total",          "bytes_read_total",         "chunks_total",
    "tasks_submitted_total", "tasks_failed_total",       "attempts_lost_total",
    "workers_peak",          "worker_memory_peak_bytes", "memory_rss_peak_bytes",
    "exit_status",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    put_metric (self, names[i]);
}

/* Add the contention: the share of the time of runnable threads in which the threads waited for a core. If this share
 * is high, the durations of tasks depend on chance. */
static void
put_contention (Facts *self)
{
  double queue = 0, cpu = 0;

  if (roast_report_get_double (self->report, "run_queue_seconds", &queue) &&
      roast_report_get_double (self->report, "process_cpu_time_seconds", &cpu) && queue + cpu > 0)
    compared_put (self, ROAST_COMPARED_KIND_METRIC, "contention", queue / (queue + cpu), NULL, -1);
}

void
compared_find_window (Facts *self, int kind, double *started, double *ended)
{
  g_autoptr (RoastTableReader) windows = roast_windows_read (self->report);

  *started = *ended = NAN;
  while (roast_table_reader_next (windows))
    if (roast_table_reader_get_word (windows, ROAST_WINDOWS_KIND) == kind)
      {
        *started = fmin (*started, roast_table_reader_get_double (windows, ROAST_WINDOWS_STARTED));
        *ended = fmax (*ended, roast_table_reader_get_double (windows, ROAST_WINDOWS_ENDED));
      }
}

/* Add the time from the first to the last task or chunk of the analysis, and the time from the start of the run to the
 * first task or chunk. */
static void
put_work (Facts *self)
{
  double run, work, ended;

  compared_find_window (self, ROAST_WINDOW_KIND_RUN, &run, &ended);
  compared_find_window (self, ROAST_WINDOW_KIND_WORK, &work, &ended);
  if (!(work > run))
    return;
  put_metric (self, "work_time_seconds");
  compared_put (self, ROAST_COMPARED_KIND_METRIC, "start_up_seconds", (work - run) / G_USEC_PER_SEC, NULL,
                ROAST_COMPLETENESS_COMPLETE);
}

/* Add the time that the tasks took, and the time that they would take without stragglers, because a single hanging task
 * makes runs differ by chance. The text "stragglers" marks a run that had stragglers. */
static void
put_what_if (Facts *self)
{
  g_autoptr (RoastTableReader) table = roast_what_if_read (self->report);
  double recorded = NAN, calm = NAN;

  while (roast_table_reader_next (table))
    {
      int scenario = roast_table_reader_get_word (table, ROAST_WHAT_IF_SCENARIO);

      if (scenario == ROAST_WHAT_IF_SCENARIO_RECORDED)
        recorded = roast_table_reader_get_double (table, ROAST_WHAT_IF_ELAPSED);
      else if (scenario == ROAST_WHAT_IF_SCENARIO_NO_STRAGGLERS)
        calm = roast_table_reader_get_double (table, ROAST_WHAT_IF_ELAPSED);
    }
  if (isnan (recorded))
    return;
  compared_put (self, ROAST_COMPARED_KIND_METRIC, "tasks_seconds", recorded, NULL, -1);
  compared_put (self, ROAST_COMPARED_KIND_METRIC, "without_stragglers_seconds", isnan (calm) ? recorded : calm,
                isnan (calm) ? NULL : "stragglers", -1);
}

/* Add the elapsed times of other runs of the same command, from the metadata `kept-runs` that roast-compare sets. */
static void
put_kept (Facts *self)
{
  g_autoptr (GVariant) kept =
      roast_recording_snapshot_lookup_metadata (self->recording, "kept-runs", G_VARIANT_TYPE ("a(sd)"));

  for (gsize i = 0; kept != NULL && i < g_variant_n_children (kept); i++)
    {
      const char *id = NULL;
      double elapsed = NAN;

      g_variant_get_child (kept, i, "(&sd)", &id, &elapsed);
      compared_put (self, ROAST_COMPARED_KIND_KEPT, "elapsed_time_seconds", elapsed, id, -1);
    }
}

/* ---- properties ---- */

static void
put_text (Facts *self, const char *name, const char *text)
{
  if (text != NULL && *text != '\0')
    compared_put (self, ROAST_COMPARED_KIND_PROPERTY, name, NAN, text, -1);
}

static char *
session_compare_dup_text (GVariant *value)
{
  g_auto (GStrv) words = NULL;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return g_variant_dup_string (value, NULL);
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING_ARRAY))
    return g_variant_print (value, FALSE);
  words = g_variant_dup_strv (value, NULL);

  return g_strjoinv (" ", words);
}

/* Add a property for each setting of how the program was started. */
static void
put_settings (Facts *self)
{
  g_autoptr (GVariant) settings =
      roast_recording_snapshot_lookup_metadata (self->recording, "settings", G_VARIANT_TYPE_VARDICT);
  GVariantIter iter;
  const char *key = NULL;
  GVariant *value = NULL;

  if (settings == NULL)
    return;
  g_variant_iter_init (&iter, settings);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
      put_text (self, key, g_variant_get_string (value, NULL));
}

static void
put_tags (Facts *self)
{
  g_autoptr (GVariant) tags =
      roast_recording_snapshot_lookup_metadata (self->recording, "tags", G_VARIANT_TYPE ("a{ss}"));
  GVariantIter iter;
  const char *key = NULL;
  const char *text = NULL;

  if (tags == NULL)
    return;
  g_variant_iter_init (&iter, tags);
  while (g_variant_iter_next (&iter, "{&s&s}", &key, &text))
    {
      g_autofree char *name = g_strconcat ("tag ", key, NULL);

      put_text (self, name, text);
    }
}

static void
put_properties (Facts *self)
{
  static const char *const keys[] = { "command", "host", "cores", "kernel", "python", "roast-version", "backends" };
  g_autoptr (RoastTableReader) sources = roast_sources_read (self->recording);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (GVariant) value = roast_recording_snapshot_lookup_metadata (self->recording, keys[i], NULL);
      g_autofree char *text = value != NULL ? session_compare_dup_text (value) : NULL;

      put_text (self, keys[i], text);
    }
  put_tags (self);
  put_settings (self);
  while (roast_table_reader_next (sources))
    {
      const char *backend = roast_table_reader_get_string (sources, ROAST_SOURCES_BACKEND);
      g_autofree char *name = g_strdup_printf ("versions of %s", backend != NULL ? backend : "the executor");

      put_text (self, name, roast_table_reader_get_string (sources, ROAST_SOURCES_VERSION));
    }
}

static void
put_findings (Facts *self)
{
  g_autoptr (GPtrArray) findings = roast_report_list_findings (self->report);

  for (guint i = 0; i < findings->len; i++)
    {
      RoastFinding *finding = g_ptr_array_index (findings, i);

      compared_put (self, ROAST_COMPARED_KIND_FINDING, roast_finding_get_rule (finding),
                    roast_finding_get_share (finding), roast_finding_get_text (finding), -1);
    }
}

/* ---- the comparison ---- */

static void
put_run (Facts *self)
{
  g_autoptr (GVariant) id = roast_recording_snapshot_lookup_metadata (self->recording, "run-id", G_VARIANT_TYPE_STRING);
  g_autoptr (GVariant) command = roast_recording_snapshot_lookup_metadata (self->recording, "command", NULL);
  g_autoptr (GVariant) started =
      roast_recording_snapshot_lookup_metadata (self->recording, "started", G_VARIANT_TYPE_INT64);
  g_autofree char *text = command != NULL ? session_compare_dup_text (command) : NULL;

  roast_table_writer_set_string (self->runs, ROAST_COMPARED_RUNS_SOURCE, self->side);
  roast_table_writer_set_int64 (self->runs, ROAST_COMPARED_RUNS_RUN, self->run);
  roast_table_writer_set_string (self->runs, ROAST_COMPARED_RUNS_ID,
                                 id != NULL ? g_variant_get_string (id, NULL) : NULL);
  roast_table_writer_set_string (self->runs, ROAST_COMPARED_RUNS_COMMAND, text);
  if (started != NULL)
    roast_table_writer_set_int64 (self->runs, ROAST_COMPARED_RUNS_STARTED, g_variant_get_int64 (started));
  roast_table_writer_end (self->runs, NULL);
}

/* Return the command of a side's runs, or NULL if the runs have different commands. */
static const char *
get_command (RoastTableReader *runs, const char *side)
{
  const char *found = NULL;

  while (roast_table_reader_next (runs))
    {
      const char *command = roast_table_reader_get_string (runs, ROAST_COMPARED_RUNS_COMMAND);

      if (g_strcmp0 (roast_table_reader_get_string (runs, ROAST_COMPARED_RUNS_SOURCE), side) != 0)
        continue;
      if (command == NULL || (found != NULL && !g_str_equal (command, found)))
        return NULL;
      found = command;
    }

  return found;
}

static void
session_compare_set_command (RoastRecording *recording, gboolean has_reference)
{
  g_autoptr (RoastTableReader) first =
      roast_recording_read_table (recording, ROAST_TABLE_COMPARED_RUNS, roast_compared_runs_columns, NULL);
  g_autoptr (RoastTableReader) second =
      roast_recording_read_table (recording, ROAST_TABLE_COMPARED_RUNS, roast_compared_runs_columns, NULL);
  const char *command = get_command (first, "new");
  const char *reference = get_command (second, "reference");
  const char *const words[] = { command, "against", reference };

  if (command != NULL && (reference != NULL || !has_reference))
    roast_recording_set_metadata (recording, "command",
                                  g_variant_new_strv (words, has_reference ? G_N_ELEMENTS (words) : 1));
}

/* Read one run, make its report, add its numbers to the comparison, and free the run. */
static gboolean
add_run (RoastSession *self, Facts *facts, RoastRecording *recording, GError **error)
{
  g_autoptr (RoastSession) session = roast_session_new (self->registry);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;

  if (!roast_session_read (session, recording, error))
    return FALSE;
  snapshot = roast_recording_snapshot (recording);
  facts->run++;
  facts->recording = snapshot;
  facts->report = roast_session_get_report (session);
  put_run (facts);
  put_metrics (facts);
  put_work (facts);
  put_contention (facts);
  put_what_if (facts);
  put_kept (facts);
  compared_put_categories (facts);
  compared_put_parts (facts);
  put_properties (facts);
  put_findings (facts);

  return TRUE;
}

static gboolean
add_side (RoastSession *self, Facts *facts, const char *side, GPtrArray *runs, GError **error)
{
  facts->side = side;
  for (guint i = 0; i < runs->len; i++)
    if (!add_run (self, facts, g_ptr_array_index (runs, i), error))
      return FALSE;

  return TRUE;
}

/* ---- how runs scale ---- */

/* Add the times for other numbers of slots that @reported predicts. @reported is the report of the run on the fewest
 * slots. */
static void
put_predicted (Facts *self, RoastReport *reported)
{
  static const int kinds[] = { ROAST_COMPARED_KIND_PREDICTED, ROAST_COMPARED_KIND_PREDICTED_LOW,
                               ROAST_COMPARED_KIND_PREDICTED_HIGH };
  static const guint columns[] = { ROAST_WHAT_IF_ELAPSED, ROAST_WHAT_IF_ELAPSED_LOW, ROAST_WHAT_IF_ELAPSED_HIGH };
  g_autoptr (RoastTableReader) table = roast_what_if_read (reported);

  while (roast_table_reader_next (table))
    {
      int scenario = roast_table_reader_get_word (table, ROAST_WHAT_IF_SCENARIO);
      double slots = roast_table_reader_get_double (table, ROAST_WHAT_IF_SLOTS);
      char name[G_ASCII_DTOSTR_BUF_SIZE];

      if (scenario == ROAST_WHAT_IF_SCENARIO_ENOUGH)
        compared_put (self, ROAST_COMPARED_KIND_METRIC, "enough_slots", slots, NULL, -1);
      for (guint i = 0; scenario == ROAST_WHAT_IF_SCENARIO_SLOTS && i < G_N_ELEMENTS (kinds); i++)
        compared_put (self, kinds[i], g_ascii_dtostr (name, sizeof name, slots),
                      roast_table_reader_get_double (table, columns[i]), NULL, -1);
    }
}

/* Make another report of the run on the fewest slots, with predictions for the numbers of slots of the other runs. */
static gboolean
add_predicted (RoastSession *self, Facts *facts, GPtrArray *runs, const double *slots, GError **error)
{
  g_autoptr (RoastSession) session = roast_session_new (self->registry);
  g_autoptr (GVariantBuilder) sizes = g_variant_builder_new (G_VARIANT_TYPE ("ad"));
  guint fewest = 0;

  for (guint i = 0; i < runs->len; i++)
    {
      if (slots[i] > 0)
        g_variant_builder_add (sizes, "d", slots[i]);
      if (slots[i] < slots[fewest] || !(slots[fewest] > 0))
        fewest = i;
    }
  roast_recording_set_metadata (g_ptr_array_index (runs, fewest), "what-if", g_variant_builder_end (sizes));
  if (!roast_session_read (session, g_ptr_array_index (runs, fewest), error))
    return FALSE;
  facts->run = fewest + 1;
  put_predicted (facts, roast_session_get_report (session));

  return TRUE;
}

/**
 * roast_session_compare:
 * @self: an idle session
 * @runs: (element-type RoastRecording): finished recordings
 * @reference: (element-type RoastRecording) (nullable): finished recordings to compare the runs with; %NULL to report
 *   how the runs scale with the number of their slots
 * @error: return location for an error
 *
 * Makes the report of a comparison, instead of launching a program or attaching to a program. The report has findings
 * and three tables: `verdicts` (whether the runs differ, with intervals), `differences` (the origin of the difference
 * in elapsed time) and `compared_properties` (other differences). The session's recording contains the numbers of the
 * compared runs in the tables `compared_runs` and `compared_values`.
 *
 * The method depends on the number of runs. With at least three runs on each side, Welch's test compares the logarithms
 * of their numbers. With at least five runs on each side, the exact Mann-Whitney test is used as well. If one side has
 * a single run and the other side has three or more runs, a prediction interval is used. With fewer runs on both sides,
 * only two kinds of numbers get a verdict: the time and CPU time of tasks or chunks by category, and the CPU time of
 * the program. This verdict is based on the spread between attempts and workers, and assumes that runs vary by 5 % (10
 * % for the program's CPU time) and 10 ms. In this case, the elapsed time gets a verdict only if the recordings have
 * the metadata `kept-runs`, an array `a(sd)` of IDs and seconds, with the elapsed times of three or more other runs of
 * the same command. Probabilities are corrected by the method of Westfall and Young if there are at least five runs on
 * each side and each run has every tested measure, otherwise by Holm's method.
 *
 * Without a reference, the report has the table `scaling` instead: the rate of each run and its number of slots, the
 * ideal rate, and the rates that are predicted from the run on the fewest slots (`what_if`).
 *
 * Returns: %TRUE if the report was made; %FALSE with %ROAST_BACKEND_ERROR_ALREADY_TRACKING if the session is not idle
 *
 * Since: 0.9
 */
gboolean
roast_session_compare (RoastSession *self, GPtrArray *runs, GPtrArray *reference, GError **error)
{
  static const char *const aggregators[] = { AGGREGATOR };
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastTableWriter) runs_writer = NULL;
  g_autoptr (RoastTableWriter) values_writer = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  g_autofree double *slots = NULL;
  gboolean is_made = FALSE;
  Facts facts = { NULL };

  g_return_val_if_fail (ROAST_IS_SESSION (self), FALSE);
  g_return_val_if_fail (runs != NULL && runs->len > 0 && (reference == NULL || reference->len > 0), FALSE);

  lines = g_ptr_array_new_with_free_func (compared_line_free);
  slots = g_new0 (double, runs->len + (reference != NULL ? reference->len : 0));
  recording = roast_recording_new (roast_registry_get_schema (self->registry));
  runs_writer = roast_compared_runs_write (recording, NULL);
  values_writer = roast_compared_values_write (recording, NULL);
  facts.runs = runs_writer;
  facts.values = values_writer;
  facts.slots = slots;
  facts.lines = lines;
  is_made = add_side (self, &facts, "new", runs, error) &&
            (reference != NULL ? add_side (self, &facts, "reference", reference, error)
                               : add_predicted (self, &facts, runs, slots, error));
  if (is_made)
    compared_put_over_time (&facts, recording, runs->len, reference != NULL ? reference->len : 0);
  roast_recording_set_metadata (recording, "aggregators", g_variant_new_strv (aggregators, G_N_ELEMENTS (aggregators)));
  session_compare_set_command (recording, reference != NULL);
  roast_recording_finish (recording);

  return is_made && roast_session_read (self, recording, error);
}
