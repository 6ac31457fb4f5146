/* SPDX-License-Identifier: BSD-3-Clause */
#include "under-way.h"

#include <math.h>

gboolean
under_way_get (RoastTableReader *tasks, double end, double *from, double *to)
{
  int status = roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS);

  gboolean may_run = status < 0 || status == ROAST_STATUS_RUNNING || status == ROAST_STATUS_CANCELLED ||
                     (status == ROAST_STATUS_UNFINISHED && roast_table_reader_has (tasks, ROAST_TASKS_RUNNING_SINCE));

  if (!may_run || roast_table_reader_has (tasks, ROAST_TASKS_ENDED))
    return FALSE;
  *from = roast_table_reader_get_double (tasks, roast_table_reader_has (tasks, ROAST_TASKS_STARTED)
                                                    ? ROAST_TASKS_STARTED
                                                    : ROAST_TASKS_RUNNING_SINCE);
  *to = roast_table_reader_get_double (tasks, ROAST_TASKS_NOTICED);
  if (isnan (*to))
    *to = end;

  return !isnan (*from);
}
