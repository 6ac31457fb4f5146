/* SPDX-License-Identifier: BSD-3-Clause */

/* Decide whether runs differ. The tests compare logarithms of times, because times vary by a factor rather than by an
 * amount. */

#include "compare.h"
#include "statistics.h"
#include "student.h"

#include <math.h>

#define LEAST_RUNS 3         /* minimum number of runs for computing a spread */
#define RUN_TO_RUN 0.05      /* relative spread of task times between runs, assumed if too few runs were measured */
#define SMALLEST_SPREAD 1e-6 /* spread used if all kept runs took equally long, because tests divide by the spread */
#define CPU_RUN_TO_RUN 0.1   /* spread assumed for a program's CPU time; large, because programs poll while they wait */
/* Spread in s that is added to these: the start of processes, a tick of the clock, and a turn of the scheduler vary by
 * as much. On a loaded machine, the CPU time of “python3 -c 'import json'” (52 ms) had a spread of 9 ms. */
#define SECONDS_RUN_TO_RUN 0.01
#define MOST_CONTENTION 0.9 /* limit on the contention, which keeps ln (1 - contention) finite */
#define TOO_WIDE 2.3        /* ln 10; if a confidence interval has a larger half-width, the test is inconclusive */
#define LARGE_ENOUGH 0.05   /* smallest compared category: share of the time, or of the CPU time, of all tasks */
#define COMPUTES 0.1       /* smallest compared CPU time: share of the time with a core, or of the program's CPU time */
#define MOST_CATEGORIES 20 /* largest number of categories that are tested */

#define CPU_TIME "process_cpu_time_seconds"
#define WITHOUT_STRAGGLERS "without_stragglers_seconds"

static const struct
{
  const char *metric;
  gboolean more_is_better;
} measured[] = {
  { "elapsed_time_seconds", FALSE },
  { "work_time_seconds", FALSE },
  { WITHOUT_STRAGGLERS, FALSE },
  { "start_up_seconds", FALSE },
  { CPU_TIME, FALSE },
  { "event_rate_elapsed_per_second", TRUE },
};

gboolean
compare_is_judged (const char *metric)
{
  for (guint i = 0; i < G_N_ELEMENTS (measured); i++)
    if (g_str_equal (measured[i].metric, metric))
      return TRUE;

  return FALSE;
}

/* ---- one measure ---- */

GArray *
compare_take_logarithms (const GArray *values)
{
  GArray *logarithms = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < values->len; i++)
    {
      double logarithm = log (g_array_index (values, double, i));

      if (!isfinite (logarithm))
        break;
      g_array_append_val (logarithms, logarithm);
    }

  return logarithms;
}

static double
verdicts_get_spread (const GArray *values)
{
  Moments moments = moments_of ((const double *) (gpointer) values->data, values->len);

  return values->len > 1 && moments.mean > 0 ? sqrt (moments.variance) / moments.mean : NAN;
}

static void
set_change (Verdict *self, const Test *test)
{
  double reach = student_quantile (1 - COMPARE_SIGNIFICANT / 2, test->freedom) * test->error;

  self->effect = expm1 (test->difference);
  self->low = expm1 (test->difference - reach);
  self->high = expm1 (test->difference + reach);
  self->error = test->error;
  self->freedom = test->freedom;
  self->p = test->p;
}

static gboolean
is_cpu (const Measure *measure)
{
  return measure->kind == ROAST_COMPARED_KIND_METRIC && g_str_equal (measure->name, CPU_TIME);
}

/* Return the CPU time of a category's attempts divided by their run time; 1 if it is unknown. Use the side on which
 * this share is larger. */
static double
get_cpu_share (Compare *self, const Measure *measure)
{
  const Measure *cpu = compare_find (self, ROAST_COMPARED_KIND_CPU, measure->name);
  double share = 0;

  if (cpu == NULL)
    return 1;
  for (int i = 0; i < N_SIDES; i++)
    share = fmax (share, compare_get_mean (self, cpu, i) / compare_get_mean (self, measure, i));

  return fmin (share, 1);
}

/* Return the share of runnable thread time that the runs of a side spent waiting for a core; 0 if it is unknown. */
static double
get_contention (Compare *self, int side)
{
  const Measure *contention = compare_find (self, ROAST_COMPARED_KIND_METRIC, "contention");

  return contention != NULL ? fmin (compare_get_mean (self, contention, side), MOST_CONTENTION) : 0;
}

/* Return the assumed spread between the runs of a side. If attempts that compute waited for cores, the spread is
 * larger. */
