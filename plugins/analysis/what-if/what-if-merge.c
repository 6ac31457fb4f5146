/* SPDX-License-Identifier: BSD-3-Clause */

/* Merge neighbouring attempts of a category into one attempt. */

#include "what-if.h"

#include <math.h>

#include "statistics.h"

#define SURE 3 /* a fit is used only if its intercept (time for no events) is at least this many standard errors */

#define WHAT_IF_MERGE_ATTEMPT(run, i) (&g_array_index ((run)->attempts, Attempt, (i)))

/* ---- start-up of attempts ---- */

/* Return a table that maps the name of a task to the number of events that it processed; NULL if no chunk reports both
 * its task and its events. */
static GHashTable *
read_events (const Run *run)
{
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (run->recording);
  g_autoptr (GHashTable) events = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  while (roast_table_reader_next (chunks))
    {
      const char *task = roast_table_reader_get_string (chunks, ROAST_CHUNKS_TASK);
      double amount = roast_table_reader_get_double (chunks, ROAST_CHUNKS_EVENTS);
      double *sum = NULL;

      if (task == NULL || isnan (amount))
        continue;
      sum = g_hash_table_lookup (events, task);
      if (sum == NULL)
        {
          sum = g_new0 (double, 1);
          g_hash_table_insert (events, g_strdup (task), sum);
        }
      *sum += amount;
    }

  return g_hash_table_size (events) > 0 ? g_steal_pointer (&events) : NULL;
}

/* Return the time in s that an attempt of a category would take for no events, from a linear fit; NaN if this time is
 * unknown. @reason: set to the reason if the time is unknown */
double
run_find_start_up (const Run *run, guint32 category, const char **reason)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (run->recording);
  g_autoptr (GHashTable) events = read_events (run);
  g_autoptr (GArray) x = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) y = g_array_new (FALSE, FALSE, sizeof (double));
  Line line;

  *reason = "no chunk reports both its task and its number of events";
  for (guint i = 0; tasks != NULL && events != NULL && i < run->attempts->len; i++)
    {
      const double *amount = NULL;
      double seconds = run->seconds[i];

      if (WHAT_IF_MERGE_ATTEMPT (run, i)->category != category)
        continue;
      roast_table_reader_seek (tasks, WHAT_IF_MERGE_ATTEMPT (run, i)->row);
      amount = g_hash_table_lookup (events, roast_table_reader_get_string (tasks, ROAST_TASKS_TASK));
      if (amount == NULL)
        continue;
      g_array_append_vals (x, amount, 1);
      g_array_append_val (y, seconds);
    }
  line = line_fit ((const double *) (gpointer) x->data, (const double *) (gpointer) y->data, x->len);
  if (x->len > 0)
    *reason = "the times of these tasks do not show which part is independent of the number of events";

  return line.intercept > SURE * line.intercept_error ? line.intercept : NAN;
}

/* ---- groups ---- */

/* An attempt of the merged run, made of one or more attempts of the recorded run. */
typedef struct
{
  guint32 number, n, left;
  guint32 first;       /* index of the member that was submitted first */
  double ready, ended; /* time at which the last member became ready; time at which the first member ended */
} WhatIfMergeGroup;

typedef struct
{
  const Run *run;
  GArray *groups; /* elements are WhatIfMergeGroup */
  guint32 *of;    /* maps each attempt of the run to the index of its group in @groups */
} WhatIfMergeGroups;

/* Return whether attempt @i can be merged into the group. Its attempts must wait for the same result and hold the same
 * number of slots. All of them must be ready before the first of them ended. */
static gboolean
group_accepts (const WhatIfMergeGroups *self, const WhatIfMergeGroup *group, guint32 i)
{
  const Run *run = self->run;

  return run->releasers[i] == run->releasers[group->first] && run->slots[i] == run->slots[group->first] &&
         fmax (group->ready, WHAT_IF_MERGE_ATTEMPT (run, i)->ready) <=
             fmin (group->ended, WHAT_IF_MERGE_ATTEMPT (run, i)->ended);
}

static void
groups_fill (WhatIfMergeGroups *self, guint32 category, guint32 most)
{
  const Run *run = self->run;
  guint32 open = NO_TASK; /* index of the group to which more attempts may be added */

  for (guint k = 0; k < run->attempts->len; k++)
    {
      guint32 i = run->order[k];
      const Attempt *attempt = WHAT_IF_MERGE_ATTEMPT (run, i);
      WhatIfMergeGroup group = { NO_TASK, 1, 1, i, attempt->ready, attempt->ended };
      WhatIfMergeGroup *last = open != NO_TASK ? &g_array_index (self->groups, WhatIfMergeGroup, open) : NULL;

      if (attempt->category == category && last != NULL && last->n < most && group_accepts (self, last, i))
        {
          last->left = ++last->n;
          last->ready = fmax (last->ready, attempt->ready);
          last->ended = fmin (last->ended, attempt->ended);
          self->of[i] = open;
          continue;
        }
      self->of[i] = self->groups->len;
      if (attempt->category == category)
        open = self->groups->len;
      g_array_append_val (self->groups, group);
    }
}

