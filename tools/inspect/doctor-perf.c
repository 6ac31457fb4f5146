/* SPDX-License-Identifier: BSD-3-Clause */

/* Opens perf events for a process, using the code of the supervisor, which reports the reason if this fails. */

#include "doctor.h"

#include "../supervisor/perf.h" /* check-source: allow rooms: tries what the supervisor would */

void
doctor_perf (Doctor *doctor, pid_t child)
{
  const char *why = NULL;
  Perf *perf = perf_open (child, &why);

  if (perf != NULL)
    {
      perf_close (perf);
      doctor_add (doctor, "perf events", g_strdup ("perf events can be opened on a process"));
      return;
    }
  doctor_add_missing (doctor, "perf events", g_strdup (why),
                      "a process for which no parent waits is measured only until its last sample, unless there is a "
                      "control group; the CPU time of short processes is in the row of their parent",
                      g_strdup (perf_last_remedy ()));
}
