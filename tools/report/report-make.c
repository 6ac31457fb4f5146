/* SPDX-License-Identifier: BSD-3-Clause */

/* Makes the report of a run. It is the same report as that of roast-run. */

#include <string.h>
#include <unistd.h>

#include "core/base/roast-fail-private.h"
#include "export-option.h"
#include "report-follow.h"
#include "report.h"

static gboolean
leave_out (RoastSession *session, RoastRegistry *registry, char **plugins, GError **error)
{
  for (guint i = 0; plugins != NULL && plugins[i] != NULL; i++)
    {
      if (roast_registry_lookup_plugin (registry, plugins[i]) == NULL &&
          roast_registry_find_provider (registry, ROAST_ROLE_AGGREGATOR, plugins[i]) == NULL)
        return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                           "“--without=%s” names no plugin: roast-inspect lists all plugins", plugins[i]);
      roast_session_leave_out (session, plugins[i]);
    }

  return TRUE;
}

/* If the user left out the plugin of this exporter, returns the name of the plugin; otherwise NULL. */
static const char *
find_left_out (RoastRegistry *registry, const char *exporter, char **plugins)
{
  RoastPlugin *plugin = roast_registry_find_provider (registry, ROAST_ROLE_EXPORTER, exporter);

  if (plugin == NULL || plugins == NULL ||
      !g_strv_contains ((const char *const *) plugins, roast_plugin_get_name (plugin)))
    return NULL;

  return roast_plugin_get_name (plugin);
}

static gboolean
add_fallback (RoastSession *session, RoastRegistry *registry, ReportOptions *options, const char *exporter,
              const char *plugin, GError **error)
{
  if (options->fallback->len > 0 &&
      find_left_out (registry, ((ExportOption *) g_ptr_array_index (options->fallback, 0))->name, options->without) ==
          NULL)
    return export_option_add (g_ptr_array_index (options->fallback, 0), session, registry, STDOUT_FILENO,
                              options->color, error);

  return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                     "“--without=%s” leaves out the plugin of the exporter “%s”: choose another exporter with -e",
                     plugin, exporter);
}

static gboolean
add_exporters (RoastSession *session, RoastRegistry *registry, ReportOptions *options, GError **error)
{
  guint n_left_out = 0;

  for (guint i = 0; i < options->exports->len; i++)
    {
      ExportOption *export = g_ptr_array_index (options->exports, i);
      const char *plugin = find_left_out (registry, export->name, options->without);

      if (plugin != NULL && ++n_left_out == options->exports->len &&
          !add_fallback (session, registry, options, export->name, plugin, error))
        return FALSE;
      if (plugin != NULL)
        g_printerr ("roast-report: the exporter “%s” writes nothing because its plugin “%s” is left out\n",
                    export->name, plugin);
      else if (!export_option_add (export, session, registry, STDOUT_FILENO, options->color, error))
        return FALSE;
    }

  return roast_session_prepare_outputs (session, error);
}

/* Adds notes to the report: the user's remarks, and the names of the plugins that the user left out. */
static void
add_notes (RoastSession *session, const ReportOptions *options)
{
  RoastReport *report = roast_session_get_report (session);

  for (char **remark = options->remarks; remark != NULL && *remark != NULL; remark++)
    roast_report_add_note (report, *remark);
  for (char **plugin = options->without; plugin != NULL && *plugin != NULL; plugin++)
    {
      g_autofree char *note =
          g_strdup_printf ("plugin %s was left out (option --without): the results of its aggregators are missing",
                           *plugin);

      roast_report_add_note (report, note);
    }
}

