/* SPDX-License-Identifier: BSD-3-Clause */

/* Comparisons of runs: the tests against values of tables, and verdicts on runs whose truth is known. */

#include <math.h>
#include <roast/roast.h>

#include "rows.h"
#include "sanitized.h"

#include "../../plugins/analysis/shared/statistics.h"
#include "../../plugins/analysis/shared/student.h"

static void
test_student (void)
{
  /* Of tables. */
  g_assert_cmpfloat_with_epsilon (student_quantile (0.975, 8), 2.306004, 1e-5);
  g_assert_cmpfloat_with_epsilon (student_quantile (0.975, 2), 4.302653, 1e-5);
  g_assert_cmpfloat_with_epsilon (student_quantile (0.8, 4), 0.940965, 1e-5);
  g_assert_cmpfloat_with_epsilon (student_quantile (0.025, 8), -2.306004, 1e-5);
  g_assert_cmpfloat_with_epsilon (student_p (2.306004, 8), 0.05, 1e-6);
  g_assert_cmpfloat_with_epsilon (student_p (1, 1), 0.5, 1e-9);
  g_assert_cmpfloat (student_p (0, 5), ==, 1);
  g_assert_cmpfloat_with_epsilon (student_p (1.959964, 1e7), 0.05, 1e-6);
}

static void
test_of_welch (void)
{
  /* The expected values are those of scipy.stats.ttest_ind (a, b, equal_var=False). */
  static const double a[] = {
    27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4
  };
  static const double b[] = {
    27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 24.8
  };
  Moments of_a = moments_of (a, G_N_ELEMENTS (a)), of_b = moments_of (b, G_N_ELEMENTS (b));
  Test test = test_welch (&of_a, &of_b);

  g_assert_cmpfloat_with_epsilon (test.difference, -2.86, 1e-9);
  g_assert_cmpfloat_with_epsilon (test.difference / test.error, -2.8746293918542376, 1e-9);
  g_assert_cmpfloat_with_epsilon (test.freedom, 27.900395656187122, 1e-9);
  g_assert_cmpfloat_with_epsilon (test.p, 0.007656113677962298, 1e-9);
}

static void
test_ranks (void)
{
  static const double low[] = { 1, 2, 3, 4, 5 }, high[] = { 6, 7, 8, 9, 10 }, mixed[] = { 1.5, 2.5, 3.5, 4.5, 5.5 };

  g_assert_cmpfloat_with_epsilon (mann_whitney_p (low, 5, high, 5), 2.0 / 252, 1e-12);
  g_assert_cmpfloat_with_epsilon (mann_whitney_p (high, 5, low, 5), 2.0 / 252, 1e-12);
  /* As scipy.stats.mannwhitneyu (…, method='exact'). */
  g_assert_cmpfloat_with_epsilon (mann_whitney_p (low, 5, mixed, 5), 0.6904761904761905, 1e-12);
  g_assert_true (isnan (mann_whitney_p (low, 5, low, 5)));
}

static void
test_holm (void)
{
  double p[] = { 0.03, NAN, 0.01, 0.04, 0.5 };

  holm_correct (p, G_N_ELEMENTS (p));
  g_assert_cmpfloat_with_epsilon (p[2], 0.04, 1e-12);
  g_assert_cmpfloat_with_epsilon (p[0], 0.09, 1e-12);
  g_assert_cmpfloat_with_epsilon (p[3], 0.09, 1e-12);
  g_assert_cmpfloat_with_epsilon (p[4], 0.5, 1e-12);
  g_assert_true (isnan (p[1]));
}

/* Six times the same measure hardly counts as more than one; six measures that vary alone count as six. */
static void
test_westfall_young (void)
{
  static const double one[] = { 1, 2, 3, 4, 5.5, 4.1, 5.2, 6.3, 7.4, 8.1 };
  Moments of_a = moments_of (one, 5), of_b = moments_of (one + 5, 5);
  double once = test_welch (&of_a, &of_b).p;
  double same[60], apart[60], p[6], level;

  for (guint i = 0; i < 60; i++)
    {
      same[i] = one[i % 10];
      apart[i] = i < 10 ? one[i] : sin (1.7 * i * i);
      p[i / 10] = i < 20 ? once : NAN;
    }
  p[5] = once;
  level = westfall_young_correct (p, 6, same, 5, 5, 0.05);
  g_assert_cmpfloat_with_epsilon (p[0], once, 0.02);
  g_assert_cmpfloat (p[5], ==, p[0]);
  g_assert_true (isnan (p[2]));
  g_assert_cmpfloat_with_epsilon (level, 0.05, 0.01);
  for (guint i = 0; i < 6; i++)
    p[i] = i == 0 ? once : 0.9;
  level = westfall_young_correct (p, 6, apart, 5, 5, 0.05);
  g_assert_cmpfloat_with_epsilon (p[0], 6 * once, 0.03);
  g_assert_cmpfloat_with_epsilon (level, 0.05 / 6, 0.004);
}

static void
test_line (void)
{
  static const double x[] = { 1, 2, 3, 4, 5 }, y[] = { 2.1, 3.9, 6.2, 7.8, 10.1 };
  /* As scipy.stats.linregress (x, y). */
  Line line = line_fit (x, y, 5);

  g_assert_cmpfloat_with_epsilon (line.slope, 1.99, 1e-12);
  g_assert_cmpfloat_with_epsilon (line.intercept, 0.05, 1e-12);
  g_assert_cmpfloat_with_epsilon (line.slope_error, 0.05972157622389657, 1e-12);
  g_assert_cmpfloat_with_epsilon (line.intercept_error, 0.19807406022327906, 1e-12);
  g_assert_true (isnan (line_fit (x, y, 2).slope));
  g_assert_true (isnan (line_fit ((const double[]) { 1, 1, 1 }, y, 3).slope));
}

/* ---- runs ---- */

static double
draw_normal (GRand *rand)
{
  return sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));
}

typedef struct
{
  double fit, read;  /* s, mean of each task */
  guint n_fit;       /* tasks */
  double start;      /* s until the first task */
  double noise, run; /* spread of tasks, and of runs */
  guint slots;       /* each of a worker */
  double slow;       /* times as long as on the others that “fit” takes on the last worker */
  double single;     /* s of one more task “fit” */
  double cpu;        /* CPU s of each task; 0 if unknown */
  double queue;      /* s that threads waited for a core */
  guint n_failed;    /* tasks “fit” that failed */
  double program;    /* CPU s of the program, if the CPU time of tasks is known; 0: 4 s */
  double cpu_read;   /* CPU s of each task “read”; 0: as of the others */
} Kind;

