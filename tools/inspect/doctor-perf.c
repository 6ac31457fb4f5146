/* SPDX-License-Identifier: BSD-3-Clause */

/* Opens perf events on a process with the supervisor's own code, which reports the reason if it fails. */

#include "doctor.h"

#include "../supervisor/perf.h" /* check-source: allow rooms: tries what the supervisor would */

static char *
dup_remedy (PerfRefusal refusal)
{
  switch (refusal)
    {
    case PERF_PARANOID:
      return g_strdup ("ask the administrator for: sysctl -w kernel.perf_event_paranoid=2");
    case PERF_NO_MEMORY:
      return g_strdup ("ask the administrator for: sysctl -w kernel.perf_event_mlock_kb=2048");
    case PERF_FEW_FILES:
      return g_strdup ("ulimit -n 4096, or ask the administrator for more (limits.conf)");
    case PERF_NO_KERNEL:
      return g_strdup ("ask for a kernel with CONFIG_PERF_EVENTS; a gVisor sandbox has none");
    case PERF_FORBIDDEN:
    case PERF_ALLOWED:
    case PERF_OTHER:
    default:
      return g_strdup ("ask for the system call perf_event_open in the profile of the container (seccomp), or for "
                       "CAP_PERFMON");
    }
}

void
doctor_perf (Doctor *doctor, pid_t child)
{
  const char *why = NULL;
  Perf *perf = perf_open (child, &why);

  if (perf != NULL)
    {
      perf_close (perf);
      doctor_add (doctor, "perf events", g_strdup ("opened on a process"));
      return;
    }
  doctor_add_missing (doctor, "perf events", g_strdup (why),
                      "a process for which no parent waits is measured only until its last sample, unless there is a "
                      "control "
                      "group; the CPU time of short processes is in the row of their parent",
                      dup_remedy (perf_last_refusal ()));
}
