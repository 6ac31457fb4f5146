/* SPDX-License-Identifier: BSD-3-Clause */

#include "run-signals.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "keeper.h"
#include "run-end.h"

#define AGAIN 20 /* ms between two calls of keeper_continue_again() */

struct _RunSignals
{
  RoastSession *session;
  GCancellable *start; /* cancels the start of the program */
  int ended_by;        /* signal that arrived before the program existed; 0 if there was none */
  guint watch;
  gboolean stop_session;
};

static int wakeup[2] = { -1, -1 };

static RoastSession *volatile measured;
static volatile sig_atomic_t requests; /* number of INT and TERM signals, which request an end */
static volatile sig_atomic_t takes_all;
static volatile sig_atomic_t program_ended;
static volatile int status_at_end;

static void
end_at_once (int wait_status)
{
  static const char message[] = "roast-run: interrupted: the report is incomplete\n";

  if (write (STDERR_FILENO, message, sizeof message - 1) < 0)
    {
      /* Standard error is closed, so end without printing the message. */
    }
  roast_remove_temporaries ();
  if (keeper_finish (wait_status, true))
    _exit (EXIT_SUCCESS);
  run_end_like (wait_status);
}

/* Counts requests to end. At the second request, ends roast-run if no program runs, even if code of a plugin is
 * running. The first request is not enough for this, because it may have been sent to the whole group while the program
 * still ran. */
static void
run_signals_count_request (int signum)
{
  if (++requests < 2)
    return;
  if (program_ended)
    end_at_once (status_at_end);
  else if (measured != NULL && roast_session_get_launcher (measured) == NULL)
    end_at_once (signum);
}

/* Handles a signal. This function must only call functions that are async-signal-safe. */
void
run_signals_take (int signum, siginfo_t *info, void *context)
{
  int saved = errno;
  /* Remember whether the kernel sent the signal. It sends Ctrl-C, Ctrl-\ and a hang-up to the whole foreground group,
   * so the program has already received the signal. */
  guint8 record[2] = { (guint8) signum, info->si_code == SI_KERNEL };
  gboolean passes = record[1] || keeper_passes (info->si_pid);

  /* Ignore signals that this process caused by writing to a pipe without a reader or beyond the file size limit. The
   * keeper forwards CONT to the program itself. */
  if (info->si_code == SI_USER && info->si_pid == getpid ())
    return;
  if (signum == SIGCONT && keeper_is_there ())
    {
      keeper_count_continue (info->si_pid);
      return;
    }
  /* Ignore a signal that the keeper did not send. If the signal was sent to the whole group, for example by timeout(1),
   * a running program has received it, too. If roast-run did not start a program (takes_all), take the signal from any
   * sender, because the kernel merges the keeper's copy with this signal as long as this signal is pending. */
  if (!passes && !takes_all)
    return;
  if (passes && (signum == SIGINT || signum == SIGTERM))
    run_signals_count_request (signum);
  if (write (wakeup[1], record, sizeof record) < 0)
    {
      /* Ignore a full pipe: it already holds thousands of signals, so one more makes no difference. */
    }
  errno = saved;
}

/* Cancels the start of the program after a signal that would have ended the program if it had run. */
static void
run_signals_end_start (RunSignals *self, int signum)
{
  if (signum == SIGCONT)
    return;
  self->ended_by = signum;
  g_cancellable_cancel (self->start);
}

static void
run_signals_handle (RunSignals *self, int signum, gboolean by_terminal)
{
  RoastLauncher *launcher = roast_session_get_launcher (self->session);

  if (self->stop_session)
    {
      if (signum != SIGCONT)
        roast_session_stop (self->session);
    }
  else if (launcher == NULL)
    run_signals_end_start (self, signum);
  else if (!by_terminal)
    roast_launcher_send_signal (launcher, signum);
}

static gboolean
on_wakeup (int fd, GIOCondition condition, gpointer user_data)
{
  RunSignals *self = user_data;
  guint8 record[2];

  while (read (fd, record, sizeof record) == sizeof record)
    run_signals_handle (self, record[0], record[1]);

  return G_SOURCE_CONTINUE;
}

static gboolean
continue_keeper (gpointer data)
{
  return keeper_is_there () && keeper_continue_again ();
}

static void
on_program_continued (RoastLauncher *launcher, RunSignals *self)
{
  if (keeper_note_continue ())
    g_timeout_add (AGAIN, continue_keeper, NULL);
}

