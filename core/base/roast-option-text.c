/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-option-text-private.h"

#include "roast-fail-private.h"
#include <string.h>

static void
option_text_free (gpointer data)
{
  RoastOptionText *self = data;

  g_free (self->name);
  g_free (self->value);
  g_free (self);
}

char *
roast_option_text_take_item (const char **text)
{
  GString *item = g_string_new (NULL);
  const char *c = *text;

  for (; *c != '\0' && *c != ','; c++)
    {
      if (c[0] == '\\' && (c[1] == ',' || c[1] == '\\'))
        c++;
      g_string_append_c (item, *c);
    }
  *text = c;
  return g_string_free (item, FALSE);
}

static gboolean
is_given (GPtrArray *items, const char *name)
{
  for (guint i = 0; i < items->len; i++)
    if (g_str_equal (((RoastOptionText *) g_ptr_array_index (items, i))->name, name))
      return TRUE;
  return FALSE;
}

static gboolean
add_item (GPtrArray *items, const char *item, GError **error)
{
  const char *equals = strchr (item, '=');
  g_autofree char *name = equals != NULL ? g_strndup (item, (gsize) (equals - item)) : g_strdup (item);
  RoastOptionText *option;

  if (*name == '\0' || !g_utf8_validate (item, -1, NULL))
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX,
                       "this is not a list of options: '%s'. Write OPTION=VALUE,OPTION=VALUE, and write a comma in a "
                       "value as \\,",
                       item);
  if (is_given (items, name))
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX, "option %s is given twice", name);
  option = g_new0 (RoastOptionText, 1);
  option->name = g_steal_pointer (&name);
  option->value = equals != NULL ? g_strdup (equals + 1) : NULL;
  g_ptr_array_add (items, option);
  return TRUE;
}

GPtrArray *
roast_option_text_split (const char *text, GError **error)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (option_text_free);

  while (*text != '\0')
    {
      g_autofree char *item = roast_option_text_take_item (&text);
      /* A trailing comma means that an option is missing. */
      gboolean is_cut = text[0] == ',' && text[1] == '\0';

      if (!add_item (items, item, error) || (is_cut && !add_item (items, "", error)))
        return NULL;
      if (*text == ',')
        text++;
    }
  return g_steal_pointer (&items);
}