static const Kind usual = { 1, 0.5, 40, 2, 0.1, 0.02, 4, 1, 0 };

static double
add_task (RoastRecording *recording, const char *category, guint number, guint worker, double from, double seconds,
          double cpu, const char *status)
{
  g_autofree char *known = cpu > 0 ? g_strdup_printf ("'cpu': <%f>, ", cpu) : g_strdup ("");
  g_autofree char *row = g_strdup_printf (
      "{'source': <'x'>, 'task': <'%s-%u'>, 'attempt': <int64 1>, 'category': <'%s'>, 'worker': <'w%u'>, "
      "'submitted': <int64 0>, 'dispatched': <int64 %.0f>, 'started': <int64 %.0f>, 'ended': <int64 %.0f>, "
      "%s'status': <'%s'>}",
      category, number, category, worker, from * 1e6, from * 1e6, (from + seconds) * 1e6, known, status);

  rows_add (recording, "tasks", row);

  return from + seconds;
}

static double
add_tasks (RoastRecording *recording, const char *category, guint n, double mean, double from, const Kind *kind,
           double factor, GRand *rand)
{
  gboolean is_fit = g_str_equal (category, "fit");
  g_autofree double *at = g_new (double, kind->slots);
  double last = from;

  for (guint i = 0; i < kind->slots; i++)
    at[i] = from;
  for (guint i = 0; i < n; i++)
    {
      guint worker = i % kind->slots;
      double slow = is_fit && worker == kind->slots - 1 ? kind->slow : 1;
      double seconds = mean * slow * factor * exp (kind->noise * draw_normal (rand));

      double usual_cpu = !is_fit && kind->cpu_read > 0 ? kind->cpu_read : kind->cpu;
      double cpu = kind->cpu > 0 ? usual_cpu * exp (0.02 * draw_normal (rand)) : 0;

      at[worker] = add_task (recording, category, i, worker, at[worker], seconds, cpu,
                             is_fit && i < kind->n_failed ? "failed" : "done");
    }
  if (is_fit && kind->single > 0)
    at[0] = add_task (recording, category, n, 0, at[0], kind->single, 0, "done");
  for (guint i = 0; i < kind->slots; i++)
    last = fmax (last, at[i]);

  return last;
}

static RoastRecording *
make_run (const Kind *kind, GRand *rand)
{
  RoastRecording *recording = roast_recording_new (NULL);
  double factor = exp (kind->run * draw_normal (rand));
  double start = kind->start * exp (0.05 * draw_normal (rand));
  double ended = add_tasks (recording, "read", 40, kind->read, start, kind, factor, rand);

  ended = add_tasks (recording, "fit", kind->n_fit, kind->fit, ended, kind, factor, rand) + 1;
  rows_add (recording, "sources", "{'source': <'x'>, 'backend': <'x'>, 'version': <'executor 1.0'>}");
  for (guint i = 0; i < kind->slots; i++)
    {
      g_autofree char *worker = g_strdup_printf ("{'source': <'x'>, 'worker': <'w%u'>, 'cores': <1.0>, 'joined': "
                                                 "<int64 %.0f>, 'left': <int64 %.0f>}",
                                                 i, start * 0.8e6, (ended - 0.25) * 1e6);

      rows_add (recording, "workers", worker);
    }
  if (kind->cpu > 0)
    {
      g_autofree char *process =
          g_strdup_printf ("{'source': <'tree'>, 'process': <int64 1>, 'pid': <int64 1>, 'cpu_user': <%f>, "
                           "'cpu_system': <0.0>, 'run_queue': <%f>}",
                           kind->program > 0 ? kind->program : 4, kind->queue);

      rows_add (recording, "processes", process);
      roast_recording_set_metadata (recording, "tree-wait-status", g_variant_new_int64 (0));
      roast_recording_set_metadata (recording, "tree-elapsed", g_variant_new_int64 ((gint64) (ended * 1e6)));
    }
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 ((gint64) (ended * 1e6)));
  roast_recording_finish (recording);

  return recording;
}

static GPtrArray *
make_runs (const Kind *kind, guint n, GRand *rand)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (runs, make_run (kind, rand));

  return runs;
}

static RoastReport *
compare (GPtrArray *runs, GPtrArray *reference)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastSession) session = roast_session_new (registry);
  g_autoptr (GError) error = NULL;

  g_assert_true (roast_session_compare (session, runs, reference, &error));
  g_assert_no_error (error);

  return g_object_ref (roast_session_get_report (session));
}

static RoastReport *
compare_kinds (const Kind *kind, guint n, const Kind *reference, guint m, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GPtrArray) runs = make_runs (kind, n, rand);
  g_autoptr (GPtrArray) others = make_runs (reference, m, rand);

  return compare (runs, others);
}

/* ---- how runs scale ---- */

static void
check_scaling (RoastReport *report, int kind, double slots, double elapsed, double efficiency)
{
  g_autoptr (RoastTableReader) table =
      roast_report_read_table (report, ROAST_TABLE_SCALING, roast_scaling_columns, NULL);

  while (roast_table_reader_next (table))
    if (roast_table_reader_get_word (table, ROAST_SCALING_KIND) == kind &&
        roast_table_reader_get_double (table, ROAST_SCALING_SLOTS) == slots)
      {
        g_assert_cmpfloat_with_epsilon (roast_table_reader_get_double (table, ROAST_SCALING_ELAPSED), elapsed, 1e-3);
        g_assert_cmpfloat_with_epsilon (roast_table_reader_get_double (table, ROAST_SCALING_EFFICIENCY), efficiency,
                                        1e-3);
        return;
      }
  g_assert_not_reached ();
}

