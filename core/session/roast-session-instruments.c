/* SPDX-License-Identifier: BSD-3-Clause */

/* Backends that need not be named: they look into programs that use some framework, and do nothing in others. */

#include "roast-session-private.h"

#include "roast/roast-metrics-backend.h"
#include "roast/roast-registry.h"

#define CAPABILITY "instrument"

static gboolean
has_backend (RoastSession *self, const char *name)
{
  return g_ptr_array_find_with_equal_func (self->backend_names, name, g_str_equal, NULL);
}

static void
report_failure (RoastSession *self, const char *name, const GError *error)
{
  g_autofree char *text = g_strdup_printf ("the run is measured without %s: %s", name, error->message);

  roast_recording_add_event (self->recording, NULL, -1, ROAST_SEVERITY_WARNING, CAPABILITY, text);
}

static void
add_instrument (RoastSession *self, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) options = roast_registry_parse_options (self->registry, ROAST_ROLE_BACKEND, name, NULL, &error);
  g_autoptr (RoastMetricsBackend) backend = NULL;

  if (options != NULL)
    backend = roast_registry_create_backend (self->registry, name, options, &error);
  if (backend == NULL)
    {
      report_failure (self, name, error);
      return;
    }
  roast_session_add_backend (self, name, backend);
  g_ptr_array_add (self->instruments, backend);
}

/**
 * roast_session_add_instruments:
 * @self: an idle session, which will launch a program
 *
 * Adds each backend of the registry that has the capability `instrument` and was not added before. Such a backend puts
 * code into programs that use some framework, and does nothing in others; so it is not named among the session's
 * backends. If it fails, the run is measured without it, and the recording has an event.
 *
 * Since: 0.9
 */
void
roast_session_add_instruments (RoastSession *self)
{
  g_auto (GStrv) names = NULL;

  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (self->state == ROAST_SESSION_STATE_IDLE);

  names = roast_registry_dup_names (self->registry, ROAST_ROLE_BACKEND);
  for (guint i = 0; names[i] != NULL; i++)
    {
      RoastPlugin *plugin = roast_registry_find_provider (self->registry, ROAST_ROLE_BACKEND, names[i]);

      if (plugin != NULL && g_strv_contains (roast_plugin_get_capabilities (plugin), CAPABILITY) &&
          !has_backend (self, names[i]))
        add_instrument (self, names[i]);
    }
}

gboolean
roast_session_is_instrument (RoastSession *self, RoastMetricsBackend *backend)
{
  return g_ptr_array_find (self->instruments, backend, NULL);
}

gboolean
roast_session_drop_instrument (RoastSession *self, RoastMetricsBackend *backend, const GError *error)
{
  guint index;

  if (!roast_session_is_instrument (self, backend) || !g_ptr_array_find (self->backends, backend, &index))
    return FALSE;
  report_failure (self, g_ptr_array_index (self->backend_names, index), error);
  g_ptr_array_remove (self->instruments, backend);
  g_ptr_array_remove_index (self->backends, index);
  g_ptr_array_remove_index (self->backend_names, index);

  return TRUE;
}
