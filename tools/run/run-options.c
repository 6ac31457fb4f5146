/* SPDX-License-Identifier: BSD-3-Clause */

#include "run-options.h"

#include <math.h>
#include <string.h>

#include "core/base/roast-fail-private.h"
#include "option-advice.h"

#define MIN_INTERVAL 10000   /* µs; with shorter intervals, the report would mostly show the cost of the samples */
#define DEFAULT_DEADLINE 600 /* s */
#define DEFAULT_PATIENCE 30  /* s */
/* Takes file names and other texts unchanged. Without this flag, GLib converts them from the encoding of the locale,
 * and rejects text that it cannot convert. In a batch job, the locale is often C. */
#define RAW G_OPTION_FLAG_FILENAME

#define MAX_INTERVAL (G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC)

void
run_options_free (RunOptions *self)
{
  g_ptr_array_unref (self->backends);
  g_ptr_array_unref (self->exports);
  g_ptr_array_unref (self->tags);
  g_free (self->attach);
  g_free (self->save_file);
  g_free (self->color);
  g_free (self->control);
  g_strfreev (self->program);
  g_free (self);
}

static gboolean
on_export (const char *name, const char *value, gpointer data, GError **error)
{
  RunOptions *self = data;

  return export_option_append (self->exports, value, error);
}

static gboolean
on_backend (const char *name, const char *value, gpointer data, GError **error)
{
  RunOptions *self = data;

  if (*value == '\0' || *value == ',')
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX,
                       "“--backend=%s” is not of the form NAME[,OPTION=VALUE…]: for example --backend=local,pss=exact",
                       value);
  g_ptr_array_add (self->backends, g_strdup (value));

  return TRUE;
}

static gboolean
on_tag (const char *name, const char *value, gpointer data, GError **error)
{
  RunOptions *self = data;
  const char *equals = strchr (value, '=');

  if (equals == NULL || equals == value || !g_utf8_validate (value, -1, NULL))
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX,
                       "“--tag=%s” is not of the form KEY=VALUE: for example --tag=site=bonn", value);
  g_ptr_array_add (self->tags, g_strndup (value, equals - value));
  g_ptr_array_add (self->tags, g_strdup (equals + 1));

  return TRUE;
}

static gboolean
on_interval (const char *name, const char *value, gpointer data, GError **error)
{
  RunOptions *self = data;
  char *end = NULL;
  double seconds = g_ascii_strtod (value, &end);

  if (end == value || *end != '\0' || !isfinite (seconds) || seconds * G_USEC_PER_SEC < MIN_INTERVAL ||
      seconds * G_USEC_PER_SEC > MAX_INTERVAL)
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                       "“--interval=%s”: the time between samples must be a number of seconds from 0.01 to 3600",
                       value);
  self->interval = (gint64) (seconds * G_USEC_PER_SEC + 0.5);

  return TRUE;
}

static gboolean
on_deadline (const char *name, const char *value, gpointer data, GError **error)
{
  RunOptions *self = data;
  char *end = NULL;
  double seconds = g_ascii_strtod (value, &end);

  if (end == value || *end != '\0' || !isfinite (seconds) || seconds <= 0)
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                       "“--deadline=%s” must be a number of seconds above 0: the start of the program and the report "
                       "may each take this long",
                       value);
  self->deadline = seconds;
  self->patience = seconds;

  return TRUE;
}

/* Takes --save and --save=FILE. If there is no file name, the run is kept together with other runs. */
static gboolean
on_save (const char *name, const char *value, gpointer data, GError **error)
{
  RunOptions *self = data;

  if (value != NULL && *value == '\0')
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX,
                       "“--save=” needs a file, as in --save=run.roast; --save without a file keeps the run among the "
                       "other kept runs");
  g_free (self->save_file);
  self->save_file = g_strdup (value);
  self->save = value != NULL ? RUN_SAVE_FILE : RUN_SAVE_RUNS;

  return TRUE;
}

static gboolean
on_no_save (const char *name, const char *value, gpointer data, GError **error)
{
  ((RunOptions *) data)->save = RUN_SAVE_NOT;

  return TRUE;
}

static gboolean
check_target (RunOptions *self, GError **error)
{
  if (self->help || self->version)
    return TRUE;

  if (self->program == NULL && self->attach == NULL)
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX,
                       "no program given: use roast-run [OPTION…] -- PROGRAM [ARGUMENT…], or --attach=PID");
  if (self->program != NULL && self->attach != NULL)
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX,
                       "--attach measures a running process and cannot be combined with a program (“%s”)",
                       self->program[0]);

  return TRUE;
}

/* Returns the program and its arguments, that is, all arguments after the options. They are not changed. */
static char **
take_program (char **rest)
{
  char **start = rest;

  if (start[0] != NULL && g_str_equal (start[0], "--"))
    start++;

  return start[0] != NULL ? g_strdupv (start) : NULL;
}

RunOptions *
run_options_parse (int argc, char **argv, GError **error)
{
  g_autoptr (RunOptions) self = g_new0 (RunOptions, 1);
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_auto (GStrv) arguments = g_strdupv (argv);
  const GOptionEntry entries[] = {
    { "backend", 'b', RAW, G_OPTION_ARG_CALLBACK, on_backend, NULL, NULL },
    { "interval", 'i', 0, G_OPTION_ARG_CALLBACK, on_interval, NULL, NULL },
    { "deadline", 0, 0, G_OPTION_ARG_CALLBACK, on_deadline, NULL, NULL },
    { "export", 'e', RAW, G_OPTION_ARG_CALLBACK, on_export, NULL, NULL },
    { "attach", 'a', 0, G_OPTION_ARG_FILENAME, &self->attach, NULL, NULL },
    { "tag", 't', RAW, G_OPTION_ARG_CALLBACK, on_tag, NULL, NULL },
    { "save", 0, G_OPTION_FLAG_OPTIONAL_ARG | RAW, G_OPTION_ARG_CALLBACK, on_save, NULL, NULL },
    { "no-save", 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, on_no_save, NULL, NULL },
    { "no-instrument", 0, 0, G_OPTION_ARG_NONE, &self->no_instrument, NULL, NULL },
    { "control", 0, 0, G_OPTION_ARG_STRING, &self->control, NULL, NULL },
    { "color", 0, 0, G_OPTION_ARG_STRING, &self->color, NULL, NULL },
    { "top", 0, 0, G_OPTION_ARG_NONE, &self->top, NULL, NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->quiet, NULL, NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &self->help, NULL, NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &self->version, NULL, NULL },
    { NULL },
  };

  self->backends = g_ptr_array_new_with_free_func (g_free);
  self->exports = g_ptr_array_new_with_free_func ((GDestroyNotify) export_option_free);
  self->tags = g_ptr_array_new_with_free_func (g_free);
  self->interval = G_USEC_PER_SEC;
  self->deadline = DEFAULT_DEADLINE;
  self->patience = DEFAULT_PATIENCE;
  g_option_context_set_strict_posix (context, TRUE);

  if (!option_advice_parse (context, &arguments, entries, self, error))
    return NULL;
  self->program = take_program (arguments + 1);
  if (!export_option_check_color (self->color, error) || !check_target (self, error))
    return NULL;
  if (self->backends->len == 0)
    g_ptr_array_add (self->backends, g_strdup ("auto"));

  return g_steal_pointer (&self);
}
