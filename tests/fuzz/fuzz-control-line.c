/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever a program writes to roast-run --control: each line is an order, or refused with a reason; an order written
 * again from what was understood means the same; and an answer can repeat its number. */

#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "control-line.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_number (const char *number)
{
  g_assert_cmpuint (strlen (number), >, 0);
  g_assert_cmpuint (strspn (number, "0123456789"), ==, strlen (number));
}

static char *
write_again (const ControlLine *line)
{
  g_autofree char *name = line->name != NULL ? g_uri_escape_string (line->name, NULL, FALSE) : NULL;

  if (line->order == CONTROL_OPEN)
    return g_strdup_printf ("open %s %s %s", line->number, line->parent != NULL ? line->parent : "-", name);
  return line->order == CONTROL_CLOSE ? g_strdup_printf ("close %s", line->number) : g_strdup ("stop");
}

static void
check_order (const ControlLine *line, const char *answered)
{
  g_autofree char *text = write_again (line);
  g_autofree char *number = NULL;
  const char *why = NULL;
  g_autoptr (ControlLine) again = control_line_parse (text, strlen (text), &number, &why);

  g_assert_nonnull (again);
  g_assert_null (why);
  g_assert_cmpint (again->order, ==, line->order);
  g_assert_cmpstr (again->number, ==, line->number);
  g_assert_cmpstr (again->parent, ==, line->parent);
  g_assert_cmpstr (again->name, ==, line->name);
  g_assert_cmpstr (answered, ==, line->number != NULL ? line->number : "-");
  if (line->name != NULL)
    g_assert_true (g_utf8_validate (line->name, -1, NULL));
}

static void
check_line (const char *text, size_t length)
{
  g_autofree char *copy = g_malloc (MAX (length, 1)); /* so that reading beyond its end is noticed */
  g_autofree char *number = NULL;
  const char *why = NULL;
  g_autoptr (ControlLine) line = NULL;

  memcpy (copy, text, length);
  line = control_line_parse (copy, length, &number, &why);
  g_assert_true ((line == NULL) == (why != NULL));
  if (line != NULL)
    check_order (line, number);
  else if (!g_str_equal (number, "-"))
    check_number (number);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *line = (const char *) data;

  for (size_t left = size; left > 0;)
    {
      const char *end = memchr (line, '\n', left);
      size_t length = end != NULL ? (size_t) (end - line) : left;

      check_line (line, length);
      left -= length + (end != NULL);
      line += length + (end != NULL);
    }
  return 0;
}
