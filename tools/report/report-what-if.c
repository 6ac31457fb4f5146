/* SPDX-License-Identifier: BSD-3-Clause */

/* Predicts how long a run would have taken with another number of slots, or with merged tasks. Prints the table
 * what_if, for people or for programs. */

#include <math.h>

#include "core/base/roast-fail-private.h"
#include "report.h"
#include "rows-output.h"

#define MOST_SLOTS 1000000

static char *
dup_time (RoastTableReader *table, guint slot)
{
  double seconds = roast_table_reader_get_double (table, slot);

  return isnan (seconds) ? NULL : roast_format_number (seconds, "duration");
}

static const char *
get_label (RoastTableReader *table, guint slot, RoastSchema *schema, const char *vocabulary)
{
  const char *word = roast_table_reader_get_string (table, slot);

  return word != NULL ? roast_schema_get_label (schema, vocabulary, word) : NULL;
}

static gboolean
write_for_person (RoastTableReader *table, RoastSchema *schema, GError **error)
{
  static const char *const headings[] = { "if", "slots", "time", "at least", "at most", "limited by", NULL };
  static const guint times[] = { ROAST_WHAT_IF_ELAPSED, ROAST_WHAT_IF_ELAPSED_LOW, ROAST_WHAT_IF_ELAPSED_HIGH };
  g_autoptr (RowsOutput) rows = rows_output_new (REPORT_FORMAT_TABLE, headings);
  g_autoptr (GString) remarks = g_string_new ("\nThese times assume that each task takes as long as in this run.\n");

  while (roast_table_reader_next (table))
    {
      const char *name = get_label (table, ROAST_WHAT_IF_SCENARIO, schema, "what_if_scenario");
      const char *reason = roast_table_reader_get_string (table, ROAST_WHAT_IF_REASON);
      g_autofree char *size = g_strdup_printf ("%g", roast_table_reader_get_double (table, ROAST_WHAT_IF_SLOTS));

      rows_output_add_text (rows, name);
      rows_output_add_cell (rows, ROWS_CELL_NUMBER, size);
      for (guint i = 0; i < G_N_ELEMENTS (times); i++)
        {
          g_autofree char *time = dup_time (table, times[i]);

          rows_output_add_cell (rows, time != NULL ? ROWS_CELL_NUMBER : ROWS_CELL_MISSING, time);
        }
      rows_output_add_text (rows, get_label (table, ROAST_WHAT_IF_LIMIT, schema, "what_if_limit"));
      if (reason != NULL)
        g_string_append_printf (remarks, "%s, %s slots: %s.\n", name, size, reason);
      if (!rows_output_end_row (rows, error))
        return FALSE;
    }
  if (!rows_output_end (rows, error))
    return FALSE;
  g_print ("%s", remarks->str);

  return TRUE;
}

static gboolean
write_for_program (RoastTableReader *table, ReportFormat format, GError **error)
{
  g_autoptr (RowsOutput) rows = rows_output_new (format, roast_what_if_columns);

  while (roast_table_reader_next (table))
    {
      for (guint i = 0; i < roast_table_reader_get_n_columns (table); i++)
        {
          g_autoptr (GVariant) value = roast_table_reader_dup_value (table, i);
          gboolean is_number = value != NULL && !g_variant_is_of_type (value, G_VARIANT_TYPE_STRING);
          g_autofree char *number = is_number ? g_variant_print (value, FALSE) : NULL;

          if (is_number)
            rows_output_add_cell (rows, ROWS_CELL_NUMBER, number);
          else
            rows_output_add_text (rows, value != NULL ? g_variant_get_string (value, NULL) : NULL);
        }
      if (!rows_output_end_row (rows, error))
        return FALSE;
    }

  return rows_output_end (rows, error);
}

/* Parses the numbers of slots for which the user wants predictions. The aggregator computes them in addition to its own
 * scenarios. Returns NULL if an error occurs. */
static GVariant *
parse_slots (const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ",", -1);
  g_autoptr (GVariantBuilder) slots = g_variant_builder_new (G_VARIANT_TYPE ("ad"));

  for (guint i = 0; parts[i] != NULL; i++)
    {
      char *rest = NULL;
      double value = g_ascii_strtod (parts[i], &rest);

      if (rest == parts[i] || *rest != '\0' || !(value > 0 && value <= MOST_SLOTS))
        return roast_fail_null (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                                "“--slots=%s” is invalid: write numbers of slots up to %d, separated by commas, such "
                                "as 16,64",
                                text, MOST_SLOTS);
      g_variant_builder_add (slots, "d", value);
    }

  return g_variant_ref_sink (g_variant_builder_end (slots));
}

gboolean
report_what_if (ReportOptions *options, GError **error)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastSession) session = roast_session_new (registry);
  g_autoptr (GVariant) slots = parse_slots (options->slots, error);
  g_autoptr (ReportRun) run = slots != NULL ? report_run_open (options->arguments[0], error) : NULL;
  g_autoptr (RoastTableReader) table = NULL;

  if (run == NULL)
    return FALSE;
  roast_recording_set_metadata (run->recording, "what-if", slots);
  if (!roast_session_read (session, run->recording, error))
    return FALSE;
  table =
      roast_report_read_table (roast_session_get_report (session), ROAST_TABLE_WHAT_IF, roast_what_if_columns, NULL);
  if (table == NULL || roast_table_reader_get_n_rows (table) == 0)
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                       "cannot estimate the time of the run with other slots: this run has no tasks on workers with a "
                       "known number of cores");

  return options->format == REPORT_FORMAT_TABLE ? write_for_person (table, roast_registry_get_schema (registry), error)
                                                : write_for_program (table, options->format, error);
}
