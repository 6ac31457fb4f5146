/* SPDX-License-Identifier: BSD-3-Clause */

#include "run-crash.h"

#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "keeper.h"
#include "run-signals.h"

#define STACK_SIZE 65536
#define RUN_CRASH_PATIENCE 2 /* s; time limit for the crash handler, because it may read corrupt data */

static void
bound_time (void)
{
  struct sigaction by_default = { .sa_handler = SIG_DFL };
  sigset_t alarms;

  sigaction (SIGALRM, &by_default, NULL);
  sigemptyset (&alarms);
  sigaddset (&alarms, SIGALRM);
  sigprocmask (SIG_UNBLOCK, &alarms, NULL);
  alarm (RUN_CRASH_PATIENCE);
}

/* Handles a fatal signal. If another process sent the signal, the signal is meant for the program, so forward it. If it
 * comes from a real fault, restore the default action, which ends this process as soon as the handler returns. */
static void
on_fatal (int signum, siginfo_t *info, void *context)
{
  struct sigaction by_default = { .sa_handler = SIG_DFL };

  if (info->si_code <= 0 && info->si_pid != getpid ())
    {
      run_signals_take (signum, info, context);
      return;
    }
  sigaction (signum, &by_default, NULL);
  bound_time ();
  roast_plugin_trace_call ();
  raise (signum);
}

static void
on_question (int signum, siginfo_t *info, void *context)
{
  roast_plugin_trace_call ();
}

static void
on_exit_called (void)
{
  if (!keeper_has_finished ())
    roast_plugin_trace_call ();
}

/* Installs a handler. Does nothing if the signal already has a handler, such as that of a sanitizer. */
static void
run_crash_handle (int signum, void (*handler) (int, siginfo_t *, void *), int flags)
{
  struct sigaction action = { .sa_sigaction = handler, .sa_flags = flags | SA_SIGINFO | SA_ONSTACK };
  struct sigaction before;

  sigfillset (&action.sa_mask);
  if (sigaction (signum, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
    sigaction (signum, &action, NULL);
}

void
run_crash_watch (void)
{
  static const int fatal[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS };
  static char memory[STACK_SIZE];
  stack_t stack = { .ss_sp = memory, .ss_size = sizeof memory };

  if (keeper_get_call () == NULL)
    return;
  /* Let the handlers use another stack, because the normal stack may have overflowed. */
  sigaltstack (&stack, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (fatal); i++)
    run_crash_handle (fatal[i], on_fatal, 0);
  run_crash_handle (KEEPER_QUESTION, on_question, SA_RESTART);
  atexit (on_exit_called);
}

void
run_crash_prepare (void)
{
  void *frame;

  backtrace (&frame, 1);
}
