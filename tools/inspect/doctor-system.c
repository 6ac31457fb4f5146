/* SPDX-License-Identifier: BSD-3-Clause */

/* What the machine shows of other processes, and where runs are kept. */

#include "doctor.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Process 1 is always there, and belongs to another user unless this is root's shell. */
static void
check_proc (Doctor *doctor)
{
  g_autofree char *text = NULL;

  if (g_file_get_contents ("/proc/1/stat", &text, NULL, NULL))
    doctor_add (doctor, "processes", g_strdup ("those of other users are visible; --attach measures your own"));
  else
    doctor_add_missing (doctor, "processes",
                        g_strdup ("those of other users are hidden (/proc is mounted with hidepid)"),
                        "none for your own programs; sudo and setuid programs in a tree cannot be measured",
                        g_strdup ("ask the administrator for: mount -o remount,hidepid=0 /proc, or for the group of "
                                  "its option gid="));
}

static void
check_ptrace (Doctor *doctor)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents ("/proc/sys/kernel/yama/ptrace_scope", &text, NULL, NULL))
    doctor_add (doctor, "ptrace scope", g_strdup ("not restricted; roast does not trace processes"));
  else
    doctor_add (doctor, "ptrace scope",
                g_strdup_printf ("%s; it does not matter: roast does not trace processes", g_strstrip (text)));
}

static char *
dup_existing (const char *path)
{
  char *existing = g_strdup (path);

  while (access (existing, F_OK) != 0 && strcmp (existing, "/") != 0 && strcmp (existing, ".") != 0)
    {
      g_autofree char *below = existing;

      existing = g_path_get_dirname (below);
    }
  return existing;
}

/* Sets errno if not. */
static gboolean
can_be_written (const char *directory)
{
  if (!g_file_test (directory, G_FILE_TEST_IS_DIR))
    {
      errno = ENOTDIR;
      return FALSE;
    }
  return access (directory, W_OK | X_OK) == 0;
}

static void
check_runs (Doctor *doctor)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRuns) runs = roast_runs_new (&error);
  g_autofree char *existing = runs != NULL ? dup_existing (roast_runs_get_directory (runs)) : NULL;
  struct statvfs room;

  if (runs == NULL || !can_be_written (existing) || statvfs (existing, &room) != 0)
    {
      doctor_add_missing (doctor, "kept runs",
                          runs != NULL ? g_strdup_printf ("%s: %s", existing, g_strerror (errno))
                                       : g_strdup (error->message),
                          "roast-report cannot show a run again",
                          g_strdup ("set ROAST_RUNS to a directory that you may write to"));
      return;
    }
  if (roast_runs_get_reason (runs) != NULL)
    doctor_add_missing (doctor, "local home", g_strdup (roast_runs_get_reason (runs)),
                        "runs are kept on this machine only, where other nodes do not see them",
                        g_strdup ("set ROAST_RUNS to a local directory with room, such as that of the job"));
  if ((double) room.f_bavail * (double) room.f_frsize < (double) (200 << 20))
    doctor_add_missing (doctor, "kept runs",
                        g_strdup_printf ("less than 200 MB are free in %s", roast_runs_get_directory (runs)),
                        "what does not fit is missing in a kept run", g_strdup ("free some space, or set ROAST_RUNS"));
  else
    doctor_add (doctor, "kept runs",
                g_strdup_printf ("in %s, with %.1f GB free", roast_runs_get_directory (runs),
                                 (double) room.f_bavail * (double) room.f_frsize / 1e9));
}

/* A scheduler's page by https needs them. */
static void
check_certificates (Doctor *doctor)
{
  GTlsBackend *backend = g_tls_backend_get_default ();

  if (!g_tls_backend_supports_tls (backend))
    doctor_add_missing (doctor, "TLS", g_strdup ("GLib has no TLS module"), "--attach=https://... does not work",
                        g_strdup ("install the package glib-networking"));
  else if (access ("/etc/ssl/certs/ca-certificates.crt", R_OK) != 0 &&
           access ("/etc/pki/tls/certs/ca-bundle.crt", R_OK) != 0)
    doctor_add_missing (doctor, "TLS", g_strdup ("no certificates of authorities were found"),
                        "--attach=https://... trusts no scheduler",
                        g_strdup ("install the package ca-certificates, or give ca-file=FILE"));
  else
    doctor_add (doctor, "TLS", g_strdup ("there, with certificates of authorities"));
}

void
doctor_system (Doctor *doctor)
{
  check_proc (doctor);
  check_ptrace (doctor);
  check_runs (doctor);
  check_certificates (doctor);
}
