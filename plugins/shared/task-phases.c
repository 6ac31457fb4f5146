/* SPDX-License-Identifier: BSD-3-Clause */
#include "task-phases.h"

#include <math.h>

const TaskPhase task_phases[ROAST_PHASE_N_WORDS] = {
  [ROAST_PHASE_QUEUE] = { ROAST_TASKS_READY, ROAST_TASKS_DISPATCHED, TASK_PHASES_NO_BYTES },
  [ROAST_PHASE_INPUT] = { ROAST_TASKS_DISPATCHED, ROAST_TASKS_DELIVERED, ROAST_TASKS_BYTES_IN },
  [ROAST_PHASE_STAGE_IN] = { ROAST_TASKS_DELIVERED, ROAST_TASKS_STARTED, TASK_PHASES_NO_BYTES },
  [ROAST_PHASE_EXECUTE] = { ROAST_TASKS_STARTED, ROAST_TASKS_ENDED, TASK_PHASES_NO_BYTES },
  [ROAST_PHASE_WAIT] = { ROAST_TASKS_ENDED, ROAST_TASKS_FETCHED, TASK_PHASES_NO_BYTES },
  [ROAST_PHASE_OUTPUT] = { ROAST_TASKS_FETCHED, ROAST_TASKS_RETRIEVED, ROAST_TASKS_BYTES_OUT },
  [ROAST_PHASE_RETURN] = { ROAST_TASKS_RETRIEVED, ROAST_TASKS_RETURNED, TASK_PHASES_NO_BYTES },
  [ROAST_PHASE_BLOCKED] = { ROAST_TASKS_SUBMITTED, ROAST_TASKS_READY, TASK_PHASES_NO_BYTES },
};

double
task_phases_between (double from, double to)
{
  double us = to - from;

  return isnan (us) ? NAN : MAX (us, 0) / G_USEC_PER_SEC;
}

void
task_phases_get (RoastTableReader *tasks, double seconds[ROAST_PHASE_N_WORDS])
{
  static const guint columns[] = { ROAST_TASKS_SUBMITTED, ROAST_TASKS_READY,     ROAST_TASKS_DISPATCHED,
                                   ROAST_TASKS_DELIVERED, ROAST_TASKS_STARTED,   ROAST_TASKS_ENDED,
                                   ROAST_TASKS_FETCHED,   ROAST_TASKS_RETRIEVED, ROAST_TASKS_RETURNED };
  double times[ROAST_TASKS_RETURNED + 1];

  /* Read each time only once, because most times are the end of a phase and the start of another. */
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    times[columns[i]] = roast_table_reader_get_double (tasks, columns[i]);
  for (guint phase = 0; phase < ROAST_PHASE_N_WORDS; phase++)
    seconds[phase] = task_phases_between (times[task_phases[phase].from], times[task_phases[phase].to]);
  if (isnan (times[ROAST_TASKS_READY]))
    seconds[ROAST_PHASE_QUEUE] = task_phases_between (times[ROAST_TASKS_SUBMITTED], times[ROAST_TASKS_DISPATCHED]);
}
