/* SPDX-License-Identifier: BSD-3-Clause */
#include "openmetrics-text.h"

#include <math.h>

#include "exact-number.h"

static void
append_escaped (GString *text, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  for (const char *c = valid; *c != '\0'; c++)
    switch (*c)
      {
      case '\\':
        g_string_append (text, "\\\\");
        break;
      case '"':
        g_string_append (text, "\\\"");
        break;
      case '\n':
        g_string_append (text, "\\n");
        break;
      default:
        /* Replace carriage returns by spaces, because some parsers take a carriage return for the end of a line. */
        g_string_append_c (text, *c == '\r' ? ' ' : *c);
      }
}

static const char *const suffixes[] = { "", "_total", "_info" }; /* suffix of sample names, by FamilyType */

void
open_metrics_begin (OpenMetrics *self, const char *name, FamilyType type, const char *unit, const char *help)
{
  static const char *const types[] = { "gauge", "counter", "info" };
  const char *suffix = self->is_classic ? suffixes[type] : "";
  gboolean is_info = self->is_classic && type == FAMILY_INFO;

  self->name = name;
  self->type = type;
  g_string_append_printf (self->text, "# TYPE %s%s %s\n", name, suffix, is_info ? "gauge" : types[type]);
  if (unit != NULL && !self->is_classic)
    g_string_append_printf (self->text, "# UNIT %s %s\n", name, unit);
  g_string_append_printf (self->text, "# HELP %s%s ", name, suffix);
  append_escaped (self->text, help);
  g_string_append_c (self->text, '\n');
}

static void
append_label (OpenMetrics *self, const char *before, const char *name, const char *value)
{
  if (value == NULL)
    return;
  g_string_append_printf (self->text, "%s%s=\"", before, name);
  append_escaped (self->text, value);
  g_string_append_c (self->text, '"');
}

void
open_metrics_add (OpenMetrics *self, double value, double time, ...)
{
  double when = isnan (time) ? self->time : time;
  va_list labels;

  g_string_append_printf (self->text, "%s%s{", self->name, suffixes[self->type]);
  append_label (self, "", "run", self->run);
  va_start (labels, time);
  for (const char *name = va_arg (labels, const char *); name != NULL; name = va_arg (labels, const char *))
    append_label (self, ",", name, va_arg (labels, const char *));
  va_end (labels);
  g_string_append (self->text, "} ");
  exact_number_append_double (self->text, value);
  if (!isnan (when))
    {
      g_string_append_c (self->text, ' ');
      exact_number_append_double (self->text, when);
    }
  g_string_append_c (self->text, '\n');
}
