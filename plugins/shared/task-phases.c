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
task_phases_get_seconds (RoastTableReader *tasks, guint from, guint to)
{
  double end = roast_table_reader_get_double (tasks, to);
  double start = isnan (end) ? NAN : roast_table_reader_get_double (tasks, from);
  double us;

  if (isnan (start) && from == ROAST_TASKS_READY)
    start = roast_table_reader_get_double (tasks, ROAST_TASKS_SUBMITTED);
  us = end - start;

  /* Use 0 instead of a negative difference, which occurs if the times come from the clocks of two machines. */
  return isnan (us) ? NAN : MAX (us, 0) / G_USEC_PER_SEC;
}
