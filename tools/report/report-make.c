/* SPDX-License-Identifier: BSD-3-Clause */

/* The report of a run, as roast-run writes it. */

#include <unistd.h>

#include "export-option.h"
#include "report.h"

static gboolean
leave_out (RoastSession *session, RoastRegistry *registry, char **plugins, GError **error)
{
  for (guint i = 0; plugins != NULL && plugins[i] != NULL; i++)
    {
      if (roast_registry_lookup_plugin (registry, plugins[i]) == NULL)
        {
          g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                       "“--without=%s”: there is no such plugin; roast-inspect lists them", plugins[i]);
          return FALSE;
        }
      roast_session_leave_out (session, plugins[i]);
    }

  return TRUE;
}

static gboolean
check_without (RoastRegistry *registry, const char *exporter, char **plugins, GError **error)
{
  RoastPlugin *plugin = roast_registry_find_provider (registry, ROAST_ROLE_EXPORTER, exporter);

  if (plugin == NULL || plugins == NULL ||
      !g_strv_contains ((const char *const *) plugins, roast_plugin_get_name (plugin)))
    return TRUE;
  g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
               "“--without=%s” leaves out the plugin of the exporter “%s”: choose another exporter with -e",
               roast_plugin_get_name (plugin), exporter);

  return FALSE;
}

static gboolean
add_exporters (RoastSession *session, RoastRegistry *registry, ReportOptions *options, GError **error)
{
  if (options->exports->len == 0)
    g_ptr_array_add (options->exports, export_option_parse ("table", NULL));
  for (guint i = 0; i < options->exports->len; i++)
    {
      ExportOption *export = g_ptr_array_index (options->exports, i);

      if (!check_without (registry, export->name, options->without, error) ||
          !export_option_add (export, session, registry, STDOUT_FILENO, options->color, error))
        return FALSE;
    }

  return roast_session_prepare_outputs (session, error);
}

gboolean
report_make (ReportOptions *options, GError **error)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastSession) session = roast_session_new (registry);
  g_autoptr (ReportRun) run = NULL;

  if (!leave_out (session, registry, options->without, error) || !add_exporters (session, registry, options, error))
    return FALSE;
  run = report_run_open (options->arguments[0], error);
  if (run == NULL || !roast_session_read (session, run->recording, error))
    return FALSE;

  return roast_session_export (session, NULL, error);
}
