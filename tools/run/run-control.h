/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Orders on standard input, answers on standard output, for a program that measures itself: see docs/control.md. */
typedef struct _RunControl RunControl;

RunControl *run_control_new (RoastSession *session);
/* The session runs: from now on orders are obeyed. */
void run_control_start (RunControl *self);
void run_control_free (RunControl *self);

G_END_DECLS
