/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-status-poller.h"

#include "vine-status.h"

#define SLOWEST (120 * G_USEC_PER_SEC)

static const char *const questions[] = { "manager", "worker" };

static void status_poller_ask (VineStatusPoller *self);

VineStatusPoller *
vine_status_poller_new (const char *host, guint16 port, gint64 interval, VineStatusFunction function,
                        gpointer user_data)
{
  VineStatusPoller *self = g_rc_box_new0 (VineStatusPoller);

  self->host = g_strdup (host);
  self->port = port;
  self->interval = interval;
  self->function = function;
  self->user_data = user_data;
  self->cancellable = g_cancellable_new ();

  return self;
}

static void
clear (VineStatusPoller *self)
{
  g_object_unref (self->cancellable);
  g_clear_error (&self->error);
  g_free (self->host);
}

void
vine_status_poller_stop (VineStatusPoller *self)
{
  self->function = NULL;
  g_cancellable_cancel (self->cancellable);
  g_rc_box_release_full (self, (GDestroyNotify) clear);
}

static void
failed (VineStatusPoller *self, GError *error)
{
  g_clear_error (&self->error);
  self->error = error;
  self->n_failures++;
  /* Do not ask a manager that requires a password again, because the manager prints a complaint each time. */
  self->forbidden |= g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  /* Retry soon if the connection was refused. No program listens at the port, so the request costs no time, and the end
   * of a manager is noticed early. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    self->next = g_get_monotonic_time () + G_USEC_PER_SEC;
  else
    self->next =
        g_get_monotonic_time () + MIN (self->interval << MIN (self->n_failures, 10), MAX (self->interval, SLOWEST));
}

static void
on_answer (GObject *object, GAsyncResult *result, gpointer user_data)
{
  VineStatusPoller *self = user_data;
  GError *error = NULL;
  g_autoptr (JsonArray) status = vine_status_query_finish (result, &error);

  self->waiting = FALSE;
  if (self->function == NULL)
    {
      g_clear_error (&error);
    }
  else if (status == NULL)
    {
      failed (self, error);
    }
  else
    {
      self->n_answers++;
      self->n_failures = 0;
      self->function (questions[self->question], status, self->user_data);
      if (self->function != NULL && ++self->question < G_N_ELEMENTS (questions))
        status_poller_ask (self);
    }
  g_rc_box_release_full (self, (GDestroyNotify) clear);
}

static void
status_poller_ask (VineStatusPoller *self)
{
  self->waiting = TRUE;
  vine_status_query_async (self->host, self->port, questions[self->question], self->cancellable, on_answer,
                           g_rc_box_acquire (self));
}

void
vine_status_poller_tick (VineStatusPoller *self, gint64 now)
{
  if (self->waiting || self->forbidden || now < self->next)
    return;
  self->next = now + self->interval;
  self->question = 0;
  status_poller_ask (self);
}
