/* SPDX-License-Identifier: BSD-3-Clause */
#include "report-options.h"

#include "core/base/roast-fail-private.h"
#include "core/base/roast-suggest-private.h"
#include "export-option.h"
#include "option-advice.h"

/* The commands, each with the minimum and maximum number of arguments. If a run has the same name as a command, users
 * write ./NAME for the run. */
static const struct
{
  const char *name;
  guint min;
  guint max;
  const char *usage;
} report_commands[] = {
  [REPORT_COMMAND_REPORT] = { NULL, 0, 1, "roast-report [OPTION…] [RUN]" },
  [REPORT_COMMAND_LIST] = { "list", 0, G_MAXUINT, "roast-report list [--sort=KEY] [KEY=VALUE…]" },
  [REPORT_COMMAND_SHOW] = { "show", 0, 1, "roast-report show [RUN]" },
  [REPORT_COMMAND_REMOVE] = { "remove", 1, G_MAXUINT, "roast-report remove RUN…" },
  [REPORT_COMMAND_QUERY] = { "query", 0, 2, "roast-report query [\"SELECT …\"] [RUN]" },
  [REPORT_COMMAND_WHAT_IF] = { "whatif", 0, 1, "roast-report whatif [--slots=N,N…] [RUN]" },
  [REPORT_COMMAND_EXPORT] = { "export", 0, 1, "roast-report export --format=FORMAT [RUN]" },
  [REPORT_COMMAND_IMPORT] = { "import", 1, 1, "roast-report import FILE" },
};

void
report_options_free (ReportOptions *self)
{
  g_strfreev (self->arguments);
  g_ptr_array_unref (self->exports);
  g_ptr_array_unref (self->fallback);
  g_strfreev (self->metrics);
  g_strfreev (self->without);
  g_strfreev (self->remarks);
  g_free (self->color);
  g_free (self->save);
  g_free (self->slots);
  g_free (self->sort);
  g_free (self->format_name);
  g_free (self->raw_tables);
  g_free (self);
}

static gboolean
on_export (const char *name, const char *value, gpointer data, GError **error)
{
  ReportOptions *self = data;

  return export_option_append (self->exports, value, error);
}

static gboolean
on_fallback (const char *name, const char *value, gpointer data, GError **error)
{
  ReportOptions *self = data;

  g_ptr_array_set_size (self->fallback, 0);

  return export_option_append (self->fallback, value, error);
}

/* Handles --raw[=TABLES]. Without TABLES, all tables are meant. */
static gboolean
on_raw (const char *name, const char *value, gpointer data, GError **error)
{
  ReportOptions *self = data;

  g_free (self->raw_tables);
  self->raw_tables = g_strdup (value);
  self->raw = TRUE;

  return TRUE;
}

/* Checks the value of --format. Leaves out the commands import and export, whose formats are in formats.c. */
static gboolean
take_format (ReportOptions *self, GError **error)
{
  static const char *const formats[] = { "table", "csv", "json" };
  const char *value = self->format_name;

  if (value == NULL || self->command == REPORT_COMMAND_EXPORT || self->command == REPORT_COMMAND_IMPORT)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (value, formats[i]))
      {
        self->format = (ReportFormat) i;
        return TRUE;
      }
  return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                     "“--format=%s” is invalid: the format must be table, csv or json", value);
}

static void
take_command (ReportOptions *self, char **words)
{
  for (guint i = 0; words[0] != NULL && i < G_N_ELEMENTS (report_commands); i++)
    if (g_strcmp0 (words[0], report_commands[i].name) == 0)
      {
        self->command = (ReportCommand) i;
        self->arguments = g_strdupv (words + 1);
        return;
      }
  self->arguments = g_strdupv (words);
}

/* Returns the command that a user may have mistyped as @name; NULL if no command is similar. */
const char *
report_options_suggest_command (const char *name)
{
  const char *names[G_N_ELEMENTS (report_commands) + 1] = { NULL };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (report_commands); i++)
    if (report_commands[i].name != NULL)
      names[n++] = report_commands[i].name;

  return roast_suggest (name, names);
}

static gboolean
check_arguments (ReportOptions *self, GError **error)
{
  guint n = g_strv_length (self->arguments);

  if (self->help || self->version ||
      (n >= report_commands[self->command].min && n <= report_commands[self->command].max))
    return TRUE;

  return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX, "%s: use %s",
                     n < report_commands[self->command].min ? "an argument is missing" : "too many arguments",
                     report_commands[self->command].usage);
}

