/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-attempt.h"

G_BEGIN_DECLS

/* Rows of tasks and libraries. */
typedef struct _VineTaskRows VineTaskRows;

/* Shared by the managers of a recording: a limit for their rows of tasks together. */
typedef struct
{
  guint64 max, n;
} VineTaskLimit;

/* @limit: must outlive the object */
VineTaskRows *vine_task_rows_new (RoastRecording *recording, const char *source, VineTaskLimit *limit);
void vine_task_rows_free (VineTaskRows *self);
/* Writes an attempt that is over. */
/* Says that a task runs. Its row is written in full when it has ended. */
void vine_task_rows_tell (VineTaskRows *self, const VineAttempt *attempt);
void vine_task_rows_write (VineTaskRows *self, const VineAttempt *attempt);
/* Attempts that have no row because of the limit. */
guint64 vine_task_rows_get_n_left_out (VineTaskRows *self);

G_END_DECLS
