/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <signal.h>

G_BEGIN_DECLS

/* Forwards signals that roast-run receives to the program. Stops roast-run when the program is stopped. */
typedef struct _RunSignals RunSignals;

RunSignals *run_signals_new (RoastSession *session);
/* The handler of forwarded signals. It is public because run-crash.c passes signals on to it. Async-signal-safe. */
void run_signals_take (int signum, siginfo_t *info, void *context);
/* Returns a cancellable for the start of the session. A signal that would end the program cancels it if the program
 * does not exist yet. */
GCancellable *run_signals_get_start (RunSignals *self);
/* Returns the signal that cancelled the start, or 0. */
int run_signals_get_ended_by (RunSignals *self);
/* Starts to watch the program. Call it when the program runs. */
void run_signals_watch_program (RunSignals *self);
/* Notes that the program ended. The second INT or TERM now ends roast-run at once, with the program's wait status. */
void run_signals_program_ended (RunSignals *self, int wait_status);
/* Makes each later signal end the measurement. roast-run does not forward signals to an attached process, because it
 * did not start that process. */
void run_signals_stop_session (RunSignals *self);
void run_signals_free (RunSignals *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunSignals, run_signals_free)

G_END_DECLS
