/* SPDX-License-Identifier: BSD-3-Clause */

/* Libraries that fail, or hold cores while they start or have no call. */

#include "findings.h"
#include "task-lifecycle-tables.h"

#define FAILED 0.02 /* of the core time */
#define SLOW 0.15
#define IDLE 0.4

/* How most of those that did not end well ended; *@held: core-seconds that all of them held. */
static char *
dup_failure (Findings *self, double *held)
{
  g_autoptr (RoastTableReader) table =
      roast_report_read_table (self->report, ROAST_TABLE_LIBRARY_OUTCOMES, roast_library_outcomes_columns, NULL);
  gint64 most = 0;
  char *result = NULL;

  while (table != NULL && roast_table_reader_next (table))
    {
      int status = roast_table_reader_get_word (table, ROAST_LIBRARY_OUTCOMES_STATUS);
      gint64 n = roast_table_reader_get_int64 (table, ROAST_LIBRARY_OUTCOMES_LIBRARIES, 0);

      if (status != ROAST_STATUS_FAILED && status != ROAST_STATUS_LOST)
        continue;
      if (status == ROAST_STATUS_FAILED)
        *held += fmax (0, roast_table_reader_get_double (table, ROAST_LIBRARY_OUTCOMES_CORE_SECONDS));
      if (n <= most)
        continue;
      most = n;
      g_free (result);
      result = g_strdup (roast_table_reader_get_string (table, ROAST_LIBRARY_OUTCOMES_RESULT));
    }

  return result;
}

/* That never became ready, by name. */
static char *
dup_library (Findings *self)
{
  g_autoptr (RoastTableReader) libraries =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_LIBRARIES, roast_libraries_columns, NULL);

  while (roast_table_reader_next (libraries))
    {
      int status = roast_table_reader_get_word (libraries, ROAST_LIBRARIES_STATUS);

      if (status == ROAST_STATUS_FAILED || status == ROAST_STATUS_LOST)
        return g_strdup (roast_table_reader_get_string (libraries, ROAST_LIBRARIES_WORKER));
    }

  return NULL;
}

/* Calls that failed with their library have its core time, too: it is not twice in core_time. */
static void
speak_of_failures (Findings *self, double n, double n_failed)
{
  double held = 0;
  g_autofree char *result = dup_failure (self, &held);
  g_autofree char *worker = dup_library (self);
  g_autofree char *which = n > 1 ? g_strdup_printf ("%.0f of %.0f libraries", n_failed, n) : g_strdup ("The library");
  double failed = fmax (held / self->offered, findings_get_part (self, ROAST_CORE_PART_LIBRARY_FAILED));
  RoastFinding *finding = NULL;

  if (failed < FAILED)
    return;
  finding = findings_new (self, ROAST_FINDING_SEVERITY_ERROR, failed,
                          "%s failed%s%s%s%s%s; %s held %.0f %% of the core time.", which,
                          worker == NULL ? ""
                          : n_failed > 1 ? ", such as on worker "
                                         : ", on worker ",
                          worker != NULL ? worker : "", result != NULL ? " (“" : "", result != NULL ? result : "",
                          result != NULL ? "”)" : "", n_failed > 1 ? "they" : "it", 100 * failed);
  if (worker != NULL)
    roast_finding_add_text (finding, "worker", worker);
  if (result != NULL)
    roast_finding_add_text (finding, "result", result);
  roast_finding_add_number (finding, "failed", n_failed, NULL);
  roast_finding_add_number (finding, "libraries", n, NULL);
  findings_add (self, finding,
                "Read the output of the library at that worker, and run its code there by hand: imports, environment.");
}

static void
speak_of_cores (Findings *self, double share, double n, gboolean is_start)
{
  double mean = findings_get_metric (self, "library_start_mean_seconds");
  g_autofree char *time = isnan (mean) ? NULL : findings_duration (mean);
  RoastFinding *finding =
      is_start
          ? findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                          "Libraries held %.0f %% of the core time while they started%s%s%s.", 100 * share,
                          time != NULL ? ": " : "", time != NULL ? time : "", time != NULL ? " each on average" : "")
          : findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                          "Libraries held %.0f %% of the core time without a call, after the first task started.",
                          100 * share);

  roast_finding_add_number (finding, "libraries", n, NULL);
  roast_finding_add_number (finding, "starting", mean, "s");
  if (is_start)
    findings_add (self, finding, "Make the environment of the library smaller, import less, or keep workers longer.");
  else
    findings_add (self, finding,
                  "Give the library as many cores and slots as there are calls at a time, or submit more calls.");
}

void
rule_libraries (Findings *self)
{
  double n = findings_get_metric (self, "libraries_total");
  double n_failed = findings_get_metric (self, "libraries_failed_total");
  double failed = findings_get_part (self, ROAST_CORE_PART_LIBRARY_FAILED);
  double start = findings_get_part (self, ROAST_CORE_PART_LIBRARY_START);
  /* Before the first call, what counts is when it came: see start-up. */
  double idle = findings_get_share (self, ROAST_CORE_PART_LIBRARY_IDLE, ROAST_CORE_PART_LIBRARY_IDLE,
                                    ROAST_STRETCH_RAMP, ROAST_STRETCH_TAIL);

  if (!(n > 0))
    {
      findings_not_apply (self, "no library was sent to a worker");
      return;
    }
  if (!findings_need_slots (self))
    return;
  if (n_failed > 0)
    speak_of_failures (self, n, n_failed);
  if (start >= SLOW)
    speak_of_cores (self, start, n, TRUE);
  if (idle >= IDLE)
    speak_of_cores (self, idle, n, FALSE);
  findings_be_silent (self,
                      "libraries held %.1f %% of the core time while they started, %.1f %% without a call, and "
                      "%.1f %% before they failed",
                      100 * start, 100 * idle, 100 * failed);
}
