/* SPDX-License-Identifier: BSD-3-Clause */

#include "text-renderer.h"

#include "exporter.h"

#define NAME "roast"

static void
put_command (TextRenderer *page)
{
  g_autofree char *command = exporter_dup_subject (page->source->recording);
  g_autofree char *safe = command != NULL ? text_renderer_printable (page, command) : NULL;
  g_autofree char *cut = safe != NULL ? text_cut (page, safe, page->width - sizeof NAME - 1) : NULL;

  g_string_append_printf (page->text, "%s" NAME "%s%s%s\n", text_renderer_style (page, BOLD),
                          text_renderer_style (page, PLAIN), cut != NULL ? "  " : "", cut != NULL ? cut : "");
}

/* @text: may be NULL */
static void
put_dim (TextRenderer *page, const char *text, gsize width)
{
  g_autofree char *safe = text != NULL ? text_renderer_printable (page, text) : NULL;
  g_autofree char *cut = safe != NULL ? text_cut (page, safe, width) : NULL;

  if (cut != NULL)
    text_renderer_line (page, DIM, cut);
}

/* Put the command, and facts about the run. Cut the tags off at the end of one line. */
void
text_renderer_put_head (TextRenderer *page)
{
  g_autofree char *place = page_describe_place (page->source, "%Y-%m-%d %H:%M:%S", page->detail);
  g_autofree char *tags = page_describe_tags (page->source);

  put_command (page);
  put_dim (page, place, G_MAXSIZE);
  put_dim (page, tags, page->width);
}
