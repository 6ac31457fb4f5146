/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <signal.h>

G_BEGIN_DECLS

/* Forwards signals from roast-run to the program, and stops roast-run when the program is stopped. */
typedef struct _RunSignals RunSignals;

RunSignals *run_signals_new (RoastSession *session);
/* The handler, for signals that have another one as well. Async-signal-safe. */
void run_signals_take (int signum, siginfo_t *info, void *context);
/* For the start of the session: cancelled by a signal that would end the program, until there is a program. */
GCancellable *run_signals_get_start (RunSignals *self);
/* That signal, or 0. */
int run_signals_get_ended_by (RunSignals *self);
/* Called when the program runs. */
void run_signals_watch_program (RunSignals *self);
/* From now on the second INT or TERM ends roast-run at once, with the wait status of the program. */
void run_signals_program_ended (RunSignals *self, int wait_status);
/* From now on signals end the measurement and are not forwarded: an attached process is not ours to signal. */
void run_signals_stop_session (RunSignals *self);
void run_signals_free (RunSignals *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunSignals, run_signals_free)

G_END_DECLS
