/* SPDX-License-Identifier: BSD-3-Clause */

#include "html-page.h"

#include <string.h>

#include "exporter.h"
#include "html-resources.h"

#define PREFIX "/roast/html/"

void
html_page_init (HtmlPage *self, PageSource *source, guint64 rows)
{
  *self = (HtmlPage) {
    .body = g_string_new (NULL),
    .contents = g_string_new (NULL),
    .source = source,
    .ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .rows = rows,
    .charts = g_ptr_array_new_with_free_func (g_object_unref),
    .chart_data = g_string_new (NULL),
  };
}

void
html_page_clear (HtmlPage *self)
{
  g_string_free (self->body, TRUE);
  g_string_free (self->contents, TRUE);
  g_hash_table_unref (self->ids);
  g_ptr_array_unref (self->charts);
  g_string_free (self->chart_data, TRUE);
}

/* ---- markup and text ---- */

void
html_put (HtmlPage *self, const char *markup)
{
  g_string_append (self->body, markup);
}

void
html_printf (HtmlPage *self, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_string_append_vprintf (self->body, format, args);
  va_end (args);
}

void
html_text (HtmlPage *self, const char *text, glong most)
{
  html_append_text (self->body, text, most);
}

void
html_element (HtmlPage *self, const char *tag, const char *attributes, const char *text, glong most)
{
  html_printf (self, "<%s%s>", tag, attributes);
  html_text (self, text, most);
  html_printf (self, "</%s>", tag);
}

void
html_begin_part (HtmlPage *self, gsize n_bytes)
{
  self->limit = self->body->len + n_bytes;
}

gboolean
html_fits (HtmlPage *self, gsize start)
{
  if (self->body->len <= self->limit)
    return TRUE;
  g_string_truncate (self->body, start);

  return FALSE;
}

/* ---- sections ---- */

char *
html_new_id (HtmlPage *self, const char *prefix, const char *name)
{
  g_autofree char *slug = html_slug (name);
  g_autofree char *id = g_strconcat (prefix, slug, NULL);

  for (guint i = 2; !g_hash_table_add (self->ids, g_strdup (id)); i++)
    {
      g_free (id);
      id = g_strdup_printf ("%s%s-%u", prefix, slug, i);
    }

  return g_steal_pointer (&id);
}

void
html_begin_section (HtmlPage *self, const char *id, const char *title)
{
  g_string_append_printf (self->contents, "<li><a href=\"#%s\">", id);
  html_append_text (self->contents, title, HTML_NAME);
  g_string_append (self->contents, "</a></li>\n");
  html_printf (self, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">", id, id, id);
  html_text (self, title, HTML_NAME);
  html_put (self, "</h2>\n");
}

void
html_end_section (HtmlPage *self)
{
  html_put (self, "</section>\n");
}

/* ---- the whole page ---- */

/* Return the SHA-256 hash of a style or script, encoded in base64 as a Content-Security-Policy requires. */
static char *
hash_of (GBytes *bytes)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize length = sizeof digest;

  g_checksum_update (checksum, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  g_checksum_get_digest (checksum, digest, &length);

  return g_base64_encode (digest, length);
}