/* 80 tasks of 1 s on 2 and 4 slots, twice as many on 5; on 8 slots they take half as long again. */
static void
test_scaling (void)
{
  static const guint slots[] = { 4, 2, 8, 5 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (GPtrArray) findings = NULL;
  guint n_expected = 0;

  for (guint i = 0; i < G_N_ELEMENTS (slots); i++)
    {
      double factor = slots[i] == 8 ? 1.5 : 1;
      const Kind kind = { factor, factor, slots[i] == 5 ? 120 : 40, 0, 0, 0, slots[i], 1, 0 };

      g_ptr_array_add (runs, make_run (&kind, rand));
    }
  report = compare (runs, NULL);
  check_scaling (report, ROAST_SCALING_KIND_MEASURED, 2, 40, 1);
  check_scaling (report, ROAST_SCALING_KIND_MEASURED, 4, 20, 1);
  check_scaling (report, ROAST_SCALING_KIND_MEASURED, 5, 32, 1);
  check_scaling (report, ROAST_SCALING_KIND_MEASURED, 8, 15, 40.0 / 15 / 4);
  check_scaling (report, ROAST_SCALING_KIND_IDEAL, 8, 10, 1);
  check_scaling (report, ROAST_SCALING_KIND_PREDICTED, 4, 20, 1);
  check_scaling (report, ROAST_SCALING_KIND_PREDICTED, 5, 16, 1);
  findings = roast_report_list_findings (report);
  g_assert_cmpuint (findings->len, >=, 3);
  g_assert_cmpstr (roast_finding_get_text (g_ptr_array_index (findings, 0)), ==,
                   "8 slots processed 2.67 times as many tasks per second as 2 slots: 67 % of the ideal speed-up. This "
                   "is less than expected if each task takes as long as on fewer slots.");
  for (guint i = 0; i < findings->len; i++)
    n_expected += g_str_has_suffix (roast_finding_get_text (g_ptr_array_index (findings, i)),
                                    ", as expected if each task takes as long as on fewer slots.");
  g_assert_cmpuint (n_expected, ==, 2);
}

/* Return the first note that begins with @start; NULL if there is none. */
static char *
dup_note (RoastReport *report, const char *start)
{
  g_auto (GStrv) notes = roast_report_dup_notes (report);

  for (char **note = notes; note != NULL && *note != NULL; note++)
    if (g_str_has_prefix (*note, start))
      return g_strdup (*note);

  return NULL;
}

/* 5 s of each run do not depend on its slots, so that Amdahl's law holds exactly. */
static void
test_fit (void)
{
  static const guint slots[] = { 1, 2, 4, 8 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (RoastReport) few = NULL;
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *note = NULL;
  g_autofree char *none = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (slots); i++)
    {
      const Kind kind = { 1 + 0.05 * slots[i], 1 + 0.05 * slots[i], 40, 0, 0, 0, slots[i], 1, 0 };

      if (i == 3)
        few = compare (runs, NULL);
      g_ptr_array_add (runs, make_run (&kind, rand));
    }
  none = dup_note (few, "by Amdahl");
  g_assert_null (none);
  report = compare (runs, NULL);
  note = dup_note (report, "by Amdahl's law, 4.00 s ± ");
  g_assert_nonnull (note);
  g_assert_nonnull (strstr (note, "the times at the 4 measured numbers of slots differ from the law by at most 0 %"));
}

/* The verdict on a measure: of a category if @name is not NULL. */
static char *
get_verdict (RoastReport *report, const char *measure, const char *name)
{
  static const char *const columns[] = { "measure", "name", "verdict", NULL };
  g_autoptr (RoastTableReader) verdicts = roast_report_read_table (report, "verdicts", columns, NULL);

  while (roast_table_reader_next (verdicts))
    if (g_strcmp0 (roast_table_reader_get_string (verdicts, 0), measure) == 0 &&
        g_strcmp0 (roast_table_reader_get_string (verdicts, 1), name) == 0)
      return g_strdup (roast_table_reader_get_string (verdicts, 2));

  return NULL;
}

static void
check_verdict (RoastReport *report, const char *measure, const char *name, const char *expected)
{
  g_autofree char *verdict = get_verdict (report, measure, name);

  g_assert_cmpstr (verdict, ==, expected);
}

/* The sentence of a rule; "" if there is none. */
static char *
dup_finding (RoastReport *report, const char *rule)
{
  g_autoptr (GPtrArray) findings = roast_report_list_findings (report);

  for (guint i = 0; i < findings->len; i++)
    if (g_str_equal (roast_finding_get_rule (g_ptr_array_index (findings, i)), rule))
      return g_strdup (roast_finding_get_text (g_ptr_array_index (findings, i)));

  return g_strdup ("");
}

/* Return the task-seconds of a side; set @last to the start of the last interval. */
static double
sum_over_time (RoastRecording *recording, const char *side, double *last)
{
  g_autoptr (RoastTableReader) table =
      roast_recording_read_table (recording, ROAST_TABLE_COMPARED_OVER_TIME, roast_compared_over_time_columns, NULL);
  double sum = 0, width = 0;

  while (roast_table_reader_next (table))
    {
      double started = roast_table_reader_get_double (table, ROAST_COMPARED_OVER_TIME_STARTED);

      width = width == 0 ? started : width;
      if (g_strcmp0 (roast_table_reader_get_string (table, ROAST_COMPARED_OVER_TIME_SOURCE), side) != 0)
        continue;
      sum += roast_table_reader_get_double (table, ROAST_COMPARED_OVER_TIME_RUNNING);
      *last = started;
    }

  return sum * width;
}

/* Both sides have the same times, and all time in tasks. */
static void
test_over_time (void)
{
  const Kind kind = { 1, 0.5, 40, 2, 0, 0, 4, 1, 0 }, slow = { 2, 0.5, 40, 2, 0, 0, 4, 1, 0 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (GPtrArray) runs = make_runs (&slow, 2, rand);
  g_autoptr (GPtrArray) reference = make_runs (&kind, 3, rand);
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastSession) session = roast_session_new (registry);
  double last = 0, last_of_reference = 0;

  g_assert_true (roast_session_compare (session, runs, reference, NULL));
  g_assert_cmpfloat_with_epsilon (sum_over_time (roast_session_get_recording (session), "new", &last), 100, 1e-3);
  g_assert_cmpfloat_with_epsilon (sum_over_time (roast_session_get_recording (session), "reference",
                                                 &last_of_reference),
                                  60, 1e-3);
  g_assert_cmpfloat (last, >, 25);
  g_assert_cmpfloat (last, ==, last_of_reference);
}

static double
sum_differences (RoastReport *report)
{
  static const char *const columns[] = { "difference", NULL };
  g_autoptr (RoastTableReader) table = roast_report_read_table (report, "differences", columns, NULL);
  double sum = 0;

  while (roast_table_reader_next (table))
    sum += roast_table_reader_get_double (table, 0);

  return sum;
}

static double
get_mean_elapsed (GPtrArray *runs)
{
  double sum = 0;

  for (guint i = 0; i < runs->len; i++)
    {
      g_autoptr (GVariant) metadata = roast_recording_dup_metadata (g_ptr_array_index (runs, i));
      gint64 ended = 0;

      g_variant_lookup (metadata, "ended", "x", &ended);
      sum += (double) ended / G_USEC_PER_SEC;
    }

  return sum / runs->len;
}

/* Returns whether there are probabilities, and all are shares of 2000 assignments of runs to sides. */
static gboolean
has_shares (RoastReport *report)
{
  static const char *const columns[] = { "p", NULL };
  g_autoptr (RoastTableReader) verdicts = roast_report_read_table (report, "verdicts", columns, NULL);
  guint n_known = 0;

  while (roast_table_reader_next (verdicts))
    {
      double n = 2000 * roast_table_reader_get_double (verdicts, 0);

      if (fabs (n - round (n)) > 1e-6)
        return FALSE;
      n_known += !isnan (n);
    }

  return n_known > 0;
}

/* With five runs on each side, probabilities are corrected by random assignments. */
static void
test_assignments (void)
{
  Kind slow = usual;
  g_autoptr (RoastReport) five = NULL;
  g_autoptr (RoastReport) four = NULL;

  slow.fit = 1.1;
  five = compare_kinds (&slow, 5, &usual, 5, 7);
  four = compare_kinds (&slow, 4, &usual, 5, 7);
  g_assert_true (has_shares (five));
  g_assert_false (has_shares (four));
}

static void
test_slower_category (void)
{
  Kind slow = usual;
  g_autoptr (RoastReport) report = NULL;

  slow.fit = 1.3;
  report = compare_kinds (&slow, 5, &usual, 5, 7);
  check_verdict (report, "seconds", "fit", "worse");
  check_verdict (report, "elapsed_time_seconds", NULL, "worse");
  g_clear_object (&report);
  report = compare_kinds (&usual, 5, &slow, 5, 7);
  check_verdict (report, "seconds", "fit", "better");
}

static void
test_one_run (void)
{
  Kind slow = usual;
  g_autoptr (RoastReport) report = NULL;

  slow.fit = 1.4;
  report = compare_kinds (&slow, 1, &usual, 5, 3);
  check_verdict (report, "seconds", "fit", "worse");
  g_clear_object (&report);
  /* From their attempts, if runs vary by 5 %. */
  report = compare_kinds (&slow, 1, &usual, 1, 3);
  check_verdict (report, "seconds", "fit", "worse");
  check_verdict (report, "seconds", "read", "unknown");
  check_verdict (report, "elapsed_time_seconds", NULL, "unknown");
  g_clear_object (&report);
  report = compare_kinds (&slow, 2, &usual, 2, 3);
  check_verdict (report, "seconds", "fit", "worse");
  g_clear_object (&report);
  /* Less than that is not found. */
  slow.fit = 1.08;
  report = compare_kinds (&slow, 1, &usual, 1, 3);
  check_verdict (report, "seconds", "fit", "unknown");
  /* One worker of four is slow: whether another run would have one is unknown. */
  slow = usual;
  slow.slow = 2.5;
  g_clear_object (&report);
  report = compare_kinds (&slow, 1, &usual, 1, 3);
  check_verdict (report, "seconds", "fit", "unknown");
}

static void set_kept (RoastRecording *run, const char *first, ...) G_GNUC_NULL_TERMINATED;

/* Pairs of an ID and seconds as texts. */
static void
set_kept (RoastRecording *run, const char *first, ...)
{
  g_autoptr (GVariantBuilder) kept = g_variant_builder_new (G_VARIANT_TYPE ("a(sd)"));
  va_list rest;

  va_start (rest, first);
  for (const char *id = first; id != NULL; id = va_arg (rest, const char *))
    g_variant_builder_add (kept, "(sd)", id, g_ascii_strtod (va_arg (rest, const char *), NULL));
  va_end (rest);
  roast_recording_set_metadata (run, "kept-runs", g_variant_builder_end (kept));
}

/* Other kept runs of the command show how much the elapsed time of one run varies. */
static void
test_kept_runs (void)
{
  Kind slow = usual;
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GPtrArray) reference = make_runs (&usual, 1, rand);
  g_autoptr (RoastReport) quiet = NULL;
  g_autoptr (RoastReport) noisy = NULL;
  g_autoptr (RoastReport) few = NULL;
  g_autofree char *text = NULL;

  slow.fit = 1.4;
  runs = make_runs (&slow, 1, rand);
  set_kept (runs->pdata[0], "a1b2", "22", "c3d4", "22.2", "e5f6", "22.4", NULL);
  quiet = compare (runs, reference);
  check_verdict (quiet, "elapsed_time_seconds", NULL, "worse");
  text = dup_finding (quiet, "compare-worse");
  g_assert_nonnull (strstr (text,
                            ", judging by 3 kept runs of the same command (a1b2, c3d4, e5f6), which vary by 0.9 %."));
  set_kept (runs->pdata[0], "a1b2", "22", "c3d4", "30", "e5f6", "15", NULL);
  noisy = compare (runs, reference);
  check_verdict (noisy, "elapsed_time_seconds", NULL, "unknown");
  /* Two runs of each command are as many as three of one. */
  set_kept (runs->pdata[0], "a1b2", "22", "c3d4", "22.2", NULL);
  few = compare (runs, reference);
  check_verdict (few, "elapsed_time_seconds", NULL, "unknown");
  set_kept (reference->pdata[0], "e5f6", "18", "0a1b", "18.2", NULL);
  g_clear_object (&few);
  few = compare (runs, reference);
  check_verdict (few, "elapsed_time_seconds", NULL, "worse");
}

