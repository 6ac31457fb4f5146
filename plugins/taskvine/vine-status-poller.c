/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-status-poller.h"

#include "vine-status.h"

#define SLOWEST (120 * G_USEC_PER_SEC)

struct _VineStatusPoller
{
  gatomicrefcount refs;
  char *host;
  guint16 port;
  gint64 interval, next;
  VineStatusFunction function; /* NULL once the poller is stopped */
  gpointer user_data;
  GCancellable *cancellable;
  gboolean waiting;   /* a request is pending */
  gboolean forbidden; /* the manager requires a password */
  guint question;     /* index of the last question */
  guint n_answers, n_failures;
  GError *error;
};

static const char *const questions[] = { "manager", "worker" };

static void ask (VineStatusPoller *self);

VineStatusPoller *
vine_status_poller_new (const char *host, guint16 port, gint64 interval, VineStatusFunction function,
                        gpointer user_data)
{
  VineStatusPoller *self = g_new0 (VineStatusPoller, 1);

  g_atomic_ref_count_init (&self->refs);
  self->host = g_strdup (host);
  self->port = port;
  self->interval = interval;
  self->function = function;
  self->user_data = user_data;
  self->cancellable = g_cancellable_new ();

  return self;
}

static void
unref (VineStatusPoller *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_object_unref (self->cancellable);
  g_clear_error (&self->error);
  g_free (self->host);
  g_free (self);
}

void
vine_status_poller_stop (VineStatusPoller *self)
{
  self->function = NULL;
  g_cancellable_cancel (self->cancellable);
  unref (self);
}

static void
failed (VineStatusPoller *self, GError *error)
{
  g_clear_error (&self->error);
  self->error = error;
  self->n_failures++;
  /* Never ask again: the manager would print a complaint each time. */
  self->forbidden |= g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  /* Retry soon while nothing listens: asking costs nothing then, and the end of a manager is noticed early. */
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
        ask (self);
    }
  unref (self);
}

static void
ask (VineStatusPoller *self)
{
  g_atomic_ref_count_inc (&self->refs);
  self->waiting = TRUE;
  vine_status_query_async (self->host, self->port, questions[self->question], self->cancellable, on_answer, self);
}

void
vine_status_poller_tick (VineStatusPoller *self, gint64 now)
{
  if (self->waiting || self->forbidden || now < self->next)
    return;
  self->next = now + self->interval;
  self->question = 0;
  ask (self);
}

guint
vine_status_poller_get_n_answers (VineStatusPoller *self)
{
  return self->n_answers;
}

guint
vine_status_poller_get_n_failures (VineStatusPoller *self)
{
  return self->n_failures;
}

const GError *
vine_status_poller_get_error (VineStatusPoller *self)
{
  return self->error;
}
