/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds workers whose threads together use about one core, however many tasks a worker runs at a time. This is typical
 * of threads of one Python process, because the GIL lets only one of them compute at a time. */

#include "findings.h"

#define TURNS_LEAST_TASKS 1.5 /* look only at workers that ran at least this many tasks at a time, on average */
#define LEAST_CPU 0.7         /* cores; a worker that uses less may wait for something other than the GIL */
#define MOST_CPU 1.15         /* cores; in a worker that uses more, several threads compute at once */
#define TURNS_MOSTLY 0.5      /* report only if workers whose threads take turns have this share of all waiting */

/* Returns whether the threads of a worker took turns, so that only one of them computed at a time. */
static gboolean
took_turns (const RoastRunWorker *worker, const FindingsPlace *place)
{
  double length = place != NULL ? (place->last - place->first) / G_USEC_PER_SEC : NAN;

  /* The length of a worker without tasks is NaN, so each comparison is false. */
  return !worker->is_process && worker->cores >= 2 && place != NULL && place->time >= TURNS_LEAST_TASKS * length &&
         place->cpu_of_threads >= LEAST_CPU * length && place->cpu_of_threads <= MOST_CPU * length;
}

gboolean
findings_find_turns (Findings *self, FindingsTurns *turns)
{
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (self->model, &n);
  double all = 0, waited = 0, most = 0;
  GHashTableIter iter;
  gpointer value;

  *turns = (FindingsTurns) { 0 };
  g_hash_table_iter_init (&iter, self->places);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    all += ((const FindingsPlace *) value)->waited;
  for (guint i = 0; i < n; i++)
    {
      const FindingsPlace *place = findings_find_place (self, workers[i].worker);

      if (!took_turns (&workers[i], place))
        continue;
      waited += place->time - place->cpu_of_threads;
      if (place->time - place->cpu_of_threads <= most)
        continue;
      most = place->time - place->cpu_of_threads;
      turns->worker = workers[i].worker;
      turns->threads = workers[i].cores;
      turns->cpu = place->cpu_of_threads / ((place->last - place->first) / G_USEC_PER_SEC);
    }

  return turns->worker != NULL && waited >= TURNS_MOSTLY * all;
}
