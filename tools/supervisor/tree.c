/* SPDX-License-Identifier: BSD-3-Clause */

#include "tree.h"

#include <stdlib.h>

#include "reader.h"

static size_t
bucket_of (const Tree *tree, int32_t pid)
{
  return (uint32_t) pid % tree->n_buckets;
}

Process *
tree_find (const Tree *tree, int32_t pid)
{
  Process *process;

  if (tree->n_buckets == 0)
    return NULL;
  for (process = tree->buckets[bucket_of (tree, pid)]; process != NULL; process = process->next)
    if (process->pid == pid)
      return process;

  return NULL;
}

static void
link_in (Tree *tree, Process *process)
{
  Process **bucket = &tree->buckets[bucket_of (tree, process->pid)];

  process->next = *bucket;
  *bucket = process;
}

static bool
grow (Tree *tree)
{
  size_t capacity = tree->capacity != 0 ? tree->capacity * 2 : 128;
  Process **all = realloc (tree->all, capacity * sizeof *all);
  Process **buckets = calloc (capacity * 2, sizeof *buckets);

  if (all != NULL)
    tree->all = all;
  if (all == NULL || buckets == NULL)
    {
      free (buckets);
      return false;
    }
  free (tree->buckets);
  tree->buckets = buckets;
  tree->n_buckets = capacity * 2;
  tree->capacity = capacity;
  for (size_t i = 0; i < tree->n; i++)
    link_in (tree, tree->all[i]);

  return true;
}

Process *
tree_add (Tree *tree, int32_t pid)
{
  Process *process;

  if (tree->n == tree->capacity && !grow (tree))
    return NULL;
  process = calloc (1, sizeof *process);
  if (process == NULL)
    return NULL;
  process->id = ++tree->last_id;
  process->pid = pid;
  process->dir_fd = process->stat_fd = process->io_fd = process->smaps_fd = -1;
  process->namespace_pid = process->pid_namespace = -1;
  process->sched_fd = process->children_fd = process->pidfd = -1;
  process->run_queue = process->seen_cpu = process->peak_rss = process->pss = -1;
  process->inherited_peak = INT64_MAX;
  process->fresh = true;
  process->index = tree->n;
  tree->all[tree->n++] = process;
  link_in (tree, process);

  return process;
}

void
tree_remove (Tree *tree, Process *process)
{
  Process **link = &tree->buckets[bucket_of (tree, process->pid)];

  while (*link != process)
    link = &(*link)->next;
  *link = process->next;
  tree->all[process->index] = tree->all[--tree->n];
  tree->all[process->index]->index = process->index;
  reader_close (process);
  free (process);
}
