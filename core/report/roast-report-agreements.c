/* SPDX-License-Identifier: BSD-3-Clause */

/* Checks whether two measurements of the same quantity agree. */

#include "roast-report-private.h"

#include <math.h>

#include "recording/roast-recording-snapshot-private.h"
#include "roast-formula-aggregate-private.h"
#include "roast/roast-format.h"
#include "roast/roast-tables.h"
#include "table/roast-agreement-private.h"
#include "table/roast-schema-private.h"

static gboolean
are_there (RoastReport *report, const RoastAgreement *agreement)
{
  for (char **name = agreement->metrics; *name != NULL; name++)
    if (roast_report_lookup (report, *name) == NULL)
      return FALSE;

  return TRUE;
}

/* Return whether both values may be right: their intervals overlap, or the distance between the intervals is within the
 * tolerance. */
static gboolean
agrees (const RoastAgreement *agreement, const RoastFormulaValue *first, const RoastFormulaValue *second)
{
  double slack = agreement->margin + agreement->tolerance * fmax (fabs (first->value), fabs (second->value));

  return first->low <= second->high + slack && (agreement->is_at_most || second->low <= first->high + slack);
}

/* Describe the difference in the format of the first metric. */
static char *
describe (RoastReport *report, const RoastAgreement *agreement, double first, double second)
{
  RoastMetricInfo *info = roast_schema_lookup_metric (roast_report_get_schema (report), agreement->metrics[0], NULL);
  const char *format = info != NULL ? roast_metric_info_get_format (info) : "number";
  g_autofree char *a = roast_format_number (first, format);
  g_autofree char *b = roast_format_number (second, format);

  return g_strdup_printf ("%s according to %s, but %s according to %s", a,
                          agreement->values[ROAST_AGREEMENT_FIRST_SOURCE], b,
                          agreement->values[ROAST_AGREEMENT_SECOND_SOURCE]);
}

static void
put (RoastReport *report, const RoastAgreement *agreement, const RoastFormulaValue *first,
     const RoastFormulaValue *second, int state, const char *reason)
{
  g_autoptr (RoastTableWriter) writer = roast_agreements_write (report);

  roast_table_writer_set_string (writer, ROAST_AGREEMENTS_AGREEMENT, agreement->name);
  roast_table_writer_set_double (writer, ROAST_AGREEMENTS_FIRST, first->value);
  roast_table_writer_set_double (writer, ROAST_AGREEMENTS_SECOND, second->value);
  roast_table_writer_set_word (writer, ROAST_AGREEMENTS_STATE, state);
  roast_table_writer_set_string (writer, ROAST_AGREEMENTS_REASON, reason);
  roast_table_writer_end (writer, NULL);
}

static void
agreements_check (RoastReport *report, RoastRecordingSnapshot *recording, const RoastAgreement *agreement)
{
  g_auto (RoastFormulaValue) first = { NAN, NAN, NAN, FALSE, NULL };
  g_auto (RoastFormulaValue) second = { NAN, NAN, NAN, FALSE, NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *difference = NULL;

  if (!roast_formula_evaluate (report, recording, agreement->values[ROAST_AGREEMENT_FIRST], &first, &error) ||
      !roast_formula_evaluate (report, recording, agreement->values[ROAST_AGREEMENT_SECOND], &second, &error))
    put (report, agreement, &first, &second, ROAST_AGREEMENT_STATE_UNKNOWN, error->message);
  else if (isnan (first.value) || isnan (second.value))
    put (report, agreement, &first, &second, ROAST_AGREEMENT_STATE_UNKNOWN,
         isnan (first.value) ? first.note : second.note);
  else if (agrees (agreement, &first, &second))
    put (report, agreement, &first, &second, ROAST_AGREEMENT_STATE_AGREE, NULL);
  else
    {
      difference = describe (report, agreement, first.value, second.value);
      put (report, agreement, &first, &second, ROAST_AGREEMENT_STATE_DIFFER, difference);
      for (char **name = agreement->metrics; *name != NULL; name++)
        roast_report_contradict (report, *name, difference);
    }
}

void
roast_report_check_agreements (RoastReport *report, RoastRecordingSnapshot *recording)
{
  GPtrArray *agreements = roast_schema_get_agreements (roast_report_get_schema (report));

  for (guint i = 0; i < agreements->len; i++)
    {
      const RoastAgreement *agreement = g_ptr_array_index (agreements, i);

      if (!are_there (report, agreement) || !g_hash_table_add (report->agreements, g_strdup (agreement->name)))
        continue;
      roast_report_begin (report, NULL, recording);
      agreements_check (report, recording, agreement);
      roast_report_end (report);
    }
}
