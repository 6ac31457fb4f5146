/* SPDX-License-Identifier: BSD-3-Clause */

/* Show how much faster runs are on more slots. The table lists each run, the ideal elapsed time, derived from the runs
 * on the fewest slots, and the time that what_if predicts from one of these runs. If a run is slower than predicted,
 * its tasks took longer than on fewer slots. */

#include "compare.h"
#include "statistics.h"
#include "student.h"

#include <math.h>

#define RATE "%.3g"
#define LEAST_SIZES 4 /* minimum count of different slot numbers for a fit of Amdahl's law */
#define WORST_FIT 0.1 /* largest relative error up to which a fit is reported */

typedef struct
{
  gint64 run;
  double slots, elapsed, rate; /* rate: events, chunks or tasks per second; runs per second if no amount is known */
} Sized;

typedef struct
{
  Compare *compare;
  RoastTableWriter *table;
  GArray *runs;     /* elements are Sized, sorted by slots */
  const char *unit; /* plural noun for the processed items */
  Sized base;       /* medians of the runs on the fewest slots */
} Scaling;

/* Return the first metric of @names that all runs have, and set @chosen to its name; NULL if there is none. */
static const Measure *
choose (Compare *self, const char *const *names, guint n, const char **chosen)
{
  for (guint i = 0; i < n; i++)
    {
      const Measure *measure = compare_find (self, ROAST_COMPARED_KIND_METRIC, names[i]);

      if (measure == NULL || measure->values[NEW]->len < self->n[NEW] ||
          !(compare_get_median (measure->values[NEW]) > 0))
        continue;
      *chosen = names[i];
      return measure;
    }

  return NULL;
}

static int
compare_sized (const Sized *a, const Sized *b)
{
  if (a->slots != b->slots)
    return a->slots < b->slots ? -1 : 1;

  return (a->run > b->run) - (a->run < b->run);
}

static gboolean
read_runs (Scaling *self)
{
  static const char *const amounts[] = { "events_total", "chunks_total", "tasks_submitted_total" };
  static const char *const units[] = { "events", "chunks", "tasks" };
  static const char *const times[] = { "tasks_seconds", "work_time_seconds", "elapsed_time_seconds" };
  const Measure *slots = compare_find (self->compare, ROAST_COMPARED_KIND_METRIC, "slots");
  const char *amount = NULL, *time = NULL;
  const Measure *processed = choose (self->compare, amounts, G_N_ELEMENTS (amounts), &amount);
  const Measure *elapsed = choose (self->compare, times, G_N_ELEMENTS (times), &time);

  self->unit = "runs";
  for (guint i = 0; i < G_N_ELEMENTS (amounts); i++)
    if (g_strcmp0 (amount, amounts[i]) == 0)
      self->unit = units[i];
  for (guint i = 0; slots != NULL && elapsed != NULL && i < slots->runs[NEW]->len; i++)
    {
      gint64 run = g_array_index (slots->runs[NEW], gint64, i);
      Sized sized = { run, g_array_index (slots->values[NEW], double, i), compare_get_of_run (elapsed, NEW, run), NAN };

      sized.rate = (processed != NULL ? compare_get_of_run (processed, NEW, run) : 1) / sized.elapsed;
      if (sized.slots > 0 && isfinite (sized.rate))
        g_array_append_val (self->runs, sized);
    }
  g_array_sort (self->runs, (GCompareFunc) compare_sized);

  return self->runs->len > 0;
}

/* Return the medians of the runs that have the same number of slots as run @i. Set @next to the first run with more
 * slots. */
static Sized
scaling_get_median (const Scaling *self, guint i, guint *next)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) rates = g_array_new (FALSE, FALSE, sizeof (double));
  Sized median = g_array_index (self->runs, Sized, i);

  for (; i < self->runs->len && g_array_index (self->runs, Sized, i).slots == median.slots; i++)
    {
      const Sized *run = &g_array_index (self->runs, Sized, i);

      g_array_append_val (times, run->elapsed);
      g_array_append_val (rates, run->rate);
    }
  *next = i;
  median.elapsed = compare_get_median (times);
  median.rate = compare_get_median (rates);

  return median;
}

/* ---- the table ---- */

