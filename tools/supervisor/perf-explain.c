/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "perf-private.h"

#define MOST_PARANOID 2 /* highest kernel.perf_event_paranoid at which unprivileged users may measure */

#define ALLOW                                                                                                          \
  "ask the administrator to allow the system call perf_event_open in the seccomp profile of the container, or to "     \
  "grant CAP_PERFMON"

const char *
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
          return "ask the administrator to run “sysctl -w kernel.perf_event_paranoid=2”";
        }
      snprintf (text, PERF_REASON, "perf events are forbidden by a container or a security module");
      return ALLOW;
    case ENOMEM:
      snprintf (text, PERF_REASON, "perf events cannot get memory: kernel.perf_event_mlock_kb is used up");
      return "ask the administrator to run “sysctl -w kernel.perf_event_mlock_kb=2048”";
    case EMFILE:
    case ENFILE:
      snprintf (text, PERF_REASON, "the limit of open files (ulimit -n) is too low for perf events");
      return "run “ulimit -n 4096”, or ask the administrator for a higher limit in limits.conf";
    case ENOSYS:
    case ENOENT:
    case EOPNOTSUPP:
      snprintf (text, PERF_REASON, "this kernel has no perf events");
      return "ask for a kernel with CONFIG_PERF_EVENTS; a gVisor sandbox has no perf events";
    default:
      snprintf (text, PERF_REASON, "perf events could not be opened: %s", strerror (error));
      return ALLOW;
    }
}
