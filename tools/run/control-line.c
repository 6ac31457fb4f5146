/* SPDX-License-Identifier: BSD-3-Clause */
#include "control-line.h"

#include <string.h>

#define MAX_DIGITS 20

void
control_line_free (ControlLine *self)
{
  g_free (self->number);
  g_free (self->parent);
  g_free (self->name);
  g_free (self);
}

/* Returns whether the word is a number of limited length. An answer repeats this number, so the number must fit into
 * one word of a line. */
static gboolean
is_number (const char *word)
{
  gsize n = strspn (word, "0123456789");

  return n > 0 && n <= MAX_DIGITS && word[n] == '\0';
}

static ControlLine *
line_new (ControlOrder order, const char *number)
{
  ControlLine *self = g_new0 (ControlLine, 1);

  self->order = order;
  self->number = g_strdup (number);

  return self;
}

static ControlLine *
parse_open (char **words, const char **why)
{
  g_autofree char *name = g_uri_unescape_string (words[3], NULL);
  ControlLine *self = NULL;

  if (name == NULL || !g_utf8_validate (name, -1, NULL))
    *why = "the name of a span must be UTF-8, with special characters written as % and two hexadecimal digits";
  else if (!g_str_equal (words[2], "-") && !is_number (words[2]))
    *why = "the parent of a span must be the number of an open span, or -";
  else
    {
      self = line_new (CONTROL_OPEN, words[1]);
      self->parent = g_str_equal (words[2], "-") ? NULL : g_strdup (words[2]);
      self->name = g_steal_pointer (&name);
    }
  return self;
}

ControlLine *
control_line_parse (const char *text, gsize length, char **number, const char **why)
{
  g_autofree char *line = g_strndup (text, length);
  g_auto (GStrv) words = g_strsplit (line, " ", 4);
  guint n = g_strv_length (words);

  *number = g_strdup (n > 1 && is_number (words[1]) ? words[1] : "-");
  if (strlen (line) == length)
    {
      if (n == 4 && g_str_equal (words[0], "open") && is_number (words[1]))
        return parse_open (words, why);
      if (n == 2 && g_str_equal (words[0], "close") && is_number (words[1]))
        return line_new (CONTROL_CLOSE, words[1]);
      if (n == 1 && g_str_equal (words[0], "stop"))
        return line_new (CONTROL_STOP, NULL);
    }
  *why = "unknown command: expected open NUMBER PARENT NAME, close NUMBER, or stop";

  return NULL;
}
