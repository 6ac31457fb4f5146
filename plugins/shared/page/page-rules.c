/* SPDX-License-Identifier: BSD-3-Clause */

/* The state of each rule. If a rule made no finding, also the reason. */

#include "page.h"

PageSection *
page_make_rules (const PageSource *source)
{
  PageSection *section = page_section_new ("rules", "Rules", 1);
  g_autoptr (RoastTableReader) rules = page_read_table (source, ROAST_TABLE_RULES, roast_rules_columns);

  while (rules != NULL && roast_table_reader_next (rules))
    {
      const char *name = roast_table_reader_get_string (rules, ROAST_RULES_RULE);
      const char *state = roast_table_reader_get_string (rules, ROAST_RULES_STATE);
      const char *reason = roast_table_reader_get_string (rules, ROAST_RULES_REASON);
      g_autofree char *label = g_strdup_printf ("%s: ", name != NULL ? name : "?");
      g_autofree char *text = g_strdup_printf ("%s%s%s", state != NULL ? state : "", reason != NULL ? ": " : "",
                                               reason != NULL ? reason : "");

      page_section_add (section, source, PAGE_PARAGRAPH, label, text);
    }

  return section;
}
