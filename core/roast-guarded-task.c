/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-guarded-task-private.h"

#include "roast/roast-error.h"

typedef struct
{
  gatomicrefcount refs;
  GTask *outer; /* NULL once it is completed */
  RoastGuardedKind kind;
  GType type;
  const char *what;
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
guard_unref (Guard *guard)
{
  if (g_atomic_ref_count_dec (&guard->refs))
    {
      g_clear_object (&guard->outer);
      g_free (guard);
    }
}

static void
clear_source (GSource **source)
{
  GSource *taken = g_steal_pointer (source);

  if (taken != NULL)
    {
      g_source_destroy (taken);
      g_source_unref (taken);
    }
}

/* The outer task, for who completes it; NULL if somebody else was quicker. */
static GTask *
take_outer (Guard *guard)
{
  GTask *outer = g_steal_pointer (&guard->outer);

  if (outer != NULL)
    {
      clear_source (&guard->deadline);
      clear_source (&guard->cancelled);
    }

  return outer;
}

static const char *
type_of (GTask *outer)
{
  return G_OBJECT_TYPE_NAME (g_task_get_source_object (outer));
}

static void
return_bad (GTask *outer, const Guard *guard, const char *how)
{
  g_task_return_new_error (outer, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION,
                           "%s() of %s %s (a bug in that backend)", guard->what, type_of (outer), how);
}

static gboolean
on_deadline (gpointer user_data)
{
  Guard *guard = user_data;
  g_autoptr (GTask) outer = take_outer (guard);

  if (outer != NULL)
    g_task_return_new_error (outer, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_TIMED_OUT,
                             "%s() of %s did not come to an end in time: what it measures may hang or be out of reach",
                             guard->what, type_of (outer));

  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  Guard *guard = user_data;
  g_autoptr (GTask) outer = take_outer (guard);

  if (outer != NULL)
    g_task_return_error_if_cancelled (outer);

  return G_SOURCE_REMOVE;
}

static void
return_boolean (Guard *guard, GTask *inner, GTask *outer)
{
  GError *error = NULL;
  gboolean ok = g_task_propagate_boolean (inner, &error);

  if (error != NULL)
    g_task_return_error (outer, error);
  else if (!ok)
    return_bad (outer, guard, "returned FALSE without an error");
  else
    g_task_return_boolean (outer, TRUE);
}

static void
return_object (Guard *guard, GTask *inner, GTask *outer)
{
  GError *error = NULL;
  GValue value = G_VALUE_INIT;
  gpointer object = NULL;

  /* From Python comes a value, from C a pointer: this reads both. */
  if (!g_task_propagate_value (inner, &value, &error))
    {
      if (error != NULL)
        g_task_return_error (outer, error);
      else
        return_bad (outer, guard, "returned nothing without an error");
      return;
    }
  if (G_VALUE_HOLDS_OBJECT (&value))
    object = g_value_dup_object (&value);
  else if (G_VALUE_HOLDS_POINTER (&value))
    object = g_value_get_pointer (&value);
  if (object != NULL && G_TYPE_CHECK_INSTANCE_TYPE (object, guard->type))
    g_task_return_pointer (outer, object, g_object_unref);
  else
    return_bad (outer, guard, "returned what it should not");
  g_value_unset (&value);
}

static void
return_variant (Guard *guard, GTask *inner, GTask *outer)
{
  GError *error = NULL;
  GValue value = G_VALUE_INIT;
  GVariant *variant = NULL;

  if (!g_task_propagate_value (inner, &value, &error))
    {
      if (error != NULL)
        g_task_return_error (outer, error);
      else
        return_bad (outer, guard, "returned nothing without an error");
      return;
    }
  if (G_VALUE_HOLDS_VARIANT (&value))
    variant = g_value_dup_variant (&value);
  else if (G_VALUE_HOLDS_POINTER (&value) && g_value_get_pointer (&value) != NULL)
    variant = g_variant_take_ref (g_value_get_pointer (&value));
  if (variant != NULL && g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT))
    g_task_return_pointer (outer, g_steal_pointer (&variant), (GDestroyNotify) g_variant_unref);
  else
    return_bad (outer, guard, "returned what is no dictionary a{sv}");
  g_clear_pointer (&variant, g_variant_unref);
  g_value_unset (&value);
}

static void
on_inner_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Guard *guard = user_data;
  GTask *inner = G_TASK (result);
  g_autoptr (GTask) outer = take_outer (guard);

  /* Too late: who called has gone on. What was returned is freed with the inner task. */
  if (outer == NULL)
    return;

  switch (guard->kind)
    {
    case ROAST_GUARDED_OBJECT:
      return_object (guard, inner, outer);
      break;
    case ROAST_GUARDED_VARIANT:
      return_variant (guard, inner, outer);
      break;
    case ROAST_GUARDED_BOOLEAN:
    default:
      return_boolean (guard, inner, outer);
      break;
    }
}

static gboolean
on_dropped (gpointer user_data)
{
  Guard *guard = user_data;
  g_autoptr (GTask) outer = take_outer (guard);

  if (outer != NULL)
    return_bad (outer, guard, "dropped its task without completing it");

  return G_SOURCE_REMOVE;
}

/* The inner task is gone. If it was completed, the outer is too, or will be before this is looked at. */
static void
on_inner_finalized (gpointer data, GObject *where)
{
  Guard *guard = data;

  if (guard->outer != NULL)
    {
      g_autoptr (GSource) source = g_idle_source_new ();

      g_source_set_callback (source, on_dropped, guard_ref (guard), (GDestroyNotify) guard_unref);
      g_source_attach (source, g_task_get_context (guard->outer));
    }
  guard_unref (guard);
}

static void
watch (Guard *guard, guint timeout_ms)
{
  GMainContext *context = g_task_get_context (guard->outer);
  GCancellable *cancellable = g_task_get_cancellable (guard->outer);

  if (timeout_ms > 0)
    {
      guard->deadline = g_timeout_source_new (timeout_ms);
      g_source_set_callback (guard->deadline, on_deadline, guard_ref (guard), (GDestroyNotify) guard_unref);
      g_source_attach (guard->deadline, context);
    }
  if (cancellable != NULL)
    {
      guard->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (guard->cancelled, G_SOURCE_FUNC (on_cancelled), guard_ref (guard),
                             (GDestroyNotify) guard_unref);
      g_source_attach (guard->cancelled, context);
    }
}

GTask *
roast_guarded_task_new (GTask *outer, RoastGuardedKind kind, GType type, const char *what, guint timeout_ms)
{
  Guard *guard = g_new0 (Guard, 1);
  GTask *inner = NULL;

  g_atomic_ref_count_init (&guard->refs);
  guard->outer = outer;
  guard->kind = kind;
  guard->type = type;
  guard->what = what;

  inner = g_task_new (g_task_get_source_object (outer), g_task_get_cancellable (outer), on_inner_done, guard);
  /* An operation that succeeded although it was cancelled has succeeded; the outer task judges that. */
  g_task_set_check_cancellable (inner, FALSE);
  g_task_set_name (inner, what);
  g_object_weak_ref (G_OBJECT (inner), on_inner_finalized, guard);
  watch (guard, timeout_ms);

  return inner;
}
