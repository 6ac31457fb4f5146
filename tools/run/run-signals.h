/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <signal.h>

G_BEGIN_DECLS

/* Forwards signals from roast-run to the program, and stops roast-run when the program is stopped. */
typedef struct _RunSignals RunSignals;

RunSignals *run_signals_new (RoastSession *session);
/* The signal handler. Public for signals that also have another handler. Async-signal-safe. */
void run_signals_take (int signum, siginfo_t *info, void *context);
/* Returns a cancellable for the start of the session. Until there is a program, a signal that would end the program
 * cancels it. */
GCancellable *run_signals_get_start (RunSignals *self);
/* Returns that signal, or 0. */
int run_signals_get_ended_by (RunSignals *self);
/* Starts to watch the program. Call it when the program runs. */
void run_signals_watch_program (RunSignals *self);
/* Makes the second INT or TERM from now on end roast-run at once, with the program's wait status. */
void run_signals_program_ended (RunSignals *self, int wait_status);
/* Makes signals from now on end the measurement. They are not forwarded, because roast-run did not start the attached
 * process. */
void run_signals_stop_session (RunSignals *self);
void run_signals_free (RunSignals *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunSignals, run_signals_free)

G_END_DECLS
