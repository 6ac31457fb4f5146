/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Reads orders from a program that controls roast-run, and sends answers to it. Orders and answers are lines of text:
 * see docs/raw.md. */
typedef struct _RunControl RunControl;

/* Parses “IN,OUT” or “IN,OUT,discard”. IN and OUT are numbers of descriptors. From now on, messages go to OUT instead
 * of standard error. Returns FALSE if the text is invalid. */
gboolean run_control_take (const char *descriptors, GError **error);
RunControl *run_control_new (RoastSession *session);
/* Starts to accept orders. Call this function after the session has started. */
void run_control_start (RunControl *self);
/* Returns whether the run must be discarded: only the controlling program would read it (“discard”), and this program
 * is gone without having sent an order to stop. */
gboolean run_control_is_abandoned (const RunControl *self);
void run_control_free (RunControl *self);
/* Writes the last answers and messages. Call this function before this process ends. */
void run_control_flush (void);
