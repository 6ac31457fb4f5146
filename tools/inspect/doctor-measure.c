/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests the supervisor by measuring a program with roast-run. Then tests each mechanism of the supervisor on a sleeping
 * process. */

#include "doctor.h"

#include <gio/gio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/roast-fail-private.h"
#include "tool.h"

gboolean
doctor_run (const char *keep, GError **error)
{
  g_autofree char *run = tool_find ("roast-run");
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *complaint = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, error, run, "--quiet",
                              keep, "--no-instrument", "--backend=local", "--", "true", NULL);
  if (process == NULL || !g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &complaint, error))
    return FALSE;
  if (g_subprocess_get_if_exited (process) && g_subprocess_get_exit_status (process) == 0)
    return TRUE;

  return roast_fail (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", g_strstrip (complaint));
}

static void
check_pss (Doctor *doctor)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  const char *pss = NULL;

  /* If /proc is missing, do nothing, because another check reports this. */
  if (access ("/proc/self/stat", R_OK) != 0)
    return;
  if (!g_file_get_contents ("/proc/self/smaps_rollup", &text, NULL, &error))
    doctor_add_missing (doctor, "shared memory", g_strdup (error->message),
                        "memory shared by processes counts fully in each process",
                        g_strdup ("use Linux 4.14 or later with PROC_PAGE_MONITOR"));
  else
    {
      pss = strstr (text, "Pss:");
      doctor_add (doctor, "shared memory",
                  g_strdup_printf ("the proportional set size can be read (%d kB here)",
                                   pss != NULL ? atoi (pss + 4) : 0));
    }
}

gboolean
doctor_measure (Doctor *doctor)
{
  g_autoptr (GError) error = NULL;
  pid_t child;

  if (!doctor_run ("--no-save", &error))
    {
      doctor_add_broken (doctor, "supervisor", g_strdup (error->message), "nothing can be measured",
                         g_strdup ("install roast again, and unset ROAST_SUPERVISOR"));
      return FALSE;
    }
  doctor_add (doctor, "supervisor", g_strdup ("started and measured a program"));
  child = fork ();
  if (child == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      for (;;)
        pause ();
    }
  if (child > 0)
    {
      doctor_perf (doctor, child);
      doctor_cgroup (doctor, child);
      kill (child, SIGKILL);
      waitpid (child, NULL, 0);
    }
  check_pss (doctor);

  return TRUE;
}
