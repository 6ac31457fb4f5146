/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-attempt.h"

G_BEGIN_DECLS

/* Rows of tasks and libraries. */
typedef struct _VineTaskRows VineTaskRows;

/* @max_tasks: rows of tasks at most */
VineTaskRows *vine_task_rows_new (RoastRecording *recording, const char *source, guint64 max_tasks);
void vine_task_rows_free (VineTaskRows *self);
/* Writes an attempt that is over. */
void vine_task_rows_write (VineTaskRows *self, const VineAttempt *attempt);
/* Attempts that have no row because of the limit. */
guint64 vine_task_rows_get_n_left_out (VineTaskRows *self);

G_END_DECLS
