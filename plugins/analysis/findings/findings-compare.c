/* SPDX-License-Identifier: BSD-3-Clause */

/* Welch's test of each group against all others, one-sided, at 1 % after Bonferroni's correction: with 40 workers, a
 * single test must be at 0.025 %. A group must also be slower by half, so that a difference matters. */

#include "findings.h"
#include "student.h"

#define LEVEL 0.01
#define LEAST_RATIO 1.5
#define LEAST_VALUES 3

static FindingsGroup
subtract (const FindingsGroup *all, const FindingsGroup *group)
{
  return (FindingsGroup) { all->n - group->n, all->sum - group->sum, all->squares - group->squares,
                           all->time - group->time, all->waited - group->waited };
}

static double
get_mean (const FindingsGroup *group)
{
  return group->sum / (double) group->n;
}

/* Of the mean. */
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

      all.n += group->n;
      all.sum += group->sum;
      all.squares += group->squares;
      all.time += group->time;
      all.waited += group->waited;
      verdict->n_groups += is_compared (group) ? 1 : 0;
    }
  if (verdict->n_groups < 2)
    return FALSE;
  for (guint i = 0; i < groups->len; i++)
    {
      const FindingsGroup *group = &g_array_index (groups, FindingsGroup, i);
      FindingsGroup others = subtract (&all, group);
      double ratio = 0;
      double p = 1;

      if (!is_compared (group) || !is_compared (&others))
        continue;
      ratio = exp (get_mean (group) - get_mean (&others));
      p = ratio >= LEAST_RATIO ? test_groups (group, &others) * verdict->n_groups : 1;
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
