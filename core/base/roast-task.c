/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-task-private.h"

#include "roast/roast-error.h"

/* ---- sources ---- */

GSource *
roast_source_attach (GSource *source, GMainContext *context, GSourceFunc func, gpointer data, GDestroyNotify destroy)
{
  g_source_set_callback (source, func, data, destroy);
  g_source_attach (source, context);

  return source;
}

void
roast_source_clear (GSource **source)
{
  g_autoptr (GSource) taken = g_steal_pointer (source);

  if (taken != NULL)
    g_source_destroy (taken);
}

/* Call @func when the task is cancelled. Return NULL if the task has no cancellable. */
static GSource *
watch_cancellable (GTask *task, GCancellableSourceFunc func, gpointer data, GDestroyNotify destroy)
{
  GCancellable *cancellable = g_task_get_cancellable (task);

  return cancellable != NULL ? roast_source_attach (g_cancellable_source_new (cancellable), g_task_get_context (task),
                                                    G_SOURCE_FUNC (func), data, destroy)
                             : NULL;
}

/* ---- waiters ---- */

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

  roast_source_clear (&waiter->cancelled);
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

/* Complete a task with the outcome. Return FALSE if the task was already cancelled. */
static gboolean
complete_one (RoastWaiters *self, GTask *task)
{
  if (g_task_return_error_if_cancelled (task))
    return FALSE;
  if (self->error != NULL)
    g_task_return_error (task, g_error_copy (self->error));
  else
    g_task_return_boolean (task, TRUE);

  return TRUE;
}

static gboolean
on_waiter_cancelled (GCancellable *cancellable, gpointer data)
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
  g_autoptr (GTask) owned = task;
  Waiter *waiter = NULL;

  if (self->complete)
    complete_one (self, task);
  if (self->complete || g_task_return_error_if_cancelled (task))
    return;

  waiter = g_new0 (Waiter, 1);
  waiter->waiters = self;
  waiter->task = g_steal_pointer (&owned);
  waiter->cancelled = watch_cancellable (task, on_waiter_cancelled, waiter, NULL);
  g_ptr_array_add (self->list, waiter);
}

gboolean
roast_waiters_is_waiting (RoastWaiters *self)
{
  return self->list->len > 0;
}

gboolean
roast_waiters_complete (RoastWaiters *self, const GError *error)
{
  g_autoptr (GPtrArray) list = NULL;
  gboolean any = FALSE;

  if (self->complete)
    return TRUE;

  self->complete = TRUE;
  self->error = error != NULL ? g_error_copy (error) : NULL;

  /* Steal the list, because a callback may add tasks to this object. */
  list = g_steal_pointer (&self->list);
  self->list = g_ptr_array_new_with_free_func (waiter_free);
  for (guint i = 0; i < list->len; i++)
    any |= complete_one (self, ((Waiter *) g_ptr_array_index (list, i))->task);

  return any;
}

/* ---- guarded tasks ---- */

typedef struct
{
  gatomicrefcount refs;
  GTask *outer; /* task of the caller; NULL once it is complete */
  GType type;
  const char *what;
  gboolean dropped;    /* the inner task was dropped without a return */
  GCancellable *inner; /* cancellable of the inner task; also cancelled at the deadline */
  GSource *deadline;
  GSource *cancelled;
} Guard;

static Guard *
guard_ref (Guard *guard)
{
  g_atomic_ref_count_inc (&guard->refs);

  return guard;
}

static void
guard_unref (gpointer data)
{
  Guard *guard = data;

  if (!g_atomic_ref_count_dec (&guard->refs))
    return;
  g_clear_object (&guard->outer);
  g_object_unref (guard->inner);
  g_free (guard);
}

/* Take the outer task, which the caller must complete. Return NULL if it is already complete. */
static GTask *
take_outer (Guard *guard)
{
  GTask *outer = g_steal_pointer (&guard->outer);

  if (outer != NULL)
    {
      roast_source_clear (&guard->deadline);
      roast_source_clear (&guard->cancelled);
    }

  return outer;
}

static const char *
task_type_of (GTask *task)
{
  return G_OBJECT_TYPE_NAME (g_task_get_source_object (task));
}

static void
return_bad (GTask *task, const Guard *guard, const char *how)
{
  g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION,
                           "%s() of %s: %s (a bug in this backend)", guard->what, task_type_of (task), how);
}

/* Complete the outer task without the inner task, at the deadline or on cancellation. */
static gboolean
task_give_up (gpointer user_data)
{
  Guard *guard = user_data;
  g_autoptr (GTask) outer = take_outer (guard);

  if (outer != NULL && !g_task_return_error_if_cancelled (outer))
    g_task_return_new_error (outer, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_TIMED_OUT,
                             "%s() of %s did not finish in time: the measured executor may hang or be unreachable",
                             guard->what, task_type_of (outer));
  g_cancellable_cancel (guard->inner);

  return G_SOURCE_REMOVE;
}

static gboolean
on_outer_cancelled (GCancellable *cancellable, gpointer user_data)
{
  return task_give_up (user_data);
}

static void
return_boolean (Guard *guard, GTask *inner, GTask *outer)
{
  GError *error = NULL;
  gboolean ok = g_task_propagate_boolean (inner, &error);

  if (error != NULL)
    g_task_return_error (outer, error);
  else if (ok != TRUE)
    return_bad (outer, guard,
                ok ? "the function returned a value that is not a boolean"
                   : "the function returned FALSE without an error");
  else
    g_task_return_boolean (outer, TRUE);
}