static double
get_spread_of_runs (Compare *self, const Measure *measure, int side)
{
  double relative = is_cpu (measure) ? CPU_RUN_TO_RUN : RUN_TO_RUN, waited = 0;

  if (measure->kind == ROAST_COMPARED_KIND_SECONDS)
    waited = -log (1 - get_contention (self, side)) * get_cpu_share (self, measure);

  return hypot (hypot (relative, waited), SECONDS_RUN_TO_RUN / compare_get_mean (self, measure, side));
}

/* Add to @variance the assumed variance between runs. For a category, also add the variance between the workers and
 * between the attempts of each run, which was measured. Return FALSE if a run lacks the measured variance. */
static gboolean
add_variance (Compare *self, const Measure *measure, int side, double *variance, double *of_freedom)
{
  gboolean of_cpu = measure->kind == ROAST_COMPARED_KIND_CPU;
  const Measure *errors =
      compare_find (self, of_cpu ? ROAST_COMPARED_KIND_CPU_ERROR : ROAST_COMPARED_KIND_ERROR, measure->name);
  const Measure *freedom =
      compare_find (self, of_cpu ? ROAST_COMPARED_KIND_CPU_FREEDOM : ROAST_COMPARED_KIND_FREEDOM, measure->name);
  guint n = self->n[side];

  *variance += pow (get_spread_of_runs (self, measure, side), 2) / n;
  if (is_cpu (measure))
    return TRUE;
  if (errors == NULL || freedom == NULL || errors->values[side]->len < n || freedom->values[side]->len < n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      double of_run = pow (g_array_index (errors->values[side], double, i) / n, 2);

      *variance += of_run;
      *of_freedom += of_run * of_run / g_array_index (freedom->values[side], double, i);
    }

  return TRUE;
}

/* Test the time or the CPU time of a category if there are few runs. Use Satterthwaite's degrees of freedom. */
static gboolean
test_few (Compare *self, Verdict *verdict, double difference, Test *test)
{
  const Measure *measure = verdict->measure;
  double variance = 0, of_freedom = 0;

  if (!add_variance (self, measure, NEW, &variance, &of_freedom) ||
      !add_variance (self, measure, REFERENCE, &variance, &of_freedom))
    return FALSE;
  verdict->assumed = fmax (get_spread_of_runs (self, measure, NEW), get_spread_of_runs (self, measure, REFERENCE));
  *test =
      (Test) { difference, sqrt (variance), of_freedom > 0 ? fmin (variance * variance / of_freedom, 1e6) : 1e6, NAN };
  test->p = student_p (test->difference / test->error, test->freedom);

  return student_quantile (1 - COMPARE_SIGNIFICANT / 2, test->freedom) * test->error < TOO_WIDE;
}

/* Test the elapsed time. The spread comes from other kept runs of the same commands. */
static gboolean
test_kept (Compare *self, Verdict *verdict, double difference, Test *test)
{
  const Measure *kept = compare_find (self, ROAST_COMPARED_KIND_KEPT, verdict->measure->name);
  double squares = 0, freedom = 0;

  if (kept == NULL || verdict->measure->kind != ROAST_COMPARED_KIND_METRIC)
    return FALSE;
  for (guint i = 0; i < N_SIDES; i++)
    {
      g_autoptr (GArray) logarithms = compare_take_logarithms (kept->values[i]);
      Moments moments = moments_of ((const double *) (gpointer) logarithms->data, logarithms->len);

      squares += moments.variance * fmax (moments.n, 1) - moments.variance;
      freedom += fmax (moments.n, 1) - 1;
    }
  if (freedom < LEAST_RUNS - 1)
    return FALSE;
  verdict->kept = sqrt (squares / freedom);
  *test =
      (Test) { difference, fmax (verdict->kept, SMALLEST_SPREAD) * sqrt (1.0 / self->n[NEW] + 1.0 / self->n[REFERENCE]),
               freedom, NAN };
  test->p = student_p (test->difference / test->error, test->freedom);

  return TRUE;
}

