/* SPDX-License-Identifier: BSD-3-Clause */

/* Findings and their advice, highest rank first. */

#include "page.h"

#include <math.h>

#define LEAST_FINDINGS 2
#define STANDS_OUT 0.2 /* a finding with the severity INFO stands out from this share of the core time on */

static PageTone
tone_of (RoastFinding *finding)
{
  switch (roast_finding_get_severity (finding))
    {
    case ROAST_FINDING_SEVERITY_ERROR:
      return PAGE_BAD;
    case ROAST_FINDING_SEVERITY_WARNING:
      return PAGE_WARNING;
    case ROAST_FINDING_SEVERITY_INFO:
    default:
      return PAGE_PLAIN;
    }
}

char *
page_describe_share (RoastFinding *finding)
{
  double share = roast_finding_get_share (finding);
  double run_share = roast_finding_get_run_share (finding);
  gboolean is_of_run = !isnan (run_share) && !(share >= run_share);
  double shown = is_of_run ? run_share : share;
  g_autofree char *percent = isnan (shown) ? NULL : roast_format_number (shown, "percent");

  return percent != NULL ? g_strdup_printf ("%s of the %s", percent, is_of_run ? "run" : "core time") : NULL;
}

static void
add_finding (PageSection *section, const PageSource *source, guint number, RoastFinding *finding)
{
  const char *advice = roast_finding_get_advice (finding);
  g_autoptr (GString) text = g_string_new (roast_finding_get_text (finding));
  g_autofree char *label = g_strdup_printf ("%u. ", number);
  g_autofree char *share = page_describe_share (finding);
  PageItem *item = NULL;

  if (share != NULL)
    g_string_append_printf (text, " [%s]", share);
  if (advice != NULL)
    g_string_append_printf (text, " → %s", advice);
  item = page_section_add (section, source, PAGE_PARAGRAPH, label, text->str);
  item->tone = tone_of (finding);
  item->finding = g_object_ref (finding);
}

/* Say “Nothing stands out”, but only if at least one rule had enough data to judge. */
static void
add_nothing (PageSection *section, const PageSource *source, RoastTableReader *rules)
{
  guint looked = 0;
  guint blind = 0;
  g_autoptr (GString) text = g_string_new (NULL);

  while (roast_table_reader_next (rules))
    {
      const char *state = roast_table_reader_get_string (rules, ROAST_RULES_STATE);

      looked += g_strcmp0 (state, "silent") == 0 || g_strcmp0 (state, "spoke") == 0;
      blind += g_strcmp0 (state, "incomplete") == 0;
    }
  if (looked > 0)
    g_string_append_printf (text, "%u %s checked", looked, looked == 1 ? "rule" : "rules");
  if (blind > 0)
    g_string_append_printf (text, "%s%u lacked data (%s)", looked > 0 ? "; " : "no rule could be checked: ", blind,
                            source->where_rules);
  if (looked + blind > 0)
    page_section_add (section, source, PAGE_PARAGRAPH, looked > 0 ? "Nothing stands out: " : "Not judged: ", text->str)
        ->tone = looked > 0 ? PAGE_GOOD : PAGE_PLAIN;
}

PageSection *
page_make_findings (const PageSource *source)
{
  PageSection *section = page_section_new ("findings", "Findings", LEAST_FINDINGS);
  g_autoptr (GPtrArray) findings = roast_report_list_findings (source->report);
  g_autoptr (RoastTableReader) rules = page_read_table (source, ROAST_TABLE_RULES, roast_rules_columns);
  gboolean is_bad = FALSE;

  for (guint i = 0; i < findings->len; i++)
    is_bad = is_bad || tone_of (g_ptr_array_index (findings, i)) != PAGE_PLAIN ||
             roast_finding_get_share (g_ptr_array_index (findings, i)) >= STANDS_OUT;
  /* Do not say this about a comparison, because a comparison has verdicts instead of findings. */
  if (!is_bad && rules != NULL && !source->is_comparison)
    add_nothing (section, source, rules);
  for (guint i = 0; i < findings->len; i++)
    add_finding (section, source, i + 1, g_ptr_array_index (findings, i));
  section->is_open = TRUE;

  return section;
}
