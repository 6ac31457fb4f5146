/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads what workers did besides computing in tasks. */

#include "findings.h"
#include "task-activity-tables.h"

#define IDLE "idle" /* activity of a shuffle that waits for data */

void
findings_read_activities (Findings *self)
{
  g_autoptr (RoastTableReader) table =
      findings_read_report (self, ROAST_TABLE_PER_ACTIVITY, roast_per_activity_columns);
  FindingsActivities *activities = &self->activities;

  activities->run_queue = NAN;
  while (findings_next (table))
    {
      int context = roast_table_reader_get_word (table, ROAST_PER_ACTIVITY_CONTEXT);
      const char *activity = roast_table_reader_get_string (table, ROAST_PER_ACTIVITY_ACTIVITY);
      double seconds = roast_table_reader_get_double (table, ROAST_PER_ACTIVITY_SECONDS);

      if (isnan (seconds))
        continue;
      if (context == ROAST_CONTEXT_RUN_QUEUE)
        activities->run_queue = (isnan (activities->run_queue) ? 0 : activities->run_queue) + seconds;
      else if (context == ROAST_CONTEXT_FETCH)
        activities->fetching += seconds;
      else if (context == ROAST_CONTEXT_SHUFFLE && g_strcmp0 (activity, IDLE) != 0)
        activities->shuffling += seconds;
    }
}

double
findings_get_shuffled (Findings *self)
{
  double free = findings_get_not_assigned (self) + findings_get_part (self, ROAST_CORE_PART_IDLE_UNDETERMINED) +
                findings_get_part (self, ROAST_CORE_PART_IDLE_INPUTS) +
                findings_get_parts (self, ROAST_CORE_PART_MOVE_IN, ROAST_CORE_PART_MOVE_OUT);

  return self->offered > 0 ? fmin (self->activities.shuffling / self->offered, free) : 0;
}