static void
test_measure (Compare *self, Verdict *verdict)
{
  g_autoptr (GArray) a = compare_take_logarithms (verdict->measure->values[NEW]);
  g_autoptr (GArray) b = compare_take_logarithms (verdict->measure->values[REFERENCE]);
  const double *of_a = (const double *) (gpointer) a->data;
  const double *of_b = (const double *) (gpointer) b->data;
  Moments moments_a = moments_of (of_a, a->len), moments_b = moments_of (of_b, b->len);
  Test test;

  /* Give up if a value is not positive, because it has no logarithm. */
  if (a->len < verdict->measure->values[NEW]->len || b->len < verdict->measure->values[REFERENCE]->len || a->len == 0 ||
      b->len == 0)
    return;
  if (a->len >= LEAST_RUNS && b->len >= LEAST_RUNS)
    test = test_welch (&moments_a, &moments_b);
  else if (b->len >= LEAST_RUNS)
    test = test_prediction (&moments_a, &moments_b);
  else if (a->len >= LEAST_RUNS)
    {
      test = test_prediction (&moments_b, &moments_a);
      test.difference = -test.difference;
    }
  else if (!test_kept (self, verdict, moments_a.mean - moments_b.mean, &test) &&
           !test_few (self, verdict, moments_a.mean - moments_b.mean, &test))
    return;
  set_change (verdict, &test);
  if (a->len >= COMPARE_RANKED_RUNS && b->len >= COMPARE_RANKED_RUNS)
    verdict->ranks = mann_whitney_p (of_a, a->len, of_b, b->len);
}

static void
verdicts_add (Compare *self, const Measure *measure, const char *label, gboolean more_is_better)
{
  Verdict verdict = { .measure = measure,
                      .label = label,
                      .more_is_better = more_is_better,
                      .effect = NAN,
                      .low = NAN,
                      .high = NAN,
                      .p = NAN,
                      .ranks = NAN,
                      .detectable = NAN,
                      .verdict = ROAST_VERDICT_UNKNOWN };

  if (measure == NULL || measure->values[NEW]->len == 0 || measure->values[REFERENCE]->len == 0)
    return;
  for (guint i = 0; i < N_SIDES; i++)
    {
      verdict.median[i] = compare_get_median (measure->values[i]);
      verdict.spread[i] = verdicts_get_spread (measure->values[i]);
    }
  verdict.change = verdict.median[REFERENCE] > 0 ? verdict.median[NEW] / verdict.median[REFERENCE] - 1 : NAN;
  test_measure (self, &verdict);
  g_array_append_val (self->verdicts, verdict);
}

/* ---- choice of measures ---- */

static double
sum_kind (Compare *self, int kind, int side)
{
  double sum = 0;

  FOR_EACH_POINTER (const Measure, measure, self->measures)
    sum += measure->kind == kind ? compare_get_mean (self, measure, side) : 0;

  return sum;
}

/* Return whether a category has a large enough share of what all categories have together, on either side. */
static gboolean
is_large (Compare *self, const Measure *measure)
{
  for (int i = 0; i < N_SIDES; i++)
    if (compare_get_mean (self, measure, i) >= LARGE_ENOUGH * sum_kind (self, measure->kind, i))
      return TRUE;

  return FALSE;
}

static void
verdicts_add_categories (Compare *self)
{
  const Measure *program = compare_find (self, ROAST_COMPARED_KIND_METRIC, CPU_TIME);
  double with_core, cpu_of_program = INFINITY;
  guint n = 0;

  /* Count only the time in which attempts had a core, because attempts use no CPU time while they wait for a core. */
  with_core = 1 - get_contention (self, REFERENCE);
  /* Limit the threshold by the program's CPU time: on a busy machine, attempts wait most of the time, and the time that
   * they waited is often unknown. */
  if (program != NULL && program->values[REFERENCE]->len > 0)
    cpu_of_program = compare_get_mean (self, program, REFERENCE);
  for (guint i = 0; i < self->measures->len && n < MOST_CATEGORIES; i++)
    {
      const Measure *measure = g_ptr_array_index (self->measures, i);
      const Measure *cpu = NULL;

      if (measure->kind != ROAST_COMPARED_KIND_SECONDS || !is_large (self, measure))
        continue;
      cpu = compare_find (self, ROAST_COMPARED_KIND_CPU, measure->name);
      verdicts_add (self, measure, "seconds", FALSE);
      if (cpu != NULL && is_large (self, cpu) &&
          compare_get_mean (self, cpu, REFERENCE) >=
              COMPUTES * fmin (with_core * compare_get_mean (self, measure, REFERENCE), cpu_of_program))
        verdicts_add (self, cpu, "cpu", FALSE);
      n++;
    }
}

/* ---- verdicts ---- */

static int
decide (const Verdict *self)
{
  gboolean differs = self->p <= COMPARE_SIGNIFICANT && !(self->ranks > COMPARE_SIGNIFICANT);

  if (isnan (self->p))
    return ROAST_VERDICT_UNKNOWN;
  if (differs && fabs (self->effect) >= COMPARE_THRESHOLD)
    return (self->effect > 0) == self->more_is_better ? ROAST_VERDICT_BETTER : ROAST_VERDICT_WORSE;
  if (differs || (self->low > -COMPARE_THRESHOLD && self->high < COMPARE_THRESHOLD))
    return ROAST_VERDICT_SAME;

  return ROAST_VERDICT_UNKNOWN;
}

