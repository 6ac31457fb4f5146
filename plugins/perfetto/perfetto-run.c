/* SPDX-License-Identifier: BSD-3-Clause */

/* What belongs to the run or to a source as a whole: windows, stretches, spans, events, findings. */

#include "perfetto.h"

/* A table of named stretches of time. Those of one name are on one track. */
typedef struct
{
  const char *category; /* and the beginning of the names of tracks */
  guint source, name, started, ended, why;
} Kind;

static const Kind windows = {
  "window", ROAST_WINDOWS_SOURCE, ROAST_WINDOWS_KIND, ROAST_WINDOWS_STARTED, ROAST_WINDOWS_ENDED, ROAST_WINDOWS_WHY
};
static const Kind stretches = { "stretch",
                                ROAST_STRETCHES_SOURCE,
                                ROAST_STRETCHES_NAME,
                                ROAST_STRETCHES_STARTED,
                                ROAST_STRETCHES_ENDED,
                                ROAST_STRETCHES_REASON };
static const Kind spans = {
  "span", ROAST_SPANS_SOURCE, ROAST_SPANS_NAME, ROAST_SPANS_STARTED, ROAST_SPANS_ENDED, ROAST_SPANS_SPAN
};

/* A stretch may be named like the next one, and begin where that ends: each has a track. */
static void
write_stretch (Export *export, const Kind *kind, RoastTableReader *table, const char *name_of_table)
{
  Trace *trace = export->trace;
  RoastColumn *why = roast_table_reader_get_column (table, kind->why);
  const char *name = roast_table_reader_get_string (table, kind->name);
  gint64 started = roast_table_reader_get_int64 (table, kind->started, -1);
  gint64 ended = roast_table_reader_get_int64 (table, kind->ended, G_MAXINT64);
  g_autofree char *track_name = g_strdup_printf ("%s %s", kind->category, name != NULL ? name : "");
  guint64 track;

  if (!trace_is_time (started) || ended < started || (ended != G_MAXINT64 && !trace_is_time (ended)))
    {
      export_leave_out (export, name_of_table, 1);
      return;
    }
  track =
      trace_add_track (trace, workers_get_source (export->workers, roast_table_reader_get_string (table, kind->source)),
                       track_name);
  trace_begin_slice (trace, started, track, trace_get_text (trace, TRACE_NAME, name != NULL ? name : kind->category),
                     trace_get_text (trace, TRACE_CATEGORY, kind->category));
  trace_put_text (trace, trace_get_text (trace, TRACE_ANNOTATION, roast_column_get_name (why)),
                  roast_table_reader_get_string (table, kind->why));
  trace_end_event (trace);
  if (ended != G_MAXINT64)
    trace_end_slice (trace, ended, track);
}

/* Takes over @table. */
static void
write_stretches (Export *export, const Kind *kind, RoastTableReader *reader)
{
  g_autoptr (RoastTableReader) table = reader;

  while (table != NULL && roast_table_reader_next (table) && !trace_has_failed (export->trace))
    write_stretch (export, kind, table, roast_table_info_get_name (roast_table_reader_get_info (table)));
}

static void
write_events (Export *export)
{
  static const guint arguments[] = { ROAST_EVENTS_SOURCE, ROAST_EVENTS_SEVERITY, ROAST_EVENTS_MESSAGE };
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (export->recording, ROAST_TABLE_EVENTS, roast_events_columns, NULL);
  TraceTexts texts[G_N_ELEMENTS (arguments) + 1] = { 0 };
  guint64 track = 0;

  while (roast_table_reader_next (table) && !trace_has_failed (export->trace))
    {
      gint64 time = roast_table_reader_get_int64 (table, ROAST_EVENTS_TIME, -1);
      guint name =
          trace_texts_get (&texts[G_N_ELEMENTS (arguments)], export->trace, TRACE_NAME, table, ROAST_EVENTS_KIND);

      if (!trace_is_time (time))
        {
          export_leave_out (export, ROAST_TABLE_EVENTS, 1);
          continue;
        }
      if (track == 0)
        track = trace_add_track (export->trace, workers_get_source (export->workers, NULL), "events");
      trace_begin_instant (export->trace, time, track, name, trace_get_text (export->trace, TRACE_CATEGORY, "event"));
      export_put_cells (export, table, arguments, G_N_ELEMENTS (arguments), texts);
      trace_end_event (export->trace);
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    trace_texts_clear (&texts[i]);
}

/* At the start of the run, where a reader begins. */
static void
write_findings (Export *export)
{
  g_autoptr (GPtrArray) findings = roast_report_list_findings (export->report);
  guint64 track = 0;

  for (guint i = 0; i < findings->len; i++)
    {
      RoastFinding *finding = g_ptr_array_index (findings, i);

      if (track == 0)
        track = trace_add_track (export->trace, workers_get_source (export->workers, NULL), "findings");
      trace_begin_instant (export->trace, export->started, track,
                           trace_get_text (export->trace, TRACE_NAME, roast_finding_get_rule (finding)),
                           trace_get_text (export->trace, TRACE_CATEGORY, "finding"));
      trace_put_text (export->trace, trace_get_text (export->trace, TRACE_ANNOTATION, "text"),
                      roast_finding_get_text (finding));
      trace_put_text (export->trace, trace_get_text (export->trace, TRACE_ANNOTATION, "advice"),
                      roast_finding_get_advice (finding));
      trace_end_event (export->trace);
    }
}

void
run_write (Export *export)
{
  write_stretches (export, &windows,
                   roast_report_read_table (export->report, ROAST_TABLE_WINDOWS, roast_windows_columns, NULL));
  write_stretches (export, &stretches,
                   roast_report_read_table (export->report, ROAST_TABLE_STRETCHES, roast_stretches_columns, NULL));
  write_stretches (export, &spans,
                   roast_recording_snapshot_read_table (export->recording, ROAST_TABLE_SPANS, roast_spans_columns,
                                                        NULL));
  write_events (export);
  write_findings (export);
}

/* One event, and an argument for each table. */
void
run_write_left_out (Export *export)
{
  guint64 track;

  if (export->left_out->len == 0)
    return;
  track = trace_add_track (export->trace, workers_get_source (export->workers, NULL), "rows left out");
  trace_begin_instant (export->trace, export->started, track,
                       trace_get_text (export->trace, TRACE_NAME, "rows left out"),
                       trace_get_text (export->trace, TRACE_CATEGORY, "event"));
  for (guint i = 0; i + 1 < export->left_out->len; i += 2)
    {
      const char *table = g_array_index (export->left_out, gpointer, i);
      gsize n = GPOINTER_TO_SIZE (g_array_index (export->left_out, gpointer, i + 1));

      g_debug ("%" G_GSIZE_FORMAT " rows of the table %s have no times and are left out", n, table);
      trace_put_int (export->trace, trace_get_text (export->trace, TRACE_ANNOTATION, table), (gint64) n);
    }
  trace_end_event (export->trace);
}
