/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-managers.h"

struct _VineManagers
{
  RoastRecording *recording;
  VineManagerOptions options;
  GPtrArray *managers; /* owns VineManager */
};

VineManagers *
vine_managers_new (RoastRecording *recording, const VineManagerOptions *options)
{
  VineManagers *self = g_new0 (VineManagers, 1);

  self->recording = g_object_ref (recording);
  self->options = *options;
  self->managers = g_ptr_array_new_with_free_func ((GDestroyNotify) vine_manager_free);

  return self;
}

void
vine_managers_free (VineManagers *self)
{
  g_ptr_array_unref (self->managers);
  g_object_unref (self->recording);
  g_free (self);
}

guint
vine_managers_get_length (VineManagers *self)
{
  return self->managers->len;
}

static VineManager *
get (VineManagers *self, guint i)
{
  return g_ptr_array_index (self->managers, i);
}

gboolean
vine_managers_contain (VineLog *transactions, gpointer user_data)
{
  VineManagers *self = user_data;

  for (guint i = 0; i < self->managers->len; i++)
    if (vine_manager_has_log (get (self, i), transactions))
      return TRUE;

  return FALSE;
}

static void
add (VineManagers *self, VineLogs *logs)
{
  g_ptr_array_add (self->managers, vine_manager_new (self->recording, logs, &self->options));
}

/* Managers that share one log are one source. */
void
vine_managers_add (VineManagers *self, VineLogs *logs)
{
  if (!vine_managers_contain (logs->transactions, self))
    add (self, logs);
}

gboolean
vine_managers_read (VineManagers *self, gsize bytes)
{
  guint n = self->managers->len;
  gboolean more = FALSE;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (VineLogs) successor = NULL;

      more |= vine_manager_read (get (self, i), bytes);
      successor = vine_manager_find_successor (get (self, i));
      if (successor == NULL)
        continue;
      add (self, successor);
      more = TRUE;
    }

  return more;
}

double
vine_managers_get_progress (VineManagers *self)
{
  guint64 read = 0;
  guint64 all = 0;

  for (guint i = 0; i < self->managers->len; i++)
    vine_manager_add_progress (get (self, i), &read, &all);

  return all > 0 ? (double) read / (double) all : 1;
}

void
vine_managers_flush (VineManagers *self)
{
  for (guint i = 0; i < self->managers->len; i++)
    vine_manager_flush (get (self, i));
}

void
vine_managers_ask (VineManagers *self, gint64 now)
{
  for (guint i = 0; i < self->managers->len; i++)
    vine_manager_ask (get (self, i), now);
}

gboolean
vine_managers_finish_ended (VineManagers *self, const char *why)
{
  gboolean all = TRUE;

  for (guint i = 0; i < self->managers->len; i++)
    all &= vine_manager_finish_ended (get (self, i), why);

  return all;
}

void
vine_managers_finish (VineManagers *self, const char *why, gboolean late)
{
  for (guint i = 0; i < self->managers->len; i++)
    vine_manager_finish (get (self, i), why, late);
}

gboolean
vine_managers_have_end (VineManagers *self)
{
  for (guint i = 0; i < self->managers->len; i++)
    if (!vine_manager_has_end (get (self, i)))
      return FALSE;

  return TRUE;
}

gboolean
vine_managers_run_here (VineManagers *self)
{
  for (guint i = 0; i < self->managers->len; i++)
    if (!vine_manager_runs_here (get (self, i)))
      return FALSE;

  return TRUE;
}

void
vine_managers_add_totals (VineManagers *self, GHashTable *totals)
{
  for (guint i = 0; i < self->managers->len; i++)
    vine_manager_add_totals (get (self, i), totals);
}

gboolean
vine_managers_get_times (VineManagers *self, gint64 *started, gint64 *ended)
{
  *started = *ended = -1;
  for (guint i = 0; i < self->managers->len; i++)
    {
      gint64 from, to;

      vine_manager_get_times (get (self, i), &from, &to);
      if (from >= 0)
        *started = *started >= 0 ? MIN (*started, from) : from;
      *ended = MAX (*ended, to);
    }

  return *started >= 0 && *ended >= *started;
}
