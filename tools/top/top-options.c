/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/roast-fail-private.h"
#include "top.h"

#include "export-option.h"
#include "option-advice.h"

#include <math.h>

#define SHORTEST 0.2 /* shortest interval, s */
#define OPTIONS_LONGEST 3600

void
top_options_free (TopOptions *self)
{
  g_free (self->run);
  g_free (self->color);
  g_free (self);
}

static gboolean
on_exit_when (const char *name, const char *value, gpointer data, GError **error)
{
  static const char *const words[] = { "", "done", "failed", "idle" };
  TopOptions *self = data;

  for (guint i = 1; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (value, words[i]))
      {
        self->until = (TopUntil) i;
        return TRUE;
      }
  return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                     "“--exit-when=%s” is invalid: write done, failed or idle", value);
}

static gboolean
on_view (const char *name, const char *value, gpointer data, GError **error)
{
  TopOptions *self = data;

  self->view = top_view_find (value);

  return self->view > 0 ||
         roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                     "“--view=%s” is invalid: write now, workers, tasks, longest, hosts, processes or "
                     "events, or a number from 1 to %d",
                     value, TOP_N_VIEWS);
}

static gboolean
check (TopOptions *self, guint n_words, GError **error)
{
  if (n_words > 1)
    g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX, "too many arguments: use roast-top [RUN]");
  else if (!(self->interval >= SHORTEST && self->interval <= OPTIONS_LONGEST))
    g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "--interval=%g must be from %g to %d seconds",
                 self->interval, SHORTEST, OPTIONS_LONGEST);
  else if (self->at < 0 || isinf (self->at))
    g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "--at=%g must not be negative", self->at);
  else if (self->once && self->until != TOP_UNTIL_QUIT)
    g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX, "--once and --exit-when cannot be combined");
  else
    return export_option_check_color (self->color, error);

  return FALSE;
}

TopOptions *
top_options_parse (int argc, char **argv, GError **error)
{
  g_autoptr (TopOptions) self = g_new0 (TopOptions, 1);
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_auto (GStrv) words = g_strdupv (argv);
  const GOptionEntry entries[] = {
    { "once", '1', 0, G_OPTION_ARG_NONE, &self->once, NULL, NULL },
    { "at", 'a', 0, G_OPTION_ARG_DOUBLE, &self->at, NULL, NULL },
    { "interval", 'i', 0, G_OPTION_ARG_DOUBLE, &self->interval, NULL, NULL },
    { "view", 'w', 0, G_OPTION_ARG_CALLBACK, on_view, NULL, NULL },
    { "exit-when", 0, 0, G_OPTION_ARG_CALLBACK, on_exit_when, NULL, NULL },
    { "color", 0, 0, G_OPTION_ARG_STRING, &self->color, NULL, NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &self->help, NULL, NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &self->version, NULL, NULL },
    { NULL },
  };

  self->at = NAN;
  self->interval = 1;
  self->view = 1;
  if (!option_advice_parse (context, &words, entries, self, error))
    return NULL;
  self->run = g_strdup (words[1]);
  if (!self->help && !self->version && !check (self, g_strv_length (words) - 1, error))
    return NULL;

  return g_steal_pointer (&self);
}
