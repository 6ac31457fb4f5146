/* SPDX-License-Identifier: BSD-3-Clause */
#include "coverage.h"
#include "each.h"

static void
coverage_free (Coverage *self)
{
  g_free (self->source);
  g_free (self->reason);
  g_free (self);
}

static void
coverage_add (GPtrArray *all, const char *source, guint state, gboolean is_end, const char *reason)
{
  Coverage *self = g_new0 (Coverage, 1);

  self->source = g_strdup (source);
  self->state = state;
  self->is_end = is_end;
  self->reason = g_strdup (reason);
  g_ptr_array_add (all, self);
}

static void
coverage_read_sources (GPtrArray *all, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) sources = roast_sources_read (recording);

  while (roast_table_reader_next (sources))
    if (roast_table_reader_has (sources, ROAST_SOURCES_TASKS_MISSING))
      coverage_add (all, roast_table_reader_get_string (sources, ROAST_SOURCES_SOURCE), ROAST_COVERAGE_STATE_PARTIAL,
                    TRUE, roast_table_reader_get_string (sources, ROAST_SOURCES_TASKS_MISSING));
}

GPtrArray *
coverage_list (RoastRecordingSnapshot *recording, const char *table, const char *column)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) coverage_free);
  g_autoptr (RoastTableReader) rows = roast_coverage_read (recording);

  while (roast_table_reader_next (rows))
    {
      int state = roast_table_reader_get_word (rows, ROAST_COVERAGE_STATE);
      const char *name = roast_table_reader_get_string (rows, ROAST_COVERAGE_TABLE);

      if (state > ROAST_COVERAGE_STATE_COMPLETE &&
          g_strcmp0 (roast_table_reader_get_string (rows, ROAST_COVERAGE_COLUMN), column) == 0 &&
          (name == NULL || *name == '\0' || g_str_equal (name, table)))
        coverage_add (all, roast_table_reader_get_string (rows, ROAST_COVERAGE_SOURCE), (guint) state,
                      roast_table_reader_has (rows, ROAST_COVERAGE_FROM),
                      roast_table_reader_get_string (rows, ROAST_COVERAGE_REASON));
    }
  if (g_str_equal (table, ROAST_TABLE_TASKS))
    coverage_read_sources (all, recording);

  return all;
}

char *
coverage_dup_none (RoastRecordingSnapshot *recording, const char *table)
{
  g_autoptr (GPtrArray) all = coverage_list (recording, table, NULL);

  FOR_EACH_POINTER (const Coverage, one, all)
    if (one->state == ROAST_COVERAGE_STATE_NONE)
      return g_strdup_printf ("the table %s lacks all rows of one source%s%s", table, one->reason != NULL ? ": " : "",
                              one->reason != NULL ? one->reason : "");

  return NULL;
}
