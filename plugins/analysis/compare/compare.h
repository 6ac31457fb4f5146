/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "analysis.h"

G_BEGIN_DECLS

enum
{
  NEW,
  REFERENCE,
  N_SIDES
};

/* The values of one name in the runs of each side. */
typedef struct
{
  int kind;
  char *name;
  GArray *values[N_SIDES];   /* of double */
  GArray *runs[N_SIDES];     /* of gint64: the number of the run of each value */
  GPtrArray *texts[N_SIDES]; /* of char *: of properties, findings and single attempts */
  gboolean is_left_out;      /* a run has no more than a lower bound */
} Measure;

/* What two measures have from the tests of verdicts. */
typedef struct
{
  const Measure *measure;
  const char *label; /* of the kind, or the metric's name */
  double median[N_SIDES], spread[N_SIDES];
  double change;            /* ratio of the medians - 1 */
  double effect, low, high; /* ratio of the geometric means - 1, which is tested, and its 95 % interval */
  double p, ranks;          /* ranks: by Mann and Whitney */
  double detectable;
  int verdict;
  gboolean more_is_better;
  double assumed; /* how much runs vary, if they are too few to know it; else 0 */
} Verdict;

typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  GPtrArray *measures; /* of Measure */
  guint n[N_SIDES];    /* runs */
  GArray *verdicts;    /* of Verdict */
} Compare;

/* Of char **, for sorting. */
int compare_texts (gconstpointer a, gconstpointer b);
/* NULL if no run has it. */
const Measure *compare_find (Compare *self, int kind, const char *name);
/* Mean over all runs of a side, of which those without a value have 0. */
double compare_get_mean (Compare *self, const Measure *measure, int side);
double compare_get_median (const GArray *values);

/* Whether most runs of a side have a finding, and most of the other side have not. */
gboolean compare_is_only_in (Compare *self, const Measure *finding, int side);
/* Whether a metric has a verdict. */
gboolean compare_is_judged (const char *metric);
void compare_judge (Compare *self);
void compare_divide (Compare *self);
void compare_list_properties (Compare *self);
void compare_say (Compare *self);
void compare_say_sharing (Compare *self);
/* Of runs without a reference. */
void compare_scale (Compare *self);

G_END_DECLS
