/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <signal.h>

/* Forwards the signals that roast-run receives to the program. Stops roast-run if the program is stopped. */
typedef struct _RunSignals RunSignals;

RunSignals *run_signals_new (RoastSession *session);
/* Handles a signal that must be forwarded. This function is public because run-crash.c calls it, too.
 * Async-signal-safe. */
void run_signals_take (int signum, siginfo_t *info, void *context);
/* Returns a cancellable for the start of the session. It is cancelled if a signal arrives that would end the program,
 * and the program does not exist yet. */
GCancellable *run_signals_get_start (RunSignals *self);
/* Returns the signal that cancelled the start; 0 if there was none. */
int run_signals_get_ended_by (RunSignals *self);
/* Starts to watch the program. Call this function when the program runs. */
void run_signals_watch_program (RunSignals *self);
/* Records that the program has ended with this wait status. From now on, the second INT or TERM ends roast-run at once,
 * with the same wait status. */
void run_signals_program_ended (RunSignals *self, int wait_status);
/* From now on, every signal ends the measurement. roast-run does not forward signals to a process to which it attached,
 * because it did not start this process. */
void run_signals_stop_session (RunSignals *self);
void run_signals_free (RunSignals *self);