/* Where threads wait for cores most of the time, times show nothing, but the CPU time does. */
static void
test_contention (void)
{
  Kind busy = usual, slow;
  g_autoptr (RoastReport) report = NULL;

  busy.run = 0.8;
  busy.cpu = 0.05;
  busy.queue = 76;
  slow = busy;
  slow.cpu = 0.06;
  report = compare_kinds (&slow, 5, &busy, 5, 11);
  check_verdict (report, "seconds", "fit", "unknown");
  check_verdict (report, "cpu", "fit", "worse");
  g_clear_object (&report);
  /* The tasks waited for something else, but they are most of what the program computed. */
  busy.queue = 0;
  report = compare_kinds (&slow, 5, &busy, 5, 11);
  check_verdict (report, "cpu", "fit", "worse");
}

/* The CPU time of a program that hardly computes says nothing from one run, and little if it computes for a few
 * hundredths of a second. */
static void
test_short_program (void)
{
  static const struct
  {
    double program, other;
    const char *verdict;
  } pairs[] = { { 0.00128, 0.00095, "unknown" }, { 0.05, 0.036, "unknown" }, { 0.95, 0.5, "worse" } };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      Kind kind = usual, reference = usual;
      g_autoptr (RoastReport) report = NULL;

      kind.cpu = reference.cpu = 0.05;
      kind.program = pairs[i].program;
      reference.program = pairs[i].other;
      report = compare_kinds (&kind, 1, &reference, 1, 3);
      check_verdict (report, "process_cpu_time_seconds", NULL, pairs[i].verdict);
    }
}

