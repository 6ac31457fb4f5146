/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Reads orders from a program that controls roast-run, and sends answers, both as lines of text: see docs/raw.md. */
typedef struct _RunControl RunControl;

/* Parses “IN,OUT” or “IN,OUT,discard”, where IN and OUT are descriptors. From now on, messages go to OUT instead of
 * standard error. Returns FALSE if the text is invalid. */
gboolean run_control_take (const char *descriptors, GError **error);
RunControl *run_control_new (RoastSession *session);
/* Starts to accept orders. Call it when the session runs. */
void run_control_start (RunControl *self);
/* Returns whether to discard the run: only the controlling program would read it (“discard”), and that program is gone
 * without an order to stop. */
gboolean run_control_is_abandoned (const RunControl *self);
void run_control_free (RunControl *self);
/* Writes the last answers and messages. Call it before this process ends. */
void run_control_flush (void);

G_END_DECLS
