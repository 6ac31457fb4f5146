/* SPDX-License-Identifier: BSD-3-Clause */

#include "keeper-proc.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../supervisor/file.h"   /* check-source: allow rooms: plain C without a state */
#include "../supervisor/procfs.h" /* check-source: allow rooms: plain C without a state */

#define MAX_ARGUMENTS 128
#define MAX_ALARM 1e9                /* s; if the deadline of a command is longer, no alarm is set */
#define SUPERVISOR "roast-superviso" /* the first 15 characters of roast-supervisor: the kernel does not keep more */

static bool
read_stat (pid_t pid, ProcStat *stat)
{
  char path[32], text[1024];

  snprintf (path, sizeof path, "/proc/%d/stat", (int) pid);

  file_read (path, text, sizeof text);

  return proc_parse_stat (text, stat);
}

bool
keeper_proc_is_stopped (pid_t pid)
{
  ProcStat stat;

  return read_stat (pid, &stat) && stat.state == 'T';
}

bool
keeper_proc_is_waiting (pid_t pid)
{
  static const char *const of_output[] = { "write", "send", "tty", "partner" }; /* parts of names of kernel functions
                                                                                 * in which writers wait */
  char path[32], text[128];
  ProcStat stat;
  size_t n;

  snprintf (path, sizeof path, "/proc/%d/wchan", (int) pid);
  n = file_read (path, text, sizeof text - 1);
  text[n] = '\0';
  if (n == 0 || strcmp (text, "0") == 0 || !read_stat (pid, &stat) || stat.state != 'S')
    return false;
  for (size_t i = 0; i < sizeof of_output / sizeof *of_output; i++)
    if (strstr (text, of_output[i]) != NULL)
      return false;

  return true;
}

double
keeper_proc_get_cpu (pid_t pid)
{
  ProcStat stat;

  return read_stat (pid, &stat) ? (double) (stat.user_ticks + stat.system_ticks) / (double) sysconf (_SC_CLK_TCK) : 0;
}

bool
keeper_proc_minds_continue (pid_t pid)
{
  char path[32], text[4096];
  ProcStatus status;

  snprintf (path, sizeof path, "/proc/%d/status", (int) pid);
  file_read (path, text, sizeof text);
  if (!proc_parse_status (text, &status))
    return true;

  return status.catches_sigcont || keeper_proc_is_stopped (pid);
}

static bool
is_supervisor (pid_t pid)
{
  ProcStat stat;

  return read_stat (pid, &stat) && strcmp (stat.command, SUPERVISOR) == 0;
}

pid_t
keeper_proc_find_child (pid_t parent, bool supervisor, pid_t except)
{
  char path[64], text[4096];
  int32_t pids[sizeof text / 2], carry = 0;
  size_t n;

  snprintf (path, sizeof path, "/proc/%d/task/%d/children", (int) parent, (int) parent);
  n = file_read (path, text, sizeof text);
  n = proc_parse_children (text, n, &carry, pids, sizeof pids / sizeof *pids);
  for (size_t i = 0; i < n; i++)
    if (pids[i] != except && is_supervisor (pids[i]) == supervisor)
      return pids[i];

  return 0;
}

void
keeper_proc_run (char *arguments, char *const *more, double deadline)
{
  char *command[MAX_ARGUMENTS + 1];
  size_t n = 0;
  pid_t pid;

  for (char *p = arguments; *p != '\0' && n < MAX_ARGUMENTS; p += strlen (p) + 1)
    command[n++] = p;
  for (size_t i = 0; more[i] != NULL && n < MAX_ARGUMENTS; i++)
    command[n++] = more[i];
  command[n] = NULL;
  pid = fork ();
  if (pid == 0)
    {
      sigset_t none;

      sigemptyset (&none);
      sigprocmask (SIG_SETMASK, &none, NULL);
      /* Set an alarm, which remains set after exec, and ends the report command if it hangs. */
      if (deadline > 0 && deadline < MAX_ALARM)
        alarm ((unsigned) deadline + 1);
      execvp (command[0], command);
      _exit (127);
    }
  while (pid > 0 && waitpid (pid, NULL, 0) < 0 && errno == EINTR)
    ;
}