static void
scaling_write_row (Scaling *self, int kind, const Sized *sized, double low, double high)
{
  RoastTableWriter *table = self->table;

  roast_table_writer_set_word (table, ROAST_SCALING_KIND, kind);
  roast_table_writer_set_double (table, ROAST_SCALING_SLOTS, sized->slots);
  if (sized->run > 0)
    roast_table_writer_set_int64 (table, ROAST_SCALING_RUN, sized->run);
  roast_table_writer_set_double (table, ROAST_SCALING_ELAPSED, sized->elapsed);
  roast_table_writer_set_double (table, ROAST_SCALING_ELAPSED_LOW, low);
  roast_table_writer_set_double (table, ROAST_SCALING_ELAPSED_HIGH, high);
  roast_table_writer_set_double (table, ROAST_SCALING_RATE, sized->rate);
  roast_table_writer_set_double (table, ROAST_SCALING_EFFICIENCY,
                                 sized->rate / sized->slots / (self->base.rate / self->base.slots));
  roast_table_writer_end (table, NULL);
}

static void
write_measured (Scaling *self)
{
  for (guint i = 0; i < self->runs->len; i++)
    scaling_write_row (self, ROAST_SCALING_KIND_MEASURED, &g_array_index (self->runs, Sized, i), NAN, NAN);
}

static void
write_ideal (Scaling *self)
{
  for (guint i = 0; i < self->runs->len;)
    {
      Sized ideal = { 0, scaling_get_median (self, i, &i).slots };
      double times = ideal.slots / self->base.slots;

      ideal.elapsed = self->base.elapsed / times;
      ideal.rate = self->base.rate * times;
      scaling_write_row (self, ROAST_SCALING_KIND_IDEAL, &ideal, NAN, NAN);
    }
}

/* Return the predicted time on @slots in seconds; NaN if unknown. */
static double
get_predicted (const Scaling *self, int kind, double slots)
{
  char name[G_ASCII_DTOSTR_BUF_SIZE];

  return compare_find_median (self->compare, kind, g_ascii_dtostr (name, sizeof name, slots), NEW);
}

/* Return the rate that the first of the runs on the fewest slots would have if it took @seconds. */
static double
get_rate_in (const Scaling *self, double seconds)
{
  const Sized *of = &g_array_index (self->runs, Sized, 0);

  return of->rate * of->elapsed / seconds;
}

static void
write_predicted (Scaling *self)
{
  for (guint i = 0; i < self->runs->len;)
    {
      Sized predicted = { 0, scaling_get_median (self, i, &i).slots };

      predicted.elapsed = get_predicted (self, ROAST_COMPARED_KIND_PREDICTED, predicted.slots);
      predicted.rate = get_rate_in (self, predicted.elapsed);
      if (predicted.elapsed > 0)
        scaling_write_row (self, ROAST_SCALING_KIND_PREDICTED, &predicted,
                           get_predicted (self, ROAST_COMPARED_KIND_PREDICTED_LOW, predicted.slots),
                           get_predicted (self, ROAST_COMPARED_KIND_PREDICTED_HIGH, predicted.slots));
    }
}

/* ---- findings ---- */

static void
say_size (Scaling *self, const Sized *size)
{
  double ratio = size->slots / self->base.slots, gain = size->rate / self->base.rate;
  double low = get_rate_in (self, get_predicted (self, ROAST_COMPARED_KIND_PREDICTED_HIGH, size->slots));
  double high = get_rate_in (self, get_predicted (self, ROAST_COMPARED_KIND_PREDICTED_LOW, size->slots));
  gboolean is_slower = size->rate < low, is_expected = size->rate >= low && size->rate <= high;
  g_autofree char *text =
      g_strdup_printf ("%.4g slots processed " RATE
                       " times as many %s per second as %.4g slots: %.0f %% of the ideal speed-up%s.",
                       size->slots, gain, self->unit, self->base.slots, 100 * gain / ratio,
                       is_slower     ? ". This is less than expected if each task takes as long as on fewer slots"
                       : is_expected ? ", as expected if each task takes as long as on fewer slots"
                                     : "");
  g_autoptr (RoastFinding) finding =
      roast_finding_new ("scaling", is_slower ? ROAST_FINDING_SEVERITY_WARNING : ROAST_FINDING_SEVERITY_INFO, text);

  roast_finding_add_number (finding, "slots", size->slots, NULL);
  roast_finding_add_number (finding, "efficiency", gain / ratio, NULL);
  if (is_slower)
    roast_finding_set_advice (finding, "Compare a run on more slots with a run on fewer slots: roast-compare shows "
                                       "which tasks took longer.");
  roast_report_add_finding (self->compare->report, finding);
}