static void
append_bytes (GString *page, GBytes *bytes)
{
  g_string_append_len (page, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
}

static GBytes *
find_part (const char *name)
{
  g_autofree char *path = g_strconcat (PREFIX, name, NULL);

  return g_resource_lookup_data (html_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

gboolean
html_has_library (void)
{
  g_autoptr (GBytes) library = find_part ("dygraphs.js");

  return g_bytes_get_size (library) > 0;
}

/* List the scripts of the page: first the chart library, if a chart needs it, then all of the plugin's own scripts as a
 * single script. */
static GPtrArray *
list_scripts (HtmlPage *self)
{
  static const char *const parts[] = { "numbers.js", "cursor.js", "charts.js", "lanes.js", "page.js" };
  GPtrArray *scripts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  GString *own = g_string_new (NULL);

  if (self->has_lines)
    g_ptr_array_add (scripts, find_part ("dygraphs.js"));
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GBytes) part = find_part (parts[i]);

      append_bytes (own, part);
    }
  g_ptr_array_add (scripts, g_string_free_to_bytes (own));

  return scripts;
}

/* Append a Content-Security-Policy. It allows only the styles and scripts of this plugin, and no requests, because
 * names from the run are untrusted and must not run as scripts. */
static void
append_policy (GString *page, GBytes *style, GBytes *theme, GPtrArray *scripts)
{
  g_autofree char *theme_hash = hash_of (theme);
  g_autofree char *style_hash = hash_of (style);

  g_string_append_printf (page,
                          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                          "style-src 'sha256-%s' 'sha256-%s'; script-src",
                          style_hash, theme_hash);
  for (guint i = 0; i < scripts->len; i++)
    {
      g_autofree char *hash = hash_of (g_ptr_array_index (scripts, i));

      g_string_append_printf (page, " 'sha256-%s'", hash);
    }
  g_string_append (page, "; base-uri 'none'; form-action 'none'\">\n");
}

static void
append_head (GString *page, const PageSource *source, gint64 refresh, GPtrArray *scripts)
{
  g_autofree char *css = roast_theme_dup_css ();
  g_autoptr (GBytes) theme = g_bytes_new (css, strlen (css));
  g_autoptr (GBytes) style = find_part ("page.css");
  g_autofree char *command = exporter_dup_subject (source->recording);

  g_string_append (page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
  append_policy (page, style, theme, scripts);
  if (refresh > 0)
    g_string_append_printf (page, "<meta http-equiv=\"refresh\" content=\"%" G_GINT64_FORMAT "\">\n", refresh);
  g_string_append (page, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                         "<meta name=\"color-scheme\" content=\"light dark\">\n"
                         "<meta name=\"referrer\" content=\"no-referrer\">\n"
                         "<meta name=\"generator\" content=\"roast " PLUGIN_VERSION "\">\n"
                         "<link rel=\"icon\" href=\"data:,\">\n<title>");
  html_append_text (page, command != NULL ? command : "a run", 80);
  g_string_append (page, " – roast</title>\n<style>");
  append_bytes (page, style);
  g_string_append (page, "</style>\n<style>");
  append_bytes (page, theme);
  g_string_append (page, "</style>\n</head>\n<body>\n");
}

char *
html_page_finish (HtmlPage *self, const char *json, gsize *length)
{
  g_autoptr (GPtrArray) scripts = list_scripts (self);
  GString *page = g_string_sized_new (self->body->len + strlen (json) + self->chart_data->len + 262144);

  append_head (page, self->source, self->refresh, scripts);
  g_string_append (page,
                   "<a class=\"skip\" href=\"#main\">Skip the contents</a>\n<nav aria-label=\"Contents\">\n<ul>\n");
  g_string_append_len (page, self->contents->str, (gssize) self->contents->len);
  g_string_append (page, "</ul>\n</nav>\n<main id=\"main\">\n");
  g_string_append_len (page, self->body->str, (gssize) self->body->len);
  g_string_append (page, "</main>\n<script type=\"application/json\" id=\"report\">");
  g_string_append (page, json);
  g_string_append (page, "</script>\n<script type=\"application/json\" id=\"drawn\">{");
  g_string_append_len (page, self->chart_data->str, (gssize) self->chart_data->len);
  g_string_append (page, "}</script>\n");
  for (guint i = 0; i < scripts->len; i++)
    {
      g_string_append (page, "<script>");
      append_bytes (page, g_ptr_array_index (scripts, i));
      g_string_append (page, "</script>\n");
    }
  g_string_append (page, "</body>\n</html>\n");
  *length = page->len;

  return g_string_free (page, FALSE);
}
