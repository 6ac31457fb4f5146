/* SPDX-License-Identifier: BSD-3-Clause */

/* Runs a one-sided Welch's test of each group against all others at the 1 % level with Bonferroni correction: with 40
 * workers, each test must reach 0.025 %. A group must also be 1.5 times as slow, or 1.2 times throughout the run,
 * because other load on a machine comes and goes. */

#include "findings.h"
#include "student.h"

#define LEVEL 0.01
#define LEAST_RATIO 1.5
#define LASTING_RATIO 1.2
#define IN_EACH 1.1    /* times as long, in every part of the run except one */
#define LEAST_BLOCKS 6 /* parts of the run with values of both groups */
#define LEAST_VALUES 3

static void
add_times (FindingsGroup *self, const FindingsGroup *other, int factor)
{
  self->n += factor * other->n;
  self->sum += factor * other->sum;
  self->squares += factor * other->squares;
  self->time += factor * other->time;
  self->waited += factor * other->waited;
  for (guint i = 0; i < FINDINGS_N_BLOCKS; i++)
    {
      self->blocks[i].n += factor * other->blocks[i].n;
      self->blocks[i].sum += factor * other->blocks[i].sum;
    }
}

void
findings_join (FindingsGroup *self, const FindingsGroup *other)
{
  add_times (self, other, 1);
}

guint
findings_get_block (Findings *self, double time)
{
  double block = FINDINGS_N_BLOCKS * (time - self->work[0]) / (self->work[1] - self->work[0]);

  return block > 0 ? (guint) fmin (block, FINDINGS_N_BLOCKS - 1) : 0;
}

static double
get_mean (const FindingsGroup *group)
{
  return group->sum / (double) group->n;
}

/* Returns the variance of the mean. */
static double
get_variance (const FindingsGroup *group)
{
  double n = (double) group->n;
  double variance = (group->squares - group->sum * group->sum / n) / (n - 1);

  return fmax (variance, 0) / n;
}

static double
test_groups (const FindingsGroup *group, const FindingsGroup *others)
{
  double a = get_variance (group);
  double b = get_variance (others);
  double difference = get_mean (group) - get_mean (others);
  double degrees = (a + b) * (a + b) / (a * a / (double) (group->n - 1) + b * b / (double) (others->n - 1));

  if (!(a + b > 0))
    return difference > 0 ? 0 : 1;

  return student_tail (difference / sqrt (a + b), degrees);
}

static gboolean
is_lasting (const FindingsGroup *group, const FindingsGroup *others)
{
  guint n = 0, n_slower = 0;

  for (guint i = 0; i < FINDINGS_N_BLOCKS; i++)
    {
      const FindingsBlock *a = &group->blocks[i], *b = &others->blocks[i];

      if (a->n == 0 || b->n == 0)
        continue;
      n++;
      n_slower += a->sum / (double) a->n - b->sum / (double) b->n >= log (IN_EACH);
    }

  return n >= LEAST_BLOCKS && n_slower + 1 >= n;
}

static gboolean
is_compared (const FindingsGroup *group)
{
  return group->n >= LEAST_VALUES;
}

gboolean
findings_compare (GArray *groups, FindingsVerdict *verdict)
{
  FindingsGroup all = { 0 };

  *verdict = (FindingsVerdict) { .p = 1 };
  for (guint i = 0; i < groups->len; i++)
    {
      const FindingsGroup *group = &g_array_index (groups, FindingsGroup, i);

      findings_join (&all, group);
      verdict->n_groups += is_compared (group) ? 1 : 0;
    }
  if (verdict->n_groups < 2)
    return FALSE;
  for (guint i = 0; i < groups->len; i++)
    {
      const FindingsGroup *group = &g_array_index (groups, FindingsGroup, i);
      FindingsGroup others = all;
      double ratio = 0;
      double p = 1;

      add_times (&others, group, -1);
      if (!is_compared (group) || !is_compared (&others))
        continue;
      ratio = exp (get_mean (group) - get_mean (&others));
      if (ratio >= LEAST_RATIO || (ratio >= LASTING_RATIO && is_lasting (group, &others)))
        p = test_groups (group, &others) * verdict->n_groups;
      if (!(p < LEVEL))
        continue;
      verdict->n_slower++;
      if (group->time * (1 - 1 / ratio) > verdict->excess)
        {
          verdict->group = i;
          verdict->ratio = ratio;
          verdict->p = p;
          verdict->excess = group->time * (1 - 1 / ratio);
        }
    }

  return TRUE;
}
