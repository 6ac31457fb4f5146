/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "perf-private.h"

#define MOST_PARANOID 2 /* highest level at which an unprivileged user may measure programs */

PerfRefusal
perf_explain (int error, int level, char *text)
{
  switch (error)
    {
    case EACCES:
    case EPERM:
      if (level > MOST_PARANOID)
        {
          snprintf (text, PERF_REASON,
                    "perf events are not allowed for unprivileged users here: kernel.perf_event_paranoid=%d", level);
          return PERF_PARANOID;
        }
      snprintf (text, PERF_REASON, "perf events are forbidden by a container or a security module");
      return PERF_FORBIDDEN;
    case ENOMEM:
      snprintf (text, PERF_REASON, "perf events cannot get memory: kernel.perf_event_mlock_kb is used up");
      return PERF_NO_MEMORY;
    case EMFILE:
    case ENFILE:
      snprintf (text, PERF_REASON, "the limit of open files is too low for perf events: see ulimit -n");
      return PERF_FEW_FILES;
    case ENOSYS:
    case ENOENT:
    case EOPNOTSUPP:
      snprintf (text, PERF_REASON, "this kernel has no perf events");
      return PERF_NO_KERNEL;
    default:
      snprintf (text, PERF_REASON, "perf events could not be opened: %s", strerror (error));
      return PERF_OTHER;
    }
}
