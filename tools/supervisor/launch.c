/* SPDX-License-Identifier: BSD-3-Clause */

#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void
inherited_save (Inherited *self)
{
  sigprocmask (SIG_SETMASK, NULL, &self->mask);
  self->sigchld_ignored = signal (SIGCHLD, SIG_DFL) == SIG_IGN;
  if (process_state_is_valid (&self->state))
    self->sigchld_ignored = (self->state.ignored >> (SIGCHLD - 1)) & 1;
  getrlimit (RLIMIT_NOFILE, &self->files);
}

/* Resets the two signals that glibc reserves for itself, because posix_spawn(), with which the library starts the
 * supervisor, leaves these signals ignored. Uses the system call, because glibc's sigaction() refuses to change these
 * signals. */
static void
restore_internal_signals (void)
{
  const struct
  {
    void (*handler) (int);
    unsigned long flags;
    void (*restorer) (void);
    uint64_t mask;
  } by_default = { SIG_DFL, 0, NULL, 0 };

  for (int signum = 32; signum < SIGRTMIN; signum++)
    syscall (SYS_rt_sigaction, signum, &by_default, NULL, sizeof by_default.mask);
}

static void
become (const Inherited *inherited, char **program, bool ignore_sigpipe, int go_fd, int error_fd)
{
  char byte;
  int error;

  restore_internal_signals ();
  signal (SIGPIPE, ignore_sigpipe ? SIG_IGN : SIG_DFL);
  signal (SIGCHLD, inherited->sigchld_ignored ? SIG_IGN : SIG_DFL);
  setrlimit (RLIMIT_NOFILE, &inherited->files);
  if (process_state_is_valid (&inherited->state))
    process_state_restore_signals (&inherited->state);
  else
    sigprocmask (SIG_SETMASK, &inherited->mask, NULL);
  /* If read() returns the end of file instead of a byte, the supervisor has ended. */
  if (read (go_fd, &byte, 1) != 1)
    _exit (EXIT_FAILURE);
  execvp (program[0], program);
  error = errno;
  /* Any exit status will do, because launch_exec() only reads the pipe. */
  _exit ((int) write (error_fd, &error, sizeof error));
}

bool
launch_fork (Launch *self, const Inherited *inherited, char **program, bool ignore_sigpipe)
{
  int go[2], error[2];

  if (pipe2 (go, O_CLOEXEC) < 0)
    return false;
  if (pipe2 (error, O_CLOEXEC) < 0)
    {
      close (go[0]);
      close (go[1]);
      return false;
    }

  self->pid = fork ();
  if (self->pid == 0)
    {
      close (go[1]);
      become (inherited, program, ignore_sigpipe, go[0], error[1]);
    }
  close (go[0]);
  close (error[1]);
  self->go_fd = go[1];
  self->error_fd = error[0];

  return self->pid != -1;
}

int
launch_exec (Launch *self)
{
  bool killed = write (self->go_fd, "", 1) == -1;
  int error;
  ssize_t n;

  close (self->go_fd);
  n = read (self->error_fd, &error, sizeof error);
  close (self->error_fd);
  if (n == 0 && !killed)
    return 0;
  waitpid (self->pid, NULL, 0);

  return n == sizeof error ? error : EPIPE;
}