/* A category whose tasks hardly compute does not compete with the others for the probability of a false verdict. */
static void
test_small_cpu (void)
{
  Kind kind = usual;
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *verdict = NULL;

  /* The tasks waited for cores most of the time, so that “read” computed for 17 % of the time in which it had one. */
  kind.queue = 76;
  kind.program = 10;
  kind.cpu = 0.25;
  kind.cpu_read = 0.01;
  report = compare_kinds (&kind, 3, &kind, 3, 3);
  verdict = get_verdict (report, "cpu", "read");
  g_assert_null (verdict);
  check_verdict (report, "cpu", "fit", "same");
}

/* Make five runs of a machine whose speed varies, on which “fit” computes @fit times as long. */
static GPtrArray *
make_runs_at_speeds (const double *speeds, double fit, GRand *rand)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < 5; i++)
    {
      Kind kind = usual;

      kind.cpu = 0.25 * exp (speeds[i]) * fit;
      kind.cpu_read = 0.25 * exp (speeds[i]);
      kind.program = 40 * (kind.cpu + kind.cpu_read) + 4;
      g_ptr_array_add (runs, make_run (&kind, rand));
    }

  return runs;
}

/* The CPU time of both categories varies by 10 % with the speed of the machine. Their ratio shows that one changed. */
static void
test_speed (void)
{
  static const double some[] = { -0.12, -0.05, 0.02, 0.09, 0.15 }, others[] = { -0.13, -0.06, 0.01, 0.05, 0.14 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (GPtrArray) same = make_runs_at_speeds (some, 1, rand);
  g_autoptr (GPtrArray) slow = make_runs_at_speeds (some, 1.2, rand);
  g_autoptr (GPtrArray) reference = make_runs_at_speeds (others, 1, rand);
  g_autoptr (RoastReport) slower = compare (slow, reference);
  g_autoptr (RoastReport) faster = compare (reference, slow);
  g_autoptr (RoastReport) identical = compare (same, reference);

  check_verdict (slower, "cpu", "fit", "worse");
  check_verdict (slower, "cpu", "read", "unknown");
  check_verdict (faster, "cpu", "fit", "better");
  check_verdict (faster, "cpu", "read", "unknown");
  check_verdict (identical, "cpu", "fit", "unknown");
}

/* Tasks that failed are missing from the time of their category, so it is shorter. */
static void
test_failed (void)
{
  Kind failing = usual;
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GPtrArray) reference = make_runs (&usual, 2, rand);
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *tasks = NULL;
  g_autofree char *status = NULL;

  failing.n_failed = 10;
  failing.cpu = 0.05;
  runs = make_runs (&failing, 2, rand);
  roast_recording_set_metadata (runs->pdata[0], "tree-wait-status", g_variant_new_int64 (1 << 8));
  report = compare (runs, reference);
  tasks = dup_finding (report, "compare-failed-tasks");
  g_assert_cmpstr (tasks, ==,
                   "In the new runs, 10 of 80 tasks failed on average. The times of categories exclude failed tasks.");
  status = dup_finding (report, "compare-failed");
  g_assert_cmpstr (status, ==,
                   "1 of 2 new runs failed. A failed run may have done only part of the work, so do not compare its "
                   "time.");
}

/* A failed run that is shorter is not better; one that is longer is worse all the same. */
static void
test_failed_run (void)
{
  static const struct
  {
    double fit;
    const char *verdict;
  } runs[] = { { 0.5, "unknown" }, { 2, "worse" } };

  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      Kind kind = usual;
      g_autoptr (GRand) rand = g_rand_new_with_seed (1);
      g_autoptr (GPtrArray) failed = NULL;
      g_autoptr (GPtrArray) reference = NULL;
      g_autoptr (RoastReport) report = NULL;
      g_autofree char *text = NULL;

      kind.cpu = 0.05;
      reference = make_runs (&kind, 3, rand);
      kind.fit = runs[i].fit;
      failed = make_runs (&kind, 1, rand);
      roast_recording_set_metadata (failed->pdata[0], "tree-wait-status", g_variant_new_int64 (9));
      report = compare (failed, reference);
      check_verdict (report, "seconds", "fit", runs[i].verdict);
      check_verdict (report, "elapsed_time_seconds", NULL, runs[i].verdict);
      text = dup_finding (report, "compare-failed");
      g_assert_cmpstr (text, ==,
                       "The new run failed. A failed run may have done only part of the work, so do not compare its "
                       "time.");
    }
}

/* A run says nothing about itself. */
static void
test_repeated (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GPtrArray) runs = make_runs (&usual, 1, rand);
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *text = NULL;

  roast_recording_set_metadata (runs->pdata[0], "run-id", g_variant_new_string ("a1b2"));
  report = compare (runs, runs);
  text = dup_finding (report, "compare-repeated");
  g_assert_cmpstr (text, ==,
                   "Run a1b2 was given more than once. Copies of one run show neither a difference nor how much runs "
                   "vary.");
}

/* A run that has not ended has no elapsed time. */
static void
test_unknown_elapsed (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) reference = make_runs (&usual, 3, rand);
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *text = NULL;

  g_ptr_array_add (runs, roast_recording_new (NULL));
  report = compare (runs, reference);
  text = dup_finding (report, "compare-unknown");
  g_assert_cmpstr (text, ==, "The elapsed time of the new run is unknown.");
}

/* In one run of three a task hangs: what the others took is seen all the same. */
static void
test_stragglers (void)
{
  Kind slow = usual, hung = usual;
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GPtrArray) reference = make_runs (&usual, 2, rand);
  g_autoptr (RoastReport) report = NULL;

  slow.fit = 1.3;
  hung.single = 60;
  runs = make_runs (&slow, 3, rand);
  g_ptr_array_add (reference, make_run (&hung, rand));
  report = compare (runs, reference);
  check_verdict (report, "elapsed_time_seconds", NULL, "unknown");
  check_verdict (report, "without_stragglers_seconds", NULL, "worse");
}

