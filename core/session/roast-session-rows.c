/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-session-private.h"

#include "recording/roast-recording-private.h"

#define ROWS_ADDED_INTERVAL 100 /* ms between two rows-added signals */
#define NOBODY_INTERVAL 1000    /* ms between two checks for a handler while no handler is connected */

/* List the names of the tables that changed since the last signal. The list ends with NULL. The tables own the
 * names. */
static GPtrArray *
list_changed (RoastSession *self)
{
  g_autoptr (GPtrArray) tables = roast_recording_list_tables (self->recording);
  g_autoptr (GPtrArray) changed = g_ptr_array_new ();

  for (guint i = 0; i < tables->len; i++)
    {
      RoastTable *table = g_ptr_array_index (tables, i);
      const char *name = roast_table_get_name (table);
      guint64 serial = roast_table_get_serial (table);
      guint64 *before = g_hash_table_lookup (self->rows_serials, name);

      if (serial == 0 || (before != NULL && *before == serial))
        continue;
      g_hash_table_insert (self->rows_serials, g_strdup (name), g_memdup2 (&serial, sizeof serial));
      g_ptr_array_add (changed, (char *) name);
    }
  g_ptr_array_add (changed, NULL);

  return g_steal_pointer (&changed);
}

static void
tell (RoastSession *self)
{
  g_autoptr (GPtrArray) changed = list_changed (self);

  if (changed->len > 1)
    g_signal_emit_by_name (self, "rows-added", changed->pdata);
}

static gboolean on_timeout (gpointer user_data);

static void
look_again (RoastSession *self, guint after)
{
  self->rows_source = roast_source_attach (g_timeout_source_new (after), self->context, on_timeout, self, NULL);
}

/* While a handler is connected to the signal, check for changed tables. Otherwise check, less often, whether a handler
 * has been connected. */
static gboolean
on_timeout (gpointer user_data)
{
  g_autoptr (RoastSession) self = g_object_ref (user_data);
  GSource *mine = self->rows_source;

  if (roast_session_has_rows_handler (self))
    tell (self);
  /* If a handler of the signal has ended the watch, do not continue. */
  if (self->rows_source != mine)
    return G_SOURCE_REMOVE;

  g_source_unref (mine);
  look_again (self, roast_session_has_rows_handler (self) ? ROWS_ADDED_INTERVAL : NOBODY_INTERVAL);

  return G_SOURCE_REMOVE;
}

void
roast_session_watch_rows (RoastSession *self)
{
  look_again (self, ROWS_ADDED_INTERVAL);
}

void
roast_session_unwatch_rows (RoastSession *self)
{
  if (self->rows_source == NULL)
    return;

  roast_source_clear (&self->rows_source);
  if (roast_session_has_rows_handler (self))
    tell (self);
}
