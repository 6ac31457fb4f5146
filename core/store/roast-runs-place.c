/* SPDX-License-Identifier: BSD-3-Clause */

/* Runs are kept on a local file system, because SQLite's shared memory does not work on network file systems, and
 * because the latency of a network file system would delay writes. */

#include "roast-runs-place-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "roast/roast-error.h"

/* Magic numbers of network file systems, from statfs(2) and the sources of the kernel and of Lustre, because
 * linux/magic.h lacks some of these numbers. */
static const struct
{
  guint32 magic;
  const char *name;
} networks[] = {
  { 0x6969, "NFS" },     { 0x0bd00bd0, "Lustre" }, { 0x47504653, "GPFS" },   { 0x5346414f, "AFS" },
  { 0x6b414653, "AFS" }, { 0x00c36400, "CephFS" }, { 0x65735546, "FUSE" },   { 0xff534d42, "CIFS" },
  { 0xfe534d42, "SMB" }, { 0x517b, "SMB" },        { 0x19830326, "BeeGFS" }, { 0xaad7aaea, "PanFS" },
  { 0x01021997, "9p" },  { 0x73757245, "Coda" },   { 0x7461636f, "OCFS2" },  { 0x01161970, "GFS2" },
};

const char *
roast_runs_place_get_network (const char *path)
{
  g_autofree char *existing = g_strdup (path);
  struct statfs info;

  while (statfs (existing, &info) != 0)
    {
      g_autofree char *below = g_steal_pointer (&existing);

      if (g_str_equal (below, "/") || g_str_equal (below, "."))
        return NULL;
      existing = g_path_get_dirname (below);
    }
  for (guint i = 0; i < G_N_ELEMENTS (networks); i++)
    if ((guint32) info.f_type == networks[i].magic)
      return networks[i].name;

  return NULL;
}

char *
roast_runs_place_choose (const char *state, const char *local, char **reason)
{
  g_autofree char *path = g_build_filename (state, "roast", "runs", NULL);
  g_autofree char *user = NULL;
  const char *network = roast_runs_place_get_network (path);

  *reason = NULL;
  /* If @local is on a network file system too, use the state directory, because nothing would be gained. */
  if (network == NULL || roast_runs_place_get_network (local) != NULL)
    return g_steal_pointer (&path);
  *reason = g_strdup_printf ("%s is on a network file system (%s)", state, network);
  user = g_strdup_printf ("roast-%u", (guint) getuid ());

  return g_build_filename (local, user, "runs", NULL);
}

static gboolean
runs_place_fail (const char *path, const char *why, GError **error)
{
  g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN,
               "cannot keep runs in %s: %s. Set ROAST_RUNS to another directory", path, why);

  return FALSE;
}

/* Reject a directory that another user made, because that user could read the runs, or replace the directory by a
 * link. */
static gboolean
make_private (const char *path, GError **error)
{
  struct stat info;

  if (g_mkdir (path, 0700) != 0 && errno != EEXIST)
    return runs_place_fail (path, g_strerror (errno), error);
  if (lstat (path, &info) != 0)
    return runs_place_fail (path, g_strerror (errno), error);
  if (!S_ISDIR (info.st_mode))
    return runs_place_fail (path, "the path is not a directory", error);
  if (info.st_uid != geteuid ())
    return runs_place_fail (path, "the directory belongs to another user", error);
  if ((info.st_mode & 077) != 0 && chmod (path, 0700) != 0)
    return runs_place_fail (path, g_strerror (errno), error);

  return TRUE;
}

char *
roast_runs_place_dup_state (void)
{
  const char *set = g_getenv ("XDG_STATE_HOME");

  return set != NULL && *set != '\0' ? g_strdup (set) : g_build_filename (g_get_home_dir (), ".local", "state", NULL);
}

/* Fail if the home directory is missing. Do not create the home directory, because a system user often has a configured
 * home directory that does not exist, on purpose. */
static gboolean
runs_place_check_home (const char *path, GError **error)
{
  g_autofree char *home = g_canonicalize_filename (g_get_home_dir (), NULL);
  gsize n = strlen (home);

  if (strncmp (path, home, n) != 0 || path[n] != '/' || g_file_test (home, G_FILE_TEST_IS_DIR))
    return TRUE;
  g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN,
               "there is no home directory %s. Set ROAST_RUNS to another directory", home);

  return FALSE;
}

gboolean
roast_runs_place_make (const char *path, gboolean private, GError **error)
{
  if (private)
    {
      g_autofree char *parent = g_path_get_dirname (path);

      return make_private (parent, error) && make_private (path, error);
    }
  if (!g_path_is_absolute (path))
    return runs_place_fail (path, "HOME or XDG_STATE_HOME is not an absolute path", error);
  if (!runs_place_check_home (path, error))
    return FALSE;
  if (g_mkdir_with_parents (path, 0700) != 0)
    return runs_place_fail (path, g_strerror (errno), error);

  return TRUE;
}