static gboolean
check_use (ReportOptions *self, GError **error)
{
  const char *wrong = NULL;

  if (self->exports->len > 0 && self->command != REPORT_COMMAND_REPORT)
    wrong = "--export can be used only for a report: use roast-report -e NAME[:FILE] [RUN]";
  else if (self->metrics != NULL && self->command != REPORT_COMMAND_REPORT)
    wrong = "--metric can be used only for a report: use roast-report --metric='NAME=FORMULA' [RUN]";
  else if (self->follow && (self->command != REPORT_COMMAND_REPORT || self->exports->len == 0))
    wrong =
        "--follow can be used only with a live exporter: use roast-report --follow -e openmetrics:FILE,every=15 [RUN]";
  else if (self->stream && self->command != REPORT_COMMAND_EXPORT)
    wrong = "--stream can be used only with the command export: use roast-report export --stream [RUN]";
  else if (self->stream && self->format_name != NULL)
    wrong = "--stream and --format cannot be combined: --stream means --format=stream";
  else if (self->raw && self->command != REPORT_COMMAND_EXPORT)
    wrong = "--raw can be used only with the command export: use roast-report export --raw[=TABLE+TABLE…] [RUN]";
  else if (self->raw && (self->stream || self->format_name != NULL))
    wrong = "--raw, --stream and --format cannot be combined";
  else if (self->command == REPORT_COMMAND_EXPORT && !self->raw && !self->stream && self->format_name == NULL)
    wrong = "the command export needs a format: use roast-report export --format=FORMAT [RUN]. For reports and tables, "
            "use roast-report -e";
  else if (self->save != NULL && self->command != REPORT_COMMAND_IMPORT && self->command != REPORT_COMMAND_EXPORT)
    wrong = "--save can be used only with the commands import and export: use roast-report import --save=FILE INPUT";
  else if (self->slots != NULL && self->command != REPORT_COMMAND_WHAT_IF)
    wrong = "--slots can be used only with the command whatif: use roast-report whatif --slots=16,64 [RUN]";
  else if (self->sort != NULL && self->command != REPORT_COMMAND_LIST)
    wrong = "--sort can be used only with the command list: use roast-report list --sort=KEY";
  if (wrong == NULL || self->help || self->version)
    return TRUE;

  return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX, "%s", wrong);
}

ReportOptions *
report_options_parse (int argc, char **argv, GError **error)
{
  g_autoptr (ReportOptions) self = g_new0 (ReportOptions, 1);
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_auto (GStrv) words = g_strdupv (argv);
  /* Use filename types, because GOption does not convert their values from the encoding of the locale. Batch jobs often
   * have the C locale, in which GOption cannot convert names and texts that are not ASCII. */
  const GOptionEntry entries[] = {
    { "export", 'e', G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, on_export, NULL, NULL },
    { "without", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->without, NULL, NULL },
    { "metric", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->metrics, NULL, NULL },
    { "fallback", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, on_fallback, NULL, NULL },
    { "follow", 0, 0, G_OPTION_ARG_NONE, &self->follow, NULL, NULL },
    { "remark", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->remarks, NULL, NULL },
    { "wait-status", 0, 0, G_OPTION_ARG_INT, &self->wait_status, NULL, NULL },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &self->format_name, NULL, NULL },
    { "stream", 0, 0, G_OPTION_ARG_NONE, &self->stream, NULL, NULL },
    { "raw", 0, G_OPTION_FLAG_OPTIONAL_ARG | G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, on_raw, NULL, NULL },
    { "save", 0, 0, G_OPTION_ARG_FILENAME, &self->save, NULL, NULL },
    { "slots", 0, 0, G_OPTION_ARG_STRING, &self->slots, NULL, NULL },
    { "sort", 0, 0, G_OPTION_ARG_FILENAME, &self->sort, NULL, NULL },
    { "color", 0, 0, G_OPTION_ARG_STRING, &self->color, NULL, NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &self->help, NULL, NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &self->version, NULL, NULL },
    { NULL },
  };

  self->wait_status = -1;
  self->exports = g_ptr_array_new_with_free_func ((GDestroyNotify) export_option_free);
  self->fallback = g_ptr_array_new_with_free_func ((GDestroyNotify) export_option_free);
  if (!option_advice_parse (context, &words, entries, self, error))
    return NULL;
  take_command (self, words + (words[1] != NULL && g_str_equal (words[1], "--") ? 2 : 1));
  if (!check_arguments (self, error) || !check_use (self, error) || !take_format (self, error) ||
      !export_option_check_color (self->color, error))
    return NULL;

  return g_steal_pointer (&self);
}