/* Steps lead from one mean elapsed time to the other without a gap. */
static void
check_waterfall (RoastReport *report, double reference, double ended)
{
  g_autoptr (RoastTableReader) table =
      roast_report_read_table (report, ROAST_TABLE_WATERFALL, roast_waterfall_columns, NULL);
  double at = 0;

  while (roast_table_reader_next (table))
    {
      double from = roast_table_reader_get_double (table, ROAST_WATERFALL_FROM);
      double to = roast_table_reader_get_double (table, ROAST_WATERFALL_TO);
      int kind = roast_table_reader_get_word (table, ROAST_WATERFALL_KIND);

      if (kind == ROAST_WATERFALL_KIND_TOTAL)
        {
          g_assert_cmpfloat (from, ==, 0);
          g_assert_cmpfloat_with_epsilon (to, at == 0 ? reference : ended, 1e-6);
          g_assert_true (at == 0 || fabs (at - ended) < 1e-6);
          at = to;
          continue;
        }
      g_assert_cmpfloat_with_epsilon (kind == ROAST_WATERFALL_KIND_LONGER ? from : to, at, 1e-9);
      at = kind == ROAST_WATERFALL_KIND_LONGER ? to : from;
    }
  g_assert_cmpfloat_with_epsilon (at, ended, 1e-6);
}

/* Parts add up, whatever differs. */
static void
test_differences (void)
{
  Kind kinds[] = { usual, usual, usual, usual, usual, usual, usual, usual };

  kinds[1].n_fit = 60;
  kinds[2].start = 6;
  kinds[3].read = 0.9;
  kinds[4].slots = 2;
  kinds[5].single = 30;
  kinds[6].slow = 3;
  kinds[7].n_fit = 0;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (i);
      g_autoptr (GPtrArray) runs = make_runs (&kinds[i], 4, rand);
      g_autoptr (GPtrArray) reference = make_runs (&usual, 3, rand);
      g_autoptr (RoastReport) report = compare (runs, reference);

      g_assert_cmpfloat_with_epsilon (sum_differences (report), get_mean_elapsed (runs) - get_mean_elapsed (reference),
                                      1e-6);
      check_waterfall (report, get_mean_elapsed (reference), get_mean_elapsed (runs));
    }
}

/* The sentence of a rule about one run each; "" if there is none. */
static char *
dup_said (const Kind *kind, const Kind *reference, const char *rule)
{
  g_autoptr (RoastReport) report = compare_kinds (kind, 1, reference, 1, 5);

  return dup_finding (report, rule);
}

static void
check_causes (const Kind *kind, const char *expected)
{
  g_autofree char *text = dup_said (kind, &usual, "compare-causes");

  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, expected));
}

/* Tasks that take longer the more of them run at once. */
static void
test_sharing (void)
{
  Kind wide = usual;
  g_autofree char *same = NULL;
  g_autofree char *longer = NULL;
  g_autofree char *shorter = NULL;

  wide.slots = 8;
  same = dup_said (&wide, &usual, "compare-sharing");
  g_assert_cmpstr (same, ==, "");
  wide.fit = 1.8;
  longer = dup_said (&wide, &usual, "compare-sharing");
  g_assert_nonnull (strstr (longer, "Each “fit” task took 1."));
  g_assert_nonnull (strstr (longer, " times as long on 8 slots as on 4 slots: the tasks share a resource."));
  shorter = dup_said (&usual, &wide, "compare-sharing");
  g_assert_nonnull (strstr (shorter, " times as long on 8 slots as on 4 slots: the tasks share a resource."));
}

static void
test_causes (void)
{
  Kind kind = usual;

  kind.slots = 2;
  check_causes (&kind, "s by fewer slots for the tasks (2 instead of 4)");
  kind = usual;
  kind.n_fit = 80;
  check_causes (&kind, "s by the number of “fit” tasks (80 instead of 40)");
  kind = usual;
  kind.n_fit = 0;
  check_causes (&kind, "s by tasks that only the reference has (“fit”)");
  kind = usual;
  kind.fit = 2;
  check_causes (&kind, "s by the time of each “fit” task (median 2.0");
  kind = usual;
  kind.start = 9;
  check_causes (&kind, "s by “before the first worker”");
  kind = usual;
  kind.single = 30;
  check_causes (&kind, "s by one “fit” task that took more than 5 times as long as the other tasks: fit-40");
  kind = usual;
  kind.slow = 3;
  check_causes (&kind, "times as long on worker w3 as on the other workers)");
}

/* A run of 20 chunks, one after the other. */
static GPtrArray *
make_run_of_chunks (guint events, double seconds)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);
  RoastRecording *recording = roast_recording_new (NULL);

  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *row = g_strdup_printf ("{'source': <'x'>, 'dataset': <'a'>, 'events': <int64 %u>, 'started': "
                                              "<int64 %.0f>, 'ended': <int64 %.0f>}",
                                              events, (1 + i * seconds) * 1e6, (1 + (i + 1) * seconds) * 1e6);

      rows_add (recording, "chunks", row);
    }
  rows_add (recording, "processes",
            "{'source': <'tree'>, 'process': <int64 1>, 'pid': <int64 1>, 'cpu_user': <1.0>, 'cpu_system': <0.0>}");
  roast_recording_set_metadata (recording, "tree-cores", g_variant_new_double (1));
  roast_recording_set_metadata (recording, "tree-elapsed", g_variant_new_int64 ((gint64) ((2 + 20 * seconds) * 1e6)));
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 ((gint64) ((2 + 20 * seconds) * 1e6)));
  roast_recording_finish (recording);
  g_ptr_array_add (runs, recording);

  return runs;
}

/* Twice the events in each chunk: each chunk takes twice as long, but each event as long as before. */
static void
test_input (void)
{
  g_autoptr (GPtrArray) runs = make_run_of_chunks (2000, 1);
  g_autoptr (GPtrArray) reference = make_run_of_chunks (1000, 0.5);
  g_autoptr (RoastReport) report = compare (runs, reference);
  g_autofree char *input = dup_finding (report, "compare-input");
  g_autofree char *causes = dup_finding (report, "compare-causes");

  g_assert_cmpstr (input, ==,
                   "The new run processed 40 000 events instead of 20 000. The working time for each event was 500 µs "
                   "instead of 500 µs: +0.0 %.");
  g_assert_nonnull (strstr (causes, "+10.0 s by the time of each “a” chunk (median 1.00 s instead of 500 ms)"));
}

