/* SPDX-License-Identifier: BSD-3-Clause */

/* The processes of the supervisor, found by their pids. */

#include "tree.h"

#include <glib.h>
#include <stdlib.h>

#include "fake-processes.h"

static void
assert_found (const Tree *tree, gint32 pid, const Process *expected)
{
  g_assert_true (tree_find (tree, pid) == expected);
}

static void
clear (Tree *tree)
{
  while (tree->n > 0)
    tree_remove (tree, tree->all[0]);
  free (tree->all);
  free (tree->buckets);
}

static void
test_new (void)
{
  Tree tree = { 0 };
  Process *first, *second;

  assert_found (&tree, 1, NULL);
  first = tree_add (&tree, 70);
  second = tree_add (&tree, 60);
  g_assert_cmpuint (first->id, ==, 1);
  g_assert_cmpuint (second->id, ==, 2);
  g_assert_cmpint (second->pid, ==, 60);
  g_assert_cmpint (second->dir_fd, ==, -1);
  g_assert_cmpint (second->stat_fd, ==, -1);
  g_assert_cmpint (second->io_fd, ==, -1);
  g_assert_cmpint (second->smaps_fd, ==, -1);
  g_assert_cmpint (second->sched_fd, ==, -1);
  g_assert_cmpint (second->children_fd, ==, -1);
  g_assert_cmpint (second->run_queue, ==, -1);
  g_assert_cmpint (second->peak_rss, ==, -1);
  g_assert_cmpint (second->pss, ==, -1);
  g_assert_cmpint (second->inherited_peak, ==, INT64_MAX);
  g_assert_true (second->fresh);
  g_assert_false (second->zombie);
  fake_readers_closed = 0;
  tree_remove (&tree, first);
  g_assert_cmpuint (fake_readers_closed, ==, 1);
  /* A pid may be used again, a number is not. */
  g_assert_cmpuint (tree_add (&tree, 70)->id, ==, 3);
  g_assert_cmpuint (tree.n, ==, 2);
  clear (&tree);
}

/* Pids that differ by a multiple of the number of buckets share one. */
static void
test_chains (void)
{
  static const gint32 pids[] = { 5, 5 + 256, 5 + 512, 6, 5 + 1024, G_MAXINT32, G_MAXINT32 - 256, 1 };
  Tree tree = { 0 };
  Process *all[G_N_ELEMENTS (pids)];

  for (guint removed = 0; removed < G_N_ELEMENTS (pids); removed++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (pids); i++)
        all[i] = tree_add (&tree, pids[i]);
      assert_found (&tree, 5 + 2048, NULL);
      tree_remove (&tree, all[removed]);
      for (guint i = 0; i < G_N_ELEMENTS (pids); i++)
        assert_found (&tree, pids[i], i == removed ? NULL : all[i]);
      g_assert_cmpuint (tree.n, ==, G_N_ELEMENTS (pids) - 1);
      for (guint i = 0; i < tree.n; i++)
        g_assert_cmpuint (tree.all[i]->index, ==, i);
      while (tree.n > 0)
        tree_remove (&tree, tree.all[tree.n - 1]);
    }
  clear (&tree);
}

/* It grows, and finds all that came before, each in a bucket of its own if their pids follow each other. */
static void
test_growth (void)
{
  Tree tree = { 0 };

  for (gint32 pid = 1; pid <= 1000; pid++)
    {
      Process *process = tree_add (&tree, pid);

      g_assert_cmpuint (process->index, ==, (gsize) pid - 1);
      g_assert_cmpuint (tree.capacity, >=, tree.n);
      g_assert_cmpuint (tree.n_buckets, >=, tree.n);
      g_assert_null (process->next);
    }
  for (gint32 pid = 1; pid <= 1000; pid++)
    {
      g_assert_cmpint (tree_find (&tree, pid)->pid, ==, pid);
      g_assert_null (tree_find (&tree, pid)->next);
    }
  assert_found (&tree, 0, NULL);
  assert_found (&tree, 1001, NULL);
  assert_found (&tree, -1, NULL);
  clear (&tree);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tree/new", test_new);
  g_test_add_func ("/tree/chains", test_chains);
  g_test_add_func ("/tree/growth", test_growth);

  return g_test_run ();
}
