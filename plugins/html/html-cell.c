/* SPDX-License-Identifier: BSD-3-Clause */

#include "html-page.h"

#include <math.h>
#include <string.h>

#include "exact-number.h"

#define LONG 48 /* in bytes; the style sheet wraps longer texts even in the middle of a word */

/* Return the exact digits of a number, which the script of the page uses to sort and copy tables. Return NULL if @value
 * is not a number. */
static char *
exact_number (GVariant *value)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    exact_number_append_int64 (text, g_variant_get_int64 (value));
  else if (value == NULL || !g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    return NULL;
  else if (isfinite (g_variant_get_double (value)))
    exact_number_append_double (text, g_variant_get_double (value));

  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
html_put_cell (HtmlPage *self, GVariant *value, const char *shown, const char *tag)
{
  g_autofree char *exact = exact_number (value);

  html_printf (self, "<%s", tag);
  if (exact != NULL)
    html_put (self, " class=\"n\"");
  else if (strlen (shown) > LONG)
    html_put (self, " class=\"long\"");
  if (exact != NULL && !g_str_equal (exact, shown))
    html_printf (self, " data-v=\"%s\"", exact);
  html_put (self, ">");
  html_text (self, shown, HTML_NAME);
  html_printf (self, "</%s>", tag);
}