/* A cause that is a fact, or has a verdict, comes before larger ones that may be chance. */
static void
test_certain_causes (void)
{
  Kind kind = usual;

  kind.start = 12;
  kind.n_fit = 60;
  check_causes (&kind, "more than the reference: +5.");
  check_causes (&kind, "s by the number of “fit” tasks (60 instead of 40). These differences may be chance: +");
  kind = usual;
  kind.start = 12;
  kind.fit = 1.5;
  check_causes (&kind, "more than the reference: +4.");
  check_causes (&kind, "1.03 s). These differences may be chance: +");
  kind.fit = 1.05;
  check_causes (&kind, "more than the reference, which may be chance: +");
}

/* Three runs of a program that computes on one of four cores. */
static GPtrArray *
make_runs_on_one_core (double cpu)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < 3; i++)
    {
      RoastRecording *recording = roast_recording_new (NULL);
      gint64 elapsed = (gint64) ((cpu + 1 + 0.01 * i) * 1e6);
      g_autofree char *row = g_strdup_printf ("{'source': <'tree'>, 'process': <int64 1>, 'pid': <int64 1>, "
                                              "'cpu_user': <%f>, 'cpu_system': <0.0>}",
                                              cpu + 0.01 * i);

      rows_add (recording, "processes", row);
      roast_recording_set_metadata (recording, "tree-cores", g_variant_new_double (4));
      roast_recording_set_metadata (recording, "tree-elapsed", g_variant_new_int64 (elapsed));
      roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
      roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (elapsed));
      roast_recording_finish (recording);
      g_ptr_array_add (runs, recording);
    }

  return runs;
}

/* While the program computes longer, three cores are idle, which is a consequence. */
static void
test_consequences (void)
{
  g_autoptr (GPtrArray) runs = make_runs_on_one_core (20);
  g_autoptr (GPtrArray) reference = make_runs_on_one_core (10);
  g_autoptr (RoastReport) report = compare (runs, reference);
  g_autofree char *text = dup_finding (report, "compare-causes");

  g_assert_cmpstr (text, ==,
                   "On average, the new runs took 10.0 s more than the reference: +2.50 s by “computing”, +7.50 s by "
                   "“idle”.");
}

/* Tasks that took longer with the same CPU time waited. */
static void
test_cpu_of_causes (void)
{
  Kind kind = usual, reference = usual;
  g_autofree char *text = NULL;

  kind.cpu = reference.cpu = 0.5;
  kind.fit = 2;
  text = dup_said (&kind, &reference, "compare-causes");
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, " instead of 1.05 s; CPU time 500 ms instead of 500 ms)"));
}

/* Returns whether a finding that the comparison repeats starts like this. */
static gboolean
repeats_finding (RoastReport *report, const char *start)
{
  g_autoptr (GPtrArray) findings = roast_report_list_findings (report);

  for (guint i = 0; i < findings->len; i++)
    {
      RoastFinding *finding = g_ptr_array_index (findings, i);

      g_test_message ("%s: %s", roast_finding_get_rule (finding), roast_finding_get_text (finding));
      if (g_str_equal (roast_finding_get_rule (finding), "compare-finding") &&
          g_str_has_prefix (roast_finding_get_text (finding), start))
        return TRUE;
    }

  return FALSE;
}

/* A slow worker is named although the runs take less time, with the number of runs that have one. */
static void
test_findings (void)
{
  Kind slow = usual, early = usual;
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GPtrArray) reference = NULL;
  g_autoptr (RoastReport) report = NULL;

  slow.slow = 3;
  slow.start = 1;
  early.start = 30;
  runs = make_runs (&slow, 2, rand);
  reference = make_runs (&early, 3, rand);
  report = compare (runs, reference);
  g_assert_true (repeats_finding (report, "Only in the new runs: Tasks of worker w3 took "));
  g_clear_object (&report);
  g_ptr_array_add (runs, make_run (&early, rand));
  g_ptr_array_add (reference, make_run (&slow, rand));
  report = compare (runs, reference);
  g_assert_true (repeats_finding (report,
                                  "In 2 of 3 new runs and 1 of 4 runs of the reference: Tasks of worker w3 took "));
}

static void
test_properties (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GPtrArray) runs = make_runs (&usual, 3, rand);
  g_autoptr (GPtrArray) reference = make_runs (&usual, 3, rand);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < 3; i++)
    {
      roast_recording_set_metadata (g_ptr_array_index (runs, i), "python", g_variant_new_string ("3.13"));
      roast_recording_set_metadata (g_ptr_array_index (reference, i), "python", g_variant_new_string ("3.11"));
      roast_recording_set_metadata (g_ptr_array_index (runs, i), "host", g_variant_new_string ("same"));
      roast_recording_set_metadata (g_ptr_array_index (reference, i), "host", g_variant_new_string ("same"));
    }
  report = compare (runs, reference);
  assert_derived_row (report, "compared_properties", 0, "property=python new=3.13 reference=3.11");
  g_assert_cmpuint (rows_count_derived (report, "compared_properties"), ==, 1);
}

/* A variable that one side lacks is not set, if the settings of this side are known; else it is unknown. */
static void
test_settings (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GPtrArray) runs = make_runs (&usual, 1, rand);
  g_autoptr (GPtrArray) reference = make_runs (&usual, 1, rand);
  g_autoptr (GPtrArray) older = make_runs (&usual, 1, rand);
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (runs->pdata[0], "settings",
                                g_variant_new_parsed ("{'nice value': <'0'>, 'environment OMP_NUM_THREADS': <'4'>}"));
  roast_recording_set_metadata (reference->pdata[0], "settings", g_variant_new_parsed ("{'nice value': <'10'>}"));
  report = compare (runs, reference);
  assert_derived_row (report, "compared_properties", 0, "property=nice value new=0 reference=10");
  assert_derived_row (report, "compared_properties", 1, "property=environment OMP_NUM_THREADS new=4 reference=not set");
  g_assert_cmpuint (rows_count_derived (report, "compared_properties"), ==, 2);
  g_clear_object (&report);
  report = compare (runs, older);
  assert_derived_row (report, "compared_properties", 1,
                      "property=environment OMP_NUM_THREADS new=4 reference=not available");
}

/* A function that only one side calls may have been renamed. */
static void
test_categories (void)
{
  Kind kind = usual;
  g_autoptr (RoastReport) report = NULL;

  kind.n_fit = 0;
  report = compare_kinds (&kind, 1, &usual, 1, 1);
  assert_derived_row (report, "compared_properties", 0,
                      "property=categories of one side only new=none reference=“fit”");
}

