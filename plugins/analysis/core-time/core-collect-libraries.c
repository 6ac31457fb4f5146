/* SPDX-License-Identifier: BSD-3-Clause */

/* Collect libraries. A library holds cores of its worker, and calls run on these cores. */

#include "core-claims.h"
#include "core-collect.h"
#include "coverage.h"
#include "each.h"

/* Add a library. Once the library is ready, its cores count as held for calls, even if the library fails later. */
static void
collect_libraries_add (CoreCollection *self, RoastTableReader *libraries)
{
  const char *name = roast_table_reader_get_string (libraries, ROAST_LIBRARIES_SOURCE);
  CoreSource *source = core_collection_get_source (self, name);
  guint worker =
      core_collection_get_worker (self, name, roast_table_reader_get_string (libraries, ROAST_LIBRARIES_WORKER));
  double cores = roast_table_reader_get_double (libraries, ROAST_LIBRARIES_CORES);
  gint64 sent = roast_table_reader_get_int64 (libraries, ROAST_LIBRARIES_SENT, -1);
  gint64 ready = roast_table_reader_get_int64 (libraries, ROAST_LIBRARIES_READY, -1);
  gint64 ended = roast_table_reader_get_int64 (libraries, ROAST_LIBRARIES_ENDED, self->ended);
  gboolean has_failed = roast_table_reader_get_word (libraries, ROAST_LIBRARIES_STATUS) == ROAST_STATUS_FAILED;

  if (source == NULL)
    return;
  source->has_libraries = TRUE;
  if (worker == CORE_TIME_NO_WORKER || isnan (cores))
    return;
  if (ready < 0)
    {
      core_events_add_between (source->events, sent, ended, has_failed ? CLAIM_LIBRARY_FAILED : CLAIM_LIBRARY_START,
                               worker, core_cores_to_amount (cores));
      return;
    }
  core_events_add_between (source->events, sent, ready, CLAIM_LIBRARY_START, worker, core_cores_to_amount (cores));
  core_events_add_between (source->events, ready, ended, CHANGE_HOLD, worker, core_cores_to_amount (cores));
}

void
core_collect_libraries (CoreCollection *self)
{
  g_autoptr (RoastTableReader) libraries = roast_libraries_read (self->recording);
  g_autoptr (GPtrArray) doubts = coverage_list (self->recording, ROAST_TABLE_LIBRARIES, "ready");

  FOR_EACH_POINTER (const Coverage, doubt, doubts)
    {
      CoreSource *source = core_collection_get_source (self, doubt->source);

      if (source != NULL)
        source->is_estimated[ROAST_CORE_PART_LIBRARY_START] = source->is_estimated[ROAST_CORE_PART_LIBRARY_IDLE] = TRUE;
    }
  while (roast_table_reader_next (libraries))
    collect_libraries_add (self, libraries);
}
