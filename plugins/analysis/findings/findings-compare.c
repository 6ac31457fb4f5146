/* SPDX-License-Identifier: BSD-3-Clause */

/* Compares the values of each group with those of all other groups. Only values of the same kind are compared. The test
 * is a one-sided Welch's test of the mean difference at the 1 % level, with Bonferroni correction: if there are 40
 * workers, for example, each of the two tests of a worker must reach 0.0125 %. A slow group must also take 1.5 times as
 * long as the other groups, because other load on a machine comes and goes. A ratio of 1.2 is enough if it holds
 * throughout the run, or if the values are CPU times, which other load hardly changes. */

#include "findings.h"
#include "group-element.h"
#include "student.h"

#define LEVEL 0.01
#define LEAST_RATIO 1.5
#define LASTING_RATIO 1.2
#define IN_EACH 1.1    /* minimum ratio in each part of the run; one part may have a smaller ratio */
#define LEAST_BLOCKS 6 /* minimum number of parts of the run in which both the group and other groups have values */
#define LEAST_VALUES 3
#define N_TESTS 2  /* number of tests of each group: by time and by CPU time */
#define N_BLOCKS 8 /* number of equal parts into which the run is divided */

typedef struct
{
  double n, sum;
} Block;

/* Number and sums of logarithms of times */
typedef struct
{
  double n, sum, squares;
  Block blocks[N_BLOCKS];
} CompareValues;

/* Values of one group and one kind */
typedef struct
{
  CompareValues values[FINDINGS_N_MEASURES];
  guint kind;
  guint next; /* index of the group's next cell + 1; 0 if there is none */
} Cell;

/* Values of one kind */
typedef struct
{
  CompareValues values[FINDINGS_N_MEASURES];
} CompareKind;

typedef struct
{
  guint first; /* index of the group's first cell + 1; 0 if there is none */
  double time[FINDINGS_N_MEASURES], waited;
} CompareGroup;

/* Deviations of values from the mean of their kind. Each block holds the deviations in one part of the run. */
typedef struct
{
  Block blocks[N_BLOCKS];
  double squares, degrees;
} Spread;

struct _FindingsComparison
{
  GArray *groups;    /* elements are CompareGroup */
  GArray *kinds;     /* elements are CompareKind, with the values of all groups */
  GArray *cells;     /* elements are Cell */
  GHashTable *index; /* maps a pair of group and kind to the index of its cell + 1 */
};

/* Hash both halves of the key. g_int64_hash () of older GLib versions ignores the upper half. This half is the group,
 * so all groups would collide. */
static guint
hash_key (gconstpointer key)
{
  return (guint) (*(const guint64 *) key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32); /* 2^64 / golden ratio */
}

FindingsComparison *
findings_comparison_new (void)
{
  FindingsComparison *self = g_new (FindingsComparison, 1);

  self->groups = g_array_new (FALSE, FALSE, sizeof (CompareGroup));
  self->kinds = g_array_new (FALSE, FALSE, sizeof (CompareKind));
  self->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  self->index = g_hash_table_new_full (hash_key, g_int64_equal, g_free, NULL);

  return self;
}

void
findings_comparison_free (FindingsComparison *self)
{
  g_array_unref (self->groups);
  g_array_unref (self->kinds);
  g_array_unref (self->cells);
  g_hash_table_unref (self->index);
  g_free (self);
}

static void
compare_add_value (CompareValues *values, guint block, double value)
{
  values->n++;
  values->sum += value;
  values->squares += value * value;
  values->blocks[block].n++;
  values->blocks[block].sum += value;
}

static Cell *
find_cell (const FindingsComparison *self, guint group, guint kind)
{
  gint64 key = (gint64) (((guint64) group << 32) | kind);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->index, &key));

  return number > 0 ? &g_array_index (self->cells, Cell, number - 1) : NULL;
}

static Cell *
add_cell (FindingsComparison *self, CompareGroup *place, guint group, guint kind)
{
  gint64 key = (gint64) (((guint64) group << 32) | kind);
  Cell *cell = group_element_at (self->cells, self->cells->len);

  cell->kind = kind;
  cell->next = place->first;
  place->first = self->cells->len;
  g_hash_table_insert (self->index, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (self->cells->len));

  return cell;
}

FindingsValue
findings_value_new (const Findings *findings, double at, const double *times, double waited, double size)
{
  double part = N_BLOCKS * (at - findings->work[0]) / (findings->work[1] - findings->work[0]);
  FindingsValue self = { .waited = fmax (waited, 0), .block = part > 0 ? (guint) fmin (part, N_BLOCKS - 1) : 0 };

  for (guint i = 0; i < FINDINGS_N_MEASURES; i++)
    {
      self.times[i] = times[i];
      if (times[i] > 0)
        self.logs[i] = i > 0 && times[i] == times[0] ? self.logs[0] : log (times[i] / size);
    }

  return self;
}