/* Declares the user's metrics in the schema, in the same way as plugins declare theirs. */
static gboolean
declare_metrics (RoastRegistry *registry, char **metrics, GError **error)
{
  for (; metrics != NULL && *metrics != NULL; metrics++)
    {
      const char *equal = strchr (*metrics, '=');
      g_autofree char *name = equal != NULL ? g_strndup (*metrics, (gsize) (equal - *metrics)) : NULL;
      g_autofree char *text = NULL;
      g_autoptr (GBytes) schema = NULL;

      if (equal == NULL || equal == *metrics || strpbrk (*metrics, "\n\r]") != NULL)
        return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                           "“--metric=%s” is invalid: write NAME=FORMULA in one line, such as 'slow_chunks=count (over "
                           "chunks "
                           "where "
                           "ended - started > 60)'",
                           *metrics);
      g_strstrip (name);
      text = g_strdup_printf ("[metric %s]\nGroup=Own metrics\nShow=always\nDescription=%s\nValue=%s\n", name, name,
                              equal + 1);
      schema = g_bytes_new (text, strlen (text));
      if (!roast_schema_load_data (roast_registry_get_schema (registry), schema, "the option --metric", error))
        return FALSE;
    }

  return TRUE;
}

/* Report errors in the user's formulas, such as unknown tables, before the report is made. */
static gboolean
check_metrics (RoastRegistry *registry, char **metrics, GError **error)
{
  RoastSchema *schema = roast_registry_get_schema (registry);
  g_autoptr (RoastRecording) empty = roast_recording_new (schema);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (empty);
  g_autoptr (RoastReport) report = roast_report_new (schema);

  for (; metrics != NULL && *metrics != NULL; metrics++)
    {
      g_autoptr (RoastMetric) metric =
          roast_report_evaluate (report, snapshot, "own", strchr (*metrics, '=') + 1, error);

      if (metric == NULL)
        {
          g_prefix_error (error, "“--metric=%s”: ", *metrics);
          return FALSE;
        }
    }

  return TRUE;
}

static RoastSession *
make_session (ReportOptions *options, RoastRegistry *registry, GError **error)
{
  g_autoptr (RoastSession) session = roast_session_new (registry);

  return leave_out (session, registry, options->without, error) && add_exporters (session, registry, options, error)
             ? g_steal_pointer (&session)
             : NULL;
}

static gboolean
write_report (RoastSession *session, ReportRun *run, const ReportOptions *options, GError **error)
{
  if (options->wait_status >= 0)
    report_run_take_status (run, options->wait_status);
  if (!roast_session_read (session, run->recording, error))
    return FALSE;
  if (options->remarks != NULL || options->without != NULL)
    add_notes (session, options);

  return roast_session_export (session, NULL, error);
}

/* Lets the live exporters write reports while the run goes on. */
static gboolean
write_live (ReportOptions *options, RoastRegistry *registry, ReportRun *run, GError **error)
{
  g_autoptr (RoastSession) session = make_session (options, registry, error);

  return session != NULL && write_report (session, run, options, error);
}

static ReportRun *
open_run (const ReportOptions *options, GError **error)
{
  const char *name = options->arguments[0];
  gboolean is_word = name != NULL && !g_str_has_prefix (name, "last");
  const char *command = is_word ? report_options_suggest_command (name) : NULL;
  g_autofree char *path = options->follow ? report_run_find (name, error) : NULL;
  ReportRun *run = NULL;

  if (!options->follow)
    run = report_run_open (name, error);
  else if (path != NULL)
    run = report_run_look (path, error);
  if (run == NULL && command != NULL)
    g_prefix_error (error, "did you mean “roast-report %s”? ", command);

  return run;
}

gboolean
report_make (ReportOptions *options, GError **error)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastSession) session = NULL;
  g_autoptr (ReportRun) run = NULL;
  g_autofree char *path = NULL;
  gboolean is_over = options->follow, has_followed = FALSE;

  if (options->exports->len == 0)
    g_ptr_array_add (options->exports, export_option_parse ("table", NULL));
  if (!declare_metrics (registry, options->metrics, error) || !check_metrics (registry, options->metrics, error))
    return FALSE;
  session = make_session (options, registry, error);
  run = session != NULL ? open_run (options, error) : NULL;
  if (run == NULL)
    return FALSE;
  if (!report_follow (options, registry, run->file, write_live, &has_followed, &is_over, error))
    return FALSE;
  if (is_over || !has_followed)
    return is_over || write_report (session, run, options, error);
  path = g_strdup (roast_run_file_get_path (run->file));
  g_clear_object (&session);
  g_clear_pointer (&run, report_run_free);
  session = make_session (options, registry, error);
  run = session != NULL ? report_run_look (path, error) : NULL;

  return run != NULL && write_report (session, run, options, error);
}
