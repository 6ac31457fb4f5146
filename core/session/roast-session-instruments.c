/* SPDX-License-Identifier: BSD-3-Clause */

/* Adds backends that the user has not named. Such a backend inspects programs that use a certain framework, and does
 * nothing in other programs. */

#include "roast-session-private.h"

#include "roast/roast-metrics-backend.h"
#include "roast/roast-registry.h"
#include "roast/roast-tables.h"

#define INSTRUMENT "instrument"
#define AUTOMATIC "auto"

static gboolean
has_backend (RoastSession *self, const char *name)
{
  return g_ptr_array_find_with_equal_func (self->backend_names, name, g_str_equal, NULL);
}

static void
report_failure (RoastSession *self, const char *name, const GError *error)
{
  g_autofree char *text = g_strdup_printf ("the run is measured without %s: %s", name, error->message);

  roast_recording_add_event (self->recording, NULL, -1, ROAST_SEVERITY_WARNING, INSTRUMENT, text);
}

static void
add_instrument (RoastSession *self, const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) options = roast_registry_parse_options (self->registry, ROAST_ROLE_BACKEND, name, text, &error);
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

static void
add_all (RoastSession *self, const char *capability, const char *options)
{
  g_auto (GStrv) names = roast_registry_dup_names (self->registry, ROAST_ROLE_BACKEND);

  for (guint i = 0; names[i] != NULL; i++)
    {
      RoastPlugin *plugin = roast_registry_find_provider (self->registry, ROAST_ROLE_BACKEND, names[i]);

      if (plugin != NULL && g_strv_contains (roast_plugin_get_capabilities (plugin), capability) &&
          !has_backend (self, names[i]))
        add_instrument (self, names[i], options);
    }
}

/**
 * roast_session_add_instruments:
 * @self: an idle session, which will launch a program
 *
 * Adds each backend of the registry that has the capability `instrument` and was not added before. Such a backend puts
 * code into programs that use a certain framework, and does nothing in other programs. Therefore the metadata of the
 * recording name such a backend only if it has measured something. If the backend fails, the run is measured without
 * this backend, and the recording gets an event.
 *
 * Since: 0.9
 */
void
roast_session_add_instruments (RoastSession *self)
{
  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (self->state == ROAST_SESSION_STATE_IDLE);

  add_all (self, INSTRUMENT, NULL);
}

/**
 * roast_session_add_executors:
 * @self: an idle session, which will launch a program
 *
 * Adds each backend of the registry that has the capability `auto` and was not added before, with its option `auto`.
 * Such a backend measures an executor if the program uses that executor, and otherwise does nothing. Therefore the
 * metadata of the recording name such a backend only if it has measured something. If a backend fails, the run is
 * measured without this backend, and the recording gets an event.
 *
 * Since: 0.9
 */
void
roast_session_add_executors (RoastSession *self)
{
  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (self->state == ROAST_SESSION_STATE_IDLE);

  add_all (self, AUTOMATIC, AUTOMATIC "=true");
}

/* Return whether a backend has added a source, which means that it has read data from an executor. */
static gboolean
has_source (RoastSession *self, const char *name)
{
  g_autoptr (RoastTableReader) sources =
      roast_recording_read_table (self->recording, ROAST_TABLE_SOURCES, roast_sources_columns, NULL);

  while (roast_table_reader_next (sources))
    if (g_strcmp0 (roast_table_reader_get_string (sources, ROAST_SOURCES_BACKEND), name) == 0)
      return TRUE;

  return FALSE;
}

void
roast_session_note_found (RoastSession *self)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  for (guint i = 0; i < self->backends->len; i++)
    {
      char *name = g_ptr_array_index (self->backend_names, i);
      gboolean is_instrument = roast_session_is_instrument (self, g_ptr_array_index (self->backends, i));
      gboolean is_found = is_instrument && has_source (self, name);

      if (is_found)
        g_ptr_array_add (found, name);
      if (is_found || !is_instrument)
        g_ptr_array_add (all, name);
    }
  roast_recording_set_metadata (self->recording, "backends",
                                g_variant_new_strv ((const char *const *) all->pdata, (gssize) all->len));
  if (found->len > 0)
    roast_recording_set_metadata (self->recording, "backends-found",
                                  g_variant_new_strv ((const char *const *) found->pdata, (gssize) found->len));
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
