/* SPDX-License-Identifier: BSD-3-Clause */

/* Makes each Python process of the program load roast's hook as soon as the process imports coffea. All measuring is
 * done by this hook, python/hook.py. It reports over the socket of the run, like any other program. */

#include <gmodule.h>
#include <roast/roast.h>
#include <string.h>

#include "roast-failed-exporter.h"
#include "side-module.h"

G_DECLARE_FINAL_TYPE (RoastCoffeaBackend, roast_coffea_backend, ROAST, COFFEA_BACKEND, GObject)

struct _RoastCoffeaBackend
{
  GObject parent_instance;

  char *isolated; /* option of Python in the program's command that prevents Python from loading the hook, or NULL */
};

static void backend_iface_init (RoastMetricsBackendInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastCoffeaBackend, roast_coffea_backend, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_METRICS_BACKEND, backend_iface_init))

/* Return the directory that contains sitecustomize.py. It is next to the module of this plugin, both in the
 * installation and in the build tree. */
static char *
dup_directory (GError **error)
{
  static const char *const names[] = { "coffea-python/sitecustomize.py", "python/sitecustomize.py" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = side_module_dup_path (names[i]);

      if (g_file_test (file, G_FILE_TEST_IS_REGULAR))
        return g_path_get_dirname (file);
    }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "the file %s is missing: install roast again", names[0]);

  return NULL;
}

/* Return the option in @argv that makes Python ignore PYTHONPATH or sitecustomize; NULL if there is none. */
static char *
find_isolating_option (const char *const *argv)
{
  g_autofree char *program = g_path_get_basename (argv[0]);

  if (!g_str_has_prefix (program, "python"))
    return NULL;
  for (guint i = 1; argv[i] != NULL && argv[i][0] == '-' && argv[i][1] != '-'; i++)
    {
      gsize n = strcspn (argv[i] + 1, "cmWX");
      gsize at = strcspn (argv[i] + 1, "IES");

      if (at < n)
        return g_strdup_printf ("-%c", argv[i][1 + at]);
      if (argv[i][1 + n] == 'c' || argv[i][1 + n] == 'm')
        return NULL;
      /* Skip the value of -W or -X if it is a separate argument. */
      if (argv[i][1 + n] != '\0' && argv[i][2 + n] == '\0' && argv[i + 1] != NULL)
        i++;
    }

  return NULL;
}

static gboolean
coffea_prepare_launch (RoastMetricsBackend *backend, RoastLaunchContext *context, GError **error)
{
  RoastCoffeaBackend *self = ROAST_COFFEA_BACKEND (backend);
  g_autofree char *directory = dup_directory (error);
  g_autofree char *path = NULL;
  const char *old = roast_launch_context_getenv (context, "PYTHONPATH");

  if (directory == NULL)
    return FALSE;
  path = old != NULL && *old != '\0' ? g_strconcat (directory, ":", old, NULL) : g_strdup (directory);
  roast_launch_context_setenv (context, "PYTHONPATH", path);
  self->isolated = find_isolating_option (roast_launch_context_get_argv (context));

  return TRUE;
}

static void
coffea_start_tracking (RoastMetricsBackend *backend, RoastRecording *recording, gint64 interval, GTask *task)
{
  RoastCoffeaBackend *self = ROAST_COFFEA_BACKEND (backend);

  if (self->isolated != NULL)
    {
      g_autofree char *text = g_strdup_printf ("Python's option %s keeps roast's hook out of the program: if the "
                                               "program uses coffea, its chunks are not measured",
                                               self->isolated);

      roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_INFO, "instrument", text);
    }
  g_task_return_boolean (task, TRUE);
}

static void
coffea_stop_tracking (RoastMetricsBackend *backend, GTask *task)
{
  g_task_return_boolean (task, TRUE);
}

static void
backend_iface_init (RoastMetricsBackendInterface *iface)
{
  iface->prepare_launch = coffea_prepare_launch;
  iface->start_tracking = coffea_start_tracking;
  iface->stop_tracking = coffea_stop_tracking;
}

static void
roast_coffea_backend_finalize (GObject *object)
{
  g_free (ROAST_COFFEA_BACKEND (object)->isolated);

  G_OBJECT_CLASS (roast_coffea_backend_parent_class)->finalize (object);
}

static void
roast_coffea_backend_class_init (RoastCoffeaBackendClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_coffea_backend_finalize;
}

static void
roast_coffea_backend_init (RoastCoffeaBackend *self)
{
}

ROAST_DEFINE_PLUGIN ("coffea", PLUGIN_VERSION, ROAST_PLUGIN_BACKEND ("coffea", roast_coffea_backend_get_type),
                     ROAST_PLUGIN_EXPORTER ("failed", roast_coffea_failed_exporter_get_type))
