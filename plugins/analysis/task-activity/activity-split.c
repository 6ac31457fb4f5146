/* SPDX-License-Identifier: BSD-3-Clause */
#include "activity-split.h"

#include <math.h>

#include "activity-sums.h"
#include "each.h"

/* CPU time of a worker's process outside the threads of tasks. */
typedef struct
{
  gboolean is_known;
  double rest; /* s: CPU time of other threads and child processes */
  double loop; /* s: CPU time of the event loop, which runs asynchronous tasks */
  double unsplit[ROAST_ROLE_N_WORDS];
  gboolean is_asynchronous[ROAST_ROLE_N_WORDS];
} SplitProcess;

/* Time of the tasks of one category in one worker. */
typedef struct
{
  ActivitySum *worker, *category;
  double cpu, noncpu;
  gboolean has_cpu; /* the threads of the tasks were measured, so these tasks did not run in the event loop */
} Pair;

struct _ActivitySplit
{
  GHashTable *sources;    /* names of the sources whose workers report their processes */
  GPtrArray *processes;   /* elements are SplitProcess * */
  GHashTable *by_name;    /* maps the name of a process that several workers share to its SplitProcess */
  GHashTable *by_worker;  /* maps the ActivitySum of a worker to the SplitProcess of its process */
  GPtrArray *workers;     /* keys of by_worker, in the order of rows, so that sums are reproducible */
  GPtrArray *pairs;       /* elements are Pair *, in the order of rows */
  GHashTable *pair_index; /* set of the pairs, for looking up a pair by worker and category */
};

static guint
pair_hash (gconstpointer data)
{
  const Pair *pair = data;

  return 31 * g_direct_hash (pair->worker) + g_direct_hash (pair->category);
}

static gboolean
pair_equal (gconstpointer a, gconstpointer b)
{
  const Pair *first = a;
  const Pair *second = b;

  return first->worker == second->worker && first->category == second->category;
}

ActivitySplit *
activity_split_new (void)
{
  ActivitySplit *self = g_new0 (ActivitySplit, 1);

  self->sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->processes = g_ptr_array_new_with_free_func (g_free);
  self->by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->by_worker = g_hash_table_new (NULL, NULL);
  self->workers = g_ptr_array_new ();
  self->pairs = g_ptr_array_new_with_free_func (g_free);
  self->pair_index = g_hash_table_new (pair_hash, pair_equal);

  return self;
}

void
activity_split_free (ActivitySplit *self)
{
  g_hash_table_unref (self->sources);
  g_ptr_array_unref (self->processes);
  g_hash_table_unref (self->by_name);
  g_hash_table_unref (self->by_worker);
  g_ptr_array_unref (self->workers);
  g_ptr_array_unref (self->pairs);
  g_hash_table_unref (self->pair_index);
  g_free (self);
}

void
activity_split_add_source (ActivitySplit *self, const char *source)
{
  g_hash_table_add (self->sources, g_strdup (source));
}

static SplitProcess *
split_add_process (ActivitySplit *self)
{
  SplitProcess *process = g_new0 (SplitProcess, 1);

  g_ptr_array_add (self->processes, process);

  return process;
}

void
activity_split_add_worker (ActivitySplit *self, ActivitySum *worker, const char *name)
{
  SplitProcess *process = name != NULL ? g_hash_table_lookup (self->by_name, name) : NULL;

  if (process == NULL)
    {
      process = split_add_process (self);
      if (name != NULL)
        g_hash_table_insert (self->by_name, g_strdup (name), process);
    }
  if (g_hash_table_insert (self->by_worker, worker, process))
    g_ptr_array_add (self->workers, worker);
}

static SplitProcess *
split_get_process (ActivitySplit *self, ActivitySum *worker)
{
  if (!g_hash_table_contains (self->by_worker, worker))
    activity_split_add_worker (self, worker, NULL);

  return g_hash_table_lookup (self->by_worker, worker);
}

void
activity_split_add_time (ActivitySplit *self, ActivitySum *worker, ActivitySum *category, gboolean is_cpu,
                         double seconds)
{
  const Pair key = { .worker = worker, .category = category };
  Pair *pair = g_hash_table_lookup (self->pair_index, &key);

  if (pair == NULL)
    {
      pair = g_memdup2 (&key, sizeof key);
      g_ptr_array_add (self->pairs, pair);
      g_hash_table_add (self->pair_index, pair);
    }
  pair->has_cpu |= is_cpu;
  *(is_cpu ? &pair->cpu : &pair->noncpu) += seconds;
}

double
activity_split_get_time (ActivitySplit *self, ActivitySum *worker, ActivitySum *category, gboolean is_cpu)
{
  const Pair key = { .worker = worker, .category = category };
  const Pair *pair = g_hash_table_lookup (self->pair_index, &key);

  return pair == NULL ? 0 : is_cpu ? pair->cpu : pair->noncpu;
}

/* ---- the split ---- */

static void
add_cpu_of_workers (ActivitySplit *self)
{
  for (guint i = 0; i < self->pairs->len; i++)
    split_get_process (self, ((Pair *) g_ptr_array_index (self->pairs, i))->worker);
  FOR_EACH_POINTER (const ActivitySum, worker, self->workers)
    {
      SplitProcess *process = g_hash_table_lookup (self->by_worker, worker);

      if (!worker->has_process)
        continue;
      process->is_known = TRUE;
      process->rest += worker->process[ACTIVITY_PROCESS_OTHER_THREADS] + worker->process[ACTIVITY_PROCESS_CHILDREN];
      process->loop += worker->process[ACTIVITY_PROCESS_EVENT_LOOP];
    }
}

/* Return an upper bound of the CPU time in s that a process may have used for tasks in threads other than those of the
 * tasks. */
static double
get_limit (ActivitySplit *self, const SplitProcess *process, const char *source, gboolean is_asynchronous)
{
  if (process->is_known)
    return process->rest + (is_asynchronous ? process->loop : 0);

  return source != NULL && g_hash_table_contains (self->sources, source) ? INFINITY : 0;
}

static void
split_pair (ActivitySplit *self, const Pair *pair)
{
  SplitProcess *process = split_get_process (self, pair->worker);
  double unsplit = fmin (pair->noncpu, get_limit (self, process, pair->worker->key.source, !pair->has_cpu));

  pair->category->unsplit += unsplit;
  pair->worker->unsplit += unsplit;
  pair->worker->is_asynchronous |= !pair->has_cpu;
  process->unsplit[pair->category->role] += unsplit;
  process->is_asynchronous[pair->category->role] |= !pair->has_cpu;
}

void
activity_split_finish (ActivitySplit *self, double unsplit[ROAST_ROLE_N_WORDS])
{
  add_cpu_of_workers (self);
  for (guint i = 0; i < self->pairs->len; i++)
    split_pair (self, g_ptr_array_index (self->pairs, i));
  /* Count the CPU time of each process only once, even if several categories claim it. */
  FOR_EACH_POINTER (ActivitySum, worker, self->workers)
    {
      const SplitProcess *process = g_hash_table_lookup (self->by_worker, worker);

      worker->unsplit = fmin (worker->unsplit, get_limit (self, process, worker->key.source, worker->is_asynchronous));
    }
  FOR_EACH_POINTER (const SplitProcess, process, self->processes)
    for (guint role = 0; role < ROAST_ROLE_N_WORDS; role++)
      unsplit[role] += process->is_known ? fmin (process->unsplit[role],
                                                 get_limit (self, process, NULL, process->is_asynchronous[role]))
                                         : process->unsplit[role];
}