static void
on_program_stopped (RoastLauncher *launcher, int signum, RunSignals *self)
{
  keeper_note_stop (signum);
}

static void
on_program_exited (RoastLauncher *launcher, int wait_status, RunSignals *self)
{
  on_program_continued (launcher, self);
  if (wait_status != -1)
    run_signals_program_ended (self, wait_status);
}

/* Returns whether this signal is forwarded to the program. Not forwarded are: CHLD, which roast-run itself needs; TSTP,
 * TTIN and TTOU, which the keeper handles; URG and WINCH, which have no effect by default. */
static gboolean
is_handled (int signum)
{
  switch (signum)
    {
    case SIGKILL:
    case SIGSTOP:
    case SIGCHLD:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGURG:
    case SIGWINCH:
    /* run-crash.c handles these signals, because they mean that roast-run crashed. */
    case SIGSEGV:
    case SIGBUS:
    case SIGILL:
    case SIGFPE:
    case SIGABRT:
    case SIGTRAP:
    case SIGSYS:
      return FALSE;
    default:
      /* Leave out the signals that glibc reserves for itself. */
      return signum != KEEPER_QUESTION && (signum < 32 || signum >= SIGRTMIN);
    }
}

/* Installs a handler. If the signal was ignored when roast-run started (nohup), installs none: the signal stays ignored
 * in roast-run and in the program. */
static void
handle_with (int signum, const struct sigaction *action)
{
  struct sigaction before;

  if (sigaction (signum, action, &before) == 0 && before.sa_handler == SIG_IGN)
    sigaction (signum, &before, NULL);
}

/* Ignores a stop signal that was sent to the whole group, because this process must keep running to report that the
 * program was stopped. */
static void
on_stop (int signum)
{
}

static void
handle_signals (void)
{
  struct sigaction action = { .sa_sigaction = run_signals_take, .sa_flags = SA_SIGINFO | SA_RESTART };
  struct sigaction stop = { .sa_handler = on_stop, .sa_flags = SA_RESTART };

  /* Block all other signals while a handler runs, because the stack may not have room for nested handlers. */
  sigfillset (&action.sa_mask);
  for (int signum = 1; signum < NSIG; signum++)
    if (is_handled (signum))
      handle_with (signum, &action);
  if (keeper_is_there ())
    handle_with (SIGTSTP, &stop);
}

RunSignals *
run_signals_new (RoastSession *session)
{
  RunSignals *self = g_new0 (RunSignals, 1);

  self->session = g_object_ref (session);
  measured = session;
  self->start = g_cancellable_new ();
  if (!g_unix_open_pipe (wakeup, FD_CLOEXEC, NULL))
    return self;
  g_unix_set_fd_nonblocking (wakeup[0], TRUE, NULL);
  g_unix_set_fd_nonblocking (wakeup[1], TRUE, NULL);
  self->watch = g_unix_fd_add (wakeup[0], G_IO_IN, on_wakeup, self);
  handle_signals ();

  return self;
}

GCancellable *
run_signals_get_start (RunSignals *self)
{
  return self->start;
}

int
run_signals_get_ended_by (RunSignals *self)
{
  return self->ended_by;
}

void
run_signals_watch_program (RunSignals *self)
{
  RoastLauncher *launcher = roast_session_get_launcher (self->session);
  int wait_status;

  if (launcher == NULL)
    return;
  if (roast_launcher_get_wait_status (launcher, &wait_status))
    run_signals_program_ended (self, wait_status);
  g_signal_connect (launcher, "stopped", G_CALLBACK (on_program_stopped), self);
  g_signal_connect (launcher, "continued", G_CALLBACK (on_program_continued), self);
  g_signal_connect (launcher, "exited", G_CALLBACK (on_program_exited), self);
}

void
run_signals_program_ended (RunSignals *self, int wait_status)
{
  status_at_end = wait_status;
  program_ended = TRUE;
}

void
run_signals_stop_session (RunSignals *self)
{
  self->stop_session = TRUE;
  takes_all = TRUE;
}

void
run_signals_free (RunSignals *self)
{
  RoastLauncher *launcher = roast_session_get_launcher (self->session);

  g_clear_handle_id (&self->watch, g_source_remove);
  if (launcher != NULL)
    g_signal_handlers_disconnect_by_data (launcher, self);
  measured = NULL;
  g_object_unref (self->start);
  g_object_unref (self->session);
  g_free (self);
}