/* A run of which rows are missing has no more than lower bounds: it counts for what is known of it only. */
static void
test_incomplete (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GPtrArray) runs = make_runs (&usual, 3, rand);
  g_autoptr (GPtrArray) reference = make_runs (&usual, 3, rand);
  static const char *const columns[] = { "n_new", NULL };
  RoastRecording *cut = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastTableReader) verdicts = NULL;
  g_auto (GStrv) notes = NULL;

  rows_add (cut, "tasks",
            "{'source': <'x'>, 'task': <'a'>, 'attempt': <int64 1>, 'category': <'fit'>, 'started': "
            "<int64 0>, 'ended': <int64 1000000>, 'status': <'done'>}");
  rows_add (cut, "coverage",
            "{'source': <'x'>, 'table': <'tasks'>, 'state': <'partial'>, 'reason': <'the log was cut'>}");
  roast_recording_finish (cut);
  g_ptr_array_add (runs, cut);
  report = compare (runs, reference);
  notes = roast_report_dup_notes (report);
  g_assert_true (g_strv_contains ((const char *const *) notes,
                                  "the time of “fit” of at least one run is only a lower bound and is left out"));
  verdicts = roast_report_read_table (report, "verdicts", columns, NULL);
  while (roast_table_reader_next (verdicts))
    g_assert_cmpint (roast_table_reader_get_int64 (verdicts, 0, -1), ==, 3);
  g_assert_cmpuint (rows_count_derived (report, "differences"), ==, 0);
}

/* A difference that counts as chance is smaller than the difference that would have been detected. */
static void
check_detectable (RoastReport *report)
{
  g_autoptr (RoastTableReader) verdicts =
      roast_report_read_table (report, ROAST_TABLE_VERDICTS, roast_verdicts_columns, NULL);

  while (roast_table_reader_next (verdicts))
    {
      double low = roast_table_reader_get_double (verdicts, ROAST_VERDICTS_CHANGE_LOW);
      double high = roast_table_reader_get_double (verdicts, ROAST_VERDICTS_CHANGE_HIGH);
      double detectable = roast_table_reader_get_double (verdicts, ROAST_VERDICTS_DETECTABLE);

      g_assert_cmpfloat (detectable, >=, 0.05);
      if (roast_table_reader_get_word (verdicts, ROAST_VERDICTS_VERDICT) == ROAST_VERDICT_UNKNOWN)
        g_assert_cmpfloat (sqrt ((1 + low) * (1 + high)) - 1, <, detectable);
    }
}

/* Three runs on each side, and more measures than one: Holm's method asks for a larger difference. */
static void
test_detectable (void)
{
  Kind slow = usual;

  slow.fit = 1.25;
  slow.run = 0.06;
  for (guint32 seed = 6; seed < 10; seed++)
    {
      g_autoptr (RoastReport) report = compare_kinds (&slow, 3, &usual, 3, seed);

      check_detectable (report);
    }
}

/* How often anything is called different: of identical runs, and of runs in which one category is 20 % slower. */
static void
test_rates (void)
{
  const guint n = ROUNDS (50);
  guint n_false = 0, n_found = 0;
  Kind slow = usual;

  slow.fit = 1.2;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (RoastReport) same = compare_kinds (&usual, 5, &usual, 5, 1000 + i);
      g_autoptr (RoastReport) differs = compare_kinds (&slow, 5, &usual, 5, 3000 + i);
      g_autofree char *fit = get_verdict (differs, "seconds", "fit");
      static const char *const measures[][2] = { { "elapsed_time_seconds", NULL },
                                                 { "work_time_seconds", NULL },
                                                 { "start_up_seconds", NULL },
                                                 { "seconds", "fit" },
                                                 { "seconds", "read" } };
      gboolean is_false = FALSE;

      check_detectable (same);
      check_detectable (differs);
      for (guint j = 0; j < G_N_ELEMENTS (measures); j++)
        {
          g_autofree char *verdict = get_verdict (same, measures[j][0], measures[j][1]);

          is_false |= g_strcmp0 (verdict, "worse") == 0 || g_strcmp0 (verdict, "better") == 0;
        }
      n_false += is_false;
      n_found += g_strcmp0 (fit, "worse") == 0;
    }
  g_test_message ("called different: %u of %u identical, %u of %u slower", n_false, n, n_found, n);
  g_assert_cmpuint (n_false, <=, 6 * n / 100);
  g_assert_cmpuint (n_found, >=, 95 * n / 100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/student", test_student);
  g_test_add_func ("/compare/welch", test_of_welch);
  g_test_add_func ("/compare/ranks", test_ranks);
  g_test_add_func ("/compare/holm", test_holm);
  g_test_add_func ("/compare/westfall-young", test_westfall_young);
  g_test_add_func ("/compare/assignments", test_assignments);
  g_test_add_func ("/compare/line", test_line);
  g_test_add_func ("/compare/slower-category", test_slower_category);
  g_test_add_func ("/compare/one-run", test_one_run);
  g_test_add_func ("/compare/kept-runs", test_kept_runs);
  g_test_add_func ("/compare/over-time", test_over_time);
  g_test_add_func ("/compare/contention", test_contention);
  g_test_add_func ("/compare/short-program", test_short_program);
  g_test_add_func ("/compare/small-cpu", test_small_cpu);
  g_test_add_func ("/compare/speed", test_speed);
  g_test_add_func ("/compare/failed", test_failed);
  g_test_add_func ("/compare/failed-run", test_failed_run);
  g_test_add_func ("/compare/repeated", test_repeated);
  g_test_add_func ("/compare/unknown-elapsed", test_unknown_elapsed);
  g_test_add_func ("/compare/stragglers", test_stragglers);
  g_test_add_func ("/compare/differences", test_differences);
  g_test_add_func ("/compare/causes", test_causes);
  g_test_add_func ("/compare/input", test_input);
  g_test_add_func ("/compare/certain-causes", test_certain_causes);
  g_test_add_func ("/compare/consequences", test_consequences);
  g_test_add_func ("/compare/cpu-of-causes", test_cpu_of_causes);
  g_test_add_func ("/compare/findings", test_findings);
  g_test_add_func ("/compare/sharing", test_sharing);
  g_test_add_func ("/compare/properties", test_properties);
  g_test_add_func ("/compare/settings", test_settings);
  g_test_add_func ("/compare/categories", test_categories);
  g_test_add_func ("/compare/incomplete", test_incomplete);
  g_test_add_func ("/compare/detectable", test_detectable);
  g_test_add_func ("/compare/rates", test_rates);
  g_test_add_func ("/compare/scaling", test_scaling);
  g_test_add_func ("/compare/fit", test_fit);

  return g_test_run ();
}
