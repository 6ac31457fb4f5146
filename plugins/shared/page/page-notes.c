/* SPDX-License-Identifier: BSD-3-Clause */

/* Notes that limit how far the numbers can be trusted: first errors, then notes of the report, then warnings. */

#include "page.h"

static void
add_events (PageSection *section, const PageSource *source, int severity, const char *label, PageTone tone)
{
  g_autoptr (RoastTableReader) events = roast_events_read (source->recording);

  while (events != NULL && roast_table_reader_next (events))
    if (roast_table_reader_has (events, ROAST_EVENTS_MESSAGE) &&
        roast_table_reader_get_word (events, ROAST_EVENTS_SEVERITY) == severity)
      page_section_add (section, source, PAGE_PARAGRAPH, label,
                        roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE))
          ->tone = tone;
}

PageSection *
page_make_notes (const PageSource *source)
{
  PageSection *section = page_section_new ("notes", "Notes on these numbers", 0);
  g_auto (GStrv) notes = roast_report_dup_notes (source->report);

  add_events (section, source, ROAST_SEVERITY_ERROR, "error: ", PAGE_BAD);
  section->least = MIN (section->items->len, 3);
  for (guint i = 0; notes[i] != NULL; i++)
    page_section_add (section, source, PAGE_PARAGRAPH, "", notes[i]);
  add_events (section, source, ROAST_SEVERITY_WARNING, "warning: ", PAGE_WARNING);
  section->least = MAX (section->least, MIN (section->items->len, 1));
  section->is_open = TRUE;

  return section;
}
