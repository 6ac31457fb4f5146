/* SPDX-License-Identifier: BSD-3-Clause */

#include "affinity.h"

#include <sched.h>
#include <string.h>

void
affinity_init (Affinity *self)
{
  *self = (Affinity) { .now = -1, .least = -1, .most = -1 };
  if (sched_getaffinity (0, sizeof self->own, &self->own) != 0)
    memset (&self->own, 0xff, sizeof self->own);
}

static bool
has_all (const Affinity *self, const cpu_set_t *cores)
{
  cpu_set_t both;

  CPU_AND (&both, &self->own, cores);

  return CPU_EQUAL (&both, &self->own);
}

/* Counts the cores in the masks of main threads. Adds the masks of other threads only until all cores of the supervisor
 * are included, because reading the masks of very many threads is slow, and a program rarely uses cores that the
 * supervisor is not allowed to use. */
static int64_t
count_cores (const Affinity *self, const Tree *tree)
{
  cpu_set_t all;

  CPU_ZERO (&all);
  for (int threads = 0; threads <= 1; threads++)
    for (size_t i = 0; i < tree->n && (threads == 0 || !has_all (self, &all)); i++)
      if (threads == 0 || tree->all[i]->stat.threads > 1)
        reader_affinity (tree->all[i], threads == 1, &all);

  return CPU_COUNT (&all) > 0 ? CPU_COUNT (&all) : -1;
}

void
affinity_read (Affinity *self, const Tree *tree, int64_t now, bool counts)
{
  self->now = count_cores (self, tree);
  if (self->now < 0 || !counts)
    return;
  if (self->least < 0 || self->now < self->least)
    self->least = self->now;
  if (self->now > self->most)
    self->most = self->now;
  if (self->before > 0 && now > self->before)
    {
      self->time += self->now * (now - self->before);
      self->duration += now - self->before;
    }
  self->before = now;
}

void
affinity_add_bound (Affinity *self, const BoundQueue *queue, int64_t before, int64_t most)
{
  int64_t waited = queue->wait - before < most ? queue->wait - before : most;

  if (waited <= 0)
    return;
  self->waited += waited;
  CPU_OR (&self->bound, &self->bound, &queue->cores);
}

int64_t
affinity_average (const Affinity *self)
{
  if (self->least == self->most || self->duration == 0)
    return self->most >= 0 ? self->most * 1000000 : -1;

  return (int64_t) ((double) self->time / (double) self->duration * 1e6);
}