/* Number the groups by the earliest start of their members, because attempts of a run must be sorted by start. */
static void
groups_number (WhatIfMergeGroups *self)
{
  guint32 next = 0;

  for (guint i = 0; i < self->run->attempts->len; i++)
    {
      WhatIfMergeGroup *group = &g_array_index (self->groups, WhatIfMergeGroup, self->of[i]);

      if (group->number == NO_TASK)
        group->number = next++;
    }
}

static WhatIfMergeGroup *
groups_get (const WhatIfMergeGroups *self, guint32 i)
{
  return &g_array_index (self->groups, WhatIfMergeGroup, self->of[i]);
}

/* Return an array. Its element k is the number of groups all of whose members are among the first k results. */
static guint32 *
groups_count_results (const WhatIfMergeGroups *self)
{
  guint n = self->run->attempts->len;
  guint32 *complete = g_new0 (guint32, n + 1);

  for (guint i = 0; i < self->groups->len; i++)
    g_array_index (self->groups, WhatIfMergeGroup, i).left = g_array_index (self->groups, WhatIfMergeGroup, i).n;
  for (guint k = 0; k < n; k++)
    complete[k + 1] = complete[k] + (--groups_get (self, self->run->results[k])->left == 0);

  return complete;
}

/* Return the releases of the groups. The release of a group is that of the member that was submitted last. */
static Release *
groups_merge_releases (const WhatIfMergeGroups *self, const Release *releases, const guint32 *complete)
{
  Release *merged = NULL;

  if (releases == NULL)
    return NULL;
  merged = g_new (Release, self->groups->len);
  for (guint k = 0; k < self->run->attempts->len; k++)
    {
      const Release *release = &releases[self->run->order[k]];

      merged[groups_get (self, self->run->order[k])->number] = (Release) { release->delay, complete[release->after] };
    }

  return merged;
}

static void
groups_merge_attempts (const WhatIfMergeGroups *self, double saved, Run *merged)
{
  const Run *run = self->run;
  guint32 n_submitted = 0;

  for (guint i = 0; i < self->groups->len; i++)
    g_array_index (self->groups, WhatIfMergeGroup, i).left = g_array_index (self->groups, WhatIfMergeGroup, i).n;
  for (guint k = 0; k < run->attempts->len; k++)
    {
      guint32 i = run->order[k], releaser = run->releasers[i];
      WhatIfMergeGroup *group = groups_get (self, i);
      gboolean is_first = group->first == i;
      float *seconds = &merged->seconds[group->number];

      if (--group->left == 0)
        merged->order[n_submitted++] = group->number;
      *seconds = is_first ? run->seconds[i] : *seconds + (float) fmax (run->seconds[i] - saved, 0);
      merged->slots[group->number] = run->slots[i];
      merged->releasers[group->number] = releaser == NO_TASK ? NO_TASK : groups_get (self, releaser)->number;
    }
}

void
run_merge (const Run *self, guint32 category, guint n, double saved, Run *merged)
{
  guint n_attempts = self->attempts->len;
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (WhatIfMergeGroup));
  g_autofree guint32 *of = g_new (guint32, n_attempts);
  g_autofree guint32 *complete = NULL;
  WhatIfMergeGroups groups = { self, members, of };

  groups_fill (&groups, category, n);
  groups_number (&groups);
  complete = groups_count_results (&groups);
  *merged = *self;
  merged->source = g_strdup (self->source);
  merged->attempts = g_array_new (FALSE, TRUE, sizeof (Attempt));
  g_array_set_size (merged->attempts, members->len);
  merged->steps = g_array_ref (self->steps);
  merged->joined = g_array_ref (self->joined);
  merged->results = NULL;
  merged->seconds = g_new (float, members->len);
  merged->slots = g_new (guint32, members->len);
  merged->order = g_new (guint32, members->len);
  merged->releasers = g_new (guint32, members->len);
  merged->releases = groups_merge_releases (&groups, self->releases, complete);
  merged->otherwise = groups_merge_releases (&groups, self->otherwise, complete);
  groups_merge_attempts (&groups, saved, merged);
}
