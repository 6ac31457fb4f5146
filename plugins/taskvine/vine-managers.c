/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-managers.h"

#include "vine-status-poller.h"

#define FIRST_STATUS (2 * G_USEC_PER_SEC) /* after the start: who is over by then is not disturbed */
#define STEP (2 << 20)                    /* bytes */

/* A manager, and who asks it. */
typedef struct
{
  VineManager *manager;
  VineStatusPoller *asking; /* NULL if it is not to be asked */
} Followed;

struct _VineManagers
{
  RoastRecording *recording;
  VineManagerOptions options;
  gint64 status_interval;
  GPtrArray *followed;
};

static void
followed_free (Followed *one)
{
  g_clear_pointer (&one->asking, vine_status_poller_stop);
  vine_manager_free (one->manager);
  g_free (one);
}

VineManagers *
vine_managers_new (RoastRecording *recording, const VineManagerOptions *options, gint64 status_interval)
{
  VineManagers *self = g_new0 (VineManagers, 1);

  self->recording = g_object_ref (recording);
  self->options = *options;
  self->status_interval = status_interval;
  self->followed = g_ptr_array_new_with_free_func ((GDestroyNotify) followed_free);

  return self;
}

void
vine_managers_free (VineManagers *self)
{
  g_ptr_array_unref (self->followed);
  g_object_unref (self->recording);
  g_free (self);
}

guint
vine_managers_get_length (VineManagers *self)
{
  return self->followed->len;
}

static Followed *
get (VineManagers *self, guint i)
{
  return g_ptr_array_index (self->followed, i);
}

gboolean
vine_managers_contain (guint64 device, guint64 inode, gpointer user_data)
{
  VineManagers *self = user_data;

  for (guint i = 0; i < self->followed->len; i++)
    if (vine_manager_is_same (get (self, i)->manager, device, inode))
      return TRUE;

  return FALSE;
}

static void
on_status (const char *what, JsonArray *status, gpointer user_data)
{
  vine_manager_take_status (user_data, what, status);
}

static void
follow (VineManagers *self, VineManager *manager)
{
  Followed *one = g_new0 (Followed, 1);

  one->manager = manager;
  /* On another machine, somebody else has that port here. */
  if (vine_manager_get_port (manager) != 0 && self->status_interval > 0 && vine_manager_is_local (manager))
    one->asking = vine_status_poller_new ("127.0.0.1", vine_manager_get_port (manager), self->status_interval,
                                          on_status, manager);
  g_ptr_array_add (self->followed, one);
}

/* Several managers may share one log: then it is one source. */
void
vine_managers_add (VineManagers *self, VineFinding *finding)
{
  if (!vine_managers_contain (finding->device, finding->inode, self))
    follow (self, vine_manager_new (self->recording, finding, &self->options));
}

/* ---- reading ---- */

gboolean
vine_managers_read (VineManagers *self, gsize bytes)
{
  guint n = self->followed->len;
  gboolean more = FALSE;

  for (guint i = 0; i < n; i++)
    {
      VineManager *next = NULL;

      more |= vine_manager_read (get (self, i)->manager, bytes);
      next = vine_manager_follow (get (self, i)->manager);
      if (next == NULL)
        continue;
      follow (self, next);
      more = TRUE;
    }

  return more;
}

void
vine_managers_flush (VineManagers *self)
{
  for (guint i = 0; i < self->followed->len; i++)
    vine_manager_flush (get (self, i)->manager);
}

void
vine_managers_ask (VineManagers *self, gint64 now)
{
  for (guint i = 0; i < self->followed->len; i++)
    {
      Followed *one = get (self, i);
      gint64 started = vine_replay_get_started (vine_manager_get_replay (one->manager));

      if (one->asking != NULL && !vine_manager_is_over (one->manager) && started >= 0 &&
          started + FIRST_STATUS < g_get_real_time ())
        vine_status_poller_tick (one->asking, now);
    }
}

/* ---- the end ---- */

gboolean
vine_managers_close_over (VineManagers *self, const char *why)
{
  gboolean all = TRUE;

  for (guint i = 0; i < self->followed->len; i++)
    {
      Followed *one = get (self, i);

      if (vine_manager_seems_alive (one->manager))
        {
          all = FALSE;
          continue;
        }
      /* It may have written until it died. */
      while (vine_manager_read (one->manager, STEP))
        ;
      vine_manager_finish (one->manager, why);
      g_clear_pointer (&one->asking, vine_status_poller_stop);
    }

  return all;
}

static void
note (VineManagers *self, Followed *one, RoastSeverity severity, const char *kind, const char *message)
{
  roast_recording_add_event (self->recording, vine_manager_get_source (one->manager), -1, severity, kind, message);
}

static void
tell_of_asking (VineManagers *self, Followed *one)
{
  const GError *error = one->asking != NULL ? vine_status_poller_get_error (one->asking) : NULL;
  g_autofree char *message = NULL;

  /* Refused it is when the manager is over by then. */
  if (error == NULL || vine_status_poller_get_n_answers (one->asking) > 0 ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    return;
  message = g_strdup_printf ("the manager's status was asked for and not given (%s): hosts of workers are not known",
                             error->message);
  note (self, one, ROAST_SEVERITY_INFO, "status", message);
}

void
vine_managers_finish (VineManagers *self, const char *why, gboolean late)
{
  for (guint i = 0; i < self->followed->len; i++)
    {
      Followed *one = get (self, i);

      if (late)
        note (self, one, ROAST_SEVERITY_WARNING, "flush",
              "the measurement was stopped before the log was read to its end: what follows is missing");
      tell_of_asking (self, one);
      vine_manager_finish (one->manager, late || vine_manager_is_alive (one->manager) ? NULL : why);
      g_clear_pointer (&one->asking, vine_status_poller_stop);
    }
}

/* ---- questions ---- */

gboolean
vine_managers_get_times (VineManagers *self, gint64 *from, gint64 *to)
{
  *from = G_MAXINT64;
  *to = -1;
  for (guint i = 0; i < self->followed->len; i++)
    {
      VineReplay *replay = vine_manager_get_replay (get (self, i)->manager);
      gint64 ended = vine_replay_get_ended (replay);

      /* Without the line of its start, the first one. */
      if (vine_replay_get_first (replay) >= 0)
        *from = MIN (*from, vine_replay_get_first (replay));
      *to = MAX (*to, ended >= 0 ? ended : vine_replay_get_last (replay));
    }

  return *from != G_MAXINT64 && *to >= *from;
}

void
vine_managers_add_totals (VineManagers *self, GHashTable *totals)
{
  for (guint i = 0; i < self->followed->len; i++)
    vine_replay_add_totals (vine_manager_get_replay (get (self, i)->manager), totals);
}
