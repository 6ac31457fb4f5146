/* SPDX-License-Identifier: BSD-3-Clause */

/* Checks the directory in which runs are kept. Writes a real run to it, reads this run, and removes it. */

#include "doctor.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "../../core/store/roast-runs-place-private.h" /* check-source: allow rooms: asks what core asks */

#define ROOM (200 << 20) /* bytes; warn if the free space is smaller */

GPtrArray *
doctor_runs_list_missing (void)
{
  GPtrArray *missing = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (RoastRuns) runs = roast_runs_new (NULL);
  g_autofree char *current = g_strdup (runs != NULL ? roast_runs_get_directory (runs) : "/");

  while (access (current, F_OK) != 0 && g_strcmp0 (current, "/") != 0 && g_strcmp0 (current, ".") != 0)
    {
      char *parent = g_path_get_dirname (current);

      g_ptr_array_add (missing, g_steal_pointer (&current));
      current = parent;
    }
  return missing;
}

/* Writes a run with roast-run, and opens the run. This also tests SQLite and zstd. */
static gboolean
try_run (const char *directory, goffset *size, GError **error)
{
  g_autofree char *path = g_strdup_printf ("%s/doctor-%d.roast", directory, getpid ());
  g_autofree char *keep = g_strdup_printf ("--save=%s", path);
  g_autoptr (RoastRecording) recording = NULL;
  gboolean good = FALSE;
  GStatBuf info;

  if (g_mkdir_with_parents (directory, 0700) != 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", directory, g_strerror (errno));
  else
    good = doctor_run (keep, error) && (recording = roast_recording_open (path, error)) != NULL;
  *size = good && g_stat (path, &info) == 0 ? info.st_size : 0;
  g_clear_object (&recording);
  g_unlink (path);

  return good;
}

static void
check_kept (Doctor *doctor, const char *directory)
{
  g_autoptr (GError) error = NULL;
  struct statvfs room;
  goffset size = 0;
  double free_bytes = 0;

  if (!try_run (directory, &size, &error))
    {
      doctor_add_missing (doctor, "kept runs", g_strdup (error->message), "roast-report cannot show a run again",
                          g_strdup ("set ROAST_RUNS to a directory that you may write to"));
      return;
    }
  if (statvfs (directory, &room) == 0 || statvfs (g_get_home_dir (), &room) == 0)
    free_bytes = (double) room.f_bavail * (double) room.f_frsize;
  if (free_bytes < ROOM)
    doctor_add_missing (doctor, "kept runs", g_strdup_printf ("less than 200 MB are free in %s", directory),
                        "kept runs lack the data that do not fit on the disk",
                        g_strdup ("free some space, or set ROAST_RUNS"));
  else
    doctor_add (doctor, "kept runs",
                g_strdup_printf ("wrote and read a run of %.0f kB in %s, compressed with zstd; %.1f GB are free",
                                 (double) size / 1e3, directory, free_bytes / 1e9));
}

static void
doctor_runs_check_home (Doctor *doctor, RoastRuns *runs)
{
  const char *directory = roast_runs_get_directory (runs);
  const char *network = roast_runs_place_get_network (directory);

  if (network != NULL)
    doctor_add_missing (doctor, "local disk",
                        g_strdup_printf ("%s is on a network file system (%s)", directory, network),
                        "a run may be slow to write, and SQLite's locks may fail",
                        g_strdup ("set ROAST_RUNS to a local directory with room, such as the directory of the job"));
  else if (roast_runs_get_reason (runs) != NULL)
    doctor_add_missing (doctor, "local disk", g_strdup (roast_runs_get_reason (runs)),
                        "runs are kept only on this machine, and other nodes cannot read these runs",
                        g_strdup ("set ROAST_RUNS to a local directory with room, such as the directory of the job"));
  else
    doctor_add (doctor, "local disk", g_strdup_printf ("%s is not on a network file system", directory));
}

/* Removes the directories that the check created. Also removes the lock file that roast-run uses while it removes old
 * runs. */
static void
remove_made (GPtrArray *made)
{
  for (guint i = 0; i < made->len; i++)
    {
      const char *directory = g_ptr_array_index (made, i);
      g_autofree char *lock = g_build_filename (directory, ".lock", NULL);

      if (i == 0)
        g_unlink (lock);
      g_rmdir (directory);
    }
}

void
doctor_runs (Doctor *doctor, GPtrArray *missing)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRuns) runs = roast_runs_new (&error);

  if (runs == NULL)
    {
      doctor_add_missing (doctor, "kept runs", g_strdup (error->message), "roast-report cannot show a run again",
                          g_strdup ("correct the settings, or remove the settings file"));
      return;
    }
  check_kept (doctor, roast_runs_get_directory (runs));
  doctor_runs_check_home (doctor, runs);
  remove_made (missing);
}
