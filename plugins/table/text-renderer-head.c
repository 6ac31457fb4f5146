/* SPDX-License-Identifier: BSD-3-Clause */

#include "text-renderer.h"

#include "exporter.h"

#define NAME "roast"

static void
put_command (TextRenderer *page)
{
  g_autofree char *command = exporter_dup_command (page->source->recording);
  g_autofree char *safe = command != NULL ? text_renderer_printable (page, command) : NULL;
  g_autofree char *cut = safe != NULL ? text_cut (page, safe, page->width - sizeof NAME - 1) : NULL;

  g_string_append_printf (page->text, "%s" NAME "%s%s%s\n", text_renderer_style (page, BOLD),
                          text_renderer_style (page, PLAIN), cut != NULL ? "  " : "", cut != NULL ? cut : "");
}

static void
put_place (TextRenderer *page)
{
  g_autofree char *place = page_describe_place (page->source, "%Y-%m-%d %H:%M:%S", page->detail);
  g_autofree char *safe = place != NULL ? text_renderer_printable (page, place) : NULL;

  if (safe != NULL)
    text_renderer_line (page, DIM, safe);
}

/* Cut the tags to one line. */
static void
put_tags (TextRenderer *page)
{
  g_autofree char *tags = page_describe_tags (page->source);
  g_autofree char *safe = tags != NULL ? text_renderer_printable (page, tags) : NULL;
  g_autofree char *cut = safe != NULL ? text_cut (page, safe, page->width) : NULL;

  if (cut != NULL)
    text_renderer_line (page, DIM, cut);
}

void
text_renderer_put_head (TextRenderer *page)
{
  put_command (page);
  put_place (page);
  put_tags (page);
}