/* Return whether @data points to the value of @word. The implementation may have returned a value that is not a
 * pointer, so read @data only if it can be an address. */
static gboolean
starts_with (gconstpointer data, gconstpointer word)
{
  return GPOINTER_TO_SIZE (data) >= 4096 && word != NULL && *(const gconstpointer *) data == word;
}

/* Free the GValue that Python returns, and return its content. */
static gpointer
unwrap (GValue *value)
{
  gpointer held = G_VALUE_HOLDS_VARIANT (value) ? (gpointer) g_value_dup_variant (value) : g_value_dup_object (value);

  g_value_unset (value);
  g_free (value);

  return held;
}

/* An implementation in C returns a pointer to the object. An implementation in Python returns a GValue that holds the
 * object (g_task_return_value()). g_task_propagate_value() cannot read both results, because it refuses plain pointers.
 * The first word of the memory shows which of the two it is: an object starts with its class, a GValue with its type.
 * This works because the types are final. */
static gpointer
task_take_object (GType type, gpointer data)
{
  g_autoptr (GObject) object = NULL;

  if (starts_with (data, g_type_class_peek (type)))
    return data;
  if (!starts_with (data, GSIZE_TO_POINTER (type)) && !starts_with (data, GSIZE_TO_POINTER (G_TYPE_OBJECT)))
    return NULL;

  object = unwrap (data);

  return object != NULL && G_OBJECT_TYPE (object) == type ? g_steal_pointer (&object) : NULL;
}

static gpointer
take_variant (gpointer data)
{
  g_autoptr (GVariant) variant = NULL;

  if (GPOINTER_TO_SIZE (data) < 4096)
    return NULL;
  variant = starts_with (data, GSIZE_TO_POINTER (G_TYPE_VARIANT)) ? unwrap (data) : g_variant_take_ref (data);

  return variant != NULL && g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT) ? g_steal_pointer (&variant) : NULL;
}

static void
return_pointer (Guard *guard, GTask *inner, GTask *outer)
{
  gboolean is_variant = guard->type == G_TYPE_VARIANT;
  GError *error = NULL;
  gpointer data = g_task_propagate_pointer (inner, &error);
  gpointer taken = NULL;

  if (error == NULL)
    taken = is_variant ? take_variant (data) : task_take_object (guard->type, data);
  if (error != NULL)
    g_task_return_error (outer, error);
  else if (taken != NULL)
    g_task_return_pointer (outer, taken, is_variant ? (GDestroyNotify) g_variant_unref : g_object_unref);
  else if (data == NULL)
    return_bad (outer, guard, "the function returned NULL without an error");
  else
    return_bad (outer, guard,
                is_variant ? "the function returned a value that is not a dictionary a{sv}"
                           : "the function returned an object of the wrong type");
}

static void
on_inner_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Guard *guard = user_data;
  gboolean dropped = guard->dropped;
  g_autoptr (GTask) outer = take_outer (guard);

  /* If the deadline or a cancellation has already completed the outer task, the result is freed with the inner task. */
  if (outer != NULL && guard->type == G_TYPE_BOOLEAN)
    return_boolean (guard, G_TASK (result), outer);
  else if (outer != NULL)
    return_pointer (guard, G_TASK (result), outer);
  if (dropped)
    guard_unref (guard);
}

/* The inner task is about to be finalized. If it was not completed, complete it here, which keeps it alive until its
 * callback runs. If it stayed incomplete, GLib would warn that the task was finalized without a return, and fatal
 * warnings would end the program. */
static void
on_inner_disposed (gpointer data, GObject *where)
{
  Guard *guard = data;
  GTask *inner = (GTask *) where;

  if (g_task_get_completed (inner))
    {
      guard_unref (guard);
      return;
    }
  guard->dropped = TRUE;
  return_bad (inner, guard, "the backend released the task before completing the task");
}

GTask *
roast_guarded_task_new (gpointer source, gpointer tag, GType type, const char *what, gint64 deadline,
                        GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  Guard *guard = g_new0 (Guard, 1);
  GTask *inner = NULL;

  g_atomic_ref_count_init (&guard->refs);
  guard->outer = g_task_new (source, cancellable, callback, user_data);
  g_task_set_source_tag (guard->outer, tag);
  guard->type = type;
  guard->what = what;
  guard->inner = g_cancellable_new ();

  inner = g_task_new (source, guard->inner, on_inner_done, guard);
  /* Accept the inner task's success even if it was cancelled, because the outer task handles cancellation. */
  g_task_set_check_cancellable (inner, FALSE);
  g_task_set_name (inner, what);
  g_object_weak_ref (G_OBJECT (inner), on_inner_disposed, guard);
  if (deadline > 0)
    guard->deadline =
        roast_source_attach (g_timeout_source_new ((guint) MIN ((deadline + 999) / 1000, G_MAXUINT)),
                             g_task_get_context (guard->outer), task_give_up, guard_ref (guard), guard_unref);
  if (cancellable != NULL)
    guard->cancelled = watch_cancellable (guard->outer, on_outer_cancelled, guard_ref (guard), guard_unref);

  return inner;
}
