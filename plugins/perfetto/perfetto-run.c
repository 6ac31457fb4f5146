/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes what belongs to the whole run or to a whole source: windows, stretches, spans, events and findings. */

#include "each.h"
#include "perfetto-intervals.h"

/* Return a new track for each row, because the next stretch may have the same name and begin at the end of this one. */
static guint64
run_add_track (Export *export, const IntervalKind *kind, LaneTracks *tracks, RoastTableReader *table, gsize row,
               gpointer data, guint *group)
{
  const char *source = roast_table_reader_get_string (table, kind->source);
  const char *name = roast_table_reader_get_string (table, (guint) kind->name);
  g_autofree char *track_name = g_strdup_printf ("%s %s", kind->category, name != NULL ? name : "");

  return trace_add_track (export->trace, workers_get_source (export->workers, source), track_name);
}

static const IntervalKind parts[] = {
  { .table = ROAST_TABLE_WINDOWS,
    .is_in_report = TRUE,
    .columns = roast_windows_columns,
    .started = ROAST_WINDOWS_STARTED,
    .ended = ROAST_WINDOWS_ENDED,
    .source = ROAST_WINDOWS_SOURCE,
    .missing = INTERVAL_IS_OPEN,
    .name = ROAST_WINDOWS_KIND,
    .category = "window",
    .arguments = { ROAST_WINDOWS_WHY, ARGUMENTS_END },
    .place = run_add_track },
  { .table = ROAST_TABLE_STRETCHES,
    .is_in_report = TRUE,
    .columns = roast_stretches_columns,
    .started = ROAST_STRETCHES_STARTED,
    .ended = ROAST_STRETCHES_ENDED,
    .source = ROAST_STRETCHES_SOURCE,
    .missing = INTERVAL_IS_OPEN,
    .name = ROAST_STRETCHES_NAME,
    .category = "stretch",
    .arguments = { ROAST_STRETCHES_REASON, ARGUMENTS_END },
    .place = run_add_track },
  { .table = ROAST_TABLE_SPANS,
    .columns = roast_spans_columns,
    .started = ROAST_SPANS_STARTED,
    .ended = ROAST_SPANS_ENDED,
    .source = ROAST_SPANS_SOURCE,
    .missing = INTERVAL_IS_OPEN,
    .name = ROAST_SPANS_NAME,
    .category = "span",
    .arguments = { ROAST_SPANS_SPAN, ARGUMENTS_END },
    .place = run_add_track },
};

/* Return the same track for all events. */
static guint64
run_get_track (Export *export, const IntervalKind *kind, LaneTracks *tracks, RoastTableReader *table, gsize row,
               gpointer data, guint *group)
{
  guint64 *track = data;

  if (*track == 0)
    *track = trace_add_track (export->trace, workers_get_source (export->workers, NULL), "events");

  return *track;
}

static const IntervalKind events = {
  .table = ROAST_TABLE_EVENTS,
  .columns = roast_events_columns,
  .started = ROAST_EVENTS_TIME,
  .ended = ROAST_EVENTS_TIME,
  .missing = INTERVAL_IS_INSTANT,
  .name = ROAST_EVENTS_KIND,
  .category = "event",
  .arguments = { ROAST_EVENTS_SOURCE, ROAST_EVENTS_SEVERITY, ROAST_EVENTS_MESSAGE, ARGUMENTS_END },
  .place = run_get_track,
};

/* Begin an event about the whole run. Its time is the start of the run, because readers look there first. It is on the
 * track with the name @track_name. */
static void
begin_note (Export *export, guint64 *track, const char *track_name, const char *name, const char *category)
{
  if (*track == 0)
    *track = trace_add_track (export->trace, workers_get_source (export->workers, NULL), track_name);
  trace_begin_instant (export->trace, export->started, *track, trace_get_text (export->trace, TRACE_NAME, name),
                       trace_get_text (export->trace, TRACE_CATEGORY, category));
}

static void
write_findings (Export *export)
{
  g_autoptr (GPtrArray) findings = roast_report_list_findings (export->report);
  guint64 track = 0;

  FOR_EACH_POINTER (RoastFinding, finding, findings)
    {
      begin_note (export, &track, "findings", roast_finding_get_rule (finding), "finding");
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
  guint64 track = 0;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    intervals_write (export, &parts[i], NULL);
  intervals_write (export, &events, &track);
  write_findings (export);
}

/* Write an event with an argument for each table, which says how many rows of this table were left out. */
void
run_write_left_out (Export *export)
{
  guint64 track = 0;

  if (export->left_out->len == 0)
    return;
  begin_note (export, &track, "rows left out", "rows left out", "event");
  FOR_EACH (const LeftOut, left_out, export->left_out)
    {
      g_debug ("%" G_GINT64_FORMAT " rows of the table %s have no times and are left out", left_out->n,
               left_out->table);
      trace_put_int (export->trace, trace_get_text (export->trace, TRACE_ANNOTATION, left_out->table), left_out->n);
    }
  trace_end_event (export->trace);
}
