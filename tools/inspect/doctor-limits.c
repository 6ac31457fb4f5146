/* SPDX-License-Identifier: BSD-3-Clause */

/* Checks the limits of this session, and the clock. */

#include "doctor.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/timex.h>

/* Number of open files that is enough for a run: one per core for perf events, a few per exporter, and one per
 * connection of a backend. */
#define ENOUGH_FILES 256
#define FEWER_FILES 1024

static void
doctor_limits_check_files (Doctor *doctor)
{
  struct rlimit limit;
  guint64 needed = ENOUGH_FILES + 4 * (guint64) g_get_num_processors ();

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return;
  if (limit.rlim_cur < needed)
    doctor_add_missing (doctor, "open files",
                        g_strdup_printf ("the limit is %" G_GUINT64_FORMAT ", but %" G_GUINT64_FORMAT
                                         " or more open files are sometimes needed",
                                         (guint64) limit.rlim_cur, needed),
                        "on many cores or with many workers, perf events are unavailable, or runs fail",
                        limit.rlim_max >= needed
                            ? g_strdup_printf ("ulimit -n %" G_GUINT64_FORMAT, MIN ((guint64) limit.rlim_max, 4096))
                            : g_strdup_printf ("ask the administrator to set nofile %d in limits.conf", FEWER_FILES));
  else if (limit.rlim_cur == RLIM_INFINITY)
    doctor_add (doctor, "open files", g_strdup ("there is no limit"));
  else
    doctor_add (doctor, "open files",
                g_strdup_printf ("the limit is %" G_GUINT64_FORMAT " open files", (guint64) limit.rlim_cur));
}

/* Checks whether a program such as chrony synchronizes the kernel's clock. This does not change the clock. */
static void
check_clock (Doctor *doctor)
{
  struct timex state = { .modes = 0 };
  int result = adjtimex (&state);

  if (result == -1)
    doctor_add_missing (doctor, "clock", g_strdup_printf ("cannot read the state of the clock: %s", g_strerror (errno)),
                        "times of other machines may differ from times of this machine",
                        g_strdup ("ask the administrator to allow the system call adjtimex in the seccomp profile of "
                                  "the container"));
  else if (result == TIME_ERROR || (state.status & STA_UNSYNC) != 0)
    doctor_add_missing (doctor, "clock", g_strdup ("the clock is not synchronized"),
                        "none on one machine; times of workers on other machines may differ from times of this machine",
                        g_strdup ("ask the administrator to install chrony or systemd-timesyncd"));
  else
    doctor_add (doctor, "clock", g_strdup_printf ("synchronized, to within %.3g s", (double) state.maxerror / 1e6));
}

void
doctor_limits (Doctor *doctor)
{
  doctor_limits_check_files (doctor);
  check_clock (doctor);
}
