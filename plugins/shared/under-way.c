/* SPDX-License-Identifier: BSD-3-Clause */
#include "under-way.h"

#include <math.h>

/* Returns whether the attempt was lost after its worker had reported that it was running. */
static gboolean
is_lost (RoastTableReader *tasks, int status)
{
  return status == ROAST_STATUS_LOST && roast_table_reader_has (tasks, ROAST_TASKS_RUNNING_SINCE) &&
         !roast_table_reader_has (tasks, ROAST_TASKS_STARTED);
}

gboolean
under_way_get (RoastTableReader *tasks, double end, double *from, double *to)
{
  int status = roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS);
  gboolean was_lost = is_lost (tasks, status);
  gboolean may_run = status < 0 || status == ROAST_STATUS_RUNNING || status == ROAST_STATUS_CANCELLED ||
                     (status == ROAST_STATUS_UNFINISHED && roast_table_reader_has (tasks, ROAST_TASKS_RUNNING_SINCE));

  if (!was_lost && (!may_run || roast_table_reader_has (tasks, ROAST_TASKS_ENDED)))
    return FALSE;
  *from = roast_table_reader_get_double (tasks, roast_table_reader_has (tasks, ROAST_TASKS_STARTED)
                                                    ? ROAST_TASKS_STARTED
                                                    : ROAST_TASKS_RUNNING_SINCE);
  *to = roast_table_reader_get_double (tasks, was_lost ? ROAST_TASKS_ENDED : ROAST_TASKS_NOTICED);
  if (isnan (*to))
    *to = end;

  return !isnan (*from);
}
