/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-waiters-private.h"

typedef struct
{
  RoastWaiters *waiters;
  GTask *task;
  GSource *cancelled;
} Waiter;

struct _RoastWaiters
{
  GPtrArray *list;
  gboolean complete;
  GError *error;
};

static void
waiter_free (gpointer data)
{
  Waiter *waiter = data;

  if (waiter->cancelled != NULL)
    {
      g_source_destroy (waiter->cancelled);
      g_source_unref (waiter->cancelled);
    }
  g_object_unref (waiter->task);
  g_free (waiter);
}

RoastWaiters *
roast_waiters_new (void)
{
  RoastWaiters *self = g_new0 (RoastWaiters, 1);

  self->list = g_ptr_array_new_with_free_func (waiter_free);

  return self;
}

void
roast_waiters_free (RoastWaiters *self)
{
  g_ptr_array_unref (self->list);
  g_clear_error (&self->error);
  g_free (self);
}

static void
complete_one (RoastWaiters *self, GTask *task)
{
  if (self->error != NULL)
    g_task_return_error (task, g_error_copy (self->error));
  else
    g_task_return_boolean (task, TRUE);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  Waiter *waiter = data;
  g_autoptr (GTask) task = g_object_ref (waiter->task);

  g_ptr_array_remove_fast (waiter->waiters->list, waiter);
  g_task_return_error_if_cancelled (task);

  return G_SOURCE_REMOVE;
}

void
roast_waiters_add (RoastWaiters *self, GTask *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);
  Waiter *waiter;

  if (self->complete || g_cancellable_is_cancelled (cancellable))
    {
      complete_one (self, task);
      g_object_unref (task);
      return;
    }

  waiter = g_new0 (Waiter, 1);
  waiter->waiters = self;
  waiter->task = task;
  if (cancellable != NULL)
    {
      waiter->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (waiter->cancelled, G_SOURCE_FUNC (on_cancelled), waiter, NULL);
      g_source_attach (waiter->cancelled, g_task_get_context (task));
    }
  g_ptr_array_add (self->list, waiter);
}

void
roast_waiters_complete (RoastWaiters *self, const GError *error)
{
  g_autoptr (GPtrArray) list = NULL;

  if (self->complete)
    return;

  self->complete = TRUE;
  self->error = error != NULL ? g_error_copy (error) : NULL;

  /* A callback may come back to us. */
  list = g_steal_pointer (&self->list);
  self->list = g_ptr_array_new_with_free_func (waiter_free);
  for (guint i = 0; i < list->len; i++)
    {
      Waiter *waiter = g_ptr_array_index (list, i);

      complete_one (self, waiter->task);
    }
}
