/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#define TASK_PHASES_NO_BYTES (-1)

/* A phase of an attempt: the time between two columns of the table tasks. */
typedef struct
{
  guint from, to;
  int bytes; /* column with the number of bytes that were moved during the phase; or TASK_PHASES_NO_BYTES */
} TaskPhase;

/* All phases. The array index is a word of the vocabulary phase. */
extern const TaskPhase task_phases[ROAST_PHASE_N_WORDS];

/* Gets the seconds of each phase of the attempt in the current row of @tasks; NaN if a time of the phase is unknown. If
 * a task has no time at which it was ready, use its submission, because a task without dependencies is ready at once.
 */
void task_phases_get (RoastTableReader *tasks, double seconds[ROAST_PHASE_N_WORDS]);

/* Returns the seconds between two times in µs; NaN if one of them is NaN. Returns 0 instead of a negative difference,
 * which occurs if the times come from the clocks of two machines. */
double task_phases_between (double from, double to);