void
findings_comparison_add (FindingsComparison *self, guint group, guint kind, const FindingsValue *value)
{
  CompareGroup *place = group_element_at (self->groups, group);
  CompareKind *all = group_element_at (self->kinds, kind);
  Cell *cell = find_cell (self, group, kind);

  if (cell == NULL)
    cell = add_cell (self, place, group, kind);
  place->waited += value->waited;
  for (guint i = 0; i < FINDINGS_N_MEASURES; i++)
    if (value->times[i] > 0)
      {
        place->time[i] += value->times[i];
        compare_add_value (&cell->values[i], value->block, value->logs[i]);
        compare_add_value (&all->values[i], value->block, value->logs[i]);
      }
}

static void
subtract (CompareValues *values, const CompareValues *other)
{
  values->n -= other->n;
  values->sum -= other->sum;
  values->squares -= other->squares;
  for (guint i = 0; i < N_BLOCKS; i++)
    {
      values->blocks[i].n -= other->blocks[i].n;
      values->blocks[i].sum -= other->blocks[i].sum;
    }
}

static double
get_squares (const CompareValues *values)
{
  return fmax (values->squares - values->sum * values->sum / values->n, 0);
}

/* Adds the values of one kind to the spread. @factor: 1 to add the values, -1 to subtract them */
static void
add_to_spread (Spread *self, const CompareValues *values, int factor)
{
  if (values->n < 1)
    return;
  self->squares += factor * get_squares (values);
  self->degrees += factor * (values->n - 1);
  for (guint i = 0; i < N_BLOCKS; i++)
    {
      self->blocks[i].n += factor * values->blocks[i].n;
      self->blocks[i].sum += factor * (values->blocks[i].sum - values->blocks[i].n * values->sum / values->n);
    }
}

static Spread
measure_spread (const FindingsComparison *self, FindingsMeasure measure)
{
  Spread spread = { 0 };

  for (guint i = 0; i < self->kinds->len; i++)
    add_to_spread (&spread, &g_array_index (self->kinds, CompareKind, i).values[measure], 1);

  return spread;
}

/* Difference between a group and the other groups: the mean distance of the group's values. The distance of a value is
 * the value minus the mean of the other groups' values of the same kind, such as times of one category. */
typedef struct
{
  double n, n_others; /* number of the group's values that have a distance, and of the others' values */
  double sum;         /* sum of the distances */
  double squares, squares_others;
  double degrees, degrees_others;
  double weight;                          /* factor by which the variance of others' values enters that of @sum */
  Block blocks[N_BLOCKS];                 /* distances in each part of the run */
  double own[N_BLOCKS], others[N_BLOCKS]; /* number of values in each part of the run */
  Spread spread;                          /* spread of the values of the other groups */
} CompareDifference;

static void
add_cell_to_difference (CompareDifference *self, const CompareValues *own, const CompareValues *others)
{
  if (own->n < 1 || others->n < 1)
    return;
  self->n += own->n;
  self->n_others += others->n;
  self->sum += own->sum - own->n * others->sum / others->n;
  self->squares += get_squares (own);
  self->squares_others += get_squares (others);
  self->degrees += own->n - 1;
  self->degrees_others += others->n - 1;
  self->weight += own->n * own->n / others->n;
  for (guint i = 0; i < N_BLOCKS; i++)
    {
      const Block *a = &own->blocks[i], *b = &others->blocks[i];

      self->own[i] += a->n;
      self->others[i] += b->n;
      if (a->n < 1 || b->n < 1)
        continue;
      self->blocks[i].n += a->n;
      self->blocks[i].sum += a->sum - a->n * b->sum / b->n;
    }
}

/* Compares @group with all groups of @all except @without. @spread: spread of the values of the groups in @all */
static CompareDifference
measure_difference (const FindingsComparison *self, guint group, const FindingsComparison *all, guint without,
                    FindingsMeasure measure, const Spread *spread)
{
  CompareDifference difference = { .spread = *spread };

  for (guint i = g_array_index (self->groups, CompareGroup, group).first; i > 0;
       i = g_array_index (self->cells, Cell, i - 1).next)
    {
      const Cell *cell = &g_array_index (self->cells, Cell, i - 1);
      const Cell *excluded = find_cell (all, without, cell->kind);
      CompareValues others = g_array_index (all->kinds, CompareKind, cell->kind).values[measure];

      if (cell->values[measure].n < 1)
        continue;
      add_to_spread (&difference.spread, &others, -1);
      if (excluded != NULL)
        subtract (&others, &excluded->values[measure]);
      add_to_spread (&difference.spread, &others, 1);
      add_cell_to_difference (&difference, &cell->values[measure], &others);
    }

  return difference;
}

double
findings_comparison_get_ratio (const FindingsComparison *self, guint group, const FindingsComparison *all,
                               guint without, FindingsMeasure measure)
{
  CompareDifference difference = measure_difference (self, group, all, without, measure, &(Spread) { 0 });

  return exp (difference.sum / difference.n);
}

/* Returns the part of the difference's variance that comes from changes of all times during the run. If, for example,
 * the load of a machine changes, values in the same part of the run are not independent. The part is estimated from the
 * other groups. It is 0 if the values of the group and of the other groups are spread over the run in the same way; NaN
 * if it is unknown. @degrees: set to the degrees of freedom of the part */
