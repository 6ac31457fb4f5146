/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Hands on to the program what is sent to roast-run, and follows it into job control. */
typedef struct _RunSignals RunSignals;

/* Notes, before anything else runs, how signals stand: what the program must inherit. */
gboolean run_signals_sigpipe_is_ignored (void);

RunSignals *run_signals_new (RoastSession *session);
/* For the start of the session: cancelled by what would end a program, as long as there is none. */
GCancellable *run_signals_get_start (RunSignals *self);
/* The signal that did so, or 0. */
int run_signals_get_ended_by (RunSignals *self);
/* To be called when the program runs. */
void run_signals_watch_program (RunSignals *self);
/* Signals now end the measurement instead of being handed on: what is attached to is not ours to signal. */
void run_signals_stop_session (RunSignals *self);
void run_signals_free (RunSignals *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunSignals, run_signals_free)

G_END_DECLS
