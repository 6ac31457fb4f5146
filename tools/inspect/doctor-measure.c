/* SPDX-License-Identifier: BSD-3-Clause */

/* The supervisor is asked by real runs of roast-run: one with perf events, one with a control group. */

#include "doctor.h"

#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

/* The one beside this program, which is of the same version; else that of PATH, as in a build directory. */
static char *
dup_roast_run (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *directory = self != NULL ? g_path_get_dirname (self) : g_strdup (".");
  char *path = g_build_filename (directory, "roast-run", NULL);

  if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
    return path;
  g_free (path);
  return g_strdup ("roast-run");
}

static char *
measure (const char *backend, GError **error)
{
  g_autofree char *run = dup_roast_run ();
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *output = NULL;
  g_autofree char *complaint = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, error, run, "--quiet",
                              "--no-save", "--no-instrument", "--interval=0.02", backend, "--export=json:-", "--",
                              "sleep", "0.1", NULL);
  if (process == NULL || !g_subprocess_communicate_utf8 (process, NULL, NULL, &output, &complaint, error))
    return NULL;
  if (g_subprocess_get_if_exited (process) && g_subprocess_get_exit_status (process) == 0)
    return g_steal_pointer (&output);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, g_strstrip (complaint));
  return NULL;
}

/* What the supervisor says of a mechanism that it could not use: the part of its sentence between "because" and the
 * end of the reason. */
static char *
dup_reason (const char *report)
{
  const char *because = strstr (report, "up to their last sample only, because ");
  const char *start = because != NULL ? strstr (because, "because ") + strlen ("because ") : NULL;

  return start != NULL ? g_strndup (start, strcspn (start, ";\"")) : NULL;
}

static void
check_perf (Doctor *doctor, const char *report)
{
  g_autofree char *reason = dup_reason (report);
  char *found = NULL;
  char *remedy = NULL;

  if (reason == NULL)
    {
      doctor_add (doctor, "perf events", g_strdup ("opened on a process; exact for processes that nobody waits for"));
      return;
    }
  found = g_strndup (reason, strlen (reason));
  if (g_str_has_suffix (found, " and control groups are switched off"))
    found[strlen (found) - strlen (" and control groups are switched off")] = '\0';
  if (strstr (found, "perf_event_paranoid") != NULL)
    remedy = g_strdup ("ask the administrator for: sysctl -w kernel.perf_event_paranoid=2");
  else if (strstr (found, "mlock_kb") != NULL)
    remedy = g_strdup ("ask the administrator for: sysctl -w kernel.perf_event_mlock_kb=2048");
  else if (strstr (found, "open files") != NULL)
    remedy = g_strdup ("ulimit -n 4096");
  else
    remedy = g_strdup ("ask for the system call perf_event_open in the profile of the container (seccomp), or for "
                       "CAP_PERFMON");
  doctor_add_missing (doctor, "perf events", found,
                      "processes that nobody waits for count up to their last sample, unless a control group counts "
                      "them; short ones count with their parent",
                      remedy);
}

static void
check_cgroup (Doctor *doctor)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *report = measure ("--backend=local,perf=false,cgroup=true", &error);
  g_autofree char *reason = report != NULL ? dup_reason (report) : g_strdup (error->message);
  const char *text = reason;

  if (reason == NULL)
    {
      doctor_add (doctor, "control group", g_strdup ("made one of version 2, which counts CPU time"));
      return;
    }
  if (g_str_has_prefix (text, "perf events are switched off and "))
    text += strlen ("perf events are switched off and ");
  doctor_add_missing (doctor, "control group", g_strdup (text),
                      "none as long as perf events work: it is used in their place",
                      g_strdup ("run in a group of your own: systemd-run --user --scope -p Delegate=yes roast-run ...; "
                                "or ask for "
                                "cgroup v2 with delegation"));
}

static void
check_pss (Doctor *doctor)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  const char *pss = NULL;

  if (!g_file_get_contents ("/proc/self/smaps_rollup", &text, NULL, &error))
    doctor_add_missing (doctor, "shared memory", g_strdup (error->message),
                        "memory that processes share counts in each of them",
                        g_strdup ("a kernel since 4.14 with PROC_PAGE_MONITOR"));
  else
    {
      pss = strstr (text, "Pss:");
      doctor_add (doctor, "shared memory",
                  g_strdup_printf ("the proportional set size can be read (%d kB here)",
                                   pss != NULL ? atoi (pss + 4) : 0));
    }
}

void
doctor_measure (Doctor *doctor)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *report = measure ("--backend=local,cgroup=false", &error);

  if (report == NULL)
    {
      doctor_add_broken (doctor, "supervisor", g_strdup (error->message), "nothing can be measured",
                         g_strdup ("install roast again, and unset ROAST_SUPERVISOR"));
      return;
    }
  doctor_add (doctor, "supervisor", g_strdup ("started a program and measured it"));
  check_perf (doctor, report);
  check_cgroup (doctor);
  check_pss (doctor);
}
