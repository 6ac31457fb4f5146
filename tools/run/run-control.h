/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Orders and answers by lines, for a program that uses roast-run instead of the library: see docs/raw.md. */
typedef struct _RunControl RunControl;

/* “IN,OUT” or “IN,OUT,discard”: two descriptors. From now on messages go to OUT as well. FALSE if they are not. */
gboolean run_control_take (const char *descriptors, GError **error);
RunControl *run_control_new (RoastSession *session);
/* The session runs: from now on orders are obeyed. */
void run_control_start (RunControl *self);
/* Whether only the program that gives the orders would read the run, and it has gone without the order to stop. */
gboolean run_control_is_abandoned (const RunControl *self);
void run_control_free (RunControl *self);
/* The last answers and messages, before this process ends. */
void run_control_flush (void);

G_END_DECLS
