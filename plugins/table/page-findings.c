/* SPDX-License-Identifier: BSD-3-Clause */

/* What limited the run, and what to do: findings in the order of their rank. */

#include "page.h"

#include <math.h>

#define LEAST_FINDINGS 2

static const char *const finding_columns[] = { "severity", "text", "share", "advice", NULL };

enum
{
  SEVERITY,
  TEXT,
  SHARE,
  ADVICE,
};

static const char *const rule_columns[] = { "state", NULL };

enum
{
  STATE,
};

static const char *
style_of (const char *severity)
{
  return g_strcmp0 (severity, "error") == 0 ? RED : g_strcmp0 (severity, "warning") == 0 ? YELLOW : "";
}

static void
add_finding (PageSection *section, const PageSource *source, RoastTableReader *finding)
{
  const char *severity = roast_table_reader_get_string (finding, SEVERITY);
  const char *advice = roast_table_reader_get_string (finding, ADVICE);
  double share = roast_table_reader_get_double (finding, SHARE);
  g_autoptr (GString) text = g_string_new (roast_table_reader_get_string (finding, TEXT));
  g_autofree char *label = g_strdup_printf ("%u. ", section->items->len + 1);
  PageItem *item = NULL;

  if (!isnan (share))
    {
      g_autofree char *percent = roast_format_number (share, "percent");

      g_string_append_printf (text, " [%s of the core time]", percent);
    }
  if (advice != NULL)
    g_string_append_printf (text, " → %s", advice);
  item = page_section_add (section, source, PAGE_PARAGRAPH, label, text->str);
  item->style = style_of (severity);
}

/* A run in which no rule could look is not one in which nothing stands out. */
static void
add_nothing (PageSection *section, const PageSource *source, RoastTableReader *rules)
{
  guint looked = 0;
  guint blind = 0;
  g_autoptr (GString) text = g_string_new (NULL);

  while (roast_table_reader_next (rules))
    {
      const char *state = roast_table_reader_get_string (rules, STATE);

      looked += g_strcmp0 (state, "silent") == 0 || g_strcmp0 (state, "spoke") == 0;
      blind += g_strcmp0 (state, "incomplete") == 0;
    }
  if (looked > 0)
    g_string_append_printf (text, "%u %s looked", looked, looked == 1 ? "rule" : "rules");
  if (blind > 0)
    g_string_append_printf (text, "%s%u could not, for lack of data (-e table,sections=rules)",
                            looked > 0 ? "; " : "no rule looked: ", blind);
  if (looked + blind > 0)
    page_section_add (section, source, PAGE_PARAGRAPH, looked > 0 ? "Nothing stands out: " : "Not judged: ", text->str)
        ->style = looked > 0 ? GREEN : "";
}

PageSection *
page_make_findings (const PageSource *source)
{
  PageSection *section = page_section_new ("findings", "Findings", 1);
  g_autoptr (RoastTableReader) findings = page_read_table (source, "findings", finding_columns);
  g_autoptr (RoastTableReader) rules = page_read_table (source, "rules", rule_columns);
  gboolean is_bad = FALSE;

  while (findings != NULL && roast_table_reader_next (findings))
    is_bad = is_bad || *style_of (roast_table_reader_get_string (findings, SEVERITY)) != '\0';
  if (!is_bad && rules != NULL)
    add_nothing (section, source, rules);
  if (findings != NULL)
    roast_table_reader_rewind (findings);
  while (findings != NULL && roast_table_reader_next (findings))
    if (roast_table_reader_has (findings, TEXT))
      add_finding (section, source, findings);
  section->least = MIN (section->items->len, LEAST_FINDINGS);
  section->is_open = TRUE;

  return section;
}
