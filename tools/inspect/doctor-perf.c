/* SPDX-License-Identifier: BSD-3-Clause */

/* Opens perf events on a process with the supervisor's own code, which reports the reason if it fails. */

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
      doctor_add (doctor, "perf events", g_strdup ("opened on a process"));
      return;
    }
  doctor_add_missing (doctor, "perf events", g_strdup (why),
                      "processes that no parent waits for count only up to their last sample, unless a control group "
                      "counts them; short processes count with their parent",
                      g_strdup (perf_last_remedy ()));
}
