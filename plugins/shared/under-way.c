/* SPDX-License-Identifier: BSD-3-Clause */
#include "under-way.h"

#include <math.h>

double
under_way_get_start (RoastTableReader *tasks)
{
  int status = roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS);
  double started = roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED);

  if ((status >= 0 && status != ROAST_STATUS_RUNNING) || roast_table_reader_has (tasks, ROAST_TASKS_ENDED))
    return NAN;

  return isnan (started) ? roast_table_reader_get_double (tasks, ROAST_TASKS_RUNNING_SINCE) : started;
}
