/* SPDX-License-Identifier: BSD-3-Clause */

/* Any bytes in mountinfo, in the list of a process's groups and in the files of a group: the limits are found or
 * missing, and never negative. A limit that the first seed sets is in a group which that seed mounts. */

#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "pieces.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* In the order of the input. */
static const char *const files[] = {
  "proc/self/mountinfo",
  "proc/self/cgroup",
  "sys/fs/cgroup/a b/cpu.max",
  "sys/fs/cgroup/a b/memory.max",
  "sys/fs/cgroup/a b/memory.events",
  "sys/fs/cgroup/a b/cpu.cfs_quota_us",
  "sys/fs/cgroup/a b/cpu.cfs_period_us",
};

static char root[] = "/tmp/roast-fuzz-XXXXXX";

static void
remove_root (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (root, files[i], NULL);

      g_unlink (path);
    }
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    for (g_autofree char *path = g_build_filename (root, files[i], NULL); strlen (path) > strlen (root);)
      {
        *strrchr (path, '/') = '\0';
        if (g_rmdir (path) != 0)
          break;
      }
}

static void
make_root (void)
{
  g_assert_nonnull (g_mkdtemp (root));
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (root, files[i], NULL);
      g_autofree char *directory = g_path_get_dirname (path);

      g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
    }
  atexit (remove_root);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static gboolean made;
  Pieces pieces = { (const char *) data, size };
  CgroupLimits limits;

  if (!made)
    make_root ();
  made = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (root, files[i], NULL);
      size_t length = 0;
      g_autofree char *text = pieces_next (&pieces, &length);
      FILE *file = fopen (path, "we");

      g_assert_nonnull (file);
      g_assert_cmpuint (fwrite (text != NULL ? text : "", 1, length, file), ==, length);
      g_assert_cmpint (fclose (file), ==, 0);
    }
  cgroup_read_limits_of (root, 0, &limits);
  g_assert_true (isfinite (limits.cores));
  g_assert_true (limits.cores == -1 || limits.cores > 0);
  g_assert_cmpint (limits.memory_limit, >=, -1);
  g_assert_cmpint (limits.oom_kills, >=, -1);

  return 0;
}
