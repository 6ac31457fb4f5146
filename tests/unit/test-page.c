/* SPDX-License-Identifier: BSD-3-Clause */

/* The first page of a report: what is on it, and what fits. */

#include <roast/roast.h>
#include <string.h>

#include "rows.h"

#define S ((double) G_USEC_PER_SEC)
#define AGGREGATORS "processes workload windows workers tasks task-activity task-lifecycle core-time"

G_GNUC_PRINTF (3, 4)
static void
add_row (RoastRecording *recording, const char *table, const char *format, ...)
{
  g_autofree char *row = NULL;
  va_list arguments;

  va_start (arguments, format);
  row = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  rows_add (recording, table, row);
}

static RoastRecording *
make_recording (void)
{
  RoastRecording *recording = roast_recording_new (NULL);

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (20 * G_USEC_PER_SEC));

  return recording;
}

static void
add_task (RoastRecording *recording, const char *source, const char *task, const char *worker, double started,
          double ended, const char *cells)
{
  add_row (recording, "tasks",
           "{'source': <'%s'>, 'task': <'%s'>, 'attempt': <int64 1>, 'category': <'job'>, 'worker': <'%s'>, "
           "'submitted': <int64 1000000>, "
           "'ready': <int64 1000000>, 'dispatched': <int64 %.0f>, 'started': <int64 %.0f>, 'ended': <int64 %.0f>, "
           "'status': <'done'>%s}",
           source, task, worker, started * S, started * S, ended * S, cells);
}

static void
add_worker (RoastRecording *recording, const char *source, const char *worker, const char *cells)
{
  add_row (recording, "workers",
           "{'source': <'%s'>, 'worker': <'%s'>, 'joined': <int64 1000000>, 'left': <int64 19000000>%s}", source,
           worker, cells);
}

static char *
draw (RoastRecording *recording, RoastReport *report, const char *options)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (GVariant) parsed = g_variant_parse (G_VARIANT_TYPE_VARDICT, options, NULL, NULL, NULL);
  g_autoptr (RoastExporter) exporter = NULL;
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  exporter = roast_registry_create_exporter (registry, "table", parsed, &error);
  g_assert_no_error (error);
  roast_exporter_export_report (exporter, snapshot, report, output, NULL, &error);
  g_assert_no_error (error);
  bytes = roast_output_dup_bytes (output, "report.txt");

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
check (const char *page, const char *part)
{
  if (strstr (page, part) == NULL)
    g_error ("“%s” is not in:\n%s", part, page);
}

/* ---- what fits ---- */

static void
add_finding (RoastReport *report, guint number)
{
  g_autofree char *rule = g_strdup_printf ("rule-%u", number);
  g_autofree char *text = g_strdup_printf ("Finding %u says what limited the run, by numbers that are its evidence: 1 "
                                           "of 2, 3 of 4, 5 of 6 and 7 of 8, which is more than there should be.",
                                           number);
  g_autoptr (RoastFinding) finding = roast_finding_new (rule, ROAST_FINDING_SEVERITY_WARNING, text);

  roast_finding_set_share (finding, 0.5 - 0.1 * number);
  roast_finding_set_advice (finding,
                            "Do less of one thing and more of the other, or measure again to see what it was.");
  roast_report_add_finding (report, finding);
}

static guint
count_lines (const char *page)
{
  guint n = 0;

  for (const char *c = page; *c != '\0'; c++)
    n += *c == '\n';

  return n;
}

/* Everything has something to say. */
static void
test_narrow (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "sources", "{'source': <'x'>, 'backend': <'dask'>}");
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *worker = g_strdup_printf ("tcp://127.0.0.1:4000%u", i);
      g_autofree char *task = g_strdup_printf ("job-3f2504e0-4f89-11d3-9a0c-%u", i);

      add_worker (recording, "x", worker,
                  ", 'host': <'127.0.0.1'>, 'cores': <1.0>, 'memory_peak': <int64 140000000>, 'cpu': <3.0>");
      add_task (recording, "x", task, worker, 2 + i, 9 + i, ", 'cpu': <2.0>, 'memory_peak': <int64 130000000>");
      add_row (recording, "events",
               "{'source': <'x'>, 'severity': <'warning'>, 'message': <'warning %u is a sentence that takes more than "
               "one line of a narrow page'>}",
               i);
    }
  report = rows_aggregate (recording, AGGREGATORS);
  for (guint i = 0; i < 4; i++)
    add_finding (report, i);
  for (guint width = 60; width <= 200; width += 10)
    {
      g_autofree char *options = g_strdup_printf ("{'width': <int64 %u>}", width);
      g_autofree char *page = draw (recording, report, options);
      guint lines = count_lines (page);

      g_test_message ("%s", page);
      g_assert_cmpuint (lines, <=, 40);
      g_assert_cmpuint (lines, >=, 36);
      check (page, "Outcome:");
      check (page, "\nFindings\n");
      check (page, "Finding 0");
      check (page, "more: -e table,detail");
      check (page, "\nKey numbers\n");
      check (page, "\nCore time: ");
      if (width >= 80)
        check (page, "\nCostliest\n");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/page/narrow", test_narrow);

  return g_test_run ();
}
