/* SPDX-License-Identifier: BSD-3-Clause */

#include "keeper-proc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ARGUMENTS 128
#define MAX_ALARM 1e9                /* s; longer is for ever */
#define SUPERVISOR "roast-superviso" /* as the kernel cuts its name */

/* Name, state and parent of a process. */
static bool
read_stat (pid_t pid, char name[32], char *state, pid_t *parent)
{
  char path[32], text[512];
  char *open_paren, *close_paren;
  int fd;
  ssize_t n;

  snprintf (path, sizeof path, "/proc/%d/stat", (int) pid);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  n = read (fd, text, sizeof text - 1);
  close (fd);
  if (n <= 0)
    return false;
  text[n] = '\0';
  open_paren = strchr (text, '(');
  close_paren = strrchr (text, ')');
  if (open_paren == NULL || close_paren == NULL || close_paren[1] != ' ')
    return false;
  *close_paren = '\0';
  snprintf (name, 32, "%s", open_paren + 1);
  *state = close_paren[2];
  *parent = (pid_t) atol (close_paren + 3);

  return true;
}

bool
keeper_proc_is_stopped (pid_t pid)
{
  char name[32], state;
  pid_t parent;

  return read_stat (pid, name, &state, &parent) && state == 'T';
}

static bool
is_supervisor (pid_t pid)
{
  char name[32], state;
  pid_t parent;

  return read_stat (pid, name, &state, &parent) && strcmp (name, SUPERVISOR) == 0;
}

pid_t
keeper_proc_find_child (pid_t parent, bool supervisor, pid_t except)
{
  char path[64], text[4096], *p, *end;
  ssize_t n;
  int fd;

  snprintf (path, sizeof path, "/proc/%d/task/%d/children", (int) parent, (int) parent);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  n = fd >= 0 ? read (fd, text, sizeof text - 1) : -1;
  if (fd >= 0)
    close (fd);
  if (n <= 0)
    return 0;
  text[n] = '\0';
  for (p = text; *p != '\0'; p = end)
    {
      pid_t pid = (pid_t) strtol (p, &end, 10);

      if (end == p)
        break;
      if (pid != except && is_supervisor (pid) == supervisor)
        return pid;
    }

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
      /* The alarm outlives the exec, and ends a report that hangs. */
      if (deadline > 0 && deadline < MAX_ALARM)
        alarm ((unsigned) deadline + 1);
      execvp (command[0], command);
      _exit (127);
    }
  while (pid > 0 && waitpid (pid, NULL, 0) < 0 && errno == EINTR)
    ;
}