/* Return whether the side with the smaller values has more failed runs, which may have done less. */
static gboolean
did_less (Compare *self, const Verdict *verdict)
{
  int less = verdict->change < 0 ? NEW : REFERENCE, more = less == NEW ? REFERENCE : NEW;

  return compare_count_failed (self, less) * self->n[more] > compare_count_failed (self, more) * self->n[less];
}

static char *
dup_reason (Compare *self, const Verdict *verdict)
{
  if (verdict->verdict != ROAST_VERDICT_UNKNOWN)
    return NULL;
  if (verdict->did_less)
    return g_strdup ("cannot tell: the side with the smaller value has failed runs, which may have done less");
  if (!isnan (verdict->p))
    return g_strdup_printf ("cannot tell: only a difference of at least %.0f %% would have been detected",
                            100 * verdict->detectable);
  if (verdict->measure->values[NEW]->len < LEAST_RUNS && verdict->measure->values[REFERENCE]->len < LEAST_RUNS)
    return g_strdup_printf ("cannot tell from %u and %u runs: at least one side needs three or more runs",
                            verdict->measure->values[NEW]->len, verdict->measure->values[REFERENCE]->len);

  return g_strdup ("cannot tell: the value of at least one run is 0");
}

static void
write_verdict (Compare *self, RoastTableWriter *table, const Verdict *verdict)
{
  gboolean is_metric = verdict->measure->kind == ROAST_COMPARED_KIND_METRIC;
  g_autofree char *reason = dup_reason (self, verdict);

  roast_table_writer_set_string (table, ROAST_VERDICTS_MEASURE, verdict->label);
  roast_table_writer_set_string (table, ROAST_VERDICTS_NAME, is_metric ? NULL : verdict->measure->name);
  roast_table_writer_set_int64 (table, ROAST_VERDICTS_N_NEW, verdict->measure->values[NEW]->len);
  roast_table_writer_set_int64 (table, ROAST_VERDICTS_N_REFERENCE, verdict->measure->values[REFERENCE]->len);
  roast_table_writer_set_double (table, ROAST_VERDICTS_NEW, verdict->median[NEW]);
  roast_table_writer_set_double (table, ROAST_VERDICTS_REFERENCE, verdict->median[REFERENCE]);
  roast_table_writer_set_double (table, ROAST_VERDICTS_SPREAD_NEW, verdict->spread[NEW]);
  roast_table_writer_set_double (table, ROAST_VERDICTS_SPREAD_REFERENCE, verdict->spread[REFERENCE]);
  roast_table_writer_set_double (table, ROAST_VERDICTS_CHANGE, verdict->change);
  roast_table_writer_set_double (table, ROAST_VERDICTS_CHANGE_LOW, verdict->low);
  roast_table_writer_set_double (table, ROAST_VERDICTS_CHANGE_HIGH, verdict->high);
  roast_table_writer_set_double (table, ROAST_VERDICTS_P, verdict->p);
  roast_table_writer_set_word (table, ROAST_VERDICTS_VERDICT, verdict->verdict);
  roast_table_writer_set_double (table, ROAST_VERDICTS_DETECTABLE, verdict->detectable);
  roast_table_writer_set_string (table, ROAST_VERDICTS_REASON, reason);
  roast_table_writer_end (table, NULL);
}

/* Return FALSE if the measure is the time without stragglers and no run has stragglers: it then equals the work
 * time. */
static gboolean
is_another (const Measure *measure)
{
  return measure == NULL || !g_str_equal (measure->name, WITHOUT_STRAGGLERS) || measure->texts[NEW]->len > 0 ||
         measure->texts[REFERENCE]->len > 0;
}

void
compare_judge (Compare *self)
{
  g_autoptr (RoastTableWriter) table = roast_verdicts_write (self->report);

  for (guint i = 0; i < G_N_ELEMENTS (measured); i++)
    {
      const Measure *measure = compare_find (self, ROAST_COMPARED_KIND_METRIC, measured[i].metric);

      if (is_another (measure))
        verdicts_add (self, measure, measured[i].metric, measured[i].more_is_better);
    }
  verdicts_add_categories (self);
  compare_correct (self);
  FOR_EACH (Verdict, verdict, self->verdicts)
    {
      verdict->did_less = did_less (self, verdict);
      verdict->verdict = verdict->did_less ? ROAST_VERDICT_UNKNOWN : decide (verdict);
      if (verdict->did_less)
        verdict->detectable = NAN;
      write_verdict (self, table, verdict);
    }
}