/* Report the number of slots above which more slots would hardly shorten the run on the fewest slots. */
static void
say_enough (Scaling *self)
{
  g_autoptr (RoastFinding) finding = NULL;
  g_autofree char *text = NULL;
  double slots = compare_find_median (self->compare, ROAST_COMPARED_KIND_METRIC, "enough_slots", NEW);

  if (isnan (slots))
    return;
  text = g_strdup_printf ("More than %.4g slots would save less than 13 %% of the time, judging by the tasks of the "
                          "run on %.4g slots.",
                          slots, self->base.slots);
  finding = roast_finding_new ("scaling-enough", ROAST_FINDING_SEVERITY_INFO, text);
  roast_finding_add_number (finding, "slots", slots, NULL);
  roast_report_add_finding (self->compare->report, finding);
}

/* Add a note about the time that does not depend on the number of slots. This serial time comes from a fit of Amdahl's
 * law, T = serial + parallel / slots. The fit describes these runs; it does not predict other runs. */
static void
note_fit (Scaling *self)
{
  g_autoptr (GArray) x = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) y = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *text = NULL;
  Line line;
  double worst = 0;

  for (guint i = 0; i < self->runs->len;)
    {
      Sized size = scaling_get_median (self, i, &i);
      double share = 1 / size.slots, seconds = self->base.rate * self->base.elapsed / size.rate;

      g_array_append_val (x, share);
      g_array_append_val (y, seconds);
    }
  if (x->len < LEAST_SIZES)
    return;
  line = line_fit ((const double *) (gpointer) x->data, (const double *) (gpointer) y->data, x->len);
  for (guint i = 0; i < x->len; i++)
    worst =
        fmax (worst,
              fabs ((line.intercept + line.slope * g_array_index (x, double, i)) / g_array_index (y, double, i) - 1));
  if (worst <= WORST_FIT && line.slope > 0 && line.intercept > 0)
    {
      double reach = student_quantile (0.975, x->len - 2) * line.intercept_error;
      g_autofree char *serial = roast_format_number (line.intercept, "duration");
      g_autofree char *error = roast_format_number (reach, "duration");

      text = g_strdup_printf ("by Amdahl's law, %s ± %s of the time does not depend on the number of slots; the times "
                              "at the %u measured numbers of slots differ from the law by at most %.0f %%",
                              serial, error, x->len, 100 * worst);
    }
  else if (worst > WORST_FIT)
    text =
        g_strdup_printf ("Amdahl's law does not describe these runs: their times differ from the law by up to %.0f %%",
                         100 * worst);
  else
    text = g_strdup ("Amdahl's law does not describe these runs: no part of their time is independent of the number of "
                     "slots");
  roast_report_add_note (self->compare->report, text);
}

void
compare_scale (Compare *compare)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (Sized));
  g_autoptr (RoastTableWriter) table = roast_scaling_write (compare->report);
  Scaling self = { compare, table, runs, NULL };
  guint i = 0;

  if (!read_runs (&self))
    {
      roast_report_add_note (compare->report, "cannot tell how these runs scale: their numbers of slots are unknown");
      return;
    }
  self.base = scaling_get_median (&self, 0, &i);
  if (g_str_equal (self.unit, "runs"))
    roast_report_add_note (compare->report, "the runs do not report how much they processed: roast assumes that all "
                                            "runs did the same work");
  write_ideal (&self);
  write_predicted (&self);
  write_measured (&self);
  if (i == runs->len)
    roast_report_add_note (compare->report, "cannot tell how these runs scale: all had the same number of slots");
  while (i < runs->len)
    {
      Sized size = scaling_get_median (&self, i, &i);

      say_size (&self, &size);
    }
  say_enough (&self);
  note_fit (&self);
}
