/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

#define TASK_PHASES_NO_BYTES (-1)

/* A phase of an attempt is the time from one column of tasks to another. */
typedef struct
{
  guint from, to;
  int bytes; /* column of what is moved in it, or TASK_PHASES_NO_BYTES */
} TaskPhase;

/* By the words of the vocabulary phase. */
extern const TaskPhase task_phases[ROAST_PHASE_N_WORDS];

/* Seconds of the current row of @tasks from one column to another; NaN if unknown. A task that waits for no others is
 * ready when it is submitted. */
double task_phases_get_seconds (RoastTableReader *tasks, guint from, guint to);

G_END_DECLS
