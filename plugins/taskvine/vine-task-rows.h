/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-attempt.h"

G_BEGIN_DECLS

/* Rows of tasks and libraries. */
typedef struct _VineTaskRows VineTaskRows;

/* A limit on the total number of task rows, shared by all managers of a recording. */
typedef struct
{
  guint64 max, n;
} VineTaskLimit;

/* @limit: must outlive the object */
VineTaskRows *vine_task_rows_new (RoastRecording *recording, const char *source, VineTaskLimit *limit);
void vine_task_rows_free (VineTaskRows *self);
/* Write a row for a running task. The complete row is written at its end. */
void vine_task_rows_tell (VineTaskRows *self, const VineAttempt *attempt);
void vine_task_rows_write (VineTaskRows *self, const VineAttempt *attempt);
/* Return the number of attempts without a row because of the limit. */
guint64 vine_task_rows_get_n_left_out (VineTaskRows *self);

G_END_DECLS
