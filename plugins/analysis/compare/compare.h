/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "analysis.h"
#include "each.h"

#define COMPARE_RANKED_RUNS 5    /* minimum number of runs on a side for a rank test, and for assignments at random */
#define COMPARE_SIGNIFICANT 0.05 /* largest p value at which a difference counts as significant */
#define COMPARE_THRESHOLD 0.05   /* smallest relative difference that matters */

enum
{
  NEW,
  REFERENCE,
  N_SIDES
};

/* Values of one measure in the runs of each side. */
typedef struct
{
  int kind;
  char *name;
  GArray *values[N_SIDES];   /* elements are double */
  GArray *runs[N_SIDES];     /* elements are gint64: the run number of each value */
  GPtrArray *texts[N_SIDES]; /* elements are char *: properties, findings and single attempts */
  gboolean is_left_out;      /* TRUE if at least one run has only a lower bound, which @values does not contain */
} Measure;

/* Result of testing one measure. */
typedef struct
{
  const Measure *measure;
  const char *label; /* label of the kind, or name of the metric */
  double median[N_SIDES], spread[N_SIDES];
  double change;            /* ratio of the medians minus 1 */
  double effect, low, high; /* tested ratio of the geometric means minus 1, and its 95 % confidence interval */
  double error, freedom;    /* standard error of ln (1 + effect), and its degrees of freedom */
  double p, ranks;          /* p: p value of the test of logarithms; ranks: p value of the Mann-Whitney test */
  double detectable;
  int verdict;
  gboolean more_is_better;
  double assumed;    /* assumed spread between runs, used if too few runs were measured; else 0 */
  gboolean did_less; /* TRUE if the side that took less time has more failed runs */
  double kept;       /* spread of other kept runs of the same commands; 0 if the verdict does not use such runs */
} Verdict;

/* One cause of the difference between the elapsed times. */
typedef struct
{
  const char *part, *category; /* @category is NULL if the part has no categories */
  int cause;
  double seconds;
} Difference;

typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  GPtrArray *measures; /* elements are Measure * */
  guint n[N_SIDES];    /* number of runs */
  GArray *verdicts;    /* elements are Verdict */
  GArray *differences; /* elements are Difference, sorted by compare_by_seconds () */
} Compare;

/* Compare two char **, for sorting. */
int compare_texts (gconstpointer a, gconstpointer b);
/* Return NULL if no run has the measure. */
Measure *compare_find (Compare *self, int kind, const char *name);
/* Return the mean of a measure over all runs of a side; a run without a value counts as 0. */
double compare_get_mean (Compare *self, const Measure *measure, int side);
double compare_get_median (const GArray *values);
/* Return the median of a measure over the runs of a side; NaN if no run of the side has the measure. */
double compare_find_median (Compare *self, int kind, const char *name, int side);
/* Return the value of a measure in one run; NaN if the run has no value. @measure may be NULL. */
double compare_get_of_run (const Measure *measure, int side, gint64 run);

/* Return the number of runs of a side that failed. */
guint compare_count_failed (Compare *self, int side);
/* Return a text such as "“a”, “b” and 2 more"; NULL if the side has no category that the other side lacks. */
char *compare_dup_categories_of (Compare *self, int side);
/* Return whether the finding appears in more than half of the runs of a side, but not in more than half of the runs of
 * the other side. */
gboolean compare_is_only_in (Compare *self, const Measure *finding, int side);
/* Return whether a metric is tested and gets a verdict. */
gboolean compare_is_judged (const char *metric);
void compare_judge (Compare *self);
/* Return the logarithms of values up to the first value that has none. */
GArray *compare_take_logarithms (const GArray *values);
/* Correct the p values of all verdicts for the number of measures, and set the smallest differences that they detect.
 */
void compare_correct (Compare *self);
/* Return a text such as "5 kept runs of the same command (a1b2, c3d4, e5f6 and 2 more)"; NULL if no runs are kept. */
char *compare_name_kept (Compare *self);
void compare_divide (Compare *self);
/* Return whether a cause is a fact, such as another number of tasks, or has a verdict; FALSE if it may be chance. */
gboolean compare_is_certain (Compare *self, const Difference *one);
/* Compare two differences, for sorting by their absolute values in descending order. */
int compare_by_seconds (gconstpointer a, gconstpointer b);
/* Write the table `waterfall`: the steps from the elapsed time of the reference to that of the new runs. */
void compare_draw_waterfall (Compare *self);
void compare_list_properties (Compare *self);
void compare_say (Compare *self);
void compare_add_finding (Compare *self, const char *rule, gboolean is_warning, const char *text);
void compare_say_sharing (Compare *self);
/* Compare runs without a reference by their number of slots. */
void compare_scale (Compare *self);