static double
get_drift (const CompareDifference *self, double *degrees)
{
  double n = 0, between = 0, squares_of_n = 0, apart = 0, n_blocks = 0;
  double within, variance;

  for (guint i = 0; i < N_BLOCKS; i++)
    {
      const Block *block = &self->spread.blocks[i];

      apart += pow (self->own[i] / self->n - self->others[i] / self->n_others, 2);
      if (block->n < 1)
        continue;
      n_blocks++;
      n += block->n;
      squares_of_n += block->n * block->n;
      between += block->sum * block->sum / block->n;
    }
  *degrees = n_blocks - 1;
  if (!(apart > 0))
    return 0;
  within = fmax (self->spread.squares - between, 0) / fmax (self->spread.degrees - *degrees, 1);
  variance = (between - *degrees * within) / (n - squares_of_n / n);

  return n_blocks < 2 ? NAN : apart * fmax (variance, 0);
}

/* Returns the p value: the probability that groups which do not differ in truth show at least this difference. */
static double
test_difference (const CompareDifference *self)
{
  double drift_degrees;
  double drift = get_drift (self, &drift_degrees);
  double mean = self->sum / self->n;
  /* If a group has only one value of each kind, its own variance is unknown, so use the variance of all groups. */
  double all = (self->squares + self->squares_others) / (self->degrees + self->degrees_others);
  double own = self->degrees > 0 ? self->squares / self->degrees : all;
  double others = self->degrees_others > 0 ? self->squares_others / self->degrees_others : all;
  double a = own / self->n;
  double b = others * self->weight / (self->n * self->n);
  double variance = a + b + drift;
  double degrees =
      variance * variance /
      ((self->degrees > 0 ? a * a / self->degrees : 0) + (self->degrees_others > 0 ? b * b / self->degrees_others : 0) +
       (drift > 0 ? drift * drift / drift_degrees : 0));

  if (isnan (variance))
    return 1;
  if (!(variance > 0))
    return mean > 0 ? 0 : 1;

  return student_tail (mean / sqrt (variance), degrees);
}

static gboolean
is_lasting (const CompareDifference *self)
{
  guint n = 0, n_slower = 0;

  for (guint i = 0; i < N_BLOCKS; i++)
    if (self->blocks[i].n > 0)
      {
        n++;
        n_slower += self->blocks[i].sum / self->blocks[i].n >= log (IN_EACH);
      }

  return n >= LEAST_BLOCKS && n_slower + 1 >= n;
}

static gboolean
is_compared (const CompareDifference *self)
{
  return self->n >= LEAST_VALUES && self->n_others >= LEAST_VALUES;
}

double
findings_comparison_get_total (const FindingsComparison *self, FindingsMeasure measure)
{
  double total = 0;

  for (guint i = 0; i < self->groups->len; i++)
    total += g_array_index (self->groups, CompareGroup, i).time[measure];

  return total;
}

/* Returns whether the group is slower than the other groups. Sets @ratio, and sets @p to the p value after
 * correction. */
static gboolean
is_slower (const CompareDifference *difference, FindingsMeasure measure, guint n_groups, double *ratio, double *p)
{
  gboolean may_be_short = measure == FINDINGS_BY_CPU || is_lasting (difference);

  *ratio = exp (difference->sum / difference->n);
  *p = 1;
  if (!is_compared (difference) || *ratio < (may_be_short ? LASTING_RATIO : LEAST_RATIO))
    return FALSE;
  *p = test_difference (difference) * n_groups * N_TESTS;

  return *p < LEVEL;
}

gboolean
findings_comparison_is_slower (const FindingsComparison *self, guint group, FindingsMeasure measure, guint n_groups)
{
  Spread spread = measure_spread (self, measure);
  CompareDifference difference = measure_difference (self, group, self, group, measure, &spread);
  double ratio, p;

  return is_slower (&difference, measure, n_groups, &ratio, &p);
}

gboolean
findings_compare (const FindingsComparison *self, FindingsMeasure measure, FindingsVerdict *verdict)
{
  Spread spread = measure_spread (self, measure);

  *verdict = (FindingsVerdict) { .p = 1 };
  for (guint i = 0; i < self->groups->len; i++)
    {
      CompareDifference difference = measure_difference (self, i, self, i, measure, &spread);

      verdict->n_groups += is_compared (&difference) ? 1 : 0;
    }
  for (guint i = 0; i < self->groups->len; i++)
    {
      const CompareGroup *group = &g_array_index (self->groups, CompareGroup, i);
      CompareDifference difference = measure_difference (self, i, self, i, measure, &spread);
      double ratio, p;

      if (!is_slower (&difference, measure, verdict->n_groups, &ratio, &p))
        continue;
      verdict->n_slower++;
      if (group->time[measure] * (1 - 1 / ratio) > verdict->excess)
        {
          verdict->group = i;
          verdict->ratio = ratio;
          verdict->p = p;
          verdict->excess = group->time[measure] * (1 - 1 / ratio);
          verdict->waited = measure == FINDINGS_BY_CPU ? 0 : verdict->excess * group->waited / group->time[measure];
        }
    }

  return verdict->n_groups >= 2;
}
